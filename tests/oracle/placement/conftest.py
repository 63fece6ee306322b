"""The oracle as a fixture: built once, skipped visibly where there is no Go."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle.placement.asking import Oracle, build


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oracle, built. Where there is no Go it is skipped, unless ORACLES=required."""
    required = os.environ.get("ORACLES") == "required"
    if shutil.which("go") is None:
        if required:
            pytest.fail("ORACLES=required, and no go on PATH")
        pytest.skip("no go on PATH: Karpenter's own library is not asked")
    if not required and os.environ.get("ORACLES") != "run":
        pytest.skip("make test-oracles asks Karpenter's own library; its first build takes minutes")
    return build(tmp_path_factory.mktemp("oracle"))


@pytest.fixture(scope="session")
def oracle(program: Path) -> Iterator[Oracle]:
    asked = Oracle(program)
    yield asked
    asked.end()

"""The oracle as a fixture."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle.go_programs import built_or_skipped
from tests.oracle.placement.asking import Oracle


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_or_skipped("placement", "Karpenter's own library", tmp_path_factory)


@pytest.fixture(scope="session")
def oracle(program: Path) -> Iterator[Oracle]:
    asked = Oracle(program)
    yield asked
    asked.end()

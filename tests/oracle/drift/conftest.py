"""The oracle as a fixture: built once, skipped visibly where there is no Go."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def hashes_of_karpenter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built. Where there is no Go it is skipped, unless ORACLES=required."""
    required = os.environ.get("ORACLES") == "required"
    if shutil.which("go") is None:
        if required:
            pytest.fail("ORACLES=required, and no go on PATH")
        pytest.skip("no go on PATH: Karpenter's own hashes are not asked")
    if not required and os.environ.get("ORACLES") != "run":
        pytest.skip("make test-oracles asks Karpenter's own hashes; the first build takes minutes")
    built = tmp_path_factory.mktemp("oracle") / "drift"
    done = subprocess.run(["go", "build", "-o", str(built), "."], cwd=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built

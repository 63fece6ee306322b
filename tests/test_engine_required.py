"""`make test-engine` fails where there is no Pulumi CLI; elsewhere the tests of the real engine are skipped, visibly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.program

ONE = "tests/pulumi/test_engine.py::test_a_faulty_declaration_reaches_no_cloud"


@pytest.mark.parametrize(
    ("engine", "code", "told"),
    [
        pytest.param("required", 1, "ENGINE=required, and there is no pulumi on PATH", id="without a CLI it fails"),
        pytest.param("", 0, "1 skipped", id="unless it is required"),
    ],
)
def test_the_real_engine_is_run_or_missed(project: Path, tmp_path: Path, engine: str, code: int, told: str) -> None:
    environment = {**os.environ, "ENGINE": engine, "PATH": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ONE]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, told in done.stdout) == (code, True), done.stdout


def test_make_says_so(project: Path) -> None:
    recipe = (project / "Makefile").read_text().partition("\ntest-engine:")[2].partition("\n\n")[0]
    assert "ENGINE=required" in recipe
    assert "tests/pulumi" in recipe

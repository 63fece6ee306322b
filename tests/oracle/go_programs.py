"""Oracles that are Go programs: each is built once in a run, and skipped visibly where it cannot be built.

They are one module, in which what several contain is compiled once: Karpenter with the newest version of Kubernetes (`go.mod` has both).
"""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def build(name: str, into: Path, package: str | None = None, *arguments: str) -> Path:
    """The program in the folder of this name, or of a package of others. Of processes side by side, one compiles for all."""
    built = into / name
    command = ["go", "build", *arguments, "-o", str(built), package or f"./{name}"]
    with (Path(tempfile.gettempdir()) / "nodepools-oracles.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


def built_or_skipped(name: str, of: str, factory: pytest.TempPathFactory, *, package: str | None = None, target: str = "test-oracles") -> Path:
    """The program, built. Without Go the tests that need it are skipped, unless ORACLES=required.

    `of` is the software that it contains, `target` the target that runs the tests.
    """
    required = os.environ.get("ORACLES") == "required"
    if shutil.which("go") is None:
        if required:
            pytest.fail("ORACLES=required, and no go on PATH")
        pytest.skip(f"no go on PATH: no comparison with {of}")
    if not required and os.environ.get("ORACLES") != "run":
        pytest.skip(f"make {target} compares with {of}; the first build takes minutes")
    return build(name, factory.mktemp("oracle"), package)

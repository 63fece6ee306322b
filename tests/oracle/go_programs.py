"""Oracles that are Go programs: each is built once in a run, and skipped visibly where it cannot be built.

They are two modules, in which what several contain is compiled once: those of Kubernetes alone, of its newest version, and those of Karpenter, with
Kubernetes 1.36.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
KUBERNETES = HERE / "kubernetes"


def build(name: str, into: Path) -> Path:
    """The program in the folder of this name."""
    built = into / name
    module = KUBERNETES if (KUBERNETES / name).is_dir() else HERE
    done = subprocess.run(["go", "build", "-o", str(built), f"./{name}"], cwd=module, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


def built_or_skipped(name: str, of: str, factory: pytest.TempPathFactory, *, target: str = "test-oracles") -> Path:
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
    return build(name, factory.mktemp("oracle"))

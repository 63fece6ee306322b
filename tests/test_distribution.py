"""The source distribution has the package, and no tests: setuptools would add `tests/test*.py`."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

BUILD = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
COPIED = (
    "pyproject.toml",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "SECURITY.md",
    "components/nodepools/py.typed",
    "tests/test_lock.py",
)


def test_the_source_distribution_has_the_package_only(project: Path, tmp_path: Path) -> None:
    pytest.importorskip("setuptools", minversion="77")
    source = tmp_path / "source"
    for name in COPIED:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project / name, source / name)
    (source / "components/nodepools/__init__.py").touch()
    subprocess.run([sys.executable, "-c", BUILD, tmp_path], cwd=source, check=True, capture_output=True)
    [archive] = tmp_path.glob("nodepools-*.tar.gz")
    with tarfile.open(archive) as built:
        files = {member.name.partition("/")[2] for member in built if member.isfile()}
    ours = {name for name in files if "egg-info" not in name} - {"PKG-INFO", "setup.cfg"}
    assert ours == {*COPIED, "components/nodepools/__init__.py"} - {"tests/test_lock.py"}

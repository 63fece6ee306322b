"""What a user installs: the wheel has every file of the package and nothing else, and the source distribution has no tests."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

import pytest

pytestmark = pytest.mark.program

BUILD = "import sys; from setuptools import build_meta; place = sys.argv[1]; build_meta.build_sdist(place); build_meta.build_wheel(place)"
OF_THE_PROJECT = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md")
MOST_BYTES = 4 * 2**20
"""A wheel of more than 4 MiB has something that does not belong into it."""


def package_files(project: Path) -> Iterator[str]:
    """Every file of the package in the checkout, relative to `components`."""
    components = project / "components"
    for path in sorted((components / "nodepools").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(components).as_posix()


@pytest.fixture(scope="module")
def built(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both distributions, made from a copy that has tests and a build of before."""
    pytest.importorskip("setuptools", minversion="77")
    place = tmp_path_factory.mktemp("built")
    source = place / "source"
    shutil.copytree(project / "components", source / "components", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in (*OF_THE_PROJECT, "tests/test_lock.py"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project / name, source / name)
    subprocess.run([sys.executable, "-c", BUILD, place], cwd=source, check=True, capture_output=True)
    return place


def test_the_source_distribution_has_the_package_only(project: Path, built: Path) -> None:
    [archive] = built.glob("nodepools-*.tar.gz")
    with tarfile.open(archive) as opened:
        files = {member.name.partition("/")[2] for member in opened if member.isfile()}
    ours = {name for name in files if "egg-info" not in name} - {"PKG-INFO", "setup.cfg"}
    assert ours == {*OF_THE_PROJECT, *(f"components/{name}" for name in package_files(project))}


def test_the_wheel_has_every_file_of_the_package(project: Path, built: Path) -> None:
    [wheel] = built.glob("nodepools-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        files = {name for name in opened.namelist() if ".dist-info/" not in name}
    assert files == set(package_files(project))
    assert wheel.stat().st_size < MOST_BYTES


def test_the_metadata_say_what_the_wheel_needs(built: Path) -> None:
    [wheel] = built.glob("nodepools-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        [metadata] = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        [entry_points] = [name for name in opened.namelist() if name.endswith(".dist-info/entry_points.txt")]
        described = Parser().parsestr(opened.read(metadata).decode())
        commands = opened.read(entry_points).decode()
    unconditional = [need for need in described.get_all("Requires-Dist", []) if ";" not in need]
    assert unconditional == ["pydantic<3,>=2.12"], "the core needs pydantic only"
    assert {"aks", "eks", "cli", "policy"} <= set(described.get_all("Provides-Extra", []))
    assert described["Requires-Python"] == ">=3.11"
    assert described["License-Expression"] == "Apache-2.0"
    assert described["Description-Content-Type"] == "text/markdown"
    assert "nodepools = nodepools.cli.main:main" in commands

"""Runs the two commands of examples/user-project in a copy, and what `nodepools init` writes, with nodepools installed as a package.

`python tools/user_project.py` builds the package from this checkout; pip downloads only the dependencies of the package.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "components"
NOT_SOURCES = shutil.ignore_patterns(".venv", "__pycache__", "*.egg-info", ".pytest_cache", "build")


def run(*command: str, cwd: Path, **environment: str) -> None:
    """Runs a command, and exits if it fails."""
    print("$", *command, flush=True)  # noqa: T201  # prints the commands that it runs
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, check=False)  # noqa: S603  # our own words
    if done.returncode:
        sys.exit(done.returncode)


def wheel(place: Path) -> Path:
    """Builds the package from a copy, without files of an earlier build."""
    shutil.copytree(SOURCES, place / "source" / "components", ignore=NOT_SOURCES)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place / "source")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(place), str(place / "source"), cwd=place)
    [built] = place.glob("nodepools-*.whl")
    return built


def missing(package: Path) -> Iterator[str]:
    """Returns the source files that are missing in the package."""
    packed = set(zipfile.ZipFile(package).namelist())
    for path in sorted((SOURCES / "nodepools").rglob("*")):
        name = path.relative_to(SOURCES).as_posix()
        if path.is_file() and "__pycache__" not in path.parts and name not in packed:
            yield name


def started(place: Path, nodepools: Path) -> None:
    """Writes a project for each cloud, installs what the one for both requires, and runs the next steps in all."""
    clouds = ("both", "aks", "eks")
    for cloud in clouds:
        run(str(nodepools), "init", cloud, "--clouds", cloud, "--ci", "github", cwd=place)
    run(sys.executable, "-m", "venv", ".venv", cwd=place / clouds[0])
    bin_ = place / clouds[0] / ".venv" / "bin"
    run(
        str(bin_ / "pip"),
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-r",
        "requirements-dev.txt",
        cwd=place / clouds[0],
        PIP_NO_COMPILE="1",
    )
    for cloud in clouds:
        for command in (("nodepools", "check", "--all"), ("nodepools", "preview"), ("pytest", "--quiet")):
            run(str(bin_ / command[0]), *command[1:], cwd=place / cloud)


def main() -> None:
    """Builds the package, copies the project, and runs its commands; then writes new projects, and runs theirs."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        package = wheel(place)
        if lacking := list(missing(package)):
            sys.exit(f"the package lacks {', '.join(lacking)}: see [tool.setuptools.package-data]")
        project = place / "user-project"
        shutil.copytree(ROOT / "examples" / "user-project", project, ignore=NOT_SOURCES)
        for command in ("test", "preview"):
            run(
                "make",
                "--no-print-directory",
                command,
                f"NODEPOOLS={package.as_uri()}",
                f"PYTHON={sys.executable}",
                "VENV=.venv",
                cwd=project,
                PIP_NO_COMPILE="1",
            )
        home = "import nodepools, sys; sys.exit(not nodepools.__file__.startswith(sys.prefix))"
        run(".venv/bin/python", "-c", home, cwd=project)
        started(place, project / ".venv" / "bin" / "nodepools")


if __name__ == "__main__":
    main()

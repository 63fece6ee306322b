"""Runs the tests with the oldest and the locked packages, on each Python of this machine, and writes the table in docs/support.md.

`python tools/test_versions.py [DAY]`. Takes minutes for each row. A Python that is not installed here is listed as not run.
Only tests of what depends on other packages run here: declarations, components, engine, test kit and plugin.
`make test` runs all tests, with the locked packages.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = PROJECT / "docs" / "support.md"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
OLDEST, LOCKED = "oldest", "locked"
TEST_PACKAGES: Final = ("pytest", "pytest-xdist", "pytest-cov", "hypothesis", "pulumi-policy")
SHOWN: Final = ("pulumi", "pulumi-azure-native", "pulumi-aws", "pulumi-kubernetes", "pydantic")
"""The packages that have a column."""
FOLDERS: Final = ("model", "component", "aks", "eks", "engine", "testing", "resources", "plugin")
"""Folders of tests of what depends on pydantic, Pulumi and the providers."""
START, END = "<!-- tested versions -->\n", "<!-- end of tested versions -->\n"


@dataclass(frozen=True, slots=True)
class Run:
    """One row: a Python, the packages, and how the tests ended."""

    python: str
    packages: str
    versions: tuple[str, ...]
    result: str

    def row(self) -> str:
        """The row of the table."""
        return f"| {' | '.join((self.python, self.packages, *self.versions, self.result))} |"


def interpreter(python: str) -> str | None:
    """Returns a Python of this version, if the machine has one."""
    named = shutil.which(f"python{python}")
    found = named or next((str(path) for path in sorted(Path.home().glob(f".pyenv/versions/{python}.*/bin/python"))), None)
    works = found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0  # noqa: S603  # Python itself
    return found if works else None


def _uv(environment: Path, *words: str) -> str:
    """Runs uv for a virtual environment."""
    command = [str(Path(sys.executable).with_name("uv")), *words]
    whole = {**os.environ, "VIRTUAL_ENV": str(environment)}
    return subprocess.run(command, cwd=PROJECT, check=True, text=True, env=whole, stdout=subprocess.PIPE).stdout  # noqa: S603  # our own words


def _install(environment: Path, python: str, packages: str) -> tuple[str, ...]:
    """Makes the virtual environment, and returns the versions of the shown packages."""
    _uv(environment, "venv", "--quiet", "--python", python, str(environment))
    if packages == LOCKED:
        _uv(environment, "pip", "install", "--quiet", "--require-hashes", "-r", "requirements.lock")
    else:
        _uv(environment, "pip", "install", "--quiet", "--resolution", "lowest-direct", ".[aks,eks,cli,policy]")
        locked = (PROJECT / "requirements.lock").read_text(encoding="utf-8")
        pinned = re.findall(rf"^(?:{'|'.join(TEST_PACKAGES)})==\S+", locked, re.MULTILINE)
        _uv(environment, "pip", "install", "--quiet", *pinned)
        _uv(environment, "pip", "uninstall", "--quiet", "nodepools")
    _uv(environment, "pip", "install", "--quiet", "--no-deps", "setuptools>=77")
    _uv(environment, "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ".")
    listed = dict(line.split("==") for line in _uv(environment, "pip", "freeze", "--quiet").splitlines() if "==" in line)
    return tuple(listed[name] for name in SHOWN)


def _tested(environment: Path) -> str:
    """Runs the tests, and returns pytest's closing line without the time."""
    folders = [f"tests/{folder}" for folder in FOLDERS]
    options = ("-q", "-p", "no:cacheprovider", "-n", "auto", "--dist", "loadfile")
    command = [str(environment / "bin" / "python"), "-m", "pytest", *options, *folders]
    done = subprocess.run(command, cwd=PROJECT, check=False, text=True, stdout=subprocess.PIPE)  # noqa: S603  # our own words
    *_, last = done.stdout.strip().splitlines()
    if done.returncode:
        sys.stdout.write(done.stdout[-4000:])
    return re.sub(r" in .*", "", last.strip("= "))


def runs() -> Iterator[Run]:
    """Tests each combination: the oldest packages with the oldest Python, the locked ones with each."""
    for python, packages in (PYTHONS[0], OLDEST), *((python, LOCKED) for python in PYTHONS):
        found = interpreter(python)
        if found is None:
            yield Run(python, packages, ("",) * len(SHOWN), "not run: not installed here")
            continue
        with tempfile.TemporaryDirectory() as place:
            environment = Path(place) / "venv"
            versions = _install(environment, found, packages)
            yield Run(python, packages, versions, _tested(environment))


def table(rows: Sequence[Run], day: date) -> str:
    """The table, with the day."""
    head = f"| {' | '.join(('Python', 'packages', *SHOWN, f'result on {day}'))} |"
    return "\n".join([head, "|---" * (len(SHOWN) + 3) + "|", *(run.row() for run in rows), ""])


def main(day: date) -> int:
    """Writes the table, and returns 1 if a test failed."""
    done: list[Run] = []
    for run in runs():
        sys.stdout.write(f"{run.row()}\n")
        sys.stdout.flush()
        done.append(run)
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n{table(done, day)}\n{END}{after}", encoding="utf-8")
    return any("failed" in run.result or "error" in run.result for run in done)


if __name__ == "__main__":
    sys.exit(main(date.fromisoformat(sys.argv[1]) if sys.argv[1:] else datetime.now(UTC).date()))

"""Runs the tests with the oldest and the locked packages, on each Python of this machine, and writes the table in docs/support.md.

`python tools/test_versions.py [PYTHON/PACKAGES...]`, such as `3.11/oldest 3.13/locked`; without arguments, all rows.
A row takes minutes, and is written when it is done: the other rows stay. A Python that is not installed here is listed as not run.
The tests run in a clone of the last commit, so the tree can be edited meanwhile.
Only tests of what depends on other packages run here; `make test` runs all tests, with the locked packages.
Stored plans (tests/golden) do not run here, and pictures do not with the oldest packages: they are what the locked ones write.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = PROJECT / "docs" / "support.md"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
OLDEST, LOCKED = "oldest", "locked"
ROWS: Final = (f"{PYTHONS[0]}/{OLDEST}", *(f"{python}/{LOCKED}" for python in PYTHONS))
"""The oldest packages with the oldest Python, the locked ones with each."""
TEST_PACKAGES: Final = ("pytest", "pytest-xdist", "pytest-cov", "hypothesis", "pulumi-policy")
SHOWN: Final = ("pulumi", "pulumi-azure-native", "pulumi-aws", "pulumi-kubernetes", "pydantic")
"""The packages that have a column."""
FOLDERS: Final = ("model", "component", "aks", "eks", "engine", "testing", "resources", "plugin", "pack", "reading", "manifests", "cli")
"""Folders of tests of what depends on pydantic, Pulumi and the providers, and on the packages of the command line."""
PICTURES: Final = "tests/cli/test_pictures.py"
"""Pictures as the locked version of rich draws them."""
UNSET: Final = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
"""Variables that the tests run without: byte code makes imports of the provider SDKs 3 to 6 times faster."""
START, END = "<!-- tested versions -->\n", "<!-- end of tested versions -->\n"


@dataclass(frozen=True, slots=True)
class Run:
    """One row: a Python, the packages, and how the tests ended."""

    name: str
    versions: tuple[str, ...]
    result: str
    day: date

    def row(self) -> str:
        """The row of the table."""
        return f"| {' | '.join((*self.name.split('/'), *self.versions, self.result, str(self.day)))} |"


def interpreter(python: str) -> str | None:
    """Returns a Python of this version, if the machine has one."""
    named = shutil.which(f"python{python}")
    candidates = (named, *(str(path) for path in sorted(Path.home().glob(f".pyenv/versions/{python}.*/bin/python"))))
    return next((found for found in candidates if found and _works(found)), None)


def _works(python: str) -> bool:
    """Whether this is a Python, not a stand-in that only names others."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0  # noqa: S603  # Python itself


def _uv(environment: Path, project: Path, *words: str) -> str:
    """Runs uv for a virtual environment."""
    command = [str(Path(sys.executable).with_name("uv")), *words]
    whole = {**os.environ, "VIRTUAL_ENV": str(environment)}
    return subprocess.run(command, cwd=project, check=True, text=True, env=whole, stdout=subprocess.PIPE).stdout  # noqa: S603  # our own words


def _install(environment: Path, project: Path, python: str, packages: str) -> tuple[str, ...]:
    """Makes the virtual environment, and returns the versions of the shown packages."""
    _uv(environment, project, "venv", "--quiet", "--python", python, str(environment))
    if packages == LOCKED:
        _uv(environment, project, "pip", "install", "--quiet", "--require-hashes", "-r", "requirements.lock")
    else:
        _uv(environment, project, "pip", "install", "--quiet", "--resolution", "lowest-direct", ".[aks,eks,cli,mcp,policy]")
        locked = (project / "requirements.lock").read_text(encoding="utf-8")
        pinned = re.findall(rf"^(?:{'|'.join(TEST_PACKAGES)})==\S+", locked, re.MULTILINE)
        _uv(environment, project, "pip", "install", "--quiet", *pinned)
        _uv(environment, project, "pip", "uninstall", "--quiet", "nodepools")
    _uv(environment, project, "pip", "install", "--quiet", "--no-deps", "setuptools>=77")
    _uv(environment, project, "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ".")
    listed = dict(line.split("==") for line in _uv(environment, project, "pip", "freeze", "--quiet").splitlines() if "==" in line)
    return tuple(listed[name] for name in SHOWN)


def _tested(environment: Path, project: Path, packages: str) -> str:
    """Runs the tests, and returns pytest's closing line without the time."""
    folders = [f"tests/{folder}" for folder in FOLDERS]
    options = ("-q", "-p", "no:cacheprovider", "-n", "auto", "--dist", "loadfile")
    without = (f"--ignore={PICTURES}",) if packages == OLDEST else ()
    command = [str(environment / "bin" / "python"), "-m", "pytest", *options, *without, *folders]
    whole = {name: value for name, value in os.environ.items() if name not in UNSET}
    done = subprocess.run(command, cwd=project, check=False, text=True, env=whole, stdout=subprocess.PIPE)  # noqa: S603  # our own words
    *_, last = done.stdout.strip().splitlines()
    if done.returncode:
        sys.stdout.write(done.stdout)
    return re.sub(r" in .*", "", last.strip("= "))


def run(name: str) -> Run:
    """Tests one combination."""
    python, packages = name.split("/")
    today = datetime.now(UTC).date()
    found = interpreter(python)
    if found is None:
        return Run(name, ("",) * len(SHOWN), "not run: not installed here", today)
    with tempfile.TemporaryDirectory() as place:
        project, environment = Path(place) / "nodepools", Path(place) / "venv"
        subprocess.run(["git", "clone", "--quiet", str(PROJECT), str(project)], check=True)  # noqa: S603, S607  # our own words
        versions = _install(environment, project, found, packages)
        return Run(name, versions, _tested(environment, project, packages), today)


def stored(page: str) -> dict[str, str]:
    """The rows of the page, by name."""
    _, _, rest = page.partition(START)
    table, _, _ = rest.partition(END)
    return {f"{found[1]}/{found[2]}": found[0] for found in re.finditer(r"^\| (3\.\d+) \| (\w+) \|.*\|$", table, re.MULTILINE)}


def written(page: str, rows: Mapping[str, str]) -> str:
    """The page with these rows in the table."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    head = f"| {' | '.join(('Python', 'packages', *SHOWN, 'result', 'day'))} |"
    table = "\n".join([head, "|---" * (len(SHOWN) + 4) + "|", *(rows[name] for name in ROWS if name in rows), ""])
    return f"{before}{START}\n{table}\n{END}{after}"


def main(names: Sequence[str]) -> int:
    """Writes each row when it is done, and returns 1 if a test failed."""
    if unknown := [name for name in names if name not in ROWS]:
        sys.stderr.write(f"No such row: {', '.join(unknown)}. Rows: {', '.join(ROWS)}\n")
        return 2
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in what it starts in the background, and tests send it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the same with `nohup`
    failed = False
    for name in names or ROWS:
        done = run(name)
        sys.stdout.write(f"{done.row()}\n")
        sys.stdout.flush()
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(written(page, {**stored(page), name: done.row()}), encoding="utf-8")
        failed |= any(word in done.result for word in ("failed", "error"))
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What the commands print for every stack, example and observed cluster: a change that should not change answers changes no byte of them.

A line of outputs.txt has two hashes, that of the text and that of the JSON, and then where the command is run, and its arguments. A hash tells
that something changed, not what: run the command at both commits. `doctor` is left out: what it prints depends on the machine. What is beside
the project only in some places is not compared elsewhere.
"""

import fcntl
import hashlib
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.cli.conftest import Run, nodepools, starter  # noqa: F401  # fixtures

OUTPUTS = Path(__file__).with_name("outputs.txt")
NO_JSON = ("schema", "mcp", "--help")
DAY = "2026-11-26T12:00:00+00:00"
"""When the commands are run, for those without `--today`."""

Folders: TypeAlias = Callable[[str], Path]

pytestmark = pytest.mark.sweep


@dataclass(frozen=True)
class Output:
    """One line."""

    hashes: str
    folder: str
    arguments: str

    @classmethod
    def read(cls, line: str) -> "Output":
        hashes, folder, arguments = line.split(" ", 2)
        return cls(hashes, folder.removesuffix(":"), arguments)

    def __str__(self) -> str:
        return f"{self.hashes} {self.folder}: {self.arguments}"

    def printed(self, run: Run, place: Path) -> str:
        """The hashes of what the command prints now."""
        arguments = self.arguments.split()
        has_json = not {*NO_JSON, "--matrix", "--format"} & {*arguments}
        return ",".join(_printed(run, place, *arguments, *form) for form in ([], ["--format", "json"])[: 1 + has_json])


def _printed(run: Run, place: Path, *arguments: str) -> str:
    answer = run(*arguments, cwd=place, env={"COLUMNS": "100", "RUN_AT": DAY})
    assert not re.search("does not have an option|is not a command", answer.err), answer.err  # the hash would be that of the error
    return hashlib.sha256(f"{answer.status}\n{answer.out}\n{answer.err}".encode()).hexdigest()[:12]


def _write(line: str, now: str) -> None:
    """Writes another line in place of one. Other processes can do the same."""
    with OUTPUTS.open("r+", encoding="utf-8") as stored:
        fcntl.flock(stored, fcntl.LOCK_EX)
        text = stored.read().replace(f"{line}\n", f"{now}\n")
        stored.seek(0)
        stored.write(text)
        stored.truncate()


@pytest.fixture(scope="session")
def folders(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """Where commands are run: a folder of the project, or a copy of what is beside it with the workloads of the examples."""
    copies = {"observed": project.parent / "shared" / "data" / "observed", "review": project.parent / "shared" / "review" / "inputs"}
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in copies:
            return project / name
        if not copies[name].is_dir():
            pytest.skip(f"{name} files are not beside this project")
        if name not in made:
            made[name] = tmp_path_factory.mktemp(name) / name
            shutil.copytree(copies[name], made[name])
            shutil.copytree(project / "examples" / "workloads", made[name] / "workloads")
        return made[name]

    return folder


@pytest.mark.parametrize("line", OUTPUTS.read_text(encoding="utf-8").splitlines(), ids=lambda line: line.split(" ", 1)[1])
def test_commands_print_what_they_printed(line: str, nodepools: Run, folders: Folders, request: pytest.FixtureRequest) -> None:  # noqa: F811
    output = Output.read(line)
    hashes = output.printed(nodepools, folders(output.folder))
    if request.config.getoption("--rewrite-golden"):
        _write(line, f"{hashes} {line.split(' ', 1)[1]}")
        pytest.skip("written anew: review the difference as a change of what people read")
    assert hashes == output.hashes

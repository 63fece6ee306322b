"""`nodepools init`: writes a new project, all of its files or none."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Final

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.output.report import Act, Report, Step, command, lines_of
from nodepools.cli.problem import Problem, usage_error
from nodepools.cli.starter_files import Ci, Cloud, own_origin, project_files
from nodepools.cli.written_file import exchange
from nodepools.model.listing import quoted
from nodepools.model.values import dataclass

_NAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")
"""What both Pulumi and `pyproject.toml` accept as the name of a project."""
_IGNORED: Final = (".git",)
"""A repository that has no files yet is empty."""
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class _Project:
    folder: Path
    files: Sequence[str]

    @property
    def next(self) -> tuple[Step, ...]:
        """What to run in it: install, check, test."""
        enter = f"cd {quote(str(self.folder))} && " if self.folder.resolve() != Path.cwd() else ""
        install = f"{enter}python3 -m venv .venv && .venv/bin/pip install -r requirements-dev.txt"
        checks = ".venv/bin/nodepools check --all && .venv/bin/nodepools preview"
        return command(install, Act.INSTALLS), command(checks, Act.NONE), command(".venv/bin/pytest", Act.NONE)

    def to_json(self) -> dict[str, object]:
        return {"folder": str(self.folder), "files": list(self.files)}

    @property
    def report(self) -> Report:
        return Report(str(self.folder), f"{len(self.files)} files written", self.next, (lines_of("", *self.files),))


def new_project(folder: Path, run: CommandRun, *, name: str | None, cloud: Cloud, ci: Ci | None, yaml: bool = False) -> Result:
    """Writes a project into `folder`, which does not exist or is empty.

    Raises:
        InputError: the name is not valid, the folder contains files, or a file cannot be written. Nothing is left behind.
    """
    origin = own_origin()
    files = {**project_files(_valid(name, folder), cloud, ci, origin, yaml=yaml), **origin.files}
    try:
        _require_empty(folder)
        _write(folder, files)
    except OSError as error:
        usage_error(f"{folder}: cannot write the project: {error.strerror}")
    except RuntimeError:  # until Python 3.12
        usage_error(f"{folder}: cannot write the project: symbolic links form a loop")
    if origin.wheel:
        told = (
            f"installs nodepools from `vendor/{origin.wheel}`, a copy of the installation that runs here: commit it, or name an index or an address"
        )
        run.notes.append(Problem("requirements.txt", told))
    project = _Project(folder, sorted(path.as_posix() for path in files))
    return Result(project.to_json, report=project.report)


def _valid(name: str | None, folder: Path) -> str:
    given = name if name is not None else Path(os.path.abspath(folder)).name  # noqa: PTH100  # `resolve` would follow a link to another name
    if _NAME.fullmatch(given) is None:
        asked = "`--name` must be" if name is not None else "use `--name` with"
        usage_error(
            f"`{given}` cannot be the name of a project: {asked} 1 to 100 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends"
        )
    return given


def _require_empty(folder: Path) -> None:
    if folder.is_dir():
        found = sorted(path.name for path in folder.iterdir() if path.name not in _IGNORED)
        if found:
            usage_error(f"{folder}: is not empty (contains {quoted(found, _SHOWN)}): use a new or an empty folder")
    elif folder.exists() or folder.is_symlink():
        usage_error(f"{folder}: is not a folder: use a new or an empty folder")


def _write(folder: Path, files: dict[Path, str | bytes]) -> None:
    """Prepares the files next to their place, on the same disk, then moves them. On failure, folders that it made are removed."""
    target = folder.resolve()
    existing = next(place for place in (target, *target.parents) if place.is_dir())
    with TemporaryDirectory(dir=existing, prefix=".nodepools-init-") as scratch:
        exchange(existing, Path(scratch), {(target / path).relative_to(existing): content for path, content in files.items()}, ())

"""The inputs of tools of the MCP server: text, or files below one folder. The command sees them in a folder of its own."""

import errno
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nodepools.cli.inputs.file_search import SUFFIXES
from nodepools.cli.problem import InputError, Problem
from nodepools.reading.bounded_input import LISTED_MIB, SECONDS, Deadline, leads_out, linked_away

_MOST_FILES: Final = 10_000
_MIB: Final = 1024 * 1024
_CHUNK: Final = _MIB
_SETTINGS: Final = "pyproject.toml"
_MISSING: Final = ".nodepools-missing"
_OUTSIDE: Final = "/nodepools-outside"
"""Where a link leads that stands in for one out of the root: no such file exists, and the command rejects the link before it looks."""


class Input(BaseModel):
    """YAML or JSON: a file or a folder below the root of the server, or text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Annotated[str | None, Field(description="File or folder, relative to the root of the server")] = None
    text: Annotated[str | None, Field(description="YAML or JSON, instead of `path`")] = None
    name: Annotated[str | None, Field(description="File name of `text` in the answer, such as k8s/pool.yaml")] = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "Input":
        if (self.path is None) is (self.text is None):
            raise ValueError("must have either `path` or `text`")
        if self.path is not None and self.name is not None:
            raise ValueError("`name` is for `text`, not for `path`")
        return self


@dataclass(slots=True)
class Workspace:
    """A private folder with the inputs of one call: what the command reads is in it, and cannot change while it runs."""

    root: Path
    """The folder of the server, resolved."""
    folder: Path
    """The private folder, in which the command runs unless it can run programs."""
    runs_programs: bool = False
    """The command runs in the root, where programs find their files: no file is copied."""
    deadline: Deadline = field(default_factory=Deadline.start)
    _copied: set[PurePosixPath] = field(default_factory=set[PurePosixPath])
    _bytes: int = 0

    @property
    def directory(self) -> Path:
        """The working directory of the command."""
        return self.root if self.runs_programs else self.folder

    def add(self, given: Input, default: str) -> str:
        """Copies an input, and returns the path for the command: that of the file, of the text, or `default`.

        Raises:
            InputError: it is outside of the root, cannot be read, or exceeds a limit.
        """
        if given.path is None:
            name = _of_text(given.name if given.name is not None else default)
            self._write(name, given.text if given.text is not None else "")
            return str(self.folder / name if self.runs_programs else name)
        name = _relative(given.path)
        found = self._inside(name)
        if not found.is_dir():
            self._copy(name, found)
            return str(name)
        (self.folder / name).mkdir(parents=True, exist_ok=True)
        for file in self._below(name):
            if self.runs_programs and (self.root / file).is_dir() and not self._leads_out(file):
                continue  # the command reports the link
            if self.runs_programs or not self._stands_in(file):
                self._copy(file, self._inside(file))
        return str(name)

    def _stands_in(self, name: PurePosixPath) -> bool:
        """For what is not a file below the root: puts something of the same kind in its place, and the command reports it with the other files."""
        target = self._target(name)
        if target is None and (self.root / name).is_file():
            return False
        if name in self._copied:
            return True
        self._count(name)
        place = self.folder / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(target) if target is not None else os.mkfifo(place)
        except OSError as error:  # another input has the name, or the system has no links
            raise _refused(name, error.strerror or "cannot be written") from None
        return True

    def add_settings(self) -> None:
        """Copies the settings of the root. The search for settings ends in the folder."""
        (self.folder / ".git").mkdir()
        settings = PurePosixPath(_SETTINGS)
        if (self.root / settings).is_file():
            self._copy(settings, self._inside(settings))

    def _target(self, name: PurePosixPath) -> str | None:
        """Where a link leads that stands in for one that cannot be followed; `None` for all others."""
        if self._leads_out(name):
            return os.sep if (self.root / name).is_dir() else _OUTSIDE
        if (self.root / name).is_dir():
            place = self.folder / Path(os.path.realpath(self.root / name)).relative_to(self.root)
            place.mkdir(parents=True, exist_ok=True)
            return str(place)
        try:
            (self.root / name).stat()
        except OSError as error:
            if error.errno == errno.ELOOP:
                return name.name
            return self._dangling(name)
        return None

    def _dangling(self, name: PurePosixPath) -> str:
        """The target of a link to nothing, as it is written, since the command names it. An absolute one would lead out of the private folder."""
        link = self.root / name
        target = link.readlink() if link.is_symlink() else None
        return _MISSING if target is None or target.is_absolute() else str(target)

    def _leads_out(self, name: PurePosixPath) -> bool:
        path = self.root / name
        return not Path(os.path.realpath(path)).is_relative_to(self.root) or leads_out(path)

    def _inside(self, name: PurePosixPath) -> Path:
        """The file that a name leads to, also through links. It is below the root."""
        try:
            found = (self.root / name).resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise _refused(name, getattr(error, "strerror", None) or "cannot be read") from None
        if self._leads_out(name):
            raise _refused(name, "leads out of the root of the server, which reads only files below it")
        return found

    def _below(self, name: PurePosixPath) -> Iterator[PurePosixPath]:
        """YAML and JSON files, as the command finds them in a folder, and links to folders, which are not followed."""
        for parent, folders, names in os.walk(self.root / name):
            folders.sort()
            away = [folder for folder in folders if linked_away(Path(parent, folder), [self.root / name])]
            found = (*away, *(file for file in sorted(names) if file.endswith(SUFFIXES)))
            yield from (PurePosixPath(Path(parent, file).relative_to(self.root).as_posix()) for file in found)
            if not self.deadline.left:
                raise InputError(Problem.of(str(SECONDS.error(str(name))), str(name)))

    def _write(self, name: PurePosixPath, text: str) -> None:
        place = self.folder / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("x", encoding="utf-8", errors="backslashreplace", newline="") as target:
                target.write(text)
        except (FileExistsError, NotADirectoryError):
            raise _refused(name, "is the name of two inputs") from None
        except OSError as error:
            raise _refused(name, error.strerror or "cannot be written") from None

    def _count(self, name: PurePosixPath) -> None:
        self._copied.add(name)
        if len(self._copied) > _MOST_FILES:
            raise _refused(name, f"one call can read at most {_MOST_FILES:,} files: name a smaller folder")

    def _copy(self, name: PurePosixPath, found: Path) -> None:
        if not found.is_file():
            raise _refused(name, "is not a file")
        if self.runs_programs or name in self._copied:
            return
        self._count(name)
        place = self.folder / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            number = os.open(found, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
            with open(number, "rb") as source:  # noqa: PTH123  # of a descriptor
                self._bytes += os.fstat(number).st_size
                if self._bytes > LISTED_MIB.value() * _MIB:
                    raise InputError(Problem.of(str(LISTED_MIB.error(str(name))), str(name)))
                with place.open("xb") as target:
                    shutil.copyfileobj(source, target, _CHUNK)
        except (FileExistsError, NotADirectoryError):
            raise _refused(name, "is the name of two inputs") from None
        except OSError as error:
            raise _refused(name, error.strerror or "cannot be read") from None


def _relative(written: str) -> PurePosixPath:
    """A path without `..`, which cannot be taken for an option, stdin or a commit."""
    name = PurePosixPath(written)
    if not written or "\0" in written or "\\" in written:
        raise _refused(written, "is not a path: write it relative to the root of the server, with `/`")
    if name.is_absolute() or written.startswith("~") or ":" in "".join(name.parts[:1]):
        raise _refused(written, "is not a relative path: the server reads only files below its root")
    if ".." in name.parts:
        raise _refused(written, "has `..`: the server reads only files below its root")
    if name.parts[:1] == ("-",):
        raise _refused(written, "is not a file: the server has no stdin for input")
    return name


def _of_text(written: str) -> PurePosixPath:
    name = _relative(written)
    if name.suffix not in SUFFIXES:
        raise _refused(written, f"is not a name for text: it must end with one of {', '.join(f'`{suffix}`' for suffix in SUFFIXES)}")
    return name


def _refused(name: object, why: str) -> InputError:
    return InputError(Problem(str(name), why))

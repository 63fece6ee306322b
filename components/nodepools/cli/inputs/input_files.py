"""Reads the input of commands: files and stdin. `--exclude` and `exclude` in pyproject.toml exclude files."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nodepools.cli.problem import Problem
from nodepools.model.listing import listed
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import LISTED_MIB, MIB, BoundedInput, Limit, is_terraform, opened, opened_stdin

if TYPE_CHECKING:
    from nodepools.cli.command_run import CommandRun
    from nodepools.reading.yaml_documents import Readable

STDIN: Final = "-"
CLUSTER_FOLDER: Final = "running"
"""The folder of what `--context` and `--cloud` read, in messages."""
_NAMED: Final = 3
"""Files that a first line names."""
_ZIP: Final = b"PK"
"""The beginning of a plan of Terraform in its binary form."""
_NO_TEXTS: Final[Mapping[Path, bytes]] = {}
_stated: ContextVar[tuple[str, str] | None] = ContextVar("the cluster of the context", default=None)
_in_memory: ContextVar[Mapping[Path, bytes]] = ContextVar("texts in memory", default=_NO_TEXTS)


@contextmanager
def texts_in_memory(texts: Mapping[Path, bytes], cluster: tuple[str, str] | None = None) -> Generator[None]:
    """During the `with` block, these names are inputs with these texts: what a running cluster says is stored nowhere.

    The user states that they are about this `cluster` of a stack.
    """
    before, stated = _in_memory.set({**_in_memory.get(), **texts}), _stated.set(cluster if cluster is not None else _stated.get())
    try:
        yield
    finally:
        _in_memory.reset(before)
        _stated.reset(stated)


def stated_clusters(files: Iterable[str]) -> Mapping[str, tuple[str, str]]:
    """The stacks and clusters of those files that `--context` read, if they are stated."""
    stated = _stated.get()
    return {file: stated for file in files if Path(file).parts[:1] == (CLUSTER_FOLDER,)} if stated is not None else {}


def has_own_text(path: Path) -> bool:
    """Whether it is stdin or a text in memory, and so no path of the file system."""
    return str(path) == STDIN or path in _in_memory.get()


def shown(path: Path) -> str:
    """The name of an input in messages."""
    return "stdin" if str(path) == STDIN else str(path)


def named_existing(paths: Sequence[Path]) -> str:
    """Paths of `--existing` and `--context` as the first line names them."""
    clusters = [f"cluster {path.parts[1]}" for path in paths if path.parts[:1] == (CLUSTER_FOLDER,)]
    return listed(list(dict.fromkeys([*(shown(path) for path in paths if path.parts[:1] != (CLUSTER_FOLDER,)), *clusters])), _NAMED)


@contextmanager
def source(path: Path, limit: Limit = MIB) -> Generator[BoundedInput]:
    """Opens a file, a pipe or stdin during the `with` block.

    Raises:
        TextError: it cannot be opened, or is a device.
    """
    if (text := _in_memory.get().get(path)) is not None:
        yield BoundedInput(str(path), BytesIO(text), limit)
        return
    with opened_stdin(limit) if str(path) == STDIN else opened(path, limit) as found:
        yield found


@contextmanager
def exports(path: Path, run: "CommandRun") -> Generator["Readable"]:
    """Opens an export during the `with` block. What Terraform shows is as `az`, `aws` and `kubectl` print it.

    Raises:
        TextError: as `source`, or it is output of Terraform that cannot be read.
    """
    with source(path, LISTED_MIB) as found:
        first = found.read()
        begun = _Begun(first, found)
        if first.startswith(_ZIP) or is_terraform(first.decode(errors="ignore")):
            yield BytesIO(exported(BoundedInput(found.name, begun, MIB).text(), path, run).encode())
        else:
            yield begun


@dataclass(slots=True)
class _Begun:
    """An input whose first part is read already."""

    first: bytes
    rest: BoundedInput

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most `size`."""
        if not self.first:
            return self.rest.read(size) if size > 0 else self.rest.read()
        wanted = len(self.first) if size < 0 else size
        part, self.first = self.first[:wanted], self.first[wanted:]
        return part


def exported(written: str, path: Path, run: "CommandRun") -> str:
    """The text of an export as `exports` reads it.

    Raises:
        TextError: it is output of Terraform that cannot be read.
    """
    if not is_terraform(written):
        return written
    from nodepools.cli.inputs.terraform_files import exports_of  # few exports are plans

    return exports_of(written, shown(path), run)


def export_text(path: Path, run: "CommandRun", limit: Limit = MIB) -> str:
    """Reads an export as `exports` does, and raises what it raises."""
    with source(path, limit) as found:
        return exported(found.text(), path, run)


def text(path: Path) -> str:
    """Reads a file, a pipe or stdin as UTF-8, whatever the locale, within the limits of all readers.

    Raises:
        TextError: it cannot be read, exceeds a limit, or is not UTF-8 text.
    """
    with source(path) as found:
        return found.text()


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Patterns of files, each with the folder that its path starts in."""

    patterns: tuple[tuple[Path, str], ...] = ()

    def covers(self, path: Path) -> bool:
        """Whether a pattern matches: the path below its folder, the path of a parent, or, without a slash, a name."""
        if not self.patterns:
            return False
        from fnmatch import fnmatchcase  # only needed with patterns

        absolute = path.absolute()
        for folder, pattern in self.patterns:
            below = absolute.relative_to(folder) if absolute.is_relative_to(folder) else absolute
            names = [head.as_posix() if "/" in pattern else head.name for head in (below, *below.parents)]
            if any(fnmatchcase(name, pattern.removeprefix("./").rstrip("/")) for name in names):
                return True
        return False


@dataclass(frozen=True, slots=True)
class InputFiles:
    """Files, folders and stdin (`-`), without what an exclusion covers."""

    paths: Sequence[Path] = ()
    exclusion: Exclusion = Exclusion()
    skips_written: bool = False
    """In folders, what commands of nodepools wrote is not read, nor declarations: a second run would read the outputs of the first one."""


def exclusion_note(path: Path) -> Problem:
    """The note on a file or a folder that a pattern matches."""
    return Problem(str(path), "excluded by a pattern of `exclude`")

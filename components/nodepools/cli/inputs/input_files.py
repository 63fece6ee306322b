"""Reads the input of commands: files and stdin."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from typing import Final

from nodepools.model.listing import listed
from nodepools.reading.bounded_input import BoundedInput, opened, opened_stdin
from nodepools.reading.limits import MIB, Limit

STDIN: Final = "-"
CLUSTER_FOLDER: Final = "running"
"""The folder of what `--context` and `--cloud` read, in messages."""
_NAMED: Final = 3
"""Files that a first line names."""
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
    return listed(list(dict.fromkeys([*(str(path) for path in paths if path.parts[:1] != (CLUSTER_FOLDER,)), *clusters])), _NAMED)


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


def text(path: Path) -> str:
    """Reads a file, a pipe or stdin as UTF-8, whatever the locale, within the limits of all readers.

    Raises:
        TextError: it cannot be read, exceeds a limit, or is not UTF-8 text.
    """
    with source(path) as found:
        return found.text()

"""Reads the input of commands: files, directories and stdin."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from nodepools.cli.configuration import is_excluded
from nodepools.reading.bounded_input import BoundedInput, opened, opened_stdin
from nodepools.reading.limits import MIB, Limit

STDIN: Final = "-"
_SUFFIXES: Final = (".yaml", ".yml", ".json")


def files(path: Path) -> Sequence[Path]:
    """All YAML and JSON files in a directory and below, or the path itself, even if it does not exist. Without excluded files."""
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file() and not is_excluded(file))
    return [] if str(path) != STDIN and is_excluded(path) else [path]


@contextmanager
def source(path: Path, limit: Limit = MIB) -> Generator[BoundedInput]:
    """Opens a file, a pipe or stdin during the `with` block.

    Raises:
        TextError: it cannot be opened, or is a device.
    """
    with opened_stdin(limit) if str(path) == STDIN else opened(path, limit) as found:
        yield found


def text(path: Path) -> str:
    """Reads a file, a pipe or stdin as UTF-8, whatever the locale, within the limits of all readers.

    Raises:
        TextError: it cannot be read, exceeds a limit, or is not UTF-8 text.
    """
    with source(path) as found:
        return found.text()

"""Reads the input of commands: files and stdin."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from nodepools.reading.bounded_input import BoundedInput, opened, opened_stdin
from nodepools.reading.limits import MIB, Limit

STDIN: Final = "-"


def shown(path: Path) -> str:
    """The name of an input in messages."""
    return "stdin" if str(path) == STDIN else str(path)


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

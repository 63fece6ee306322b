"""The tables that are text files in this folder: comments, the first with the source and its day, then one row on each line."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_COMMENT: Final = "#"


def rows_of(file: str) -> Iterator[list[str]]:
    """The columns of each row."""
    return map(str.split, lines_of(file))


def lines_of(file: str) -> Iterator[str]:
    """The lines with rows."""
    return (line for line in _lines(file) if not line.startswith(_COMMENT))


def origin_of(file: str) -> str:
    """The first comment: source and day."""
    return _lines(file)[0].removeprefix(_COMMENT).strip()


def day_of(file: str) -> date:
    """The day on which the source had this content."""
    found = re.search(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", _lines(file)[0])
    if found is None:
        msg = f"{file}: the first line has no day"
        raise ValueError(msg)
    return date.fromisoformat(found[0])


@cache
def _lines(file: str) -> list[str]:
    return (_FOLDER / file).read_text(encoding="utf-8").splitlines()

"""Tables in pages of documentation that are written in Markdown."""

import re
from collections.abc import Iterator
from pathlib import Path

_RULE = re.compile(r":?-+:?")


def table_rows(page: Path) -> Iterator[dict[str, str]]:
    """The rows of all tables of a page: each cell by the heading of its column, in lower case and without emphasis."""
    heads: list[str] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = cells_of(line)
        if not cells:
            heads = []
        elif not heads:
            heads = [cell.strip("*").lower() for cell in cells]
        elif not all(_RULE.fullmatch(cell) for cell in cells):
            yield dict(zip(heads, cells, strict=False))


def cells_of(line: str) -> list[str]:
    """The cells of a row; none for other lines."""
    return [cell.strip() for cell in line.strip("|\n ").split("|")] if line.startswith("|") else []

"""On-demand list prices of Azure VM sizes, Linux, in a few regions. What is not among them is not known here.

The table is shipped in one file, read when it is first asked; its first line says where it comes from, and of which day it is.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".txt")
_UNSOLD = "-"


def azure_price(region: str, size: str) -> float | None:
    """USD an hour; `None` where it is not known."""
    regions, rows = _table()
    row = rows.get(size.removeprefix("Standard_"))
    if row is None or region not in regions:
        return None
    cell = row.split()[regions.index(region)]
    return None if cell == _UNSOLD else float(cell)


def azure_price_regions() -> tuple[str, ...]:
    """The regions of which prices are known."""
    return _table()[0]


@cache
def azure_price_origin() -> str:
    """Where the prices come from, and of which day they are."""
    return _FILE.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


@cache
def _table() -> tuple[tuple[str, ...], Mapping[str, str]]:
    head, *lines = (line for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    parted = (line.partition(" ") for line in lines)
    return tuple(head.split()[1:]), {size: row for size, _, row in parted}

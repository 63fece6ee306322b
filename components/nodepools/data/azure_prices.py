"""On-demand list prices of Azure VM sizes with Linux, in a few regions.

The table is one file, read when first used. Its first line has the source and the date.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".txt")
_UNSOLD = "-"


def azure_price(region: str, size: str) -> float | None:
    """Price in USD per hour; `None` if it is unknown."""
    regions, rows = _table()
    row = rows.get(size.removeprefix("Standard_"))
    if row is None or region not in regions:
        return None
    cell = row.split()[regions.index(region)]
    return None if cell == _UNSOLD else float(cell)


def azure_price_regions() -> tuple[str, ...]:
    """The regions with known prices."""
    return _table()[0]


@cache
def azure_price_origin() -> str:
    """Source and date of the prices."""
    return _FILE.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


@cache
def _table() -> tuple[tuple[str, ...], Mapping[str, str]]:
    head, *lines = (line for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    parted = (line.partition(" ") for line in lines)
    return tuple(head.split()[1:]), {size: row for size, _, row in parted}

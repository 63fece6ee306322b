"""Folds a table of Azure list prices into the compact one that is shipped.

`python tools/fold_azure_prices.py PRICES TABLE`: a line a size, a column a region. Nothing that is installed needs this: it is run by
whoever brings newer prices.
"""

import json
import sys
from pathlib import Path

PREFIX = "Standard_"


def main(prices: Path, table: Path) -> None:
    """Reads one, writes the other."""
    read = json.loads(prices.read_text())
    regions: dict[str, dict[str, float]] = read["azure"]
    sizes = sorted({size for known in regions.values() for size in known})
    lines = [
        f"# {read['_meta']['azure']}: {read['_meta']['currency']}",
        f"# size without {PREFIX}; - where it is not sold",
        f"size {' '.join(regions)}",
    ]
    for size in sizes:
        row = (f"{known[size]}" if size in known else "-" for known in regions.values())
        lines.append(f"{size.removeprefix(PREFIX)} {' '.join(row)}")
    table.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

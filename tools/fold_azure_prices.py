"""Converts a table of Azure list prices to the compact table in the package.

`python tools/fold_azure_prices.py PRICES TABLE`: one line for each size, one column for each region. Run it to
update the prices. The installed package does not need it.
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

"""Converts a table of Azure VM sizes to the compact table of their quota families in the package.

`python tools/fold_azure_quota_families.py SIZES TABLE`: one line for each family. Run it to update the table. The
installed package does not need it.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

PREFIX = "Standard_"


def main(sizes: Path, table: Path) -> None:
    """Reads one, writes the other."""
    read = json.loads(sizes.read_text())
    families: dict[str, list[str]] = defaultdict(list)
    for name, known in sorted(read["sizes"].items()):
        families[known["family"]].append(name.removeprefix(PREFIX))
    lines = [
        f"# {read['_meta']['names']}",
        f"# family as the usage API spells it: its sizes, without {PREFIX}",
        *(f"{family}: {' '.join(names)}" for family, names in sorted(families.items())),
    ]
    table.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

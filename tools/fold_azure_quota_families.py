"""Converts a table of Azure VM sizes to the compact table of their quota families in the package.

`python tools/fold_azure_quota_families.py SIZES DAY TABLE`: SIZES is what `az vm list-skus --resource-type virtualMachines --output json` prints,
or a table with the same families; DAY is the day of it. Writes one line for each family. The installed package does not need it.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

PREFIX = "Standard_"


def main(sizes: Path, day: str, table: Path) -> None:
    """Reads one, writes the other."""
    read = json.loads(sizes.read_text())
    if isinstance(read, list):
        source = "az vm list-skus"
        listed = {sku["name"]: sku["family"] for sku in read if sku["resourceType"] == "virtualMachines" and sku["name"].startswith(PREFIX)}
    else:
        source = read["_meta"]["names"]
        listed = {name: known["family"] for name, known in read["sizes"].items()}
    families: dict[str, list[str]] = defaultdict(list)
    for name, family in sorted(listed.items()):
        families[family].append(name.removeprefix(PREFIX))
    lines = [
        f"# {day}: {source}",
        f"# family as the usage API spells it: its sizes, without {PREFIX}",
        *(f"{family}: {' '.join(names)}" for family, names in sorted(families.items())),
    ]
    table.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))

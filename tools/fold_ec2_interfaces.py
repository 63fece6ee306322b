"""Converts a table of the network interfaces of EC2 instance types to the compact table in the package.

`python tools/fold_ec2_interfaces.py LIMITS TABLE`: one line for each family. Run it to update the table. The installed
package does not need it.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path


def main(limits: Path, table: Path) -> None:
    """Reads one, writes the other."""
    read = json.loads(limits.read_text())
    families: dict[str, list[str]] = defaultdict(list)
    for name, known in sorted(read["types"].items()):
        family, _, size = name.partition(".")
        families[family].append(f"{size}={known['interfaces']}x{known['ipv4_per_interface']}")
    lines = [
        f"# {read['origin']}",
        "# family: size=interfaces x IPv4 addresses of each",
        *(f"{family}: {' '.join(sizes)}" for family, sizes in families.items()),
    ]
    table.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

"""Converts a table of the network interfaces of EC2 instance types to the compact table in the package.

`python tools/fold_ec2_interfaces.py LIMITS DAY TABLE`: LIMITS is what `aws ec2 describe-instance-types --output json` prints, or a table with the
same limits; DAY is the day of it. Writes one line for each family. The installed package does not need it.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path


def main(limits: Path, day: str, table: Path) -> None:
    """Reads one, writes the other."""
    read = json.loads(limits.read_text())
    if "InstanceTypes" in read:
        source = "aws ec2 describe-instance-types"
        networks = {one["InstanceType"]: one["NetworkInfo"] for one in read["InstanceTypes"]}
        listed = {name: (network["MaximumNetworkInterfaces"], network["Ipv4AddressesPerInterface"]) for name, network in networks.items()}
    else:
        source = read["origin"]
        listed = {name: (known["interfaces"], known["ipv4_per_interface"]) for name, known in read["types"].items()}
    families: dict[str, list[str]] = defaultdict(list)
    for name, (interfaces, addresses) in sorted(listed.items()):
        family, _, size = name.partition(".")
        families[family].append(f"{size}={interfaces}x{addresses}")
    lines = [
        f"# {day}: {source}",
        "# family: size=interfaces x IPv4 addresses of each",
        *(f"{family}: {' '.join(sizes)}" for family, sizes in families.items()),
    ]
    table.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))

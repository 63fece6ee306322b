"""Compares the local disks of Azure VM sizes in the package with what `az vm list-skus --resource-type virtualMachines --output json` prints.

`python tools/compare_azure_local_disks.py SKUS.json`: prints the sizes whose largest ephemeral OS disk differs, and exits with 1 if there is one.
Edit `components/nodepools/data/azure_vm_sizes.py`, and its date in `table_dates.py`. Needs a human eye: the table has values by series, so that
one row of it stands for many sizes (MicrosoftDocs/azure-compute-docs, articles/virtual-machines/sizes).
"""

import json
import sys
from pathlib import Path

from nodepools.data.azure_vm_sizes import LARGEST, largest_ephemeral_disk

_GIB = {"CachedDiskBytes": 1024**3, "MaxResourceVolumeMB": 1024, "NvmeDiskSizeInMiB": 1024}
"""The capabilities with the size of the cache, of the temporary disk and of the NVMe disks; how many of their units are a GiB."""


def largest(capabilities: dict[str, str]) -> int:
    """The largest ephemeral OS disk in GiB; 0 if the size has none."""
    if capabilities.get("EphemeralOSDiskSupported", "True") != "True":
        return 0
    return min(LARGEST, max(int(capabilities.get(name, "0")) // unit for name, unit in _GIB.items()))


def main(skus: Path) -> int:
    """Prints what differs, and returns the exit code."""
    sizes = {one["name"]: one for one in json.loads(skus.read_text(encoding="utf-8")) if one["resourceType"] == "virtualMachines"}
    if not sizes:
        sys.exit(f"{skus}: has no VM sizes: use the output of `az vm list-skus --resource-type virtualMachines --output json`")
    found = 0
    for name, sku in sorted(sizes.items()):
        ours, theirs = largest_ephemeral_disk(name), largest({one["name"]: one["value"] for one in sku["capabilities"]})
        if ours is not None and ours != theirs:
            found += 1
            sys.stdout.write(f"{name}: the table has {ours} GiB, Azure {theirs} GiB\n")
    unknown = sum(largest_ephemeral_disk(name) is None for name in sizes)
    sys.stdout.write(f"{found} of {len(sizes)} sizes differ; {unknown} are not in the table\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

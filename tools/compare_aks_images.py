"""Compares the table of AKS node images in the package with the page of AKS about versions of operating systems, and prints the differences.

`python tools/compare_aks_images.py PAGE`: PAGE is `articles/aks/upgrade-os-version.md` of the repository MicrosoftDocs/azure-aks-docs. Exits with 1
if something differs: edit `components/nodepools/data/aks_images.txt`, with the day in its first line. Needs a human eye, because only prose has
it: images for confidential VMs (use-cvm.md), upgrade channels (auto-upgrade-node-os-image.md), secure boot and FIPS (node-images.md).
"""

import re
import sys
from pathlib import Path

from markdown_tables import table_rows
from table_file import print_difference

from nodepools.data.aks_images import OS_SKUS, OsSku

_SKU, _VERSIONS = "os sku", "supported kubernetes versions"
_FIRST_IS_OLD = {sku.name for sku in OS_SKUS.values() if not sku.first}
"""The table does not have their first versions, which no cloud supports any more."""
_RANGE = re.compile(r"1\.([0-9]+)(?:\+| and above|(?:\s*(?:to|-|\u2013)\s*1\.([0-9]+)))")


def listed(page: Path) -> dict[str, str]:
    """The versions of each OS SKU of the page: `1.25 to 1.36`, `1.32 and later` or `all`."""
    found: dict[str, str] = {}
    for row in table_rows(page):
        if _SKU in row and _VERSIONS in row:
            name, match = row[_SKU].strip("`"), _RANGE.search(row[_VERSIONS])
            first = 0 if match is None or name in _FIRST_IS_OLD else int(match[1])
            found[name] = "all" if match is None else spelled(first, int(match[2]) if match[2] else None)
    return found


def spelled(first: int, last: int | None) -> str:
    """A range of minor versions as text."""
    if not first:
        return f"up to 1.{last}"
    return f"1.{first} to 1.{last}" if last is not None else f"1.{first} and later"


def known(sku: OsSku) -> str:
    """The same of the table."""
    if not sku.first and not sku.is_versioned:
        return "all"
    return spelled(sku.first, sku.last if sku.is_versioned else None)


def main(page: Path) -> int:
    """Prints what differs, and returns the exit code."""
    theirs = listed(page)
    if not theirs:
        sys.exit(f"{page}: has no table of OS SKUs")
    ours = {sku.name: known(sku) for sku in OS_SKUS.values()}
    in_both = [name for name in theirs if name in ours]
    changed = print_difference([f"{name}: {ours[name]}" for name in in_both], [f"{name}: {theirs[name]}" for name in in_both])
    new = sorted(theirs.keys() - ours.keys())
    sys.stdout.write(f"only on the page: {', '.join(new) if new else 'none'}\n")
    sys.stdout.write(f"only in the table: {', '.join(sorted(ours.keys() - theirs.keys()))}\n")
    return bool(changed or new)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

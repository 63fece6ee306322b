"""Writes the table of Karpenter versions in the package from the compatibility page of Karpenter on AWS.

`python tools/fold_karpenter_versions.py PAGE ORIGIN TABLE`: PAGE is `website/content/en/docs/upgrading/compatibility.md` of the repository
aws/karpenter-provider-aws, ORIGIN is its commit and the day of that commit, such as `1d927085, 2026-08-21`. Run it to update the table. The installed
package does not need it.
"""

import re
import sys
from pathlib import Path

from markdown_tables import cells_of

_RELEASED = ("1.37", "1.15", "; 1.37 is the MaxK8sVersion of release 1.15.1")
"""A version that a release supports and the matrix of that day does not have yet: Kubernetes, Karpenter, and its source."""


def main(page: Path, origin: str, table: Path) -> None:
    """Reads one, writes the other: one line for each minor version of Kubernetes, with the oldest Karpenter that supports it."""
    rows = {cells[0].lower(): cells[1:] for line in page.read_text(encoding="utf-8").splitlines() if (cells := cells_of(line))}
    known, least = rows.get("kubernetes", []), rows.get("karpenter", [])
    numbers = [re.search(r"[0-9]+(?:\.[0-9]+)+", cell) for cell in least]
    if not known or len(known) != len(least) or not all(numbers):
        sys.exit(f"{page}: has no matrix of Kubernetes and Karpenter versions")
    version, karpenter, source = _RELEASED
    is_new = version not in known
    head = [f"# aws/karpenter-provider-aws @ {origin}: compatibility matrix{source if is_new else ''}", "# Kubernetes, oldest Karpenter"]
    lines = [f"{one} {number[0]}" for one, number in zip(known, numbers, strict=True) if number]
    lines += [f"{version} {karpenter}"] if is_new else []
    table.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))

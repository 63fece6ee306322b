"""Writes the table of minimum versions of EKS add-ons in the package from the page about turning Auto Mode on in an existing cluster.

`python tools/fold_add_on_minimums.py PAGE ORIGIN TABLE`: PAGE is `latest/ug/automode/auto-enable-existing.adoc` of the repository
awsdocs/amazon-eks-user-guide, ORIGIN the day of its commit, such as `2026-08-21`. An add-on that the tool does not know stops it: add its name in
EKS to `NAMES`.
"""

import re
import sys
from pathlib import Path

from table_file import replace_rows

NAMES = {
    "Amazon VPC CNI plugin for Kubernetes": "vpc-cni",
    "Kube-proxy": "kube-proxy",
    "Amazon EBS CSI driver": "aws-ebs-csi-driver",
    "CSI snapshot controller": "snapshot-controller",
    "EKS Pod Identity Agent": "eks-pod-identity-agent",
}
"""The names of add-ons in EKS, by their names on the page."""
_TABLE = re.compile(r"^\|===\n\| *Add-on Name *\| *Minimum Required Version\n(.*?)^\|===", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"^(?:a)?\|[ \n]*", re.MULTILINE)
_VERSION = re.compile(r"v[0-9]+\.[0-9]+\.[0-9]+-eksbuild\.[0-9]+")


def main(page: Path, origin: str, table: Path) -> None:
    """Reads one, writes the other: one row for each version."""
    found = _TABLE.search(page.read_text(encoding="utf-8"))
    if found is None:
        sys.exit(f"{page}: has no table of required add-on versions")
    cells = [cell.strip() for cell in _CELL.split(found[1]) if cell.strip()]
    rows: list[tuple[str, str]] = []
    for name, versions in zip(cells[::2], cells[1::2], strict=True):
        if name not in NAMES:
            sys.exit(f"{page}: add-on `{name}` is new: add its name in EKS to `NAMES` of this tool")
        rows += [(NAMES[name], version) for version in _VERSION.findall(versions)]
    comments = (
        f"awsdocs/amazon-eks-user-guide, {origin}: latest/ug/automode/auto-enable-existing.adoc",
        "add-on version; kube-proxy has one for each minor version of Kubernetes",
    )
    replace_rows(table, comments, sorted(rows, key=lambda row: (row[0] == "kube-proxy", row[0])))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))

"""Writes the labels of the EC2 instance types that Auto Mode does not have.

`python tools/fold_ec2_instance_types.py DOCS ORIGIN AUTO_MODE TABLE`: DOCS is `website/content/en` of karpenter-provider-aws, whose pages list the
types that each version found in the regions of its authors, and the newest decides: older ones have what is not sold there any more, of which
the table of interfaces says whether EC2 still has it. ORIGIN is its commit and day;
AUTO_MODE is the unfolded table of the types that Auto Mode has. Writes one line for each family. The installed package does not need it.
"""

import json
import re
import sys
from pathlib import Path

from fold_eks_instance_types import PREFIX, Labels, folded

from nodepools.data.eks_instance_types import ec2_interfaces

_OWN = "karpenter.k8s.aws/"
_NAME = re.compile(r"### `(.+)`")
_ROW = re.compile(r" \|([^|]+)\|([^|]*)\|")
_PAGE = "reference/instance-types.md"
_VERSION = re.compile(r"v1\.([0-9]+)")


def types_of(page: Path) -> dict[str, dict[str, Labels]]:
    """The labels and resources of each type on a page."""
    found: dict[str, dict[str, Labels]] = {}
    known: dict[str, Labels] = {}
    for line in page.read_text(encoding="utf-8").splitlines():
        if named := _NAME.match(line):
            known = found.setdefault(named[1], {"labels": {}, "resources": {}})
        elif known and (row := _ROW.match(line)) and row[1] not in ("Label", "Resource", "--"):
            known["labels" if _is_label(row[1]) else "resources"][row[1].replace(_OWN, PREFIX)] = row[2]
    return found


def _is_label(key: str) -> bool:
    return key.startswith((_OWN, "kubernetes.io/", "node.kubernetes.io/", "topology."))


def main(docs: Path, origin: str, auto_mode: Path, table: Path) -> None:
    """Reads the pages, and writes `table`."""
    older = sorted((path for path in docs.iterdir() if _VERSION.fullmatch(path.name)), key=lambda path: int(path.name[3:]))
    types: dict[str, dict[str, Labels]] = {}
    for folder in older:
        types |= {name: found for name, found in types_of(folder / _PAGE).items() if name in ec2_interfaces()}
    types |= types_of(docs / "docs" / _PAGE)
    known = json.loads(auto_mode.read_text())["types"]
    families = folded({name: found for name, found in types.items() if name not in known}, {})
    lines = [f"{family}: {json.dumps(made, separators=(',', ':'))}" for family, made in families.items()]
    head = [f"# {origin}: aws/karpenter-provider-aws, instance-types.md of each version", "# family: as in eks_instance_types.json"]
    table.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))

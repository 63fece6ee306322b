"""Writes the table of AWS regions in the package from `partitions.json` of botocore.

`python tools/fold_aws_regions.py PARTITIONS VERSION DAY TABLE`: PARTITIONS is `botocore/data/partitions.json` of the release VERSION of botocore
(PyPI), DAY the day of reading. Run it to update the regions. The installed package does not need it.
"""

import json
import sys
from pathlib import Path
from typing import TypedDict


class Partition(TypedDict):
    """A partition of botocore."""

    id: str
    regions: dict[str, object]


def main(partitions: Path, version: str, day: str, table: Path) -> None:
    """Reads one, writes the other: one line for each partition. Pseudo regions such as `aws-global` are left out."""
    read: list[Partition] = json.loads(partitions.read_text(encoding="utf-8"))["partitions"]
    rows = [f"{one['id']} {' '.join(sorted(name for name in one['regions'] if not name.endswith('-global')))}" for one in read]
    head = [f"# botocore {version}, {day}, partitions.json: every partition", "# partition regions"]
    table.write_text("\n".join([*head, *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))

"""Writes the table of Kubernetes versions of EKS in the package from what `aws eks describe-cluster-versions --include-all --output json` prints.

`python tools/fold_eks_versions.py VERSIONS.json DAY TABLE`: DAY is the day of the export. Versions that are only in the table stay: EKS lists a
version no more some time after its end. EKS announces dates in UTC, and prints them in the time zone of the machine.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from table_file import replace_rows, rows_of

_ENDS = ("endOfStandardSupportDate", "endOfExtendedSupportDate")
_NOT_ANNOUNCED = "-"


def day_of(written: str | float | None) -> str:
    """The day in UTC of a time as the AWS CLI prints it: as text, or in seconds since 1970."""
    if written is None:
        return _NOT_ANNOUNCED
    moment = datetime.fromisoformat(written) if isinstance(written, str) else datetime.fromtimestamp(written, UTC)
    return moment.astimezone(UTC).date().isoformat()


def main(versions: Path, day: str, table: Path) -> None:
    """Reads both, writes the table: version, end of standard support, end of extended support."""
    listed = json.loads(versions.read_text(encoding="utf-8")).get("clusterVersions")
    if not listed:
        sys.exit(f"{versions}: has no `clusterVersions`: use the output of `aws eks describe-cluster-versions --include-all --output json`")
    rows = {version: ends for version, *ends in rows_of(table)}
    rows |= {one["clusterVersion"]: [day_of(one.get(end)) for end in _ENDS] for one in listed}
    comments = (f"aws eks describe-cluster-versions, {day}", "version standard extended; - if not announced")
    replace_rows(table, comments, ((version, *rows[version]) for version in sorted(rows, key=lambda version: int(version.split(".")[1]))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))

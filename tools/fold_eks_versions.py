"""Writes the table of Kubernetes versions of EKS in the package from what `aws eks describe-cluster-versions --include-all --output json` prints.

`python tools/fold_eks_versions.py VERSIONS.json DAY TABLE`: DAY is the day of the export. Versions that are only in the table stay: EKS lists a
version no more some time after its end. EKS announces dates in UTC, and prints them in the time zone of the machine.

`python tools/fold_eks_versions.py PAGE ORIGIN TABLE` needs no account: PAGE is `latest/ug/versioning/kubernetes-versions.adoc` of the repository
awsdocs/amazon-eks-user-guide, ORIGIN its commit and day. Its dates are in UTC; one with a month only is approximate, and not used.
"""

import json
import re
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


def listed_in(source: Path, origin: str) -> tuple[str, dict[str, list[str]]]:
    """The first comment of the table, and the ends of each version."""
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".adoc":
        rows = [[cell.strip(" `\n") for cell in row.split("\n|")] for row in re.findall(r"^\|`(1\.[0-9]+`(?:\n\|[^|\n=]+){4})$", text, re.MULTILINE)]
        return f"awsdocs/amazon-eks-user-guide @ {origin}: release calendar", {row[0]: [written_day(cell) for cell in row[3:]] for row in rows}
    listed = json.loads(text).get("clusterVersions", [])
    return f"aws eks describe-cluster-versions, {origin}", {one["clusterVersion"]: [day_of(one.get(end)) for end in _ENDS] for one in listed}


def written_day(cell: str) -> str:
    """The day of `July 29, 2026`."""
    try:
        return datetime.strptime(cell, "%B %d, %Y").date().isoformat()  # noqa: DTZ007 (a day has no time zone)
    except ValueError:
        return _NOT_ANNOUNCED


def main(source: Path, origin: str, table: Path) -> None:
    """Reads both, writes the table: version, end of standard support, end of extended support."""
    first, listed = listed_in(source, origin)
    if not listed:
        sys.exit(f"{source}: has no release calendar and no `clusterVersions`: use `aws eks describe-cluster-versions --include-all --output json`")
    rows = {version: ends for version, *ends in rows_of(table)}
    for version, ends in listed.items():
        known = rows.get(version, [_NOT_ANNOUNCED] * len(ends))
        rows[version] = [new if new != _NOT_ANNOUNCED else old for new, old in zip(ends, known, strict=True)]
    comments = (first, "version standard extended; - if not announced")
    replace_rows(table, comments, ((version, *rows[version]) for version in sorted(rows, key=lambda version: int(version.split(".")[1]))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))

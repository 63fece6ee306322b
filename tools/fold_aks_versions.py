"""Writes the table of Kubernetes versions of AKS in the package from the release calendar in the documentation of AKS.

`python tools/fold_aks_versions.py PAGE ORIGIN TABLE`: PAGE is `articles/aks/supported-kubernetes-versions.md` of the repository
MicrosoftDocs/azure-aks-docs, ORIGIN is its commit and the day of that commit, such as `fb060ab, 2026-08-21`. The page names months: an end is then
the last day of its month, as the page says. Long-term support ends a year after standard support if the page does not say when. Versions that are
only in the table stay. Look at the rows that the tool prints: AKS moves ends.
"""

import re
import sys
from calendar import monthrange
from datetime import date, datetime
from pathlib import Path

from markdown_tables import table_rows
from table_file import replace_rows, rows_of

_VERSIONS = ("kubernetes version", "k8s version")
_END, _LONG_END = "end of life", "lts end of life"
_MONTH = re.compile(r"([A-Z][a-z]{2})[a-z]*\.? (?:([0-9]{1,2}), )?(20[0-9]{2})")


def end_of(cell: str) -> str | None:
    """The day in a cell, or the last day of its month; `None` if the cell has neither."""
    found = _MONTH.search(cell)
    if found is None:
        return None
    month = datetime.strptime(f"{found[1]} {found[3]}", "%b %Y").date()  # noqa: DTZ007 (a day has no time zone)
    return month.replace(day=int(found[2]) if found[2] is not None else monthrange(month.year, month.month)[1]).isoformat()


def year_after(day: str) -> str:
    """The end of the same month one year later."""
    one = date.fromisoformat(day)
    return one.replace(year=one.year + 1, day=monthrange(one.year + 1, one.month)[1]).isoformat()


def main(page: Path, origin: str, table: Path) -> None:
    """Reads both, writes the table: version, end of standard support, end of long-term support."""
    read: dict[str, dict[str, str]] = {}
    for row in table_rows(page):
        version = next((found for head in _VERSIONS if (found := re.match(r"1\.[0-9]+", row.get(head, "")))), None)
        if version is not None and _END in row:
            read.setdefault(version[0], {}).update(row)
    if not read:
        sys.exit(f"{page}: has no release calendar")
    rows = {version: (standard, extended) for version, standard, extended in rows_of(table)}
    for version, row in read.items():
        standard, extended = end_of(row[_END]), end_of(row.get(_LONG_END, ""))
        if standard is not None:
            rows[version] = (standard, extended if extended is not None else year_after(standard))
    comments = (f"MicrosoftDocs/azure-aks-docs @ {origin}: release calendar", "version standard long-term")
    replace_rows(table, comments, ((version, *rows[version]) for version in sorted(rows, key=lambda version: int(version.split(".")[1]))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))

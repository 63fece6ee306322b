"""Kubernetes versions that AKS and EKS support, and when each kind of support ends.

Both clouds support a version at first without conditions (`standard`), and then longer under conditions (`extended`): AKS with its long-term support
plan, EKS at a higher price. AKS names a month for some ends: the table then has the last day of that month. Versions that are older than a table
ended before its dates. The versions of each cloud are one file: its source and day, then a row for each version.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from nodepools.data.table_files import day_of, rows_of

AKS_PAGE: Final = "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions"
EKS_PAGE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"
_NOT_ANNOUNCED: Final = "-"
LONG_TERM: Final = "AKSLongTermSupport"
"""The support plan of AKS that extends support."""
SOON: Final = timedelta(days=60)
"""Support that ends within this time ends soon."""
GRACE: Final = timedelta(days=30)
"""After its end a version may still run: AKS gives 30 days to upgrade, and EKS upgrades clusters one after another."""


class VersionSupport(NamedTuple):
    """The support of one minor version. An end is `None` as long as the cloud has not announced it."""

    version: str
    standard_end: date | None
    extended_end: date | None
    source: str
    read: date
    """The day of the source."""

    @property
    def minor(self) -> int:
        """The number after `1.`."""
        return minor(self.version)


class SupportTable(NamedTuple):
    """The versions of one cloud, the oldest first."""

    rows: tuple[VersionSupport, ...]
    source: str
    """The page of the cloud that lists them."""

    @property
    def day(self) -> date:
        """The day of its oldest row."""
        return min(row.read for row in self.rows)

    @property
    def oldest(self) -> VersionSupport:
        """The first version of the table."""
        return self.rows[0]

    @property
    def newest(self) -> VersionSupport:
        """The newest version of the cloud, also if the end of its support is unknown."""
        return self.rows[-1]

    def of(self, version: str) -> VersionSupport | None:
        """The support of a version such as `1.35` or `1.35.2`; `None` if the table does not have it."""
        return next((row for row in self.rows if row.version == short(version)), None)

    def ends(self, *, extended: bool = False) -> Mapping[str, date]:
        """The ends that are known, by version."""
        each = ((row.version, row.extended_end if extended else row.standard_end) for row in self.rows)
        return {version: end for version, end in each if end is not None}

    def end(self, version: str, *, extended: bool = False) -> date | None:
        """When standard or extended support of a version ends, if that is known."""
        row = self.of(version)
        return None if row is None else row.extended_end if extended else row.standard_end

    def has_ended(self, version: str, today: date, *, extended: bool = False) -> bool:
        """Standard or extended support of a version is known to have ended."""
        end = self.end(version, extended=extended)
        return end is not None and end < today

    def is_over(self, version: str, today: date) -> bool:
        """All support of the version has ended, and the days of grace after it too."""
        end = self.oldest.extended_end if minor(version) < self.oldest.minor else self.end(version, extended=True)
        return end is not None and end + GRACE < today

    def advised(self, today: date, *, extended: bool = False) -> str:
        """The oldest version whose support is known not to end soon; otherwise the newest version."""
        return next((version for version, end in self.ends(extended=extended).items() if end > today + SOON), self.newest.version)


def day_or_today(day: date | None) -> date:
    """The day that decides about the support of versions: today where people are, unless they name another one."""
    return day if day is not None else date.today()  # noqa: DTZ011


def minor(version: str) -> int:
    """The minor version: 35 of `1.35` and of `1.35.2`."""
    return int(version.split(".")[1])


def short(version: str) -> str:
    """`1.35` of `1.35.2`."""
    return ".".join(version.split(".")[:2])


def _read(file: str, page: str) -> SupportTable:
    day = day_of(file)
    rows = (VersionSupport(version, _day(standard), _day(extended), page, day) for version, standard, extended in rows_of(file))
    return SupportTable(tuple(rows), page)


def _day(written: str) -> date | None:
    return None if written == _NOT_ANNOUNCED else date.fromisoformat(written)


AKS_SUPPORT: Final = _read("aks_versions.txt", AKS_PAGE)
EKS_SUPPORT: Final = _read("eks_versions.txt", EKS_PAGE)

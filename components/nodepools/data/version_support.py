"""Versions of Kubernetes: their support by AKS and EKS, what it costs, the API versions that they remove, and what needs them.

Both clouds support a version at first without conditions (`standard`), and then longer under conditions (`extended`): AKS with its long-term support
plan, EKS at a higher price. AKS names a month for some ends: the table then has the last day of that month. Versions that are older than a table
ended before its dates. Prices of EKS control planes are the same in most regions: https://aws.amazon.com/eks/pricing, 2026-11-22.

Each table is one file, read when first used. Removed API versions are those of kinds that people keep in manifests, and only beta versions: clouds do
not serve alpha ones. Versions of Kubernetes that are newer than the file are not known to work with any Karpenter.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Final, NamedTuple

from nodepools.data.table_files import day_of, rows_of
from nodepools.model.values import dataclass

ADD_ON_SOURCE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/auto-enable-existing.html"
KARPENTER_SOURCE: Final = "https://karpenter.sh/docs/upgrading/compatibility/"
SKEW_SOURCE: Final = "https://kubernetes.io/releases/version-skew-policy/"
KUBE_PROXY: Final = "kube-proxy"
KUBE_PROXY_SKEW: Final = 3
"""kube-proxy and the kubelet may be so many minor versions older than the API server, and not newer."""
EKS_GROUP_SKEW: Final = 1
EKS_SKEW_LIMITS: Final = "EKS documents that node groups and Fargate nodes get the version of the control plane before it is upgraded again"
"""Whether it rejects the upgrade otherwise is not documented."""


@cache
def karpenter_versions() -> Mapping[str, str]:
    """The oldest version of Karpenter on AWS, by the minor version of Kubernetes, such as `1.36`."""
    return {row[0]: row[1] for row in rows_of("karpenter_versions.txt")}


@cache
def _add_ons() -> Mapping[tuple[str, int | None], str]:
    """By name and, for kube-proxy, by the minor version of Kubernetes that it is made for."""
    return {(name, kube_proxy_minor(version) if name == KUBE_PROXY else None): version for name, version in rows_of("add_on_minimums.txt")}


def least_add_on(name: str, version: str | None) -> str | None:
    """The oldest version of an EKS add-on that Auto Mode requires; that of kube-proxy depends on its own minor version."""
    own = kube_proxy_minor(version) if name == KUBE_PROXY else None
    return _add_ons().get((name, own))


def kube_proxy_minor(version: str | None) -> int | None:
    """The minor version of Kubernetes that a version of kube-proxy is made for, if it says so."""
    match = re.match(r"v1\.([0-9]{1,4})\.", version if version is not None else "")
    return int(match[1]) if match else None


def is_older_add_on(version: str, least: str) -> bool:
    """Compares numbers, including the EKS build; `False` if `version` is not an EKS version."""
    numbers = [re.fullmatch(r"v([0-9]+)\.([0-9]+)\.([0-9]+)-eksbuild\.([0-9]+)", text) for text in (version, least)]
    one, other = [tuple(map(int, match.groups())) if match else () for match in numbers]
    return bool(one) and one < other


SOURCE: Final = "https://kubernetes.io/docs/reference/using-api/deprecation-guide/"
_NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class Removal:
    """One kind in one API version."""

    minor: int
    """The first minor version of Kubernetes that does not serve it."""
    replacement: str | None
    """The API version to use instead; `None` if nothing replaces the kind."""


@cache
def removals() -> Mapping[tuple[str, str], Removal]:
    """All removals, by API version and kind."""
    rows = rows_of("removed_apis.txt")
    return {(version, kind): Removal(int(minor), None if other == _NONE else other) for minor, version, kind, other in rows}


def removal(api_version: str, kind: str) -> Removal | None:
    """When Kubernetes stops serving a kind in an API version; `None` if no removal is planned or known."""
    return removals().get((api_version, kind))


STANDARD_USD: Final = 0.10
EXTENDED_USD: Final = 0.60
"""During extended support."""


AKS_PAGE: Final = "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions"
EKS_PAGE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"
_NOT_ANNOUNCED: Final = "-"
NEWER: Final = "newer than `nodepools` knows"
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
    command: str
    """Prints those that the cloud offers now."""

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

    def newer(self, version: str) -> str | None:
        """That a version is newer than the table: it is unknown whether the cloud has it. No older one is a fix."""
        return f"{NEWER} (table of {self.newest.read}, up to {self.newest.version})" if minor(version) > self.newest.minor else None

    def has_ended(self, version: str, today: date, *, extended: bool = False) -> bool:
        """Standard or extended support of a version is known to have ended."""
        end = self.end(version, extended=extended)
        return end is not None and end < today

    def is_over(self, version: str, today: date) -> bool:
        """All support of the version has ended, and the days of grace after it too."""
        end = self.oldest.extended_end if minor(version) < self.oldest.minor else self.end(version, extended=True)
        return end is not None and end + GRACE < today

    def advised(self, version: str, today: date, *, extended: bool = False) -> str | None:
        """The oldest newer version whose support is known not to end soon, otherwise the newest; `None` if no newer one is known."""
        ends = self.ends(extended=extended).items()
        long = (each for each, end in ends if end > today + SOON and minor(each) > minor(version))
        return next(long, self.newest.version if self.newest.minor > minor(version) else None)


def day_or_today(day: date | None) -> date:
    """The day that decides about the support of versions: today where people are, unless they name another one."""
    return day if day is not None else date.today()  # noqa: DTZ011


def minor(version: str) -> int:
    """The minor version: 35 of `1.35` and of `1.35.2`."""
    return int(version.split(".")[1])


def short(version: str) -> str:
    """`1.35` of `1.35.2`."""
    return ".".join(version.split(".")[:2])


def patch(version: str) -> int | None:
    """The patch version: 2 of `1.35.2`; `None` if it stands for any."""
    return int(version.split(".")[2]) if version.count(".") > 1 else None


def aks_skew(behind: int) -> tuple[bool, str] | None:
    """Whether AKS is certain to reject a control plane so many minor versions ahead of a pool, and its rule; `None`: it accepts it.

    Two pages of AKS say two, newer ones say three, none says four.
    """
    unsure = (False, "AKS documents a limit of two on one page and of three on another") if behind > 2 else None  # noqa: PLR2004
    return (True, "AKS rejects it") if behind > 3 else unsure  # noqa: PLR2004


def _read(file: str, page: str, command: str) -> SupportTable:
    day = day_of(file)
    rows = (VersionSupport(version, _day(standard), _day(extended), page, day) for version, standard, extended in rows_of(file))
    return SupportTable(tuple(rows), page, command)


def _day(written: str) -> date | None:
    return None if written == _NOT_ANNOUNCED else date.fromisoformat(written)


AKS_SUPPORT: Final = _read("aks_versions.txt", AKS_PAGE, "az aks get-upgrades")
EKS_SUPPORT: Final = _read("eks_versions.txt", EKS_PAGE, "aws eks describe-cluster-versions")

"""Kubernetes versions that the clouds support, with the end of their support.

Looked up 2026-11-21; the AKS pages are as of 2026-08-21, docs/facts/aks.md § 8. Support of versions older than a table ended before its dates.
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks, eks

AKS = "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions"
EKS = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"
SOON = timedelta(days=60)
GRACE = timedelta(days=30)
"""After its end a version may still run: AKS gives 30 days to upgrade, and EKS upgrades clusters one after another."""
_LONG = "AKSLongTermSupport"
_AKS_DAY, _EKS_DAY = "2026-08-21", "2026-11-21"

AKS_SUPPORT_END = {
    "1.29": date(2025, 3, 31),
    "1.30": date(2025, 8, 22),
    "1.31": date(2025, 11, 1),
    "1.32": date(2026, 3, 31),
    "1.33": date(2026, 7, 31),
    "1.34": date(2026, 11, 30),
    "1.35": date(2027, 3, 31),
    "1.36": date(2027, 6, 30),
    "1.37": date(2027, 10, 31),
}
"""End of community support. The last day of the month if AKS names only the month."""
AKS_LONG_ENDS = {
    "1.29": date(2026, 4, 30),
    "1.30": date(2026, 7, 31),
    "1.31": date(2026, 11, 30),
    "1.32": date(2027, 3, 31),
    "1.33": date(2027, 7, 31),
    "1.34": date(2027, 11, 30),
    "1.35": date(2028, 3, 31),
    "1.36": date(2028, 6, 30),
    "1.37": date(2028, 10, 31),
}
"""End of long-term support."""
EKS_STANDARD_SUPPORT_END = {
    "1.29": date(2025, 3, 23),
    "1.30": date(2025, 7, 23),
    "1.31": date(2025, 11, 26),
    "1.32": date(2026, 3, 23),
    "1.33": date(2026, 7, 29),
    "1.34": date(2026, 12, 2),
    "1.35": date(2027, 3, 27),
}
"""End of standard support; extended support follows for twelve months, at a price."""
EKS_LONG_ENDS = {version: end.replace(year=end.year + 1) for version, end in EKS_STANDARD_SUPPORT_END.items()}
"""End of extended support."""
EKS_NEWEST = "1.36"
"""The newest version. The end of its support is not known yet."""


@rule(
    "AKS142",
    Severity.ERROR,
    source=f"{AKS}, {_AKS_DAY}: no new clusters of a version without any support, and 30 days to leave it; AKS then upgrades what is left, "
    "and no cluster goes back",
    sample=lambda: aks(kubernetes_version="1.29"),
)
def aks_version_retired(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS rejects new clusters of a version whose long-term support has ended, and upgrades existing ones."""
    version = cluster.kubernetes_version
    if is_over(version, AKS_LONG_ENDS, today):
        message = f"AKS rejects new clusters of Kubernetes {version}: {_ended(version, AKS_LONG_ENDS, 'long-term support')}"
        yield finding(cluster, message, path="kubernetes_version", fix=_later(_advised(AKS_SUPPORT_END, today)))


@rule("AKS143", Severity.WARNING, source=f"{AKS}, {_AKS_DAY}", sample=lambda: aks(kubernetes_version="1.99"))
def unknown_aks_version(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS accepts the versions that it has released; a version can be newer than the table of this check."""
    if _minor(cluster.kubernetes_version) > _minor(max(AKS_SUPPORT_END, key=_minor)):
        command = f"az aks get-versions --location {cluster.location}"
        yield _newer(cluster, max(AKS_SUPPORT_END, key=_minor), f"AKS knew on {_AKS_DAY}", _advised(AKS_SUPPORT_END, today), command)


@rule("AKS070", Severity.WARNING, source=AKS, sample=lambda: aks(kubernetes_version="1.33"))
def aks_version_out_of_support(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS rejects new clusters and pools of a version whose support has ended; long-term support ends later."""
    end, version = _aks_end(cluster), _short(cluster.kubernetes_version)
    if end is not None and end < today and not is_over(version, AKS_LONG_ENDS, today):
        aside = "" if cluster.support_plan == _LONG else " without long-term support"
        message = f"{_support(cluster)} for Kubernetes {version} ended on {end}: AKS rejects new clusters and pools{aside}"
        yield finding(cluster, message, path="kubernetes_version", fix=_upgrade(_advised(_aks_ends(cluster), today)))


@rule("AKS071", Severity.WARNING, source=AKS, sample=lambda: aks(kubernetes_version="1.34"))
def aks_version_ends_soon(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """After the support of a version ends, AKS rejects new clusters and pools of it."""
    end = _aks_end(cluster)
    if end is not None and today <= end <= today + SOON:
        message = f"{_support(cluster)} for Kubernetes {_short(cluster.kubernetes_version)} ends on {end}, {_in(end, today)}"
        yield finding(cluster, message, path="kubernetes_version", fix=_upgrade(_advised(_aks_ends(cluster), today)))


@rule(
    "EKS001",
    Severity.ERROR,
    source=f"{EKS}, {_EKS_DAY}: new clusters have a version in standard or extended support; after that EKS upgrades existing ones, and none goes "
    "back. https://docs.aws.amazon.com/eks/latest/userguide/create-auto.html: Auto Mode from 1.29 on",
    sample=lambda: eks(kubernetes_version="1.29"),
)
def eks_version_retired(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """EKS rejects new clusters of a version whose extended support has ended, and upgrades existing ones. Auto Mode requires Kubernetes 1.29."""
    version = cluster.kubernetes_version
    if is_over(version, EKS_LONG_ENDS, today):
        message = f"EKS rejects new clusters of Kubernetes {version}: {_ended(version, EKS_LONG_ENDS, 'extended support')}"
        yield finding(cluster, message, path="kubernetes_version", fix=_later(_advised(EKS_STANDARD_SUPPORT_END, today)))


@rule("EKS101", Severity.WARNING, source=f"{EKS}, {_EKS_DAY}", sample=lambda: eks(kubernetes_version="1.99"))
def unknown_eks_version(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """EKS accepts the versions that its calendar lists; a version can be newer than the table of this check."""
    if _minor(cluster.kubernetes_version) > _minor(EKS_NEWEST):
        yield _newer(cluster, EKS_NEWEST, f"EKS listed on {_EKS_DAY}", _advised(EKS_STANDARD_SUPPORT_END, today), "aws eks describe-cluster-versions")


@rule("EKS070", Severity.WARNING, source=EKS, sample=lambda: eks(kubernetes_version="1.33"))
def eks_version_out_of_standard_support(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """After standard support EKS charges for extended support for 12 months, and then upgrades the cluster automatically."""
    version = cluster.kubernetes_version
    end = EKS_STANDARD_SUPPORT_END.get(version)
    if end is not None and end < today and cluster.upgrade_policy != "STANDARD" and not is_over(version, EKS_LONG_ENDS, today):
        after = f"EKS charges for extended support, and upgrades the cluster after {EKS_LONG_ENDS[version]}"
        message = f"Standard support for Kubernetes {version} ended on {end}: {after}"
        yield finding(cluster, message, path="kubernetes_version", fix=_upgrade(_advised(EKS_STANDARD_SUPPORT_END, today)))


@rule("EKS071", Severity.WARNING, source=EKS, sample=lambda: eks(kubernetes_version="1.34"))
def eks_version_ends_soon(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """After the standard support of a version ends, EKS charges for extended support or upgrades the cluster."""
    end = EKS_STANDARD_SUPPORT_END.get(cluster.kubernetes_version)
    if end is not None and today <= end <= today + SOON:
        message = f"Standard support for Kubernetes {cluster.kubernetes_version} ends on {end}, {_in(end, today)}"
        yield finding(cluster, message, path="kubernetes_version", fix=_upgrade(_advised(EKS_STANDARD_SUPPORT_END, today)))


def is_over(version: str, ends: Mapping[str, date], today: date) -> bool:
    """All support of the version has ended, including the grace period. Versions older than the table ended before."""
    oldest = min(ends, key=_minor)
    end = ends.get(oldest if _minor(version) < _minor(oldest) else _short(version))
    return end is not None and end + GRACE < today


def _ended(version: str, ends: Mapping[str, date], support: str) -> str:
    oldest, known = min(ends, key=_minor), ends.get(_short(version))
    return f"its {support} ended on {known}" if known is not None else f"its {support} has ended (before {ends[oldest]}, the date for {oldest})"


def _advised(ends: Mapping[str, date], today: date) -> str:
    """The oldest version whose support does not end soon; otherwise the newest version."""
    return min((version for version, end in ends.items() if end > today + SOON), key=_minor, default=max(ends, key=_minor))


def _newer(cluster: AksClusterArgs | EksClusterArgs, newest: str, table: str, advised: str, command: str) -> PartFinding:
    message = f"Kubernetes {cluster.kubernetes_version} is newer than {newest}, the newest version that {table}"
    fix = f"Set {ref('kubernetes_version')} to `{advised}`, or to a version that `{command}` lists"
    return finding(cluster, message, path="kubernetes_version", fix=fix)


def _later(advised: str) -> str:
    return f"Set {ref('kubernetes_version')} to `{advised}`; upgrade an existing cluster one minor version at a time"


def _upgrade(advised: str) -> str:
    return f"Upgrade to {advised} or later, one minor version at a time"


def _in(end: date, today: date) -> str:
    days = (end - today).days
    return f"in {days} day{'s' * (days != 1)}" if days else "today"


def _support(cluster: AksClusterArgs) -> str:
    return "AKS long-term support" if cluster.support_plan == _LONG else "AKS support"


def _aks_ends(cluster: AksClusterArgs) -> Mapping[str, date]:
    return AKS_LONG_ENDS if cluster.support_plan == _LONG else AKS_SUPPORT_END


def _aks_end(cluster: AksClusterArgs) -> date | None:
    return _aks_ends(cluster).get(_short(cluster.kubernetes_version))


def _short(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _minor(version: str) -> int:
    return int(version.split(".")[1])

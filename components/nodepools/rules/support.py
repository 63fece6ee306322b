"""Kubernetes versions that the clouds support, and until when.

Looked up 2026-11-21; what AKS says is as of 2026-08-21, docs/facts/aks.md § 8. An older version than those of a table ended before them.
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks, eks

AKS = "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions"
EKS = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"
SOON = timedelta(days=60)
GRACE = timedelta(days=30)
"""After its end a version may still run: AKS gives 30 days to upgrade, and EKS upgrades clusters one after another."""
_LONG = "AKSLongTermSupport"
_AKS_DAY, _EKS_DAY = "2026-08-21", "2026-11-21"

AKS_ENDS = {
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
"""End of community support. Where AKS names the month alone, its last day."""
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
EKS_ENDS = {
    "1.29": date(2025, 3, 23),
    "1.30": date(2025, 7, 23),
    "1.31": date(2025, 11, 26),
    "1.32": date(2026, 3, 23),
    "1.33": date(2026, 7, 29),
    "1.34": date(2026, 12, 2),
    "1.35": date(2027, 3, 27),
}
"""End of standard support; extended support follows for twelve months, at a price."""
EKS_LONG_ENDS = {version: end.replace(year=end.year + 1) for version, end in EKS_ENDS.items()}
"""End of extended support."""
EKS_NEWEST = "1.36"
"""It is there; until when it is supported is not known yet."""


@rule(
    "AKS142",
    Severity.ERROR,
    source=f"{AKS}, {_AKS_DAY}: no new clusters of a version without any support, and 30 days to leave it; AKS then upgrades what is left, "
    "and no cluster goes back",
    sample=lambda: aks(kubernetes_version="1.29"),
)
def aks_version_retired(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS creates no cluster of a version whose long-term support has ended too, and moves existing clusters off it."""
    version = cluster.kubernetes_version
    if is_over(version, AKS_LONG_ENDS, today):
        message = f"AKS no longer creates clusters of `{version}`: {_ended(version, AKS_LONG_ENDS, 'long-term support')}"
        step = "an existing cluster goes there by `az aks upgrade`, one minor version at a time"
        fix = f'Set `kubernetes_version` to `"{_advised(AKS_ENDS, today)}"`; {step}'
        yield finding(cluster, message, at="kubernetes_version", fix=fix)


@rule("AKS143", Severity.WARNING, source=f"{AKS}, {_AKS_DAY}", sample=lambda: aks(kubernetes_version="1.99"))
def unknown_aks_version(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS has the versions that it announces; a newer one may be there since the table was made."""
    if _minor(cluster.kubernetes_version) > _minor(max(AKS_ENDS, key=_minor)):
        command = f"az aks get-versions --location {cluster.location}"
        yield _newer(cluster, max(AKS_ENDS, key=_minor), f"AKS versions of {_AKS_DAY}", _advised(AKS_ENDS, today), command)


@rule("AKS070", Severity.WARNING, source=AKS, sample=lambda: aks(kubernetes_version="1.33"))
def aks_version_out_of_support(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS makes no new clusters or pools of a version whose support has ended; long-term support ends later."""
    end = _aks_end(cluster)
    if end is not None and end < today and not is_over(cluster.kubernetes_version, AKS_LONG_ENDS, today):
        long = cluster.support_plan == _LONG
        what = "out of long-term support" if long else "out of support"
        aside = "" if long else ", long-term support aside"
        yield finding(
            cluster,
            f"is {what} since the end of {end:%B %Y} (today is {today}): AKS takes no new clusters or pools of it{aside}",
            at="kubernetes_version",
            fix="upgrade, one minor version at a time",
        )


@rule("AKS071", Severity.WARNING, source=AKS, sample=lambda: aks(kubernetes_version="1.34"))
def aks_version_ends_soon(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """A version whose support ends within 60 days should be left."""
    end = _aks_end(cluster)
    if end is not None and today <= end <= today + SOON:
        yield finding(cluster, f"is supported until the end of {end:%B %Y} only (today is {today})", at="kubernetes_version", fix="plan the upgrade")


@rule(
    "EKS001",
    Severity.ERROR,
    source=f"{EKS}, {_EKS_DAY}: new clusters have a version in standard or extended support; after that EKS upgrades existing ones, and none goes "
    "back. https://docs.aws.amazon.com/eks/latest/userguide/create-auto.html: Auto Mode from 1.29 on",
    sample=lambda: eks(kubernetes_version="1.29"),
)
def eks_version_retired(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """EKS creates no cluster of a version whose extended support has ended, and upgrades existing clusters. Auto Mode needs Kubernetes 1.29."""
    version = cluster.kubernetes_version
    if is_over(version, EKS_LONG_ENDS, today):
        message = f"EKS no longer creates clusters of `{version}`: {_ended(version, EKS_LONG_ENDS, 'extended support')}"
        fix = f'Set `kubernetes_version` to `"{_advised(EKS_ENDS, today)}"`; an existing cluster goes there one minor version at a time'
        yield finding(cluster, message, at="kubernetes_version", fix=fix)


@rule("EKS101", Severity.WARNING, source=f"{EKS}, {_EKS_DAY}", sample=lambda: eks(kubernetes_version="1.99"))
def unknown_eks_version(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """EKS has the versions that its calendar lists; a newer one may be there since the table was made."""
    if _minor(cluster.kubernetes_version) > _minor(EKS_NEWEST):
        yield _newer(cluster, EKS_NEWEST, f"EKS versions of {_EKS_DAY}", _advised(EKS_ENDS, today), "aws eks describe-cluster-versions")


@rule("EKS070", Severity.WARNING, source=EKS, sample=lambda: eks(kubernetes_version="1.33"))
def eks_version_out_of_standard_support(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """After standard support a version costs more for twelve months; then EKS upgrades the cluster by itself."""
    version = cluster.kubernetes_version
    end = EKS_ENDS.get(version)
    if end is not None and end < today and cluster.upgrade_policy != "STANDARD" and not is_over(version, EKS_LONG_ENDS, today):
        yield finding(
            cluster,
            f"is out of standard support since {end} (today is {today}): extended support costs more, and ends on {EKS_LONG_ENDS[version]} "
            "with an upgrade",
            at="kubernetes_version",
            fix="upgrade, one minor version at a time",
        )


@rule("EKS071", Severity.WARNING, source=EKS, sample=lambda: eks(kubernetes_version="1.34"))
def eks_version_ends_soon(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """A version whose standard support ends within 60 days should be left."""
    end = EKS_ENDS.get(cluster.kubernetes_version)
    if end is not None and today <= end <= today + SOON:
        yield finding(cluster, f"is in standard support until {end} only (today is {today})", at="kubernetes_version", fix="plan the upgrade")


def is_over(version: str, ends: Mapping[str, date], today: date) -> bool:
    """All support of the version has ended, and the time to leave it too. One that is older than the table ended before what is in it."""
    oldest = min(ends, key=_minor)
    end = ends.get(oldest if _minor(version) < _minor(oldest) else _short(version))
    return end is not None and end + GRACE < today


def _ended(version: str, ends: Mapping[str, date], support: str) -> str:
    oldest, known = min(ends, key=_minor), ends.get(_short(version))
    return f"its {support} ended on {known}" if known is not None else f"its {support} ended before that of {oldest}, on {ends[oldest]}"


def _advised(ends: Mapping[str, date], today: date) -> str:
    """The oldest version that is supported for some time yet; the newest, where none is."""
    return min((version for version, end in ends.items() if end > today + SOON), key=_minor, default=max(ends, key=_minor))


def _newer(cluster: AksClusterArgs | EksClusterArgs, newest: str, table: str, advised: str, command: str) -> PartFinding:
    message = f"`{cluster.kubernetes_version}` is newer than `{newest}`, the newest in our table of {table}"
    fix = f'Set `kubernetes_version` to `"{advised}"`, or to a version that `{command}` lists'
    return finding(cluster, message, at="kubernetes_version", fix=fix)


def _aks_end(cluster: AksClusterArgs) -> date | None:
    return (AKS_LONG_ENDS if cluster.support_plan == _LONG else AKS_ENDS).get(_short(cluster.kubernetes_version))


def _short(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _minor(version: str) -> int:
    return int(version.split(".")[1])

"""Kubernetes versions whose support has ended, ends soon, or is unknown. Facts: docs/facts/aks.md § 8."""

from collections.abc import Iterator
from datetime import date

from nodepools.data.version_support import AKS_PAGE, AKS_SUPPORT, EKS_PAGE, EKS_SUPPORT, SOON, SupportTable, minor, short
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.listing import counted
from nodepools.model.steps import Steps
from nodepools.rules.engine.finding import PartFinding, ref
from nodepools.rules.engine.registry import About, error, finding, sample, warning
from nodepools.rules.engine.samples import aks, eks


@error(
    "AKS142",
    f"{AKS_PAGE}, {AKS_SUPPORT.day}: no new clusters of a version without any support, and 30 days to leave it; AKS then upgrades what is "
    "left, and no cluster goes back",
    about=About.CREATION,
)
@sample("kubernetes_version", lambda: aks(kubernetes_version="1.29"))
def aks_version_retired(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS rejects new clusters of a version whose long-term support has ended, and upgrades existing ones."""
    yield from _retired(cluster, AKS_SUPPORT, today, "AKS", "long-term support")


@warning("AKS143", f"{AKS_PAGE}, {AKS_SUPPORT.day}")
@sample("kubernetes_version", lambda: aks(kubernetes_version="1.99"))
def unknown_aks_version(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts the versions that it has released; one that is newer than the table of `nodepools` is not checked."""
    yield from _newer(cluster, AKS_SUPPORT)


@warning("AKS070", AKS_PAGE)
@sample("kubernetes_version", lambda: aks(kubernetes_version="1.33"))
def aks_version_out_of_support(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS rejects new clusters and pools of a version whose support has ended; long-term support ends later."""
    for at, version in _aks_versions(cluster):
        end = AKS_SUPPORT.end(version, extended=_is_long(cluster))
        if end is not None and end < today and (len(at) > 1 or not AKS_SUPPORT.is_over(version, today)):
            aside = "" if _is_long(cluster) or AKS_SUPPORT.has_ended(version, today, extended=True) else " without long-term support"
            message = f"{_support(cluster)} for Kubernetes {short(version)} ended on {end}: AKS rejects new clusters and pools{aside}"
            fix = _upgrade(AKS_SUPPORT.advised(version, today, extended=_is_long(cluster)))
            yield finding(cluster, message, path=at, fix=fix)


@warning("AKS071", AKS_PAGE)
@sample("kubernetes_version", lambda: aks(kubernetes_version="1.34"))
def aks_version_ends_soon(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """After the support of a version ends, AKS rejects new clusters and pools of it."""
    for at, version in _aks_versions(cluster):
        end = AKS_SUPPORT.end(version, extended=_is_long(cluster))
        if end is not None and today <= end <= today + SOON:
            message = f"{_support(cluster)} for Kubernetes {short(version)} ends on {end}, {_in(end, today)}"
            fix = _upgrade(AKS_SUPPORT.advised(version, today, extended=_is_long(cluster)))
            yield finding(cluster, message, path=at, fix=fix)


@error(
    "EKS001",
    f"{EKS_PAGE}, {EKS_SUPPORT.day}: new clusters have a version in standard or extended support; after that EKS upgrades existing ones. "
    "https://docs.aws.amazon.com/eks/latest/userguide/create-auto.html: Auto Mode from 1.29 on",
    about=About.CREATION,
)
@sample("kubernetes_version", lambda: eks(kubernetes_version="1.29"))
def eks_version_retired(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """EKS rejects new clusters of a version whose extended support has ended, and upgrades existing ones. Auto Mode requires Kubernetes 1.29."""
    yield from _retired(cluster, EKS_SUPPORT, today, "EKS", "extended support")


@warning("EKS101", f"{EKS_PAGE}, {EKS_SUPPORT.day}")
@sample("kubernetes_version", lambda: eks(kubernetes_version="1.99"))
def unknown_eks_version(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS accepts the versions that its calendar lists; one that is newer than the table of `nodepools` is not checked."""
    yield from _newer(cluster, EKS_SUPPORT)


@warning("EKS070", EKS_PAGE)
@sample("kubernetes_version", lambda: eks(kubernetes_version="1.33"))
def eks_version_out_of_standard_support(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """After standard support EKS charges for extended support for 12 months, and then upgrades the cluster automatically."""
    version, last = cluster.kubernetes_version, EKS_SUPPORT.end(cluster.kubernetes_version, extended=True)
    is_last = EKS_SUPPORT.has_ended(version, today, extended=True)
    if EKS_SUPPORT.has_ended(version, today) and (is_last or cluster.upgrade_policy != "STANDARD") and not EKS_SUPPORT.is_over(version, today):
        after = f"EKS charges for extended support, and upgrades the cluster after {last}"
        message = f"Standard support for Kubernetes {version} ended on {EKS_SUPPORT.end(version)}: {after}"
        if is_last:
            message = f"Extended support for Kubernetes {version} ended on {last}: EKS rejects new clusters, and upgrades existing ones automatically"
        yield finding(cluster, message, path="kubernetes_version", fix=_upgrade(EKS_SUPPORT.advised(version, today)))


@warning("EKS071", EKS_PAGE)
@sample("kubernetes_version", lambda: eks(kubernetes_version="1.34"))
def eks_version_ends_soon(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """After the standard support of a version ends, EKS charges for extended support or upgrades the cluster."""
    end = EKS_SUPPORT.end(cluster.kubernetes_version)
    if end is not None and today <= end <= today + SOON:
        message = f"Standard support for Kubernetes {cluster.kubernetes_version} ends on {end}, {_in(end, today)}"
        yield finding(cluster, message, path="kubernetes_version", fix=_upgrade(EKS_SUPPORT.advised(cluster.kubernetes_version, today)))


def _retired(cluster: AksClusterArgs | EksClusterArgs, table: SupportTable, today: date, cloud: str, support: str) -> Iterator[PartFinding]:
    version, oldest = cluster.kubernetes_version, table.oldest
    if table.is_over(version, today):
        known = table.end(version, extended=True)
        ended = f"ended on {known}" if known is not None else f"has ended (before {oldest.extended_end}, the date for {oldest.version})"
        message = f"{cloud} rejects new clusters of Kubernetes {version}: its {support} {ended}"
        later = f"Set {ref('kubernetes_version')} to `{table.newest.version}`; upgrade an existing cluster one minor version at a time"
        yield finding(cluster, message, path="kubernetes_version", fix=later if table.newest.minor > minor(version) else None)


def _newer(cluster: AksClusterArgs | EksClusterArgs, table: SupportTable) -> Iterator[PartFinding]:
    """Without a fix: whether the cloud has the version is unknown, and a cluster that has it cannot go back to an older one."""
    known = table.newer(cluster.kubernetes_version)
    if known is not None:
        yield finding(cluster, f"Kubernetes {cluster.kubernetes_version} is {known}: whether it is available is unknown", path="kubernetes_version")


def _upgrade(advised: str | None) -> str | None:
    return None if advised is None else f"Upgrade to {advised} or later, one minor version at a time"


def _in(end: date, today: date) -> str:
    days = (end - today).days
    return f"in {counted(days, 'day')}" if days else "today"


def _support(cluster: AksClusterArgs) -> str:
    return "AKS long-term support" if _is_long(cluster) else "AKS support"


def _is_long(cluster: AksClusterArgs) -> bool:
    return cluster.support_plan == "AKSLongTermSupport"


def _aks_versions(cluster: AksClusterArgs) -> Iterator[tuple[Steps, str]]:
    """The version of the cluster, and of each pool that has another minor version, each with the path of its field."""
    (of_cluster, version), *of_pools = cluster.declared_versions()
    yield of_cluster, version
    yield from ((path, other) for path, other in of_pools if short(other) != short(version))

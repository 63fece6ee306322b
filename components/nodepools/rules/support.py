"""Kubernetes versions that the clouds support, and until when. A version that is not here is not judged.

Looked up 2026-11-21; what AKS says is as of 2026-08-21, docs/facts/aks.md § 8.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.rules.fault import Finding, Severity
from nodepools.rules.registry import fault, rule
from nodepools.rules.samples import aks, eks

AKS = "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions"
EKS = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"
SOON = timedelta(days=60)
_LONG = "AKSLongTermSupport"

AKS_ENDS = {
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


@rule("AKS070", Severity.WARNING, source=AKS, sample=lambda: aks(kubernetes_version="1.33"))
def aks_version_out_of_support(cluster: AksClusterArgs, today: date) -> Iterator[Finding]:
    """AKS makes no new clusters or pools of a version whose support has ended; long-term support ends later."""
    end = _aks_end(cluster)
    if end is not None and end < today:
        long = cluster.support_plan == _LONG
        what = "out of long-term support" if long else "out of support"
        aside = "" if long else ", long-term support aside"
        yield fault(
            cluster,
            f"is {what} since the end of {end:%B %Y} (today is {today}): AKS takes no new clusters or pools of it{aside}",
            at="kubernetes_version",
            fix="upgrade, one minor version at a time",
        )


@rule("AKS071", Severity.WARNING, source=AKS, sample=lambda: aks(kubernetes_version="1.34"))
def aks_version_ends_soon(cluster: AksClusterArgs, today: date) -> Iterator[Finding]:
    """A version whose support ends within 60 days should be left."""
    end = _aks_end(cluster)
    if end is not None and today <= end <= today + SOON:
        yield fault(cluster, f"is supported until the end of {end:%B %Y} only (today is {today})", at="kubernetes_version", fix="plan the upgrade")


@rule("EKS070", Severity.WARNING, source=EKS, sample=lambda: eks(kubernetes_version="1.33"))
def eks_version_out_of_standard_support(cluster: EksClusterArgs, today: date) -> Iterator[Finding]:
    """After standard support a version costs more for twelve months; then EKS upgrades the cluster by itself."""
    end = EKS_ENDS.get(cluster.kubernetes_version)
    if end is not None and end < today and cluster.upgrade_policy != "STANDARD":
        yield fault(
            cluster,
            f"is out of standard support since {end} (today is {today}): extended support costs more, and ends after twelve months with an upgrade",
            at="kubernetes_version",
            fix="upgrade, one minor version at a time",
        )


@rule("EKS071", Severity.WARNING, source=EKS, sample=lambda: eks(kubernetes_version="1.34"))
def eks_version_ends_soon(cluster: EksClusterArgs, today: date) -> Iterator[Finding]:
    """A version whose standard support ends within 60 days should be left."""
    end = EKS_ENDS.get(cluster.kubernetes_version)
    if end is not None and today <= end <= today + SOON:
        yield fault(cluster, f"is in standard support until {end} only (today is {today})", at="kubernetes_version", fix="plan the upgrade")


def _aks_end(cluster: AksClusterArgs) -> date | None:
    return (AKS_LONG_ENDS if cluster.support_plan == _LONG else AKS_ENDS).get(_minor(cluster.kubernetes_version))


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])

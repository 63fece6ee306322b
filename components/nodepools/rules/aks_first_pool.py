"""The first system pool, which is inside the request that creates and updates its cluster. Facts: docs/facts/aks.md § 2.9."""

from collections.abc import Iterator

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.fix import Fix, remove
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks


@rule(
    "AKS120",
    Severity.ERROR,
    source="https://github.com/Azure/AKS/issues/4765 and https://github.com/Azure/ARO-HCP/pull/662 (as of 2026-11): "
    "NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged",
    sample=lambda: aks(system_pool={"kubernetes_version": "1.36"}),
)
def explicit_first_pool_version(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects an upgrade of a cluster if the request has the version of its first system pool but not those of its other pools."""
    if cluster.system_pool.kubernetes_version is not None:
        version = "system_pool.kubernetes_version"
        message = "AKS rejects upgrades of a cluster if the request has the version of its first system pool but not those of its other pools"
        text = f"Remove {ref(version)}, and upgrade the nodes of this pool with `az aks nodepool upgrade` (docs/guides/upgrade.md)"
        yield finding(cluster, message, path=("system_pool", "kubernetes_version"), fix=Fix(text, (remove(version),)))

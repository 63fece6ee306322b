"""The first system pool, which is inside the request that creates and updates its cluster. Facts: docs/facts/aks.md § 2.9."""

from collections.abc import Iterator

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pool_settings import Autoscale
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


@rule(
    "AKS121",
    Severity.WARNING,
    source="https://github.com/pulumi/pulumi-azure-native/issues/2943 (as of 2026-11): AKS requires `count` when it creates a pool with the "
    "cluster autoscaler, and does not document what it does with one that is sent later",
    sample=lambda: aks(system_pool={"count": None, "scale": Autoscale(3, 5)}),
)
def autoscaled_first_pool_count(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """An update of a cluster sends the `count` of its first system pool again, and the cluster autoscaler may have changed it."""
    pool = cluster.system_pool
    if pool.scale is not None and cluster.node_provisioning is None:  # with it, no pool can have an autoscaler: NAP001
        message = (
            f"Every update of the cluster resets the pool to {ref('system_pool.count')} ({pool.first_count}), "
            "which can undo what the autoscaler did, and `pulumi refresh` shows a difference"
        )
        fix = f"Remove {ref('system_pool.scale')}, set {ref('system_pool.count')}, and use autoscaling in another system pool in {ref('pools')}"
        yield finding(cluster, message, path=("system_pool", "scale"), fix=fix)

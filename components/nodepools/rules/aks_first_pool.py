"""The first system pool, which is inside the request that makes and updates its cluster. Facts: docs/facts/aks.md § 2.9."""

from collections.abc import Iterator

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pool_parts import Autoscale
from nodepools.rules.finding import PartFinding, Severity
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
    """A cluster whose other pools are resources of their own is upgraded only by a request without a version of the first system pool."""
    if cluster.system_pool.kubernetes_version is not None:
        yield finding(
            cluster,
            "The version of the first system pool cannot be sent: while other pools are resources of their own, AKS rejects each upgrade of a "
            "cluster that has it",
            at=("system_pool", "kubernetes_version"),
            fix="Remove it, and upgrade the nodes of this pool with `az aks nodepool upgrade` (docs/guides/upgrade.md)",
        )


@rule(
    "AKS121",
    Severity.WARNING,
    source="https://github.com/pulumi/pulumi-azure-native/issues/2943 (as of 2026-11): AKS requires `count` when it creates a pool with the "
    "cluster autoscaler, and does not document what it does with one that is sent later",
    sample=lambda: aks(system_pool={"count": None, "scale": Autoscale(3, 5)}),
)
def autoscaled_first_pool_count(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """An update of a cluster sends the `count` of its first system pool again, whatever the cluster autoscaler has made of it."""
    pool = cluster.system_pool
    if pool.scale is not None and cluster.node_provisioning is None:  # beside which no pool has an autoscaler: NAP001
        yield finding(
            cluster,
            f"The autoscaled first system pool is sent `count` ({pool.first_count}) with each change of the cluster, which can undo what the "
            "autoscaler did, and shows as a difference after `pulumi refresh`",
            at=("system_pool", "scale"),
            fix="Set a fixed `count` here, and add a further `SystemPool` with `scale` to `pools`",
        )

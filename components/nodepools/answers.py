"""What `nodepools explain`, `upgrade` and `cost` answer, as values for programs and tests."""

from collections.abc import Sequence
from datetime import date

from nodepools.clouds.prices import PoolCost, Prices, ShippedPrices
from nodepools.clouds.registry import catalog, pool_costs
from nodepools.data.version_support import day_or_today
from nodepools.loading import UnreadableError
from nodepools.manifests.workloads import WorkloadFile, workload_file
from nodepools.model.platform import Platform
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.reading.bounded_input import TextError
from nodepools.replicas.explained import Explained
from nodepools.replicas.losses import UnknownLossError, explain_without, read_losses
from nodepools.replicas.losses import without as left
from nodepools.replicas.shortages import with_shortages
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.platform_upgrades import Inputs, upgrades


def explain(platform: Platform, workloads: str, *, without: Sequence[str] = ()) -> list[Explained]:
    """On which pools pods are scheduled, and why not on others: a value for each workload and cluster. Nothing is read from the clouds.

    >>> platform = Platform(name="dev", clusters={"use1": EksClusterArgs(region="us-east-1", kubernetes_version="1.36")})
    >>> spec = "{nodeSelector: {gpu: a10}, containers: [{name: train, image: acme/train:1}]}"
    >>> [found] = explain(platform, f"{{apiVersion: v1, kind: Pod, metadata: {{name: train}}, spec: {spec}}}")
    >>> found.count.verdict
    <Outcome.CANNOT: 'cannot'>

    Args:
        platform: the declaration. Pods are placed on each of its clusters apart.
        workloads: the pods, and what creates pods, as YAML or JSON, as `kubectl apply` takes it. Objects that concern them, such as a
            PodDisruptionBudget or a LimitRange, count too; all others are ignored.
        without: capacity that is lost: `zone=1`, `spot`, `pool=web`, `size=Standard_D4s_v5`. Of each value, `before` is then the one without a loss.

    Raises:
        UnreadableError: the text is not YAML, or the API server rejects an object (it names all of them), or no pool has what is lost.
    """
    read = _read(workloads)
    pools = catalog(platform)
    try:
        losses = read_losses(without, pools)
    except UnknownLossError as wrong:
        raise UnreadableError(str(wrong)) from None
    found = explain_without(read.workloads, pools, losses, read_workload_objects(read.objects))
    return with_shortages(found, [left(each, losses) for each in pools])


def upgrade(platform: Platform, to: str, *, workloads: str = "", today: date | None = None) -> list[ClusterUpgrade]:
    """The steps of each cluster to a Kubernetes version, and what blocks them. Nothing is read from the clouds.

    >>> platform = Platform(name="dev", clusters={"use1": EksClusterArgs(region="us-east-1", kubernetes_version="1.35")})
    >>> [found] = upgrade(platform, "1.36", today=date(2026, 11, 1))
    >>> [step.what for step in found.steps], found.blockers
    (['control_plane', 'node_pool', 'node_pool'], [])

    Args:
        platform: the declaration.
        to: the Kubernetes version, such as `1.36`; a cluster that has a higher one is blocked.
        workloads: manifests of what runs in the clusters: their PodDisruptionBudgets and removed API versions block steps.
        today: the day of the first step; the support of versions ends. `None`: the day where people are.

    Raises:
        UnreadableError: the manifests are not YAML, or the API server rejects an object; it names all of them.
    """
    read = _read(workloads) if workloads else WorkloadFile()
    known = Inputs(read.workloads, read_workload_objects(read.objects), read.removed_apis, read.karpenter)
    return upgrades(platform, to, day_or_today(today), known)


def cost(platform: Platform, prices: Prices | None = None) -> list[PoolCost]:
    """The minimum and maximum monthly cost of each pool: machines only.

    >>> platform = Platform(name="dev", clusters={"use1": EksClusterArgs(region="us-east-1", kubernetes_version="1.36")})
    >>> [(pool.pool, str(pool.min), str(pool.max)) for pool in cost(platform)]
    [('use1/general-purpose', '0.00', 'no maximum'), ('use1/system', '0.00', 'no maximum')]

    Args:
        platform: the declaration.
        prices: where prices are from. `None`: the on-demand list prices that the library has; a machine without one has an unknown cost.
    """
    return pool_costs(platform, prices if prices is not None else ShippedPrices())


def _read(workloads: str) -> WorkloadFile:
    try:
        read = workload_file(workloads, "workloads")
    except TextError as error:
        raise UnreadableError(str(error)) from None
    if read.rejected:
        raise UnreadableError("\n".join(read.rejected))
    return read

"""Everything that the clusters of a platform need a number of, and whether there is enough of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform
from nodepools.needs.aks_foreign_nodes import ForeignNodes, foreign_nodes
from nodepools.needs.aks_resources import AksResources
from nodepools.needs.amounts import Amount, exactly, total
from nodepools.needs.counters import Counter, Use
from nodepools.needs.eks_resources import EksResources
from nodepools.needs.item import CheckedBy, Item
from nodepools.needs.sizes import NO_SIZES
from nodepools.needs.stock import NOTHING_OBSERVED, Observed
from nodepools.placement.catalog import cluster_pools
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.node_groups import NodeGroup

_name_of: Final[PerCloud[[str], str]] = PerCloud(aks=lambda _, __: "", eks=lambda cluster, stem: cluster.cluster_name(stem))
"""The name of a cluster in AWS; empty for AKS."""


_foreign_nodes: Final[PerCloud[[Observed, str], list[ForeignNodes]]] = PerCloud(
    aks=lambda cluster, observed, stem: list(foreign_nodes(cluster, stem, observed.agent_pools)), eks=lambda _cluster, _observed, _stem: []
)


class Resources(Protocol):
    """What a cluster needs; each cloud has one implementation."""

    def items(self) -> Iterator[Item]:
        """What belongs to the cluster alone, such as its subnets."""
        ...

    def uses(self) -> Iterator[Use]:
        """What it takes of quotas, which it shares with other clusters."""
        ...


_Key: TypeAlias = tuple[Counter, CheckedBy]
_resources_of: Final[PerCloud[[ClusterPools, Observed, str], Resources]] = PerCloud(
    aks=lambda cluster, pools, observed, stem: AksResources(
        cluster, pools, observed.subnets, tuple(foreign_nodes(cluster, stem, observed.agent_pools))
    ),
    eks=lambda cluster, pools, observed, stem: EksResources(
        cluster, pools, observed.subnets, tuple(group for group in observed.groups if group.cluster == cluster.cluster_name(stem))
    ),
)


@dataclass(frozen=True, slots=True)
class ClusterCapacity:
    """The items of one cluster. Those of shared quotas have the sums over all clusters of the account and region."""

    cluster: str
    items: tuple[Item, ...]

    def to_json(self) -> dict[str, object]:
        """The cluster as plain data."""
        return {"cluster": self.cluster, "items": [item.to_json() for item in self.items]}


def capacity(*platforms: Platform, observed: Observed = NOTHING_OBSERVED) -> list[ClusterCapacity]:
    """What each cluster needs. Clusters of several platforms share quotas too; their names then begin with that of the platform.

    >>> pool = SystemPool(vm_size="Standard_D4ds_v5", count=3)
    >>> cluster = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=pool)
    >>> [found] = capacity(Platform(name="dev", clusters={"weu": cluster}))
    >>> [(item.name, str(item.needed)) for item in found.items if (item.what, item.checked_by) == ("vcpus", "server")]
    [('standardDDSv5Family in westeurope', '12'), ('cores in westeurope', '12')]

    Args:
        platforms: the declarations.
        observed: quotas and existing subnets, with their use.
    """
    found = {
        f"{platform.name}/{key}" if len(platforms) > 1 else key: _resources_of(
            cluster, cluster_pools(key, platform.stem(key), cluster), observed, platform.stem(key)
        )
        for platform in platforms
        for key, cluster in platform.clusters.items()
    }
    uses = {name: list(resources.uses()) for name, resources in found.items()}
    same: dict[_Key, list[Use]] = {}
    for use in (item for of_cluster in uses.values() for item in of_cluster):
        same.setdefault((use.counter.key, use.checked_by), []).append(use)
    shared = {key: shared_item(of_counter, observed) for key, of_counter in same.items()}
    return [
        ClusterCapacity(name, (*resources.items(), *(shared[use.counter.key, use.checked_by] for use in uses[name])))
        for name, resources in found.items()
    ]


def counted_groups(platforms: Iterable[Platform], observed: Observed) -> list[NodeGroup]:
    """The node groups of exports that are in declared clusters: all others are not counted."""
    names = {_name_of(cluster, platform.stem(key)) for platform in platforms for key, cluster in platform.clusters.items()}
    return [group for group in observed.groups if group.cluster in names]


def counted_agent_pools(platforms: Iterable[Platform], observed: Observed) -> list[ForeignNodes]:
    """The agent pools of exports that are in declared clusters, and that others manage."""
    return [
        nodes
        for platform in platforms
        for key, cluster in platform.clusters.items()
        for nodes in _foreign_nodes(cluster, observed, platform.stem(key))
    ]


def shared_item(uses: Sequence[Use], observed: Observed) -> Item:
    """The sum of one counter over all clusters."""
    use = uses[0]
    needs = total(item.needs for item in uses)
    room, quota = _available(use, observed)
    clusters = f"{len(uses)} clusters together need" if len(uses) > 1 else "the cluster needs"
    return Item(
        what=use.counter.what,
        name=str(use.counter),
        checked_by=use.checked_by,
        needs=needs,
        room=room,
        sizes=sum((item.sizes for item in uses), NO_SIZES),
        message=f"The {quota}; {clusters} {needs}",
        remedy=use.remedy,
    )


def _available(use: Use, observed: Observed) -> tuple[Amount | None, str]:
    """What is available, and the quota in words. Plans compare with the whole quota if its use is not known."""
    known = observed.quota(use.counter)
    if known is not None:
        whole = known.used is None and use.checked_by == "planning"
        return exactly(known.limit) if whole else known.room, f"quota of {use.counter} {known}"
    if use.default is not None:
        return exactly(use.default), f"default quota of {use.counter} is {use.default:,}"
    return None, f"quota of {use.counter} cannot be determined offline"

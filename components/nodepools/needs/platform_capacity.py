"""Everything that the clusters of a platform need a number of, and whether there is enough of it."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from nodepools.clouds.aks.nodes import ExistingAgentNodes
from nodepools.clouds.amounts import NO_SIZES, Amount, total, verdict
from nodepools.clouds.cloud import ClusterNeeds
from nodepools.clouds.item import NOTHING_EXISTING, CheckedBy, ExistingStock, Item, Use
from nodepools.clouds.registry import cloud_of, node_groups_of
from nodepools.model.listing import grouped
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass, replace
from nodepools.placement.node_pools import ClusterPools

if TYPE_CHECKING:
    from nodepools.clouds.eks.node_groups import NodeGroup

_Place: TypeAlias = tuple[str, str, CheckedBy]


@dataclass(frozen=True, slots=True)
class ClusterCapacity:
    """The items of one cluster. Those of shared quotas have the sums over all clusters of the account and region."""

    cluster: str
    items: tuple[Item, ...]
    endless: tuple[str, ...] = ()
    """NodePools without `limits`."""
    built_in: tuple[str, ...] = ()
    """Those that the cloud creates, which cannot have any."""

    def to_json(self) -> dict[str, object]:
        """The cluster as plain data."""
        return {"cluster": self.cluster, "items": [item.to_json() for item in self.items]}


def capacity(*platforms: Platform, existing: ExistingStock = NOTHING_EXISTING) -> list[ClusterCapacity]:
    """What each cluster needs. Clusters of several platforms share quotas too; their names then begin with that of the platform.

    >>> pool = SystemPool(vm_size="Standard_D4ds_v5", count=3)
    >>> cluster = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=pool)
    >>> [found] = capacity(Platform(name="dev", clusters={"weu": cluster}))
    >>> [(item.name, str(item.needed)) for item in found.items if (item.what, item.checked_by) == ("vcpus", "server")]
    [('standardDDSv5Family in westeurope', '12'), ('cores in westeurope', '12')]

    Args:
        platforms: the declarations.
        existing: quotas and existing subnets, with their use.
    """
    several = len(platforms) > 1
    of_programs = {(group.cluster, group.name): group for one in platforms for key in one.clusters for group in node_groups_of(one, key)}
    if of_programs:
        existing = replace(existing, groups=tuple({**of_programs, **{(one.cluster, one.name): one for one in existing.groups}}.values()))
    named = {f"{platform.name}/{key}" if several else key: (platform, key) for platform in platforms for key in platform.clusters}
    found = {name: _needs(platform, key, existing) for name, (platform, key) in named.items()}
    pools = {name: cloud_of(platform.clusters[key]).pools(key, platform.stem(key)) for name, (platform, key) in named.items()}
    same = grouped(((use.counter.key, use.checked_by), use) for use in (use for needs in found.values() for use in needs.uses))
    shared = {key: shared_item(of_counter, existing) for key, of_counter in same.items()}
    in_subnets = (item for needs in found.values() for item in needs.items if "/" in item.name or item.name.startswith("subnet-"))  # by their ids
    tenants = grouped((_place(item), item) for item in in_subnets)
    merged = {place: _in_one_subnet(items) for place, items in tenants.items() if len(items) > 1}
    items = {name: [merged.get(_place(item), item) for item in needs.items] for name, needs in found.items()}
    return [
        ClusterCapacity(name, (*items[name], *(shared[use.counter.key, use.checked_by] for use in needs.uses)), *without_limits(pools[name]))
        for name, needs in found.items()
    ]


def _place(item: Item) -> _Place:
    return item.what, item.name.lower(), item.checked_by


def _in_one_subnet(items: Sequence[Item]) -> Item:
    """The sum of what clusters take of a subnet that exists. A cloud checks the share of each only."""
    needs, first = total(item.needs for item in items), next((item for item in items if item.severity == "error"), items[0])
    is_own = first.checked_by != "server" or first.severity is not None or verdict(needs, first.room) == "fits"
    message = f"{first.message}; {len(items)} clusters in this subnet together need {needs}"
    return replace(
        first,
        checked_by=first.checked_by if is_own else "true_use",
        needs=needs,
        sizes=sum((item.sizes for item in items), NO_SIZES),
        message=message,
    )


def without_limits(pools: ClusterPools) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The NodePools that launch any number of nodes, and those of them that the cloud creates."""
    found = [pool for pool in pools.provisioned if pool.pool.replicas is None and not pool.limits]
    built_in = tuple(pool.address for pool in found if any(pool.pool is one for one in pool.cloud.built_in.values()))
    return tuple(pool.address for pool in found if pool.address not in built_in), built_in


def _needs(platform: Platform, key: str, existing: ExistingStock) -> ClusterNeeds:
    cloud, stem = cloud_of(platform.clusters[key]), platform.stem(key)
    return cloud.needs(cloud.pools(key, stem), existing, stem)


def counted_groups(platforms: Iterable[Platform], existing: ExistingStock) -> "list[NodeGroup]":
    """The node groups of exports that are in declared clusters: all others are not counted."""
    clusters = [(cloud_of(cluster), platform.stem(key)) for platform in platforms for key, cluster in platform.clusters.items()]
    return [group for group in existing.groups if any(cloud.has_node_group(group, stem) for cloud, stem in clusters)]


def counted_agent_pools(platforms: Iterable[Platform], existing: ExistingStock) -> list[ExistingAgentNodes]:
    """The agent pools of exports that are in declared clusters, and that others manage."""
    return [
        nodes
        for platform in platforms
        for key, cluster in platform.clusters.items()
        for nodes in cloud_of(cluster).agent_pools_of_others(existing, platform.stem(key))
    ]


def shared_item(uses: Sequence[Use], existing: ExistingStock) -> Item:
    """The sum of one counter over all clusters."""
    use = uses[0]
    needs = total(item.needs for item in uses)
    room, quota, limit = _available(use, existing)
    is_counted = use.default is not None and existing.quota(use.counter) is not None  # the cloud counts what is planned against it
    clusters = f"{len(uses)} clusters together need" if len(uses) > 1 else "the cluster needs"
    message = f"The {quota}; {clusters} {needs}"
    return Item(
        use.counter.what,
        str(use.counter),
        "server" if is_counted and verdict(needs, room) == "does_not_fit" else use.checked_by,
        needs=needs,
        room=room,
        sizes=sum((item.sizes for item in uses), NO_SIZES),
        message=message,
        remedy=use.remedy,
        limit=limit,
    )


def _available(use: Use, existing: ExistingStock) -> tuple[Amount | None, str, int | None]:
    """What is available, the quota in words, and its limit. A quota whose use is not known can only show that something does not fit."""
    known = existing.quota(use.counter)
    if known is not None:
        return known.room, f"quota of {use.counter} {known}", known.limit
    if use.default is not None:
        return Amount(0, use.default), f"default quota of {use.counter} is {use.default:,}", use.default
    return None, f"quota of {use.counter} cannot be determined offline", None

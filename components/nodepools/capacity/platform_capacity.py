"""Everything that the clusters of a platform need a number of, and whether there is enough of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from nodepools.capacity.aks_resources import AksResources
from nodepools.capacity.amounts import Amount, exactly, total
from nodepools.capacity.counters import NO_QUOTAS, Counter, Quotas, Use
from nodepools.capacity.eks_resources import EksResources
from nodepools.capacity.item import CheckedBy, Item
from nodepools.capacity.sizes import NO_SIZES
from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform
from nodepools.placement.catalog import cluster_pools
from nodepools.placement.cluster_pools import Pools


class Resources(Protocol):
    """What a cluster needs; each cloud has one implementation."""

    def items(self) -> Iterator[Item]:
        """What belongs to the cluster alone, such as its subnets."""
        ...

    def uses(self) -> Iterator[Use]:
        """What it takes of quotas, which it shares with other clusters."""
        ...


_Key: TypeAlias = tuple[Counter, CheckedBy]
_resources_of: Final[PerCloud[[Pools], Resources]] = PerCloud(aks=AksResources, eks=EksResources)


@dataclass(frozen=True, slots=True)
class ClusterCapacity:
    """The items of one cluster. Those of shared quotas have the sums over all clusters of the account and region."""

    cluster: str
    items: tuple[Item, ...]

    def to_json(self) -> dict[str, object]:
        """The cluster as plain data."""
        return {"cluster": self.cluster, "items": [item.to_json() for item in self.items]}


def capacity(platforms: Sequence[Platform], quotas: Quotas = NO_QUOTAS) -> list[ClusterCapacity]:
    """What each cluster needs. Clusters of several platforms share quotas too; their names then begin with that of the platform.

    Args:
        platforms: the declarations.
        quotas: what is available for these clusters, by `Counter.key`.
    """
    found = {
        f"{platform.name}/{key}" if len(platforms) > 1 else key: _resources_of(cluster, cluster_pools(key, platform.stem(key), cluster))
        for platform in platforms
        for key, cluster in platform.clusters.items()
    }
    uses = {name: list(resources.uses()) for name, resources in found.items()}
    same: dict[_Key, list[Use]] = {}
    for use in (item for of_cluster in uses.values() for item in of_cluster):
        same.setdefault((use.counter.key, use.checked_by), []).append(use)
    shared = {key: _shared(of_counter, quotas) for key, of_counter in same.items()}
    return [
        ClusterCapacity(name, (*resources.items(), *(shared[use.counter.key, use.checked_by] for use in uses[name])))
        for name, resources in found.items()
    ]


def _shared(uses: Sequence[Use], quotas: Quotas) -> Item:
    """The sum of one counter over all clusters."""
    use = uses[0]
    needs = total(item.needs for item in uses)
    room = _room(use, quotas)
    clusters = f"{len(uses)} clusters together need" if len(uses) > 1 else "the cluster needs"
    quota = "default quota" if use.counter.key not in quotas and room is not None else "quota"
    has = "cannot be determined offline" if room is None else f"is {room}"
    return Item(
        what=use.counter.what,
        name=str(use.counter),
        checked_by=use.checked_by,
        needs=needs,
        room=room,
        sizes=sum((item.sizes for item in uses), NO_SIZES),
        message=f"The {quota} of {use.counter} {has}; {clusters} {needs}",
        remedy=use.remedy,
    )


def _room(use: Use, quotas: Quotas) -> Amount | None:
    known = quotas.get(use.counter.key)
    if known is None and use.default is not None:
        return exactly(use.default)
    return known

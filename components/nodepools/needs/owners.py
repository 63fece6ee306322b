"""What the pools of each owner can have together: nodes, vCPUs, and monthly cost."""

from collections.abc import Iterator

from nodepools.clouds.aks.agent_pool_nodes import deciding, vcpus_of
from nodepools.clouds.amounts import NOTHING, Amount, exactly, total
from nodepools.clouds.karpenter_nodes import node_ceiling, vcpu_ceiling, vcpu_floor
from nodepools.clouds.registry import cloud_of
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.values import dataclass
from nodepools.placement.node_pools import KarpenterPool


@dataclass(frozen=True, slots=True)
class PoolNeeds:
    """What one pool can have: bounds without what upgrades and replacements add."""

    address: str
    """`cluster/pool`; built-in NodePools are included."""
    nodes: Amount
    vcpus: Amount


@dataclass(frozen=True, slots=True)
class OwnerNeeds:
    """What the pools of one owner can have together."""

    owner: str | None
    """`None`: pools without an owner."""
    pools: tuple[PoolNeeds, ...]

    @property
    def nodes(self) -> Amount:
        """The sum of their nodes."""
        return total(pool.nodes for pool in self.pools)

    @property
    def vcpus(self) -> Amount:
        """The sum of their vCPUs."""
        return total(pool.vcpus for pool in self.pools)

    def to_json(self) -> dict[str, object]:
        """The owner in `capacity --format json`."""
        return {"owner": self.owner, "pools": [pool.address for pool in self.pools], "nodes": self.nodes.to_json(), "vcpus": self.vcpus.to_json()}


def needs_by_owner(platform: Platform) -> list[OwnerNeeds]:
    """The owners in alphabetical order, then the pools without one; empty if nothing has an owner."""
    if not platform.has_owners:
        return []
    pools = (pool for key, cluster in platform.clusters.items() for pool in _pools(platform, key, cluster))
    return [OwnerNeeds(owner, tuple(own)) for owner, own in platform.by_owner(pools, lambda pool: pool.address).items()]


def _pools(platform: Platform, key: str, cluster: AnyCluster) -> Iterator[PoolNeeds]:
    """Agent pools with their previous generations, then NodePools."""
    for _, name, pool in cluster.declared_pools():
        if isinstance(pool, AgentPool):
            yield _agent_pool(f"{key}/{name}", pool)
            if pool.retiring is not None:
                yield _agent_pool(f"{key}/{name} (previous)", pool.retiring)
    pools = cloud_of(cluster).pools(key, platform.stem(key))
    for place in pools.provisioned:
        yield PoolNeeds(place.address, Amount(), Amount()) if place.address in pools.overridden else _node_pool(place)


def _agent_pool(address: str, pool: AgentPool) -> PoolNeeds:
    if deciding(pool):
        return PoolNeeds(address, Amount(), Amount())
    if pool.power_state == "Stopped":
        return PoolNeeds(address, NOTHING, NOTHING)
    vcpus = total(Amount(one.fewest_nodes, one.most_nodes).times(vcpus_of(one.vm_size)) for one in pool.by_size)
    return PoolNeeds(address, Amount(pool.fewest_nodes, pool.most_nodes), vcpus)


def _node_pool(place: KarpenterPool) -> PoolNeeds:
    replicas = place.pool.replicas
    nodes = node_ceiling(place) if replicas is None or "nodes" in place.limits else exactly(replicas)
    return PoolNeeds(place.address, nodes, Amount(vcpu_floor(place), vcpu_ceiling(place, place.affordable.possible)))

# ruff: noqa: ARG002  # methods have the parameters of the protocol
"""The toy cloud. The test puts it into a copy of the library, as `nodepools.clouds.toy`: it writes only what the commands that are run ask for."""

from collections.abc import Iterator
from dataclasses import dataclass

from nodepools.model.toy import ToyClusterArgs

from nodepools.clouds.amounts import constant, exactly
from nodepools.clouds.change import CLUSTER, POOL, Request, ResourceName
from nodepools.clouds.cloud import ClusterNeeds, Region
from nodepools.clouds.item import Item
from nodepools.clouds.prices import HOURS, Amount, PoolCost
from nodepools.data.regions import aws_regions
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.wire.reading import write
from nodepools.wire.rows import Row
from nodepools.wire.table import Change, Effect, Table

PRICES = {"small": 0.1, "large": 0.4}
MOST_NODES = 5
CLUSTER_TABLE = Table(Row("place", "place", Change(Effect.REPLACES, "toy: clusters do not move")))
POOL_TABLE = Table(
    Row("size", "size", Change(Effect.REPLACES, "toy: machines do not grow")),
    Row("count", "count", Change(Effect.IN_PLACE, "toy: nodes are added")),
)


@dataclass(frozen=True)
class ToyCloud:
    cluster: ToyClusterArgs

    @classmethod
    def of(cls, cluster: object) -> "ToyCloud | None":
        return cls(cluster) if isinstance(cluster, ToyClusterArgs) else None

    @property
    def region(self) -> Region:
        return Region("Toy", "place", self.cluster.place, self.cluster.place, aws_regions)

    def pools(self, key: str, stem: str) -> ClusterPools:
        nodes = (
            StaticPool(
                f"{key}/{name}",
                ({"toy.example/pool": name, "toy.example/size": pool.size, **pool.labels},),
                min_nodes=pool.count,
                max_nodes=pool.count,
            )
            for name, pool in self.cluster.pools.items()
        )
        return ClusterPools(key, tuple(nodes))

    def needs(self, pools: ClusterPools, existing: object, stem: str) -> ClusterNeeds:
        number = exactly(sum(pool.count for pool in self.cluster.pools.values()))
        message = f"The toy has {MOST_NODES} nodes; the pools have {number}"
        sizes = constant(number)
        item = Item(what="nodes", name=stem, checked_by="server", needs=number, room=exactly(MOST_NODES), sizes=sizes, message=message)
        return ClusterNeeds((item,), ())

    def costs(self, key: str, stem: str, prices: object) -> Iterator[PoolCost]:
        for name, pool in self.cluster.pools.items():
            cost = Amount(PRICES[pool.size]).times(pool.count * HOURS)
            yield PoolCost(f"{key}/{name}", f"{pool.count} x {pool.size}", cost, cost)

    def requests(self, key: str, stem: str) -> Iterator[Request]:
        steps = ("clusters", key)
        yield Request((key, CLUSTER, ""), key, steps, ResourceName("toy:Cluster", stem), CLUSTER_TABLE, write(CLUSTER_TABLE, self.cluster))
        for name, pool in self.cluster.pools.items():
            resource, sent = ResourceName("toy:Pool", f"{stem}-{name}"), write(POOL_TABLE, pool)
            needs = frozenset({(key, CLUSTER, "")})
            yield Request((key, POOL, name), f"{key}/{name}", (*steps, "pools", name), resource, POOL_TABLE, sent, needs=needs)

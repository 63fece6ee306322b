"""What share of the nodes of a cluster an answer covers."""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.listing import saved
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP, POOL
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool, pools_of

EXPORT: Final = "`kubectl get nodes,pods,deployments -A -o yaml`"
NOT_EXPORTED: Final = "because nodes and their pods were not exported"


@dataclass(frozen=True, slots=True)
class Coverage:
    """The nodes of one cluster, as far as the input names them."""

    nodes: int
    """Nodes that exist: those of the input, otherwise those that node groups and agent pools have now."""
    covered: int
    """Those of which labels, taints and room are known."""
    without_pool: int
    """Nodes of the input whose pool is not in it: it can add nodes that the answer does not have."""
    launches: bool
    """Karpenter can have launched further nodes, which are not in the input."""
    hides_pods: bool = False
    """What pods use of some nodes is not in the input."""

    @classmethod
    def with_declared(cls, running: int, without_pool: int, existing: int) -> "Coverage":
        """Of a declared cluster: its `running` nodes; without any in the input, the `existing` ones of node groups and agent pools of others."""
        if running:
            return cls(running, running - without_pool, without_pool, launches=False)
        return cls(existing, existing, 0, launches=True)

    @property
    def lacks(self) -> str:
        """What runs, and is not in the input; empty: nothing."""
        return " or ".join(["the pods on them"] * self.hides_pods + ["nodes that Karpenter launched"] * self.launches)

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {"nodes": None if self.launches else self.nodes, "covered": self.covered, "without_pool": self.without_pool}

    def __str__(self) -> str:
        if self.launches and not self.nodes:
            return f"Running nodes were not read. {saved(EXPORT, existing=True)}"
        more = f", without {self.lacks}" if self.lacks else ""
        others = f"; pools of {self.without_pool:,} of them are not in the input, and can add more" if self.without_pool else ""
        how = f". Optional, to count what is missing: {saved(EXPORT, existing=True)}" if self.lacks else ""
        return f"The answer covers {self.covered:,} of {self.nodes:,} nodes{more}{others}{how}"


def coverage(pools: ClusterPools) -> Coverage:
    """The share of the nodes of a cluster."""
    running = [pool for pool in pools.static if pool.names is not None]
    groups = [pool for pool in pools.static if pool.names is None]
    hides_pods = any(pool.unknown_use for pool in pools.static)
    if running:
        known = list(_recognized(pools))
        lost = sum(1 for node in running for labels in node.variants if not pools_of(labels, known))
        return Coverage(len(running), len(running), lost, launches=False, hides_pods=hides_pods)
    nodes = sum(_count(pool) for pool in groups)
    hidden = sum(_count(pool) for pool in groups if pool.address in pools.unsure and _count(pool))
    return Coverage(nodes, nodes - hidden, 0, launches=bool(pools.provisioned), hides_pods=hides_pods)


def _count(pool: StaticPool) -> int:
    return pool.max_nodes if pool.now is None else pool.now


def _recognized(pools: ClusterPools) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The pools, each with the labels that tell its nodes."""
    yield from ((pool.address, {POOL: pool.name}) for pool in pools.provisioned)
    for pool in (*pools.static, *pools.emptied):
        if pool.names is None:
            yield from (
                (pool.address, {key: labels[key] for key in (AGENT_POOL, NODE_GROUP, POOL_LABEL) if key in labels}) for labels in pool.variants
            )

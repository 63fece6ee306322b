"""A running cluster: its nodes with the room that their pods leave, next to the pools that can add nodes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP, POOL
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.workload import Workload


@dataclass(frozen=True, slots=True)
class RunningPods:
    """The pods of a running cluster that are not finished."""

    bound: tuple[Workload, ...] = ()
    """Those that a scheduler has bound to a node."""
    waiting: tuple[Workload, ...] = ()


def existing_pools(declared: ClusterPools, nodes: Sequence[StaticPool], pods: RunningPods | None) -> ClusterPools:
    """The pools of a declared cluster, with its nodes as they run; without `pods`, what is free of the nodes is not known."""
    used = _used(pods.bound if pods is not None else ())
    nodes, starting = without_startup_taints(nodes, declared.provisioned)
    running = tuple(replace(node, known_use=False) if pods is None else _occupied(node, used.get(node.address, ())) for node in nodes)
    names = {node.address for node in nodes}
    provisioned = tuple(replace(pool, used=_counted(pool.name, nodes), hides_nodes=False) if pool.limits else pool for pool in declared.provisioned)
    more = tuple(further_nodes((pool for pool in declared.static if pool.address not in names), nodes))
    return replace(
        declared,
        static=(*running, *more),
        provisioned=provisioned,
        unsure={**starting, **declared.unsure, **_unsure(provisioned, more)},
        bound=pods.bound if pods is not None else (),
    )


def without_startup_taints(nodes: Sequence[StaticPool], provisioned: Iterable[KarpenterPool]) -> tuple[list[StaticPool], Mapping[str, str]]:
    """The nodes without the startup taints of their NodePools, and why those that still have one take no pods yet, by address."""
    startup = {
        (pool.name, taint.key, taint.effect) for pool in provisioned for taint in pool.pool.startup_taints if taint.effect != "PreferNoSchedule"
    }
    found: list[StaticPool] = []
    unsure: dict[str, str] = {}
    for node in nodes:
        passing = [taint for taint in node.taints if (node.variants[0].get(POOL), taint.key, taint.effect) in startup]
        found.append(replace(node, taints=tuple(taint for taint in node.taints if taint not in passing)) if passing else node)
        if passing:
            unsure[node.address] = f"the node is not ready in the export: it has startup taint `{passing[0].key}:{passing[0].effect}`"
    return found, unsure


def _used(bound: Iterable[Workload]) -> Mapping[str, Sequence[Workload]]:
    found: dict[str, list[Workload]] = {}
    for pod in bound:
        found.setdefault(pod.pod.node_name, []).append(pod)
    return found


def _occupied(node: StaticPool, pods: Sequence[Workload]) -> StaticPool:
    """The node, with what its pods request taken."""
    taken: Counter[str] = Counter()
    leaving: Counter[str] = Counter()
    for pod in pods:
        taken.update(dict(pod.pod.requests))
        leaving.update({**dict(pod.pod.requests), "pods": 1000} if pod.ends else {})
    offers = node.offers
    if offers is not None:
        offers = {name: _less(bounds, taken[name]) for name, bounds in offers.items()}
    evictable = tuple(sorted((pod.pod for pod in pods if not pod.ends), key=lambda pod: float("-inf") if pod.priority is None else pod.priority))
    return replace(
        node, offers=offers, evictable=evictable, leaving=leaving, max_pods=None if node.max_pods is None else max(node.max_pods - len(pods), 0)
    )


def _less(bounds: Bounds, taken: int) -> Bounds:
    return Bounds(max(bounds.least - taken, 0), None if bounds.most is None else max(bounds.most - taken, 0))


def further_nodes(pools: Iterable[StaticPool], nodes: Iterable[StaticPool]) -> Iterator[StaticPool]:
    """The pools, with the nodes that each can have in addition to those that run."""
    running = Counter((key, labels[key]) for node in nodes for labels in node.variants for key in (AGENT_POOL, NODE_GROUP) if key in labels)
    for pool in pools:
        count = max((running[key, labels[key]] for labels in pool.variants for key in (AGENT_POOL, NODE_GROUP) if key in labels), default=0)
        sure = None if pool.sure_nodes is None else max(pool.sure_nodes - count, 0)
        yield replace(pool, min_nodes=max(pool.min_nodes - count, 0), max_nodes=max(pool.max_nodes - count, 0), sure_nodes=sure)


def _counted(name: str, nodes: Iterable[StaticPool]) -> Mapping[str, int]:
    """What the nodes of a NodePool take of its limits."""
    taken: Counter[str] = Counter()
    for node in nodes:
        if any(labels.get(POOL) == name for labels in node.variants):
            taken.update(node.counts)
    return taken


def _unsure(provisioned: Iterable[KarpenterPool], more: Iterable[StaticPool]) -> Mapping[str, str]:
    """Why it is not certain that pools add nodes, by address."""
    found = {pool.address: "more nodes than those that run are not certain to be added" for pool in more}
    for pool in provisioned:
        if pool.limits:
            found[pool.address] = (
                f"the NodePool has limits ({pool.limits_text}): nodes that have not registered yet count too"
                if pool.used
                else "how much of the limits of the NodePool is used cannot be determined offline"
            )
        elif pool.pool.replicas is not None:
            found[pool.address] = "the NodePool is static: more nodes than those that run are not certain to be added"
    return found

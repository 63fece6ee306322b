"""What is said beside a verdict: what it depends on that declarations do not tell."""

from collections.abc import Iterator, Mapping

from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.requests import Requests
from nodepools.placement.allocatable import spelled
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.suggestions import POOL_NAME_LABELS
from nodepools.placement.workload import Workload

_SYSTEM = ("kubernetes.io/os", "beta.kubernetes.io/os")


def of_pod(pod: Pod) -> Iterator[str]:
    """What the pod itself leaves open."""
    if pod.node_name:
        yield f"names its node, {pod.node_name}: no scheduler is asked"
    if pod.scheduler != "default-scheduler":
        yield f"is for the scheduler {pod.scheduler}: these answers are those of kube-scheduler and Karpenter"
    if pod.gated:
        yield "waits for its scheduling gates to be taken away"
    if pod.claims:
        yield f"its volumes may hold it to a zone: {', '.join(pod.claims)}"
    yield from _of_others(pod)
    if pod.required is not None and len(pod.required) > 1 and any(term.empty for term in pod.required):
        yield "has an empty term in its node affinity: it matches no node, and may have Karpenter start one in vain"


def _of_others(pod: Pod) -> Iterator[str]:
    """What depends on other pods, and on what nodes hold beside them."""
    hard = sorted({spread.key for spread in pod.spread if spread.hard})
    if pod.near_pods:
        yield "must be near other pods, or far from them: where those run is not known offline"
    if hard:
        yield f"must be spread over {', '.join(hard)}: where the others run is not known offline"
    if pod.host_ports:
        yield f"takes host port {', '.join(str(port) for port in pod.host_ports)}: one such pod a node"
    if pod.devices:
        yield "claims devices: which nodes have them is not known offline"
    if pod.runtime_class:
        yield f"runs in the runtime class {pod.runtime_class}: what that adds to the pod is not known offline"


def of_pool(pools: Pools, address: str, pod: Pod) -> Iterator[str]:
    """What the pool that is taken leaves open."""
    for place in pools.provisioned:
        if place.address == address:
            yield from _of_place(place)
    for nodes in pools.static:
        if nodes.address == address:
            yield from _of_nodes(nodes, pod)


def _of_place(place: KarpenterPool) -> Iterator[str]:
    if place.limits:
        limits = ", ".join(f"{name} {spelled(name, limit)}" for name, limit in place.limits.items())
        yield f"{place.address} is limited to {limits}: what is used of it is not known offline"
    capacity = place.offered.get(CAPACITY)
    if capacity is not None and not any(bought in capacity for bought in ("on-demand", "spot")):
        yield f"{place.address} starts nodes on reserved capacity alone: what is reserved is not known offline"


def _of_nodes(nodes: StaticPool, pod: Pod) -> Iterator[str]:
    liked = [one for preference in pod.preferred for one in preference.term.expressions]
    named = [one.key for one in (*pod.asked_of_labels, *liked) if one.key in POOL_NAME_LABELS]
    if named and nodes.turns:
        stable = "=".join([POOL_LABEL, *(label[POOL_LABEL] for label in nodes.variants[:1] if POOL_LABEL in label)])
        yield f"{named[0]} changes when {nodes.address} is made anew: select {stable}"
    if nodes.system == "windows" and not pod.system and not any(one.key in _SYSTEM for one in pod.asked_of_labels):
        yield f"{nodes.address} runs Windows, and the pod does not say for what its images are: select kubernetes.io/os"


def of_many(pools: Pools, address: str, workload: Workload, overhead: Requests) -> Iterator[str]:
    """How many nodes many pods take at least, by what one node can hold at most beside daemons that ask for `overhead`."""
    if workload.replicas is None or workload.replicas < 2:  # noqa: PLR2004  # one pod is what the verdict is about
        return
    for nodes in pools.static:
        if nodes.address == address:
            yield _nodes(nodes, workload, workload.replicas, dict(overhead))
    for place in pools.provisioned:
        if place.address == address:
            yield from _within_limits(place, workload, workload.replicas)


def _nodes(nodes: StaticPool, workload: Workload, replicas: int, daemons: Mapping[str, int]) -> str:
    by = [(nodes.max_pods, "max-pods")] if nodes.max_pods is not None else []
    offers: Mapping[str, Bounds] = nodes.offers if nodes.offers is not None else {}
    left = {resource: most - daemons.get(resource, 0) for resource, bounds in offers.items() if (most := bounds.most) is not None}
    by += [(left[resource] // amount, resource) for resource, amount in workload.pod.requests]
    by += [(1, "host ports")] if workload.pod.host_ports else []
    if not by:
        return f"how many nodes its {replicas} pods take is not known offline"
    most, limit = min(by)
    needed = -(-replicas // max(most, 1))
    told = f"{replicas} pods take {needed} or more nodes of {nodes.address} (at most {most} a node, by {limit})"
    if needed > nodes.most:
        return f"{told}: it has {nodes.most} at most, so {nodes.most * most} of them fit at most"
    return told if nodes.fewest == nodes.most else f"{told}: it has {nodes.fewest} to {nodes.most}"


def _within_limits(place: KarpenterPool, workload: Workload, replicas: int) -> Iterator[str]:
    for resource, amount in workload.pod.requests:
        limit = place.limits.get(resource)
        if limit is not None and amount * replicas > limit:
            asked = spelled(resource, amount * replicas)
            yield f"{replicas} pods ask for {asked} {resource}: {place.address} is limited to {spelled(resource, limit)}"

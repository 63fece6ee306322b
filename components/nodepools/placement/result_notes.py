"""Notes with a verdict: facts that it depends on and that declarations do not contain."""

from collections.abc import Iterable, Iterator, Mapping

from nodepools.model.kubernetes.label import POOL_LABEL, current_label
from nodepools.model.kubernetes.pod import Pod, Requests
from nodepools.model.listing import as_code, counted
from nodepools.placement.allocatable import spelled
from nodepools.placement.cloud_labels import CAPACITY, HOSTNAME, ZONE, ZONE_ID
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.suggestions import POOL_NAME_LABELS
from nodepools.placement.verdict import PoolVerdict, Verdict
from nodepools.placement.workloads.workload import Workload


def of_pod(pod: Pod) -> Iterator[str]:
    """Facts about the pod itself that cannot be determined offline."""
    if pod.node_name:
        yield f"`spec.nodeName` is `{pod.node_name}`: no scheduler is involved"
    if pod.scheduler != "default-scheduler":
        yield f"`spec.schedulerName` is `{pod.scheduler}`: the results are those of kube-scheduler and Karpenter"
    if pod.gated:
        yield "the pod has scheduling gates: it stays Pending until they are removed"
    yield from _of_others(pod)
    if pod.required is not None and len(pod.required) > 1 and any(term.empty for term in pod.required):
        yield "the required node affinity has an empty term: it matches no node, but Karpenter may launch one for it"


def _of_others(pod: Pod) -> Iterator[str]:
    """Facts that depend on ports, devices and runtime classes of nodes."""
    if pod.host_ports:
        yield f"the pod uses host port {as_code(str(port) for port, *_ in pod.host_ports)}: a node can run one such pod"


def of_pool(pools: ClusterPools, address: str, pod: Pod) -> Iterator[str]:
    """Facts about the chosen pool that cannot be determined offline."""
    for pool in pools.provisioned:
        if pool.address == address:
            yield from _of_node_pool(pool)
            yield from _of_locations(pool, pod)
    for static in pools.static:
        if static.address == address:
            yield from _of_static_pool(static, pod)


def of_both_autoscalers(pools: ClusterPools, evaluated: Iterable[PoolVerdict]) -> Iterator[str]:
    """Node groups that the cluster autoscaler can scale for a pod for which Karpenter launches a node: none knows of the other's nodes."""
    fits = {found.pool for found in evaluated if found.verdict is Verdict.FITS}
    scaled = [pool.address for pool in pools.static if pool.address in fits and pool.may_grow]
    launched = [pool.address for pool in pools.provisioned if pool.address in fits and pool.pool.replicas is None]
    if scaled and launched:
        yield (
            f"if a cluster autoscaler scales {as_code(scaled)}, it and the Karpenter of {as_code(launched)} add nodes for the same pending pod: "
            "taint the nodes of one of them, or select one with a label"
        )


def _of_node_pool(pool: KarpenterPool) -> Iterator[str]:
    if pool.pool.headroom is not None and pool.pool.replicas is None:
        yield _room(pool.address, str(pool.pool.headroom))
    if pool.limits and not pool.used:
        yield f"`{pool.address}` has limits ({pool.limits_text}): how much is used cannot be determined offline"
    capacity = pool.offered.get(CAPACITY)
    if capacity is not None and not any(capacity_type in capacity for capacity_type in ("on-demand", "spot")):
        yield f"`{pool.address}` launches only reserved capacity: what is reserved cannot be determined offline"


def _room(address: str, headroom: str) -> str:
    return f"`{address}` keeps room for {headroom}: pods start there without waiting for a node, until it is used"


def _of_locations(pool: KarpenterPool, pod: Pod) -> Iterator[str]:
    """Zones that only the NodePool names."""
    for key in dict.fromkeys(current_label(expression.key) for expression in pod.required_labels):
        choices = pool.choices.get(key)
        if choices is not None and choices.assumed and key in (ZONE, ZONE_ID):
            zones = as_code(sorted(choices.certain))
            yield f"`{pool.address}` names {zones} of `{key}`: whether nodes can launch in each cannot be determined offline"


def _of_static_pool(pool: StaticPool, pod: Pod) -> Iterator[str]:
    if pool.headroom:
        yield _room(pool.address, pool.headroom)
    preferred = [expression for preference in pod.preferred for expression in preference.term.expressions]
    by_name = [expression.key for expression in (*pod.required_labels, *preferred) if expression.key in POOL_NAME_LABELS]
    if by_name and pool.name_rotates:
        stable = "=".join([POOL_LABEL, *(label[POOL_LABEL] for label in pool.variants[:1] if POOL_LABEL in label)])
        yield f"the value of `{by_name[0]}` changes when `{pool.address}` rotates: select `{stable}`"


def of_many(pools: ClusterPools, address: str, workload: Workload, overhead: Requests) -> Iterator[str]:
    """The minimum number of nodes for several pods, by what one node can hold; `overhead` is what DaemonSets on it request."""
    if workload.unplaced is None or workload.unplaced < 2:  # noqa: PLR2004  # the verdict is about one pod
        return
    for static in pools.static:
        if static.address == address:
            yield from filter(None, [_nodes(static, workload, workload.unplaced, dict(overhead))])
    for pool in pools.provisioned:
        if pool.address == address:
            yield from _within_limits(pool, workload, workload.unplaced)


def _nodes(pool: StaticPool, workload: Workload, replicas: int, daemons: Mapping[str, int]) -> str:
    """What is certain: pods can be scheduled before DaemonSets that are next to them later. Empty of one node: others run the rest."""
    alone, with_daemons = _most_per_node(pool, workload, {}), _most_per_node(pool, workload, daemons)
    if alone is None or with_daemons is None:
        return f"how many nodes {replicas} pods need cannot be determined offline"
    most, limit = alone
    needed = -(-replicas // max(most, 1))
    next_to = f", {max(with_daemons[0], 0)} next to DaemonSets" if with_daemons[0] < most else ""
    nodes = f"at least {counted(needed, 'node')} of `{pool.address}`"
    needs = f"{replicas} pods need {nodes} (at most {most} per node{next_to}, limited by {limit})"
    if needed > pool.max_nodes:
        return "" if pool.names and pool.max_nodes == 1 else f"{needs}: it has at most {pool.max_nodes}"
    return needs if pool.min_nodes == pool.max_nodes else f"{needs}: it has {pool.min_nodes} to {pool.max_nodes}"


def _most_per_node(pool: StaticPool, workload: Workload, daemons: Mapping[str, int]) -> tuple[int, str] | None:
    """The most pods of a workload on one node, and what limits them; `None` if it is not known."""
    apart = workload.topology.anti_affinities
    by = [(pool.max_pods, "max-pods")] if pool.max_pods is not None else []
    offers: Mapping[str, Bounds] = pool.offers if pool.offers is not None else {}
    left = {resource: most - daemons.get(resource, 0) for resource, bounds in offers.items() if (most := bounds.most) is not None}
    by += [(left[resource] // amount, resource) for resource, amount in workload.pod.requests]
    by += [(1, "host ports")] if workload.topology.host_ports else []
    by += [(1, "anti-affinity")] if any(term.key == HOSTNAME and term.selector.selects(workload.topology, itself=True) for term in apart) else []
    return min(by, default=None)


def _within_limits(pool: KarpenterPool, workload: Workload, replicas: int) -> Iterator[str]:
    for resource, amount in workload.pod.requests:
        limit = pool.limits.get(resource)
        if limit is not None and amount * replicas > limit:
            total = spelled(resource, amount * replicas)
            yield f"{replicas} pods request {total} {resource}: the limit of `{pool.address}` is {spelled(resource, limit)}"

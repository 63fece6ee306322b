"""A running cluster: its nodes with the room that their pods leave, next to the pools that can add nodes, and the pods that these keep off."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from nodepools.model.kubernetes.pod import EVERY_ADDRESS, Pod
from nodepools.model.kubernetes.topology import ADDED, PodSelector, PodTerm, PodTopology
from nodepools.model.listing import as_code, grouped, quoted
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import AGENT_POOL, COMPUTE_TYPE, HOSTNAME, NODE_GROUP, POOL, REGION
from nodepools.placement.domains import provisioned_domains, static_domains
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import UNLESS, StaticPool
from nodepools.placement.verdict import Kind, Reason, Verdict
from nodepools.placement.workloads.pod_requirements import PodRequirements
from nodepools.placement.workloads.workload import Workload

_Label: TypeAlias = tuple[str, str]
_SHOWN: Final = 5
"""Names that are listed in a message."""
_NOT_REPORTED: Final = "what is used of them is not known without its `status.resources`, as `kubectl get nodepools -o yaml` prints it"
PREFERRED: Final = "Use `preferredDuringSchedulingIgnoredDuringExecution`"
OTHER_PORT: Final = "Use another `hostPort`"
_NO_AFFINITY: Final = "node(s) didn't match pod affinity rules"
_OWN: Final = "match pod"
"""What kube-scheduler reports of the anti-affinity of the pod itself."""
_PLACED: Final = frozenset({"ReplicaSet", "StatefulSet", "ReplicationController", "Job"})
"""Controllers whose pods a scheduler places: none of these runs on each node, as pods of a DaemonSet, and static pods of a `Node`."""
_WHOLE: Final = "kube-system"
"""An export with pods of this namespace, next to those of others, is one of all namespaces."""
_CLOUDS: Final = (("kubernetes.azure.com/", True), ("eks.amazonaws.com/", False))
"""Prefixes of the labels of nodes, and whether that cloud adds the node selectors of Namespaces."""


@dataclass(frozen=True, slots=True)
class ExistingPods:
    """The pods of a running cluster that are not finished."""

    bound: tuple[Workload, ...] = ()
    """Those that a scheduler has bound to a node."""
    waiting: tuple[Workload, ...] = ()
    only: tuple[str, ...] = ()
    """The only namespaces of which an export has pods: those of others use the nodes too. Empty: it has those of all."""
    label: str = ""
    """A label that all pods of an export have, by which it can be selected: pods without it are not known. Empty: there is none."""


def only_namespaces(files: Iterable[Collection[str]], nodes: Iterable[StaticPool], expecting: Iterable[str] = ()) -> tuple[str, ...]:
    """The namespaces of the pods of an export, if it is not proved that these are all. `files` have those of each file.

    Without `-A`, kubectl prints one namespace in a file. Pods of `kube-system` run on each node but those of Auto Mode, whose network software is
    not in pods. Namespaces that are `expecting` have pods for certain.
    """
    each = list(files)
    found = {namespace for namespaces in each for namespace in namespaces}
    has_system_pods = any(labels.get(COMPUTE_TYPE) != "auto" for node in nodes for labels in node.variants)
    is_part = all(len(namespaces) == 1 for namespaces in each) or (has_system_pods and _WHOLE not in found) or not found.issuperset(expecting)
    return tuple(sorted(found)) if is_part and "" not in found else ()  # without a namespace, a pod is written by hand: kubectl prints it


def several_clusters(nodes: Sequence[StaticPool]) -> Iterator[str]:
    """Where nodes are that cannot be in one cluster: in several regions, or in several of the resource groups that AKS creates for nodes."""
    groups = {found.partition("/providers/")[0] for node in nodes if "/resourcegroups/" in (found := node.provider_id.lower())}
    for places in ({labels[REGION] for node in nodes for labels in node.variants if REGION in labels}, groups):
        if len(places) > 1:
            yield f"the files have nodes of several clusters ({as_code(sorted(places))}): pass those of one"


def selecting_label(files: Iterable[Collection[str]], labels: Iterable[Collection[str]]) -> str:
    """A label with which `-l` can have selected the pods of an export, or nothing. `files` have the namespaces of each file, `labels` what is common.

    A pod without a namespace is written by hand, and no `-l` selected it.
    """
    shared = list(labels)
    return min(shared[0]) if shared and all(shared) and all("" not in namespaces for namespaces in files) else ""


def named(namespaces: Sequence[str]) -> str:
    """`namespace `shop``, `namespaces `shop` and `web``."""
    return f"{'namespaces' if len(namespaces) > 1 else 'namespace'} {quoted(namespaces, _SHOWN)}"


def existing_pools(declared: ClusterPools, nodes: Sequence[StaticPool], pods: ExistingPods | None) -> ClusterPools:
    """The pools of a declared cluster, with its nodes as they run; without `pods`, what is free of the nodes is not known."""
    used = grouped((pod.pod.node_name, pod) for pod in (pods.bound if pods is not None else ()))
    nodes, starting = without_startup_taints(nodes, declared.provisioned)
    unknown = "pods were not exported" if pods is None else f"the export has pods of {named(pods.only)} only" if pods.only else ""
    if pods is not None and pods.label:
        pods, unknown = replace(pods, bound=()), f"all pods of the export have a label `{pods.label}`, as `-l` selects them: others can run"
    also = ": `--context` reads all" if pods is not None and pods.label else ""
    unknown = f"its room is not known, because {unknown}{also}" if unknown else ""
    running = tuple(replace(_occupied(node, used.get(node.address, ())), unknown_use=unknown) for node in nodes)
    names = {node.address for node in nodes}
    provisioned = tuple(replace(pool, used=_counted(pool.name, nodes), hides_nodes=False) if pool.limits else pool for pool in declared.provisioned)
    more = tuple(further_nodes((pool for pool in declared.static if pool.address not in names), nodes))
    return replace(
        declared,
        static=(*running, *more),
        provisioned=provisioned,
        unsure={**starting, **declared.unsure, **unsure_to_grow(provisioned, more, are_all=not unknown)},
        bound=pods.bound if pods is not None else (),
        adds_node_selectors=declared.adds_node_selectors if declared.adds_node_selectors is not None else _adds_node_selectors(nodes),
    )


def _adds_node_selectors(nodes: Sequence[StaticPool]) -> bool | None:
    """What the cloud does that labels every node."""
    labels = [labels for node in nodes for labels in node.variants]
    clouds = [adds for prefix, adds in _CLOUDS if labels and all(any(key.startswith(prefix) for key in one) for one in labels)]
    return clouds[0] if len(clouds) == 1 else None


def without_startup_taints(nodes: Sequence[StaticPool], provisioned: Iterable[KarpenterPool]) -> tuple[list[StaticPool], Mapping[str, str]]:
    """The nodes without the startup taints of their NodePools, and why those that still have one take no pods yet, by address."""
    startup = {(pool.name, one.key, one.effect) for pool in provisioned for one in pool.pool.startup_taints if one.effect != "PreferNoSchedule"}
    found: list[StaticPool] = []
    unsure: dict[str, str] = {}
    for node in nodes:
        passing = [taint for taint in node.taints if (node.variants[0].get(POOL), taint.key, taint.effect) in startup]
        found.append(replace(node, taints=tuple(taint for taint in node.taints if taint not in passing)) if passing else node)
        if passing:
            unsure[node.address] = f"the node is not ready in the export: it has startup taint `{passing[0].key}:{passing[0].effect}`"
    return found, unsure


def _occupied(node: StaticPool, pods: Sequence[Workload]) -> StaticPool:
    """The node, with what its pods request taken."""
    taken: Counter[str] = Counter()
    leaving: Counter[str] = Counter()
    for pod in pods:
        taken.update(dict(pod.pod.requests))
        leaving.update({**dict(pod.pod.requests), "pods": 1000} if pod.ends else {})
    offers = node.offers
    if offers is not None:
        left = {name: (each.least - taken[name], each.most and max(each.most - taken[name], 0)) for name, each in offers.items()}
        offers = {name: Bounds(max(least, 0), most) for name, (least, most) in left.items()}
    evictable = tuple(sorted((pod.pod for pod in pods if not pod.ends), key=lambda pod: float("-inf") if pod.priority is None else pod.priority))
    return replace(
        node, offers=offers, evictable=evictable, leaving=leaving, max_pods=None if node.max_pods is None else max(node.max_pods - len(pods), 0)
    )


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


def unsure_to_grow(provisioned: Iterable[KarpenterPool], more: Iterable[StaticPool] = (), *, are_all: bool = False) -> Mapping[str, str]:
    """Why it is not certain that pools add nodes, by address; `are_all`: all pods were read, those that wait for a node too."""
    found = {pool.address: "more nodes than those that run are not certain to be added" for pool in more}
    for pool in provisioned:
        if pool.limits and not are_all:
            found[pool.address] = f"the NodePool has limits ({pool.limits_text}): pods that were not exported can take what is left of them"
        elif pool.limits and not pool.reported:
            found[pool.address] = f"the NodePool has limits ({pool.limits_text}): {_NOT_REPORTED}"
        elif pool.limits and any(pool.reported.get(name, 0) != pool.used.get(name, 0) for name in (*pool.limits, "nodes")):
            found[pool.address] = f"the NodePool has limits ({pool.limits_text}): its `status.resources` counts other nodes than those in the input"
        elif pool.pool.replicas is not None:
            found[pool.address] = "the NodePool is static: more nodes than those that run are not certain to be added"
    return found


class Relations:
    """The workloads of the input, found by labels and by the labels that their terms select."""

    def __init__(self, workloads: Sequence[Workload]) -> None:
        self._all: Final = workloads
        self._labeled: Final[dict[_Label, list[Workload]]] = {}
        self._repelling: Final[dict[_Label | None, list[tuple[Workload, PodTerm]]]] = {}
        self._ports: Final[dict[tuple[int, str], list[tuple[str, Workload]]]] = {}
        self._namespaces: Final = {workload.namespace for workload in workloads if workload.pod.node_name}
        for workload in workloads:
            self._add(workload, workload.topology)

    def _add(self, workload: Workload, topology: PodTopology) -> None:
        for label in topology.labels:
            self._labeled.setdefault(label, []).append(workload)
        for term in topology.anti_affinities:
            for label in _required(term.selector) or [None]:
                self._repelling.setdefault(label, []).append((workload, term))
        for port, protocol, address in topology.host_ports:
            self._ports.setdefault((port, protocol), []).append((address, workload))

    def selected(self, workload: Workload, selector: PodSelector) -> list[Workload]:
        """The other workloads whose pods a selector of this workload selects, or may select."""
        labels = _required(selector)
        found = self._all if labels is None else (other for label in labels for other in self._labeled.get(label, ()))
        return once(other for other in found if other is not workload and selector.selects(other.topology, itself=False))

    def unexported(self, terms: Iterable[PodTerm], own: str = "") -> str:
        """The namespaces that terms reach, and of which no pod runs, unless pods of all are in the input; `own` is known not to have any."""
        if {_WHOLE} < self._namespaces:
            return ""
        selectors = [term.selector for term in terms]
        if any(selector.of_namespaces.expressions is not None for selector in selectors):
            return "other namespaces"
        names = sorted({name for selector in selectors for name in selector.namespaces} - self._namespaces - {own})
        return named(names) if names else ""

    def repelling(self, workload: Workload) -> Iterator[tuple[Workload, PodTerm]]:
        """The anti-affinity of other workloads that selects the pods of this one."""
        for label in (None, *workload.topology.labels):
            for other, term in self._repelling.get(label, ()):
                if other is not workload and term.selector.selects(workload.topology, itself=False):
                    yield other, term

    def sharing_ports(self, workload: Workload) -> list[Workload]:
        """The other workloads that use one of its host ports."""
        found = ((own, *one) for port, protocol, own in workload.topology.host_ports for one in self._ports.get((port, protocol), ()))
        return once(other for own, address, other in found if other is not workload and (own == address or EVERY_ADDRESS in (own, address)))


def _required(selector: PodSelector) -> list[_Label] | None:
    """Labels of which every selected pod has one; `None` if the selector names none. The values of those that controllers add are not known."""
    for expression in selector.labels.expressions or ():
        if expression.operator == "In" and expression.key not in ADDED:
            return [(expression.key, value) for value in expression.values]
    return None


def once(workloads: Iterable[Workload]) -> list[Workload]:
    """Each of them once."""
    return list({id(workload): workload for workload in workloads}.values())


def neighbors_of(workload: Workload, bound: Relations) -> list[Workload]:
    """The pods that run which all terms of required affinity select: kube-scheduler counts no others."""
    terms = workload.topology.affinities
    found = bound.selected(workload, terms[0].selector) if terms else []
    return [other for other in found if all(term.selector.selects(other.topology, itself=False) for term in terms)]


def is_settled(terms: Iterable[PodTerm], others: Iterable[Workload]) -> bool:
    """The terms select these pods for certain, which run, and are not being deleted."""
    selectors = [term.selector for term in terms]
    return all(
        other.pod.node_name and not other.ends and all(selector.selection(other.topology, itself=False) for selector in selectors) for other in others
    )


def follows(other: Workload, terms: tuple[PodTerm, ...]) -> bool:
    """Pods that wait have this affinity too: they come only to where pods run already."""
    return not other.pod.node_name and other.topology.affinities == terms and all(term.selector.own is None for term in terms)


class ExistingNeighbors:
    """The nodes that pods that run close to others, by affinity and anti-affinity. Source: kube-scheduler 1.36, plugin InterPodAffinity."""

    def __init__(self, pools: ClusterPools, bound: Sequence[Workload], coming: Iterable[Workload]) -> None:
        self._pools: Final = pools
        self._bound: Final = Relations(bound)
        self._coming: Final = Relations([*coming])
        self._nodes: Final = [pool for pool in pools.static if pool.names is not None]
        self._adding: Final = [pool for pool in pools.static if pool.names is None]
        self._labels: Final = {name: pool.variants[0] for pool in self._nodes for name in pool.names or ()}

    def closed(self, workload: Workload) -> Mapping[str, Reason]:
        """Why pods of a workload are kept off pools, by address. While a rollout replaces its pods, nothing is certain."""
        if workload.unsure:
            return {}
        found = dict(self._without_neighbors(workload))
        for address, reason in (*self._apart(workload), *self._on_ports(workload)):
            known = found.setdefault(address, reason)
            found[address] = reason if known.verdict is not reason.verdict is Verdict.CANNOT else known
        return found

    def _on_ports(self, workload: Workload) -> Iterator[tuple[str, Reason]]:
        for other in self._bound.sharing_ports(workload):
            leaves = other.ends or workload.pod.may_evict(other.pod)
            message = f"node(s) didn't have free ports for the requested pod ports: pod `{other.name}` uses one{UNLESS if leaves else ''}"
            reason = Reason(Kind.PODS, message, verdict=Verdict.UNKNOWN if leaves else Verdict.CANNOT, remedy=OTHER_PORT)
            yield from ((node.address, reason) for node in self._nodes if other.pod.node_name in (node.names or ()))

    def _apart(self, workload: Workload) -> Iterator[tuple[str, Reason]]:
        own = ((other, term) for term in workload.topology.anti_affinities for other in self._bound.selected(workload, term.selector))
        kept = [(other, term, _OWN) for other, term in own if term.selector.selection(other.topology, itself=False)]
        repelling = ((other, term) for other, term in self._bound.repelling(workload) if term.selector.selection(workload.topology, itself=False))
        kept += [(other, term, "satisfy existing pods") for other, term in repelling]
        closed: dict[_Label, Reason] = {}
        for other, term, rules in kept:
            value = self._labels.get(other.pod.node_name, {}).get(term.key)
            known = closed.get((term.key, value)) if value is not None else None
            if value is None or (known is not None and known.verdict is Verdict.CANNOT):
                continue
            leaves = other.ends or workload.pod.may_evict(other.pod)
            if known is None or not leaves:
                where = "runs on it" if term.key == HOSTNAME else f"runs in the same `{term.key}`, `{value}`"
                message = f"node(s) didn't {rules} anti-affinity rules: pod `{other.name}` {where}{UNLESS if leaves else ''}"
                remedy = PREFERRED if rules == _OWN else f"Change the anti-affinity of pod `{other.name}`"
                closed[term.key, value] = Reason(Kind.PODS, message, verdict=Verdict.UNKNOWN if leaves else Verdict.CANNOT, remedy=remedy)
        for label, reason in closed.items():
            yield from ((node.address, reason) for node in self._by_label.get(label, ()))
        if closed:
            yield from self._added(workload.pod, closed)

    def _added(self, pod: Pod, closed: Mapping[_Label, Reason]) -> Iterator[tuple[str, Reason]]:
        """The pools that add nodes, if they can do so only where pods run that keep this one off."""
        keys = {key for key, _ in closed} - {HOSTNAME}
        found = [
            (pool.address, key, static_domains(pool, pod, key)) for pool in self._adding for key in keys if all(key in one for one in pool.variants)
        ]
        for pool in self._pools.provisioned:
            alternatives = PodRequirements(pod, pool.cloud).alternatives
            found += [(pool.address, key, provisioned_domains(pool, alternatives, key)) for key in keys]
        for address, key, domains in found:
            reasons = [closed.get((key, value)) for value in sorted(domains.possible)]
            decisive = sorted((reason for reason in reasons if reason is not None), key=lambda reason: reason.verdict is Verdict.CANNOT)
            if decisive and len(decisive) == len(reasons) and not domains.others:
                more = f"; pods run in the other values of `{key}` too" if len(reasons) > 1 else ""
                yield address, replace(decisive[0], message=f"{decisive[0].message}{more}")

    @cached_property
    def _by_label(self) -> Mapping[_Label, Sequence[StaticPool]]:
        return grouped((label, node) for node in self._nodes for label in node.variants[0].items())

    def _without_neighbors(self, workload: Workload) -> Mapping[str, Reason]:
        """The pools whose nodes are in no domain of the pods that affinity requires, if all of those run."""
        terms, found = workload.topology.affinities, neighbors_of(workload, self._bound)
        names = {other.pod.node_name for other in found}
        coming = [other for other in neighbors_of(workload, self._coming) if other.identity != workload.identity and not follows(other, terms)]
        if not found or coming or not is_settled(terms, found) or not names <= self._labels.keys() or self._bound.unexported(terms):
            return {}
        open_ = [(term.key, {self._labels[name].get(term.key) for name in names} - {None}) for term in terms]
        first = all(term.selector.selects(workload.topology, itself=True) for term in terms)
        if first and not any(values for _, values in open_):  # pods on nodes without the label do not count: the first of its own can be anywhere
            return {}
        run = f"{quoted([other.name for other in found], _SHOWN)} run{'s' if len(found) == 1 else ''} on {quoted(sorted(names), _SHOWN)}"
        reason = Reason(Kind.PODS, f"{_NO_AFFINITY}: {run}", remedy=PREFERRED)
        closed = {node.address: reason for node in self._nodes if not all(node.variants[0].get(key) in values for key, values in open_)}
        if any(key == HOSTNAME for key, _ in open_):  # a node that is added runs none of them, unless their controller adds one to each node
            daemon = next((other for other in found if other.controllers and other.controllers[0].kind not in _PLACED), None)
            if daemon is not None:
                message = f"{_NO_AFFINITY}: a node that is added does if `{daemon.controllers[0].kind}/{daemon.controllers[0].name}` runs a pod there"
                reason = Reason(Kind.PODS, message, verdict=Verdict.UNKNOWN, remedy=PREFERRED)
            closed |= {pool.address: reason for pool in (*self._pools.provisioned, *self._adding)}
        return closed

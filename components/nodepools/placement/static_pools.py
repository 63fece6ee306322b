"""A pool of declared nodes (an agent pool, or one running node), evaluated as kube-scheduler does.

Labels, `NoSchedule` and `NoExecute` taints and resources decide. `PreferNoSchedule` taints and preferences only change the score of a node.
Source: `component-helpers/scheduling/corev1/nodeaffinity`, docs/facts/eks.md § 4.8.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from nodepools.model.kubernetes.label import POOL_LABEL, Taint, current_label
from nodepools.model.kubernetes.pod import SYSTEMS, UNBOUNDED, Expression, Pod, Requests, Term, thousandths
from nodepools.model.listing import counted
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.allocatable import DEVICES, spelled
from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP, OS, POOL
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds
from nodepools.placement.suggestions import NO_MATCH, label, label_reason
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict, best, worst
from nodepools.placement.workloads.pod_changes import NO_EMPTY_TERMS, NO_MATCH_FIELDS, AddToleration, Change, Edit, LowerRequest, set_system

CORDONED = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
"""The taint of a cordoned node. The DaemonSet controller adds a toleration for it to its pods."""
UNCORDON = Edit("uncordon the node", AddToleration(CORDONED).apply)
LEAVING = {
    "karpenter.sh/disrupted": "Karpenter drains it",
    "karpenter.sh/disruption": "Karpenter drains it",
    "ToBeDeletedByClusterAutoscaler": "the cluster autoscaler removes it",
}
"""Taints of nodes that are being emptied: no pod should tolerate them."""
NO_NODES = "the pool has no nodes"
EMPTY_TERM = Reason(Kind.LABEL, f"{NO_MATCH}: an empty node selector term matches no node", NO_EMPTY_TERMS)
UNLESS = ", unless pods leave it: those that are being deleted or replaced, and those of lower priority, which kube-scheduler evicts"
_ZONE = "topology.kubernetes.io/zone"


@dataclass(frozen=True)
class StaticPool:
    """A pool whose nodes are declared or already running."""

    address: str
    variants: tuple[Mapping[str, str], ...]
    """Labels of the nodes: one entry if all nodes have the same labels, otherwise one per zone.

    No zone is certain to have a node: clouds balance zones by best effort, and autoscalers remove any node. Sources, 2026-11:
    https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-zone-balancing, https://github.com/Azure/AKS/issues/2187.
    """
    taints: tuple[Taint, ...] = ()
    offers: Mapping[str, Bounds] | None = None
    """Allocatable resources of a node. `None`, or a resource that is missing: unknown."""
    size: str = ""
    """The VM size, for messages."""
    min_nodes: int = 1
    max_nodes: int = 1
    max_pods: int | None = None
    may_grow: bool = False
    """It is not declared here, and the cluster autoscaler scales it, or may do so."""
    now: int | None = None
    """The nodes that it has now; `None`: not known."""
    sure_nodes: int | None = None
    """The nodes that are certain to be there when pods need them; `None`: `max_nodes`."""
    choices: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Labels that are not in `variants`: each node has one of these values, and which one is not known."""
    may_set: Callable[[str], bool] = lambda _: False
    """Whether nodes may have a label that is neither in `variants` nor in `choices`."""
    names: frozenset[str] | None = None
    """Names of the nodes, if known."""
    provider_id: str = ""
    """Of a running node."""
    kubelet: str = ""
    """The Kubernetes version of a running node; empty if it is not known."""
    cordoned: bool = False
    evictable: tuple[Pod, ...] = ()
    """The pods on a running node, those of the lowest priority first."""
    leaving: Mapping[str, int] = field(default_factory=dict[str, int])
    """What those of them that are being deleted still take, in thousandths."""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    """What a running node counts against the limits of its NodePool, in thousandths. One that is being removed counts nothing."""
    unknown_use: str = ""
    """Why it is not known what other pods use of the nodes: whether any pod has room is unknown. Empty: it is known."""
    system: str = "linux"
    """Operating system of the nodes; empty if unknown."""
    name_rotates: bool = True
    """Whether the pool's name in the cloud changes when the pool rotates: not for an agent pool with a declared name."""
    headroom: str = ""
    """The pods that it keeps room for."""
    lost: str = ""
    """The loss after which it has no nodes: `zone 1`."""
    reported: dict[Expression, Reason] = field(default_factory=dict[Expression, Reason], repr=False, compare=False)
    """Cache of the reasons about labels."""

    @property
    def is_scaled(self) -> bool:
        """Its number of nodes has a range."""
        return self.min_nodes < self.max_nodes

    def evaluate(self, pod: Pod, overhead: Requests = ()) -> PoolVerdict:
        """Returns the verdict on a pod; `overhead` is what the DaemonSets on each node request."""
        if self.lost:
            return PoolVerdict(self.address, Verdict.CANNOT, (Reason(Kind.LIMIT, f"lost with {self.lost}"),))
        reasons = [*untolerated(self.taints, pod), *self._labels(pod), *other_os(pod, self.system), *self._resources(pod, overhead)]
        if not self.max_nodes:
            reasons.append(Reason(Kind.LIMIT, NO_NODES))
        elif self.max_pods == 0:
            verdict = Verdict.UNKNOWN if self.freed(pod) else Verdict.CANNOT
            reasons.append(
                Reason(Kind.RESOURCES, f"Too many pods: the node runs as many as it can{UNLESS if self.freed(pod) else ''}", verdict=verdict)
            )
        if self.unknown_use:
            reasons.append(Reason(Kind.RESOURCES, self.unknown_use, verdict=Verdict.UNKNOWN))
        if self.cordoned and not pod.tolerates(CORDONED):
            reasons.append(Reason(Kind.UNSCHEDULABLE, f"node is unschedulable (cordoned): it has taint `{CORDONED}`", UNCORDON))
        verdict = worst(reasons)
        if verdict is Verdict.FITS:
            reasons.extend(self._preferences(pod))
        return PoolVerdict(self.address, verdict, tuple(reasons))

    def freed(self, pod: Pod) -> Mapping[str, int]:
        """What pods take of a running node that are being deleted, or that kube-scheduler can evict for this pod: those of lower priority."""
        found: Counter[str] = Counter(self.leaving)
        for other in self.evictable:
            if not pod.may_evict(other):
                break
            found.update({**dict(other.requests), "pods": 1000})
        return found

    @property
    def most_sure(self) -> int:
        """The most nodes that are certain to be there when pods need them."""
        return self.max_nodes if self.sure_nodes is None else min(self.sure_nodes, self.max_nodes)

    def score(self, pod: Pod) -> tuple[int, int]:
        """The order among pools that fit: fewer `PreferNoSchedule` taints first, then the weight of matching preferences."""
        against = sum(1 for taint in self.taints if not taint.is_hard and not pod.tolerates(taint))
        return -against, sum(preference.weight for preference in pod.preferred if self._prefers(preference.term))

    def _labels(self, pod: Pod) -> list[Reason]:
        found = [self._of_variant(labels, pod) for labels in self.variants]
        verdicts = [worst(reasons) for reasons in found]
        if Verdict.FITS in verdicts and len(set(verdicts)) > 1:
            return [self._in_some_zone()]
        return nearest(found)

    def _in_some_zone(self) -> Reason:
        zones = ", ".join(f"`{labels.get(_ZONE, 'any zone')}`" for labels in self.variants)
        nodes = counted(self.max_nodes, "node")
        if self.is_scaled:
            nodes = f"{self.min_nodes} to {nodes}, which an autoscaler adds to the pool and not to a zone,"
        message = f"pod requires certain zones: which of {zones} the {nodes} will be in cannot be determined offline"
        return Reason(Kind.LABEL, message, verdict=Verdict.UNKNOWN)

    def _of_variant(self, labels: Mapping[str, str], pod: Pod) -> list[Reason]:
        missing = [reason for expression in pod.selector for reason in self._missing(expression, labels, selector=True)]
        if pod.required is None:
            return missing
        return [*missing, *nearest([self._of_term(term, labels) for term in pod.required])]

    def _of_term(self, term: Term, labels: Mapping[str, str]) -> list[Reason]:
        if term.empty:
            return [EMPTY_TERM]
        return [reason for expression in term.expressions for reason in self._missing(expression, labels)] + [
            reason for expression in term.fields for reason in self._field(expression)
        ]

    def _missing(self, required: Expression, labels: Mapping[str, str], *, selector: bool = False) -> Iterator[Reason]:
        if required.key not in labels and required.key in self.choices:
            yield from self._chosen(required, labels, selector=selector)
        elif required.key not in labels and self.may_set(required.key) and not (required.malformed and not selector):
            yield _not_known(required)
        elif not _matches(required, labels, selector=selector):
            if required not in self.reported:
                self.reported[required] = label_reason(required, self.variants)
            yield self.reported[required]

    def _chosen(self, required: Expression, labels: Mapping[str, str], *, selector: bool) -> Iterator[Reason]:
        """Whether the value that a node gets matches."""
        of = [{**labels, required.key: value} for value in sorted(self.choices[required.key])]
        matching = [one for one in of if _matches(required, one, selector=selector)]
        if not matching:
            yield label_reason(required, of)
        elif len(matching) < len(of):
            yield _not_known(required)

    def _prefers(self, term: Term) -> bool:
        return any(not self._of_term(term, labels) for labels in self.variants)

    def _field(self, required: Expression) -> Iterator[Reason]:
        if not (required.key == "metadata.name" and required.operator in ("In", "NotIn") and len(required.values) == 1):
            message = f"`matchFields` supports only `metadata.name` with one value: `{required}` matches no node"
            yield Reason(Kind.LABEL, message, NO_MATCH_FIELDS)
        elif self.names is None:
            message = f"pod requires `{required}`: the names of the nodes cannot be determined offline"
            yield Reason(Kind.LABEL, message, verdict=Verdict.UNKNOWN)
        elif not any((name in required.values) is (required.operator == "In") for name in self.names):
            names = ", ".join(f"`{name}`" for name in sorted(self.names))
            yield Reason(Kind.LABEL, f"{NO_MATCH} `{required}`: the node is {names}", NO_MATCH_FIELDS)

    def _resources(self, pod: Pod, overhead: Requests) -> Iterator[Reason]:
        daemons = dict(overhead)
        freed: Mapping[str, int] | None = None
        for resource, amount in pod.requests:
            offered = (self.offers or {}).get(resource, UNKNOWN_AMOUNT)
            needed = amount + daemons.get(resource, 0)
            if needed > offered.least:
                freed = self.freed(pod) if freed is None else freed
                if offered.most is not None and offered.most < amount <= offered.most + freed.get(resource, 0):
                    message = (
                        f"Insufficient {resource}: {requested(resource, needed, 0)}, the node has {spelled(resource, offered.most)} left{UNLESS}"
                    )
                    yield Reason(Kind.RESOURCES, message, lower(resource, offered.least), Verdict.UNKNOWN)
                    continue
                reason = insufficient(resource, needed, offered, f"`{self.size}`" if self.size else "a node", daemons=daemons.get(resource, 0))
                taken = offered.most == 0 and self.names is not None and self.counts.get(resource)
                yield replace(reason, message=f"{reason.message} left", subject=f"{reason.subject} that is free") if taken else reason

    def _preferences(self, pod: Pod) -> Iterator[Reason]:
        yield from soft_taints(self.taints, pod)
        for preference in pod.preferred:
            if not self._prefers(preference.term):
                yield unmet_preference(preference.term)


def _not_known(required: Expression) -> Reason:
    message = f"pod requires `{required}`: which value nodes have cannot be determined offline"
    return Reason(Kind.LABEL, message, verdict=Verdict.UNKNOWN, subject=label(required))


def _matches(required: Expression, labels: Mapping[str, str], *, selector: bool) -> bool:
    value = labels.get(required.key)
    return value == required.values[0] if selector else required.matches(value)  # a nodeSelector compares the text as written


def untolerated(taints: Iterable[Taint], pod: Pod) -> Iterator[Reason]:
    """The `NoSchedule` and `NoExecute` taints that the pod does not tolerate. Only a scheduler reads `NoSchedule`: pods with a node need none."""
    for taint in taints:
        if taint.is_hard and not pod.tolerates(taint) and not (pod.node_name and taint.effect == "NoSchedule"):
            fix = None if taint.key in LEAVING else AddToleration(taint)
            value = "" if taint.value in ("", "true") else f"={taint.value}"
            yield Reason(Kind.TAINT, f"pod did not tolerate taint `{taint}`", fix, subject=f"taint `{taint.key}{value}`")


def soft_taints(taints: Iterable[Taint], pod: Pod) -> Iterator[Reason]:
    """The `PreferNoSchedule` taints that the pod does not tolerate."""
    for taint in taints:
        if not taint.is_hard and not pod.tolerates(taint):
            yield Reason(Kind.PREFERENCE, f"pod did not tolerate taint `{taint}`: scheduled here only if no better node exists", verdict=Verdict.FITS)


def unmet_preference(term: Term) -> Reason:
    """A preference that the nodes of the pool do not match."""
    return Reason(Kind.PREFERENCE, f"nodes didn't match the preference `{spell(term)}`", verdict=Verdict.FITS)


def other_os(pod: Pod, system: str) -> Iterator[Reason]:
    """The kubelet rejects a pod whose `spec.os` names another operating system; the scheduler does not check it.

    A change is offered only to a pod that selects the nodes by their system: its image is made for one.
    """
    if pod.system and system and pod.system != system:
        selects = any(current_label(one.key) == OS and (one.operator, one.values) == ("In", (system,)) for one in pod.required_labels)
        message = f"kubelet rejects the pod: `spec.os.name` is `{pod.system}`, nodes run `{system}`"
        yield Reason(Kind.LABEL, message, set_system(system) if selects else None)


def rejecting(pod: Pod, evaluated: Iterable[PoolVerdict]) -> list[str]:
    """The pools to which a scheduler can bind a pod, and whose kubelets reject it."""
    rejections = {reason for system in SYSTEMS for reason in other_os(pod, system)}
    return [one.pool for one in evaluated if one.decisive and rejections.issuperset(one.decisive)]


def insufficient(resource: str, needed: int, offered: Bounds, machine: str, *, daemons: int = 0, term: str = "") -> Reason:
    """Why a node does not have enough of a resource, or may not; `daemons` is the part of `needed` that DaemonSets request.

    The verdict is not `cannot` where the pod fits without the DaemonSets: it may be scheduled before their pods. `term` is how a scheduler reports
    it, otherwise kube-scheduler's `Insufficient cpu`.
    """
    term = term if term else f"Insufficient {resource}"
    requests = requested(resource, needed, daemons)
    enough = f"enough {resource} ({spelled(resource, needed - daemons)})"
    if offered.most is None:
        message = f"{requests}: how much {machine} has cannot be determined offline"
        return Reason(Kind.RESOURCES, message, verdict=Verdict.UNKNOWN, subject=enough)
    if offered.most == 0:
        return Reason(Kind.RESOURCES, f"{term}: {requests}, {machine} has none", subject=device(resource))
    has = spelled(resource, offered.most)
    if needed > offered.most:
        verdict = Verdict.CANNOT if needed - daemons > offered.most else Verdict.UNKNOWN
        fix = lower(resource, offered.least - daemons)
        fix = fix if fix is not None else lower(resource, offered.most - daemons)
        return Reason(Kind.RESOURCES, f"{term}: {requests}, {machine} has {has}", fix, verdict, enough)
    message = f"{requests}: {machine} has {has}, of which at least {spelled(resource, offered.least)} is allocatable"
    return Reason(Kind.RESOURCES, message, lower(resource, offered.least - daemons), Verdict.UNKNOWN, enough)


def device(resource: str) -> str:
    """A resource of which nodes have none, in words: `an NVIDIA GPU`."""
    of_mig = " (a GPU pool with `mig`, and a device plugin with `mig_strategy: mixed`)" if resource.startswith("nvidia.com/mig-") else ""
    return DEVICES.get(resource, f"`{resource}`{of_mig}")


def requested(resource: str, needed: int, daemons: int) -> str:
    """`pod requests 4 cpu (plus 100m for DaemonSets)`."""
    more = "an unknown amount" if daemons >= UNBOUNDED else spelled(resource, daemons)
    return f"pod requests {spelled(resource, needed - daemons)} {resource}{f' (plus {more} for DaemonSets)' if daemons else ''}"


def lower(resource: str, amount: int) -> Change | None:
    """The change to a smaller request, rounded down to what people write; `None` if nothing would be left."""
    written = thousandths(spelled(resource, max(amount, 0)), resource)
    return LowerRequest(resource, written) if written > 0 else None


def nearest(alternatives: list[list[Reason]]) -> list[Reason]:
    """The reasons of the alternative that is closest to fitting."""
    if len(alternatives) == 1:
        return alternatives[0]
    verdict = best(worst(reasons) for reasons in alternatives)
    closest = [reasons for reasons in alternatives if worst(reasons) is verdict]
    return min(closest, key=lambda reasons: (sum(reason.verdict is verdict for reason in reasons), len(reasons)), default=list[Reason]())


def spell(term: Term) -> str:
    """A term in one line."""
    return " and ".join(str(expression) for expression in (*term.expressions, *term.fields))


T = TypeVar("T")


def pools_of(node: Mapping[str, str], pools: Iterable[tuple[T, Mapping[str, str]]]) -> list[T]:
    """The pools, each given with the labels of its nodes, that a node with these labels can be in: by its name in the cloud, otherwise by its key."""
    known = list(pools)
    labels = [POOL] if POOL in node else [AGENT_POOL, NODE_GROUP, POOL_LABEL]
    by_label = ([pool for pool, own in known if label in own and node.get(label) == own[label]] for label in labels)
    return next((found for found in by_label if found), list[T]())

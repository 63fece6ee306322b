"""A static pool is a node, or several that differ in their zone: judged as kube-scheduler does.

Labels, NoSchedule and NoExecute taints, and resources decide; PreferNoSchedule and preferences only make a node better or worse.
Source: `component-helpers/scheduling/corev1/nodeaffinity`, docs/facts/eks.md § 4.8.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from nodepools.model.kubernetes.pod import Expression, Pod, Term
from nodepools.model.kubernetes.requests import Requests
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.allocatable import spelled
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds
from nodepools.placement.suggestions import for_label, for_taint
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict, best, worst

CORDONED = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
"""What a cordoned node has; the DaemonSet controller has its pods tolerate it."""
EMPTY_TERM = Reason(Kind.LABEL, "an empty node selector term matches no node", "remove the empty term of its node affinity")
_PLACE = "topology.kubernetes.io/zone"


@dataclass(frozen=True)
class StaticPool:
    """A static pool."""

    address: str
    variants: tuple[Mapping[str, str], ...]
    """Labels of its nodes: one entry where all are alike, else one for each zone."""
    taints: tuple[Taint, ...] = ()
    offers: Mapping[str, Bounds] | None = None
    """What a node has for pods; `None` and what is not among it: there is no telling."""
    size: str = ""
    """What its machines are called, for messages."""
    fewest: int = 1
    most: int = 1
    max_pods: int | None = None
    may_set: Callable[[str], bool] = lambda _: False
    """Labels that its nodes may have beside `variants`."""
    names: frozenset[str] | None = None
    """Names of the nodes, where they are known."""
    cordoned: bool = False
    system: str = "linux"
    """Their operating system; empty where it is not known."""
    turns: bool = True
    """Whether their pool may be made anew under another name; one of AKS that has a name of its own is not."""
    told: dict[Expression, Reason] = field(default_factory=dict[Expression, Reason], repr=False, compare=False)
    """What was said of labels that are missing."""

    def judge(self, pod: Pod, overhead: Requests = ()) -> PoolVerdict:
        """Whether a node of the pool can host the pod, beside daemons that ask for `overhead`."""
        reasons = [*untolerated(self.taints, pod), *self._labels(pod), *of_system(pod, self.system), *self._resources(pod, overhead)]
        if not self.most:
            reasons.append(Reason(Kind.LIMIT, "has no nodes"))
        if self.cordoned and not pod.tolerates(CORDONED):
            reasons.append(Reason(Kind.UNSCHEDULABLE, f"is cordoned: {CORDONED}", "uncordon the node"))
        verdict = worst(reasons)
        if verdict is Verdict.FITS:
            reasons.extend(self._preferences(pod))
        return PoolVerdict(self.address, verdict, tuple(reasons))

    def score(self, pod: Pod) -> tuple[int, int]:
        """How well it is liked, among those that fit: taints that would rather be without it count before preferences."""
        against = sum(1 for taint in self.taints if not taint.is_hard and not pod.tolerates(taint))
        return -against, sum(one.weight for one in pod.preferred if self._prefers(one.term))

    def _labels(self, pod: Pod) -> list[Reason]:
        found = [self._of_variant(labels, pod) for labels in self.variants]
        verdicts = [worst(reasons) for reasons in found]
        if Verdict.FITS in verdicts and len(set(verdicts)) > 1 and self.most < len(self.variants):
            where = ", ".join(labels.get(_PLACE, "any zone") for labels in self.variants)
            return [Reason(Kind.LABEL, f"its {self.most} nodes may be in any of {where}", says=Verdict.UNKNOWN)]
        return nearest(found)

    def _of_variant(self, labels: Mapping[str, str], pod: Pod) -> list[Reason]:
        missing = [reason for one in pod.selector for reason in self._missing(one, labels, selector=True)]
        if pod.required is None:
            return missing
        return [*missing, *nearest([self._of_term(term, labels) for term in pod.required])]

    def _of_term(self, term: Term, labels: Mapping[str, str]) -> list[Reason]:
        if term.empty:
            return [EMPTY_TERM]
        return [reason for one in term.expressions for reason in self._missing(one, labels)] + self._fields(term)

    def _missing(self, wanted: Expression, labels: Mapping[str, str], *, selector: bool = False) -> Iterator[Reason]:
        if wanted.key not in labels and self.may_set(wanted.key) and not (wanted.malformed and not selector):
            yield Reason(Kind.LABEL, f"{wanted}: what its nodes have there is not known offline", says=Verdict.UNKNOWN)
        elif not _met(wanted, labels, selector=selector):
            if wanted not in self.told:
                self.told[wanted] = for_label(wanted, self.variants)
            yield self.told[wanted]

    def _prefers(self, term: Term) -> bool:
        return any(not self._of_term(term, labels) for labels in self.variants)

    def _fields(self, term: Term) -> list[Reason]:
        return [reason for one in term.fields for reason in self._field(one)]

    def _field(self, wanted: Expression) -> Iterator[Reason]:
        named = wanted.key == "metadata.name" and wanted.operator in ("In", "NotIn") and len(wanted.values) == 1
        if not named:
            yield Reason(Kind.LABEL, f"no node matches {wanted} in matchFields: only metadata.name, with one value, can be asked for")
        elif self.names is None:
            yield Reason(Kind.LABEL, f"{wanted}: names of its nodes are not known offline", says=Verdict.UNKNOWN)
        elif not any((name in wanted.values) is (wanted.operator == "In") for name in self.names):
            yield Reason(Kind.LABEL, f"{wanted}: its node is {', '.join(sorted(self.names))}")

    def _resources(self, pod: Pod, overhead: Requests) -> Iterator[Reason]:
        daemons = dict(overhead)
        for resource, amount in pod.requests:
            offered = (self.offers or {}).get(resource, UNKNOWN_AMOUNT)
            asked = amount + daemons.get(resource, 0)
            if asked > offered.least:
                yield short(resource, asked, offered, self.size or "its nodes", daemons=daemons.get(resource, 0))

    def _preferences(self, pod: Pod) -> Iterator[Reason]:
        for taint in self.taints:
            if not taint.is_hard and not pod.tolerates(taint):
                yield Reason(Kind.PREFERENCE, f"would rather not: {taint}", for_taint(taint), Verdict.FITS)
        for one in pod.preferred:
            if not self._prefers(one.term):
                yield Reason(Kind.PREFERENCE, f"not what it prefers: {spell(one.term)}", says=Verdict.FITS)


def _met(wanted: Expression, labels: Mapping[str, str], *, selector: bool) -> bool:
    value = labels.get(wanted.key)
    return value == wanted.values[0] if selector else wanted.matches(value)  # a node selector is compared as it is written


def untolerated(taints: Iterable[Taint], pod: Pod) -> Iterator[Reason]:
    """The taints that keep the pod away."""
    for taint in taints:
        if taint.is_hard and not pod.tolerates(taint):
            yield Reason(Kind.TAINT, f"not tolerated: {taint}", for_taint(taint))


def of_system(pod: Pod, system: str) -> Iterator[Reason]:
    """The kubelet refuses a pod that says it is for another operating system; the scheduler does not ask."""
    if pod.system and system and pod.system != system:
        yield Reason(Kind.LABEL, f"is for {pod.system} (spec.os): its nodes run {system}", f"remove spec.os, or write {system}")


def short(resource: str, asked: int, offered: Bounds, of: str, *, daemons: int = 0) -> Reason:
    """Why so much of a resource is not there, or not for certain, with both figures; `daemons` is what of `asked` others on the node ask for.

    A pod that would fit but for them is not refused for certain: it may be there before them.
    """
    wants = wanted(resource, asked, daemons)
    if offered.most is None:
        return Reason(Kind.RESOURCES, f"{wants}: what {of} offers of it is not known offline", says=Verdict.UNKNOWN)
    if offered.most == 0:
        return Reason(Kind.RESOURCES, f"{wants}: {of} has none")
    has = spelled(resource, offered.most)
    if asked > offered.most:
        says = Verdict.CANNOT if asked - daemons > offered.most else Verdict.UNKNOWN
        less = _less(resource, offered.least - daemons, "ask for {} to be sure")
        less = less if less else _less(resource, offered.most - daemons, "ask for less than {}")
        return Reason(Kind.RESOURCES, f"{wants}: {of} has {has}", less, says)
    told = f"{wants}: {of} has {has}, of which {spelled(resource, offered.least)} at least are for pods"
    return Reason(Kind.RESOURCES, told, _less(resource, offered.least - daemons, "ask for {} to be sure"), Verdict.UNKNOWN)


def wanted(resource: str, asked: int, daemons: int) -> str:
    """`wants 4 cpu, beside 100m for DaemonSets`."""
    return f"wants {spelled(resource, asked - daemons)} {resource}{f', beside {spelled(resource, daemons)} for DaemonSets' if daemons else ''}"


def _less(resource: str, amount: int, told: str) -> str:
    """Nothing is told where nothing is left to ask for."""
    return told.format(spelled(resource, amount)) if amount > 0 else ""


def nearest(ways: list[list[Reason]]) -> list[Reason]:
    """The reasons against the way that is nearest to be met."""
    if len(ways) == 1:
        return ways[0]
    verdict = best(worst(reasons) for reasons in ways)
    return min((reasons for reasons in ways if worst(reasons) is verdict), key=len, default=list[Reason]())


def spell(term: Term) -> str:
    """A term, in one line."""
    return " and ".join(str(one) for one in (*term.expressions, *term.fields))

"""What a pod asks of a NodePool, as Karpenter reads it: term by term, with the heaviest preference, dropped piece by piece.

Source: Karpenter 1.14, `pkg/scheduling/requirements.go`, `provisioning/scheduling/preferences.go`, `provisioner.go Validate`;
docs/facts/eks.md § 4.3, § 4.6.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from nodepools.model.kubernetes.pod import Expression, Pod, Term
from nodepools.model.kubernetes.requirement import Requirements, Values, integer
from nodepools.placement.cloud_labels import CAPACITY, DEPRECATED_LABELS, POOL, Cloud
from nodepools.placement.static_pools import EMPTY_TERM, spell
from nodepools.placement.verdict import Kind, Reason, Verdict

_CAPACITY_TYPES = ("spot", "on-demand", "reserved")
_REMEMBERED = 4096


@dataclass(frozen=True, eq=False)
class RequirementSet:
    """Expressions that hold together, read as requirements. Equal expressions are one object: what follows from it is worked out once a pool."""

    wanted: Mapping[str, Values]
    present: frozenset[str] = frozenset()
    """Labels without which a node will not do. One that Karpenter starts for the pod has them: it gives a value to all that is asked for."""
    flaws: tuple[Reason, ...] = ()
    """Why no node at all can meet it."""
    words: Mapping[str, Expression] | None = None
    """The expressions themselves, for messages."""

    def said(self, key: str) -> Expression:
        """How the pod says what it wants of a label."""
        found = (self.words or {}).get(key)
        return found if found is not None else Expression(key, "Exists")


@dataclass(frozen=True, eq=False)
class SchedulingAttempt:
    """What Karpenter asks for at one go."""

    required: RequirementSet
    way: RequirementSet
    """The required way, and the preference that is asked for with it."""
    dropped: int = 0
    """How many preferences were given up before."""
    soft: bool = False
    """Whether PreferNoSchedule taints are put up with."""

    @property
    def loosened(self) -> bool:
        """A label must be there, and the preference that is asked for with it excludes values of it.

        To Karpenter both together are NotIn, which a pool that says nothing of the label meets; and the node that it starts has some value of it.
        """
        return any(self.way.wanted[key].permits_absence for key in self.required.present if not self.required.wanted[key].permits_absence)


class PodRequirements:
    """A pod, as Karpenter reads it."""

    def __init__(self, pod: Pod, cloud: Cloud) -> None:
        self.pod: Final = pod
        terms = [None] if pod.required is None else list(pod.required)
        self.ways: Final = tuple(_way(pod.selector, term) for term in terms)
        """The ways to satisfy it: the required terms of its node affinity."""
        ranked = sorted(pod.preferred, key=lambda one: -one.weight)
        self.preferences: Final = tuple(one.term for one in ranked)
        """What it prefers, heaviest first."""
        self.attempts: Final = tuple(_attempts(self.ways, [_way((), term) for term in self.preferences]))
        """What Karpenter asks for, one attempt after another, until a pool takes the pod."""
        self.loosened: Final = any(one.loosened for one in self.attempts)
        """Asked for together with a preference, it may land where it could not without: see `Attempt.loosened`."""
        self.passed_over: Final = tuple(_refused(pod, self, cloud))
        """Why Karpenter starts no node for it, whatever the pools."""


def _attempts(ways: Sequence[RequirementSet], preferences: Sequence[RequirementSet]) -> Iterator[SchedulingAttempt]:
    """Required terms are dropped first, all but the last; then preferences, heaviest first; PreferNoSchedule is put up with at last."""
    for way in ways:
        yield SchedulingAttempt(way, _both(way, preferences[0]) if preferences else way)
    for way in ways[-1:]:
        for dropped in range(1, len(preferences)):
            yield SchedulingAttempt(way, _both(way, preferences[dropped]), dropped)
        if preferences:
            yield SchedulingAttempt(way, way, len(preferences))
        yield SchedulingAttempt(way, way, len(preferences), soft=True)


@lru_cache(maxsize=_REMEMBERED)
def _both(way: RequirementSet, preferred: RequirementSet) -> RequirementSet:
    wanted = Requirements(way.wanted).merged(preferred.wanted)
    words = {**(preferred.words or {}), **(way.words or {})}
    return RequirementSet(wanted, way.present, (*way.flaws, *preferred.flaws, *_contradictions(wanted, way.present, words)), words)


@lru_cache(maxsize=_REMEMBERED)
def _way(selector: tuple[Expression, ...], term: Term | None) -> RequirementSet:
    wanted = Requirements()
    flaws: list[Reason] = [EMPTY_TERM] if term is not None and term.empty else []
    present: set[str] = set()
    words: dict[str, Expression] = {}
    for one in (*selector, *(() if term is None else term.expressions)):
        key = DEPRECATED_LABELS.get(one.key, one.key)
        if one.malformed:
            flaws.append(Reason(Kind.LABEL, f"{one} matches no node: Kubernetes cannot read it", f"correct {one}"))
            continue
        wanted = wanted.merged({key: one.allowed})
        words.setdefault(key, one)
        if not one.allowed.permits_absence:
            present.add(key)
    return RequirementSet(wanted, frozenset(present), (*flaws, *_contradictions(wanted, frozenset(present), words)), words)


def _contradictions(wanted: Mapping[str, Values], present: frozenset[str], words: Mapping[str, Expression]) -> Iterator[Reason]:
    """Labels that must be there, of which no value is left."""
    for key in sorted(present):
        if wanted[key].absent or _hollow(wanted[key]):
            yield _against_itself(words[key])


def _hollow(values: Values) -> bool:
    """Bounds of which every number is excluded."""
    if values.at_least is None or values.at_most is None or values.at_most - values.at_least >= len(values.members):
        return False
    return all(str(number) in values.members for number in range(values.at_least, values.at_most + 1))


def _against_itself(one: Expression) -> Reason:
    return Reason(Kind.LABEL, f"{one} contradicts what the pod also asks of {one.key}: no node can be both", f"remove one of them, such as {one}")


def _refused(pod: Pod, asked: PodRequirements, cloud: Cloud) -> Iterator[Reason]:
    """Karpenter passes a pod over for one wrong word in any term, although another term might do."""
    for one in pod.asked_of_labels:
        key = DEPRECATED_LABELS.get(one.key, one.key)
        if cloud.refuses(key):
            yield _unseen(f"names {one.key}, which Karpenter keeps for itself", f"remove {one}")
        elif one.malformed or _negative(one):
            yield _unseen(f"asks for {one}, which Karpenter cannot read", f"correct {one}")
        elif key == CAPACITY and one.operator == "In" and not set(one.values) & set(_CAPACITY_TYPES):
            yield _unseen(f"asks for {one}: there is {', '.join(_CAPACITY_TYPES)}", f"correct {one}")
    for term in pod.required or ():
        if term.fields:
            yield _unseen(f"asks for {spell(Term(fields=term.fields))} by matchFields", "remove matchFields")
    first = Requirements(asked.ways[0].wanted if asked.ways else {}).merged(_way((), asked.preferences[0]).wanted if asked.preferences else {})
    if POOL in first and first[POOL].absent:
        yield _unseen(f"asks for nodes without {POOL}", f"remove {POOL} from its node affinity")


def _unseen(what: str, change: str) -> Reason:
    return Reason(Kind.UNSCHEDULABLE, f"Karpenter starts no node for a pod that {what}", change, Verdict.UNKNOWN)


def _negative(one: Expression) -> bool:
    return one.operator in ("Gt", "Lt") and (integer(one.values[0]) or 0) < 0

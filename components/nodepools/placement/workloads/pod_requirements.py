"""Requirements of a pod on a NodePool. Like Karpenter, tries node affinity terms with the strongest preference and relaxes preferences one by one.

Source: Karpenter 1.14, `pkg/scheduling/requirements.go`, `provisioning/scheduling/preferences.go`, `provisioner.go Validate`;
docs/facts/eks.md § 4.3, § 4.6.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from nodepools.model.kubernetes.label import Requirements, Values, current_label, integer
from nodepools.model.kubernetes.pod import Expression, Pod, Term
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import CAPACITY, POOL, Cloud
from nodepools.placement.static_pools import EMPTY_TERM, spell
from nodepools.placement.suggestions import invalid_reason, suggest_value
from nodepools.placement.verdict import Kind, Reason, Verdict
from nodepools.placement.workloads.pod_changes import NO_MATCH_FIELDS, Change, Remove, RemoveLabel

_CAPACITY_TYPES = ("spot", "on-demand", "reserved")
_CACHE_SIZE = 4096


@dataclass(frozen=True, eq=False)
class RequirementSet:
    """Expressions that must all hold, as Karpenter requirements. Equal expressions give the same object, so that each pool evaluates them once."""

    values: Mapping[str, Values]
    present: frozenset[str] = frozenset()
    """Labels that a node must have. A node that Karpenter launches for the pod has them: it gives a value to every required label."""
    flaws: tuple[Reason, ...] = ()
    """Why no node at all can match."""
    contradictory: frozenset[str] = frozenset()
    """Labels of which the pod itself excludes every value; `flaws` has the reasons."""
    expressions: Mapping[str, Expression] | None = None
    """The expressions as the pod writes them, for messages."""

    def expression(self, key: str) -> Expression:
        """The pod's expression about a label."""
        found = (self.expressions or {}).get(key)
        return found if found is not None else Expression(key, "Exists")

    def without(self, keys: Collection[str]) -> "RequirementSet":
        """The requirements of all other labels, to find all further reasons."""
        return replace(self, values={key: values for key, values in self.values.items() if key not in keys}) if keys else self


@dataclass(frozen=True, eq=False)
class SchedulingAttempt:
    """The requirements of Karpenter in one attempt."""

    required: RequirementSet
    combined: RequirementSet
    """The required term together with the preference of this attempt."""
    dropped: int = 0
    """The number of preferences that were dropped before."""
    soft: bool = False
    """Whether `PreferNoSchedule` taints are tolerated."""

    @property
    def relaxed(self) -> bool:
        """A label must exist, and the preference of this attempt excludes values of it.

        Karpenter reads both together as NotIn, which a pool without the label satisfies; the node that it launches has some value of the label.
        """
        return any(self.combined.values[key].permits_absence for key in self.required.present if not self.required.values[key].permits_absence)


class PodRequirements:
    """A pod as Karpenter reads it."""

    def __init__(self, pod: Pod, cloud: Cloud) -> None:
        self.pod: Final = pod
        terms = [None] if pod.required is None else list(pod.required)
        self.alternatives: Final = tuple(_requirements(pod.selector, term) for term in terms)
        """One set for each required term of the node affinity."""
        by_weight = sorted(pod.preferred, key=lambda preference: -preference.weight)
        self.preferences: Final = tuple(preference.term for preference in by_weight)
        """The preferred terms, heaviest first."""
        self.attempts: Final = tuple(_attempts(self.alternatives, [_requirements((), term) for term in self.preferences]))
        """What Karpenter requires, one attempt after another, until a pool accepts the pod."""
        self.relaxed: Final = any(attempt.relaxed for attempt in self.attempts)
        """Whether a preference lets it fit where it could not without: see `SchedulingAttempt.relaxed`."""
        self.ignored: Final = tuple(_ignored(pod, self, cloud))
        """Why Karpenter launches no node for it in any pool."""


def _attempts(alternatives: Sequence[RequirementSet], preferences: Sequence[RequirementSet]) -> Iterator[SchedulingAttempt]:
    """Drops required terms first, all but the last; then preferences, heaviest first; tolerates `PreferNoSchedule` taints last."""
    for required in alternatives:
        yield SchedulingAttempt(required, _both(required, preferences[0]) if preferences else required)
    for required in alternatives[-1:]:
        for dropped in range(1, len(preferences)):
            yield SchedulingAttempt(required, _both(required, preferences[dropped]), dropped)
        if preferences:
            yield SchedulingAttempt(required, required, len(preferences))
        yield SchedulingAttempt(required, required, len(preferences), soft=True)


@lru_cache(maxsize=_CACHE_SIZE)
def _both(required: RequirementSet, preferred: RequirementSet) -> RequirementSet:
    values = Requirements(required.values).merged(preferred.values)
    expressions = {**(preferred.expressions or {}), **(required.expressions or {})}
    contradictory = _contradictory(values, required.present)
    flaws = (*required.flaws, *preferred.flaws, *_contradictions(contradictory, expressions))
    return RequirementSet(values, required.present, flaws, contradictory, expressions)


@lru_cache(maxsize=_CACHE_SIZE)
def _requirements(selector: tuple[Expression, ...], term: Term | None) -> RequirementSet:
    values = Requirements()
    flaws: list[Reason] = [EMPTY_TERM] if term is not None and term.empty else []
    present: set[str] = set()
    expressions: dict[str, Expression] = {}
    for expression in (*selector, *(() if term is None else term.expressions)):
        key = current_label(expression.key)
        if expression.malformed:
            flaws.append(invalid_reason(expression))
            continue
        values = values.merged({key: expression.allowed})
        expressions.setdefault(key, expression)
        if not expression.allowed.permits_absence:
            present.add(key)
    contradictory = _contradictory(values, frozenset(present))
    return RequirementSet(values, frozenset(present), (*flaws, *_contradictions(contradictory, expressions)), contradictory, expressions)


def _contradictory(values: Mapping[str, Values], present: frozenset[str]) -> frozenset[str]:
    """Labels that must exist, of which no value is left."""
    return frozenset(key for key in present if values[key].absent or _excludes_all(values[key]))


def _contradictions(keys: frozenset[str], expressions: Mapping[str, Expression]) -> Iterator[Reason]:
    yield from (_contradiction(expressions[key]) for key in sorted(keys))


def _excludes_all(values: Values) -> bool:
    """Bounds of which every number is excluded."""
    if values.minimum is None or values.maximum is None or values.maximum - values.minimum >= len(values.members):
        return False
    return all(str(number) in values.members for number in range(values.minimum, values.maximum + 1))


def _contradiction(expression: Expression) -> Reason:
    message = f"pod requires `{expression}` and contradicts it in another requirement of `{expression.key}`: no node matches both"
    return Reason(Kind.LABEL, message, Remove(expression))


def _ignored(pod: Pod, requirements: PodRequirements, cloud: Cloud) -> Iterator[Reason]:
    """Karpenter ignores a pod with one invalid expression in any term, even if another term matches."""
    if pod.devices and not cloud.claims:  # IgnoreDRARequests, before 1.15 always
        message = "Karpenter launches a node for a pod with resource claims only from 1.15 on, and with `IGNORE_DRA_REQUESTS=false`"
        yield Reason(Kind.UNSCHEDULABLE, message, verdict=Verdict.UNKNOWN)
    for expression in pod.required_labels:
        key = current_label(expression.key)
        if cloud.refuses(key):
            yield _no_launch(f"selects the restricted label `{expression.key}`", Remove(expression))
        elif expression.malformed or (expression.operator in ("Gt", "Lt") and (integer(expression.values[0]) or 0) < 0):
            yield _no_launch(f"requires `{expression}`, which Karpenter cannot parse", Remove(expression))
        elif key == CAPACITY and expression.operator == "In" and not set(expression.values) & set(_CAPACITY_TYPES):
            known = ", ".join(f"`{name}`" for name in _CAPACITY_TYPES)
            yield _no_launch(f"requires `{expression}`: the value must be one of {known}", suggest_value(expression, _CAPACITY_TYPES))
    for term in pod.required or ():
        if term.fields:
            yield _no_launch(f"requires `{spell(Term(fields=term.fields))}` in `matchFields`", NO_MATCH_FIELDS)
    first = Requirements(requirements.alternatives[0].values if requirements.alternatives else {})
    first = first.merged(_requirements((), requirements.preferences[0]).values if requirements.preferences else {})
    if POOL in first and first[POOL].absent:
        yield _no_launch(f"requires nodes without `{POOL}`", RemoveLabel(POOL))


def _no_launch(cause: str, fix: Change | None) -> Reason:
    return Reason(Kind.UNSCHEDULABLE, f"Karpenter launches no node for a pod that {cause}", fix, Verdict.UNKNOWN)

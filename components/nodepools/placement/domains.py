"""The values of a topology key on the nodes of a pool that a pod can use. Facts: docs/facts/eks.md § 4; Karpenter 1.14, `scheduling/topology.go`."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from nodepools.model.kubernetes.label import Values
from nodepools.model.kubernetes.pod import Expression, Pod
from nodepools.model.kubernetes.topology import PodTopology
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import HOSTNAME
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Kind, Reason
from nodepools.placement.workloads.pod_requirements import RequirementSet

_ANY: Final = Values()


@dataclass(frozen=True, slots=True)
class Domains:
    """The values that a label has on the nodes of a pool."""

    certain: frozenset[str] = frozenset()
    """A node can be created with each of these values, for certain."""
    possible: frozenset[str] = frozenset()
    """Every value that is known to be possible, including the certain ones."""
    further: int | None = 0
    """Nodes may have so many other values, which cannot be determined offline; `None`: there is no bound."""
    undefined: bool = False
    """The pool requires the label and names no value: Karpenter launches no node for a pod that is spread over it."""
    minimum: int = 0
    """The number of values that are certain to exist, known or not."""

    @property
    def others(self) -> bool:
        """Nodes may have values that cannot be determined offline."""
        return self.further != 0

    @property
    def lacks(self) -> bool:
        """No node has the label."""
        return not self.possible and not self.others

    def __or__(self, other: "Domains") -> "Domains":
        return Domains(
            self.certain | other.certain,
            self.possible | other.possible,
            most_further((self, other)),
            self.undefined and other.undefined,
            max(self.minimum, other.minimum),
        )


ABSENT: Final = Domains()


def most_further(found: Iterable[Domains]) -> int | None:
    """The most values that are not known of several domains: the clouds have the same zones for all pools."""
    counts = [domains.further for domains in found]
    known = [count for count in counts if count is not None]
    return max(known, default=0) if len(known) == len(counts) else None


def named(values: Iterable[str], certain: Iterable[str]) -> Domains:
    """Values that are all known."""
    known = frozenset(certain)
    return Domains(known, frozenset(values) | known, minimum=len(known))


def static_domains(pool: StaticPool, pod: Pod, key: str) -> Domains:
    """The values on the nodes of a static pool that the pod's node selector and affinity allow."""
    variants = [labels for labels in pool.variants if _may_match(pool, pod, labels)]
    if key in pool.choices:
        possible = {value for value in pool.choices[key] for labels in variants if _may_match(pool, pod, {**labels, key: value})}
        return Domains(possible=frozenset(possible), minimum=min(len(possible), 1))
    values = {labels[key] for labels in variants if key in labels}
    others = any(key not in labels and pool.may_set(key) for labels in variants)
    return Domains(
        frozenset(values) if len(values) == 1 and not others else frozenset(), frozenset(values), None if others else 0, minimum=min(len(values), 1)
    )


def needed_keys(topology: PodTopology) -> frozenset[str]:
    """The labels that spreads and affinities are over, and that not every node has."""
    return frozenset((*(spread.key for spread in topology.spreads), *(term.key for term in topology.affinities))) - {HOSTNAME}


def without_keys(pools: Iterable[StaticPool], keys: AbstractSet[str]) -> Mapping[str, Reason]:
    """The static pools whose nodes lack a label that a spread or affinity is over: kube-scheduler binds such pods to no node without it."""
    lacking = {pool.address: key for pool in pools for key in keys if static_domains(pool, Pod(), key).lacks}
    return {
        address: Reason(Kind.PODS, f"node(s) without label `{key}`, which a spread or affinity of the pod is over", subject=f"label `{key}`")
        for address, key in lacking.items()
    }


def certain_nodes(pool: StaticPool, pod: Pod) -> int:
    """The nodes that have the labels that a pod requires, for certain: all, or none if they can be in a zone that the pod excludes."""
    return pool.most_sure if all(_may_match(pool, pod, labels) for labels in pool.variants) else 0


def nodes_in_domains(pool: StaticPool, pod: Pod, key: str) -> Mapping[str, int]:
    """The nodes that a pod can use and that are certain to be there, by the value of a topology key.

    An autoscaler adds nodes in the zone that pods need if the pool has only that one.
    """
    values = {labels.get(key) for labels in pool.variants}
    return {value: certain_nodes(pool, pod) for value in values if value is not None} if len(values) == 1 else {}


def _may_match(pool: StaticPool, pod: Pod, labels: Mapping[str, str]) -> bool:
    if not all(_may_have(pool, labels, expression) for expression in pod.selector):
        return False
    return pod.required is None or any(all(_may_have(pool, labels, expression) for expression in term.expressions) for term in pod.required)


def _may_have(pool: StaticPool, labels: Mapping[str, str], expression: Expression) -> bool:
    if expression.key not in labels and expression.key in pool.choices:
        return any(map(expression.matches, pool.choices[expression.key]))
    return expression.matches(labels.get(expression.key)) or (expression.key not in labels and pool.may_set(expression.key))


def provisioned_domains(pool: KarpenterPool, alternatives: Sequence[RequirementSet], key: str) -> Domains:
    """The values on the nodes of a NodePool that one of the pod's required terms allows."""
    found: Domains | None = None
    for required in dict.fromkeys(required.values.get(key, _ANY) for required in alternatives):
        domains = _of_values(pool, required, key)
        found = domains if found is None else found | domains
    return ABSENT if found is None else found


def _of_values(pool: KarpenterPool, required: Values, key: str) -> Domains:
    offered, cloud = pool.offered.get(key), pool.cloud
    both = (offered if offered is not None else _ANY) & required
    if key in pool.choices:
        return _of_choice(pool, both, key)
    if cloud.index.knows(key):
        types = pool.types
        values = frozenset(value for value in cloud.index.values(key, types.possible) if value in both)
        return Domains(frozenset(), values, None if cloud.index.many(key, types.possible) > len(cloud.index.values(key, types.possible)) else 0)
    if offered is None or offered.absent:
        return Domains(further=None) if cloud.may_set(key) or key in cloud.well_known else ABSENT
    if offered.complement:
        return Domains(further=None, undefined=True) if both.complement else named(both.members, ())
    return named(both.members, both.members)


def _of_choice(pool: KarpenterPool, both: Values, key: str) -> Domains:
    choice = pool.choices[key]
    certain = frozenset(value for value in choice.certain if value in both)
    possible = certain | frozenset(value for value in choice.possible if value in both)
    if choice.may_include is None:
        return Domains(certain, possible, minimum=len(certain))
    if not both.complement:
        possible |= frozenset(value for value in both.members if choice.may_include(value))
        return Domains(certain, possible, minimum=len(certain))
    return Domains(certain, possible, choice.further, minimum=max(len(certain), choice.min_count if both == _ANY else 0))

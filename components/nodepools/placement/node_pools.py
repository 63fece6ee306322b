"""A NodePool: what its nodes can be. Facts: docs/facts/eks.md § 4.2, § 4.5."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.kubernetes.requirement import Operator, Requirements, Values
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.cloud_labels import DEPRECATED_LABELS, POOL, Cloud
from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, Split
from nodepools.placement.verdict import Reason

if TYPE_CHECKING:
    from nodepools.placement.pod_requirements import RequirementSet


@dataclass(frozen=True, eq=False)
class KarpenterPool:
    """A NodePool where it stands."""

    address: str
    name: str
    cloud: Cloud = field(repr=False)
    pool: NodePool
    labels: Mapping[str, str]
    """All that its nodes get by the template."""
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    """What Karpenter adds, such as the name of the node class."""
    choices: Mapping[str, LabelValues] = field(default_factory=dict[str, LabelValues], repr=False)
    disk: Bounds = UNKNOWN_AMOUNT
    also: tuple[Requirement, ...] = ()
    """What its node class asks of machines, beside its own requirements."""
    known: dict["RequirementSet", tuple[Reason, ...]] = field(default_factory=dict["RequirementSet", tuple[Reason, ...]], repr=False)
    """What was found of a way, whatever the types."""
    typed: dict["RequirementSet", Split] = field(default_factory=dict["RequirementSet", Split], repr=False)
    """Its types that have the labels of a way."""

    @property
    def weight(self) -> int:
        """0 where none is declared."""
        return self.pool.weight if self.pool.weight is not None else 0

    @property
    def taints(self) -> tuple[Taint, ...]:
        """Those that count: startup taints are gone by the time a pod comes."""
        return tuple(self.pool.taints)

    @property
    def order(self) -> tuple[int, list[int]]:
        """Its place among NodePools: heavier first, and of equal weights the last name."""
        return -self.weight, [-ord(letter) for letter in self.name] + [1]

    @cached_property
    def offered(self) -> Requirements:
        """What it offers, label by label."""
        offered = Requirements()
        for requirement in (*self.pool.requirements, *self.also):
            offered = offered.merged({DEPRECATED_LABELS.get(requirement.key, requirement.key): requirement.allowed})
        given = {**self.labels, POOL: self.name, "karpenter.sh/registered": "true", "karpenter.sh/initialized": "true", **self.own}
        for key, value in given.items():
            offered = offered.merged({DEPRECATED_LABELS.get(key, key): Values.of(Operator.IN, [value])})
        return offered

    @cached_property
    def least_values(self) -> Mapping[str, int]:
        """How many values of a label must remain (`minValues`)."""
        asked: dict[str, int] = {}
        for requirement in self.pool.requirements:
            if requirement.min_values is not None:
                key = DEPRECATED_LABELS.get(requirement.key, requirement.key)
                asked[key] = max(asked.get(key, 0), requirement.min_values)
        return asked

    @cached_property
    def types(self) -> Split:
        """The types that its requirements admit; none for sure where they ask for what no table tells of types."""
        return self.cloud.index.admitted((key, values) for key, values in self.offered.items() if self.cloud.of_types(key))

    @cached_property
    def limits(self) -> Mapping[str, int]:
        """What all its nodes together may have, in thousandths."""
        return {resource: thousandths(quantity, resource) for resource, quantity in self.pool.limits.items()}

    def settles(self, key: str, wanted: Values) -> bool:
        """The pool itself says of the label what pods that want this can have, whatever the type."""
        offer = self.offered.get(key)
        return not self.cloud.index.knows(key) and offer is not None and not offer.complement and all(value in wanted for value in offer.members)

    @cached_property
    def affordable(self) -> Split:
        """The admitted types of which at least one node is within the limits."""
        found = self.types
        for resource, limit in self.limits.items():
            if resource != "nodes":
                found &= self.cloud.index.within(resource, limit)
        return found

"""Labels whose value the cluster decides, not the instance type: region, zone, capacity type and others; and what node classes set.

Facts: docs/facts/eks.md § 2, aks.md § 3.4.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.requirement import Values
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds
from nodepools.placement.verdict import Verdict

_UNBOUNDED = 10**6


@dataclass(frozen=True)
class LabelValues:
    """The values that a label can have in a cluster."""

    certain: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    """Values that the cluster may have."""
    may_include: Callable[[str], bool] | None = None
    """Whether nodes may have another value; `None`: `certain` and `possible` are complete."""
    min_count: int = 1
    """The minimum number of values, known or not."""
    max_count: int | None = None
    """The maximum number of values, known or not, if `may_include`; `None`: there is no bound."""
    unknown_reason: str = ""
    """Why a pool that requires only `possible` values may never have a node; empty if a pod's own requirement decides it."""
    assumed: bool = False
    """`certain` are the values that a NodePool names. Whether nodes can launch there is not known."""

    def verdict(self, allowed: Values) -> Verdict:
        """Some value is allowed."""
        if any(value in allowed for value in self.certain):
            return Verdict.FITS
        if any(value in allowed for value in self.possible) or (self.may_include is not None and self._others(allowed, self.may_include)):
            bounded = allowed.minimum is not None or allowed.maximum is not None
            excludes_few = self.may_include is not None and allowed.complement and not bounded and len(allowed.members) < self.min_count
            return Verdict.FITS if excludes_few else Verdict.UNKNOWN
        return Verdict.CANNOT

    def many(self, *, certain: bool) -> int:
        """The minimum (`certain`) or maximum number of values."""
        if certain:
            return max(len(self.certain), self.min_count)
        return len(self.certain | self.possible) if self.may_include is None else _UNBOUNDED

    @property
    def further(self) -> int | None:
        """How many values the label may have next to the known ones, if `may_include`; `None`: there is no bound."""
        return None if self.max_count is None else max(self.max_count - len(self.certain | self.possible), 0)

    def named_by(self, offered: Values | None) -> "LabelValues":
        """The values that a NodePool names, if the values of the cluster are not known: the NodePool is made for them."""
        if self.certain or self.may_include is None or offered is None or offered.complement:
            return self
        named = frozenset(value for value in offered.members if self.may_include(value))
        return LabelValues(named, self.possible, assumed=True) if named else self

    @staticmethod
    def _others(allowed: Values, may_include: Callable[[str], bool]) -> bool:
        """A value that is not known here may be allowed. With a bound, it is an integer."""
        if not allowed.complement:
            return any(may_include(value) for value in allowed.members)
        bounds = [bound for bound in (allowed.minimum, allowed.maximum) if bound is not None]
        return not bounds or any(may_include(str(bound)) for bound in bounds)


def unknown(may_include: Callable[[str], bool] = lambda _: True) -> LabelValues:
    """A value that is not known here."""
    return LabelValues(may_include=may_include)


def found(values: frozenset[str]) -> LabelValues:
    """The values of the nodes; a value that is not known here if there are no nodes."""
    return LabelValues(values) if values else unknown()


UNRESERVED: Final = LabelValues(frozenset({"on-demand", "spot"}))
"""Capacity types without capacity reservations."""


@dataclass(frozen=True)
class OfClass:
    """Properties of all nodes of a node class."""

    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    choices: Mapping[str, LabelValues] = field(default_factory=dict[str, LabelValues])
    """Labels whose value is not known."""
    disk: Bounds = UNKNOWN_AMOUNT
    requirements: tuple[Requirement, ...] = ()
    """Requirements that the machines must satisfy."""


RawObject: TypeAlias = Mapping[str, object]
ExistingClass: TypeAlias = tuple[OfClass, Mapping[str, LabelValues]]
ReadClass: TypeAlias = Callable[[str, RawObject | None, frozenset[str]], ExistingClass]
"""Reads a node class from its name and its object (`None` if no file contains it); the regions are those of the known nodes."""

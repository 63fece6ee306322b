"""Instance types under requirements: an index with a bit set (an int) for each value of each label.

Facts about a type can be unknown. So every question has two answers: the types that are certain to satisfy it, and those that possibly do.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast

from nodepools.model.kubernetes.label import GENERATIONS, Values
from nodepools.model.values import dataclass, field

Bits: TypeAlias = int
T = TypeVar("T")


class Split(NamedTuple):
    """Types that are certain to satisfy something, and those that possibly do. The latter include the former."""

    certain: Bits
    possible: Bits

    def __and__(self, other: "Split") -> "Split":
        return Split(self.certain & other.certain, self.possible & other.possible)


@dataclass(frozen=True, slots=True)
class Bounds:
    """An amount between a proven minimum and maximum, in thousandths. `most=None`: unknown."""

    least: int = 0
    most: int | None = None


LEAST_OF_A_MACHINE = {"cpu": 1000, "memory": 1}
"""What every machine has, in thousandths."""
SEEN_MEMORY: Final = 0.9
"""The part of a machine's memory that is certain to count against a limit: up to a tenth is reserved, and not counted."""
NO_AMOUNT = Bounds(0, 0)
UNKNOWN_AMOUNT = Bounds()


def hull(found: Sequence[Bounds]) -> Bounds:
    """The smallest bounds that contain all of these; there is at least one."""
    most = [one.most for one in found if one.most is not None]
    return Bounds(min(one.least for one in found), max(most) if len(most) == len(found) else None)


@dataclass(frozen=True, slots=True)
class Machine:
    """An instance type: its labels (`None`: it has the label with an unknown value) and its allocatable resources."""

    name: str
    """Empty for all types that the tables do not have."""
    labels: Mapping[str, str | None]
    offers: Mapping[str, Bounds]
    certain: bool = True
    """Whether the cloud is certain to offer it."""


class _Ladder:
    """Types sorted by an amount."""

    def __init__(self, amounts: Sequence[int | None]) -> None:
        ranked = sorted((amount, place) for place, amount in enumerate(amounts) if amount is not None)
        self._steps = [amount for amount, _ in ranked]
        self.unknown = sum(1 << place for place, amount in enumerate(amounts) if amount is None)
        self._from = [0] * (len(ranked) + 1)
        for index in range(len(ranked) - 1, -1, -1):
            self._from[index] = self._from[index + 1] | (1 << ranked[index][1])

    def minimum(self, amount: int) -> Bits:
        return self._from[bisect_left(self._steps, amount)] | self.unknown

    def maximum(self, amount: int) -> Bits:
        return self._from[0] & ~self._from[bisect_left(self._steps, amount + 1)]


@dataclass(frozen=True)
class TypeIndex:
    """All instance types of a cloud, indexed by label and amount."""

    machines: tuple[Machine, ...]
    well_known: frozenset[str] = frozenset()
    """Labels of types with unknown values: they exclude no type, and none is certain to match."""
    rare: frozenset[str] = frozenset()
    """Labels that nodes have only in special cases, which are not known here."""
    _labels: dict[tuple[str, Values], Split] = field(default_factory=dict[tuple[str, Values], Split], repr=False, compare=False)
    _offers: dict[tuple[str, int], Split] = field(default_factory=dict[tuple[str, int], Split], repr=False, compare=False)
    _taken: dict[Bits, tuple[Machine, ...]] = field(default_factory=dict[Bits, "tuple[Machine, ...]"], repr=False, compare=False)
    _names: dict[Bits, tuple[str, ...]] = field(default_factory=dict[Bits, tuple[str, ...]], repr=False, compare=False)
    _most: dict[tuple[str, Bits], tuple[str, int]] = field(default_factory=dict[tuple[str, Bits], tuple[str, int]], repr=False, compare=False)
    _fewest: dict[tuple[str, Bits, int], int] = field(default_factory=dict[tuple[str, Bits, int], int], repr=False, compare=False)
    _roomiest: dict[tuple[str, Bits], Machine] = field(default_factory=dict[tuple[str, Bits], Machine], repr=False, compare=False)
    _groups: dict[Callable[[Machine], object], Mapping[object, Bits]] = field(
        default_factory=dict[Callable[[Machine], object], Mapping[object, Bits]], repr=False, compare=False
    )
    _alike: dict[frozenset[str], Sequence[Bits]] = field(default_factory=dict[frozenset[str], Sequence[Bits]], repr=False, compare=False)
    _different: dict[tuple[Bits, frozenset[str]], tuple[Machine, ...]] = field(
        default_factory=dict[tuple[Bits, frozenset[str]], "tuple[Machine, ...]"], repr=False, compare=False
    )
    _ladders: dict[str, tuple[_Ladder, _Ladder]] = field(default_factory=dict[str, "tuple[_Ladder, _Ladder]"], repr=False, compare=False)

    @cached_property
    def everything(self) -> Split:
        """All types."""
        return Split(sum(1 << place for place, machine in enumerate(self.machines) if machine.certain), (1 << len(self.machines)) - 1)

    @cached_property
    def _by_label(self) -> Mapping[str, Mapping[str | None, Bits]]:
        index: dict[str, dict[str | None, Bits]] = {}
        for place, machine in enumerate(self.machines):
            for key, value in machine.labels.items():
                values = index.setdefault(key, {})
                values[value] = values.get(value, 0) | (1 << place)
        return index

    def knows(self, key: str) -> bool:
        """The values of the label are known for each type."""
        return key in self._by_label

    def decides(self, key: str) -> bool:
        """Instance types decide the value of the label."""
        return key in self._by_label or key in self.well_known or key in self.rare

    def admitting(self, key: str, allowed: Values) -> Split:
        """The types whose label `key` may be `allowed`; all types if instance types do not have the label."""
        known = self._labels.get((key, allowed))
        if known is None:
            known = self._labels[key, allowed] = self._admitting(key, allowed)
        return known

    def _admitting(self, key: str, allowed: Values) -> Split:
        if key not in self._by_label:
            decided = key not in self.well_known and (key not in self.rare or allowed.permits_absence)
            return self.everything if decided else Split(0, self.everything.possible)
        found = present = 0
        unknown = self._by_label[key].get(None, 0)
        for value, types in self._by_label[key].items():
            present |= types
            if value is not None and value in allowed:
                found |= types
        if allowed.permits_absence:
            found |= self.everything.possible & ~present
        return Split(found & self.everything.certain, found | unknown)

    def admitted(self, required: Iterable[tuple[str, Values]]) -> Split:
        """The types that satisfy all of `required`."""
        found = self.everything
        for key, allowed in required:
            found &= self.admitting(key, allowed)
        return found

    def holding(self, resource: str, amount: int) -> Split:
        """The types with at least this amount of a resource allocatable."""
        known = self._offers.get((resource, amount))
        if known is None:
            least, most = self._ladder(resource)
            known = self._offers[resource, amount] = Split(least.minimum(amount) & self.everything.certain, most.minimum(amount))
        return known

    def within(self, resource: str, limit: int) -> Split:
        """The types of which one node is within a limit. A machine keeps up to a tenth of its memory for itself, before any is reserved."""
        _, most = self._ladder(resource)
        kept = limit * 10 // 9 if resource == "memory" else limit
        unknown = 0 if limit < LEAST_OF_A_MACHINE.get(resource, 0) else most.unknown
        return Split(most.maximum(limit) & self.everything.certain, most.maximum(kept) | unknown)

    def most(self, resource: str, among: Bits) -> tuple[str, int]:
        """The type of `among` with the most of a resource, and how much; types with an unknown amount are excluded."""
        if (resource, among) not in self._most:
            self._most[resource, among] = self._find_most(resource, among)
        return self._most[resource, among]

    def roomiest(self, resource: str, among: Bits) -> Machine:
        """The type of `among` (not empty) that is certain to have the most of a resource allocatable."""
        if (resource, among) not in self._roomiest:
            taken = self.taken(among)
            self._roomiest[resource, among] = max(taken, key=lambda machine: (machine.offers.get(resource, UNKNOWN_AMOUNT).least, machine.name))
        return self._roomiest[resource, among]

    def _find_most(self, resource: str, among: Bits) -> tuple[str, int]:
        found = [(machine.offers.get(resource, UNKNOWN_AMOUNT).most, machine.name) for machine in self.taken(among)]
        amount, name = max(((amount, name) for amount, name in found if amount is not None), default=(0, ""))
        return name, amount

    def fewest(self, resource: str, among: Bits, unknown: int) -> int:
        """The smallest amount of a resource in `among` (not empty); `unknown` counts for types with an unknown amount."""
        if (resource, among, unknown) not in self._fewest:
            amounts = [machine.offers.get(resource, UNKNOWN_AMOUNT).most for machine in self.taken(among)]
            self._fewest[resource, among, unknown] = min(unknown if amount is None else amount for amount in amounts)
        return self._fewest[resource, among, unknown]

    def many(self, key: str, among: Bits) -> int:
        """The maximum number of values of a label among some types."""
        if key in self.well_known or key in self.rare:
            return len(self.machines)
        return len(self.values(key, among)) + (self._by_label.get(key, {}).get(None, 0) & among).bit_count()

    def values(self, key: str, among: Bits) -> frozenset[str]:
        """The known values of a label among some types."""
        return frozenset(value for value, types in self._by_label.get(key, {}).items() if value is not None and types & among)

    def newer(self, key: str, allowed: Values) -> frozenset[str]:
        """What a requirement names that no known type has, and that one newer than the table can have."""
        known = self.values(key, self.everything.possible)
        last = allowed.above(known) if key in GENERATIONS else None
        return frozenset({f"{key} above {last}"}) if last is not None else frozenset() if allowed.complement else allowed.members - known

    def grouped(self, by: Callable[[Machine], T], among: Bits) -> dict[T, Bits]:
        """Some types by what `by` returns for each, in the order of the first type of each group."""
        if by not in self._groups:
            groups: dict[object, Bits] = {}
            for place, machine in enumerate(self.machines):
                key = by(machine)
                groups[key] = groups.get(key, 0) | (1 << place)
            self._groups[by] = groups
        found = {key: types & among for key, types in cast("Mapping[T, Bits]", self._groups[by]).items() if types & among}
        return dict(sorted(found.items(), key=lambda group: group[1] & -group[1]))

    def knows_amounts(self, resource: str, among: Bits) -> bool:
        """The amount of a resource is known for all these types."""
        return not self._ladder(resource)[1].unknown & among

    def taken(self, bits: Bits) -> tuple[Machine, ...]:
        """The types of a bit set, in order."""
        if bits not in self._taken:
            self._taken[bits] = tuple(compress(self.machines, map(int, reversed(f"{bits:b}"))))
        return self._taken[bits]

    def different(self, bits: Bits, resources: frozenset[str]) -> tuple[Machine, ...]:
        """One type of a bit set for each of the amounts that they have of some resources."""
        if resources not in self._alike:
            groups: dict[object, Bits] = {}
            for place, machine in enumerate(self.machines):
                amounts = tuple(machine.offers.get(resource) for resource in resources)
                groups[amounts] = groups.get(amounts, 0) | (1 << place)
            self._alike[resources] = tuple(groups.values())
        if (bits, resources) not in self._different:
            found = (types & bits for types in self._alike[resources])
            self._different[bits, resources] = tuple(self.machines[(types & -types).bit_length() - 1] for types in found if types)
        return self._different[bits, resources]

    def names(self, bits: Bits) -> tuple[str, ...]:
        """Their names, sorted, without the one for types that are not known."""
        if bits not in self._names:
            self._names[bits] = tuple(sorted(machine.name for machine in self.taken(bits) if machine.name))
        return self._names[bits]

    def _ladder(self, resource: str) -> tuple[_Ladder, _Ladder]:
        if resource not in self._ladders:
            offers = [machine.offers.get(resource, UNKNOWN_AMOUNT) for machine in self.machines]
            self._ladders[resource] = _Ladder([bounds.least for bounds in offers]), _Ladder([bounds.most for bounds in offers])
        return self._ladders[resource]

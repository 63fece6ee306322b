"""Kinds of label key, by the values they take."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from nodepools.model.karpenter import Operator, Requirement
from nodepools.model.kubernetes.quantity import amount

L = TypeVar("L", bound=str)
_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Key:
    """A label that nodes carry."""

    name: str

    def exists(self) -> Requirement:
        """Any value will do."""
        return self._requirement("Exists")

    def does_not_exist(self) -> Requirement:
        """Nodes with this label are excluded."""
        return self._requirement("DoesNotExist")

    def _requirement(self, operator: Operator, values: Sequence[object] = (), min_values: int | None = None) -> Requirement:
        return Requirement(self.name, operator, [str(value) for value in values], min_values=min_values)


@dataclass(frozen=True, slots=True)
class Choice(Key, Generic[L]):
    """Takes one of a known set of words."""

    def one_of(self, *values: L, min_values: int | None = None) -> Requirement:
        """Any of these; `min_values` asks that so many of them remain possible."""
        return self._requirement("In", values, min_values)

    def not_in(self, *values: L) -> Requirement:
        """None of these."""
        return self._requirement("NotIn", values)


@dataclass(frozen=True, slots=True)
class Text(Choice[str]):
    """Takes any word."""


@dataclass(frozen=True, slots=True)
class Flag(Key):
    """Takes `true` and `false`, as text."""

    def is_true(self) -> Requirement:
        """Nodes that have it."""
        return self._requirement("In", ["true"])

    def is_false(self) -> Requirement:
        """Nodes that have it not."""
        return self._requirement("In", ["false"])


@dataclass(frozen=True, slots=True)
class Number(Key):
    """Takes whole numbers."""

    unit: str = ""

    def one_of(self, *values: int, min_values: int | None = None) -> Requirement:
        """Any of these."""
        return self._requirement("In", values, min_values)

    def not_in(self, *values: int) -> Requirement:
        """None of these."""
        return self._requirement("NotIn", values)

    def more_than(self, value: int) -> Requirement:
        """Greater than, not equal."""
        return self._requirement("Gt", [value])

    def less_than(self, value: int) -> Requirement:
        """Less than, not equal."""
        return self._requirement("Lt", [value])


@dataclass(frozen=True, slots=True)
class Memory(Key):
    """Takes MiB. Given as a quantity, `"16Gi"`: a bare number is refused, since half of those who write one mean GiB."""

    def one_of(self, *values: str, min_values: int | None = None) -> Requirement:
        """Any of these."""
        return self._requirement("In", [mebibytes(value) for value in values], min_values)

    def not_in(self, *values: str) -> Requirement:
        """None of these."""
        return self._requirement("NotIn", [mebibytes(value) for value in values])

    def more_than(self, value: str) -> Requirement:
        """Greater than, not equal."""
        return self._requirement("Gt", [mebibytes(value)])

    def less_than(self, value: str) -> Requirement:
        """Less than, not equal."""
        return self._requirement("Lt", [mebibytes(value)])


def mebibytes(quantity: str) -> str:
    """`16Gi` is `16384`; what is no whole number of MiB, or has no unit, stays as written, for the requirement's own check to refuse."""
    try:
        number = amount(quantity) / _MEBIBYTE
    except (TypeError, ValueError):
        return quantity
    return str(int(number)) if quantity[-1].isalpha() and number == int(number) else quantity

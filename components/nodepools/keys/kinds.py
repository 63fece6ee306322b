"""Kinds of label keys, by the values that they accept."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from nodepools.model.karpenter import Operator, Requirement
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.values import dataclass

L = TypeVar("L", bound=str | int)
_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Key:
    """A label key of nodes."""

    name: str

    def exists(self) -> Requirement:
        """The node has the label, with any value."""
        return self._requirement("Exists")

    def does_not_exist(self) -> Requirement:
        """The node does not have the label."""
        return self._requirement("DoesNotExist")

    def _requirement(self, operator: Operator, values: Sequence[object] = (), min_values: int | None = None) -> Requirement:
        return Requirement(self.name, operator, [str(value) for value in values], min_values=min_values)


@dataclass(frozen=True, slots=True)
class Choice(Key, Generic[L]):
    """A label with a known set of values."""

    def one_of(self, *values: L, min_values: int | None = None) -> Requirement:
        """One of these values. With `min_values`, at least that many of them must remain possible."""
        return self._requirement("In", values, min_values)

    def not_in(self, *values: L) -> Requirement:
        """None of these values."""
        return self._requirement("NotIn", values)


@dataclass(frozen=True, slots=True)
class Text(Choice[str]):
    """A label with any text as value."""


@dataclass(frozen=True, slots=True)
class Flag(Key):
    """A label with the values `true` and `false`, as text."""

    def is_true(self) -> Requirement:
        """The value is `true`."""
        return self._requirement("In", ["true"])

    def is_false(self) -> Requirement:
        """The value is `false`."""
        return self._requirement("In", ["false"])


@dataclass(frozen=True, slots=True)
class Number(Choice[int]):
    """A label with whole numbers as values."""

    unit: str = ""

    def more_than(self, value: int) -> Requirement:
        """Greater than `value`, not equal."""
        return self._requirement("Gt", [value])

    def less_than(self, value: int) -> Requirement:
        """Less than `value`, not equal."""
        return self._requirement("Lt", [value])


@dataclass(frozen=True, slots=True)
class Memory(Key):
    """A label in MiB. Values are quantities such as `"16Gi"`; a bare number is rejected, because it could mean GiB as well as MiB."""

    def one_of(self, *values: str, min_values: int | None = None) -> Requirement:
        """One of these values. With `min_values`, at least that many of them must remain possible."""
        return self._requirement("In", [mebibytes(value) for value in values], min_values)

    def not_in(self, *values: str) -> Requirement:
        """None of these values."""
        return self._requirement("NotIn", [mebibytes(value) for value in values])

    def more_than(self, value: str) -> Requirement:
        """Greater than `value`, not equal."""
        return self._requirement("Gt", [mebibytes(value)])

    def less_than(self, value: str) -> Requirement:
        """Less than `value`, not equal."""
        return self._requirement("Lt", [mebibytes(value)])


def mebibytes(quantity: str) -> str:
    """`16Gi` is `16384`. A value without a unit, or not in whole MiB, is returned as written, and validation of the requirement then rejects it."""
    try:
        number = amount(quantity) / _MEBIBYTE
    except (TypeError, ValueError):
        return quantity
    return str(int(number)) if quantity[-1].isalpha() and number == int(number) else quantity

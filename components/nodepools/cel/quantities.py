"""Functions of quantities and of semantic versions."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final, TypeAlias, cast

from nodepools.cel.errors import EvaluationError, NotCheckedError
from nodepools.cel.functions import Variant, function, member, text
from nodepools.cel.operators import bounded
from nodepools.cel.values import LARGEST_INT

_QUANTITY: Final = re.compile(r"([-+]?)([0-9]+\.?[0-9]*|\.[0-9]+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][-+]?[0-9]{1,3})?")
_LONGEST: Final = 40
_POWERS: Final = {
    **{suffix: Fraction(1024**power) for power, suffix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)},
    **{suffix: Fraction(1000) ** power for power, suffix in zip((-3, -2, -1, 1, 2, 3, 4, 5, 6), "numkMGTPE", strict=True)},
}
_NANO: Final = 10**9
_SEMVER: Final = re.compile(
    r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
    r"(?:-((?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)
_PARTS: Final = 3


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity of Kubernetes."""

    amount: Fraction
    is_small: bool = False
    """Written in a unit smaller than one, such as `1000m`: the API server does not convert it to an integer."""


def quantity(value: str) -> Quantity:
    """Reads a quantity. Parts smaller than a billionth are rounded up.

    Raises:
        EvaluationError: it is not one.
        NotCheckedError: it has very many digits.
    """
    match = _QUANTITY.fullmatch(value)
    if match is None:
        raise EvaluationError("a text is not a quantity")
    if len(value) > _LONGEST:
        raise NotCheckedError(f"reads a quantity with more than {_LONGEST} characters")
    suffix = match[3] if match[3] is not None else ""
    unit = Fraction(10) ** int(suffix[1:]) if suffix[:1] in {"e", "E"} and len(suffix) > 1 and suffix != "Ei" else _POWERS.get(suffix, Fraction(1))
    exact = Fraction(match[2].rstrip(".") if match[2].endswith(".") else match[2]) * unit
    amount = Fraction(ceil(exact * _NANO), _NANO)
    if amount > LARGEST_INT:
        raise NotCheckedError("reads a quantity with more than 64 bits")
    return Quantity(-amount if match[1] == "-" else amount, "." in match[2].rstrip(".0") or unit < 1)


def _reads(read: Callable[..., object]) -> Callable[..., bool]:
    def can_read(*given: object) -> bool:
        try:
            read(*given)
        except EvaluationError:
            return False
        return True

    return can_read


def _is_integer(target: Quantity) -> bool:
    if target.is_small and target.amount.denominator == 1:
        raise NotCheckedError("asks whether a quantity in a small unit is an integer, which depends on how the API server stores it")
    return target.amount.denominator == 1


def _as_integer(target: Quantity) -> int:
    if not _is_integer(target):
        raise EvaluationError("cannot convert value to integer")
    return bounded(floor(target.amount))


def _sign(target: Fraction) -> int:
    return (target > 0) - (target < 0)


def _plus(sign: int) -> Callable[[Quantity, Quantity | int], Quantity]:
    def added(target: Quantity, other: Quantity | int) -> Quantity:
        more, is_small = (other.amount, other.is_small) if isinstance(other, Quantity) else (Fraction(other), False)
        return Quantity(target.amount + sign * more, target.is_small or is_small)

    return added


Part: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Version:
    """A semantic version. What follows `+` is part of it, and has no order."""

    numbers: tuple[int, ...]
    pre: str
    build: str

    @property
    def key(self) -> tuple[object, ...]:
        """What orders versions: one with a pre-release is before the one without."""
        return (self.numbers, self.pre == "", tuple(_part(part) for part in self.pre.split(".")))


def _part(text: str) -> Part:
    return (0, int(text), "") if text.isdecimal() else (1, 0, text)


def _version(value: str, normalize: bool = False) -> Version:  # noqa: FBT001, FBT002  # called by its place
    match = _SEMVER.fullmatch(_normal(value) if normalize else value)
    if match is None:
        raise EvaluationError("a text is not a semantic version")
    pre, build = match[4], match[5]
    return Version(tuple(bounded(int(number), is_unsigned=True) for number in match.groups()[:_PARTS]), pre if pre else "", build if build else "")


def _normal(value: str) -> str:
    """Removes a `v` and leading zeros, and adds the numbers that are missing."""
    parts = value.removeprefix("v").split(".", 2)
    parts = [re.sub(r"^0+(?=[0-9])", "", part) for part in parts]
    if len(parts) < _PARTS and re.search(r"[-+]", parts[-1]):
        raise EvaluationError("short version cannot contain PreRelease/Build meta data")
    return ".".join([*parts, *["0"] * (_PARTS - len(parts))])


def _order(version: Version, other: Version) -> int:
    left, right = cast("tuple[Fraction, Fraction]", (version.key, other.key))
    return (left > right) - (left < right)


QUANTITIES: Final[tuple[Variant, ...]] = (
    function("quantity", (str,), quantity, text),
    function("isQuantity", (str,), _reads(quantity), text),
    function("sign", (Quantity,), lambda value: _sign(value.amount)),
    member("isGreaterThan", (Quantity, Quantity), lambda item, other: item.amount > other.amount),
    member("isLessThan", (Quantity, Quantity), lambda item, other: item.amount < other.amount),
    member("compareTo", (Quantity, Quantity), lambda item, other: _sign(item.amount - other.amount)),
    member("asApproximateFloat", (Quantity,), lambda value: float(value.amount)),
    member("asInteger", (Quantity,), _as_integer),
    member("isInteger", (Quantity,), _is_integer),
    *(member("add", (Quantity, kind), _plus(1)) for kind in (Quantity, int)),
    *(member("sub", (Quantity, kind), _plus(-1)) for kind in (Quantity, int)),
)
VERSIONS: Final[tuple[Variant, ...]] = (
    function("semver", (str,), _version, text),
    function("semver", (str, bool), _version, text),
    function("isSemver", (str,), _reads(_version), text),
    function("isSemver", (str, bool), _reads(_version), text),
    member("isGreaterThan", (Version, Version), lambda item, other: _order(item, other) > 0),
    member("isLessThan", (Version, Version), lambda item, other: _order(item, other) < 0),
    member("compareTo", (Version, Version), _order),
    *(member(name, (Version,), lambda value, at=at: value.numbers[at]) for at, name in enumerate(("major", "minor", "patch"))),
)

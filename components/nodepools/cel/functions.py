"""The table of a function: its variants by the types of their arguments, and what a call costs."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar, cast, overload

from nodepools.cel.meter import Meter, MismatchError
from nodepools.cel.values import MapList, SetList, named, size

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
LIST: Final[type[list[object]]] = list
MAP: Final[type[dict[object, object]]] = dict
Cost: TypeAlias = Callable[[Sequence[object]], int]
Signature: TypeAlias = tuple[str, bool, int]
"""Name, whether it is called on a value (`x.f()`), and the number of arguments with that value."""


def one(_: Sequence[object]) -> int:
    """The cost of a step."""
    return 1


def text(given: Sequence[object]) -> int:
    """The cost of reading the first argument: a tenth of its length."""
    return math.ceil(size(given[0]) / 10)


def entries(given: Sequence[object]) -> int:
    """The cost of visiting every entry of the first argument."""
    return size(given[0])


def expression(given: Sequence[object]) -> int:
    """The cost of a regular expression."""
    return math.ceil((1 + size(given[0])) / 10) * math.ceil(size(given[1]) / 4)


def search(given: Sequence[object]) -> int:
    """The cost of finding the second argument in the first."""
    return math.ceil(size(given[0]) / 10) * math.ceil(size(given[1]) / 10)


@dataclass(frozen=True, slots=True)
class Variant:
    """A function for arguments of these types; `object` is any."""

    name: str
    types: tuple[type, ...]
    implement: Callable[..., object]
    is_member: bool = True
    cost: Cost = one

    def fits(self, given: Sequence[object]) -> bool:
        """Whether the arguments have the types of this variant."""
        return all(
            kind is object or type(value) is kind or (kind is list and type(value) in _LISTS) for kind, value in zip(self.types, given, strict=True)
        )


_LISTS: Final = frozenset((list, SetList, MapList))


@overload
def member(name: str, types: tuple[type[A]], implement: Callable[[A], object], cost: Cost = one) -> Variant: ...
@overload
def member(name: str, types: tuple[type[A], type[B]], implement: Callable[[A, B], object], cost: Cost = one) -> Variant: ...
@overload
def member(name: str, types: tuple[type[A], type[B], type[C]], implement: Callable[[A, B, C], object], cost: Cost = one) -> Variant: ...
@overload
def member(name: str, types: tuple[type[A], type[B], type[C], type[D]], implement: Callable[[A, B, C, D], object], cost: Cost = one) -> Variant: ...
def member(name: str, types: tuple[type, ...], implement: Callable[..., object], cost: Cost = one) -> Variant:
    """Returns a function that is called on its first argument: `x.f(y)`."""
    return Variant(name, types, implement, cost=cost)


@overload
def function(name: str, types: tuple[()], implement: Callable[[], object], cost: Cost = one) -> Variant: ...
@overload
def function(name: str, types: tuple[type[A]], implement: Callable[[A], object], cost: Cost = one) -> Variant: ...
@overload
def function(name: str, types: tuple[type[A], type[B]], implement: Callable[[A, B], object], cost: Cost = one) -> Variant: ...
def function(name: str, types: tuple[type, ...], implement: Callable[..., object], cost: Cost = one) -> Variant:
    """Returns a function that is called by its name: `f(x)`."""
    return Variant(name, types, implement, is_member=False, cost=cost)


def by_signature(variants: Iterable[Variant]) -> dict[Signature, tuple[Variant, ...]]:
    """Returns the variants of each function."""
    found: dict[Signature, tuple[Variant, ...]] = {}
    for variant in variants:
        key = (variant.name, variant.is_member, len(variant.types))
        found[key] = (*found.get(key, ()), variant)
    return found


def called(variants: Sequence[Variant], given: Sequence[object], meter: Meter) -> object:
    """Calls the variant that the arguments fit.

    Raises:
        MismatchError: they fit none.
    """
    kinds = tuple(map(type, given))
    for variant in variants:
        if variant.types == kinds or variant.fits(given):  # most arguments have just these types
            meter.spend(variant.cost(given))
            made = variant.implement(*given)
            meter.build(size(made))
            return made
    raise MismatchError(f"calls `{variants[0].name}` with {', '.join(map(named, given))}")


def strings(value: object) -> list[str]:
    """Returns a list whose elements are texts.

    Raises:
        MismatchError: an element is something else.
    """
    elements = cast("list[object]", value)
    for element in elements:
        if not isinstance(element, str):
            raise MismatchError(f"uses {named(element)} in a list of strings")
    return cast("list[str]", elements)


Library: TypeAlias = Mapping[Signature, tuple[Variant, ...]]

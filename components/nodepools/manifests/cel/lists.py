"""Functions of lists, sets and optional values."""

from collections.abc import Callable
from functools import cmp_to_key, reduce
from itertools import pairwise
from typing import Final, cast

from nodepools.manifests.cel.errors import EvaluationError, MismatchError
from nodepools.manifests.cel.functions import LIST, MAP, Variant, entries, function, member
from nodepools.manifests.cel.meter import Meter, fitting
from nodepools.manifests.cel.operators import BINARY
from nodepools.manifests.cel.values import NONE, Duration, Optional, Struct, Timestamp, compared, contains, equal, named


def _is_sorted(values: list[object]) -> bool:
    return all(compared(item, after) <= 0 for item, after in pairwise(values))


def _sum(values: list[object]) -> object:
    return reduce(lambda item, other: BINARY["+"](item, other, Meter()), values) if values else 0


def _extreme(name: str, sign: int) -> Callable[[list[object]], object]:
    def of(values: list[object]) -> object:
        if not values:
            raise EvaluationError(f"{name} called on empty list")
        return reduce(lambda item, other: other if compared(other, item) == sign else item, values)

    return of


def _index_of(values: list[object], value: object) -> int:
    return next((index for index, item in enumerate(values) if equal(item, value)), -1)


def _last_index_of(values: list[object], value: object) -> int:
    return next((index for index in range(len(values) - 1, -1, -1) if equal(values[index], value)), -1)


def _slice(values: list[object], start: int, end: int) -> list[object]:
    if not 0 <= start <= end <= len(values):
        raise EvaluationError(f"cannot slice({start}, {end}) of a list with {len(values)} entries")
    return values[start:end]


def _flatten(values: list[object], depth: int = 1) -> list[object]:
    if depth < 0:
        raise EvaluationError("level must be non-negative")
    found: list[object] = []
    for value in values:
        found.extend(_flatten(cast("list[object]", value), depth - 1) if isinstance(value, list) and depth > 0 else (cast("object", value),))
    return found


def _sort(values: list[object]) -> list[object]:
    return sorted(values, key=cmp_to_key(compared))


def _distinct(values: list[object]) -> list[object]:
    found: list[object] = []
    for value in values:
        if not contains(found, value):
            found.append(value)
    return found


def _range(count: int) -> list[object]:
    fitting(count)
    return list(range(count))


def _all_in(target: list[object], requested: list[object]) -> bool:
    return all(contains(target, item) for item in requested)


def _value(optional: Optional) -> object:
    if not optional.is_there:
        raise EvaluationError("optional.none() dereference")
    return optional.value


def _is_zero(value: object) -> bool:
    if isinstance(value, Struct):
        return not value.fields()
    return value is None or value in (Duration(0), Timestamp(0)) or (isinstance(value, bool | int | float | str | bytes | list | dict) and not value)


def _unwrapped(values: list[object]) -> list[object]:
    for value in values:
        if not isinstance(value, Optional):
            raise MismatchError(f"uses {named(value)} as an optional value")
    return [item.value for item in cast("list[Optional]", values) if item.is_there]


def _squared(given: object) -> int:
    values = cast("tuple[list[object], ...]", given)
    return len(values[0]) * len(values[-1])


def _size(value: str | bytes | list[object] | dict[object, object]) -> int:
    return len(value)


LISTS: Final[tuple[Variant, ...]] = (
    *(make("size", (kind,), cast("Callable[[object], int]", _size)) for kind in (str, bytes, LIST, MAP) for make in (member, function)),
    member("isSorted", (LIST,), _is_sorted, entries),
    member("sum", (LIST,), _sum, entries),
    member("min", (LIST,), _extreme("min", -1), entries),
    member("max", (LIST,), _extreme("max", 1), entries),
    member("indexOf", (LIST, object), _index_of, entries),
    member("lastIndexOf", (LIST, object), _last_index_of, entries),
    member("slice", (LIST, int, int), _slice),
    member("flatten", (LIST,), _flatten, entries),
    member("flatten", (LIST, int), _flatten, entries),
    member("sort", (LIST,), _sort, entries),
    member("distinct", (LIST,), _distinct, _squared),
    member("reverse", (LIST,), lambda values: values[::-1], entries),
    member("first", (LIST,), lambda values: Optional(values[0], is_there=True) if values else NONE),
    member("last", (LIST,), lambda values: Optional(values[-1], is_there=True) if values else NONE),
    function("lists.range", (int,), _range),
    function("sets.contains", (LIST, LIST), _all_in, _squared),
    function("sets.equivalent", (LIST, LIST), lambda item, other: _all_in(item, other) and _all_in(other, item), _squared),
    function("sets.intersects", (LIST, LIST), lambda item, other: any(contains(item, value) for value in other), _squared),
)
OPTIONALS: Final[tuple[Variant, ...]] = (
    function("optional.of", (object,), lambda value: Optional(value, is_there=True)),
    function("optional.ofNonZeroValue", (object,), lambda value: NONE if _is_zero(value) else Optional(value, is_there=True)),
    function("optional.none", (), lambda: NONE),
    function("optional.unwrap", (LIST,), _unwrapped),
    member("unwrapOpt", (LIST,), _unwrapped),
    member("hasValue", (Optional,), lambda value: value.is_there),
    member("value", (Optional,), _value),
)

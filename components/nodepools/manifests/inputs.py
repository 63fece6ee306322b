"""How the inputs of a resource spell the fields of a model, for programs that do not use our components: what is there is read, no more.

Other than those of objects, these tables leave alone what no model has, and read values that are spelled otherwise:
minutes for a duration, several fields for one part. What is not known stays so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

from nodepools.model.partial import UNKNOWN
from nodepools.model.steps import Step, Steps
from nodepools.wire.reading import is_known

Convert: TypeAlias = Callable[[object], object]
Node: TypeAlias = "At | Each | Keyed | Spelling"
Spelling: TypeAlias = Mapping[str, Node]


def _same(value: object) -> object:
    return value


@dataclass(frozen=True, slots=True)
class At:
    """An input that says a field of the model, or of a part of it."""

    steps: tuple[str, ...]
    read: Convert = _same
    """What the model has for what stands there. A `ValueError` says that it has nothing like it."""
    also: tuple[tuple[str, ...], ...] = ()
    """What else of the model follows from it."""
    alike: bool = True
    """What is in it has the same keys and indices in the model."""


@dataclass(frozen=True, slots=True)
class Each:
    """A list of parts."""

    steps: tuple[str, ...]
    table: "Spelling"


@dataclass(frozen=True, slots=True)
class Keyed:
    """Parts by name, where the model has a list of parts that know their names."""

    steps: tuple[str, ...]
    name: str
    """The field that is the name."""
    table: "Spelling"


def field(*steps: str, read: Convert = _same, also: tuple[tuple[str, ...], ...] = (), alike: bool | None = None) -> At:
    """`field("scale", "min")`. One that is read otherwise is not alike inside, unless it is said to be."""
    return At(steps, read, also, alike=alike if alike is not None else read is _same)


def said(table: Spelling, written: Mapping[str, object]) -> dict[str, object]:
    """What of a model `written` says, with `UNKNOWN` for what it does not tell; not yet validated."""
    found: dict[str, object] = {}
    _gather(table, written, found)
    return found


def spelled_as(table: Spelling, steps: Steps) -> Steps:
    """Where a resource has what the model has at `steps`; empty where it has nothing like it."""
    if not steps:
        return ()
    ways = _ways(table)
    whole = [(len(way.model), way, filled) for way in ways if (filled := _begins(steps, way.model)) is not None]
    if whole:
        length, way, indices = max(whole, key=lambda one: one[0])
        return (*_filled(way.wire, indices), *(steps[length:] if way.alike else ()))
    for wire, model, _ in ways:  # a part that several inputs make: the first of them names it
        indices = _begins(tuple(model), steps) if len(model) > len(steps) else None
        if indices is not None:
            return _filled(wire, [step for step in steps if isinstance(step, int)])
    return ()


def words(table: Spelling) -> Mapping[str, str]:
    """Each field of the model, as the resource calls it: the last word of either."""
    return _read_table(table).words


def _gather(table: Spelling, written: Mapping[str, object], found: dict[str, object]) -> None:
    for name, node in table.items():
        value = written.get(name)
        if value is None:
            continue
        match node:
            case At():
                _put(found, node.steps, _read(node, value))
            case Each():
                _put(found, node.steps, _each(node.table, value))
            case Keyed():
                _put(found, node.steps, _keyed(node, value))
            case _ if isinstance(value, Mapping):
                _gather(node, cast("Mapping[str, object]", value), found)
            case _:  # nor is it known whether what it says is there at all
                found.update({str(way.model[0]): UNKNOWN for way in _ways(node)})


def _put(found: dict[str, object], steps: Sequence[str], value: object) -> None:
    """Sets what is not `None`; below what is unknown nothing is known."""
    first, *rest = steps
    if not rest:
        if value is not None:
            found[first] = value
        return
    inner = found.setdefault(first, {})
    if isinstance(inner, dict):
        _put(cast("dict[str, object]", inner), rest, value)


def _read(node: At, value: object) -> object:
    try:
        return node.read(value) if is_known(value) else UNKNOWN
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return UNKNOWN  # no value of that kind: nothing is certain of it


def _each(table: Spelling, value: object) -> object:
    if not isinstance(value, list | tuple):
        return UNKNOWN
    parts = cast("Sequence[Mapping[str, object]]", value)
    return [said(table, part) for part in parts] if all(isinstance(part, Mapping) for part in cast("Sequence[object]", parts)) else UNKNOWN


def _keyed(node: Keyed, value: object) -> object:
    if not isinstance(value, Mapping):
        return UNKNOWN
    parts = cast("Mapping[str, Mapping[str, object]]", value)
    are_parts = all(isinstance(part, Mapping) for part in cast("Mapping[str, object]", parts).values())
    return [{node.name: name, **said(node.table, part)} for name, part in parts.items()] if are_parts else UNKNOWN


_INDEX = 0
"""Stands for any index in a way."""


class _Way(NamedTuple):
    """A field, in the words of the resource and in those of the model."""

    wire: Steps
    model: Steps
    alike: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    """What a table says, found once."""

    table: Spelling
    ways: Sequence[_Way]
    words: Mapping[str, str]


_TABLES: dict[int, _Read] = {}
"""By the identity of the table. Tables are constants, and cannot be hashed; each is kept, so that no other has its identity later."""


def _read_table(table: Spelling) -> _Read:
    read = _TABLES.get(id(table))
    if read is None:
        ways = list(_found_ways(table))
        read = _TABLES[id(table)] = _Read(table, ways, dict(_words(ways)))
    return read


def _words(ways: Sequence[_Way]) -> Iterator[tuple[str, str]]:
    for wire, model, _ in reversed(ways):  # of several the first stays
        if isinstance(model[-1], str):
            yield model[-1], next(step for step in reversed(wire) if isinstance(step, str))


def _ways(table: Spelling) -> Sequence[_Way]:
    """Every field that is said; any index stands for all."""
    return _read_table(table).ways


def _found_ways(table: Spelling) -> Iterator[_Way]:
    for name, node in table.items():
        match node:
            case At():
                yield from (_Way((name,), steps, alike=node.alike) for steps in (node.steps, *node.also))
            case Each():
                yield _Way((name,), node.steps)
                yield _Way((name, _INDEX), (*node.steps, _INDEX))
                for wire, model, alike in _ways(node.table):
                    yield _Way((name, _INDEX, *wire), (*node.steps, _INDEX, *model), alike)
            case Keyed():
                yield _Way((name,), node.steps)
            case _:
                for wire, model, alike in _ways(node):
                    yield _Way((name, *wire), model, alike)


def _begins(steps: Steps, way: Steps) -> list[Step] | None:
    """The indices in `steps`, where they begin with `way`."""
    if len(steps) < len(way):
        return None
    indices: list[Step] = []
    for step, pattern in zip(steps, way, strict=False):
        if isinstance(step, int) and isinstance(pattern, int):
            indices.append(step)
        elif step != pattern:
            return None
    return indices


def _filled(wire: Steps, indices: Sequence[Step]) -> Steps:
    left = iter(indices)
    return tuple(next(left, step) if isinstance(step, int) else step for step in wire)

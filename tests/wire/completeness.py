"""Whether a table has everything of its class, and everything of what the SDK takes."""

import inspect
from collections import Counter
from collections.abc import Iterable
from typing import Any

from pulumi import _types

from nodepools.model.base import Model
from nodepools.wire.rows import Note
from nodepools.wire.table import Pattern, Table, python_name


def fields(table: Table) -> Counter[str]:
    """How many rows of `table` have each field."""
    return Counter(str(way.model[0]) for row in table.rows for way in {one.model: one for one in row.field_paths()}.values() if len(way.model) == 1)


def declared(*kinds: type[Model]) -> Counter[str]:
    """Each field of the classes once."""
    return Counter(sorted({name for kind in kinds for name in kind.model_fields}))


def sent(table: Table) -> list[Pattern]:
    """Every argument that is not told by the cloud alone, and that the default version of the API has."""
    told = {one.wire for one in table.leaves if isinstance(one.row, Note) and one.row.kind == "read_only"}
    return [one.wire for one in table.leaves if one.wire and one.wire not in told and not one.since]


def names_below(table: Table, level: Pattern = ()) -> set[str]:
    """The arguments of `table` right below `level`."""
    return {str(wire[len(level)]) for wire in sent(table) if len(wire) > len(level) and wire[: len(level)] == level}


def levels(table: Table) -> set[Pattern]:
    """Every place that has arguments below it."""
    return {wire[:length] for wire in sent(table) for length in range(1, len(wire))}


def arguments(resource: Any) -> set[str]:  # a class of the SDK, whose arguments are private
    """What the constructor of a resource takes, in Python's spelling."""
    return set(inspect.signature(resource._internal_init).parameters) - {"__self__", "resource_name", "opts", "__props__"}


def inputs(kind: Any) -> set[str]:  # a class of the SDK
    """What a part takes, in the API's spelling, which is compared with Python's on the way."""
    names = _types.input_type_py_to_pulumi_names(kind)
    assert {python_name(wire): wire for wire in names.values()} == dict(names)
    return set(names.values())


def without_reason(table: Table) -> list[str]:
    """Arguments that are left to `overrides`, and nobody says why."""
    return [row.name for row in table.rows if isinstance(row, Note) and row.kind == "unmodeled" and len(row.why) <= 40]


def without_source(table: Table) -> list[object]:
    """Fields and arguments of which nothing is said of a change, or nobody says it."""
    parts: Iterable[Any] = [one for one in table.leaves if not (isinstance(one.row, Note) and one.row.kind == "read_only")]
    return [one for one in parts if one.change is None or not one.change.source]

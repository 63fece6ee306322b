"""How an object spells the fields of a model: one table for the way in and for the way back of paths.

A table maps each field of the object to what it is in the model: a field (its name), a part or a list of parts, more of the object that
the model has flat (a table again), or a value that is always the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypeAlias, cast

from nodepools.model.partial import UNKNOWN
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Fix
from nodepools.rules.path import Step, spelled

Steps: TypeAlias = tuple[Step, ...]
Node: TypeAlias = "str | Always | Part | Each | Table"
Table: TypeAlias = Mapping[str, Node]


class Filled(str):
    """A field whose text is not empty where an object says it, though the model's may be: the cluster wants it left out then."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Always:
    """A field that says the same in every object."""

    value: str


@dataclass(frozen=True, slots=True)
class Part:
    """A field that is a part of the model."""

    name: str
    table: Table
    required: tuple[str, ...] = ()
    """What the object must say, though the model has a default."""


@dataclass(frozen=True, slots=True)
class Each:
    """A field that is a list of parts."""

    name: str
    table: Table
    required: tuple[str, ...] = ()
    must: bool = False
    """The object must have the list, empty or not."""


@dataclass(slots=True)
class Reading:
    """One object on its way into the model."""

    source: str
    """Who says what belongs there."""
    foreign: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields that people bring from elsewhere, and from where."""
    findings: list[Finding] = field(default_factory=list[Finding])

    def declared(self, table: Table, written: Mapping[str, object], at: Steps, required: tuple[str, ...] = ()) -> dict[str, object]:
        """The fields of the model that `written` sets, not yet validated. `null` is what the cluster drops.

        What is misspelt, missing or no mapping says something that nobody knows: it is `UNKNOWN`, and not what the model has by default.
        """
        found: dict[str, object] = {}
        for name, value in written.items():
            if name not in table:
                meant = self._unknown(name, table, value, at)
                if meant is not None and written.get(meant) is None:
                    found = _left_open(table[meant]) | found
            elif value is not None:
                found |= self._field(table[name], value, (*at, name))
        for name, node in table.items():
            if (written.get(name) is None and _fixed(node)) or (name in required and written.get(name) in (None, [])):
                self.finding("CFG001", (*at, name), None, "is required", f"add {name}")
                found |= _left_open(node)
        return found

    def only(self, written: Mapping[str, object], known: Sequence[str], at: Steps) -> None:
        """Tells of the fields that are not among those that are `known`."""
        table: Table = dict(zip(known, known, strict=True))
        for name, value in written.items():
            if name not in table:
                self._unknown(name, table, value, at)

    def finding(self, code: str, at: Steps, value: object, message: str, fix: str) -> None:
        """Something that no model can hold."""
        self.findings.append(Finding(code, Severity.ERROR, spelled(at), value, message, Fix(fix), self.source, steps=at))

    def _field(self, node: Node, value: object, at: Steps) -> dict[str, object]:
        match node:
            case _ if value is UNKNOWN:
                return _left_open(node)
            case str():
                if isinstance(node, Filled) and value == "":
                    self.finding("CFG006", at, value, "should not be empty", "remove it")
                return {node: value}
            case Part():
                return {node.name: self._part(node, value, at)}
            case Each():
                return {node.name: self._parts(node, value, at)}
            case Always():
                if value != node.value:
                    self.finding("CFG003", at, value, f"should be {node.value}", f"write {node.value}")
            case _ if isinstance(value, Mapping):
                return self.declared(node, cast("Mapping[str, object]", value), at)
            case _:
                self.finding("CFG004", at, value, "should be a mapping of names to values", "write names with their values")
        return _left_open(node)  # nothing, where it says the same always

    def _parts(self, node: Each, value: object, at: Steps) -> object:
        if not isinstance(value, list):
            return value
        if UNKNOWN in value:
            return UNKNOWN
        return [self._part(node, part, (*at, index)) for index, part in enumerate(cast("list[object]", value))]

    def _part(self, node: Part | Each, value: object, at: Steps) -> object:
        if isinstance(value, Mapping):
            return self.declared(node.table, cast("Mapping[str, object]", value), at, node.required)
        self.finding("CFG003", at, value, "should be a mapping of names to values", "write names with their values")
        return None  # not the value: some models have a spelling as text, which objects have not

    def _unknown(self, name: str, table: Table, value: object, at: Steps) -> str | None:
        """Tells of a field that there is not; the one that was probably meant."""
        origin = self.foreign.get(name)
        small = {known.lower(): known for known in table}
        close = get_close_matches(str(name).lower(), small, 1) if origin is None else []
        fix = f"did you mean {small[close[0]]}?" if close else "remove it"
        message = (
            f"is a field of {origin}: there is none like it here" if origin is not None else "is not a field here: the cluster drops it in silence"
        )
        self.finding("CFG002", (*at, name), value, message, fix)
        return small[close[0]] if close else None


def written_as(table: Table, steps: Steps) -> Steps | None:
    """Where the object has what the model has at `steps`; `None` where it has it not."""
    if not steps:
        return ()
    for name, node in table.items():
        found = _written_as(node, steps)
        if found is not None:
            return (name, *found)
    return None


def _written_as(node: Node, steps: Steps) -> Steps | None:
    match node:
        case str():
            return steps[1:] if node == steps[0] else None
        case Always():
            return None
        case Part():
            return written_as(node.table, steps[1:]) if node.name == steps[0] else None
        case Each():
            if node.name != steps[0]:
                return None
            inside = written_as(node.table, steps[2:])
            return (*steps[1:2], *inside) if inside is not None else None
        case _:
            return written_as(node, steps)


def in_words(text: str, words: Mapping[str, str]) -> str:
    """`text` with the fields that it names called by `words`: `minValues` for `min_values`."""
    return re.sub(r"\b[a-z]+(?:_[a-z0-9]+)+\b", lambda match: words.get(match[0], match[0]), text)


def _left_open(node: Node) -> dict[str, object]:
    return dict.fromkeys(_said_by(node), UNKNOWN)


def _said_by(node: Node) -> Iterator[str]:
    """The fields of the model that it says something of."""
    match node:
        case str():
            yield node
        case Part() | Each():
            yield node.name
        case Always():
            return
        case _:
            for inner in node.values():
                yield from _said_by(inner)


def _fixed(node: Node) -> bool:
    """It, or something in it, must be said."""
    return isinstance(node, Always) or (isinstance(node, Each) and node.must) or (isinstance(node, Mapping) and any(map(_fixed, node.values())))

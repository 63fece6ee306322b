"""The syntax tree of an expression."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant."""

    value: object


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, or the beginning of the name of a function: `self`, `strings` of `strings.quote`."""

    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field: `of.name`, or `of.?name`."""

    of: "Node"
    name: str
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a list or a map: `of[key]`, or `of[?key]`."""

    of: "Node"
    key: "Node"
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A function, a macro or an operator. Operators have their symbol as the name."""

    name: str
    target: "Node | None"
    arguments: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; an element marked with `?` is omitted if it has no value."""

    elements: tuple[tuple["Node", bool], ...]


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map; an entry marked with `?` is omitted if it has no value."""

    entries: tuple[tuple["Node", "Node", bool], ...]


Node: TypeAlias = Literal | Name | Field | Entry | Call | ListOf | MapOf


def inside(node: Node) -> Iterator[Node]:
    """Yields the parts of a node."""
    match node:
        case Literal() | Name():
            return
        case Field():
            yield node.of
        case Entry():
            yield from (node.of, node.key)
        case Call():
            yield from (node.target, *node.arguments) if node.target is not None else node.arguments
        case ListOf():
            yield from (element for element, _ in node.elements)
        case MapOf():
            yield from (part for key, value, _ in node.entries for part in (key, value))


def names(node: Node) -> Iterator[str]:
    """Yields every name in an expression, such as `self` and `oldSelf`."""
    if isinstance(node, Name):
        yield node.text
    for part in inside(node):
        yield from names(part)

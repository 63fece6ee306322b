"""Edits YAML and JSON text in place: every character outside of the entry stays, with line ends, comments, anchors and quotes."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, cast

import yaml

from nodepools.model.steps import Step, Steps
from nodepools.reading.yaml_events import LOADER
from nodepools.reading.yaml_scalars import plain
from nodepools.rules.engine.fix import Operation

TextOf = Callable[[Steps], str | None]
"""Returns the text of a part that files can write as text: a taint is `team=web:NoSchedule`."""
_PROPERTIES: Final = re.compile(r"(?:[&!][^\s]*\s+)*")
"""Anchor and tag before a value: they stay."""
_JSON_QUOTE: Final = '"'
_PLAIN: Final = re.compile(r"[A-Za-z.][A-Za-z0-9_./-]*")
_SCALAR: Final = (str, int, float, bool, type(None))


class _Found(NamedTuple):
    """An entry of a mapping or a list."""

    key: yaml.Node
    """The node that the entry begins with: for an entry of a list, the value."""
    value: yaml.Node
    siblings: Sequence[tuple[yaml.Node, yaml.Node]]
    """All entries, including this one."""
    is_item: bool
    is_flow: bool


def spliced(text: str, operation: Operation, position: tuple[int, int] | None, text_of: TextOf) -> str | None:
    """Returns `text` with the operation applied; `None` if it needs more than other characters for one entry.

    Args:
        text: YAML or JSON.
        operation: its path starts at the object.
        position: line and column of the object, from 0; the first document if omitted.
        text_of: returns the new text of a part that the file writes as text.
    """
    try:
        nodes = list(yaml.compose_all(text, LOADER))  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped
    except yaml.YAMLError:
        return None
    here = next(iter(nodes), None) if position is None else next((node for node in _inside(nodes) if _position(node) == position), None)
    way: list[_Found] = []
    while len(way) < len(operation.path) and (found := _entry(here, operation.path[len(way)])) is not None:
        way.append(found)
        here = found.value
    if len(way) < len(operation.path):  # the entry is not there, or inside a part that is written as text
        part = text_of(operation.path[: len(way)]) if way and isinstance(here, yaml.ScalarNode) else None
        return _with_value(text, here, part) if part is not None and here is not None else None
    match operation.op:
        case "set":
            return _with_value(text, way[-1].value, operation.value)
        case "rename":
            return None if way[-1].is_item else _with_value(text, way[-1].key, operation.value)
        case "remove":
            return _without(text, way)
        case _:
            return None


def _with_value(text: str, node: yaml.Node, value: object) -> str | None:
    """`text` with another scalar at `node`, or with the other items in a list of the same length."""
    if isinstance(node, yaml.SequenceNode) and isinstance(value, list | tuple):
        items = cast("Sequence[object]", value)
        if len(items) != len(node.value):
            return None
        for old, new in reversed(list(zip(node.value, items, strict=True))):
            if not isinstance(old, yaml.ScalarNode) or old.value != str(new):
                changed = _with_value(text, old, new)
                if changed is None:
                    return None
                text = changed
        return text
    if not isinstance(node, yaml.ScalarNode) or not isinstance(value, _SCALAR) or node.style in ("|", ">"):
        return None
    start, end = node.start_mark.index, node.end_mark.index
    start += len(cast("re.Match[str]", _PROPERTIES.match(text, start, end))[0])
    return f"{text[:start]}{_written(value, _JSON_QUOTE if text.lstrip().startswith('{') else node.style)}{text[end:]}"


def _written(value: object, style: str | None) -> str:
    """A scalar as YAML, in the quotes of the one before it."""
    if not isinstance(value, str):
        return json.dumps(value)
    if style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if style != _JSON_QUOTE and _PLAIN.fullmatch(value) and isinstance(plain(value), str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _without(text: str, way: list[_Found]) -> str | None:
    """`text` without the last entry of the way, and without parents that would be empty."""
    while len(way) > 1 and len(way[-1].siblings) == 1:  # without its only entry, the parent is removed too
        way.pop()
    entry = way[-1]
    if entry.is_flow:
        return _without_flow(text, entry)
    starts = line_starts(text)
    first, last = entry.key.start_mark, _last_line(entry.value)
    before = text[starts[first.line] : first.index].strip()
    if before not in ("", "-") or (before == "-" and not entry.is_item):
        return None
    return text[: starts[first.line]] + text[starts[last + 1] if last + 1 < len(starts) else len(text) :]


def _without_flow(text: str, entry: _Found) -> str | None:
    """`text` without an entry in brackets, and without the comma next to it."""
    place = next(index for index, (key, _) in enumerate(entry.siblings) if key is entry.key)
    if len(entry.siblings) == 1:
        start, end = entry.key.start_mark.index, entry.value.end_mark.index
    elif place:
        start, end = entry.siblings[place - 1][1].end_mark.index, entry.value.end_mark.index
    else:
        start, end = entry.key.start_mark.index, entry.siblings[1][0].start_mark.index
    return None if "#" in text[start:end] else text[:start] + text[end:]


def line_starts(text: str) -> list[int]:
    """Where the lines of a text begin, as readers of YAML count them."""
    return [0, *(found.end() for found in re.finditer("\r\n|[\n\r\x85\u2028\u2029]", text))]


def _inside(nodes: list[yaml.Node]) -> Iterator[yaml.Node]:
    for node in nodes:
        yield node
        if isinstance(node, yaml.MappingNode):
            yield from _inside([value for _, value in node.value])
        elif isinstance(node, yaml.SequenceNode):
            yield from _inside(list(node.value))


def _position(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line, node.start_mark.column


def _entry(node: yaml.Node | None, step: Step) -> _Found | None:
    """Returns an entry; of keys that are there twice the last, which counts."""
    is_flow = node is not None and bool(getattr(node, "flow_style", False))
    if isinstance(node, yaml.MappingNode):
        found = next(((key, value) for key, value in reversed(node.value) if key.value == str(step)), None)
        return _Found(*found, node.value, is_item=False, is_flow=is_flow) if found is not None else None
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        items = [(item, item) for item in cast("list[yaml.Node]", node.value)]
        return _Found(*items[step], items, is_item=True, is_flow=is_flow)
    return None


def _last_line(node: yaml.Node) -> int:
    """Returns the last line of a value: the end of a block is the start of the next node."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _last_line(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _last_line(cast("list[yaml.Node]", node.value)[-1])
    end = node.end_mark
    return end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line

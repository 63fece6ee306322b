"""Removes an entry from YAML text by its lines, so that the comments around it stay."""

from collections.abc import Iterator
from typing import NamedTuple, cast

import yaml

from nodepools.model.steps import Step, Steps
from nodepools.reading.yaml_events import LOADER


class _Found(NamedTuple):
    """An entry of a mapping or a list."""

    key: yaml.Node
    """The node that the entry begins with: for an entry of a list, the value."""
    value: yaml.Node
    siblings: int
    """The number of entries, including this one."""
    is_item: bool


def without_lines(text: str, steps: Steps, position: tuple[int, int] | None) -> str | None:
    """Returns `text` without the entry at `steps`, and without parents that would be empty; `None` if the entry shares its lines with others.

    Args:
        text: YAML.
        steps: the path of the entry, from its object.
        position: line and column of the object, from 0; the first document if omitted.
    """
    try:
        nodes = list(yaml.compose_all(text, LOADER))  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped
    except yaml.YAMLError:
        return None
    here = next(iter(nodes), None) if position is None else next((node for node in _inside(nodes) if _position(node) == position), None)
    way: list[_Found] = []
    for step in steps:
        found = _entry(here, step)
        if found is None:
            return None
        way.append(found)
        here = found.value
    while len(way) > 1 and way[-1].siblings == 1:  # without its only entry, the parent is removed too
        way.pop()
    lines = text.splitlines(keepends=True)
    first, last = way[-1].key.start_mark, _last_line(way[-1].value)
    before = lines[first.line][: first.column].strip()
    if before not in ("", "-") or (before == "-" and not way[-1].is_item):
        return None
    return "".join([*lines[: first.line], *lines[last + 1 :]])


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
    """Returns an entry in block style; `None` in flow style."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style:
        found = next(((key, value) for key, value in node.value if key.value == str(step)), None)
        return _Found(*found, len(node.value), is_item=False) if found is not None else None
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and isinstance(step, int) and step < len(node.value):
        return _Found(node.value[step], node.value[step], len(node.value), is_item=True)
    return None


def _last_line(node: yaml.Node) -> int:
    """Returns the last line of a value: the end of a block is the start of the next node."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _last_line(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _last_line(cast("list[yaml.Node]", node.value)[-1])
    end = node.end_mark
    return end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line

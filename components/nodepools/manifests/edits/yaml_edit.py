"""Edits YAML and JSON text in place: what does not change keeps its text, line ends, comments, anchors, order and quotes."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from io import StringIO
from itertools import pairwise
from textwrap import dedent
from typing import Final, NamedTuple, TypeAlias, cast

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from yaml.constructor import SafeConstructor

from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.model.path import Operation, jsonable
from nodepools.model.steps import Step, Steps
from nodepools.reading.bounded_input import TextError, is_json
from nodepools.reading.yaml_documents import LOADER, as_yaml, documents
from nodepools.reading.yaml_scalars import is_text, plain

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
        nodes = list(yaml.compose_all(as_yaml(text) if is_json(text, "") else text, LOADER))  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped
    except yaml.YAMLError:
        return None
    here = next(iter(nodes), None) if position is None else next((node for node in _text_inside(nodes) if _position(node) == position), None)
    way: list[_Found] = []
    while len(way) < len(operation.path) and (found := _entry(here, operation.path[len(way)])) is not None:
        way.append(found)
        here = found.value
    part = text_of(operation.path[: len(way)]) if way and len(way) < len(operation.path) and isinstance(here, yaml.ScalarNode) else None
    if part is not None and here is not None:  # the entry is inside a part that is written as text
        return _with_value(text, here, part)
    entry = way[-1] if way and len(way) == len(operation.path) else None
    if operation.op in ("rename", "remove") and entry is not None:
        return _without(text, way) if operation.op == "remove" else None if entry.is_item else _with_value(text, entry.key, operation.value)
    same = _with_value(text, entry.value, operation.value) if entry is not None and operation.op == "set" else None
    if same is not None or here is None or operation.op in ("rename", "remove"):
        return same
    fewer = operation.op == "set" and entry is not None
    changed = _with_fewer(text, here, _plain(operation.value)) if fewer else _with_more(text, here, _new(operation, len(way)))
    return changed if changed is not None and _means(changed, _written_again(text, operation, position, text_of)) else None


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


def _with_fewer(text: str, node: yaml.Node, left: object) -> str | None:
    """`text` without the items of a list that are not `left`; `None` if others, or in another order, are left."""
    if not isinstance(node, yaml.SequenceNode) or not isinstance(left, list):
        return None
    items = [(item, item) for item in cast("list[yaml.Node]", node.value)]
    try:
        values = cast("list[object]", SafeConstructor().construct_object(node, deep=True))  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped
    except (yaml.YAMLError, ValueError):  # a tag, or a date that does not exist
        return None
    kept = list(cast("list[object]", left))
    gone = [place for place, value in enumerate(values) if not (kept and value == kept[0] and kept.pop(0) == value)]
    if kept or len(gone) == len(items):
        return None
    for place in reversed(gone):
        entry = _Found(*items[place], items, is_item=True, is_flow=bool(node.flow_style))
        shorter = _without(text, [entry])
        if shorter is None:
            return None
        text = shorter
    return text


def _new(operation: Operation, there: int) -> object:
    """What an operation adds to the innermost entry that is there: entries of a mapping, or a list with one."""
    plain = _plain(operation.value)
    value = [plain] if operation.op == "add" and not isinstance(plain, dict) else cast("object", plain)
    for step in reversed(operation.path[there:]):
        value = cast("object", {str(step): value})
    return value


def _with_more(text: str, node: yaml.Node, new: object) -> str | None:
    """`text` with more entries at the end of a mapping or a list; `None` if it is of another kind."""
    if isinstance(node, yaml.SequenceNode):
        new = cast("list[object]", new) if isinstance(new, list) else [new]
    elif not isinstance(node, yaml.MappingNode) or not isinstance(new, dict):
        return None
    end = _line_end(text)
    if node.flow_style:
        return _with_more_flow(text, node, cast("object", new), end)
    out = StringIO()
    round_trip(text).dump(new, out)  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
    lines = [f"{' ' * node.start_mark.column}{line}" for line in dedent(out.getvalue().removeprefix("---\n")).splitlines()]
    starts, last = line_starts(text), _last_line(node)
    if last + 1 == len(starts):  # the last line has no end
        return end.join([text, *lines])
    return text[: starts[last + 1]] + "".join(f"{line}{end}" for line in lines) + text[starts[last + 1] :]


def _with_more_flow(text: str, node: yaml.MappingNode | yaml.SequenceNode, new: object, end: str) -> str:
    """The same in brackets, on lines of their own if the last entry is."""
    added = _flow(new, _JSON_QUOTE if text.lstrip().startswith("{") else None)[1:-1]
    if not node.value:
        return f"{text[: node.start_mark.index + 1]}{added}{text[node.start_mark.index + 1 :]}"
    last = cast("list[yaml.Node] | list[tuple[yaml.Node, yaml.Node]]", node.value)[-1]
    key, value = last if isinstance(last, tuple) else (last, last)
    before = text[line_starts(text)[key.start_mark.line] : key.start_mark.index]
    return f"{text[: value.end_mark.index]},{' ' if before.strip() else end + before}{added}{text[value.end_mark.index :]}"


def _flow(value: object, style: str | None) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_flow(name, style)}: {_flow(part, style)}' for name, part in cast('dict[str, object]', value).items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(_flow(part, style) for part in cast('list[object]', value))}]"
    return _written(value, style)


def _written(value: object, style: str | None) -> str:
    """A scalar as YAML, in the quotes of the one before it."""
    if not isinstance(value, str):
        return json.dumps(value)
    if style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if style != _JSON_QUOTE and _PLAIN.fullmatch(value) and is_text(value):
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


def _text_inside(nodes: list[yaml.Node]) -> Iterator[yaml.Node]:
    for node in nodes:
        yield node
        if isinstance(node, yaml.MappingNode):
            yield from _text_inside([value for _, value in node.value])
        elif isinstance(node, yaml.SequenceNode):
            yield from _text_inside(list(node.value))


def _position(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line, node.start_mark.column


def _entry(node: yaml.Node | None, step: Step) -> _Found | None:
    """Returns an entry; of keys that are there twice the last, which counts."""
    is_flow = node is not None and bool(getattr(node, "flow_style", False))
    if isinstance(node, yaml.MappingNode):
        # Kubernetes reads the key `n` without quotes as `false`
        found = next((one for one in reversed(node.value) if str(step) in (one[0].value, one[0].style or json.dumps(plain(one[0].value)))), None)
        return _Found(found[0], found[1], node.value, is_item=False, is_flow=is_flow) if found is not None else None
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


Position: TypeAlias = tuple[int, int]
"""Line and column of an object, from 0."""
Edit: TypeAlias = tuple[Position | None, Sequence[Operation]]
"""The operations on one object."""
_WIDEST: Final = 4096
_MARKER: Final = re.compile(r"^---(?=\s|$)", re.MULTILINE)
_CONTENT: Final = re.compile(r"^(?!---|#|%)[^\s]", re.MULTILINE)
_LIST_IN_MAPPING: Final = re.compile(r"^( *)[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*( *)- ", re.MULTILINE)


class NotEditableError(Exception):
    """The operations cannot be applied to this text."""


def edited(text: str, operations: Sequence[Operation], *, position: Position | None = None, text_of: TextOf = lambda _: None) -> str:
    """Returns `text` with all `operations` applied, in their order.

    Args:
        text: YAML or JSON, one document or several.
        operations: their paths start at the object.
        position: line and column of the object, from 0; the first document if omitted.
        text_of: returns the new text of a part that the file writes as text.

    Raises:
        NotEditableError: the text has no entry where an operation expects one.
    """
    return edited_objects(text, [(position, operations)], text_of)


def edited_objects(text: str, edits: Iterable[Edit], text_of: TextOf = lambda _: None) -> str:
    """Returns `text` with the operations on several objects applied. Edits move the lines below them, so the last object comes first.

    Only the document of each object is read: the time of an edit does not grow with the number of documents.

    Raises:
        NotEditableError: the text has no entry where an operation expects one.
    """
    parts = list(documents_of(text))
    for position, operations in edits:
        place = _holding(parts, position)
        line, part = parts[place]
        parts[place] = line, _edited(part, operations, (position[0] - line, position[1]) if position is not None else None, text_of)
    return "".join(part for _, part in parts)


def _edited(text: str, operations: Sequence[Operation], position: Position | None, text_of: TextOf) -> str:
    """`text`, one document, with all `operations` applied."""
    for operation in operations:
        in_place = spliced(text, operation, position, text_of)
        text = in_place if in_place is not None else _with_line_ends(text, _written_again(text, operation, position, text_of))
    return text


def _means(text: str, other: str) -> bool:
    """Both are read as the same values."""
    try:
        one, two = ([document.value for document in documents(written, "")] for written in (text, other))
    except TextError:
        return False
    return one == two


def _line_end(text: str) -> str:
    """The first one."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def _with_line_ends(old: str, new: str) -> str:
    """`new` with the lines of `old` where both are equal, and otherwise with the line ends that `old` begins with."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    end = _line_end(old)
    lines: list[str] = []
    same = SequenceMatcher(None, [line.rstrip("\r\n") for line in before], [line.rstrip("\r\n") for line in after], autojunk=False)
    for kind, first, last, start, stop in same.get_opcodes():
        lines += before[first:last] if kind == "equal" else [line.rstrip("\r\n") + end for line in after[start:stop]]
    return "".join(lines)


def _written_again(text: str, operation: Operation, position: Position | None, text_of: TextOf) -> str:
    try:
        if text.lstrip().startswith("{"):
            held = json.loads(text)
            _apply(_objects([held], position), operation, text_of)
            return json.dumps(held, indent=2, ensure_ascii=False) + "\n"
        yaml = round_trip(text)
        held = list(cast("Iterator[object]", yaml.load_all(text)))  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
        for one in (one for one in _collections(held) if isinstance(one, CommentedMap | CommentedSeq)):
            one.anchor.always_dump = one.anchor.value is not None  # pyright: ignore[reportUnknownMemberType]  # also if no alias uses it
        _apply(_objects(held, position), operation, text_of)
        out = StringIO()
        yaml.dump_all(held, out)  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
    except (YAMLError, json.JSONDecodeError, LookupError, TypeError, ValueError) as error:
        raise NotEditableError(str(error)) from None
    return out.getvalue()


def documents_of(text: str) -> Iterator[tuple[int, str]]:
    """The text of each document, with its marker and with the number of its first line."""
    starts = [found.start() for found in _MARKER.finditer(text)]
    line = 0
    for start, end in pairwise([0, *(start for start in starts if start), len(text)]):
        part = text[start:end]
        yield line, part
        line += len(line_starts(part)) - 1


def _holding(parts: Sequence[tuple[int, str]], position: Position | None) -> int:
    """The document at a position, or the first one that is not empty. Other documents are not written again: an empty one would become `null`."""
    if position is not None:
        return max(number for number, (line, _) in enumerate(parts) if line <= position[0])
    return next((number for number, (_, part) in enumerate(parts) if _CONTENT.search(part)), 0)


def round_trip(text: str) -> YAML:
    """Returns a reader and writer in the style of `text`."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = _WIDEST
    yaml.explicit_start = text.lstrip().startswith("---")  # pyright: ignore[reportAttributeAccessIssue]  # ruamel.yaml is untyped
    found = _LIST_IN_MAPPING.search(text)
    offset = len(found[2]) - len(found[1]) if found is not None else 0
    yaml.indent(mapping=2, sequence=2 + offset, offset=offset)  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
    return yaml


def _objects(held: Sequence[object], position: Position | None) -> object:
    """Returns the object at a line and a column; objects of a `List` are inside a document."""
    return held[0] if position is None else mapping_at(held, position)


def mapping_at(held: Sequence[object], position: tuple[int, int]) -> CommentedMap:
    """Returns the mapping at a line and a column, from 0.

    Raises:
        LookupError: there is none.
    """
    maps = (one for one in _collections(held) if isinstance(one, CommentedMap))
    found = next((mapping for mapping in maps if (mapping.lc.line, mapping.lc.col) == position), None)  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
    if found is None:
        raise LookupError("the object is not where it was")
    return found


def _collections(held: object) -> Iterator[object]:
    """Every mapping and list, those that aliases repeat too."""
    if isinstance(held, CommentedMap | list):
        yield held
        for inner in cast("dict[str, object]", held).values() if isinstance(held, CommentedMap) else cast("Sequence[object]", held):
            yield from _collections(inner)


def _apply(whole: object, operation: Operation, text_of: TextOf) -> None:
    *above, last = operation.path
    held = whole
    for number, step in enumerate(above):
        inner = _inside(held, step)
        if isinstance(inner, str):  # a part that is written as text
            part = text_of(operation.path[: number + 1])
            if part is None:
                raise LookupError("the part is written as text")
            _set(held, step, part)
            return
        if inner is None:
            inner = CommentedMap()
            _set(held, step, inner)
        held = inner
    match operation.op:
        case "set":
            _set(held, last, _plain(operation.value))
        case "remove":
            del cast("dict[Step, object]", held)[last]
        case "add":
            _add(held, last, operation.value)
        case _:
            _rename(held, str(last), str(operation.value))


def _inside(held: object, step: Step) -> object:
    if isinstance(held, list):
        return cast("list[object]", held)[int(step)]
    return cast("dict[Step, object]", held).get(step)


def _set(held: object, step: Step, value: object) -> None:
    cast("dict[Step, object]", held)[step] = value


def _add(held: object, step: Step, value: object) -> None:
    """Adds an entry to a list, or entries to a mapping. If neither exists, a mapping is created for a mapping, otherwise a list."""
    inner = _inside(held, step)
    if isinstance(value, dict) and not isinstance(inner, list):
        if not isinstance(inner, dict):
            inner = CommentedMap()
            _set(held, step, inner)
        for name, item in cast("dict[str, object]", _plain(cast("object", value))).items():
            _set(cast("object", inner), name, item)
        return
    if not isinstance(inner, list):
        inner = CommentedSeq()
        _set(held, step, inner)
    cast("list[object]", inner).append(_plain(cast("object", value)))


def _rename(held: object, old: str, new: str) -> None:
    named = cast("dict[str, object]", held)
    if isinstance(held, CommentedMap):
        place = list(named).index(old)
        comments = held.ca.items.pop(old, None)  # pyright: ignore[reportUnknownVariableType,reportUnknownMemberType]  # ruamel.yaml is untyped
        held.insert(place, new, named.pop(old))  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
        if comments is not None:
            held.ca.items[new] = comments  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
        return
    entries = [(new if name == old else name, value) for name, value in named.items()]
    named.clear()
    named.update(entries)


def _plain(value: object) -> object:
    """Returns a value in the form of a file: parts have only the fields that are set."""
    from nodepools.model.base import Model

    if isinstance(value, Model):
        return {name: _plain(part) for name, part in vars(value).items() if name in value.model_fields_set}
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in cast("dict[object, object]", value).items()}
    return [_plain(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else jsonable(value)


Dump = Callable[[Mapping[str, object]], str]


def with_objects(text: str, found: Sequence[ManifestObject], new: Sequence[Mapping[str, object]], dump: Dump) -> str:
    """Returns `text` with its objects `found` replaced by `new`, one for each; empty ones are omitted.

    A document that cannot be edited in place is written again with `dump`, without its comments.
    """
    changed = {id(one): value for one, value in zip(found, new, strict=True) if value is not one.raw}
    if not changed:
        return text
    if text.lstrip().startswith("{"):
        [document] = documents(text, "")
        made = _rebuilt(document.value, iter(new))
        return json.dumps(made, indent=2, ensure_ascii=False) + "\n" if made else ""
    parts: list[str] = []
    for line, part in documents_of(text):
        own = [one for one in found if line <= one.start.line < line + max(part.count("\n"), 1)]
        values = [changed.get(id(one), one.raw) for one in own]
        parts.append(_with_line_ends(part, _replaced(part, line, own, values, dump)) if any(id(one) in changed for one in own) else part)
    return "".join(parts)


def _replaced(part: str, line: int, own: Sequence[ManifestObject], values: Sequence[Mapping[str, object]], dump: Dump) -> str:
    try:
        yaml = round_trip(part)
        held = list(cast("Iterator[object]", yaml.load_all(part)))  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
        places = [mapping_at(held, (one.start.line - line, one.start.column)) for one in own]
        for place, value in zip(places, values, strict=True):
            _merge(place, value)
        edited = _dumped(yaml, held)
        if [one.raw for one in objects(edited, "")] == list(values):
            return edited
    except (YAMLError, LookupError, TypeError, ValueError, TextError):
        pass
    rebuilt = iter(values)
    return "".join(f"---\n{dump(made)}" for document in documents(part, "") if (made := _rebuilt(document.value, rebuilt)))


def _dumped(yaml: YAML, held: Sequence[object]) -> str:
    out = StringIO()
    yaml.dump_all(held, out)  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
    return out.getvalue()


def _rebuilt(value: object, values: Iterator[Mapping[str, object]]) -> Mapping[str, object]:
    """The document with the next of `values` instead of its objects."""
    raw = cast("dict[str, object]", value)
    if str(raw.get("kind", "")).endswith("List") and isinstance(raw.get("items"), list):
        return {**raw, "items": [made for item in cast("list[object]", raw["items"]) if (made := _rebuilt(item, values))]}
    return next(values)


def _merge(tree: CommentedMap, new: Mapping[str, object]) -> None:
    """Gives a mapping the entries of another one; equal parts stay as they are."""
    old = cast("dict[str, object]", tree)
    for key in [key for key in old if key not in new]:
        del old[key]
    for index, (key, value) in enumerate(new.items()):
        if key not in old:
            tree.insert(index, key, _fresh(value))  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
        elif old[key] != value:
            old[key] = _merged(old[key], value)


def _merged(old: object, new: object) -> object:
    if isinstance(old, CommentedMap) and isinstance(new, dict):
        _merge(old, cast("dict[str, object]", new))
        return old
    if isinstance(old, CommentedSeq) and isinstance(new, list):
        return _merged_list(old, cast("list[object]", new))
    return _fresh(new)


def _merged_list(old: CommentedSeq, new: list[object]) -> object:
    items = cast("list[object]", old)
    if len(items) > len(new):
        left = [_identity(item) for item in new]
        for index in reversed(range(len(items))):
            if len(items) > len(new) and _identity(items[index]) not in left:
                del items[index]
    if len(items) != len(new):
        fresh = cast("CommentedSeq", _fresh(new))
        if old.fa.flow_style():  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
            fresh.fa.set_flow_style()  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
        return fresh
    for index, value in enumerate(new):
        if items[index] != value:
            items[index] = _merged(items[index], value)
    return old


def _identity(item: object) -> object:
    """What an item of a list keeps when it is converted: the last part of its key, or its name."""
    if not isinstance(item, Mapping):
        return item
    entry = cast("Mapping[str, object]", item)
    return str(entry.get("key", entry.get("name"))).rpartition("/")[2]


def _fresh(value: object) -> object:
    """The value as parts of a document."""
    if isinstance(value, dict):
        made = CommentedMap()
        for key, part in cast("dict[str, object]", value).items():
            made[key] = _fresh(part)
        return made
    if isinstance(value, list):
        return CommentedSeq([_fresh(part) for part in cast("list[object]", value)])
    return value

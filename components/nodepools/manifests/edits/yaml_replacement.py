"""Gives objects of a YAML or JSON text other values. Objects that do not change keep their text; changed ones keep comments, order and quotes."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import cast

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from nodepools.manifests.edits.yaml_edit import documents_of, mapping_at, round_trip
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import documents

Dump = Callable[[Mapping[str, object]], str]


def with_objects(text: str, found: Sequence[ManifestObject], new: Sequence[Mapping[str, object]], dump: Dump) -> str:
    """Returns `text` with its objects `found` replaced by `new`, one for each.

    A document that cannot be edited in place is written again with `dump`, without its comments.
    """
    changed = {id(one): value for one, value in zip(found, new, strict=True) if value is not one.raw}
    if not changed:
        return text
    if text.lstrip().startswith("{"):
        [document] = documents(text, "")
        return json.dumps(_rebuilt(document.value, iter(new)), indent=2, ensure_ascii=False) + "\n"
    parts: list[str] = []
    for line, part in documents_of(text):
        own = [one for one in found if line <= one.start.line < line + max(part.count("\n"), 1)]
        values = [changed.get(id(one), one.raw) for one in own]
        parts.append(_edited(part, line, own, values, dump) if any(id(one) in changed for one in own) else part)
    return "".join(parts)


def _edited(part: str, line: int, own: Sequence[ManifestObject], values: Sequence[Mapping[str, object]], dump: Dump) -> str:
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
    return "".join(f"---\n{dump(_rebuilt(document.value, rebuilt))}" for document in documents(part, ""))


def _dumped(yaml: YAML, held: Sequence[object]) -> str:
    out = StringIO()
    yaml.dump_all(held, out)  # pyright: ignore[reportUnknownMemberType]  # ruamel.yaml is untyped
    return out.getvalue()


def _rebuilt(value: object, values: Iterator[Mapping[str, object]]) -> Mapping[str, object]:
    """The document with the next of `values` instead of its objects."""
    raw = cast("dict[str, object]", value)
    if str(raw.get("kind", "")).endswith("List") and isinstance(raw.get("items"), list):
        return {**raw, "items": [_rebuilt(item, values) for item in cast("list[object]", raw["items"])]}
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

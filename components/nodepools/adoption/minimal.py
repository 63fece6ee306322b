"""Drops the fields that a declaration does not need: without them, it sends the same."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from pydantic import ValidationError

from nodepools.adoption.draft import KEPT
from nodepools.adoption.plain_trees import Branch, Tree, paths, platform_of, without
from nodepools.changes.platform_requests import requests_of
from nodepools.changes.request import Requests
from nodepools.model.base import Model
from nodepools.model.platform import Platform
from nodepools.wire.differences import differences
from nodepools.wire.rows import Row
from nodepools.wire.wire_paths import Way


def minimal(declared: Tree) -> dict[str, object]:
    """Returns the declaration of a platform without fields whose removal changes no request.

    A value that is the cloud's default counts as not sent.
    """
    platform = platform_of(declared)
    before = requests_of(platform)
    fields = [path for path in paths(declared) if _may_be_dropped(path) and _is_optional(platform, path)]
    values = [path for path in fields if not isinstance(_value(declared, path), Mapping)]
    defaults = [path for path in values if _has_default(platform, path)]
    small = _without_needless(dict(declared), defaults, before)
    left = [path for path in values if path not in defaults]
    small = _without_needless(small, _not_needed(small, left, before), before)
    plain = _sent_as_they_are(before)
    for path in values:
        if path[-1] not in plain and _is_there(small, path):
            small = _without_needless(small, [path], before)
    for path in fields:  # the innermost ones first: a part can be empty now
        if _value(small, path) == {}:
            small = _without_needless(small, [path], before)
    return small


def _not_needed(declared: Tree, candidates: Sequence[Branch], before: Requests) -> list[Branch]:
    """The candidates that are likely to be needless: all are dropped, and those come back that a request then lacks, until nothing differs."""
    left = list(candidates)
    while left:
        lacking = _lacking(before, _without_all(declared, left))
        rest = [path for path in left if not any(_overlap(path, steps) for steps in lacking)]
        if len(rest) == len(left):
            return left
        left = rest
    return left


def _without_all(declared: Tree, candidates: Iterable[Branch]) -> dict[str, object]:
    shorter = dict(declared)
    for path in candidates:
        shorter = without(shorter, path)
    return shorter


def _lacking(before: Requests, declared: Tree) -> list[Branch]:
    """Paths in the declaration that are invalid now, or whose argument differs."""
    try:
        after = requests_of(Platform.model_validate(declared)).by_key()
    except ValidationError as error:
        return [tuple(map(str, found["loc"])) for found in error.errors(include_url=False, include_context=False, include_input=False)]
    changed = [(one, after[key]) for key, one in before.by_key().items() if key in after]
    return [
        (*map(str, one.steps), *(step for step in difference.model if isinstance(step, str)))
        for one, other in changed
        for difference in differences(one.table, one.sent, other.sent, one.kind)
    ]


def _overlap(one: Branch, other: Branch) -> bool:
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def _without_needless(declared: dict[str, object], candidates: Sequence[Branch], before: Requests) -> dict[str, object]:
    """Drops all candidates at once, or each half of them alone."""
    if not candidates:
        return declared
    shorter = _without_all(declared, candidates)
    if _sends_the_same(before, shorter):
        return shorter
    if len(candidates) == 1:
        return declared
    half = len(candidates) // 2
    return _without_needless(_without_needless(declared, candidates[:half], before), candidates[half:], before)


def _may_be_dropped(path: Branch) -> bool:
    return path[-1] not in KEPT and len(path) >= len(("clusters", "key", "field")) and "overrides" not in path


def _is_optional(platform: Platform, path: Branch) -> bool:
    """It is a field with a default. Required fields and entries of mappings must stay."""
    part = _part(platform, path[:-1])
    field = type(part).model_fields.get(path[-1]) if part is not None else None
    return field is not None and not field.is_required()


def _has_default(platform: Platform, path: Branch) -> bool:
    part = _part(platform, path[:-1])
    return part is not None and bool(type(part).model_fields[path[-1]].get_default(call_default_factory=True) == getattr(part, path[-1]))


def _part(platform: Platform, path: Branch) -> Model | None:
    held: object = platform
    for step in path:
        held = getattr(held, step, None) if isinstance(held, Model) else cast("Mapping[str, object]", held).get(step)
        if not isinstance(held, Model | Mapping):
            return None
    return held if isinstance(held, Model) else None


def _is_there(declared: Tree, path: Branch) -> bool:
    above = _value(declared, path[:-1])
    return isinstance(above, Mapping) and path[-1] in above


def _value(declared: Tree, path: Branch) -> object:
    first, *rest = path
    inner = declared.get(first)
    if not rest:
        return inner
    return _value(cast("Tree", inner), tuple(rest)) if isinstance(inner, Mapping) else None


def _sent_as_they_are(requests: Requests) -> frozenset[str]:
    """Names of fields whose value is sent as it is, wherever they are in a table: without the field, a request differs."""
    ways = [way for table in {id(request.table): request.table for request in requests.all}.values() for way in table.leaves if way.model]
    return frozenset(_names(ways, plain=True)) - frozenset(_names(ways, plain=False))


def _names(ways: Iterable[Way], *, plain: bool) -> Iterable[str]:
    for way in ways:
        is_plain = isinstance(way.row, Row) and way.row.compute is None and way.default is None and bool(way.wire)
        if is_plain is plain:
            yield str(way.model[-1])


def _sends_the_same(before: Requests, declared: Tree) -> bool:
    try:
        after = requests_of(Platform.model_validate(declared))  # not `Platform(…)`: why a value is rejected, and what would help, is not needed
    except ValidationError:
        return False
    ours, theirs = before.by_key(), after.by_key()
    return ours.keys() == theirs.keys() and not any(
        any(differences(one.table, one.sent, theirs[key].sent, one.kind)) or one.resource != theirs[key].resource for key, one in ours.items()
    )

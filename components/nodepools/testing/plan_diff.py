"""Differences between two plans, as lines for a reviewer: every value, and the effect of the changes of a resource as `nodepools diff` has it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, TypeGuard, cast

from nodepools.changes.platform_changes import request_set_changes
from nodepools.resources.plan_json import of_plan_json
from nodepools.resources.plan_requests import plan_requests
from nodepools.wire.effects import Effect

Json: TypeAlias = Mapping[str, object]

_MARKS = {"$secret": "(secret)", "$unknown": "(unknown)"}
_ABSENT = object()
_LONGEST = 100


def differences(old: Json, new: Json) -> list[str]:
    """From `old` to `new`: `+` for an added resource or item, `-` for a removed one, `~` for a changed one, with old and new values."""
    before, after = _resources(old), _resources(new)
    effects = _effects(before, after)
    lines = [f"+ {_label(after[urn])}" for urn in sorted(after.keys() - before.keys())]
    lines += [f"- {_label(before[urn])}{_effect(before[urn], effects)}" for urn in sorted(before.keys() - after.keys())]
    for urn in sorted(before.keys() & after.keys()):
        changed = list(_changes("", _compared(before[urn]), _compared(after[urn])))
        if changed:
            lines += [f"~ {_label(after[urn])}{_effect(after[urn], effects)}", *(f"    {line}" for line in changed)]
    rest = [name for name in sorted(old.keys() | new.keys()) if name != "resources"]
    return lines + [line for name in rest for line in _changes(name, old.get(name, _ABSENT), new.get(name, _ABSENT))]


def _effects(before: Mapping[str, Json], after: Mapping[str, Json]) -> Mapping[tuple[str, str], Effect]:
    """The worst effect on each cluster, pool and node class, by type and name."""
    sides = (plan_requests(of_plan_json(side.values())).requests for side in (before, after))
    found: dict[tuple[str, str], Effect] = {}
    for change in request_set_changes(*sides).all:  # the worst first
        found.setdefault((change.resource.type, change.resource.name), change.effect)
    return found


def _effect(resource: Json, effects: Mapping[tuple[str, str], Effect]) -> str:
    effect = effects.get((str(resource["type"]), str(resource["urn"]).rpartition("::")[2]))
    return f"  ({effect.value})" if effect is not None else ""


def _resources(plan: Json) -> dict[str, Json]:
    return {str(resource["urn"]): resource for resource in cast("Sequence[Json]", plan["resources"])}


def _compared(resource: Json) -> Json:
    """The resource without name and type, which are part of its URN."""
    return {name: value for name, value in resource.items() if name not in ("urn", "type", "name")}


def _label(resource: Json) -> str:
    return f"{_of_urn(str(resource['urn']))}  {resource['type']}"


def _of_urn(urn: str) -> str:
    """`AgentPool/dev-weu-web1a2b`."""
    _, _, types, name = urn.split("::", 3)
    return f"{types.rpartition(':')[2]}/{name}"


def _changes(path: str, old: object, new: object) -> Iterator[str]:
    if _is_same(old, new):
        return
    if _inside(old) and _inside(new):
        before, after = cast("Json", old), cast("Json", new)
        for name in sorted(before.keys() | after.keys()):
            yield from _changes(f"{path}.{name}".removeprefix("."), before.get(name, _ABSENT), after.get(name, _ABSENT))
    elif _is_list(old) and _is_list(new):
        yield from _items(path, old, new)
    else:
        yield f"{path}: {_change(old, new)}"


def _is_same(old: object, new: object) -> bool:
    """Compares as JSON: `True == 1` in Python, at any depth, but not in a cloud."""
    return _ABSENT not in (old, new) and json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _change(old: object, new: object) -> str:
    if old is _ABSENT:
        return f"+ {_shown(new)}"
    return f"- {_shown(old)}" if new is _ABSENT else f"{_shown(old)} → {_shown(new)}"


def _items(path: str, old: Sequence[object], new: Sequence[object]) -> Iterator[str]:
    """Added and removed items; with the same number of items, compares item by item."""
    if len(old) == len(new) and any(map(_inside, (*old, *new))):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _changes(f"{path}[{number}]", before, after)
        return
    removed = [item for item in old if not any(_is_same(item, other) for other in new)]
    added = [item for item in new if not any(_is_same(item, other) for other in old)]
    yield from (f"{path}: - {_shown(item)}" for item in removed)
    yield from (f"{path}: + {_shown(item)}" for item in added)
    if not removed and not added:
        yield f"{path}: {_shown(old)} → {_shown(new)}"


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list)


def _inside(value: object) -> bool:
    """Whether it is a mapping, but not one that represents a secret or unknown value."""
    return isinstance(value, Mapping) and _mark(cast("Json", value)) is None


def _shown(value: object) -> str:
    mark = _mark(value)
    if mark is not None:
        return mark
    if isinstance(value, str) and value.startswith("urn:pulumi:"):
        return _of_urn(value)
    text = json.dumps(_named(value), ensure_ascii=False, sort_keys=True)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _named(value: object) -> object:
    """Replaces the marks of secret and unknown values by words, at every depth."""
    mark = _mark(value)
    if mark is not None:
        return mark
    if isinstance(value, Mapping):
        return {name: _named(part) for name, part in cast("Json", value).items()}
    return [_named(part) for part in value] if _is_list(value) else value


def _mark(value: object) -> str | None:
    """The word for a secret or unknown value."""
    return next((word for mark, word in _MARKS.items() if isinstance(value, Mapping) and mark in value), None)

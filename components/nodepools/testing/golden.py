"""Golden plans: plans that are stored next to the tests, and compared."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, TypeGuard, cast

from nodepools.changes.platform_changes import request_set_changes
from nodepools.resources.plan_requests import plan_requests
from nodepools.resources.resource import of_plan_json
from nodepools.testing.node import CheckResult
from nodepools.wire.table import Effect

REWRITE = "--rewrite-golden"
_MOST_LINES = 60


def compared(plan: Mapping[str, object], path: Path) -> CheckResult:
    """Compares `plan` with the one stored at `path`. Writes nothing."""
    advice = f"If the change is intended, run `pytest {REWRITE}`, and review the diff as a change of contract."
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return CheckResult(ok=False, reason=f"golden plan {path} not found: run `pytest {REWRITE}` to store this plan, and review it")
    except (ValueError, IsADirectoryError) as error:
        return CheckResult(ok=False, reason=f"{path} is not a golden plan ({error}): run `pytest {REWRITE}` to store this plan")
    if not _is_plan(stored):
        return CheckResult(ok=False, reason=f"{path} is not a golden plan (it has no resources): run `pytest {REWRITE}` to store this plan")
    lines = differences(cast("Mapping[str, object]", stored), json.loads(_text(plan)))
    if not lines:
        return CheckResult(ok=True, reason=f"the plan equals {path}")
    more = [f"… and {len(lines) - _MOST_LINES} more lines"] if len(lines) > _MOST_LINES else []
    return CheckResult(ok=False, reason="\n".join([f"the plan differs from {path} ({_counted(lines)})", *lines[:_MOST_LINES], *more, advice]))


def stored(plan: Mapping[str, object], path: Path) -> bool:
    """Stores `plan` at `path` atomically; returns whether the file changed."""
    text = _text(plan)
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
    return True


def _text(plan: Mapping[str, object]) -> str:
    return json.dumps(plan, indent=1, ensure_ascii=False) + "\n"


def _is_plan(stored: object) -> bool:
    resources = cast("Mapping[str, object]", stored).get("resources") if isinstance(stored, dict) else None
    return isinstance(resources, list) and all(
        isinstance(resource, dict) and {"urn", "type"} <= resource.keys() for resource in cast("list[object]", resources)
    )


def _counted(lines: list[str]) -> str:
    names = {"+": "added", "-": "removed", "~": "changed"}
    numbers = {name: sum(line.startswith(f"{mark} ") for line in lines) for mark, name in names.items()}
    return ", ".join(f"{number} {name}" for name, number in numbers.items() if number) or "outputs changed"


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
    old, new = (plan_requests(of_plan_json(side.values())).requests for side in (before, after))
    found: dict[tuple[str, str], Effect] = {}
    for change in request_set_changes(old, new).all:  # the worst first
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

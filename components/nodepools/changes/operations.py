"""What Pulumi does with a resource that both sides have: it compares the arguments of two programs, not what they mean to a cloud.

A list in another order, or a duration in other units, is an update without effect. Pulumi ignores some arguments after creation. The provider of
AWS reads the arguments that are not sent from the cloud, so that a default that is set changes nothing.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final, cast

from nodepools.clouds.change import CLUSTER, ENTRY, NETWORK, POLICY, SUBNET, Key, Request, ResourceName
from nodepools.model.ref import HiddenSecret
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.paths import differences, value_at, wire_of
from nodepools.wire.table import Effect, FieldPath, Pattern

Place = tuple[str, ...]
_WHOLE: Final = {SUBNET: NETWORK, POLICY: ENTRY}
"""Resources that are replaced with the one that they are a part of, other than the cluster."""


def replaced(before: Mapping[Key, Request], after: Mapping[Key, Request], worst: Mapping[ResourceName, Effect]) -> frozenset[Key]:
    """The requests that Pulumi replaces: those with such a change, and those whose provider assigns them to one of these by name."""
    both = [(key, before[key], request) for key, request in after.items() if key in before]
    found = {key for key, old, request in both if worst.get(request.resource) is Effect.REPLACES or (request.follows and _is_another(old, request))}
    while more := {key for key in (after.keys() & before.keys()) - found if is_inside(after[key], found)}:
        found |= more
    return frozenset(found)


def _is_another(before: Request, after: Request) -> bool:
    """A value that the provider only sets at creation differs."""
    if before.sent == after.sent:
        return False
    changed = differences(after.table, before.sent, after.sent, after.kind)
    return any(one.effect is Effect.REPLACES and not has_unknown(one.before) and not has_unknown(one.after) for one in changed)


def is_inside(request: Request, whole: AbstractSet[Key]) -> bool:
    """It is a part of one of the requests `whole`, and is deleted with it."""
    return any(need[1] == CLUSTER or _WHOLE.get(request.subject) == need[1] for need in request.needs & whole)


def is_updated(before: Request, after: Request) -> bool:
    """Pulumi sends an update."""
    if before.sent == after.sent and before.every_override == after.every_override:
        return False
    sent = (_is_sent(after, place, old, new) for place, old, new in differing(before.sent, after.sent))
    return any(sent) or any(True for _ in differing(before.every_override, after.every_override))


def differing(before: Mapping[str, object], after: Mapping[str, object], place: Place = ()) -> Iterator[tuple[Place, object, object]]:
    """The arguments that differ, inside mappings that both sides have; without values that are known only after `pulumi up`."""
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from differing(mapping(cast("object", old)), mapping(cast("object", new)), (*place, name))
        elif old != new and certain(cast("object", old), cast("object", new)) is not None:
            yield (*place, name), old, new


def certain(old: object, new: object) -> tuple[object, object] | None:
    """What differs whatever the secrets are that are not there: known parts, and those that only one side has; `None` if nothing does."""
    if any(isinstance(one, HiddenSecret) or has_unknown(one, secrets=False) for one in (old, new)):
        return None
    if not has_unknown(old) and not has_unknown(new):
        return old, new
    first, second, held, gets = mapping(old), mapping(new), sequence(old), sequence(new)
    same = {key for key in first.keys() & second.keys() if has_unknown(first[key]) or has_unknown(second[key]) or first[key] == second[key]}
    rest = [{key: value for key, value in side.items() if key not in same} for side in (first, second)]
    if any(rest):
        return rest[0], rest[1]
    lacks = (
        not has_unknown(other) and any(not has_unknown(one) and one not in other for one in side) for side, other in ((held, gets), (gets, held))
    )
    return (old, new) if len(held) != len(gets) or any(lacks) else None


def _is_sent(request: Request, place: Place, old: object, new: object) -> bool:
    above = [way for way in request.table.leaves if way.wire and way.wire == place[: len(way.wire)]]
    if any(_is_ignored(request, way) for way in above):
        return False
    if not request.resource.type.startswith("aws:"):
        return True
    if old is None and isinstance(new, Mapping):
        return any(_is_sent(request, (*place, name), None, value) for name, value in mapping(cast("object", new)).items())
    default = next((way.default for way in above if way.wire == place), None)
    return (default if old is None else old) != (default if new is None else new)


def _is_ignored(request: Request, way: FieldPath) -> bool:
    if way.change is None:
        return False
    return way.change.ignored or (bool(way.change.ignored_with) and is_set(request, (*way.model[:-1], way.change.ignored_with)))


def is_set(request: Request, model: Pattern) -> bool:
    """The request has a value for a field."""
    fields: Steps = tuple(step for step in model if isinstance(step, str | int))
    return bool(value_at(request.sent, wire_of(request.table, fields)))


def has_unknown(value: object, *, secrets: bool = True) -> bool:
    """Some part of the value is known only after `pulumi up`, or is one of the `secrets` that are not there."""
    parts = mapping(cast("object", value)).values() if isinstance(value, Mapping) else sequence(value)
    return any(has_unknown(part, secrets=secrets) for part in parts) or value is UNKNOWN or (secrets and isinstance(value, HiddenSecret))

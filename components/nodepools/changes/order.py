"""The order in which Pulumi applies changes: waves of operations that can run at the same time.

Resources are created and updated after everything that they need. Deletions follow, in reverse order. A resource that is replaced is deleted first,
after everything inside it.
"""

from collections.abc import Callable, Iterable, Mapping

from nodepools.changes.change import Change, ResourceName
from nodepools.changes.operations import is_inside, is_updated, replaced
from nodepools.changes.renamed_keys import aligned
from nodepools.changes.request import Key, Request, Requests
from nodepools.wire.effects import Effect


def order(old: Requests, new: Requests, changes: Iterable[Change]) -> list[list[str]]:
    """The operations of the changes, in waves."""
    before, after = (_registered(side.by_key()) for side in (aligned(old, new), new))
    worst: dict[ResourceName, Effect] = {}
    for change in changes:
        worst[change.resource] = max(worst.get(change.resource, Effect.NONE), change.effect, key=lambda effect: effect.severity)
    again = replaced(before, after, worst)
    exists = {(key[:3], request.resource.name): request for key, request in before.items()}
    made: dict[Key, str] = {}
    for key, request in after.items():
        operation = _operation(exists.get((key[:3], request.resource.name)), request, worst, is_replaced=key in again)
        if operation is not None:
            made[key] = operation
    names = {(key[:3], request.resource.name) for key, request in after.items()}
    gone = {
        key: f"delete {request.resource}" for key, request in before.items() if (key[:3], request.resource.name) not in names and not request.retained
    }
    first = {key: operation for key, operation in gone.items() if is_inside(before[key], again)}
    last = {key: operation for key, operation in gone.items() if key not in first}
    forward = _waves(made, lambda key: after[key].needs)
    backward = [_waves(some, lambda key: before[key].needs)[::-1] for some in (first, last)]
    wholes = {made[need] for key in first for need in before[key].needs & made.keys() if is_inside(before[key], again & {need})}
    begin = next((number for number, wave in enumerate(forward) if not wholes.isdisjoint(wave)), 0)
    return [*forward[:begin], *backward[0], *forward[begin:], *backward[1]]


def _registered(requests: Mapping[Key, Request]) -> dict[Key, Request]:
    """Those that Pulumi applies."""
    return {key: request for key, request in requests.items() if request.is_registered}


def _operation(before: Request | None, after: Request, worst: Mapping[ResourceName, Effect], *, is_replaced: bool) -> str | None:
    if before is None:
        return f"create {after.resource}"
    if is_replaced:
        return f"replace {after.resource}"
    refused = worst.get(after.resource) is Effect.REFUSED
    return f"update {after.resource}" if is_updated(before, after) and not refused else None


def _waves(operations: Mapping[Key, str], needs: Callable[[Key], frozenset[Key]]) -> list[list[str]]:
    left = dict(operations)
    waves: list[list[str]] = []
    while left:
        ready = [key for key in left if needs(key).isdisjoint(left)]
        ready = ready if ready else list(left)
        waves.append(sorted({left.pop(key) for key in ready}))
    return waves

"""The order in which Pulumi applies changes: waves of operations that can run at the same time.

Resources are created and updated after everything that they need. Deletions follow, in reverse order. A resource that is replaced is deleted first.
"""

from collections.abc import Callable, Iterable, Mapping

from nodepools.changes.change import Change
from nodepools.changes.renamed_keys import aligned
from nodepools.changes.request import CLUSTER, Key, Request, Requests
from nodepools.wire.effects import Effect

_QUIET = (Effect.NONE, Effect.IGNORED, Effect.REFUSED)


def order(old: Requests, new: Requests, changes: Iterable[Change]) -> list[list[str]]:
    """The operations of the changes, in waves."""
    before, after = aligned(old, new).by_key(), new.by_key()
    worst: dict[str, Effect] = {}
    for change in changes:
        known = worst.get(str(change.resource), Effect.NONE)
        worst[str(change.resource)] = max(known, change.effect, key=lambda effect: effect.severity)
    replaced = {
        key[0] for key, request in after.items() if key[1] == CLUSTER and worst.get(str(request.resource)) is Effect.REPLACES and key in before
    }
    made = {key: operation for key, request in after.items() if (operation := _operation(request, before.get(key), worst, replaced)) is not None}
    names = {(key[:3], request.resource.name) for key, request in after.items()}
    gone = {
        key: f"delete {request.resource}" for key, request in before.items() if (key[:3], request.resource.name) not in names and not request.retained
    }
    forward = _waves(made, lambda key: after[key].needs)
    backward = _waves(gone, lambda key: before[key].needs)[::-1]
    return [*forward, *backward]


def _operation(request: Request, former: Request | None, worst: Mapping[str, Effect], replaced: set[str]) -> str | None:
    if former is None or former.resource.name != request.resource.name:
        return f"create {request.resource}"
    effect = worst.get(str(request.resource), Effect.NONE)
    if effect is Effect.REPLACES or request.cluster in replaced:
        return f"replace {request.resource}"
    return f"update {request.resource}" if effect not in _QUIET else None


def _waves(operations: Mapping[Key, str], needs: Callable[[Key], frozenset[Key]]) -> list[list[str]]:
    left = dict(operations)
    waves: list[list[str]] = []
    while left:
        ready = [key for key in left if needs(key).isdisjoint(left)]
        ready = ready if ready else list(left)
        waves.append(sorted({left.pop(key) for key in ready}))
    return waves

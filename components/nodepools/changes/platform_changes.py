"""What the edits from one platform to another do.

Resources are created and updated after everything that they need. Deletions follow, in reverse order. A resource that is replaced is deleted first,
after everything inside it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from nodepools.changes.compare import aligned, compare
from nodepools.changes.library_only_fields import in_whole_parts, unsent
from nodepools.changes.operations import is_inside, is_updated, replaced
from nodepools.changes.platform_requests import comparable, requests_of
from nodepools.clouds.aks.requests import with_rights
from nodepools.clouds.change import Change, ResourceName, summary, worst_first
from nodepools.clouds.eks.requests import own_changes
from nodepools.clouds.request import AKS_CLUSTER, AZURE_NETWORK, CLUSTER, EKS_CLUSTER, Key, Request, Requests
from nodepools.model.platform import Platform
from nodepools.wire.effects import Effect


def order(old: Requests, new: Requests, changes: Iterable[Change]) -> list[list[str]]:
    """The operations of the changes, in waves."""
    before, after = (_registered(side.by_key()) for side in (aligned(old, new), new))
    worst: dict[ResourceName, Effect] = {}
    for change in changes:
        worst[change.resource] = max(worst.get(change.resource, Effect.NONE), change.effect, key=lambda effect: effect.severity)
    again = replaced(before, after, worst)
    exists = {(key[:3], request.resource): request for key, request in before.items()}
    made: dict[Key, str] = {}
    for key, request in after.items():
        operation = _operation(exists.get((key[:3], request.resource)), request, worst, is_replaced=key in again)
        if operation is not None:
            made[key] = operation
    names = {(key[:3], request.resource) for key, request in after.items()}
    gone = {key: f"delete {request.resource}" for key, request in before.items() if (key[:3], request.resource) not in names and not request.retained}
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


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes from one side to another, the worst first, and the order in which Pulumi applies them."""

    all: tuple[Change, ...]
    order: tuple[tuple[str, ...], ...] = ()

    @property
    def worst(self) -> Effect:
        """The most severe effect; `none` without changes."""
        return self.all[0].effect if self.all else Effect.NONE

    @property
    def summary(self) -> Mapping[str, int]:
        """The number of changes for each effect."""
        return summary(self.all)

    def to_json(self) -> dict[str, object]:
        """The changes as JSON data, with the keys of `nodepools diff --format json`."""
        return {"changes": [change.to_json() for change in self.all], "order": [list(wave) for wave in self.order], "summary": dict(self.summary)}


def diff(old: Platform, new: Platform, today: date | None = None) -> Changes:
    """What the edits from `old` to `new` do to resources and nodes, as `nodepools diff` shows it.

    Both are declarations of the same environment. `all` has every change with its effect, nodes, pace, reason and source, the most severe first.
    `order` has the operations of `pulumi up` in waves, each of which waits for the one before. Secrets are removed from old and new values.
    Nothing is read from the clouds: numbers of nodes are intervals, and an effect that no source documents is `unknown`.

    >>> old = Platform(name="dev", clusters={"use1": EksClusterArgs(region="us-east-1", kubernetes_version="1.35")})
    >>> [change] = diff(old, derive(old, clusters={"use1": {"kubernetes_version": "1.36"}})).all
    >>> change.path, change.effect.value, str(change.nodes)
    ('clusters.use1.kubernetes_version', 'rolls', '0 or more')

    Args:
        old: the declaration before the edits.
        new: the declaration after them.
        today: the day on which the edits are applied; the support of versions ends. `None`: the day where people are.
    """
    return declared_changes((old, requests_of(old)), (new, requests_of(new)), today)


def declared_changes(one: tuple[Platform, Requests], other: tuple[Platform, Requests], today: date | None = None) -> Changes:
    """The same for platforms with what they send."""
    old, new = one[0], other[0]
    before, after = comparable(one[1], other[1])
    found = [*compare(before, after, today), *protection_changes(old, new, after)]
    told = with_rights(old, new, after, [*found, *unsent((old, before), (new, after), found)])
    every = worst_first(with_refusals(old, in_whole_parts(old, new, own_changes(old, new, told))))
    return _ordered(before, after, every)


def request_set_changes(old: Requests, new: Requests, today: date | None = None) -> Changes:
    """What the edits between two sides do that are not declarations."""
    before, after = comparable(old, new)
    return _ordered(before, after, compare(before, after, today))


def _ordered(before: Requests, after: Requests, found: list[Change]) -> Changes:
    return Changes(tuple(found), tuple(tuple(wave) for wave in order(before, after, found)))


PROTECTED: Final = frozenset({AKS_CLUSTER, EKS_CLUSTER, "azure-native:resources:ResourceGroup", AZURE_NETWORK, "aws:ec2/vpc:Vpc"})
"""Types of resources whose deletion takes a cluster, its data or its network with it."""
_DELETING: Final = (Effect.REPLACES, Effect.DELETES)
_PROTECT: Final = "protect"
_PROTECTED: Final = "Only the state of Pulumi changes: it rejects deletion and replacement of the cluster from the next `pulumi up` on"
_UNPROTECTED: Final = "Only the state of Pulumi changes: afterwards `pulumi up` and `pulumi destroy` can delete the cluster"
_REJECTED: Final = "Protected: `pulumi up` rejects this until `protect` is false and applied"
_PROTECTION_SOURCE: Final = "Pulumi: resource option `protect`, which is part of the state"


def protection_changes(old: Platform, new: Platform, sent: Requests) -> Iterator[Change]:
    """The clusters on both sides whose protection differs, whether they or the platform declare it."""
    for key in sorted(old.clusters.keys() & new.clusters.keys()):
        if type(old.cluster(key)) is not type(new.cluster(key)) or old.stem(key) != new.stem(key):
            continue  # another cluster
        before, after = old.cluster(key).is_protected, new.cluster(key).is_protected
        if before is not after:
            resource = sent.of(key, CLUSTER)[0].resource
            yield Change(
                key,
                ("clusters", key, _PROTECT),
                before,
                after,
                Effect.NONE,
                _PROTECTED if after else _UNPROTECTED,
                _PROTECTION_SOURCE,
                resource,
            )


def with_refusals(old: Platform, found: Iterable[Change]) -> Iterator[Change]:
    """The changes; of those that delete what the old side protects, the reason says that Pulumi rejects them."""
    protected = {key for key in old.clusters if old.cluster(key).is_protected}
    for change in found:
        refused = change.effect in _DELETING and change.resource.type in PROTECTED and str(change.steps[1]) in protected
        yield replace(change, message=f"{change.message}. {_REJECTED}") if refused else change

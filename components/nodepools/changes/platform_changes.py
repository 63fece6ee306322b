"""What the edits from one platform to another do."""

from collections.abc import Mapping
from dataclasses import dataclass

from nodepools.changes.aks_rights import with_rights
from nodepools.changes.change import Change, summary, worst_first
from nodepools.changes.compare import compare
from nodepools.changes.eks_networks import network_changes
from nodepools.changes.order import order
from nodepools.changes.platform_requests import requests_of
from nodepools.changes.protection import protection_changes, with_refusals
from nodepools.changes.request import Requests
from nodepools.changes.unsent import unsent
from nodepools.changes.whole_parts import in_whole_parts
from nodepools.model.platform import Platform
from nodepools.wire.effects import Effect


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


def diff(old: Platform, new: Platform) -> Changes:
    """What the edits from `old` to `new` do to resources and nodes, as `nodepools diff` shows it.

    Both are declarations of the same environment. `all` has every change with its effect, nodes, pace, reason and source, the most severe first.
    `order` has the operations of `pulumi up` in waves, each of which waits for the one before. Secrets are removed from old and new values.
    Nothing is read from the clouds: numbers of nodes are intervals, and an effect that no source documents is `unknown`.
    """
    return declared_changes((old, requests_of(old)), (new, requests_of(new)))


def declared_changes(one: tuple[Platform, Requests], other: tuple[Platform, Requests]) -> Changes:
    """The same for platforms with what they send."""
    (old, before), (new, after) = one, other
    found = [*compare(before, after), *protection_changes(old, new, after)]
    told = with_rights(old, new, after, [*found, *unsent((old, before), (new, after), found)])
    every = worst_first(with_refusals(old, in_whole_parts(old, new, network_changes(old, new, told))))
    return _ordered(before, after, every)


def request_set_changes(old: Requests, new: Requests) -> Changes:
    """What the edits between two sides do that are not declarations."""
    return _ordered(old, new, compare(old, new))


def _ordered(before: Requests, after: Requests, found: list[Change]) -> Changes:
    return Changes(tuple(found), tuple(tuple(wave) for wave in order(before, after, found)))

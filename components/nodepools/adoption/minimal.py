"""Drops the fields that a declaration does not need: without them, it sends the same."""

from collections.abc import Sequence

from pydantic import ValidationError

from nodepools.adoption.draft import KEPT
from nodepools.adoption.plain_trees import Branch, Tree, paths, platform_of, without
from nodepools.changes.platform_requests import requests_of
from nodepools.changes.request import Requests
from nodepools.model.platform import Platform
from nodepools.wire.differences import differences


def minimal(declared: Tree) -> dict[str, object]:
    """Returns the declaration of a platform without fields whose removal changes no request.

    A value that is the cloud's default counts as not sent.
    """
    candidates = [path for path in paths(declared) if _may_be_dropped(path)]
    return _without_needless(dict(declared), candidates, requests_of(platform_of(declared)))


def _without_needless(declared: dict[str, object], candidates: Sequence[Branch], before: Requests) -> dict[str, object]:
    """Drops all candidates at once, or each half of them alone: most fields of a cluster are defaults."""
    if not candidates:
        return declared
    shorter = declared
    for path in candidates:
        shorter = without(shorter, path)
    if _sends_the_same(before, shorter):
        return shorter
    if len(candidates) == 1:
        return declared
    half = len(candidates) // 2
    return _without_needless(_without_needless(declared, candidates[:half], before), candidates[half:], before)


def _may_be_dropped(path: Branch) -> bool:
    return path[-1] not in KEPT and len(path) >= len(("clusters", "key", "field")) and "overrides" not in path and not _is_pool(path)


def _is_pool(path: Branch) -> bool:
    return path[2] == "pools" and len(path) <= len(("clusters", "key", "pools", "name"))


def _sends_the_same(before: Requests, declared: Tree) -> bool:
    try:
        after = requests_of(Platform.model_validate(declared))  # not `Platform(…)`: why a value is rejected, and what would help, is not asked
    except ValidationError:
        return False
    ours, theirs = before.by_key(), after.by_key()
    return ours.keys() == theirs.keys() and not any(
        any(differences(one.table, one.sent, theirs[key].sent, one.kind)) or one.resource != theirs[key].resource for key, one in ours.items()
    )

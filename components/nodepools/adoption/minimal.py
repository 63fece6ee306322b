"""Drops the fields that a declaration does not need: without them, it sends the same."""

from nodepools.adoption.aks_draft import KEPT
from nodepools.adoption.plain_trees import Branch, Tree, paths, platform_of, without
from nodepools.changes.platform_requests import requests_of
from nodepools.changes.request import Requests
from nodepools.rules.finding import DeclarationError
from nodepools.wire.differences import differences


def minimal(declared: Tree, key: str) -> dict[str, object]:
    """Returns the declaration of a platform without fields whose removal changes no request.

    A value that is the cloud's default counts as not sent.
    """
    kept, before = dict(declared), requests_of(platform_of(declared))
    for path in list(paths(declared)):
        if path[-1] in KEPT or len(path) < len(("clusters", key, "field")) or "overrides" in path or _is_pool(path):
            continue
        shorter = without(kept, path)
        if _sends_the_same(before, shorter):
            kept = shorter
    return kept


def _is_pool(path: Branch) -> bool:
    return path[2] == "pools" and len(path) <= len(("clusters", "key", "pools", "name"))


def _sends_the_same(before: Requests, declared: Tree) -> bool:
    try:
        after = requests_of(platform_of(declared))
    except DeclarationError:
        return False
    ours, theirs = before.by_key(), after.by_key()
    return ours.keys() == theirs.keys() and not any(
        any(differences(one.table, one.sent, theirs[key].sent, one.kind)) or one.resource != theirs[key].resource for key, one in ours.items()
    )

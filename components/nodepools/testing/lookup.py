"""Finds resources by name, and explains when none matches, or several do."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from operator import methodcaller
from typing import Protocol, TypeVar

from nodepools.model.listing import listed

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the assertion, not these frames

_SHOWN = 12
_NEAR = 0.4


class Named(Protocol):
    """Something that can be found by name."""

    urn: str

    @property
    def kind(self) -> str:
        """The last word of the type, `AgentPool`."""
        ...

    @property
    def display_name(self) -> str:
        """The last word of the type, and the name: `AgentPool/dev-weu-web1a2b`."""
        ...


N = TypeVar("N", bound=Named)


class NoSuchResourceError(AssertionError, LookupError):
    """No resource matches, or several do; the message lists the closest names, or all matches."""


def matching(nodes: Iterable[N], what: str) -> list[N]:
    """Returns the nodes that `what` names.

    `AgentPool/dev-weu-web1a2b` is the last word of the type, and the name, with the wildcards `*` and `?`. A type alone names all
    of that type, a URN exactly one. If no name matches, the name can be the end of a name after a dash: `AksCluster/weu` names
    `AksCluster/dev-weu`, so that one test works for every stack.
    """
    among = list(nodes)
    if what.startswith("urn:"):
        return [node for node in among if node.urn == what]
    label = what if "/" in what or what == "*" else f"{what}/*"
    found = [node for node in among if fnmatchcase(node.display_name, label)]
    if found or "/" not in what:
        return found
    type_, _, end = what.partition("/")
    return [node for node in among if fnmatchcase(node.display_name, f"{type_}/*-{end}")]


def the_one(found: Sequence[N], what: str, among: Iterable[N]) -> N:
    """Returns the only one of `found`.

    Raises:
        NoSuchResourceError: there is none, or several.
    """
    if len(found) > 1:
        raise NoSuchResourceError(f"`{what}` matches {len(found)} resources: {listed([_unique_name(node, found) for node in found], _SHOWN)}")
    return at_least_one(found, what, among)[0]


def at_least_one(found: Sequence[N], what: str, among: Iterable[N]) -> Sequence[N]:
    """Returns all of `found`.

    Raises:
        NoSuchResourceError: there is none.
    """
    if not found:
        raise NoSuchResourceError(f"`{what}` not found {_available(what, list(among))}")
    return found


def _available(what: str, among: Sequence[Named]) -> str:
    if not among:
        return "(nothing is registered)"
    count = f"among {len(among)} resource{'s' * (len(among) > 1)}"
    labels = sorted({node.display_name for node in among})
    nearest = get_close_matches(what, labels, n=3, cutoff=_NEAR)
    if nearest:
        return f"{count}; closest: {listed(nearest, _SHOWN)}"
    types = sorted({node.kind for node in among})
    kind = what.partition("/")[0]
    if kind in types:
        return f"{count}; available of type {kind}: {listed([label for label in labels if label.startswith(f'{kind}/')], _SHOWN)}"
    near_types = get_close_matches(kind, types, n=3, cutoff=_NEAR)
    return f"{count}; closest types: {listed(near_types, _SHOWN)}" if near_types else f"{count}; available types: {listed(types, _SHOWN)}"


def _unique_name(node: Named, among: Sequence[Named]) -> str:
    """The display name if it is unique, otherwise the URN."""
    return node.urn if sum(other.display_name == node.display_name for other in among) > 1 else node.display_name

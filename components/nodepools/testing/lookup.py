"""How resources are named in questions, and what is said when none is called so, or several are."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from operator import methodcaller
from typing import Protocol, TypeVar

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the question, not how it was answered

_SHOWN = 12
_NEAR = 0.4


class Named(Protocol):
    """Something that questions can name."""

    urn: str

    @property
    def kind(self) -> str:
        """The last word of the type, `AgentPool`."""
        ...

    @property
    def label(self) -> str:
        """The last word of the type, and the name: `AgentPool/dev-weu-web1a2b`."""
        ...


N = TypeVar("N", bound=Named)


class NoSuchResourceError(AssertionError, LookupError):
    """No resource is called so, or several are; the message shows the nearest, or all."""


def called(nodes: Iterable[N], what: str) -> list[N]:
    """Those that `what` names.

    `AgentPool/dev-weu-web1a2b` is the last word of the type, and the name, with `*` and `?` where part of it does not matter. A type alone
    names all of that type, a URN exactly one. Where no name is the one that was asked for, it may be the end of a name, after a dash:
    `AksCluster/weu` is `AksCluster/dev-weu`, so a test can ask the same of every stack.
    """
    among = list(nodes)
    if what.startswith("urn:"):
        return [node for node in among if node.urn == what]
    label = what if "/" in what or what == "*" else f"{what}/*"
    found = [node for node in among if fnmatchcase(node.label, label)]
    if found or "/" not in what:
        return found
    type_, _, end = what.partition("/")
    return [node for node in among if fnmatchcase(node.label, f"{type_}/*-{end}")]


def the_one(found: Sequence[N], what: str, among: Iterable[N]) -> N:
    """The only one of `found`.

    Raises:
        NoSuchResourceError: there is none, or there are several.
    """
    if len(found) > 1:
        raise NoSuchResourceError(f"{what!r} names {len(found)} resources: {_listed([_told(node, found) for node in found])}")
    return at_least_one(found, what, among)[0]


def at_least_one(found: Sequence[N], what: str, among: Iterable[N]) -> Sequence[N]:
    """All of `found`.

    Raises:
        NoSuchResourceError: there is none.
    """
    if not found:
        raise NoSuchResourceError(f"no {what!r} {_what_there_is(what, list(among))}")
    return found


def _what_there_is(what: str, among: Sequence[Named]) -> str:
    if not among:
        return "there: nothing is registered"
    count = f"among {len(among)} resource{'s' * (len(among) > 1)}"
    labels = sorted({node.label for node in among})
    nearest = get_close_matches(what, labels, n=3, cutoff=_NEAR)
    if nearest:
        return f"{count}; nearest: {_listed(nearest)}"
    types = sorted({node.kind for node in among})
    kind = what.partition("/")[0]
    if kind in types:
        return f"{count}; of {kind} there are: {_listed([label for label in labels if label.startswith(f'{kind}/')])}"
    near_types = get_close_matches(kind, types, n=3, cutoff=_NEAR)
    return f"{count}; nearest types: {_listed(near_types)}" if near_types else f"{count}; there are: {_listed(types)}"


def _told(node: Named, among: Sequence[Named]) -> str:
    """The label where it tells them apart, else the URN, which always does."""
    return node.urn if sum(other.label == node.label for other in among) > 1 else node.label


def _listed(words: Sequence[str]) -> str:
    more = len(words) - _SHOWN
    return ", ".join(words[:_SHOWN]) + (f" and {more} more" if more > 0 else "")

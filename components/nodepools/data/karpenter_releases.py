"""What each version of Karpenter on AWS accepts: kinds, fields, values, label keys and API versions, and how it hashes EC2NodeClasses.

The table is one file, read when first used. Its first line has the source. Patch releases of a minor version accept the same.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from typing import Final, Literal, NamedTuple

from nodepools.data.table_files import day_of, rows_of

_FILE: Final = "karpenter_releases.txt"
_VERSION: Final = re.compile(r"v?([0-9]{1,3}\.[0-9]{1,3})(\.[0-9]{1,3})?")
Number = tuple[int, int]
V1: Final[Number] = (1, 0)
"""Only the CRDs of this version serve v1beta1 next to v1."""
MUTABLE_ROLE: Final[Number] = (1, 7)
"""Since this version, `role` of an EC2NodeClass can change."""
FREE_LABELS: Final[Number] = (1, 9)
"""Since this version, NodePools can have any label of `kubernetes.io` and `k8s.io`."""
CLAIMS: Final[Number] = (1, 15)
"""Since this version, Karpenter launches nodes for pods with ResourceClaims if `ignoreDRARequests` is false."""
DEFAULT_CONSOLIDATION: Final[Number] = (1, 15)
"""Since this version, the CRD has a default for `consolidateAfter`."""


class Fact(NamedTuple):
    """Something that versions before `since` do not accept."""

    since: str
    what: Literal["field", "value", "family", "other"]
    """A field; a value of a field; a family of images of an alias; fields inside a field, apart from `words`, which were always there."""
    kind: str
    path: tuple[str, ...]
    """Below `spec`; `[]` is each entry of a list."""
    words: tuple[str, ...] = ()


class KarpenterRelease(NamedTuple):
    """A minor version of Karpenter on AWS."""

    version: str
    """Such as `1.8`."""
    day: date
    hash_version: str
    """Version of the hash of EC2NodeClasses: Karpenter compares only hashes of the same version."""

    @property
    def number(self) -> Number:
        """The version as numbers."""
        return _number(self.version)

    @property
    def newer_labels(self) -> frozenset[str]:
        """Label keys of `karpenter.k8s.aws` that only later versions know."""
        return frozenset(key for key, since in _table().labels.items() if _number(since) > self.number)

    def before_kind(self, kind: str) -> str | None:
        """The later version whose charts have its CRD first; `None` if this version has it."""
        since = _table().kinds.get(kind)
        return since if since is not None and _number(since) > self.number else None

    def since(self, label: str) -> str:
        """The version that introduced a label of `newer_labels`."""
        return _table().labels[label]

    def newer_facts(self, kind: str) -> Iterator[Fact]:
        """What only later versions accept, in objects with this `kind`."""
        return (fact for fact in _table().facts if fact.kind == kind and _number(fact.since) > self.number)


class _Table(NamedTuple):
    releases: Mapping[str, KarpenterRelease]
    facts: tuple[Fact, ...]
    labels: Mapping[str, str]
    kinds: Mapping[str, str]


def karpenter_releases() -> tuple[KarpenterRelease, ...]:
    """All versions of the table, the oldest first."""
    return tuple(_table().releases.values())


def karpenter_release(text: str) -> KarpenterRelease | None:
    """The version that a text such as `1.8`, `v1.8.2` names; `None` if it is not in the table."""
    match = _VERSION.fullmatch(text)
    return None if match is None else _table().releases.get(match[1])


def karpenter_releases_origin() -> str:
    """Source and day of the table."""
    return f"aws/karpenter-provider-aws, {day_of(_FILE)}"


@cache
def _table() -> _Table:
    lines = list(rows_of(_FILE))
    releases = [KarpenterRelease(version, date.fromisoformat(day), of_hash) for [what, version, day, of_hash, *_] in _of(lines, "release") if what]
    facts = [fact for what in ("field", "value", "family", "other") for fact in _facts(what, _of(lines, what))]
    labels, kinds = ({key: since for [_, since, key] in _of(lines, what)} for what in ("label", "kind"))
    return _Table({release.version: release for release in releases}, tuple(facts), labels, kinds)


def _of(lines: list[list[str]], what: str) -> list[list[str]]:
    return [line for line in lines if line[0] == what]


def _facts(what: Literal["field", "value", "family", "other"], lines: list[list[str]]) -> Iterator[Fact]:
    for [_, since, kind, path, *words] in lines:
        yield Fact(since, what, kind, tuple(step for part in path.split(".") for step in _steps(part)), tuple(words))


def _steps(part: str) -> list[str]:
    name, bracket, _ = part.partition("[]")
    return [name, "[]"] if bracket else [name]


def _number(version: str) -> Number:
    major, _, minor = version.partition(".")
    return int(major), int(minor)

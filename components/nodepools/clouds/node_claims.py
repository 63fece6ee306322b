"""NodeClaims and subnets that were exported, and the nodes that drift because a node class selects other images or subnets.

Source: karpenter-provider-aws 1.15, `isAMIDrifted` and `isSubnetDrifted`. The labels of a NodeClaim have its zone, not its subnet.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from nodepools.clouds.change import Interval, total
from nodepools.model.steps import mapping, sequence
from nodepools.placement.cloud_labels import ZONE

_IMAGES: Final = "amiSelectorTerms"
_SUBNETS: Final = "subnetSelectorTerms"
_STAYS: Final = Interval(0, 0)
_DRIFTS: Final = Interval(1, 1)
_MAYBE: Final = Interval(0, 1)


@dataclass(frozen=True, slots=True)
class NodeClaim:
    """Karpenter's request for one node that exists."""

    labels: Mapping[str, str]
    image: str | None = None
    """The id of the image that its node was launched with."""


@dataclass(frozen=True, slots=True)
class ExistingSubnet:
    """A subnet of AWS."""

    zone: str
    tags: Mapping[str, str] = field(default_factory=dict[str, str])


def drifted_with_class(
    before: Mapping[str, object], after: Mapping[str, object], claims: Iterable[NodeClaim], subnets: Mapping[str, ExistingSubnet]
) -> Interval | None:
    """How many of the nodes of a node class drift because it selects other images or other subnets; `None` if the exports do not show that."""
    changed = [name for name in (_IMAGES, _SUBNETS) if before.get(name) != after.get(name)]
    if changed == [_IMAGES]:
        return _with_other_images(sequence(after.get(_IMAGES)), claims)
    if changed == [_SUBNETS]:
        return _with_other_subnets(_selected(before.get(_SUBNETS), subnets), _selected(after.get(_SUBNETS), subnets), claims, subnets)
    return None


def _with_other_images(terms: Sequence[object], claims: Iterable[NodeClaim]) -> Interval | None:
    """Terms that are ids say which images are selected; others, such as an alias, do not."""
    if any(set(mapping(term)) != {"id"} for term in terms):
        return None
    ids = {mapping(term)["id"] for term in terms}
    return total(_MAYBE if claim.image is None else _STAYS if claim.image in ids else _DRIFTS for claim in claims)


def _with_other_subnets(
    old: frozenset[str] | None, new: frozenset[str] | None, claims: Iterable[NodeClaim], subnets: Mapping[str, ExistingSubnet]
) -> Interval | None:
    """A node drifts for certain if no subnet of its zone is selected any more, and not if all of them still are."""
    if old is None or new is None:
        return None

    def one(claim: NodeClaim) -> Interval:
        zone = claim.labels.get(ZONE)
        first, second = ({name for name in side if subnets[name].zone == zone} for side in (old, new))
        if zone is None or not first:
            return _MAYBE
        return _STAYS if first <= second else _MAYBE if second else _DRIFTS

    return total(map(one, claims))


def _selected(terms: object, subnets: Mapping[str, ExistingSubnet]) -> frozenset[str] | None:
    """The ids of the subnets that terms select; `None` if a term names one that was not exported."""
    found: set[str] = set()
    for term in map(mapping, sequence(terms)):
        name, wanted = term.get("id"), mapping(term.get("tags"))
        if (name is not None and name not in subnets) or not (name is not None or wanted):
            return None
        found |= {key for key, subnet in subnets.items() if selects(term, key, subnet.tags)}
    return frozenset(found)


_PARTS: Final = re.compile(r"\\.|[*?]|[^*?\\]+|\\", re.DOTALL)
_WILDCARDS: Final = {"*": ".*", "?": ".?"}


def selects(term: Mapping[str, object], subnet: str, tags: Mapping[str, str]) -> bool:
    r"""The term selects a subnet with this id and these tags.

    Karpenter ignores the tags of a term that has an id, and passes tags to EC2 as filters: their values are patterns, in which `*` is any text, `?`
    is one character or none, and `\` takes the meaning from the next one. The value `*` alone selects each subnet that has the tag.
    Sources: karpenter-provider-aws 1.15, pkg/providers/subnet; https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Filtering.html (2026-11).
    """
    if term.get("id") is not None:
        return str(term["id"]).lower() == subnet
    wanted = mapping(term.get("tags"))
    return bool(wanted) and all(key in tags and _pattern(str(value)).fullmatch(tags[key]) is not None for key, value in wanted.items())


@cache
def _pattern(value: str) -> re.Pattern[str]:
    """A value of a filter as a regular expression."""
    parts = [_WILDCARDS.get(part) or re.escape(part[1:] if part.startswith("\\") and len(part) > 1 else part) for part in _PARTS.findall(value)]
    return re.compile("".join(parts), re.DOTALL)

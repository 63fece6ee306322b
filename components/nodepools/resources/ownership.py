"""Which cluster a resource belongs to: by what it names where that is known, else by what it depends on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nodepools.resources.resource import Resource


@dataclass(frozen=True, slots=True)
class DifferentCluster:
    """It belongs to something that is not among the resources."""


@dataclass(frozen=True, slots=True)
class UnknownCluster:
    """It may belong to any of them."""


def named_owner(part: Resource, naming: str, owners: Sequence[Resource], name: str) -> Resource | DifferentCluster | UnknownCluster:
    """The owner of `part`, whose input `naming` is the owner's `name`."""
    written = part.inputs.get(naming)
    meant = owners
    if isinstance(written, str):
        called = [owner for owner in owners if owner.inputs.get(name) == written]
        if len(called) == 1:
            return called[0]
        # A name that is made up by the provider is not among the inputs.
        meant = called if called else [owner for owner in owners if not isinstance(owner.inputs.get(name), str)]
    for urns in (part.property_dependencies.get(naming, ()), part.dependencies):
        found = [owner for owner in meant if owner.urn in urns]
        if len(found) == 1:
            return found[0]
    return UnknownCluster() if meant else DifferentCluster()


def reached_owner(part: Resource, owners: Sequence[Resource], stack: Mapping[str, Resource]) -> Resource | None:
    """The one owner that the provider of `part` is made from, or that it depends on itself; the nearest, and none where there are several."""
    known = {owner.urn: owner for owner in owners}
    provider = stack.get(part.provider) if part.provider is not None else None
    ahead = set(provider.dependencies if provider is not None else part.dependencies)
    seen: set[str] = set()
    while ahead:
        found = ahead & known.keys()
        if found:
            return known[found.pop()] if len(found) == 1 else None
        seen |= ahead
        ahead = {urn for held in ahead if held in stack for urn in stack[held].dependencies} - seen
    return None

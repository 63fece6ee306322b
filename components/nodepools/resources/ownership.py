"""Finds the cluster of a resource: by the name in its inputs if that is known, otherwise by its dependencies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nodepools.resources.resource import Resource


@dataclass(frozen=True, slots=True)
class DifferentCluster:
    """The resource belongs to a cluster that is not among the resources."""


@dataclass(frozen=True, slots=True)
class UnknownCluster:
    """The resource can belong to any of the clusters."""


def named_owner(part: Resource, naming: str, owners: Sequence[Resource], name: str) -> Resource | DifferentCluster | UnknownCluster:
    """Returns the owner of `part`: the resource whose input `name` equals the input `naming` of `part`."""
    written = part.inputs.get(naming)
    candidates = owners
    if isinstance(written, str):
        named = [owner for owner in owners if owner.inputs.get(name) == written]
        if len(named) == 1:
            return named[0]
        # A name that the provider generates is not among the inputs.
        candidates = named if named else [owner for owner in owners if not isinstance(owner.inputs.get(name), str)]
    for urns in (part.property_dependencies.get(naming, ()), part.dependencies):
        found = [owner for owner in candidates if owner.urn in urns]
        if len(found) == 1:
            return found[0]
    return UnknownCluster() if candidates else DifferentCluster()


def reached_owner(part: Resource, owners: Sequence[Resource], stack: Mapping[str, Resource]) -> Resource | None:
    """Returns the nearest owner that the provider of `part` depends on, or that `part` depends on; `None` if several are equally near."""
    known = {owner.urn: owner for owner in owners}
    provider = stack.get(part.provider) if part.provider is not None else None
    ahead = set(provider.dependencies if provider is not None else part.dependencies)
    seen: set[str] = set()
    while ahead:
        found = ahead & known.keys()
        if found:
            return known[found.pop()] if len(found) == 1 else None
        seen |= ahead
        ahead = {urn for known_urn in ahead if known_urn in stack for urn in stack[known_urn].dependencies} - seen
    return None

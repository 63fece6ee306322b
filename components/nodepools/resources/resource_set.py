"""The resources of a stack by kind, and the cluster and the owner of each: by names in its inputs if known, otherwise by its dependencies."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from nodepools.model.listing import grouped
from nodepools.model.values import dataclass
from nodepools.resources.kubernetes_objects import Object, read_object
from nodepools.resources.resource import Kind, Resource, kind_of


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


@dataclass(frozen=True)
class Members:
    """Resources that are checked together."""

    resources: tuple[Resource, ...]
    is_stack: bool = True
    """The set contains a whole program; otherwise one resource, and the others are unknown."""

    @cached_property
    def by_urn(self) -> Mapping[str, Resource]:
        """Returns every resource by its URN."""
        return {resource.urn: resource for resource in self.resources}

    @cached_property
    def objects(self) -> tuple[Object, ...]:
        """Returns the Karpenter objects, read into the model."""
        return tuple(map(read_object, self.of(Kind.OBJECT)))

    def of(self, kind: Kind) -> tuple[Resource, ...]:
        """Returns the resources with this kind."""
        return self._by_kind.get(kind, ())

    def owned(self, kind: Kind, owner: Resource, naming: str, name: str) -> tuple[tuple[Resource, ...], bool]:
        """Returns the resources with this kind that are known to belong to `owner`, and whether these are all."""
        found = self._owners(kind, kind_of(owner), naming, name)
        certain = tuple(part for part in self.of(kind) if found[part.urn] is owner)
        return certain, self.is_stack and not any(isinstance(cluster, UnknownCluster) for cluster in found.values())

    def unowned(self, kind: Kind, subject: Kind, naming: str, name: str) -> Iterable[Resource]:
        """Returns the resources with this kind whose owner is unknown, or not in the set."""
        found = self._owners(kind, subject, naming, name)
        return [part for part in self.of(kind) if isinstance(found[part.urn], DifferentCluster | UnknownCluster)]

    def _owners(self, kind: Kind, subject: Kind, naming: str, name: str) -> Mapping[str, Resource | DifferentCluster | UnknownCluster]:
        """Returns the owner of each resource with this kind, by URN; computed once for all owners."""
        query = (kind, subject, naming, name)
        if query not in self._owned:
            self._owned[query] = {part.urn: named_owner(part, naming, self.of(subject), name) for part in self.of(kind)}
        return self._owned[query]

    @cached_property
    def _owned(self) -> dict[tuple[Kind, Kind, str, str], Mapping[str, Resource | DifferentCluster | UnknownCluster]]:
        return {}

    @cached_property
    def _by_kind(self) -> Mapping[Kind, tuple[Resource, ...]]:
        found = grouped((kind_of(resource), resource) for resource in self.resources)
        return {kind: tuple(resources) for kind, resources in found.items()}

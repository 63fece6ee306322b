"""The resources of a stack by kind, and the owner of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from nodepools.resources.kubernetes_objects import Object, read_object
from nodepools.resources.ownership import DifferentCluster, UnknownCluster, named_owner
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import Kind, kind_of


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
        found: dict[Kind, list[Resource]] = {}
        for resource in self.resources:
            found.setdefault(kind_of(resource), []).append(resource)
        return {kind: tuple(resources) for kind, resources in found.items()}

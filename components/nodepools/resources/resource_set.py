"""The resources of a stack by what they are, and who belongs to whom."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from nodepools.resources.kubernetes_objects import Object, read_object
from nodepools.resources.ownership import DifferentCluster, UnknownCluster, named_owner
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import Kind, kind_of


@dataclass(frozen=True)
class Members:
    """All that is judged together."""

    resources: tuple[Resource, ...]
    is_stack: bool = True
    """All of a program is here; else one resource, of which nobody knows what is beside it."""

    @cached_property
    def by_urn(self) -> Mapping[str, Resource]:
        """Every resource by its URN."""
        return {resource.urn: resource for resource in self.resources}

    @cached_property
    def objects(self) -> tuple[Object, ...]:
        """The objects of Karpenter, read."""
        return tuple(map(read_object, self.of(Kind.OBJECT)))

    def of(self, kind: Kind) -> tuple[Resource, ...]:
        """Those of a kind."""
        return self._by_kind.get(kind, ())

    def owned(self, kind: Kind, owner: Resource, naming: str, name: str) -> tuple[tuple[Resource, ...], bool]:
        """Those of a kind that are certainly the owner's, and whether these are all."""
        found = self._owners(kind, kind_of(owner), naming, name)
        certain = tuple(part for part in self.of(kind) if found[part.urn] is owner)
        return certain, self.is_stack and not any(isinstance(one, UnknownCluster) for one in found.values())

    def unowned(self, kind: Kind, of: Kind, naming: str, name: str) -> Iterable[Resource]:
        """Those of a kind whose owner is not here, or not known."""
        found = self._owners(kind, of, naming, name)
        return [part for part in self.of(kind) if isinstance(found[part.urn], DifferentCluster | UnknownCluster)]

    def _owners(self, kind: Kind, of: Kind, naming: str, name: str) -> Mapping[str, Resource | DifferentCluster | UnknownCluster]:
        """By the URN of each part of a kind: found once for all owners."""
        asked = (kind, of, naming, name)
        if asked not in self._owned:
            self._owned[asked] = {part.urn: named_owner(part, naming, self.of(of), name) for part in self.of(kind)}
        return self._owned[asked]

    @cached_property
    def _owned(self) -> dict[tuple[Kind, Kind, str, str], Mapping[str, Resource | DifferentCluster | UnknownCluster]]:
        return {}

    @cached_property
    def _by_kind(self) -> Mapping[Kind, tuple[Resource, ...]]:
        found: dict[Kind, list[Resource]] = {}
        for resource in self.resources:
            found.setdefault(kind_of(resource), []).append(resource)
        return {kind: tuple(resources) for kind, resources in found.items()}

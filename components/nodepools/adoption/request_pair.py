"""A resource that a declaration registers, next to the one that exists."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from nodepools.adoption.object_exports import ObjectExport
from nodepools.adoption.plain_trees import Branch
from nodepools.changes.drift import canonical
from nodepools.clouds.request import Request
from nodepools.wire.table import Written

_IN_CLUSTER: Final = "kubernetes:"
"""How the types of objects inside clusters begin."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An argument that a declaration would send with another value than the cloud has."""

    resource: tuple[str, ...]
    """The part of the declaration whose `overrides` have the argument: `()` for the cluster, `("pools", "web")`."""
    path: tuple[str, ...]
    """Its path in the provider's Python spelling."""
    observed: object
    sent: object
    reason: str = ""
    """Why it is left; empty if nothing explains it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One resource, and how it differs."""

    request: Request
    import_id: str | None
    """`None` if it does not exist in the cloud, and would be created."""
    differences: tuple[Difference, ...]

    @property
    def is_object(self) -> bool:
        """It is inside the cluster."""
        return self.request.resource.type.startswith(_IN_CLUSTER)


def object_compared(request: Request, name: str, have: ObjectExport | None) -> Compared:
    """An object inside a cluster: fields that are not sent stay."""
    if have is None:
        return Compared(request, None, ())
    return Compared(request, name, tuple(_one_way(request.sent, have.spec, tuple(map(str, request.steps[2:])), ())))


def _one_way(sent: Written, have: Written, resource: Branch, path: Branch) -> Iterator[Difference]:
    for name, value in sent.items():
        there = have.get(name)
        if isinstance(value, Mapping) and isinstance(there, Mapping):
            yield from _one_way(cast("Written", value), cast("Written", there), resource, (*path, name))
        elif not _equal(name, cast("object", value), cast("object", there)):
            yield Difference(resource, (*path, name), cast("object", there), cast("object", value))


def _equal(name: str, sent: object, have: object) -> bool:
    """An object can have a number where text is sent, as in `limits`."""
    if canonical(sent, name) == canonical(have, name) or (sent in ({}, []) and have is None):
        return True
    return isinstance(sent, str) and isinstance(have, int) and sent == str(have)

"""The row of the identity of the nodes: three ids, which are those of a new identity if the fields do not have them."""

from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.kubelet_identity import KubeletIdentity
from nodepools.model.base import Model
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.aks.around import ClusterAround
from nodepools.wire.aks.sources import PRINCIPAL
from nodepools.wire.reading import Reading
from nodepools.wire.rows import Row
from nodepools.wire.table import Table, Written
from nodepools.wire.wire_paths import Pattern, Steps, Way, path
from nodepools.wire.writing import Writing

_PROFILE: Final = "identityProfile.kubeletidentity"
_ID: Final = f"{_PROFILE}.resourceId"
_NAMES: Final = ("resourceId", "clientId", "objectId")

KUBELET_IDENTITY: Final = Table(
    Row("id", "resourceId", PRINCIPAL),
    Row("client_id", "clientId", PRINCIPAL),
    Row("object_id", "objectId", PRINCIPAL),
)
"""`identityProfile.kubeletidentity`."""


class OfKubelets(NamedTuple):
    """The ids of an existing identity, or those of the one that the component creates; nothing if AKS creates it."""

    field: str

    def write(self, part: Model, out: Writing) -> None:
        """Writes the three ids."""
        held, ids = out.value(part, self.field), cast("ClusterAround", out.around).kubelet
        if held is UNKNOWN:
            out.put(_PROFILE, UNKNOWN)
        elif isinstance(held, KubeletIdentity) and held.id is not None:
            out.put(_PROFILE, out.entry(KUBELET_IDENTITY, held))
        elif out.value(part, "", _is_created) is True:
            for name, value in zip(_NAMES, ids if ids is not None else (UNKNOWN, None, None), strict=True):
                out.put(f"{_PROFILE}.{name}", value)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The ids, unless AKS created the identity, in the node resource group."""
        held = reading.at(written, _PROFILE)
        if held is None or held is UNKNOWN:
            return {} if held is None else {self.field: UNKNOWN}
        found = reading.entry(KUBELET_IDENTITY, held, (*place, *path(_PROFILE)))
        if found is None:
            return {self.field: UNKNOWN}
        return {} if _is_of_group(found.get("id"), reading.at(written, "nodeResourceGroup")) or not found else {self.field: found}

    def ways(self) -> Iterator[Way]:
        """The ids, and the registries, the first of which creates the identity."""
        yield Way((self.field,), path(_PROFILE), PRINCIPAL, self)
        yield from (way._replace(model=(self.field, *way.model), wire=(*path(_PROFILE), *way.wire)) for way in KUBELET_IDENTITY.ways)
        yield Way(("registries",), path(_ID), PRINCIPAL, self)

    def claims(self) -> Iterator[Pattern]:
        """The profile."""
        yield path(_PROFILE)


def _is_created(cluster: AksClusterArgs, _: ClusterAround) -> object:
    return cluster.creates_kubelet_identity


def _is_of_group(identity: object, group: object) -> bool:
    return isinstance(identity, str) and isinstance(group, str) and f"/resourcegroups/{group.lower()}/" in identity.lower()

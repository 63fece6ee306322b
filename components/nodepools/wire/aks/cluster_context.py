"""What of a cluster's request is not a field of the cluster, or is two arguments at once: its identity."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, cast

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.name_limits import cut
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN, NotKnownError
from nodepools.model.values import dataclass
from nodepools.wire.aks.agent_pool import ALONE as POOL_ALONE
from nodepools.wire.aks.agent_pool import AgentPoolContext
from nodepools.wire.reading import UNREADABLE, Reading, Why, Writing, is_known
from nodepools.wire.table import Change, FieldPath, Pattern, Written, path


class KubeletIds(NamedTuple):
    """The ids of the identity that the component creates for nodes."""

    resource_id: object
    client_id: object = None
    object_id: object = None


@dataclass(frozen=True, slots=True)
class AksClusterContext:
    """Context of the tables of a cluster and its parts."""

    stem: str
    """Prefix of the names in Azure."""
    declared: AksClusterArgs | None
    """The cluster, because ranges of its parts depend on each other. `None` if it was read from a resource."""
    identity_id: object
    system: AgentPoolContext
    """Context of the first system pool."""
    kubelet: KubeletIds | None = None
    """`None` if no identity is created for nodes, or if it is not known."""
    egress: tuple[object, ...] = ()
    """Addresses of the NAT gateway that is created, as ranges."""

    @property
    def cluster(self) -> AksClusterArgs:
        """The cluster.

        Raises:
            NotKnownError: it was read from a resource.
        """
        if self.declared is None:
            raise NotKnownError
        return self.declared


STANDALONE: Final = AksClusterContext("", None, None, POOL_ALONE)
"""Context of a cluster that was read from a resource."""


SYSTEM_ASSIGNED: Final = "system"
"""Value of the field for the identity that AKS assigns."""
_TYPE, _IDS = "identity.type", "identity.userAssignedIdentities"
_SYSTEM, _USER = "SystemAssigned", "UserAssigned"


class Identity(NamedTuple):
    """The identity that AKS assigns, or the user-assigned one, which the component creates if the field is not set."""

    field: str
    change: Change

    def write(self, part: Model, out: Writing) -> None:
        """Writes the type, and the id of a user-assigned identity."""
        identity_id = cast("AksClusterContext", out.around).identity_id
        if out.value(part, self.field) == SYSTEM_ASSIGNED:
            out.put(_TYPE, _SYSTEM)
        else:
            out.put(_TYPE, _USER if identity_id is not None else UNKNOWN)
            out.put(_IDS, [identity_id] if identity_id is not None else UNKNOWN)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The identity. Azure accepts a list of ids and returns a mapping; a cluster can have one."""
        kind, ids = reading.at(written, _TYPE), reading.at(written, _IDS)
        if kind == _SYSTEM:
            return {self.field: SYSTEM_ASSIGNED}
        if kind not in (None, _USER):
            if kind is not UNKNOWN:
                reading.report_unread((*place, *path(_TYPE)), kind, Why.UNREADABLE)
            return {self.field: UNKNOWN}
        if ids is None:
            return {}
        try:
            [one] = cast("Mapping[str, object]", ids) if is_known(ids) else [UNKNOWN]
        except UNREADABLE:
            reading.report_unread((*place, *path(_IDS)), ids, Why.UNREADABLE)
            one = UNKNOWN
        return {self.field: one}

    def field_paths(self) -> Iterator[FieldPath]:
        """The ids, and the type."""
        yield FieldPath((self.field,), path(_IDS), self.change, self)
        yield FieldPath((self.field,), path(_TYPE), self.change, self)

    def read_paths(self) -> Iterator[Pattern]:
        """Both places."""
        yield from (path(_IDS), path(_TYPE))


_LONGEST_NAME: Final = 63
_LONGEST_GROUP: Final = 80


def cluster_name(cluster: AksClusterArgs, stem: str) -> str:
    """The name in Azure."""
    return cluster.name if cluster.name is not None else cut(stem, _LONGEST_NAME)


def resource_group_name(cluster: AksClusterArgs, stem: str) -> str | None:
    """The name of its resource group; `None` if only the program knows it."""
    if cluster.resource_group is None:
        return stem
    return cluster.resource_group if isinstance(cluster.resource_group, str) else None


def node_group_name(cluster: AksClusterArgs, stem: str) -> str:
    """The name of the resource group of the nodes."""
    return cluster.node_resource_group if cluster.node_resource_group is not None else cut(f"{stem}-nodes", _LONGEST_GROUP)

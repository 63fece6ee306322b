"""Resource ids of Azure in a declaration: their form, and the type of resource that each field names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.model.access import Entra, EntraPrincipal
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.image_cache import ImageCache
from nodepools.model.aks.kubelet_identity import KubeletIdentity
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, LoadBalancer
from nodepools.model.aks.pools import UserPool
from nodepools.model.aks.workload_identity import WorkloadIdentity
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.path import Step
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_SUBNET: Final = "Microsoft.Network/virtualNetworks/subnets"
_IDENTITY: Final = "Microsoft.ManagedIdentity/userAssignedIdentities"
_GROUP: Final = 4
"""Segments of the id of a resource group."""
_SHOWN: Final = 120
_GUID: Final = re.compile("[0-9a-fA-F]{32}")
_GROUP_NAME: Final = re.compile(r"[-\w.()]{0,89}[-\w()]")

TYPES: Final[Mapping[type[object], Mapping[str, str]]] = {
    AgentPool: {
        "snapshot_id": "Microsoft.ContainerService/snapshots",
        "proximity_placement_group_id": "Microsoft.Compute/proximityPlacementGroups",
        "capacity_reservation_group_id": "Microsoft.Compute/capacityReservationGroups",
        "host_group_id": "Microsoft.Compute/hostGroups",
        "vnet_subnet_id": _SUBNET,
        "pod_subnet_id": _SUBNET,
        "node_public_ip_prefix_id": "Microsoft.Network/publicIPPrefixes",
        "application_security_group_ids": "Microsoft.Network/applicationSecurityGroups",
    },
    AksClusterArgs: {
        "disk_encryption_set_id": "Microsoft.Compute/diskEncryptionSets",
        "api_server_subnet_id": _SUBNET,
        "identity": _IDENTITY,
        "log_analytics_workspace_id": "Microsoft.OperationalInsights/workspaces",
    },
    AksNetworkArgs: {"route_table_id": "Microsoft.Network/routeTables"},
    ExistingAksNetwork: {"subnet_id": _SUBNET, "pod_subnet_id": _SUBNET},
    LoadBalancer: {"outbound_ip_ids": "Microsoft.Network/publicIPAddresses", "outbound_ip_prefix_ids": "Microsoft.Network/publicIPPrefixes"},
    KubeletIdentity: {"id": _IDENTITY},
    WorkloadIdentity: {"identity": _IDENTITY},
    ImageCache: {"registry_id": "Microsoft.ContainerRegistry/registries"},
}
"""The type of resource of each field with an id, by class."""


@rule(
    "AKS336",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/azure-resource-manager/templates/template-functions-resource: the form of resource ids (2026-11-26)",
    sample=lambda: UserPool(vm_size=SIZE, proximity_placement_group_id="/subscriptions/s/near"),
)
def malformed_resource_id(
    part: AgentPool | AksClusterArgs | AksNetworkArgs | ExistingAksNetwork | LoadBalancer | KubeletIdentity | WorkloadIdentity | ImageCache,
) -> Iterator[PartFinding]:
    """A field that names another Azure resource needs its full resource id: subscription, resource group, provider, type and name."""
    for field, kind in next(fields for declares, fields in TYPES.items() if isinstance(part, declares)).items():
        for at, value in _texts(getattr(part, field), field):
            if value.startswith("/") and not names(value, kind):
                shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
                message = f"`{shown}` is not the id of a resource of the type `{kind}`: Azure rejects it"
                yield finding(part, message, path=at, fix=f"Use an id of the form `{_form(kind)}`")


@rule(
    "AKS341",
    Severity.ERROR,
    source="Azure REST API reference, Role Assignments, Create: principalId; Managed Clusters: aadProfile.adminGroupObjectIDs, tenantID (2026-11)",
    sample=lambda: aks(entra=Entra(azure_rbac=False, admin_groups=["platform-team"])),
)
def malformed_object_id(part: EntraPrincipal | Entra) -> Iterator[PartFinding]:
    """Principals and tenants of Microsoft Entra ID are named by their ids, which are GUIDs, not by their names."""
    for field in ("object_id",) if isinstance(part, EntraPrincipal) else ("tenant_id", "admin_groups"):
        for at, value in _texts(getattr(part, field), field):
            if not _GUID.fullmatch(re.sub("[-{}]", "", value)):
                kind = "tenant" if field == "tenant_id" else "user, group or service principal"
                message = f"`{value}` is not the id of a {kind} of Microsoft Entra ID: Azure rejects it"
                yield finding(part, message, path=at, fix="Use the object id, which `az ad group show --group NAME --query id` prints")


@rule(
    "AKS342",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules: resourceGroups (2026-11)",
    sample=lambda: aks(resource_group="shop."),
)
def invalid_resource_group_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The name of a resource group has at most 90 letters, digits, `_`, `-`, `.` and parentheses, and no period at the end."""
    name = cluster.resource_group
    if isinstance(name, str) and not _GROUP_NAME.fullmatch(name):
        message = f"`{name}` is not a valid name of a resource group: Azure rejects it"
        fix = "Use the name alone, not an id" if "/" in name else "Use letters, digits, `_`, `-`, `.` and parentheses, with no period at the end"
        yield finding(cluster, message, path="resource_group", fix=fix)


def names(resource_id: str, kind: str) -> bool:
    """The text is the id of a resource of a type, in any case."""
    start, *parts = resource_id.split("/")
    (provider, *types), (scope, rest) = kind.split("/"), (parts[:_GROUP], parts[_GROUP:])
    expected = ["subscriptions", "resourcegroups", "providers", provider.lower(), *(one.lower() for one in types)]
    given = [one.lower() for one in (*scope[::2], *rest[:2], *rest[2::2])]
    return start == "" and given == expected and len(parts) == _GROUP + 2 + 2 * len(types) and all(map(str.strip, parts))


def _texts(value: object, field: str) -> Iterator[tuple[tuple[Step, ...], str]]:
    """The ids in a field that are known, with their places."""
    if isinstance(value, str):
        yield (field,), value
    elif isinstance(value, Sequence):
        yield from (((field, index), one) for index, one in enumerate(cast("Sequence[object]", value)) if isinstance(one, str))


def _form(kind: str) -> str:
    provider, *types = kind.split("/")
    return "/".join(["/subscriptions/…/resourceGroups/…/providers", provider, *(f"{one}/…" for one in types)])

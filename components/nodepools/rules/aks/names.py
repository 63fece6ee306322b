"""Names, tags and resource ids of Azure in a declaration. What Azure accepts in tags is in `data/limits.py`."""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.data.limits import AZURE_NODE_TAGS, AZURE_TAGS
from nodepools.model.access import Entra, EntraPrincipal
from nodepools.model.aks.agent_pool import AgentPool, EgressConfiguration, UserPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass
from nodepools.model.aks.monitoring import AuditLogs, ContainerLogs, ManagedPrometheus
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, ImageCache, LoadBalancer
from nodepools.model.aks.services import Defender, Istio, KeyVaultProvider, MeshAuthority
from nodepools.model.aks.workload_identity import KubeletIdentity, WorkloadIdentity
from nodepools.model.platform import Platform
from nodepools.model.ref import Ref
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import PartFinding, literal, ref, remove
from nodepools.rules.engine.registry import PLATFORMS, Limit, Where, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import SIZE, aks, platform
from nodepools.wire.aks.cluster_context import cluster_name, node_group_name

_NODES = "https://learn.microsoft.com/azure/aks/faq: the node resource group cannot be an existing resource group"


@error("AKS237", f"Azure Resource Manager: names are unique in a resource group, regardless of case; {_NODES}")
@limited(PLATFORMS)
@sample(
    "clusters.neu.node_resource_group",
    lambda: platform(weu=aks(node_resource_group="shop-nodes"), neu=aks(node_resource_group="shop-nodes", network={"cidr": "10.60.0.0/16"})),
)
def duplicate_azure_name(declared_cluster: Platform) -> Iterator[PartFinding]:
    """A resource group can have one cluster of a name, and a subscription one resource group of a name, which AKS creates for nodes."""
    names: dict[Hashable, str] = {}
    groups: dict[Hashable, str] = {}
    own = {
        (cluster.subscription_id, _resource_group(cluster, declared_cluster.stem(key)))
        for key, cluster in declared_cluster.clusters.items()
        if isinstance(cluster, AksClusterArgs)
    }
    for key, cluster in declared_cluster.clusters.items():
        if not isinstance(cluster, AksClusterArgs):
            continue
        stem = declared_cluster.stem(key)
        group = _resource_group(cluster, stem)
        name, nodes = cluster_name(cluster, stem), node_group_name(cluster, stem)
        first = names.setdefault((cluster.subscription_id, group, name.lower()), key) if group is not None else key
        if first != key:
            message = f"`{key}` and `{first}` have the same name `{name}` in the same resource group: AKS would update one cluster for both"
            fix = f"Set {ref(('clusters', key, 'name'))} to another name, such as {literal(f'{name}-{key}')}"
            yield finding(declared_cluster, message, path=_place(key, cluster, "name"), value=name, fix=fix)
        if (cluster.subscription_id, nodes.lower()) in own:
            message = f"AKS rejects the node resource group `{nodes}`: it is the resource group of a cluster, and AKS creates one of its own"
            yield finding(declared_cluster, message, path=_place(key, cluster, "node_resource_group"), value=nodes, fix=_other_group(key, cluster))
        first = groups.setdefault((cluster.subscription_id, nodes.lower()), key)
        if first != key:
            message = f"AKS rejects a second cluster with the node resource group `{nodes}`, which `{first}` has too"
            yield finding(declared_cluster, message, path=_place(key, cluster, "node_resource_group"), value=nodes, fix=_other_group(key, cluster))


def _other_group(key: str, cluster: AksClusterArgs) -> str:
    """A name that collides is set, or the default, which follows from the key."""
    at = ref(("clusters", key, "node_resource_group"))
    if cluster.node_resource_group is None:
        return f"Set {at} to another name, such as {literal(f'{key}-nodes')}, or rename the cluster"
    return f"Remove {at} (default: a name of its own), or use another name, such as {literal(f'{key}-nodes')}"


def _resource_group(cluster: AksClusterArgs, stem: str) -> str | None:
    """The name of the cluster's resource group in lower case; `None` if it is not known before deployment."""
    group: Ref = cluster.resource_group if cluster.resource_group is not None else stem
    return group.lower() if isinstance(group, str) else None


def _place(key: str, cluster: AksClusterArgs, field: str) -> tuple[str, ...]:
    """The path of the field if it is set, otherwise that of the cluster, whose key makes the name."""
    return ("clusters", key, field) if getattr(cluster, field) is not None else ("clusters", key)


_OWN: Final = ("karpenter.azure.com_cluster", "karpenter.sh_nodepool", "compute.aks.billing")
"""Tags that Karpenter sets on each node."""
_NODE_TAGS: Final = "karpenter-provider-azure @ 352646f (2026-08-21), pkg/providers/launchtemplate: its own tags win"


@error("AKS325", AZURE_TAGS.source)
@sample('tags["team/name"]', lambda: aks(tags={"team/name": "web"}))
def invalid_resource_tag(
    part: Platform | AksClusterArgs | AgentPool, cluster: AksClusterArgs | None, platform: Platform | None
) -> Iterator[PartFinding]:
    """A resource of Azure has at most 50 tags; keys have up to 512 characters without `<`, `>`, `%`, `&`, `?`, slash and backslash, values 256."""
    if isinstance(part, Platform) and not _has_aks(part):
        return
    for violation in AZURE_TAGS.violations(part.tags, _inherited(part, cluster, platform)):
        at = ("tags", violation.key) if violation.key is not None else "tags"
        yield finding(part, violation.message, path=at, value=violation.key, fix=violation.fix)


@error("NAP027", f"AKSNodeClass CRD; {AZURE_TAGS.source}")
@sample('tags["a?b"]', lambda: AksNodeClass(tags={"a?b": "c"}))
def invalid_azure_tag(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """Keys of an AKSNodeClass's tags have at most 512 characters, without `<`, `>`, `%`, `&`, `?` and a backslash; Karpenter adds 3 tags of 50."""
    for violation in AZURE_NODE_TAGS.violations(node_class.tags, dict.fromkeys(_OWN, "")):
        at = ("tags", violation.key) if violation.key is not None else "tags"
        yield finding(node_class, violation.message, path=at, value=violation.key, fix=violation.fix)


@warning("NAP071", _NODE_TAGS)
@sample('tags["karpenter.sh/nodepool"]', lambda: AksNodeClass(tags={"karpenter.sh/nodepool": "web"}))
def overwritten_node_tag(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """Karpenter sets some tags of each node itself, and overwrites those of an AKSNodeClass; `/` in a key becomes `_`."""
    for key in node_class.tags:
        if key.replace("/", "_") in _OWN:
            message = f"Karpenter sets the tag `{key.replace('/', '_')}` of each node itself: the value here has no effect"
            yield finding(node_class, message, path=("tags", key), fix=remove(("tags", key)))


@warning("AKS326", f"{AZURE_TAGS.source}; REST API, Tags - Create Or Update")
@sample("tags.azure-team", lambda: aks(tags={"azure-team": "web"}))
def reserved_tag_prefix(part: Platform | AksClusterArgs | AgentPool | AksNodeClass) -> Iterator[PartFinding]:
    """Azure reserves keys of tags that begin with `microsoft`, `azure` or `windows`, and documents that it rejects them."""
    for key in part.tags if not isinstance(part, Platform) or _has_aks(part) else ():
        prefix = AZURE_TAGS.reserved_prefix(key)
        if prefix is not None:
            message = f"Azure can reject the tag `{key}`: its documentation reserves keys that begin with `{prefix}`"
            yield finding(part, message, path=("tags", key), value=key, fix="Use a key that begins with another word")


@warning("AKS369", f"{AZURE_TAGS.source}: names are case-insensitive for operations, and values are not")
@sample("tags.env", lambda: aks(tags={"Env": "web", "env": "web"}))
def tag_in_two_spellings(
    part: Platform | AksClusterArgs | AgentPool | AksNodeClass, cluster: AksClusterArgs | None, platform: Platform | None
) -> Iterator[PartFinding]:
    """Azure ignores the case of the keys of tags: of two that differ only in case, it keeps one, or rejects both."""
    if isinstance(part, Platform) and not _has_aks(part):
        return
    inherited: Mapping[str, str] = dict.fromkeys(_OWN, "") if isinstance(part, AksNodeClass) else _inherited(part, cluster, platform)
    for violation in AZURE_TAGS.repeated(part.tags, inherited):
        yield finding(part, violation.message, path=("tags", str(violation.key)), value=violation.key, fix=violation.fix)
    for key in part.tags if isinstance(part, AksNodeClass) else ():
        written = key.replace("/", "_")
        if written != key and written in part.tags:
            message = f"Karpenter writes the tag `{key}` as `{written}`, which is set, too: nodes get one of the two values"
            yield finding(part, message, path=("tags", key), value=key, fix=remove(("tags", key)))


def _inherited(part: Platform | AksClusterArgs | AgentPool, cluster: AksClusterArgs | None, platform: Platform | None) -> Mapping[str, str]:
    """Tags that the resources of `part` also get."""
    if isinstance(part, Platform):
        return {}
    above = part if isinstance(part, AksClusterArgs) else cluster
    key = next((key for key, one in platform.clusters.items() if one is above), None) if platform is not None else None
    tags = platform.default_tags(key) if platform is not None and key is not None else {}
    return {**tags, **(cluster.tags if isinstance(part, AgentPool) and cluster is not None else {})}


def _has_aks(platform: Platform) -> bool:
    return any(isinstance(cluster, AksClusterArgs) for cluster in platform.clusters.values())


_SUBNET: Final = "Microsoft.Network/virtualNetworks/subnets"
_IDENTITY: Final = "Microsoft.ManagedIdentity/userAssignedIdentities"
_WORKSPACE: Final = "Microsoft.OperationalInsights/workspaces"
_VAULT: Final = "Microsoft.KeyVault/vaults"
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
        "hosted_system_subnet_id": _SUBNET,
        "identity": _IDENTITY,
        "log_analytics_workspace_id": _WORKSPACE,
    },
    AksNetworkArgs: {"route_table_id": "Microsoft.Network/routeTables"},
    ExistingAksNetwork: {"subnet_id": _SUBNET, "pod_subnet_id": _SUBNET},
    EgressConfiguration: {"prefix_id": "Microsoft.Network/publicIPPrefixes"},
    LoadBalancer: {"outbound_ip_ids": "Microsoft.Network/publicIPAddresses", "outbound_ip_prefix_ids": "Microsoft.Network/publicIPPrefixes"},
    KubeletIdentity: {"id": _IDENTITY},
    WorkloadIdentity: {"identity": _IDENTITY},
    ImageCache: {"registry_id": "Microsoft.ContainerRegistry/registries"},
    ContainerLogs: {"workspace": _WORKSPACE},
    AuditLogs: {"workspace": _WORKSPACE},
    Defender: {"workspace": _WORKSPACE},
    ManagedPrometheus: {"workspace": "Microsoft.Monitor/accounts"},
    KeyVaultProvider: {"vaults": _VAULT},
    MeshAuthority: {"vault_id": _VAULT},
}
"""The type of resource of each field with an id, by class. Rules of their own check the registries, etcd keys, roles, and zones of private DNS."""
_WithIds = AksNetworkArgs | ExistingAksNetwork | EgressConfiguration | LoadBalancer | KubeletIdentity | WorkloadIdentity | ImageCache
_Services = ContainerLogs | AuditLogs | Defender | ManagedPrometheus | KeyVaultProvider | MeshAuthority
_SYSTEM: Final = "system"
"""The identity that AKS assigns."""


@error(
    "AKS336", "https://learn.microsoft.com/azure/azure-resource-manager/templates/template-functions-resource: the form of resource ids (2026-11-26)"
)
@sample("proximity_placement_group_id", lambda: UserPool(vm_size=SIZE, proximity_placement_group_id="/subscriptions/s/near"))
def malformed_resource_id(part: AgentPool | AksClusterArgs | _WithIds | _Services) -> Iterator[PartFinding]:
    """A field that names another Azure resource needs its full resource id: subscription, resource group, provider, type and name."""
    for field, kind in next(fields for declares, fields in TYPES.items() if isinstance(part, declares)).items():
        for at, value in _texts(getattr(part, field), field):
            if value != _SYSTEM and not names(value, kind):
                shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
                message = f"`{shown}` is not the id of a resource of the type `{kind}`: Azure rejects it"
                own = f"{literal(_SYSTEM)}, or " if field == "identity" and isinstance(part, AksClusterArgs) else ""
                yield finding(part, message, path=at, fix=f"Use {own}an id of the form `{_form(kind)}`")


@warning("AKS372", "nodepools: the API of AKS has no use for a value that a list has twice, and rejects some of these lists")
@sample("zones[1]", lambda: UserPool(vm_size=SIZE, zones=[1, 1]))
def listed_twice(part: AgentPool | Istio | Entra | LoadBalancer | ContainerLogs | AuditLogs) -> Iterator[PartFinding]:
    """A list with the same zone, revision, gateway, group or id twice: AKS rejects it, or counts it once."""
    for field in type(part).model_fields:
        values, known = getattr(part, field), set[str | int]()
        for at, value in enumerate(cast("Sequence[object]", values) if isinstance(values, tuple) and field != "taints" else ()):
            if not isinstance(value, str | int):
                continue
            if value in known:
                message = f"{ref(field)} lists `{value}` twice: AKS rejects that, or counts it once"
                yield finding(part, message, path=(field, at), fix=remove((field, at)))
            known.add(value)


@error(
    "AKS341", "Azure REST API reference, Role Assignments, Create: principalId; Managed Clusters: aadProfile.adminGroupObjectIDs, tenantID (2026-11)"
)
@sample("entra.admin_groups[0]", lambda: aks(entra=Entra(azure_rbac=False, admin_groups=["platform-team"])))
def malformed_object_id(part: EntraPrincipal | Entra) -> Iterator[PartFinding]:
    """Principals and tenants of Microsoft Entra ID are named by their ids, which are GUIDs, not by their names."""
    principal = part.principal_type if isinstance(part, EntraPrincipal) else "Group"
    for field in ("object_id",) if isinstance(part, EntraPrincipal) else ("tenant_id", "admin_groups"):
        for at, value in _texts(getattr(part, field), field):
            if not _GUID.fullmatch(re.sub("[-{}]", "", value)):
                kind = "tenant" if field == "tenant_id" else "user, group or service principal"
                message = f"`{value}` is not the id of a {kind} of Microsoft Entra ID: Azure rejects it"
                fix = f"Use the {'tenant' if kind == 'tenant' else 'object'} id, which `{_PRINTS_ID[kind if kind == 'tenant' else principal]}` prints"
                yield finding(part, message, path=at, fix=fix)


_PRINTS_ID: Final = {
    "tenant": "az account show --query tenantId",
    "Group": "az ad group show --group NAME --query id",
    "User": "az ad user show --id NAME --query id",
    "ServicePrincipal": "az ad sp show --id APP_ID --query id",
}
"""The command that prints the id of each kind."""


@error("AKS342", "https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules: resourceGroups (2026-11)")
@limited(Limit(Where.UNREAD, "resource groups are separate resources, which are not checked"))
@sample("resource_group", lambda: aks(resource_group="shop."))
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

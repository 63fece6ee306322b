"""The first draft of a declaration: every field that exists, before anything is dropped.

Output of `az aks`: the same rows as for requests, and what `az` adds. Names can differ in capitals, so it is read with `Reading(fold=True)`.
"""

from collections.abc import Mapping
from typing import Final, cast

from nodepools.adoption.draft import BuiltIn, CannotAdoptError, Draft, Reader, objects_draft
from nodepools.adoption.proof import Tree, add_ons, by_fields
from nodepools.clouds.aks.existing import ExistingAksCluster
from nodepools.clouds.change import SYSTEM_POOL
from nodepools.model.aks.agent_pool import GPU_TAINT, SPOT_LABEL, SPOT_TAINT, WINDOWS_TAINT
from nodepools.model.aks.cluster import BUILT_IN, free_key
from nodepools.model.aks.maintenance import CONFIGURATIONS
from nodepools.model.kubernetes.raw_fields import texts
from nodepools.model.listing import saved
from nodepools.model.steps import mapping
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.aks.cluster import CLUSTER, HOSTED_SINCE, TIER
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.aks.node_class import NODE_CLASS
from nodepools.wire.dialects import respelled
from nodepools.wire.karpenter import AKS_NODE_CLASS
from nodepools.wire.rows import Note
from nodepools.wire.table import Table, Written

_ADD_ONS: Final = ("omsagent", "azurepolicy", "azureKeyvaultSecretsProvider")
_OF_IDENTITIES: Final = ("identity.principalId", "identity.tenantId", *(f"addonProfiles.{name}.identity" for name in _ADD_ONS))

SHOWN: Final = Table(*respelled(CLUSTER, {"resourceName": "name"}), *(Note("read_only", name) for name in ("resourceGroup", *_OF_IDENTITIES)))
"""A cluster, from `az aks show`."""
LISTED_POOL: Final = Table(
    *respelled(POOL, {"type": "typePropertiesType", "resourceGroupName": None, "resourceName": None}),
    *(Note("read_only", name) for name in ("resourceGroup", "type")),
)
"""An agent pool, an entry of `az aks nodepool list`. `type` is the type of the resource there."""
LISTED_CONFIGURATION: Final = Table(*CONFIGURATION.rows, Note("read_only", "resourceGroup"))
"""A maintenance configuration, an entry of `az aks maintenanceconfiguration list`."""


_SYSTEM_TAINT: Final = "CriticalAddonsOnly=true:NoSchedule"
_OFF: Final[Mapping[str, object]] = {"entra": None, "oidc_issuer": False, "workload_identity": False, "tier": TIER}
"""Fields whose defaults here are not the cloud's: without a value in Azure, they have this one."""
_CREATING: Final = ("log_analytics_workspace_id", "metrics", "azure_policy", "key_vault_provider")
"""Fields that are not declared as they are read: the first two create resources that exist, the others are add-ons."""
_OF_USERS: Final = ("kubelet_identity",)
"""Fields that AKS accepts with a user-assigned identity only: with its own, it has created the identity of the nodes, too."""
_NO_IDENTITY: Final = (
    "has neither a system-assigned identity nor exactly one user-assigned identity, and a service principal cannot be declared: "
    "change it first (`az aks update --enable-managed-identity`)"
)


def aks_draft(cluster: ExistingAksCluster) -> Draft:
    """Reads everything that exists.

    Raises:
        CannotAdoptError: the cluster has no pool or no identity that can be declared.
    """
    first = cluster.first_pool
    if first is None and not cluster.hosted:
        raise CannotAdoptError(f"has no Linux system pool in a scale set. {saved('`az aks nodepool list`')}, or create a pool")
    if first is not None and all(mapping(one.get("powerState")).get("code") == "Stopped" for one in (cluster.described, cluster.pools[first])):
        raise CannotAdoptError("is stopped, and its export has no nodes of its pools: run `az aks start`, and export it again")
    version = {"api_version": HOSTED_SINCE} if cluster.hosted else {}
    reader = Reader(fold=True, api_version=HOSTED_SINCE if cluster.hosted else "")
    fields = reader.read(SHOWN, cluster.described, "")
    if "identity" not in fields:
        raise CannotAdoptError(_NO_IDENTITY)
    entra = fields.get("entra")
    services, others = by_fields(add_ons(cluster.described.get("addonProfiles")), fields)
    overrides = {"addon_profiles": others} if others else {}
    pools = {name: _pool(name, pool, reader) for name, pool in cluster.pools.items()}
    configurations, outside = _configurations(cluster, reader)
    left = (*_CREATING, *(_OF_USERS if fields["identity"] == "system" else ()))
    whole: dict[str, object] = {
        **_OFF,
        **{name: value for name, value in fields.items() if name not in left},
        **services,
        **({"entra": {**cast("Tree", entra), "deployer_is_admin": False}} if isinstance(entra, Mapping) else {}),
        "kind": "AksCluster",
        **version,
        "resource_group": cluster.id.group,
        "network": _network(cluster.pools[first] if first is not None else _of_hosted(cluster)),
        "network_profile": {"plugin_mode": None, "dataplane": "azure", **cast("Tree", fields.get("network_profile", {}))},
        **({"system_pool": {name: value for name, value in pools[first].items() if name != "kubernetes_version"}} if first is not None else {}),
        "pools": {free_key(pools) if name == SYSTEM_POOL else name: pool for name, pool in pools.items() if name != first},
        **({"device_plugin": None} if any(pool["kind"] == "GpuPool" for pool in pools.values()) else {}),
        **({"maintenance_configurations": configurations} if configurations else {}),
        **({"overrides": overrides} if overrides else {}),
    }
    provisioning, objects_outside = _provisioning(cluster, fields, reader)
    unread = (*(path for path in reader.unread if path[0] != "addonProfiles"), *((("azureMonitorProfile",),) if "metrics" in fields else ()))
    unknown = tuple(path for path in reader.unknown if path[0] != "addonProfiles")
    return Draft({**whole, **provisioning}, unread, unknown, {**cluster.outside, **outside, **objects_outside}, tuple(pools))


def _provisioning(cluster: ExistingAksCluster, fields: Tree, reader: Reader) -> tuple[dict[str, object], Mapping[str, str]]:
    """NodePools and AKSNodeClasses. Labels and taints of Cilium are declared where they are."""
    built_in = BuiltIn("node auto provisioning created it and manages it", BUILT_IN, BUILT_IN)
    inside = objects_draft(cluster.objects, AKS_NODE_CLASS, NODE_CLASS, built_in, reader)
    own = fields.get("node_provisioning")
    if not isinstance(own, Mapping):
        return {}, {**inside.outside, **{f"NodePool {name}": "node auto provisioning is off" for name in inside.pools}}
    return {"node_provisioning": {**cast("Tree", own), "cilium_startup_taint": False, **inside.fields}}, inside.outside


def _of_hosted(cluster: ExistingAksCluster) -> Written:
    """The subnets as a pool has them. Where AKS created them, it shows none, or those in its own group."""
    subnet = cluster.hosted.get("nodeSubnetId", cluster.hosted.get("nodeSubnetID"))
    return {"vnetSubnetId": subnet} if subnet is not None else {}


def _network(first: Written) -> dict[str, object]:
    subnet, pods = first.get("vnetSubnetId", first.get("vnetSubnetID")), first.get("podSubnetId", first.get("podSubnetID"))
    if subnet is None:
        return {"kind": "ManagedAksNetwork"}
    return {"kind": "ExistingAksNetwork", "subnet_id": subnet, **({"pod_subnet_id": pods} if pods is not None else {})}


def _pool(name: str, written: Written, reader: Reader) -> dict[str, object]:
    fields = reader.read(LISTED_POOL, written, name)
    kind = _kind(written, fields)
    taints, labels = list(texts({"nodeTaints": fields.pop("taints", None)}, "nodeTaints")), dict(cast("Tree", fields.pop("labels", {})))
    flag, own = {
        "SystemPool": ("isolated", _SYSTEM_TAINT),
        "WindowsPool": ("tainted", str(WINDOWS_TAINT)),
        "GpuPool": ("tainted", str(GPU_TAINT)),
        "UserPool": ("", str(SPOT_TAINT) if "spot" in fields else ""),
    }[kind]
    has_own = bool(taints) and taints[0] == own
    if "spot" in fields:
        labels = {key: value for key, value in labels.items() if key != SPOT_LABEL}
    rest = taints[1:] if has_own else taints
    return {
        **fields,
        "kind": kind,
        "name": name,
        "labeled": False,
        **({flag: has_own} if flag else {}),
        **({"taints": rest} if rest else {}),
        **({"labels": labels} if labels else {}),
    }


def _kind(written: Written, fields: Tree) -> str:
    if written.get("mode") == "System":
        return "SystemPool"
    if written.get("osType") == "Windows":
        return "WindowsPool"
    return "GpuPool" if {"mig", "driver"} & fields.keys() else "UserPool"


def _configurations(cluster: ExistingAksCluster, reader: Reader) -> tuple[dict[str, object], dict[str, str]]:
    made: dict[str, object] = {}
    outside: dict[str, str] = {}
    for name, written in cluster.configurations.items():
        if name not in CONFIGURATIONS:
            outside[f"maintenance configuration {name}"] = "AKS does not use a configuration with this name"
        elif written.get("maintenanceWindow") is None:
            outside[f"maintenance configuration {name}"] = "it has hours of a week, an old format that maintenance windows have replaced"
        else:
            made[CONFIGURATIONS[name]] = reader.read(LISTED_CONFIGURATION, written, name)
    return made, outside

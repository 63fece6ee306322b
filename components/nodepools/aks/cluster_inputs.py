"""AKS clusters of any program: from the inputs of azure-native's ManagedCluster to the model, the inverse of cluster_arguments.py.

What is left out is as Azure has it, not as we would; what no input says (who else gets in, what is applied inside) is not known.
"""

from collections.abc import Iterable, Mapping, Sequence
from ipaddress import ip_network
from typing import Final, cast

from nodepools.manifests.inputs import At, Convert, Spelling, field, said
from nodepools.model.aks.autoscaler import AutoscalerProfile
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.partial import UNKNOWN, partial_below
from nodepools.rules.validated import validated
from nodepools.wire.codecs import INVERTED, MINUTES, whole
from nodepools.wire.names import camel

_NUMBERS: Final = ("max_empty_bulk_delete", "max_graceful_termination_sec", "max_total_unready_percentage", "ok_total_unready_count")
_OTHERS: Final = tuple(name for name in AutoscalerProfile.model_fields if name not in (*_NUMBERS, "priorities"))
_SAID_ELSEWHERE: Final = ("system_pool", "pools", "network", "maintenance", "maintenance_configurations", "overrides", "kind")
"""Fields that other inputs or other resources say, or that programs without our components have not."""
_AGENT: Final = ("overrides", "addon_profiles", "omsagent")
"""What turns the agent for logs on and nothing else: ours has a rule that tells it what to collect."""
_POD_RANGE, _SERVICE_RANGE = "10.244.0.0/16", "10.0.0.0/16"
"""What Azure takes where nothing is said: https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning."""


def _alike(names: Iterable[str], *part: str) -> dict[str, At]:
    """Fields of a `part` that Azure spells as the model does, in its own capitals."""
    return {camel(name): field(*part, name) for name in names}


def _only(*words: object) -> Convert:
    """What is said, where it is one of these: else it is as ours are."""
    return lambda value: value if value in words else None


def _is(word: str) -> Convert:
    return lambda value: value == word


def _ids(value: object) -> list[object]:
    return [one["id"] for one in cast("Sequence[Mapping[str, object]]", value)]


def _of_family(version: int) -> Convert:
    """The range of that family among some: there is one of each."""

    def read(value: object) -> object:
        return next((cidr for cidr in cast("Sequence[str]", value) if ip_network(cidr).version == version), None)

    return read


CLUSTER: Final[Spelling] = {
    **_alike(("location", "kubernetes_version", "support_plan", "tags")),
    "enableRBAC": field("overrides", "enable_rbac", read=_only(False)),
    "servicePrincipalProfile": {
        "clientId": field("overrides", "service_principal_profile", "client_id", read=lambda said: said if said != "msi" else None)
    },
    "sku": {"tier": field("tier")},
    "diskEncryptionSetID": field("disk_encryption_set_id"),
    "aadProfile": {"managed": field("entra", read=lambda managed: {} if managed is True else None), "tenantID": field("entra", "tenant_id")},
    "autoUpgradeProfile": {"upgradeChannel": field("auto_upgrade"), "nodeOSUpgradeChannel": field("node_os_upgrade")},
    "apiServerAccessProfile": {
        "enablePrivateCluster": field("api_server", "private"),
        "authorizedIPRanges": field("api_server", "authorized_ip_ranges"),
        "privateDNSZone": field("private_dns_zone"),
        "enablePrivateClusterPublicFQDN": field("private_public_fqdn"),
        "disableRunCommand": field("run_command", read=INVERTED.read),
        "subnetId": field("api_server_subnet_id"),
    },
    "autoScalerProfile": {
        **_alike(_OTHERS, "autoscaler"),
        **{name: field(*node.steps, read=whole) for name, node in _alike(_NUMBERS, "autoscaler").items()},
    },
    "windowsProfile": {
        **_alike(("admin_username", "admin_password"), "windows_profile"),
        "licenseType": field("windows_profile", "hybrid_benefit", read=_is("Windows_Server")),
        "enableCSIProxy": field("windows_profile", "csi_proxy"),
        "gmsaProfile": _alike(("dns_server", "root_domain_name"), "windows_profile", "gmsa"),
    },
    "addonProfiles": {
        "omsagent": {
            "enabled": field(*_AGENT, "enabled"),
            "config": {
                "logAnalyticsWorkspaceResourceID": field("log_analytics_workspace_id"),
                "useAADAuth": field(*_AGENT, "config", "useAADAuth"),
            },
        }
    },
    "nodeProvisioningProfile": {
        "mode": field(
            "node_provisioning",
            read=lambda mode: {} if mode == "Auto" else None,
            also=(("node_provisioning", "cilium_marks"), ("node_provisioning", "beside_cluster_autoscaler"), ("maintenance",)),
        ),
        "defaultNodePools": field("node_provisioning", "default_node_pools"),
    },
    "bootstrapProfile": {"artifactSource": field("overrides", "bootstrap_profile", "artifact_source")},
    "networkProfile": {
        "networkPlugin": field("network_profile", "plugin", also=(("overrides", "network_profile", "network_plugin"),)),
        "networkPluginMode": field("network_profile", "plugin_mode"),
        "networkDataplane": field("network_profile", "dataplane"),
        "networkPolicy": field("network_profile", "policy"),
        **_alike(("outbound_type", "pod_cidr", "service_cidr", "ip_families"), "network_profile"),
        "dnsServiceIP": field("overrides", "network_profile", "dns_service_ip"),
        "podCidrs": field("network_profile", "pod_cidr_v6", read=_of_family(6)),
        "serviceCidrs": field("network_profile", "service_cidr_v6", read=_of_family(6)),
        "loadBalancerSku": field("overrides", "network_profile", "load_balancer_sku", read=_only("basic", "Basic")),
        "loadBalancerProfile": {
            "managedOutboundIPs": {"count": field("network_profile", "load_balancer", "managed_outbound_ips")},
            "outboundIPs": {"publicIPs": field("network_profile", "load_balancer", "outbound_ip_ids", read=_ids)},
            "outboundIPPrefixes": {"publicIPPrefixes": field("network_profile", "load_balancer", "outbound_ip_prefix_ids", read=_ids)},
            "allocatedOutboundPorts": field("network_profile", "load_balancer", "allocated_outbound_ports"),
            "idleTimeoutInMinutes": field("network_profile", "load_balancer", "idle_timeout", read=MINUTES.read),
        },
    },
}
"""The inputs of a ManagedCluster, its pools aside."""


def managed_cluster(written: Mapping[str, object], *, agent_alone: bool = False) -> AksClusterArgs | None:
    """The cluster as far as it is known, with a system pool that stands for its own, which is not read here.

    Args:
        written: the inputs.
        agent_alone: its agent for logs has no rule that tells it what to collect.
    """
    found = said(CLUSTER, written)
    if agent_alone:
        found.pop("log_analytics_workspace_id", None)
    known = set(found)
    if _word(written, "sku", "name") == "Automatic":  # all that is left out is decided by AKS
        unsaid = AksClusterArgs.model_fields.keys() - known - {"kind", "overrides"}
    else:
        _complete(found, written)
        unsaid = AksClusterArgs.model_fields.keys() - _FIELDS
    if isinstance(autoscaler := found.get("autoscaler"), dict):
        cast("dict[str, object]", autoscaler)["priorities"] = UNKNOWN  # they are in a ConfigMap
    found["overrides"] = _overrides(found, written, agent_alone=agent_alone)
    stand_in = {"system_pool": {"kind": "SystemPool", "vm_size": UNKNOWN}, "network": {"kind": "ExistingAksNetwork", "subnet_id": "unknown"}}
    made, _ = validated(AksClusterArgs, {**found, **stand_in})
    return partial_below(made, [(name,) for name in unsaid]) if made is not None else None


_FIELDS: Final = frozenset(
    {*_SAID_ELSEWHERE, "tier", "entra", "api_server", "node_provisioning", "network_profile", "autoscaler", "windows_profile"}
    | {"location", "kubernetes_version", "support_plan", "tags", "disk_encryption_set_id", "auto_upgrade", "node_os_upgrade", "run_command"}
    | {"private_dns_zone", "private_public_fqdn", "api_server_subnet_id", "log_analytics_workspace_id"}
)


def _overrides(found: Mapping[str, object], written: Mapping[str, object], *, agent_alone: bool) -> dict[str, object]:
    """What ours never are, and has no word in the model; of what is not known nothing is said."""
    overrides = found.get("overrides")
    told = _without_unknown(cast("Mapping[str, object]", overrides)) if isinstance(overrides, Mapping) else {}
    if not agent_alone:
        told.pop("addon_profiles", None)
    if _word(written, "networkProfile", "networkPlugin") == "kubenet":
        told["network_profile"] = {**cast("dict[str, object]", told.get("network_profile", {})), "network_plugin": "kubenet"}
    if UNKNOWN in (written.get("bootstrapProfile"), _word(written, "bootstrapProfile", "artifactSource")):
        told["bootstrap_profile"] = {"artifact_source": "Cache"}  # what may be right is not told to be missing
    return told


def _without_unknown(told: Mapping[str, object]) -> dict[str, object]:
    return {
        name: _without_unknown(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value
        for name, value in told.items()
        if value is not UNKNOWN
    }


def _complete(found: dict[str, object], written: Mapping[str, object]) -> None:
    """What Azure makes of what is left out."""
    found.setdefault("tier", "Free")
    if _word(written, "apiServerAccessProfile", "enableVnetIntegration") not in (None, False):
        found.setdefault("api_server_subnet_id", UNKNOWN)  # in a network of AKS's the subnet is AKS's too
    profile = written.get("aadProfile")
    if profile is None or _word(written, "aadProfile", "managed") in (None, False):
        found["entra"] = UNKNOWN if profile is not None else None  # Entra ID in its former way
    if _word(written, "nodeProvisioningProfile", "mode") in (None, "Manual"):
        found.pop("node_provisioning", None)
    elif isinstance(provisioning := found.get("node_provisioning"), dict):
        cast("dict[str, object]", provisioning)["cilium_marks"] = False  # nothing comes by itself
    if found.get("network_profile") is not UNKNOWN:
        _complete_network(cast("dict[str, object]", found.setdefault("network_profile", {})), written)


def _complete_network(profile: dict[str, object], written: Mapping[str, object]) -> None:
    if "plugin" not in profile:  # it is decided by the version of the API
        profile |= {name: UNKNOWN for name in ("plugin", "plugin_mode", "dataplane") if name not in profile}
    profile.setdefault("plugin_mode", None)
    profile.setdefault("dataplane", "azure")
    _set_range(profile, "service_cidr", _word(written, "networkProfile", "serviceCidrs"), _SERVICE_RANGE)
    if profile["plugin_mode"] == "overlay":
        _set_range(profile, "pod_cidr", _word(written, "networkProfile", "podCidrs"), _POD_RANGE)


def _set_range(profile: dict[str, object], name: str, listed: object, default: str) -> None:
    """That of IPv4, which may be said in a list of both."""
    if name in profile:
        return
    try:
        found = _of_family(4)(listed) if listed is not None else default
    except (TypeError, ValueError):
        found = None
    profile[name] = found if found is not None else UNKNOWN


def _word(written: Mapping[str, object], profile: str, name: str) -> object:
    held = written.get(profile)
    return cast("Mapping[str, object]", held).get(name) if isinstance(held, Mapping) else held

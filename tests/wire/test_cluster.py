"""The table of clusters: complete on both sides, undone by reading, and clear about what a change does."""

from collections.abc import Mapping
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from pulumi_azure_native.containerservice import _inputs
from pulumi_azure_native.containerservice.managed_cluster import ManagedCluster

from nodepools import SystemPool
from nodepools.model.access import ApiServer, Entra
from nodepools.model.aks.cluster import AksClusterArgs, AutoscalerProfile, NodeProvisioning
from nodepools.model.aks.monitoring import ManagedPrometheus
from nodepools.model.aks.network import ImageCache, LoadBalancer, ManagedNatGateway, NetworkProfile
from nodepools.model.aks.node_settings import Gmsa, LinuxProfile, WindowsProfile
from nodepools.model.aks.services import Defender, EtcdKey, HttpProxy, ImageCleaner, Istio, KeyVaultProvider, StorageDrivers
from nodepools.model.aks.workload_identity import KubeletIdentity
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.unknowns import UNKNOWN, partial
from nodepools.wire.aks.agent_pool import INLINE, AgentPoolContext
from nodepools.wire.aks.cluster import AUTOSCALER, CLUSTER, KUBELET_IDENTITY, LINUX, WINDOWS
from nodepools.wire.aks.cluster_context import AksClusterContext, KubeletIds, resource_group_name
from nodepools.wire.aks.network_profile import LOAD_BALANCER, NAT_GATEWAY, NETWORK_PROFILE
from nodepools.wire.aks.services import DEFENDER, ETCD_KEY, IMAGE_CLEANER, ISTIO, KEY_VAULT, METRICS, PROXY_CONFIG, STORAGE
from nodepools.wire.paths import differences, effect_of, model_of, wire_of
from nodepools.wire.reading import Reading, Why, read, write
from nodepools.wire.rows import Part
from nodepools.wire.table import Effect, Pattern, Table, python_name
from tests.wire.completeness import arguments, declared, fields, inputs, levels, names_below, without_reason, without_source
from tests.wire.declared import clusters

LEAST = {"location": "westeurope", "kubernetes_version": "1.35", "system_pool": {"kind": "SystemPool", "vm_size": "Standard_D4ds_v5"}}
NETWORK = {"kind": "ExistingAksNetwork", "subnet_id": "/net/subnets/nodes"}


def cluster(**said: object) -> AksClusterArgs:
    return AksClusterArgs.model_validate({**LEAST, "network": NETWORK, **said})


def written(declared: AksClusterArgs) -> dict[str, Any]:
    return write(CLUSTER, declared, AksClusterContext("shop", declared, "/identity", AgentPoolContext("system", None, "/net/subnets/nodes")))


def part(table: Table, field: str) -> Table:
    return next(row.rows for row in table.rows if isinstance(row, Part) and row.field == field)


def test_every_argument_of_the_sdk_has_a_row() -> None:
    assert {python_name(name) for name in names_below(CLUSTER)} == arguments(ManagedCluster)


PARTS = {
    "aadProfile": "AADProfile",
    "apiServerAccessProfile": "APIServerAccessProfile",
    "autoScalerProfile": "PropertiesAutoScalerProfile",
    "autoUpgradeProfile": "AutoUpgradeProfile",
    "identity": "Identity",
    "bootstrapProfile": "BootstrapProfile",
    "networkProfile.natGatewayProfile": "NATGatewayProfile",
    "networkProfile.natGatewayProfile.managedOutboundIPProfile": "ManagedOutboundIPProfile",
    "networkProfile.loadBalancerProfile": "LoadBalancerProfile",
    "networkProfile.loadBalancerProfile.managedOutboundIPs": "LoadBalancerProfileManagedOutboundIPs",
    "networkProfile.loadBalancerProfile.outboundIPPrefixes": "LoadBalancerProfileOutboundIPPrefixes",
    "networkProfile.loadBalancerProfile.outboundIPs": "LoadBalancerProfileOutboundIPs",
    "nodeProvisioningProfile": "NodeProvisioningProfile",
    "nodeResourceGroupProfile": "NodeResourceGroupProfile",
    "oidcIssuerProfile": "OIDCIssuerProfile",
    "azureMonitorProfile": "AzureMonitorProfile",
    "azureMonitorProfile.metrics": "AzureMonitorProfileMetrics",
    "azureMonitorProfile.metrics.kubeStateMetrics": "AzureMonitorProfileKubeStateMetrics",
    "httpProxyConfig": "HTTPProxyConfig",
    "metricsProfile": "MetricsProfile",
    "metricsProfile.costAnalysis": "CostAnalysis",
    "securityProfile.defender": "SecurityProfileDefender",
    "securityProfile.defender.securityMonitoring": "SecurityProfileDefenderSecurityMonitoring",
    "securityProfile.imageCleaner": "SecurityProfileImageCleaner",
    "aiToolchainOperatorProfile": "AIToolchainOperatorProfile",
    "ingressProfile": "IngressProfile",
    "ingressProfile.webAppRouting": "IngressProfileWebAppRouting",
    "ingressProfile.webAppRouting.nginx": "IngressProfileNginx",
    "networkProfile.staticEgressGatewayProfile": "StaticEgressGatewayProfile",
    "storageProfile": "StorageProfile",
    "storageProfile.blobCSIDriver": "StorageProfileBlobCSIDriver",
    "storageProfile.diskCSIDriver": "StorageProfileDiskCSIDriver",
    "storageProfile.fileCSIDriver": "StorageProfileFileCSIDriver",
    "storageProfile.snapshotController": "StorageProfileSnapshotController",
    "workloadAutoScalerProfile": "WorkloadAutoScalerProfile",
    "workloadAutoScalerProfile.keda": "WorkloadAutoScalerProfileKeda",
    "workloadAutoScalerProfile.verticalPodAutoscaler": "WorkloadAutoScalerProfileVerticalPodAutoscaler",
    "securityProfile": "SecurityProfile",
    "securityProfile.workloadIdentity": "SecurityProfileWorkloadIdentity",
    "sku": "SKU",
    "windowsProfile": "WindowsProfile",
}
SDK = {
    **{place: f"ManagedCluster{name}Args" for place, name in PARTS.items()},
    "networkProfile": "ContainerServiceNetworkProfileArgs",
    "identityProfile.kubeletidentity": "UserAssignedIdentityArgs",
    "upgradeSettings": "ClusterUpgradeSettingsArgs",
    "upgradeSettings.overrideSettings": "UpgradeOverrideSettingsArgs",
    "linuxProfile": "ContainerServiceLinuxProfileArgs",
    "linuxProfile.ssh": "ContainerServiceSshConfigurationArgs",
    "windowsProfile.gmsaProfile": "WindowsGmsaProfileArgs",
    "securityProfile.azureKeyVaultKms": "AzureKeyVaultKmsArgs",
    "serviceMeshProfile": "ServiceMeshProfileArgs",
    "serviceMeshProfile.istio": "IstioServiceMeshArgs",
    "serviceMeshProfile.istio.components": "IstioComponentsArgs",
    "serviceMeshProfile.istio.certificateAuthority": "IstioCertificateAuthorityArgs",
    "serviceMeshProfile.istio.certificateAuthority.plugin": "IstioPluginCertificateAuthorityArgs",
    "networkProfile.advancedNetworking": "AdvancedNetworkingArgs",
    "networkProfile.advancedNetworking.observability": "AdvancedNetworkingObservabilityArgs",
    "networkProfile.advancedNetworking.security": "AdvancedNetworkingSecurityArgs",
}


@pytest.mark.parametrize(("place", "sdk"), SDK.items())
def test_every_argument_of_a_part_has_a_row(place: str, sdk: str) -> None:
    assert names_below(CLUSTER, tuple(place.split("."))) == inputs(getattr(_inputs, sdk))


def test_no_other_part_is_touched() -> None:
    """Add-ons and identities are mappings by name, and the first pool has a table of its own."""
    apart = {("identityProfile",), *(level for level in levels(CLUSTER) if level[0] in ("addonProfiles", "agentPoolProfiles"))}
    assert {".".join(map(str, level)) for level in levels(CLUSTER) - apart} == set(SDK)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (CLUSTER, AksClusterArgs),
        (NETWORK_PROFILE, NetworkProfile),
        (LOAD_BALANCER, LoadBalancer),
        (AUTOSCALER, AutoscalerProfile),
        (WINDOWS, WindowsProfile),
        (LINUX, LinuxProfile),
        (part(WINDOWS, "gmsa"), Gmsa),
        (KUBELET_IDENTITY, KubeletIdentity),
        (NAT_GATEWAY, ManagedNatGateway),
        (part(CLUSTER, "image_cache"), ImageCache),
        (part(CLUSTER, "entra"), Entra),
        (part(CLUSTER, "api_server"), ApiServer),
        (part(CLUSTER, "node_provisioning"), NodeProvisioning),
        (METRICS, ManagedPrometheus),
        (KEY_VAULT, KeyVaultProvider),
        (IMAGE_CLEANER, ImageCleaner),
        (DEFENDER, Defender),
        (ISTIO, Istio),
        (STORAGE, StorageDrivers),
        (PROXY_CONFIG, HttpProxy),
        (ETCD_KEY, EtcdKey),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_every_field_has_one_row(table: Table, kind: type[Model]) -> None:
    assert fields(table) == declared(kind)


def test_services_of_newer_versions_are_read_in_theirs() -> None:
    identities = [{"azureContainerRegistry": "shop.azurecr.io", "identity": {"resourceId": "/i"}}]
    defender = {"logAnalyticsWorkspaceResourceId": "/w", "securityMonitoring": {"enabled": True}, "securityGating": {"identities": identities}}
    wire = {"ingressProfile": {"gatewayAPI": {"installation": "Standard"}}, "securityProfile": {"defender": defender}}
    reading = Reading(api_version="2026-05-01")
    found = read(CLUSTER, wire, reading)
    assert (found["gateway_api"], found["defender"]["gating_identities"]) == (True, {"shop.azurecr.io": "/i"})
    assert reading.left == []
    assert write(DEFENDER, Defender(gating_identities={"shop.azurecr.io": "/i"}))["securityGating"] == {"identities": identities}


def test_a_row_says_what_a_change_does_and_who_says_so() -> None:
    silent = [one for one in without_source(CLUSTER) if one.model not in (("system_pool",), ("network_profile",), ("api_server",))]
    assert silent == []
    assert without_reason(CLUSTER) == without_reason(NETWORK_PROFILE) == without_reason(LOAD_BALANCER) == without_reason(ISTIO) == []


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(clusters())
def test_what_is_written_is_read_and_written_again(declared: AksClusterArgs) -> None:
    wire = written(declared)
    reading = Reading()
    found = read(CLUSTER, wire, reading)
    assert reading.left == []
    unsaid = {"entra": None} if declared.entra is None else {}
    nodes_have_pods = declared.network_profile.plugin_mode is None  # which a plugin that is brought does not say
    profile = {**({"plugin_mode": None} if nodes_have_pods else {}), **cast("dict[str, Any]", found["network_profile"])}
    read_back = cluster(**unsaid, **{**found, "network_profile": profile})
    assert written(derive(read_back, network=declared.network)) == wire


KUBELET = {"id": "/subscriptions/s/resourceGroups/g/x/nodes", "client_id": "c", "object_id": "o"}
IDS = {"resourceId": KUBELET["id"], "clientId": "c", "objectId": "o"}
SENT: list[tuple[str, dict[str, object], dict[str, object]]] = [
    ("names are cut", {}, {"resourceName": "shop", "dnsPrefix": "shop", "nodeResourceGroup": "shop-nodes"}),
    (
        "the names that an existing cluster has",
        {"name": "erp_Prod", "dns_prefix": "erp", "node_resource_group": "MC_erp"},
        {"resourceName": "erp_Prod", "dnsPrefix": "erp", "nodeResourceGroup": "MC_erp"},
    ),
    ("what ours always are", {}, {"enableRBAC": True, "oidcIssuerProfile": {"enabled": True}, "sku": {"name": "Base", "tier": "Standard"}}),
    ("no tags are sent too", {}, {"tags": {}}),
    ("everyone reaches the API server", {}, {"apiServerAccessProfile": {"enablePrivateCluster": False, "authorizedIPRanges": []}}),
    (
        "a private one has a zone and no ranges",
        {"api_server": {"private": True}, "private_dns_zone": "none", "private_public_fqdn": False},
        {"apiServerAccessProfile": {"enablePrivateCluster": True, "privateDNSZone": "none", "enablePrivateClusterPublicFQDN": False}},
    ),
    ("a public one has no zone", {"private_dns_zone": "none"}, {"apiServerAccessProfile": {"enablePrivateCluster": False, "authorizedIPRanges": []}}),
    ("nodes are not provisioned", {}, {"nodeProvisioningProfile": {"mode": "Manual"}}),
    ("no Entra ID", {"entra": None}, {"disableLocalAccounts": False, "aadProfile": None}),
    ("Entra ID", {}, {"disableLocalAccounts": True, "aadProfile": {"managed": True, "enableAzureRBAC": True}}),
    (
        "Entra ID without Azure RBAC",
        {"entra": {"azure_rbac": False, "admin_groups": ["g"], "local_accounts": True}},
        {"disableLocalAccounts": False, "aadProfile": {"managed": True, "enableAzureRBAC": False, "adminGroupObjectIDs": ["g"]}},
    ),
    ("the identity that AKS assigns", {"identity": "system"}, {"identity": {"type": "SystemAssigned"}}),
    ("one that is brought", {"identity": "/identity"}, {"identity": {"type": "UserAssigned", "userAssignedIdentities": ["/identity"]}}),
    (
        "a name in a zone of the user's own",
        {"api_server": {"private": True}, "private_dns_zone": "/zone", "fqdn_subdomain": "shop"},
        {"dnsPrefix": None, "fqdnSubdomain": "shop"},
    ),
    (
        "images from a cache",
        {
            "image_cache": {
                "registry_id": "/acr",
            },
            "kubelet_identity": KUBELET,
        },
        {"bootstrapProfile": {"artifactSource": "Cache", "containerRegistryId": "/acr"}},
    ),
    ("images from a cache of AKS", {"image_cache": {}}, {"bootstrapProfile": {"artifactSource": "Cache"}}),
    ("images from the internet", {}, {"bootstrapProfile": None, "upgradeSettings": None}),
    (
        "upgrades that are forced",
        {"force_upgrade_until": "2026-12-01T06:00:00Z"},
        {"upgradeSettings": {"overrideSettings": {"forceUpgrade": True, "until": "2026-12-01T06:00:00Z"}}},
    ),
    ("a kubelet identity that is brought", {"kubelet_identity": KUBELET}, {"identityProfile": {"kubeletidentity": IDS}}),
    (
        "no issuer, and no workload identity",
        {"oidc_issuer": False, "workload_identity": False},
        {"oidcIssuerProfile": {"enabled": False}, "securityProfile": {"workloadIdentity": {"enabled": False}}},
    ),
    (
        "the administrator of Linux nodes",
        {"linux_profile": {"ssh_key": "ssh-rsa AAAA"}},
        {"linuxProfile": {"adminUsername": "azureuser", "ssh": {"publicKeys": [{"keyData": "ssh-rsa AAAA"}]}}},
    ),
    ("settings that say nothing", {"autoscaler": {}, "network_profile": {"load_balancer": {}}}, {"autoScalerProfile": None}),
    (
        "logs with settings of their own, which the rule has",
        {"logs": {"workspace": "w", "syslog": {}}},
        {"addonProfiles": {"omsagent": {"enabled": True, "config": {"logAnalyticsWorkspaceResourceID": "w", "useAADAuth": "true"}}}},
    ),
    (
        "services that are turned off",
        {
            "metrics": {"enabled": False},
            "key_vault_provider": {"enabled": False, "rotate": False},
            "image_cleaner": {"enabled": False},
            "istio": {"revisions": ["asm-1-30"], "enabled": False},
            "azure_policy": False,
        },
        {
            "azureMonitorProfile": {"metrics": {"enabled": False}},
            "addonProfiles": {
                "azureKeyvaultSecretsProvider": {"enabled": False, "config": {"enableSecretRotation": "false", "rotationPollInterval": "2m"}},
                "azurepolicy": {"enabled": False},
            },
            "serviceMeshProfile": {"mode": "Disabled", "istio": {"revisions": ["asm-1-30"]}},
        },
    ),
    (
        "a vault that everyone reaches, which AKS does not ask for",
        {"etcd_key": {"key_id": "k", "vault_id": "v"}},
        {
            "securityProfile": {
                "workloadIdentity": {"enabled": True},
                "azureKeyVaultKms": {"enabled": True, "keyId": "k", "keyVaultNetworkAccess": "Public"},
            }
        },
    ),
    (
        "logs by the cluster's identity",
        {"log_analytics_workspace_id": "w"},
        {"addonProfiles": {"omsagent": {"enabled": True, "config": {"logAnalyticsWorkspaceResourceID": "w", "useAADAuth": "true"}}}},
    ),
]


@pytest.mark.parametrize(("said", "wire"), [row[1:] for row in SENT], ids=[row[0] for row in SENT])
def test_what_is_sent(said: Mapping[str, object], wire: Mapping[str, object]) -> None:
    made = written(cluster(**said))
    assert {name: made.get(name) for name in wire} == wire


@pytest.mark.parametrize("said", [{"kubelet_identity": {}}, {"registries": ["/registry"]}], ids=["an identity alone", "a registry"])
def test_a_kubelet_identity_that_is_made_is_sent_as_far_as_it_is_known(said: Mapping[str, object]) -> None:
    declared = cluster(**said)
    around = AksClusterContext("shop", declared, "/identity", AgentPoolContext("system", None, "/net/subnets/nodes"), KubeletIds(*IDS.values()))
    assert write(CLUSTER, declared, around)["identityProfile"] == {"kubeletidentity": IDS}
    assert written(declared)["identityProfile"] == {"kubeletidentity": {"resourceId": UNKNOWN}}


RANGES = [
    pytest.param(["203.0.113.0/24"], ["203.0.113.0/24", "198.51.100.7/32"], id="beside what is declared"),
    pytest.param(["0.0.0.0/32"], ["198.51.100.7/32"], id="in place of the load balancer's"),
    pytest.param([], [], id="not where everyone is let in"),
]


@pytest.mark.parametrize(("declared", "sent"), RANGES)
def test_nodes_behind_a_gateway_reach_the_api_server(declared: list[str], sent: list[str]) -> None:
    made = cluster(api_server={"authorized_ip_ranges": declared})
    around = AksClusterContext("shop", made, "/identity", AgentPoolContext("system", None, "/net/subnets/nodes"), egress=("198.51.100.7/32",))
    assert list(write(CLUSTER, made, around)["apiServerAccessProfile"]["authorizedIPRanges"]) == sent  # type: ignore[index]


def test_registries_need_no_identity_where_one_is_brought() -> None:
    assert written(cluster(kubelet_identity=KUBELET, registries=["/registry"]))["identityProfile"] == {"kubeletidentity": IDS}


@pytest.mark.parametrize("hidden", ["kubelet_identity", "registries"])
def test_an_identity_of_which_nothing_is_known_is_not_made_up(hidden: str) -> None:
    made = written(partial(cluster(), [hidden]))
    assert made.get("identityProfile") == ({"kubeletidentity": UNKNOWN} if hidden == "kubelet_identity" else None)


def test_a_plugin_that_is_brought_decides_the_rest() -> None:
    made = written(cluster(network_profile={"plugin": "none", "policy": "calico"}))["networkProfile"]
    assert not {"networkPluginMode", "networkDataplane", "networkPolicy", "podCidr"} & made.keys()
    assert written(cluster(network_profile={"plugin": "none", "pod_cidr": "10.9.0.0/16"}))["networkProfile"]["podCidr"] == "10.9.0.0/16"


def test_kubenet_has_a_range_of_pods_and_nothing_of_azure_cni() -> None:
    made = written(cluster(network_profile={"plugin": "kubenet"}))["networkProfile"]
    assert not {"networkPluginMode", "networkDataplane", "networkPolicy"} & made.keys()
    assert (made["networkPlugin"], made["podCidr"]) == ("kubenet", "10.244.0.0/16")
    assert written(cluster(network_profile={"plugin": "kubenet", "policy": "calico"}))["networkProfile"]["networkPolicy"] == "calico"


READ: list[tuple[str, dict[str, object], dict[str, object], list[tuple[tuple[str, ...], Why]]]] = [
    ("nothing", {}, {}, []),
    ("an argument that no row has", {"color": "red"}, {}, [(("color",), Why.NO_SUCH_FIELD)]),
    ("one inside a part", {"sku": {"color": "red"}}, {}, [(("sku", "color"), Why.NO_SUCH_FIELD)]),
    ("one that is left to overrides", {"extendedLocation": {"name": "edge"}}, {}, [(("extendedLocation",), Why.UNMODELED)]),
    (
        "services that are off, which are the default",
        {
            "azureMonitorProfile": {"metrics": {"enabled": False}},
            "addonProfiles": {"azureKeyvaultSecretsProvider": {"enabled": False, "config": {"enableSecretRotation": "false"}}},
            "securityProfile": {"imageCleaner": {"enabled": False, "intervalHours": 48}, "defender": {"securityMonitoring": {"enabled": False}}},
            "serviceMeshProfile": {"mode": "Disabled"},
        },
        {},
        [],
    ),
    (
        "a vault provider that does not rotate",
        {"addonProfiles": {"azureKeyvaultSecretsProvider": {"enabled": True}}},
        {"key_vault_provider": {"enabled": True, "rotate": False}},
        [],
    ),
    (
        "a switch that is not known",
        {"securityProfile": {"imageCleaner": {"enabled": UNKNOWN, "intervalHours": 48}}},
        {"image_cleaner": {"enabled": UNKNOWN, "interval": "48h"}},
        [],
    ),
    (
        "a gateway that is off is none",
        {
            "serviceMeshProfile": {
                "mode": "Istio",
                "istio": {
                    "revisions": ["asm-1-30"],
                    "components": {"ingressGateways": [{"enabled": True, "mode": "Internal"}, {"enabled": False, "mode": "External"}]},
                },
            }
        },
        {"istio": {"enabled": True, "revisions": ["asm-1-30"], "ingress": ["Internal"]}},
        [],
    ),
    (
        "certificates that are none",
        {"securityProfile": {"customCATrustCertificates": ["*"]}},
        {"trusted_certificates": UNKNOWN},
        [(("securityProfile", "customCATrustCertificates"), Why.UNREADABLE)],
    ),
    (
        "keys of labels and annotations, and none",
        {
            "azureMonitorProfile": {
                "metrics": {
                    "enabled": True,
                    "kubeStateMetrics": {"metricLabelsAllowlist": "pods=[app,team],namespaces=[*]", "metricAnnotationsAllowList": ""},
                }
            }
        },
        {"metrics": {"enabled": True, "label_keys": {"pods": ["app", "team"], "namespaces": ["*"]}, "annotation_keys": {}}},
        [],
    ),
    ("what ours never are", {"enableRBAC": False}, {}, [(("enableRBAC",), Why.ANOTHER_WORD)]),
    ("what is as ours always are, or not known", {"enableRBAC": True, "sku": {"name": UNKNOWN}}, {"sku": UNKNOWN}, []),
    ("a kubelet identity of the user's own", {"identityProfile": {"kubeletidentity": IDS}}, {"kubelet_identity": KUBELET}, []),
    (
        "one that AKS made, in its own group",
        {"identityProfile": {"kubeletidentity": IDS}, "nodeResourceGroup": "G"},
        {"node_resource_group": "G"},
        [],
    ),
    (
        "backends as Azure writes them",
        {"networkProfile": {"loadBalancerProfile": {"backendPoolType": "nodeIPConfiguration"}}},
        {"network_profile": {"load_balancer": {"backend_pool_type": "NodeIPConfiguration"}}},
        [],
    ),
    ("images from the internet", {"bootstrapProfile": {"artifactSource": "Direct", "containerRegistryId": None}}, {}, []),
    ("a kubelet identity without ids", {"identityProfile": {"kubeletidentity": {}}}, {}, []),
    ("one that is not known", {"identityProfile": {"kubeletidentity": UNKNOWN}}, {"kubelet_identity": UNKNOWN}, []),
    (
        "one that is no mapping",
        {"identityProfile": {"kubeletidentity": "id"}},
        {"kubelet_identity": UNKNOWN},
        [(("identityProfile", "kubeletidentity"), Why.NO_PART)],
    ),
    (
        "several identities",
        {"identity": {"userAssignedIdentities": ["a", "b"]}},
        {"identity": UNKNOWN},
        [_IDENTITIES := (("identity", "userAssignedIdentities"), Why.UNREADABLE)],
    ),
    ("the identity that AKS assigns", {"identity": {"type": "SystemAssigned"}}, {"identity": "system"}, []),
    ("no SSH key", {"linuxProfile": {"adminUsername": "me"}}, {"linux_profile": {"admin_username": "me"}}, []),
    (
        "an SSH key that is not known",
        {"linuxProfile": {"ssh": {"publicKeys": UNKNOWN}}},
        {"linux_profile": {"ssh_key": UNKNOWN}},
        [],
    ),
    (
        "two SSH keys",
        {"linuxProfile": {"ssh": {"publicKeys": [{"keyData": "a"}, {"keyData": "b"}]}}},
        {"linux_profile": {"ssh_key": UNKNOWN}},
        [(("linuxProfile", "ssh", "publicKeys"), Why.UNREADABLE)],
    ),
    (
        "identities of both kinds",
        {"identity": {"type": "SystemAssigned, UserAssigned"}},
        {"identity": UNKNOWN},
        [(("identity", "type"), Why.UNREADABLE)],
    ),
    ("a kind of identity that is not known", {"identity": {"type": UNKNOWN}}, {"identity": UNKNOWN}, []),
    ("identities that are not known", {"identity": {"type": "UserAssigned", "userAssignedIdentities": UNKNOWN}}, {"identity": UNKNOWN}, []),
    (
        "Entra ID as Azure has it by default",
        {"aadProfile": {"managed": True}},
        {"entra": {"azure_rbac": False, "local_accounts": True}},
        [],
    ),
    ("identities as they are told", {"identity": {"userAssignedIdentities": {"/id": {}}}}, {"identity": "/id"}, []),
    ("Entra ID in its former way", {"aadProfile": {"managed": False}}, {}, []),
    (
        "a mode that nobody has",
        {"nodeProvisioningProfile": {"mode": "Odd"}},
        {"node_provisioning": UNKNOWN},
        [(("nodeProvisioningProfile", "mode"), Why.UNREADABLE)],
    ),
    ("node auto provisioning", {"nodeProvisioningProfile": {"mode": "Auto"}}, {"node_provisioning": {}}, []),
    (
        "an API server of which nothing is known",
        {"apiServerAccessProfile": {"enablePrivateCluster": UNKNOWN}},
        {"api_server": {"private": UNKNOWN}},
        [],
    ),
    (
        "upgrades of which nothing is known",
        {"autoUpgradeProfile": UNKNOWN},
        {"auto_upgrade": UNKNOWN, "node_os_upgrade": UNKNOWN},
        [],
    ),
    ("service accounts without settings", {"windowsProfile": {"gmsaProfile": {"enabled": True}}}, {"windows_profile": {"gmsa": {}}}, []),
    ("one range", {"networkProfile": {"podCidr": "10.9.0.0/16"}}, {"network_profile": {"pod_cidr": "10.9.0.0/16"}}, []),
    ("a range that is not known", {"networkProfile": {"podCidr": UNKNOWN}}, {"network_profile": {"pod_cidr": UNKNOWN}}, []),
    (
        "ranges of both families",
        {"networkProfile": {"podCidrs": ["10.9.0.0/16", "fd00:20::/64"]}},
        {"network_profile": {"pod_cidr": "10.9.0.0/16", "pod_cidr_v6": "fd00:20::/64"}},
        [],
    ),
    (
        "a list without IPv4",
        {"networkProfile": {"podCidrs": ["fd00:20::/64"]}},
        {"network_profile": {"pod_cidr": UNKNOWN, "pod_cidr_v6": "fd00:20::/64"}},
        [],
    ),
    (
        "ranges that are not known",
        {"networkProfile": {"podCidrs": ["10.9.0.0/16", UNKNOWN]}},
        {"network_profile": {"pod_cidr": UNKNOWN, "pod_cidr_v6": UNKNOWN}},
        [],
    ),
    (
        "ranges that are none",
        {"networkProfile": {"podCidrs": 7}},
        {"network_profile": {"pod_cidr": UNKNOWN, "pod_cidr_v6": UNKNOWN}},
        [(("networkProfile", "podCidrs"), Why.UNREADABLE)],
    ),
]


@pytest.mark.parametrize(("wire", "found", "left"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_what_is_not_understood_is_unknown_and_listed(wire: Mapping[str, object], found: Mapping[str, object], left: object) -> None:
    reading = Reading()
    assert read(CLUSTER, wire, reading) == {"api_server": {}, **found}
    assert [(one.steps, one.why) for one in reading.left] == left


def test_what_is_not_known_is_sent_as_unknown() -> None:
    declared = cluster()
    profile = partial(declared.network_profile, ("pod_cidr",))
    hidden = partial(declared, ("system_pool", "api_server", "node_provisioning", "private_dns_zone"))
    made = write(
        CLUSTER, hidden, AksClusterContext("shop", partial(declared, ("network_profile",)), "/identity", AgentPoolContext("system", None, "/s"))
    )
    assert made["agentPoolProfiles"] is UNKNOWN
    assert made["apiServerAccessProfile"]["enablePrivateCluster"] is UNKNOWN  # type: ignore[index]  # a mapping
    assert made["nodeProvisioningProfile"] == {"mode": UNKNOWN, "defaultNodePools": UNKNOWN}
    assert made["networkProfile"]["podCidr"] is UNKNOWN  # type: ignore[index]  # plain data
    assert profile is not declared.network_profile


def test_of_a_cluster_that_was_read_the_ranges_are_those_that_it_has() -> None:
    read_back = cluster(network_profile={"pod_cidr": "10.9.0.0/16", "service_cidr": "10.8.0.0/16"})
    made = write(CLUSTER, read_back, CLUSTER.standalone)
    assert made["networkProfile"] == {
        **written(read_back)["networkProfile"],
        "dnsServiceIP": UNKNOWN,
    }
    assert made["agentPoolProfiles"][0]["name"] is UNKNOWN  # type: ignore[index]  # a list
    assert made["identity"] == {"type": UNKNOWN, "userAssignedIdentities": UNKNOWN}


PLACES = {one.model: one.wire for one in reversed(CLUSTER.leaves) if one.model and one.wire}


@pytest.mark.parametrize(("model", "wire"), PLACES.items(), ids=[".".join(map(str, model)) for model in PLACES])
def test_every_field_has_a_path(model: tuple[str, ...], wire: Pattern) -> None:
    assert wire_of(CLUSTER, model) == wire


INSIDE: list[tuple[str, tuple[str | int, ...], tuple[str | int, ...]]] = [
    ("a field of a part", ("network_profile", "load_balancer", "idle_timeout"), ("networkProfile", "loadBalancerProfile", "idleTimeoutInMinutes")),
    ("a part that is a mapping", ("windows_profile",), ("windowsProfile",)),
    ("a part that several arguments make", ("api_server",), ("apiServerAccessProfile", "enablePrivateCluster")),
    ("a field of it", ("api_server", "authorized_ip_ranges", 1), ("apiServerAccessProfile", "authorizedIPRanges", 1)),
    ("what a part does not send", ("node_provisioning", "cilium_startup_taint"), ("nodeProvisioningProfile", "mode")),
    ("the first pool", ("system_pool", "taints", 0), ("agentPoolProfiles", 0, "nodeTaints", 0)),
    ("what is never sent", ("timeouts", "create"), ()),
    ("overrides of an argument", ("overrides", "network_profile", "network_plugin"), ("networkProfile", "networkPlugin")),
    ("of several", ("overrides", "addon_profiles", "omsagent"), ("addonProfiles", "omsagent", "enabled")),
    ("of one that no field has", ("overrides", "extended_location", "name"), ("extendedLocation",)),
    ("the cluster as a whole", (), ()),
]


@pytest.mark.parametrize(("model", "wire"), [row[1:] for row in INSIDE], ids=[row[0] for row in INSIDE])
def test_paths_go_inside(model: tuple[str | int, ...], wire: tuple[str | int, ...]) -> None:
    assert wire_of(CLUSTER, model) == wire


def test_paths_come_back() -> None:
    assert model_of(CLUSTER, ("apiServerAccessProfile", "disableRunCommand")) == ("run_command",)
    assert model_of(CLUSTER, ("networkProfile", "serviceCidrs")) == ("network_profile", "service_cidr_v6")
    assert model_of(CLUSTER, ("agentPoolProfiles", 0, "vmSize")) == ("system_pool", "vm_size")


@pytest.mark.parametrize(
    ("wire", "effect"),
    [
        ("location", Effect.REPLACES),
        ("networkProfile", Effect.REFUSED),
        ("networkProfile.networkPlugin", Effect.REPLACES),
        ("networkProfile.ipFamilies", Effect.REIMAGES),
        ("networkProfile.loadBalancerProfile", Effect.IN_PLACE),
        ("networkProfile.loadBalancerProfile.idleTimeoutInMinutes", Effect.IN_PLACE),
        ("networkProfile.loadBalancerSku", Effect.REFUSED),
        ("kubernetesVersion", Effect.IN_PLACE),
        ("sku.tier", Effect.IN_PLACE),
        ("windowsProfile", Effect.REPLACES),
        ("diskEncryptionSetID", Effect.REPLACES),
        ("apiServerAccessProfile.enablePrivateCluster", Effect.REFUSED),
        ("apiServerAccessProfile.privateDNSZone", Effect.UNKNOWN),
        ("aadProfile.managed", Effect.REFUSED),
        ("aadProfile.tenantID", Effect.IN_PLACE),
        ("autoUpgradeProfile.nodeOSUpgradeChannel", Effect.REIMAGES),
        ("httpProxyConfig", Effect.REIMAGES),
        ("bootstrapProfile", Effect.IN_PLACE_LATER),
        ("autoScalerProfile", Effect.IN_PLACE),
    ],
)
def test_the_effect_of_an_argument_is_the_worst_below_it(wire: str, effect: Effect) -> None:
    assert effect_of(CLUSTER, tuple(wire.split(".")), "AksClusterArgs") is effect


def test_what_rotates_a_pool_is_refused_of_the_first() -> None:
    effects = {one.model[1:]: one.change.of("SystemPool") for one in CLUSTER.leaves if one.model[:1] == ("system_pool",) and one.change}
    own = {one.model: one.change.of("SystemPool") for one in INLINE.leaves if one.model and one.change}
    rotate = {field for field, effect in own.items() if effect in (Effect.ROTATES, Effect.REPLACES)}
    assert {field for field, effect in effects.items() if effect is Effect.REFUSED} == rotate - {("generation",)}
    assert Effect.ROTATES not in effects.values()


def test_a_change_is_found_in_the_words_of_the_model() -> None:
    before = cluster(tier="Free", api_server={"authorized_ip_ranges": ["203.0.113.0/24"]}, node_provisioning={})
    after = derive(
        before,
        tier="Standard",
        network_profile=NetworkProfile(dataplane="azure", load_balancer=LoadBalancer(idle_timeout="30m", managed_outbound_ips=2)),
        system_pool=SystemPool(vm_size="Standard_D8ds_v5", labels={"a": "b"}),
        autoscaler=AutoscalerProfile(priorities={10: ["web"]}, scan_interval="10s"),
        node_provisioning=None,
    )
    found = {one.model: one.effect for one in differences(CLUSTER, written(before), written(after), "AksClusterArgs")}
    assert found == {
        ("tier",): Effect.IN_PLACE,
        ("network_profile", "dataplane"): Effect.REPLACES,
        ("network_profile", "policy"): Effect.REPLACES,
        ("network_profile", "load_balancer", "managed_outbound_ips"): Effect.IN_PLACE,
        ("system_pool", "vm_size"): Effect.REFUSED,
        ("system_pool", "labels"): Effect.IN_PLACE,
        ("node_provisioning",): Effect.REFUSED,
    }, "and no priorities, which are in a ConfigMap, nor what is as the cloud has it anyway"


def test_the_resource_group_of_a_cluster_is_its_own_or_that_of_the_stem() -> None:
    fields = {"location": "westeurope", "kubernetes_version": "1.35", "system_pool": {"vm_size": "Standard_D4ds_v5", "count": 2}}
    names = [resource_group_name(AksClusterArgs.model_validate({**fields, **more}), "dev-weu") for more in ({}, {"resource_group": "rg"})]
    assert names == ["dev-weu", "rg"]

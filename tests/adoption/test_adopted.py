"""A cluster that exists is declared as it is: the declaration sends what Azure has, and what differs is told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from nodepools import Autoscale, ExistingAksNetwork, SystemPool, WindowsPool
from nodepools.adoption.adopted import Adopted, adopt, platform_data
from nodepools.adoption.draft import CannotAdoptError
from nodepools.adoption.import_file import import_entries, python_text
from nodepools.adoption.proof import platform_of
from nodepools.adoption.read_exports import Exports
from nodepools.aks import ImageCache, KubeletIdentity, ManagedAksNetwork, ManagedNatGateway
from nodepools.clouds.aks.existing import clusters_of, exports
from nodepools.clouds.existing_objects import NotExportError
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.listing import saved
from nodepools.model.platform import Platform
from tests.adoption.existing import GROUP, ID, SUBNET, WINDOW, cluster, configuration, pool

SYSTEM = pool("agentpool", "System")
OF_NODES = {"kubeletidentity": {"clientId": "c", "objectId": "o", "resourceId": f"{GROUP}/x/nodes"}}
OF_USER: dict[str, Any] = {"type": "UserAssigned", "userAssignedIdentities": {f"{GROUP}/x/cluster": {}}}
NETWORK = cluster()["networkProfile"]
ZONE = f"{GROUP}/providers/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io"
PRIVATE = {"enablePrivateCluster": True, "privateDnsZone": ZONE}
CACHE = f"{GROUP}/providers/Microsoft.ContainerRegistry/registries/cache"
OBSERVED = Path(__file__).parents[3] / "shared/data/observed"


AUTOMATIC = {"name": "Automatic", "tier": "Standard"}
HOSTED = {"enabled": True, "nodeSubnetId": SUBNET, "systemNodeSubnetId": f"{SUBNET}-system"}


def managed_nat(count: int, idle: int) -> dict[str, Any]:
    """The network settings of a cluster with a NAT gateway that AKS manages."""
    gateway = {"effectiveOutboundIPs": [{"id": "/ip"}], "idleTimeoutInMinutes": idle, "managedOutboundIpProfile": {"count": count}}
    return {**NETWORK, "outboundType": "managedNATGateway", "loadBalancerProfile": None, "natGatewayProfile": gateway}


def adopted(*written: dict[str, Any]) -> Adopted:
    [one], wrong = clusters_of(found for resource in written for found in exports(resource, "f"))
    assert wrong == []
    return adopt(one, "shop", "west")


def declared(one: Adopted) -> Platform:
    return platform_of(platform_data("shop", {"west": one.declared}))


def whole(*written: dict[str, Any]) -> AksClusterArgs:
    found = declared(adopted(*written)).clusters["west"]
    assert isinstance(found, AksClusterArgs)
    return found


CLUSTERS: dict[str, tuple[tuple[dict[str, Any], ...], Callable[[Any], object], object]] = {
    "a system-assigned identity is declared": ((cluster(), SYSTEM), lambda it: it.identity, "system"),
    "a pool named `system` next to the first one has a key of its own": (
        (cluster(), SYSTEM, pool("system", "System"), pool("system2")),
        lambda it: {key: one.name for key, one in it.pools.items()},
        {"system3": "system", "system2": "system2"},
    ),
    "an identity of nodes is declared": (
        (
            cluster(identity=OF_USER, identityProfile=OF_NODES),
            SYSTEM,
        ),
        lambda it: it.kubelet_identity,
        KubeletIdentity(id=f"{GROUP}/x/nodes", client_id="c", object_id="o"),
    ),
    "one that AKS created is not": (
        (cluster(identityProfile={"kubeletidentity": {"clientId": "c", "objectId": "o", "resourceId": "/s/resourcegroups/mc_SHOP/x/nodes"}}), SYSTEM),
        lambda it: it.kubelet_identity,
        None,
    ),
    "with an identity of AKS, AKS creates the one of nodes": (
        (cluster(identityProfile=OF_NODES), SYSTEM),
        lambda it: (it.identity, it.kubelet_identity),
        ("system", None),
    ),
    "names in Azure stay": ((cluster(), SYSTEM), lambda it: (it.name, it.dns_prefix, it.node_resource_group), ("Shop_West", "shop-dns", "MC_shop")),
    "what is off in Azure stays off": (
        (cluster(), SYSTEM),
        lambda it: (it.oidc_issuer, it.workload_identity, it.entra, it.tier),
        (False, False, None, "Free"),
    ),
    "a subnet is an existing network": ((cluster(), SYSTEM), lambda it: it.network, ExistingAksNetwork(subnet_id=SUBNET)),
    "no subnet is a network of AKS": ((cluster(), pool("agentpool", "System", vnetSubnetId=None)), lambda it: it.network, ManagedAksNetwork()),
    "zones keep their order": ((cluster(), SYSTEM), lambda it: it.system_pool.zones, (3, 1)),
    "a pool keeps its name, without our label": (
        (cluster(), SYSTEM, pool("web")),
        lambda it: (it.pools["web"].name, it.pools["web"].labeled),
        ("web", False),
    ),
    "a pool in the network of the cluster has no subnet": ((cluster(), SYSTEM, pool("web")), lambda it: it.pools["web"].vnet_subnet_id, None),
    "an autoscaled pool": (
        (cluster(), SYSTEM, pool("web", enableAutoScaling=True, minCount=1, maxCount=9)),
        lambda it: it.pools["web"].scale,
        Autoscale(1, 9),
    ),
    "a Windows pool": ((cluster(), SYSTEM, pool("win", osType="Windows", osSku="Windows2022")), lambda it: it.pools["win"].__class__, WindowsPool),
    "a system pool without its taint": ((cluster(), SYSTEM), lambda it: it.system_pool.isolated, False),
    "a system pool with its taint": (
        (cluster(), pool("agentpool", "System", nodeTaints=["CriticalAddonsOnly=true:NoSchedule"])),
        lambda it: (it.system_pool.isolated, it.system_pool.taints),
        (True, ()),
    ),
    "a second system pool is one of the pools": ((cluster(), SYSTEM, pool("more", "System")), lambda it: it.pools["more"].__class__, SystemPool),
    "a maintenance window": (
        (cluster(autoUpgradeProfile={"upgradeChannel": "patch"}), SYSTEM, configuration("aksManagedAutoUpgradeSchedule", WINDOW)),
        lambda it: it.maintenance_configurations.upgrades.duration_hours,
        6,
    ),
    "services that are on": (
        (
            cluster(
                addonProfiles={
                    "azurepolicy": {"enabled": True, "config": None},
                    "azureKeyvaultSecretsProvider": {
                        "enabled": True,
                        "config": {"enableSecretRotation": "true", "rotationPollInterval": "2m"},
                        "identity": {"objectId": "o"},
                    },
                },
                securityProfile={"imageCleaner": {"enabled": True, "intervalHours": 48}},
                workloadAutoScalerProfile={"keda": {"enabled": True}, "verticalPodAutoscaler": None},
            ),
            SYSTEM,
        ),
        lambda it: (it.azure_policy, it.key_vault_provider.rotate, it.image_cleaner.interval, it.keda, "addon_profiles" in it.overrides),
        (True, True, "48h", True, False),
    ),
    "add-ons with other settings than a field sends": (
        (
            cluster(
                addonProfiles={
                    "azurepolicy": {"enabled": True, "config": {"version": "v2"}},
                    "azureKeyvaultSecretsProvider": {"enabled": True, "config": None},
                }
            ),
            SYSTEM,
        ),
        lambda it: (it.azure_policy, it.key_vault_provider, sorted(it.overrides["addon_profiles"])),
        (None, None, ["azureKeyvaultSecretsProvider", "azurepolicy"]),
    ),
    "metrics, whose rule and workspace exist": (
        (cluster(azureMonitorProfile={"metrics": {"enabled": True, "kubeStateMetrics": None}}), SYSTEM),
        lambda it: it.metrics,
        None,
    ),
    "maintenance configurations of the API have no type": (
        (cluster(autoUpgradeProfile={"upgradeChannel": "patch"}), SYSTEM, {**configuration("aksManagedAutoUpgradeSchedule", WINDOW), "type": None}),
        lambda it: it.maintenance_configurations.upgrades.duration_hours,
        6,
    ),
    "the API has hyphens in the autoscaler's settings": (
        (cluster(autoScalerProfile={"max-node-provision-time": "20m", "expander": "least-waste"}), SYSTEM),
        lambda it: (it.autoscaler.max_node_provision_time, it.autoscaler.expander),
        ("20m", "least-waste"),
    ),
    "a subnet that AKS manages has an empty id": (
        (cluster(apiServerAccessProfile={"enablePrivateCluster": False, "enableVnetIntegration": True, "subnetId": ""}), SYSTEM),
        lambda it: it.api_server_subnet_id,
        None,
    ),
    "a value that the model does not have is an override": (
        (cluster(sku={"name": "Base", "tier": "Paid"}), SYSTEM),
        lambda it: (it.tier, it.overrides["sku"]),
        ("Standard", {"tier": "Paid"}),
    ),
    "a NAT gateway that AKS manages": (
        (cluster(networkProfile=managed_nat(count=2, idle=10)), pool("agentpool", "System", vnetSubnetId=None)),
        lambda it: (it.network_profile.outbound_type, it.network_profile.nat_gateway),
        ("managedNATGateway", ManagedNatGateway(managed_outbound_ips=2, idle_timeout="10m")),
    ),
    "a NAT gateway that AKS manages, with its defaults": (
        (cluster(networkProfile=managed_nat(count=1, idle=4)), pool("agentpool", "System", vnetSubnetId=None)),
        lambda it: (it.network_profile.outbound_type, it.network_profile.nat_gateway),
        ("managedNATGateway", None),
    ),
    "a NAT gateway of the network": (
        (
            cluster(
                networkProfile={**NETWORK, "outboundType": "userAssignedNATGateway", "natGatewayProfile": {"effectiveOutboundIPs": [{"id": "/ip"}]}}
            ),
            SYSTEM,
        ),
        lambda it: (it.network_profile.outbound_type, it.network_profile.nat_gateway, "network_profile" in it.overrides),
        ("userAssignedNATGateway", None, False),
    ),
    "a subdomain in a zone of one's own": (
        (cluster(dnsPrefix=None, fqdnSubdomain="shop", apiServerAccessProfile=PRIVATE, identity=OF_USER), SYSTEM),
        lambda it: (it.fqdn_subdomain, it.dns_prefix, it.private_dns_zone),
        ("shop", None, ZONE),
    ),
    "images from a registry of one's own": (
        (cluster(bootstrapProfile={"artifactSource": "Cache", "containerRegistryId": CACHE}, identity=OF_USER, identityProfile=OF_NODES), SYSTEM),
        lambda it: (it.image_cache, it.pulled_registries),
        (ImageCache(registry_id=CACHE), ()),
    ),
    "images from a registry of AKS": (
        (cluster(bootstrapProfile={"artifactSource": "Cache", "containerRegistryId": None}), SYSTEM),
        lambda it: it.image_cache,
        ImageCache(),
    ),
    "images from the internet": (
        (cluster(bootstrapProfile={"artifactSource": "Direct", "containerRegistryId": None}), SYSTEM),
        lambda it: (it.image_cache, "bootstrap_profile" in it.overrides),
        (None, False),
    ),
    "AKS runs the system nodes": (
        (cluster(sku=AUTOMATIC, hostedSystemProfile=HOSTED), pool("web")),
        lambda it: (it.sku, it.hosted_system, it.system_pool, it.hosted_system_subnet_id, it.network.subnet_id, [*it.pools], it.api_version),
        ("Automatic", True, None, f"{SUBNET}-system", SUBNET, ["web"], "2026-02-01"),
    ),
    "AKS could run the system nodes": (
        (cluster(hostedSystemProfile={"enabled": False, "nodeSubnetId": None}), SYSTEM),
        lambda it: (it.sku, it.hosted_system, it.system_pool is None, it.api_version),
        ("Base", None, False, None),
    ),
    "REST has its own spelling": (
        (
            {
                "id": ID,
                "type": "Microsoft.ContainerService/ManagedClusters",
                "location": "westeurope",
                "identity": cluster()["identity"],
                "sku": {"name": "Base", "tier": "Free"},
                "properties": {"kubernetesVersion": "1.35", "dnsPrefix": "d", "nodeResourceGroup": "n", "enableRBAC": True},
            },
            SYSTEM,
        ),
        lambda it: it.dns_prefix,
        "d",
    ),
}


@pytest.mark.parametrize("title", CLUSTERS)
def test_a_cluster_is_declared_as_it_is(title: str) -> None:
    written, ask, expected = CLUSTERS[title]
    assert ask(whole(*written)) == expected


@pytest.mark.parametrize("title", CLUSTERS)
def test_the_declaration_changes_nothing(title: str) -> None:
    assert adopted(*CLUSTERS[title][0]).differences == ()


def test_an_agent_pool_with_the_name_of_a_node_pool_is_declared_as_it_is() -> None:
    read = Exports()
    on = cluster(nodeProvisioningProfile={"mode": "Auto", "defaultNodePools": "Auto"})
    template: dict[str, Any] = {
        "spec": {"nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}, "requirements": []}
    }
    spec = {"template": template, "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "5m"}, "weight": 7}
    karpenter: dict[str, Any] = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "web"}, "spec": spec}
    for document in (on, SYSTEM, pool("web"), karpenter):
        read.add(document, "f")
    [one], wrong = read.clusters()
    whole = declared(made := adopt(one, "shop", "west")).clusters["west"]
    assert wrong == []
    assert isinstance(whole, AksClusterArgs)
    assert whole.node_provisioning is not None
    web, own = whole.pools["web"], whole.node_provisioning.node_pools["web"]
    assert (web.count, web.zones, web.max_pods, own.weight, own.disruption.consolidate_after) == (3, (3, 1), 110, 7, "5m")
    assert not made.changes


def test_a_value_without_a_field_is_an_override() -> None:
    of_pool = adopted(cluster(networkProfile={**cluster()["networkProfile"], "loadBalancerSku": "Standard"}), SYSTEM, pool("web", tags={"a": "b"}))
    overrides = declared(of_pool).clusters["west"].overrides
    assert overrides["network_profile"] == {"load_balancer_sku": "Standard"}
    assert overrides["security_profile"] is None, "workload identity is not sent"
    assert declared(of_pool).clusters["west"].pools["web"].overrides == {"tags": {"a": "b", "team": None}}  # type: ignore[union-attr]
    assert of_pool.differences == ()


def test_the_python_text_is_the_declaration() -> None:
    one = declared(adopted(cluster(addonProfiles={"azurepolicy": {"enabled": True, "config": {"a": "it's"}}}), SYSTEM, pool("web")))
    scope: dict[str, object] = {}
    exec(python_text(one, "Shop"), scope)  # noqa: S102  # the text is ours
    assert scope["PLATFORM"] == one


def test_secrets_of_add_ons_are_not_declared() -> None:
    one = adopted(cluster(addonProfiles={"x": {"enabled": True, "config": {"apiKey": "hunter2", "rotateSecrets": "true"}}}), SYSTEM)
    assert "hunter2" not in python_text(declared(one), "Shop")
    assert "rotateSecrets" in python_text(declared(one), "Shop")


SECRET_VALUES = [
    pytest.param({"tags": {"team": "web", "password": "hunter2", "proxy": "http://ops:hunter2@p"}}, ["tags.password", "tags.proxy"], id="tags"),
    pytest.param(
        {"httpProxyConfig": {"httpProxy": "http://p:1", "httpsProxy": "http://u:hunter2@p:1"}}, ["http_proxy.https"], id="a field of its own"
    ),
    pytest.param({"securityProfile": {"customCATrustCertificates": ["LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"]}}, [], id="a certificate is public"),
]


@pytest.mark.parametrize(("fields", "secrets"), SECRET_VALUES)
def test_a_value_that_can_be_a_secret_is_left_out_and_does_not_count_as_unchanged(fields: dict[str, Any], secrets: list[str]) -> None:
    one = adopted(cluster(**fields), SYSTEM)
    text = python_text(declared(one), "Shop")
    assert "hunter2" not in text
    assert "[secret]" not in text
    assert [path for path in map(".".join, one.secrets) if not path.startswith("system_pool")] == secrets
    assert one.changes == bool(secrets)
    assert [one.is_unchanged(item) for item in one.compared] == [not secrets]


def test_a_secret_of_a_pool_is_left_out() -> None:
    one = adopted(cluster(), SYSTEM, pool("web", tags={"team": "a"}, nodeLabels={"x": "ghp_0123456789"}))
    assert one.secrets == (("pools", "web", "labels", "x"),)
    assert one.is_unchanged(one.compared[0]) is False


def test_the_import_file_has_canonical_ids_and_parents() -> None:
    entries = list(import_entries("shop", adopted(cluster(), SYSTEM, pool("web"))))
    canonical = ID.replace("resourcegroups", "resourceGroups")
    assert [(entry["name"], entry.get("parent"), entry.get("logicalName"), entry.get("id")) for entry in entries] == [
        ("shop-west", None, None, None),
        ("shop-west-cluster", "shop-west", "shop-west", canonical),
        ("shop-west-web", "shop-west", None, f"{canonical}/agentPools/web"),
    ]


@pytest.mark.parametrize(
    ("written", "outside"),
    [
        (pool("gw", mode="Machines"), "agent pool gw"),
        (pool("vms", typePropertiesType="VirtualMachines"), "agent pool vms"),
        (configuration("default", None), "maintenance configuration default"),
        (configuration("unheard", WINDOW), "maintenance configuration unheard"),
    ],
    ids=["a pool of another mode", "a pool of virtual machines", "hours of a week", "another configuration"],
)
def test_what_has_no_class_stays_outside(written: dict[str, Any], outside: str) -> None:
    [(name, why)] = adopted(cluster(), SYSTEM, written).outside.items()
    assert name == outside
    assert "class declares pools with the type" not in why, "`UserPool.machines` declares one"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ((cluster(), pool("web")), "no Linux system pool"),
        ((cluster(identity={"type": "None"}), SYSTEM), "a service principal cannot be declared: change it first"),
        ((cluster(), pool("agentpool", "System", nodeTaints=5)), "`nodeTaints` must be a list"),
    ],
    ids=["no system pool", "a service principal", "a value of another type"],
)
def test_a_cluster_that_cannot_be_declared_says_why(written: tuple[dict[str, Any], ...], why: str) -> None:
    with pytest.raises(CannotAdoptError, match=why):
        adopted(*written)


def test_a_pool_belongs_to_the_cluster_of_its_id() -> None:
    other = {**pool("web"), "id": f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/other/agentPools/web"}
    _, wrong = clusters_of(found for one in (cluster(), SYSTEM, other) for found in exports(one, "pools.json"))
    assert wrong == [f"pools.json: `web` is of the cluster `other`, which is in no file. {saved('`az aks show`')}"]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("text", "is not an export"),
        ([1], "is not a list of resources"),
        ({"id": ID, "type": "Microsoft.Network/virtualNetworks"}, "is not recognized"),
    ],
)
def test_something_else_is_not_an_export(value: object, why: str) -> None:
    with pytest.raises(NotExportError, match=why):
        list(exports(value, "f"))


@pytest.mark.parametrize("folder", ["aks-billing", "aks-search", "erp_Prod", "ml-9f2c41"])
def test_an_observed_cluster_changes_nothing(folder: str) -> None:
    if not OBSERVED.is_dir():
        pytest.skip("there are no observed clusters here")
    files = sorted((OBSERVED / folder).glob("*.json"))
    one = adopted(*(item for file in files for item in _listed(json.loads(file.read_text()))))
    assert (one.differences, one.rejected) == ((), ())


def _listed(value: Any) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", value) if isinstance(value, list) else [value]

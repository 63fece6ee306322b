"""AKS clusters: networks, versions, names, who may enter, and node auto provisioning."""

import pytest

from nodepools import (
    AksNetworkArgs,
    AksNodeClass,
    Autoscale,
    ExistingAksNetwork,
    NodeProvisioning,
    Requirement,
    StackOutput,
    Taint,
    UserPool,
    derive,
    keys,
)
from nodepools.aks import Entra, EntraPrincipal
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import NIGHTLY_MAINTENANCE, SIZE, aks, aks_pool, platform, provisioning
from tests.azure_ids import SUBNET as OWN
from tests.rules.conftest import DAY, Judged

PRINCIPAL = "99999999-9999-9999-9999-999999999999"
SUBNET = StackOutput("org/network/prod", "subnet")


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(network={"cidr": "10.0.0.0/16"}), [], id="default ranges give way to the network"),
        pytest.param(aks(network=ExistingAksNetwork(subnet_id=SUBNET)), [], id="a network of unknown range is not judged"),
        pytest.param(aks(network=ExistingAksNetwork(subnet_id=SUBNET, cidr="172.30.0.0/16")), ["AKS041 network.cidr"], id="one of a known range is"),
        pytest.param(aks(network_profile={"plugin_mode": None}), [], id="without overlay pods have no range"),
        pytest.param(aks(network_profile={"pod_cidr": "10.224.0.0/20"}), ["AKS040 network_profile.pod_cidr"], id="pods meet the network"),
        pytest.param(
            aks(network_profile={"pod_cidr": "10.224.128.0/20"}), ["AKS235 network_profile.pod_cidr"], id="pods meet the network, and no subnet of it"
        ),
        pytest.param(
            aks(network={"cidr": "10.1.0.0/16"}, network_profile={"pod_cidr": "10.2.0.0/16", "service_cidr": "10.2.0.0/20"}),
            ["AKS040 network_profile.service_cidr"],
            id="services meet the pods",
        ),
        pytest.param(
            aks(network={"cidr": "10.1.0.0/16", "pool_subnets": {"web": "10.1.64.0/24"}}, network_profile={"service_cidr": "10.1.64.0/20"}),
            ["AKS040 network_profile.service_cidr"],
            id="services meet the subnet of a pool",
        ),
        pytest.param(
            aks(
                network={"cidr": "10.1.0.0/16", "pod_subnet_cidr": "10.1.96.0/20"},
                network_profile={"plugin_mode": None, "service_cidr": "10.1.96.0/24"},
            ),
            ["AKS040 network_profile.service_cidr"],
            id="services meet the subnet of the pods",
        ),
        pytest.param(
            aks(network=ExistingAksNetwork(subnet_id=SUBNET, cidr="10.1.0.0/16"), network_profile={"service_cidr": "10.1.0.0/20"}),
            ["AKS235 network_profile.service_cidr"],
            id="of a network that exists nobody knows the subnets",
        ),
        pytest.param(aks(network_profile={"service_cidr": "169.254.0.0/24"}), ["AKS041 network_profile.service_cidr"], id="link-local is refused"),
        pytest.param(aks(network={"node_subnet_cidr": "10.99.0.0/24"}), ["AKS042 network.node_subnet_cidr"], id="nodes outside of the network"),
        pytest.param(aks(network={"pool_subnets": {"web": "10.224.64.0/24"}}), [], id="after the first quarter there is room for pools"),
        pytest.param(
            aks(network={"pool_subnets": {"web": "10.224.0.0/24"}}), ["AKS042 network.pool_subnets.web"], id="the first quarter is the nodes'"
        ),
        pytest.param(
            aks(network={"node_subnet_cidr": "10.224.128.0/24", "pool_subnets": {"web": "10.224.128.0/28", "system": "10.224.0.0/24"}}),
            ["AKS042 network.pool_subnets.web"],
            id="unless their subnet is declared",
        ),
        pytest.param(
            aks(network={"pool_subnets": {"web": "10.224.64.0/24", "system": "10.224.64.0/26"}}),
            ["AKS042 network.pool_subnets.system"],
            id="pools do not share a subnet",
        ),
        pytest.param(aks(network={"cidr": "10.1.0.0/31"}), ["AKS144 network.cidr"], id="a network without room for a subnet"),
        pytest.param(aks(network_profile={"dataplane": "azure", "policy": "calico"}), [], id="Calico on the Azure dataplane"),
        pytest.param(aks(network_profile={"policy": "cilium"}), [], id="Cilium on its own"),
        pytest.param(aks(network_profile={"dataplane": "azure", "policy": "cilium"}), ["AKS045 network_profile.policy"], id="Cilium on another"),
        pytest.param(aks(network_profile={"plugin": "none", "policy": "calico"}), [], id="a plugin that is brought decides itself"),
        pytest.param(
            aks(network=ExistingAksNetwork(subnet_id=OWN), network_profile={"outbound_type": "userDefinedRouting"}),
            ["AKS321 api_server.authorized_ip_ranges"],
            id="routes on a subnet that exists",
        ),
    ],
)
def test_networks(declared: Model, found: list[str], judged: Judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("cluster", "pool", "found"),
    [
        pytest.param("1.36", "1.36", [], id="one version"),
        pytest.param("1.36", "1.36.4", [], id="a patch of it: which one the cluster has is not known"),
        pytest.param("1.36.1", "1.36", [], id="nor which one the pool has"),
        pytest.param("1.36.1", "1.36.2", ["AKS060 pools.web.kubernetes_version"], id="a patch ahead"),
        pytest.param("1.36", "1.34", ["AKS071 pools.web.kubernetes_version"], id="two behind, whose support ends soon"),
        pytest.param("1.36", "1.33", ["AKS070 pools.web.kubernetes_version"], id="three behind, the most that AKS supports; without support"),
        pytest.param("1.36", "1.32", ["AKS061 pools.web.kubernetes_version", "AKS070 pools.web.kubernetes_version"], id="four behind"),
    ],
)
def test_versions_of_pools(cluster: str, pool: str, found: list[str], judged: Judged) -> None:
    assert judged(aks(kubernetes_version=cluster, pools={"web": UserPool(vm_size=SIZE, kubernetes_version=pool)})) == found


def test_admins_without_entra_are_told_too(judged: Judged) -> None:
    assert judged(aks(entra=None, admins=[EntraPrincipal(PRINCIPAL)])) == ["AKS062 entra", "AKS062 admins"]


@pytest.mark.parametrize(
    ("key", "found"),
    [
        pytest.param("weu", [], id="letters"),
        pytest.param("WEU-2", [], id="capitals, digits, hyphens"),
        pytest.param("w" * 59, [], id="as long as the value of a label"),
        pytest.param("w" * 86, [f"AKS106 clusters.{'w' * 86}"], id="as long as a resource group can be named"),
        pytest.param("w" * 87, [f"AKS063 clusters.{'w' * 87}"], id="longer"),
        pytest.param("weu-", ["AKS063 clusters.weu-"], id="a hyphen last"),
    ],
)
def test_names(key: str, found: list[str], judged: Judged) -> None:
    assert judged(platform(**{key: aks()})) == found


_NAMED = {"name": "Shop_Prod", "dns_prefix": "shop"}
_AROUND = {
    "resource_group": "shop",
    "identity": "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/own",
    "network": ExistingAksNetwork(subnet_id=SUBNET),
}


@pytest.mark.parametrize(
    ("key", "declared", "found"),
    [
        pytest.param("we_u", _NAMED, [], id="an underscore is in no name"),
        pytest.param("we_u", {"name": "Shop_Prod"}, ["AKS063 clusters.we_u"], id="an underscore is in the DNS prefix"),
        pytest.param("weu-", _NAMED, ["AKS063 clusters.weu-"], id="a hyphen ends the name of the network"),
        pytest.param("w" * 87, {**_NAMED, **_AROUND, "network": AksNetworkArgs()}, [f"AKS063 clusters.{'w' * 87}"], id="the network has a long name"),
        pytest.param("w" * 87, {**_NAMED, **_AROUND}, [], id="no resource is named after the key"),
        pytest.param("weu-", {**_NAMED, **_AROUND}, [], id="no resource ends in a hyphen"),
    ],
)
def test_names_of_existing_clusters(key: str, declared: dict[str, object], found: list[str], judged: Judged) -> None:
    assert judged(platform(**{key: aks(**declared)})) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param({"entra": Entra(azure_rbac=False, admin_groups=[PRINCIPAL])}, [], id="a group of admins"),
        pytest.param({"entra": Entra(azure_rbac=False, local_accounts=True)}, ["AKS240 entra.local_accounts"], id="the static credential alone"),
        pytest.param(
            {"entra": Entra(azure_rbac=False, admin_groups=[PRINCIPAL]), "admins": [EntraPrincipal(PRINCIPAL)]},
            ["AKS241 admins"],
            id="a role without effect",
        ),
        pytest.param({"oidc_issuer": False, "workload_identity": False}, [], id="neither issuer nor workload identity"),
        pytest.param({"identity": "system", "network": ExistingAksNetwork(subnet_id=SUBNET)}, [], id="roles on a network that exists are not known"),
    ],
)
def test_identities(declared: dict[str, object], found: list[str], judged: Judged) -> None:
    assert judged(aks(**declared)) == found


OTHER = {"network": {"cidr": "10.60.0.0/16"}}


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        pytest.param({"name": "shop"}, {"name": "Shop"}, [], id="one name in two resource groups, which the platform creates"),
        pytest.param(
            {"name": "shop", "resource_group": "rg"}, {"name": "Shop", "resource_group": "RG"}, ["AKS237 clusters.b.name"], id="in one resource group"
        ),
        pytest.param(
            {"resource_group": "rg"},
            {"name": "dev-a", "resource_group": "rg"},
            ["AKS237 clusters.b.name"],
            id="the name that the other has by its key",
        ),
        pytest.param(
            {"name": "dev-b", "resource_group": "rg"},
            {"resource_group": "rg"},
            ["AKS237 clusters.b"],
            id="the same, found at the cluster without a name",
        ),
        pytest.param(
            {"name": "shop", "resource_group": StackOutput("o/p/s", "rg")},
            {"name": "shop", "resource_group": StackOutput("o/p/s", "rg")},
            [],
            id="groups that are not known before deployment",
        ),
        pytest.param({"node_resource_group": "dev-b-nodes"}, {}, ["AKS237 clusters.b"], id="a group of nodes whose name the other has by its key"),
        pytest.param(
            {"node_resource_group": "nodes"},
            {"node_resource_group": "nodes", "subscription_id": "00000000-0000-0000-0000-000000000001"},
            [],
            id="the same group of nodes in another subscription",
        ),
    ],
)
def test_names_exist_once(first: dict[str, object], second: dict[str, object], found: list[str], judged: Judged) -> None:
    assert judged(platform(a=aks(**first), b=aks(**OTHER, **second))) == found


def nap(*requirements: Requirement, **fields: object) -> Model:
    return provisioning({"general": aks_pool(*requirements, **fields)})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(pools={"web": {"scale": Autoscale(1, 5)}}), [], id="autoscaled pools without provisioning"),
        pytest.param(
            derive(provisioning(), system_pool={"scale": Autoscale(2, 5)}),
            ["NAP001 system_pool.scale"],
            id="an autoscaled system pool beside provisioning",
        ),
        pytest.param(
            derive(provisioning(), network_profile={"dataplane": "azure", "policy": "azure"}),
            ["AKS165 network_profile.policy"],
            id="policies of Azure",
        ),
        pytest.param(aks(network_profile={"ip_families": ["IPv4", "IPv6"]}), [], id="two address families without provisioning"),
        pytest.param(provisioning({"general": aks_pool()}, default_node_pools="None"), [], id="a pool in place of the default ones"),
        pytest.param(provisioning({"default": aks_pool()}, default_node_pools="None"), [], id="their name is free when they are off"),
        pytest.param(
            provisioning(node_classes={"system-surge": AksNodeClass()}),
            ["NAP005 node_provisioning.node_classes.system-surge"],
            id="classes have names that AKS uses",
        ),
        pytest.param(nap(node_class="default"), [], id="the class that AKS makes"),
        pytest.param(provisioning({"general": aks_pool(node_class="own")}, node_classes={"own": AksNodeClass()}), [], id="a class of its own"),
        pytest.param(provisioning({"general": aks_pool(node_class="there")}, existing_node_classes=["there"]), [], id="one that another tool makes"),
        pytest.param(
            provisioning({"general": aks_pool(node_class="onw")}, node_classes={"own": AksNodeClass()}),
            ["NAP006 node_provisioning.node_pools.general.node_class"],
            id="a class misspelt",
        ),
        pytest.param(nap(keys.aks.sku_cpu.one_of(8), keys.aks.mode.one_of("user")), [], id="labels that it knows"),
        pytest.param(
            nap(labels={"kubernetes.azure.com/ebpf-dataplane": "cilium", "app.kubernetes.io/x": "y"}), [], id="labels of Cilium and of Kubernetes"
        ),
        pytest.param(aks_pool(Requirement("agentpool", "Exists")), ["NAP007 requirements[2].key"], id="an old label of AKS"),
        pytest.param(
            aks_pool(labels={"kubernetes.azure.com/team": "x"}), ['NAP008 labels["kubernetes.azure.com/team"]'], id="a label that nobody knows"
        ),
        pytest.param(
            nap(keys.aks.zone.one_of("westeurope-1", "1")),
            ["NAP018 node_provisioning.node_pools.general.requirements[2].values[1]"],
            id="one zone that is spelt with its region",
        ),
        pytest.param(nap(keys.aks.zone.one_of("0")), [], id="a regional placement"),
        pytest.param(nap(keys.aks.zone.not_in("westeurope-1")), [], id="a zone that is excluded"),
        pytest.param(
            nap(keys.aks.zone.not_in("1")),
            ["NAP018 node_provisioning.node_pools.general.requirements[2].values[0]"],
            id="a number, which excludes no zone",
        ),
        pytest.param(
            nap(keys.aks.zone.one_of("northeurope-1")),
            ["NAP009 node_provisioning.node_pools.general.requirements[2].values"],
            id="a zone of another region",
        ),
        pytest.param(derive(nap(keys.aks.zone.one_of("westeurope-1")), location="West Europe"), [], id="a region in the portal's spelling"),
    ],
)
def test_provisioning(declared: Model, found: list[str], judged: Judged) -> None:
    assert judged(declared) == found


def test_what_hosts_ordinary_pods(judged: Judged) -> None:
    tainted = {"web": UserPool(vm_size=SIZE, taints=[Taint("team", "ml")])}
    soft = {"web": UserPool(vm_size=SIZE, taints=[Taint("team", "ml", "PreferNoSchedule")])}
    fenced = NodeProvisioning(default_node_pools="None", node_pools={"ml": aks_pool(taints=[Taint("team", "ml")])})
    assert judged(aks(pools=tainted)) == ["PLT001 pools"]
    assert judged(aks(pools=soft)) == []
    for none in (UserPool(vm_size=SIZE, count=0), UserPool(vm_size=SIZE, power_state="Stopped")):
        [empty] = check(aks(pools={"web": none}), today=DAY)
        assert (empty.code, empty.message) == (
            "PLT001",
            "Of the pools that accept pods without tolerations, such as `web`, none can have nodes: ordinary pods stay Pending",
        )
        assert empty.fix is not None
        assert empty.fix.text.startswith("Allow `web` to have nodes, or add a user pool")
    assert judged(aks(pools=tainted, node_provisioning=NodeProvisioning(), maintenance_configurations=NIGHTLY_MAINTENANCE)) == []
    assert judged(aks(pools=tainted, node_provisioning=fenced, maintenance_configurations=NIGHTLY_MAINTENANCE)) == ["PLT001 pools"]
    assert judged(aks(pools=tainted, system_pool={"isolated": False})) == []


@pytest.mark.parametrize(
    ("key", "found"),
    [
        pytest.param("ssh-rsa AAAAB3Nz ops\n", [], id="RSA"),
        pytest.param("ssh-ed25519 AAAAC3Nz", [], id="ED25519"),
        pytest.param("ecdsa-sha2-nistp256 AAAAE2Vj", ["AKS243 linux_profile.ssh_key"], id="another type"),
        pytest.param("~/.ssh/id_rsa.pub", ["AKS243 linux_profile.ssh_key"], id="the name of a file"),
    ],
)
def test_ssh_keys(key: str, found: list[str], judged: Judged) -> None:
    assert judged(aks(linux_profile={"ssh_key": key})) == found

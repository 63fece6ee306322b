"""Subnets and ways out, versions and windows: what is refused beside what is taken."""

import pytest

from nodepools import AksClusterArgs, ApiServer, Autoscale, ExistingAksNetwork, UserPool, check, derive
from nodepools.aks import (
    AbsoluteMonthlySchedule,
    AutoscalerProfile,
    DailySchedule,
    Dates,
    HostPorts,
    LoadBalancer,
    MaintenanceWindow,
    WeeklySchedule,
)
from nodepools.model.base import Model
from nodepools.rules.engine.samples import SIZE, aks, provisioning
from tests.azure_ids import PREFIX
from tests.azure_ids import SUBNET as OWN
from tests.rules.conftest import Judged

WEB = UserPool(vm_size=SIZE)
FLAT = {"plugin_mode": None}
BLOCKS = {"pod_ip_allocation": "StaticBlock"}
PODS = {"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.128.0/17"}
SUNDAY = MaintenanceWindow(schedule=WeeklySchedule("Sunday"))
SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/"


def user(**fields: object) -> AksClusterArgs:
    return aks(pools={"web": UserPool.model_validate({"vm_size": SIZE, **fields})})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(network=PODS, network_profile=FLAT, system_pool=BLOCKS, pools={"web": BLOCKS}), [], id="blocks of the pod subnet"),
        pytest.param(aks(network=PODS), ["AKS049 network.pod_subnet_cidr"], id="a pod subnet in overlay"),
        pytest.param(
            aks(network=ExistingAksNetwork(subnet_id=f"{SUBNET}nodes", pod_subnet_id=f"{SUBNET}pods")),
            ["AKS049 network.pod_subnet_id"],
            id="an existing one in overlay",
        ),
        pytest.param(
            aks(
                network=ExistingAksNetwork(subnet_id=f"{SUBNET}nodes", pod_subnet_id=f"{SUBNET}pods"),
                pools={"web": UserPool(vm_size=SIZE, pod_subnet_id=f"{SUBNET}pods")},
            ),
            ["AKS049 pools.web.pod_subnet_id", "AKS049 network.pod_subnet_id"],
            id="of the cluster, and of a pool",
        ),
        pytest.param(
            aks(network=ExistingAksNetwork(subnet_id=f"{SUBNET}nodes", pod_subnet_id=f"{SUBNET}pods"), network_profile=FLAT), [], id="out of overlay"
        ),
        pytest.param(aks(network=PODS, network_profile={"plugin": "none"}), [], id="a plugin of your own knows itself"),
        pytest.param(
            aks(
                network=ExistingAksNetwork(subnet_id=f"{SUBNET}nodes"),
                system_pool={"vnet_subnet_id": f"{SUBNET.upper()}SYSTEM"},
                pools={"web": {"vnet_subnet_id": "some/name"}},
            ),
            ["AKS336 pools.web.vnet_subnet_id"],
            id="capitals make no other network, and what is no id has none",
        ),
        pytest.param(
            aks(
                network=ExistingAksNetwork(subnet_id=f"{SUBNET}nodes"),
                pools={"web": {"vnet_subnet_id": f"{SUBNET}a".replace("/virtualNetworks/", "/virtualNetworks/not-")}},
            ),
            ["AKS050 pools.web.vnet_subnet_id"],
            id="a pool in another network",
        ),
        pytest.param(
            aks(network_profile={"pod_cidr": "192.168.0.0/22"}), ["AKS223 network_profile.pod_cidr"], id="four nodes in a range for four, and no more"
        ),
        pytest.param(
            aks(network_profile={"plugin": "none", "pod_cidr": "192.168.0.0/24"}), [], id="a plugin of one's own divides its range as it likes"
        ),
        pytest.param(aks(network={"cidr": "10.10.0.0/22"}, network_profile=FLAT), [], id="pods in a subnet with room for them"),
        pytest.param(
            aks(network={"cidr": "10.10.0.0/24", "pool_subnets": {"web": "10.10.0.128/25"}}, network_profile=FLAT),
            ["AKS227 network.node_subnet_cidr"],
            id="pools with subnets of their own do not count",
        ),
        pytest.param(
            aks(network={"cidr": "10.10.0.0/23", "pod_subnet_cidr": "10.10.1.0/24"}, network_profile=FLAT),
            [],
            id="pods that are elsewhere do not count",
        ),
        pytest.param(aks(network_profile={"load_balancer": LoadBalancer(managed_outbound_ips=3, idle_timeout="4m")}), [], id="addresses of AKS"),
        pytest.param(
            aks(
                network=ExistingAksNetwork(subnet_id=OWN),
                network_profile={"outbound_type": "userDefinedRouting", "load_balancer": LoadBalancer(outbound_ip_prefix_ids=[PREFIX])},
            ),
            ["AKS208 network_profile.outbound_type", "AKS321 api_server.authorized_ip_ranges"],
            id="addresses of a balancer that is not the way out",
        ),
        pytest.param(
            aks(
                network=ExistingAksNetwork(subnet_id=OWN),
                network_profile={"outbound_type": "userDefinedRouting", "load_balancer": LoadBalancer(allocated_outbound_ports=0)},
            ),
            ["AKS208 network_profile.outbound_type", "AKS321 api_server.authorized_ip_ranges"],
            id="ports alone",
        ),
        pytest.param(LoadBalancer(idle_timeout="90s"), ["AKS054 idle_timeout"], id="parts of a minute"),
        pytest.param(
            aks(api_server=ApiServer(private=True), private_dns_zone="system", private_public_fqdn=False), [], id="a private server says its zone"
        ),
        pytest.param(user(node_public_ip_tags={"RoutingPreference": "Internet"}), ["AKS056 pools.web.node_public_ip_tags"], id="tags of no address"),
        pytest.param(
            aks(pools={"web": UserPool(vm_size=SIZE, node_public_ip=True, node_public_ip_prefix_id=PREFIX)}, api_server=ApiServer()),
            [],
            id="addresses of a prefix",
        ),
        pytest.param(user(allowed_host_ports=[HostPorts(80, 443), HostPorts(53, 53, "UDP")]), [], id="ports in order"),
        pytest.param(
            aks(network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.99.0.0/20"}, network_profile=FLAT),
            ["AKS097 network.pod_subnet_cidr"],
            id="a pod subnet outside of the network",
        ),
    ],
)
def test_networks(declared: Model, found: list[str], judged: Judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(support_plan="AKSLongTermSupport", tier="Premium"), [], id="long-term support of its tier"),
        pytest.param(aks(auto_upgrade="patch"), [], id="patches by themselves"),
        pytest.param(aks(auto_upgrade="node-image", kubernetes_version="1.36.1"), [], id="node images leave the version alone"),
        pytest.param(aks(auto_upgrade="none", kubernetes_version="1.36.1"), [], id="upgrades that are off, said so"),
        pytest.param(
            aks(auto_upgrade="patch", pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.36.1")}),
            ["AKS066 pools.web.kubernetes_version"],
            id="the patch of a pool",
        ),
        pytest.param(aks(auto_upgrade="patch", pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.36")}), [], id="the version of a pool"),
        pytest.param(aks(auto_upgrade="node-image", node_os_upgrade="NodeImage"), [], id="channels that agree"),
        pytest.param(
            aks(auto_upgrade="patch", maintenance_configurations={"upgrades": SUNDAY, "node_images": SUNDAY}),
            [],
            id="windows for what is on",
        ),
        pytest.param(
            aks(maintenance_configurations={"node_images": MaintenanceWindow(schedule=DailySchedule())}),
            [],
            id="node images come by themselves",
        ),
        pytest.param(
            aks(node_os_upgrade="None", maintenance_configurations={"node_images": SUNDAY}),
            ["AKS073 maintenance_configurations.node_images"],
            id="unless they are off",
        ),
        pytest.param(
            aks(
                auto_upgrade="patch",
                maintenance_configurations={"upgrades": MaintenanceWindow(schedule=AbsoluteMonthlySchedule(1))},
            ),
            [],
            id="the first of the month",
        ),
        pytest.param(Dates("2026-12-20", "2027-01-06"), [], id="dates in order"),
        pytest.param(AutoscalerProfile(expander="priority", priorities={10: ["web"]}), [], id="priorities that are read"),
        pytest.param(AutoscalerProfile(expander="least-waste"), [], id="an expander that needs none"),
        pytest.param(AutoscalerProfile(expander="priority"), ["AKS076 expander"], id="one that needs some"),
        pytest.param(aks(autoscaler={"expander": "priority", "priorities": {10: ["web", "system"]}}), [], id="priorities of pools that are there"),
        pytest.param(aks(tier="Free"), [], id="a small cluster for free"),
        pytest.param(aks(pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 20))}), [], id="a larger one that pays"),
    ],
)
def test_upkeep(declared: Model, found: list[str], judged: Judged) -> None:
    assert judged(declared) == found


def test_windows_of_node_auto_provisioning_are_used_whatever_the_channel(judged: Judged) -> None:
    assert judged(derive(provisioning(), node_os_upgrade="None")) == []


@pytest.mark.parametrize(
    ("most", "says"),
    [(997, "Azure recommends it for at most 10 nodes; the pools can have 1,000"), (998, "at most 1,000 nodes; the pools can have 1,001")],
)
def test_the_free_tier_has_a_recommended_and_a_hard_number_of_nodes(most: int, says: str) -> None:
    declared = aks(tier="Free", system_pool={"count": 3}, pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(0, most))})
    [found] = [one for one in check(declared) if one.code == "AKS078"]
    assert says in found.message

"""Node classes of node auto provisioning, and what stands beside it: what is refused beside what is taken."""

import pytest

from nodepools import AksNodeClass, AksNodePool, Autoscale, ExistingAksNetwork, derive, keys
from nodepools.aks import KubeletConfig, LinuxOsConfig, LocalDns, LocalDnsOverride, Sysctls
from nodepools.model.aks.cluster import CAS_BLOCK, CILIUM_TAINT, NAP_BLOCK
from nodepools.model.base import Model
from nodepools.rules.engine.samples import AMD64, aks_pool, provisioning

ROOT, CLUSTER = (
    LocalDnsOverride(zone=".", forward_destination="VnetDNS"),
    LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS"),
)
NETWORK = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v"
LINUX = keys.aks.os_sku.one_of("AzureLinux")


def local_dns(*zones: str, ask: str = "VnetDNS") -> AksNodeClass:
    """A class whose pods also ask the network's DNS for these."""
    more = [LocalDnsOverride.model_validate({"zone": zone, "forward_destination": ask}) for zone in zones]
    return AksNodeClass(local_dns=LocalDns(vnet_dns=[ROOT, CLUSTER, *more], kube_dns=[ROOT, CLUSTER]))


def kernel(**sysctls: object) -> AksNodeClass:
    return AksNodeClass(linux_os=LinuxOsConfig(sysctls=Sysctls.model_validate(sysctls)))


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(AksNodeClass(fips_mode="FIPS", image_family="AzureLinux"), [], id="FIPS of Azure Linux"),
        pytest.param(AksNodeClass(fips_mode="Disabled", image_family="Ubuntu2404"), [], id="FIPS that is off"),
        pytest.param(
            AksNodeClass(fips_mode="FIPS", image_family="Ubuntu2204"), ["AKS162 image_family", "NAP020 fips_mode"], id="FIPS of 22.04, which retires"
        ),
        pytest.param(
            AksNodeClass(fips_mode="FIPS", image_family="Ubuntu", vtpm=True), ["NAP021 vtpm"], id="with trusted launch it goes, where that does"
        ),
        pytest.param(
            AksNodeClass(fips_mode="FIPS", image_family="AzureLinux", secure_boot=True),
            ["NAP020 fips_mode", "NAP021 secure_boot"],
            id="not on Azure Linux",
        ),
        pytest.param(
            AksNodeClass(linux_os=LinuxOsConfig(swap_file_size="1G"), kubelet=KubeletConfig(fail_swap_on=False)), [], id="swap, decimal too"
        ),
        pytest.param(kernel(net_core_rmem_default=212992, net_core_rmem_max=212992), [], id="as much as the most"),
        pytest.param(kernel(net_ipv4_ip_local_port_range="1024 65535"), [], id="as many ports as there are"),
        pytest.param(
            kernel(net_ipv4_ip_local_port_range="1000 65535"), ["NAP023 linux_os.sysctls.net_ipv4_ip_local_port_range"], id="ports of the system"
        ),
        pytest.param(AksNodeClass(local_dns=LocalDns(vnet_dns=[ROOT, CLUSTER], kube_dns=[ROOT, CLUSTER])), [], id="local DNS with its zones"),
        pytest.param(
            LocalDnsOverride(zone="a.b", forward_destination="VnetDNS", serve_stale="Verify", protocol="ForceTCP"),
            ["NAP025 serve_stale"],
            id="stale over TCP",
        ),
        pytest.param(AksNodeClass(tags={"a/b": "c" * 256, "k" * 512: ""}), [], id="a slash becomes a line"),
        pytest.param(AksNodeClass(tags={"a": "c" * 257, "k" * 513: ""}), ["NAP027 tags.a", f"NAP027 tags.{'k' * 513}"], id="too long"),
        *(pytest.param(local_dns(zone), [], id=f"the zone {zone:.20}") for zone in ("example.com", "example.com.", "a_b.EXAMPLE.com", "x" * 63)),
        *(
            pytest.param(local_dns(zone), ["NAP050 local_dns.vnet_dns[2].zone"], id=f"no zone: {zone:.20}")
            for zone in ("*.example.com", "a b", "a..b", ".example.com", "-a.b", "x" * 64, "example.com\n")
        ),
        pytest.param(local_dns("a.b", "a.b"), ["NAP051 local_dns.vnet_dns[3]"], id="a zone twice"),
        pytest.param(
            AksNodeClass(local_dns=LocalDns(vnet_dns=[ROOT, CLUSTER], kube_dns=[ROOT, CLUSTER, CLUSTER])),
            ["NAP051 local_dns.kube_dns[2]"],
            id="a zone twice for the cluster",
        ),
        pytest.param(local_dns("my.cluster.local"), ["NAP025 local_dns.vnet_dns[2].forward_destination"], id="a zone inside that of the cluster"),
        pytest.param(local_dns("cluster.local."), [], id="with a dot it is another zone"),
        pytest.param(
            local_dns("cluster.local.", ask="ClusterCoreDNS"),
            ["NAP026 local_dns.vnet_dns[2].forward_destination"],
            id="which the cluster does not know",
        ),
        pytest.param(local_dns("my.cluster.local", ask="ClusterCoreDNS"), [], id="the cluster knows its own"),
        pytest.param(
            LocalDnsOverride(zone="my.cluster.local", forward_destination="VnetDNS"), [], id="of an agent pool only cluster.local itself is certain"
        ),
        pytest.param(
            LocalDns(
                vnet_dns=[ROOT, CLUSTER, LocalDnsOverride(zone="cluster.local.", forward_destination="ClusterCoreDNS")], kube_dns=[ROOT, CLUSTER]
            ),
            [],
            id="and what ends in a dot is not",
        ),
        pytest.param(
            derive(
                provisioning(node_classes={"big": AksNodeClass(vnet_subnet_id=f"{NETWORK.replace('networks/v', 'networks/V')}/subnets/b")}),
                network=ExistingAksNetwork(subnet_id=f"{NETWORK}/subnets/a"),
            ),
            [],
            id="a subnet beside the cluster's",
        ),
        pytest.param(
            provisioning(node_classes={"big": AksNodeClass(vnet_subnet_id=f"{NETWORK}/subnets/b")}), [], id="beside one that is yet to be made"
        ),
        pytest.param(
            provisioning({"general": aks_pool(LINUX, node_class="own")}, node_classes={"own": AksNodeClass(image_family="AzureLinux")}),
            [],
            id="the image that is asked for",
        ),
        pytest.param(
            provisioning({"general": aks_pool(labels={"kubernetes.azure.com/os-sku": "AzureLinux"})}),
            ["NAP029 node_provisioning.node_pools.general.requirements"],
            id="asked for by a label",
        ),
        pytest.param(
            provisioning({"general": aks_pool(LINUX, node_class="gone")}),
            ["NAP006 node_provisioning.node_pools.general.node_class"],
            id="of a class that is not there",
        ),
    ],
)
def test_node_classes(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


BESIDE = {"with_cluster_autoscaler": True, "default_node_pools": "None"}
OPEN, FENCED = {"scale": Autoscale(1, 5)}, {"scale": Autoscale(1, 5), "taints": [CAS_BLOCK]}


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(
            derive(provisioning({"a": aks_pool(taints=[NAP_BLOCK])}, **BESIDE), pools={"web": FENCED}), ["PLT001 pools"], id="both are fenced off"
        ),
        pytest.param(
            derive(provisioning({"a": aks_pool()}, with_cluster_autoscaler=True), pools={"web": FENCED}),
            ["NAP015 node_provisioning.default_node_pools", "NAP015 node_provisioning.node_pools.a.taints"],
            id="pods start nodes of both",
        ),
        pytest.param(
            derive(provisioning(), pools={"web": {"node_public_ip": True}}),
            ["NAP011 pools.web.node_public_ip", "AKS058 pools.web.node_public_ip"],
            id="nodes with addresses",
        ),
        pytest.param(
            provisioning({"s": AksNodePool(requirements=[AMD64, keys.aks.capacity_type.one_of("spot", "on-demand")])}), [], id="spot or not"
        ),
        pytest.param(
            provisioning({"s": AksNodePool(requirements=[AMD64, keys.aks.capacity_type.one_of("spot")], taints=["spot=true:NoSchedule"])}),
            [],
            id="spot, tainted",
        ),
        pytest.param(
            provisioning({"a": aks_pool(labels={"kubernetes.azure.com/ebpf-dataplane": "cilium"})}, cilium_startup_taint=False),
            [],
            id="marked by hand",
        ),
        pytest.param(
            derive(provisioning({"a": aks_pool()}, cilium_startup_taint=False), network_profile={"dataplane": "azure"}), [], id="no Cilium, no marks"
        ),
    ],
)
def test_what_stands_beside_it(declared: Model, found: list[str], judged) -> None:
    assert sorted(judged(declared)) == sorted(found)


def test_node_pools_on_cilium_are_marked() -> None:
    cluster = provisioning({"a": aks_pool(), "b": aks_pool(startup_taints=[CILIUM_TAINT], labels={"kubernetes.azure.com/ebpf-dataplane": "cilium"})})
    assert all(pool.startup_taints == (CILIUM_TAINT,) for pool in cluster.applied_node_pools.values())
    assert all(pool.labels["kubernetes.azure.com/ebpf-dataplane"] == "cilium" for pool in cluster.applied_node_pools.values())
    assert derive(cluster, network_profile={"plugin": "none"}).applied_node_pools == dict(cluster.node_provisioning.node_pools)
    assert derive(cluster, node_provisioning={"cilium_startup_taint": False}).applied_node_pools == dict(cluster.node_provisioning.node_pools)
    assert derive(cluster, node_provisioning=None).applied_node_pools == {}

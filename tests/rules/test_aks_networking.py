"""What AKS pages say of networks, combination by combination: what is refused, what is warned of, and what is accepted close by."""

import pytest

from nodepools.model.access import ApiServer
from nodepools.model.aks.agent_pool import Autoscale, Spot, UpgradeSettings, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ExistingAksNetwork, LoadBalancer, ManagedAksNetwork
from nodepools.model.derive import derive
from nodepools.model.severity import Severity
from nodepools.model.unknowns import assembled
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, provisioning
from tests.azure_ids import ADDRESS, PREFIX, SUBNET
from tests.rules.conftest import DAY

NODES = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes"
PODS = NODES.replace("nodes", "pods")
ZONES = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones"
OURS = {"cidr": "10.10.0.0/16"}
THEIRS = ExistingAksNetwork(subnet_id=NODES)
WITH_PODS = ExistingAksNetwork(subnet_id=NODES, pod_subnet_id=PODS)
BOTH = ["IPv4", "IPv6"]
IPTABLES = {"dataplane": "azure"}
FLAT = {"plugin_mode": None}
KUBENET = {"network_plugin": "kubenet"}
WINDOWS = {"kubernetes_version": "1.35", "windows_profile": {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}}
CACHE = {"bootstrap_profile": {"artifact_source": "Cache"}}
PRIVATE = {"private": True, "authorized_ip_ranges": []}


def told(cluster: AksClusterArgs) -> list[str]:
    """Errors as `CODE path`, warnings as `CODE? path`; retirements have a table of their own."""
    marks = {Severity.ERROR: "", Severity.WARNING: "?"}
    return [
        f"{one.code}{marks[one.severity]} {one.path}"
        for one in check(cluster, today=DAY)
        if one.severity in marks and one.code not in ("AKS165", "AKS166")
    ]


def profile(_network=THEIRS, /, **fields):
    return aks(network=_network, network_profile=fields)


def pool(**fields):
    return UserPool.model_validate({"vm_size": SIZE, **fields})


def blocks(*sizes, **fields):
    """Pools that take blocks of a pod subnet, the system pool among them."""
    static = {"pod_ip_allocation": "StaticBlock", **fields}
    return {
        "system_pool": {"count": 3, **static},
        "pools": {"web": None, **{f"p{number}": pool(count=size, **static) for number, size in enumerate(sizes)}},
    }


FAMILIES = {
    "IPv4 alone is accepted": (profile(ip_families=["IPv4"]), []),
    "IPv4 and IPv6 in overlay on Cilium are accepted": (profile(ip_families=BOTH), []),
    "IPv4 and IPv6 in overlay on iptables are accepted": (profile(ip_families=BOTH, **IPTABLES), []),
    "nothing said of families is accepted": (profile(ip_families=[]), []),
    "IPv6 alone is refused": (profile(ip_families=["IPv6"]), ["AKS200 network_profile.ip_families"]),
    "a family twice is refused": (profile(ip_families=["IPv4", "IPv4"]), ["AKS200 network_profile.ip_families"]),
    "IPv6 before IPv4 is warned of": (profile(ip_families=["IPv6", "IPv4"]), ["AKS201? network_profile.ip_families"]),
    "IPv6 with Azure network policies is refused": (profile(ip_families=BOTH, policy="azure", **IPTABLES), ["AKS202 network_profile.policy"]),
    "IPv6 with Calico is refused": (profile(ip_families=BOTH, policy="calico", **IPTABLES), ["AKS202 network_profile.policy"]),
    "Calico with IPv4 is accepted": (profile(policy="calico", **IPTABLES), []),
    "Azure network policies with IPv4 are accepted": (profile(policy="azure", **IPTABLES), []),
    "IPv6 without policies is accepted": (profile(ip_families=BOTH, policy="none", **IPTABLES), []),
    "Calico on Cilium is told once": (profile(ip_families=BOTH, policy="calico"), ["AKS045 network_profile.policy"]),
    "IPv6 in the nodes' subnet is refused": (profile(ip_families=BOTH, **FLAT), ["AKS203 network_profile.ip_families"]),
    "IPv6 in a pod subnet, one by one, is refused": (profile(WITH_PODS, ip_families=BOTH, **FLAT), ["AKS203 network_profile.ip_families"]),
    "IPv6 in static blocks of a pod subnet is accepted": (
        derive(profile(WITH_PODS, ip_families=BOTH, **FLAT), blocks(1)),
        [],
    ),
    "a plugin of your own knows of IPv6 itself": (profile(ip_families=BOTH, plugin="none", policy="calico", dataplane="azure"), []),
    "IPv6 with a load balancer is accepted": (profile(ip_families=BOTH, load_balancer=LoadBalancer(managed_outbound_ips=2)), []),
    "IPv6 with routes is accepted": (profile(ip_families=BOTH, outbound_type="userDefinedRouting"), []),
    "IPv6 with a NAT gateway, which may be Standard, is warned of": (
        profile(ip_families=BOTH, outbound_type="userAssignedNATGateway"),
        ["AKS204? network_profile.outbound_type"],
    ),
    "IPv4 with a NAT gateway is accepted": (profile(outbound_type="userAssignedNATGateway"), []),
    "IPv6 with node auto provisioning is refused": (
        derive(provisioning(), network=THEIRS, network_profile={"ip_families": BOTH}),
        ["NAP003 network_profile.ip_families"],
    ),
    "IPv6 with Windows is accepted": (
        derive(profile(ip_families=BOTH, **IPTABLES), {"pools": {"win": WindowsPool(vm_size=SIZE)}, **WINDOWS}),
        [],
    ),
}

ENGINES = {
    "Cilium with the policies of Cilium is accepted": (profile(policy="cilium"), []),
    "Cilium without policies is refused": (profile(policy="none"), ["AKS045 network_profile.policy"]),
    "iptables without policies are accepted": (profile(policy="none", **IPTABLES), []),
    "the policies of Cilium on iptables are refused": (profile(policy="cilium", **IPTABLES), ["AKS045 network_profile.policy"]),
    "Azure network policies for 250 nodes are accepted": (
        derive(profile(policy="azure", **IPTABLES), pools={"web": {"scale": Autoscale(1, 247)}}),
        [],
    ),
    "for 251 nodes they are warned of": (
        derive(profile(policy="azure", **IPTABLES), pools={"web": {"scale": Autoscale(1, 248)}}),
        ["AKS229? network_profile.policy"],
    ),
    "of a plugin of your own nobody knows": (
        derive(profile(policy="azure", plugin="none", **IPTABLES), pools={"web": {"scale": Autoscale(1, 248)}}),
        [],
    ),
    "Calico has no such limit": (derive(profile(policy="calico", **IPTABLES), pools={"web": {"scale": Autoscale(1, 250)}}), []),
    "Windows on Cilium is refused": (derive(profile(), {"pools": {"win": WindowsPool(vm_size=SIZE)}, **WINDOWS}), ["AKS098 pools.win"]),
    "Windows on iptables is accepted": (derive(profile(**IPTABLES), {"pools": {"win": WindowsPool(vm_size=SIZE)}, **WINDOWS}), []),
    "Windows with a plugin of your own is refused": (
        derive(profile(plugin="none"), {"pools": {"win": WindowsPool(vm_size=SIZE)}, **WINDOWS}),
        ["AKS232 pools.win"],
    ),
    "Linux with a plugin of your own is accepted": (profile(plugin="none"), []),
    "110 pods on Windows are accepted": (
        derive(profile(**IPTABLES), {"pools": {"win": WindowsPool(vm_size=SIZE, max_pods=110)}, **WINDOWS}),
        [],
    ),
    "more are warned of": (
        derive(profile(**IPTABLES), {"pools": {"win": WindowsPool(vm_size=SIZE, max_pods=111)}, **WINDOWS}),
        ["AKS233? pools.win.max_pods"],
    ),
    "250 pods on Linux are accepted": (derive(profile(), pools={"web": {"max_pods": 250}}), []),
    "kubenet with Calico is accepted": (
        derive(profile(policy="calico", **IPTABLES, **FLAT), overrides={"network_profile": KUBENET}),
        [],
    ),
    "kubenet with Azure network policies is refused": (
        derive(profile(policy="azure", **IPTABLES, **FLAT), overrides={"network_profile": KUBENET}),
        ["AKS230 overrides.network_profile.network_plugin"],
    ),
    "kubenet in overlay on Cilium is refused": (
        derive(profile(), overrides={"network_profile": KUBENET}),
        ["AKS230 overrides.network_profile.network_plugin"],
    ),
    "kubenet with a pod subnet is refused": (
        derive(
            profile(**IPTABLES, **FLAT),
            overrides={"network_profile": KUBENET},
            system_pool={"pod_subnet_id": PODS},
            pools={"web": {"pod_subnet_id": PODS}},
        ),
        ["AKS230 overrides.network_profile.network_plugin"],
    ),
    "kubenet with node auto provisioning is told once": (
        derive(provisioning(), overrides={"network_profile": KUBENET}),
        ["NAP016 overrides.network_profile.network_plugin"],
    ),
    "kubenet with Windows is refused": (
        derive(profile(**IPTABLES, **FLAT), {"overrides": {"network_profile": KUBENET}, "pools": {"win": WindowsPool(vm_size=SIZE)}, **WINDOWS}),
        ["AKS232 pools.win"],
    ),
    "kubenet by its field is accepted": (profile(plugin="kubenet"), []),
    "with Calico too": (profile(plugin="kubenet", policy="calico"), []),
    "with the dataplane of Azure CNI it is refused": (profile(plugin="kubenet", dataplane="cilium"), ["AKS230 network_profile.plugin"]),
    "with a pod subnet as well": (
        derive(profile(plugin="kubenet"), system_pool={"pod_subnet_id": PODS}, pools={"web": {"pod_subnet_id": PODS}}),
        ["AKS230 network_profile.plugin"],
    ),
    "and with node auto provisioning": (
        derive(provisioning(), network_profile={"plugin": "kubenet"}),
        ["NAP016 network_profile.plugin"],
    ),
    "and with Windows": (derive(profile(plugin="kubenet"), {"pools": {"win": WindowsPool(vm_size=SIZE)}, **WINDOWS}), ["AKS232 pools.win"]),
    "401 nodes by its field are warned of": (
        derive(profile(plugin="kubenet"), pools={"web": {"scale": Autoscale(1, 398)}}),
        ["AKS231? network_profile.plugin"],
    ),
    "kubenet of 400 nodes is accepted": (
        derive(profile(**IPTABLES, **FLAT), overrides={"network_profile": KUBENET}, pools={"web": {"scale": Autoscale(1, 397)}}),
        [],
    ),
    "kubenet of 401 nodes is warned of": (
        derive(profile(**IPTABLES, **FLAT), overrides={"network_profile": KUBENET}, pools={"web": {"scale": Autoscale(1, 398)}}),
        ["AKS231? overrides.network_profile.network_plugin"],
    ),
}


def ports(number, addresses=None, /, count=1, **fields):
    """A cluster of a system pool of 3, with one of surge, and a pool of `count`."""
    balancer = LoadBalancer(allocated_outbound_ports=number, managed_outbound_ips=addresses)
    return derive(profile(load_balancer=balancer), pools={"web": {"count": count, **fields}})


AT_PORTS = "network_profile.load_balancer.allocated_outbound_ports"
OUTBOUND = {
    "0 ports a node, which divides them by the nodes, are accepted": (ports(0, count=200), []),
    "ports by eight are accepted": (ports(1024), []),
    "others are refused": (ports(1023), [f"AKS205 {AT_PORTS}"]),
    "ports for each node and its surge are accepted": (ports(10_664), []),
    "more than that are refused": (ports(10_672), [f"AKS206 {AT_PORTS}"]),
    "with another address they are accepted": (ports(10_672, 2), []),
    "addresses of your own count": (
        profile(load_balancer=LoadBalancer(allocated_outbound_ports=16_000, outbound_ip_ids=[ADDRESS, f"{ADDRESS}b"])),
        [],
    ),
    "prefixes of your own have as many as nobody knows": (
        profile(load_balancer=LoadBalancer(allocated_outbound_ports=64_000, outbound_ip_prefix_ids=[PREFIX])),
        [],
    ),
    "the autoscaler's maximum counts for ports": (ports(2000, scale=Autoscale(1, 60)), [f"AKS206 {AT_PORTS}"]),
    "surge as it is declared counts": (ports(2000, count=20, upgrade=UpgradeSettings(max_surge="50%")), [f"AKS206 {AT_PORTS}"]),
    "surge that is not declared may be one node, or a tenth": (ports(2560, count=20), [f"AKS207? {AT_PORTS}"]),
    "where it is declared nothing is open": (ports(2560, count=20, upgrade=UpgradeSettings(max_surge="1")), []),
    "unavailable nodes in its place need no ports": (ports(2560, count=21, upgrade=UpgradeSettings(max_unavailable="1")), []),
    "spot pools have no surge, or one": (
        derive(ports(9_136), pools={"cheap": pool(scale=Autoscale(1, 1), spot=Spot())}),
        [f"AKS207? {AT_PORTS}"],
    ),
    "ports of a balancer that is not the way out are not counted": (
        derive(ports(64_000), network_profile={"outbound_type": "userAssignedNATGateway"}),
        [],
    ),
    "a balancer beside routes is refused": (
        profile(outbound_type="userDefinedRouting", load_balancer=LoadBalancer(idle_timeout="4m")),
        ["AKS208 network_profile.outbound_type"],
    ),
    "its addresses too, and that is told once": (
        profile(outbound_type="userDefinedRouting", load_balancer=LoadBalancer(outbound_ip_ids=[ADDRESS])),
        ["AKS208 network_profile.outbound_type"],
    ),
    "addresses of a balancer beside a NAT gateway are warned of": (
        profile(outbound_type="userAssignedNATGateway", load_balancer=LoadBalancer(outbound_ip_ids=[ADDRESS])),
        ["AKS053? network_profile.load_balancer"],
    ),
    "routes in a network that exists are accepted": (profile(outbound_type="userDefinedRouting"), []),
    "in one that is made they are refused": (profile(OURS, outbound_type="userDefinedRouting"), ["AKS046 network_profile.outbound_type"]),
    "so is a NAT gateway of your own": (profile(OURS, outbound_type="userAssignedNATGateway"), ["AKS046 network_profile.outbound_type"]),
    "and one of AKS's": (profile(outbound_type="managedNATGateway"), ["AKS044 network_profile.outbound_type"]),
    "which is accepted in a network of AKS's": (
        assembled(profile(outbound_type="managedNATGateway"), network=ManagedAksNetwork()),
        [],
    ),
    "where routes of your own are refused": (
        assembled(profile(outbound_type="userDefinedRouting"), network=ManagedAksNetwork()),
        ["AKS046 network_profile.outbound_type"],
    ),
    "a subnet of your own beside one of AKS's is refused": (
        assembled(aks(pools={"web": {"vnet_subnet_id": NODES}}), network=ManagedAksNetwork()),
        ["AKS234 pools.web.vnet_subnet_id"],
    ),
    "all pools in the network of AKS are accepted": (aks(network=ManagedAksNetwork()), []),
    "no way out, without a cache of images, is refused": (
        derive(profile(outbound_type="none"), api_server=PRIVATE),
        ["AKS209 network_profile.outbound_type"],
    ),
    "images from their source are refused as well": (
        derive(profile(outbound_type="none"), api_server=PRIVATE, overrides={"bootstrap_profile": {"artifact_source": "Direct"}}),
        ["AKS209 network_profile.outbound_type"],
    ),
    "with a cache it is accepted": (derive(profile(outbound_type="none"), api_server=PRIVATE, overrides=CACHE), []),
    "with an API server in the network too": (
        derive(profile(outbound_type="none"), api_server_subnet_id=NODES.replace("nodes", "server"), overrides=CACHE),
        [],
    ),
    "with one outside it is warned of": (derive(profile(outbound_type="none"), overrides=CACHE), ["AKS211? api_server.private"]),
    "unmanaged upgrades without a way out are refused": (
        derive(profile(outbound_type="none"), api_server=PRIVATE, overrides=CACHE, node_os_upgrade="Unmanaged"),
        ["AKS210 node_os_upgrade"],
    ),
    "security patches are warned of": (
        derive(profile(outbound_type="none"), api_server=PRIVATE, overrides=CACHE, node_os_upgrade="SecurityPatch"),
        ["AKS211? node_os_upgrade"],
    ),
    "node images are accepted": (
        derive(profile(outbound_type="none"), api_server=PRIVATE, overrides=CACHE, node_os_upgrade="NodeImage"),
        [],
    ),
    "Windows without a way out is refused": (
        derive(
            profile(outbound_type="none", **IPTABLES),
            {"api_server": PRIVATE, "overrides": CACHE, "pools": {"win": WindowsPool(vm_size=SIZE)}, **WINDOWS},
        ),
        ["AKS210 pools.win"],
    ),
}


def ranges(number):
    return ApiServer(authorized_ip_ranges=[f"203.0.{one // 256}.{one % 256}/32" for one in range(number)])


SERVER = {
    "200 authorized ranges are accepted": (aks(api_server=ranges(200)), []),
    "201 are refused": (aks(api_server=ranges(201)), ["AKS212 api_server.authorized_ip_ranges"]),
    "2,000 are accepted where the server is in the network": (
        aks(network=THEIRS, api_server=ranges(2000), api_server_subnet_id=NODES.replace("nodes", "server")),
        [],
    ),
    "2,001 are refused there too": (
        aks(network=THEIRS, api_server=ranges(2001), api_server_subnet_id=NODES.replace("nodes", "server")),
        ["AKS212 api_server.authorized_ip_ranges"],
    ),
    "the cluster's own address alone is accepted": (aks(api_server=ApiServer(authorized_ip_ranges=["0.0.0.0/32"])), []),
    "beside others it is refused": (
        aks(api_server=ApiServer(authorized_ip_ranges=["0.0.0.0/32", "203.0.113.0/24"])),
        ["AKS213 api_server.authorized_ip_ranges[0]"],
    ),
    "no zone, with a public name, is accepted": (aks(api_server=PRIVATE, private_dns_zone="none"), []),
    "a zone of AKS's, without a public name, is accepted": (aks(api_server=PRIVATE, private_dns_zone="system", private_public_fqdn=False), []),
    "neither is refused": (aks(api_server=PRIVATE, private_dns_zone="None", private_public_fqdn=False), ["AKS214 private_public_fqdn"]),
    "the zone of the region is accepted": (aks(api_server=PRIVATE, private_dns_zone=f"{ZONES}/privatelink.westeurope.azmk8s.io"), []),
    "a subzone is accepted": (aks(api_server=PRIVATE, private_dns_zone=f"{ZONES}/team-1.privatelink.westeurope.azmk8s.io"), []),
    "the zone of a server in the network is accepted": (aks(api_server=PRIVATE, private_dns_zone=f"{ZONES}/private.westeurope.azmk8s.io"), []),
    "a region as people write it is accepted": (
        aks(location="West Europe", api_server=PRIVATE, private_dns_zone=f"{ZONES}/privatelink.westeurope.azmk8s.io"),
        [],
    ),
    "a zone of another cloud is accepted": (
        aks(location="usgovvirginia", api_server=PRIVATE, private_dns_zone=f"{ZONES}/privatelink.usgovvirginia.cx.aks.containerservice.azure.us"),
        [],
    ),
    "that of another region is refused": (
        aks(api_server=PRIVATE, private_dns_zone=f"{ZONES}/privatelink.northeurope.azmk8s.io"),
        ["AKS215 private_dns_zone"],
    ),
    "the short name of a region is refused": (
        aks(api_server=PRIVATE, private_dns_zone=f"{ZONES}/privatelink.we.azmk8s.io"),
        ["AKS215 private_dns_zone"],
    ),
    "a hyphen before privatelink is refused": (
        aks(api_server=PRIVATE, private_dns_zone=f"{ZONES}/team-privatelink.westeurope.azmk8s.io"),
        ["AKS215 private_dns_zone"],
    ),
    "one of your own before its identity is warned of": (
        aks(network=THEIRS, api_server=PRIVATE, private_dns_zone=f"{ZONES}/privatelink.westeurope.azmk8s.io", identity="system"),
        ["AKS388? identity"],
    ),
    "the zone of AKS needs none": (aks(network=THEIRS, api_server=PRIVATE, private_dns_zone="System", identity="system"), []),
    "the server in the network is accepted": (aks(network=THEIRS, api_server_subnet_id=NODES.replace("nodes", "server")), []),
    "in the subnet of the nodes it is refused": (aks(network=THEIRS, api_server_subnet_id=NODES.upper()), ["AKS217 network.subnet_id"]),
    "in that of a pool as well": (
        aks(network=THEIRS, api_server_subnet_id=PODS, pools={"web": {"vnet_subnet_id": PODS}}),
        ["AKS217 pools.web.vnet_subnet_id"],
    ),
    "in another network it is refused": (
        aks(network=THEIRS, api_server_subnet_id=NODES.replace("/virtualNetworks/", "/virtualNetworks/not-")),
        ["AKS050 api_server_subnet_id"],
    ),
    "in qatarcentral it is refused": (
        aks(location="Qatar Central", network=THEIRS, api_server_subnet_id=NODES.replace("nodes", "server")),
        ["AKS216 api_server_subnet_id"],
    ),
    "a server of its own in qatarcentral is accepted": (aks(location="qatarcentral"), []),
}

AT_SERVICES, AT_PODS = "network_profile.service_cidr", "network_profile.pod_cidr"
SERVICES = {
    "a /13 of services is accepted": (profile(service_cidr="10.96.0.0/13"), []),
    "a /12 is warned of": (profile(service_cidr="10.96.0.0/12"), [f"AKS219? {AT_SERVICES}"]),
    "a /11 is refused": (profile(service_cidr="10.96.0.0/11"), [f"AKS218 {AT_SERVICES}"]),
    "a /28 is accepted": (profile(service_cidr="10.96.0.0/28"), []),
    "a /29 has no tenth address": (profile(service_cidr="10.96.0.0/29"), [f"AKS218 {AT_SERVICES}"]),
    "and needs another for DNS": (
        derive(profile(service_cidr="10.96.0.0/29"), overrides={"network_profile": {"dns_service_ip": "10.96.0.2"}}),
        [],
    ),
    "DNS outside of the services is refused": (
        derive(profile(service_cidr="10.96.0.0/16"), overrides={"network_profile": {"dns_service_ip": "10.97.0.10"}}),
        ["AKS220 overrides.network_profile.dns_service_ip"],
    ),
    "DNS at the first address is refused": (
        derive(profile(service_cidr="10.96.0.0/16"), overrides={"network_profile": {"dns_service_ip": "10.96.0.1"}}),
        ["AKS220 overrides.network_profile.dns_service_ip"],
    ),
    "DNS at the second is accepted": (
        derive(profile(service_cidr="10.96.0.0/16"), overrides={"network_profile": {"dns_service_ip": "10.96.0.2"}}),
        [],
    ),
    "what is no address is not judged": (derive(profile(), overrides={"network_profile": {"dns_service_ip": "ten"}}), []),
    "public addresses for services are warned of": (profile(service_cidr="8.8.0.0/16"), [f"AKS221? {AT_SERVICES}"]),
    "shared addresses are accepted": (profile(service_cidr="100.64.0.0/16"), []),
    "multicast is refused": (profile(service_cidr="224.0.0.0/16"), [f"AKS222 {AT_SERVICES}"]),
    "loopback for pods is refused": (profile(pod_cidr="127.0.0.0/16"), [f"AKS222 {AT_PODS}"]),
    "loopback for the network is refused": (aks(network={"cidr": "127.0.0.0/16"}), ["AKS222 network.cidr"]),
    "link-local, and what AKS keeps, is refused": (profile(pod_cidr="172.16.0.0/12"), [f"AKS041 {AT_PODS}"]),
    "the first half of that is accepted": (profile(pod_cidr="172.16.0.0/13"), []),
    "a /24 for each node is accepted": (derive(profile(pod_cidr="192.168.0.0/21"), pools={"web": {"count": 4}}), []),
    "none for those of an upgrade is warned of": (
        derive(profile(pod_cidr="192.168.0.0/21"), pools={"web": {"count": 5}}),
        [f"AKS223? {AT_PODS}"],
    ),
    "none for a node is refused": (derive(profile(pod_cidr="192.168.0.0/21"), pools={"web": {"count": 6}}), [f"AKS051 {AT_PODS}"]),
    "the autoscaler's maximum counts for pods": (
        derive(profile(pod_cidr="192.168.0.0/21"), pools={"web": {"scale": Autoscale(1, 6)}}),
        [f"AKS051 {AT_PODS}"],
    ),
    "less than a /24 is refused": (profile(pod_cidr="192.168.0.0/26"), [f"AKS051 {AT_PODS}"]),
    "256 nodes in the default range": (
        derive(profile(), pools={"web": {"scale": Autoscale(1, 252)}}),
        [],
    ),
    "pods in the nodes' subnet have no range": (profile(plugin_mode=None, pod_cidr="192.168.0.0/26"), []),
    "a plugin of your own divides as it likes": (profile(plugin="none", pod_cidr="192.168.0.0/26"), []),
}

FOR_PODS = {"cidr": "10.0.0.0/8", "pod_subnet_cidr": "10.128.0.0/22"}
AT_POD_SUBNET = "network.pod_subnet_cidr"


def flat(network, **changes):
    return derive(aks(network=network, network_profile={**FLAT, "service_cidr": "172.20.0.0/16"}), changes)


SUBNETS = {
    "all pools in blocks of a pod subnet are accepted": (flat(WITH_PODS, **blocks(1)), []),
    "blocks and single addresses of one subnet are refused": (
        flat(WITH_PODS, pools={"web": {"pod_ip_allocation": "StaticBlock"}}),
        ["AKS224 pools.web.pod_ip_allocation"],
    ),
    "of two subnets they are accepted": (
        flat(WITH_PODS, pools={"web": {"pod_ip_allocation": "StaticBlock", "pod_subnet_id": PODS.replace("pods", "blocks")}}),
        [],
    ),
    "capitals make no other subnet": (
        flat(WITH_PODS, pools={"web": {"pod_ip_allocation": "StaticBlock", "pod_subnet_id": PODS.upper()}}),
        ["AKS224 pools.web.pod_ip_allocation"],
    ),
    "the mode of the system pool is told of too": (
        flat(
            WITH_PODS,
            system_pool={"pod_subnet_id": PODS.replace("pods", "more")},
            pools={"web": {"pod_subnet_id": PODS.replace("pods", "more"), "pod_ip_allocation": "StaticBlock"}},
        ),
        ["AKS224 pools.web.pod_ip_allocation"],
    ),
    "blocks of a /12 are accepted": (flat({**FOR_PODS, "pod_subnet_cidr": "10.128.0.0/12"}, **blocks(1)), []),
    "blocks of a /11 are refused": (flat({**FOR_PODS, "pod_subnet_cidr": "10.128.0.0/11"}, **blocks(1)), [f"AKS224 {AT_POD_SUBNET}"]),
    "single addresses of a /11 are accepted": (flat({**FOR_PODS, "pod_subnet_cidr": "10.128.0.0/11"}), []),
    "Windows Server 2019 in a pod subnet is refused": (
        derive(
            flat(WITH_PODS, network_profile=IPTABLES),
            {**WINDOWS, "kubernetes_version": "1.32", "pools": {"win": WindowsPool(vm_size=SIZE, os_sku="Windows2019")}},
        ),
        ["AKS070? kubernetes_version", "AKS103? pools.win.os_sku", "AKS224 pools.win.os_sku"],
    ),
    "16 addresses a node are enough to begin with": (flat({**FOR_PODS, "pod_subnet_cidr": "10.128.0.0/25"}, pools={"web": {"count": 4}}), []),
    "fewer are refused": (
        flat({**FOR_PODS, "pod_subnet_cidr": "10.128.0.0/25"}, pools={"web": {"count": 5}}),
        [f"AKS225 {AT_POD_SUBNET}"],
    ),
    "fewer at the largest size are warned of": (
        flat({**FOR_PODS, "pod_subnet_cidr": "10.128.0.0/25"}, pools={"web": {"scale": Autoscale(1, 5)}}),
        [f"AKS226? {AT_POD_SUBNET}"],
    ),
    "a /28 for each 16 pods of all nodes is accepted": (flat(FOR_PODS, **blocks(12, max_pods=63)), []),
    "blocks at the ends of the subnet are uncertain": (flat(FOR_PODS, **blocks(13, max_pods=63)), [f"AKS226? {AT_POD_SUBNET}"]),
    "too few blocks are refused": (flat(FOR_PODS, **blocks(13, max_pods=64)), [f"AKS225 {AT_POD_SUBNET}"]),
    "110 pods are assumed": (flat(FOR_PODS, **blocks(7)), [f"AKS225 {AT_POD_SUBNET}"]),
    "pools with subnets of their own are not counted": (
        flat(
            {**FOR_PODS, "pod_subnet_cidr": "10.128.0.0/27"},
            system_pool={"pod_subnet_id": SUBNET},
            pools={"web": {"pod_subnet_id": SUBNET, "count": 5}},
        ),
        [],
    ),
    "one kind of pods is accepted": (flat(THEIRS, system_pool={"pod_subnet_id": PODS}, pools={"web": {"pod_subnet_id": PODS}}), []),
    "two kinds are warned of": (flat(THEIRS, pools={"web": {"pod_subnet_id": PODS}}), ["AKS228? pools.web.pod_subnet_id"]),
    "of the system pool too": (flat(THEIRS, system_pool={"pod_subnet_id": PODS}), ["AKS228? system_pool.pod_subnet_id"]),
    "nodes and pods in a subnet with room for them are accepted": (flat({"cidr": "10.10.0.0/22"}, pools={"web": {"count": 4}}), []),
    "without room for an upgrade they are warned of": (
        flat({"cidr": "10.10.0.0/22"}, pools={"web": {"count": 5}}),
        ["AKS052? network.node_subnet_cidr"],
    ),
    "without room they are refused": (flat({"cidr": "10.10.0.0/22"}, pools={"web": {"count": 6}}), ["AKS227 network.node_subnet_cidr"]),
    "fewer pods a node make room": (
        flat({"cidr": "10.10.0.0/22"}, system_pool={"max_pods": 20}, pools={"web": {"count": 6, "max_pods": 20}}),
        [],
    ),
    "nodes alone in a subnet are accepted": (aks(network={"cidr": "10.10.0.0/26"}), []),
    "more nodes than it has addresses are refused": (
        aks(network={"cidr": "10.10.0.0/26"}, pools={"web": {"count": 9}}),
        ["AKS227 network.node_subnet_cidr"],
    ),
    "the previous generation of a pool is counted too": (
        aks(network={"cidr": "10.10.0.0/26"}, pools={"web": {"count": 5, "previous": {"vm_size": SIZE, "count": 5, "max_pods": 50}}}),
        ["AKS227 network.node_subnet_cidr"],
    ),
    "the subnet of a pool is asked too": (
        aks(network={**OURS, "pool_subnets": {"web": "10.10.128.0/28"}}, pools={"web": {"count": 12}}),
        ["AKS227 network.pool_subnets.web"],
    ),
    "a pool in a subnet that exists is not counted": (
        aks(network={"cidr": "10.10.0.0/26"}, pools={"web": {"count": 100, "vnet_subnet_id": NODES}}),
        [],
    ),
}

LONG = "v" * 64
NAMES = {
    "a long name of a network in overlay is refused": (
        aks(network=ExistingAksNetwork(subnet_id=NODES.replace("/v/", f"/{LONG}/"))),
        ["AKS107 network.subnet_id"],
    ),
    "with pod subnets both are told": (
        flat(ExistingAksNetwork(subnet_id=NODES.replace("/v/", f"/{LONG}/"), pod_subnet_id=PODS.replace("/v/", f"/{LONG}/"))),
        ["AKS107 network.subnet_id", "AKS107 network.pod_subnet_id"],
    ),
    "in the nodes' subnet it is accepted": (flat(ExistingAksNetwork(subnet_id=NODES.replace("/v/", f"/{LONG}/"))), []),
}

ALL = {**FAMILIES, **ENGINES, **OUTBOUND, **SERVER, **SERVICES, **SUBNETS, **NAMES}


FIXES = {
    "the fix for the range of the pods leaves room for an upgrade": (
        derive(profile(pod_cidr="192.168.0.0/22"), pools={"web": {"count": 5}}),
        {"network_profile": {"pod_cidr": "192.168.0.0/20"}},
        "Set `network_profile.pod_cidr` to a /20 or larger",
    ),
    "the fix for ports is enough whatever an upgrade adds": (
        ports(1168, count=50),
        {"network_profile": {"load_balancer": {"allocated_outbound_ports": 1080}}},
        "Set `allocated_outbound_ports` to at most `1080`",
    ),
    "the fix for Windows on kubenet is where kubenet is said": (
        derive(profile(**IPTABLES, **FLAT), {"overrides": {"network_profile": KUBENET}, "pools": {"win": WindowsPool(vm_size=SIZE)}, **WINDOWS}),
        {"overrides": {"network_profile": None}},
        'Set `overrides.network_profile.network_plugin` to `"azure"`',
    ),
}


@pytest.mark.parametrize(("declared", "mended", "fix"), FIXES.values(), ids=FIXES)
def test_a_fix_leads_to_no_other_error(declared, mended, fix):
    [found] = [finding for finding in check(declared, today=DAY) if finding.severity is Severity.ERROR]
    assert found.fix.text.startswith(fix)
    assert not [finding for finding in check(derive(declared, mended), today=DAY) if finding.code == found.code or finding.path == found.path]


EGRESS = "AKS321"
"""Authorized ranges that may lack the address of the egress: see test_aks_rights.py."""


@pytest.mark.parametrize(("cluster", "found"), ALL.values(), ids=ALL)
def test_combination(cluster, found):
    assert [one for one in told(cluster) if not one.startswith(EGRESS)] == found


def test_no_row_hides_another():
    assert len(ALL) == sum(map(len, (FAMILIES, ENGINES, OUTBOUND, SERVER, SERVICES, SUBNETS, NAMES)))


def test_pools_without_nodes_have_no_surge():
    cluster = derive(ports(10_664), pools={"more": pool(count=0)})
    assert told(cluster) == []

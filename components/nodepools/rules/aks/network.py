"""Address ranges, IPv6, network plugins and network policies of AKS clusters. Facts: docs/facts/aks.md § 2.11, § 2.13."""

from collections import Counter
from collections.abc import Iterator, Mapping
from ipaddress import IPv6Network
from itertools import combinations
from typing import Final, cast

from nodepools.clouds.aks.agent_pool_nodes import NODES_WITH_KUBENET
from nodepools.model.access import ApiServer
from nodepools.model.aks.agent_pool import Autoscale, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AdvancedContainerNetworking, AksNetwork, AksNetworkArgs, ExistingAksNetwork, NetworkProfile
from nodepools.model.cidr import inside, overlap, twin
from nodepools.model.listing import nearest, quoted
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import REPLACES, Fix, FixLike, PartFinding, literal, ref, remove, rename, replacing, sentence, set_to
from nodepools.rules.engine.registry import NETWORKS, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import SIZE, SUBNET, aks

_DUAL: Final = "https://learn.microsoft.com/azure/aks/configure-dual-stack"
_SUBNETS: Final = "https://learn.microsoft.com/azure/virtual-network/ip-services/ipv6-overview: IPv6 subnets are exactly /64"
_BOTH: Final = {"ip_families": ["IPv4", "IPv6"]}
_LARGEST_SERVICES, _OF_A_NODE, _SUBNET, _NETWORK = 108, 80, 64, 48


@warning("AKS133", f"{_DUAL}: one range for each of the IP families")
@sample("service_cidr_v6", lambda: NetworkProfile(service_cidr_v6="fd00:20::/112"))
def ipv6_range_without_dual_stack(profile: NetworkProfile) -> Iterator[PartFinding]:
    """IPv6 ranges of pods and services have an effect only in clusters with both IP families."""
    for field in ("pod_cidr_v6", "service_cidr_v6"):
        if getattr(profile, field) is not None and not profile.is_dual:
            fix = Fix(f"Remove {ref(field)}, or set {ref('ip_families')} to {literal(['IPv4', 'IPv6'])}", (remove(field),))
            yield finding(profile, f"{ref(field)} has no effect: the cluster has IPv4 addresses only", path=field, fix=fix)


@error("AKS134", f"{_DUAL}: the IPv6 range of services is at most a /108")
@sample("network_profile.service_cidr_v6", lambda: aks(network_profile={**_BOTH, "service_cidr_v6": "fd00:20::/64"}))
def ipv6_service_cidr_too_large(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts a /108 or smaller as the IPv6 range of services."""
    services = cluster.service_cidr_v6
    if services is not None and IPv6Network(services).prefixlen < _LARGEST_SERVICES:
        smaller = str(next(IPv6Network(services).subnets(new_prefix=_LARGEST_SERVICES)))
        at = ("network_profile", "service_cidr_v6")
        message = f"AKS rejects `{services}` as the IPv6 range of services: it is larger than a /{_LARGEST_SERVICES}"
        yield finding(cluster, message, path=at, value=services, fix=set_to(at, smaller))


@error("AKS135", "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning: the ranges must not overlap")
@sample("network_profile.pod_cidr_v6", lambda: aks(network={"cidr_v6": "fd00:10::/48"}, network_profile={**_BOTH, "pod_cidr_v6": "fd00:10:0:1::/64"}))
def overlapping_ipv6_ranges(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The IPv6 ranges of the virtual network, the pods and the services of a cluster must not overlap."""
    for (other, taken, _), (name, cidr, at) in combinations(_ipv6_ranges(cluster), 2):
        if overlap(taken, cidr):
            message = f"The IPv6 range of the {name} (`{cidr}`) overlaps the IPv6 range of the {other} (`{taken}`)"
            yield finding(cluster, message, path=at, value=cidr, fix=f"Set {ref(at)} to a range outside `{taken}`")


@error("AKS136", _SUBNETS)
@limited(NETWORKS)
@sample("network.cidr_v6", lambda: aks(network={"cidr_v6": "fd00:10::/96"}))
def ipv6_network_too_small(network: AksNetworkArgs) -> Iterator[PartFinding]:
    """Azure accepts IPv6 subnets of exactly /64, and each subnet of nodes needs its own inside the virtual network."""
    cluster = network.cidr_v6
    if cluster is None:
        return
    if IPv6Network(cluster).prefixlen > _SUBNET:
        message = f"The virtual network `{cluster}` is smaller than a /{_SUBNET}, the size of every IPv6 subnet in Azure"
        larger = IPv6Network(cluster).supernet(new_prefix=_NETWORK)
        yield finding(network, message, path="cidr_v6", fix=f"Set {ref('cidr_v6')} to a larger range, such as {literal(str(larger))}")
        return
    own = [cidr for cidr in (network.node_range, *network.pool_subnets.values()) if inside(cidr, network.cidr)]
    shared = [of for of, times in Counter(twin(cidr, network.cidr, cluster) for cidr in own).items() if times > 1]
    if shared:
        message = f"The virtual network `{cluster}` has too few /{_SUBNET} ranges for its node subnets: two of them would both get `{shared[0]}`"
        fix = f"Set {ref('cidr_v6')} to a larger range, such as a /{_NETWORK}, or use fewer and larger IPv4 subnets"
        yield finding(network, message, path="cidr_v6", fix=fix)


@warning("AKS137", f"{_DUAL}: each node has a /80 of the IPv6 range of pods")
@sample("network_profile.pod_cidr_v6", lambda: aks(network_profile={**_BOTH, "pod_cidr_v6": "fd00:20::/79"}))
def ipv6_pod_cidr_too_small(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Each node takes a /80 of the IPv6 range of the pods, which limits the number of nodes."""
    pods = cluster.pod_cidr_v6
    if pods is None:
        return
    room = 1 << max(_OF_A_NODE - IPv6Network(pods).prefixlen, 0) if IPv6Network(pods).prefixlen <= _OF_A_NODE else 0
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if nodes > room:
        at = ("network_profile", "pod_cidr_v6")
        message = f"The IPv6 range of the pods (`{pods}`) is enough for {room:,} nodes (a /{_OF_A_NODE} each), and the pools can have {nodes:,}"
        yield finding(cluster, message, path=at, value=pods, fix=f"Set {ref(at)} to a larger range, such as a /{_SUBNET}{REPLACES}")


def _ipv6_ranges(cluster: AksClusterArgs) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    """Everything with an IPv6 range: its name, the range, and the path of the field."""
    network = cluster.applied_network
    if isinstance(network, AksNetworkArgs) and network.cidr_v6 is not None:
        yield "network", network.cidr_v6, ("network", "cidr_v6")
    if cluster.pod_cidr_v6 is not None:
        yield "pods", cluster.pod_cidr_v6, ("network_profile", "pod_cidr_v6")
    if cluster.service_cidr_v6 is not None:
        yield "services", cluster.service_cidr_v6, ("network_profile", "service_cidr_v6")


_LIMITS = "https://learn.microsoft.com/azure/aks/azure-cni-overlay#dual-stack-networking-limitations (2026-07-31)"
_FAMILIES: Final = ("IPv4", "IPv6")
_ENGINES: Final[Mapping[str, str]] = {"azure": "Azure network policies", "calico": "Calico network policies"}
"""Network policy engines that support only IPv4."""
_GATEWAYS: Final = ("userAssignedNATGateway", "managedNATGateway")
"""Outbound types whose gateway may have the Standard SKU, which supports only IPv4."""
_EXISTING: Final = {"kind": "ExistingAksNetwork", "subnet_id": SUBNET}


@error("AKS200", f"{_DUAL}: only ipv4 or ipv4,ipv6; IPv6 alone is not supported")
@sample("ip_families", lambda: NetworkProfile(ip_families=["IPv6"]))
def ipv6_only_cluster(profile: NetworkProfile) -> Iterator[PartFinding]:
    """A cluster has IPv4, or IPv4 and IPv6: AKS does not support IPv6 alone."""
    families = tuple(profile.ip_families)
    if families and (len(set(families)) < len(families) or "IPv4" not in families):
        message = f"AKS rejects {literal(list(families))}: a cluster has IPv4, or IPv4 and IPv6"
        both = f"Set {ref('ip_families')} to {literal(list(_FAMILIES))} or {literal(['IPv4'])}"
        fix: FixLike = both if "IPv6" in families else set_to("ip_families", ["IPv4"])
        yield finding(profile, message, path="ip_families", fix=fix)


@warning("AKS201", f"{_DUAL}: only ipv4 or ipv4,ipv6 are supported, and ranges follow that order")
@sample("network_profile.ip_families", lambda: aks(network=_EXISTING, network_profile={"ip_families": ["IPv6", "IPv4"]}))
def reversed_ip_families(profile: NetworkProfile) -> Iterator[PartFinding]:
    """AKS documents IPv4 as the first of two IP families."""
    if tuple(profile.ip_families) == ("IPv6", "IPv4"):
        message = "AKS documents `IPv4` as the first of two IP families, and can reject `IPv6` before it"
        yield finding(profile, message, path="ip_families", fix=set_to("ip_families", list(_FAMILIES)))


@error("AKS202", f"{_LIMITS}: Azure and Calico network policies are not supported with dual-stack networking")
@sample(
    "network_profile.policy", lambda: aks(network=_EXISTING, network_profile={"ip_families": _FAMILIES, "dataplane": "azure", "policy": "calico"})
)
def network_policy_without_ipv6(profile: NetworkProfile) -> Iterator[PartFinding]:
    """AKS supports Azure and Calico network policies with IPv4 only; with IPv6 Cilium enforces them."""
    engine = _ENGINES.get(profile.policy) if profile.policy is not None and profile.plugin == "azure" else None
    if engine is not None and profile.is_dual and profile.dataplane != "cilium":  # where it is, AKS045 tells it
        message = f"AKS does not support {engine} with IPv6 ({ref('ip_families')})"
        fix = f"Remove {ref('policy')} and set {ref('dataplane')} to {literal('cilium')}, or set {ref('ip_families')} to {literal(['IPv4'])}"
        yield finding(profile, message, path="policy", fix=fix)


@error("AKS203", f"{_DUAL}: Azure CNI Overlay is required; Azure/AKS CHANGELOG, 2026-06-19: static blocks of a pod subnet too")
@sample("network_profile.ip_families", lambda: aks(network=_EXISTING, network_profile={"ip_families": _FAMILIES, "plugin_mode": None}))
def flat_network_without_ipv6(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS gives pods IPv6 addresses with overlay networking, or in static blocks of a pod subnet."""
    profile = cluster.network_profile
    if not profile.is_dual or profile.plugin != "azure" or profile.plugin_mode == "overlay":
        return
    if any(pool.pod_ip_allocation != "StaticBlock" for _, pool in cluster.all_pools()):
        message = "AKS rejects IPv6 without overlay networking or a pod subnet with static blocks"
        fix = f"Set {ref('plugin_mode')} to {literal('overlay')}, or {ref('ip_families')} to {literal(['IPv4'])}"
        yield finding(profile, message, path="ip_families", fix=fix)


@warning("AKS204", f"{_LIMITS}: a Standard NAT gateway supports IPv4 only, StandardV2 supports both")
@sample(
    "network_profile.outbound_type",
    lambda: aks(
        network=_EXISTING, api_server=ApiServer(private=True), network_profile={"ip_families": _FAMILIES, "outbound_type": "userAssignedNATGateway"}
    ),
)
def nat_gateway_without_ipv6(profile: NetworkProfile) -> Iterator[PartFinding]:
    """A NAT gateway of the Standard SKU translates IPv4 only; one of the StandardV2 SKU translates both families."""
    if profile.is_dual and profile.outbound_type in _GATEWAYS:
        message = "IPv6 traffic cannot leave the cluster if the NAT gateway has the Standard SKU, which translates IPv4 only"
        fix = f"Use a gateway of the StandardV2 SKU, or set {ref('outbound_type')} to {literal('loadBalancer')} (Pulumi replaces the cluster)"
        yield finding(profile, message, path="outbound_type", fix=fix)


CHECKED_INSIDE: Final[Mapping[str, frozenset[str]]] = {
    "network_profile": frozenset({"network_plugin", "dns_service_ip", "load_balancer_sku", "static_egress_gateway_profile"}),
    "ingress_profile": frozenset({"web_app_routing.enabled", "web_app_routing.nginx"}),
    "bootstrap_profile": frozenset({"artifact_source"}),
}
"""Overrides of a cluster, and the paths in them that this module and the rules on services and outbound types check."""

_POLICIES = "https://learn.microsoft.com/azure/aks/use-network-policies"
_KUBENET = "https://learn.microsoft.com/azure/aks/configure-kubenet"
_WINDOWS = "https://learn.microsoft.com/azure/aks/windows-best-practices#networking-modes"
_OVERLAY = "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay#maximum-pods-per-node"
_NODES_OF_POLICIES: Final = 250
_PODS_ON_WINDOWS: Final = 110
_WITHOUT: Final[Mapping[tuple[str, object], str]] = {
    ("policy", "azure"): "Azure network policies",
    ("policy", "cilium"): "Cilium network policies",
    ("dataplane", "cilium"): "the Cilium dataplane",
    ("plugin_mode", "overlay"): "overlay networking",
    ("outbound_type", "none"): "the outbound type `none`",
}
"""Values of the network profile that require a feature that kubenet does not have, and the feature."""
_TAKEN_BY_KUBENET: Final[Mapping[str, object]] = {"dataplane": "azure", "plugin_mode": None}
_BY_KUBENET: Final[Mapping[str, object]] = {"network_profile": {"network_plugin": "kubenet"}}
_SECRET: Final[Mapping[str, object]] = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
_FOR_WINDOWS: Final[Mapping[str, object]] = {"kubernetes_version": "1.35", "windows_profile": _SECRET}


@warning(
    "AKS229", f"{_POLICIES}#azure-network-policy-manager-limitations-linux: scaling beyond 250 nodes is not supported, and can run out of memory"
)
@sample(
    "network_profile.policy",
    lambda: aks(network_profile={"dataplane": "azure", "policy": "azure"}, pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 250))}),
)
def azure_network_policy_node_limit(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS supports Azure network policies up to 250 nodes; beyond that Azure Network Policy Manager can run out of memory."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    profile = cluster.network_profile
    if profile.plugin == "azure" and profile.policy == "azure" and nodes > _NODES_OF_POLICIES:
        message = f"AKS supports Azure network policies up to {_NODES_OF_POLICIES} nodes; the pools can have {nodes:,}"
        fix = f"Set {ref('dataplane')} and {ref('policy')} to {literal('cilium')} (Pulumi replaces the cluster), or lower the sizes of the pools"
        yield finding(profile, message, path="policy", fix=fix)


@error("AKS230", f"{_KUBENET}: no Azure network policies, no Windows; Cilium and overlay are of Azure CNI; concepts-network-isolated: no kubenet")
@sample("overrides.network_profile.network_plugin", lambda: aks(network_profile={"dataplane": "cilium", "plugin_mode": None}, overrides=_BY_KUBENET))
def unsupported_with_kubenet(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The network plugin kubenet does not support overlay networking, Cilium, Azure network policies or pod subnets."""
    if not _is_kubenet(cluster) or cluster.node_provisioning is not None:  # with node auto provisioning NAP016 tells it
        return
    profile = cluster.network_profile
    sent = profile.model_fields_set if profile.plugin == "kubenet" else type(profile).model_fields  # defaults of Azure CNI are not sent with kubenet
    beyond = [what for (field, value), what in _WITHOUT.items() if field in sent and getattr(profile, field) == value]
    beyond += ["pod subnets"] if any(pool.pod_subnet_id is not None for _, pool in cluster.all_pools()) else []
    if beyond:
        listed = " and ".join(filter(None, (", ".join(beyond[:-1]), beyond[-1])))
        yield finding(
            cluster, f"The network plugin `kubenet` does not support {listed}", path=_plugin(cluster), fix=set_to(_plugin(cluster), "azure")
        )


@warning("AKS231", f"{_KUBENET}: a table of routes has 400, so that no cluster is larger than 400 nodes")
@sample(
    "overrides.network_profile.network_plugin",
    lambda: aks(network_profile=_TAKEN_BY_KUBENET, overrides=_BY_KUBENET, pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 400))}),
)
def kubenet_node_limit(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A cluster with kubenet can have at most 400 nodes: each takes an entry of the route table."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if _is_kubenet(cluster) and nodes > NODES_WITH_KUBENET:
        message = f"The network plugin `kubenet` supports up to {NODES_WITH_KUBENET} nodes; the pools can have {nodes:,}"
        fix = f"Lower the maximums of the pools to {NODES_WITH_KUBENET} nodes in total, or use overlay networking, which supports more"
        yield finding(cluster, message, path=_plugin(cluster), fix=fix)


@error("AKS232", f"{_WINDOWS}: clusters with Windows node pools only support Azure CNI; AzureCNIOnlyForWindows")
@sample(
    "pools.win",
    lambda: aks(
        pools={"web": UserPool(vm_size=SIZE), "win": WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True)},
        network_profile={"plugin": "none"},
        **_FOR_WINDOWS,
    ),
)
def windows_without_azure_cni(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts Windows pools only in clusters with Azure CNI."""
    for key, pool in cluster.pools.items():
        if isinstance(pool, WindowsPool) and (_is_kubenet(cluster) or cluster.network_profile.plugin == "none"):
            message = f"`{key}` is a Windows pool, which AKS accepts only in clusters with Azure CNI"
            plugin = ref(_plugin(cluster))
            yield finding(cluster, message, path=("pools", key), value=key, fix=f"Set {plugin} to {literal('azure')}, or remove the pool `{key}`")


@warning("AKS233", f"{_OVERLAY}: for Windows Server containers the maximum recommended value is 110")
@sample(
    "pools.win.max_pods",
    lambda: aks(
        pools={"web": UserPool(vm_size=SIZE), "win": WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True, max_pods=250)},
        network_profile={"dataplane": "azure"},
        **_FOR_WINDOWS,
    ),
)
def many_pods_on_windows(pool: WindowsPool) -> Iterator[PartFinding]:
    """AKS recommends at most 110 pods for a Windows node."""
    if pool.max_pods is not None and pool.max_pods > _PODS_ON_WINDOWS:
        message = f"{ref('max_pods')} ({pool.max_pods}) is greater than {_PODS_ON_WINDOWS}, the most that AKS recommends for a Windows node"
        yield finding(pool, message, path="max_pods", fix=set_to("max_pods", _PODS_ON_WINDOWS))


_OVERRIDDEN: Final = ("overrides", "network_profile", "network_plugin")


def _is_kubenet(cluster: AksClusterArgs) -> bool:
    """The cluster has the network plugin kubenet, by its field or by overrides."""
    return cluster.network_profile.plugin == "kubenet" or _plugin(cluster) == _OVERRIDDEN


def _plugin(cluster: AksClusterArgs) -> tuple[str, ...]:
    """Where the network plugin is declared."""
    profile = cluster.overrides.get("network_profile")
    by_override = isinstance(profile, Mapping) and cast("Mapping[str, object]", profile).get("network_plugin") == "kubenet"
    return _OVERRIDDEN if by_override else ("network_profile", "plugin")


_REFUSED = ("169.254.0.0/16", "172.30.0.0/16", "172.31.0.0/16", "192.0.2.0/24")
_SHOWN = 5
_PLANNING = "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning"


@error("AKS040", f"{_PLANNING}: the ranges must not overlap; ServiceCidrOverlapExistingSubnetsCidr")
@sample("network_profile.service_cidr", lambda: aks(network={"cidr": "10.10.0.0/16"}, network_profile={"service_cidr": "10.10.0.0/20"}))
def overlapping_ranges(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS requires that the ranges of subnets, pods and services of a cluster do not overlap."""
    taken = list(_subnets(cluster.network))
    for name, cidr, at in _of_cluster(cluster):
        met = next((other for other in taken if overlap(cidr, other[1])), None)
        if met is not None:
            message = f"The {name} (`{cidr}`) overlaps the {met[0]} (`{met[1]}`)"
            yield finding(cluster, message, path=at, value=cidr, fix=f"Use a range outside `{met[1]}`")
        taken.append((name, cidr))


@warning("AKS235", f"{_PLANNING}; https://learn.microsoft.com/azure/aks/concepts-network-legacy-cni: not within the range of the virtual network")
@limited(NETWORKS)
@sample("network_profile.service_cidr", lambda: aks(network={"cidr": "10.10.0.0/16"}, network_profile={"service_cidr": "10.10.128.0/20"}))
def cluster_range_inside_network(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents pod and service ranges outside the virtual network, but checks only the subnets that exist."""
    network = cluster.network.cidr
    for name, cidr, at in _of_cluster(cluster):
        if network is not None and overlap(cidr, network) and not any(overlap(cidr, subnet) for _, subnet in _subnets(cluster.network)):
            message = f"The {name} (`{cidr}`) overlaps the virtual network (`{network}`): a subnet that is added later can overlap it"
            yield finding(cluster, message, path=at, value=cidr, fix=f"Use a range outside `{network}`{REPLACES}")


def _subnets(network: AksNetwork) -> Iterator[tuple[str, str]]:
    """Ranges that are guaranteed to contain subnets, each with its use."""
    if isinstance(network, AksNetworkArgs):
        yield "node subnet", network.node_range
        yield from ((f"subnet of the pool `{key}`", cidr) for key, cidr in network.pool_subnets.items())
        if network.pod_subnet_cidr is not None:
            yield "pod subnet", network.pod_subnet_cidr


@error("AKS041", f"{_PLANNING}: ranges that AKS clusters may not use; checked by the API since 2026-05-29")
@sample("network_profile.pod_cidr", lambda: aks(network_profile={"pod_cidr": "172.30.0.0/16"}))
def reserved_aks_range(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects 169.254.0.0/16, 172.30.0.0/16, 172.31.0.0/16 and 192.0.2.0/24 for the virtual network, pods and services."""
    for name, cidr, at in _ranges(cluster):
        refused = [taken for taken in _REFUSED if overlap(cidr, taken)]
        if refused:
            message = f"The {name} (`{cidr}`) overlaps `{refused[0]}`, which AKS reserves"
            yield finding(cluster, message, path=at, value=cidr, fix=f"Use a private range outside {quoted(_REFUSED, len(_REFUSED))}")


@error("AKS042", "https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: subnets lie inside their network and do not overlap")
@limited(NETWORKS)
@sample("network.pool_subnets.web", lambda: aks(network={"cidr": "10.10.0.0/16", "pool_subnets": {"web": "10.99.0.0/24"}}))
def subnet_outside_network(network: AksNetworkArgs) -> Iterator[PartFinding]:
    """Subnets must be inside their virtual network and must not overlap; the default node subnet is the first quarter of the network."""
    of_pools = [(f"subnet of the pool `{key}`", cidr, ("pool_subnets", key)) for key, cidr in network.pool_subnets.items()]
    subnets: list[tuple[str, str, tuple[Step, ...]]] = [("node subnet", network.node_range, ("node_subnet_cidr",)), *of_pools]
    for name, cidr, at in subnets:
        if not inside(cidr, network.cidr):
            message = f"The {name} (`{cidr}`) is outside the virtual network (`{network.cidr}`)"
            yield finding(network, message, path=at, fix=f"Use a range inside `{network.cidr}`")
    for (name, cidr, _), (other, taken, at) in combinations(subnets, 2):
        if overlap(cidr, taken):
            yield finding(network, f"The {other} (`{taken}`) overlaps the {name} (`{cidr}`)", path=at, fix=f"Use a range outside `{cidr}`")


@error("AKS043", "nodepools: a subnet is created for a pool of this cluster")
@limited(NETWORKS)
@sample("network.pool_subnets.wbe", lambda: aks(network={"cidr": "10.10.0.0/16", "pool_subnets": {"wbe": "10.10.64.0/24"}}))
def subnet_for_unknown_pool(network: AksNetworkArgs, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The keys of `pool_subnets` must be keys of agent pools of the cluster."""
    known = [key for key, _ in cluster.all_pools()]
    for key in network.pool_subnets:
        if key not in known:
            message = f"`{key}` is not an agent pool of this cluster"
            yield finding(network, message, path=("pool_subnets", key), value=key, fix=_renamed(network, key, known))


@error("AKS044", "https://learn.microsoft.com/azure/aks/nat-gateway: a managed NAT gateway is not possible with a virtual network of your own")
@sample("network_profile.outbound_type", lambda: aks(network_profile={"outbound_type": "managedNATGateway"}))
def managed_nat_gateway_in_own_network(profile: NetworkProfile, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS manages NAT gateways only in virtual networks that it creates itself."""
    if profile.outbound_type == "managedNATGateway" and _is_own(cluster):
        message = "AKS does not support the outbound type `managedNATGateway` in a virtual network that it did not create"
        balancer = set_to("outbound_type", "loadBalancer")
        text = f"{sentence([balancer])}, or to `userAssignedNATGateway` with a NAT gateway on the subnet"
        yield finding(profile, message, path="outbound_type", fix=Fix(text, (balancer,)))


def _is_own(cluster: AksClusterArgs) -> bool:
    """The nodes are in a network that AKS did not create; `False` if their subnet is unknown."""
    network = cluster.network
    return isinstance(network, AksNetworkArgs) or (isinstance(network, ExistingAksNetwork) and bool(network.subnet_id))


_OF_CILIUM: Final[Mapping[str, object]] = {"security": True, "policies": ("FQDN", "L7"), "encryption": "WireGuard", "acceleration": "BpfVeth"}
"""Fields and values of Advanced Container Networking Services that need the Cilium dataplane."""


@error("AKS353", "Azure API reference, AdvancedNetworkingSecurity and AdvancedNetworkingPerformance: only on Cilium-based clusters")
@sample("advanced.security", lambda: NetworkProfile(dataplane="azure", advanced=AdvancedContainerNetworking(security=True)))
def advanced_networking_without_cilium(profile: NetworkProfile) -> Iterator[PartFinding]:
    """Policies with domains, encryption and acceleration of Advanced Container Networking Services need the Cilium dataplane."""
    if profile.advanced is None or (profile.plugin == "azure" and profile.dataplane == "cilium"):
        return
    for field, values in _OF_CILIUM.items():
        value = getattr(profile.advanced, field)
        if value is not None and value in (values if isinstance(values, tuple) else (values,)):
            at = ("advanced", field)
            fix = f"Remove {ref(at)}, or set {ref('dataplane')} to {literal('cilium')}{REPLACES}"
            yield finding(profile, f"AKS rejects {ref(at)} without the Cilium dataplane", path=at, fix=fix)


@error("AKS045", "https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium; CiliumDataplaneRequiresNetworkPolicyCilium")
@sample("policy", lambda: NetworkProfile(policy="calico"))
def dataplane_policy_conflict(profile: NetworkProfile, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """The Cilium dataplane enforces network policies itself, and the Cilium policy engine requires that dataplane."""
    if profile.plugin != "azure":
        return
    if profile.dataplane == "cilium" and profile.policy in ("azure", "calico", "none"):
        message = f"The Cilium dataplane enforces network policies itself: AKS rejects the policy engine `{profile.policy}`"
        yield finding(profile, message, path="policy", fix=set_to("policy", "cilium"))
    if profile.dataplane != "cilium" and profile.policy == "cilium":
        has_windows = cluster is not None and any(isinstance(pool, WindowsPool) for pool in cluster.pools.values())
        message = "The policy engine `cilium` requires the Cilium dataplane"
        fix = set_to("policy", "calico") if has_windows else replacing(set_to("dataplane", "cilium"))
        yield finding(profile, message, path="policy", fix=fix)


def _renamed(network: AksNetworkArgs, key: str, known: list[str]) -> FixLike:
    """Renames the key of the subnet to the most similar pool key; advice if no key is similar."""
    near = nearest(key, known)
    if near is not None and near not in network.pool_subnets:
        return rename(("pool_subnets", key), near)
    named = " or ".join(f"`{other}`" for other in known[:_SHOWN])
    return f"Use the key of a pool, such as {named}"


def _ranges(cluster: AksClusterArgs) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    """Everything with an address range: its name, the range, and the path of the field."""
    if cluster.network.cidr is not None:
        yield "virtual network", cluster.network.cidr, ("network", "cidr")
    yield from _of_cluster(cluster)


def _of_cluster(cluster: AksClusterArgs) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    """The ranges that only the cluster declares."""
    if cluster.pod_cidr is not None:
        yield "pod range", cluster.pod_cidr, ("network_profile", "pod_cidr")
    yield "service range", cluster.service_cidr, ("network_profile", "service_cidr")

"""How pods and services are networked: `networkProfile` of a cluster. Most of it is fixed when the cluster is made."""

from typing import Final

from nodepools.model.aks.network import NetworkProfile
from nodepools.model.cidr import host
from nodepools.wire.aks.around import ClusterAround
from nodepools.wire.aks.ranges import Ranges
from nodepools.wire.aks.sources import ADVANCED, CREATED_WITH, FAMILIES, KEPT, REPLACED
from nodepools.wire.codecs import IDS, MINUTES
from nodepools.wire.rows import Part, Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Always, Note

POD_RANGE: Final = "10.244.0.0/16"
SERVICE_RANGE: Final = "10.0.0.0/16"
"""What Azure takes where nothing is said: https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning."""
DATAPLANE: Final = "azure"
"""The same: iptables."""
_DNS_HOST: Final = 10


def _ranges(*cidrs: str | None) -> tuple[str, ...]:
    return tuple(cidr for cidr in cidrs if cidr is not None)


def _services(profile: NetworkProfile, around: ClusterAround) -> object:
    if around.declared is None:
        return _ranges(profile.service_cidr, profile.service_cidr_v6)
    return _ranges(around.cluster.service_cidr, around.cluster.service_cidr_v6)


def _pods(profile: NetworkProfile, around: ClusterAround) -> object:
    if around.declared is None:
        return _ranges(profile.pod_cidr, profile.pod_cidr_v6)
    if _is_brought(profile) and profile.pod_cidr is None:
        return ()
    pods = profile.pod_cidr if _is_brought(profile) else around.cluster.pod_cidr
    return _ranges(pods, around.cluster.pod_cidr_v6)


def _dns(_: NetworkProfile, around: ClusterAround) -> object:
    return host(around.cluster.service_cidr, _DNS_HOST)


def _mode(profile: NetworkProfile, _: ClusterAround) -> object:
    return None if _is_brought(profile) else profile.plugin_mode


def _dataplane(profile: NetworkProfile, _: ClusterAround) -> object:
    return None if _is_brought(profile) else profile.dataplane


def _policy(profile: NetworkProfile, _: ClusterAround) -> object:
    return None if _is_brought(profile) else profile.enforced_policy


def _is_brought(profile: NetworkProfile) -> bool:
    """The plugin that is brought decides the rest."""
    return profile.plugin == "none"


_GATEWAYS: Final = "of NAT gateways that AKS makes, in networks that AKS makes: `outbound_type` has them, ours are in networks of your own"

LOAD_BALANCER: Final = Table(
    Row("managed_outbound_ips", "managedOutboundIPs.count", default=1),
    Row("outbound_ip_ids", "outboundIPs.publicIPs", codec=IDS),
    Row("outbound_ip_prefix_ids", "outboundIPPrefixes.publicIPPrefixes", codec=IDS),
    Row("allocated_outbound_ports", "allocatedOutboundPorts", default=0),
    Row("idle_timeout", "idleTimeoutInMinutes", codec=MINUTES, default=30),
    Note("left", "managedOutboundIPs.countIPv6", KEPT, "of clusters of both families: AKS makes one address of IPv6, which is enough for most"),
    Note("left", "backendPoolType", KEPT, "whether nodes are in the load balancer by their address or by their network interface"),
    Note("left", "enableMultipleStandardLoadBalancers", KEPT, "several load balancers, which are objects in the cluster besides: in preview"),
    Note("told", "effectiveOutboundIPs"),
)
"""`loadBalancerProfile`."""
NETWORK_PROFILE: Final = Table(
    Row("plugin", "networkPlugin", REPLACED),
    Row("plugin_mode", "networkPluginMode", REPLACED, says=_mode),
    Row("dataplane", "networkDataplane", REPLACED, says=_dataplane, default=DATAPLANE),
    Row("policy", "networkPolicy", REPLACED, says=_policy),
    Row("outbound_type", "outboundType", REPLACED, default="loadBalancer"),
    Ranges("pod_cidr", "pod_cidr_v6", "podCidr", "podCidrs", _pods, REPLACED, POD_RANGE),
    Ranges("service_cidr", "service_cidr_v6", "serviceCidr", "serviceCidrs", _services, REPLACED, SERVICE_RANGE),
    Row("ip_families", "ipFamilies", FAMILIES, default=["IPv4"]),
    Part("load_balancer", "loadBalancerProfile", LOAD_BALANCER, KEPT),
    Note("derived", "dnsServiceIP", REPLACED, "the tenth address of the services", says=_dns),
    Always("loadBalancerSku", "standard", CREATED_WITH),
    Note("left", "natGatewayProfile", KEPT, _GATEWAYS),
    Note("left", "advancedNetworking", ADVANCED, "observability and policies of Cilium beyond Kubernetes' own, at a price a node"),
    Note("left", "networkMode", REPLACED, "of the Azure CNI of before: `transparent` is all that new clusters can have"),
    Note("left", "staticEgressGatewayProfile", KEPT, "of pools that carry the egress of pods, which are none of our kinds"),
)
"""`networkProfile`."""

"""Network settings of pods and services: `networkProfile` of a cluster. Most of it is immutable."""

from typing import Final

from nodepools.model.aks.network import NetworkProfile
from nodepools.model.cidr import host
from nodepools.wire.aks.cluster_context import AksClusterContext
from nodepools.wire.aks.ranges import Ranges
from nodepools.wire.aks.sources import ADVANCED, CREATED_WITH, FAMILIES, KEPT, REPLACED
from nodepools.wire.codecs import IDS, MINUTES, Codec
from nodepools.wire.rows import Part, Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Always, Note

POD_RANGE: Final = "10.244.0.0/16"
SERVICE_RANGE: Final = "10.0.0.0/16"
"""Cloud defaults: https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning."""
DATAPLANE: Final = "azure"
"""Cloud default: iptables."""
_DNS_HOST: Final = 10


def _ranges(*cidrs: str | None) -> tuple[str, ...]:
    return tuple(cidr for cidr in cidrs if cidr is not None)


def _services(profile: NetworkProfile, around: AksClusterContext) -> object:
    if around.declared is None:
        return _ranges(profile.service_cidr, profile.service_cidr_v6)
    return _ranges(around.cluster.service_cidr, around.cluster.service_cidr_v6)


def _pods(profile: NetworkProfile, around: AksClusterContext) -> object:
    if around.declared is None:
        return _ranges(profile.pod_cidr, profile.pod_cidr_v6)
    if _is_bring_your_own(profile) and profile.pod_cidr is None:
        return ()
    pods = profile.pod_cidr if _is_bring_your_own(profile) else around.cluster.pod_cidr
    return _ranges(pods, around.cluster.pod_cidr_v6)


def _dns(_: NetworkProfile, around: AksClusterContext) -> object:
    return host(around.cluster.service_cidr, _DNS_HOST)


def _mode(profile: NetworkProfile, _: AksClusterContext) -> object:
    return profile.plugin_mode if profile.plugin == "azure" else None


def _dataplane(profile: NetworkProfile, _: AksClusterContext) -> object:
    return profile.dataplane if profile.plugin == "azure" else None


def _policy(profile: NetworkProfile, _: AksClusterContext) -> object:
    return None if _is_bring_your_own(profile) else profile.enforced_policy


def _is_bring_your_own(profile: NetworkProfile) -> bool:
    """The user's own CNI plugin determines the rest."""
    return profile.plugin == "none"


def _backends(value: str) -> object:
    return {"nodeip": "NodeIP", "nodeipconfiguration": "NodeIPConfiguration"}[value.lower()]


_BACKENDS: Final = Codec(str, _backends)
"""Azure returns the type with a small first letter."""
LOAD_BALANCER: Final = Table(
    Row("managed_outbound_ips", "managedOutboundIPs.count", default=1),
    Row("outbound_ip_ids", "outboundIPs.publicIPs", codec=IDS),
    Row("outbound_ip_prefix_ids", "outboundIPPrefixes.publicIPPrefixes", codec=IDS),
    Row("allocated_outbound_ports", "allocatedOutboundPorts", default=0),
    Row("idle_timeout", "idleTimeoutInMinutes", codec=MINUTES, default=30),
    Note("unmodeled", "managedOutboundIPs.countIPv6", KEPT, "for dual-stack clusters: AKS creates one IPv6 address, which is enough for most"),
    Row("backend_pool_type", "backendPoolType", codec=_BACKENDS, default="NodeIPConfiguration"),
    Note("unmodeled", "enableMultipleStandardLoadBalancers", KEPT, "several load balancers, which also need objects inside the cluster: in preview"),
    Note("read_only", "effectiveOutboundIPs"),
)
"""`loadBalancerProfile`."""
NAT_GATEWAY: Final = Table(
    Row("managed_outbound_ips", "managedOutboundIPProfile.count", default=1),
    Row("idle_timeout", "idleTimeoutInMinutes", codec=MINUTES, default=4),
    Note("read_only", "effectiveOutboundIPs"),
)
"""`natGatewayProfile`."""
NETWORK_PROFILE: Final = Table(
    Row("plugin", "networkPlugin", REPLACED),
    Row("plugin_mode", "networkPluginMode", REPLACED, compute=_mode),
    Row("dataplane", "networkDataplane", REPLACED, compute=_dataplane, default=DATAPLANE),
    Row("policy", "networkPolicy", REPLACED, compute=_policy),
    Row("outbound_type", "outboundType", REPLACED, default="loadBalancer"),
    Ranges("pod_cidr", "pod_cidr_v6", "podCidr", "podCidrs", _pods, REPLACED, POD_RANGE),
    Ranges("service_cidr", "service_cidr_v6", "serviceCidr", "serviceCidrs", _services, REPLACED, SERVICE_RANGE),
    Row("ip_families", "ipFamilies", FAMILIES, default=["IPv4"]),
    Part("load_balancer", "loadBalancerProfile", LOAD_BALANCER, KEPT),
    Note("derived", "dnsServiceIP", REPLACED, "the tenth address of the service CIDR", compute=_dns),
    Always("loadBalancerSku", "standard", CREATED_WITH),
    Part("nat_gateway", "natGatewayProfile", NAT_GATEWAY, KEPT),
    Note("unmodeled", "advancedNetworking", ADVANCED, "ACNS: observability, FQDN and L7 policies, billed per node"),
    Note("unmodeled", "networkMode", REPLACED, "for the legacy Azure CNI: new clusters can only use `transparent`"),
    Note("unmodeled", "staticEgressGatewayProfile", KEPT, "for gateway pools, which route the egress traffic of pods and are not modeled"),
)
"""`networkProfile`."""

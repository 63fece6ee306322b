"""Network settings of pods and services: `networkProfile` of a cluster. Most of it is immutable."""

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_network
from typing import Final, NamedTuple, cast

from nodepools.model.aks.network import NetworkProfile
from nodepools.model.base import Model
from nodepools.model.cidr import host
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.aks.cluster_context import AksClusterContext
from nodepools.wire.aks.sources import ADVANCED, CREATED_WITH, FAMILIES, KEPT, REPLACED
from nodepools.wire.reading import Compute, Reading, Why, Writing, is_known
from nodepools.wire.rows import IDS, MINUTES, Always, Note, Part, Presence, Row, codec, computed
from nodepools.wire.table import Change, FieldPath, Pattern, Table, Written, path


class Ranges(NamedTuple):
    """The IPv4 and the IPv6 range. Azure accepts a single range or the list, never both."""

    field: str
    field_v6: str
    one: str
    """Place of a single range; empty if that is in a list too."""
    both: str
    """The list, in the order of the IP families."""
    compute: Compute
    """The ranges to send: none, one, or one of each family."""
    change: Change
    default: object = None
    """The cloud default of the IPv4 range."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes a single range to its own argument, two as a list."""
        ranges = out.value(part, self.field, self.compute)
        if ranges is UNKNOWN:
            out.put(self._alone, UNKNOWN)
            return
        sent = cast("Sequence[object]", ranges)
        if len(sent) == 1 and self.one:
            out.put(self.one, sent[0])
        else:
            out.put(self.both, sent)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Each range by its family. A range that is missing in the list is unknown."""
        one, both = reading.at(written, self.one) if self.one else None, reading.at(written, self.both)
        alone = {self.field: one if is_known(one) else UNKNOWN} if one is not None else {}
        if both is None:
            return alone
        try:
            families = {self._by_family[ip_network(cidr).version]: cidr for cidr in cast("Sequence[str]", both)}
        except (TypeError, ValueError):
            if is_known(both):
                reading.report_unread((*place, *path(self.both)), both, Why.UNREADABLE)
            return {self.field: UNKNOWN, self.field_v6: UNKNOWN, **alone}
        return {self.field: UNKNOWN, **families, **alone}

    def field_paths(self) -> Iterator[FieldPath]:
        """The IPv4 range alone, and the list, which has the IPv6 range."""
        yield FieldPath((self.field,), path(self._alone), self.change, self, default=self.default)
        yield FieldPath((self.field_v6,), path(self.both), self.change, self)

    def read_paths(self) -> Iterator[Pattern]:
        """Both places."""
        yield from {path(self._alone), path(self.both)}

    @property
    def _by_family(self) -> Mapping[int, str]:
        return {4: self.field, 6: self.field_v6}

    @property
    def _alone(self) -> str:
        return self.one if self.one else self.both


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


def _is_bring_your_own(profile: NetworkProfile) -> bool:
    """The user's own CNI plugin determines the rest."""
    return profile.plugin == "none"


_BACKENDS: Final = codec(str, lambda value: {"nodeip": "NodeIP", "nodeipconfiguration": "NodeIPConfiguration"}[value.lower()])
"""Azure returns the type with a small first letter."""
LOAD_BALANCER: Final = Table(
    Row("managed_outbound_ips", "managedOutboundIPs.count", default=1),
    Row("outbound_ip_ids", "outboundIPs.publicIPs", codec=IDS),
    Row("outbound_ip_prefix_ids", "outboundIPPrefixes.publicIPPrefixes", codec=IDS),
    Row("allocated_outbound_ports", "allocatedOutboundPorts", default=0),
    Row("idle_timeout", "idleTimeoutInMinutes", codec=MINUTES, default=30),
    Row("managed_outbound_ips_v6", "managedOutboundIPs.countIPv6"),
    Row("backend_pool_type", "backendPoolType", codec=_BACKENDS, default="NodeIPConfiguration"),
    Note("unmodeled", "enableMultipleStandardLoadBalancers", KEPT, "several load balancers, which also need objects inside the cluster: in preview"),
    Note("read_only", "effectiveOutboundIPs"),
)
NAT_GATEWAY: Final = Table(
    Row("managed_outbound_ips", "managedOutboundIPProfile.count", default=1),
    Row("idle_timeout", "idleTimeoutInMinutes", codec=MINUTES, default=4),
    Note("read_only", "effectiveOutboundIPs"),
)
_ACNS: Final = "advancedNetworking"
_ADVANCED: Final = Presence(f"{_ACNS}.enabled", on=True, off=(None, False))
ADVANCED_NETWORKING: Final = Table(
    Row("observability", f"{_ACNS}.observability.enabled"),
    Row("security", f"{_ACNS}.security.enabled"),
    Row("policies", f"{_ACNS}.security.advancedNetworkPolicies"),
    Row("encryption", f"{_ACNS}.security.transitEncryption.type", default="None", since="2026-01-01"),
    Row("acceleration", f"{_ACNS}.performance.accelerationMode", ADVANCED, default="None", since="2026-01-01"),
)
NETWORK_PROFILE: Final = Table(
    Row("plugin", "networkPlugin", REPLACED),
    Row("plugin_mode", "networkPluginMode", REPLACED, compute=_mode),
    Row("dataplane", "networkDataplane", REPLACED, compute=_dataplane, default=DATAPLANE),
    Row("policy", "networkPolicy", REPLACED, compute=computed(lambda profile, _: None if _is_bring_your_own(profile) else profile.enforced_policy)),
    Row("outbound_type", "outboundType", REPLACED, default="loadBalancer"),
    Ranges("pod_cidr", "pod_cidr_v6", "podCidr", "podCidrs", _pods, REPLACED, POD_RANGE),
    Ranges("service_cidr", "service_cidr_v6", "serviceCidr", "serviceCidrs", _services, REPLACED, SERVICE_RANGE),
    Row("ip_families", "ipFamilies", FAMILIES, default=["IPv4"]),
    Part("load_balancer", "loadBalancerProfile", LOAD_BALANCER, KEPT),
    Note("derived", "dnsServiceIP", REPLACED, "the tenth address of the service CIDR", compute=_dns),
    Always("loadBalancerSku", "standard", CREATED_WITH),
    Part("nat_gateway", "natGatewayProfile", NAT_GATEWAY, KEPT),
    Part("advanced", "", ADVANCED_NETWORKING, KEPT, presence=_ADVANCED),
    Note("refused", "networkMode", REPLACED, "read 2026-11-28: for the legacy Azure CNI: new clusters can only use `transparent`"),
    Row("static_egress_gateway", "staticEgressGatewayProfile.enabled", KEPT, default=False),
)

"""Network settings of an AKS cluster: subnets, NAT gateways, the source of system images if it is isolated. Facts: docs/facts/aks.md § 2.7, § 8."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Discriminator, Field

from nodepools.model.base import Model
from nodepools.model.cidr import Cidr, Cidr6, part
from nodepools.model.kubernetes.duration import Duration
from nodepools.model.ref import KNOWN, Ref


class NatGateway(Model):
    """A new NAT gateway on all subnets of a new network, with public IPv4 addresses of its own.

    Source: https://learn.microsoft.com/azure/aks/nat-gateway
    """

    addresses: int = Field(default=1, ge=1, le=16)
    """Number of public IP addresses, 1 to 16. Each has 64,512 outbound ports for all nodes together. More are
    added in place; fewer break the connections of those that go."""
    zone: Literal[1, 2, 3] | None = None
    """Availability zone of the gateway. Default: none, Azure selects one. A change replaces the gateway and its addresses."""
    idle_timeout: Duration | None = None
    """When an idle flow is dropped, in whole minutes, `4m` (cloud default) to `120m`. A change is in place."""


class ManagedNatGateway(Model):
    """Settings of the NAT gateway that AKS manages, with `outbound_type="managedNATGateway"`.

    Source: https://learn.microsoft.com/azure/aks/nat-gateway
    """

    managed_outbound_ips: int | None = Field(default=None, ge=1, le=16)
    """Number of public IP addresses that AKS creates, 1 to 16. Cloud default 1. A change is in place."""
    idle_timeout: Duration | None = None
    """When an idle flow is dropped, in whole minutes, `4m` (cloud default) to `120m`. A change is in place."""


class ImageCache(Model):
    """Nodes pull system images from a registry in your network instead of the internet, as network isolated clusters require.

    Source: https://learn.microsoft.com/azure/aks/network-isolated
    """

    registry_id: Ref | None = None
    """Id of an existing container registry with a private endpoint and a cache rule from `mcr.microsoft.com/*` to `aks-managed-repository/*`. A new
    identity of nodes gets the same roles on it as on `registries`; for an existing one, list it there. Default: a registry that AKS creates."""


class AksNetworkArgs(Model):
    """A new virtual network for the cluster, with a subnet for its nodes."""

    kind: Literal["AksNetwork"] = "AksNetwork"
    cidr: Cidr = "10.224.0.0/16"
    """Address range of the virtual network."""
    node_subnet_cidr: Cidr | None = None
    """Range of the subnet for all nodes, inside `cidr`. Default: the first quarter of `cidr`."""
    pool_subnets: Mapping[str, Cidr] = {}
    """Pool key to the range of the pool's own subnet, inside `cidr`."""
    pod_subnet_cidr: Cidr | None = None
    """Range of a subnet for the pods of all pools, inside `cidr`. Use it with `plugin_mode=None`: pods then have addresses of the virtual network."""

    cidr_v6: Cidr6 | None = None
    """IPv6 range of the virtual network, /64 or larger. Each node subnet gets the /64 at the position that its IPv4 range has in `cidr`. Default with
    `ip_families=["IPv4", "IPv6"]`: a private range, so give peered networks different ones."""

    nat: NatGateway | None = None
    """A NAT gateway for all subnets, with `outbound_type="userAssignedNATGateway"`. Its addresses are added to `authorized_ip_ranges` that are set.
    Default: none. On an existing cluster, new connections use the gateway and existing ones break; nodes stay."""
    route_table_id: Ref | None = None
    """Id of an existing route table for all subnets, with a route `0.0.0.0/0` to a firewall, for `outbound_type="userDefinedRouting"`. Default:
    none."""

    @property
    def node_range(self) -> str:
        """Range of the subnet for all nodes, with the default filled in. The other three quarters are for subnets of pools and later additions."""
        prefix = int(self.cidr.partition("/")[2])
        return self.node_subnet_cidr or part(self.cidr, min(prefix + 2, 32), 0)


class ExistingAksNetwork(Model):
    """An existing subnet. The identity that is created gets the role Network Contributor on it; an existing `identity` gets no role."""

    kind: Literal["ExistingAksNetwork"] = "ExistingAksNetwork"
    subnet_id: Ref
    """Id of the subnet for all nodes."""
    pod_subnet_id: Ref | None = None
    """Id of the subnet for the pods of all pools, in the same virtual network. Use it with `plugin_mode=None`."""
    cidr: Cidr | None = None
    """Range of the virtual network, for checks and for the default pod and service CIDRs."""


class ManagedAksNetwork(Model):
    """A virtual network that AKS creates with the cluster, in the node resource group, for an existing cluster. All pools are in its one subnet."""

    kind: Literal["ManagedAksNetwork"] = "ManagedAksNetwork"
    cidr: Cidr | None = None
    """Range of the virtual network, for checks and for the default pod and service CIDRs. AKS uses `10.224.0.0/12`, and `10.0.0.0/8` for older
    clusters."""

    @property
    def subnet_id(self) -> None:
        """AKS selects the subnet."""

    @property
    def pod_subnet_id(self) -> None:
        """Such a network has no subnet for pods."""


AksNetwork = Annotated[AksNetworkArgs | ExistingAksNetwork | ManagedAksNetwork, Discriminator("kind"), KNOWN]


class LoadBalancer(Model):
    """Outbound settings of the cluster's load balancer."""

    managed_outbound_ips: int | None = Field(default=None, ge=1, le=100)
    """Number of public IP addresses that AKS creates, 1 to 100. Cloud default 1."""
    managed_outbound_ips_v6: int | None = Field(default=None, ge=1, le=100)
    """Number of public IPv6 addresses that AKS creates for a dual-stack cluster, 1 to 100. Cloud default 1."""
    outbound_ip_ids: Sequence[Ref] = ()
    """Ids of existing public IP addresses to use instead."""
    outbound_ip_prefix_ids: Sequence[Ref] = ()
    """Ids of existing public IP prefixes to use instead."""
    allocated_outbound_ports: int | None = Field(default=None, ge=0, le=64000)
    """SNAT ports per node, 0 to 64000. 0 (cloud default) divides them by the number of nodes."""
    idle_timeout: Duration | None = None
    """When an idle flow is dropped, in whole minutes, `4m` to `120m`. Cloud default 30m."""
    backend_pool_type: Literal["NodeIPConfiguration", "NodeIP"] | None = None
    """How nodes join the load balancer: by network interface (`NodeIPConfiguration`, cloud default) or by IP address. `NodeIP` requires a role on the
    whole virtual network. A change is in place."""


class AdvancedContainerNetworking(Model):
    """Advanced Container Networking Services, which Azure bills by node. A change of `acceleration` reimages all nodes, others are in place."""

    observability: bool | None = None
    """Whether metrics and logs of network flows are collected. Cloud default true."""
    security: bool | None = None
    """Whether network policies can name domains and layer 7 protocols. Cloud default true on the Cilium dataplane."""
    policies: Literal["None", "FQDN", "L7"] | None = None
    """What network policies can name: nothing more, domains (`FQDN`), or layer 7 protocols too (`L7`)."""
    encryption: Literal["None", "WireGuard"] | None = None
    """Encryption of the traffic between nodes. Cloud default `None`. From version 2026-01-01 of the API."""
    acceleration: Literal["None", "BpfVeth"] | None = None
    """Acceleration of the traffic of pods with eBPF. Cloud default `None`. From version 2026-01-01 of the API."""


class NetworkProfile(Model):
    """Network settings of pods and services. A change of most of them replaces the cluster."""

    plugin: Literal["azure", "kubenet", "none"] = "azure"
    """`azure` is Azure CNI. With `none` you install your own CNI plugin. `kubenet` is for existing clusters: its support ends on 2028-03-31. Overlay
    networking and the dataplane are settings of `azure`."""
    plugin_mode: Literal["overlay"] | None = "overlay"
    """`overlay` gives pods a CIDR of their own. `None` gives them addresses of the nodes' subnet."""
    dataplane: Literal["azure", "cilium"] = "cilium"
    """`cilium` uses eBPF, `azure` uses iptables. Cloud default `azure`. The documentation of node auto provisioning recommends Cilium."""
    policy: Literal["cilium", "azure", "calico", "none"] | None = None
    """Engine that enforces network policies. Default: `cilium` on its own dataplane, otherwise none."""
    outbound_type: Literal["loadBalancer", "userDefinedRouting", "userAssignedNATGateway", "managedNATGateway", "none"] = "loadBalancer"
    """Outbound route of the nodes. Cloud default `loadBalancer`. `managedNATGateway` is only for networks that AKS creates."""
    pod_cidr: Cidr | None = None
    """Pod CIDR with overlay networking or kubenet. Each node gets a /24. Default: a range that overlaps no other."""
    service_cidr: Cidr | None = None
    """Service CIDR. Default: a range that overlaps no other."""
    ip_families: Sequence[Literal["IPv4", "IPv6"]] = ("IPv4",)
    """Single-stack or dual-stack (`["IPv4", "IPv6"]`). With dual-stack, pods, services and a new virtual network have ranges of both families."""
    pod_cidr_v6: Cidr6 | None = None
    """IPv6 pod CIDR with dual-stack. Each node gets a /80. Default: a private /64."""
    service_cidr_v6: Cidr6 | None = None
    """IPv6 service CIDR with dual-stack, /108 or smaller. Default: a private range."""
    load_balancer: LoadBalancer | None = None
    """Outbound IP addresses and ports of the load balancer. Default: one managed address."""
    nat_gateway: ManagedNatGateway | None = None
    """Settings of the NAT gateway of `outbound_type="managedNATGateway"`. Default: one managed address."""
    advanced: AdvancedContainerNetworking | None = None
    """Advanced Container Networking Services. Default: none."""
    static_egress_gateway: bool | None = None
    """Whether pods can leave the cluster through gateway pools, which have fixed addresses. Cloud default false. A change is in place.
    Source: https://learn.microsoft.com/azure/aks/configure-static-egress-gateway"""

    @property
    def is_dual(self) -> bool:
        """The cluster is dual-stack."""
        return set(self.ip_families) == {"IPv4", "IPv6"}

    @property
    def enforced_policy(self) -> str | None:
        """Engine that enforces network policies, with the default filled in."""
        by_default = self.policy is None and self.dataplane == "cilium" and self.plugin != "kubenet"
        return "cilium" if by_default else self.policy

"""Where an AKS cluster stands in the network. Facts: docs/facts/aks.md § 2.7, § 8."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Discriminator, Field

from nodepools.model.base import Model
from nodepools.model.cidr import Cidr, Cidr6, part
from nodepools.model.kubernetes.duration import Duration
from nodepools.model.ref import KNOWN, Ref


class AksNetworkArgs(Model):
    """A virtual network made for the cluster, with a subnet for its nodes."""

    kind: Literal["AksNetwork"] = "AksNetwork"
    cidr: Cidr = "10.224.0.0/16"
    """Address range of the virtual network."""
    node_subnet_cidr: Cidr | None = None
    """Range of the subnet of all nodes, inside `cidr`; its first quarter when left out."""
    pool_subnets: Mapping[str, Cidr] = {}
    """Pool key to the range of a subnet of its own, inside `cidr`."""
    pod_subnet_cidr: Cidr | None = None
    """Range of a subnet for the pods of all pools, inside `cidr`: for pods with addresses of the network, with `plugin_mode=None`."""

    cidr_v6: Cidr6 | None = None
    """IPv6 range of the virtual network, /64 or larger. Each subnet of nodes has the /64 of it that lies where its IPv4 range lies in `cidr`.
    With `ip_families=["IPv4", "IPv6"]` a private range when left out: give networks that are peered ranges of their own."""

    @property
    def node_range(self) -> str:
        """Range of the subnet of all nodes, with the default filled in: three quarters are left for subnets of pools, and for what comes later."""
        prefix = int(self.cidr.partition("/")[2])
        return self.node_subnet_cidr or part(self.cidr, min(prefix + 2, 32), 0)


class ExistingAksNetwork(Model):
    """A subnet that exists. With a brought identity nothing is granted on it; else the cluster's identity becomes its Network Contributor."""

    kind: Literal["ExistingAksNetwork"] = "ExistingAksNetwork"
    subnet_id: Ref
    """Id of the subnet of all nodes."""
    pod_subnet_id: Ref | None = None
    """Id of the subnet for the pods of all pools, in the same virtual network: with `plugin_mode=None`."""
    cidr: Cidr | None = None
    """Range of its virtual network, for the checks and for the defaults of pod and service ranges."""


class ManagedAksNetwork(ExistingAksNetwork):
    """A network that AKS makes, of which no program knows the subnet: none of ours, but other programs leave it to AKS."""


AksNetwork = Annotated[AksNetworkArgs | ExistingAksNetwork, Discriminator("kind"), KNOWN]


class LoadBalancer(Model):
    """How nodes reach the internet by the cluster's load balancer."""

    managed_outbound_ips: int | None = Field(default=None, ge=1, le=100)
    """Public addresses that AKS makes, 1 to 100. Cloud default 1."""
    outbound_ip_ids: Sequence[Ref] = ()
    """Ids of public addresses of your own, in place of AKS's."""
    outbound_ip_prefix_ids: Sequence[Ref] = ()
    """Ids of public IP prefixes of your own, in place of AKS's."""
    allocated_outbound_ports: int | None = Field(default=None, ge=0, le=64000)
    """SNAT ports a node, 0 to 64000; 0, the cloud's default, divides them by the number of nodes."""
    idle_timeout: Duration | None = None
    """When an idle flow is forgotten, whole minutes, `4m` to `120m`. Cloud default 30m."""


class NetworkProfile(Model):
    """How pods and services are networked. Azure replaces the whole cluster when most of these change."""

    plugin: Literal["azure", "none"] = "azure"
    """Azure CNI, or bring your own."""
    plugin_mode: Literal["overlay"] | None = "overlay"
    """Pods in a range of their own; `None` puts them into the nodes' subnet."""
    dataplane: Literal["azure", "cilium"] = "cilium"
    """eBPF by Cilium, or iptables. Cloud default `azure`; Cilium is what node auto provisioning is documented with."""
    policy: Literal["cilium", "azure", "calico", "none"] | None = None
    """Who enforces network policies; Cilium on its own dataplane when left out, nobody otherwise."""
    outbound_type: Literal["loadBalancer", "userDefinedRouting", "userAssignedNATGateway", "managedNATGateway", "none"] = "loadBalancer"
    """How nodes reach the internet. Cloud default `loadBalancer`; `managedNATGateway` not in a network of your own."""
    pod_cidr: Cidr | None = None
    """Range of the pods in overlay mode, a /24 a node; one that meets no other when left out."""
    service_cidr: Cidr | None = None
    """Range of the services; one that meets no other when left out."""
    ip_families: Sequence[Literal["IPv4", "IPv6"]] = ("IPv4",)
    """Single or dual stack, `["IPv4", "IPv6"]`: then pods, services and a network that is made have ranges of both families."""
    pod_cidr_v6: Cidr6 | None = None
    """IPv6 range of the pods in dual stack, a /80 a node; a private /64 when left out."""
    service_cidr_v6: Cidr6 | None = None
    """IPv6 range of the services in dual stack, /108 or smaller; a private one when left out."""
    load_balancer: LoadBalancer | None = None
    """Outbound addresses and ports of the load balancer; as Azure has them when left out."""

    @property
    def is_dual(self) -> bool:
        """Pods and services have addresses of both families."""
        return set(self.ip_families) == {"IPv4", "IPv6"}

    @property
    def enforced_policy(self) -> str | None:
        """Who enforces network policies, with the default filled in."""
        return "cilium" if self.policy is None and self.dataplane == "cilium" else self.policy

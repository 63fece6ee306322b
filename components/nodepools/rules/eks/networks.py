"""Private networks, IPv6 and network policies of EKS clusters. Facts: docs/facts/eks.md § 13, § 19."""

import re
from collections.abc import Iterator
from typing import Final

from nodepools.model.derive import derive
from nodepools.model.eks.cluster import EksClusterArgs, EksNetworkArgs
from nodepools.model.eks.node_class import AdvancedNetworking, EksNodeClass, NetworkInterface
from nodepools.rules.engine.finding import Fix, PartFinding, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import FILES_WITHOUT_FAMILY, NETWORKS, Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import auto_mode, eks

GUIDE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/auto-net-pol.html: the ConfigMap first, then the NodeClass (2026-01)"


@warning("EKS096", GUIDE)
@sample(
    "auto_mode.node_classes.strict.network_policy",
    lambda: derive(auto_mode(classes={"strict": EksNodeClass(network_policy="DefaultDeny")}), objects={"network_policies": False}),
)
def network_policy_without_controller(node_class: EksNodeClass, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Network policies are enforced only where ConfigMap `kube-system/amazon-vpc-cni` turns their controller on."""
    if node_class.needs_network_policies and cluster.objects.network_policies is False:
        off = remove("objects.network_policies", part=EksClusterArgs)
        fix = Fix(f"{sentence([off])} (default: the ConfigMap is created)", (off,))
        yield finding(node_class, without_effect(node_class), path=field_of(node_class), fix=fix)


def field_of(node_class: EksNodeClass) -> str:
    """The field that has no effect while the controller is off."""
    return "network_policy" if node_class.network_policy == "DefaultDeny" else "network_policy_event_logs"


def without_effect(node_class: EksNodeClass) -> str:
    """The message for a NodeClass if the network policy controller is off."""
    value = node_class.network_policy if node_class.network_policy == "DefaultDeny" else node_class.network_policy_event_logs
    return (
        f"`{value}` has no effect without the ConfigMap `kube-system/amazon-vpc-cni`, which is not declared here "
        '(`enable-network-policy-controller: "true"`)'
    )


_IPV6: Final = "https://docs.aws.amazon.com/eks/latest/userguide/cni-ipv6.html"
_PUBLIC: Final = {"ingress_class": {"scheme": "internet-facing"}}


@error("EKS148", "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-nat-gateway.html: a public NAT gateway is in a public subnet")
@limited(NETWORKS)
@sample("network.nat", lambda: eks(network={"public_subnets": False}))
def nat_without_public_subnets(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """A NAT gateway to the internet requires a public subnet."""
    if network.nat is not None and not network.public_subnets:
        message = f"NAT gateways need public subnets, and {ref('public_subnets')} is off"
        fix = Fix(f"Remove {ref('public_subnets')} (default: on), or set {ref('nat')} to {literal(None)}", (remove("public_subnets"),))
        yield finding(network, message, path="nat", fix=fix)


@error(
    "EKS192", "EC2 API reference, CreateVpcEndpoint (2026-11): ServiceName; private DNS names conflict with those of a second endpoint of the service"
)
@limited(NETWORKS)
@sample("network.endpoints[1]", lambda: eks(network={"endpoints": ["sts", "com.amazonaws.us-east-1.sts"]}))
def endpoint_of_another_region(network: EksNetworkArgs, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """A VPC has one endpoint of each service of its region; the full name of a service contains the region."""
    start, seen = f"com.amazonaws.{cluster.region}.", dict[str, str]()
    for index, service in enumerate(network.endpoints):
        place = re.match(r"com\.amazonaws\.([a-z]+(-[a-z]+)+-[0-9]+)\.", service)
        if place is not None and place[1] != cluster.region:
            message = f"AWS rejects the endpoint `{service}`: the network is in {cluster.region}"
            yield finding(network, message, path=("endpoints", index), fix=f"Use `{service.removeprefix(place[0])}`, the service in this region")
        first = seen.setdefault(service.removeprefix(start), service)
        if first != service:
            message = f"AWS rejects a second endpoint of one service: `{first}` and `{service}` are the same"
            yield finding(network, message, path=("endpoints", index), fix=remove(("endpoints", index)))


@error("EKS149", f"{_IPV6}: VPC and subnets with IPv6 ranges")
@limited(NETWORKS)
@sample("ip_family", lambda: eks(ip_family="IPv6"))
def ipv6_cluster_in_ipv4_network(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS requires IPv6 ranges of the VPC and of the subnets of an IPv6 cluster."""
    if cluster.ip_family == "IPv6" and isinstance(cluster.network, EksNetworkArgs) and not cluster.network.ipv6:
        message = "EKS rejects an IPv6 cluster in subnets without IPv6 ranges: this network has only IPv4"
        yield finding(cluster, message, path="ip_family", fix=set_to("network.ipv6", value=True))


@error("EKS150", "EKS API reference, KubernetesNetworkConfigRequest: serviceIpv4Cidr is not for IPv6 clusters")
@sample("service_cidr", lambda: eks(ip_family="IPv6", network={"ipv6": True}, service_cidr="172.20.0.0/16"))
def service_range_of_ipv6_cluster(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS chooses the service range of an IPv6 cluster."""
    if cluster.ip_family == "IPv6" and cluster.service_cidr is not None:
        message = f"EKS rejects {ref('service_cidr')} for an IPv6 cluster: it chooses that range itself"
        yield finding(cluster, message, path="service_cidr", fix=remove("service_cidr"))


@warning("EKS151", "https://docs.aws.amazon.com/eks/latest/userguide/tag-subnets-auto.html: internet-facing load balancers are in public subnets")
@limited(Limit(Where.UNREAD, "networks and ingress classes are separate resources, which are not checked"))
@sample(
    "objects.ingress_class.scheme",
    lambda: eks(network={"public_subnets": False, "nat": None, "endpoints": ["ec2", "ecr.api", "ecr.dkr", "s3"]}, objects=_PUBLIC),
)
def public_ingress_without_public_subnets(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """An internet-facing load balancer requires public subnets."""
    ingress = cluster.objects.ingress_class
    if ingress is not None and ingress.scheme == "internet-facing" and not cluster.network.public_subnets:
        message = "Ingresses of this class get no load balancer: the network has no public subnets"
        fix = Fix(f"Remove {ref('objects.ingress_class.scheme')} (default here: `internal`)", (remove("objects.ingress_class.scheme"),))
        yield finding(cluster, message, path=("objects", "ingress_class", "scheme"), fix=fix)


@note("EKS152", f"{_IPV6}; https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html, 2026-02-02: enableV4Egress")
@limited(FILES_WITHOUT_FAMILY)
@sample(
    "auto_mode.node_classes.own.advanced_networking",
    lambda: derive(auto_mode(classes={"own": EksNodeClass()}), ip_family="IPv6", network={"ipv6": True}),
)
def ipv6_pods_without_ipv4_egress(node_class: EksNodeClass, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Pods of an IPv6 cluster reach IPv4 destinations only if their NodeClass translates addresses."""
    networking = node_class.advanced_networking
    if cluster.ip_family == "IPv6" and (networking is None or networking.enable_v4_egress is not True):
        egress = ref(("advanced_networking", "enable_v4_egress"))
        message = f"Pods on these nodes cannot reach IPv4 destinations: they have only IPv6 addresses, and {egress} is off"
        yield finding(node_class, message, path="advanced_networking", value=None)


@warning("EKS220", "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html, 2026-07-21: networkInterfaces, not with IPv6")
@limited(FILES_WITHOUT_FAMILY)
@sample(
    "auto_mode.node_classes.own.advanced_networking.network_interfaces[0].secondary_ipv4_count",
    lambda: derive(
        auto_mode(
            classes={"own": EksNodeClass(advanced_networking=AdvancedNetworking(network_interfaces=[NetworkInterface(secondary_ipv4_count=2)]))}
        ),
        ip_family="IPv6",
        network={"ipv6": True},
    ),
)
def ipv4_counts_in_ipv6_cluster(node_class: EksNodeClass, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Numbers of IPv4 addresses and prefixes of an interface are for pods of IPv4 clusters alone."""
    networking = node_class.advanced_networking
    for index, interface in enumerate(networking.network_interfaces if networking is not None and cluster.ip_family == "IPv6" else ()):
        for field in ("secondary_ipv4_count", "secondary_ipv4_prefix_count"):
            at = ("advanced_networking", "network_interfaces", index, field)
            if getattr(interface, field) is not None:
                message = f"Auto Mode does not accept {ref(at)} in an IPv6 cluster, whose pods have IPv6 addresses: no node is launched"
                yield finding(node_class, message, path=at, fix=remove(at))

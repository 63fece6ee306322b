"""What AKS asks of address ranges and of the network profile."""

from collections.abc import Iterator
from itertools import combinations

from nodepools.model.address import inside, meet
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetwork, AksNetworkArgs, ExistingAksNetwork, ManagedAksNetwork, NetworkProfile
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.path import Step
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_REFUSED = ("169.254.0.0/16", "172.30.0.0/16", "172.31.0.0/16", "192.0.2.0/24")
_APART = "give them ranges that do not meet"
_PLANNING = "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning"


@rule(
    "AKS040",
    Severity.ERROR,
    source=f"{_PLANNING}: the ranges must not overlap; ServiceCidrOverlapExistingSubnetsCidr",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16"}, network_profile={"service_cidr": "10.10.0.0/20"}),
)
def overlapping_ranges(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The subnets, the pods and the services of a cluster have ranges of their own."""
    taken = list(_subnets(cluster.network))
    for name, cidr, at in _of_cluster(cluster):
        met = next((one for one in taken if meet(cidr, one[1])), None)
        if met is not None:
            yield finding(cluster, f"is the range of the {name}, and {_meets(*met)}", at=at, value=cidr, fix=_APART)
        taken.append((name, cidr))


@rule(
    "AKS235",
    Severity.WARNING,
    source=f"{_PLANNING}; https://learn.microsoft.com/azure/aks/concepts-network-legacy-cni: not within the range of the virtual network",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16"}, network_profile={"service_cidr": "10.10.128.0/20"}),
)
def cluster_range_inside_network(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Pods and services have ranges outside of the virtual network: AKS looks at its subnets only, and later ones may be of any range of it."""
    network = cluster.network.cidr
    for name, cidr, at in _of_cluster(cluster):
        if network is not None and meet(cidr, network) and not any(meet(cidr, subnet) for _, subnet in _subnets(cluster.network)):
            yield finding(cluster, f"is the range of the {name}, and {_meets('network', network)}", at=at, value=cidr, fix=_APART)


def _meets(other: str, taken: str) -> str:
    return f"meets that of the {other}, {taken}"


def _subnets(network: AksNetwork) -> Iterator[tuple[str, str]]:
    """Ranges in which subnets certainly are, with what they are for."""
    if isinstance(network, AksNetworkArgs):
        yield "nodes", network.node_range
        yield from ((f"nodes of {key}", cidr) for key, cidr in network.pool_subnets.items())
        if network.pod_subnet_cidr is not None:
            yield "subnet of the pods", network.pod_subnet_cidr


@rule(
    "AKS041",
    Severity.ERROR,
    source=f"{_PLANNING}: ranges that AKS clusters may not use; checked by the API since 2026-05-29",
    sample=lambda: aks(network_profile={"pod_cidr": "172.30.0.0/16"}),
)
def reserved_aks_range(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS refuses 169.254.0.0/16, 172.30.0.0/16, 172.31.0.0/16 and 192.0.2.0/24 for the network, pods and services."""
    for name, cidr, at in _ranges(cluster):
        refused = [taken for taken in _REFUSED if meet(cidr, taken)]
        if refused:
            yield finding(
                cluster, f"is the range of the {name}, and meets {refused[0]}, which AKS refuses", at=at, value=cidr, fix="take another private range"
            )


@rule(
    "AKS042",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: subnets lie inside their network and do not overlap",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16", "pool_subnets": {"web": "10.99.0.0/24"}}),
)
def subnet_outside_network(network: AksNetworkArgs) -> Iterator[PartFinding]:
    """Subnets lie inside the network, and beside each other. The subnet of all nodes is the first quarter, when it is not given."""
    of_pools = [(key, cidr, ("pool_subnets", key)) for key, cidr in network.pool_subnets.items()]
    subnets: list[tuple[str, str, tuple[Step, ...]]] = [("all nodes", network.node_range, ("node_subnet_cidr",)), *of_pools]
    for _, cidr, at in subnets:
        if not inside(cidr, network.cidr):
            yield finding(network, f"lies outside of the network, {network.cidr}", at=at, fix=f"choose a range inside {network.cidr}")
    for (whose, other, _), (_, cidr, at) in combinations(subnets, 2):
        if meet(other, cidr):
            yield finding(network, f"meets the subnet of {whose}, {other}", at=at, fix="give them ranges that do not meet")


@rule(
    "AKS043",
    Severity.ERROR,
    source="nodepools: a subnet is made for a pool of this cluster",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16", "pool_subnets": {"wbe": "10.10.64.0/24"}}),
)
def subnet_for_unknown_pool(network: AksNetworkArgs, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """`pool_subnets` names agent pools of the cluster."""
    known = [key for key, _ in cluster.all_pools()]
    for key in network.pool_subnets:
        if key not in known:
            yield finding(network, "is no agent pool of this cluster", at=("pool_subnets", key), value=key, fix=f"name one of {', '.join(known)}")


@rule(
    "AKS044",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/nat-gateway: a managed NAT gateway is not possible with a virtual network of your own",
    sample=lambda: aks(network_profile={"outbound_type": "managedNATGateway"}),
)
def managed_nat_gateway_in_own_network(profile: NetworkProfile, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Clusters stand in a network of their own here, where AKS cannot manage a NAT gateway."""
    if profile.outbound_type == "managedNATGateway" and _is_own(cluster):
        yield finding(
            profile,
            "is not possible in a network of your own",
            at="outbound_type",
            fix="use loadBalancer, or userAssignedNATGateway with a gateway on the subnet",
        )


def _is_own(cluster: AksClusterArgs) -> bool:
    """Its nodes are in a network that AKS did not make; not known where their subnet is not."""
    network = cluster.network
    return not isinstance(network, ManagedAksNetwork) and (not isinstance(network, ExistingAksNetwork) or bool(network.subnet_id))


@rule(
    "AKS045",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium; CiliumDataplaneRequiresNetworkPolicyCilium",
    sample=lambda: NetworkProfile(policy="calico"),
)
def dataplane_policy_conflict(profile: NetworkProfile) -> Iterator[PartFinding]:
    """The Cilium dataplane enforces network policies itself, and Cilium policies need that dataplane."""
    if profile.plugin != "azure":
        return
    if profile.dataplane == "cilium" and profile.policy in ("azure", "calico", "none"):
        yield finding(profile, "is not possible on the Cilium dataplane", at="policy", fix='leave it out, or write dataplane="azure"')
    if profile.dataplane != "cilium" and profile.policy == "cilium":
        yield finding(profile, "needs the Cilium dataplane", at="policy", fix='write dataplane="cilium"')


def _ranges(cluster: AksClusterArgs) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    """What has a range, with where it is declared, or would be."""
    if cluster.network.cidr is not None:
        yield "network", cluster.network.cidr, ("network", "cidr")
    yield from _of_cluster(cluster)


def _of_cluster(cluster: AksClusterArgs) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    """The ranges that only the cluster knows."""
    if cluster.pod_cidr is not None:
        yield "pods", cluster.pod_cidr, ("network_profile", "pod_cidr")
    yield "services", cluster.service_cidr, ("network_profile", "service_cidr")

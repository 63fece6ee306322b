"""Address ranges and the network profile of AKS clusters."""

from collections.abc import Iterator
from itertools import combinations

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetwork, AksNetworkArgs, ExistingAksNetwork, NetworkProfile
from nodepools.model.aks.pools import WindowsPool
from nodepools.model.cidr import inside, overlap
from nodepools.model.nearest import nearest
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.fix import Fix, FixLike, rename, set_to
from nodepools.rules.engine.registry import NETWORKS, Sample, finding, rule
from nodepools.rules.engine.samples import aks

_REFUSED = ("169.254.0.0/16", "172.30.0.0/16", "172.31.0.0/16", "192.0.2.0/24")
_APART = "Use ranges that do not overlap"
_SHOWN = 5
_PLANNING = "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning"


@rule(
    "AKS040",
    Severity.ERROR,
    source=f"{_PLANNING}: the ranges must not overlap; ServiceCidrOverlapExistingSubnetsCidr",
    sample=Sample("network_profile.service_cidr", lambda: aks(network={"cidr": "10.10.0.0/16"}, network_profile={"service_cidr": "10.10.0.0/20"})),
)
def overlapping_ranges(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS requires that the ranges of subnets, pods and services of a cluster do not overlap."""
    taken = list(_subnets(cluster.network))
    for name, cidr, at in _of_cluster(cluster):
        met = next((other for other in taken if overlap(cidr, other[1])), None)
        if met is not None:
            yield finding(cluster, f"The {name} (`{cidr}`) overlaps the {met[0]} (`{met[1]}`)", path=at, value=cidr, fix=_APART)
        taken.append((name, cidr))


@rule(
    "AKS235",
    Severity.WARNING,
    source=f"{_PLANNING}; https://learn.microsoft.com/azure/aks/concepts-network-legacy-cni: not within the range of the virtual network",
    sample=Sample("network_profile.service_cidr", lambda: aks(network={"cidr": "10.10.0.0/16"}, network_profile={"service_cidr": "10.10.128.0/20"})),
    limits=(NETWORKS,),
)
def cluster_range_inside_network(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents pod and service ranges outside the virtual network, but checks only the subnets that exist."""
    network = cluster.network.cidr
    for name, cidr, at in _of_cluster(cluster):
        if network is not None and overlap(cidr, network) and not any(overlap(cidr, subnet) for _, subnet in _subnets(cluster.network)):
            message = f"The {name} (`{cidr}`) overlaps the virtual network (`{network}`): a subnet that is added later can overlap it"
            yield finding(cluster, message, path=at, value=cidr, fix=f"Use a range outside `{network}`")


def _subnets(network: AksNetwork) -> Iterator[tuple[str, str]]:
    """Ranges that are guaranteed to contain subnets, each with its use."""
    if isinstance(network, AksNetworkArgs):
        yield "node subnet", network.node_range
        yield from ((f"subnet of the pool `{key}`", cidr) for key, cidr in network.pool_subnets.items())
        if network.pod_subnet_cidr is not None:
            yield "pod subnet", network.pod_subnet_cidr


@rule(
    "AKS041",
    Severity.ERROR,
    source=f"{_PLANNING}: ranges that AKS clusters may not use; checked by the API since 2026-05-29",
    sample=Sample("network_profile.pod_cidr", lambda: aks(network_profile={"pod_cidr": "172.30.0.0/16"})),
)
def reserved_aks_range(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects 169.254.0.0/16, 172.30.0.0/16, 172.31.0.0/16 and 192.0.2.0/24 for the virtual network, pods and services."""
    for name, cidr, at in _ranges(cluster):
        refused = [taken for taken in _REFUSED if overlap(cidr, taken)]
        if refused:
            message = f"The {name} (`{cidr}`) overlaps `{refused[0]}`, which AKS reserves"
            yield finding(cluster, message, path=at, value=cidr, fix="Use another private range")


@rule(
    "AKS042",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: subnets lie inside their network and do not overlap",
    sample=Sample("network.pool_subnets.web", lambda: aks(network={"cidr": "10.10.0.0/16", "pool_subnets": {"web": "10.99.0.0/24"}})),
    limits=(NETWORKS,),
)
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
            yield finding(network, f"The {other} (`{taken}`) overlaps the {name} (`{cidr}`)", path=at, fix=_APART)


@rule(
    "AKS043",
    Severity.ERROR,
    source="nodepools: a subnet is created for a pool of this cluster",
    sample=Sample("network.pool_subnets.wbe", lambda: aks(network={"cidr": "10.10.0.0/16", "pool_subnets": {"wbe": "10.10.64.0/24"}})),
    limits=(NETWORKS,),
)
def subnet_for_unknown_pool(network: AksNetworkArgs, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The keys of `pool_subnets` must be keys of agent pools of the cluster."""
    known = [key for key, _ in cluster.all_pools()]
    for key in network.pool_subnets:
        if key not in known:
            message = f"`{key}` is not an agent pool of this cluster"
            yield finding(network, message, path=("pool_subnets", key), value=key, fix=_renamed(network, key, known))


@rule(
    "AKS044",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/nat-gateway: a managed NAT gateway is not possible with a virtual network of your own",
    sample=Sample("network_profile.outbound_type", lambda: aks(network_profile={"outbound_type": "managedNATGateway"})),
)
def managed_nat_gateway_in_own_network(profile: NetworkProfile, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS manages NAT gateways only in virtual networks that it creates itself."""
    if profile.outbound_type == "managedNATGateway" and _is_own(cluster):
        message = "AKS does not support the outbound type `managedNATGateway` in a virtual network that it did not create"
        balancer = set_to("outbound_type", "loadBalancer")
        text = f"{balancer.text}, or to `userAssignedNATGateway` with a NAT gateway on the subnet"
        yield finding(profile, message, path="outbound_type", fix=Fix(text, (balancer,)))


def _is_own(cluster: AksClusterArgs) -> bool:
    """The nodes are in a network that AKS did not create; `False` if their subnet is unknown."""
    network = cluster.network
    return isinstance(network, AksNetworkArgs) or (isinstance(network, ExistingAksNetwork) and bool(network.subnet_id))


@rule(
    "AKS045",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium; CiliumDataplaneRequiresNetworkPolicyCilium",
    sample=Sample("policy", lambda: NetworkProfile(policy="calico")),
)
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
        yield finding(profile, message, path="policy", fix=set_to("policy", "calico") if has_windows else set_to("dataplane", "cilium"))


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

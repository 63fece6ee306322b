"""What AKS asks of a cluster: versions, and who may enter."""

import re
from collections.abc import Iterator

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork
from nodepools.model.aks.pools import AgentPool, UserPool
from nodepools.model.platform import Platform
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks, platform

_LONGEST_NAME = 90
_LONGEST_LABEL = 63
_SKEW = 3
_LABELS = "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay#limitations-with-azure-cni-overlay"
_SUPPORTED = "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions"


@rule(
    "AKS060",
    Severity.ERROR,
    source=f"{_SUPPORTED}: a node pool is never newer than its control plane",
    sample=lambda: aks(kubernetes_version="1.35", pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.36")}),
)
def pool_newer_than_cluster(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The nodes of a pool are never newer than the control plane."""
    if pool.kubernetes_version is not None:
        nodes, plane = _version(pool.kubernetes_version), _version(cluster.kubernetes_version)
        length = min(len(nodes), len(plane))  # "1.35" is some patch of 1.35: nobody knows which
        if nodes[:length] > plane[:length]:
            yield finding(
                pool, f"is newer than the control plane, {cluster.kubernetes_version}", at="kubernetes_version", fix="upgrade the cluster first"
            )


@rule(
    "AKS061",
    Severity.ERROR,
    source=f"{_SUPPORTED}: the control plane is at most three minor versions ahead",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.32")}),
)
def pool_too_far_behind_cluster(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The control plane is at most three minor versions ahead of a pool."""
    if pool.kubernetes_version is not None:
        behind = _version(cluster.kubernetes_version)[1] - _version(pool.kubernetes_version)[1]
        if behind > _SKEW:
            yield finding(
                pool,
                f"is {behind} minor versions behind the cluster",
                at="kubernetes_version",
                fix="upgrade the pool first, or leave its version out",
            )


@rule(
    "AKS062",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/manage-local-accounts-managed-azure-ad",
    sample=lambda: aks(entra=None),
)
def local_admin_credentials(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without Entra ID the kubeconfig holds a credential that does not expire with the person who has it."""
    if cluster.entra is None:
        yield finding(
            cluster, "leaves a static admin credential as the only way in", at="entra", fix="leave entra out: log-in by Entra ID is the default"
        )
        if cluster.admins:
            yield finding(cluster, "get a role that has no effect without Entra ID", at="admins", fix="remove them, or leave entra out")


@rule(
    "AKS063",
    Severity.ERROR,
    source="Azure API reference: managedClusters, dnsPrefix, letters, digits and hyphens; names of resource groups, 90 characters at most",
    sample=lambda: platform(we_u=aks()),
)
def invalid_aks_cluster_name(whole: Platform) -> Iterator[PartFinding]:
    """Platform and cluster key together name what is made, the DNS prefix with it: letters, digits and hyphens, 90 at most."""
    for key, cluster in whole.clusters.items():
        name = whole.stem(key)
        if isinstance(cluster, AksClusterArgs) and (len(name) > _LONGEST_NAME or not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?", name)):
            fix = f"use letters, digits and hyphens, {_LONGEST_NAME - len(whole.name) - 1} at most"
            yield finding(whole, f"makes {name}, which Azure refuses as a name", at=("clusters", key), value=key, fix=fix)


@rule(
    "AKS106",
    Severity.ERROR,
    source=f"{_LABELS}: names of network and resource group are labels of nodes; Azure/AKS CHANGELOG, 2023-11-28: dynamic allocation too",
    sample=lambda: platform(**{"w" * 60: aks()}),
)
def network_name_too_long_for_label(whole: Platform) -> Iterator[PartFinding]:
    """Virtual network and resource group are named in 63 characters where nodes carry these names as labels: in overlay, and with pod subnets."""
    for key, cluster in whole.clusters.items():
        if isinstance(cluster, AksClusterArgs) and _names_are_labels(cluster):
            name = whole.stem(key)
            if isinstance(cluster.network, AksNetworkArgs) and _LONGEST_LABEL < len(name) <= _LONGEST_NAME:
                message = f"makes a network of {len(name)} characters, {name}: {_LONGEST_LABEL} is the most, as nodes carry it as a label"
                yield finding(whole, message, at=("clusters", key), value=key, fix="shorten it")


@rule(
    "AKS107",
    Severity.ERROR,
    source=f"{_LABELS}: the names of a subnet of your own are labels of nodes; Azure/AKS CHANGELOG, 2023-11-28: dynamic allocation too",
    sample=lambda: aks(network=ExistingAksNetwork(subnet_id=f"/subscriptions/s/resourceGroups/{'g' * 70}/x/virtualNetworks/v/subnets/n")),
)
def existing_network_name_too_long_for_label(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Subnets, network and resource group are named in 63 characters where nodes carry these names as labels: in overlay, and with pod subnets."""
    if not isinstance(cluster.network, ExistingAksNetwork) or not _names_are_labels(cluster):
        return
    for field in ("subnet_id", "pod_subnet_id"):
        subnet = getattr(cluster.network, field)
        for name in subnet.split("/") if isinstance(subnet, str) else ():
            if len(name) > _LONGEST_LABEL:
                message = f"names {name}, of {len(name)} characters: {_LONGEST_LABEL} is the most, as nodes carry it as a label"
                yield finding(cluster, message, at=("network", field), fix="take a subnet, network and resource group of shorter names")


def _names_are_labels(cluster: AksClusterArgs) -> bool:
    profile, network = cluster.network_profile, cluster.network
    pods = network.pod_subnet_cidr if isinstance(network, AksNetworkArgs) else network.pod_subnet_id
    return profile.plugin == "azure" and (profile.plugin_mode == "overlay" or pods is not None)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("."))

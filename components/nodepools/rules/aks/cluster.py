"""Versions, names and access of AKS clusters."""

import re
from collections.abc import Iterator

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork
from nodepools.model.aks.pools import UserPool
from nodepools.model.platform import Platform
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import Fix, FixLike, remove, rename
from nodepools.rules.engine.registry import NAMES_OF_RESOURCES, NETWORKS, Sample, finding, rule
from nodepools.rules.engine.samples import SIZE, aks, platform

_SUBNET = "/subscriptions/s/resourceGroups/{}/providers/Microsoft.Network/virtualNetworks/v/subnets/n"
_ENTRA_ON = Fix(f"{remove('entra').text} (default: Entra ID is on)", (remove("entra"),))

_LONGEST_NAME = 90
_LONGEST_LABEL = 63
_SKEW = 3
_SHOWN = 30
_LABELS = "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay#limitations-with-azure-cni-overlay"
_SUPPORTED = "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions"


@rule(
    "AKS060",
    Severity.ERROR,
    source=f"{_SUPPORTED}: a node pool is never newer than its control plane",
    sample=Sample(
        "pools.web.kubernetes_version", lambda: aks(kubernetes_version="1.35", pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.36")})
    ),
)
def pool_newer_than_cluster(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects a node pool that is newer than the control plane."""
    if pool.kubernetes_version is not None:
        nodes, plane = _version(pool.kubernetes_version), _version(cluster.kubernetes_version)
        length = min(len(nodes), len(plane))  # the patch version behind "1.35" is unknown
        if nodes[:length] > plane[:length]:
            message = f"The pool's Kubernetes version {pool.kubernetes_version} is newer than that of the control plane, {cluster.kubernetes_version}"
            text = f"Remove {ref('kubernetes_version')} (default: the version of the cluster), or upgrade the cluster first"
            yield finding(pool, message, path="kubernetes_version", fix=Fix(text, (remove("kubernetes_version"),)))


@rule(
    "AKS061",
    Severity.ERROR,
    source=f"{_SUPPORTED}: the control plane is at most three minor versions ahead",
    sample=Sample("pools.web.kubernetes_version", lambda: aks(pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.32")})),
)
def pool_too_far_behind_cluster(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The control plane can be at most three minor versions ahead of a node pool."""
    if pool.kubernetes_version is not None:
        plane = _version(cluster.kubernetes_version)[1]
        behind = plane - _version(pool.kubernetes_version)[1]
        if behind > _SKEW:
            message = (
                f"The pool's Kubernetes version {pool.kubernetes_version} is {behind} minor versions behind the control plane "
                f"({cluster.kubernetes_version}): AKS allows at most {_SKEW}"
            )
            fix = f"Set {ref('kubernetes_version')} to `1.{plane - _SKEW}` or later, and upgrade the pool before the cluster"
            yield finding(pool, message, path="kubernetes_version", fix=fix)


@rule(
    "AKS062",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/manage-local-accounts-managed-azure-ad",
    sample=Sample("entra", lambda: aks(entra=None)),
)
def local_admin_credentials(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without Entra ID the kubeconfig holds a static credential, which stays valid when a person leaves."""
    if cluster.entra is None:
        message = "Entra ID is off: everybody logs in with the same admin credential, which stays valid when a person leaves"
        yield finding(cluster, message, path="entra", fix=_ENTRA_ON)
        if cluster.admins:
            yield finding(cluster, f"The cluster-admin role of {ref('admins')} has no effect without Entra ID", path="admins", fix=_ENTRA_ON)


@rule(
    "AKS063",
    Severity.ERROR,
    source="Azure API reference: managedClusters, dnsPrefix, letters, digits and hyphens; names of resource groups, 90 characters at most",
    sample=Sample("clusters.we_u", lambda: platform(we_u=aks())),
    limits=(NAMES_OF_RESOURCES,),
)
def invalid_aks_cluster_name(declared_cluster: Platform) -> Iterator[PartFinding]:
    """Names of Azure resources contain the platform name and the cluster key: letters, digits and hyphens, at most 90 characters."""
    for key, cluster in declared_cluster.clusters.items():
        name = declared_cluster.stem(key)
        if isinstance(cluster, AksClusterArgs) and not _makes_names(cluster, name):
            message = f"`{_short(name)}`, the platform name with the cluster key, is not a valid name in Azure"
            yield finding(declared_cluster, message, path=("clusters", key), value=key, fix=_renamed(declared_cluster, key))


@rule(
    "AKS106",
    Severity.ERROR,
    source=f"{_LABELS}: names of network and resource group are labels of nodes; Azure/AKS CHANGELOG, 2023-11-28: dynamic allocation too",
    sample=Sample("clusters.wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww", lambda: platform(**{"w" * 60: aks()})),
    limits=(NETWORKS,),
)
def network_name_too_long_for_label(declared_cluster: Platform) -> Iterator[PartFinding]:
    """With overlay networking or pod subnets, the name of the virtual network is a label value of nodes: at most 63 characters."""
    for key, cluster in declared_cluster.clusters.items():
        if isinstance(cluster, AksClusterArgs) and _names_are_labels(cluster):
            name = declared_cluster.stem(key)
            if isinstance(cluster.network, AksNetworkArgs) and _LONGEST_LABEL < len(name) <= _LONGEST_NAME:
                message = (
                    f"The virtual network name `{_short(name)}` has {len(name)} characters: "
                    f"as a label value of nodes it can have at most {_LONGEST_LABEL}"
                )
                fix = f"Shorten the platform name and the cluster key to at most {_LONGEST_LABEL - 1} characters together"
                yield finding(declared_cluster, message, path=("clusters", key), value=key, fix=fix)


@rule(
    "AKS107",
    Severity.ERROR,
    source=f"{_LABELS}: the names of a subnet of your own are labels of nodes; Azure/AKS CHANGELOG, 2023-11-28: dynamic allocation too",
    sample=Sample("network.subnet_id", lambda: aks(network=ExistingAksNetwork(subnet_id=_SUBNET.format("g" * 70)))),
    limits=(NETWORKS,),
)
def existing_network_name_too_long_for_label(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """With overlay networking or pod subnets, the names of subnet, network and resource group are label values of nodes: at most 63 characters."""
    if not isinstance(cluster.network, ExistingAksNetwork) or not _names_are_labels(cluster):
        return
    for field in ("subnet_id", "pod_subnet_id"):
        subnet = getattr(cluster.network, field)
        for name in subnet.split("/") if isinstance(subnet, str) else ():
            if len(name) > _LONGEST_LABEL:
                message = f"The name `{_short(name)}` has {len(name)} characters: as a label value of nodes it can have at most {_LONGEST_LABEL}"
                fix = f"Use a subnet, network and resource group with names of at most {_LONGEST_LABEL} characters"
                yield finding(cluster, message, path=("network", field), fix=fix)


def _names_are_labels(cluster: AksClusterArgs) -> bool:
    profile, network = cluster.network_profile, cluster.network
    pods = network.pod_subnet_cidr if isinstance(network, AksNetworkArgs) else network.pod_subnet_id
    return profile.plugin == "azure" and (profile.plugin_mode == "overlay" or pods is not None)


def _renamed(cluster: Platform, key: str) -> FixLike:
    """A similar key that makes a valid name; advice if there is none, or another cluster has it."""
    room = _LONGEST_NAME - len(cluster.name) - 1
    valid = re.sub(r"[^A-Za-z0-9]+", "-", key)[:room].strip("-")
    if valid and valid not in cluster.clusters and _is_name(cluster.stem(valid)):
        return rename(("clusters", key), valid)
    return f"Use at most {room} letters, digits and hyphens, with a letter or digit at the end"


def _makes_names(cluster: AksClusterArgs, stem: str) -> bool:
    """The names that are made of `stem` are valid: with `name` and `dns_prefix`, only those of new resources around the cluster, if there are any."""
    if cluster.name is None or cluster.dns_prefix is None:
        return _is_name(stem)
    around = cluster.resource_group is None or cluster.identity is None or isinstance(cluster.network, AksNetworkArgs)
    return not around or (len(stem) <= _LONGEST_NAME and re.fullmatch(r"[A-Za-z0-9]([-_A-Za-z0-9]*[_A-Za-z0-9])?", stem) is not None)


def _is_name(name: str) -> bool:
    return len(name) <= _LONGEST_NAME and re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?", name) is not None


def _short(name: str) -> str:
    return name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("."))

"""Features and node limits of network plugins and network policy engines. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Iterator, Mapping
from typing import Final, cast

from nodepools.clouds.aks.limits import NODES_WITH_KUBENET
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pool_settings import Autoscale
from nodepools.model.aks.pools import UserPool, WindowsPool
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import Operation, set_to
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import SIZE, aks

CHECKED_INSIDE: Final[Mapping[str, frozenset[str]]] = {
    "network_profile": frozenset({"network_plugin", "dns_service_ip", "load_balancer_sku"}),
    "bootstrap_profile": frozenset({"artifact_source"}),
}
"""Overrides of a cluster, and the arguments in them that this module and the rules on services and outbound types check."""

_POLICIES = "https://learn.microsoft.com/azure/aks/use-network-policies"
_KUBENET = "https://learn.microsoft.com/azure/aks/configure-kubenet"
_WINDOWS = "https://learn.microsoft.com/azure/aks/windows-best-practices#networking-modes"
_OVERLAY = "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay#maximum-pods-per-node"
_NODES_OF_POLICIES: Final = 250
_PODS_ON_WINDOWS: Final = 110
_WITHOUT: Final[Mapping[tuple[str, object], str]] = {
    ("policy", "azure"): "Azure network policies",
    ("policy", "cilium"): "Cilium network policies",
    ("dataplane", "cilium"): "the Cilium dataplane",
    ("plugin_mode", "overlay"): "overlay networking",
    ("outbound_type", "none"): "the outbound type `none`",
}
"""Values of the network profile that require a feature that kubenet does not have, and the feature."""
_TAKEN_BY_KUBENET: Final[Mapping[str, object]] = {"dataplane": "azure", "plugin_mode": None}
_BY_KUBENET: Final[Mapping[str, object]] = {"network_profile": {"network_plugin": "kubenet"}}
_SECRET: Final[Mapping[str, object]] = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
_FOR_WINDOWS: Final[Mapping[str, object]] = {"kubernetes_version": "1.35", "windows_profile": _SECRET}


@rule(
    "AKS229",
    Severity.WARNING,
    source=f"{_POLICIES}#azure-network-policy-manager-limitations-linux: scaling beyond 250 nodes is not supported, and can run out of memory",
    sample=Sample(
        "network_profile.policy",
        lambda: aks(network_profile={"dataplane": "azure", "policy": "azure"}, pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 250))}),
    ),
)
def azure_network_policy_node_limit(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS supports Azure network policies up to 250 nodes; beyond that Azure Network Policy Manager can run out of memory."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    profile = cluster.network_profile
    if profile.plugin == "azure" and profile.policy == "azure" and nodes > _NODES_OF_POLICIES:
        message = f"AKS supports Azure network policies up to {_NODES_OF_POLICIES} nodes; the pools can have {nodes:,}"
        fix = f"Set {ref('dataplane')} and {ref('policy')} to {literal('cilium')}, or lower the sizes of the pools"
        yield finding(profile, message, path="policy", fix=fix)


@rule(
    "AKS230",
    Severity.ERROR,
    source=f"{_KUBENET}: no Azure network policies, no Windows; Cilium and overlay are of Azure CNI; concepts-network-isolated: no kubenet",
    sample=Sample(
        "overrides.network_profile.network_plugin", lambda: aks(network_profile={"dataplane": "cilium", "plugin_mode": None}, overrides=_BY_KUBENET)
    ),
)
def unsupported_with_kubenet(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The network plugin kubenet does not support overlay networking, Cilium, Azure network policies or pod subnets."""
    if not _is_kubenet(cluster) or cluster.node_provisioning is not None:  # with node auto provisioning NAP016 tells it
        return
    profile = cluster.network_profile
    sent = profile.model_fields_set if profile.plugin == "kubenet" else type(profile).model_fields  # defaults of Azure CNI are not sent with kubenet
    beyond = [what for (field, value), what in _WITHOUT.items() if field in sent and getattr(profile, field) == value]
    beyond += ["pod subnets"] if any(pool.pod_subnet_id is not None for _, pool in cluster.all_pools()) else []
    if beyond:
        listed = " and ".join(filter(None, (", ".join(beyond[:-1]), beyond[-1])))
        yield finding(cluster, f"The network plugin `kubenet` does not support {listed}", path=_plugin(cluster), fix=_azure_cni(cluster))


@rule(
    "AKS231",
    Severity.WARNING,
    source=f"{_KUBENET}: a table of routes has 400, so that no cluster is larger than 400 nodes",
    sample=Sample(
        "overrides.network_profile.network_plugin",
        lambda: aks(network_profile=_TAKEN_BY_KUBENET, overrides=_BY_KUBENET, pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 400))}),
    ),
)
def kubenet_node_limit(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A cluster with kubenet can have at most 400 nodes: each takes an entry of the route table."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if _is_kubenet(cluster) and nodes > NODES_WITH_KUBENET:
        message = f"The network plugin `kubenet` supports up to {NODES_WITH_KUBENET} nodes; the pools can have {nodes:,}"
        fix = f"Lower the maximums of the pools to {NODES_WITH_KUBENET} nodes in total, or use overlay networking, which supports more"
        yield finding(cluster, message, path=_plugin(cluster), fix=fix)


@rule(
    "AKS232",
    Severity.ERROR,
    source=f"{_WINDOWS}: clusters with Windows node pools only support Azure CNI; AzureCNIOnlyForWindows",
    sample=Sample(
        "pools.win",
        lambda: aks(
            pools={"web": UserPool(vm_size=SIZE), "win": WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True)},
            network_profile={"plugin": "none"},
            **_FOR_WINDOWS,
        ),
    ),
)
def windows_without_azure_cni(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts Windows pools only in clusters with Azure CNI."""
    for key, pool in cluster.pools.items():
        if isinstance(pool, WindowsPool) and (_is_kubenet(cluster) or cluster.network_profile.plugin == "none"):
            message = f"`{key}` is a Windows pool, which AKS accepts only in clusters with Azure CNI"
            plugin = ref(_plugin(cluster))
            yield finding(cluster, message, path=("pools", key), value=key, fix=f"Set {plugin} to {literal('azure')}, or remove the pool `{key}`")


@rule(
    "AKS233",
    Severity.WARNING,
    source=f"{_OVERLAY}: for Windows Server containers the maximum recommended value is 110",
    sample=Sample(
        "pools.win.max_pods",
        lambda: aks(
            pools={"web": UserPool(vm_size=SIZE), "win": WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True, max_pods=250)},
            network_profile={"dataplane": "azure"},
            **_FOR_WINDOWS,
        ),
    ),
)
def many_pods_on_windows(pool: WindowsPool) -> Iterator[PartFinding]:
    """AKS recommends at most 110 pods for a Windows node."""
    if pool.max_pods is not None and pool.max_pods > _PODS_ON_WINDOWS:
        message = f"{ref('max_pods')} ({pool.max_pods}) is greater than {_PODS_ON_WINDOWS}, the most that AKS recommends for a Windows node"
        yield finding(pool, message, path="max_pods", fix=set_to("max_pods", _PODS_ON_WINDOWS))


_OVERRIDDEN: Final = ("overrides", "network_profile", "network_plugin")


def _is_kubenet(cluster: AksClusterArgs) -> bool:
    """The cluster has the network plugin kubenet, by its field or by overrides."""
    return cluster.network_profile.plugin == "kubenet" or _plugin(cluster) == _OVERRIDDEN


def _plugin(cluster: AksClusterArgs) -> tuple[str, ...]:
    """Where the network plugin is declared."""
    profile = cluster.overrides.get("network_profile")
    by_override = isinstance(profile, Mapping) and cast("Mapping[str, object]", profile).get("network_plugin") == "kubenet"
    return _OVERRIDDEN if by_override else ("network_profile", "plugin")


def _azure_cni(cluster: AksClusterArgs) -> Operation:
    return set_to(_plugin(cluster), "azure")

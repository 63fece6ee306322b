"""All clusters and pools of a platform as rows of text, the built-in pools of the clouds among them."""

from collections.abc import Iterator
from dataclasses import dataclass

from nodepools.model.aks.pools import AgentPool
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.per_cloud import AnyCluster
from nodepools.model.platform import Platform


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """One cluster on one line."""

    cluster: str
    cloud: str
    place: str
    version: str
    network: str
    api_server: str
    node_provisioning: str


@dataclass(frozen=True, slots=True)
class PoolRow:
    """One pool; `sizes`, `taints` and `labels` have a line each."""

    cluster: str
    pool: str
    kind: str
    sizes: tuple[str, ...]
    scale: str
    taints: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


def clusters(platform: Platform) -> list[ClusterRow]:
    """Every cluster."""
    return [_cluster(key, cluster) for key, cluster in platform.clusters.items()]


def pools(platform: Platform) -> list[PoolRow]:
    """Every pool, in the order of the declaration; built-in ones after those of their cluster."""
    return [row for key, cluster in platform.clusters.items() for row in _pools(platform, key, cluster)]


def _cluster(key: str, cluster: AnyCluster) -> ClusterRow:
    private = "private" if cluster.api_server.private else ", ".join(cluster.api_server.authorized_ip_ranges) or "open to all addresses"
    network = cluster.network.cidr or "existing"
    if isinstance(cluster, EksClusterArgs):
        built_in = ", ".join(cluster.auto_mode.built_in_node_pools) or "none"
        return ClusterRow(key, "EKS", cluster.region, cluster.kubernetes_version, network, private, f"Auto Mode, built-in pools: {built_in}")
    nap = f"NAP Auto, default pools: {cluster.node_provisioning.default_node_pools}" if cluster.node_provisioning else "NAP Manual"
    return ClusterRow(key, "AKS", cluster.location, cluster.kubernetes_version, network, private, nap)


def _pools(platform: Platform, key: str, cluster: AnyCluster) -> Iterator[PoolRow]:
    for pool in platform.pools():
        if pool.cluster == key:
            declared = pool.declared
            yield _agent_pool(key, pool.name, declared) if isinstance(declared, AgentPool) else _node_pool(key, pool.name, declared)
    if isinstance(cluster, EksClusterArgs):
        yield from (_built_in(key, name, critical=name == "system") for name in cluster.auto_mode.built_in_node_pools)
    elif cluster.node_provisioning is not None:
        yield from (_built_in(key, name, critical=name == "system-surge") for name in cluster.node_provisioning.built_in_node_pools)


def _agent_pool(cluster: str, name: str, pool: AgentPool) -> PoolRow:
    scale = f"{pool.scale.min} to {pool.scale.max}" if pool.scale else str(pool.first_count)
    zones = f", zones {' '.join(map(str, pool.zones))}" if pool.zones else ""
    spot = " (spot)" if getattr(pool, "spot", None) else ""
    labels = tuple(f"{key}={value}" for key, value in pool.node_labels(name).items())
    return PoolRow(cluster, name, type(pool).__name__ + spot, (pool.vm_size + zones,), scale, tuple(map(str, pool.node_taints)), labels)


def _node_pool(cluster: str, name: str, pool: NodePool) -> PoolRow:
    requirements = tuple(map(str, pool.requirements)) or ("anything",)
    limits = ", ".join(f"{resource} {quantity}" for resource, quantity in pool.limits.items())
    if pool.replicas is not None:
        scale = f"{pool.replicas}, static"
    else:
        scale = f"weight {pool.weight if pool.weight is not None else 0}, " + (f"up to {limits}" if limits else "no limits")
    labels = tuple(f"{key}={value}" for key, value in {POOL_LABEL: name, **pool.labels}.items())
    return PoolRow(cluster, name, "NodePool", requirements, scale, tuple(map(str, pool.taints)), labels)


def _built_in(cluster: str, name: str, *, critical: bool) -> PoolRow:
    taints = ("CriticalAddonsOnly:NoSchedule" if name == "system" else "CriticalAddonsOnly=true:NoSchedule",) if critical else ()
    return PoolRow(cluster, name, "built-in NodePool", ("by the cloud",), "weight 0, no limits", taints)

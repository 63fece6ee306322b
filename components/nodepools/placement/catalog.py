"""Every pool of a platform as placement sees it, those that the clouds make themselves with them.

Facts: docs/facts/eks.md § 1.3, docs/facts/aks.md § 3.2.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nodepools.keys.presets import aks_general_purpose
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import CRITICAL_ADDONS_ONLY, AgentPool
from nodepools.model.aks.provisioning import AksNodePool, NodeProvisioning
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS, EksNodePool
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.per_cloud import AnyCluster
from nodepools.model.platform import Platform
from nodepools.placement.agent_pools import agent_nodes
from nodepools.placement.classes import OfClass, aks_class, eks_class, own_subnets
from nodepools.placement.clouds import CAPACITY, Cloud, aks_cloud, eks_cloud
from nodepools.placement.nodes import Nodes
from nodepools.placement.places import Choices, aks_choices, eks_choices
from nodepools.placement.provisioned import Provisioned

MODE: Final = "kubernetes.azure.com/mode"
_ON_DEMAND = Requirement(CAPACITY, "In", ["on-demand"])
_EKS_BUILT_IN: Final = (
    _ON_DEMAND,
    Requirement("eks.amazonaws.com/instance-category", "In", ["c", "m", "r"]),
    Requirement("eks.amazonaws.com/instance-generation", "Gt", ["4"]),
    Requirement("kubernetes.io/os", "In", ["linux"]),
)
EKS_BUILT_IN: Final[Mapping[str, EksNodePool]] = {
    "general-purpose": EksNodePool(requirements=[*_EKS_BUILT_IN, Requirement("kubernetes.io/arch", "In", ["amd64"])]),
    "system": EksNodePool(
        requirements=[*_EKS_BUILT_IN, Requirement("kubernetes.io/arch", "In", ["amd64", "arm64"])],
        taints=[Taint("CriticalAddonsOnly", "", "NoSchedule")],
    ),
}
AKS_BUILT_IN: Final[Mapping[str, AksNodePool]] = {
    "default": AksNodePool(requirements=aks_general_purpose, labels={MODE: "user"}),
    "system-surge": AksNodePool(requirements=aks_general_purpose, labels={MODE: "system"}, taints=[CRITICAL_ADDONS_ONLY]),
}
_DECIDING: Final = frozenset(
    {"template", "limits", "weight", "replicas", "node_labels", "node_taints", "node_initialization_taints", "vm_size", "availability_zones", "count"}
)
"""Fields of overrides that decide where pods can run."""


@dataclass(frozen=True)
class Pools:
    """The pools that one pod may choose among: those of one cluster."""

    cluster: str | None
    static: tuple[Nodes, ...] = ()
    provisioned: tuple[Provisioned, ...] = ()
    overridden: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Fields of pools, by address, that are laid over what is declared: they are not read here."""


def catalog(platform: Platform, within: str = "") -> tuple[Pools, ...]:
    """The pools of every cluster; `within` stands before their addresses, such as `prod/`."""
    return tuple(cluster_pools(f"{within}{key}", platform.stem(key), cluster) for key, cluster in platform.clusters.items())


def catalogs(platforms: Sequence[Platform]) -> tuple[Pools, ...]:
    """The pools of several platforms; where there are several, addresses begin with the name of theirs."""
    return tuple(pools for platform in platforms for pools in catalog(platform, f"{platform.name}/" if len(platforms) > 1 else ""))


def cluster_pools(key: str, stem: str, cluster: AnyCluster) -> Pools:
    """The pools of one cluster, whose names begin with `stem` in its cloud."""
    if isinstance(cluster, EksClusterArgs):
        pools = cluster.auto_mode.node_pools
        return Pools(key, provisioned=tuple(_auto_mode(key, stem, cluster)), overridden=_overridden(key, pools))
    static = tuple(nodes for name, pool in cluster.all_pools() for nodes in agent_nodes(key, cluster, name, pool))
    provisioning = cluster.node_provisioning
    declared: dict[str, AgentPool | NodePool] = {**dict(cluster.all_pools()), **(provisioning.node_pools if provisioning is not None else {})}
    return Pools(key, static, () if provisioning is None else tuple(_nap(key, cluster, provisioning)), _overridden(key, declared))


def _overridden(key: str, pools: Mapping[str, AgentPool | NodePool]) -> dict[str, tuple[str, ...]]:
    return {f"{key}/{name}": fields for name, pool in pools.items() if (fields := tuple(one for one in pool.overrides if one in _DECIDING))}


def _auto_mode(key: str, stem: str, cluster: EksClusterArgs) -> Iterator[Provisioned]:
    mode = cluster.auto_mode
    for name in mode.built_in_node_pools:
        yield _eks(key, stem, cluster, name, EKS_BUILT_IN[name], labels={})
    for name, pool in mode.node_pools.items():
        yield _eks(key, stem, cluster, name, pool, labels={POOL_LABEL: name, **pool.labels})


def _eks(key: str, stem: str, cluster: EksClusterArgs, name: str, pool: NodePool, *, labels: Mapping[str, str]) -> Provisioned:
    class_key = pool.node_class if pool.node_class is not None else BUILT_IN_CLASS
    place = eks_choices(cluster.region, _zones(cluster), own_subnets=own_subnets(cluster, class_key))
    return provisioned(f"{key}/{name}", eks_cloud(), pool, labels, of=eks_class(stem, cluster, class_key), choices=place)


def _zones(cluster: EksClusterArgs) -> tuple[str, ...]:
    return tuple(cluster.network.zones) if isinstance(cluster.network, EksNetworkArgs) else ()


def _nap(key: str, cluster: AksClusterArgs, provisioning: NodeProvisioning) -> Iterator[Provisioned]:
    choices = aks_choices(cluster.location, frozenset(zone for _, pool in cluster.all_pools() for zone in pool.zones))
    if provisioning.default_node_pools == "Auto":
        for name, pool in AKS_BUILT_IN.items():
            if name not in provisioning.node_pools:
                yield provisioned(f"{key}/{name}", aks_cloud(), pool, dict(pool.labels), of=aks_class("default", None), choices=choices)
    for name, pool in cluster.applied_node_pools.items():
        class_key = pool.node_class if pool.node_class is not None else "default"
        of = aks_class(class_key, provisioning.node_classes.get(class_key))
        yield provisioned(f"{key}/{name}", aks_cloud(), pool, {POOL_LABEL: name, **pool.labels}, of=of, choices=choices)


def provisioned(address: str, cloud: Cloud, pool: NodePool, labels: Mapping[str, str], *, of: OfClass, choices: Mapping[str, Choices]) -> Provisioned:
    """A NodePool, with what its node class says of its nodes."""
    own = {**of.labels, **({"eks.amazonaws.com/compute-type": "auto"} if cloud.name == "eks" else {})}
    return Provisioned(address, address.rpartition("/")[2], cloud, pool, labels, own, {**choices, **of.choices}, of.disk, of.requirements)

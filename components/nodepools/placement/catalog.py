"""Every pool of a platform as placement sees it, those that the clouds make themselves with them.

Facts: docs/facts/eks.md § 1.3, docs/facts/aks.md § 3.2.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from nodepools.keys.presets import aks_general_purpose
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import CRITICAL_ADDONS_ONLY, AgentPool
from nodepools.model.aks.provisioning import AksNodePool, NodeProvisioning
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.platform import AnyCluster, Platform
from nodepools.placement.agent_pools import agent_nodes
from nodepools.placement.capacity import disk
from nodepools.placement.clouds import CAPACITY, REGION, ZONE, ZONE_ID, aks_cloud, eks_cloud
from nodepools.placement.nodes import Nodes
from nodepools.placement.provisioned import Choices, Provisioned
from nodepools.placement.types import Bounds

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
_AKS_DISK: Final = "128Gi"
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


def catalog(platform: Platform) -> tuple[Pools, ...]:
    """The pools of every cluster."""
    return tuple(cluster_pools(key, cluster) for key, cluster in platform.clusters.items())


def cluster_pools(key: str, cluster: AnyCluster) -> Pools:
    """The pools of one cluster."""
    if isinstance(cluster, EksClusterArgs):
        pools = cluster.auto_mode.node_pools
        return Pools(key, provisioned=tuple(_auto_mode(key, cluster)), overridden=_overridden(key, pools))
    static = tuple(nodes for name, pool in cluster.all_pools() for nodes in agent_nodes(key, cluster, name, pool))
    provisioning = cluster.node_provisioning
    declared: dict[str, AgentPool | NodePool] = {**dict(cluster.all_pools()), **(provisioning.node_pools if provisioning is not None else {})}
    return Pools(key, static, () if provisioning is None else tuple(_nap(key, cluster, provisioning)), _overridden(key, declared))


def _overridden(key: str, pools: Mapping[str, AgentPool | NodePool]) -> dict[str, tuple[str, ...]]:
    return {f"{key}/{name}": fields for name, pool in pools.items() if (fields := tuple(one for one in pool.overrides if one in _DECIDING))}


def _auto_mode(key: str, cluster: EksClusterArgs) -> Iterator[Provisioned]:
    mode = cluster.auto_mode
    for name in mode.built_in_node_pools:
        yield _eks(key, cluster, name, EKS_BUILT_IN[name], labels={}, of=EksNodeClass())
    for name, pool in mode.node_pools.items():
        of = mode.node_classes.get(pool.node_class if pool.node_class is not None else "default", EksNodeClass())
        yield _eks(key, cluster, name, pool, labels={POOL_LABEL: name, **pool.labels}, of=of)


def _eks(key: str, cluster: EksClusterArgs, name: str, pool: NodePool, *, labels: Mapping[str, str], of: EksNodeClass) -> Provisioned:
    own = {} if of.own_role or of.role is not None else {"eks.amazonaws.com/nodeclass": pool.node_class if pool.node_class is not None else "default"}
    place = eks_choices(cluster.region, _zones(cluster), own_subnets=bool(of.subnets))
    size = disk(thousandths(of.ephemeral_storage, "ephemeral_storage"))
    return Provisioned(f"{key}/{name}", name, eks_cloud(), pool, labels, {**own, "eks.amazonaws.com/compute-type": "auto"}, place, size)


def _zones(cluster: EksClusterArgs) -> tuple[str, ...]:
    return tuple(cluster.network.zones) if isinstance(cluster.network, EksNetworkArgs) else ()


def eks_choices(region: str, zones: tuple[str, ...] = (), *, own_subnets: bool = False) -> dict[str, Choices]:
    """Where nodes of Auto Mode can be. Zone names are known where they are declared; ids too, and neither follows from the other."""
    names = frozenset(zone for zone in zones if zone.startswith(region))
    ids = frozenset(zones) - names
    return {
        REGION: Choices(frozenset({region})),
        ZONE: _declared(names, own_subnets, re.compile(rf"{re.escape(region)}[a-z]|{re.escape(region)}-[a-z0-9-]+")),
        ZONE_ID: _declared(ids, own_subnets, re.compile(r"[a-z]+[0-9]+-.+")),
        CAPACITY: Choices(frozenset({"on-demand", "spot"}), lambda value: value == "reserved"),
    }


def _declared(values: frozenset[str], own_subnets: bool, spelling: re.Pattern[str]) -> Choices:  # noqa: FBT001  # private
    if values and not own_subnets:
        return Choices(values)
    return Choices(frozenset(), lambda value: spelling.fullmatch(value) is not None, open=True)


def _nap(key: str, cluster: AksClusterArgs, provisioning: NodeProvisioning) -> Iterator[Provisioned]:
    choices = aks_choices(cluster.location, frozenset(zone for _, pool in cluster.all_pools() for zone in pool.zones))
    if provisioning.default_node_pools == "Auto":
        for name, pool in AKS_BUILT_IN.items():
            if name not in provisioning.node_pools:
                yield _aks(f"{key}/{name}", pool, dict(pool.labels), choices, disk(thousandths(_AKS_DISK, "disk")))
    for name, pool in provisioning.node_pools.items():
        of = provisioning.node_classes.get(pool.node_class if pool.node_class is not None else "default")
        size = f"{of.os_disk_size_gb}Gi" if of is not None and of.os_disk_size_gb is not None else _AKS_DISK
        yield _aks(f"{key}/{name}", pool, {POOL_LABEL: name, **pool.labels}, choices, disk(thousandths(size, "os_disk_size_gb")))


def aks_choices(location: str, zones: frozenset[int] = frozenset()) -> dict[str, Choices]:
    """Where nodes of node auto provisioning can be. That a region has zones is known where an agent pool is in them."""
    spelling = re.compile(rf"{re.escape(location)}-[1-9]|0")
    return {
        REGION: Choices(frozenset({location})),
        ZONE: Choices(frozenset(f"{location}-{zone}" for zone in zones), lambda value: spelling.fullmatch(value) is not None, open=True),
        CAPACITY: Choices(frozenset({"on-demand", "spot"})),
    }


def _aks(address: str, pool: NodePool, labels: Mapping[str, str], choices: Mapping[str, Choices], size: Bounds) -> Provisioned:
    own = {"karpenter.azure.com/aksnodeclass": pool.node_class if pool.node_class is not None else "default"}
    return Provisioned(address, address.rpartition("/")[2], aks_cloud(), pool, labels, own, choices, size)

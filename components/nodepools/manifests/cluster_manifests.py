"""Renders all objects inside a cluster from its declaration: those that Pulumi applies, for other tools to apply."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from nodepools.manifests.auto_mode_objects import auto_mode_objects, network_policy_controller
from nodepools.manifests.device_plugin import device_plugin_objects
from nodepools.manifests.eks_selectors import cluster_security_group, private_subnets
from nodepools.manifests.karpenter import aks_node_class, eks_node_class, node_pool
from nodepools.manifests.priority_expander import priority_config_map
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs
from nodepools.model.eks.node_class_names import class_name, class_role
from nodepools.model.per_cloud import AnyCluster, PerCloud
from nodepools.model.ref import Ref
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS

Manifest = Mapping[str, object]
Resolve = Callable[[Ref], str]
"""Returns the value of a reference; raises if the value is not known offline."""


def cluster_objects(stem: str, args: AnyCluster, resolve: Resolve) -> list[Manifest]:
    """Returns the switch of network policies, the node classes, the NodePools that use them, and then all other objects."""
    return list(_objects_of(args, stem, resolve))


def _aks(args: AksClusterArgs, _stem: str, resolve: Resolve) -> Iterator[Manifest]:
    if args.node_provisioning is not None:
        for name, declared in args.node_provisioning.node_classes.items():
            yield aks_node_class(name, declared, resolve)
    for name, pool in args.applied_node_pools.items():
        yield node_pool(name, pool, AKS_NODE_CLASS, resolve=resolve)
    if args.own_device_plugin is not None:
        yield from device_plugin_objects(args.own_device_plugin, args.gpu_pools)
    if args.priorities:
        yield priority_config_map(args, args.priorities)


def _eks(args: EksClusterArgs, stem: str, resolve: Resolve) -> Iterator[Manifest]:
    if args.enforces_network_policies:
        yield network_policy_controller()
    names: dict[str, str] = {}
    for place, key, declared in args.auto_mode.all_classes():
        role = class_role(stem, args, key, declared, resolve)
        names[place] = class_name(key, role, stem, declared.name)
        groups = cluster_security_group(args.cluster_name(stem))
        yield eks_node_class(names[place], declared, resolve, role=role, subnets=_subnets(stem, args, resolve), security_groups=groups)
    for key, pool in args.applied_node_pools.items():
        yield node_pool(key, pool, EKS_NODE_CLASS, names.get(pool.node_class) if pool.node_class is not None else None, resolve)
    yield from (manifest for _, manifest in auto_mode_objects(args, resolve))


def _subnets(stem: str, args: EksClusterArgs, resolve: Resolve) -> list[dict[str, object]]:
    if isinstance(args.network, EksNetworkArgs):
        return private_subnets(stem)
    return [{"id": resolve(subnet)} for subnet in args.network.private_subnet_ids]


_objects_of: Final[PerCloud[[str, Resolve], Iterator[Manifest]]] = PerCloud(aks=_aks, eks=_eks)
"""The objects inside a declared cluster."""

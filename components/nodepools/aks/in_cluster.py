"""What Pulumi applies inside an AKS cluster. Imported only where there is something to apply: it needs the Kubernetes SDK."""

from collections.abc import Mapping, Sequence

import pulumi
from pulumi_kubernetes import Provider
from pulumi_kubernetes.apiextensions import CustomResource

from nodepools.component.scope import Scope
from nodepools.kubernetes.objects import cluster_provider, in_cluster, object_name
from nodepools.manifests.device_plugin import device_plugin
from nodepools.manifests.node_class import aks_node_class
from nodepools.manifests.node_pool import AKS_NODE_CLASS, node_pool
from nodepools.model.aks.cluster import AksClusterArgs, DevicePlugin
from nodepools.model.aks.pools import GpuPool
from nodepools.model.aks.provisioning import NodeProvisioning


def in_cluster_objects(
    scope: Scope,
    args: AksClusterArgs,
    cluster: pulumi.Resource,
    *,
    cluster_name: pulumi.Input[str],
    kubeconfig: pulumi.Input[str],
    rights: Sequence[pulumi.Resource],
) -> None:
    """Registers the node classes and node pools of node auto provisioning, and the device plugin.

    Each depends on the cluster and on `rights`: those that let the deployer in, and those by which the cluster makes and deletes nodes.
    So nodes go while what deletes them can still do so.
    """
    needs = [cluster, *rights]
    provider = cluster_provider(scope, kubeconfig, cluster_name, depends_on=needs)
    if args.node_provisioning is not None:
        _node_provisioning(scope, args.node_provisioning, provider, needs)
    if args.device_plugin is not None and args.has_gpus:
        _device_plugin(scope, args, args.device_plugin, provider, cluster=cluster, needs=needs)


def _node_provisioning(scope: Scope, declared: NodeProvisioning, provider: Provider, needs: Sequence[pulumi.Resource]) -> None:
    classes: dict[str, CustomResource] = {}
    for name, node_class in declared.node_classes.items():
        manifest = aks_node_class(name, node_class, scope.value)
        classes[name] = in_cluster(scope, name, manifest, provider, depends_on=needs, timeouts=node_class.timeouts)
    for name, pool in declared.node_pools.items():
        own = classes.get(pool.node_class) if pool.node_class is not None else None
        manifest = node_pool(name, pool, AKS_NODE_CLASS, object_name(own) if own is not None else None)
        in_cluster(scope, name, manifest, provider, depends_on=[*needs, own] if own is not None else needs, timeouts=pool.timeouts)


def _device_plugin(
    scope: Scope, args: AksClusterArgs, plugin: DevicePlugin, provider: Provider, *, cluster: pulumi.Resource, needs: Sequence[pulumi.Resource]
) -> None:
    """It holds no nodes, so it may go with the cluster."""
    pools: Mapping[str, GpuPool] = {key: pool for key, pool in args.all_pools() if isinstance(pool, GpuPool)}
    in_cluster(scope, "nvidia-device-plugin", device_plugin(plugin, pools), provider, depends_on=needs, deleted_with=cluster)

"""Objects that Pulumi applies inside an AKS cluster. Imported on demand, because it needs the Kubernetes SDK."""

from collections.abc import Mapping, Sequence

import pulumi
from pulumi_kubernetes import Provider
from pulumi_kubernetes.apiextensions import CustomResource

from nodepools.clouds.aks.device_plugin import device_plugin_objects, egress_objects, priority_config_map
from nodepools.clouds.karpenter_objects import aks_node_class, headroom_objects, node_pool
from nodepools.component.scope import ChildScope
from nodepools.kubernetes.provider import cluster_provider, in_cluster, in_cluster_without_nodes, object_name
from nodepools.model.aks.cluster import AksClusterArgs, NodeProvisioning
from nodepools.wire.karpenter import AKS_NODE_CLASS


def in_cluster_objects(
    scope: ChildScope,
    args: AksClusterArgs,
    cluster: pulumi.Resource,
    *,
    cluster_name: pulumi.Input[str],
    kubeconfig: pulumi.Input[str],
    rights: Sequence[pulumi.Input[pulumi.Resource]],
    pools: Mapping[str, pulumi.Resource],
) -> Mapping[str, CustomResource]:
    """Registers node classes and NodePools of node auto provisioning, and the other objects. Returns the NodePools.

    Each object depends on the cluster and on `rights`: the access of the deployer, and the role assignments with which the cluster creates and
    deletes nodes. So nodes are deleted while the cluster can still delete them. What uses a gateway pool is deleted before the pool, of `pools`.
    """
    needs = [cluster, *rights]
    provider = cluster_provider(scope, kubeconfig, cluster_name, depends_on=needs)
    made = _node_provisioning(scope, args, args.node_provisioning, provider, needs) if args.node_provisioning is not None else {}
    objects = [] if args.own_device_plugin is None else [*device_plugin_objects(args.own_device_plugin, args.plugged_pools)]
    for manifest in [*objects, *([priority_config_map(args, args.priorities)] if args.priorities else [])]:
        in_cluster_without_nodes(scope, manifest, provider, cluster, needs)
    for manifest in headroom_objects(args):
        in_cluster_without_nodes(scope, manifest, provider, cluster, [*needs, *made.values()])
    for key, name, manifest in egress_objects(args, scope.value):
        in_cluster(scope, name, manifest, provider, depends_on=[*needs, pools[key]], deleted_with=cluster)
    return made


def _node_provisioning(
    scope: ChildScope, args: AksClusterArgs, declared: NodeProvisioning, provider: Provider, needs: Sequence[pulumi.Input[pulumi.Resource]]
) -> dict[str, CustomResource]:
    made: dict[str, CustomResource] = {}
    classes: dict[str, CustomResource] = {}
    for name, node_class in declared.node_classes.items():
        manifest = aks_node_class(name, node_class, scope.value)
        classes[name] = in_cluster(scope, name, manifest, provider, depends_on=needs, timeouts=node_class.timeouts)
    for name, pool in args.applied_node_pools.items():
        own = classes.get(pool.node_class) if pool.node_class is not None else None
        manifest = node_pool(name, pool, AKS_NODE_CLASS, object_name(own) if own is not None else None, scope.value)
        made[name] = in_cluster(scope, name, manifest, provider, depends_on=[*needs, own] if own is not None else needs, timeouts=pool.timeouts)
    return made

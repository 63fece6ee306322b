"""The agent pools of a cluster except the first one: separate resources, created one at a time."""

from collections.abc import Mapping

import pulumi
from pulumi_azure_native import containerservice

from nodepools.aks.agent_pool_arguments import agent_pool_arguments
from nodepools.aks.network import Subnets
from nodepools.component.scope import ChildScope
from nodepools.component.secrets import with_secrets
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import RETIRING, SystemPool
from nodepools.wire.aks.agent_pool import Around
from nodepools.wire.aks.generation import generations


def agent_pools(
    scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str], subnets: Subnets
) -> Mapping[str, containerservice.AgentPool]:
    """Registers the pools in order and returns them by their names in Azure.

    The name of a pool, in Pulumi and in Azure, contains its generation: a change of an immutable field creates another pool before the old
    one is deleted. AKS rejects a second pool operation while one runs (409), so each pool depends on all pools before it: with the last one
    only, two pools that rotate together would be deleted in parallel. Pools are children of the component instead of the cluster, because
    `depends_on=[component]` does not include the children of a custom resource.

    The previous generation of a pool is registered after the current one, under its old name: it gets its taint once the new pool exists.
    """
    made: dict[str, containerservice.AgentPool] = {}
    for generation in generations(args):
        around = Around(
            generation.key,
            version=args.kubernetes_version,
            subnet_id=subnets.of(scope, generation.key, generation.pool),
            tags=args.tags,
            pod_subnet_id=subnets.pods,
            more_taints=(RETIRING,) if generation.is_previous else (),
        )
        arguments = agent_pool_arguments(generation.pool, around, resolve=scope.value)
        made[generation.name] = containerservice.AgentPool(
            scope.name(generation.name),
            agent_pool_name=generation.name,
            resource_group_name=resource_group,
            resource_name_=cluster.name,
            **with_secrets(arguments),
            opts=scope.options(
                depends_on=[cluster, *made.values()],
                ignore_changes=["count"] if generation.pool.scale else (),  # the autoscaler owns it
                timeouts=generation.pool.timeouts,
                retain=isinstance(generation.pool, SystemPool) and generation.pool.retain,
            ),
        )
    return made

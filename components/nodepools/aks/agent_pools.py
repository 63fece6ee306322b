"""The agent pools of one cluster beside the first, each a resource of its own, made one after another."""

from collections.abc import Mapping

import pulumi
from pulumi_azure_native import containerservice

from nodepools.aks.agent_pool_arguments import agent_pool_arguments
from nodepools.aks.network import Subnets
from nodepools.component.scope import ChildScope
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import RETIRING, SystemPool
from nodepools.wire.aks.agent_pool import Around
from nodepools.wire.aks.generation import generations


def agent_pools(
    scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str], subnets: Subnets
) -> Mapping[str, containerservice.AgentPool]:
    """Registers the pools in their order, and gives them by their names in Azure.

    A pool's name, in Pulumi and in Azure, holds its generation: what Azure cannot change in place makes another pool, which is there
    before the old one goes. AKS refuses a second pool operation while one runs (409), so each pool depends on all before it: on the last
    alone, two pools that are rotated at once would be deleted side by side. They are children of the component and not of the cluster:
    `depends_on=[component]` does not look below a cluster.

    A generation that goes (`previous`) is registered after what takes its place, under its old name: it is tainted once its successor is there.
    """
    made: dict[str, containerservice.AgentPool] = {}
    for one in generations(args):
        around = Around(
            one.key,
            version=args.kubernetes_version,
            subnet_id=subnets.of(scope, one.key, one.pool),
            tags=args.tags,
            pod_subnet_id=subnets.pods,
            more_taints=(RETIRING,) if one.retires else (),
        )
        arguments = agent_pool_arguments(one.pool, around, resolve=scope.value)
        made[one.name] = containerservice.AgentPool(
            scope.name(one.name),
            agent_pool_name=one.name,
            resource_group_name=resource_group,
            resource_name_=cluster.name,
            **arguments,  # type: ignore[arg-type]  # made for it, in one place with the pool inside the cluster
            opts=scope.options(
                depends_on=[cluster, *made.values()],
                ignore_changes=["count"] if one.pool.scale else (),  # the autoscaler owns it
                timeouts=one.pool.timeouts,
                retain=isinstance(one.pool, SystemPool) and one.pool.retain,
            ),
        )
    return made

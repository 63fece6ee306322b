"""Arguments of azure-native's ManagedCluster, in their Python spelling."""

from collections.abc import Sequence
from typing import cast

from nodepools.aks.agent_pool_arguments import Resolve
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.wire.aks.agent_pool import Around
from nodepools.wire.aks.around import ClusterAround, KubeletIds
from nodepools.wire.aks.cluster import CLUSTER
from nodepools.wire.aks.generation import SYSTEM
from nodepools.wire.names import python_name
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.writing import write


def cluster_arguments(
    stem: str,
    args: AksClusterArgs,
    *,
    identity_id: object,
    system_subnet_id: object,
    pod_subnet_id: object = None,
    kubelet: KubeletIds | None = None,
    egress: Sequence[object] = (),
    resolve: Resolve = lambda ref: ref,
) -> dict[str, object]:
    """All arguments except the name of the resource group."""
    system = Around(SYSTEM, version=None, subnet_id=system_subnet_id, tags=args.tags, pod_subnet_id=pod_subnet_id)
    made = write(CLUSTER, args, ClusterAround(stem, args, identity_id, system, kubelet, tuple(egress)), spell=python_name, resolve=resolve)
    [pool] = cast("list[dict[str, object]]", made["agent_pool_profiles"])
    return merge_overrides({**made, "agent_pool_profiles": [merge_overrides(pool, args.system_pool.overrides)]}, args.overrides)

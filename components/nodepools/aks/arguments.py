"""What agent pools are made of: from the model to the arguments of azure-native, in their Python spelling."""

from collections.abc import Mapping

from nodepools.manifests.node_pool import given
from nodepools.manifests.overlay import overlaid
from nodepools.model.aks.pools import AgentPool, GpuPool, Spot
from nodepools.model.base import plain


def agent_pool_arguments(key: str, pool: AgentPool, *, version: str, subnet_id: object, tags: Mapping[str, str]) -> dict[str, object]:
    """The arguments that a pool inside the cluster and a pool of its own have in common.

    Labels and taints are always sent: a later PUT replaces them as a whole, and one with labels but without the spot label takes that away
    (Azure/AKS#3152). So are the version, for pools to follow their cluster, the type, whose default changed from scale sets to VMs, and
    whether the pool is autoscaled: leaving it out would not turn it off. `count` is wanted on creation even when autoscaled.

    Args:
        key: of the pool, the value of its label `nodepools/name`.
        pool: what is declared.
        version: of the cluster's Kubernetes, where the pool names none.
        subnet_id: where the nodes are.
        tags: of the cluster; the pool's own win.
    """
    made: dict[str, object] = {
        "mode": pool.mode,
        "type": "VirtualMachineScaleSets",
        "os_type": "Linux",
        "vm_size": pool.vm_size,
        "count": pool.first_count,
        "orchestrator_version": pool.kubernetes_version or version,
        "node_labels": pool.node_labels(key),
        "node_taints": [str(taint) for taint in pool.node_taints],
        "vnet_subnet_id": subnet_id,
        "tags": {**tags, **pool.tags},
        **_scale(pool),
        **given(
            os_sku=pool.os_sku,
            os_disk_size_gb=pool.os_disk_size_gb,
            os_disk_type=pool.os_disk_type,
            max_pods=pool.max_pods,
            availability_zones=[str(zone) for zone in pool.zones],
        ),
        **_spot(getattr(pool, "spot", None)),
        **({"gpu_profile": {"driver": pool.driver}} if isinstance(pool, GpuPool) else {}),
    }
    return overlaid(made, {name: plain(value) for name, value in pool.overrides.items()})


def _scale(pool: AgentPool) -> dict[str, object]:
    if pool.scale is None:
        return {"enable_auto_scaling": False}
    return {"enable_auto_scaling": True, "min_count": pool.scale.min, "max_count": pool.scale.max}


def _spot(spot: Spot | None) -> dict[str, object]:
    if spot is None:
        return {}
    return {"scale_set_priority": "Spot", "scale_set_eviction_policy": spot.eviction, "spot_max_price": spot.max_price}

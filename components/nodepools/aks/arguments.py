"""What agent pools are made of: from the model to the arguments of azure-native, in their Python spelling."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence

from nodepools.aks.node_arguments import kubelet_arguments, linux_os_arguments, local_dns_arguments, minutes
from nodepools.manifests.node_pool import given
from nodepools.manifests.overlay import overlaid
from nodepools.model.aks.pool_parts import Spot, UpgradeSettings
from nodepools.model.aks.pools import AgentPool, GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.ref import Ref

Resolve = Callable[[Ref], object]
"""What a reference stands for."""


def agent_pool_arguments(
    key: str,
    pool: AgentPool,
    *,
    version: str | None,
    subnet_id: object,
    tags: Mapping[str, str],
    pod_subnet_id: object = None,
    resolve: Resolve = lambda ref: ref,
    more_taints: Sequence[Taint] = (),
) -> dict[str, object]:
    """The arguments that a pool inside the cluster and a pool of its own have in common.

    Labels and taints are always sent: a later PUT replaces them as a whole, and one with labels but without the spot label takes that away
    (Azure/AKS#3152). So are the type, whose default changed from scale sets to VMs, and whether the pool is autoscaled: leaving it out
    would not turn it off. `count` is wanted on creation even when autoscaled.

    The version is sent for pools of their own, which follow their cluster. It is never sent for the pool inside the cluster: while other
    pools are resources of their own, AKS rejects a new version of the cluster in a request that has one of a pool
    (NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged, Azure/AKS#4765).

    Args:
        key: of the pool, the value of its label `nodepools/name`.
        pool: what is declared.
        version: of the cluster's Kubernetes, where the pool names none; `None` for the pool inside the cluster.
        subnet_id: where the nodes are.
        tags: of the cluster; the pool's own win.
        pod_subnet_id: where the pods are, unless that is an overlay.
        resolve: tells what a reference stands for.
        more_taints: that the pool has for a time.
    """
    made: dict[str, object] = {
        "mode": pool.mode,
        "type": "VirtualMachineScaleSets",
        "os_type": pool.os_type,
        "vm_size": pool.vm_size,
        "count": pool.first_count,
        **_version(pool, version),
        "node_labels": pool.node_labels(key),
        "node_taints": [str(taint) for taint in dict.fromkeys((*pool.node_taints, *more_taints))],
        "vnet_subnet_id": subnet_id,
        "tags": {**tags, **pool.tags},
        **_scale(pool),
        **_machine(pool, resolve),
        **_network(pool, pod_subnet_id, resolve),
        **_of_the_kind(pool),
    }
    return overlaid(made, pool.overrides)


def _version(pool: AgentPool, version: str | None) -> dict[str, object]:
    if version is None:
        return {}
    return {"orchestrator_version": pool.kubernetes_version if pool.kubernetes_version is not None else version}


def _scale(pool: AgentPool) -> dict[str, object]:
    if pool.scale is None:
        return {"enable_auto_scaling": False}
    return {"enable_auto_scaling": True, "min_count": pool.scale.min, "max_count": pool.scale.max}


def _machine(pool: AgentPool, resolve: Resolve) -> dict[str, object]:
    """What a node is, from its disks to its kubelet."""
    return given(
        availability_zones=[str(zone) for zone in pool.zones],
        os_sku=pool.os_sku,
        os_disk_size_gb=pool.os_disk_size_gb,
        os_disk_type=pool.os_disk_type,
        max_pods=pool.max_pods,
        kubelet_disk_type=pool.kubelet_disk_type,
        enable_ultra_ssd=pool.ultra_ssd or None,
        enable_encryption_at_host=pool.encryption_at_host or None,
        enable_fips=pool.fips or None,
        security_profile=given(enable_secure_boot=pool.secure_boot, enable_vtpm=pool.vtpm, ssh_access=pool.ssh_access),
        kubelet_config=kubelet_arguments(pool.kubelet) if pool.kubelet is not None else None,
        local_dns_profile=local_dns_arguments(pool.local_dns) if pool.local_dns is not None else None,
        upgrade_settings=_upgrade(pool.upgrade) if pool.upgrade is not None else None,
        scale_down_mode=pool.scale_down_mode,
        power_state=given(code=pool.power_state),
        workload_runtime=pool.workload_runtime,
        creation_data={"source_resource_id": resolve(pool.snapshot_id)} if pool.snapshot_id is not None else None,
        **{name: resolve(ref) for name, ref in _groups(pool).items() if ref is not None},
    )


def _groups(pool: AgentPool) -> dict[str, Ref | None]:
    return {
        "proximity_placement_group_id": pool.proximity_placement_group_id,
        "capacity_reservation_group_id": pool.capacity_reservation_group_id,
        "host_group_id": pool.host_group_id,
    }


def _network(pool: AgentPool, pod_subnet_id: object, resolve: Resolve) -> dict[str, object]:
    prefix = pool.node_public_ip_prefix_id
    return given(
        pod_subnet_id=resolve(pool.pod_subnet_id) if pool.pod_subnet_id is not None else pod_subnet_id,
        pod_ip_allocation_mode=pool.pod_ip_allocation,
        enable_node_public_ip=pool.node_public_ip or None,
        node_public_ip_prefix_id=resolve(prefix) if prefix is not None else None,
        network_profile=given(
            allowed_host_ports=[{"port_start": ports.start, "port_end": ports.end, "protocol": ports.protocol} for ports in pool.allowed_host_ports],
            application_security_groups=[resolve(group) for group in pool.application_security_group_ids],
            node_public_ip_tags=[{"ip_tag_type": kind, "tag": tag} for kind, tag in pool.node_public_ip_tags.items()],
        ),
    )


def _of_the_kind(pool: AgentPool) -> dict[str, object]:
    """What only some kinds of pool have."""
    made: dict[str, object] = {}
    if isinstance(pool, SystemPool | UserPool | GpuPool):
        motd = pool.message_of_the_day
        made |= given(
            linux_os_config=linux_os_arguments(pool.linux_os) if pool.linux_os is not None else None,
            message_of_the_day=b64encode(motd.encode()).decode() if motd is not None else None,
        )
    if isinstance(pool, UserPool | GpuPool) and pool.spot is not None:
        made |= _spot(pool.spot)
    if isinstance(pool, GpuPool):
        made |= {"gpu_profile": {"driver": pool.driver}, **given(gpu_instance_profile=pool.mig)}
    if isinstance(pool, WindowsPool) and not pool.outbound_nat:
        made |= {"windows_profile": {"disable_outbound_nat": True}}
    return made


def _spot(spot: Spot) -> dict[str, object]:
    return {"scale_set_priority": "Spot", "scale_set_eviction_policy": spot.eviction, "spot_max_price": spot.max_price}


def _upgrade(settings: UpgradeSettings) -> dict[str, object]:
    return given(
        max_surge=settings.max_surge,
        max_unavailable=settings.max_unavailable,
        drain_timeout_in_minutes=minutes(settings.drain_timeout),
        node_soak_duration_in_minutes=minutes(settings.soak),
        undrainable_node_behavior=settings.undrainable,
    )

"""The arguments of azure-native's AgentPool, each with what it is here: one table for requests, for generations and for the documentation.

What Azure can change in place and what it cannot: the mutability matrix of docs/facts/aks.md § 2.10. Where the matrix is silent a field
counts as fixed: a needless new name costs a rotation, a refused update an outage.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument that a pool's fields say."""

    name: str
    """As azure-native spells it in Python."""
    fields: tuple[str, ...]
    """Of our pools."""
    fixed: bool
    """Azure cannot change it in place: the pool rotates."""


def _one(name: str, field: str | None = None, *, fixed: bool) -> Argument:
    return Argument(name, (field if field is not None else name,), fixed)


MODELLED: Final = (
    _one("vm_size", fixed=True),
    Argument("count", ("count", "scale"), fixed=False),
    Argument("enable_auto_scaling", ("scale",), fixed=False),
    Argument("min_count", ("scale",), fixed=False),
    Argument("max_count", ("scale",), fixed=False),
    _one("availability_zones", "zones", fixed=True),
    _one("orchestrator_version", "kubernetes_version", fixed=False),
    _one("os_sku", fixed=False),
    _one("os_disk_size_gb", fixed=True),
    _one("os_disk_type", fixed=True),
    _one("max_pods", fixed=True),
    _one("kubelet_disk_type", fixed=True),
    _one("enable_ultra_ssd", "ultra_ssd", fixed=True),
    _one("enable_encryption_at_host", "encryption_at_host", fixed=True),
    _one("enable_fips", "fips", fixed=False),
    Argument("security_profile", ("secure_boot", "vtpm", "ssh_access"), fixed=False),
    _one("kubelet_config", "kubelet", fixed=True),
    _one("linux_os_config", "linux_os", fixed=True),
    _one("local_dns_profile", "local_dns", fixed=False),
    _one("message_of_the_day", fixed=True),
    _one("upgrade_settings", "upgrade", fixed=False),
    _one("scale_down_mode", fixed=False),
    _one("power_state", fixed=False),
    _one("workload_runtime", fixed=False),
    _one("creation_data", "snapshot_id", fixed=False),
    _one("proximity_placement_group_id", fixed=True),
    _one("capacity_reservation_group_id", fixed=True),
    _one("host_group_id", fixed=True),
    _one("node_labels", "labels", fixed=False),
    Argument("node_taints", ("taints", "isolated", "tainted"), fixed=False),
    _one("vnet_subnet_id", fixed=True),
    _one("pod_subnet_id", fixed=True),
    _one("pod_ip_allocation_mode", "pod_ip_allocation", fixed=True),
    _one("enable_node_public_ip", "node_public_ip", fixed=True),
    _one("node_public_ip_prefix_id", fixed=True),
    Argument("network_profile", ("allowed_host_ports", "application_security_group_ids"), fixed=False),
    Argument("network_profile", ("node_public_ip_tags",), fixed=True),
    _one("tags", fixed=False),
    Argument("scale_set_priority", ("spot",), fixed=True),
    Argument("scale_set_eviction_policy", ("spot",), fixed=True),
    Argument("spot_max_price", ("spot",), fixed=True),
    _one("gpu_profile", "driver", fixed=True),
    _one("gpu_instance_profile", "mig", fixed=True),
    _one("windows_profile", "outbound_nat", fixed=True),
    _one("agent_pool_name", "name", fixed=True),
)
"""Arguments that fields say."""

DERIVED: Final[Mapping[str, str]] = {
    "mode": "the kind of pool",
    "os_type": "the kind of pool",
    "type": "always scale sets: virtual machine pools have neither zones nor snapshots",
    "resource_group_name": "that of the cluster",
    "resource_name_": "the cluster",
}
"""Arguments that follow from elsewhere."""

LEFT: Final[Mapping[str, str]] = {
    "gateway_profile": 'of pools that carry the egress of pods, which are none of our kinds: `UserPool(count=2, overrides={"mode": "Gateway", '
    '"gateway_profile": {"public_ip_prefix_size": 30}})`, without `scale`, on a cluster with `overrides={"network_profile": '
    '{"static_egress_gateway_profile": {"enabled": True}}}`; what routes to it are objects of the static egress gateway, which are not ours to make',
    "virtual_machines_profile": 'of pools of single virtual machines (`overrides={"type": "VirtualMachines", …}`): they have neither zones nor '
    "snapshots, and do not scale by themselves in this version of the API",
    "virtual_machine_nodes_status": "what Azure tells of such pools: nothing to declare",
}
"""Arguments that stay with `overrides`, each with its reason."""

CHANGEABLE: Final = frozenset({"mode", *(one.name for one in MODELLED if not one.fixed)} - {one.name for one in MODELLED if one.fixed})
"""Arguments that `overrides` may change in place."""

FIXED_FIELDS: Final = (*dict.fromkeys(field for one in MODELLED if one.fixed for field in one.fields if field != "name"), "generation")
"""Fields that are in the generation of every pool that has them; a fixed name has none."""

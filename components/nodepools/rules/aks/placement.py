"""Placement of agent pools: proximity groups, reservations, spot. Facts: docs/facts/aks.md § 2.3, § 2.7."""

from collections.abc import Iterator

from nodepools.data.azure_vm_sizes import parts_of
from nodepools.data.regions import azure_name, azure_regions
from nodepools.model.aks.agent_pool import AgentPool, Autoscale, Spot
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import UserPool
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import SIZE, aks

_RESERVATIONS = "https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-overview (2026-02)"


@rule(
    "AKS038",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/reduce-latency-ppg: a proximity placement group requires a node pool to use only one zone",
    sample=Sample("proximity_placement_group_id", lambda: UserPool(vm_size=SIZE, zones=[1, 2], proximity_placement_group_id="group")),
)
def multi_zone_proximity_placement_group(pool: AgentPool) -> Iterator[PartFinding]:
    """A proximity placement group is in one zone, and so are the pools that use it."""
    if pool.proximity_placement_group_id is not None and len(pool.zones) > 1:
        message = f"A proximity placement group is in one zone: AKS rejects it for a pool in {len(pool.zones)} zones"
        fix = f"Set {ref('zones')} to one zone, or remove {ref('proximity_placement_group_id')}"
        yield finding(pool, message, path="proximity_placement_group_id", fix=fix)


@rule(
    "AKS329",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/reliability/regions-list: regions without availability zones (2026-08)",
    sample=Sample("pools.web.zones", lambda: aks(location="westus", pools={"web": UserPool(vm_size=SIZE, zones=[1])})),
)
def zones_in_region_without(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Some regions of Azure have no availability zones: AKS rejects zones there (AvailabilityZoneNotSupported)."""
    if pool.zones and azure_name(cluster.location) in azure_regions().without_zones:
        message = f"`{cluster.location}` has no availability zones: AKS rejects {ref('zones')} there (AvailabilityZoneNotSupported)"
        yield finding(pool, message, path="zones", fix=f"Remove {ref('zones')}, or deploy to a region with availability zones")


@rule(
    "AKS188",
    Severity.WARNING,
    source="Azure's SKU list of 2025-06: LowPriorityCapable=False for sizes of the Bv1 series",
    sample=Sample("vm_size", lambda: UserPool(vm_size="Standard_B4ms", scale=Autoscale(0, 5), spot=Spot())),
)
def burstable_spot_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """Azure does not sell sizes of the first B series as spot capacity."""
    parts = parts_of(pool.vm_size)
    if _is_spot(pool) and parts is not None and (parts.family, parts.version) == ("B", 1):
        message = f"Azure lists `{pool.vm_size}` as not available for spot: AKS can reject the pool"
        yield finding(pool, message, path="vm_size", fix=f"Use a size such as `{SIZE}`, or remove {ref('spot')}")


@rule(
    "AKS190",
    Severity.ERROR,
    source=f"{_RESERVATIONS}: spot VMs, dedicated hosts, proximity placement groups and ultra disks are not supported",
    sample=Sample(
        "capacity_reservation_group_id", lambda: UserPool(vm_size=SIZE, capacity_reservation_group_id="group", proximity_placement_group_id="near")
    ),
)
def unsupported_capacity_reservation(pool: AgentPool) -> Iterator[PartFinding]:
    """Capacity reservations do not support spot, dedicated hosts, proximity placement groups and ultra disks."""
    for field, what in _unreserved(pool) if pool.capacity_reservation_group_id is not None else ():
        message = f"Azure does not support {what} together with a capacity reservation group"
        fix = f"Remove {ref('capacity_reservation_group_id')} or {ref(field)}"
        yield finding(pool, message, path="capacity_reservation_group_id", fix=fix)


def _unreserved(pool: AgentPool) -> Iterator[tuple[str, str]]:
    """Fields of a pool that capacity reservations do not support, and what they mean."""
    if _is_spot(pool):
        yield "spot", "spot capacity"
    if pool.host_group_id is not None:
        yield "host_group_id", "dedicated hosts"
    if pool.proximity_placement_group_id is not None:
        yield "proximity_placement_group_id", "a proximity placement group"
    if pool.ultra_ssd:
        yield "ultra_ssd", "ultra disks"


def _is_spot(pool: AgentPool) -> bool:
    return getattr(pool, "spot", None) is not None

"""Agent pools of AKS that others manage, as `az aks nodepool list` shows them. Facts: docs/facts/aks.md § 2.3 to § 2.5."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.version_support import minor
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.agent_pools import FAULT_DOMAINS, MOST_PODS, labels_by_aks, may_set, os_labels, region_labels, zone_labels
from nodepools.placement.allocatable import agent_pool_offers, disk
from nodepools.placement.gpus import AMD, NVIDIA
from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds
from nodepools.placement.static_pools import StaticPool

_GIB = 1024**3 * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedAgentPool:
    """An agent pool as it is in Azure."""

    name: str
    cluster: str
    vm_size: str
    """Empty: the pool has several sizes."""
    count: int
    least: int
    most: int
    mode: str = "User"
    os_type: str = "Linux"
    os_sku: str | None = None
    version: str = ""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    taints: tuple[Taint, ...] = ()
    zones: tuple[str, ...] = ()
    """Numbers of zones."""
    max_pods: int | None = None
    disk_gib: int | None = None
    """`None`: not known, or the kubelet does not use the OS disk."""
    fips: bool = False
    is_autoscaled: bool = False
    spot: bool = False
    surge: str = ""
    unavailable: str = ""
    drain_minutes: int | None = None
    undrainable: str = ""
    is_stopped: bool = False
    once_started: int = 0
    """Its largest number of nodes if it is stopped now: anybody can start it."""
    keeps_machines: bool = False
    """Removed and evicted machines are stopped, not deleted."""
    node_subnet: str = ""
    """The id of the subnet of its nodes; empty: not known, or AKS manages the network."""
    pod_subnet: str = ""
    pod_ip_allocation: str = ""

    @property
    def shown_name(self) -> str:
        """Its name next to a declaration, which can have a pool with this name as its key."""
        return f"{self.name} (not declared)"

    def nodes(self, location: str | None) -> StaticPool:
        """Its nodes. `location` is the region of the cluster; `None`: not known."""
        size = azure_vm_sizes().get(self.vm_size)
        labels = {
            **labels_by_aks(self.name, self.mode, size, self.vm_size),
            **os_labels(self.os_type, self.os_sku, fips=self.fips),
            **({} if location is None else region_labels(location)),
            **self.labels,
        }
        named = [zone_labels(f"{location}-{zone}") for zone in self.zones] or [zone_labels(domain) for domain in FAULT_DOMAINS]
        without_place = {*region_labels(""), *zone_labels("")} if location is None else set[str]()
        return StaticPool(
            self.name,
            tuple({**labels, **zone} for zone in named) if location is not None else (labels,),
            self.taints,
            self._offers(),
            size=self.vm_size,
            min_nodes=self.least,
            max_nodes=self.most,
            may_grow=self.is_autoscaled,
            now=self.count,
            max_pods=self.max_pods,
            may_set=lambda key: key in without_place or may_set(key),
            system=self.os_type.lower(),
        )

    def _offers(self) -> dict[str, Bounds]:
        size = azure_vm_sizes().get(self.vm_size)
        if size is None:
            return {}
        known = minor(self.version) if self.version else None
        pods = self.max_pods if self.max_pods is not None else MOST_PODS
        offers = agent_pool_offers(size.cpu, size.memory_gib, max_pods=pods, minor=known, windows=self.os_type == "Windows")
        gpus = dict.fromkeys((NVIDIA, AMD), NO_AMOUNT if size.gpus == 0 else UNKNOWN_AMOUNT)
        return {**offers, **gpus, "ephemeral-storage": UNKNOWN_AMOUNT if self.disk_gib is None else disk(self.disk_gib * _GIB)}

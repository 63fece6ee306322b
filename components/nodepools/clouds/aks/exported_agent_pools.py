"""Agent pools of AKS that others manage, as `az aks nodepool list` shows them. Facts: docs/facts/aks.md § 2.3 to § 2.5."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from nodepools.clouds.aks.agent_pools import (
    AMD,
    FAULT_DOMAINS,
    MACHINE_LABELS,
    MOST_PODS,
    NVIDIA,
    labels_by_aks,
    machine_labels,
    may_set,
    os_labels,
    region_labels,
    zone_labels,
)
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.version_support import minor
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.allocatable import agent_pool_offers, disk
from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds, hull
from nodepools.placement.static_pools import StaticPool

_GIB = 1024**3 * 1000
_FEWEST_PODS = 10
"""The smallest number of pods that a kubelet can be set to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedAgentPool:
    """An agent pool as it is in Azure."""

    name: str
    cluster: str
    vm_sizes: tuple[str, ...]
    """Its nodes have one of these sizes; empty: not known."""
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
    is_counted: bool = True
    """`least` and `most` are known."""
    is_autoscaled: bool = False
    spot: bool = False
    surge: str = ""
    unavailable: str = ""
    drain_minutes: int | None = None
    undrainable: str = ""
    is_deleted: bool = False
    """It is being deleted."""
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
    def vm_size(self) -> str:
        """Empty: it has several, or it is not known."""
        return self.vm_sizes[0] if len(self.vm_sizes) == 1 else ""

    @property
    def why_unsure(self) -> str | None:
        """Why it is not certain that it has a node for a pod."""
        if self.is_deleted:
            return "the agent pool is being deleted in the export"
        return None if self.is_counted else "how many nodes it can have is not in the export"

    @property
    def shown_name(self) -> str:
        """Its name next to a declaration, which can have a pool with this name as its key."""
        return f"{self.name} (not declared)"

    def nodes(self, location: str | None) -> StaticPool:
        """Its nodes. `location` is the region of the cluster; `None`: not known."""
        labels = {
            **labels_by_aks(self.name, self.mode),
            **(machine_labels(self.vm_size) if self.vm_size else {}),
            **os_labels(self.os_type, self.os_sku, fips=self.fips),
            **({} if location is None else region_labels(location)),
            **self.labels,
        }
        named = [zone_labels(f"{location}-{zone}") for zone in self.zones] or [zone_labels(domain) for domain in FAULT_DOMAINS]
        chosen = {key: frozenset(values) for key, values in self._machine_labels().items() if key not in labels}
        of_place = {*region_labels(""), *zone_labels("")} if location is None else set[str]()
        not_known = {*of_place, *MACHINE_LABELS} - labels.keys() - chosen.keys()
        return StaticPool(
            self.name,
            tuple({**labels, **zone} for zone in named) if location is not None else (labels,),
            self.taints,
            self._offers(),
            size=self.vm_size,
            min_nodes=self.least,
            max_nodes=self.most if self.is_counted else max(self.count, 1),
            may_grow=self.is_autoscaled,
            now=self.count,
            max_pods=self.max_pods,
            choices=chosen,
            is_balanced=bool(self.zones) and location is not None,
            may_set=lambda key: key in not_known or may_set(key),
            system=self.os_type.lower(),
        )

    def _machine_labels(self) -> Mapping[str, set[str]]:
        """The labels that depend on the size of a node, with the possible values; those of a size that no table has are not known."""
        found = [machine_labels(size) for size in self.vm_sizes]
        return {key: {labels[key] for labels in found} for key in MACHINE_LABELS if found and all(key in labels for labels in found)}

    def _offers(self) -> dict[str, Bounds]:
        """The least and the most that a node of any of the sizes has."""
        found = [self._offers_of(size) for size in self.vm_sizes]
        return {key: hull([offers.get(key, UNKNOWN_AMOUNT) for offers in found]) for offers in found[:1] for key in offers}

    def _offers_of(self, vm_size: str) -> dict[str, Bounds]:
        size = azure_vm_sizes().get(vm_size)
        if size is None:
            return {}
        known = minor(self.version) if self.version else None
        pods = self.max_pods if self.max_pods is not None else MOST_PODS
        offers = agent_pool_offers(
            size.cpu, size.memory_gib, max_pods=pods, minor=known, windows=self.os_type == "Windows", fewest_pods=self.max_pods or _FEWEST_PODS
        )
        gpus = dict.fromkeys((NVIDIA, AMD), NO_AMOUNT if size.gpus == 0 else UNKNOWN_AMOUNT)
        return {**offers, **gpus, "ephemeral-storage": UNKNOWN_AMOUNT if self.disk_gib is None else disk(self.disk_gib * _GIB)}

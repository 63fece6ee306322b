"""Agent pools of AKS that exist, as `az aks nodepool list` prints them, as far as they decide where pods can run. Case of names is ignored.

Facts: docs/facts/aks.md § 2.3 to § 2.5. Profiles: https://learn.microsoft.com/javascript/api/@azure/arm-containerservice/autoscaleprofile, 2026-11.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ipaddress import IPv4Network
from typing import TYPE_CHECKING, Final, NamedTuple

from nodepools.clouds.aks import agent_pools
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.version_support import minor
from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text, texts
from nodepools.model.values import dataclass, field
from nodepools.placement.allocatable import agent_pool_offers, disk
from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds, hull
from nodepools.placement.static_pools import StaticPool
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.reading import Reading
from nodepools.wire.table import Written

if TYPE_CHECKING:
    from nodepools.clouds.aks.existing import ClusterId, Export

_GIB = 1024**3 * 1000
_FEWEST_PODS = 10
"""The smallest number of pods that a kubelet can be set to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingAgentPool:
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
    state: str = ""
    is_stopped: bool = False
    once_started: int = 0
    """Its largest number of nodes if it is stopped now: anybody can start it."""
    keeps_machines: bool = False
    """Removed and evicted machines are stopped, not deleted."""
    node_subnet: str = ""
    """The id of the subnet of its nodes; empty: not known, or AKS manages the network."""
    pod_subnet: str = ""
    pod_ip_allocation: str = ""
    cluster_id: "ClusterId | None" = None
    """Clusters in two resource groups can have one name."""

    @property
    def vm_size(self) -> str:
        """Empty: it has several, or it is not known."""
        return self.vm_sizes[0] if len(self.vm_sizes) == 1 else ""

    @property
    def why_unsure(self) -> str | None:
        """Why it is not certain that it has a node for a pod."""
        if self.state.lower() == "deleting":
            return "the agent pool is being deleted in the export"
        return None if self.is_counted else "how many nodes it can have is not in the export"

    @property
    def shown_name(self) -> str:
        """Its name next to a declaration, which can have a pool with this name as its key."""
        return f"{self.name} (not declared)"

    def nodes(self, location: str | None) -> StaticPool:
        """Its nodes. `location` is the region of the cluster; `None`: not known."""
        labels = {
            **agent_pools.labels_by_aks(self.name, self.mode),
            **(agent_pools.machine_labels(self.vm_size) if self.vm_size else {}),
            **agent_pools.os_labels(self.os_type, self.os_sku, fips=self.fips),
            **({} if location is None else agent_pools.region_labels(location)),
            **self.labels,
        }
        named = [agent_pools.zone_labels(agent_pools.zone_name(location, zone)) for zone in self.zones if location is not None] or [
            agent_pools.zone_labels(domain) for domain in agent_pools.FAULT_DOMAINS
        ]
        chosen = {key: values for key, values in self._machine_labels().items() if key not in labels}
        of_place = {*agent_pools.region_labels(""), *agent_pools.zone_labels("")} if location is None else set[str]()
        not_known = {*of_place, *agent_pools.MACHINE_LABELS} - labels.keys() - chosen.keys()
        return StaticPool(
            self.name,
            tuple({**labels, **zone} for zone in named) if location is not None else (labels,),
            (*self.taints, *(taint for taint in agent_pools.taints_by_aks(self.mode) if taint not in self.taints)),
            self._offers(),
            size=self.vm_size,
            min_nodes=self.least,
            max_nodes=self.most if self.is_counted else max(self.count, 1),
            may_grow=self.is_autoscaled,
            now=self.count,
            max_pods=self.max_pods,
            choices=chosen,
            may_set=lambda key: key in not_known or agent_pools.may_set(key),
            system=self.os_type.lower(),
        )

    def _machine_labels(self) -> Mapping[str, frozenset[str]]:
        """The labels that depend on the size of a node, with the possible values; those of a size that no table has are not known."""
        known = ((size, agent_pools.machine_labels(size)) for size in self.vm_sizes)
        found = [{**{key: frozenset({value}) for key, value in labels.items()}, **agent_pools.spellings(size)} for size, labels in known]
        named = [key for key in agent_pools.MACHINE_LABELS if found and all(key in labels for labels in found)]
        return {key: frozenset[str]().union(*(labels[key] for labels in found)) for key in named}

    def _offers(self) -> dict[str, Bounds]:
        """The least and the most that a node of any of the sizes has."""
        found = [self._offers_of(size) for size in self.vm_sizes]
        return {key: hull([offers.get(key, UNKNOWN_AMOUNT) for offers in found]) for offers in found[:1] for key in offers}

    def _offers_of(self, vm_size: str) -> dict[str, Bounds]:
        size = azure_vm_sizes().get(vm_size)
        if size is None:
            return {}
        known = minor(self.version) if self.version else None
        pods = self.max_pods if self.max_pods is not None else agent_pools.MOST_PODS
        offers = agent_pool_offers(
            size.cpu, size.memory_gib, max_pods=pods, minor=known, windows=self.os_type == "Windows", fewest_pods=self.max_pods or _FEWEST_PODS
        )
        gpus = dict.fromkeys((agent_pools.NVIDIA, agent_pools.AMD), NO_AMOUNT if size.gpus == 0 else UNKNOWN_AMOUNT)
        return {**offers, **gpus, "ephemeral-storage": UNKNOWN_AMOUNT if self.disk_gib is None else disk(self.disk_gib * _GIB)}


_OWN_DISK: Final = "os"
_PLACES: Final = {each.model: ".".join(map(str, each.wire)) for each in POOL.leaves}
"""Where the rows have each field of a pool."""
_READING: Final = Reading(fold=True)


class _Fields(NamedTuple):
    """An exported pool, read by the fields of the model. What only Azure sets has the name that Azure gives it."""

    written: Written

    def at(self, *name: str) -> tuple[object, str]:
        """The value, and its place in the API."""
        place = _PLACES.get(name, name[0])
        return _READING.at(self.written, place), place

    def text(self, *name: str) -> str:
        return text(*self.at(*name))

    def number(self, *name: str) -> int:
        return number(*self.at(*name))

    def optional(self, *name: str) -> int | None:
        return None if self.at(*name)[0] is None else self.number(*name)

    def alone(self, name: str) -> tuple[Written, str]:
        """An object with this field alone, and its place."""
        value, place = self.at(name)
        return {place: value}, place


def read_agent_pools(found: "Iterable[Export]", failed: Callable[[str, str], None]) -> Iterator[ExistingAgentPool]:
    """The agent pools of exports, each once. `failed` gets what is wrong with one that cannot be read, and its file."""
    from nodepools.clouds.aks.existing import agent_pools_in  # many commands need only the types here

    for pools in agent_pools_in(found).values():
        for one in pools.values():
            try:
                yield agent_pool(one)
            except PodError as wrong:
                failed(f"{one.source}: agent pool `{one.name}`: {wrong}", one.source)


def _is_stopped(pool: _Fields) -> bool:
    """`az` prints an object, tables and queries its code alone."""
    written = pool.at("powerState")[0]
    return (written if isinstance(written, str) else pool.text("power_state")).lower() == "stopped"


def agent_pool(one: "Export") -> ExistingAgentPool:
    """An agent pool.

    Raises:
        PodError: a field is missing or invalid.
    """
    pool = _Fields(one.written)
    scale, stopped, spot = _scale(pool), _is_stopped(pool), pool.text("spot").lower() == "spot"
    most = scale.now if scale.most is None else scale.most
    return ExistingAgentPool(
        name=one.name,
        cluster=one.cluster.name,
        cluster_id=one.cluster,
        vm_sizes=scale.sizes,
        count=0 if stopped else scale.now,
        least=0 if stopped else scale.least,
        most=0 if stopped else most,
        is_counted=scale.most is not None,
        is_autoscaled=scale.is_autoscaled,
        state=pool.text("provisioningState"),
        is_stopped=stopped,
        once_started=most if stopped else 0,
        keeps_machines="deallocate" in (pool.text("scale_down_mode").lower(), pool.text("spot", "eviction").lower() if spot else ""),
        node_subnet=pool.text("vnet_subnet_id"),
        pod_subnet=pool.text("pod_subnet_id"),
        pod_ip_allocation=pool.text("pod_ip_allocation"),
        mode=pool.text("mode") or "User",
        os_type=pool.text("osType") or "Linux",
        os_sku=pool.text("os_sku") or None,
        version=pool.text("currentOrchestratorVersion") or pool.text("kubernetes_version"),
        labels={key: text(value, key) for key, value in mapping(*pool.alone("labels")).items()},
        taints=tuple(map(_taint, texts(*pool.alone("taints")))),
        zones=tuple(sorted(texts(*pool.alone("zones")))),
        max_pods=pool.optional("max_pods"),
        disk_gib=pool.optional("os_disk_size_gb") if (pool.text("kubelet_disk_type") or _OWN_DISK).lower() == _OWN_DISK else None,
        fips=pool.at("fips")[0] is True,
        spot=spot,
        surge=str(pool.at("upgrade", "max_surge")[0] or ""),
        unavailable=str(pool.at("upgrade", "max_unavailable")[0] or ""),
        drain_minutes=pool.optional("upgrade", "drain_timeout"),
        undrainable=pool.text("upgrade", "undrainable"),
    )


def _taint(written: str) -> Taint:
    try:
        return Taint.model_validate(written)
    except ValueError:
        raise PodError(f"a taint must be `key=value:Effect`, but is `{written:.60}`") from None


_MACHINES: Final = "virtualmachines"
"""The type of a pool whose nodes are single machines, of one or several VM sizes."""
_ONE_BY_ONE: Final = "machines"
"""The mode of a pool whose machines are created one by one."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """The nodes of an agent pool."""

    sizes: tuple[str, ...]
    """VM sizes; empty: the export does not contain them."""
    now: int
    least: int
    most: int | None
    """`None`: the export does not contain it."""
    is_autoscaled: bool


def _scale(pool: _Fields) -> _Scale:
    types = [pool.text(name).lower() for name in ("typePropertiesType", "type")]  # a cluster shows its pools in another spelling
    if _MACHINES in types or pool.text("mode").lower() == _ONE_BY_ONE:
        return _of_machines(pool)
    size = pool.text("vm_size")
    if not size:
        raise PodError("it has no `vmSize`, which `az aks nodepool list` prints")
    now, is_autoscaled = pool.number("count"), pool.at("scale")[0] is True
    least, most = [pool.number("scale", name) for name in ("min", "max")] if is_autoscaled else (now, now)
    return _Scale((size,), now, least, most, is_autoscaled)


def _of_machines(pool: _Fields) -> _Scale:
    """The numbers are in the profile of each VM size."""
    running = entries(*pool.alone("virtualMachineNodesStatus"))
    profile = mapping(mapping(*pool.alone("machines")), "scale")
    fixed, scaled = entries(profile, "manual"), _autoscaled(profile)
    sizes = dict.fromkeys(text(one.get("size"), "size") for one in (*fixed, *scaled, *running))
    least = _sum(fixed, "count") + _sum(scaled, "minCount")
    most = _sum(fixed, "count") + _sum(scaled, "maxCount") if fixed or scaled else None
    now = least if pool.at("virtualMachineNodesStatus")[0] is None else _sum(running, "count")
    return _Scale(() if "" in sizes else tuple(sizes), now, least, most, bool(scaled))


def _autoscaled(profile: Written) -> Sequence[Written]:
    """API versions differ: one profile, or a list."""
    return entries(profile, "autoscale") if isinstance(profile.get("autoscale"), list) else [one for one in [mapping(profile, "autoscale")] if one]


def _sum(profiles: Sequence[Written], name: str) -> int:
    return sum(number(one.get(name), name) for one in profiles)


OWN_PODS: Final = ("overlay", "kubenet")
"""Pods take no addresses of the subnet of the nodes, but of a range of their own, a /24 for each node."""


@dataclass(frozen=True, slots=True)
class ExistingNetwork:
    """What the nodes of a cluster share. Facts: docs/facts/capacity.md § 1, § 2."""

    mode: str = ""
    """`overlay`, or the network plugin; empty: not known."""
    pod_cidr: str = ""
    ports: int = 0
    """Outbound ports of the load balancer for each node; 0: nodes share them, or have none."""
    outbound_addresses: int | None = None


def existing_network(raw: Mapping[str, object]) -> ExistingNetwork:
    """The network profile of an export."""
    modes = [text(raw.get(name), name).lower() for name in ("networkPluginMode", "networkPlugin")]
    mode, cidr = next(filter(None, modes), ""), text(raw.get("podCidr"), "podCidr")
    balancer: Mapping[str, object] = mapping(raw, "loadBalancerProfile") if raw.get("outboundType") == "loadBalancer" else {}
    managed, own = mapping(balancer, "managedOutboundIPs").get("count"), entries(mapping(balancer, "outboundIPs"), "publicIPs")
    addresses = 0 if mapping(balancer, "outboundIPPrefixes") else number(managed or 0, "count") + len(own)
    ports = number(balancer.get("allocatedOutboundPorts") or 0, "allocatedOutboundPorts")
    try:
        pods = str(IPv4Network(cidr)) if mode in OWN_PODS and cidr else ""
    except ValueError:
        raise PodError(f"`podCidr` must be a range of IPv4 addresses, but is `{cidr:.60}`") from None
    return ExistingNetwork(mode, pods, ports, addresses or None)

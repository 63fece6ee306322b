"""Agent pools in Azure's API; the Python spelling of azure-native is derived from it.

A new field is a line in the model and a row here. Facts: docs/facts/aks.md § 2.10. If no source documents the effect of a change, the field counts
as immutable: an unnecessary rotation costs less than a rejected update.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.node_settings import Sysctls, size_in_bytes
from nodepools.model.base import Model
from nodepools.model.invalid_parts import NotKnownError
from nodepools.model.kubernetes.label import POOL_LABEL, Taint
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, field
from nodepools.wire.aks.sources import UPGRADED
from nodepools.wire.reading import UNREADABLE, Reading, Why, Writing
from nodepools.wire.rows import (
    BASE64,
    HEADROOM,
    INVERTED,
    MINUTES,
    NUMBERS_AS_TEXT,
    SAME,
    SECONDS,
    TEXTS,
    UNLESS_ZERO,
    Each,
    Note,
    Pairs,
    Part,
    Presence,
    Row,
    codec,
    computed,
    same_word,
    whole,
)
from nodepools.wire.table import Change, Effect, FieldPath, Pattern, Table, Written, camel, path

_MEBIBYTE: Final = 1024 * 1024
_SPELLED_OTHERWISE: Final = {"net_ipv4_tcp_keepalive_intvl": "netIpv4TcpkeepaliveIntvl"}


MEBIBYTES: Final = codec(lambda size: int(size_in_bytes(size) / _MEBIBYTE), lambda number: f"{whole(number)}Mi")


def alike(*fields: str) -> tuple[Row, ...]:
    """Fields with the same name in Azure, in camel case: `maxPods` is `max_pods`."""
    return tuple(Row(name, _SPELLED_OTHERWISE.get(name, camel(name))) for name in fields)


KUBELET: Final = Table(
    *alike("cpu_manager_policy", "cpu_cfs_quota", "cpu_cfs_quota_period", "topology_manager_policy", "image_gc_high_threshold"),
    *alike("image_gc_low_threshold", "allowed_unsafe_sysctls", "container_log_max_files", "pod_max_pids", "fail_swap_on"),
    Row("container_log_max_size", "containerLogMaxSizeMB", codec=MEBIBYTES),
)
LINUX_OS: Final = Table(
    Part("sysctls", "sysctls", Table(*alike(*Sysctls.model_fields))),
    *alike("transparent_huge_page_enabled", "transparent_huge_page_defrag"),
    Row("swap_file_size", "swapFileSizeMB", codec=MEBIBYTES),
)
DNS_OVERRIDE: Final = Table(
    *alike("forward_destination", "forward_policy", "query_logging", "protocol", "max_concurrent", "serve_stale"),
    Row("cache_duration", "cacheDurationInSeconds", codec=SECONDS),
    Row("serve_stale_duration", "serveStaleDurationInSeconds", codec=SECONDS),
)
"""One zone of `vnetDNSOverrides` and `kubeDNSOverrides`."""
LOCAL_DNS: Final = Table(
    Row("mode", "mode"),
    Each("vnet_dns", "vnetDNSOverrides", DNS_OVERRIDE, key="zone"),
    Each("kube_dns", "kubeDNSOverrides", DNS_OVERRIDE, key="zone"),
)


@dataclass(frozen=True, slots=True)
class AgentPoolContext:
    """Values of a pool's request that are not fields of the pool."""

    key: str
    """Key of the pool, and value of its label `nodepools/name`."""
    version: str | None
    """Kubernetes version of the cluster; `None` for the pool inside the cluster, whose version is never sent."""
    subnet_id: object
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    """Tags of the cluster; tags of the pool override them."""
    pod_subnet_id: object = None
    more_taints: Sequence[Taint] = ()
    """Temporary taints of the pool."""


def _version(pool: AgentPool, around: AgentPoolContext) -> object:
    if around.version is None:
        return None
    return pool.kubernetes_version if pool.kubernetes_version is not None else around.version


def _taints(pool: AgentPool, around: AgentPoolContext) -> object:
    return list(dict.fromkeys((*pool.node_taints, *around.more_taints)))


def _pod_subnet(pool: AgentPool, around: AgentPoolContext) -> object:
    return pool.pod_subnet_id if pool.pod_subnet_id is not None else around.pod_subnet_id


def _nothing(_: AgentPool, __: AgentPoolContext) -> object:
    return None


def _type(pool: AgentPool, _: AgentPoolContext) -> object:
    return "VirtualMachineScaleSets" if getattr(pool, "machines", None) is None else "VirtualMachines"


_LABELS: Final = codec(SAME.write, lambda labels: {key: label for key, label in labels.items() if key != POOL_LABEL}, alike=True)
_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_FIXED: Final = Change(Effect.ROTATES, "docs/facts/aks.md § 2.10: immutable")
_UPDATED: Final = Change(Effect.IN_PLACE, "docs/facts/aks.md § 2.10: updatable")
_COUNTED: Final = Change(Effect.IN_PLACE, "docs/facts/aks.md § 2.2; Pulumi ignores it while the pool has an autoscaler", ignored_with="scale")
_KEPT: Final = Change(Effect.IN_PLACE, "docs/facts/aks.md § 2.10: updatable; G19: AKS keeps a value that is no longer sent", kept=True)
_FLAG: Final = Change(Effect.ROTATES, "docs/facts/aks.md § 2.10: immutable", kept=True)
_NOT_ON_WINDOWS: Final = {"WindowsPool": Effect.UNKNOWN}
_ON_LINUX: Final = "docs/facts/aks.md § 2.10: updatable on Linux"
_FIPS: Final = Change(
    Effect.REIMAGES, f"{_PAGES}/enable-fips-nodes: enabling or disabling it reimages the nodes; {_ON_LINUX}", _NOT_ON_WINDOWS, kept=True
)
_TRUSTED: Final = Change(
    Effect.REIMAGES, f"{_PAGES}/node-disruption-policy: secure boot and vTPM reimage the nodes; {_ON_LINUX}", _NOT_ON_WINDOWS, kept=True
)
_DNS: Final = Change(Effect.REIMAGES, f"{_PAGES}/localdns-custom: any change reimages all nodes of the pool", kept=True)
_SSH: Final = Change(Effect.IN_PLACE_LATER, f"{_PAGES}/manage-ssh-node-access: applied by the next upgrade of the node image", kept=True)
_IMAGE: Final = Change(
    Effect.REIMAGES, f"{_PAGES}/upgrade-os-version; docs/facts/aks.md § 2.10: immutable on Windows", {"WindowsPool": Effect.ROTATES}
)
_PATH: Final = Change(Effect.REPLACES, "docs/facts/aks.md § 2.10: part of the resource's path")
_OURS: Final = Change(Effect.NONE, "not sent")

_STREAMING: Final = Change(Effect.REIMAGES, f"{_PAGES}/node-disruption-policy: artifact streaming reimages the nodes", kept=True)
_ROLLBACK: Final = Change(Effect.REIMAGES, f"{_PAGES}/roll-back-node-pool-version: a value starts a rollback", kept=True)
_EGRESS: Final = Change(Effect.IN_PLACE, "nodes stay; pods that use a configuration get its addresses, or those of the cluster")
_MANAGED: Final = Change(Effect.ROTATES, "azure-mgmt-containerservice 41.8: the field; no source documents a change in place", kept=True)
_ENTRA_ID: Final = MappingProxyType({"EntraId": "2026-06-01"})
_IMAGE_OF_ROLLBACK: Final = codec(SAME.write, lambda _: None)
"""AKS reports the image of every pool in this place; a request names one only to roll the pool back to it."""

_SIZES: Final = Change(Effect.IN_PLACE, f"{_PAGES}/virtual-machines-node-pools: scale profiles are added, changed and deleted in place")
_PROFILE: Final = "virtualMachinesProfile"
_LONGEST_PREFIX: Final = 31


AUTOSCALED_MACHINES: Final = "2026-05-01"
"""The first version of the API in which single virtual machines are autoscaled."""


class Sizes(NamedTuple):
    """VM sizes and their numbers of nodes: one of a scale set, or one or several of single virtual machines."""

    scale_set: Table

    def write(self, part: Model, out: Writing) -> None:
        """Writes the size of the scale set, or a profile for each size."""
        machines = out.value(part, "machines")
        if machines is UNKNOWN:
            out.put(_PROFILE, UNKNOWN)
        if not isinstance(machines, list):
            for row in self.scale_set.rows:
                row.write(part, out)
            return
        size, count, least, most = map(out.spell, ("size", "count", "minCount", "maxCount"))
        try:
            by_size = cast("AgentPool", part).by_size
            manual = [{size: one.vm_size, count: one.first_count} for one in by_size if one.scale is None]
            scaled = [{size: one.vm_size, least: one.scale.min, most: one.scale.max} for one in by_size if one.scale is not None]
        except NotKnownError:
            out.put(_PROFILE, UNKNOWN)
            return
        out.put(f"{_PROFILE}.scale.manual", manual)
        out.put(f"{_PROFILE}.scale.autoscale", scaled)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The first profile is read as that of the pool."""
        found = reading.found(self.scale_set, written, place)
        profile = reading.at(written, _PROFILE)
        if profile is None:
            return found
        try:
            (first, *more) = _profiles(cast("Written", cast("Written", profile)["scale"]), reading)
        except UNREADABLE:
            reading.report_unread((*place, _PROFILE), profile, Why.UNREADABLE)
            return {**found, "machines": UNKNOWN}
        return {**found, **first, "machines": more}

    def field_paths(self) -> Iterator[FieldPath]:
        """Those of a scale set, and the profile."""
        yield from self.scale_set.field_paths
        yield FieldPath(("machines",), path(_PROFILE), _SIZES, self)

    def read_paths(self) -> Iterator[Pattern]:
        """The same places."""
        yield from self.scale_set.read_paths
        yield path(_PROFILE)


def _profiles(scale: Written, reading: Reading) -> list[dict[str, object]]:
    """The VM sizes with their numbers of nodes."""
    manual, scaled = (cast("Sequence[Written]", held if held is not None else ()) for held in (scale.get("manual"), scale.get("autoscale")))
    return [
        *({"vm_size": reading.at(one, "size"), "count": whole(reading.at(one, "count"))} for one in manual),
        *({"vm_size": reading.at(one, "size"), "scale": {"min": reading.at(one, "minCount"), "max": reading.at(one, "maxCount")}} for one in scaled),
    ]


class Gateway(NamedTuple):
    """The size of a public IP prefix, which only gateway pools have."""

    size: Row
    default: int
    """What AKS uses for a gateway pool without one; other pools have none."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes the size."""
        self.size.write(part, out)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The size of a gateway pool, also the one that AKS uses by default."""
        mode = reading.at(written, "mode")
        if mode is UNKNOWN:
            return {self.size.field: UNKNOWN}
        return {self.size.field: self.default, **self.size.read(written, reading, place)} if same_word(mode, "Gateway") else {}

    def field_paths(self) -> Iterator[FieldPath]:
        """That of the size."""
        yield from self.size.field_paths()

    def read_paths(self) -> Iterator[Pattern]:
        """Those of the size and of the mode."""
        yield from self.size.read_paths()
        yield path("mode")


UPGRADE: Final = Table(
    *alike("max_surge", "max_unavailable"),
    Row("drain_timeout", "drainTimeoutInMinutes", codec=MINUTES, default=30),
    Row("soak", "nodeSoakDurationInMinutes", codec=MINUTES, default=0),
    Row("undrainable", "undrainableNodeBehavior", default="Schedule"),
)
HOST_PORTS: Final = Table(Row("start", "portStart"), Row("end", "portEnd"), Row("protocol", "protocol"))
"""An entry of `allowedHostPorts`."""
_SCALE_SET: Final = Table(
    Row("vm_size", "vmSize", _FIXED),
    Row("count", "count", _COUNTED, compute=computed(lambda pool, _: pool.first_count)),
    Part("scale", "", Table(Row("min", "minCount"), Row("max", "maxCount")), _UPDATED, presence=Presence("enableAutoScaling", on=True, off=(False,))),
)
ALONE: Final = AgentPoolContext("", "", None)
"""Context of a pool whose cluster is unknown."""
POOL: Final = Table(
    Note("derived", "mode", _UPDATED, "depends on the kind of pool", compute=computed(lambda pool, _: pool.mode)),
    Note("derived", "osType", _FIXED, "depends on the kind of pool", compute=computed(lambda pool, _: pool.os_type)),
    Note("derived", "type", _FIXED, "a scale set, or single virtual machines if the pool has `machines`", compute=_type),
    Note("derived", "resourceGroupName", _PATH, "the resource group of the cluster"),
    Note("derived", "resourceName", _PATH, "the cluster"),
    Row("name", "agentPoolName", _PATH, compute=_nothing),
    Sizes(_SCALE_SET),
    Gateway(Row("gateway_prefix_size", "gatewayProfile.publicIPPrefixSize", _FIXED), _LONGEST_PREFIX),
    Row("kubernetes_version", "orchestratorVersion", UPGRADED, compute=_version),
    Row("labels", "nodeLabels", _UPDATED, _LABELS, computed(lambda pool, around: pool.node_labels(around.key)), always=True, also=("labeled",)),
    Row("taints", "nodeTaints", _UPDATED, TEXTS, compute=_taints, always=True, also=("isolated", "tainted")),
    Row("vnet_subnet_id", "vnetSubnetID", _FIXED, compute=computed(lambda _, around: around.subnet_id)),
    Row("tags", "tags", _UPDATED, compute=computed(lambda pool, around: {**around.tags, **pool.tags}), always=True),
    Row("zones", "availabilityZones", _FIXED, NUMBERS_AS_TEXT),
    Row("os_sku", "osSKU", _IMAGE),
    Row("os_disk_size_gb", "osDiskSizeGB", _FIXED, UNLESS_ZERO),
    Row("os_disk_type", "osDiskType", _FIXED),
    Row("max_pods", "maxPods", _FIXED),
    Row("kubelet_disk_type", "kubeletDiskType", _FIXED, default="OS"),
    Row("ultra_ssd", "enableUltraSSD", _FLAG, default=False),
    Row("encryption_at_host", "enableEncryptionAtHost", _FLAG, default=False),
    Row("fips", "enableFIPS", _FIPS, default=False),
    Row("secure_boot", "securityProfile.enableSecureBoot", _TRUSTED, default=False),
    Row("vtpm", "securityProfile.enableVTPM", _TRUSTED, default=False),
    Row("ssh_access", "securityProfile.sshAccess", _SSH, default="LocalUser", words_since=_ENTRA_ID),
    Part("kubelet", "kubeletConfig", KUBELET, _FIXED),
    Part("linux_os", "linuxOSConfig", LINUX_OS, _FIXED),
    Part("local_dns", "localDNSProfile", LOCAL_DNS, _DNS),
    Row("message_of_the_day", "messageOfTheDay", _FIXED, BASE64),
    Part("upgrade", "upgradeSettings", UPGRADE, _KEPT),
    Row("scale_down_mode", "scaleDownMode", _KEPT, default="Delete"),
    Row("power_state", "powerState.code", _KEPT, default="Running"),
    Row("workload_runtime", "workloadRuntime", _KEPT, default="OCIContainer"),
    Row("artifact_streaming", "artifactStreamingProfile.enabled", _STREAMING, default=False, since="2026-03-01"),
    Row("node_image_version", "nodeImageVersion", _ROLLBACK, _IMAGE_OF_ROLLBACK, since="2026-04-01"),
    Row("dranet", "networkProfile.dranet.mode", _MANAGED, default="Unmanaged", since="2026-06-01"),
    Row("snapshot_id", "creationData.sourceResourceId", UPGRADED),
    Row("proximity_placement_group_id", "proximityPlacementGroupID", _FIXED),
    Row("capacity_reservation_group_id", "capacityReservationGroupID", _FIXED),
    Row("host_group_id", "hostGroupID", _FIXED),
    Row("pod_subnet_id", "podSubnetID", _FIXED, compute=_pod_subnet),
    Row("pod_ip_allocation", "podIPAllocationMode", _FIXED, default="DynamicIndividual"),
    Row("node_public_ip", "enableNodePublicIP", _FLAG, default=False),
    Row("node_public_ip_prefix_id", "nodePublicIPPrefixID", _FIXED),
    Each("allowed_host_ports", "networkProfile.allowedHostPorts", HOST_PORTS, _UPDATED),
    Row("application_security_group_ids", "networkProfile.applicationSecurityGroups", _UPDATED),
    Pairs("node_public_ip_tags", "networkProfile.nodePublicIPTags", "ipTagType", "tag", _FIXED),
    Part(
        "spot",
        "",
        Table(Row("eviction", "scaleSetEvictionPolicy"), Row("max_price", "spotMaxPrice")),
        _FIXED,
        presence=Presence("scaleSetPriority", on="Spot", off=(None, "Regular")),
    ),
    Row("driver", "gpuProfile.driver", _FIXED),
    Row("management", "gpuProfile.nvidia.managementMode", _MANAGED, default="Unmanaged", since="2026-08-01"),
    Row("mig", "gpuInstanceProfile", _FIXED),
    Row("outbound_nat", "windowsProfile.disableOutboundNat", _FIXED, INVERTED),
    Note("ours", "headroom", HEADROOM, "objects inside the cluster keep it"),
    Note("ours", "egress_configurations", _EGRESS, "objects inside the cluster"),
    Note("ours", "generation", Change(Effect.ROTATES, "part of the name")),
    *(Note("ours", name, _OURS) for name in ("kind", "previous", "retain", "owner", "timeouts", "overrides")),
    *(Note("read_only", name) for name in ("id", "name", "eTag", "systemData", "status", "provisioningState")),
    Note("read_only", "currentOrchestratorVersion"),
    Note("refused", "virtualMachineNodesStatus", _FIXED, "read 2026-11-28: status of pools of single virtual machines, which only Azure sets"),
    standalone=ALONE,
)
"""An AgentPool that is a resource of its own."""
INLINE: Final = Table(
    Row("name", "name", _PATH, compute=_nothing),
    *(row for row in POOL.rows if {way.wire for way in row.field_paths()}.isdisjoint({("agentPoolName",), ("name",)})),
    standalone=ALONE,
)
"""A pool inside `agentPoolProfiles` of a cluster, where the argument for its name is `name`."""

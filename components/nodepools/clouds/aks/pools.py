"""The pools and the storage classes of an AKS cluster as placement sees them. Facts: docs/facts/aks.md § 3.2 and 3.4 to 3.6.

Storage classes: https://learn.microsoft.com/azure/aks/concepts-storage, section "Storage classes".
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from nodepools.clouds.aks.agent_pools import agent_nodes
from nodepools.data.azure_vm_sizes import AzureSize, azure_vm_sizes, lacks_host_encryption
from nodepools.data.regions import azure_regions
from nodepools.data.version_support import minor
from nodepools.keys import aks
from nodepools.keys.kinds import Key
from nodepools.keys.presets import aks_general_purpose
from nodepools.model.aks.agent_pool import CRITICAL_ADDONS_ONLY
from nodepools.model.aks.cluster import BUILT_IN, AksClusterArgs, AksNodeClass, AksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import is_value
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.raw_fields import mapping, number, text
from nodepools.model.kubernetes.volumes import VolumeClass
from nodepools.model.name_limits import azure_name
from nodepools.model.values import dataclass
from nodepools.placement.allocatable import GPU_RESOURCES, disk, provisioned_offers
from nodepools.placement.cloud_labels import (
    AGENT_POOL,
    CAPACITY,
    HOSTNAME,
    KARPENTER_LABELS,
    REGION,
    UNRESERVED,
    ZONE,
    Cloud,
    ExistingClass,
    LabelValues,
    OfClass,
    RawObject,
    found,
    unknown,
)
from nodepools.placement.machine_index import NO_AMOUNT, Bounds, Machine, TypeIndex
from nodepools.placement.node_pools import ClusterPools, KarpenterPool, overridden, provisioned
from nodepools.wire.aks.cluster_context import node_group_name


@dataclass(frozen=True, slots=True)
class AksPools:
    """The pools of an AKS cluster: agent pools, and NodePools where node auto provisioning is on."""

    cluster: AksClusterArgs

    def pools(self, key: str, stem: str) -> ClusterPools:
        """The agent pools, the built-in NodePools that are on, then the declared ones."""
        static = tuple(nodes for name, pool in self.cluster.all_pools() for nodes in agent_nodes(key, self.cluster, name, pool))
        fields = overridden(key, ((name, pool) for _, name, pool in self.cluster.declared_pools()))
        launching = tuple(self._node_pools(key, stem))
        version = minor(self.cluster.kubernetes_version)
        return ClusterPools(key, static, launching, fields, AKS_CLASSES, minor=version, adds_node_selectors=True)

    def _node_pools(self, key: str, stem: str) -> Iterator[KarpenterPool]:
        if self.cluster.node_provisioning is None:
            return
        cloud, classes = aks_cloud(), self.cluster.node_classes
        choices = aks_choices(self.cluster.location, frozenset(zone for _, pool in self.cluster.all_pools() for zone in pool.zones))
        label = cluster_label(node_group_name(self.cluster, stem))
        for name in self.cluster.built_in_node_pools:
            if name not in self.cluster.node_pools:
                pool = cloud.built_in[name]
                yield provisioned(f"{key}/{name}", cloud, pool, dict(pool.labels), cluster=aks_class("default", None, label), choices=choices)
        for name, pool in self.cluster.applied_node_pools.items():
            class_key = pool.node_class if pool.node_class is not None else "default"
            of = aks_class(class_key, classes.get(class_key), label)
            yield provisioned(f"{key}/{name}", cloud, pool, pool.node_labels(name), cluster=of, choices=choices)


_DISKS: Final = ("default", "managed", "managed-csi", "managed-csi-premium", "managed-premium")
_FILES: Final = ("azurefile", "azurefile-csi", "azurefile-csi-premium", "azurefile-premium")

AKS_CLASSES: Final = (
    *(VolumeClass(name, "disk.csi.azure.com", is_default=name == "default") for name in _DISKS),
    *(VolumeClass(name, "file.csi.azure.com", immediate=True) for name in _FILES),
)
"""Their disks are in all zones of a cluster with several, since Kubernetes 1.29 (docs/facts/aks.md § 2.7)."""


_MODE: Final = "kubernetes.azure.com/mode"
_BUILT_IN: Final[Mapping[str, AksNodePool]] = {
    "default": AksNodePool(requirements=aks_general_purpose, labels={_MODE: "user"}),
    "system-surge": AksNodePool(requirements=aks_general_purpose, labels={_MODE: "system"}, taints=[CRITICAL_ADDONS_ONLY]),
}
_OS_SKU, _FIPS, _CLUSTER = (f"kubernetes.azure.com/{name}" for name in ("os-sku", "fips_enabled", "cluster"))


def launched(pool: AksNodePool, declared: AksNodeClass | None, *, excluding: bool = True) -> KarpenterPool:
    """A NodePool wherever its cluster is, with or without what its node class excludes; `None`: nothing is known of the class."""
    of = aks_class(pool.node_class if pool.node_class is not None else "default", declared)
    return provisioned("", aks_cloud(), pool, dict(pool.labels), cluster=of if excluding else OfClass(), choices={CAPACITY: UNRESERVED})


def cluster_label(group: str) -> Mapping[str, str]:
    """The label of all nodes with the name of their resource group, as far as a label can have it."""
    return {_CLUSTER: group} if is_value(group) else {}


@cache
def aks_cloud() -> Cloud:
    """AKS node auto provisioning."""
    sizes = tuple(_azure(size) for size in azure_vm_sizes().values() if not size.unprovisioned)
    known = {key for size in sizes for key in size.labels}
    labels = {key.name for key in vars(aks).values() if isinstance(key, Key)}
    labels |= {
        f"kubernetes.azure.com/{name}"
        for name in ("scalesetpriority", "priority", "fips_enabled", "cluster", "sku-cpu", "sku-memory", "ebpf-dataplane", "network-policy")
    }
    return Cloud(
        "aks",
        KARPENTER_LABELS | labels | {AKS_CLASS},
        frozenset({"karpenter.sh", "karpenter.azure.com", "kubernetes.azure.com"}),
        ("kubernetes.azure.com", "karpenter.azure.com", "node.kubernetes.io"),
        frozenset({HOSTNAME, "agentpool", "storageprofile", "storagetier", "accelerator"}),
        AKS_CLASS,
        {},
        _BUILT_IN,
        aks_choices_of,
        TypeIndex(sizes, frozenset(labels - known - {CAPACITY, ZONE, REGION})),
        agent_pool_label=AGENT_POOL,
        decided=frozenset({_OS_SKU, _FIPS, _CLUSTER}),
        listed=frozenset(azure_vm_sizes()),
    )


def _azure(size: AzureSize) -> Machine:
    labels: dict[str, str | None] = {**size.labels, "kubernetes.io/os": "linux"}
    gpus = dict.fromkeys(GPU_RESOURCES, NO_AMOUNT) if size.gpus == 0 else {}
    if size.gpus and size.has_nvidia_gpus:  # whether a device plugin runs is not declared
        gpus[GPU_RESOURCES[0]] = Bounds(0, size.gpus * 1000)
    own = {"ephemeral-storage": NO_AMOUNT}  # only the OS disk counts, which the node class declares
    return Machine(size.name, labels, {**provisioned_offers(size.cpu, size.memory_gib), **gpus, **own}, certain=size.gpus is not None)


AKS_CLASS: Final = AksNodePool.class_label
_DISK: Final = 128


class ClassSettings(NamedTuple):
    """What an AKSNodeClass says, as far as it decides the nodes."""

    linux: str = "Ubuntu"
    disk_gib: int | None = None
    fips: bool = False
    local_dns: str = ""
    without_arm64: bool = False
    """It uses artifact streaming or trusted launch."""
    encrypted: bool = False
    gpu_mode: str | None = None


def aks_class(key: str, declared: AksNodeClass | None, labels: Mapping[str, str] | None = None) -> OfClass:
    """An AKSNodeClass of a declared cluster, whose nodes all have the `labels`. Its overrides are not read."""
    around = {AKS_CLASS: key, **(labels if labels is not None else {})}
    if declared is None:
        return OfClass(around, disk=_of_gib(_DISK)) if key in BUILT_IN else OfClass(around)  # others may change it in the cluster
    if declared.overrides:
        return OfClass(around)
    dns = declared.local_dns.mode if declared.local_dns is not None else ""
    without_arm64 = any(one is True for one in (declared.artifact_streaming, declared.secure_boot, declared.vtpm))
    of = ClassSettings(declared.image_family, declared.os_disk_size_gb, declared.fips_mode == "FIPS", dns, without_arm64)
    return _of_class(around, of._replace(encrypted=declared.encryption_at_host is True, gpu_mode=declared.gpu_mode))


def _of_class(labels: Mapping[str, str], of: ClassSettings) -> OfClass:
    """Artifact streaming, trusted launch and FIPS of Ubuntu exclude arm64, LocalDNS excludes machines with fewer than 4 vCPUs."""
    linux = "AzureLinux" if of.linux == "AzureLinux" else "Ubuntu"
    without_arm64 = of.without_arm64 or (of.fips and linux == "Ubuntu")
    return OfClass(
        {**labels, _OS_SKU: linux, **({_FIPS: "true"} if of.fips else {})},
        disk=_of_gib(of.disk_gib if of.disk_gib is not None else _DISK),
        requirements=(
            *((Requirement("kubernetes.io/arch", "In", ["amd64"]),) if without_arm64 else ()),
            *((Requirement("karpenter.azure.com/sku-cpu", "Gt", ["3"]),) if of.local_dns == "Required" else ()),
            *(() if of.fips else (Requirement(_FIPS, "DoesNotExist"),)),
        ),
        excluded=_excluded_by(encrypted=of.encrypted, drives_gpus=of.gpu_mode != "None"),
    )


@cache
def _excluded_by(*, encrypted: bool, drives_gpus: bool) -> frozenset[str]:
    """Encryption at host excludes sizes without it, and the driver that AKS installs (`gpu.mode`) excludes GPUs of AMD."""
    sizes = azure_vm_sizes().values()
    return frozenset(one.name for one in sizes if (encrypted and lacks_host_encryption(one.name)) or (drives_gpus and one.has_amd_gpus))


def _of_gib(size: int) -> Bounds:
    return disk(thousandths(f"{size}Gi", "osDiskSizeGB"))


def existing_aks(name: str, raw: RawObject | None, regions: frozenset[str]) -> ExistingClass:
    """Returns the properties of the nodes of an AKSNodeClass."""
    choices = aks_choices_of(regions)
    if raw is None:
        return OfClass({AKS_CLASS: name}), choices
    spec = mapping(raw, "spec")
    security = mapping(spec, "security")
    trusted = mapping(security, "trustedLaunch")
    of = ClassSettings(
        linux=text(spec.get("imageFamily"), "imageFamily"),
        disk_gib=number(spec["osDiskSizeGB"], "osDiskSizeGB") if "osDiskSizeGB" in spec else None,
        fips=spec.get("fipsMode") == "FIPS",
        local_dns=text(mapping(spec, "localDNS").get("mode"), "mode"),
        without_arm64=any(one is True for one in (mapping(spec, "artifactStreaming").get("enabled"), trusted.get("secureBoot"), trusted.get("vtpm"))),
        encrypted=security.get("encryptionAtHost") is True,
        gpu_mode=text(mapping(spec, "gpu").get("mode"), "mode"),
    )
    return _of_class({AKS_CLASS: name}, of), choices


_NO_ZONE = frozenset({"0"})
_ZONES = 3
"""Azure gives each subscription three zones of a region."""


def aks_choices(location: str, zones: frozenset[int] = frozenset()) -> dict[str, LabelValues]:
    """Label values of a declared cluster. The region is known to have the zones of the agent pools."""
    region = azure_name(location)
    return {REGION: LabelValues(frozenset({region})), ZONE: _of_location(region, zones), CAPACITY: UNRESERVED}


def aks_choices_of(regions: frozenset[str]) -> dict[str, LabelValues]:
    """Label values of a running cluster; `regions` are those of its nodes."""
    zone = _of_location(next(iter(regions))) if len(regions) == 1 else unknown()
    return {REGION: found(regions), ZONE: zone, CAPACITY: UNRESERVED}


def _of_location(location: str, zones: frozenset[int] = frozenset()) -> LabelValues:
    """Zones of a location. A node without a zone has the zone `0`, and so has every node of a region without zones."""
    if location in azure_regions().without_zones:
        return LabelValues(_NO_ZONE)
    zone_name = re.compile(rf"{re.escape(location)}-[1-{_ZONES}]")
    names = frozenset(f"{location}-{zone}" for zone in zones)
    return LabelValues(names, _NO_ZONE, lambda value: zone_name.fullmatch(value) is not None, max_count=_ZONES + len(_NO_ZONE))

"""The pools and the storage classes of an AKS cluster as placement sees them. Facts: docs/facts/aks.md § 3.2 and 3.4 to 3.6.

Storage classes: https://learn.microsoft.com/azure/aks/concepts-storage, section "Storage classes".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from nodepools.clouds.aks.agent_pools import agent_nodes
from nodepools.data.azure_vm_sizes import AzureSize, azure_vm_sizes
from nodepools.data.regions import azure_regions
from nodepools.keys import aks
from nodepools.keys.kinds import Key
from nodepools.keys.presets import aks_general_purpose
from nodepools.model.aks.agent_pool import CRITICAL_ADDONS_ONLY
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_provisioning import BUILT_IN, AksNodeClass, AksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.raw_fields import mapping, number, text
from nodepools.model.kubernetes.volumes import VolumeClass
from nodepools.placement.allocatable import GPU_RESOURCES, disk, provisioned_offers
from nodepools.placement.cloud_labels import (
    AGENT_POOL,
    CAPACITY,
    HOSTNAME,
    KARPENTER_LABELS,
    REGION,
    SKU,
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
from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds, Machine, TypeIndex
from nodepools.placement.node_pools import ClusterPools, KarpenterPool, overridden, provisioned


@dataclass(frozen=True, slots=True)
class AksPools:
    """The pools of an AKS cluster: agent pools, and NodePools where node auto provisioning is on."""

    cluster: AksClusterArgs

    def pools(self, key: str, stem: str) -> ClusterPools:  # noqa: ARG002  # agent pools have names of their own
        """The agent pools, the built-in NodePools that are on, then the declared ones."""
        static = tuple(nodes for name, pool in self.cluster.all_pools() for nodes in agent_nodes(key, self.cluster, name, pool))
        fields = overridden(key, {name: pool for _, name, pool in self.cluster.declared_pools()})
        return ClusterPools(key, static, tuple(self._node_pools(key)), fields, AKS_CLASSES, adds_node_selectors=True)

    def _node_pools(self, key: str) -> Iterator[KarpenterPool]:
        if self.cluster.node_provisioning is None:
            return
        cloud, classes = aks_cloud(), self.cluster.node_classes
        choices = aks_choices(self.cluster.location, frozenset(zone for _, pool in self.cluster.all_pools() for zone in pool.zones))
        for name in self.cluster.built_in_node_pools:
            if name not in self.cluster.node_pools:
                pool = cloud.built_in[name]
                yield provisioned(f"{key}/{name}", cloud, pool, dict(pool.labels), cluster=aks_class("default", None), choices=choices)
        for name, pool in self.cluster.applied_node_pools.items():
            class_key = pool.node_class if pool.node_class is not None else "default"
            of = aks_class(class_key, classes.get(class_key))
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
_NAP_MIN_CPU, _NAP_MIN_GIB = 2, 3.5
_NVIDIA = frozenset({"T4", "A10", "A100", "V100", "H100", "H200"})


@cache
def aks_cloud() -> Cloud:
    """AKS node auto provisioning."""
    sizes = tuple(_azure(size) for size in azure_vm_sizes().values() if _is_offered(size))
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
        listed=frozenset(azure_vm_sizes()),
    )


def _is_offered(size: AzureSize) -> bool:
    """Node auto provisioning never offers small, constrained or confidential sizes."""
    if size.constrained or size.confidential or (size.cpu is not None and size.cpu < _NAP_MIN_CPU):
        return False
    return size.memory_gib is None or size.memory_gib >= _NAP_MIN_GIB


def _azure(size: AzureSize) -> Machine:
    labels: dict[str, str | None] = {**size.labels, "kubernetes.io/os": "linux"}
    if size.gpus != 0:
        labels |= {f"{SKU}gpu-name": size.gpu_name, f"{SKU}gpu-manufacturer": "nvidia" if size.gpu_name in _NVIDIA else None}
    gpus = dict.fromkeys(GPU_RESOURCES, NO_AMOUNT) if size.gpus == 0 else {}  # whether a device plugin runs is not declared
    own = {"ephemeral-storage": NO_AMOUNT}  # only the OS disk counts, which the node class declares
    return Machine(size.name, labels, {**provisioned_offers(size.cpu, size.memory_gib), **gpus, **own}, certain=size.gpus is not None)


AKS_CLASS: Final = "karpenter.azure.com/aksnodeclass"
_DISK: Final = 128


def aks_class(key: str, declared: AksNodeClass | None) -> OfClass:
    """An AKSNodeClass of a declared cluster. Its overrides are not read."""
    if declared is None:
        return OfClass({AKS_CLASS: key}, disk=_of_gib(_DISK) if key in BUILT_IN else UNKNOWN_AMOUNT)
    if declared.overrides:
        return OfClass({AKS_CLASS: key})
    return existing_aks_class(
        key,
        image_family=declared.image_family,
        disk_gib=declared.os_disk_size_gb,
        fips=declared.fips_mode == "FIPS",
        streams=declared.artifact_streaming is True,
        local_dns=declared.local_dns.mode if declared.local_dns is not None else "",
    )


def existing_aks_class(name: str, *, image_family: str, disk_gib: int | None, fips: bool, streams: bool, local_dns: str) -> OfClass:
    """An AKSNodeClass by its fields: artifact streaming excludes arm64, LocalDNS excludes machines with fewer than 4 vCPUs."""
    labels = {AKS_CLASS: name, "kubernetes.azure.com/os-sku": "AzureLinux" if image_family == "AzureLinux" else "Ubuntu"}
    return OfClass(
        {**labels, **({"kubernetes.azure.com/fips_enabled": "true"} if fips else {})},
        disk=_of_gib(disk_gib if disk_gib is not None else _DISK),
        requirements=(
            *((Requirement("kubernetes.io/arch", "In", ["amd64"]),) if streams else ()),
            *((Requirement("karpenter.azure.com/sku-cpu", "Gt", ["3"]),) if local_dns == "Required" else ()),
        ),
    )


def _of_gib(size: int) -> Bounds:
    return disk(thousandths(f"{size}Gi", "osDiskSizeGB"))


def existing_aks(name: str, raw: RawObject | None, regions: frozenset[str]) -> ExistingClass:
    """Returns the properties of the nodes of an AKSNodeClass."""
    choices = aks_choices_of(regions)
    if raw is None:
        return OfClass({AKS_CLASS: name}), choices
    spec = mapping(raw, "spec")
    of = existing_aks_class(
        name,
        image_family=text(spec.get("imageFamily"), "imageFamily"),
        disk_gib=number(spec["osDiskSizeGB"], "osDiskSizeGB") if "osDiskSizeGB" in spec else None,
        fips=spec.get("fipsMode") == "FIPS",
        streams=mapping(spec, "artifactStreaming").get("enabled") is True,
        local_dns=text(mapping(spec, "localDNS").get("mode"), "mode"),
    )
    return of, choices


_NO_ZONE = frozenset({"0"})
_ZONES = 3
"""Azure gives each subscription three zones of a region."""


def aks_choices(location: str, zones: frozenset[int] = frozenset()) -> dict[str, LabelValues]:
    """Label values of a declared cluster. The region is known to have the zones of the agent pools."""
    return {REGION: LabelValues(frozenset({location})), ZONE: _of_location(location, zones), CAPACITY: UNRESERVED}


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

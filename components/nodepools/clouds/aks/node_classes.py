"""An AKSNodeClass, declared or of a running cluster: how it determines the nodes of its NodePools. Facts: docs/facts/aks.md § 3.4."""

from typing import Final

from nodepools.clouds.aks.locations import aks_choices_of
from nodepools.model.aks.node_provisioning import BUILT_IN, AksNodeClass
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.raw_fields import mapping, number, text
from nodepools.model.kubernetes.requests import thousandths
from nodepools.placement.allocatable import disk
from nodepools.placement.cluster_labels import ExistingClass, OfClass, RawObject
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds

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

"""What its node class says of the nodes of a NodePool: labels, disk, and machines that it leaves out. Facts: docs/facts/eks.md § 2, aks.md § 3.4."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.provisioning import BUILT_IN
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS
from nodepools.model.eks.class_names import class_name, class_role
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.ref import Ref
from nodepools.placement.capacity import disk
from nodepools.placement.clouds import CAPACITY
from nodepools.placement.places import Choices, eks_capacities, unknown
from nodepools.placement.types import UNTOLD, Bounds

EKS_CLASS: Final = "eks.amazonaws.com/nodeclass"
AKS_CLASS: Final = "karpenter.azure.com/aksnodeclass"
_EKS_DISK, _AKS_DISK = "80Gi", 128
_LONGEST_STEM = 58
"""What is left of a long key before the fingerprint."""


@dataclass(frozen=True)
class OfClass:
    """What holds for all nodes of a class."""

    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    choices: Mapping[str, Choices] = field(default_factory=dict[str, Choices])
    """Labels of which the value is not known."""
    disk: Bounds = UNTOLD
    requirements: tuple[Requirement, ...] = ()
    """Machines that Karpenter starts for it."""


class _NotKnownError(Exception):
    """A reference that only Pulumi can resolve."""


def eks_class(stem: str, cluster: EksClusterArgs, key: str) -> OfClass:
    """A NodeClass of a declared cluster. One that is neither declared nor built in is made by someone else: its name alone is known."""
    declared = cluster.auto_mode.node_classes.get(key)
    if declared is None:
        return observed_eks_class(key, "", reserves=False) if key == BUILT_IN_CLASS else observed_eks_class(key, None)
    capacities = {CAPACITY: eks_capacities(selected=declared.selects_reservations)}
    size = UNTOLD if "ephemeralStorage" in declared.overrides else _of_size(declared.ephemeral_storage)
    name = _name(stem, cluster, key, declared)
    if name is None:
        names = unknown(lambda value: value == key or value.startswith(f"{key[:_LONGEST_STEM]}-"))
        return OfClass(choices={EKS_CLASS: names, **capacities}, disk=size)
    return OfClass({EKS_CLASS: name}, capacities, size)


def own_subnets(cluster: EksClusterArgs, key: str) -> bool:
    """Whether its subnets are not those of the cluster's network, as far as is known."""
    declared = cluster.auto_mode.node_classes.get(key)
    return key != BUILT_IN_CLASS if declared is None else bool(declared.subnets) or "subnetSelectorTerms" in declared.overrides


def _name(stem: str, cluster: EksClusterArgs, key: str, declared: EksNodeClass) -> str | None:
    def resolve(ref: Ref) -> str:
        if isinstance(ref, str):
            return ref
        raise _NotKnownError

    try:
        return class_name(key, class_role(stem, cluster, key, declared, resolve), stem)
    except _NotKnownError:
        return None


def observed_eks_class(name: str, size: str | None, *, reserves: bool | None = None) -> OfClass:
    """A NodeClass that is there; `size` as written, and whether it selects capacity reservations: both `None` where the class is not known."""
    disk_of = UNTOLD if size is None else _of_size(size if size else _EKS_DISK)
    return OfClass({EKS_CLASS: name}, {CAPACITY: eks_capacities(selected=reserves)}, disk_of)


def aks_class(key: str, declared: AksNodeClass | None) -> OfClass:
    """An AKSNodeClass of a declared cluster. What is laid over it is not read here."""
    if declared is None:
        return OfClass({AKS_CLASS: key}, disk=_of_gib(_AKS_DISK) if key in BUILT_IN else UNTOLD)
    if declared.overrides:
        return OfClass({AKS_CLASS: key})
    return observed_aks_class(
        key,
        image_family=declared.image_family,
        disk_gib=declared.os_disk_size_gb,
        fips=declared.fips_mode == "FIPS",
        streams=declared.artifact_streaming is True,
        local_dns=declared.local_dns.mode if declared.local_dns is not None else "",
    )


def observed_aks_class(name: str, *, image_family: str, disk_gib: int | None, fips: bool, streams: bool, local_dns: str) -> OfClass:
    """An AKSNodeClass by what it says: streaming of images leaves out arm64, a DNS cache machines of less than 4 vCPUs."""
    labels = {AKS_CLASS: name, "kubernetes.azure.com/os-sku": "AzureLinux" if image_family == "AzureLinux" else "Ubuntu"}
    return OfClass(
        {**labels, **({"kubernetes.azure.com/fips_enabled": "true"} if fips else {})},
        disk=_of_gib(disk_gib if disk_gib is not None else _AKS_DISK),
        requirements=(
            *((Requirement("kubernetes.io/arch", "In", ["amd64"]),) if streams else ()),
            *((Requirement("karpenter.azure.com/sku-cpu", "Gt", ["3"]),) if local_dns == "Required" else ()),
        ),
    )


def _of_size(size: object) -> Bounds:
    return disk(thousandths(size, "ephemeralStorage.size"))


def _of_gib(size: int) -> Bounds:
    return disk(thousandths(f"{size}Gi", "osDiskSizeGB"))

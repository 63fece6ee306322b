"""A NodeClass of EKS Auto Mode, declared or of a running cluster: how it determines the nodes of its NodePools. Facts: docs/facts/eks.md § 2."""

from typing import Final

from nodepools.clouds.eks.locations import eks_capacities, eks_choices_of
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.eks.node_class_names import class_name, class_role
from nodepools.model.kubernetes.raw_fields import entries, mapping, text
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.ref import Ref
from nodepools.placement.allocatable import disk
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.cluster_labels import ExistingClass, OfClass, RawObject, unknown
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds

EKS_CLASS: Final = "eks.amazonaws.com/nodeclass"
_DISK: Final = "80Gi"
_MAX_STEM = 58
"""The part of a long key that is kept before the fingerprint."""


class _NotKnownError(Exception):
    """A reference that only Pulumi can resolve."""


def eks_class(stem: str, cluster: EksClusterArgs, key: str) -> OfClass:
    """A NodeClass of a declared cluster. Of one that is neither declared nor built in, only the name is known."""
    declared = cluster.auto_mode.node_classes.get(key)
    if declared is None:
        return existing_eks_class(key, "", reserves=False) if key == BUILT_IN_CLASS else existing_eks_class(key, None)
    capacities = {CAPACITY: eks_capacities(selected=declared.selects_reservations)}
    size = UNKNOWN_AMOUNT if "ephemeralStorage" in declared.overrides else _of_size(declared.ephemeral_storage)
    name = _name(stem, cluster, key, declared)
    if name is None:
        names = unknown(lambda value: value == key or value.startswith(f"{key[:_MAX_STEM]}-"))
        return OfClass(choices={EKS_CLASS: names, **capacities}, disk=size)
    return OfClass({EKS_CLASS: name}, capacities, size)


def own_subnets(cluster: EksClusterArgs, key: str) -> bool:
    """It may have other subnets than those of the cluster's network."""
    declared = cluster.auto_mode.node_classes.get(key)
    return key != BUILT_IN_CLASS if declared is None else bool(declared.subnets) or "subnetSelectorTerms" in declared.overrides


def _name(stem: str, cluster: EksClusterArgs, key: str, declared: EksNodeClass) -> str | None:
    def resolve(ref: Ref) -> str:
        if isinstance(ref, str):
            return ref
        raise _NotKnownError

    if declared.name is not None:
        return declared.name
    try:
        return class_name(key, class_role(stem, cluster, key, declared, resolve), stem)
    except _NotKnownError:
        return None


def existing_eks_class(name: str, size: str | None, *, reserves: bool | None = None) -> OfClass:
    """A NodeClass of a running cluster: disk size as written, and whether it selects capacity reservations; both `None` if the class is not known."""
    disk_of = UNKNOWN_AMOUNT if size is None else _of_size(size if size else _DISK)
    return OfClass({EKS_CLASS: name}, {CAPACITY: eks_capacities(selected=reserves)}, disk_of)


def _of_size(size: object) -> Bounds:
    return disk(thousandths(size, "ephemeralStorage.size"))


def existing_eks(name: str, raw: RawObject | None, regions: frozenset[str]) -> ExistingClass:
    """Returns the properties of the nodes of a NodeClass. Their zones are those of the subnets in its status."""
    if raw is None:
        return existing_eks_class(name, None), eks_choices_of((), regions)
    found = entries(mapping(raw, "status"), "subnets")
    subnets = [(text(subnet.get("zone"), "zone"), text(subnet.get("zoneID"), "zoneID")) for subnet in found]
    size = text(mapping(mapping(raw, "spec"), "ephemeralStorage").get("size"), "ephemeralStorage.size")
    reserves = bool(entries(mapping(raw, "spec"), "capacityReservationSelectorTerms"))
    return existing_eks_class(name, size, reserves=reserves), eks_choices_of(subnets, regions)

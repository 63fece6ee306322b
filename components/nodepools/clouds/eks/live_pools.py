"""Reads a NodeClass of EKS of a running cluster."""

from nodepools.clouds.eks.locations import eks_choices_of
from nodepools.clouds.eks.node_classes import observed_eks_class
from nodepools.clouds.live_node_class import ObservedClass, RawObject
from nodepools.model.kubernetes.raw_fields import entries, mapping, text


def observed_eks(name: str, raw: RawObject | None, regions: frozenset[str]) -> ObservedClass:
    """Returns the properties of the nodes of a NodeClass. Their zones are those of the subnets in its status."""
    if raw is None:
        return observed_eks_class(name, None), eks_choices_of((), regions)
    found = entries(mapping(raw, "status"), "subnets")
    subnets = [(text(subnet.get("zone"), "zone"), text(subnet.get("zoneID"), "zoneID")) for subnet in found]
    size = text(mapping(mapping(raw, "spec"), "ephemeralStorage").get("size"), "ephemeralStorage.size")
    reserves = bool(entries(mapping(raw, "spec"), "capacityReservationSelectorTerms"))
    return observed_eks_class(name, size, reserves=reserves), eks_choices_of(subnets, regions)

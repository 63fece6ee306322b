"""Where nodes of AKS node auto provisioning can be: region, zones, capacity types."""

import re

from nodepools.placement.cloud_labels import CAPACITY, REGION, ZONE
from nodepools.placement.cluster_labels import UNRESERVED, LabelValues, found, unknown


def aks_choices(location: str, zones: frozenset[int] = frozenset()) -> dict[str, LabelValues]:
    """Of node auto provisioning, as declared. That a region has zones is known where an agent pool is in them."""
    return {REGION: LabelValues(frozenset({location})), ZONE: _of_location(location, zones), CAPACITY: UNRESERVED}


def aks_choices_of(regions: frozenset[str]) -> dict[str, LabelValues]:
    """Of node auto provisioning, as it runs: `regions` are those of the nodes that are there."""
    zone = _of_location(next(iter(regions))) if len(regions) == 1 else unknown()
    return {REGION: found(regions), ZONE: zone, CAPACITY: UNRESERVED}


def _of_location(location: str, zones: frozenset[int] = frozenset()) -> LabelValues:
    """A node in no zone says `0`."""
    spelling = re.compile(rf"{re.escape(location)}-[1-9]")
    return LabelValues(frozenset(f"{location}-{zone}" for zone in zones), frozenset({"0"}), lambda value: spelling.fullmatch(value) is not None)

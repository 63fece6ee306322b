"""The region, zones and capacity types of nodes of AKS node auto provisioning."""

import re

from nodepools.data.regions import azure_regions
from nodepools.placement.cloud_labels import CAPACITY, REGION, ZONE
from nodepools.placement.cluster_labels import UNRESERVED, LabelValues, found, unknown

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

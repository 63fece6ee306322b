"""The region, zones and capacity types of nodes of EKS Auto Mode."""

import re
from collections.abc import Iterable
from typing import TypeAlias

from nodepools.placement.cloud_labels import REGION, ZONE, ZONE_ID
from nodepools.placement.cluster_labels import UNRESERVED, LabelValues, found

Bounds: TypeAlias = tuple[int, int | None]
"""The fewest and the most values, known or not."""
_TWO_OR_MORE: Bounds = (2, None)
"""A cluster is in at least two zones."""
_ANY: Bounds = (1, None)
_ZONE_ID = re.compile(r"[a-z]+[0-9]+-(az[1-6]|(?!az[0-9]+$).+)")
"""No region has more than six availability zones; Local Zones and Wavelength Zones have a name of their own in the ID."""
_ZONE_OF_REGION = re.compile(r"(?P<region>[a-z]{2,3}(?:-[a-z]+)+-[0-9])[a-z]")


def eks_choices(region: str, zones: Iterable[str] = (), many: Bounds = _TWO_OR_MORE, *, own_subnets: bool = False) -> dict[str, LabelValues]:
    """Label values of a declared cluster with so many zones. They are known by name or by ID, as declared: neither follows from the other."""
    names = frozenset(zone for zone in zones if zone.startswith(region))
    ids = frozenset(zones) - names
    return {
        REGION: LabelValues(frozenset({region})),
        ZONE: _declared(names, re.compile(rf"{re.escape(region)}[a-z]|{re.escape(region)}-[a-z0-9-]+"), many, own_subnets=own_subnets),
        ZONE_ID: _declared(ids, _ZONE_ID, many, own_subnets=own_subnets),
    }


def eks_capacities(*, selected: bool | None) -> LabelValues:
    """Only node classes that select reservations have reserved capacity; without a selector, Auto Mode reports `on-demand`."""
    if selected is False:
        return UNRESERVED
    reason = "NodePool requires reserved capacity: whether its node class selects a reservation cannot be determined offline"
    return LabelValues(UNRESERVED.certain, possible=frozenset({"reserved"}), unknown_reason=reason if selected is None else "")


def _declared(values: frozenset[str], pattern: re.Pattern[str], many: Bounds, *, own_subnets: bool) -> LabelValues:
    """A node class with its own subnets can be in other zones than the cluster."""
    if values and not own_subnets:
        return LabelValues(values)
    least, most = _ANY if own_subnets else many
    return LabelValues(may_include=lambda value: pattern.fullmatch(value) is not None, min_count=least, max_count=most)


def eks_choices_of(subnets: Iterable[tuple[str, str]], regions: frozenset[str]) -> dict[str, LabelValues]:
    """Label values of a running cluster; `subnets` are those of the node class, each with the name and the ID of its zone."""
    subnets = list(subnets)
    names, ids = frozenset(name for name, _ in subnets if name), frozenset(of for _, of in subnets if of)
    within = frozenset(match["region"] for name in names if (match := _ZONE_OF_REGION.fullmatch(name)) is not None)
    return {
        REGION: found(within if len(within) == 1 else regions),
        ZONE: found(names),
        ZONE_ID: found(ids),
    }

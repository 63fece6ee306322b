"""Where nodes of EKS Auto Mode can be: region, zones, capacity types."""

import re
from collections.abc import Iterable

from nodepools.placement.cloud_labels import REGION, ZONE, ZONE_ID
from nodepools.placement.cluster_labels import UNRESERVED, LabelValues, found

_TWO_ZONES = 2
_ZONE_OF_REGION = re.compile(r"(?P<region>[a-z]{2,3}(?:-[a-z]+)+-[0-9])[a-z]")


def eks_choices(region: str, zones: Iterable[str] = (), *, own_subnets: bool = False) -> dict[str, LabelValues]:
    """Of Auto Mode, as declared. Zones are known by name or by id, as they are spelled: neither follows from the other."""
    names = frozenset(zone for zone in zones if zone.startswith(region))
    ids = frozenset(zones) - names
    return {
        REGION: LabelValues(frozenset({region})),
        ZONE: _declared(names, re.compile(rf"{re.escape(region)}[a-z]|{re.escape(region)}-[a-z0-9-]+"), own_subnets=own_subnets),
        ZONE_ID: _declared(ids, re.compile(r"[a-z]+[0-9]+-.+"), own_subnets=own_subnets),
    }


def eks_capacities(*, selected: bool | None) -> LabelValues:
    """Reserved capacity is there for node classes that select reservations; what Auto Mode finds without a selector is `on-demand`."""
    if selected is False:
        return UNRESERVED
    doubt = "asks for reserved capacity alone: whether its node class selects a reservation is not known offline" if selected is None else ""
    return LabelValues(UNRESERVED.surely, perhaps=frozenset({"reserved"}), doubt=doubt)


def _declared(values: frozenset[str], spelling: re.Pattern[str], *, own_subnets: bool) -> LabelValues:
    """A cluster is in two zones at least, a class with subnets of its own in one."""
    if values and not own_subnets:
        return LabelValues(values)
    return LabelValues(possibly=lambda value: spelling.fullmatch(value) is not None, fewest=1 if own_subnets else _TWO_ZONES)


def eks_choices_of(subnets: Iterable[tuple[str, str]], regions: frozenset[str]) -> dict[str, LabelValues]:
    """Of Auto Mode, as it runs: `subnets` are those that the node class found, each by the name and the id of its zone."""
    subnets = list(subnets)
    names, ids = frozenset(name for name, _ in subnets if name), frozenset(of for _, of in subnets if of)
    within = frozenset(match["region"] for name in names if (match := _ZONE_OF_REGION.fullmatch(name)) is not None)
    return {
        REGION: found(within if len(within) == 1 else regions),
        ZONE: found(names),
        ZONE_ID: found(ids),
    }

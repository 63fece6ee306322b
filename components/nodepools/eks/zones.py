"""The availability zones of a network: declared, or the first of the region. Facts: docs/facts/eks.md § 12."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws

from nodepools.component.scope import ChildScope
from nodepools.model.eks.network import EksNetworkArgs, default_zone_count, zone_place

REFUSED = ("use1-az3", "usw1-az2", "cac1-az3")
"""Ids of zones in which EKS does not place control planes; zone names differ between accounts."""


@dataclass(frozen=True, slots=True)
class Zone:
    """One zone of a network."""

    place: int
    """Index in its region, from 0; without declared zones, among those that can be used."""
    name: pulumi.Input[str] | None = None
    id: str | None = None
    fixed: bool = True
    """The zone is declared; otherwise the subnet keeps the zone that AWS listed at creation."""

    @property
    def word(self) -> str:
        """Part of resource names. Declaring the zones that were selected before changes nothing."""
        return str(self.place + 1)


def network_zones(scope: ChildScope, args: EksNetworkArgs, region: str) -> list[Zone]:
    """The zones of a network, in order."""
    if args.zones:
        placed = sorted((place, zone) for zone in args.zones if (place := zone_place(zone)) is not None)
        return [Zone(place, id=zone) if "-az" in zone else Zone(place, name=zone) for place, zone in placed]
    found = pulumi_aws.get_availability_zones_output(
        region=region,
        state="available",
        exclude_zone_ids=list(REFUSED),
        filters=[{"name": "opt-in-status", "values": ["opt-in-not-required"]}],  # excludes local and wavelength zones
        opts=scope.invoke_options,
    )
    names = found.apply(lambda known: _names(known.names, region))
    count = default_zone_count(region)
    return [Zone(place, name=names.apply(lambda known, place=place: _at(place, known, count, region)), fixed=False) for place in range(count)]


def _names(known: Sequence[str] | None, region: str) -> list[str]:
    """The zone names that AWS lists; with Pulumi mocks that return `None`, the usual names."""
    return sorted(known) if known is not None else [f"{region}{letter}" for letter in "abc"]


def _at(place: int, names: Sequence[str], count: int, region: str) -> str:
    if len(names) < count:
        listed = ", ".join(names)
        raise pulumi.RunError(f"{region} has fewer than {count} zones for a control plane ({listed}): set network.zones to two zones")
    return names[place]

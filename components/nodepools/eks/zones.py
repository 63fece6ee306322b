"""The availability zones of a network: declared, or the first of the region. Facts: docs/facts/eks.md § 12."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws

from nodepools.component.scope import ChildScope
from nodepools.model.eks.network import EksNetworkArgs, zone_place

REFUSED = ("use1-az3", "usw1-az2", "cac1-az3")
"""Zones in which EKS places no control plane, by id: names stand for other zones in each account."""
_COUNT = {"us-west-1": 2}
"""How many zones an account sees where that is fewer than three (AWS's list of regions)."""


@dataclass(frozen=True, slots=True)
class Zone:
    """One zone of a network."""

    place: int
    """Which one of its region, from 0; of the zones that can be used where none is declared."""
    name: pulumi.Input[str] | None = None
    id: str | None = None
    fixed: bool = True
    """Declared; else it is what AWS told first, and stays that when AWS tells of others."""

    @property
    def word(self) -> str:
        """What it is called in the names of resources, so that declaring the zones which were chosen before changes nothing."""
        return str(self.place + 1)


def network_zones(scope: ChildScope, args: EksNetworkArgs, region: str) -> list[Zone]:
    """The zones of a network, in the order of their places."""
    if args.zones:
        placed = sorted((place, zone) for zone in args.zones if (place := zone_place(zone)) is not None)
        return [Zone(place, id=zone) if "-az" in zone else Zone(place, name=zone) for place, zone in placed]
    found = pulumi_aws.get_availability_zones_output(
        region=region,
        state="available",
        exclude_zone_ids=list(REFUSED),
        filters=[{"name": "opt-in-status", "values": ["opt-in-not-required"]}],  # leaves out local and wavelength zones
        opts=scope.invoke_options,
    )
    names = found.apply(lambda known: _names(known.names, region))
    count = _COUNT.get(region, 3)
    return [Zone(place, name=names.apply(lambda known, place=place: _at(place, known, count, region)), fixed=False) for place in range(count)]


def _names(known: Sequence[str] | None, region: str) -> list[str]:
    """The names that AWS told; Pulumi mocks that answer nothing (`None`, which AWS never does) get those that most regions have."""
    return sorted(known) if known is not None else [f"{region}{letter}" for letter in "abc"]


def _at(place: int, names: Sequence[str], count: int, region: str) -> str:
    if len(names) < count:
        told = ", ".join(names)
        raise pulumi.RunError(f"{region} has fewer than {count} zones that can hold a control plane ({told}): name two in network.zones")
    return names[place]

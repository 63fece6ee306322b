"""Where nodes of a NodePool can be: region, zones, capacity types, and other labels of which the cluster, not the type, decides the value."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nodepools.model.kubernetes.requirement import Values
from nodepools.placement.clouds import CAPACITY, REGION, ZONE, ZONE_ID
from nodepools.placement.verdict import Verdict

_TWO_ZONES = 2
_ENDLESS = 10**6
_ZONE_OF_REGION = re.compile(r"(?P<region>[a-z]{2,3}(?:-[a-z]+)+-[0-9])[a-z]")


@dataclass(frozen=True)
class Choices:
    """The values that a label can have in a cluster."""

    surely: frozenset[str] = frozenset()
    perhaps: frozenset[str] = frozenset()
    """Values that some clusters have."""
    possibly: Callable[[str], bool] | None = None
    """Whether nodes may have some other value; `None`: these are all."""
    fewest: int = 1
    """So many values there are at least, known or not."""
    doubt: str = ""
    """Why a pool that asks for `perhaps` alone may never have a node; empty where that is for the pool to know."""

    def verdict(self, allowed: Values) -> Verdict:
        """Whether some value is allowed."""
        if any(value in allowed for value in self.surely):
            return Verdict.FITS
        if any(value in allowed for value in self.perhaps) or (self.possibly is not None and self._more(allowed, self.possibly)):
            bounded = allowed.at_least is not None or allowed.at_most is not None
            every = self.possibly is not None and allowed.complement and not bounded and len(allowed.members) < self.fewest
            return Verdict.FITS if every else Verdict.UNKNOWN
        return Verdict.CANNOT

    def many(self, *, surely: bool) -> int:
        """How many values there are, at the least or at the most."""
        if surely:
            return max(len(self.surely), self.fewest)
        return len(self.surely | self.perhaps) if self.possibly is None else _ENDLESS

    @staticmethod
    def _more(allowed: Values, possibly: Callable[[str], bool]) -> bool:
        """Some value that is not known here may be allowed: a bound asks for an integer."""
        if not allowed.complement:
            return any(possibly(value) for value in allowed.members)
        bounds = [bound for bound in (allowed.at_least, allowed.at_most) if bound is not None]
        return not bounds or any(possibly(str(bound)) for bound in bounds)


def unknown(possibly: Callable[[str], bool] = lambda _: True) -> Choices:
    """Some value that is not known here."""
    return Choices(possibly=possibly)


def eks_choices(region: str, zones: Iterable[str] = (), *, own_subnets: bool = False) -> dict[str, Choices]:
    """Of Auto Mode, as declared. Zones are known by name or by id, as they are spelled: neither follows from the other."""
    names = frozenset(zone for zone in zones if zone.startswith(region))
    ids = frozenset(zones) - names
    return {
        REGION: Choices(frozenset({region})),
        ZONE: _declared(names, re.compile(rf"{re.escape(region)}[a-z]|{re.escape(region)}-[a-z0-9-]+"), own_subnets=own_subnets),
        ZONE_ID: _declared(ids, re.compile(r"[a-z]+[0-9]+-.+"), own_subnets=own_subnets),
    }


def eks_capacities(*, selected: bool | None) -> Choices:
    """Reserved capacity is there for node classes that select reservations; what Auto Mode finds without a selector is `on-demand`."""
    if selected is False:
        return _UNRESERVED
    doubt = "asks for reserved capacity alone: whether its node class selects a reservation is not known offline" if selected is None else ""
    return Choices(_UNRESERVED.surely, perhaps=frozenset({"reserved"}), doubt=doubt)


def _declared(values: frozenset[str], spelling: re.Pattern[str], *, own_subnets: bool) -> Choices:
    """A cluster is in two zones at least, a class with subnets of its own in one."""
    if values and not own_subnets:
        return Choices(values)
    return Choices(possibly=lambda value: spelling.fullmatch(value) is not None, fewest=1 if own_subnets else _TWO_ZONES)


def eks_choices_of(subnets: Iterable[tuple[str, str]], regions: frozenset[str]) -> dict[str, Choices]:
    """Of Auto Mode, as it runs: `subnets` are those that the node class found, each by the name and the id of its zone."""
    subnets = list(subnets)
    names, ids = frozenset(name for name, _ in subnets if name), frozenset(of for _, of in subnets if of)
    within = frozenset(match["region"] for name in names if (match := _ZONE_OF_REGION.fullmatch(name)) is not None)
    return {
        REGION: _found(within if len(within) == 1 else regions),
        ZONE: _found(names),
        ZONE_ID: _found(ids),
    }


_UNRESERVED = Choices(frozenset({"on-demand", "spot"}))


def aks_choices(location: str, zones: frozenset[int] = frozenset()) -> dict[str, Choices]:
    """Of node auto provisioning, as declared. That a region has zones is known where an agent pool is in them."""
    return {REGION: Choices(frozenset({location})), ZONE: _of_location(location, zones), CAPACITY: _UNRESERVED}


def aks_choices_of(regions: frozenset[str]) -> dict[str, Choices]:
    """Of node auto provisioning, as it runs: `regions` are those of the nodes that are there."""
    zone = _of_location(next(iter(regions))) if len(regions) == 1 else unknown()
    return {REGION: _found(regions), ZONE: zone, CAPACITY: _UNRESERVED}


def _of_location(location: str, zones: frozenset[int] = frozenset()) -> Choices:
    """A node in no zone says `0`."""
    spelling = re.compile(rf"{re.escape(location)}-[1-9]")
    return Choices(frozenset(f"{location}-{zone}" for zone in zones), frozenset({"0"}), lambda value: spelling.fullmatch(value) is not None)


def _found(values: frozenset[str]) -> Choices:
    return Choices(values) if values else unknown()

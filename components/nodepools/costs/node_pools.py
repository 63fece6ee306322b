"""Monthly cost of a NodePool: what its limits allow on the most expensive machine type."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from nodepools.costs.agent_pools import NO_SPOT
from nodepools.costs.amount import HOURS, NOTHING, Amount, unbounded, unknown
from nodepools.costs.pool_cost import PoolCost
from nodepools.costs.prices import CloudName, Price, Prices
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Machine
from nodepools.placement.node_pools import KarpenterPool

_USABLE_MEMORY = 0.9
"""Up to a tenth of the memory is reserved. Limits count the rest, so more nodes can be within them."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """A machine type and its maximum price per hour."""

    machine: Machine
    hourly: float

    def rate(self, resource: str) -> float | None:
        """Price per hour of a thousandth of the resource: infinite if it has none, `None` if the amount is unknown."""
        if resource == "nodes":
            return self.hourly / 1000
        amount = self.machine.offers.get(resource, UNKNOWN_AMOUNT).most
        if amount is None:
            return None
        return self.hourly / (amount * (_USABLE_MEMORY if resource == "memory" else 1)) if amount else inf


@dataclass(frozen=True, slots=True)
class _Bound:
    """Maximum price per hour that one limit allows, and the machine type behind it."""

    hourly: float
    limit: str
    machine: str
    unknown_types: int
    """Number of excluded machine types, whose amount of the limited resource is unknown."""


def node_pool_cost(place: KarpenterPool, cloud: CloudName, region: str, prices: Prices) -> PoolCost:
    """Estimates the cost of the NodePool. If it allows on-demand and spot, the maximum uses on-demand prices."""
    machines = place.cloud.index.taken(place.affordable.possible)
    if not machines:
        return PoolCost(place.address, "no machine type fits its limits", NOTHING, NOTHING)
    priced = [(machine, price) for machine in machines if (price := prices.price(cloud, region, machine.name)) is not None]
    offers = [_Offer(machine, hourly) for machine, price in priced if (hourly := _most(place, price)) is not None]
    missing = unknown(NO_SPOT if priced else f"no prices of its machine types in `{region}`: pass them with `--prices`")
    bound = min(_bounds(place, offers), key=lambda bound: bound.hourly, default=None)
    maximum = _static_max(place, offers, missing) if place.pool.replicas is not None else _scaled_max(place, bound, offers, missing)
    minimum = _static_min(place, [price for _, price in priced], missing)
    return PoolCost(
        place.address, _description(place, len(machines)), minimum, maximum, tuple(_notes(place, bound, len(machines) - len(offers), region, maximum))
    )


def _static_max(place: KarpenterPool, offers: Sequence[_Offer], missing: Amount) -> Amount:
    most_expensive = Amount(max(offer.hourly for offer in offers)) if offers else missing
    return most_expensive.times(_replicas(place) * HOURS)


def _static_min(place: KarpenterPool, prices: Sequence[Price], missing: Amount) -> Amount:
    """Minimum cost of a static NodePool: all nodes have the cheapest machine type."""
    least = [_least(place, price) for price in prices]
    known = [hourly for hourly in least if hourly is not None]
    if not known or len(known) < len(least):
        return (missing if not prices else unknown(NO_SPOT)).times(_replicas(place) * HOURS)
    return Amount(min(known)).times(_replicas(place) * HOURS)


def _scaled_max(place: KarpenterPool, bound: _Bound | None, offers: Sequence[_Offer], missing: Amount) -> Amount:
    if not place.limits:
        return unbounded("no `limits`")
    if not offers:
        return missing
    return unbounded("its `limits` do not restrict the machine types that it allows") if bound is None else Amount(bound.hourly).times(HOURS)


def _bounds(place: KarpenterPool, offers: Sequence[_Offer]) -> Iterator[_Bound]:
    """Each limit bounds every mixture of machine types, if all of them have the limited resource."""
    for resource, limit in place.limits.items():
        rates = {offer.machine.name: rate for offer in offers if (rate := offer.rate(resource)) is not None}
        if rates:
            machine = max(rates, key=lambda name: (rates[name], name))
            if rates[machine] < inf:
                yield _Bound(rates[machine] * limit, resource, machine, len(offers) - len(rates))


def _replicas(place: KarpenterPool) -> int:
    return place.pool.replicas if place.pool.replicas is not None else 0


def _most(place: KarpenterPool, price: Price) -> float | None:
    return price.spot if _spot(place) == "only" else price.on_demand


def _least(place: KarpenterPool, price: Price) -> float | None:
    return price.on_demand if _spot(place) == "never" else price.spot


def _spot(place: KarpenterPool) -> str:
    """Whether its nodes are spot: only, sometimes or never. A NodePool without a capacity type can have both."""
    capacity = place.offered.get(CAPACITY)
    if capacity is None or ("spot" in capacity and "on-demand" in capacity):
        return "sometimes"
    return "only" if "spot" in capacity else "never"


def _description(place: KarpenterPool, machines: int) -> str:
    limits = ", ".join(f"{resource} {quantity}" for resource, quantity in place.pool.limits.items())
    number = f"{place.pool.replicas} static" if place.pool.replicas is not None else f"up to {limits}" if limits else "no limits"
    spot = {"only": ", spot", "sometimes": ", on-demand or spot", "never": ""}[_spot(place)]
    return f"{number}, {machines} machine types{spot}"


def _notes(place: KarpenterPool, bound: _Bound | None, unpriced: int, region: str, maximum: Amount) -> Iterator[str]:
    if maximum.figure is None:
        return
    if bound is not None and place.pool.replicas is None:
        yield f"the maximum is for nodes of `{bound.machine}`, the most expensive type that it allows per unit of `{bound.limit}`"
        if bound.unknown_types:
            yield f"{_types(bound.unknown_types)} excluded: the amount of `{bound.limit}` is unknown"
    if unpriced:
        yield f"{_types(unpriced)} excluded: no price in `{region}`"


def _types(number: int) -> str:
    return f"{number} machine type{'s are' if number != 1 else ' is'}"

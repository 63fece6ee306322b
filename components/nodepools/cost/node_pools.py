"""The month of a NodePool: what its limits allow of the dearest machines that it admits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from nodepools.cost.agent_pools import NO_SPOT
from nodepools.cost.amount import HOURS, NOTHING, Amount, unbounded, unknown
from nodepools.cost.pool_cost import PoolCost
from nodepools.cost.prices import CloudName, Price, Prices
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Machine
from nodepools.placement.node_pools import KarpenterPool

_MEMORY_KEPT = 0.9
"""Of its memory a machine keeps up to a tenth for itself: limits are counted by what is left, so more machines may be within them."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """A machine at what it may cost an hour at the most."""

    machine: Machine
    hourly: float

    def rate(self, resource: str) -> float | None:
        """What a thousandth of the resource costs an hour: without end where it has none, `None` where that is not known."""
        if resource == "nodes":
            return self.hourly / 1000
        amount = self.machine.offers.get(resource, UNKNOWN_AMOUNT).most
        if amount is None:
            return None
        return self.hourly / (amount * (_MEMORY_KEPT if resource == "memory" else 1)) if amount else inf


@dataclass(frozen=True, slots=True)
class _Bound:
    """The most that one limit allows an hour, and of which machine that would be."""

    hourly: float
    limit: str
    dearest: str
    untold: int
    """Machines of which it is not known how much they have of what is limited: they are left out."""


def node_pool_bill(place: KarpenterPool, cloud: CloudName, region: str, prices: Prices) -> PoolCost:
    """What the pool comes to. Where on-demand and spot are both admitted, the ceiling is that of on-demand."""
    machines = place.cloud.index.taken(place.affordable.possible)
    if not machines:
        return PoolCost(place.address, "no machine type fits its limits", NOTHING, NOTHING)
    priced = [(one, price) for one in machines if (price := prices.price(cloud, region, one.name)) is not None]
    offers = [_Offer(one, paid) for one, price in priced if (paid := _most(place, price)) is not None]
    missing = unknown(NO_SPOT if priced else f"no prices of its machine types in `{region}`: pass them with `--prices`")
    bound = min(_bounds(place, offers), key=lambda one: one.hourly, default=None)
    ceiling = _static(place, offers, missing) if place.pool.replicas is not None else _scaled(place, bound, offers, missing)
    floor = _static_floor(place, [price for _, price in priced], missing)
    return PoolCost(
        place.address, _what(place, len(machines)), floor, ceiling, tuple(_remarks(place, bound, len(machines) - len(offers), region, ceiling))
    )


def _static(place: KarpenterPool, offers: Sequence[_Offer], missing: Amount) -> Amount:
    dearest = Amount(max(one.hourly for one in offers)) if offers else missing
    return dearest.times(_replicas(place) * HOURS)


def _static_floor(place: KarpenterPool, prices: Sequence[Price], missing: Amount) -> Amount:
    """Static nodes may all be of the cheapest machine."""
    least = [_least(place, price) for price in prices]
    known = [paid for paid in least if paid is not None]
    if not known or len(known) < len(least):
        return (missing if not prices else unknown(NO_SPOT)).times(_replicas(place) * HOURS)
    return Amount(min(known)).times(_replicas(place) * HOURS)


def _scaled(place: KarpenterPool, bound: _Bound | None, offers: Sequence[_Offer], missing: Amount) -> Amount:
    if not place.limits:
        return unbounded("no `limits`")
    if not offers:
        return missing
    return unbounded("its `limits` do not restrict the machine types that it allows") if bound is None else Amount(bound.hourly).times(HOURS)


def _bounds(place: KarpenterPool, offers: Sequence[_Offer]) -> Iterator[_Bound]:
    """Each limit alone bounds all mixtures of machines, where each of them has some of what it limits."""
    for resource, limit in place.limits.items():
        rates = {one.machine.name: rate for one in offers if (rate := one.rate(resource)) is not None}
        if rates:
            dearest = max(rates, key=lambda name: (rates[name], name))
            if rates[dearest] < inf:
                yield _Bound(rates[dearest] * limit, resource, dearest, len(offers) - len(rates))


def _replicas(place: KarpenterPool) -> int:
    return place.pool.replicas if place.pool.replicas is not None else 0


def _most(place: KarpenterPool, price: Price) -> float | None:
    return price.spot if _spot(place) == "only" else price.on_demand


def _least(place: KarpenterPool, price: Price) -> float | None:
    return price.on_demand if _spot(place) == "never" else price.spot


def _spot(place: KarpenterPool) -> str:
    """Whether its machines are spot capacity: only, sometimes, never. A pool that does not say may get either."""
    capacity = place.offered.get(CAPACITY)
    if capacity is None or ("spot" in capacity and "on-demand" in capacity):
        return "sometimes"
    return "only" if "spot" in capacity else "never"


def _what(place: KarpenterPool, machines: int) -> str:
    limits = ", ".join(f"{resource} {quantity}" for resource, quantity in place.pool.limits.items())
    number = f"{place.pool.replicas} static" if place.pool.replicas is not None else f"up to {limits}" if limits else "no limits"
    spot = {"only": ", spot", "sometimes": ", on-demand or spot", "never": ""}[_spot(place)]
    return f"{number}, {machines} machine types{spot}"


def _remarks(place: KarpenterPool, bound: _Bound | None, unpriced: int, region: str, ceiling: Amount) -> Iterator[str]:
    if ceiling.figure is None:
        return
    if bound is not None and place.pool.replicas is None:
        yield f"the maximum is for nodes of `{bound.dearest}`, the most expensive type that it allows per unit of `{bound.limit}`"
        if bound.untold:
            yield f"{_types(bound.untold)} excluded: the amount of `{bound.limit}` is unknown"
    if unpriced:
        yield f"{_types(unpriced)} excluded: no price in `{region}`"


def _types(number: int) -> str:
    return f"{number} machine type{'s are' if number != 1 else ' is'}"

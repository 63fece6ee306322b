"""Monthly cost of a NodePool: what its limits allow on the most expensive machine type."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

from nodepools.clouds.karpenter_nodes import PRECISION, counted_by_limits, most_of_whole_nodes, most_within_limits
from nodepools.clouds.prices import HOURS, NO_SPOT, NOTHING, Amount, CloudName, PoolCost, Price, Prices, overridden, unbounded, unknown
from nodepools.model.karpenter import Headroom
from nodepools.model.listing import counted, quoted
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.machine_index import SEEN_MEMORY, UNKNOWN_AMOUNT, Machine
from nodepools.placement.node_pools import KarpenterPool

if TYPE_CHECKING:
    from nodepools.clouds.eks.node_groups import NodeGroup

_SHOWN = 3
_DECIDING: Final = frozenset({"limits", "replicas", "template"})
"""Fields of the object that decide what a NodePool costs."""
_SPOT_WORD: Final = " spot"


@dataclass(frozen=True, slots=True)
class _Offer:
    """A machine type and its maximum price per hour; `None` is unknown."""

    machine: Machine
    hourly: float | None

    def counted(self, resource: str) -> float | None:
        """Thousandths of the resource that limits count, at least; `None` if unknown."""
        return counted_by_limits(self.machine, resource)

    def rate(self, resource: str) -> float | None:
        """Price per hour of a thousandth of the resource: infinite if it has none, `None` if the amount or the price is unknown."""
        amount = self.counted(resource)
        if amount == 0:
            return inf
        return None if amount is None or self.hourly is None else self.hourly / amount


@dataclass(frozen=True, slots=True)
class _Bound:
    """Maximum price per hour that one limit allows, and the machine type behind it."""

    hourly: float
    limit: str
    machine: str
    missing: str
    """Why it is not certain: types whose price or amount of the limited resource is unknown can cost more."""


def node_pool_cost(place: KarpenterPool, cloud: CloudName, region: str, prices: Prices) -> PoolCost:
    """Estimates the cost of the NodePool. If it allows on-demand and spot, the maximum uses on-demand prices."""
    if overrides := sorted(_DECIDING & place.pool.overrides.keys()):
        return overridden(place.address, overrides)
    machines = place.cloud.index.taken(place.affordable.possible)
    newer = f"{names}, and can cost more" if (names := unknown_names(place)) else ""
    if not machines:
        amount = unknown(newer) if newer and not place.is_off else NOTHING
        return PoolCost(place.address, "no known machine type" if amount.message else "no machine type fits its limits", amount, amount)
    priced = [(machine, prices.price(cloud, region, machine.name)) for machine in machines]
    offers = [_Offer(machine, None if price is None else _most(place, price)) for machine, price in priced]
    missing = _missing_prices(offers, [price for _, price in priced], region)
    if newer:
        missing, offers = newer, [*offers, _UNKNOWN_TYPE]
    if place.pool.replicas is not None:
        least = [None if price is None else _least(place, price) for _, price in priced] + [None] * bool(newer)
        minimum, maximum = _static_min(place, least, missing), _static_max(place, offers, missing)
        return PoolCost(place.address, _description(place, len(machines)), minimum, maximum)
    maximum, notes = _scaled_max(place, offers, missing)
    is_built_in = any(place.pool is pool for pool in place.cloud.built_in.values())
    minimum = NOTHING if place.pool.headroom is None else _headroom_min(place, place.pool.headroom, priced, missing)
    return PoolCost(place.address, _description(place, len(machines)), minimum, maximum, notes, is_built_in)


_UNKNOWN_TYPE: Final = _Offer(Machine("", {}, {}), None)
"""A machine type that is not in the tables."""


def unknown_names(place: KarpenterPool) -> str:
    """What its requirements name that is not in the tables; empty for nothing: it can be newer than they are."""
    named = {value for key, values in place.offered.items() if place.cloud.index.knows(key) for value in place.cloud.index.newer(key, values)}
    return f"{quoted(sorted(named), _SHOWN)} {'is' if len(named) == 1 else 'are'} not in the tables" if named else ""


def node_group_cost(group: "NodeGroup", prices: Prices, cluster: str = "") -> PoolCost:
    """Estimates the cost of a managed node group, of a declared `cluster` or of one that exists.

    Of several instance types, nodes can be of the cheapest or of the most expensive one.
    """
    priced = [_of_group(group, prices.price("aws", group.region, name)) for name in group.instance_types]
    known = [amount.figure for amount in priced if amount.figure is not None]
    missing = next((amount for amount in priced if amount.figure is None), None if priced else unknown(group.why_no_type))
    low, high = (missing, missing) if missing is not None else (Amount(min(known)), Amount(max(known)))
    number = str(group.least) if group.least == group.most else f"{group.least} to {group.most}"
    kinds = f"{quoted(group.instance_types, _SHOWN) if group.instance_types else 'unknown instance types'}{_SPOT_WORD if group.is_spot else ''}"
    name = f"{cluster}/{group.name}" if cluster else group.name
    return PoolCost(name, f"{number} x {kinds}", low.times(group.least * HOURS), high.times(group.most * HOURS))


def _of_group(group: "NodeGroup", price: Price | None) -> Amount:
    if price is None:
        return unknown(f"no price of an instance type of `{group.name}` in `{group.region}`: pass it with `--prices`")
    paid = price.spot if group.is_spot else price.windows if group.system == "windows" else price.on_demand
    return Amount(paid) if paid is not None else unknown(NO_SPOT if group.is_spot else "prices with a Windows license are unknown")


def _missing_prices(offers: Sequence[_Offer], prices: Sequence[Price | None], region: str) -> str:
    """Why prices are unknown; empty if all are known."""
    if not region:
        return "the region is not known, and decides the prices"
    absent = sum(price is None for price in prices)
    if absent == len(prices):
        return f"no prices of its machine types in `{region}`: pass them with `--prices`"
    if absent:
        return f"{_types(absent)} no price in `{region}` and can cost more: pass all prices with `--prices`"
    return NO_SPOT if any(offer.hourly is None for offer in offers) else ""


def _static_max(place: KarpenterPool, offers: Sequence[_Offer], missing: str) -> Amount:
    hourly = max((offer.hourly for offer in offers if offer.hourly is not None), default=0.0)
    return _amount(hourly, missing).times(_replicas(place) * HOURS)


def _static_min(place: KarpenterPool, least: Sequence[float | None], missing: str) -> Amount:
    """Minimum cost of a static NodePool: all nodes have the cheapest machine type."""
    known = [hourly for hourly in least if hourly is not None]
    reason = "" if len(known) == len(least) else missing if missing else NO_SPOT
    return (unknown(reason) if reason else Amount(min(known))).times(_replicas(place) * HOURS)


def _headroom_min(place: KarpenterPool, room: Headroom, priced: Sequence[tuple[Machine, Price | None]], missing: str) -> Amount:
    """At least the cheapest node for one of its pods, and what all of them request at the cheapest rate of each resource."""
    offers = [_Offer(machine, None if price is None else _least(place, price)) for machine, price in priced]
    fitting = [offer for offer in offers if room.nodes({name: offer.machine.offers.get(name, UNKNOWN_AMOUNT).most for name in room.requests})]
    if not fitting:
        return NOTHING
    if any(offer.hourly is None for offer in fitting):
        return unknown(missing if missing else NO_SPOT)
    bounds = [min(offer.hourly for offer in fitting if offer.hourly is not None)]
    for name in room.requests:
        rates = [offer.rate(name) for offer in fitting]
        usable = SEEN_MEMORY if name == "memory" else 1  # pods can have what is counted as reserved above
        bounds += [room.total(name) * usable * min(rate for rate in rates if rate is not None)] if None not in rates else []
    return Amount(None, f"for its headroom ({room}); what more it costs depends on the nodes that Karpenter launches", minimum=max(bounds)).times(
        HOURS
    )


def _scaled_max(place: KarpenterPool, offers: Sequence[_Offer], missing: str) -> tuple[Amount, tuple[str, ...]]:
    """The tightest limit that is certain bounds the cost; without one, other limits do not, and the cost is at least what they allow."""
    if not place.limits:
        return unbounded("no `limits`"), ()
    bounds = list(_bounds(place, offers, missing))
    if not bounds:
        return unbounded("its `limits` do not restrict the machine types that it allows"), ()
    bound = min(bounds, key=lambda bound: (bound.missing != "", bound.hourly))
    together = most_within_limits(place, [(offer.machine, offer.hourly) for offer in offers if offer.hourly is not None])
    if together < bound.hourly and (bound.missing or not missing):
        names = quoted(list(place.limits), _SHOWN)
        return _amount(together, missing).times(HOURS), (f"no mixture of machine types costs more within its limits together: {names}",)
    note = f"the maximum is for nodes of `{bound.machine}`, the most expensive type that it allows per unit of `{bound.limit}`"
    note = note if bound.machine else f"no nodes cost more within `{bound.limit}`: there are no parts of nodes"
    note += "; Karpenter can exceed it, because it does not count the nodes of one batch of pods" * (bound.limit == "nodes")
    return _amount(bound.hourly, bound.missing).times(HOURS), (note,) if bound.hourly else ()


def _bounds(place: KarpenterPool, offers: Sequence[_Offer], missing: str) -> Iterator[_Bound]:
    """Each limit bounds every mixture of machine types, if all of them have the limited resource."""
    for resource, limit in place.limits.items():
        rates = {offer.machine.name: offer.rate(resource) for offer in offers}
        known = {name: rate for name, rate in rates.items() if rate is not None}
        machine = max(known, key=lambda name: (known[name], name), default="")
        hourly = known.get(machine, 0.0)
        if hourly < inf:
            number = len(rates) - len(known)
            valued = [(amount, offer.hourly) for offer in offers if (amount := offer.counted(resource)) and offer.hourly is not None]
            parts = round(hourly * limit, PRECISION)
            most = parts if number else min(parts, most_of_whole_nodes(valued, limit))
            unsure = (missing if missing else f"{_types(number)} an unknown amount of `{resource}` and can cost more per unit") if number else ""
            yield _Bound(most, resource, machine if most == parts else "", unsure)


def _amount(hourly: float, missing: str) -> Amount:
    return Amount(None, missing, minimum=hourly) if missing else Amount(hourly)


def _replicas(place: KarpenterPool) -> int:
    return place.standing if place.standing is not None else 0


def _most(place: KarpenterPool, price: Price) -> float | None:
    if _spot(place) == "only":
        return price.spot
    return max(price.on_demand, price.spot) if price.spot is not None and _spot(place) == "sometimes" else price.on_demand


def _least(place: KarpenterPool, price: Price) -> float | None:
    if _spot(place) == "never":
        return price.on_demand
    return min(price.on_demand, price.spot) if price.spot is not None and _spot(place) == "sometimes" else price.spot


def _spot(place: KarpenterPool) -> str:
    """Whether its nodes are spot: only, sometimes or never. A NodePool without a capacity type can have both."""
    capacity = place.offered.get(CAPACITY)
    if capacity is None or ("spot" in capacity and "on-demand" in capacity):
        return "sometimes"
    return "only" if "spot" in capacity else "never"


def _description(place: KarpenterPool, machines: int) -> str:
    limits = ", ".join(f"{resource} {quantity}" for resource, quantity in place.pool.limits.items())
    number = f"{place.standing} static" if place.pool.replicas is not None else f"up to {limits}" if limits else "no limits"
    spot = {"only": ", spot", "sometimes": ", on-demand or spot", "never": ""}[_spot(place)]
    room = f", headroom for {place.pool.headroom}" if place.pool.headroom is not None and place.pool.replicas is None else ""
    return f"{number}, {counted(machines, 'machine type')}{spot}{room}"


def _types(number: int) -> str:
    return f"{number} machine type{'s have' if number != 1 else ' has'}"

"""The month of an agent pool: all its nodes are of one size, and its scale says how many there are."""

from nodepools.cost.amount import HOURS, Amount, unknown
from nodepools.cost.pool_cost import PoolCost
from nodepools.cost.prices import Price, Prices
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import GpuPool, UserPool, WindowsPool

NO_SPOT = "spot prices are unknown: pass yours with `--prices`"


def agent_pool_bill(address: str, cluster: AksClusterArgs, pool: AgentPool, prices: Prices) -> PoolCost:
    """What `pool` comes to. Stopped pools keep their disks, which are not counted, and no machines."""
    fewest, most = _nodes(pool)
    price = prices.price("azure", cluster.location, pool.vm_size)
    none = unknown(f"no price of `{pool.vm_size}` in `{cluster.location}`: pass it with `--prices`")
    low, high = (none, none) if price is None else _by_hour(cluster, pool, price, prices.currency)
    number = str(most) if fewest == most else f"{fewest} to {most}"
    what = f"{number} x {pool.vm_size}{_kind(pool)}{_at(low, high)}"
    return PoolCost(address, what, low.times(fewest * HOURS), high.times(most * HOURS))


def _nodes(pool: AgentPool) -> tuple[int, int]:
    if pool.power_state == "Stopped":
        return 0, 0
    return pool.fewest_nodes, pool.most_nodes


def _by_hour(cluster: AksClusterArgs, pool: AgentPool, price: Price, currency: str) -> tuple[Amount, Amount]:
    """At the least and at the most. What is bid for spot capacity is in USD, and is the most that it costs."""
    if isinstance(pool, UserPool | GpuPool) and pool.spot is not None:
        if price.spot is not None:
            return Amount(price.spot), Amount(price.spot)
        bid = pool.spot.max_price
        return unknown(NO_SPOT), Amount(bid) if bid > 0 and currency == "USD" else unknown(NO_SPOT)
    paid = price.windows if _licensed(cluster, pool) else price.on_demand
    told = Amount(paid) if paid is not None else unknown("prices with a Windows license are unknown: pass yours with `--prices`")
    return told, told


def _licensed(cluster: AksClusterArgs, pool: AgentPool) -> bool:
    brought = cluster.windows_profile is not None and cluster.windows_profile.hybrid_benefit
    return isinstance(pool, WindowsPool) and not brought


def _kind(pool: AgentPool) -> str:
    spot = " spot" if isinstance(pool, UserPool | GpuPool) and pool.spot is not None else ""
    return spot + (", stopped" if pool.power_state == "Stopped" else "")


def _at(low: Amount, high: Amount) -> str:
    if high.figure is None:
        return ""
    return f" at {high.figure:g} per hour" if low == high else f" at up to {high.figure:g} per hour"

"""Monthly cost of an agent pool, from its VM size and `scale` or `count`."""

from collections.abc import Iterator

from nodepools.clouds.aks.agent_pool_nodes import deciding, least_nodes
from nodepools.clouds.prices import HOURS, NO_SPOT, Amount, PoolCost, Price, Prices, overridden, unknown
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.agent_pool import AgentPool, GpuPool, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.name_limits import azure_name


def agent_pool_costs(address: str, cluster: AksClusterArgs, pool: AgentPool, prices: Prices) -> Iterator[PoolCost]:
    """Estimates the cost of `pool`, of each VM size. A stopped pool costs 0: it has no VMs, and disks are excluded."""
    if overrides := deciding(pool):
        yield overridden(address, overrides)
        return
    for of_size, one in pool.by_size_at(address):
        yield _of_one_size(of_size, cluster, one, prices)


def _of_one_size(address: str, cluster: AksClusterArgs, pool: AgentPool, prices: Prices) -> PoolCost:
    min_nodes, max_nodes = _nodes(pool)
    region = azure_name(cluster.location)
    size = azure_vm_sizes().get(pool.vm_size)
    named = (prices.price("azure", region, name) for name in (pool.vm_size, size.name if size is not None else pool.vm_size))
    price = next((price for price in named if price is not None), None)
    missing = unknown(f"no price of `{pool.vm_size}` in `{region}`: pass it with `--prices`")
    low, high = (missing, missing) if price is None else _by_hour(cluster, pool, price, prices.currency)
    number = str(max_nodes) if min_nodes == max_nodes else f"{min_nodes} to {max_nodes}"
    room = f", headroom for {pool.headroom}" if isinstance(pool, UserPool) and pool.headroom is not None else ""
    description = f"{number} x {pool.vm_size}{_kind(pool)}{_at(low, high)}{room}"
    return PoolCost(address, description, low.times(min_nodes * HOURS), high.times(max_nodes * HOURS))


def _nodes(pool: AgentPool) -> tuple[int, int]:
    if pool.power_state == "Stopped":
        return 0, 0
    return least_nodes(pool), pool.most_nodes


def _by_hour(cluster: AksClusterArgs, pool: AgentPool, price: Price, currency: str) -> tuple[Amount, Amount]:
    """Minimum and maximum price per hour. The maximum price of a spot pool is in USD."""
    if isinstance(pool, UserPool | GpuPool) and pool.spot is not None:
        if price.spot is not None:
            return Amount(price.spot), Amount(price.spot)
        bid = pool.spot.max_price
        return unknown(NO_SPOT), Amount(bid) if bid > 0 and currency == "USD" else unknown(NO_SPOT)
    paid = price.windows if _licensed(cluster, pool) else price.on_demand
    price_per_hour = Amount(paid) if paid is not None else unknown("prices with a Windows license are unknown: pass yours with `--prices`")
    return price_per_hour, price_per_hour


def _licensed(cluster: AksClusterArgs, pool: AgentPool) -> bool:
    has_license = cluster.windows_profile is not None and cluster.windows_profile.hybrid_benefit
    return isinstance(pool, WindowsPool) and not has_license


def _kind(pool: AgentPool) -> str:
    spot = " spot" if isinstance(pool, UserPool | GpuPool) and pool.spot is not None else ""
    return spot + (", stopped" if pool.power_state == "Stopped" else "")


def _at(low: Amount, high: Amount) -> str:
    if high.figure is None:
        return ""
    return f" at {high.figure:g} per hour" if low == high else f" at up to {high.figure:g} per hour"

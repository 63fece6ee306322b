"""The generation of an agent pool: what Azure cannot change in place, and the name that follows from it.

Such a change fails when it is applied, so a pool of another generation gets another name: the new one is made before the
old one goes. What is fixed: the rows of agent_pool.py whose change rotates the pool.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.aks.pools import AgentPool
from nodepools.model.base import Model, to_plain
from nodepools.model.name_limits import fingerprint
from nodepools.model.ref import is_output
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.differences import effect_of, fixed_fields
from nodepools.wire.effects import Effect
from nodepools.wire.names import python_name


@dataclass(frozen=True, slots=True)
class Generation:
    """One agent pool as it stands in Azure: of a key there may be two, the one that is and the one that goes."""

    key: str
    name: str
    """In Azure, and in Pulumi after the stem."""
    pool: AgentPool
    retires: bool = False
    """It is `previous`: kept, and tainted, until it is no longer declared."""


SYSTEM = "system"
"""The key of the first system pool, which is a part of the cluster; its name too, unless it has one."""


def generations(cluster: AksClusterArgs) -> Iterator[Generation]:
    """Every agent pool that is a resource of its own, in the order of registration: one that goes comes after what takes its place."""
    for key, pool in cluster.pools.items():
        yield Generation(key, pool_name(cluster, key), pool)
        if pool.retiring is not None:
            yield Generation(key, pool_name(cluster, key, pool.retiring), pool.retiring, retires=True)


def generation(cluster: AksClusterArgs, key: str, pool: AgentPool | None = None) -> str:
    """Changes when, and only when, something fixed of the pool changes. An Output counts as always the same: its value is not known here.

    Args:
        cluster: what holds the pool.
        key: of the pool.
        pool: that which is declared when left out; else another of its generations.
    """
    pool = pool if pool is not None else cluster.pools[key]
    said = {name: getattr(pool, name, None) for name in _fixed_fields(type(pool).__name__)}
    fixed: dict[str, object] = {name: _known(value) for name, value in said.items() if not (value is None or value is False or value in ((), {}))}
    fixed |= {"zones": sorted(pool.zones)} if pool.zones else {}  # a set, to Azure
    fixed |= {f"overrides.{name}": to_plain(value) for name, value in pool.overrides.items() if name not in _changeable()}
    if pool.pod_subnet_id is None and (of_pods := _pod_subnet(cluster)) is not None:
        fixed["pod_subnet_id"] = of_pods
    return fingerprint([key, type(pool).__name__, _subnet(cluster, key, pool), fixed])


def pool_name(cluster: AksClusterArgs, key: str, pool: AgentPool | None = None) -> str:
    """The name in Azure: its own, or the key, cut short, and its generation; 12 characters at most, 6 for Windows."""
    pool = pool if pool is not None else cluster.pools[key]
    if pool.name is not None:
        return pool.name
    mark = generation(cluster, key, pool)
    return key.replace("-", "")[: pool.longest_name - len(mark)] + mark


def first_pool_name(cluster: AksClusterArgs) -> str:
    """The name in Azure of the first system pool, which no generation changes."""
    return cluster.system_pool.name if cluster.system_pool.name is not None else SYSTEM


def subnet_name(key: str, cidr: str) -> str:
    """The name of a pool's own subnet: a range in use cannot be changed either."""
    return f"{key}-{fingerprint(cidr)}"


@cache
def _fixed_fields(kind: str) -> frozenset[str]:
    """Fields in the generation of a kind of pool."""
    return fixed_fields(POOL, kind)


@cache
def _changeable() -> frozenset[str]:
    """Arguments that `overrides` may change in place, in their Python spelling."""
    arguments = {str(way.wire[0]) for way in POOL.leaves if way.wire}
    return frozenset(python_name(one) for one in arguments if effect_of(POOL, (one,), "") not in (Effect.ROTATES, Effect.REPLACES))


def _subnet(cluster: AksClusterArgs, key: str, pool: AgentPool) -> object:
    if pool.vnet_subnet_id is not None:
        return None  # among the fixed fields
    return cluster.network.pool_subnets.get(key) if isinstance(cluster.network, AksNetworkArgs) else _known(cluster.network.subnet_id)


def _pod_subnet(cluster: AksClusterArgs) -> object:
    network = cluster.network
    return network.pod_subnet_cidr if isinstance(network, AksNetworkArgs) else _known(network.pod_subnet_id)


def _known(value: object) -> object:
    if is_output(value):
        return "output"
    if isinstance(value, Model):
        for name in type(value).model_fields:
            _known(getattr(value, name))  # raises where it is not known: a dump would not
        return value.model_dump(mode="json", exclude_none=True)
    return to_plain(value)

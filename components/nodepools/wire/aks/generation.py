"""Generation of an agent pool: a hash of its immutable fields, which is part of the pool's name.

Azure rejects changes of immutable fields, so a pool of another generation gets another name: it is created before the old one is deleted. Immutable
fields are those whose rows in agent_pool.py rotate the pool.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.base import Model, to_plain
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.name_limits import fingerprint
from nodepools.model.ref import is_output
from nodepools.model.steps import rewritten
from nodepools.model.values import dataclass
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.paths import effect_of, fixed_fields
from nodepools.wire.table import Effect, python_name


@dataclass(frozen=True, slots=True)
class Generation:
    """One Azure agent pool. During a rotation a pool key has two: the current and the previous one."""

    key: str
    name: str
    """Name in Azure, and in Pulumi after the stem."""
    pool: AgentPool
    is_previous: bool = False
    """It is the field `previous`: kept, with a taint, until it is removed from the declaration."""


RESERVED_NAME = "aksmanagedap"
"""Name of the agent pool in which AKS keeps machines of its own; it accepts no other pool with it."""
SYSTEM = "system"
"""Key of the first system pool, which is part of the cluster; also its name unless it has one."""


def generations(cluster: AksClusterArgs) -> Iterator[Generation]:
    """Every agent pool that is a resource of its own, in the order of registration: a previous generation comes after the current one."""
    for key, pool in cluster.pools.items():
        yield Generation(key, pool_name(cluster, key), pool)
        if pool.retiring is not None:
            yield Generation(key, pool_name(cluster, key, pool.retiring), pool.retiring, is_previous=True)


def generation(cluster: AksClusterArgs, key: str, pool: AgentPool | None = None) -> str:
    """Changes when, and only when, an immutable field of the pool changes. All Outputs count as equal, because their values are unknown here.

    Args:
        cluster: the cluster that declares the pool.
        key: the key of the pool.
        pool: another generation of the pool; the declared pool if `None`.
    """
    pool = pool if pool is not None else cluster.pools[key]
    values = {name: getattr(pool, name, None) for name in _fixed_fields(type(pool).__name__)}
    fixed: dict[str, object] = {name: _known(value) for name, value in values.items() if not (value is None or value is False or value in ((), {}))}
    fixed |= {"machines": True} if getattr(pool, "machines", None) is not None else {}
    fixed |= {"zones": sorted(pool.zones)} if pool.zones else {}  # Azure treats zones as a set
    fixed |= {
        f"overrides.{name}": rewritten(value, lambda _, part: _known(part)) for name, value in pool.overrides.items() if name not in _changeable()
    }
    if pool.pod_subnet_id is None and (pod_subnet := _pod_subnet(cluster)) is not None:
        fixed["pod_subnet_id"] = pod_subnet
    return fingerprint([key, type(pool).__name__, _subnet(cluster, key, pool), fixed])


def pool_name(cluster: AksClusterArgs, key: str, pool: AgentPool | None = None) -> str:
    """The pool's name in Azure: its own, or the shortened key and the generation; at most 12 characters, 6 for Windows."""
    pool = pool if pool is not None else cluster.pools[key]
    if pool.name is not None:
        return pool.name
    suffix = generation(cluster, key, pool)
    return key.replace("-", "")[: pool.longest_name - len(suffix)] + suffix


def first_pool_name(cluster: AksClusterArgs) -> str:
    """The name of the first system pool in Azure, which does not depend on its generation."""
    first = cluster.system_pool
    return first.name if first is not None and first.name is not None else SYSTEM


def is_of_others(cluster: AksClusterArgs, name: str, labels: Mapping[str, str]) -> bool:
    """It is certain that an agent pool in Azure is not a generation of a declared pool: it has another name, and no label of this package.

    Pools without the label have fixed names, so former generations of all others have it, unless overrides replace their labels. Machines of
    AKS itself are those of NodePools.
    """
    declared = list(generations(cluster))
    known = {RESERVED_NAME, first_pool_name(cluster), *(one.name for one in declared)}
    replaced = any("node_labels" in overrides for overrides in (cluster.first_overrides, *(one.pool.overrides for one in declared)))
    return not replaced and name not in known and POOL_LABEL not in labels


def subnet_name(key: str, cidr: str) -> str:
    """The name of a pool's own subnet. A range in use is immutable too."""
    return f"{key}-{fingerprint(cidr)}"


@cache
def _fixed_fields(kind: str) -> frozenset[str]:
    """Immutable fields of pools of one kind."""
    return fixed_fields(POOL, kind)


@cache
def _changeable() -> frozenset[str]:
    """Arguments that `overrides` can change in place, in their Python spelling."""
    arguments = {str(way.wire[0]) for way in POOL.leaves if way.wire}
    return frozenset(python_name(argument) for argument in arguments if effect_of(POOL, (argument,), "") not in (Effect.ROTATES, Effect.REPLACES))


def _subnet(cluster: AksClusterArgs, key: str, pool: AgentPool) -> object:
    if pool.vnet_subnet_id is not None:
        return None  # one of the immutable fields
    return cluster.network.pool_subnets.get(key) if isinstance(cluster.network, AksNetworkArgs) else _known(cluster.network.subnet_id)


def _pod_subnet(cluster: AksClusterArgs) -> object:
    network = cluster.network
    return network.pod_subnet_cidr if isinstance(network, AksNetworkArgs) else _known(network.pod_subnet_id)


def _known(value: object) -> object:
    if is_output(value):
        return "output"
    if isinstance(value, Model):
        for name in type(value).model_fields:
            _known(getattr(value, name))  # raises for an unknown field; model_dump would not
        return value.model_dump(mode="json", exclude_none=True)
    return to_plain(value)

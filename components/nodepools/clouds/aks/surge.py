"""Surge nodes: the nodes that an agent pool has in addition during an upgrade. Facts: docs/facts/aks.md § 2.8."""

from math import ceil

from nodepools.model.aks.agent_pool import AgentPool

_DEFAULT = "10%"
"""Default in the API reference; the manual documents one node."""
_ALL = 1000


def counted(nodes: str | None, total: int = _ALL) -> int:
    """The number of nodes for a count or a percentage; Azure rounds up."""
    if nodes is None:
        return 0
    number = int(nodes.rstrip("%"))
    return ceil(total * number / 100) if nodes.endswith("%") else number


def surge(pool: AgentPool, *, minimum: bool) -> int:
    """Surge nodes of `pool` during an upgrade: the minimum or the maximum, where the sources are ambiguous.

    An upgrade adds at most one node for each node that it replaces: that is the minimum of any declared number. It adds none to a spot pool, but
    the checks of AKS before it count the surge of every pool, and no source says whether spot pools are among them.
    """
    declared = pool.upgrade.max_surge if pool.upgrade is not None else None
    instead = pool.upgrade.max_unavailable if pool.upgrade is not None else None
    return surge_of(pool.most_nodes, declared, instead, is_spot=getattr(pool, "spot", None) is not None, minimum=minimum)


def surge_of(most: int, declared: str | None, instead: str | None, *, is_spot: bool, minimum: bool) -> int:
    """The same for a pool of `most` nodes. `declared` is its `max_surge`, and `instead` its `max_unavailable`."""
    if minimum and is_spot:
        return 0
    if declared is not None or counted(instead) > 0 or not most:
        number = counted(declared, total=most)
        return min(number, most) if minimum else number
    return 1 if minimum else counted(_DEFAULT, total=most)

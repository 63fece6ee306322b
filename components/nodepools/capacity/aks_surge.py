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


def surge(pool: AgentPool, *, at_least: bool) -> int:
    """Surge nodes of `pool` during an upgrade: the minimum or the maximum, where the sources are ambiguous."""
    most = pool.most_nodes
    declared = pool.upgrade.max_surge if pool.upgrade is not None else None
    instead = pool.upgrade is not None and counted(pool.upgrade.max_unavailable) > 0
    if declared is not None or instead or not most:
        return counted(declared, total=most)
    if at_least:
        return 0 if getattr(pool, "spot", None) is not None else 1
    return counted(_DEFAULT, total=most)

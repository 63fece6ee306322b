"""How many nodes more an agent pool has while it is upgraded. Facts: docs/facts/aks.md § 2.8."""

from math import ceil

from nodepools.model.aks.pools import AgentPool

_DEFAULT = "10%"
"""Of an upgrade that says nothing, by the API reference; the manual says one node."""
_ALL = 1000


def counted(said: str | None, of: int = _ALL) -> int:
    """How many nodes a count or a percentage is; Azure rounds up."""
    if said is None:
        return 0
    number = int(said.rstrip("%"))
    return ceil(of * number / 100) if said.endswith("%") else number


def surge(pool: AgentPool, *, at_least: bool) -> int:
    """Nodes beyond the size of `pool` during an upgrade: the fewest or the most that the sources leave open."""
    most = pool.most_nodes
    said = pool.upgrade.max_surge if pool.upgrade is not None else None
    instead = pool.upgrade is not None and counted(pool.upgrade.max_unavailable) > 0
    if said is not None or instead or not most:
        return counted(said, of=most)
    if at_least:
        return 0 if getattr(pool, "spot", None) is not None else 1
    return counted(_DEFAULT, of=most)

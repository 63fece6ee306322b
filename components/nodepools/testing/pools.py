"""Pools by their address, as `platform.pool("weu/web")` and `--pool` name them."""

from collections.abc import Iterable
from difflib import get_close_matches
from operator import methodcaller

from nodepools.model.aks.pools import RETIRING
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.testing.lookup import NoSuchResourceError
from nodepools.testing.node import Node, Resources
from nodepools.testing.properties import Plain

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the question, not how it was answered

_LABELS = {"AgentPool": ("nodeLabels", POOL_LABEL), "NodePool": ("spec", "template", "metadata", "labels", POOL_LABEL)}
"""Where a kind of pool keeps the label that holds its key."""
_FIRST = 'inputs.at("agentPoolProfiles", 0)'


def pool_of(graph: Resources, address: str) -> Node:
    """The pool at `address`: CLUSTER/POOL, or POOL alone.

    Raises:
        NoSuchResourceError: there is no such pool, or several.
    """
    cluster, _, key = address.rpartition("/")
    pools = {pool: _key(pool) for kind in _LABELS for pool in graph.all(kind) if not _retires(pool)}
    found = [pool for pool, name in pools.items() if name == key and (not cluster or _is_in(pool, cluster))]
    if len(found) == 1:
        return found[0]
    addresses = sorted(f"{pool.parent.name if pool.parent else '?'}/{pools[pool]}" for pool in found or pools)
    if found:
        raise NoSuchResourceError(f"{address!r} names {len(found)} pools: {', '.join(addresses)}")
    nearest = get_close_matches(address, addresses, n=3, cutoff=0.4)
    told = f"nearest: {', '.join(nearest)}" if nearest else f"there are: {', '.join(addresses) if addresses else 'none'}"
    first = f"; the first pool of an AKS cluster stands in the inputs of its ManagedCluster: {_FIRST}" if key == "system" else ""
    raise NoSuchResourceError(f"no pool {address!r}; {told}{first}")


def _key(pool: Node) -> Plain:
    path = _LABELS[pool.kind]
    return pool.inputs.at(*path) if pool.inputs.has(*path) else None


def _retires(pool: Node) -> bool:
    """The generation before: it carries the key of the pool that takes its place."""
    return pool.inputs.has("nodeTaints") and any(str(taint).startswith(f"{RETIRING.key}=") for taint in pool.inputs.sequence("nodeTaints"))


def _is_in(pool: Node, cluster: str) -> bool:
    """In the cluster of this key, or of this whole name."""
    return any(parent.name == cluster or parent.name.endswith(f"-{cluster}") for parent in _parents(pool))


def _parents(node: Node) -> Iterable[Node]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent

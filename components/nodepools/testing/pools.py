"""Finds pools by reference, as `platform.pool("weu/web")` and `--pool` do."""

from collections.abc import Iterable
from difflib import get_close_matches
from operator import methodcaller

from nodepools.model.aks.pools import RETIRING
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.testing.lookup import NoSuchResourceError
from nodepools.testing.node import Node, Resources
from nodepools.testing.properties import Plain

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the assertion, not these frames

_LABELS = {"AgentPool": ("nodeLabels", POOL_LABEL), "NodePool": ("spec", "template", "metadata", "labels", POOL_LABEL)}
"""Path of the label with the pool key, by type."""
_NAMES = {"AgentPool": ("agentPoolName",), "NodePool": ("metadata", "name")}
_FIRST = 'inputs.at("agentPoolProfiles", 0)'


def pool_of(graph: Resources, address: str) -> Node:
    """The pool with the reference `address`: CLUSTER/POOL, or POOL alone.

    Raises:
        NoSuchResourceError: no pool matches, or several do.
    """
    cluster, _, key = address.rpartition("/")
    pools = {pool: _key(pool) for kind in _LABELS for pool in graph.all(kind) if not _is_previous(pool)}
    found = [pool for pool, name in pools.items() if name == key and (not cluster or _is_in(pool, cluster))]
    if len(found) == 1:
        return found[0]
    addresses = sorted(f"{pool.parent.name if pool.parent else '?'}/{pools[pool]}" for pool in found or pools)
    if found:
        raise NoSuchResourceError(f"`{address}` matches {len(found)} pools: {', '.join(addresses)}")
    nearest = get_close_matches(address, addresses, n=3, cutoff=0.4)
    available = f"closest: {', '.join(nearest)}" if nearest else f"available: {', '.join(addresses) if addresses else 'none'}"
    first = f"; the system pool of an AKS cluster is part of the inputs of its ManagedCluster: `{_FIRST}`" if key == "system" else ""
    raise NoSuchResourceError(f"pool `{address}` not found; {available}{first}")


def _key(pool: Node) -> Plain:
    """The label with the key; without it, the name of the object or of the pool in Azure."""
    return next((pool.inputs.at(*path) for path in (_LABELS[pool.kind], _NAMES[pool.kind]) if pool.inputs.has(*path)), None)


def _is_previous(pool: Node) -> bool:
    """Whether it is the previous generation, which has the same key as its replacement."""
    return pool.inputs.has("nodeTaints") and any(str(taint).startswith(f"{RETIRING.key}=") for taint in pool.inputs.sequence("nodeTaints"))


def _is_in(pool: Node, cluster: str) -> bool:
    """Whether it is in the cluster with this key or name."""
    return any(parent.name == cluster or parent.name.endswith(f"-{cluster}") for parent in _parents(pool))


def _parents(node: Node) -> Iterable[Node]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent

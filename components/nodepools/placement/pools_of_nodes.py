"""Which pool a running node is in, by its labels."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP, POOL

T = TypeVar("T")


def pools_of(node: Mapping[str, str], pools: Iterable[tuple[T, Mapping[str, str]]]) -> list[T]:
    """The pools, each given with the labels of its nodes, that a node with these labels can be in: by its name in the cloud, otherwise by its key."""
    known = list(pools)
    labels = [POOL] if POOL in node else [AGENT_POOL, NODE_GROUP, POOL_LABEL]
    by_label = ([pool for pool, own in known if label in own and node.get(label) == own[label]] for label in labels)
    return next((found for found in by_label if found), list[T]())

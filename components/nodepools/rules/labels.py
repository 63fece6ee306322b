"""The labels that a NodePool names, in its requirements and on its nodes."""

from collections.abc import Iterator

from nodepools.model.karpenter import NodePool
from nodepools.rules.path import Step


def named_labels(pool: NodePool) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Every label key that `pool` names, with where it does."""
    for index, requirement in enumerate(pool.requirements):
        yield requirement.key, ("requirements", index, "key")
    for key in pool.labels:
        yield key, ("labels", key)

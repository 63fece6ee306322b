"""The arguments of `aws:eks:Cluster`. Facts: docs/facts/eks.md § 1.1."""

from collections.abc import Callable

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.ref import Ref
from nodepools.wire.eks.cluster import CLUSTER, Around
from nodepools.wire.names import python_name
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.writing import write

Resolve = Callable[[Ref], object]
"""Returns the value of a reference."""


def cluster_arguments(args: EksClusterArgs, around: Around, *, resolve: Resolve) -> dict[str, object]:
    """A cluster in Auto Mode: its three switches are plain values, because the provider treats an unknown value as "off" (C1, C2).

    Args:
        args: the declaration.
        around: values that are not part of the declaration.
        resolve: returns the value of a reference.
    """
    return merge_overrides(write(CLUSTER, args, around, spell=python_name, resolve=resolve), args.overrides)

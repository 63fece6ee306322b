"""Karpenter of a provider without tables here: only what Karpenter itself decides is certain, such as taints and labels without a domain."""

from functools import cache
from typing import Final

from nodepools.placement.cloud_labels import CAPACITY, HOSTNAME, KARPENTER_LABELS, OS, REGION, ZONE, Cloud
from nodepools.placement.cluster_labels import unknown
from nodepools.placement.machine_index import Machine, TypeIndex

_OF_TYPES: Final = frozenset({"kubernetes.io/arch", "node.kubernetes.io/instance-type"})


@cache
def unknown_provider(class_label: str, why: str) -> Cloud:
    """Returns a provider whose nodes name their node class by this label (empty: not known); `why` its labels and instance types are not known."""
    choices = {key: unknown() for key in (REGION, ZONE, CAPACITY, OS)}
    return Cloud(
        f"unknown, {class_label}, {why}",
        KARPENTER_LABELS,
        frozenset({"karpenter.sh"}),
        (),
        frozenset({HOSTNAME}),
        class_label,
        {},
        {},
        lambda _: choices,
        TypeIndex((Machine("", dict.fromkeys(_OF_TYPES), {}, certain=False),), rare=frozenset({"node.kubernetes.io/windows-build"})),
        unknown=why,
    )

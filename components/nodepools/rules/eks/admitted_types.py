"""The instance types of EKS Auto Mode that a NodePool allows, and whether it launches spot nodes only."""

from typing import Final

from nodepools.data.eks_instance_types import eks_instance_types, requirements_of
from nodepools.keys import eks as keys
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.kubernetes.requirement import Requirements

FEW_FOR_SPOT: Final = 10
"""With fewer types, a spot pool is often without capacity, and `nodepools instances` shows what each requirement excludes."""

_latest: list[tuple[EksNodePool, Requirements, frozenset[str]]] = []


def admitted_types(pool: EksNodePool) -> frozenset[str]:
    """The names of the instance types that the requirements of the pool allow."""
    return _known(pool)[1]


def admitting_requirements(pool: EksNodePool) -> Requirements:
    """The requirements of the pool, joined for each key, with its labels."""
    return _known(pool)[0]


def _known(pool: EksNodePool) -> tuple[Requirements, frozenset[str]]:
    """Rules run on one pool after another, so the latest result is kept."""
    if not _latest or _latest[0][0] is not pool:
        together = requirements_of(pool.requirements, pool.labels.items())
        _latest[:] = [(pool, together, eks_instance_types().admitted(together))]
    return _latest[0][1:]


def is_spot_only(requirements: Requirements) -> bool:
    """Karpenter launches only spot nodes for a NodePool with these requirements."""
    capacity = requirements.get(keys.capacity_type.name)
    return capacity is not None and "spot" in capacity and "on-demand" not in capacity and "reserved" not in capacity

"""Spot capacity of NodePools of EKS Auto Mode: too few instance types or zones. Facts: docs/facts/eks.md § 3.4, § 5.3.

The table of types has a date, and AWS adds types: findings from it are warnings.
"""

from collections.abc import Iterator

from nodepools.keys import eks as keys
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.rules.eks.admitted_types import FEW_FOR_SPOT, admitted_types, admitting_requirements, is_spot_only
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import AMD64, eks_pool
from nodepools.rules.karpenter.disruption_budgets import happens

_FEW_FOR_CONSOLIDATION = 15
_CONSOLIDATION = "https://karpenter.sh/docs/concepts/disruption/#spot-consolidation (2026-11): at least 15 cheaper instance types"
_SPOT = "https://karpenter.sh/docs/concepts/nodepools/#capacity-type and EC2 spot best practices: be flexible about instance types"
_TWO = keys.instance_type.one_of("m7i.large", "m7a.large")
_TWELVE = [f"{family}.{size}" for family in ("m7i", "m7a", "c7i", "c7a") for size in ("large", "xlarge", "2xlarge")]


@rule(
    "EKS061",
    Severity.WARNING,
    source=_SPOT,
    sample=Sample("requirements", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), _TWO])),
)
def few_instance_types_for_spot(pool: EksNodePool) -> Iterator[PartFinding]:
    """Spot capacity of fewer than ten instance types is often unavailable."""
    count = len(admitted_types(pool))
    if is_spot_only(admitting_requirements(pool)) and 0 < count < FEW_FOR_SPOT:
        types = "1 instance type meets" if count == 1 else f"{count} instance types meet"
        message = f"Only {types} the requirements of this spot-only NodePool: spot capacity is often unavailable"
        fix = "Allow more instance sizes, generations or families, or the capacity type `on-demand`"
        yield finding(pool, message, path="requirements", value=None, fix=fix)


@rule(
    "EKS065",
    Severity.WARNING,
    source=_SPOT,
    sample=Sample("requirements[2]", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), keys.zone.one_of("us-east-1a")])),
)
def single_zone_spot(pool: EksNodePool) -> Iterator[PartFinding]:
    """Spot capacity differs by instance type and zone: in a single zone it can run out."""
    for index, requirement in enumerate(pool.requirements):
        pinned = requirement.operator == "In" and len(requirement.values) == 1 and requirement.label in (keys.zone.name, keys.zone_id.name)
        if pinned and is_spot_only(admitting_requirements(pool)):
            message = f"This spot-only NodePool is limited to the zone `{requirement.values[0]}`, where spot capacity can run out"
            yield finding(pool, message, path=("requirements", index), fix="Allow more zones, or the capacity type `on-demand`")


@rule(
    "EKS069",
    Severity.NOTE,
    source=_CONSOLIDATION,
    sample=Sample("requirements", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), keys.instance_type.one_of(*_TWELVE)])),
)
def few_instance_types_for_spot_consolidation(pool: EksNodePool) -> Iterator[PartFinding]:
    """Karpenter replaces a single spot node by a cheaper spot node only if at least 15 cheaper instance types are possible."""
    count = len(admitted_types(pool))
    if (
        is_spot_only(admitting_requirements(pool)) and FEW_FOR_SPOT <= count < _FEW_FOR_CONSOLIDATION and happens("Underutilized", pool)
    ):  # EKS061 reports fewer
        message = (
            "Karpenter does not replace a single spot node by a cheaper one: "
            f"that needs {_FEW_FOR_CONSOLIDATION} instance types, and this NodePool allows {count}"
        )
        yield finding(pool, message, path="requirements", value=None)

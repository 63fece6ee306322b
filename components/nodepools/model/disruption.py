"""How Karpenter disrupts nodes voluntarily. Facts: docs/facts/eks.md § 3, docs/facts/aks.md § 3.5."""

import re
from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import NEVER, BudgetDuration, DurationOrNever

MOST_BUDGETS: Final = 50
Reason: TypeAlias = Literal["Drifted", "Empty", "Underutilized"]
"""Why Karpenter disrupts a node voluntarily."""
REASONS: Final[tuple[Reason, ...]] = ("Drifted", "Empty", "Underutilized")


def _nodes(text: str) -> str:
    if not re.fullmatch(r"(100|[0-9]{1,2})%|[0-9]+", text):
        raise PydanticCustomError("budget_nodes", "must be a count or a percentage in quotes, such as `5` or `10%`")
    return text


class Budget(Model):
    """A disruption budget: how many nodes of a pool Karpenter can disrupt at once. It does not limit expiration, interruption or manual deletion."""

    nodes: Annotated[str, AfterValidator(_nodes)] = "10%"
    """A count or a percentage, as text. Percentages are rounded up."""
    schedule: str | None = None
    """When the budget becomes active: a cron expression with five fields in UTC, as Go's robfig/cron parses it. Default: always active."""
    duration: BudgetDuration | None = None
    """How long the budget stays active after each start. Requires `schedule`."""
    reasons: Sequence[Literal["Underutilized", "Empty", "Drifted", "NodeNotHealthy"]] | None = Field(default=None, max_length=50)
    """Disruption reasons that the budget limits. Default: all. An empty list has no reasons: the budget has no effect. `NodeNotHealthy` was a
    reason of EKS Auto Mode in 2024-12 and exists nowhere else."""

    def limits(self, reason: Reason) -> bool:
        """Whether the budget limits disruption for this reason while it is active."""
        return self.reasons is None or reason in self.reasons


class Disruption(Model):
    """When Karpenter disrupts nodes voluntarily."""

    consolidation_policy: Literal["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"] = "WhenEmptyOrUnderutilized"
    """Which nodes are consolidated. `Balanced` since Karpenter 1.14, on EKS since 2026-07-27."""
    consolidate_after: DurationOrNever = "0s"
    """How long Karpenter waits after a pod was added to or removed from a node; `Never` turns consolidation off. Cloud default 0s; it is always
    sent."""
    budgets: Sequence[Budget] | None = Field(default=None, max_length=MOST_BUDGETS)
    """Disruption budgets. For each reason, the most restrictive of those that are active and have the reason applies; without such a budget, nothing
    is limited. Default: 10% of the nodes at any time. An empty list limits nothing."""

    @property
    def active_reasons(self) -> Sequence[Reason]:
        """The reasons for which Karpenter disrupts nodes, without budgets."""
        if self.consolidate_after == NEVER:
            return ("Drifted",)
        return ("Drifted", "Empty") if self.consolidation_policy == "WhenEmpty" else REASONS

    @property
    def applied_budgets(self) -> Sequence[Budget]:
        """The budgets, with the default of Kubernetes filled in."""
        return self.budgets if self.budgets is not None else (Budget(),)

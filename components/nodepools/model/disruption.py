"""How Karpenter disrupts nodes voluntarily. Facts: docs/facts/eks.md § 3, docs/facts/aks.md § 3.5."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.kubernetes.cron import unreadable
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
    reasons: Sequence[Literal["Underutilized", "Empty", "Drifted", "Unhealthy", "NodeNotHealthy"]] | None = Field(default=None, max_length=50)
    """Disruption reasons that the budget limits. Default: all. An empty list has no reasons: the budget has no effect. `Unhealthy` since Karpenter
    1.15, not on AKS. `NodeNotHealthy` was a reason of EKS Auto Mode in 2024-12 and exists nowhere else."""

    def limits(self, reason: Reason) -> bool:
        """Whether the budget limits disruption for this reason while it is active."""
        return self.reasons is None or reason in self.reasons

    @property
    def is_readable(self) -> bool:
        """Whether Karpenter can read it: a schedule and a duration, or neither. If it cannot, it disrupts no node of the pool for any reason."""
        if self.schedule is None or self.duration is None:
            return self.schedule is None and self.duration is None
        return unreadable(self.schedule) is None


class Disruption(Model):
    """When Karpenter disrupts nodes voluntarily."""

    consolidation_policy: Literal["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"] = "WhenEmptyOrUnderutilized"
    """Which nodes are consolidated. `Balanced` since Karpenter 1.14, on EKS since 2026-07-27; EKS gives it to new NodePools
    without a policy from 1.37 on, but NodePools of a declaration always have one."""
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


_MOST: Final = 2**31 - 1
"""Karpenter's value for "unlimited"."""
_MOST_OF_GO: Final = 2**63 - 1
_DIGITS: Final = len(str(_MOST_OF_GO))


@dataclass(frozen=True, slots=True)
class BudgetNodes:
    """The field `nodes` of a budget: a count or a percentage."""

    text: str

    def of(self, nodes: int) -> int | None:
        """The number for a pool of `nodes` nodes; `None` is unlimited. Percentages are rounded up."""
        if self.is_percentage:
            return -(-int(self.text.removesuffix("%")) * nodes // 100)
        return None if self.is_unlimited else max(self._count, 0)

    @property
    def is_percentage(self) -> bool:
        """It depends on the number of nodes."""
        return self.text.endswith("%")

    @property
    def is_none(self) -> bool:
        """No node, whatever the number of nodes is."""
        return self.of(1) == 0

    @property
    def is_unlimited(self) -> bool:
        """The count is the one that Karpenter uses for unlimited."""
        return not self.is_percentage and self._count == _MOST

    @property
    def is_invalid(self) -> bool:
        """The API server accepts the count, and Karpenter cannot read it."""
        digits = self.text.lstrip("0")
        return not self.is_percentage and (len(digits) > _DIGITS or int(digits if digits else "0") > _MOST_OF_GO)

    @property
    def _count(self) -> int:
        """The count in 32 bits: larger ones overflow, as in Karpenter."""
        return 0 if self.is_invalid else (int(self.text) + _MOST + 1) % 2**32 - _MOST - 1

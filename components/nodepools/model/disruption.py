"""How Karpenter may disrupt nodes of its own accord. Facts: docs/facts/eks.md § 3, docs/facts/aks.md § 3.5."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import BudgetDuration, DurationOrNever

MOST_BUDGETS = 50


def _nodes(text: str) -> str:
    if not re.fullmatch(r"(100|[0-9]{1,2})%|[0-9]+", text):
        raise PydanticCustomError("budget_nodes", "must be a count or a percentage in quotes, such as `5` or `10%`")
    return text


class Budget(Model):
    """How many nodes of a pool may be disrupted at once. Does not limit expiry, interruption, or deletion by hand."""

    nodes: Annotated[str, AfterValidator(_nodes)] = "10%"
    """A count or a percentage, as text; percentages round up."""
    schedule: str | None = None
    """When it begins to hold: a cron line of five fields, UTC, as Go's robfig/cron reads it. Always, when left out."""
    duration: BudgetDuration | None = None
    """How long it holds from each start; goes with `schedule`."""
    reasons: Sequence[Literal["Underutilized", "Empty", "Drifted", "NodeNotHealthy"]] = Field(default=(), max_length=50)
    """What it limits; all reasons when left out. `NodeNotHealthy` was a reason of EKS Auto Mode in 2024-12, and is none elsewhere."""


class Disruption(Model):
    """When Karpenter replaces nodes of its own accord."""

    consolidation_policy: Literal["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"] = "WhenEmptyOrUnderutilized"
    """What is consolidated; `Balanced` since Karpenter 1.14, on EKS since 2026-07-27."""
    consolidate_after: DurationOrNever = "0s"
    """How long a node is left alone after a pod came or went; `Never` turns consolidation off. Cloud default 0s; always written out."""
    budgets: Sequence[Budget] = Field(default=(), max_length=MOST_BUDGETS)
    """Of those that hold at a time the most restrictive wins; 10% of the nodes when left out."""

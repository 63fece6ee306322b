"""What the Karpenter NodePools of both clouds share (karpenter.sh/v1). Facts: docs/facts/eks.md § 3, docs/facts/aks.md § 3.5."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Literal, Self

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.disruption import Budget, Disruption
from nodepools.model.kubernetes.duration import Duration, DurationOrNever
from nodepools.model.kubernetes.quantity import Quantity, amount
from nodepools.model.kubernetes.requirement import Operator as SetOperator
from nodepools.model.kubernetes.requirement import Values, integer
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.timeouts import Timeouts

Operator = Literal["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"]
_BOUNDS = ("Gt", "Lt", "Gte", "Lte")
_NO_NODES = ("cpu", "memory", "nodes")
"""Resources of which a limit of zero allows no node."""


class Requirement(Model):
    """What the label `key` of a node may be.

    `keys` has a typed spelling for the known labels.
    """

    key: str = Field(kw_only=False, min_length=1, max_length=316)
    """The label."""
    operator: Operator = Field(kw_only=False)
    """How `values` restrict it; `Gte` and `Lte` since Karpenter 1.9."""
    values: Sequence[str] = Field(default=(), kw_only=False)
    """Strings, also for numbers."""
    min_values: int | None = Field(default=None, ge=1, le=50)
    """Flexibility asked for: at least so many different values must remain."""

    @field_validator("values")
    @classmethod
    def _fit_the_operator(cls, values: Sequence[str], info: ValidationInfo) -> Sequence[str]:
        operator = info.data.get("operator")
        if operator == "In" and not values:
            raise PydanticCustomError("requirement_values", "must have at least one value for `In`")
        if operator in _BOUNDS and (len(values) != 1 or (integer(values[0]) or 0) < 0 or integer(values[0]) is None):
            raise PydanticCustomError(
                "requirement_values", "must be one whole number of 0 or more, in quotes, for {operator}", {"operator": operator}
            )
        return values

    @property
    def allowed(self) -> Values:
        """The set of values that satisfy it."""
        return _allowed(self.operator, tuple(self.values))

    def __str__(self) -> str:
        return f"{self.key} {self.operator} [{', '.join(self.values)}]"


@lru_cache(maxsize=4096)
def _allowed(operator: Operator, values: tuple[str, ...]) -> Values:
    """Pools ask for much the same, and rules ask them again and again."""
    return Values.of(SetOperator(operator), values)


class NodePool(Model):
    """A karpenter.sh/v1 NodePool."""

    node_class: str | None = None
    """Key of a node class of this cluster; the built-in `default` when left out."""
    weight: int | None = Field(default=None, ge=1, le=100)
    """1 to 100; higher is tried first, and 0 is what it has when left out. Of equal weights the last name wins."""
    replicas: int | None = Field(default=None, ge=0, le=2**63 - 1)
    """Makes the pool static: so many nodes, always, whatever pods ask for. Not with `weight`. Since Karpenter 1.8; on EKS since 2025-11-19."""
    requirements: Sequence[Requirement] = Field(default=(), max_length=100)
    """What nodes may be; all hold."""
    labels: Mapping[str, str] = Field(default={}, max_length=100)
    """Labels of every node, beside `nodepools/name`. A change replaces the nodes."""
    annotations: Mapping[str, str] = {}
    """Annotations of every node. A change replaces the nodes."""
    taints: Sequence[Taint] = ()
    """Taints of every node. A change replaces the nodes."""
    startup_taints: Sequence[Taint] = ()
    """Taints that something else takes away once a node is ready; pods need no toleration for them."""
    limits: Mapping[str, Quantity] = {}
    """Resource (`cpu`, `memory`, `nodes`, `nvidia.com/gpu`) to quantity: no more nodes beyond. Unlimited when left out."""
    disruption: Disruption = Disruption()
    """When nodes are replaced."""
    maintenance: MaybeWindow = None
    """Outside of it nothing is disrupted: budgets that block the rest, beside those of `disruption`. That of the cluster, or of the platform,
    when left out. Expiry and the grace period ask no budget."""
    expire_after: DurationOrNever | None = None
    """Age at which nodes are replaced, budgets or not. Cloud default 336h on EKS, where it may not be `Never`, and 720h on AKS."""
    termination_grace_period: Duration | None = None
    """How long a node may drain before its pods are ended, disruption budgets or not. Cloud default 24h on EKS, none on AKS."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits; the provider's own ten minutes are too short for a pool to drain."""
    overrides: Mapping[str, object] = {}
    """Laid over the object's `spec`, for what is not modelled yet."""

    capacity_types: ClassVar[tuple[str, ...]] = ("on-demand", "spot", "reserved")
    """What `karpenter.sh/capacity-type` can be in its cloud."""

    @property
    def node_taints(self) -> tuple[Taint, ...]:
        """All taints of its nodes."""
        return tuple(self.taints)

    @property
    def takes_ordinary_pods(self) -> bool:
        """It can have nodes, and pods without tolerations can be scheduled on them."""
        off = self.replicas == 0 or any(amount(str(limit)) == 0 for name, limit in self.limits.items() if name in _NO_NODES)
        return not off and not any(taint.is_hard for taint in self.taints)

    @property
    def expires_after(self) -> str:
        """Age at which its nodes are replaced, with Karpenter's default filled in."""
        return self.expire_after if self.expire_after is not None else "720h"

    def within(self, around: MaybeWindow) -> Self:
        """As it is applied: its window, or that `around` it, written as budgets.

        Budgets add up, and the most restrictive wins. Where it has none of its own, the cloud's 10% would go with the first budget that is
        written; it is kept, so that in its window a pool is not replaced at once.
        """
        window = self.maintenance if self.maintenance is not None else around
        if window is None:
            return self
        own = self.disruption.budgets if self.disruption.budgets else (Budget(),)
        return derive(self, maintenance=None, disruption={"budgets": [*own, *window.budgets()]})

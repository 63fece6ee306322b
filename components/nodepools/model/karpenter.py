"""NodePools of Karpenter, common to both clouds (karpenter.sh/v1). Facts: docs/facts/eks.md § 3, docs/facts/aks.md § 3.5."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Literal, Self

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.kubernetes.duration import Duration, DurationOrNever, Timeouts, is_age
from nodepools.model.kubernetes.label import POOL_LABEL, Requirements, Taint, Values, current_label, integer, is_key
from nodepools.model.kubernetes.label import Operator as SetOperator
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.quantity import Quantity, amount
from nodepools.model.maintenance import Disruption, MaybeWindow
from nodepools.model.steps import Step, Steps, mapping

Operator = Literal["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"]
NODE_RESOURCES = ("cpu", "memory", "nodes", "pods", "ephemeral-storage")
"""Resources of every node: a limit of zero on one of them allows no nodes."""
_LIFE = {"expire_after": "expireAfter", "termination_grace_period": "terminationGracePeriod"}


class Requirement(Model):
    """A requirement on the label `key` of nodes.

    `keys` has typed functions for well-known labels.
    """

    key: str = Field(kw_only=False, min_length=1, max_length=316)
    """Label key."""
    operator: Operator = Field(kw_only=False)
    """How `values` restrict the label. `Gte` and `Lte` since Karpenter 1.9."""
    values: Sequence[str] = Field(default=(), kw_only=False)
    """Label values, as text even for numbers."""
    min_values: int | None = Field(default=None, ge=1, le=50)
    """Minimum number of different values that must remain possible, for flexibility."""

    @field_validator("values")
    @classmethod
    def _fit_the_operator(cls, values: Sequence[str], info: ValidationInfo) -> Sequence[str]:
        operator = info.data.get("operator")
        if operator == "In" and not values:
            advice = {"example": "a value in quotes, or remove the requirement"}
            raise PydanticCustomError("requirement_values", "must not be empty: the operator `In` requires at least one value", advice)
        if operator in ("Gt", "Lt", "Gte", "Lte") and (len(values) != 1 or (integer(values[0]) or 0) < 0 or integer(values[0]) is None):
            raise PydanticCustomError(
                "requirement_values",
                "must be one whole number of 0 or more, in quotes, for {operator}",
                {"operator": operator, "example": 'one number as text, such as `["4"]`'},
            )
        return values

    @property
    def label(self) -> str:
        """The label that Karpenter reads: a deprecated key is read as the one that replaced it."""
        return current_label(self.key)

    @property
    def allowed(self) -> Values:
        """The set of values that satisfy the requirement."""
        return _allowed(self.operator, tuple(self.values))

    def __str__(self) -> str:
        return f"{self.key} {self.operator} [{', '.join(self.values)}]"


@lru_cache(maxsize=4096)
def _allowed(operator: Operator, values: tuple[str, ...]) -> Values:
    """Cached: pools have similar requirements, and rules evaluate them many times."""
    return Values.of(SetOperator(operator), values)


class Headroom(Model):
    """Room that a pool keeps free, for pods that do not exist yet: these start without waiting for a node."""

    pods: int = Field(kw_only=False, ge=1, le=1000)
    """For how many pods."""
    requests: Mapping[str, Quantity] = Field(kw_only=False, min_length=1)
    """What each of them requests, such as `{"cpu": "1", "memory": "2Gi"}`."""
    by: Literal["placeholder-pods", "capacity-buffer"] = "placeholder-pods"
    """`placeholder-pods`: a Deployment of pods with the priority -10, which every other pod preempts; any cluster has these objects.
    `capacity-buffer`: a CapacityBuffer with its PodTemplate, for clusters that serve `autoscaling.x-k8s.io/v1beta1`. Source:
    https://karpenter.sh/docs/concepts/capacitybuffers (1.15, alpha)."""
    namespace: str = Field(default="default", pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")
    """Namespace of the objects, which must exist."""
    image: str = Field(default="registry.k8s.io/pause:3.10", min_length=1)
    """Image of the placeholder pods, which do nothing: set it for clusters that pull from a registry of their own."""

    @field_validator("requests")
    @classmethod
    def _are_amounts(cls, requests: Mapping[str, Quantity]) -> Mapping[str, Quantity]:
        wrong = next((name for name, each in requests.items() if not is_key(name) or amount(str(each)) <= 0), None)
        if wrong is not None:
            advice = {"name": wrong, "example": '`{"cpu": "1", "memory": "2Gi"}`'}
            raise PydanticCustomError("headroom", "must have the names of resources with amounts above 0: `{name}` is not one", advice)
        return requests

    def nodes(self, each: Mapping[str, int | None]) -> int:
        """At least so many nodes have the room, by what one node has of each resource, in thousandths; 0 if one pod is too large for a node."""
        by_node = [most // thousandths(one, name) for name, one in self.requests.items() if (most := each.get(name)) is not None]
        most = min(by_node, default=self.pods)
        return -(-self.pods // most) if most else 0

    def total(self, resource: str) -> int:
        """What the pods request together, in thousandths."""
        return self.pods * thousandths(self.requests.get(resource), resource)

    def __str__(self) -> str:
        return f"{self.pods} pod{'s' * (self.pods > 1)} of {', '.join(f'{name} {each}' for name, each in self.requests.items())}"


class NodePool(Model):
    """A karpenter.sh/v1 NodePool."""

    node_class: str | None = None
    """Key of a node class of this cluster. Default: the built-in node class `default`."""
    weight: int | None = Field(default=None, ge=1, le=100)
    """1 to 100. Karpenter tries pools with a higher weight first. Default: 0. Among pools with the same weight, the last name in alphabetical order
    is tried first."""
    replicas: int | None = Field(default=None, ge=0, le=2**63 - 1)
    """Makes the pool static, with a fixed number of nodes regardless of pods. Not together with `weight`. Since Karpenter 1.8, on EKS since
    2025-11-19."""
    requirements: Sequence[Requirement] = Field(default=(), max_length=100)
    """Requirements on the nodes, which must all be met. A change replaces the nodes that no longer meet them."""
    labels: Mapping[str, str] = Field(default={}, max_length=100)
    """Labels of every node, in addition to `nodepools/name`. A change replaces the nodes."""
    labeled: bool = True
    """Whether nodes have the label `nodepools/name` with the key of the pool. `False` is for a pool that exists without it. A change replaces the
    nodes."""
    annotations: Mapping[str, str] = {}
    """Annotations of every node. A change replaces the nodes."""
    taints: Sequence[Taint] = ()
    """Taints of every node. A change replaces the nodes."""
    startup_taints: Sequence[Taint] = ()
    """Taints that another component removes when the node is ready. Pods do not have to tolerate them. A change replaces the nodes."""
    limits: Mapping[str, Quantity] = {}
    """Maximum of each resource (`cpu`, `memory`, `nodes`, `nvidia.com/gpu`) in the pool: above it, no nodes are launched. Default: no limits."""
    headroom: Headroom | None = None
    """Room that is kept free, by objects next to the NodePool. It counts against `limits`. A change is in place: Karpenter launches nodes, or removes
    those that are no longer needed. Default: none, and a pod that does not fit waits for a node."""
    disruption: Disruption = Disruption()
    """When Karpenter disrupts nodes."""
    maintenance: MaybeWindow = None
    """Nodes are disrupted for the reasons of this window only while it is open: it is sent as budgets of zero for all other times, next to those of
    `disruption`. Default: the window of the cluster or of the platform. Budgets do not apply to expiration and to the termination grace period."""
    expire_after: DurationOrNever | None = None
    """Age at which nodes are replaced, regardless of budgets. Cloud default 336h on EKS, where `Never` is not allowed, and 720h on AKS. A change
    replaces the nodes."""
    termination_grace_period: Duration | None = None
    """How long a node can drain before its pods are terminated, regardless of PodDisruptionBudgets. Cloud default 24h on EKS, none on AKS. A change
    replaces the nodes."""
    owner: str | None = Field(default=None, min_length=1, max_length=256)
    """Who is responsible for the pool, as free text: `diff`, `cost` and `capacity` group by it. Sent only if `owners` of the platform says where.
    Default: the owner of the cluster."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits. The provider's default of 10 minutes is too short for draining a pool."""
    overrides: Mapping[str, object] = {}
    """Fields of the object's `spec`, for fields that are not modeled yet. They replace what the fields send."""

    capacity_types: ClassVar[tuple[str, ...]] = ("on-demand", "spot", "reserved")
    """Values of `karpenter.sh/capacity-type` in its cloud."""
    operating_systems: ClassVar[tuple[str, ...]] = ("linux", "windows")
    """Values of `kubernetes.io/os`: self-managed Karpenter also launches Windows nodes."""
    fewest_cpus: ClassVar[int] = 1
    least_memory: ClassVar[int] = 256 * 1024**2
    """Bytes that nodes of every size have. The smallest of EC2, `t3.nano`, has twice as much."""
    """vCPUs of the smallest node: self-managed Karpenter also launches sizes such as `t2.small`."""

    further_reasons: ClassVar[tuple[str, ...]] = ("Unhealthy",)
    """Disruption reasons besides those of every Karpenter."""

    has_metrics: ClassVar[bool] = True
    """Prometheus can collect the metrics of the Karpenter that launches its nodes."""

    label_domains: ClassVar[tuple[str, ...]] = ("karpenter.k8s.aws",)
    """Domains of the labels that Karpenter itself defines in its cloud. It rejects labels of them that it does not know."""

    class_label: ClassVar[str] = "karpenter.k8s.aws/ec2nodeclass"
    """The label with which Karpenter gives its nodes the name of their node class."""

    synonyms: ClassVar[Mapping[str, tuple[str, Mapping[str, str]]]] = {}
    """Labels that say the same as another one: that one, and its value for each of theirs (none: the values are the same)."""

    def label_parts(self, labels: Mapping[str, str] | None = None) -> Iterator[tuple[str, Values, Steps]]:
        """What requirements and labels (other `labels`, if given) say of each label of its nodes, with the path. A synonym counts for both labels."""
        parts: list[tuple[str, Values, tuple[Step, ...]]] = [
            (one.label, one.allowed, ("requirements", index)) for index, one in enumerate(self.requirements)
        ]
        own = self.labels if labels is None else labels
        parts += [(current_label(key), _allowed("In", (value,)), ("labels", key)) for key, value in own.items()]
        for key, values, at in parts:
            yield key, values, at
            if key in self.synonyms:
                other, words = self.synonyms[key]
                yield other, _allowed("In", tuple(words[word] for word in words if word in values)) if words else values, at

    def asked(self, labels: Mapping[str, str] | None = None) -> Requirements:
        """The values that requirements and labels (other `labels`, if given) together leave to each label of its nodes."""
        found = Requirements()
        for key, values, _ in self.label_parts(labels):
            found[key] = found[key] & values if key in found else values
        return found

    def node_labels(self, name: str) -> dict[str, str]:
        """All labels that are declared for the nodes of the pool `name`. Karpenter adds those of its requirements."""
        return {**({POOL_LABEL: name} if self.labeled else {}), **self.labels}

    def selecting_label(self, name: str) -> dict[str, str]:
        """The label that only the nodes of the pool `name` have: `nodepools/name`, or without it, Karpenter's own."""
        return {POOL_LABEL if self.labeled else "karpenter.sh/nodepool": name}

    @property
    def node_taints(self) -> tuple[Taint, ...]:
        """All taints of its nodes."""
        return tuple(self.taints)

    @property
    def is_open(self) -> bool:
        """Pods without tolerations can be scheduled on its nodes, if it has any."""
        return not any(taint.is_hard for taint in self.taints)

    @property
    def takes_ordinary_pods(self) -> bool:
        """The pool can have nodes, and pods without tolerations can be scheduled on them."""
        return self.is_open and not self.is_off

    @property
    def is_off(self) -> bool:
        """The pool can have no nodes."""
        return self.replicas == 0 or any(amount(str(limit)) == 0 for name, limit in self.limits.items() if name in NODE_RESOURCES)

    def life(self, field: str) -> tuple[Steps, str | None]:
        """Where a duration of its nodes is declared, and the one that is sent: `overrides` replace the field. `None`: the default of the cloud."""
        spec, argument = mapping(mapping(self.overrides.get("template")).get("spec")), _LIFE[field]
        if argument not in spec:
            return (field,), getattr(self, field)
        text = spec[argument]
        is_read = isinstance(text, str) and is_age(text, never=field == "expire_after")
        return ("overrides", "template", "spec", argument), str(text) if is_read else None

    @property
    def expires_after(self) -> str:
        """Age at which nodes are replaced, with Karpenter's default filled in."""
        return self.life("expire_after")[1] or "720h"

    @property
    def drains_within(self) -> str | None:
        """How long a node can drain, with the default of its cloud filled in; `None`: as long as its pods need."""
        return self.life("termination_grace_period")[1]

    def with_window_budgets(self, around: MaybeWindow) -> Self:
        """The pool as it is applied: with its maintenance window, or the window `around` it, as disruption budgets.

        The most restrictive budget applies. If the pool has no budgets of its own, the cloud default of 10% would no longer apply next to the
        budgets of the window. It is therefore added, so that nodes are not all replaced at once inside the window.
        """
        window = self.maintenance if self.maintenance is not None else around
        if window is None:
            return self
        budgets = [*self.disruption.applied_budgets, *window.disruption_budgets()]
        return derive(self, maintenance=None, disruption={"budgets": budgets})

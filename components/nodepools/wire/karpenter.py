"""The `spec` of a NodePool (karpenter.sh/v1).

A hash of `spec.template` without `requirements` decides whether nodes drift. An empty map or list changes the hash, so none is ever written.
Requirements are compared with the labels of each node.
"""

from functools import cache
from typing import Final

from nodepools.model.invalid_parts import UNKNOWN, Unknown
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.values import dataclass
from nodepools.wire.rows import FILLED, HEADROOM, OBJECT_SETTINGS, TEXTS, Always, Each, Note, Part, Row
from nodepools.wire.table import Change, Effect, Table


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """A kind of Kubernetes object."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """The `apiVersion` of objects."""
        return f"{self.group}/{self.version}"

    def __str__(self) -> str:
        return f"{self.kind} ({self.api_version})"


@dataclass(frozen=True, slots=True)
class ClassKind(ObjectKind):
    """The kind of node class that the NodePools of a cloud refer to."""

    expire_after: str
    """Default of `expireAfter` of a NodePool."""


NODE_POOL: Final = ObjectKind("karpenter.sh", "v1", "NodePool")
AKS_NODE_CLASS: Final = ClassKind("karpenter.azure.com", "v1beta1", "AKSNodeClass", expire_after="720h")
EKS_NODE_CLASS: Final = ClassKind("eks.amazonaws.com", "v1", "NodeClass", expire_after="336h")
EC2_NODE_CLASS: Final = ClassKind("karpenter.k8s.aws", "v1", "EC2NodeClass", expire_after="720h")
"""Node classes of self-managed Karpenter on AWS."""


@dataclass(frozen=True, slots=True)
class ObjectContext:
    """Values of a NodePool object that are not fields of the pool."""

    name: str | Unknown
    """Name of the object, and value of its label `nodepools/name`."""
    node_class: object = None
    """Name of the node class, if it differs from the declared key, for example an output of the node class."""


def _labels(pool: NodePool, around: ObjectContext) -> object:
    return {**({POOL_LABEL: around.name} if pool.labeled else {}), **pool.labels}


def _class(pool: NodePool, around: ObjectContext) -> object:
    if around.node_class is not None:
        return around.node_class
    return pool.node_class if pool.node_class else "default"


_DOCS: Final = "https://karpenter.sh/docs/concepts/disruption/#drift"
_HASHED: Final = Change(Effect.ROLLS, f"{_DOCS}; Karpenter 1.14, NodePool.Hash: all of `spec.template` except its requirements")
_COMPARED: Final = Change(Effect.ROLLS_SOME, f"{_DOCS}; Karpenter 1.14, nodeclaim/disruption/drift.go: nodes whose labels do not meet them")
_NOT_COMPARED: Final = Change(Effect.IN_PLACE, "Karpenter 1.14, nodeclaim/disruption/drift.go: compares only the values")
_BEHAVIOR: Final = Change(Effect.IN_PLACE, f"{_DOCS}: behavioral fields never drift")
_ANOTHER: Final = "add a NodePool with it under another key, and remove this one"
_REPLICAS: Final = Change(
    Effect.IN_PLACE,
    "docs/facts/eks.md P4: surplus nodes are drained; the CRD rejects adding or removing it",
    refused=f"The API server rejects it: a NodePool has `replicas` from the start or never. Instead, {_ANOTHER}",
)
_IMMUTABLE: Final = Change(
    Effect.REFUSED,
    "docs/facts/eks.md § 3.2: a rule of the CRD",
    refused=f"The API server rejects it: a NodePool stays with the kind of its node class. Instead, {_ANOTHER}",
)
_WINDOW: Final = Change(Effect.IN_PLACE, "sent as budgets of `disruption`")

TAINT: Final = Table(
    Row("key", "key"), Row("value", "value", codec=FILLED), Row("effect", "effect"), Row("time_added", "timeAdded"), required=[("key",), ("effect",)]
)
"""An entry of `taints` and `startupTaints`."""
REQUIREMENT: Final = Table(Row("key", "key"), Row("operator", "operator"), Row("values", "values"), Row("min_values", "minValues", _NOT_COMPARED))
BUDGET: Final = Table(*(Row(name, name) for name in ("nodes", "schedule", "duration")), Row("reasons", "reasons", empty=True))
DISRUPTION: Final = Table(
    Row("consolidation_policy", "consolidationPolicy"), Row("consolidate_after", "consolidateAfter"), Each("budgets", "budgets", BUDGET, empty=True)
)


@cache
def node_pool_table(kind: ClassKind) -> Table:
    """The rows of a NodePool that refers to node classes of `kind`."""
    metadata, nodes = "template.metadata", "template.spec"
    return Table(
        Row("labels", f"{metadata}.labels", _HASHED, compute=_labels, also=("labeled",)),
        Row("annotations", f"{metadata}.annotations", _HASHED),
        Always(f"{nodes}.nodeClassRef.group", kind.group, _IMMUTABLE),
        Always(f"{nodes}.nodeClassRef.kind", kind.kind, _IMMUTABLE),
        Row("node_class", f"{nodes}.nodeClassRef.name", _HASHED, compute=_class),
        Each("requirements", f"{nodes}.requirements", REQUIREMENT, _COMPARED, always=True),
        Each("taints", f"{nodes}.taints", TAINT, _HASHED),
        Each("startup_taints", f"{nodes}.startupTaints", TAINT, _HASHED),
        Row("expire_after", f"{nodes}.expireAfter", _HASHED, default=kind.expire_after),
        Row("termination_grace_period", f"{nodes}.terminationGracePeriod", _HASHED),
        Part("disruption", "disruption", DISRUPTION, _BEHAVIOR),
        Row("weight", "weight", _BEHAVIOR),
        Row("replicas", "replicas", _REPLICAS),
        Row("limits", "limits", _BEHAVIOR, TEXTS),
        Note("ours", "maintenance", _WINDOW, "converted to budgets first"),
        Note("ours", "headroom", HEADROOM, "objects next to the NodePool keep it"),
        Note("ours", "owner", Change(Effect.NONE, "not sent"), "sent as a label or tag if the platform says so"),
        *OBJECT_SETTINGS,
        standalone=ObjectContext(UNKNOWN),
    )

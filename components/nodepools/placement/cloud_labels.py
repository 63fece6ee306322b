"""A cloud as Karpenter sees it: well-known and restricted labels, instance types, and labels whose value the cluster or a node class decides.

Of a provider without tables here, only what Karpenter itself decides is certain, such as taints and labels without a domain. Facts:
docs/facts/eks.md § 2, aks.md § 3.4.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, TypeAlias

from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import Values, domain
from nodepools.model.values import dataclass, field
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, Machine, TypeIndex
from nodepools.placement.verdict import Verdict

_UNBOUNDED = 10**6


@dataclass(frozen=True)
class LabelValues:
    """The values that a label can have in a cluster."""

    certain: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    """Values that the cluster may have."""
    may_include: Callable[[str], bool] | None = None
    """Whether nodes may have another value; `None`: `certain` and `possible` are complete."""
    min_count: int = 1
    """The minimum number of values, known or not."""
    max_count: int | None = None
    """The maximum number of values, known or not, if `may_include`; `None`: there is no bound."""
    unknown_reason: str = ""
    """Why a pool that requires only `possible` values may never have a node; empty if a pod's own requirement decides it."""
    assumed: bool = False
    """`certain` are the values that a NodePool names. Whether nodes can launch there is not known."""

    def verdict(self, allowed: Values) -> Verdict:
        """Some value is allowed."""
        if any(value in allowed for value in self.certain):
            return Verdict.FITS
        if any(value in allowed for value in self.possible) or (self.may_include is not None and self._others(allowed, self.may_include)):
            bounded = allowed.minimum is not None or allowed.maximum is not None
            excludes_few = self.may_include is not None and allowed.complement and not bounded and len(allowed.members) < self.min_count
            return Verdict.FITS if excludes_few else Verdict.UNKNOWN
        return Verdict.CANNOT

    def many(self, *, certain: bool) -> int:
        """The minimum (`certain`) or maximum number of values."""
        if certain:
            return max(len(self.certain), self.min_count)
        return len(self.certain | self.possible) if self.may_include is None else _UNBOUNDED

    @property
    def further(self) -> int | None:
        """How many values the label may have next to the known ones, if `may_include`; `None`: there is no bound."""
        return None if self.max_count is None else max(self.max_count - len(self.certain | self.possible), 0)

    def named_by(self, offered: Values | None) -> "LabelValues":
        """The values that a NodePool names, if the values of the cluster are not known: the NodePool is made for them."""
        if self.certain or self.may_include is None or offered is None or offered.complement:
            return self
        named = frozenset(value for value in offered.members if self.may_include(value))
        return LabelValues(named, self.possible, assumed=True) if named else self

    @staticmethod
    def _others(allowed: Values, may_include: Callable[[str], bool]) -> bool:
        """A value that is not known here may be allowed. With a bound, it is an integer."""
        if not allowed.complement:
            return any(may_include(value) for value in allowed.members)
        bounds = [bound for bound in (allowed.minimum, allowed.maximum) if bound is not None]
        return not bounds or any(may_include(str(bound)) for bound in bounds)


def unknown(may_include: Callable[[str], bool] = lambda _: True) -> LabelValues:
    """A value that is not known here."""
    return LabelValues(may_include=may_include)


def found(values: frozenset[str]) -> LabelValues:
    """The values of the nodes; a value that is not known here if there are no nodes."""
    return LabelValues(values) if values else unknown()


UNRESERVED: Final = LabelValues(frozenset({"on-demand", "spot"}))
"""Capacity types without capacity reservations."""


@dataclass(frozen=True)
class OfClass:
    """Properties of all nodes of a node class."""

    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    choices: Mapping[str, LabelValues] = field(default_factory=dict[str, LabelValues])
    """Labels whose value is not known."""
    disk: Bounds = UNKNOWN_AMOUNT
    requirements: tuple[Requirement, ...] = ()
    """Requirements that the machines must satisfy."""
    excluded: frozenset[str] = frozenset()
    """Instance types that it excludes."""


RawObject: TypeAlias = Mapping[str, object]
ExistingClass: TypeAlias = tuple[OfClass, Mapping[str, LabelValues]]
ReadClass: TypeAlias = Callable[[str, RawObject | None, frozenset[str]], ExistingClass]
"""Reads a node class from its name and its object (`None` if no file contains it); the regions are those of the known nodes."""


CAPACITY = "karpenter.sh/capacity-type"
POOL = "karpenter.sh/nodepool"
AGENT_POOL = "kubernetes.azure.com/agentpool"
NODE_GROUP = "eks.amazonaws.com/nodegroup"
COMPUTE_TYPE = "eks.amazonaws.com/compute-type"
ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
ZONE_ID = "topology.k8s.aws/zone-id"
HOSTNAME = "kubernetes.io/hostname"
OS = "kubernetes.io/os"
TYPE_KEYS = ("node.kubernetes.io/instance-type", "karpenter.azure.com/sku-name")
KARPENTER_LABELS = frozenset(
    {POOL, ZONE, REGION, "node.kubernetes.io/instance-type", "kubernetes.io/arch", "kubernetes.io/os", CAPACITY, "node.kubernetes.io/windows-build"}
)
"""Labels that Karpenter knows on every cloud."""
SKU = "karpenter.azure.com/sku-"
_SOFTWARE = frozenset({"nvidia.com", "amd.com", "feature.node.kubernetes.io", "node-role.kubernetes.io"})


@dataclass(frozen=True)
class Cloud:
    """A cloud, as Karpenter sees it."""

    name: str
    well_known: frozenset[str]
    """Labels that a pod may require although the pool does not set them: the machine decides."""
    restricted: frozenset[str]
    """Domains of labels that a pod must not select; Karpenter ignores a pod that does."""
    own_domains: tuple[str, ...]
    """Domains of the cloud's own labels: nodes may have more of them than are known here."""
    own_labels: frozenset[str]
    """More labels that nodes may have."""
    class_label: str
    """The label of nodes that names their node class."""
    node_labels: Mapping[str, str]
    """More labels of all nodes that Karpenter launches here."""
    built_in: Mapping[str, NodePool] = field(repr=False)
    """The NodePools that the cloud creates, by name."""
    choices_of: Callable[[frozenset[str]], Mapping[str, LabelValues]] = field(repr=False)
    """Where nodes of a running cluster can be; the argument is the regions of the nodes that are known."""
    index: TypeIndex = field(repr=False)
    agent_pool_label: str | None = None
    """The label with the name of an agent pool or node group, which the cluster autoscaler may scale; `None`: there is none."""
    listed: frozenset[str] = field(default=frozenset(), repr=False)
    """All instance types of the tables, including those that Karpenter never launches."""
    foreign: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Labels of nodes that others launch and that nodes here never have, each with the label here of the same meaning (empty: none)."""

    volume_drivers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """CSI drivers of volumes that nodes here cannot mount, each with the driver to use."""
    claims: str = ""
    """Why nodes here never have the devices of resource claims; empty: whether they have cannot be determined."""
    decided: frozenset[str] = frozenset()
    """Labels that the cluster or the node class decides for all nodes: a NodePool that requires otherwise launches none."""
    unknown: str = ""
    """Why its labels and instance types are not known; empty: they are."""

    def refuses(self, key: str) -> bool:
        """Karpenter ignores a pod that selects this label."""
        if key in self.well_known:
            return False
        return key == HOSTNAME or any(domain(key) == name or domain(key).endswith(f".{name}") for name in self.restricted)

    def of_types(self, key: str) -> bool:
        """The label describes machines; pools do not set it."""
        return self.index.knows(key) or key in self.index.rare or key.startswith(SKU)

    def may_set(self, key: str) -> bool:
        """Nodes may have this label, with a value that is not known here."""
        return (
            key not in self.well_known
            and key not in self.foreign
            and (key in self.own_labels or domain(key) in self.own_domains or of_node_software(key) or bool(self.unknown and domain(key)))
        )


def of_node_software(key: str) -> bool:
    """Volume drivers or feature discovery set the label: nodes have it if such software runs on them."""
    prefix = domain(key)
    return prefix in _SOFTWARE or ".csi." in f"{prefix}."


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

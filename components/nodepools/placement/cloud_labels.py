"""A cloud as Karpenter sees it: well-known and restricted labels, and instance types.

Of a provider without tables here, only what Karpenter itself decides is certain, such as taints and labels without a domain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import domain
from nodepools.placement.cluster_labels import LabelValues, unknown
from nodepools.placement.machine_index import Machine, TypeIndex

CAPACITY = "karpenter.sh/capacity-type"
POOL = "karpenter.sh/nodepool"
AGENT_POOL = "kubernetes.azure.com/agentpool"
NODE_GROUP = "eks.amazonaws.com/nodegroup"
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

"""What Karpenter is told of a cloud: the labels that it knows, those that pods may not name, and the machines."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import domain
from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.machine_index import TypeIndex

CAPACITY = "karpenter.sh/capacity-type"
POOL = "karpenter.sh/nodepool"
ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
ZONE_ID = "topology.k8s.aws/zone-id"
HOSTNAME = "kubernetes.io/hostname"
TYPE_KEYS = ("node.kubernetes.io/instance-type", "karpenter.azure.com/sku-name")
DEPRECATED_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "failure-domain.beta.kubernetes.io/zone": ZONE,
        "failure-domain.beta.kubernetes.io/region": REGION,
        "beta.kubernetes.io/arch": "kubernetes.io/arch",
        "beta.kubernetes.io/os": "kubernetes.io/os",
        "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    }
)
"""Labels that Karpenter reads as the present ones (`NormalizedLabels`)."""
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
    """Labels that a pod may ask for although the pool does not set them: the machine decides."""
    restricted: frozenset[str]
    """Domains of labels that a pod may not name; a pod that does is passed over by Karpenter altogether."""
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
    """The label that names the pool of nodes which the cluster autoscaler may scale; none where a cluster has Karpenter alone."""
    listed: frozenset[str] = field(default=frozenset(), repr=False)
    """Every type that the tables know, those that are never started among them."""

    def refuses(self, key: str) -> bool:
        """A pod that names this label is passed over."""
        if key in self.well_known:
            return False
        return key == HOSTNAME or any(domain(key) == one or domain(key).endswith(f".{one}") for one in self.restricted)

    def of_types(self, key: str) -> bool:
        """The label says something of machines, not of what a pool gives its nodes."""
        return self.index.knows(key) or key in self.index.rare or key.startswith(SKU)

    def may_set(self, key: str) -> bool:
        """Nodes may have this label, with a value that is not known here."""
        return key not in self.well_known and (key in self.own_labels or domain(key) in self.own_domains or of_node_software(key))


def of_node_software(key: str) -> bool:
    """Labels of drivers of volumes, and of discovery of GPUs and other features: nodes have them where such software runs."""
    where = domain(key)
    return where in _SOFTWARE or ".csi." in f"{where}."

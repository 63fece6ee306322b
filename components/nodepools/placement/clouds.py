"""What Karpenter is told of a cloud: the labels that it knows, those that pods may not name, and the machines."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from nodepools.data.azure_vm_sizes import AzureSize, azure_vm_sizes
from nodepools.data.eks_instance_types import InstanceType, eks_instance_types
from nodepools.keys import aks, eks
from nodepools.keys.kinds import Key
from nodepools.model.kubernetes.label import domain
from nodepools.placement.capacity import GPU_RESOURCES, aks_offers, eks_offers
from nodepools.placement.types import NONE, Machine, TypeIndex

CAPACITY = "karpenter.sh/capacity-type"
POOL = "karpenter.sh/nodepool"
ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
ZONE_ID = "topology.k8s.aws/zone-id"
HOSTNAME = "kubernetes.io/hostname"
TYPE_KEYS = ("node.kubernetes.io/instance-type", "karpenter.azure.com/sku-name")
FORMER: Mapping[str, str] = MappingProxyType(
    {
        "failure-domain.beta.kubernetes.io/zone": ZONE,
        "failure-domain.beta.kubernetes.io/region": REGION,
        "beta.kubernetes.io/arch": "kubernetes.io/arch",
        "beta.kubernetes.io/os": "kubernetes.io/os",
        "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    }
)
"""Labels that Karpenter reads as the present ones (`NormalizedLabels`)."""
_CORE = frozenset(
    {POOL, ZONE, REGION, "node.kubernetes.io/instance-type", "kubernetes.io/arch", "kubernetes.io/os", CAPACITY, "node.kubernetes.io/windows-build"}
)
_EKS_RARE = frozenset(
    {
        "eks.amazonaws.com/capacity-reservation-id",
        "eks.amazonaws.com/capacity-reservation-interruptible",
        "eks.amazonaws.com/capacity-reservation-type",
        "eks.amazonaws.com/placement-group-id",
        "node.kubernetes.io/windows-build",
    }
)
"""Labels that few nodes have."""
_SKU = "karpenter.azure.com/sku-"
_SOFTWARE = frozenset({"nvidia.com", "amd.com", "feature.node.kubernetes.io", "node-role.kubernetes.io"})
_NAP_LEAST_CPU, _NAP_LEAST_GIB = 2, 3.5
_NVIDIA = frozenset({"T4", "A10", "A100", "V100", "H100", "H200"})


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
    index: TypeIndex = field(repr=False)
    listed: frozenset[str] = field(default=frozenset(), repr=False)
    """Every type that the tables know, those that are never started among them."""

    def refuses(self, key: str) -> bool:
        """A pod that names this label is passed over."""
        if key in self.well_known:
            return False
        return key == HOSTNAME or any(domain(key) == one or domain(key).endswith(f".{one}") for one in self.restricted)

    def of_types(self, key: str) -> bool:
        """The label says something of machines, not of what a pool gives its nodes."""
        return self.index.knows(key) or key in self.index.rare or key.startswith(_SKU)

    def may_set(self, key: str) -> bool:
        """Nodes may have this label, with a value that is not known here."""
        return key not in self.well_known and (key in self.own_labels or domain(key) in self.own_domains or of_node_software(key))


def of_node_software(key: str) -> bool:
    """Labels of drivers of volumes, and of discovery of GPUs and other features: nodes have them where such software runs."""
    where = domain(key)
    return where in _SOFTWARE or ".csi." in f"{where}."


@cache
def eks_cloud() -> Cloud:
    """EKS Auto Mode. Facts: docs/facts/eks.md § 3.4, § 4.3."""
    index = TypeIndex(tuple(_ec2(known) for known in eks_instance_types().types.values()), rare=_EKS_RARE)
    return Cloud(
        "eks",
        _CORE | {key.name for key in vars(eks).values() if isinstance(key, Key)} | _EKS_RARE,
        frozenset({"karpenter.sh", "karpenter.k8s.aws"}),
        ("eks.amazonaws.com", "node.kubernetes.io", "topology.k8s.aws"),
        frozenset({HOSTNAME, "app.kubernetes.io/managed-by"}),
        index,
        frozenset(eks_instance_types().types),
    )


@cache
def aks_cloud() -> Cloud:
    """AKS node auto provisioning. Facts: docs/facts/aks.md § 3.5, § 3.6."""
    sizes = tuple(_azure(size) for size in azure_vm_sizes().values() if _is_offered(size))
    known = {key for size in sizes for key in size.labels}
    labels = {key.name for key in vars(aks).values() if isinstance(key, Key)}
    labels |= {
        f"kubernetes.azure.com/{name}"
        for name in ("scalesetpriority", "priority", "fips_enabled", "cluster", "sku-cpu", "sku-memory", "ebpf-dataplane", "network-policy")
    }
    return Cloud(
        "aks",
        _CORE | labels | {"karpenter.azure.com/aksnodeclass"},
        frozenset({"karpenter.sh", "karpenter.azure.com", "kubernetes.azure.com"}),
        ("kubernetes.azure.com", "karpenter.azure.com", "node.kubernetes.io"),
        frozenset({HOSTNAME, "agentpool", "storageprofile", "storagetier", "accelerator"}),
        TypeIndex(sizes, frozenset(labels - known - {CAPACITY, ZONE, REGION})),
        frozenset(azure_vm_sizes()),
    )


def _ec2(known: InstanceType) -> Machine:
    nvme = known.labels.get("eks.amazonaws.com/instance-local-nvme")
    return Machine(known.name, known.labels, eks_offers(known.cpu, known.memory_mib, known.devices, int(nvme) if nvme is not None else 0))


def _is_offered(size: AzureSize) -> bool:
    """Node auto provisioning never offers small, constrained and confidential sizes."""
    if size.constrained or size.confidential or (size.cpu is not None and size.cpu < _NAP_LEAST_CPU):
        return False
    return size.memory_gib is None or size.memory_gib >= _NAP_LEAST_GIB


def _azure(size: AzureSize) -> Machine:
    cpu = None if size.cpu is None else str(size.cpu)
    memory = None if size.memory_gib is None else str(int(size.memory_gib * 1024))
    labels: dict[str, str | None] = {
        "node.kubernetes.io/instance-type": size.name,
        "kubernetes.io/arch": size.arch,
        "kubernetes.io/os": "linux",
        f"{_SKU}name": size.name,
        f"{_SKU}family": size.family,
        f"{_SKU}version": size.version,
        f"{_SKU}cpu": cpu,
        f"{_SKU}memory": memory,
        "kubernetes.azure.com/sku-cpu": cpu,
        "kubernetes.azure.com/sku-memory": memory,
        f"{_SKU}gpu-count": None if size.gpus is None else str(size.gpus),
    }
    if size.gpus != 0:
        labels |= {f"{_SKU}gpu-name": size.gpu_name, f"{_SKU}gpu-manufacturer": "nvidia" if size.gpu_name in _NVIDIA else None}
    gpus = dict.fromkeys(GPU_RESOURCES, NONE) if size.gpus == 0 else {}  # who brings the device plugin is not declared
    own = {"ephemeral-storage": NONE}  # pods get of the OS disk alone, which is the node class's
    return Machine(size.name, labels, {**aks_offers(size.cpu, size.memory_gib), **gpus, **own}, certain=size.gpus is not None)

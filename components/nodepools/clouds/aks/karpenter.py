"""AKS node auto provisioning as Karpenter sees it. Facts: docs/facts/aks.md § 3.2, § 3.5, § 3.6."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from nodepools.clouds.aks.locations import aks_choices_of
from nodepools.clouds.aks.node_classes import AKS_CLASS
from nodepools.data.azure_vm_sizes import AzureSize, azure_vm_sizes
from nodepools.keys import aks
from nodepools.keys.kinds import Key
from nodepools.keys.presets import aks_general_purpose
from nodepools.model.aks.node_provisioning import AksNodePool
from nodepools.model.aks.pools import CRITICAL_ADDONS_ONLY
from nodepools.placement.allocatable import GPU_RESOURCES, provisioned_offers
from nodepools.placement.cloud_labels import AGENT_POOL, CAPACITY, HOSTNAME, KARPENTER_LABELS, REGION, SKU, ZONE, Cloud
from nodepools.placement.machine_index import NO_AMOUNT, Machine, TypeIndex

_MODE: Final = "kubernetes.azure.com/mode"
_BUILT_IN: Final[Mapping[str, AksNodePool]] = {
    "default": AksNodePool(requirements=aks_general_purpose, labels={_MODE: "user"}),
    "system-surge": AksNodePool(requirements=aks_general_purpose, labels={_MODE: "system"}, taints=[CRITICAL_ADDONS_ONLY]),
}
_NAP_MIN_CPU, _NAP_MIN_GIB = 2, 3.5
_NVIDIA = frozenset({"T4", "A10", "A100", "V100", "H100", "H200"})


@cache
def aks_cloud() -> Cloud:
    """AKS node auto provisioning."""
    sizes = tuple(_azure(size) for size in azure_vm_sizes().values() if _is_offered(size))
    known = {key for size in sizes for key in size.labels}
    labels = {key.name for key in vars(aks).values() if isinstance(key, Key)}
    labels |= {
        f"kubernetes.azure.com/{name}"
        for name in ("scalesetpriority", "priority", "fips_enabled", "cluster", "sku-cpu", "sku-memory", "ebpf-dataplane", "network-policy")
    }
    return Cloud(
        "aks",
        KARPENTER_LABELS | labels | {AKS_CLASS},
        frozenset({"karpenter.sh", "karpenter.azure.com", "kubernetes.azure.com"}),
        ("kubernetes.azure.com", "karpenter.azure.com", "node.kubernetes.io"),
        frozenset({HOSTNAME, "agentpool", "storageprofile", "storagetier", "accelerator"}),
        AKS_CLASS,
        {},
        _BUILT_IN,
        aks_choices_of,
        TypeIndex(sizes, frozenset(labels - known - {CAPACITY, ZONE, REGION})),
        agent_pool_label=AGENT_POOL,
        listed=frozenset(azure_vm_sizes()),
    )


def _is_offered(size: AzureSize) -> bool:
    """Node auto provisioning never offers small, constrained or confidential sizes."""
    if size.constrained or size.confidential or (size.cpu is not None and size.cpu < _NAP_MIN_CPU):
        return False
    return size.memory_gib is None or size.memory_gib >= _NAP_MIN_GIB


def _azure(size: AzureSize) -> Machine:
    labels: dict[str, str | None] = {**size.labels, "kubernetes.io/os": "linux"}
    if size.gpus != 0:
        labels |= {f"{SKU}gpu-name": size.gpu_name, f"{SKU}gpu-manufacturer": "nvidia" if size.gpu_name in _NVIDIA else None}
    gpus = dict.fromkeys(GPU_RESOURCES, NO_AMOUNT) if size.gpus == 0 else {}  # whether a device plugin runs is not declared
    own = {"ephemeral-storage": NO_AMOUNT}  # only the OS disk counts, which the node class declares
    return Machine(size.name, labels, {**provisioned_offers(size.cpu, size.memory_gib), **gpus, **own}, certain=size.gpus is not None)

"""Labels of the nodes of AKS node auto provisioning. Facts: docs/facts/aks.md § 3.6."""

from typing import Final, Literal

from nodepools.keys.kinds import Choice, Flag, Memory, Number, Text

capacity_type: Final[Choice[Literal["spot", "on-demand"]]] = Choice("karpenter.sh/capacity-type")
"""How capacity is bought. A pool without it may be given spot nodes."""
arch: Final[Choice[Literal["amd64", "arm64"]]] = Choice("kubernetes.io/arch")
"""Processor architecture. A pool without it may be given arm64 nodes."""
os: Final[Choice[Literal["linux"]]] = Choice("kubernetes.io/os")
"""Operating system: Windows never."""
zone: Final = Text("topology.kubernetes.io/zone")
"""`westeurope-1`, and `0` for a regional placement; agent pools write `1`."""
region: Final = Text("topology.kubernetes.io/region")
"""Azure region."""
instance_type: Final = Text("node.kubernetes.io/instance-type")
"""Azure VM size, `Standard_D4s_v5`."""
sku_name: Final = Text("karpenter.azure.com/sku-name")
"""Azure VM size, `Standard_D4s_v5`."""
sku_family: Final[Choice[Literal["B", "D", "E", "F", "L", "M", "N"]]] = Choice("karpenter.azure.com/sku-family")
"""`D` general purpose, `E` memory, `F` compute, `L` storage, `N` GPU."""
sku_series: Final = Text("karpenter.azure.com/sku-series")
"""`Dpls_v6`."""
sku_version: Final = Number("karpenter.azure.com/sku-version")
"""5 in `Standard_D4s_v5`."""
sku_cpu: Final = Number("karpenter.azure.com/sku-cpu", "vCPU")
"""vCPUs of the size."""
sku_memory: Final = Memory("karpenter.azure.com/sku-memory")
"""Memory of the size; the label is in MiB, written here as a quantity."""
sku_gpu_name: Final = Text("karpenter.azure.com/sku-gpu-name")
"""`A100`, `T4`."""
sku_gpu_manufacturer: Final[Choice[Literal["nvidia", "amd"]]] = Choice("karpenter.azure.com/sku-gpu-manufacturer")
"""Maker of the GPU."""
sku_gpu_count: Final = Number("karpenter.azure.com/sku-gpu-count", "GPU")
"""GPUs of the size; 0 where it has none."""
sku_networking_accelerated: Final = Flag("karpenter.azure.com/sku-networking-accelerated")
"""Whether the size has accelerated networking."""
sku_storage_premium_capable: Final = Flag("karpenter.azure.com/sku-storage-premium-capable")
"""Whether the size takes premium disks."""
sku_storage_ultra_ssd: Final = Flag("karpenter.azure.com/sku-storage-ultra-ssd")
"""Whether the size takes ultra disks; since managed Karpenter 1.14."""
sku_storage_ephemeralos_maxsize: Final = Number("karpenter.azure.com/sku-storage-ephemeralos-maxsize", "GB")
"""Largest ephemeral OS disk, GB."""
placement_scope: Final[Choice[Literal["zonal", "regional"]]] = Choice("karpenter.azure.com/placement-scope")
"""Whether nodes are placed in a zone; since managed Karpenter 1.12."""
mode: Final[Choice[Literal["system", "user"]]] = Choice("kubernetes.azure.com/mode")
"""`system` nodes host the cluster's own pods."""
os_sku: Final[Choice[Literal["Ubuntu", "AzureLinux"]]] = Choice("kubernetes.azure.com/os-sku")
"""Must agree with the class's image family, or nothing is ever started."""

"""Labels of the nodes of AKS node auto provisioning. Facts: docs/facts/aks.md § 3.6."""

from typing import Final, Literal

from nodepools.keys.kinds import Choice, Flag, Memory, Number, Text

capacity_type: Final[Choice[Literal["spot", "on-demand"]]] = Choice("karpenter.sh/capacity-type")
"""Capacity type. Without a requirement on it, a pool can launch spot nodes."""
arch: Final[Choice[Literal["amd64", "arm64"]]] = Choice("kubernetes.io/arch")
"""CPU architecture. Without a requirement on it, a pool can launch arm64 nodes."""
os: Final[Choice[Literal["linux"]]] = Choice("kubernetes.io/os")
"""Operating system; never Windows."""
zone: Final = Text("topology.kubernetes.io/zone")
"""Availability zone, such as `westeurope-1`; `0` for a regional placement. Nodes of agent pools have the same label with values such as `1`."""
region: Final = Text("topology.kubernetes.io/region")
"""Azure region."""
instance_type: Final = Text("node.kubernetes.io/instance-type")
"""Azure VM size, such as `Standard_D4s_v5`."""
sku_name: Final = Text("karpenter.azure.com/sku-name")
"""Azure VM size, such as `Standard_D4s_v5`."""
sku_family: Final[Choice[Literal["A", "B", "D", "E", "F", "G", "H", "L", "M", "N", "P"]]] = Choice("karpenter.azure.com/sku-family")
"""VM family: `D` general purpose, `E` and `M` memory, `F` compute, `L` storage, `N` GPU, `H` high performance."""
sku_series: Final = Text("karpenter.azure.com/sku-series")
"""VM series, such as `Dpls_v6`."""
sku_version: Final = Number("karpenter.azure.com/sku-version")
"""Version of the VM size: 5 for `Standard_D4s_v5`."""
sku_cpu: Final = Number("karpenter.azure.com/sku-cpu", "vCPU")
"""Number of vCPUs."""
sku_memory: Final = Memory("karpenter.azure.com/sku-memory")
"""Memory. The label is in MiB; write a quantity here."""
sku_gpu_name: Final = Text("karpenter.azure.com/sku-gpu-name")
"""GPU model, such as `A100` or `T4`."""
sku_gpu_manufacturer: Final[Choice[Literal["nvidia", "amd"]]] = Choice("karpenter.azure.com/sku-gpu-manufacturer")
"""Manufacturer of the GPU."""
sku_gpu_count: Final = Number("karpenter.azure.com/sku-gpu-count", "GPU")
"""Number of GPUs; 0 without GPUs."""
sku_networking_accelerated: Final = Flag("karpenter.azure.com/sku-networking-accelerated")
"""Whether the VM size supports accelerated networking."""
sku_storage_premium_capable: Final = Flag("karpenter.azure.com/sku-storage-premium-capable")
"""Whether the VM size supports premium disks."""
sku_storage_ultra_ssd: Final = Flag("karpenter.azure.com/sku-storage-ultra-ssd")
"""Whether the VM size supports ultra disks. Since managed Karpenter 1.14."""
sku_storage_ephemeralos_maxsize: Final = Number("karpenter.azure.com/sku-storage-ephemeralos-maxsize", "GB")
"""Maximum size of an ephemeral OS disk in GB."""
placement_scope: Final[Choice[Literal["zonal", "regional"]]] = Choice("karpenter.azure.com/placement-scope")
"""Whether nodes are placed in a zone. Since managed Karpenter 1.12."""
mode: Final[Choice[Literal["system", "user"]]] = Choice("kubernetes.azure.com/mode")
"""`system` nodes run the cluster's own pods."""
os_sku: Final[Choice[Literal["Ubuntu", "AzureLinux"]]] = Choice("kubernetes.azure.com/os-sku")
"""Must match the image family of the node class; otherwise no node is ever launched."""

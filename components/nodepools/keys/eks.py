"""Labels of the nodes of EKS Auto Mode. Facts: docs/facts/eks.md § 3.4."""

from typing import Final, Literal

from nodepools.keys.kinds import Choice, Flag, Memory, Number, Text

Category = Literal["c", "d", "g", "gr", "hpc", "i", "im", "inf", "is", "m", "p", "r", "t", "trn", "x", "z"]

capacity_type: Final[Choice[Literal["spot", "on-demand", "reserved"]]] = Choice("karpenter.sh/capacity-type")
"""Capacity type. Karpenter tries reserved, then spot, then on-demand. Without a requirement on it, a pool can launch spot nodes."""
arch: Final[Choice[Literal["amd64", "arm64"]]] = Choice("kubernetes.io/arch")
"""CPU architecture. Without a requirement on it, a pool can launch arm64 nodes."""
os: Final[Choice[Literal["linux"]]] = Choice("kubernetes.io/os")
"""Operating system; never Windows."""
zone: Final = Text("topology.kubernetes.io/zone")
"""Availability zone by name, such as `us-east-1a`. Names differ between accounts."""
zone_id: Final = Text("topology.k8s.aws/zone-id")
"""Availability zone by id, such as `use1-az1`, which is the same place in every account."""
region: Final = Text("topology.kubernetes.io/region")
"""AWS region."""
instance_type: Final = Text("node.kubernetes.io/instance-type")
"""EC2 instance type, such as `m7g.large`."""
compute_type: Final[Choice[Literal["auto"]]] = Choice("eks.amazonaws.com/compute-type")
"""`auto` on every node of Auto Mode."""
node_class: Final = Text("eks.amazonaws.com/nodeclass")
"""Name of the NodeClass. Karpenter sets it, so that pods can select by it."""
instance_category: Final[Choice[Category]] = Choice("eks.amazonaws.com/instance-category")
"""Instance category: `m` general purpose, `c` compute, `r` memory, `g` and `p` GPU, `t` burstable."""
instance_family: Final = Text("eks.amazonaws.com/instance-family")
"""Instance family, such as `c7i` or `m7g`."""
instance_generation: Final = Number("eks.amazonaws.com/instance-generation")
"""Instance generation: 7 for `m7g`. More than 4 excludes g4dn, p4d, inf1, trn1, i3."""
instance_size: Final = Text("eks.amazonaws.com/instance-size")
"""Instance size: `large`, `2xlarge`, `metal`."""
instance_cpu: Final = Number("eks.amazonaws.com/instance-cpu", "vCPU")
"""Number of vCPUs; at least 2."""
instance_cpu_manufacturer: Final[Choice[Literal["aws", "intel", "amd"]]] = Choice("eks.amazonaws.com/instance-cpu-manufacturer")
"""Manufacturer of the CPU."""
instance_cpu_sustained_clock_speed_mhz: Final = Number("eks.amazonaws.com/instance-cpu-sustained-clock-speed-mhz", "MHz")
"""Sustained clock speed in MHz. Some instance types do not have this label; any requirement on it excludes them."""
instance_memory: Final = Memory("eks.amazonaws.com/instance-memory")
"""Memory. The label is in MiB; write a quantity here."""
instance_ebs_bandwidth: Final = Number("eks.amazonaws.com/instance-ebs-bandwidth", "Mbps")
"""EBS bandwidth in Mbit/s. Some instance types do not have this label; any requirement on it excludes them."""
instance_network_bandwidth: Final = Number("eks.amazonaws.com/instance-network-bandwidth", "Mbps")
"""Network bandwidth in Mbit/s. Some instance types do not have this label; any requirement on it excludes them."""
instance_local_nvme: Final = Number("eks.amazonaws.com/instance-local-nvme", "GiB")
"""Local NVMe storage in GiB. Instance types without it do not have this label."""
instance_hypervisor: Final[Choice[Literal["nitro", "xen", ""]]] = Choice("eks.amazonaws.com/instance-hypervisor")
"""Hypervisor; empty for bare metal."""
instance_encryption_in_transit_supported: Final = Flag("eks.amazonaws.com/instance-encryption-in-transit-supported")
"""Whether traffic between instances is encrypted."""
instance_capability_flex: Final = Flag("eks.amazonaws.com/instance-capability-flex")
"""Whether it is a flex instance type. Not in the first version of Auto Mode."""
instance_gpu_name: Final = Text("eks.amazonaws.com/instance-gpu-name")
"""GPU model in lowercase: `a100`, `l4`, `t4`."""
instance_gpu_manufacturer: Final[Choice[Literal["nvidia", "amd"]]] = Choice("eks.amazonaws.com/instance-gpu-manufacturer")
"""Manufacturer of the GPU. Category `g` includes AMD GPUs (g4ad)."""
instance_gpu_count: Final = Number("eks.amazonaws.com/instance-gpu-count", "GPU")
"""Number of GPUs."""
instance_gpu_memory: Final = Memory("eks.amazonaws.com/instance-gpu-memory")
"""Memory of one GPU. An L4 or A10G has 22888 MiB, not 24Gi."""
instance_accelerator_name: Final[Choice[Literal["inferentia", "inferentia2", "trainium", "trainium2"]]] = Choice(
    "eks.amazonaws.com/instance-accelerator-name"
)
"""Accelerator model. Inferentia and Trainium are accelerators, not GPUs."""
instance_accelerator_manufacturer: Final[Choice[Literal["aws"]]] = Choice("eks.amazonaws.com/instance-accelerator-manufacturer")
"""Manufacturer of the accelerator."""
instance_accelerator_count: Final = Number("eks.amazonaws.com/instance-accelerator-count", "accelerator")
"""Number of accelerators."""
capacity_reservation_id: Final = Text("eks.amazonaws.com/capacity-reservation-id")
"""Id of the capacity reservation; only on nodes in one. Not in the first version of Auto Mode."""
capacity_reservation_type: Final[Choice[Literal["default", "capacity-block"]]] = Choice("eks.amazonaws.com/capacity-reservation-type")
"""Type of the capacity reservation; only on nodes in one. Not in the first version of Auto Mode."""
capacity_reservation_interruptible: Final = Flag("eks.amazonaws.com/capacity-reservation-interruptible")
"""Whether AWS can reclaim the reserved capacity; only on nodes in a capacity reservation. Not in the first version of Auto Mode."""
placement_group_id: Final = Text("eks.amazonaws.com/placement-group-id")
"""Id of the placement group; only on nodes in one. Since 2026-05."""

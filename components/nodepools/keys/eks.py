"""Labels of the nodes of EKS Auto Mode. Facts: docs/facts/eks.md § 3.4."""

from typing import Final, Literal

from nodepools.keys.kinds import Choice, Flag, Memory, Number, Text

Category = Literal["c", "d", "g", "gr", "hpc", "i", "im", "inf", "is", "m", "p", "r", "t", "trn", "x", "z"]

capacity_type: Final[Choice[Literal["spot", "on-demand", "reserved"]]] = Choice("karpenter.sh/capacity-type")
"""How capacity is bought: reserved before spot before on-demand. A pool without it may be given spot nodes."""
arch: Final[Choice[Literal["amd64", "arm64"]]] = Choice("kubernetes.io/arch")
"""Processor architecture. A pool without it may be given arm64 nodes."""
os: Final[Choice[Literal["linux"]]] = Choice("kubernetes.io/os")
"""Operating system: Windows never."""
zone: Final = Text("topology.kubernetes.io/zone")
"""Availability zone by name, `us-east-1a`; names differ between accounts."""
zone_id: Final = Text("topology.k8s.aws/zone-id")
"""Availability zone by id, `use1-az1`; the same place in every account."""
region: Final = Text("topology.kubernetes.io/region")
"""AWS region."""
instance_type: Final = Text("node.kubernetes.io/instance-type")
"""`m7g.large`."""
compute_type: Final[Choice[Literal["auto"]]] = Choice("eks.amazonaws.com/compute-type")
"""`auto` on every node of Auto Mode."""
node_class: Final = Text("eks.amazonaws.com/nodeclass")
"""Name of the NodeClass in the cluster. Karpenter sets it; for pods to select by."""
instance_category: Final[Choice[Category]] = Choice("eks.amazonaws.com/instance-category")
"""`m` general purpose, `c` compute, `r` memory, `g` and `p` GPU, `t` burstable."""
instance_family: Final = Text("eks.amazonaws.com/instance-family")
"""`c7i`, `m7g`."""
instance_generation: Final = Number("eks.amazonaws.com/instance-generation")
"""7 in `m7g`; more than 4 takes away g4dn, p4d, inf1, trn1, i3."""
instance_size: Final = Text("eks.amazonaws.com/instance-size")
"""`large`, `2xlarge`, `metal`."""
instance_cpu: Final = Number("eks.amazonaws.com/instance-cpu", "vCPU")
"""vCPUs of the instance; 2 at least."""
instance_cpu_manufacturer: Final[Choice[Literal["aws", "intel", "amd"]]] = Choice("eks.amazonaws.com/instance-cpu-manufacturer")
"""Maker of the processor."""
instance_cpu_sustained_clock_speed_mhz: Final = Number("eks.amazonaws.com/instance-cpu-sustained-clock-speed-mhz", "MHz")
"""MHz; some types do not carry it, and are excluded by any bound."""
instance_memory: Final = Memory("eks.amazonaws.com/instance-memory")
"""Memory of the instance; the label is in MiB, written here as a quantity."""
instance_ebs_bandwidth: Final = Number("eks.amazonaws.com/instance-ebs-bandwidth", "Mbps")
"""Mbit/s; some types do not carry it, and are excluded by any bound."""
instance_network_bandwidth: Final = Number("eks.amazonaws.com/instance-network-bandwidth", "Mbps")
"""Mbit/s; some types do not carry it, and are excluded by any bound."""
instance_local_nvme: Final = Number("eks.amazonaws.com/instance-local-nvme", "GiB")
"""GiB of local NVMe; absent where there is none."""
instance_hypervisor: Final[Choice[Literal["nitro", "xen", ""]]] = Choice("eks.amazonaws.com/instance-hypervisor")
"""Empty on bare metal."""
instance_encryption_in_transit_supported: Final = Flag("eks.amazonaws.com/instance-encryption-in-transit-supported")
"""Whether traffic between instances is encrypted."""
instance_capability_flex: Final = Flag("eks.amazonaws.com/instance-capability-flex")
"""Whether it is a flex type; a later addition."""
instance_gpu_name: Final = Text("eks.amazonaws.com/instance-gpu-name")
"""`a100`, `l4`, `t4`: lower case."""
instance_gpu_manufacturer: Final[Choice[Literal["nvidia", "amd"]]] = Choice("eks.amazonaws.com/instance-gpu-manufacturer")
"""Maker of the GPU; category `g` has AMD ones too (g4ad)."""
instance_gpu_count: Final = Number("eks.amazonaws.com/instance-gpu-count", "GPU")
"""GPUs of the instance."""
instance_gpu_memory: Final = Memory("eks.amazonaws.com/instance-gpu-memory")
"""Memory of one GPU; an L4 or A10G has 22888 MiB, not 24Gi."""
instance_accelerator_name: Final[Choice[Literal["inferentia", "inferentia2", "trainium", "trainium2"]]] = Choice(
    "eks.amazonaws.com/instance-accelerator-name"
)
"""Inferentia and Trainium are accelerators, not GPUs."""
instance_accelerator_manufacturer: Final[Choice[Literal["aws"]]] = Choice("eks.amazonaws.com/instance-accelerator-manufacturer")
"""Maker of the accelerator."""
instance_accelerator_count: Final = Number("eks.amazonaws.com/instance-accelerator-count", "accelerator")
"""Accelerators of the instance."""
capacity_reservation_id: Final = Text("eks.amazonaws.com/capacity-reservation-id")
"""Only on nodes in a reservation; a later addition."""
capacity_reservation_type: Final[Choice[Literal["default", "capacity-block"]]] = Choice("eks.amazonaws.com/capacity-reservation-type")
"""Only on nodes in a reservation; a later addition."""
capacity_reservation_interruptible: Final = Flag("eks.amazonaws.com/capacity-reservation-interruptible")
"""Whether AWS may take the reserved capacity back; only on nodes in a reservation; a later addition."""
placement_group_id: Final = Text("eks.amazonaws.com/placement-group-id")
"""Only on nodes in a placement group; since 2026-05."""

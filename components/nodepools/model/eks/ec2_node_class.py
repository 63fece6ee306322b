"""Self-managed Karpenter on AWS: its EC2NodeClass (karpenter.k8s.aws/v1) and its cluster. They are read and checked; no component registers them.

Source: CRD of karpenter-provider-aws 1.15.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.quantity import Quantity
from nodepools.model.ref import Secret

AMI_FAMILIES: Final[Mapping[str, str]] = {
    name.lower(): name for name in ("AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022", "Windows2025")
}
"""Families of aliases, each with its name in `amiFamily`."""
_TAGS: Final = 20
_TERMS: Final = 30
_EMPTY_TAGS: Final[Mapping[str, str]] = {}


class SubnetTerm(Model):
    """Selects subnets by id, or by tags, which must all match. A subnet must match at least one term."""

    id: str | None = Field(default=None, pattern=r"subnet-[0-9a-z]+")
    """Id, `subnet-…`."""
    tags: Mapping[str, str] = Field(default=_EMPTY_TAGS, max_length=_TAGS)
    """Tag key to value; `*` matches any value."""


class SecurityGroupTerm(Model):
    """Selects security groups by id or name, or by tags, which must all match. A group must match at least one term."""

    id: str | None = Field(default=None, pattern=r"sg-[0-9a-z]+")
    """Id, `sg-…`."""
    name: str | None = None
    """Name of the security group (not its `Name` tag)."""
    tags: Mapping[str, str] = Field(default=_EMPTY_TAGS, max_length=_TAGS)
    """Tag key to value; `*` matches any value."""


class AmiTerm(Model):
    """Selects machine images. Of several that match, Karpenter uses the newest for each architecture."""

    alias: str | None = Field(default=None, max_length=30)
    """Image of EKS by family and version, such as `al2023@v20260801`, or `@latest`. It excludes all other terms and fields."""
    id: str | None = Field(default=None, pattern=r"ami-[0-9a-z]+")
    """Id, `ami-…`."""
    name: str | None = None
    """Name of the image; `*` matches any text."""
    owner: str | None = None
    """Owner of the image: account id, `self`, `amazon` or `aws-marketplace`. Default: own account and `amazon`."""
    ssm_parameter: str | None = None
    """Name or ARN of an SSM parameter that contains the id of an image."""
    tags: Mapping[str, str] = Field(default=_EMPTY_TAGS, max_length=_TAGS)
    """Tag key to value; `*` matches any value."""


class Ec2ReservationTerm(Model):
    """Selects capacity reservations by id, or by tags, owner and match criteria."""

    id: str | None = Field(default=None, pattern=r"^cr-[0-9a-z]+$")
    """Id, `cr-…`."""
    instance_match_criteria: Literal["open", "targeted"] | None = None
    """Whether the reservation accepts any matching instance (`open`), or only those that name it."""
    owner: str | None = Field(default=None, pattern=r"^[0-9]{12}$")
    """AWS account that owns the reservation, 12 digits."""
    tags: Mapping[str, str] = Field(default=_EMPTY_TAGS, max_length=_TAGS)
    """Tag key to value; `*` matches any value."""


class EbsVolume(Model):
    """An EBS volume of every node."""

    volume_size: Quantity | None = None
    """Size as a whole number of `Gi`, `G`, `Ti` or `T`, up to 59000Gi. Required without a snapshot."""
    snapshot_id: str | None = None
    """Snapshot that the volume is created from."""
    volume_type: Literal["standard", "io1", "io2", "gp2", "sc1", "st1", "gp3"] | None = None
    """Type of the volume."""
    iops: int | None = Field(default=None, ge=-(2**63), le=2**63 - 1)
    """I/O operations per second, for `io1`, `io2` and `gp3`."""
    throughput: int | None = Field(default=None, ge=-(2**63), le=2**63 - 1)
    """MiB per second, for `gp3`."""
    encrypted: bool | None = None
    """Whether the volume is encrypted. Default: the setting of the account and region."""
    kms_key_id: str | None = None
    """KMS key that encrypts the volume. Default: that of the account."""
    delete_on_termination: bool | None = None
    """Whether the volume is deleted with its node."""
    volume_initialization_rate: int | None = Field(default=None, ge=100, le=300)
    """MiB per second at which a snapshot is loaded, 100 to 300. Requires `snapshot_id`."""


class BlockDevice(Model):
    """A volume and the device that it is attached as."""

    device_name: str | None = None
    """Name of the device, such as `/dev/xvda`."""
    ebs: EbsVolume | None = None
    """The volume."""
    root_volume: bool | None = None
    """Whether kubelet's own data is on this volume: it decides the ephemeral storage that Karpenter plans with. At most one volume."""


class MetadataOptions(Model):
    """Access of pods and programs to the instance metadata service."""

    http_endpoint: Literal["enabled", "disabled"] = "enabled"
    """Whether the service is on. Default `enabled`."""
    http_protocol_ipv6: Literal["enabled", "disabled"] = "disabled"
    """Whether it has an IPv6 address. Default `disabled`."""
    http_put_response_hop_limit: int = Field(default=1, ge=1, le=64)
    """Network hops that its answers survive, 1 to 64. With 1, pods outside of the host's network cannot reach it. Default 1."""
    http_tokens: Literal["required", "optional"] = "required"
    """`required` accepts requests with a token only (IMDSv2). Default `required`."""


class Ec2Interface(Model):
    """A network interface of every node."""

    network_card_index: int = Field(ge=0, le=2**31 - 1)
    """Index of the network card, from 0."""
    device_index: int = Field(ge=0, le=2**31 - 1)
    """Index of the device on the card, from 0. Device 0 of card 0 is the primary interface."""
    interface_type: Literal["interface", "efa-only"]
    """`efa-only` carries no IP traffic."""


class ConnectionTracking(Model):
    """Timeouts of tracked connections, in seconds."""

    tcp_established_timeout: int | None = Field(default=None, ge=60, le=432000)
    """Idle TCP connections, 60 to 432000 seconds."""
    udp_stream_timeout: int | None = Field(default=None, ge=60, le=180)
    """UDP connections with more than one request, 60 to 180 seconds."""
    udp_timeout: int | None = Field(default=None, ge=30, le=60)
    """UDP connections with traffic in one direction, 30 to 60 seconds."""


class CpuOptions(Model):
    """CPU options of the instances."""

    nested_virtualization: Literal["enabled", "disabled"] | None = None
    """Whether virtual machines can run on the instances. Default: what the instance type has."""


class EnclaveOptions(Model):
    """Nitro Enclaves of the instances."""

    enabled: bool
    """Whether instances support Nitro Enclaves."""


class Ec2PlacementGroup(Model):
    """An existing placement group for the nodes, by name or by id."""

    name: str | None = Field(default=None, min_length=1)
    """Name of the placement group."""
    id: str | None = Field(default=None, pattern=r"^pg-[0-9a-z]+$")
    """Id, `pg-…`."""


class Ec2NodeClass(Model):
    """A karpenter.k8s.aws/v1 EC2NodeClass. Most changes replace the nodes of every NodePool that uses it."""

    role: str | None = Field(default=None, min_length=1)
    """IAM role of the nodes, for which Karpenter creates an instance profile."""
    instance_profile: str | None = Field(default=None, min_length=1)
    """Existing instance profile of the nodes, instead of `role`."""
    ami_family: Literal["AL2", "AL2023", "Bottlerocket", "Custom", "Windows2019", "Windows2022", "Windows2025"] | None = None
    """Family of the images: it decides user data and devices. Default: that of the alias."""
    ami_terms: Sequence[AmiTerm] = Field(min_length=1, max_length=_TERMS)
    """Images of the nodes. Nodes with another image drift."""
    subnets: Sequence[SubnetTerm] = Field(min_length=1, max_length=_TERMS)
    """Subnets of the nodes. Nodes in other subnets drift."""
    security_groups: Sequence[SecurityGroupTerm] = Field(min_length=1, max_length=_TERMS)
    """Security groups of the nodes. All nodes drift if another set is selected."""
    capacity_reservations: Sequence[Ec2ReservationTerm] = Field(default=(), max_length=_TERMS)
    """Capacity reservations for NodePools that allow `reserved`."""
    associate_public_ip_address: bool | None = None
    """Whether nodes get a public IP address. Default: the setting of their subnet."""
    ip_prefix_count: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """Number of IP prefixes of the primary interface."""
    network_interfaces: Sequence[Ec2Interface] = Field(default=(), max_length=150)
    """Network interfaces. Default: one primary interface, and those for EFA that pods request."""
    connection_tracking: ConnectionTracking | None = None
    """Timeouts of tracked connections."""
    placement_group: Ec2PlacementGroup | None = None
    """Placement group of the nodes."""
    block_devices: Sequence[BlockDevice] = Field(default=(), max_length=50)
    """Volumes of the nodes. Default: those of the AMI family."""
    instance_store_policy: Literal["RAID0"] | None = None
    """`RAID0` uses the local disks of an instance type as ephemeral storage. Default: they are not used."""
    metadata_options: MetadataOptions = MetadataOptions()
    """Access to the instance metadata service."""
    kubelet: Mapping[str, object] = {}
    """Settings of the kubelet, such as `maxPods` and `systemReserved`."""
    user_data: Secret | None = None
    """User data that is merged with that of the AMI family, or replaces it with the family `Custom`. It can contain credentials, so it is never
    shown."""
    cpu_options: CpuOptions = CpuOptions()
    """CPU options of the instances."""
    enclave_options: EnclaveOptions | None = None
    """Nitro Enclaves. Default: not supported."""
    detailed_monitoring: bool | None = None
    """Whether EC2 reports metrics each minute instead of every five. Default false."""
    context: str | None = None
    """Context of EC2 fleets."""
    tags: Mapping[str, str] = {}
    """AWS tags of the nodes and their disks."""

    @property
    def alias_family(self) -> str | None:
        """The family of its alias in lower case; `None` if its images are selected in another way."""
        found = next((term.alias for term in self.ami_terms if term.alias is not None), None)
        return None if found is None else found.partition("@")[0].lower()

    @property
    def image_family(self) -> str | None:
        """The family that decides user data and operating system: that of `ami_family`, or of the alias; `None` if neither says it."""
        return self.ami_family if self.ami_family is not None else AMI_FAMILIES.get(self.alias_family or "")


AUTO_MODE_TYPES: Final = "eks.amazonaws.com/instance-"
"""Prefix of the labels of instance types on nodes of EKS Auto Mode."""
OWN_TYPES: Final = "karpenter.k8s.aws/instance-"
"""The same on nodes of self-managed Karpenter."""
OWN_DOMAIN: Final = "karpenter.k8s.aws"
_OF_TYPES: Final = (
    "accelerator-count accelerator-manufacturer accelerator-name capability-flex category cpu cpu-manufacturer cpu-sustained-clock-speed-mhz "
    "ebs-bandwidth encryption-in-transit-supported family generation gpu-count gpu-manufacturer gpu-memory gpu-name hypervisor local-nvme memory "
    "network-bandwidth size tenancy"
)
_OTHERS: Final = (
    "capacity-reservation-id capacity-reservation-interruptible capacity-reservation-type ec2nodeclass placement-group-id placement-group-partition"
)
OWN_LABELS: Final = frozenset({*(f"{OWN_TYPES}{name}" for name in _OF_TYPES.split()), *(f"{OWN_DOMAIN}/{name}" for name in _OTHERS.split())})
"""The labels of its domain that self-managed Karpenter accepts (karpenter-provider-aws 1.14, hack/validation)."""


class SelfManagedKarpenter(Model):
    """The NodePools and EC2NodeClasses of one cluster."""

    node_pools: Mapping[str, NodePool] = {}
    """NodePools, by name."""
    node_classes: Mapping[str, Ec2NodeClass] = {}
    """EC2NodeClasses, by name."""

    @property
    def built_in_for_ordinary_pods(self) -> Sequence[str]:
        """None: only EKS and AKS create NodePools."""
        return ()

"""The NodeClass of EKS Auto Mode (eks.amazonaws.com/v1).

Facts: docs/facts/eks.md § 2. Fields without a date exist since the start of Auto Mode, 2024-12-01.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.quantity import Quantity
from nodepools.model.ref import Ref
from nodepools.model.timeouts import Timeouts


class SelectorTerm(Model):
    """Selects subnets or security groups by id, or by tags, which must all match. A resource must match at least one term."""

    id: Ref | None = None
    """Id, `subnet-…` or `sg-…`."""
    name: str | None = None
    """Name of a security group; not for subnets."""
    tags: Mapping[str, str] = Field(default={}, max_length=20)
    """Tag key to value; `*` matches any value."""


class CapacityReservationTerm(Model):
    """Selects capacity reservations by id, or by tags, which must all match, and owner. Since 2025-06-20."""

    id: Ref | None = None
    """Id, `cr-…`."""
    tags: Mapping[str, str] = Field(default={}, max_length=20)
    """Tag key to value; `*` matches any value."""
    owner: str | None = None
    """AWS account that owns the reservation, 12 digits in quotes. Default: any account that shares reservations with yours."""


class CertificateBundle(Model):
    """Certificate authorities that nodes trust in addition to public ones. Since 2025-04-11."""

    name: str = Field(min_length=1)
    """Name of the bundle, unique in the NodeClass."""
    data: str = Field(min_length=1)
    """The certificates: PEM, encoded in base64."""


class NetworkInterface(Model):
    """A network interface of every node. Since 2026-07-21."""

    network_card_index: int = Field(default=0, ge=0)
    """Index of the network card of the instance, from 0."""
    device_index: int = Field(default=0, ge=0)
    """Index of the device on the card, from 0. Device 0 of card 0 is the primary interface."""
    interface_type: Literal["interface", "efa-only"] = "interface"
    """`efa-only` carries no IP traffic."""
    secondary_ipv4_count: int | None = Field(default=None, ge=0)
    """Number of secondary IPv4 addresses for pods. Only on card 0, and not together with prefixes."""
    secondary_ipv4_prefix_count: int | None = Field(default=None, ge=0)
    """Number of prefixes of 16 IPv4 addresses for pods. Only on card 0, and not together with addresses."""


class AdvancedNetworking(Model):
    """Network settings of nodes."""

    https_proxy: str | None = Field(default=None, max_length=255)
    """HTTPS proxy, such as `http://proxy.example.com:3128`, at most 255 characters. Since 2025-04-30."""
    no_proxy: Sequence[str] = Field(default=(), max_length=50)
    """Hosts and ranges that bypass the proxy, at most 50 entries of 255 characters. Since 2025-04-30."""
    associate_public_ip_address: bool | None = None
    """Whether nodes get a public IP address. Default: the setting of their subnet. Since 2025-08-06."""
    ipv4_prefix_size: Literal["Auto", "32"] = "Auto"
    """`Auto` gives nodes prefixes of addresses if the subnet has them, `"32"` single addresses. Cloud default `Auto`. Since 2025-12-19."""
    enable_v4_egress: bool | None = None
    """Whether pods of an IPv6 cluster can reach IPv4 addresses. Since 2026-02-02."""
    network_interfaces: Sequence[NetworkInterface] = Field(default=(), max_length=150)
    """Network interfaces of a node, including the primary one. Default: one primary interface. Since 2026-07-21."""


class PlacementGroup(Model):
    """An existing placement group for the nodes, by name or by id. Since 2026-05-05."""

    name: str | None = None
    """Name of the placement group."""
    id: Ref | None = None
    """Id, `pg-…`."""


class EksNodeClass(Model):
    """An eks.amazonaws.com/v1 NodeClass. A change replaces the nodes of every NodePool that uses it."""

    role: Ref | None = None
    """Name (not ARN) of an existing IAM role for the nodes, with its path but without a leading slash. Default: `node_role` of the cluster, or a new
    role that all NodeClasses without one share. The role is immutable: another role creates another NodeClass. Declare the old one as `previous` of
    the new one; otherwise `pulumi up` waits, possibly for hours, until its last node is gone (docs/guides/rotate.md)."""
    create_role: bool = False
    """Whether to create a node role for this NodeClass alone, so that its nodes can have other permissions. Immutable like `role`."""
    name: str | None = Field(default=None, pattern=r"^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$")
    """Name of the object, for a NodeClass that exists under that name. Default: its key, with a hash of its role if it has a role of its own. With a
    fixed name, the role cannot change: another role needs another name. Another name is another NodeClass."""
    instance_profile: Ref | None = None
    """Name of an existing instance profile to use instead of a role. The name must begin with `eks`, and its role needs its own access entry. Since
    2025-09-30."""
    subnets: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Subnets of the nodes. Default: the private subnets of the cluster's network."""
    security_groups: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Security groups of the nodes. Default: the security group of the cluster."""
    pod_subnets: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Subnets of the pods, in the zones of the nodes. Default: the subnets of the nodes. Requires `pod_security_groups`. Since 2025-06-13."""
    pod_security_groups: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Security groups of the pods. Default: those of the nodes. Requires `pod_subnets`. Since 2025-06-13."""
    capacity_reservations: Sequence[CapacityReservationTerm] = Field(default=(), max_length=30)
    """Capacity reservations for NodePools that allow `reserved`. With them, no NodeClass of the cluster uses open reservations automatically. Since
    2025-06-20."""
    ephemeral_storage: Quantity = "80Gi"
    """Size of the node's disk as a whole number of `Gi`, `G`, `Ti` or `T`, 1 to 59000Gi. Cloud default 80Gi."""
    ephemeral_storage_iops: int | None = Field(default=None, ge=3000, le=16000)
    """IOPS of the node's disk, 3000 to 16000. Cloud default 3000."""
    ephemeral_storage_throughput: int | None = Field(default=None, ge=125, le=1000)
    """Throughput of the node's disk in MiB per second, 125 to 1000. Cloud default 125."""
    ephemeral_storage_kms_key_id: Ref | None = None
    """KMS key that encrypts the node's disk: id, ARN, `alias/…` or alias ARN. Since 2025-04-11."""
    network_policy: Literal["DefaultAllow", "DefaultDeny"] = "DefaultAllow"
    """Default network policy of pods. Cloud default `DefaultAllow`. Setting either value turns on the network policy controller (`network_policies`
    in the cluster's `objects`); without the controller, neither has an effect."""
    network_policy_event_logs: Literal["Disabled", "Enabled"] = "Disabled"
    """Whether network policy decisions are logged. Cloud default `Disabled`."""
    snat_policy: Literal["Random", "Disabled"] = "Random"
    """How the source port of traffic that leaves the VPC is chosen. Cloud default `Random`."""
    advanced_networking: AdvancedNetworking | None = None
    """Proxy, public IP addresses, prefixes and network interfaces."""
    fips: bool = False
    """Whether nodes use FIPS 140 validated cryptography; only in US regions. Cloud default false. Since 2025-10-23."""
    placement_group: PlacementGroup | None = None
    """Placement group of the nodes. A cluster placement group keeps them in one zone. Since 2026-05-05."""
    certificate_bundles: Sequence[CertificateBundle] = ()
    """Certificate authorities that nodes trust in addition to public ones. Since 2025-04-11."""
    tags: Mapping[str, str] = {}
    """AWS tags of the nodes and their disks. The cluster role gets the extra permissions that custom tags require."""
    previous: "EksNodeClass | None" = None
    """The NodeClass before its role changed. It is kept under its own name while its nodes drift to the new one. Remove it here after its last node
    is gone: otherwise Pulumi waits for the nodes, possibly for hours."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits. A NodeClass is deleted only after the last of its nodes."""
    overrides: Mapping[str, object] = {}
    """Fields of the object's `spec`, for fields that are not modeled yet. They replace what the fields send."""

    @property
    def has_shared_role(self) -> bool:
        """Its nodes use the role that all NodeClasses without a role share."""
        return self.role is None and self.instance_profile is None and not self.create_role

    @property
    def selects_reservations(self) -> bool | None:
        """It selects capacity reservations; `None` if `overrides` decide that."""
        return None if "capacityReservationSelectorTerms" in self.overrides else bool(self.capacity_reservations)

    @property
    def wants_network_policies(self) -> bool:
        """It sets a network policy field, so the network policy controller is needed."""
        return "network_policy" in self.model_fields_set or "networkPolicy" in self.overrides or self.needs_network_policies

    @property
    def needs_network_policies(self) -> bool:
        """It sets a network policy field to another value than the cloud default, which has no effect while the controller is off."""
        return self.network_policy == "DefaultDeny" or self.network_policy_event_logs == "Enabled"

    @property
    def has_tags(self) -> bool:
        """AWS has to put custom tags on its nodes."""
        return bool(self.tags or self.overrides.get("tags"))

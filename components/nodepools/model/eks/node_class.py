"""The NodeClass of EKS Auto Mode (eks.amazonaws.com/v1).

Facts: docs/facts/eks.md § 2. Fields without a date are there since Auto Mode is, 2024-12-01.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.quantity import Quantity
from nodepools.model.ref import Ref
from nodepools.model.timeouts import Timeouts


class SelectorTerm(Model):
    """Picks subnets or security groups by id, or by tags that all hold. Several terms add up."""

    id: Ref | None = None
    """`subnet-…` or `sg-…`."""
    name: str | None = None
    """Name of a security group; not for subnets."""
    tags: Mapping[str, str] = Field(default={}, max_length=20)
    """Tag key to value; `*` is any value."""


class CapacityReservationTerm(Model):
    """Picks capacity reservations by id, or by tags that all hold and their owner. Since 2025-06-20."""

    id: Ref | None = None
    """`cr-…`."""
    tags: Mapping[str, str] = Field(default={}, max_length=20)
    """Tag key to value; `*` is any value."""
    owner: str | None = None
    """Account of the reservation, twelve digits in quotes; any that is shared with yours when left out."""


class CertificateBundle(Model):
    """Certificate authorities that nodes trust beside the public ones. Since 2025-04-11."""

    name: str = Field(min_length=1)
    """Tells it from the other bundles."""
    data: str = Field(min_length=1)
    """The certificates, PEM in base64."""


class NetworkInterface(Model):
    """A network interface of every node. Since 2026-07-21."""

    network_card_index: int = Field(default=0, ge=0)
    """Which network card of the instance, from 0."""
    device_index: int = Field(default=0, ge=0)
    """Which device of the card, from 0. Card 0, device 0 is the primary interface."""
    interface_type: Literal["interface", "efa-only"] = "interface"
    """`efa-only` carries no IP traffic."""
    secondary_ipv4_count: int | None = Field(default=None, ge=0)
    """Further IPv4 addresses for pods; on card 0 only, and not beside prefixes."""
    secondary_ipv4_prefix_count: int | None = Field(default=None, ge=0)
    """Prefixes of 16 IPv4 addresses for pods; on card 0 only, and not beside addresses."""


class AdvancedNetworking(Model):
    """How nodes reach the network."""

    https_proxy: str | None = Field(default=None, max_length=255)
    """Proxy for HTTPS, `http://proxy.example.com:3128`, 255 characters at most. Since 2025-04-30."""
    no_proxy: Sequence[str] = Field(default=(), max_length=50)
    """What is reached without the proxy, 50 entries of 255 characters at most. Since 2025-04-30."""
    associate_public_ip_address: bool | None = None
    """Whether nodes get a public address; as their subnet says when left out. Since 2025-08-06."""
    ipv4_prefix_size: Literal["Auto", "32"] = "Auto"
    """`Auto` gives nodes prefixes of addresses where the subnet has them, `"32"` single addresses. Cloud default `Auto`. Since 2025-12-19."""
    enable_v4_egress: bool | None = None
    """Whether pods of an IPv6 cluster reach IPv4 addresses. Since 2026-02-02."""
    network_interfaces: Sequence[NetworkInterface] = Field(default=(), max_length=150)
    """The interfaces of a node, the primary one among them; one primary when left out. Since 2026-07-21."""


class PlacementGroup(Model):
    """The placement group of the nodes, by name or by id; it exists. Since 2026-05-05."""

    name: str | None = None
    """Its name."""
    id: Ref | None = None
    """`pg-…`."""


class EksNodeClass(Model):
    """An eks.amazonaws.com/v1 NodeClass. A change replaces the nodes of every pool that uses it."""

    role: Ref | None = None
    """Name (not ARN) of an existing IAM role of the nodes, with its path but without a leading slash. When left out, that of all classes of the
    cluster without one: made for them, or `node_role` of the cluster. Fixed: with another role it is another class. Keep it as it was as `previous`
    of the new one, or `pulumi up` waits until its last node has drifted away, for hours perhaps: docs/guides/retire-a-node-class.md."""
    create_role: bool = False
    """Whether a node role of its own is made for this class, so that its nodes can be given rights that others have not. Fixed, as `role` is."""
    instance_profile: Ref | None = None
    """Name of an existing instance profile in place of a role; it begins with `eks`. Its role needs an access entry of its own. Since 2025-09-30."""
    subnets: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Subnets of the nodes; the private ones of the cluster's network when left out."""
    security_groups: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Security groups of the nodes; the cluster's when left out."""
    pod_subnets: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Subnets of the pods, in the zones of the nodes; those of the nodes when left out. With `pod_security_groups`. Since 2025-06-13."""
    pod_security_groups: Sequence[SelectorTerm] = Field(default=(), max_length=30)
    """Security groups of the pods; those of the nodes when left out. With `pod_subnets`. Since 2025-06-13."""
    capacity_reservations: Sequence[CapacityReservationTerm] = Field(default=(), max_length=30)
    """Reservations to use, by pools that allow `reserved`. No class of the cluster then uses open ones by itself. Since 2025-06-20."""
    ephemeral_storage: Quantity = "80Gi"
    """Size of the node's disk: `Gi`, `G`, `Ti` or `T`, whole numbers, 1 to 59000Gi. Cloud default 80Gi."""
    ephemeral_storage_iops: int | None = Field(default=None, ge=3000, le=16000)
    """3000 to 16000. Cloud default 3000."""
    ephemeral_storage_throughput: int | None = Field(default=None, ge=125, le=1000)
    """MiB a second, 125 to 1000. Cloud default 125."""
    ephemeral_storage_kms_key_id: Ref | None = None
    """Key that encrypts it: id, ARN, `alias/…` or alias ARN. Since 2025-04-11."""
    network_policy: Literal["DefaultAllow", "DefaultDeny"] = "DefaultAllow"
    """What pods without a network policy may do. Cloud default `DefaultAllow`. Setting it, to either, turns the controller on that enforces network
    policies (`network_policies` of the cluster's `objects`): without it neither has an effect."""
    network_policy_event_logs: Literal["Disabled", "Enabled"] = "Disabled"
    """Whether network policy decisions are logged. Cloud default `Disabled`."""
    snat_policy: Literal["Random", "Disabled"] = "Random"
    """How the source port of traffic that leaves the VPC is chosen. Cloud default `Random`."""
    advanced_networking: AdvancedNetworking | None = None
    """Proxy, public addresses, prefixes and interfaces."""
    fips: bool = False
    """Whether nodes use cryptography validated by FIPS 140; in regions of the US only. Cloud default false. Since 2025-10-23."""
    placement_group: PlacementGroup | None = None
    """Placement group of the nodes; a cluster group holds them in one zone. Since 2026-05-05."""
    certificate_bundles: Sequence[CertificateBundle] = ()
    """Certificate authorities that nodes trust beside the public ones. Since 2025-04-11."""
    tags: Mapping[str, str] = {}
    """AWS tags of the nodes and their disks; the extra rights that the cluster role needs for them come with it."""
    previous: "EksNodeClass | None" = None
    """The class as it was before its role changed: kept beside this one, under its own name, while its nodes drift to this one. Remove it here
    once the last of them is gone; deleted at once, Pulumi would wait for them, for hours perhaps."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits; a class goes only after the last of its nodes."""
    overrides: Mapping[str, object] = {}
    """Laid over the object's `spec`, for what is not modelled yet."""

    @property
    def has_shared_role(self) -> bool:
        """Its nodes have the role of all classes that have no other."""
        return self.role is None and self.instance_profile is None and not self.create_role

    @property
    def selects_reservations(self) -> bool | None:
        """It selects capacity reservations; `None` where `overrides` decide that."""
        return None if "capacityReservationSelectorTerms" in self.overrides else bool(self.capacity_reservations)

    @property
    def wants_network_policies(self) -> bool:
        """Somebody has thought of network policies here."""
        return "network_policy" in self.model_fields_set or "networkPolicy" in self.overrides or self.needs_network_policies

    @property
    def needs_network_policies(self) -> bool:
        """It says more of network policies than EKS does of itself, which is without effect while the controller is off."""
        return self.network_policy == "DefaultDeny" or self.network_policy_event_logs == "Enabled"

    @property
    def has_tags(self) -> bool:
        """AWS is asked to put tags of one's own on its nodes."""
        return bool(self.tags or self.overrides.get("tags"))

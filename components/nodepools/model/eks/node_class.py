"""EKS Auto Mode: built-in NodePools, NodePools, and the NodeClass (eks.amazonaws.com/v1). Facts: docs/facts/eks.md § 1.3, § 2, § 3.

Fields without a date exist since the start of Auto Mode, 2024-12-01.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal, TypedDict, Unpack, cast

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.duration import Timeouts
from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.quantity import Quantity
from nodepools.model.maintenance import Disruption
from nodepools.model.ref import Ref


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
    name: str | None = Field(default=None, max_length=63, pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
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


Capacity = Literal["spot", "on-demand", "reserved"]
Arch = Literal["amd64", "arm64"]
Accelerator = Literal["inferentia", "inferentia2", "trainium", "trainium2"]

_LABELS = "eks.amazonaws.com/instance-"
_CAPACITY, _ARCH = "karpenter.sh/capacity-type", "kubernetes.io/arch"
_WEIGHT = 20


class PoolFields(TypedDict, total=False):
    """Fields of `EksNodePool` that can be set in addition to a preset. Requirements and taints are added to those of the preset."""

    node_class: str | None
    requirements: Sequence[Requirement]
    labels: Mapping[str, str]
    labeled: bool
    annotations: Mapping[str, str]
    taints: Sequence[Taint]
    startup_taints: Sequence[Taint]
    disruption: Disruption
    expire_after: str | None
    termination_grace_period: str | None
    owner: str | None
    timeouts: Timeouts
    overrides: Mapping[str, object]


class ScalingPoolFields(PoolFields, total=False):
    """Fields that can be set for a pool that scales."""

    weight: int | None
    limits: Mapping[str, Quantity]


class EksNodePool(NodePool):
    """A NodePool of EKS Auto Mode.

    The presets (`spot_first`, `gpu`, …) return NodePools too.
    """

    operating_systems: ClassVar[tuple[str, ...]] = ("linux",)
    fewest_cpus: ClassVar[int] = 2
    label_domains: ClassVar[tuple[str, ...]] = ("eks.amazonaws.com",)
    class_label: ClassVar[str] = "eks.amazonaws.com/nodeclass"
    has_metrics: ClassVar[bool] = False

    @property
    def expires_after(self) -> str:
        """Age at which nodes are replaced, with the default of Auto Mode filled in."""
        return self.life("expire_after")[1] or "336h"

    @property
    def drains_within(self) -> str:
        """How long a node can drain, with the default of Auto Mode filled in."""
        return self.life("termination_grace_period")[1] or "24h"

    @classmethod
    def spot_first(cls, name: str, **fields: Unpack[ScalingPoolFields]) -> "dict[str, EksNodePool]":
        """Two pools for `node_pools`: `<name>-spot`, and the on-demand pool `name` with half its weight, used when no spot capacity is available.

        The default weight is 20. `requirements` must not restrict the capacity type; `limits` apply to each of the two pools.
        """
        declared = fields.get("weight")
        weight = declared if declared is not None else _WEIGHT
        spot, fallback = {**fields, "weight": weight}, {**fields, "weight": max(weight // 2, 1)}
        return {f"{name}-spot": _pool(cls, [_one_of(_CAPACITY, "spot")], spot), name: _pool(cls, [_one_of(_CAPACITY, "on-demand")], fallback)}

    @classmethod
    def gpu(
        cls, *, gpus: Sequence[str] = (), capacity: Sequence[Capacity] = ("on-demand",), arch: Arch = "amd64", **fields: Unpack[ScalingPoolFields]
    ) -> "EksNodePool":
        """A pool with NVIDIA GPUs, all or those in `gpus` (`l4`, `h100`), and the taint `nvidia.com/gpu:NoSchedule`.

        The taint has no value, so pods tolerate it with `operator: Exists`. Auto Mode includes driver and device plugin. A node stays for ten minutes
        after its last pod ended: the next pod would wait for a new one, and GPUs can be hard to get. Set `disruption` for another time.
        """
        requested = [_one_of(f"{_LABELS}gpu-manufacturer", "nvidia"), *_named(f"{_LABELS}gpu-name", gpus)]
        return _pool(cls, [*requested, _one_of(_ARCH, arch), _one_of(_CAPACITY, *capacity)], _kept_a_while(fields), Taint("nvidia.com/gpu"))

    @classmethod
    def neuron(
        cls, *, accelerators: Sequence[Accelerator] = (), capacity: Sequence[Capacity] = ("on-demand",), **fields: Unpack[ScalingPoolFields]
    ) -> "EksNodePool":
        """A pool with Inferentia and Trainium, and the taint `aws.amazon.com/neuron:NoSchedule`. Auto Mode includes driver and device plugin.

        A node stays for ten minutes after its last pod ended, as in `gpu`.
        """
        requested = [_one_of(f"{_LABELS}accelerator-manufacturer", "aws"), *_named(f"{_LABELS}accelerator-name", accelerators)]
        return _pool(cls, [*requested, _one_of(_ARCH, "amd64"), _one_of(_CAPACITY, *capacity)], _kept_a_while(fields), Taint("aws.amazon.com/neuron"))

    @classmethod
    def arm64(cls, *, capacity: Sequence[Capacity] = ("on-demand",), **fields: Unpack[ScalingPoolFields]) -> "EksNodePool":
        """A pool with Graviton instances: the requirements of the built-in `general-purpose` pool (c, m, r; generation above 4), but arm64."""
        requested = [_one_of(_ARCH, "arm64"), _one_of(_CAPACITY, *capacity), _one_of(f"{_LABELS}category", "c", "m", "r")]
        return _pool(cls, [*requested, Requirement(f"{_LABELS}generation", "Gt", ["4"])], dict(fields))

    @classmethod
    def static(
        cls, *, replicas: int, capacity: Sequence[Capacity] = ("on-demand",), arch: Arch = "amd64", **fields: Unpack[PoolFields]
    ) -> "EksNodePool":
        """A pool with a fixed number of nodes, plus one while a node is replaced. A static pool cannot become a dynamic one: use another name."""
        fixed: dict[str, object] = {"replicas": replicas, "limits": {"nodes": replicas + 1}}
        return _pool(cls, [_one_of(_CAPACITY, *capacity), _one_of(_ARCH, arch)], {**fields, **fixed})


BuiltIn = Literal["system", "general-purpose"]
BUILT_IN_CLASS = "default"
"""The NodeClass that EKS creates together with the built-in NodePools."""


class AutoMode(Model):
    """Settings of EKS Auto Mode."""

    built_in_node_pools: Sequence[BuiltIn] = ("general-purpose", "system")
    """Built-in NodePools to turn on: `general-purpose`, `system` (with the taint `CriticalAddonsOnly`), both or none. EKS manages them and their
    NodeClass `default`."""
    node_classes: Mapping[str, EksNodeClass] = {}
    """NodeClasses by name, in addition to the built-in `default`."""
    existing_node_classes: Sequence[str] = ()
    """Names of NodeClasses that another tool creates in the cluster. NodePools can use them; nothing is known about them offline."""
    node_pools: Mapping[str, EksNodePool] = {}
    """NodePools by name, in addition to the built-in `general-purpose` and `system`."""

    @property
    def built_in_for_ordinary_pods(self) -> Sequence[str]:
        """Built-in NodePools for pods without tolerations. They have no weight, and launch on-demand amd64 nodes."""
        return [name for name in self.built_in_node_pools if name != "system"]

    @property
    def shares_a_role(self) -> bool:
        """A NodeClass has no role of its own and uses the one that all such NodeClasses share."""
        return any(declared.has_shared_role for _, _, declared in self.all_classes())

    def all_classes(self) -> Iterator[tuple[str, str, EksNodeClass]]:
        """Every NodeClass, including previous ones: a unique name in this cluster, its key, the NodeClass."""
        for key, declared in self.node_classes.items():
            yield key, key, declared
            if declared.previous is not None:
                yield f"{key}/previous", key, declared.previous


def _pool(cls: type[EksNodePool], requested: Sequence[Requirement], fields: Mapping[str, object], *taints: Taint) -> EksNodePool:
    both = {field: (*preset, *cast("Sequence[object]", fields.get(field, ()))) for field, preset in (("requirements", requested), ("taints", taints))}
    return cls(**{**fields, **both})  # type: ignore[arg-type]  # PoolFields, gathered


def _kept_a_while(fields: PoolFields) -> dict[str, object]:
    return {"disruption": Disruption(consolidate_after="10m"), **fields}


def _named(key: str, names: Sequence[str]) -> list[Requirement]:
    return [_one_of(key, *names)] if names else []


def _one_of(key: str, *values: str) -> Requirement:
    return Requirement(key, "In", values)

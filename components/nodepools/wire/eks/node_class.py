"""The `spec` of a NodeClass of EKS Auto Mode (eks.amazonaws.com/v1). Facts: docs/facts/eks.md § 2.

AWS does not document which changes make nodes drift. Effects are those of the equivalent EC2NodeClass fields of Karpenter, and unknown for fields
without an equivalent.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.invalid_parts import UNKNOWN, Unknown
from nodepools.model.values import dataclass
from nodepools.wire.rows import IF_ON, OBJECT_SETTINGS, Each, Note, Part, Row
from nodepools.wire.table import Change, Effect, Table


@dataclass(frozen=True, slots=True)
class NodeClassContext:
    """Defaults of a NodeClass object that come from the cluster."""

    role: object
    subnets: Sequence[Mapping[str, object]] | Unknown
    """Selector terms, as they are in the object."""
    security_groups: Sequence[Mapping[str, object]] | Unknown


def _role(declared: EksNodeClass, around: NodeClassContext) -> object:
    return declared.role if declared.role is not None or declared.instance_profile is not None else around.role


def _subnets(declared: EksNodeClass, around: NodeClassContext) -> object:
    return declared.subnets if declared.subnets else around.subnets


def _security_groups(declared: EksNodeClass, around: NodeClassContext) -> object:
    return declared.security_groups if declared.security_groups else around.security_groups


_KARPENTER: Final = "inferred from EC2NodeClass of karpenter-provider-aws 1.15"
_IDENTITY: Final = Change(Effect.ROLLS, "docs/facts/eks.md N1: immutable in an object, so it is part of the name; nodes drift to another NodeClass")
_HASHED: Final = Change(Effect.ROLLS, f"{_KARPENTER}: part of its hash")
_SELECTS_SUBNETS: Final = Change(Effect.ROLLS_SOME, f"{_KARPENTER}: nodes in subnets that are no longer selected drift")
_SELECTS_GROUPS: Final = Change(Effect.ROLLS, f"{_KARPENTER}: all nodes drift if another set is selected")
_UNKNOWN: Final = Change(Effect.UNKNOWN, "no source: AWS does not document it, and EC2NodeClass has no such field")
_SELECTS_RESERVATIONS: Final = Change(Effect.UNKNOWN, f"{_KARPENTER}: depends on the reservation of each node")
_PREVIOUS: Final = Change(Effect.NONE, "a separate object")
_ELSEWHERE: Final = (
    *("amiFamily", "amiSelectorTerms", "associatePublicIPAddress", "blockDeviceMappings", "context", "detailedMonitoring", "instanceStorePolicy"),
    *("ipPrefixCount", "kubelet", "metadataOptions", "userData"),
)

TERM: Final = Table(Row("id", "id"), Row("name", "name"), Row("tags", "tags"))
"""A term that selects subnets or security groups."""
RESERVATION: Final = Table(Row("id", "id"), Row("owner", "owner"), Row("tags", "tags"))
"""A term that selects capacity reservations."""
INTERFACE: Final = Table(
    Row("network_card_index", "networkCardIndex"),
    Row("device_index", "deviceIndex"),
    Row("interface_type", "interfaceType"),
    Row("secondary_ipv4_count", "secondaryIPv4Count"),
    Row("secondary_ipv4_prefix_count", "secondaryIPv4PrefixCount"),
)
"""An entry of `networkInterfaces`."""
NETWORKING: Final = Table(
    Row("https_proxy", "httpsProxy"),
    Row("no_proxy", "noProxy"),
    Row("associate_public_ip_address", "associatePublicIPAddress"),
    Row("ipv4_prefix_size", "ipv4PrefixSize"),
    Row("enable_v4_egress", "enableV4Egress"),
    Each("network_interfaces", "networkInterfaces", INTERFACE),
)
NODE_CLASS: Final = Table(
    Row("role", "role", _IDENTITY, compute=_role),
    Row("instance_profile", "instanceProfile", _IDENTITY),
    Each("subnets", "subnetSelectorTerms", TERM, _SELECTS_SUBNETS, always=True, compute=_subnets),
    Each("security_groups", "securityGroupSelectorTerms", TERM, _SELECTS_GROUPS, always=True, compute=_security_groups),
    Row("network_policy", "networkPolicy", _UNKNOWN, default="DefaultAllow"),
    Row("network_policy_event_logs", "networkPolicyEventLogs", _UNKNOWN, default="Disabled"),
    Row("snat_policy", "snatPolicy", _UNKNOWN, default="Random"),
    Row("ephemeral_storage", "ephemeralStorage.size", _HASHED, default="80Gi"),
    Row("ephemeral_storage_iops", "ephemeralStorage.iops", _HASHED, default=3000),
    Row("ephemeral_storage_throughput", "ephemeralStorage.throughput", _HASHED, default=125),
    Row("ephemeral_storage_kms_key_id", "ephemeralStorage.kmsKeyID", _HASHED),
    Each("pod_subnets", "podSubnetSelectorTerms", TERM, _UNKNOWN),
    Each("pod_security_groups", "podSecurityGroupSelectorTerms", TERM, _UNKNOWN),
    Each("capacity_reservations", "capacityReservationSelectorTerms", RESERVATION, _SELECTS_RESERVATIONS),
    Part("advanced_networking", "advancedNetworking", NETWORKING, _HASHED),
    Row("fips", "advancedSecurity.fips", _UNKNOWN, IF_ON, default=False),
    Part("placement_group", "placementGroupSelector", Table(Row("name", "name"), Row("id", "id")), _HASHED),
    Each("certificate_bundles", "certificateBundles", Table(Row("name", "name"), Row("data", "data")), _HASHED),
    Row("tags", "tags", _HASHED),
    Note("ours", "create_role", _IDENTITY, "determines the role"),
    Note("ours", "name", _IDENTITY, "the name of the object"),
    Note("ours", "previous", _PREVIOUS, "written as a separate NodeClass"),
    *OBJECT_SETTINGS,
    standalone=NodeClassContext(UNKNOWN, UNKNOWN, UNKNOWN),
    required=[("role", "instanceProfile"), ("subnetSelectorTerms",), ("securityGroupSelectorTerms",)],
    foreign={
        **dict.fromkeys(_ELSEWHERE, "`EC2NodeClass` (self-managed Karpenter)"),
        **dict.fromkeys(("amis", "subnets", "securityGroups", "conditions"), "the status, which Auto Mode writes"),
    },
)

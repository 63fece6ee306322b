"""The `spec` of an EC2NodeClass of self-managed Karpenter (karpenter.k8s.aws/v1). Effects: docs/facts/changes.md § 4."""

from typing import Final

from nodepools.wire.rows import EMPTY_IS_NONE, Each, Part, Row
from nodepools.wire.table import Change, Effect, Table

_KARPENTER: Final = "karpenter-provider-aws 1.15"
_HASHED: Final = Change(Effect.ROLLS, f"{_KARPENTER}: part of its hash")
_NEW_NODES: Final = Change(Effect.IN_PLACE, f"{_KARPENTER}: not part of its hash, so only new nodes have it")
_SELECTS_SUBNETS: Final = Change(Effect.ROLLS_SOME, f"{_KARPENTER}: nodes in subnets that are no longer selected drift")
_SELECTS_GROUPS: Final = Change(Effect.ROLLS, f"{_KARPENTER}: all nodes drift if another set is selected")
_SELECTS_IMAGES: Final = Change(Effect.ROLLS_SOME, f"{_KARPENTER}: nodes drift if their image is not the one selected now")
_SELECTS_RESERVATIONS: Final = Change(Effect.UNKNOWN, f"{_KARPENTER}: depends on the reservation of each node")

_SUBNET: Final = Table(Row("id", "id"), Row("tags", "tags"))
_GROUP: Final = Table(Row("id", "id"), Row("name", "name"), Row("tags", "tags"))
_AMI: Final = Table(
    Row("alias", "alias"), Row("id", "id"), Row("name", "name"), Row("owner", "owner"), Row("ssm_parameter", "ssmParameter"), Row("tags", "tags")
)
_RESERVATION: Final = Table(Row("id", "id"), Row("instance_match_criteria", "instanceMatchCriteria"), Row("owner", "ownerID"), Row("tags", "tags"))
_EBS: Final = Table(
    Row("volume_size", "volumeSize"),
    Row("snapshot_id", "snapshotID"),
    Row("volume_type", "volumeType"),
    Row("iops", "iops"),
    Row("throughput", "throughput"),
    Row("encrypted", "encrypted"),
    Row("kms_key_id", "kmsKeyID"),
    Row("delete_on_termination", "deleteOnTermination"),
    Row("volume_initialization_rate", "volumeInitializationRate"),
)
_DEVICE: Final = Table(Row("device_name", "deviceName"), Part("ebs", "ebs", _EBS, empty=True), Row("root_volume", "rootVolume"))
_METADATA: Final = Table(
    Row("http_endpoint", "httpEndpoint", default="enabled"),
    Row("http_protocol_ipv6", "httpProtocolIPv6", default="disabled"),
    Row("http_put_response_hop_limit", "httpPutResponseHopLimit", default=1),
    Row("http_tokens", "httpTokens", default="required"),
)
_INTERFACE: Final = Table(Row("network_card_index", "networkCardIndex"), Row("device_index", "deviceIndex"), Row("interface_type", "interfaceType"))
_TRACKING: Final = Table(
    Row("tcp_established_timeout", "tcpEstablishedTimeout"), Row("udp_stream_timeout", "udpStreamTimeout"), Row("udp_timeout", "udpTimeout")
)
NODE_CLASS: Final = Table(
    Row("role", "role", _HASHED),
    Row("instance_profile", "instanceProfile", _HASHED),
    Row("ami_family", "amiFamily", _HASHED),
    Each("ami_terms", "amiSelectorTerms", _AMI, _SELECTS_IMAGES, always=True),
    Each("subnets", "subnetSelectorTerms", _SUBNET, _SELECTS_SUBNETS, always=True),
    Each("security_groups", "securityGroupSelectorTerms", _GROUP, _SELECTS_GROUPS, always=True),
    Each("capacity_reservations", "capacityReservationSelectorTerms", _RESERVATION, _SELECTS_RESERVATIONS),
    Row("associate_public_ip_address", "associatePublicIPAddress", _HASHED),
    Row("ip_prefix_count", "ipPrefixCount", _NEW_NODES),
    Each("network_interfaces", "networkInterfaces", _INTERFACE, _HASHED),
    Part("connection_tracking", "connectionTracking", _TRACKING, _HASHED, empty=True),
    Part("placement_group", "placementGroupSelector", Table(Row("name", "name"), Row("id", "id")), _HASHED, empty=True),
    Each("block_devices", "blockDeviceMappings", _DEVICE, _HASHED),
    Row("instance_store_policy", "instanceStorePolicy", _HASHED),
    Part("metadata_options", "metadataOptions", _METADATA, _HASHED),
    Row("kubelet", "kubelet", _HASHED),
    Row("user_data", "userData", _HASHED, EMPTY_IS_NONE),
    Part("cpu_options", "cpuOptions", Table(Row("nested_virtualization", "nestedVirtualization")), _HASHED),
    Part("enclave_options", "enclaveOptions", Table(Row("enabled", "enabled")), _HASHED, empty=True),
    Row("detailed_monitoring", "detailedMonitoring", _HASHED),
    Row("context", "context", _HASHED),
    Row("tags", "tags", _HASHED),
    required=[("role", "instanceProfile"), ("amiSelectorTerms",), ("subnetSelectorTerms",), ("securityGroupSelectorTerms",)],
)

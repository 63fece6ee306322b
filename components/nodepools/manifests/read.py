"""Objects of a cluster as models: the inverse of what is rendered. An object that no model can hold is told with all its faults."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from pydantic import ValidationError

from nodepools.manifests.node_pool import EKS_NODE_CLASS, ClassKind
from nodepools.manifests.spelling import Always, Each, Part, Reading, Steps, Table, written_as
from nodepools.model.base import Model
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.rules.annotation import target
from nodepools.rules.fault import Fault
from nodepools.rules.path import spelled
from nodepools.rules.shape import shape_faults

M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=NodePool)

_TAINT: Table = {"key": "key", "value": "value", "effect": "effect", "timeAdded": "time_added"}
_REQUIREMENT: Table = {"key": "key", "operator": "operator", "values": "values", "minValues": "min_values"}
_BUDGET: Table = {"nodes": "nodes", "schedule": "schedule", "duration": "duration", "reasons": "reasons"}
_DISRUPTION: Table = {"consolidationPolicy": "consolidation_policy", "consolidateAfter": "consolidate_after", "budgets": Each("budgets", _BUDGET)}
_TERM: Table = {"id": "id", "name": "name", "tags": "tags"}
_INTERFACE: Table = {
    "networkCardIndex": "network_card_index",
    "deviceIndex": "device_index",
    "interfaceType": "interface_type",
    "secondaryIPv4Count": "secondary_ipv4_count",
    "secondaryIPv4PrefixCount": "secondary_ipv4_prefix_count",
}
_NETWORKING: Table = {
    "httpsProxy": "https_proxy",
    "noProxy": "no_proxy",
    "associatePublicIPAddress": "associate_public_ip_address",
    "ipv4PrefixSize": "ipv4_prefix_size",
    "enableV4Egress": "enable_v4_egress",
    "networkInterfaces": Each("network_interfaces", _INTERFACE),
}
EKS_NODE_CLASS_SPEC: Table = {
    "role": "role",
    "instanceProfile": "instance_profile",
    "subnetSelectorTerms": Each("subnets", _TERM),
    "securityGroupSelectorTerms": Each("security_groups", _TERM),
    "podSubnetSelectorTerms": Each("pod_subnets", _TERM),
    "podSecurityGroupSelectorTerms": Each("pod_security_groups", _TERM),
    "capacityReservationSelectorTerms": Each("capacity_reservations", {"id": "id", "tags": "tags", "owner": "owner"}),
    "networkPolicy": "network_policy",
    "networkPolicyEventLogs": "network_policy_event_logs",
    "snatPolicy": "snat_policy",
    "ephemeralStorage": {
        "size": "ephemeral_storage",
        "iops": "ephemeral_storage_iops",
        "throughput": "ephemeral_storage_throughput",
        "kmsKeyID": "ephemeral_storage_kms_key_id",
    },
    "advancedNetworking": Part("advanced_networking", _NETWORKING),
    "advancedSecurity": {"fips": "fips"},
    "placementGroupSelector": Part("placement_group", {"name": "name", "id": "id"}),
    "certificateBundles": Each("certificate_bundles", {"name": "name", "data": "data"}),
    "tags": "tags",
}
"""The `spec` of a NodeClass."""
_EC2_FIELDS = (
    "amiFamily amiSelectorTerms associatePublicIPAddress blockDeviceMappings context detailedMonitoring instanceStorePolicy ipPrefixCount kubelet "
    "metadataOptions userData"
)
_OF_EC2_NODE_CLASS: dict[str, str] = dict.fromkeys(map(str, _EC2_FIELDS.split()), "EC2NodeClass, of self-hosted Karpenter")


class UnreadableObjectError(Exception):
    """An object that is no valid one of its kind; `faults` have paths as the object spells them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)


def node_pool_spec(kind: ClassKind) -> Table:
    """The `spec` of a NodePool whose nodes are of `kind`."""
    reference: Table = {"group": Always(kind.group), "kind": Always(kind.kind), "name": "node_class"}
    nodes: Table = {
        "nodeClassRef": reference,
        "requirements": Each("requirements", _REQUIREMENT),
        "taints": Each("taints", _TAINT),
        "startupTaints": Each("startup_taints", _TAINT),
        "expireAfter": "expire_after",
        "terminationGracePeriod": "termination_grace_period",
    }
    template: Table = {"metadata": {"labels": "labels", "annotations": "annotations"}, "spec": nodes}
    return {"template": template, "disruption": Part("disruption", _DISRUPTION), "weight": "weight", "replicas": "replicas", "limits": "limits"}


def read_eks_node_class(manifest: Mapping[str, object]) -> tuple[str, EksNodeClass]:
    """Name and content of a NodeClass.

    Raises:
        UnreadableObjectError: it is no valid one.
    """
    api = f"{EKS_NODE_CLASS.group}/{EKS_NODE_CLASS.version}"
    reading = Reading(f"{EKS_NODE_CLASS.kind} ({api})", _OF_EC2_NODE_CLASS)
    name, written = _opened(reading, manifest, api, EKS_NODE_CLASS.kind)
    return name, _validated(reading, EksNodeClass, EKS_NODE_CLASS_SPEC, reading.declared(EKS_NODE_CLASS_SPEC, written, ("spec",)))


def read_eks_node_pool(manifest: Mapping[str, object]) -> tuple[str, EksNodePool]:
    """Name and content of a NodePool of EKS Auto Mode; one that names no class of its own reads as one of the class `default`.

    Raises:
        UnreadableObjectError: it is no valid one.
    """
    return read_node_pool(manifest, EksNodePool, EKS_NODE_CLASS)


def read_node_pool(manifest: Mapping[str, object], model: type[P], kind: ClassKind) -> tuple[str, P]:
    """Name and content of a NodePool; the label with which we mark the nodes of every pool is not among its own.

    Raises:
        UnreadableObjectError: it is no valid one.
    """
    reading, table = Reading("NodePool (karpenter.sh/v1)"), node_pool_spec(kind)
    name, written = _opened(reading, manifest, "karpenter.sh/v1", "NodePool")
    declared = reading.declared(table, written, ("spec",))
    labels = declared.get("labels")
    if isinstance(labels, Mapping):
        declared["labels"] = {key: value for key, value in cast("Mapping[str, object]", labels).items() if (key, value) != (POOL_LABEL, name)}
    return name, _validated(reading, model, table, declared)


def _opened(reading: Reading, manifest: Mapping[str, object], api_version: str, kind: str) -> tuple[str, Mapping[str, object]]:
    """Its name and `spec`; what the cluster adds beside them is no matter."""
    for field, right in (("apiVersion", api_version), ("kind", kind)):
        if manifest.get(field) != right:
            reading.fault("CFG003", (field,), manifest.get(field), f"should be {right}", f"write {right}")
    metadata, spec = manifest.get("metadata"), manifest.get("spec")
    name = cast("Mapping[str, object]", metadata).get("name") if isinstance(metadata, Mapping) else None
    if not isinstance(name, str):
        reading.fault("CFG001", ("metadata", "name"), name, "is required", "add a name")
    if spec is not None and not isinstance(spec, Mapping):
        reading.fault("CFG004", ("spec",), spec, "should be a mapping of names to values", "write names with their values")
    return str(name), cast("Mapping[str, object]", spec) if isinstance(spec, Mapping) else {}


def _validated(reading: Reading, model: type[M], table: Table, declared: Mapping[str, object]) -> M:
    try:
        made = model.model_validate(declared)
    except ValidationError as error:
        raise UnreadableObjectError([*reading.faults, *_shapes(error, model, table)]) from None
    if reading.faults:
        raise UnreadableObjectError(reading.faults)
    return made


def _shapes(error: ValidationError, model: type[Model], table: Table) -> list[Fault]:
    """Faults of shape, with their paths as the object spells them."""
    steps = [target(model, detail["loc"]).steps for detail in error.errors(include_url=False)]
    paths = {spelled(at): object_path(table, at) for at in steps}
    return [replace(fault, path=paths[fault.path]) for fault in shape_faults(error, model)]


def object_path(table: Table, steps: Steps) -> str:
    """The path in the object of what the model has at `steps`; the words of the model where the object has nothing like it."""
    found = written_as(table, steps)
    return spelled(("spec", *(found if found is not None else steps)))

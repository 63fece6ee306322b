"""The NodeClass of EKS Auto Mode, written and read back. References are resolved by the caller: here they are values, or outputs of Pulumi."""

from collections.abc import Callable, Mapping, Sequence

from nodepools.manifests.node_pool import EKS_NODE_CLASS, ClassKind, cluster_object, given
from nodepools.manifests.overlay import overlaid
from nodepools.manifests.read import ClassForm, Known, known_of_node_class, node_class_in, node_pool_in, spec_of
from nodepools.manifests.spelling import Each, Part, Table
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.node_class import (
    AdvancedNetworking,
    CapacityReservationTerm,
    EksNodeClass,
    NetworkInterface,
    PlacementGroup,
    SelectorTerm,
)
from nodepools.model.ref import Ref
from nodepools.rules.finding import Finding

Resolve = Callable[[Ref], object]
"""What a reference stands for."""

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
_OF_EC2_NODE_CLASS: dict[str, str] = dict.fromkeys(_EC2_FIELDS.split(), "EC2NodeClass, of self-hosted Karpenter")
_FORM = ClassForm(EksNodeClass, EKS_NODE_CLASS, EKS_NODE_CLASS_SPEC, _OF_EC2_NODE_CLASS)


def eks_node_class(
    name: object,
    declared: EksNodeClass,
    resolve: Resolve,
    *,
    role: object,
    subnets: Sequence[dict[str, object]],
    security_groups: Sequence[dict[str, object]],
) -> dict[str, object]:
    """A NodeClass. `role`, `subnets` and `security_groups` are the cluster's own, where the declared class names none."""
    spec = {
        **_identity(declared, resolve, role),
        "subnetSelectorTerms": _terms(declared.subnets, resolve) or list(subnets),
        "securityGroupSelectorTerms": _terms(declared.security_groups, resolve) or list(security_groups),
        "networkPolicy": declared.network_policy,
        "networkPolicyEventLogs": declared.network_policy_event_logs,
        "snatPolicy": declared.snat_policy,
        "ephemeralStorage": _storage(declared, resolve),
        **given(
            podSubnetSelectorTerms=_terms(declared.pod_subnets, resolve),
            podSecurityGroupSelectorTerms=_terms(declared.pod_security_groups, resolve),
            capacityReservationSelectorTerms=_terms(declared.capacity_reservations, resolve),
            advancedNetworking=_networking(declared.advanced_networking) if declared.advanced_networking is not None else None,
            advancedSecurity={"fips": True} if declared.fips else None,
            placementGroupSelector=_group(declared.placement_group, resolve) if declared.placement_group is not None else None,
            certificateBundles=[{"name": bundle.name, "data": bundle.data} for bundle in declared.certificate_bundles],
            tags=dict(declared.tags),
        ),
    }
    return cluster_object(_version(EKS_NODE_CLASS), EKS_NODE_CLASS.kind, name, overlaid(spec, declared.overrides))


def eks_node_class_in(manifest: Mapping[str, object]) -> Known[EksNodeClass]:
    """A NodeClass, as far as it is well formed."""
    return node_class_in(manifest, _FORM, required=_required(manifest))


def known_of_eks_node_class(manifest: Mapping[str, object]) -> tuple[EksNodeClass | None, list[Finding]]:
    """As much of a NodeClass as is known, and all that is wrong with it."""
    return known_of_node_class(manifest, _FORM, required=_required(manifest))


def eks_node_pool_in(manifest: Mapping[str, object]) -> Known[EksNodePool]:
    """A NodePool of EKS Auto Mode, as far as it is well formed."""
    return node_pool_in(manifest, EksNodePool, EKS_NODE_CLASS)


def _required(manifest: Mapping[str, object]) -> tuple[str, ...]:
    return (*(() if "instanceProfile" in spec_of(manifest) else ("role",)), "subnetSelectorTerms", "securityGroupSelectorTerms")


def _version(kind: ClassKind) -> str:
    return f"{kind.group}/{kind.version}"


def _identity(declared: EksNodeClass, resolve: Resolve, role: object) -> dict[str, object]:
    if declared.instance_profile is not None:
        return {"instanceProfile": resolve(declared.instance_profile)}
    return {"role": resolve(declared.role) if declared.role is not None else role}


def _storage(declared: EksNodeClass, resolve: Resolve) -> dict[str, object]:
    key = declared.ephemeral_storage_kms_key_id
    return given(
        size=str(declared.ephemeral_storage),
        iops=declared.ephemeral_storage_iops,
        throughput=declared.ephemeral_storage_throughput,
        kmsKeyID=resolve(key) if key is not None else None,
    )


def _terms(terms: Sequence[SelectorTerm | CapacityReservationTerm], resolve: Resolve) -> list[dict[str, object]]:
    return [
        given(
            id=resolve(term.id) if term.id is not None else None,
            name=term.name if isinstance(term, SelectorTerm) else None,
            owner=term.owner if isinstance(term, CapacityReservationTerm) else None,
            tags=dict(term.tags),
        )
        for term in terms
    ]


def _networking(declared: AdvancedNetworking) -> dict[str, object]:
    return given(
        httpsProxy=declared.https_proxy,
        noProxy=list(declared.no_proxy),
        associatePublicIPAddress=declared.associate_public_ip_address,
        ipv4PrefixSize=declared.ipv4_prefix_size,
        enableV4Egress=declared.enable_v4_egress,
        networkInterfaces=[_interface(interface) for interface in declared.network_interfaces],
    )


def _interface(declared: NetworkInterface) -> dict[str, object]:
    return {
        "networkCardIndex": declared.network_card_index,
        "deviceIndex": declared.device_index,
        "interfaceType": declared.interface_type,
        **given(secondaryIPv4Count=declared.secondary_ipv4_count, secondaryIPv4PrefixCount=declared.secondary_ipv4_prefix_count),
    }


def _group(declared: PlacementGroup, resolve: Resolve) -> dict[str, object]:
    return given(name=declared.name, id=resolve(declared.id) if declared.id is not None else None)

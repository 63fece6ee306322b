"""The NodeClass of EKS Auto Mode. References are resolved by the caller: here they are values, or outputs of Pulumi."""

from collections.abc import Callable, Sequence

from nodepools.manifests.node_pool import EKS_NODE_CLASS, ClassKind, cluster_object, given
from nodepools.manifests.overlay import overlaid
from nodepools.model.eks.node_class import (
    AdvancedNetworking,
    CapacityReservationTerm,
    EksNodeClass,
    NetworkInterface,
    PlacementGroup,
    SelectorTerm,
)
from nodepools.model.ref import Ref

Resolve = Callable[[Ref], object]
"""What a reference stands for."""


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

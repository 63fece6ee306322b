"""The node classes of both clouds. References are resolved by the caller: here they are values, or outputs of Pulumi."""

from collections.abc import Callable, Sequence

from nodepools.manifests.node_pool import AKS_NODE_CLASS, EKS_NODE_CLASS, ClassKind, cluster_object, given
from nodepools.manifests.overlay import overlaid
from nodepools.model.aks.provisioning import AksNodeClass
from nodepools.model.base import plain
from nodepools.model.eks.auto_mode import EksNodeClass, SelectorTerm
from nodepools.model.ref import Ref

Resolve = Callable[[Ref], object]
"""What a reference stands for."""


def aks_node_class(name: str, declared: AksNodeClass, resolve: Resolve, *, subnet: object = None) -> dict[str, object]:
    """An AKSNodeClass. `subnet` is the cluster's own, where the declared class names none."""
    spec = {
        "imageFamily": declared.image_family,
        **given(
            osDiskSizeGB=declared.os_disk_size_gb,
            maxPods=declared.max_pods,
            vnetSubnetID=resolve(declared.vnet_subnet_id) if declared.vnet_subnet_id is not None else subnet,
            tags=dict(declared.tags),
        ),
    }
    return cluster_object(_version(AKS_NODE_CLASS), AKS_NODE_CLASS.kind, name, overlaid(spec, {k: plain(v) for k, v in declared.overrides.items()}))


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
    storage = given(
        size=str(declared.ephemeral_storage),
        iops=declared.ephemeral_storage_iops,
        throughput=declared.ephemeral_storage_throughput,
        kmsKeyID=resolve(declared.ephemeral_storage_kms_key_id) if declared.ephemeral_storage_kms_key_id is not None else None,
    )
    spec = {
        "role": resolve(declared.role) if declared.role is not None else role,
        "subnetSelectorTerms": [_term(term, resolve) for term in declared.subnets] or list(subnets),
        "securityGroupSelectorTerms": [_term(term, resolve) for term in declared.security_groups] or list(security_groups),
        "networkPolicy": declared.network_policy,
        "networkPolicyEventLogs": declared.network_policy_event_logs,
        "snatPolicy": declared.snat_policy,
        "ephemeralStorage": storage,
        **given(tags=dict(declared.tags)),
    }
    return cluster_object(_version(EKS_NODE_CLASS), EKS_NODE_CLASS.kind, name, overlaid(spec, {k: plain(v) for k, v in declared.overrides.items()}))


def _version(kind: ClassKind) -> str:
    return f"{kind.group}/{kind.version}"


def _term(term: SelectorTerm, resolve: Resolve) -> dict[str, object]:
    return given(id=resolve(term.id) if term.id is not None else None, name=term.name, tags=dict(term.tags))

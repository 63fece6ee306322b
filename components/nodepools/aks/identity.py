"""The managed identities of an AKS cluster: its own, and that of its nodes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import pulumi
from pulumi_azure_native import managedidentity

from nodepools.aks.network import Subnets
from nodepools.aks.rights import cluster_rights
from nodepools.aks.role_assignments import OPERATOR, PULL, distinct, granted, mark
from nodepools.component.scope import ChildScope
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.kubelet_identity import KubeletIdentity
from nodepools.wire.aks.around import KubeletIds
from nodepools.wire.aks.identity import SYSTEM_ASSIGNED


@dataclass(frozen=True, slots=True)
class Identities:
    """The identities of a cluster, and their role assignments, which must exist before the cluster."""

    id: pulumi.Input[str] | None
    """Id of the identity of the cluster; `None` if AKS assigns it, with the cluster."""
    principal_id: pulumi.Input[str] | None = None
    """Its principal, if it is created."""
    kubelet: KubeletIds | None = None
    """The identity that is created for nodes."""
    grants: Sequence[pulumi.Resource] = ()


def cluster_identities(scope: ChildScope, args: AksClusterArgs, resource_group: pulumi.Input[str], subnets: Subnets) -> Identities:
    """The existing identity or the one that AKS assigns, which get no roles, or a new one for the cluster; and a new one for nodes if it is declared.

    A new identity and its roles exist before the cluster, unlike an identity that AKS creates with it: so the first node can pull from registries.
    """
    created = _created(scope, args, resource_group) if args.identity is None else None
    kubelet = _created(scope, args, resource_group, "kubelet") if args.creates_kubelet_identity else None
    given = scope.value(args.identity) if args.identity not in (None, SYSTEM_ASSIGNED) else None  # type: ignore[arg-type]  # not None here
    grants = [
        *(cluster_rights(scope, args, created.principal_id, subnets) if created is not None else ()),
        *(_operator(scope, created, kubelet) if created is not None and kubelet is not None else ()),
        *_pull(scope, args, kubelet),
    ]
    return Identities(
        created.id if created is not None else given,
        created.principal_id if created is not None else None,
        KubeletIds(kubelet.id, kubelet.client_id, kubelet.principal_id) if kubelet is not None else None,
        grants,
    )


def _created(scope: ChildScope, args: AksClusterArgs, resource_group: pulumi.Input[str], *words: str) -> managedidentity.UserAssignedIdentity:
    name = scope.name(*words)
    return managedidentity.UserAssignedIdentity(
        name,
        resource_name_=name,
        resource_group_name=resource_group,
        location=args.location,
        tags=dict(scope.tags),
        opts=scope.options(),
    )


def _operator(
    scope: ChildScope, cluster: managedidentity.UserAssignedIdentity, kubelet: managedidentity.UserAssignedIdentity
) -> Iterator[pulumi.Resource]:
    """The right to give the identity to nodes: on the identity itself, because AKS looks for the assignment there."""
    yield granted(scope, scope.name("kubelet-operator"), OPERATOR, to=cluster.principal_id, on=kubelet.id)


def _pull(scope: ChildScope, args: AksClusterArgs, kubelet: managedidentity.UserAssignedIdentity | None) -> Iterator[pulumi.Resource]:
    """Both roles on each registry. With an identity that AKS creates, or whose object id is not declared, there is no principal."""
    declared = args.kubelet_identity if args.kubelet_identity is not None else KubeletIdentity()
    principal = kubelet.principal_id if kubelet is not None else scope.value(declared.object_id) if declared.object_id is not None else None
    if principal is None:
        return
    for (number, registry), (word, role) in product(enumerate(distinct(args.pulled_registries)), PULL.items()):
        yield granted(scope, scope.name(word, mark(registry, number)), role, to=principal, on=scope.value(registry))

"""The managed identity of an AKS cluster."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pulumi
from pulumi_azure_native import managedidentity

from nodepools.aks.role_assignments import NETWORK_CONTRIBUTOR, READER, ZONE_CONTRIBUTOR, assigned
from nodepools.component.scope import ChildScope
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.wire.aks.identity import SYSTEM_ASSIGNED


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of the cluster, and its role assignments, which must exist before the cluster."""

    id: pulumi.Input[str] | None
    """`None` if AKS assigns it, with the cluster."""
    grants: Sequence[pulumi.Resource] = ()


def cluster_identity(scope: ChildScope, args: AksClusterArgs, resource_group: pulumi.Input[str], vnet_id: pulumi.Output[str] | None) -> Identity:
    """The existing identity or the one that AKS assigns, which get no roles, or a new one for the cluster.

    The new one is Network Contributor of the virtual network instead of a subnet: node auto provisioning reads the network, too
    (Azure/karpenter-provider-azure#332). It and its role exist before the cluster, unlike an identity that AKS assigns. A network that AKS manages
    is in the node resource group, on which AKS grants the roles itself.
    """
    if args.identity == SYSTEM_ASSIGNED:
        return Identity(None)
    if args.identity is not None:
        return Identity(scope.value(args.identity))
    made = managedidentity.UserAssignedIdentity(
        scope.stem,
        resource_name_=scope.stem,
        resource_group_name=resource_group,
        location=args.location,
        tags=dict(scope.tags),
        opts=scope.options(),
    )
    return Identity(made.id, (*_of_network(scope, made.principal_id, vnet_id), *_of_options(scope, args, made.principal_id)))


def _of_network(scope: ChildScope, principal: pulumi.Output[str], vnet_id: pulumi.Output[str] | None) -> Iterator[pulumi.Resource]:
    if vnet_id is not None:
        role = NETWORK_CONTRIBUTOR
        yield assigned(scope.name("network"), role, to=principal, on=vnet_id, principal_type="ServicePrincipal", opts=scope.options())


def _of_options(scope: ChildScope, args: AksClusterArgs, principal: pulumi.Output[str]) -> Iterator[pulumi.Resource]:
    """Roles on existing resources that the cluster uses: the disk encryption set, without which no node starts, and the DNS zone."""
    zone = args.private_dns_zone if args.private_dns_zone not in ("system", "none") else None
    uses = {"disks": (READER, args.disk_encryption_set_id), "zone": (ZONE_CONTRIBUTOR, zone)}
    for word, (role, ref) in uses.items():
        if ref is not None:
            on = pulumi.Output.from_input(scope.value(ref))
            yield assigned(scope.name(word), role, to=principal, on=on, principal_type="ServicePrincipal", opts=scope.options())

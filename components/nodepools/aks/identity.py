"""Whom a cluster acts as."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_azure_native import managedidentity

from nodepools.aks.roles import NETWORK_CONTRIBUTOR, assigned
from nodepools.component.scope import Scope
from nodepools.model.aks.cluster import AksClusterArgs


@dataclass(frozen=True, slots=True)
class Identity:
    """The cluster's identity, and what must be granted to it before the cluster is made."""

    id: pulumi.Input[str]
    grants: Sequence[pulumi.Resource] = ()


def cluster_identity(scope: Scope, args: AksClusterArgs, resource_group: pulumi.Input[str], vnet_id: pulumi.Output[str]) -> Identity:
    """The brought identity, to which nothing is granted, or one of the cluster's own.

    That one is Network Contributor of the virtual network, and not of a subnet only: node auto provisioning reads the network too
    (Azure/karpenter-provider-azure#332). It exists before the cluster, as one that AKS assigns would not, and so does its right.
    """
    if args.identity is not None:
        return Identity(scope.value(args.identity))
    made = managedidentity.UserAssignedIdentity(
        scope.stem,
        resource_name_=scope.stem,
        resource_group_name=resource_group,
        location=args.location,
        tags=dict(args.tags),
        opts=scope.options(),
    )
    grant = assigned(
        scope.name("network"),
        NETWORK_CONTRIBUTOR,
        to=made.principal_id,
        on=vnet_id,
        principal_type="ServicePrincipal",
        opts=scope.options(),
    )
    return Identity(made.id, (grant,))

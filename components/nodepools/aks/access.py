"""Who may enter a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_azure_native import authorization, containerservice

from nodepools.aks.propagation import Propagation
from nodepools.aks.role_assignments import CLUSTER_ADMIN, assigned
from nodepools.component.scope import ChildScope
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.name_limits import fingerprint
from nodepools.model.ref import Ref, is_output


def admins(
    scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster, *, objects_follow: bool
) -> Sequence[pulumi.Input[pulumi.Resource]]:
    """Grants the cluster-admin role; in-cluster objects depend on what this returns. Nothing without Entra ID.

    The deployer gets it too, unless `entra` says otherwise: who makes a cluster with Entra ID may not enter it yet. It is whoever runs
    Pulumi, so where several do, each takes the place of the one before: name a group of them in `admins` instead.

    Where objects follow, they wait until a new grant of the deployer's has reached the API server, which would refuse them before: once,
    and only for a grant that may be the one that lets the deployer in.
    """
    if args.entra is None:
        return ()
    deployer = _deployer(scope) if args.entra.deployer_is_admin else None
    lets_in = [_Grant(admin.object_id, admin.principal_type) for admin in args.admins]
    if deployer is not None and not any(_same(grant.object_id, deployer) for grant in lets_in):
        lets_in.append(_Grant(deployer, None))
    propagation = Propagation()
    made: list[pulumi.Input[pulumi.Resource]] = []
    for number, grant in enumerate(lets_in):
        is_awaited = objects_follow and (deployer is None or _same(grant.object_id, deployer))
        assignment = assigned(
            scope.name("admin", _mark(grant, number)),
            CLUSTER_ADMIN,
            to=scope.value(grant.object_id),
            on=cluster.id,
            principal_type=grant.principal_type,
            opts=scope.options(hooks=propagation.hooks if is_awaited else None),
        )
        made.append(propagation.awaited(assignment) if is_awaited else assignment)
    return made


@dataclass(frozen=True, slots=True)
class _Grant:
    object_id: Ref
    principal_type: str | None
    """`None` for the deployer: it may be a user or a service principal, and Azure refuses the wrong word. Found without it, for it is not new."""


def _deployer(scope: ChildScope) -> str:
    """The object id of who runs Pulumi: known while the program runs, so that it can be looked for among the admins."""
    return authorization.get_client_config(opts=scope.invoke_options).object_id


def _same(object_id: Ref, deployer: str) -> bool:
    return isinstance(object_id, str) and object_id.lower() == deployer.lower()


def _mark(grant: _Grant, number: int) -> str:
    """Names a grant after who gets it, not after its place: Azure refuses a second assignment under another name."""
    return str(number) if is_output(grant.object_id) else fingerprint(str(grant.object_id).lower())

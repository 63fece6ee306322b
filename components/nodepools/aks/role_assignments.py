"""Azure roles and role assignments, with those of the admins of a cluster. Facts: docs/facts/aks.md § 9."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeVar

import pulumi
from pulumi_azure_native import authorization, containerservice

from nodepools.component.scope import ChildScope
from nodepools.model.aks.azure_roles import ROLES
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.name_limits import fingerprint
from nodepools.model.ref import Ref, is_output
from nodepools.model.values import dataclass

CLUSTER_ADMIN: Final = ROLES["Azure Kubernetes Service RBAC Cluster Admin"]
"""Everything inside a cluster, including custom resources."""
CONTRIBUTOR: Final = ROLES["Contributor"]
CRYPTO_USER: Final = ROLES["Key Vault Crypto User"]
NETWORK_CONTRIBUTOR: Final = ROLES["Network Contributor"]
OPERATOR: Final = ROLES["Managed Identity Operator"]
PULL: Final = {"pull": ROLES["AcrPull"], "read": ROLES["Container Registry Repository Reader"]}
"""Roles for pulling images, by the word in the names of their assignments: the permissions mode of a registry decides which one applies."""
READER: Final = ROLES["Reader"]
SECRETS_USER: Final = ROLES["Key Vault Secrets User"]
VAULT_CONTRIBUTOR: Final = ROLES["Key Vault Contributor"]
ZONE_CONTRIBUTOR: Final = ROLES["Private DNS Zone Contributor"]

T = TypeVar("T")


def known_after_creation(
    cluster: containerservice.ManagedCluster, read: Callable[[containerservice.ManagedCluster], pulumi.Output[T]]
) -> pulumi.Output[T]:
    """The value once Azure returned it. In a preview it is unknown: the other outputs are then those of the request, which lack it."""
    return cluster.resource_uid.apply(lambda _: read(cluster))


def assigned(
    name: str, role: str, *, to: pulumi.Input[str], on: pulumi.Output[str], principal_type: str | None, opts: pulumi.ResourceOptions
) -> authorization.RoleAssignment:
    """Assigns `role` to a principal on a resource, both by their ids.

    Without `principal_type` Azure looks the principal up, and does not find one that was just created. If the type is not known, nothing must
    be sent: for `None` the SDK sends its default, "User" (Azure/azure-rest-api-specs#21664), but not for an Output of `None`.
    """
    return authorization.RoleAssignment(
        name,
        principal_id=to,
        principal_type=principal_type if principal_type is not None else pulumi.Output.from_input(None),
        role_definition_id=on.apply(lambda resource_id: role_definition_id(role, resource_id)),
        scope=on,
        opts=opts,
    )


def role_definition_id(role: str, resource_id: str) -> str:
    """The id of a built-in role in the subscription of a resource: Azure returns this form, and a refresh would replace any other."""
    start, _, rest = resource_id.partition("/subscriptions/")
    subscription = f"/subscriptions/{rest.partition('/')[0]}" if rest and not start else ""
    return f"{subscription}/providers/Microsoft.Authorization/roleDefinitions/{role}"


def granted(scope: ChildScope, name: str, role: str, *, to: pulumi.Input[str], on: pulumi.Input[str]) -> authorization.RoleAssignment:
    """Assigns `role` to a managed identity on a resource."""
    where = pulumi.Output.from_input(on)
    return assigned(name, role, to=to, on=where, principal_type="ServicePrincipal", opts=scope.options())


def definition(role: str) -> str:
    """The id of the definition of a role, by its name or by its id."""
    return ROLES.get(role, role.lower())


def mark(ref: Ref, number: int) -> str:
    """The part of a name that stands for `ref`; not its index, which can change: Azure rejects the same assignment under another name."""
    return str(number) if is_output(ref) else fingerprint(str(ref).lower())


def distinct(refs: Iterable[Ref | None]) -> list[Ref]:
    """Each resource once: Azure rejects a second assignment of the same role."""
    return list({same(ref): ref for ref in refs if ref is not None}.values())


def same(ref: Ref) -> object:
    """Equal for references that name one resource, as far as that is known."""
    return ref.lower() if isinstance(ref, str) else ref


_PROVIDER: Final = "azureKeyvaultSecretsProvider"


def vault_rights(scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster) -> None:
    """Lets the provider read secrets of the declared vaults. AKS creates its identity, so the roles follow the cluster."""
    provider = args.key_vault_provider
    if provider is None or not provider.enabled:
        return
    identity = provider_identity(args, cluster)
    for number, vault in enumerate(distinct(provider.vaults)):
        granted(scope, scope.name("vault", mark(vault, number)), SECRETS_USER, to=identity, on=scope.value(vault))


def provider_identity(args: AksClusterArgs, cluster: containerservice.ManagedCluster) -> pulumi.Output[str]:
    """Object id of the identity of the provider; empty without one."""
    if args.key_vault_provider is None or not args.key_vault_provider.enabled:
        return pulumi.Output.from_input("")
    return known_after_creation(cluster, lambda created: created.addon_profiles.apply(_object_id))


def _object_id(profiles: Mapping[str, containerservice.outputs.ManagedClusterAddonProfileResponse] | None) -> str:
    """Mocks of other programs return what was sent, which has no identity."""
    identity = profiles[_PROVIDER].identity if profiles is not None and _PROVIDER in profiles else None
    return identity.object_id if identity is not None and identity.object_id is not None else ""


def admins(
    scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster, *, objects_follow: bool
) -> Sequence[pulumi.Input[pulumi.Resource]]:
    """Grants the cluster-admin role and returns what in-cluster objects depend on. Grants nothing without Entra ID and Azure RBAC.

    The deployer gets the role, too, unless `entra` turns that off: creating a cluster with Entra ID gives no access to it. The deployer is
    the identity that runs Pulumi: if several identities do, each replaces the one before. Name a group of them in `admins` instead.

    In-cluster objects wait until a new grant of the deployer has reached the API server, which rejects them before: once,
    and only for grants that can be the one of the deployer.
    """
    if args.entra is None or not args.entra.azure_rbac:
        return ()
    # A plain value, so that it can be compared with the admins.
    deployer = authorization.get_client_config(opts=scope.invoke_options).object_id if args.entra.deployer_is_admin else None
    lets_in = [_Grant(admin.object_id, admin.principal_type) for admin in args.admins]
    if deployer is not None and not any(_same(grant.object_id, deployer) for grant in lets_in):
        lets_in.append(_Grant(deployer, None))
    propagation = Propagation()
    made: list[pulumi.Input[pulumi.Resource]] = []
    for number, grant in enumerate(lets_in):
        is_awaited = objects_follow and (deployer is None or _same(grant.object_id, deployer))
        assignment = assigned(
            scope.name("admin", mark(grant.object_id, number)),
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
    """`None` for the deployer, a user or a service principal: Azure rejects a wrong type, and finds an existing principal without it."""


def _same(object_id: Ref, deployer: str) -> bool:
    return isinstance(object_id, str) and object_id.lower() == deployer.lower()


SECONDS = 300
"""Time that a new assignment can take: learn.microsoft.com/azure/aks/manage-azure-rbac."""


class Propagation:
    """Makes the dependents of a new assignment wait for it, and no other resource.

    A hook that waits would stop the whole update: Pulumi starts no other resource until it returns. So the hook only records that the
    assignment is new, and its dependents depend on an output that waits. If nothing is created (a preview, a test with mocks, an update
    with an existing assignment), no hook runs and nothing waits.

    An `up` that fails does not wait. The next one waits for the rest of the time, from when Azure created the assignment: its state has that.
    """

    def __init__(self) -> None:
        """Starts without new assignments."""
        self._new: set[str] = set()
        self.hooks = pulumi.ResourceHookBinding(after_create=[self._note])
        """Hooks of the assignments to wait for."""

    def awaited(self, assignment: authorization.RoleAssignment) -> pulumi.Input[pulumi.Resource]:
        """`assignment`, once it has reached the API server: for `depends_on`. In a preview at once: there, the time of a new one is unknown."""
        if pulumi.runtime.is_dry_run():
            return assignment

        async def effective(known: list[str]) -> pulumi.Resource:
            urn, _, created = known
            seconds = SECONDS if urn in self._new else seconds_left(created)
            if seconds > 0:
                pulumi.info(f"Waiting for {seconds} seconds: a new role assignment can take that long to reach the API server", assignment)
                await asyncio.sleep(seconds)
            return assignment

        return pulumi.Output.all(assignment.urn, assignment.id, assignment.created_on).apply(effective)

    def _note(self, created: pulumi.ResourceHookArgs) -> None:
        self._new.add(created.urn)


def seconds_left(created: object) -> int:
    """The rest of the time that an assignment can take; `created` is not text with mocks, which return what was sent."""
    if not isinstance(created, str):
        return 0
    moment = datetime.fromisoformat(created)
    age = (datetime.now(UTC) - (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))).total_seconds()
    return round(min(SECONDS - age, SECONDS))

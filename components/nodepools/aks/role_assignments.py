"""Azure roles and role assignments. Facts: docs/facts/aks.md § 9."""

from collections.abc import Iterable
from typing import Final

import pulumi
from pulumi_azure_native import authorization

from nodepools.component.scope import ChildScope
from nodepools.model.aks.azure_roles import ROLES
from nodepools.model.name_limits import fingerprint
from nodepools.model.ref import Ref, is_output

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


def assigned(
    name: str,
    role: str,
    *,
    to: pulumi.Input[str],
    on: pulumi.Output[str],
    principal_type: str | None,
    opts: pulumi.ResourceOptions,
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

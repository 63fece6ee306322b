"""Azure roles and role assignments. Facts: docs/facts/aks.md § 9."""

import pulumi
from pulumi_azure_native import authorization

CLUSTER_ADMIN = "b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b"
"""Azure Kubernetes Service RBAC Cluster Admin: everything inside a cluster, including custom resources."""
NETWORK_CONTRIBUTOR = "4d97b98b-1d4f-4787-a291-c67834d212e7"
"""Network Contributor."""
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
"""Reader."""
ZONE_CONTRIBUTOR = "b12aa53e-6015-4669-85d0-8515ebb3ae7f"
"""Private DNS Zone Contributor."""


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

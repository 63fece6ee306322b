"""Entra identities for workloads: a user-assigned identity that trusts one service account of a cluster. Facts: docs/facts/aks.md § 9."""

from collections.abc import Mapping, Sequence
from typing import Final

import pulumi
from pulumi_azure_native import managedidentity

from nodepools.aks.role_assignments import definition, granted, mark, same
from nodepools.component.errors import as_checked, reject_invalid
from nodepools.component.scope import ChildScope, with_secrets
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.workload_identity import WorkloadIdentity
from nodepools.model.name_limits import cut, fingerprint

_AUDIENCE: Final = "api://AzureADTokenExchange"
_LONGEST_NAME: Final = 120


class AksWorkloadIdentity(pulumi.ComponentResource):
    """An identity for the pods of one service account, with its roles."""

    client_id: pulumi.Output[str]
    """Client id, for the annotation `azure.workload.identity/client-id` of the service account; empty for an existing identity."""
    object_id: pulumi.Output[str]
    """Object id, for further role assignments; empty for an existing identity."""

    def __init__(
        self,
        name: str,
        args: WorkloadIdentity,
        *,
        issuer: pulumi.Input[str],
        resource_group_name: pulumi.Input[str],
        location: str,
        tags: Mapping[str, str] | None = None,
        after: Sequence[pulumi.Resource] = (),
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Registers the identity, its roles and its credential.

        Args:
            name: name of the identity and of its credential, and prefix of all names.
            args: the service account and the roles.
            issuer: URL of the OIDC issuer of the cluster: its output `oidc_issuer`.
            resource_group_name: an existing resource group, for a new identity.
            location: Azure region.
            tags: tags of a new identity.
            after: credentials of the same existing identity: Azure rejects changes of two at once (409).
            opts: options of the component; children inherit its provider and `protect`.

        Raises:
            InvalidDeclarationError: `args` have errors. Nothing is registered.
            WrongArgumentError: `args` are not a declaration.
        """
        reject_invalid(args, WorkloadIdentity, "AksWorkloadIdentity")
        super().__init__("nodepools:index:AksWorkloadIdentity", name, {}, opts)
        scope = ChildScope(self, name, with_secrets(tags, ("tags",)) if tags is not None else {})
        created = None
        if args.identity is None:
            created = managedidentity.UserAssignedIdentity(
                name,
                resource_name_=name,
                resource_group_name=resource_group_name,
                location=location,
                tags=dict(scope.tags),
                opts=scope.options(),
            )
            for number, (role, on) in enumerate({(definition(held.role), same(held.on)): held.on for held in args.roles}.items()):
                name_of_grant = scope.name(fingerprint(role[0]), mark(on, number))
                granted(scope, name_of_grant, role[0], to=created.principal_id, on=scope.value(on))
        existing = pulumi.Output.from_input(scope.value(args.identity)) if args.identity is not None else None
        self.credential = managedidentity.FederatedIdentityCredential(
            name,
            federated_identity_credential_resource_name=cut(name, _LONGEST_NAME),
            resource_name_=created.name if created is not None else existing.apply(_name) if existing is not None else None,
            resource_group_name=resource_group_name if existing is None else existing.apply(_group),
            issuer=issuer,
            subject=f"system:serviceaccount:{args.namespace}:{args.service_account}",
            audiences=[_AUDIENCE],
            opts=scope.options(depends_on=after),
        )
        nothing = pulumi.Output.from_input("")
        self.client_id = created.client_id if created is not None else nothing
        self.object_id = created.principal_id if created is not None else nothing
        self.register_outputs({"client_id": self.client_id, "object_id": self.object_id})


def workload_identities(
    scope: ChildScope, args: AksClusterArgs, issuer: pulumi.Output[str], resource_group: pulumi.Input[str]
) -> pulumi.Output[dict[str, str]]:
    """Registers the declared identities, and returns the client id of each new one by its key.

    Credentials of one existing identity are created one after another.
    """
    made: dict[str, AksWorkloadIdentity] = {}
    for key, declared in args.workload_identities.items():
        before = [one.credential for other, one in made.items() if args.workload_identities[other].identity == declared.identity]
        with as_checked(declared):
            made[key] = AksWorkloadIdentity(
                scope.name("workload", key),
                declared,
                issuer=issuer,
                resource_group_name=resource_group,
                location=args.location,
                tags=dict(args.tags),
                after=before if declared.identity is not None else (),
                opts=scope.component_options(),
            )
    own = {key: one.client_id for key, one in made.items() if args.workload_identities[key].identity is None}
    return pulumi.Output.all(**own).apply(dict)  # a list if it is empty


def _name(identity_id: str) -> str:
    return identity_id.rpartition("/")[2]


def _group(identity_id: str) -> str:
    """The resource group in the id, whose names ignore case."""
    steps = identity_id.split("/")
    return next((steps[place + 1] for place, step in enumerate(steps[:-1]) if step.lower() == "resourcegroups"), "")

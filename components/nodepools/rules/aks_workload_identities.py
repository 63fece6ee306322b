"""Entra identities of workloads in AKS clusters."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from nodepools.model.aks.azure_roles import ROLES
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.workload_identity import AzureRole, WorkloadIdentity
from nodepools.model.nearest import nearest
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import FixLike, correct_spelling, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_CREDENTIALS: Final = "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations"
_UUID: Final = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_MOST: Final = 20
_ON: Final = "/subscriptions/s/resourceGroups/g"
_GIVEN: Final = f"{_ON}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/jobs"
_DNS: Final = WorkloadIdentity("dns", "external-dns")


@rule(
    "AKS270",
    Severity.ERROR,
    source=f"{_PAGES}/workload-identity-overview: the credential trusts tokens of the OIDC issuer of the cluster",
    sample=lambda: aks(oidc_issuer=False, workload_identity=False, workload_identities={"dns": _DNS}),
)
def workload_identities_without_issuer(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A federated credential names the OIDC issuer of the cluster, so the cluster must have one."""
    if cluster.workload_identities and not cluster.oidc_issuer:
        message = f"Azure rejects the credentials of {ref('workload_identities')}: the cluster has no OIDC issuer"
        yield finding(
            cluster, message, path="oidc_issuer", value=False, fix=[set_to(field, value=True) for field in ("oidc_issuer", "workload_identity")]
        )


@rule(
    "AKS271",
    Severity.WARNING,
    source=f"{_PAGES}/workload-identity-overview: the mutating webhook projects the token into pods",
    sample=lambda: aks(workload_identity=False, workload_identities={"dns": _DNS}),
)
def workload_identities_without_webhook(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS gives pods the token of their identity only if workload identity is on."""
    if cluster.workload_identities and cluster.oidc_issuer and not cluster.workload_identity:
        message = f"Pods get no token of their identity: {ref('workload_identity')} is off"
        yield finding(cluster, message, path="workload_identity", value=False, fix=set_to("workload_identity", value=True))


@rule(
    "AKS272",
    Severity.ERROR,
    source="nodepools: the id of an identity does not contain its principal, to which roles are assigned",
    sample=lambda: aks(workload_identities={"dns": WorkloadIdentity("dns", "external-dns", identity=_GIVEN, roles=[AzureRole("Reader", _ON)])}),
)
def roles_of_existing_workload_identity(identity: WorkloadIdentity) -> Iterator[PartFinding]:
    """Roles are assigned to identities that are created; an existing one has its roles already."""
    if identity.identity is not None and identity.roles:
        message = f"The existing {ref('identity')} gets no roles: its principal is not known"
        fix = f"Remove {ref('roles')} and assign them elsewhere, or remove {ref('identity')}: an identity with these roles is created"
        yield finding(identity, message, path="roles", value=len(identity.roles), fix=fix)


@rule(
    "AKS273",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/role-based-access-control/built-in-roles (2025-06-30)",
    sample=lambda: aks(workload_identities={"dns": WorkloadIdentity("dns", "external-dns", roles=[AzureRole("DNS Zone Contributer", _ON)])}),
)
def unknown_azure_role(role: AzureRole) -> Iterator[PartFinding]:
    """A role is named by the id of its definition, or by a name that this library knows."""
    if role.role not in ROLES and re.fullmatch(_UUID, role.role) is None:
        near = nearest(role.role, ROLES)
        fix: FixLike = (
            correct_spelling("role", role.role, near)
            if near is not None
            else f"Set {ref('role')} to the id from `az role definition list --name NAME`"
        )
        yield finding(role, f"{literal(role.role)} is not a known name of a role: use the UUID of its definition", path="role", fix=fix)


@rule(
    "AKS274",
    Severity.WARNING,
    source=f"{_PAGES}/workload-identity-overview: the annotation azure.workload.identity/client-id has one client id",
    sample=lambda: aks(workload_identities={"dns": _DNS, "more": _DNS}),
)
def service_account_with_several_identities(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A service account is annotated with one client id, so a second identity needs its own configuration in the workload."""
    first: dict[tuple[str, str], str] = {}
    for key, identity in cluster.workload_identities.items():
        other = first.setdefault((identity.namespace, identity.service_account), key)
        if other != key:
            message = f"`{other}` and `{key}` are identities of the same service account, whose annotation has one client id"
            fix = f"Move the roles of `{key}` to `{other}`, or use another service account"
            yield finding(cluster, message, path=("workload_identities", key), value=key, fix=fix)


@rule(
    "AKS275",
    Severity.WARNING,
    source=f"{_CREDENTIALS}: at most 20 federated credentials of a user-assigned identity",
    sample=lambda: aks(workload_identities={f"job{number}": WorkloadIdentity("jobs", f"job{number}", identity=_GIVEN) for number in range(21)}),
)
def too_many_federated_credentials(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A user-assigned identity has at most 20 federated credentials, those of other clusters included."""
    counts = Counter(identity.identity.lower() for identity in cluster.workload_identities.values() if isinstance(identity.identity, str))
    for identity, count in counts.items():
        if count > _MOST:
            message = f"{count} service accounts use `{identity.rpartition('/')[2]}`; an identity has at most {_MOST} federated credentials"
            yield finding(cluster, message, path="workload_identities", value=count, fix="Use several identities")

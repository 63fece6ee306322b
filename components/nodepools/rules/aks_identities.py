"""Identities and authentication of AKS clusters."""

from collections.abc import Iterator

from nodepools.model.access import Entra
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import Fix, remove, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks
from nodepools.wire.aks.identity import SYSTEM_ASSIGNED

_PAGES = "https://learn.microsoft.com/azure/aks"


@rule(
    "AKS238",
    Severity.ERROR,
    source=f"{_PAGES}/workload-identity-deploy-cluster: workload identity requires the OIDC issuer",
    sample=lambda: aks(oidc_issuer=False),
)
def workload_identity_without_issuer(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects workload identity without an OIDC issuer."""
    if cluster.workload_identity and not cluster.oidc_issuer:
        message = f"AKS rejects {ref('workload_identity')} without an OIDC issuer"
        text = (
            f"Set {ref('workload_identity')} to {literal(value=False)}, or remove {ref('oidc_issuer')} (default: {literal(value=True)}, permanently)"
        )
        yield finding(cluster, message, path="workload_identity", value=True, fix=Fix(text, (set_to("workload_identity", value=False),)))


@rule(
    "AKS239",
    Severity.WARNING,
    source=f"{_PAGES}/use-managed-identity: a system-assigned identity exists only after the cluster; Azure/karpenter-provider-azure#332",
    sample=lambda: aks(identity=SYSTEM_ASSIGNED),
)
def system_identity_without_role_on_network(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A system-assigned identity has no role on a virtual network that this library creates, which load balancers and node auto provisioning need."""
    if cluster.identity == SYSTEM_ASSIGNED and isinstance(cluster.network, AksNetworkArgs):
        message = "The system-assigned identity has no role on the new virtual network: internal load balancers and node auto provisioning fail"
        fix = Fix(
            f"Remove {ref('identity')} (default: a new identity with the role), or grant the cluster Network Contributor on the network",
            (remove("identity"),),
        )
        yield finding(cluster, message, path="identity", fix=fix)


@rule(
    "AKS240",
    Severity.WARNING,
    source=f"{_PAGES}/manage-local-accounts-managed-azure-ad",
    sample=lambda: aks(entra=Entra(local_accounts=True)),
)
def local_accounts_with_entra(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """With local accounts, the static admin credential bypasses Entra ID and stays valid when a person leaves."""
    if cluster.entra is not None and cluster.entra.local_accounts:
        message = "Local accounts are on: their static admin credential bypasses Entra ID, and stays valid when a person leaves"
        yield finding(cluster, message, path=("entra", "local_accounts"), value=True, fix=set_to("entra.local_accounts", value=False))


@rule(
    "AKS241",
    Severity.WARNING,
    source=f"{_PAGES}/azure-ad-rbac: without Azure RBAC, admin groups and Kubernetes role bindings authorize",
    sample=lambda: aks(entra=Entra(azure_rbac=False)),
)
def no_admins_without_azure_rbac(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without Azure RBAC, Azure roles give no access to a cluster: its admins are the members of admin groups, and local accounts."""
    entra = cluster.entra
    if entra is None or entra.azure_rbac:
        return
    if not entra.admin_groups and not entra.local_accounts:
        message = "The cluster has no admins: Azure RBAC and local accounts are off, and there are no admin groups"
        fix = Fix(f"Add a group to {ref('entra.admin_groups')}, or remove {ref('entra.azure_rbac')} (default: on)", (remove("entra.azure_rbac"),))
        yield finding(cluster, message, path=("entra", "azure_rbac"), value=False, fix=fix)
    if cluster.admins:
        message = f"The cluster-admin role of {ref('admins')} has no effect without Azure RBAC"
        yield finding(cluster, message, path="admins", fix=remove("entra.azure_rbac"))

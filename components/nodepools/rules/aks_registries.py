"""The identity of AKS nodes, and the registries from which they pull images."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.kubelet_identity import KubeletIdentity
from nodepools.model.aks.network import ExistingAksNetwork
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.fix import Fix, remove
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks
from nodepools.wire.aks.identity import SYSTEM_ASSIGNED

_PAGE: Final = "https://learn.microsoft.com/azure/aks/use-managed-identity"
_RESOURCE: Final = "/subscriptions/"
_OF_SUBSCRIPTION: Final = "/subscriptions/s/resourceGroups/g/providers"
_IDENTITY: Final = f"{_OF_SUBSCRIPTION}/Microsoft.ManagedIdentity/userAssignedIdentities/shop"
_REGISTRY: Final = f"{_OF_SUBSCRIPTION}/Microsoft.ContainerRegistry/registries/shop"
_IDS: Final = ("id", "client_id", "object_id")


@rule(
    "AKS260",
    Severity.ERROR,
    source=f"{_PAGE}: a kubelet identity of your own requires a user-assigned identity of the cluster",
    sample=lambda: aks(network=ExistingAksNetwork(subnet_id="subnet"), identity=SYSTEM_ASSIGNED, kubelet_identity=KubeletIdentity()),
)
def kubelet_identity_with_system_identity(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts a kubelet identity of your own only in clusters whose own identity is user-assigned."""
    if cluster.identity == SYSTEM_ASSIGNED and (cluster.kubelet_identity is not None or cluster.creates_kubelet_identity):
        field = "kubelet_identity" if cluster.kubelet_identity is not None else "registries"
        message = f"AKS rejects the kubelet identity of {ref(field)}, because the identity of the cluster is system-assigned"
        fix = Fix(f"Remove {ref('identity')} (default: a new user-assigned identity), or remove {ref(field)}", (remove("identity"),))
        yield finding(cluster, message, path=field, fix=fix)


@rule(
    "AKS261",
    Severity.ERROR,
    source="https://github.com/Azure/AKS/issues/2488: a request must have all three ids of the kubelet identity",
    sample=lambda: aks(kubelet_identity=KubeletIdentity(id=_IDENTITY)),
)
def incomplete_kubelet_identity(identity: KubeletIdentity) -> Iterator[PartFinding]:
    """An existing kubelet identity has a resource id, a client id and an object id; AKS requires all three."""
    missing = [name for name in _IDS if getattr(identity, name) is None]
    if missing and len(missing) < len(_IDS):
        names = " and ".join(ref(name) for name in missing)
        message = f"An existing kubelet identity needs {names} too: AKS requires all three ids"
        yield finding(identity, message, path=missing[0], value=None, fix=f"Set {names}, or remove all ids (default: a new identity)")


@rule(
    "AKS262",
    Severity.WARNING,
    source=f"{_PAGE}: the identity of the cluster needs the role Managed Identity Operator on the kubelet identity",
    sample=lambda: aks(identity=_IDENTITY, registries=[_REGISTRY]),
)
def new_kubelet_identity_with_existing_identity(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """An existing identity gets no roles, so it has none on a kubelet identity that is created with the cluster."""
    if cluster.identity not in (None, SYSTEM_ASSIGNED) and cluster.creates_kubelet_identity:
        message = f"{ref('identity')} gets no role on the new kubelet identity: AKS rejects the cluster unless it is Managed Identity Operator there"
        fix = f"Set all ids of {ref('kubelet_identity')}, or grant the role on the resource group, or remove {ref('identity')}"
        yield finding(cluster, message, path="identity", fix=fix)


@rule(
    "AKS263",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/role-based-access-control/scope-overview: the scope of a role assignment is a resource id",
    sample=lambda: aks(registries=["shop.azurecr.io"]),
)
def registry_without_resource_id(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Roles on a registry are assigned by its resource id, not by the name of its server."""
    for index, registry in enumerate(cluster.registries):
        if isinstance(registry, str) and not registry.lower().startswith(_RESOURCE):
            message = f"`{registry}` is not the resource id of a container registry: Azure rejects the role assignment"
            fix = f"Set {ref(('registries', index))} to the output of `az acr show -n NAME --query id -o tsv`"
            yield finding(cluster, message, path=("registries", index), value=registry, fix=fix)

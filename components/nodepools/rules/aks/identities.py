"""Identities of AKS clusters, of their nodes and of their workloads: authentication, roles, and registries."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from nodepools.model.access import ApiServer, Entra
from nodepools.model.aks.agent_pool import UserPool
from nodepools.model.aks.azure_roles import ROLES
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.aks.workload_identity import AzureRole, KubeletIdentity, WorkloadIdentity
from nodepools.model.listing import nearest
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, correct_spelling, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import NETWORKS, RIGHTS, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import SIZE, SUBNET, aks
from nodepools.wire.aks.cluster_context import SYSTEM_ASSIGNED

_PAGES = "https://learn.microsoft.com/azure/aks"
_DNS_ZONE: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io"
_PRIVATE: Final = ApiServer(private=True)
_ADMINS: Final = {"object_id": "11111111-2222-3333-4444-555555555555"}


@error("AKS238", f"{_PAGES}/workload-identity-deploy-cluster: workload identity requires the OIDC issuer")
@sample("workload_identity", lambda: aks(oidc_issuer=False))
def workload_identity_without_issuer(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects workload identity without an OIDC issuer."""
    if cluster.workload_identity and not cluster.oidc_issuer:
        message = f"AKS rejects {ref('workload_identity')} without an OIDC issuer"
        on = f"set {ref('oidc_issuer')} to {literal(value=True)}, which cannot be turned off again"
        text = f"Set {ref('workload_identity')} to {literal(value=False)}, or {on}"
        yield finding(cluster, message, path="workload_identity", value=True, fix=Fix(text, (set_to("workload_identity", value=False),)))


@warning("AKS239", f"{_PAGES}/use-managed-identity: a system-assigned identity exists only after the cluster; Azure/karpenter-provider-azure#332")
@limited(NETWORKS)
@sample("identity", lambda: aks(identity=SYSTEM_ASSIGNED))
def system_identity_without_role_on_network(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A system-assigned identity has no role on a virtual network that this library creates, which load balancers and node auto provisioning need."""
    if cluster.identity == SYSTEM_ASSIGNED and isinstance(cluster.network, AksNetworkArgs):
        message = "The system-assigned identity has no role on the new virtual network: internal load balancers and node auto provisioning fail"
        fix = Fix(
            f"Remove {ref('identity')} (default: a new identity with the role), or grant the cluster Network Contributor on the network",
            (remove("identity"),),
        )
        yield finding(cluster, message, path="identity", fix=fix)


@warning("AKS388", f"{_PAGES}/private-clusters: a private DNS zone of your own needs a user-assigned identity with a role on it (2026-11)")
@limited(RIGHTS)
@sample(
    "identity", lambda: aks(network=ExistingAksNetwork(subnet_id=SUBNET), api_server=_PRIVATE, private_dns_zone=_DNS_ZONE, identity=SYSTEM_ASSIGNED)
)
def own_private_dns_zone_with_system_identity(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS creates a cluster in a private DNS zone of your own only with an identity that has a role on the zone before."""
    zone = cluster.private_dns_zone
    is_own = zone is not None and not (isinstance(zone, str) and zone.lower() in ("system", "none"))
    if cluster.identity == SYSTEM_ASSIGNED and cluster.api_server.private and is_own:
        message = "AKS cannot create the cluster: the identity that it assigns has no role on your private DNS zone before the cluster exists"
        fix = Fix(f"Remove {ref('identity')}, or use the id of an identity that has a role on the zone", (remove("identity"),))
        yield finding(cluster, message, path="identity", fix=fix)


@warning("AKS240", f"{_PAGES}/manage-local-accounts-managed-azure-ad")
@sample("entra.local_accounts", lambda: aks(entra=Entra(local_accounts=True)))
def local_accounts_with_entra(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """With local accounts, the static admin credential bypasses Entra ID and stays valid when a person leaves."""
    if cluster.entra is not None and cluster.entra.local_accounts:
        message = "Local accounts are on: their static admin credential bypasses Entra ID, and stays valid when a person leaves"
        yield finding(cluster, message, path=("entra", "local_accounts"), value=True, fix=set_to("entra.local_accounts", value=False))


@warning("AKS241", f"{_PAGES}/azure-ad-rbac: without Azure RBAC, admin groups and Kubernetes role bindings authorize")
@sample("entra.azure_rbac", lambda: aks(entra=Entra(azure_rbac=False)))
def no_admins_without_azure_rbac(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without Azure RBAC, Azure roles give no access to a cluster: its admins are the members of admin groups, and local accounts."""
    entra = cluster.entra
    if entra is None or entra.azure_rbac:
        return
    if not entra.admin_groups and not entra.local_accounts:
        message = "The cluster has no admins: Azure RBAC and local accounts are off, and there are no admin groups"
        fix = Fix(
            f"Add a group to {ref('entra.admin_groups')}, or set {ref('entra.azure_rbac')} to {literal(value=True)}",
            (set_to("entra.azure_rbac", value=True),),
        )
        yield finding(cluster, message, path=("entra", "azure_rbac"), value=False, fix=fix)
    if cluster.admins:
        message = f"The cluster-admin role of {ref('admins')} has no effect without Azure RBAC"
        yield finding(cluster, message, path="admins", fix=remove("entra.azure_rbac"))


_CREDENTIALS: Final = "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations"
_UUID: Final = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_MOST: Final = 20
_ON: Final = "/subscriptions/s/resourceGroups/g"
_GIVEN: Final = f"{_ON}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/jobs"
_DNS: Final = {"namespace": "dns", "service_account": "external-dns"}


@error("AKS351", "Azure REST API reference, Role Assignments, Create: RoleAssignmentExists; ids of Azure ignore case")
@limited(RIGHTS)
@sample("admins[1]", lambda: aks(admins=[_ADMINS, _ADMINS]))
def role_assigned_twice(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Azure rejects the same role on the same resource for the same principal a second time. Registries, vaults and roles of pods are sent once."""
    keys = [admin.object_id.lower() if isinstance(admin.object_id, str) else None for admin in cluster.admins]
    for index, key in enumerate(keys):
        if key is not None and key in keys[:index]:
            message = f"{ref(('admins', index))} repeats {ref(('admins', keys.index(key)))}: Azure rejects a second assignment of the same role"
            yield finding(cluster, message, path=("admins", index), value=None, fix=remove(("admins", index)))


@error("AKS270", f"{_PAGES}/workload-identity-overview: the credential trusts tokens of the OIDC issuer of the cluster")
@limited(RIGHTS)
@sample("oidc_issuer", lambda: aks(oidc_issuer=False, workload_identity=False, workload_identities={"dns": _DNS}))
def workload_identities_without_issuer(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A federated credential names the OIDC issuer of the cluster, so the cluster must have one."""
    if cluster.workload_identities and not cluster.oidc_issuer:
        message = f"Azure rejects the credentials of {ref('workload_identities')}: the cluster has no OIDC issuer"
        yield finding(
            cluster, message, path="oidc_issuer", value=False, fix=[set_to(field, value=True) for field in ("oidc_issuer", "workload_identity")]
        )


@warning("AKS271", f"{_PAGES}/workload-identity-overview: the mutating webhook projects the token into pods")
@limited(RIGHTS)
@sample("workload_identity", lambda: aks(workload_identity=False, workload_identities={"dns": _DNS}))
def workload_identities_without_webhook(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS gives pods the token of their identity only if workload identity is on."""
    if cluster.workload_identities and cluster.oidc_issuer and not cluster.workload_identity:
        message = f"Pods get no token of their identity: {ref('workload_identity')} is off"
        yield finding(cluster, message, path="workload_identity", value=False, fix=set_to("workload_identity", value=True))


@error("AKS272", "nodepools: the id of an identity does not contain its principal, to which roles are assigned")
@limited(RIGHTS)
@sample(
    "workload_identities.dns.roles",
    lambda: aks(workload_identities={"dns": WorkloadIdentity("dns", "external-dns", identity=_GIVEN, roles=[AzureRole("Reader", _ON)])}),
)
def roles_of_existing_workload_identity(identity: WorkloadIdentity) -> Iterator[PartFinding]:
    """Roles are assigned to identities that are created; an existing one has its roles already."""
    if identity.identity is not None and identity.roles:
        message = f"{ref('roles')} cannot be assigned to the existing {ref('identity')}: that needs its principal id, not its resource id"
        fix = (
            f"Remove {ref('roles')} and assign them where the identity is created, or remove {ref('identity')} "
            "(default: a new identity with these roles)"
        )
        yield finding(identity, message, path="roles", value=len(identity.roles), fix=fix)


@error("AKS273", "https://learn.microsoft.com/azure/role-based-access-control/built-in-roles (2025-06-30)")
@limited(RIGHTS)
@sample(
    "workload_identities.dns.roles[0].role",
    lambda: aks(workload_identities={"dns": WorkloadIdentity("dns", "external-dns", roles=[AzureRole("DNS Zone Contributer", _ON)])}),
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
        yield finding(role, f"{literal(role.role)} is neither the UUID of a role nor a name that `nodepools` knows", path="role", fix=fix)


@warning("AKS274", f"{_PAGES}/workload-identity-overview: the annotation azure.workload.identity/client-id has one client id")
@limited(RIGHTS)
@sample("workload_identities.more", lambda: aks(workload_identities={"dns": _DNS, "more": _DNS}))
def service_account_with_several_identities(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A service account is annotated with one client id, so a second identity needs its own configuration in the workload."""
    first: dict[tuple[str, str], str] = {}
    for key, identity in cluster.workload_identities.items():
        other = first.setdefault((identity.namespace, identity.service_account), key)
        if other != key:
            message = f"Pods get only one of the identities `{other}` and `{key}`: their service account can name one client ID"
            fix = f"Move the roles of `{key}` to `{other}`, or use another service account"
            yield finding(cluster, message, path=("workload_identities", key), value=key, fix=fix)


@warning("AKS275", f"{_CREDENTIALS}: at most 20 federated credentials of a user-assigned identity")
@limited(RIGHTS)
@sample(
    "workload_identities",
    lambda: aks(workload_identities={f"job{number}": WorkloadIdentity("jobs", f"job{number}", identity=_GIVEN) for number in range(21)}),
)
def too_many_federated_credentials(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A user-assigned identity has at most 20 federated credentials, those of other clusters included."""
    counts = Counter(identity.identity.lower() for identity in cluster.workload_identities.values() if isinstance(identity.identity, str))
    for identity, count in counts.items():
        if count > _MOST:
            message = (
                f"{count} service accounts use the identity `{identity.rpartition('/')[2]}`: "
                f"Azure accepts at most {_MOST} federated credentials for one"
            )
            yield finding(cluster, message, path="workload_identities", value=count, fix="Split the service accounts between several identities")


_PERMISSIONS: Final = f"{_PAGES}/aks-service-permissions"
_WHOLE: Final = set_to("network_rights", "network")
_ON_SUBNETS: Final = f"and {ref('network_rights')} gives it on subnets only"
_EXISTING: Final = {"kind": "ExistingAksNetwork", "subnet_id": SUBNET}
_GROUP: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/web"


def _has_subnet_rights(cluster: AksClusterArgs) -> bool:
    """The identity that is created has the role on subnets only."""
    return cluster.network_rights == "subnets" and cluster.identity is None and not isinstance(cluster.network, ManagedAksNetwork)


@error("AKS264", f"{_PERMISSIONS}: IP-based backend pools need virtualNetworks/joinLoadBalancer/action on the virtual network")
@limited(RIGHTS)
@sample("network_rights", lambda: aks(network_rights="subnets", network_profile={"load_balancer": {"backend_pool_type": "NodeIP"}}))
def node_ip_backends_with_subnet_rights(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A load balancer with IP-based backend pools joins the virtual network, for which a role on subnets is not enough."""
    balancer = cluster.network_profile.load_balancer
    if balancer is not None and balancer.backend_pool_type == "NodeIP" and _has_subnet_rights(cluster):
        message = f"Services get no load balancer: `NodeIP` backends need a role on the virtual network, {_ON_SUBNETS}"
        yield finding(cluster, message, path="network_rights", fix=_WHOLE)


@warning("AKS265", f"{_PAGES}/private-clusters: Network Contributor on the virtual network, to which the private DNS zone is linked")
@limited(RIGHTS)
@sample("network_rights", lambda: aks(network_rights="subnets", api_server=ApiServer(private=True)))
def private_dns_zone_with_subnet_rights(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS links the private DNS zone of a private API server to the virtual network, and documents a role on the whole network for that."""
    if cluster.api_server.private and cluster.private_dns_zone != "none" and _has_subnet_rights(cluster):
        message = f"AKS can fail to link the private DNS zone: it needs a role on the virtual network for that, {_ON_SUBNETS}"
        fix = Fix(f"{sentence([_WHOLE])}, or set {ref('private_dns_zone')} to `none`", (_WHOLE,))
        yield finding(cluster, message, path="network_rights", fix=fix)


@note("AKS266", f"{_PAGES}/internal-lb: Private Link Services; {_PERMISSIONS}: network security groups and route tables of other resource groups")
@limited(RIGHTS)
@sample("network_rights", lambda: aks(network=_EXISTING, network_rights="subnets"))
def uses_beyond_subnet_rights(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Some uses need a role on the virtual network, or on resources that subnets refer to."""
    if isinstance(cluster.network, ExistingAksNetwork) and _has_subnet_rights(cluster):
        others = "for route tables and network security groups in other resource groups"
        message = f"{ref('network_rights')} gives roles on subnets only: too little for Private Link Services, and {others}"
        yield finding(cluster, message, path="network_rights")


@warning("AKS267", "nodepools: roles are assigned to the identity that is created for the cluster, in a network that AKS does not manage")
@limited(RIGHTS)
@sample(
    "network_rights",
    lambda: aks(network_rights="subnets", identity="/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i"),
)
def network_rights_without_effect(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The scope of the role concerns only the identity that is created for the cluster, and networks that AKS does not manage."""
    if cluster.network_rights == "subnets" and not _has_subnet_rights(cluster):
        why = "an existing identity gets no roles" if cluster.identity is not None else "AKS assigns the roles on its own network"
        message = f"{ref('network_rights')} has no effect: {why}"
        yield finding(cluster, message, path="network_rights", fix=remove("network_rights"))


@note("AKS268", f"{_PAGES}/use-capacity-reservation-groups: Contributor on the resource group of the group; up to 60 minutes to take effect")
@limited(RIGHTS)
@sample("pools.web.capacity_reservation_group_id", lambda: aks(pools={"web": UserPool(vm_size=SIZE, capacity_reservation_group_id=_GROUP)}))
def slow_capacity_reservation_rights(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The role on the resource group of a capacity reservation group takes up to an hour to take effect."""
    named = [key for key, pool in cluster.all_pools() if pool.capacity_reservation_group_id is not None]
    if named and cluster.identity is None:
        at = ("system_pool",) if named[0] == "system" else ("pools", named[0])
        message = "The new role on the resource group of the capacity reservation can take 60 minutes to take effect: the first `pulumi up` can fail"
        yield finding(cluster, message, path=(*at, "capacity_reservation_group_id"))


_PAGE: Final = "https://learn.microsoft.com/azure/aks/use-managed-identity"
_OF_SUBSCRIPTION: Final = "/subscriptions/s/resourceGroups/g/providers"
_IDENTITY: Final = f"{_OF_SUBSCRIPTION}/Microsoft.ManagedIdentity/userAssignedIdentities/shop"
_REGISTRY: Final = f"{_OF_SUBSCRIPTION}/Microsoft.ContainerRegistry/registries/shop"
_IDS: Final = ("id", "client_id", "object_id")


@error("AKS260", f"{_PAGE}: a kubelet identity of your own requires a user-assigned identity of the cluster")
@limited(RIGHTS)
@sample("kubelet_identity", lambda: aks(network=ExistingAksNetwork(subnet_id=SUBNET), identity=SYSTEM_ASSIGNED, kubelet_identity=KubeletIdentity()))
def kubelet_identity_with_system_identity(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts a kubelet identity of your own only in clusters whose own identity is user-assigned."""
    if cluster.identity == SYSTEM_ASSIGNED and (cluster.kubelet_identity is not None or cluster.creates_kubelet_identity):
        field = "kubelet_identity" if cluster.kubelet_identity is not None else "registries"
        message = f"AKS rejects {ref(field)}: a kubelet identity requires a user-assigned cluster identity, and this one is system-assigned"
        fix = Fix(f"Remove {ref('identity')} (default: a new user-assigned identity), or remove {ref(field)}", (remove("identity"),))
        yield finding(cluster, message, path=field, fix=fix)


@error("AKS261", "https://github.com/Azure/AKS/issues/2488: a request must have all three ids of the kubelet identity")
@sample("kubelet_identity.client_id", lambda: aks(kubelet_identity=KubeletIdentity(id=_IDENTITY)))
def incomplete_kubelet_identity(identity: KubeletIdentity) -> Iterator[PartFinding]:
    """An existing kubelet identity has a resource id, a client id and an object id; AKS requires all three."""
    missing = [name for name in _IDS if getattr(identity, name) is None]
    if missing and len(missing) < len(_IDS):
        names = " and ".join(ref(name) for name in missing)
        message = f"An existing kubelet identity needs {names} too: AKS requires all three ids"
        yield finding(identity, message, path=missing[0], value=None, fix=f"Set {names}, or remove all ids (default: a new identity)")


@warning("AKS262", f"{_PAGE}: the identity of the cluster needs the role Managed Identity Operator on the kubelet identity")
@limited(RIGHTS)
@sample("identity", lambda: aks(identity=_IDENTITY, registries=[_REGISTRY]))
def new_kubelet_identity_with_existing_identity(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """An existing identity gets no roles, so it has none on a kubelet identity that is created with the cluster."""
    if cluster.identity not in (None, SYSTEM_ASSIGNED) and cluster.creates_kubelet_identity:
        message = (
            f"AKS rejects the cluster unless {ref('identity')} is Managed Identity Operator on the new kubelet identity, "
            "which this program does not grant"
        )
        fix = (
            f"Set all ids of {ref('kubelet_identity')}, or grant the role on the resource group, or remove {ref('identity')} "
            "(default: a new identity with the role)"
        )
        yield finding(cluster, message, path="identity", fix=fix)


@error("AKS263", "https://learn.microsoft.com/azure/role-based-access-control/scope-overview: the scope of a role assignment is a resource id")
@limited(RIGHTS)
@sample("registries[0]", lambda: aks(registries=["shop.azurecr.io"]))
def registry_without_resource_id(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Roles on a registry are assigned by its resource id, not by the name of its server."""
    for index, registry in enumerate(cluster.registries):
        if isinstance(registry, str) and not registry.lower().startswith("/subscriptions/"):
            message = f"`{registry}` is not the resource id of a container registry: Azure rejects the role assignment"
            fix = f"Set {ref(('registries', index))} to the output of `az acr show -n NAME --query id -o tsv`"
            yield finding(cluster, message, path=("registries", index), value=registry, fix=fix)

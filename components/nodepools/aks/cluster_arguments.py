"""What a cluster is made of: from the model to the arguments of azure-native's ManagedCluster, in their Python spelling."""

from nodepools.aks.arguments import Resolve, agent_pool_arguments
from nodepools.aks.options import api_server, cluster_options, load_balancer
from nodepools.manifests.overlay import given, overlaid
from nodepools.model.address import host
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.names import cut
from nodepools.wire.aks.agent_pool import Around
from nodepools.wire.aks.generation import SYSTEM, first_pool_name

_LONGEST_NAME = 63
_LONGEST_DNS_PREFIX = 54
_LONGEST_GROUP = 80
_DNS_HOST = 10


def cluster_name(stem: str) -> str:
    """The name in Azure."""
    return cut(stem, _LONGEST_NAME)


def cluster_arguments(
    stem: str,
    args: AksClusterArgs,
    *,
    identity_id: object,
    system_subnet_id: object,
    tenant_id: object,
    pod_subnet_id: object = None,
    resolve: Resolve = lambda ref: ref,
) -> dict[str, object]:
    """All arguments but the resource group's name.

    What cannot be changed later without a new cluster is always said, so that no default of Azure's decides it.
    """
    made: dict[str, object] = {
        "resource_name_": cluster_name(stem),
        "location": args.location,
        "kubernetes_version": args.kubernetes_version,
        "dns_prefix": cut(stem, _LONGEST_DNS_PREFIX),
        "node_resource_group": cut(f"{stem}-nodes", _LONGEST_GROUP),
        "sku": {"name": "Base", "tier": args.tier},
        "identity": {"type": "UserAssigned", "user_assigned_identities": [identity_id]},
        "agent_pool_profiles": [_system_pool(args, system_subnet_id, pod_subnet_id, resolve)],
        "network_profile": _network_profile(args, resolve),
        "node_provisioning_profile": _node_provisioning(args),
        "oidc_issuer_profile": {"enabled": True},
        "security_profile": {"workload_identity": {"enabled": True}},
        "api_server_access_profile": api_server(args, resolve),
        "enable_rbac": True,
        "tags": dict(args.tags),
        **cluster_options(args, resolve),
        **(_entra(tenant_id) if args.entra else {"disable_local_accounts": False}),
    }
    return overlaid(made, args.overrides)


def _system_pool(args: AksClusterArgs, subnet_id: object, pod_subnet_id: object, resolve: Resolve) -> dict[str, object]:
    around = Around(SYSTEM, version=None, subnet_id=subnet_id, tags=args.tags, pod_subnet_id=pod_subnet_id)
    return {"name": first_pool_name(args), **agent_pool_arguments(args.system_pool, around, resolve=resolve)}


def _network_profile(args: AksClusterArgs, resolve: Resolve) -> dict[str, object]:
    profile = args.network_profile
    addresses = given(
        **_ranges("service", args.service_cidr, args.service_cidr_v6),
        dns_service_ip=host(args.service_cidr, _DNS_HOST),
        ip_families=list(profile.ip_families),
        outbound_type=profile.outbound_type,
        load_balancer_sku="standard",
        load_balancer_profile=load_balancer(profile.load_balancer, resolve) if profile.load_balancer is not None else None,
        network_plugin=profile.plugin,
    )
    if profile.plugin == "none":  # the plugin that is brought decides the rest
        return addresses | given(**_ranges("pod", profile.pod_cidr, args.pod_cidr_v6 if profile.pod_cidr is not None else None))
    return addresses | given(
        network_plugin_mode=profile.plugin_mode,
        network_dataplane=profile.dataplane,
        network_policy=profile.enforced_policy,
        **_ranges("pod", args.pod_cidr, args.pod_cidr_v6),
    )


def _ranges(whose: str, cidr: str | None, cidr_v6: str | None) -> dict[str, object]:
    """One range by its own name, or one a family, in the order of the families; Azure takes either, not both."""
    return {f"{whose}_cidr": cidr} if cidr_v6 is None else {f"{whose}_cidrs": [cidr, cidr_v6]}


def _node_provisioning(args: AksClusterArgs) -> dict[str, object]:
    if args.node_provisioning is None:
        return {"mode": "Manual"}
    return {"mode": "Auto", "default_node_pools": args.node_provisioning.default_node_pools}


def _entra(tenant_id: object) -> dict[str, object]:
    return {"disable_local_accounts": True, "aad_profile": given(managed=True, enable_azure_rbac=True, tenant_id=tenant_id)}

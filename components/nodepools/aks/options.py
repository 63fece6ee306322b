"""What a cluster may have beside what every cluster has: autoscaler, upgrades, Windows, logs. In azure-native's Python spelling."""

from nodepools.aks.arguments import Resolve
from nodepools.manifests.overlay import given
from nodepools.model.aks.autoscaler import AutoscalerProfile
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import LoadBalancer
from nodepools.model.aks.windows import WindowsProfile
from nodepools.model.ref import Ref
from nodepools.wire.codecs import MINUTES

_NUMBERS = ("max_empty_bulk_delete", "max_graceful_termination_sec", "max_total_unready_percentage", "ok_total_unready_count")
_TEXTS = ("balance_similar_node_groups", "skip_nodes_with_local_storage", "skip_nodes_with_system_pods", "scale_down_utilization_threshold")


def cluster_options(args: AksClusterArgs, resolve: Resolve) -> dict[str, object]:
    """Those that are declared; what is not is left to Azure."""
    return given(
        support_plan=args.support_plan,
        auto_upgrade_profile=given(upgrade_channel=args.auto_upgrade, node_os_upgrade_channel=args.node_os_upgrade),
        auto_scaler_profile=_autoscaler(args.autoscaler) if args.autoscaler is not None else None,
        windows_profile=_windows(args.windows_profile, resolve) if args.windows_profile is not None else None,
        addon_profiles=_logs(args.log_analytics_workspace_id, resolve),
        disk_encryption_set_id=_maybe(args.disk_encryption_set_id, resolve),
    )


def api_server(args: AksClusterArgs, resolve: Resolve) -> dict[str, object]:
    """From where the API can be reached."""
    subnet = args.api_server_subnet_id
    both = given(
        disable_run_command=not args.run_command if args.run_command is not None else None,
        enable_vnet_integration=True if subnet is not None else None,
        subnet_id=_maybe(subnet, resolve),
    )
    if not args.api_server.private:
        return {"enable_private_cluster": False, "authorized_ip_ranges": list(args.api_server.authorized_ip_ranges), **both}
    zone, public = _maybe(args.private_dns_zone, resolve), args.private_public_fqdn
    return {"enable_private_cluster": True, **given(private_dns_zone=zone, enable_private_cluster_public_fqdn=public), **both}


def load_balancer(declared: LoadBalancer, resolve: Resolve) -> dict[str, object]:
    """`load_balancer_profile`."""
    ips, prefixes = ([{"id": resolve(ref)} for ref in refs] for refs in (declared.outbound_ip_ids, declared.outbound_ip_prefix_ids))
    return given(
        managed_outbound_ips=given(count=declared.managed_outbound_ips),
        outbound_ips=given(public_ips=ips),
        outbound_ip_prefixes=given(public_ip_prefixes=prefixes),
        allocated_outbound_ports=declared.allocated_outbound_ports,
        idle_timeout_in_minutes=MINUTES.write(declared.idle_timeout) if declared.idle_timeout is not None else None,
    )


def _autoscaler(declared: AutoscalerProfile) -> dict[str, object]:
    """Azure wants numbers, and most of what is true or false, as text."""
    fields = declared.model_dump(exclude={"priorities"}, exclude_none=True)
    return {name: str(value).lower() if name in (*_NUMBERS, *_TEXTS) else value for name, value in fields.items()}


def _windows(declared: WindowsProfile, resolve: Resolve) -> dict[str, object]:
    gmsa = declared.gmsa
    return {
        "admin_username": declared.admin_username,
        "admin_password": resolve(declared.admin_password),
        **given(
            license_type="Windows_Server" if declared.hybrid_benefit else None,
            enable_csi_proxy=declared.csi_proxy,
            gmsa_profile={"enabled": True, **gmsa.model_dump(exclude_none=True)} if gmsa is not None else None,
        ),
    }


def _logs(workspace: Ref | None, resolve: Resolve) -> dict[str, object]:
    if workspace is None:
        return {}
    return {"omsagent": {"enabled": True, "config": {"logAnalyticsWorkspaceResourceID": resolve(workspace), "useAADAuth": "true"}}}


def _maybe(ref: Ref | None, resolve: Resolve) -> object:
    return resolve(ref) if ref is not None else None

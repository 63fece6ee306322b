"""Strategies for declarations: clusters with everything that a table of theirs has, and windows of maintenance."""

from typing import Any

from hypothesis import strategies as st

from nodepools.model.aks.cluster import AksClusterArgs, AutoscalerProfile
from nodepools.model.aks.maintenance import MaintenanceWindow

words = st.sampled_from
flags = st.booleans()
ids = words(["/subscriptions/s/a", "/subscriptions/s/b"])
Fields = dict[str, st.SearchStrategy[Any]]


def of(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the fields."""
    return st.fixed_dictionaries({}, optional=fields)


numbers = {name: st.integers(1, 90) for name in AutoscalerProfile.model_fields if name.startswith(("max_", "ok_")) and "time" not in name}
minutes = {name: words(["5m", "20m"]) for name in AutoscalerProfile.model_fields if "time" in name or "delay" in name or name == "scan_interval"}
switches = {
    name: flags
    for name in AutoscalerProfile.model_fields
    if name not in (*numbers, *minutes, "expander", "priorities", "scale_down_utilization_threshold")
}
autoscaler = of(
    expander=words(["least-waste", "random"]), scale_down_utilization_threshold=words([0.25, 0, 1]), **numbers, **minutes, **switches
).filter(bool)
load_balancer = of(
    managed_outbound_ips=st.integers(1, 9),
    outbound_ip_ids=st.lists(ids, max_size=2, unique=True),
    outbound_ip_prefix_ids=st.lists(ids, max_size=2, unique=True),
    allocated_outbound_ports=st.integers(0, 64),
    idle_timeout=words(["4m", "1h"]),
    backend_pool_type=words(["NodeIP", "NodeIPConfiguration"]),
).filter(lambda said: any(value not in ([], None) for value in said.values()))
network_profile = of(
    plugin=words(["azure", "kubenet", "none"]),
    plugin_mode=words(["overlay", None]),
    dataplane=words(["azure", "cilium"]),
    policy=words(["cilium", "calico", "azure", "none"]),
    outbound_type=words(["userDefinedRouting", "none"]),
    pod_cidr=words(["10.9.0.0/16"]),
    service_cidr=words(["10.8.0.0/16"]),
    ip_families=words([["IPv4"], ["IPv4", "IPv6"]]),
    pod_cidr_v6=words(["fd00:20::/64"]),
    service_cidr_v6=words(["fd00:30::/112"]),
    load_balancer=load_balancer,
    nat_gateway=of(managed_outbound_ips=st.integers(1, 16), idle_timeout=words(["5m", "1h"])).filter(bool),
)
windows_profile = st.fixed_dictionaries(
    {"admin_username": words(["me", "you"])},
    optional={
        "admin_password": st.just("x" * 20),
        "hybrid_benefit": flags,
        "csi_proxy": flags,
        "gmsa": of(dns_server=words(["10.0.0.4"]), root_domain_name=words(["corp"])),
    },
)
FIELDS: Fields = {
    "tier": words(["Free", "Standard", "Premium"]),
    "tags": st.dictionaries(words(["a", "b"]), words(["c", "d"]), max_size=2),
    "network_profile": network_profile,
    "node_provisioning": of(default_node_pools=words(["Auto", "None"])),
    "entra": words([None, {}, {"tenant_id": "there"}, {"azure_rbac": False, "admin_groups": ["g"], "local_accounts": True}]),
    "identity": words([None, "system", "/identity"]),
    "kubelet_identity": words([None, {"id": "/kubelet", "client_id": "c", "object_id": "o"}]),
    "image_cache": words([None, {}]),
    "force_upgrade_until": words(["2026-12-01T06:00:00Z"]),
    "fqdn_subdomain": words(["shop"]),
    "oidc_issuer": flags,
    "workload_identity": flags,
    "api_server": of(private=flags, authorized_ip_ranges=words([[], ["203.0.113.0/24"]])),
    "support_plan": words(["KubernetesOfficial", "AKSLongTermSupport"]),
    "auto_upgrade": words(["none", "patch"]),
    "node_os_upgrade": words(["None", "SecurityPatch"]),
    "autoscaler": autoscaler,
    "linux_profile": st.fixed_dictionaries({"ssh_key": words(["ssh-rsa AAAA", "ssh-ed25519 BBBB"])}, optional={"admin_username": words(["me"])}),
    "windows_profile": windows_profile,
    "log_analytics_workspace_id": ids,
    "logs": st.fixed_dictionaries({"workspace": ids}),
    "metrics": of(label_keys=words([{}, {"pods": ["app", "team"], "namespaces": ["*"]}]), annotation_keys=words([{"pods": ["owner"]}])),
    "azure_policy": flags,
    "key_vault_provider": of(rotate=flags, rotation_interval=words(["2m", "1h"])),
    "keda": flags,
    "vertical_pod_autoscaler": flags,
    "cost_analysis": flags,
    "image_cleaner": of(interval=words(["24h", "168h"])),
    "defender": st.fixed_dictionaries({"workspace": ids}),
    "istio": st.fixed_dictionaries({"revisions": words([["asm-1-29", "asm-1-30"]])}, optional={"ingress": words([["Internal", "External"], []])}),
    "app_routing": of(enabled=flags, nginx=words(["None", "Internal"]), dns_zones=words([["/zone"], []])).filter(bool),
    "ai_toolchain_operator": flags,
    "storage": of(disk=flags, file=flags, blob=flags, snapshots=flags),
    "http_proxy": of(http=words(["http://p"]), https=words(["http://p"]), no_proxy=words([[".corp"]]), trusted_ca=words(["PEM"])).filter(bool),
    "trusted_certificates": words([["PEM", "other"], []]),
    "etcd_key": st.fixed_dictionaries({"key_id": ids}, optional={"vault_id": ids, "vault_access": words(["Public", "Private"])}),
    "disk_encryption_set_id": ids,
    "private_dns_zone": words(["system", "none", "/zone"]),
    "private_public_fqdn": flags,
    "run_command": flags,
    "api_server_subnet_id": ids,
    "name": words(["erp_Prod", "shop"]),
    "dns_prefix": words(["erp"]),
    "node_resource_group": words(["MC_erp_erp_westeurope"]),
    "node_resource_group_restriction": words(["Unrestricted", "ReadOnly"]),
}


@st.composite
def clusters(draw: st.DrawFn) -> AksClusterArgs:
    """A cluster with some of the fields that it sends."""
    least = {"location": "westeurope", "kubernetes_version": "1.35", "system_pool": {"kind": "SystemPool", "vm_size": "Standard_D4ds_v5"}}
    network = draw(words([{"kind": "AksNetwork"}, {"kind": "ExistingAksNetwork", "subnet_id": "/net/subnets/nodes"}]))
    return AksClusterArgs.model_validate({**least, "network": network, **draw(of(**FIELDS))})


schedules = words(
    [
        {"kind": "DailySchedule", "interval_days": 2},
        {"kind": "WeeklySchedule", "day_of_week": "Sunday", "interval_weeks": 2},
        {"kind": "AbsoluteMonthlySchedule", "day_of_month": 3},
        {"kind": "RelativeMonthlySchedule", "week_index": "First", "day_of_week": "Monday"},
    ]
)
dates = st.lists(words([{"start": "2026-12-20", "end": "2027-01-06"}, {"start": "2026-05-01", "end": "2026-05-01"}]), max_size=2)


@st.composite
def windows(draw: st.DrawFn) -> MaintenanceWindow:
    """A window of a maintenance configuration."""
    others = of(
        duration_hours=st.integers(4, 24),
        start_time=words(["02:00", "23:30"]),
        utc_offset=words(["+01:00", "-05:00"]),
        start_date=words(["2026-12-01"]),
        not_allowed=dates,
    )
    return MaintenanceWindow.model_validate({"schedule": draw(schedules), **draw(others)})

"""Plans with every argument that the providers document, each with a value of its type: commands read them, and no rule finds an error in them."""

import pytest

from nodepools.model.aks.node_settings import Sysctls
from nodepools.wire.aks import azurerm
from nodepools.wire.aks.agent_pool import POOL as POOL_TABLE
from nodepools.wire.aks.cluster import CLUSTER as AKS_TABLE
from nodepools.wire.eks import terraform as aws
from nodepools.wire.eks.cluster import CLUSTER as EKS_TABLE
from nodepools.wire.paths import is_opposite
from tests.terraform_plans import (
    AKS,
    CLUSTER_ID,
    EKS,
    GROUP,
    GROUPS,
    POOL,
    ROLE,
    SUBNET,
    auto_mode,
    change,
    cluster,
    eks,
    group,
    plan,
    pool,
    provider,
    system,
    text,
)
from tests.wire.test_terraform import documented

UUID = "11111111-2222-3333-4444-555555555555"
IDENTITY = f"{GROUP}/Microsoft.ManagedIdentity/userAssignedIdentities/nodes"
WORKSPACE = f"{GROUP}/Microsoft.OperationalInsights/workspaces/logs"
TAGS = {"team": "shop"}
RANGE = {"net_ipv4_ip_local_port_range_min": 32768, "net_ipv4_ip_local_port_range_max": 60999}
SYSCTLS = {name: one.metadata[0].ge for name, one in Sysctls.model_fields.items() if hasattr(next(iter(one.metadata), None), "ge")}
KUBELET = {
    "allowed_unsafe_sysctls": ["net.core.somaxconn"],
    "container_log_max_files": 5,
    "container_log_max_size_mb": 50,
    "cpu_cfs_quota_enabled": True,
    "cpu_cfs_quota_period": "100ms",
    "cpu_manager_policy": "static",
    "image_gc_high_threshold": 85,
    "image_gc_low_threshold": 80,
    "pod_max_pid": 4096,
    "topology_manager_policy": "best-effort",
}
OF_POOLS = {
    "capacity_reservation_group_id": f"{GROUP}/Microsoft.Compute/capacityReservationGroups/a",
    "host_encryption_enabled": True,
    "node_public_ip_enabled": True,
    "gpu_driver": "Install",
    "kubelet_config": [KUBELET],
    "fips_enabled": True,
    "kubelet_disk_type": "OS",
    "max_pods": 60,
    "node_network_profile": [
        {
            "allowed_host_ports": [{"port_start": 8000, "port_end": 8080, "protocol": "TCP"}],
            "application_security_group_ids": [f"{GROUP}/Microsoft.Network/applicationSecurityGroups/a"],
        }
    ],
    "node_labels": {"tier": "shop"},
    "orchestrator_version": "1.35.1",
    "os_disk_size_gb": 256,
    "os_disk_type": "Managed",
    "os_sku": "AzureLinux",
    "scale_down_mode": "Delete",
    "snapshot_id": f"{GROUP}/Microsoft.ContainerService/snapshots/a",
    "tags": TAGS,
    "upgrade_settings": [
        {"max_surge": "20%", "drain_timeout_in_minutes": 30, "node_soak_duration_in_minutes": 5, "undrainable_node_behavior": "Schedule"}
    ],
    "vnet_subnet_id": SUBNET,
    "workload_runtime": "OCIContainer",
    "zones": ["1", "2"],
    "temporary_name_for_rotation": "systemtmp2",
    "vm_size": "Standard_D8ds_v5",
}
TOGETHER_OF_POOLS = (
    {
        "kubelet_config": [KUBELET],
        "linux_os_config": [
            {
                "swap_file_size_mb": 1500,
                "transparent_huge_page": "always",
                "transparent_huge_page_defrag": "madvise",
                "sysctl_config": [SYSCTLS | RANGE | {"net_ipv4_tcp_tw_reuse": True}],
            }
        ],
    },
    {"gpu_instance": "MIG1g", "vm_size": "Standard_NC24ads_A100_v4"},
    {"node_public_ip_enabled": True, "node_public_ip_prefix_id": f"{GROUP}/Microsoft.Network/publicIPPrefixes/a"},
    {
        "node_public_ip_enabled": True,
        "node_network_profile": [{"node_public_ip_tags": {"RoutingPreference": "Internet"}}],
    },
    {"host_group_id": f"{GROUP}/Microsoft.Compute/hostGroups/a", "vm_size": "Standard_D4s_v5", "zones": ["1"]},
    {"proximity_placement_group_id": f"{GROUP}/Microsoft.Compute/proximityPlacementGroups/a", "zones": ["1"]},
    {"ultra_ssd_enabled": True, "zones": ["1"]},
    {"auto_scaling_enabled": True, "min_count": 3, "max_count": 9, "node_count": 4},
)
SPOT = {
    "priority": "Spot",
    "eviction_policy": "Delete",
    "spot_max_price": 0.5,
    "upgrade_settings": [],
    "node_taints": ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"],
}
WINDOWS = {"name": "win", "os_type": "Windows", "os_sku": "Windows2022", "windows_profile": [{"outbound_nat_enabled": True}]}
SCALER = {
    "balance_similar_node_groups": True,
    "daemonset_eviction_for_empty_nodes_enabled": True,
    "daemonset_eviction_for_occupied_nodes_enabled": True,
    "expander": "least-waste",
    "ignore_daemonsets_utilization_enabled": True,
    "max_graceful_termination_sec": "600",
    "max_node_provisioning_time": "15m",
    "max_unready_nodes": 3,
    "max_unready_percentage": 45,
    "new_pod_scale_up_delay": "10s",
    **dict.fromkeys(("scale_down_delay_after_add", "scale_down_unneeded"), "10m"),
    "scale_down_delay_after_delete": "10s",
    "scale_down_delay_after_failure": "3m",
    "scan_interval": "10s",
    "scale_down_unready": "20m",
    "scale_down_utilization_threshold": "0.5",
    "empty_bulk_delete_max": "10",
    "skip_nodes_with_local_storage": True,
    "skip_nodes_with_system_pods": True,
}
NETWORK = cluster()["network_profile"][0]
WINDOW = {"frequency": "Weekly", "interval": 1, "duration": 4, "day_of_week": "Sunday", "start_time": "02:00", "utc_offset": "+00:00"}
OF_CLUSTERS = {
    "name": "other",
    "location": "northeurope",
    "resource_group_name": "rg2",
    "node_provisioning_profile": [{"mode": "Auto", "default_node_pools": "Auto"}],
    "dns_prefix": "shop2",
    "aci_connector_linux": [{"subnet_name": "aci"}],
    "ai_toolchain_operator_enabled": True,
    "automatic_upgrade_channel": "patch",
    "api_server_access_profile": [
        {"authorized_ip_ranges": ["203.0.113.0/24"], "subnet_id": f"{SUBNET}-api", "virtual_network_integration_enabled": True}
    ],
    "auto_scaler_profile": [SCALER],
    "azure_active_directory_role_based_access_control": [{"tenant_id": UUID, "admin_group_object_ids": [UUID], "azure_rbac_enabled": True}],
    "azure_policy_enabled": True,
    "confidential_computing": [{"sgx_quote_helper_enabled": True}],
    "cost_analysis_enabled": True,
    "custom_ca_trust_certificates_base64": [],
    "disk_encryption_set_id": f"{GROUP}/Microsoft.Compute/diskEncryptionSets/a",
    "edge_zone": "losangeles",
    "http_application_routing_enabled": True,
    "http_proxy_config": [
        {"http_proxy": "http://10.1.0.4:3128", "https_proxy": "http://10.1.0.4:3128", "no_proxy": ["localhost"], "trusted_ca": None}
    ],
    "image_cleaner_enabled": True,
    "ingress_application_gateway": [{"gateway_id": f"{GROUP}/Microsoft.Network/applicationGateways/a"}],
    "key_management_service": [
        {"key_vault_key_id": "https://shop.vault.azure.net/keys/etcd/11111111222233334444555555555555", "key_vault_network_access": "Public"}
    ],
    "key_vault_secrets_provider": [{"secret_rotation_enabled": True, "secret_rotation_interval": "2m"}],
    "kubernetes_version": "1.36.0",
    "linux_profile": [{"admin_username": "azureuser", "ssh_key": [{"key_data": "ssh-rsa AAAA"}]}],
    "maintenance_window": [{"allowed": [{"day": "Sunday", "hours": [1, 2]}]}],
    "maintenance_window_auto_upgrade": [WINDOW],
    "maintenance_window_node_os": [WINDOW],
    "microsoft_defender": [{"log_analytics_workspace_id": WORKSPACE}],
    "monitor_metrics": [{"annotations_allowed": "pods=[team]", "labels_allowed": "pods=[team]"}],
    "bootstrap_profile": [{"artifact_source": "Cache", "container_registry_id": f"{GROUP}/Microsoft.ContainerRegistry/registries/a"}],
    "node_os_upgrade_channel": "NodeImage",
    "node_resource_group": "rg-nodes",
    "oidc_issuer_enabled": True,
    "oms_agent": [{"log_analytics_workspace_id": WORKSPACE, "msi_auth_for_monitoring_enabled": True}],
    "open_service_mesh_enabled": False,
    "role_based_access_control_enabled": True,
    "run_command_enabled": False,
    "sku_tier": "Premium",
    "storage_profile": [{"blob_driver_enabled": True, "disk_driver_enabled": True, "file_driver_enabled": True, "snapshot_controller_enabled": True}],
    "tags": TAGS,
    "upgrade_override": [{"force_upgrade_enabled": True, "effective_until": "2026-12-24T00:00:00Z"}],
    "web_app_routing": [{"dns_zone_ids": [f"{GROUP}/Microsoft.Network/dnsZones/shop.example"], "default_nginx_controller": "External"}],
    "windows_profile": [
        {
            "admin_username": "azureuser",
            "admin_password": "Long-enough-1234",
            "license": "Windows_Server",
            "gmsa": [{"dns_server": "10.0.0.4", "root_domain": "shop.example"}],
        }
    ],
    "workload_autoscaler_profile": [{"keda_enabled": True, "vertical_pod_autoscaler_enabled": True}],
    "identity": [{"type": "UserAssigned", "identity_ids": [IDENTITY]}],
}
FLAT = [NETWORK | {"network_plugin_mode": "", "pod_cidr": None}]
NAT = {"idle_timeout_in_minutes": 10, "managed_outbound_ip_count": 2}
OUTSIDE = system(vnet_subnet_id=None)
LOAD_BALANCER = {"backend_pool_type": "NodeIP", "idle_timeout_in_minutes": 30, "outbound_ports_allocated": 1024}
TOGETHER_OF_CLUSTERS = (
    {
        "service_mesh_profile": [
            {
                "mode": "Istio",
                "revisions": ["asm-1-28"],
                "internal_ingress_gateway_enabled": True,
                "external_ingress_gateway_enabled": True,
                "certificate_authority": [
                    {
                        "key_vault_id": f"{GROUP}/Microsoft.KeyVault/vaults/shop",
                        **{f"{name}_object_name": name.replace("_", "-") for name in ("root_cert", "cert", "key", "cert_chain")},
                    }
                ],
            }
        ],
        "key_vault_secrets_provider": [{"secret_rotation_enabled": True, "secret_rotation_interval": "2m"}],
    },
    {
        "kubelet_identity": [{"client_id": UUID, "object_id": UUID, "user_assigned_identity_id": IDENTITY}],
        "identity": [{"type": "UserAssigned", "identity_ids": [IDENTITY]}],
    },
    {"image_cleaner_enabled": True, "image_cleaner_interval_hours": 48},
    {"workload_identity_enabled": True, "oidc_issuer_enabled": True},
    {"sku_tier": "Premium", "support_plan": "AKSLongTermSupport"},
    {"local_account_disabled": True, "azure_active_directory_role_based_access_control": [{"tenant_id": UUID}]},
    {"private_cluster_enabled": True, "private_dns_zone_id": "System", "private_cluster_public_fqdn_enabled": True},
    {
        "private_cluster_enabled": True,
        "dns_prefix": None,
        "dns_prefix_private_cluster": "shop",
        "private_dns_zone_id": f"{GROUP}/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io",
        "identity": [{"type": "UserAssigned", "identity_ids": [IDENTITY]}],
    },
    {"service_principal": [{"client_id": UUID, "client_secret": "hush"}], "identity": []},
    *(
        {"network_profile": [NETWORK | edit]}
        for edit in (
            {
                "network_policy": "cilium",
                "network_data_plane": "cilium",
                "advanced_networking": [{"observability_enabled": True, "security_enabled": True}],
            },
            {"network_plugin_mode": "", "pod_cidr": None, "network_mode": "transparent"},
            {"ip_versions": ["IPv4", "IPv6"], "pod_cidrs": ["10.244.0.0/16", "fd00::/64"], "service_cidrs": ["10.0.0.0/16", "fd01::/108"]},
            {"load_balancer_profile": [LOAD_BALANCER | {"managed_outbound_ip_count": 2}]},
            {
                "ip_versions": ["IPv4", "IPv6"],
                "pod_cidrs": ["10.244.0.0/16", "fd00::/64"],
                "service_cidrs": ["10.0.0.0/16", "fd01::/108"],
                "load_balancer_profile": [{"managed_outbound_ipv6_count": 1}],
            },
            {"load_balancer_profile": [{"outbound_ip_address_ids": [f"{GROUP}/Microsoft.Network/publicIPAddresses/a"]}]},
            {"load_balancer_profile": [{"outbound_ip_prefix_ids": [f"{GROUP}/Microsoft.Network/publicIPPrefixes/a"]}]},
        )
    ),
    {"network_profile": FLAT, "default_node_pool": [system(pod_subnet_id=f"{SUBNET}-pods")]},
    {"network_profile": [NETWORK | {"outbound_type": "managedNATGateway", "nat_gateway_profile": [NAT]}], "default_node_pool": [OUTSIDE]},
)
SCHEDULER = {"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 1}]}
OF_EKS = {
    "role_arn": f"{ROLE}/other",
    "vpc_config": [
        {
            "subnet_ids": ["subnet-a", "subnet-b"],
            "vpc_id": "vpc-1",
            "cluster_security_group_id": "sg-1",
            "control_plane_egress_mode": "PUBLIC",
            "endpoint_private_access": True,
            "endpoint_public_access": True,
            "public_access_cidrs": ["203.0.113.0/24"],
            "security_group_ids": ["sg-0123456789abcdef0"],
        }
    ],
    "access_config": [{"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": False}],
    "control_plane_scaling_config": [{"tier": "tier-xl"}],
    "deletion_protection": True,
    "enabled_cluster_log_types": ["api", "audit"],
    "encryption_config": [
        {"provider": [{"key_arn": "arn:aws:kms:us-east-1:111122223333:key/11111111-2222-3333-4444-555555555555"}], "resources": ["secrets"]}
    ],
    "force_update_version": True,
    "kube_api_server_config": [{"event_ttl": "2h", "service_node_port_range": [{"min_port": 30000, "max_port": 32000}]}],
    "kube_scheduler_config": [{"node_resources_fit": [{"scoring_strategy": [SCHEDULER]}]}],
    "name": "other",
    "region": "us-east-1",
    "remote_network_config": [{"remote_node_networks": [{"cidrs": ["10.80.0.0/16"]}], "remote_pod_networks": [{"cidrs": ["10.85.0.0/16"]}]}],
    "tags": TAGS,
    "upgrade_policy": [{"support_type": "EXTENDED"}],
    "version": "1.36",
    "zonal_shift_config": [{"enabled": True}],
    "bootstrap_self_managed_addons": False,
    "default_addons_to_remove": ["kube-proxy"],
}
OF_GROUPS = {
    "cluster_name": "other",
    "node_role_arn": f"{ROLE}/other",
    "scaling_config": [{"desired_size": 3, "max_size": 6, "min_size": 3}],
    "subnet_ids": ["subnet-a"],
    "ami_type": "BOTTLEROCKET_x86_64",
    "capacity_type": "SPOT",
    "disk_size": 40,
    "force_update_version": True,
    "instance_types": ["m6i.large", "m5.large"],
    "labels": {"tier": "shop"},
    "node_group_name": "other",
    "node_group_name_prefix": "we",
    "node_repair_config": [
        {
            "enabled": True,
            **{f"max_{what}_{unit}": 10 for what in ("parallel_nodes_repaired", "unhealthy_node_threshold") for unit in ("count", "percentage")},
            "node_repair_config_overrides": [
                {
                    "min_repair_wait_time_mins": 10,
                    "node_monitoring_condition": "AcceleratedHardwareReady",
                    "node_unhealthy_reason": "NvidiaXID13Error",
                    "repair_action": "Reboot",
                }
            ],
        }
    ],
    "region": "us-east-1",
    "release_version": "1.35.2-20261101",
    "remote_access": [{"ec2_ssh_key": "key", "source_security_group_ids": ["sg-0123456789abcdef0"]}],
    "tags": TAGS,
    "taint": [{"key": "team", "value": "shop", "effect": "NO_SCHEDULE"}],
    "version": "1.36",
    "warm_pool_config": [{"max_group_prepared_capacity": 3, "min_size": 1, "pool_state": "Stopped", "reuse_on_scale_in": True}],
}
TOGETHER_OF_GROUPS = (
    {"launch_template": [{"id": "lt-0123456789abcdef0", "version": "2"}]},
    {"launch_template": [{"name": "web", "version": "2"}]},
    {"update_config": [{"max_unavailable": 2, "update_strategy": "MINIMAL"}]},
    {"update_config": [{"max_unavailable_percentage": 33}]},
)
OF_NAMED = {"cluster_name": "other", "region": "us-east-1", "tags": TAGS}
PODS = "arn:aws:iam::111122223333:role/pods"
ENTRY = {"cluster_name": "shop", "principal_arn": f"{ROLE}/admins"}
POLICY = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"
ISSUER = {"identity_provider_config_name": "login", "issuer_url": "https://login.example/", "client_id": "kubernetes"}
CLAIMS = {name: f"{name}-" for name in ("groups_claim", "groups_prefix", "username_claim", "username_prefix")} | {"required_claims": TAGS}
OUTPOST = {
    "control_plane_instance_type": "m5.large",
    "outpost_arns": ["arn:aws:outposts:us-east-1:111122223333:outpost/op-0123456789abcdef0"],
    "control_plane_placement": [{"group_name": "shop", "spread_level": "host"}],
    "etcd_instance_type": "m5.large",
    "etcd_placement": [{"spread_level": "host"}],
}
BASES = {
    AKS: (
        cluster(),
        OF_CLUSTERS,
        TOGETHER_OF_CLUSTERS
        + tuple(
            {"default_node_pool": [system(**edit)]}
            for edit in (
                *({name: value} for name, value in OF_POOLS.items()),
                *TOGETHER_OF_POOLS,
                {"name": "systemtwo"},
                {"type": "VirtualMachineScaleSets"},
            )
        ),
    ),
    POOL: (
        pool(),
        OF_POOLS,
        (
            *(*TOGETHER_OF_POOLS, SPOT, WINDOWS, {"pod_subnet_id": f"{SUBNET}-pods"}, {"mode": "System"}),
            *({"upgrade_settings": [{"max_unavailable": "10%"}]}, {"name": "other"}),
        ),
    ),
    EKS: (
        auto_mode(),
        OF_EKS,
        (
            {
                "kube_controller_manager_config": [
                    {
                        "horizontal_pod_autoscaler_controller_config": [{"horizontal_pod_autoscaler_sync_period": "20s"}],
                        "pod_gc_controller_config": [{"terminated_pod_gc_threshold": 1000}],
                    }
                ],
                "control_plane_scaling_config": [{"tier": "tier-xl"}],
            },
            {"outpost_config": [OUTPOST], "compute_config": [], "storage_config": [], "kubernetes_network_config": []},
            *(
                {"kubernetes_network_config": [edit]}
                for edit in (
                    {"ip_family": "ipv6", "service_ipv6_cidr": "fd00::/108", "elastic_load_balancing": [{"enabled": True}]},
                    {"ip_family": "ipv4", "service_ipv4_cidr": "172.20.0.0/16", "elastic_load_balancing": [{"enabled": True}]},
                )
            ),
        ),
    ),
    GROUPS: (group(), OF_GROUPS, TOGETHER_OF_GROUPS),
    "aws_eks_addon": (
        {"addon_name": "coredns", "cluster_name": "shop"},
        OF_NAMED | {"addon_version": "v1.12.1-eksbuild.2", "configuration_values": '{"replicaCount":3}', "preserve": True},
        (
            *({f"resolve_conflicts_on_{when}": "OVERWRITE"} for when in ("create", "update")),
            {"addon_name": "vpc-cni", "service_account_role_arn": PODS},
            {
                "addon_name": "amazon-cloudwatch-observability",
                "pod_identity_association": [{"role_arn": PODS, "service_account": "cloudwatch-agent"}],
            },
            {"addon_name": "cert-manager", "namespace_config": [{"namespace": "certs"}]},
        ),
    ),
    "aws_eks_access_entry": (
        ENTRY,
        OF_NAMED | {"kubernetes_groups": ["viewers"], "principal_arn": f"{ROLE}/others", "user_name": "viewer"},
        ({"type": "STANDARD"},),
    ),
    "aws_eks_access_policy_association": (
        ENTRY | {"policy_arn": POLICY, "access_scope": [{"type": "cluster", "namespaces": []}]},
        {"cluster_name": "other", "region": "us-east-1", "principal_arn": f"{ROLE}/others", "policy_arn": POLICY.replace("View", "Edit")},
        ({"access_scope": [{"type": "namespace", "namespaces": ["shop"]}]},),
    ),
    "aws_eks_identity_provider_config": ({"cluster_name": "shop", "oidc": [ISSUER]}, OF_NAMED, ({"oidc": [ISSUER | CLAIMS]},)),
    "aws_eks_pod_identity_association": (
        {"cluster_name": "shop", "namespace": "shop", "service_account": "web", "role_arn": PODS},
        OF_NAMED | {"namespace": "other", "service_account": "other", "role_arn": f"{PODS}2", "disable_session_tags": True},
        (
            {"target_role_arn": "arn:aws:iam::444455556666:role/target"},
            {"disable_session_tags": True, "policy": '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}'},
        ),
    ),
}
"""Of each type: a valid resource, arguments one by one, and arguments that others need next to them."""
KINDS = sorted(BASES)


def edits(kind):
    _, alone, together = BASES[kind]
    return [*({name: value} for name, value in alone.items()), *together]


def places(value, above=""):
    """The arguments that are set in a block."""
    yield above
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            for name, inner in one.items():
                yield from places(inner, f"{above}.{name}".lstrip("."))


@pytest.mark.parametrize("kind", KINDS)
def test_every_documented_argument_is_set(kind):
    base, *_ = BASES[kind]
    written = {place for values in (base, *edits(kind)) for place in places(values)}
    assert [name for name in documented()[kind] if name not in written] == []


def own_name(kind, number):
    """What makes an instance another resource, so that none is there twice."""
    if kind == AKS:
        return {"name": f"shop{number}", "id": f"{CLUSTER_ID}{number}", "resource_group_name": f"rg{number}"}
    return {{POOL: "name", EKS: "name", GROUPS: "node_group_name"}.get(kind, "cluster_name"): f"shop{number}"}


def instances(kind):
    """One edit of each of many resources: what there was, what there is, and its address."""
    base, *_ = BASES[kind]
    for number, edit in enumerate(edits(kind)):
        before = base | own_name(kind, number)
        key = f"{number}-{'-'.join(edit)}"
        yield change(kind, before, before | edit, name=f'made["{key}"]')


@pytest.fixture
def planned(tmp_path):
    def write(kind):
        around = cluster(network_profile=FLAT, windows_profile=OF_CLUSTERS["windows_profile"])
        owner = change(AKS, around, around) if kind == POOL else change(EKS, auto_mode(), auto_mode())
        owners = [owner] if kind not in (AKS, EKS) else []
        (tmp_path / "plan.json").write_text(text(plan(*owners, *instances(kind), configuration=provider({"constant_value": "us-east-1"}))))
        return tmp_path

    return write


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_finds_an_error_in_a_valid_argument(nodepools, planned, kind):
    answer = nodepools("check", "plan.json", "--format", "json", cwd=planned(kind))
    found = [
        (one["code"], one["object"].partition("#")[2], one["path"], one["message"]) for one in answer.json["findings"] if one["severity"] == "error"
    ]
    assert (found, answer.status, "not known to this version" in answer.err) == ([], 0, False), answer.err


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_every_edit_is_told(nodepools, planned, kind):
    answer = nodepools("diff", "plan.json", "--format", "json", cwd=planned(kind))
    assert answer.status in (0, 1), answer.err
    told = {one["path"].partition('"]')[0] for one in answer.json["changes"]}
    edited = [one["address"].removesuffix('"]') for one in instances(kind) if one["change"]["actions"] == ["update"]]
    assert [one for one in edited if one not in told] == []


@pytest.mark.sweep
@pytest.mark.parametrize("command", ["capacity", "cost"])
@pytest.mark.parametrize("kind", KINDS)
def test_other_commands_read_every_argument(nodepools, planned, kind, command):
    answer = nodepools(command, "--file", "plan.json", cwd=planned(kind))
    several = ("the files have pools of several clusters", "which is in no file")
    assert answer.status == 0 or any(reason in answer.err for reason in several), answer.all


@pytest.mark.parametrize(("kubelet", "codes"), [([], ["AKS031"]), ([{"pod_max_pid": 4096}], [])])
def test_the_provider_sends_that_the_kubelet_starts_with_swap(nodepools, tmp_path, kubelet, codes):
    """Without a block `kubelet_config`, it does not."""
    swap = pool(linux_os_config=[{"swap_file_size_mb": 1500}])
    (tmp_path / "plan.json").write_text(text(plan(change(AKS, cluster(), cluster()), change(POOL, swap, swap | {"kubelet_config": kubelet}))))
    found = nodepools("check", "plan.json", "--format", "json", cwd=tmp_path).json["findings"]
    assert [one["code"] for one in found if one["severity"] == "error"] == codes
    changes = nodepools("diff", "plan.json", "--format", "json", cwd=tmp_path).json["changes"]
    inside = {one["path"].rpartition("this.")[2] for one in changes if "kubelet" in one["path"] or "failSwapOn" in one["path"]}
    assert inside == ({"kubelet_config[0]", "kubelet_config[0].pod_max_pid"} if kubelet else set())


def turned(of_type, arguments, table):
    """The arguments that have the opposite of the field, or of the API."""
    wires = {wire: name for name, argument in arguments.places.items() if (wire := tuple(argument.wire.split("."))) in table.compared}
    found = [name for wire, name in wires.items() if is_opposite(table, wire) or arguments.is_opposite(wire)]
    assert found, of_type
    return found


def nested(values, name, value):
    """The values of a resource with an argument in its blocks."""
    first, _, rest = name.partition(".")
    if not rest:
        return {**values, first: value}
    block = values.get(first) or [{}]
    return {**values, first: [nested(block[0], rest, value)]}


TURNED = [
    (of_type, make, name)
    for of_type, make, arguments, table in (
        (AKS, cluster, azurerm.CLUSTER, AKS_TABLE),
        (POOL, pool, azurerm.POOL, POOL_TABLE),
        (EKS, eks, aws.CLUSTER, EKS_TABLE),
    )
    for name in turned(of_type, arguments, table)
]


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize(("of_type", "make", "name"), TURNED, ids=[f"{of_type}.{name}" for of_type, _, name in TURNED])
def test_a_switch_is_shown_as_the_plan_has_it(nodepools, tmp_path, of_type, make, name, value):
    sides = [nested(make(**({"os_type": "Windows"} if "windows" in name else {})), name, one) for one in (not value, value)]
    (tmp_path / "plan.json").write_text(text(plan(change(of_type, *sides))))
    answer = nodepools("diff", "plan.json", "--format", "json", cwd=tmp_path)
    [one] = [one for one in answer.json["changes"] if one["path"].endswith(name.rpartition(".")[2])]
    assert (one["old"], one["new"]) == (not value, value)

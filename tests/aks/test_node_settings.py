"""Settings of nodes in azure-native's words and units: everything that it takes can be said."""

import inspect

import pytest
from pulumi_azure_native import containerservice

from nodepools import GpuPool, StackOutput, SystemPool, UpgradeSettings, UserPool, WindowsPool
from nodepools.aks import (
    AutoscalerProfile,
    Gmsa,
    HostPorts,
    KubeletConfig,
    LinuxOsConfig,
    LoadBalancer,
    LocalDns,
    LocalDnsOverride,
    Sysctls,
    WindowsProfile,
)
from nodepools.aks.cluster import agent_pool_arguments, cluster_arguments
from nodepools.wire.aks.agent_pool import KUBELET as KUBELET_TABLE
from nodepools.wire.aks.agent_pool import LINUX_OS, LOCAL_DNS, AgentPoolContext
from nodepools.wire.aks.network_profile import LOAD_BALANCER
from nodepools.wire.reading import write
from nodepools.wire.table import python_name

SIZE = "Standard_D4ds_v5"
ZONE = LocalDnsOverride(zone=".", forward_destination="VnetDNS", cache_duration="90s", serve_stale_duration="2h")
KUBELET = KubeletConfig(
    cpu_manager_policy="static",
    cpu_cfs_quota=False,
    cpu_cfs_quota_period="50ms",
    topology_manager_policy="restricted",
    image_gc_high_threshold=90,
    image_gc_low_threshold=70,
    allowed_unsafe_sysctls=["net.*"],
    container_log_max_size="20Mi",
    container_log_max_files=3,
    pod_max_pids=-1,
    fail_swap_on=False,
)
SYSCTLS = Sysctls.model_validate(
    {
        name: {"net_ipv4_ip_local_port_range": "32768 60999", "net_ipv4_tcp_tw_reuse": True}.get(
            name, next((limit.ge for limit in field.metadata if hasattr(limit, "ge")), None)
        )
        for name, field in Sysctls.model_fields.items()
    }
)
LINUX = LinuxOsConfig(sysctls=SYSCTLS, swap_file_size="1500Mi", transparent_huge_page_enabled="never", transparent_huge_page_defrag="defer")


def sdk(kind):
    return set(inspect.signature(getattr(containerservice, f"{kind}Args").__init__).parameters) - {"__self__"}


def arguments(pool, **more):
    return agent_pool_arguments(pool, AgentPoolContext("web", "1.35", "subnet"), **more)


def spelled(table, part):
    return write(table, part, spell=python_name)


def test_everything_of_the_kubelet_can_be_said():
    made = spelled(KUBELET_TABLE, KUBELET)
    assert set(made) == sdk("KubeletConfig")
    assert (made["container_log_max_size_mb"], made["pod_max_pids"], made["fail_swap_on"]) == (20, -1, False)


def test_everything_of_linux_can_be_said():
    made = spelled(LINUX_OS, LINUX)
    assert set(made) == sdk("LinuxOSConfig")
    assert set(made["sysctls"]) == sdk("SysctlConfig")
    assert made["swap_file_size_mb"] == 1500


def test_everything_of_local_dns_can_be_said_in_seconds():
    made = spelled(LOCAL_DNS, LocalDns(mode="Required", vnet_dns=[ZONE], kube_dns=[ZONE]))
    assert set(made) == sdk("LocalDNSProfile")
    assert set(made["vnet_dns_overrides"]["."]) == sdk("LocalDNSOverride")
    assert made["kube_dns_overrides"]["."]["cache_duration_in_seconds"] == 90
    assert spelled(LOCAL_DNS, LocalDns(mode="Disabled")) == {"mode": "Disabled"}


SAID = [
    pytest.param({"kubelet": KUBELET, "linux_os": LINUX}, {"kubelet_config", "linux_os_config"}, id="kubelet and Linux"),
    pytest.param({"local_dns": LocalDns()}, {"local_dns_profile"}, id="local DNS"),
    pytest.param({"message_of_the_day": "hi"}, {"message_of_the_day"}, id="a message"),
    pytest.param({"kubelet_disk_type": "Temporary", "ultra_ssd": True}, {"kubelet_disk_type", "enable_ultra_ssd"}, id="disks"),
    pytest.param({"encryption_at_host": True, "fips": True}, {"enable_encryption_at_host", "enable_fips"}, id="encryption"),
    pytest.param({"scale_down_mode": "Delete", "workload_runtime": "OCIContainer"}, {"scale_down_mode", "workload_runtime"}, id="modes"),
    pytest.param(
        {"proximity_placement_group_id": "p", "capacity_reservation_group_id": "c", "host_group_id": "h"},
        {"proximity_placement_group_id", "capacity_reservation_group_id", "host_group_id"},
        id="groups",
    ),
    pytest.param({"pod_subnet_id": "s", "pod_ip_allocation": "StaticBlock"}, {"pod_subnet_id", "pod_ip_allocation_mode"}, id="a subnet for pods"),
    pytest.param({"node_public_ip": True, "node_public_ip_prefix_id": "p"}, {"enable_node_public_ip", "node_public_ip_prefix_id"}, id="addresses"),
]


@pytest.mark.parametrize(("fields", "names"), SAID)
def test_what_is_said_is_sent_and_what_is_not_is_not(fields, names):
    assert arguments(UserPool(vm_size=SIZE, **fields)).keys() - arguments(UserPool(vm_size=SIZE)).keys() == names


@pytest.mark.parametrize(
    ("pool", "name", "value"),
    [
        pytest.param(
            UserPool(
                vm_size=SIZE, upgrade=UpgradeSettings(max_surge="33%", max_unavailable="0", drain_timeout="1h", soak="5m", undrainable="Cordon")
            ),
            "upgrade_settings",
            {
                "max_surge": "33%",
                "max_unavailable": "0",
                "drain_timeout_in_minutes": 60,
                "node_soak_duration_in_minutes": 5,
                "undrainable_node_behavior": "Cordon",
            },
            id="upgrades in minutes",
        ),
        pytest.param(
            UserPool(vm_size=SIZE, secure_boot=True, vtpm=False, ssh_access="Disabled"),
            "security_profile",
            {"enable_secure_boot": True, "enable_vtpm": False, "ssh_access": "Disabled"},
            id="off is said too",
        ),
        pytest.param(UserPool(vm_size=SIZE, power_state="Stopped"), "power_state", {"code": "Stopped"}, id="a pool that rests"),
        pytest.param(UserPool(vm_size=SIZE, snapshot_id="s"), "creation_data", {"source_resource_id": "s"}, id="a snapshot"),
        pytest.param(SystemPool(vm_size=SIZE, message_of_the_day="hi"), "message_of_the_day", "aGk=", id="a message in base 64"),
        pytest.param(
            UserPool(
                vm_size=SIZE,
                allowed_host_ports=[HostPorts(80, 443)],
                application_security_group_ids=["g"],
                node_public_ip_tags={"RoutingPreference": "Internet"},
            ),
            "network_profile",
            {
                "allowed_host_ports": [{"port_start": 80, "port_end": 443, "protocol": "TCP"}],
                "application_security_groups": ["g"],
                "node_public_ip_tags": [{"ip_tag_type": "RoutingPreference", "tag": "Internet"}],
            },
            id="the network of nodes",
        ),
        pytest.param(GpuPool(vm_size="Standard_NC24ads_A100_v4", mig="MIG2g"), "gpu_instance_profile", "MIG2g", id="GPUs cut"),
        pytest.param(WindowsPool(vm_size=SIZE, outbound_nat=False), "windows_profile", {"disable_outbound_nat": True}, id="Windows without NAT"),
        pytest.param(WindowsPool(vm_size=SIZE), "os_sku", "Windows2022", id="the release of Windows is always said"),
    ],
)
def test_words_and_units(pool, name, value):
    assert arguments(pool)[name] == value


def test_references_are_resolved():
    subnet, group = StackOutput("o/p/s", "subnet"), StackOutput("o/p/s", "group")
    pool = UserPool(vm_size=SIZE, pod_subnet_id=subnet, host_group_id=group, application_security_group_ids=["plain", group])
    made = arguments(pool, resolve=lambda ref: ref.output)
    assert (made["pod_subnet_id"], made["host_group_id"]) == ("subnet", "group")
    assert made["network_profile"]["application_security_groups"] == ["plain", "group"]
    shared = AgentPoolContext("web", "1.35", "subnet", pod_subnet_id="shared")
    assert agent_pool_arguments(UserPool(vm_size=SIZE), shared)["pod_subnet_id"] == "shared"


OPTIONS = {
    "support_plan": "AKSLongTermSupport",
    "auto_upgrade": "patch",
    "node_os_upgrade": "NodeImage",
    "log_analytics_workspace_id": "w",
    "disk_encryption_set_id": "d",
}


def of_cluster(declared):
    return cluster_arguments("dev", declared, identity_id="identity", system_subnet_id="subnet", resolve=str)


def test_options_of_the_cluster(declare):
    made, least = of_cluster(declare(**OPTIONS)), of_cluster(declare())
    assert {name: made[name] for name in made.keys() - least.keys()} == {
        "support_plan": "AKSLongTermSupport",
        "auto_upgrade_profile": {"upgrade_channel": "patch", "node_os_upgrade_channel": "NodeImage"},
        "addon_profiles": {"omsagent": {"enabled": True, "config": {"logAnalyticsWorkspaceResourceID": "w", "useAADAuth": "true"}}},
        "disk_encryption_set_id": "d",
    }
    assert {name: made[name] for name in least} == least


def test_the_autoscaler_takes_numbers_as_text(declare):
    profile = AutoscalerProfile(max_empty_bulk_delete=5, scale_down_utilization_threshold=0.4, balance_similar_node_groups=True, scan_interval="20s")
    assert of_cluster(declare(autoscaler=profile))["auto_scaler_profile"] == {
        "max_empty_bulk_delete": "5",
        "scale_down_utilization_threshold": "0.4",
        "balance_similar_node_groups": "true",
        "scan_interval": "20s",
    }
    assert set(AutoscalerProfile.model_fields) - {"priorities"} == sdk("ManagedClusterPropertiesAutoScalerProfile")


def test_the_administrator_of_windows(declare):
    profile = WindowsProfile(admin_password="p" * 14, hybrid_benefit=True, csi_proxy=False, gmsa=Gmsa(dns_server="10.0.0.4", root_domain_name="x"))
    made = of_cluster(declare(windows_profile=profile))["windows_profile"]
    assert set(made) == sdk("ManagedClusterWindowsProfile")
    assert made["gmsa_profile"] == {"enabled": True, "dns_server": "10.0.0.4", "root_domain_name": "x"}


def test_the_api_server(declare):
    private = {"private_dns_zone": "none", "private_public_fqdn": False, "run_command": False, "api_server_subnet_id": "s"}
    made = of_cluster(declare(api_server={"private": True}, **private))["api_server_access_profile"]
    assert set(made) == sdk("ManagedClusterAPIServerAccessProfile") - {"authorized_ip_ranges"}
    assert (made["disable_run_command"], made["enable_vnet_integration"]) == (True, True)
    assert of_cluster(declare())["api_server_access_profile"] == {"enable_private_cluster": False, "authorized_ip_ranges": []}


def test_the_load_balancer():
    own = spelled(LOAD_BALANCER, LoadBalancer(outbound_ip_ids=["a"], outbound_ip_prefix_ids=["b"], allocated_outbound_ports=0, idle_timeout="4m"))
    assert own == {
        "outbound_ips": {"public_ips": [{"id": "a"}]},
        "outbound_ip_prefixes": {"public_ip_prefixes": [{"id": "b"}]},
        "allocated_outbound_ports": 0,
        "idle_timeout_in_minutes": 4,
    }
    assert spelled(LOAD_BALANCER, LoadBalancer(managed_outbound_ips=2)) == {"managed_outbound_ips": {"count": 2}}

"""Round trips: what a declaration sends is read back into one that sends the same. What the wire cannot carry is listed."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pulumi_azure_native import containerservice

from nodepools import testing
from nodepools.aks.cluster import agent_pool_arguments, cluster_arguments, maintenance_arguments
from nodepools.engine.property_values import plain_of
from nodepools.model.aks.agent_pool import GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import CONFIGURATIONS, MaintenanceConfigurations
from nodepools.model.aks.node_settings import Sysctls
from nodepools.model.unknowns import UNKNOWN, assembled, unread
from nodepools.resources.aks_clusters import agent_pool, maintenance_window, managed_cluster, pool_key
from nodepools.rules.engine.samples import aks
from nodepools.wire.aks.agent_pool import INLINE, AgentPoolContext

OURS_ALONE = {"owner", "timeouts", "generation", "previous", "overrides", "retain", "labeled", "headroom", "egress_configurations"}
"""Fields of pools that say nothing to Azure."""
NEWER = {str(way.model[0]) for way in INLINE.leaves if way.since}
"""Fields of pools that the version of the API that the SDK sends does not have."""
ELSEWHERE = {"name", "tags", "vnet_subnet_id", "labels", "taints"}
"""Fields in which more is said than was declared: tags and subnet of the cluster, labels and taints of the kind, the name that was made."""

words = st.sampled_from
flags = st.booleans()
ids = st.sampled_from(["/subscriptions/s/a", "/subscriptions/s/b"])
taints = st.sampled_from(
    [{"key": "team", "value": "ml"}, {"key": "a", "effect": "PreferNoSchedule"}, {"key": "b", "value": "c", "effect": "NoExecute"}]
)
labels = st.dictionaries(words(["team", "tier", "example.com/x"]), words(["a", "b"]), max_size=2)
zone = st.fixed_dictionaries(
    {"zone": words([".", "cluster.local"]), "forward_destination": words(["VnetDNS", "ClusterCoreDNS"])},
    optional={"protocol": words(["PreferUDP", "ForceTCP"]), "cache_duration": words(["30s", "90s", "1h"]), "max_concurrent": st.integers(0, 9)},
)
zones_of_dns = st.lists(zone, max_size=2, unique_by=lambda one: one["zone"])
kubelet = st.fixed_dictionaries(
    {},
    optional={
        "cpu_manager_policy": words(["none", "static"]),
        "cpu_cfs_quota": flags,
        "image_gc_high_threshold": st.integers(0, 100),
        "allowed_unsafe_sysctls": st.lists(words(["net.*", "kernel.msg*"]), min_size=1, max_size=2),
        "container_log_max_size": words(["50Mi", "1Gi"]),
        "pod_max_pids": st.integers(-1, 100),
        "fail_swap_on": flags,
    },
).filter(bool)
sysctls = st.fixed_dictionaries(
    {},
    optional={
        name: st.just(next(iter(of.metadata)).ge) for name, of in Sysctls.model_fields.items() if of.metadata and hasattr(of.metadata[0], "ge")
    },
).filter(bool)
linux = st.fixed_dictionaries(
    {}, optional={"sysctls": sysctls, "swap_file_size": words(["1500Mi", "2Gi"]), "transparent_huge_page_enabled": words(["always", "never"])}
).filter(bool)
upgrade = st.fixed_dictionaries(
    {},
    optional={"max_surge": words(["1", "33%"]), "drain_timeout": words(["30m", "2h"]), "soak": words(["5m"]), "undrainable": words(["Cordon"])},
).filter(bool)
scale = st.builds(lambda low, more: {"min": low, "max": max(low + more, 1)}, st.integers(0, 5), st.integers(0, 5))
machines = st.lists(st.fixed_dictionaries({"vm_size": words(["Standard_D8ds_v5"]), "count": st.integers(0, 9)}), max_size=1)
COMMON: dict[str, st.SearchStrategy[Any]] = {
    "count": st.integers(0, 9),
    "scale": scale,
    "zones": st.lists(st.integers(1, 3), unique=True, max_size=3),
    "kubernetes_version": words(["1.35", "1.34.2"]),
    "os_disk_size_gb": st.integers(30, 2048),
    "os_disk_type": words(["Ephemeral", "Managed"]),
    "max_pods": st.integers(10, 250),
    "kubelet_disk_type": words(["OS", "Temporary"]),
    "ultra_ssd": flags,
    "encryption_at_host": flags,
    "fips": flags,
    "secure_boot": flags,
    "vtpm": flags,
    "ssh_access": words(["LocalUser", "Disabled"]),
    "kubelet": kubelet,
    "local_dns": st.fixed_dictionaries({}, optional={"vnet_dns": zones_of_dns, "kube_dns": zones_of_dns, "mode": words(["Required", "Disabled"])}),
    "upgrade": upgrade,
    "scale_down_mode": words(["Delete", "Deallocate"]),
    "power_state": words(["Running", "Stopped"]),
    "workload_runtime": words(["OCIContainer", "KataVmIsolation"]),
    "snapshot_id": ids,
    "proximity_placement_group_id": ids,
    "capacity_reservation_group_id": ids,
    "host_group_id": ids,
    "labels": labels,
    "taints": st.lists(taints, max_size=2, unique_by=lambda one: one["key"]),
    "pod_subnet_id": ids,
    "pod_ip_allocation": words(["DynamicIndividual", "StaticBlock"]),
    "node_public_ip": flags,
    "node_public_ip_prefix_id": ids,
    "node_public_ip_tags": st.just({"RoutingPreference": "Internet"}),
    "allowed_host_ports": st.lists(st.just({"start": 80, "end": 443, "protocol": "UDP"}), max_size=1),
    "application_security_group_ids": st.lists(ids, max_size=2, unique=True),
    "tags": labels,
}
LINUX = {"linux_os": linux, "message_of_the_day": words(["Hello", "Grüße"]), "os_sku": words(["Ubuntu", "AzureLinux"])}
SPOT = {"spot": st.fixed_dictionaries({}, optional={"max_price": words([0.5, -1]), "eviction": words(["Deallocate"])})}
KINDS: dict[type, tuple[str, dict[str, st.SearchStrategy[Any]]]] = {
    SystemPool: ("Standard_D4ds_v5", {**LINUX, "isolated": flags}),
    UserPool: ("Standard_D4ds_v5", {**LINUX, **SPOT, "machines": machines, "gateway_prefix_size": st.integers(28, 31)}),
    GpuPool: ("Standard_NC24ads_A100_v4", {**LINUX, **SPOT, "tainted": flags, "driver": words(["None", "Install"]), "mig": words(["MIG1g"])}),
    WindowsPool: ("Standard_D4ds_v5", {"os_sku": words(["Windows2019", "Windows2022"]), "outbound_nat": flags, "tainted": flags}),
}


@st.composite
def pools(draw):
    """A pool of any kind, with some of its fields said."""
    kind = draw(words(list(KINDS)))
    size, own = KINDS[kind]
    fields = draw(st.fixed_dictionaries({}, optional={**COMMON, **own}))
    if "machines" in fields:
        fields.pop("scale", None)  # the version of the API that the SDK sends autoscales no single machines
    return kind.model_validate({"vm_size": size, **fields})


def sent(pool, key="web"):
    return agent_pool_arguments(pool, AgentPoolContext(key, "1.36", "/net/subnets/nodes", {"platform": "dev"}))


def on_the_wire(arguments):
    """Inputs of AgentPools, as the SDK sends them."""

    def program():
        for number, one in enumerate(arguments):
            containerservice.AgentPool(f"p{number}", agent_pool_name=f"p{number}", resource_group_name="rg", resource_name_="shop", **one)

    graph = testing.run(program)
    return [plain_of(graph.one(f"AgentPool/p{number}").request.object) for number in range(len(arguments))]


def test_every_field_of_a_pool_is_tried_or_listed():
    for kind, (_, own) in KINDS.items():
        assert set(kind.model_fields) - {"kind", "vm_size", "name", "vnet_subnet_id"} - OURS_ALONE - NEWER <= {*COMMON, *own}


@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(st.lists(pools(), min_size=12, max_size=12))
def test_a_pool_comes_back_as_it_was_sent(declared):
    for pool, wire in zip(declared, on_the_wire([sent(pool) for pool in declared]), strict=True):
        read, findings = agent_pool(wire)
        assert read is not None
        assert (findings, unread(read), type(read).__name__) == ([], frozenset(), type(pool).__name__)
        assert sent(read) == sent(pool)
        assert pool_key(wire) == "web"
        said = set(type(pool).model_fields) - OURS_ALONE - ELSEWHERE - {"kubernetes_version", "count", "local_dns", "upgrade", "kubelet", "linux_os"}
        assert {name: getattr(read, name) for name in said} == {name: getattr(pool, name) for name in said}
        assert set(pool.taints) <= set(read.node_taints) == set(pool.node_taints)


CLUSTERS: list[tuple[str, AksClusterArgs]] = [
    ("the least", aks()),
    ("a free one, with its own version of everything", aks(tier="Free", auto_upgrade="patch", node_os_upgrade="SecurityPatch", tags={"a": "b"})),
    ("no Entra ID", aks(entra=None)),
    ("another tenant", aks(entra={"tenant_id": "there"})),
    ("long-term support", aks(tier="Premium", support_plan="AKSLongTermSupport")),
    ("a private one", aks(api_server={"private": True, "authorized_ip_ranges": []}, private_dns_zone="system", private_public_fqdn=False)),
    ("no commands", aks(run_command=False, api_server_subnet_id="subnet")),
    (
        "an autoscaler",
        aks(
            autoscaler={
                "expander": "least-waste",
                "balance_similar_node_groups": True,
                "max_empty_bulk_delete": 5,
                "scale_down_utilization_threshold": 0.25,
                "scan_interval": "20s",
                "skip_nodes_with_system_pods": False,
                "ignore_daemonsets_utilization": True,
            }
        ),
    ),
    ("Windows", aks(windows_profile={"admin_password": "x" * 20, "hybrid_benefit": True, "csi_proxy": False, "gmsa": {"dns_server": "d"}})),
    ("logs and keys", aks(log_analytics_workspace_id="workspace", disk_encryption_set_id="set")),
    (
        "services",
        aks(
            logs={"workspace": "w", "location": "westeurope"},
            metrics={"workspace": "m", "label_keys": {"pods": ["app"]}},
            azure_policy=True,
            key_vault_provider={"rotation_interval": "5m"},
            keda=True,
            vertical_pod_autoscaler=False,
            cost_analysis=True,
            image_cleaner={"interval": "48h"},
            defender={"workspace": "w"},
            istio={"revisions": ["asm-1-30"], "ingress": ["Internal"]},
            storage={"blob": True, "file": False},
            http_proxy={"http": "http://proxy:3128", "no_proxy": [".corp"], "trusted_ca": "PEM"},
            trusted_certificates=["-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n"],
            etcd_key={"key_id": "k", "vault_id": "v", "vault_access": "Private"},
            api_server_subnet_id="subnet",
        ),
    ),
    ("node auto provisioning", aks(node_provisioning={"default_node_pools": "None"})),
    ("iptables", aks(network_profile={"dataplane": "azure", "policy": "calico", "plugin_mode": None})),
    ("a plugin that is brought", aks(network_profile={"plugin": "none"})),
    (
        "a way out",
        aks(
            network_profile={
                "load_balancer": {"outbound_ip_ids": ["ip"], "idle_timeout": "10m", "allocated_outbound_ports": 0},
                "pod_cidr": "10.9.0.0/16",
            }
        ),
    ),
    ("dual stack", aks(network_profile={"ip_families": ["IPv4", "IPv6"]})),
]


def cluster_sent(cluster):
    return cluster_arguments("shop", cluster, identity_id="identity", system_subnet_id="/net/subnets/nodes", resolve=str)


@pytest.fixture(scope="module")
def clusters():
    """Inputs of ManagedClusters, as the SDK sends them."""

    def program():
        for number, (_, cluster) in enumerate(CLUSTERS):
            containerservice.ManagedCluster(f"c{number}", resource_group_name="rg", **cluster_sent(cluster))

    graph = testing.run(program)
    return {name: plain_of(graph.one(f"ManagedCluster/c{number}").request.object) for number, (name, _) in enumerate(CLUSTERS)}


@pytest.mark.parametrize(("name", "declared"), CLUSTERS, ids=[row[0] for row in CLUSTERS])
def test_a_cluster_comes_back_as_it_was_sent(clusters, name, declared):
    wire = clusters[name]
    read = managed_cluster(wire)
    system, findings = agent_pool(wire["agentPoolProfiles"][0], INLINE)
    assert findings == []
    assert cluster_sent(assembled(read, system_pool=system)) == cluster_sent(declared)


def test_what_no_input_says_is_not_known(clusters):
    read = managed_cluster(clusters["the least"])
    assert {"admins", "apply", "device_plugin", "gpu_operator", "identity", "protect", "resource_group", "timeouts"} <= unread(read)
    assert unread(managed_cluster({**clusters["the least"], "networkProfile": UNKNOWN})) >= {"network_profile"}
    assert unread(managed_cluster({})) >= {"location", "kubernetes_version"}


ABSENT = [
    ("the tier is Free", {}, "tier", "Free"),
    ("there is no Entra ID", {}, "entra", None),
    ("nodes are not provisioned", {}, "node_provisioning", None),
    ("pods have a range in overlay", {"networkProfile": {"networkPlugin": "azure", "networkPluginMode": "overlay"}}, "pod_cidr", "10.244.0.0/16"),
    ("services have a range", {"networkProfile": {"networkPlugin": "azure"}}, "service_cidr", "10.0.0.0/16"),
    ("everyone reaches the API server", {}, "api_server", aks(api_server={"authorized_ip_ranges": []}).api_server),
]


@pytest.mark.parametrize(("inputs", "field", "value"), [row[1:] for row in ABSENT], ids=[row[0] for row in ABSENT])
def test_what_is_left_out_is_as_azure_has_it(inputs, field, value):
    assert getattr(managed_cluster(inputs), field) == value


def test_of_an_automatic_cluster_nothing_is_known_but_what_is_said():
    read = managed_cluster({"sku": {"name": "Automatic"}, "location": "westeurope"})
    assert read.location == "westeurope"
    assert {"tier", "entra", "node_provisioning", "network_profile", "api_server"} <= unread(read)


@pytest.mark.parametrize(
    "schedule",
    [
        {"kind": "DailySchedule", "interval_days": 2},
        {"kind": "WeeklySchedule", "day_of_week": "Sunday", "interval_weeks": 2},
        {"kind": "AbsoluteMonthlySchedule", "day_of_month": 3},
        {"kind": "RelativeMonthlySchedule", "week_index": "First", "day_of_week": "Monday"},
    ],
    ids=lambda one: one["kind"],
)
def test_a_window_comes_back_as_it_was_sent(schedule):
    dates = [{"start": "2026-12-20", "end": "2027-01-06"}]
    window = {
        "schedule": schedule,
        "duration_hours": 5,
        "start_time": "02:00",
        "utc_offset": "+01:00",
        "start_date": "2026-12-01",
        "not_allowed": dates,
    }
    declared = MaintenanceConfigurations(node_images=window)

    def program():
        for name, arguments in maintenance_arguments(declared).items():
            containerservice.MaintenanceConfiguration("w", config_name=name, resource_group_name="rg", resource_name_="shop", **arguments)

    wire = plain_of(testing.run(program).one("MaintenanceConfiguration/w").request.object)
    assert CONFIGURATIONS[wire["configName"]] == "node_images"
    assert maintenance_window(wire) == declared.node_images


@pytest.mark.parametrize("wire", [{}, {"timeInWeek": [{"day": "Sunday", "hourSlots": [1]}]}])
def test_hours_of_the_week_are_no_window(wire):
    assert maintenance_window(wire) is None

"""What a cluster is made of."""

import pytest

from nodepools import ApiServer, Autoscale, NodeProvisioning, SystemPool
from nodepools.aks import Entra, NetworkProfile
from nodepools.aks.cluster import cluster_arguments

SIZE = "Standard_D4ds_v5"


@pytest.fixture
def arguments(declare):
    """The arguments of a cluster; the fields of its declaration are keywords."""

    def made(stem="dev-weu", **fields):
        return cluster_arguments(stem, declare(**fields), identity_id="identity", system_subnet_id="subnet")

    return made


def test_names_begin_with_the_stem(arguments):
    made = arguments()
    assert (made["resource_name_"], made["dns_prefix"], made["node_resource_group"]) == ("dev-weu", "dev-weu", "dev-weu-nodes")


def test_long_names_are_cut_to_what_azure_takes_and_stay_different(arguments):
    one, other = arguments(stem="p" * 100 + "-one"), arguments(stem="p" * 100 + "-other")
    for field, longest in {"resource_name_": 63, "dns_prefix": 54, "node_resource_group": 80}.items():
        assert len(one[field]) == longest
        assert one[field] != other[field]


def test_the_only_pool_inside_is_the_system_pool(arguments):
    (pool,) = arguments()["agent_pool_profiles"]
    assert (pool["name"], pool["mode"], pool["type"], pool["vm_size"]) == ("system", "System", "VirtualMachineScaleSets", SIZE)
    assert pool["node_labels"] == {"nodepools/name": "system"}


def test_the_system_pool_may_be_autoscaled(arguments):
    (pool,) = arguments(system_pool=SystemPool(vm_size=SIZE, scale=Autoscale(2, 4)))["agent_pool_profiles"]
    assert (pool["enable_auto_scaling"], pool["count"], pool["min_count"], pool["max_count"]) == (True, 2, 2, 4)


@pytest.mark.parametrize("own", [None, "1.34"], ids=["its cluster's", "one of its own"])
def test_no_version_is_sent_for_the_system_pool(arguments, own):
    made = arguments(system_pool=SystemPool(vm_size=SIZE, count=3, kubernetes_version=own))
    assert made["kubernetes_version"] == "1.35"
    assert "orchestrator_version" not in made["agent_pool_profiles"][0]


def test_the_network_profile_is_complete(arguments):
    assert arguments()["network_profile"] == {
        "network_plugin": "azure",
        "network_plugin_mode": "overlay",
        "network_dataplane": "cilium",
        "network_policy": "cilium",
        "pod_cidr": "10.244.0.0/16",
        "service_cidr": "10.0.0.0/16",
        "dns_service_ip": "10.0.0.10",
        "ip_families": ["IPv4"],
        "outbound_type": "loadBalancer",
        "load_balancer_sku": "standard",
    }


def test_without_overlay_pods_are_in_the_subnet(arguments):
    made = arguments(network_profile=NetworkProfile(plugin_mode=None, dataplane="azure"))["network_profile"]
    assert made["network_plugin"] == "azure"
    assert not {"network_plugin_mode", "pod_cidr", "network_policy"} & made.keys()


def test_a_brought_network_plugin_decides_the_rest(arguments):
    made = arguments(network_profile=NetworkProfile(plugin="none"))["network_profile"]
    assert made["network_plugin"] == "none"
    assert not {"network_plugin_mode", "network_dataplane", "network_policy", "pod_cidr"} & made.keys()


def test_with_entra_there_are_no_local_accounts(arguments):
    made = arguments()
    assert made["disable_local_accounts"] is True
    assert made["aad_profile"] == {"managed": True, "enable_azure_rbac": True}


def test_the_tenant_can_be_said(arguments):
    assert arguments(entra=Entra(tenant_id="tenant"))["aad_profile"]["tenant_id"] == "tenant"


def test_without_entra_there_are_local_accounts_only(arguments):
    made = arguments(entra=None)
    assert made["disable_local_accounts"] is False
    assert "aad_profile" not in made


@pytest.mark.parametrize(
    ("access", "expected"),
    [
        pytest.param(ApiServer(), {"enable_private_cluster": False, "authorized_ip_ranges": []}, id="everyone reaches it"),
        pytest.param(
            ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),
            {"enable_private_cluster": False, "authorized_ip_ranges": ["203.0.113.0/24"]},
            id="some ranges do",
        ),
        pytest.param(ApiServer(private=True), {"enable_private_cluster": True}, id="the network does"),
    ],
)
def test_reach(arguments, access, expected):
    assert arguments(api_server=access)["api_server_access_profile"] == expected


@pytest.mark.parametrize(
    ("provisioning", "expected"),
    [
        pytest.param(None, {"mode": "Manual"}, id="off is said"),
        pytest.param(NodeProvisioning(), {"mode": "Auto", "default_node_pools": "Auto"}, id="on, with the built-in pools"),
        pytest.param(NodeProvisioning(default_node_pools="None"), {"mode": "Auto", "default_node_pools": "None"}, id="on, without them"),
    ],
)
def test_node_provisioning(arguments, provisioning, expected):
    assert arguments(node_provisioning=provisioning)["node_provisioning_profile"] == expected


def test_workload_identity_is_on(arguments):
    made = arguments()
    assert made["oidc_issuer_profile"] == {"enabled": True}
    assert made["security_profile"] == {"workload_identity": {"enabled": True}}


def test_overrides_are_laid_over_all(arguments):
    made = arguments(overrides={"sku": {"tier": "Premium"}, "support_plan": "AKSLongTermSupport"})
    assert made["sku"] == {"name": "Base", "tier": "Premium"}
    assert made["support_plan"] == "AKSLongTermSupport"

"""What agent pools are made of."""

import pytest

from nodepools import Autoscale, GpuPool, Spot, SystemPool, Taint, UserPool
from nodepools.aks.cluster import agent_pool_arguments
from nodepools.wire.aks.agent_pool import AgentPoolContext

SIZE = "Standard_D4ds_v5"


def arguments(pool, key="web", tags=None):
    return agent_pool_arguments(pool, AgentPoolContext(key, "1.35", "subnet", tags or {}))


def test_a_plain_pool_says_all_that_azure_would_otherwise_decide():
    assert arguments(UserPool(vm_size=SIZE)) == {
        "mode": "User",
        "type": "VirtualMachineScaleSets",
        "os_type": "Linux",
        "vm_size": SIZE,
        "count": 1,
        "enable_auto_scaling": False,
        "orchestrator_version": "1.35",
        "node_labels": {"nodepools/name": "web"},
        "node_taints": [],
        "vnet_subnet_id": "subnet",
        "tags": {},
    }


SAID = [
    pytest.param({"count": 5}, {"count": 5, "enable_auto_scaling": False}, id="a fixed size"),
    pytest.param(
        {"scale": Autoscale(2, 9)},
        {"count": 2, "enable_auto_scaling": True, "min_count": 2, "max_count": 9},
        id="an autoscaled pool begins at its minimum",
    ),
    pytest.param({"scale": Autoscale(0, 9)}, {"count": 0, "min_count": 0}, id="zero is a size"),
    pytest.param({"scale": Autoscale(2, 9), "count": 4}, {"count": 4, "min_count": 2}, id="or at the declared first size"),
    pytest.param({"zones": [1, 3]}, {"availability_zones": ["1", "3"]}, id="zones are strings"),
    pytest.param({"kubernetes_version": "1.34"}, {"orchestrator_version": "1.34"}, id="a version of its own"),
    pytest.param({"os_sku": "AzureLinux"}, {"os_sku": "AzureLinux"}, id="the operating system"),
    pytest.param(
        {"os_disk_size_gb": 64, "os_disk_type": "Ephemeral", "max_pods": 50},
        {"os_disk_size_gb": 64, "os_disk_type": "Ephemeral", "max_pods": 50},
        id="disk and pods",
    ),
    pytest.param({"labels": {"tier": "web"}}, {"node_labels": {"nodepools/name": "web", "tier": "web"}}, id="labels beside the pool's own"),
    pytest.param({"taints": [Taint("team", "ml", "NoExecute")]}, {"node_taints": ["team=ml:NoExecute"]}, id="taints as text"),
    pytest.param({"taints": [Taint("team")]}, {"node_taints": ["team:NoSchedule"]}, id="a taint without a value"),
    pytest.param(
        {"spot": Spot()},
        {
            "scale_set_priority": "Spot",
            "scale_set_eviction_policy": "Delete",
            "spot_max_price": -1,
            "node_labels": {"nodepools/name": "web", "kubernetes.azure.com/scalesetpriority": "spot"},
            "node_taints": ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"],
        },
        id="spot brings its label and its taint",
    ),
    pytest.param(
        {"spot": Spot(max_price=0.05, eviction="Deallocate")},
        {"scale_set_eviction_policy": "Deallocate", "spot_max_price": 0.05},
        id="spot with a price and a policy",
    ),
    pytest.param({"tags": {"team": "ml", "platform": "own"}}, {"tags": {"platform": "own", "team": "ml"}}, id="the pool's tags win"),
    pytest.param({"overrides": {"enable_fips": True}}, {"enable_fips": True}, id="an override adds what is not modelled"),
    pytest.param({"overrides": {"count": 7}}, {"count": 7}, id="an override wins"),
    pytest.param({"overrides": {"upgrade_settings": {"max_surge": "33%"}}}, {"upgrade_settings": {"max_surge": "33%"}}, id="and may be deep"),
]


@pytest.mark.parametrize(("fields", "expected"), SAID)
def test_what_is_declared_is_sent(fields, expected):
    made = arguments(UserPool(vm_size=SIZE, **fields), tags={"platform": "dev"})
    assert {name: made[name] for name in expected} == expected


@pytest.mark.parametrize("absent", ["scale_set_priority", "scale_set_eviction_policy", "spot_max_price", "gpu_profile", "min_count", "max_count"])
def test_what_is_not_declared_is_not_sent(absent):
    assert absent not in arguments(UserPool(vm_size=SIZE))


def test_an_override_of_none_takes_an_argument_away():
    assert "orchestrator_version" not in arguments(UserPool(vm_size=SIZE, overrides={"orchestrator_version": None}))


def test_overrides_are_lists_and_dicts_again():
    made = arguments(UserPool(vm_size=SIZE, overrides={"kubelet_config": {"allowed_unsafe_sysctls": ["net.*"]}}))
    assert type(made["kubelet_config"]) is dict
    assert type(made["kubelet_config"]["allowed_unsafe_sysctls"]) is list


def test_a_gateway_pool_has_its_mode_and_no_taint_that_aks_adds():
    made = arguments(UserPool(vm_size=SIZE, count=2, gateway_prefix_size=30))
    assert made["node_taints"] == []
    assert (made["mode"], made["gateway_profile"], made["count"]) == ("Gateway", {"public_ip_prefix_size": 30}, 2)


def test_a_gpu_pool_is_tainted_and_has_its_driver():
    made = arguments(GpuPool(vm_size="Standard_NC24ads_A100_v4"))
    assert made["gpu_profile"] == {"driver": "Install"}
    assert made["node_taints"] == ["sku=gpu:NoSchedule"]


def test_a_gpu_pool_on_spot_has_both_taints():
    made = arguments(GpuPool(vm_size="Standard_NC24ads_A100_v4", driver="None", spot=Spot()))
    assert made["gpu_profile"] == {"driver": "None"}
    assert made["node_taints"] == ["sku=gpu:NoSchedule", "kubernetes.azure.com/scalesetpriority=spot:NoSchedule"]


def test_a_system_pool_keeps_applications_off():
    made = arguments(SystemPool(vm_size=SIZE, count=3))
    assert made["mode"] == "System"
    assert made["node_taints"] == ["CriticalAddonsOnly=true:NoSchedule"]


def test_a_system_pool_can_be_shared():
    assert arguments(SystemPool(vm_size=SIZE, count=3, isolated=False))["node_taints"] == []


# Row 13 of the traps: a PUT with labels but without the spot label takes it away, one without taints leaves them as they were.
@pytest.mark.parametrize("pool", [UserPool(vm_size=SIZE), UserPool(vm_size=SIZE, spot=Spot(), labels={"a": "b"}), SystemPool(vm_size=SIZE)])
def test_labels_and_taints_are_always_sent(pool):
    made = arguments(pool)
    assert {"node_labels", "node_taints"} <= made.keys()
    assert ("kubernetes.azure.com/scalesetpriority" in made["node_labels"]) is bool(getattr(pool, "spot", None))

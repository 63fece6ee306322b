"""The NVIDIA device plugin reaches the GPU pools, and only those."""

import pytest
import yaml

from nodepools import GpuPool, Spot, Taint
from nodepools.aks import DevicePlugin
from nodepools.clouds.aks.device_plugin import device_plugin, device_plugin_objects

POOLS = {
    "train": GpuPool(vm_size="Standard_NC4as_T4_v3", spot=Spot(), taints=[Taint("team", "ml")]),
    "serve": GpuPool(vm_size="Standard_NC4as_T4_v3"),
}


def pod(**pools):
    return device_plugin(DevicePlugin(), pools)["spec"]["template"]["spec"]


def test_it_runs_on_the_gpu_pools_by_the_label_that_never_changes():
    [term] = pod(**POOLS)["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term == {"matchExpressions": [{"key": "nodepools/name", "operator": "In", "values": ["serve", "train"]}]}


def test_pools_without_the_label_are_selected_by_their_names():
    existing = GpuPool(vm_size="Standard_NC4as_T4_v3", name="gpu", labeled=False)
    terms = pod(**POOLS, old=existing)["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert [term["matchExpressions"] for term in terms] == [
        [{"key": "kubernetes.azure.com/agentpool", "operator": "In", "values": ["gpu"]}],
        [{"key": "nodepools/name", "operator": "In", "values": ["serve", "train"]}],
    ]


def test_it_tolerates_every_taint_of_those_pools():
    tolerated = [toleration["key"] for toleration in pod(**POOLS)["tolerations"]]
    assert tolerated == ["sku", "kubernetes.azure.com/scalesetpriority", "team", "nvidia.com/gpu"]


def test_it_is_a_daemon_set_of_the_system_that_may_do_little():
    made = device_plugin(DevicePlugin(image="mine/plugin:1"), POOLS)
    assert (made["kind"], made["metadata"]["namespace"]) == ("DaemonSet", "kube-system")
    [container] = made["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "mine/plugin:1"
    assert container["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    assert made["spec"]["selector"]["matchLabels"].items() <= made["spec"]["template"]["metadata"]["labels"].items()


def test_gpus_are_shared_by_a_file_whose_change_starts_it_anew():
    settings, daemon_set = device_plugin_objects(DevicePlugin(time_slices=4), POOLS)
    assert (settings["kind"], settings["metadata"]["name"]) == ("ConfigMap", daemon_set["metadata"]["name"])
    text = yaml.safe_load(settings["data"]["config.yaml"])
    assert text["sharing"]["timeSlicing"] == {"failRequestsGreaterThanOne": False, "resources": [{"name": "nvidia.com/gpu", "replicas": 4}]}
    template = daemon_set["spec"]["template"]
    other = [*device_plugin_objects(DevicePlugin(time_slices=5), POOLS)][-1]["spec"]["template"]
    assert template["metadata"]["annotations"] != other["metadata"]["annotations"]
    assert {"name": "settings", "mountPath": "/config"} in template["spec"]["containers"][0]["volumeMounts"]
    assert len([*device_plugin_objects(DevicePlugin(), POOLS)]) == 1


@pytest.mark.parametrize(
    ("plugin", "mig", "strategy"),
    [
        pytest.param(DevicePlugin(), None, None, id="whole GPUs"),
        pytest.param(DevicePlugin(), "MIG1g", "single", id="cut ones, by default"),
        pytest.param(DevicePlugin(mig_strategy="mixed"), "MIG1g", "mixed", id="as declared"),
    ],
)
def test_instances_are_named_by_a_strategy_which_needs_a_right(plugin, mig, strategy):
    [container] = device_plugin(plugin, {"a": GpuPool(vm_size="Standard_NC24ads_A100_v4", mig=mig)})["spec"]["template"]["spec"]["containers"]
    said = {one["name"]: one["value"] for one in container.get("env", [])}
    assert said.get("MIG_STRATEGY") == strategy
    assert (container["securityContext"] == {"capabilities": {"add": ["SYS_ADMIN"]}}) is (strategy is not None)


def test_it_tolerates_what_it_is_told_to_and_nodes_that_go():
    pool = GpuPool(vm_size="Standard_NC24ads_A100_v4", previous=GpuPool(vm_size="Standard_NC4as_T4_v3"))
    spec = device_plugin(DevicePlugin(tolerations=[Taint("team", "ml")]), {"a": pool})["spec"]["template"]["spec"]
    assert [toleration["key"] for toleration in spec["tolerations"]] == ["sku", "nvidia.com/gpu", "team", "nodepools/retiring"]

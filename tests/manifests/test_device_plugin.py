"""The NVIDIA device plugin reaches the GPU pools, and only those."""

from nodepools import DevicePlugin, GpuPool, Spot, Taint
from nodepools.manifests.device_plugin import device_plugin

POOLS = {
    "train": GpuPool(vm_size="Standard_NC4as_T4_v3", spot=Spot(), taints=[Taint("team", "ml")]),
    "serve": GpuPool(vm_size="Standard_NC4as_T4_v3"),
}


def pod(**pools):
    return device_plugin(DevicePlugin(), pools)["spec"]["template"]["spec"]


def test_it_runs_on_the_gpu_pools_by_the_label_that_never_changes():
    [term] = pod(**POOLS)["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term == {"matchExpressions": [{"key": "nodepools/name", "operator": "In", "values": ["serve", "train"]}]}


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

"""What GPUs count as: a row a declaration of the device plugin, and of how GPUs are cut or shared."""

from typing import Any

import pytest

from nodepools import AksClusterArgs, Autoscale, GpuPool, SystemPool, UserPool
from nodepools.aks import DevicePlugin
from tests.placement.conftest import SIZE, pod

ONE_A100, FOUR_T4 = "Standard_NC24ads_A100_v4", "Standard_NC64as_T4_v3"
OF_40_GB, H100, UNKNOWN = "Standard_ND96asr_v4", "Standard_NC40ads_H100_v5", "Standard_NZ1_v9"
TOLERANT = [{"operator": "Exists"}]


def cluster(vm_size: str = ONE_A100, plugin: Any = DevicePlugin(), *, operator: bool = False, **fields: Any) -> AksClusterArgs:  # noqa: B008  # frozen
    pool = GpuPool(vm_size=vm_size, scale=Autoscale(0, 4), **fields)
    given = {"gpu_operator": True} if operator else {"device_plugin": plugin}
    return AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=SIZE, count=2), pools={"gpu": pool}, **given
    )


def wanting(name: str, amount: str = "1") -> dict[str, Any]:
    return pod(tolerations=TOLERANT, containers=[{"name": "main", "resources": {"limits": {name: amount}}}])


GPU = "nvidia.com/gpu"
ROWS = [
    pytest.param(cluster(), GPU, "1", "fits", id="one GPU of one"),
    pytest.param(cluster(), GPU, "2", "cannot", id="two of one"),
    pytest.param(cluster(FOUR_T4), GPU, "4", "fits", id="four of four"),
    pytest.param(cluster(plugin=None), GPU, "1", "unknown", id="someone else brings the device plugin"),
    pytest.param(cluster(operator=True), GPU, "1", "unknown", id="the GPU operator owns it"),
    pytest.param(cluster(driver="None"), GPU, "1", "unknown", id="someone else installs the driver"),
    pytest.param(cluster(UNKNOWN), GPU, "1", "unknown", id="a size that is not in the table"),
    pytest.param(cluster("Standard_NCC40ads_H100_v5"), GPU, "1", "unknown", id="a size whose GPUs are not recorded"),
    pytest.param(cluster(plugin=DevicePlugin(time_slices=4)), GPU, "4", "fits", id="four shares of one GPU"),
    pytest.param(cluster(plugin=DevicePlugin(time_slices=4)), GPU, "5", "cannot", id="five of four shares"),
    pytest.param(cluster(plugin=DevicePlugin(time_slices=4, fail_on_more_than_one=True)), GPU, "1", "fits", id="one share, where more is refused"),
    pytest.param(
        cluster(plugin=DevicePlugin(time_slices=4, fail_on_more_than_one=True)), GPU, "2", "unknown", id="two shares, where a container may have one"
    ),
    pytest.param(cluster(mig="MIG1g"), GPU, "7", "fits", id="seven instances count as GPUs"),
    pytest.param(cluster(mig="MIG1g"), GPU, "8", "cannot", id="and no more"),
    pytest.param(cluster(mig="MIG3g"), GPU, "2", "fits", id="of three sevenths there are two"),
    pytest.param(cluster(mig="MIG1g"), "nvidia.com/mig-1g.10gb", "1", "cannot", id="under their own name they are not known then"),
    pytest.param(
        cluster(plugin=DevicePlugin(mig_strategy="mixed"), mig="MIG1g"), "nvidia.com/mig-1g.10gb", "7", "fits", id="mixed: instances by name"
    ),
    pytest.param(cluster(plugin=DevicePlugin(mig_strategy="mixed"), mig="MIG1g"), GPU, "1", "cannot", id="mixed: no GPU is whole"),
    pytest.param(
        cluster(plugin=DevicePlugin(mig_strategy="mixed"), mig="MIG1g"), "nvidia.com/mig-2g.20gb", "1", "cannot", id="mixed: another profile"
    ),
    pytest.param(
        cluster(plugin=DevicePlugin(mig_strategy="mixed"), mig="MIG1g"), "nvidia.com/mig-1g.5gb", "1", "cannot", id="mixed: a GPU of other memory"
    ),
    pytest.param(
        cluster(OF_40_GB, DevicePlugin(mig_strategy="mixed"), mig="MIG1g"), "nvidia.com/mig-1g.5gb", "56", "fits", id="eight GPUs of 40 GB, mixed"
    ),
    pytest.param(
        cluster(H100, DevicePlugin(mig_strategy="mixed"), mig="MIG1g"),
        "nvidia.com/mig-1g.12gb",
        "1",
        "unknown",
        id="mixed: what instances of this memory are called is not recorded",
    ),
    pytest.param(
        cluster(H100, DevicePlugin(mig_strategy="mixed"), mig="MIG1g"), "nvidia.com/mig-2g.20gb", "1", "cannot", id="but another profile is not there"
    ),
    pytest.param(cluster(plugin=DevicePlugin(mig_strategy="none"), mig="MIG1g"), GPU, "1", "unknown", id="instances that nobody names"),
    pytest.param(cluster(plugin=DevicePlugin(time_slices=2), mig="MIG1g"), GPU, "1", "unknown", id="shares of instances"),
    pytest.param(cluster(SIZE), GPU, "1", "cannot", id="a GPU pool of a size without"),
    pytest.param(cluster(SIZE), "nvidia.com/mig-1g.5gb", "1", "cannot", id="nor are there instances"),
    pytest.param(cluster(), "amd.com/gpu", "1", "unknown", id="a GPU of another maker"),
    pytest.param(cluster(SIZE), "example.com/fpga", "1", "unknown", id="a device that nobody here knows"),
]


@pytest.mark.parametrize(("args", "name", "amount", "verdict"), ROWS)
def test_a_pod_that_wants_devices(ask: Any, args: Any, name: str, amount: str, verdict: str) -> None:
    told = {one.pool: one for one in ask(args, wanting(name, amount)).pools}
    assert told["c/gpu"].verdict.value == verdict, told["c/gpu"].reasons


def test_gpus_of_a_pool_of_another_kind_have_no_device_plugin_of_ours(ask: Any) -> None:
    args = AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        system_pool=SystemPool(vm_size=SIZE, count=2),
        pools={"gpu": GpuPool(vm_size=ONE_A100), "own": UserPool(vm_size=ONE_A100)},
    )
    told = {one.pool: one.verdict.value for one in ask(args, wanting(GPU)).pools}
    assert told == {"c/gpu": "fits", "c/own": "unknown", "c/system": "cannot"}

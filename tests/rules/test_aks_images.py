"""Node images: what goes with which machine and which Kubernetes, beside what does not."""

import pytest

from nodepools import ExistingAksNetwork, GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks

ARM, ENCLAVE, CONFIDENTIAL = "Standard_D4pds_v5", "Standard_DC4s_v2", "Standard_DC4as_v5"
GROUP = "/subscriptions/s/resourceGroups/{}/providers/Microsoft.Network/virtualNetworks/v/subnets/n"


def user(**fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": SIZE, **fields})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(user(fips=True), [], id="FIPS of the usual Ubuntu: AKS takes the newest that has it"),
        pytest.param(user(fips=True, os_sku="AzureLinux"), [], id="FIPS of Azure Linux"),
        pytest.param(user(fips=True, vm_size=ARM), ["AKS033 fips"], id="FIPS of Ubuntu on arm64"),
        pytest.param(user(fips=True, vm_size=ARM, os_sku="AzureLinux3"), [], id="FIPS of Azure Linux on arm64"),
        pytest.param(user(fips=True, vtpm=True), [], id="FIPS with trusted launch"),
        pytest.param(user(fips=True, secure_boot=True, os_sku="Ubuntu"), [], id="of Ubuntu"),
        pytest.param(user(fips=True, secure_boot=True, os_sku="AzureLinux"), ["AKS033 fips"], id="not of Azure Linux"),
        pytest.param(user(fips=True, secure_boot=False, os_sku="AzureLinux"), [], id="trusted launch that is off"),
        pytest.param(WindowsPool(vm_size=SIZE, fips=True), [], id="FIPS of Windows"),
        pytest.param(user(workload_runtime="KataVmIsolation", os_sku="AzureLinux"), [], id="Kata alone"),
        pytest.param(user(workload_runtime="KataVmIsolation", os_sku="AzureLinux", vtpm=True), ["AKS034 vtpm"], id="trusted launch with Kata"),
        pytest.param(user(vm_size=CONFIDENTIAL, vtpm=True), ["AKS034 vtpm"], id="trusted launch of a confidential machine"),
        pytest.param(user(vm_size="Standard_DC4s_v3", vtpm=True), [], id="trusted launch of a machine with enclaves"),
        pytest.param(user(vm_size="Standard_Own_v9", vtpm=True), ["AKS141 vm_size"], id="trusted launch of a size that is not known"),
        pytest.param(aks(pools={"web": user(os_sku="Ubuntu2404")}), [], id="a named release with more to come"),
        pytest.param(aks(pools={"web": user(os_sku="AzureLinux3")}), ["AKS101 pools.web.os_sku"], id="a named release at its end"),
        pytest.param(aks(pools={"web": user(os_sku="AzureLinux3", kubernetes_version="1.35")}), [], id="behind the cluster, not yet"),
        pytest.param(aks(pools={"web": user(vm_size=ENCLAVE)}, network_profile={"plugin_mode": None}), [], id="enclaves in the nodes' subnet"),
        pytest.param(aks(pools={"web": user(vm_size=ENCLAVE)}, network_profile={"plugin": "none"}), [], id="enclaves on a plugin of one's own"),
        pytest.param(aks(pools={"web": user(vm_size=CONFIDENTIAL)}), [], id="confidential machines in overlay"),
        pytest.param(aks(system_pool={"vm_size": "Standard_DC8_v2"}), ["AKS099 system_pool.vm_size"], id="enclaves for the system in overlay"),
        pytest.param(aks(pools={"web": user(vm_size="Standard_DC8_v2")}), ["AKS099 pools.web.vm_size"], id="the size whose name has no s"),
        pytest.param(aks(network=ExistingAksNetwork(subnet_id=GROUP.format("g" * 63))), [], id="a group as long as the value of a label"),
        pytest.param(aks(network=ExistingAksNetwork(subnet_id=GROUP.format("g" * 64))), ["AKS107 network.subnet_id"], id="a longer one"),
        pytest.param(
            aks(network=ExistingAksNetwork(subnet_id=GROUP.format("g" * 64)), network_profile={"plugin_mode": None}),
            [],
            id="which is none in a subnet",
        ),
        pytest.param(GpuPool(vm_size="Standard_NC4as_T4_v3", os_sku="AzureLinux"), [], id="GPUs of Azure Linux"),
        pytest.param(GpuPool(vm_size="Standard_NC4as_T4_v3", os_sku="AzureLinuxOSGuard"), ["AKS088 os_sku"], id="GPUs of OS Guard"),
    ],
)
def test_images(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        pytest.param({}, [], id="three nodes"),
        pytest.param({"system_pool": {"count": 2}}, ["AKS104 system_pool"], id="two"),
        pytest.param({"system_pool": {"count": 1}, "pools": {"more": SystemPool(vm_size=SIZE)}}, ["AKS104 system_pool"], id="one and one"),
        pytest.param({"system_pool": {"count": 2}, "pools": {"more": SystemPool(vm_size=SIZE)}}, [], id="two and one"),
        pytest.param({"pools": {"more": SystemPool(vm_size=SIZE, isolated=False)}}, ["AKS008 pools.more.isolated"], id="a further one, open to all"),
        pytest.param(
            {"pools": {"gpu": GpuPool(vm_size="Standard_NC4as_T4_v3")}, "device_plugin": None}, ["AKS087 device_plugin"], id="plugin of others"
        ),
        pytest.param(
            {"pools": {"gpu": GpuPool(vm_size="Standard_NC4as_T4_v3", tainted=False)}, "device_plugin": None}, [], id="and nothing to tolerate"
        ),
        pytest.param(
            {"pools": {"gpu": GpuPool(vm_size="Standard_NC4as_T4_v3", driver="None")}, "device_plugin": None, "gpu_operator": True},
            [],
            id="the operator",
        ),
    ],
)
def test_notes(changes: dict[str, object], found: list[str]) -> None:
    assert [f"{finding.code} {finding.path}" for finding in check(aks(**changes)) if finding.severity == "note"] == found

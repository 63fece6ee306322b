"""Features, images and sizes of agent pools that AKS does not take together, each beside what it does take."""

from datetime import date
from typing import Any

import pytest

from nodepools import AksNodeClass, Autoscale, GpuPool, Spot, SystemPool, UserPool, WindowsPool
from nodepools.aks import KubeletConfig, LinuxOsConfig, LocalDns, LocalDnsOverride, Sysctls
from nodepools.data.azure_vm_sizes import azure_vm_sizes, largest_ephemeral_disk, parts_of
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, provisioning
from tests.azure_ids import HOSTS, NEAR, PREFIX, RESERVED

DAY = date(2026, 11, 21)
KATA, WASM = "KataVmIsolation", "WasmWasi"
ARM5, ARM6 = "Standard_D4pds_v5", "Standard_D4pds_v6"
A100, RTX, AMD = "Standard_NC24ads_A100_v4", "Standard_NC36lds_xl_RTXPRO6000BSE_v6", "Standard_ND96isr_MI300X_v5"
ZONES = [LocalDnsOverride(zone=".", forward_destination="VnetDNS"), LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")]
SPOT: dict[str, Any] = {"scale": Autoscale(0, 5), "spot": Spot()}
KEPT: dict[str, Any] = {"scale": Autoscale(0, 5), "spot": Spot(eviction="Deallocate")}
GROUP = {"capacity_reservation_group_id": RESERVED}


def pool(vm_size: str = SIZE, **fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": vm_size, **fields})


def kata(vm_size: str = "Standard_D4s_v3", **fields: object) -> UserPool:
    return pool(vm_size, **{"os_sku": "AzureLinux", "workload_runtime": KATA, **fields})


def ephemeral(vm_size: str, gib: int | None = None, **fields: object) -> UserPool:
    return pool(vm_size, os_disk_type="Ephemeral", os_disk_size_gb=gib, **fields)


def windows(vm_size: str = SIZE, **fields: object) -> WindowsPool:
    return WindowsPool.model_validate({"vm_size": vm_size, "os_sku": "Windows2025", "fips": True, **fields})


def kubelet(**fields: object) -> UserPool:
    return pool(kubelet=KubeletConfig.model_validate(fields))


def sysctls(**fields: object) -> UserPool:
    return pool(linux_os=LinuxOsConfig(sysctls=Sysctls.model_validate(fields)))


def node_class(**fields: object) -> AksNodeClass:
    return AksNodeClass(linux_os=LinuxOsConfig(sysctls=Sysctls.model_validate(fields)))


def dns(mode: str, vm_size: str = SIZE, **fields: object) -> UserPool:
    return pool(vm_size, local_dns=LocalDns.model_validate({"mode": mode, "vnet_dns": ZONES, "kube_dns": ZONES}), **fields)


def told(declared: Model) -> list[str]:
    return [f"{finding.severity} {finding.code} {finding.path}" for finding in check(declared, today=DAY)]


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(pool(secure_boot=True, vtpm=True), [], id="on amd64 of today"),
        pytest.param(pool("Standard_D4s_v3", vtpm=True), [], id="on Dsv3, which boots as generation 2 too"),
        pytest.param(pool("Standard_DS3_v2", vtpm=True), [], id="on DSv2"),
        pytest.param(pool("Standard_D4_v3", vtpm=True), ["error AKS034 vtpm"], id="on Dv3, which boots as generation 1 only"),
        pytest.param(pool("Standard_A4_v2", secure_boot=True), ["error AKS034 secure_boot"], id="on Av2"),
        pytest.param(windows(secure_boot=True, vtpm=True), ["error AKS034 secure_boot", "error AKS034 vtpm"], id="on Windows"),
        pytest.param(windows(secure_boot=False), [], id="off, on Windows"),
        pytest.param(pool(ARM5, vtpm=True), ["error AKS034 vtpm"], id="on arm64 of version 5"),
        pytest.param(pool(ARM6, secure_boot=True, vtpm=True, os_sku="AzureContainerLinux"), [], id="on arm64 of version 6 by Azure Container Linux"),
        pytest.param(pool(ARM5, secure_boot=True, vtpm=True, os_sku="AzureContainerLinux"), ["error AKS155 vm_size"], id="but not of version 5"),
        pytest.param(pool(ARM6, vtpm=True), ["warning AKS180 vtpm"], id="on arm64 of version 6 by an image that no page has"),
        pytest.param(pool(ARM6, vtpm=False), [], id="off, there"),
        pytest.param(kata(vtpm=True), ["error AKS034 vtpm"], id="in a sandbox"),
        pytest.param(pool("Standard_DC4as_v5", vtpm=True), ["error AKS034 vtpm"], id="on a confidential VM"),
        pytest.param(GpuPool(vm_size=A100, secure_boot=True), ["error AKS086 secure_boot"], id="secure boot with the driver that AKS installs"),
        pytest.param(GpuPool(vm_size=A100, secure_boot=True, driver="None"), [], id="without it"),
        pytest.param(GpuPool(vm_size=A100, secure_boot=True, os_sku="AzureLinux"), [], id="of Azure Linux, whose driver is signed"),
        pytest.param(GpuPool(vm_size=A100, vtpm=True), [], id="the trusted module alone, with GPUs"),
    ],
)
def test_trusted_launch(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(pool(fips=True), [], id="of the usual Ubuntu: AKS takes 22.04"),
        pytest.param(pool(fips=True, os_sku="Ubuntu2404"), ["error AKS033 fips"], id="of Ubuntu 24.04"),
        pytest.param(pool(ARM5, fips=True), ["error AKS033 fips"], id="of Ubuntu on arm64"),
        pytest.param(pool(ARM5, fips=True, os_sku="AzureLinux3"), [], id="of Azure Linux on arm64"),
        pytest.param(pool(fips=True, vtpm=True, os_sku="Ubuntu"), [], id="of Ubuntu with trusted launch: AKS takes 22.04"),
        pytest.param(pool(fips=True, vtpm=True, os_sku="AzureLinux"), ["error AKS033 fips"], id="of Azure Linux with trusted launch"),
        pytest.param(pool(fips=True, os_sku="AzureLinuxOSGuard", secure_boot=True, vtpm=True), [], id="of OS Guard, whose image has both"),
        pytest.param(kata(fips=True), ["error AKS100 fips"], id="in a sandbox"),
        pytest.param(windows(), [], id="of Windows"),
    ],
)
def test_fips(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(kata(), [], id="a sandbox on Azure Linux and Dsv3, as the page has it"),
        pytest.param(kata("Standard_D4ads_v5"), [], id="on a size of AMD"),
        pytest.param(SystemPool(vm_size="Standard_D4s_v3", count=3, os_sku="AzureLinux3", workload_runtime=KATA), [], id="for the system"),
        pytest.param(pool(workload_runtime=KATA), ["error AKS175 workload_runtime"], id="on the default image, which is Ubuntu"),
        pytest.param(kata(os_sku="Ubuntu"), ["error AKS175 workload_runtime"], id="on Ubuntu"),
        pytest.param(kata(os_sku="AzureLinuxOSGuard"), ["error AKS175 workload_runtime"], id="on OS Guard"),
        pytest.param(kata(ARM5), ["error AKS175 workload_runtime"], id="on arm64"),
        pytest.param(kata("Standard_D4_v3"), ["error AKS175 workload_runtime"], id="on generation 1"),
        pytest.param(kata("Standard_B4ms"), ["error AKS175 workload_runtime"], id="on a size that nests no virtual machines"),
        pytest.param(kata("Standard_DS3_v2"), ["error AKS175 workload_runtime"], id="nor does DSv2"),
        pytest.param(windows(workload_runtime=KATA), ["error AKS100 fips", "error AKS175 workload_runtime"], id="on Windows"),
        pytest.param(kata("Standard_Own_v9"), ["warning AKS141 vm_size"], id="on a size that is not known"),
        pytest.param(pool(workload_runtime=WASM), ["error AKS176 workload_runtime"], id="a runtime that is retired"),
        pytest.param(pool(workload_runtime="OCIContainer"), [], id="the usual runtime"),
    ],
)
def test_runtimes(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(ephemeral("Standard_D4s_v5"), ["error AKS177 os_disk_type"], id="no local storage"),
        pytest.param(ephemeral("Standard_D4s_v5", 60), ["error AKS177 os_disk_type"], id="none, for a small disk either"),
        pytest.param(pool("Standard_D4s_v5", os_disk_type="Managed"), [], id="a managed disk there"),
        pytest.param(pool("Standard_D4s_v5"), [], id="nothing said, there: AKS takes a managed one"),
        pytest.param(ephemeral("Standard_E2bds_v5"), ["error AKS177 os_disk_type"], id="75 GiB for the default size, the page's own example"),
        pytest.param(ephemeral("Standard_E2bds_v5", 60), [], id="75 GiB for 60"),
        pytest.param(ephemeral("Standard_E2bds_v5", 75), [], id="75 GiB for 75"),
        pytest.param(ephemeral("Standard_E2bds_v5", 76), ["error AKS177 os_disk_size_gb"], id="75 GiB for 76"),
        pytest.param(ephemeral("Standard_D2ads_v5", 75, vtpm=True), ["error AKS177 os_disk_size_gb"], id="trusted launch keeps one"),
        pytest.param(ephemeral("Standard_D2ads_v5", 74, vtpm=True), [], id="the rest is for the disk"),
        pytest.param(ephemeral("Standard_E4bds_v5"), [], id="150 GiB for the default size"),
        pytest.param(ephemeral("Standard_D4s_v3"), ["warning AKS178 os_disk_type"], id="a cache of 100 GiB for the default size"),
        pytest.param(ephemeral("Standard_D4s_v3", 100), [], id="a cache of 100 GiB for 100"),
        pytest.param(ephemeral("Standard_D4s_v3", 128), ["error AKS177 os_disk_size_gb"], id="a cache of 100 GiB for 128"),
        pytest.param(ephemeral("Standard_D2ds_v6"), ["warning AKS178 os_disk_type"], id="an NVMe disk of 110 GiB for the default size"),
        pytest.param(ephemeral("Standard_D2pds_v6", 110), ["warning AKS333 os_disk_type"], id="an NVMe disk of 110 GiB for 110"),
        pytest.param(ephemeral("Standard_DS2_v2", 60), [], id="DS2_v2 for 60 GiB"),
        pytest.param(ephemeral("Standard_B4ms", 64), ["error AKS177 os_disk_size_gb"], id="32 GiB for 64"),
        pytest.param(ephemeral("Standard_B4s_v2", 64), ["error AKS177 os_disk_type"], id="the second B series"),
        pytest.param(ephemeral("Standard_D64ds_v5", 2048), ["error AKS177 os_disk_size_gb"], id="2,040 GiB are the most of any size"),
        pytest.param(ephemeral("Standard_L8s_v3", 1000), [], id="a series whose figures are not recorded"),
        pytest.param(ephemeral(A100), [], id="nor those of GPUs"),
        pytest.param(ephemeral(SIZE, **SPOT), [], id="spot nodes that are deleted"),
        pytest.param(
            ephemeral(SIZE, **KEPT), ["error AKS029 spot.eviction", "warning AKS030 spot.eviction"], id="spot nodes that would be stopped and kept"
        ),
        pytest.param(pool(**KEPT, os_disk_type="Managed"), ["warning AKS030 spot.eviction"], id="with managed disks they can be"),
        pytest.param(pool(ultra_ssd=True), ["warning AKS181 ultra_ssd"], id="ultra disks without zones"),
        pytest.param(pool(ultra_ssd=True, zones=[1]), [], id="ultra disks in a zone"),
        *(
            pytest.param(pool(f"Standard_{size}", ultra_ssd=True, zones=[1]), ["warning AKS181 ultra_ssd"], id=f"ultra disks of {size}")
            for size in ("D4d_v5", "D4a_v4", "E96_v5", "F16", "A8_v2")
        ),
        *(
            pytest.param(pool(f"Standard_{size}", ultra_ssd=True, zones=[1]), [], id=f"ultra disks of {size}")
            for size in ("D4ads_v5", "E4-2s_v5", "D4pds_v6", "F16s_v2", "M64")
        ),
        pytest.param(pool("Standard_D4_v3", encryption_at_host=True), ["error AKS189 encryption_at_host"], id="encryption that Dv3 lacks"),
        pytest.param(pool("Standard_D4s_v3", encryption_at_host=True), [], id="encryption of Dsv3"),
        pytest.param(pool("Standard_D4_v5", encryption_at_host=True), [], id="encryption of Dv5"),
        pytest.param(
            pool("banana", encryption_at_host=True, os_disk_type="Ephemeral"),
            ["warning AKS141 vm_size"],
            id="what is no name of a size is not judged here",
        ),
    ],
)
def test_disks(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("size", "gib"),
    [
        pytest.param("Standard_D64s_v3", 1600, id="a cache"),
        pytest.param("Standard_D4as_v4", 100, id="a cache of AMD, whose name has no d"),
        pytest.param("Standard_D16plds_v5", 600, id="a temporary disk, which is larger than the cache"),
        pytest.param("Standard_E4-2ds_v5", 150, id="of a constrained size that of the whole machine"),
        pytest.param("Standard_E104ids_v5", 2040, id="of an isolated one, as far as a disk can be"),
        pytest.param("standard_f72s_v2", 1520, id="off the line of its series, in small letters"),
        pytest.param("Standard_DS11-1_v2", None, id="constrained, and numbered by no vCPUs"),
        pytest.param("Standard_B20ms", 160, id="the first B series, by its temporary disk"),
        pytest.param("Standard_B1s", 30, id="or by its cache"),
        pytest.param("Standard_D4s_v4", 0, id="none from version 4 on, of Intel"),
        pytest.param("Standard_E4as_v4", 100, id="but of AMD"),
        pytest.param("Standard_DC4as_v5", 0, id="none of a confidential VM without d"),
        pytest.param("Standard_F8as_v6", 0, id="nor of F from version 6 on"),
        pytest.param("Standard_NC4as_T4_v3", None, id="not recorded of accelerators"),
        pytest.param("Standard_M8-2ms", None, id="nor of M"),
    ],
)
def test_local_storage(size: str, gib: int | None) -> None:
    assert largest_ephemeral_disk(size) == gib


def test_every_size_that_is_known_has_a_name_that_is_read() -> None:
    assert [name for name in azure_vm_sizes() if parts_of(name) is None] == []


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(pool(**GROUP), [], id="a reservation"),
        pytest.param(pool(**GROUP, zones=[1, 2, 3]), [], id="in zones"),
        pytest.param(pool(**GROUP, **SPOT), ["error AKS190 capacity_reservation_group_id"], id="of spot"),
        pytest.param(pool(**GROUP, host_group_id=HOSTS), ["error AKS190 capacity_reservation_group_id"], id="on dedicated hosts"),
        pytest.param(pool(**GROUP, proximity_placement_group_id=NEAR), ["error AKS190 capacity_reservation_group_id"], id="near each other"),
        pytest.param(pool(**GROUP, ultra_ssd=True, zones=[1]), ["error AKS190 capacity_reservation_group_id"], id="with ultra disks"),
        pytest.param(pool(proximity_placement_group_id=NEAR, zones=[1, 2]), ["error AKS038 proximity_placement_group_id"], id="near in two zones"),
        pytest.param(pool(proximity_placement_group_id=NEAR, zones=[1]), [], id="near in one"),
        pytest.param(pool("Standard_B4ms", **SPOT), ["warning AKS188 vm_size"], id="spot of the first B series"),
        pytest.param(pool("Standard_B4s_v2", **SPOT), [], id="spot of the second"),
        pytest.param(pool("Standard_B4ms"), [], id="burstable nodes that are not spot"),
    ],
)
def test_placement(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(kubelet(image_gc_high_threshold=80), ["error AKS032 kubelet.image_gc_high_threshold"], id="a high mark at the other's default"),
        pytest.param(kubelet(image_gc_low_threshold=85), ["error AKS032 kubelet.image_gc_low_threshold"], id="a low mark at the other's default"),
        pytest.param(kubelet(image_gc_low_threshold=84), [], id="a low mark below it"),
        pytest.param(kubelet(image_gc_high_threshold=70, image_gc_low_threshold=60), [], id="both below the defaults"),
        pytest.param(
            kubelet(allowed_unsafe_sysctls=["net.*", "kernel.shm*", "kernel.msgmax", "kernel.sem", "fs.mqueue.*"]), [], id="sysctls of pods"
        ),
        pytest.param(
            kubelet(allowed_unsafe_sysctls=["net.*", "vm.swappiness"]), ["error AKS184 kubelet.allowed_unsafe_sysctls[1]"], id="a sysctl of the node"
        ),
        pytest.param(kubelet(allowed_unsafe_sysctls=["kernel.*"]), ["error AKS184 kubelet.allowed_unsafe_sysctls[0]"], id="all of the kernel"),
        pytest.param(kubelet(pod_max_pids=-1), [], id="processes without a limit"),
        pytest.param(kubelet(pod_max_pids=-2), ["error AKS185 kubelet.pod_max_pids"], id="fewer processes than none"),
        pytest.param(kubelet(pod_max_pids=4194305), [], id="more processes than a kernel has are no limit"),
        pytest.param(kubelet(cpu_cfs_quota_period="1m30s"), ["error AKS185 kubelet.cpu_cfs_quota_period"], id="a quota of a minute and a half"),
        pytest.param(kubelet(cpu_cfs_quota_period="soon"), ["error AKS185 kubelet.cpu_cfs_quota_period"], id="a quota that is no duration"),
        pytest.param(kubelet(cpu_cfs_quota_period="0.5ms"), ["error AKS185 kubelet.cpu_cfs_quota_period"], id="a quota too short"),
        pytest.param(kubelet(cpu_cfs_quota_period="50ms"), [], id="a quota of fifty milliseconds"),
        pytest.param(AksNodeClass(kubelet=KubeletConfig(pod_max_pids=-2)), ["error AKS185 kubelet.pod_max_pids"], id="of a node class too"),
        pytest.param(windows(kubelet=KubeletConfig(image_gc_high_threshold=90, container_log_max_files=3)), [], id="what Windows has"),
        pytest.param(
            windows(kubelet=KubeletConfig(pod_max_pids=100, fail_swap_on=False)),
            ["error AKS183 kubelet.pod_max_pids", "error AKS183 kubelet.fail_swap_on"],
            id="what it has not",
        ),
        pytest.param(sysctls(net_ipv4_ip_local_port_range="1024 65535"), [], id="all ports that AKS allows"),
        pytest.param(
            sysctls(net_ipv4_ip_local_port_range="1023 65535"),
            ["error AKS186 linux_os.sysctls.net_ipv4_ip_local_port_range"],
            id="one more at the front",
        ),
        pytest.param(
            sysctls(fs_file_max=9223372036854775807, vm_max_map_count=1048576, kernel_threads_max=1000000),
            [],
            id="the page's own defaults of an agent pool",
        ),
        pytest.param(node_class(fs_file_max=12000500, vm_max_map_count=262144, kernel_threads_max=513785), [], id="the most of a node class"),
        pytest.param(
            node_class(fs_file_max=12000501, vm_max_map_count=262145, kernel_threads_max=513786),
            [f"error NAP023 linux_os.sysctls.{one}" for one in ("fs_file_max", "kernel_threads_max", "vm_max_map_count")],
            id="more than it has",
        ),
    ],
)
def test_node_settings(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(dns("Required"), [], id="on four vCPUs of Ubuntu"),
        pytest.param(dns("Required", os_sku="AzureLinux"), [], id="of Azure Linux"),
        pytest.param(dns("Required", "Standard_D2ds_v5"), ["error AKS182 local_dns"], id="on two vCPUs, where it has to be"),
        pytest.param(dns("Preferred", "Standard_D2ds_v5"), ["warning AKS057 local_dns"], id="on two vCPUs, where it need not be"),
        pytest.param(dns("Disabled", "Standard_D2ds_v5"), [], id="on two vCPUs, off"),
        pytest.param(dns("Required", os_sku="Ubuntu2404"), [], id="of a release of Ubuntu"),
        pytest.param(windows(local_dns=LocalDns(mode="Required")), ["error AKS182 local_dns"], id="on Windows, where it has to be"),
        pytest.param(windows(local_dns=LocalDns()), ["warning AKS057 local_dns"], id="on Windows, where it need not be"),
        pytest.param(dns("Required", "Standard_E4-2ds_v5"), ["error AKS182 local_dns"], id="on a size constrained to two"),
    ],
)
def test_local_dns(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(GpuPool(vm_size=A100, os_sku="AzureLinux"), [], id="NVIDIA on Azure Linux"),
        pytest.param(pool(A100, os_sku="AzureLinuxOSGuard"), ["error AKS088 os_sku"], id="NVIDIA on OS Guard, in a pool of any kind"),
        pytest.param(pool(os_sku="AzureLinuxOSGuard"), [], id="OS Guard without GPUs"),
        pytest.param(pool(AMD), [], id="AMD on Ubuntu"),
        pytest.param(pool(AMD, os_sku="AzureLinux3"), ["error AKS187 os_sku"], id="AMD on Azure Linux"),
        pytest.param(pool(AMD, os_sku="AzureLinuxOSGuard"), ["error AKS187 os_sku"], id="AMD on OS Guard"),
        pytest.param(windows(AMD), ["error AKS187 vm_size"], id="AMD on Windows"),
        pytest.param(GpuPool(vm_size=AMD), ["warning AKS083 vm_size"], id="AMD, where NVIDIA's driver would be installed"),
        pytest.param(GpuPool(vm_size=AMD, driver="None"), [], id="AMD with drivers of one's own"),
        pytest.param(GpuPool(vm_size=RTX), [], id="RTX PRO 6000 on Ubuntu"),
        pytest.param(GpuPool(vm_size=RTX, os_sku="Ubuntu2404"), [], id="on a release of it"),
        pytest.param(GpuPool(vm_size=RTX, os_sku="AzureLinux"), ["warning AKS191 os_sku"], id="on Azure Linux"),
        pytest.param(windows("Standard_D4pds_v6"), ["error AKS094 vm_size"], id="Windows on arm64"),
    ],
)
def test_gpus_and_architectures(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("pools", "found"),
    [
        pytest.param({"web": pool(node_public_ip=True, node_public_ip_prefix_id=PREFIX)}, [], id="nodes whose addresses are of a prefix"),
        pytest.param({"web": pool(node_public_ip=True)}, ["warning AKS058 pools.web.node_public_ip"], id="nodes with addresses from anywhere"),
        pytest.param(
            {"web": pool(kubernetes_version="1.33")},
            ["note AKS065 pools.web.kubernetes_version", "warning AKS070 pools.web.kubernetes_version"],
            id="three minor versions behind",
        ),
        pytest.param({"web": pool(kubernetes_version="1.34")}, ["warning AKS071 pools.web.kubernetes_version"], id="two"),
        pytest.param(
            {"web": pool(kubernetes_version="1.32")},
            ["error AKS061 pools.web.kubernetes_version", "warning AKS070 pools.web.kubernetes_version"],
            id="four",
        ),
    ],
)
def test_pools_of_a_cluster(pools: dict[str, UserPool], found: list[str]) -> None:
    assert told(aks(pools=pools)) == found


def test_a_pool_cannot_be_stopped_beside_node_auto_provisioning() -> None:
    assert told(derive(provisioning(), pools={"web": {"power_state": "Stopped"}})) == ["error NAP011 pools.web.power_state"]

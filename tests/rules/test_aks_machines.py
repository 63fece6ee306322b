"""What agent pools are: generations, upgrades, machines, GPUs and Windows; what is refused beside what is taken."""

import pytest

from nodepools import (
    AksClusterArgs,
    Autoscale,
    GpuPool,
    SystemPool,
    Taint,
    UpgradeSettings,
    UserPool,
    WindowsPool,
)
from nodepools.aks import (
    DevicePlugin,
    KubeletConfig,
    LinuxOsConfig,
    LocalDns,
    LocalDnsOverride,
    WindowsProfile,
)
from nodepools.model.base import Model
from nodepools.rules.engine.samples import SIZE, aks
from tests.azure_ids import NEAR, SUBNET
from tests.rules.conftest import Judged

A100, T4 = "Standard_NC24ads_A100_v4", "Standard_NC4as_T4_v3"
SWAP = LinuxOsConfig(swap_file_size="1Gi")
ZONES = [LocalDnsOverride(zone=".", forward_destination="VnetDNS"), LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")]
DNS = LocalDns(vnet_dns=ZONES, kube_dns=ZONES)
WEB = UserPool(vm_size=SIZE)
LARGER = "Standard_D8ds_v5"


def user(**fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": SIZE, **fields})


def gpus(plugin: DevicePlugin | None = None, *, operator: bool = False, **fields: object) -> AksClusterArgs:
    declared: dict[str, object] = {"device_plugin": plugin} if plugin is not None else {}
    return aks(pools={"web": WEB, "train": GpuPool.model_validate({"vm_size": A100, **fields})}, gpu_operator=operator, **declared)


def windows(cluster: dict[str, object] | None = None, **fields: object) -> AksClusterArgs:
    profile = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
    pools = {"web": WEB, "win": WindowsPool.model_validate({"vm_size": SIZE, **fields})}
    around = {"kubernetes_version": "1.35", "network_profile": {"dataplane": "azure"}, **(cluster or {})}
    return aks(windows_profile=profile, pools=pools, **around)


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(pools={"web": user(previous=user(vm_size=LARGER))}), [], id="a generation before of another size"),
        pytest.param(aks(pools={"web": user(generation="b", previous=user())}), [], id="or of another turn"),
        pytest.param(aks(pools={"web": user(name="own", labeled=False)}), [], id="a pool that exists keeps its name, and has no label"),
        pytest.param(aks(pools={"web": user(labeled=False)}), ["AKS242 pools.web.labeled"], id="no label, and a name that changes"),
        pytest.param(aks(system_pool={"labeled": False}, pools={"web": user()}), [], id="the first pool has a name that stays"),
        pytest.param(aks(pools={"web": user(previous=user(name="old"))}), [], id="a fixed name may go"),
        pytest.param(
            aks(pools={"a": user(name="one"), "b": user(name="one")}),
            ["AKS004 pools.a.name", "AKS003 pools.b.name", "AKS004 pools.b.name"],
            id="one name twice",
        ),
        pytest.param(aks(pools={"a": user(name="system")}), ["AKS003 pools.a.name", "AKS004 pools.a.name"], id="the name of the first pool"),
        pytest.param(
            aks(pools={"web": user(previous=user(vm_size=LARGER, previous=user(vm_size="Standard_D16ds_v5")))}),
            ["AKS005 pools.web.previous.previous"],
            id="two generations before",
        ),
        pytest.param(user(name="aksmanagedap"), ["AKS006 name"], id="the name of AKS's own pool"),
        pytest.param(user(name="twelveletter"), [], id="twelve letters for Linux"),
        pytest.param(WindowsPool(vm_size=SIZE, name="sixsix"), [], id="six for Windows"),
    ],
)
def test_generations(declared: Model, found: list[str], judged: Judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("pool", "found"),
    [
        pytest.param(user(upgrade=UpgradeSettings(max_surge="33%")), [], id="a surge"),
        pytest.param(user(upgrade=UpgradeSettings(max_unavailable="1", max_surge="0")), [], id="a node less in place of one more"),
        pytest.param(user(upgrade=UpgradeSettings(drain_timeout="24h", soak="30m", undrainable="Cordon")), [], id="the longest pauses"),
        pytest.param(
            user(upgrade=UpgradeSettings(drain_timeout="90s")),
            ["AKS028 upgrade.drain_timeout", "AKS105 upgrade.drain_timeout"],
            id="a minute and a half",
        ),
        pytest.param(user(upgrade=UpgradeSettings(drain_timeout="5m")), [], id="the shortest that both pages allow"),
        pytest.param(user(upgrade=UpgradeSettings(drain_timeout="30s")), ["AKS028 upgrade.drain_timeout"], id="half a minute"),
        pytest.param(user(upgrade=UpgradeSettings(drain_timeout="25h")), ["AKS028 upgrade.drain_timeout"], id="more than a day"),
        pytest.param(SystemPool(vm_size=SIZE, count=3, upgrade=UpgradeSettings(max_surge="1")), [], id="a system pool by surge"),
        pytest.param(
            user(scale=Autoscale(0, 5), spot={}, upgrade=UpgradeSettings(max_surge="1")), ["AKS019 upgrade.max_surge"], id="a spot pool by surge"
        ),
        pytest.param(
            user(scale=Autoscale(0, 5), spot={}, upgrade=UpgradeSettings(max_unavailable="10%")),
            ["AKS019 upgrade.max_unavailable"],
            id="or without some nodes",
        ),
        pytest.param(user(scale=Autoscale(0, 5), spot={}, upgrade=UpgradeSettings(drain_timeout="5m")), [], id="a spot pool that drains"),
        pytest.param(user(count=1000), ["AKS027 count"], id="a thousand nodes: without settings at least one surges"),
        pytest.param(user(count=999), [], id="room for that one"),
        pytest.param(user(count=1000, spot={}), ["AKS017 spot"], id="none of a spot pool"),
        pytest.param(user(count=995, upgrade=UpgradeSettings(max_surge="1%")), ["AKS027 count"], id="no room for a hundredth"),
    ],
)
def test_upgrades(pool: UserPool, found: list[str], judged: Judged) -> None:
    assert judged(pool) == found


@pytest.mark.parametrize(
    ("pool", "found"),
    [
        pytest.param(user(scale_down_mode="Deallocate", os_disk_type="Managed"), [], id="stopped nodes on managed disks"),
        pytest.param(user(linux_os=SWAP, kubelet=KubeletConfig(fail_swap_on=False)), [], id="swap that the kubelet knows of"),
        pytest.param(user(linux_os=SWAP, kubelet=KubeletConfig()), ["AKS031 linux_os.swap_file_size"], id="swap that it does not"),
        pytest.param(user(kubelet=KubeletConfig(image_gc_high_threshold=81)), [], id="one mark alone"),
        pytest.param(user(kubelet=KubeletConfig(container_log_max_size="50Mi")), [], id="whole MiB"),
        pytest.param(
            user(kubelet=KubeletConfig(container_log_max_size="1000K", fail_swap_on=False), linux_os=LinuxOsConfig(swap_file_size="1G")),
            ["AKS037 kubelet.container_log_max_size", "AKS037 linux_os.swap_file_size"],
            id="decimal units are no whole MiB",
        ),
        pytest.param(user(os_sku="AzureLinux", fips=True), [], id="FIPS of Azure Linux"),
        pytest.param(user(secure_boot=True, vtpm=True), [], id="trusted launch on amd64"),
        pytest.param(
            user(vm_size="Standard_Own_v9", vtpm=True, local_dns=DNS), ["AKS141 vm_size"], id="of a size that is not known nothing else is told"
        ),
        pytest.param(user(local_dns=LocalDns()), [], id="local DNS with the zones that AKS has"),
        pytest.param(
            user(local_dns=LocalDns(kube_dns=ZONES[:1], vnet_dns=ZONES)), ["AKS057 local_dns.kube_dns"], id="local DNS without cluster.local"
        ),
        pytest.param(user(zones=[1], proximity_placement_group_id=NEAR), [], id="a group in one zone"),
        pytest.param(user(count=3, max_pods=15), [], id="fifteen pods a node"),
        pytest.param(user(scale_down_mode="Deallocate"), ["AKS338 scale_down_mode"], id="stopped nodes with the default disk, which is ephemeral"),
        pytest.param(user(scale_down_mode="Deallocate", os_disk_type="Managed"), [], id="stopped nodes with managed disks"),
        pytest.param(user(scale_down_mode="Deallocate", vm_size="Standard_D4s_v5"), [], id="stopped nodes of a size without a local disk"),
        pytest.param(user(scale_down_mode="Deallocate", os_disk_size_gb=2048), [], id="stopped nodes with a disk that does not fit the cache"),
        pytest.param(user(scale_down_mode="Delete"), [], id="deleted nodes"),
        pytest.param(user(vm_size="Standard_D4ps_v5"), [], id="arm64 alone is not judged without its cluster"),
        pytest.param(user(count=3, max_pods=10), ["AKS339 max_pods"], id="thirty pods on three nodes"),
        pytest.param(user(count=0, max_pods=10), ["AKS339 max_pods"], id="an empty pool has room for none, and needs none"),
        pytest.param(user(scale=Autoscale(2, 9), max_pods=14), ["AKS039 max_pods"], id="28 pods at the least"),
        pytest.param(user(local_dns=DNS), [], id="local DNS on four vCPUs"),
        pytest.param(user(vm_size="Standard_D2ds_v5", local_dns=LocalDns(mode="Disabled")), [], id="local DNS that is off"),
        pytest.param(WindowsPool(vm_size=SIZE, local_dns=DNS), ["AKS057 local_dns"], id="local DNS on Windows"),
        pytest.param(SystemPool(vm_size=SIZE, count=3, power_state="Running"), [], id="a system pool that runs"),
        pytest.param(aks(pools={"web": user(os_sku="Ubuntu2404")}), [], id="an image for this version"),
    ],
)
def test_machines(pool: Model, found: list[str], judged: Judged) -> None:
    assert judged(pool) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(gpus(), [], id="a GPU pool"),
        pytest.param(gpus(mig="MIG1g"), [], id="whose GPUs are cut"),
        pytest.param(gpus(vm_size="Standard_ND96asr_v4", mig="MIG7g"), [], id="on an A100 that its name does not say"),
        pytest.param(gpus(vm_size="Standard_ND999_B900_v9", mig="MIG7g"), ["AKS141 pools.train.vm_size"], id="on a size that is newer than this"),
        pytest.param(gpus(DevicePlugin(mig_strategy="mixed", time_slices=4), mig="MIG1g"), [], id="named by what they are"),
        pytest.param(gpus(DevicePlugin(mig_strategy="none")), [], id="whole GPUs need no strategy"),
        pytest.param(gpus(operator=True, driver="None"), [], id="the GPU operator owns all"),
        pytest.param(gpus(tainted=False, taints=[Taint("team", "ml")]), [], id="a taint of its own"),
        pytest.param(gpus(vm_size="Standard_NV8as_v4"), ["AKS083 pools.train.vm_size", "AKS331 pools.train.vm_size"], id="GPUs of AMD"),
        pytest.param(gpus(secure_boot=True, driver="None"), [], id="secure boot without AKS's driver"),
        pytest.param(gpus(secure_boot=True, os_sku="AzureLinux"), [], id="secure boot of Azure Linux"),
        pytest.param(aks(gpu_operator=True, device_plugin=None), [], id="no device plugin, said so"),
    ],
)
def test_gpus(declared: Model, found: list[str], judged: Judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(windows(), [], id="Windows beside Linux"),
        pytest.param(windows(tainted=False), ["AKS146 pools.win.tainted"], id="Windows beside Linux, open to every pod"),
        pytest.param(windows(tainted=False, taints=[Taint("team", "net", "PreferNoSchedule")]), ["AKS146 pools.win.tainted"], id="or only preferred"),
        pytest.param(windows(tainted=False, taints=[Taint("team", "net")]), [], id="with a taint of its own"),
        pytest.param(windows({"kubernetes_version": "1.37"}), ["AKS091 pools.win.os_sku"], id="2022 after its last version"),
        pytest.param(windows({"kubernetes_version": "1.37"}, os_sku="Windows2025", fips=True), [], id="2025 on it"),
        pytest.param(
            windows({"kubernetes_version": "1.31"}, os_sku="Windows2025", fips=True), ["AKS091 pools.win.os_sku"], id="2025 before its first"
        ),
        pytest.param(
            windows({"kubernetes_version": "1.33"}, os_sku="Windows2019", kubernetes_version="1.32"),
            ["AKS103 pools.win.os_sku"],
            id="2019 on a pool that is behind: retired",
        ),
        pytest.param(
            windows(
                {
                    "network_profile": {"dataplane": "azure", "outbound_type": "userAssignedNATGateway"},
                    "network": {"kind": "ExistingAksNetwork", "subnet_id": SUBNET},
                },
                outbound_nat=False,
            ),
            ["AKS321 api_server.authorized_ip_ranges"],
            id="no NAT on nodes behind a gateway",
        ),
        pytest.param(
            windows(
                {
                    "network_profile": {"dataplane": "azure", "outbound_type": "userDefinedRouting"},
                    "network": {"kind": "ExistingAksNetwork", "subnet_id": SUBNET},
                },
                outbound_nat=False,
            ),
            ["AKS321 api_server.authorized_ip_ranges"],
            id="no NAT on nodes behind a firewall",
        ),
        pytest.param(
            windows(
                {
                    "network_profile": {"dataplane": "azure", "outbound_type": "userDefinedRouting"},
                    "network": {"kind": "ExistingAksNetwork", "subnet_id": SUBNET},
                },
                outbound_nat=False,
                node_public_ip=True,
            ),
            ["AKS058 pools.win.node_public_ip", "AKS093 pools.win.outbound_nat", "AKS321 api_server.authorized_ip_ranges"],
            id="no NAT on nodes with public addresses",
        ),
        pytest.param(windows({"network_profile": {"dataplane": "cilium"}}), ["AKS098 pools.win"], id="on Cilium, which is for Linux"),
        pytest.param(windows({"network_profile": {"plugin": "none"}}), ["AKS232 pools.win"], id="on a plugin of one's own"),
        pytest.param(windows(vm_size="Standard_Own_v9"), ["AKS141 pools.win.vm_size"], id="a size that is not known"),
        pytest.param(WindowsProfile(admin_password="x" * 124), ["AKS095 admin_password"], id="a password too long"),
    ],
)
def test_windows(declared: Model, found: list[str], judged: Judged) -> None:
    versions = ("AKS070", "AKS071")
    assert [one for one in judged(declared) if not one.startswith(versions)] == found

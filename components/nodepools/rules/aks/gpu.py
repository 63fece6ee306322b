"""GPU pools: VM sizes, drivers, device plugin, node images. Facts: docs/facts/aks.md § 2.5."""

import re
from collections.abc import Iterator

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.agent_pool import AgentPool, GpuPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.services import DevicePlugin
from nodepools.rules.engine.finding import Fix, PartFinding, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import DEVICE_PLUGINS, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import SIZE, aks

_GPU = "https://learn.microsoft.com/azure/aks/use-nvidia-gpu"
_MIG = "https://learn.microsoft.com/azure/aks/gpu-multi-instance"
_A100, _RTX = "Standard_NC24ads_A100_v4", "Standard_NC36lds_xl_RTXPRO6000BSE_v6"
_NVIDIA = re.compile(r"Standard_N[CDV][0-9]", re.IGNORECASE)
_OLD_AMD = re.compile(r"Standard_NV[0-9]+as_v4", re.IGNORECASE)
_INSTINCT = re.compile(r"_MI[0-9]+X_", re.IGNORECASE)
"""Sizes with AMD GPUs."""
_CUTS = re.compile(r"_(A100|H100|H200)_|Standard_ND96a(ms|s)r_v4", re.IGNORECASE)
_WHOLE = re.compile(r"_(T4|A10|RTXPRO6000\w*)_|Standard_N[CDV][0-9]+\w*_v[23]$|Standard_N[CV][0-9]+r?$", re.IGNORECASE)


@error("AKS080", f"{_MIG}: on A100, H100 and H200")
@sample("mig", lambda: GpuPool(vm_size="Standard_NC4as_T4_v3", mig="MIG1g"))
def gpu_without_mig_support(pool: GpuPool) -> Iterator[PartFinding]:
    """AKS supports MIG on A100, H100 and H200 GPUs. Unknown sizes are not checked."""
    plain = not pool.vm_size.lower().startswith("standard_n") or (_WHOLE.search(pool.vm_size) and not _CUTS.search(pool.vm_size))
    if pool.mig is not None and plain:
        fix = Fix(f"Remove {ref('mig')}, or use an A100, H100 or H200 size, such as `{_A100}`", (remove("mig"),))
        yield finding(pool, f"AKS does not support MIG on `{pool.vm_size}`", path="mig", fix=fix)


@warning("AKS081", f"{_MIG}: the device plugin needs migStrategy single or mixed")
@limited(DEVICE_PLUGINS)
@sample(
    "device_plugin.mig_strategy",
    lambda: aks(pools={"web": UserPool(vm_size=SIZE), "train": GpuPool(vm_size=_A100, mig="MIG1g")}, device_plugin=DevicePlugin(mig_strategy="none")),
)
def mig_strategy_missing(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The device plugin exposes MIG devices only with the strategy `single` or `mixed`."""
    plugin = cluster.own_device_plugin
    if plugin is not None and plugin.mig_strategy == "none" and any(pool.mig is not None for pool in cluster.plugged_pools.values()):
        at = ("device_plugin", "mig_strategy")
        message = f"Pods cannot request the MIG devices of the GPU pools: {ref(at)} is {literal('none')}"
        yield finding(cluster, message, path=at, fix=set_to(at, "single"))


@warning("AKS082", f"{_GPU}: the taint sku=gpu:NoSchedule")
@sample("tainted", lambda: GpuPool(vm_size=_A100, tainted=False))
def untainted_gpu_pool(pool: GpuPool) -> Iterator[PartFinding]:
    """Any pod can be scheduled on GPU nodes without a taint."""
    if not pool.tainted and not any(taint.is_hard for taint in pool.taints):
        message = "These GPU nodes have no taint: any pod can be scheduled on them"
        yield finding(pool, message, path="tainted", fix=set_to("tainted", value=True))


@warning("AKS083", f"{_GPU}: GPU sizes; NVv4, of AMD, is not supported")
@sample("vm_size", lambda: GpuPool(vm_size=SIZE))
def gpu_pool_without_gpus(pool: GpuPool) -> Iterator[PartFinding]:
    """A GPU pool requires a VM size with NVIDIA GPUs: AKS installs no driver for AMD GPUs and FPGAs."""
    size = azure_vm_sizes().get(pool.vm_size)
    none = not pool.vm_size.lower().startswith("standard_n") or (size is not None and size.gpus == 0)
    if none:
        fix = f"Use an N series size, such as `{_A100}`, or a user pool"
        yield finding(pool, f"`{pool.vm_size}` has no NVIDIA GPU", path="vm_size", fix=fix)
    elif _OLD_AMD.fullmatch(pool.vm_size):
        fix = f"Use a size with NVIDIA GPUs, such as `{_A100}`"
        yield finding(pool, f"AKS does not support the AMD GPUs of `{pool.vm_size}`", path="vm_size", fix=fix)
    elif pool.driver == "Install" and _INSTINCT.search(pool.vm_size):
        message = f"`{pool.vm_size}` has AMD GPUs: AKS installs drivers for NVIDIA GPUs only"
        yield finding(pool, message, path="vm_size", fix=set_to("driver", "None"))
    elif pool.driver == "Install" and size is not None and not size.has_nvidia_gpus:
        message = f"`{pool.vm_size}` has no NVIDIA GPU: AKS installs drivers for NVIDIA GPUs only"
        yield finding(pool, message, path="vm_size", fix=f"Use a size with NVIDIA GPUs, such as `{_A100}`")


@error("AKS084", "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator: the operator installs the device plugin; two register one resource")
@limited(DEVICE_PLUGINS)
@sample(
    "device_plugin",
    lambda: aks(
        pools={"web": UserPool(vm_size=SIZE), "train": GpuPool(vm_size=_A100, driver="None")}, gpu_operator=True, device_plugin=DevicePlugin()
    ),
)
def two_device_plugins(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The GPU operator installs the NVIDIA device plugin itself."""
    if cluster.gpu_operator and cluster.device_plugin is not None and "device_plugin" in cluster.model_fields_set:
        fix = Fix(f"{sentence([remove('device_plugin')])} (default with {ref('gpu_operator')}: none)", (remove("device_plugin"),))
        message = f"{ref('device_plugin')} and {ref('gpu_operator')} would both install the NVIDIA device plugin"
        yield finding(cluster, message, path="device_plugin", fix=fix)
    for key in cluster.gpu_pools.keys() - cluster.plugged_pools.keys() if cluster.gpu_operator else ():
        at = ("pools", key, "management")
        message = f"AKS and {ref('gpu_operator')} would both install the NVIDIA device plugin on the managed GPU pool `{key}`"
        yield finding(cluster, message, path=at, fix=remove(at))


@warning("AKS085", f"{_GPU}: with the GPU operator, skip the installation of drivers")
@limited(DEVICE_PLUGINS)
@sample("pools.train.driver", lambda: aks(pools={"web": UserPool(vm_size=SIZE), "train": GpuPool(vm_size=_A100)}, gpu_operator=True))
def two_gpu_drivers(pool: GpuPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The GPU operator installs the NVIDIA driver, unless that is turned off there."""
    if cluster.gpu_operator and pool.driver == "Install":
        message = "AKS and the GPU operator would both install the NVIDIA driver"
        yield finding(pool, message, path="driver", fix=set_to("driver", "None"))


@error("AKS086", "https://learn.microsoft.com/azure/aks/use-trusted-launch: secure boot on GPU nodes of Ubuntu needs the driver to be skipped")
@sample("secure_boot", lambda: GpuPool(vm_size=_A100, secure_boot=True))
def gpu_driver_with_secure_boot(pool: GpuPool) -> Iterator[PartFinding]:
    """Secure boot does not load the NVIDIA driver that AKS installs on Ubuntu."""
    if pool.secure_boot and pool.driver == "Install" and (pool.os_sku is None or pool.os_sku.startswith("Ubuntu")):
        text = f"Remove {ref('secure_boot')}, or set {ref('driver')} to {literal('None')} and install a signed driver"
        message = "Pods cannot use the GPUs: secure boot does not load the NVIDIA driver that AKS installs on Ubuntu"
        yield finding(pool, message, path="secure_boot", fix=Fix(text, (remove("secure_boot"),)))


@note("AKS087", f"{_GPU}: the device plugin tolerates sku=gpu:NoSchedule")
@limited(DEVICE_PLUGINS)
@sample("device_plugin", lambda: aks(pools={"web": UserPool(vm_size=SIZE), "train": GpuPool(vm_size=_A100)}, device_plugin=None))
def external_device_plugin(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A device plugin that does not tolerate the taints of the GPU pools does not run on their nodes, which then offer no GPU."""
    if cluster.device_plugin is None and not cluster.gpu_operator and any(pool.node_taints for pool in cluster.plugged_pools.values()):
        message = "Nodes offer `nvidia.com/gpu` only if the device plugin that you install tolerates the taints of the GPU pools"
        yield finding(cluster, message, path="device_plugin")


@error("AKS088", f"{_GPU}: not supported with Azure Linux OS Guard")
@sample("os_sku", lambda: GpuPool(vm_size=_A100, os_sku="AzureLinuxOSGuard"))
def os_sku_without_gpu_support(pool: AgentPool) -> Iterator[PartFinding]:
    """Azure Linux OS Guard does not support NVIDIA GPUs."""
    if (pool.os_sku or "").lower() == "azurelinuxosguard" and _NVIDIA.match(pool.vm_size) and not _INSTINCT.search(pool.vm_size):
        yield finding(pool, f"AKS does not support NVIDIA GPUs on `{pool.os_sku}`", path="os_sku", fix=set_to("os_sku", "AzureLinux"))


@error(
    "AKS187", "https://learn.microsoft.com/azure/aks/use-amd-gpus: AzureLinux, Windows, AzureLinuxOSGuard and flatcar are not supported with AMD GPUs"
)
@sample("os_sku", lambda: UserPool(vm_size="Standard_ND96isr_MI300X_v5", os_sku="AzureLinux"))
def os_sku_without_amd_gpu_support(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS supports AMD GPUs on Ubuntu only."""
    image = (pool.os_sku or "").lower()
    if _INSTINCT.search(pool.vm_size) and image.startswith(("azurelinux", "windows")):
        at, fix = ("vm_size", "Use a size with NVIDIA GPUs") if pool.os_type == "Windows" else ("os_sku", set_to("os_sku", "Ubuntu"))
        yield finding(pool, f"AKS does not support the AMD GPUs of `{pool.vm_size}` on `{pool.os_sku}`", path=at, fix=fix)


@warning("AKS191", "Azure/AKS release notes, 2026-06-19: RTX PRO 6000 sizes use the GRID driver and are supported on Ubuntu node pools")
@sample("os_sku", lambda: GpuPool(vm_size=_RTX, os_sku="AzureLinux"))
def os_sku_without_grid_driver(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS documents RTX PRO 6000 sizes, which need NVIDIA's GRID driver, on Ubuntu only."""
    if pool.os_type == "Linux" and pool.os_sku is not None and "rtxpro6000" in pool.vm_size.lower() and not pool.os_sku.startswith("Ubuntu"):
        message = f"AKS documents `{pool.vm_size}` on Ubuntu only: it may not install the GRID driver on `{pool.os_sku}`"
        unsigned = (remove("secure_boot"),) if pool.secure_boot else ()  # which does not load the driver on Ubuntu: AKS086
        yield finding(pool, message, path="os_sku", fix=(set_to("os_sku", "Ubuntu"), *unsigned))

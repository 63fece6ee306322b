"""Settings of nodes (kubelet, kernel, administrator account, LocalDNS), and features that exclude each other. Facts: docs/facts/aks.md § 2.7, § 3.4.

Features are trusted launch, FIPS, pod sandboxing and confidential VMs, by image and machine. Traits are properties of a pool. The tables list the
traits that AKS rejects together, according to its pages of 2026-06 to 2026-08.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from itertools import islice, product
from typing import Final, Literal, NamedTuple

from nodepools.data.aks_images import os_sku
from nodepools.data.azure_vm_sizes import azure_vm_sizes, largest_ephemeral_disk, parts_of
from nodepools.data.version_support import minor
from nodepools.model.aks.agent_pool import AgentPool, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LinuxProfile, LocalDns, LocalDnsOverride, Sysctls
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, add, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import API_VERSIONS, Limit, Where, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import SIZE, aks

_FIPS = "https://learn.microsoft.com/azure/aks/enable-fips-nodes"
_LAUNCH = "https://learn.microsoft.com/azure/aks/use-trusted-launch"
_STREAMING = "https://learn.microsoft.com/azure/aks/artifact-streaming"
_KATA = "https://learn.microsoft.com/azure/aks/use-pod-sandboxing"
_ACL, _DEFAULT_IMAGE = "AzureContainerLinux", "Ubuntu"
_ARM = "Standard_D4pds_v5"
_ARM_LAUNCHES_FROM = 6
_FIRST_WITH_2404 = 35
_NESTED = "Use an amd64 size with nested virtualization, such as `Standard_D4s_v3`"
_OR_AMD64 = f", or use an amd64 size such as `{SIZE}`"
_SANDBOX, _WASM = "KataVmIsolation", "WasmWasi"
_AZURE_LINUX: Final = ("AzureLinux", "AzureLinux3")
_OLD_HARDWARE: Final = {("A", 1), ("A", 2), ("D", 1), ("D", 2), ("D", 3), ("E", 3)}
"""Families and versions that boot as generation 1 only where their letters have no `s` (virtual-machines/trusted-launch, virtual-machines/sizes)."""
_NO_NESTING: Final = {("B", 1), ("DS", 2)}
"""Families and versions without nested virtualization, in addition to arm64 and generation 1 (virtual-machines/sizes)."""


def _launching(pool: AgentPool) -> tuple[str, ...]:
    return tuple(field for field in ("secure_boot", "vtpm") if getattr(pool, field))


def _is_launched(pool: AgentPool) -> bool:
    return bool(_launching(pool))


def _is_arm(pool: AgentPool) -> bool:
    size = azure_vm_sizes().get(pool.vm_size)
    return size is not None and size.arch == "arm64"


def _family(size: str) -> tuple[str, int]:
    parts = parts_of(size)
    return (parts.family, parts.version) if parts is not None else ("", 0)


def _is_old(size: str) -> bool:
    parts = parts_of(size)
    return parts is not None and _family(size) in _OLD_HARDWARE and "s" not in parts.letters


def _unlaunched(pool: AgentPool, otherwise: str) -> FixLike:
    """Turns trusted launch off."""
    operations = tuple(remove(field) for field in _launching(pool))
    return Fix(f"{sentence(operations)}{otherwise}", operations)


def _with_fips_image(pool: AgentPool) -> FixLike:
    """An OS SKU that has a FIPS image for the pool: with trusted launch that is Ubuntu on amd64."""
    if not _is_launched(pool):
        return set_to("os_sku", "AzureLinux")
    if _is_arm(pool) or pool.workload_runtime == _SANDBOX:
        return (*(() if pool.os_sku in _AZURE_LINUX else (set_to("os_sku", "AzureLinux"),)), *map(remove, _launching(pool)))
    return set_to("os_sku", "Ubuntu")


class Clash(NamedTuple):
    """A trait that AKS rejects together with a feature."""

    trait: str
    words: str
    otherwise: str = ""
    """What helps instead of turning the feature off."""
    fix: FixLike = None
    """If it depends on the trait."""


_TRAITS: Final[Mapping[str, Callable[[AgentPool], bool]]] = {
    "windows": lambda pool: pool.os_type == "Windows",
    "kata": lambda pool: pool.workload_runtime == _SANDBOX,
    "confidential": lambda pool: is_confidential(pool.vm_size),
    "generation 1": lambda pool: _is_old(pool.vm_size),
    "no nesting": lambda pool: _family(pool.vm_size) in _NO_NESTING,
    "arm64": _is_arm,
    "arm64 before 6": lambda pool: _is_arm(pool) and _family(pool.vm_size)[1] < _ARM_LAUNCHES_FROM and pool.os_sku != _ACL,  # of that one AKS155
    "Ubuntu on arm64": lambda pool: _is_arm(pool) and (pool.os_sku is None or pool.os_sku.startswith("Ubuntu")),
    "Azure Container Linux": lambda pool: pool.os_sku == _ACL,
    "Ubuntu 24.04": lambda pool: pool.os_sku == "Ubuntu2404",
    "no Azure Linux": lambda pool: pool.os_type == "Linux" and pool.os_sku not in ("AzureLinux", "AzureLinux3", "CBLMariner"),
    "launched Azure Linux": lambda pool: _is_launched(pool) and pool.os_sku in _AZURE_LINUX,
}
"""The traits of pools, by the names that the tables use."""

_WITH_LAUNCH: Final = (
    Clash("windows", "on Windows node pools"),
    Clash("kata", f"together with `{_SANDBOX}`"),
    Clash("confidential", "on the confidential VM size `{size}`"),
    Clash("arm64 before 6", "on the arm64 size `{size}`", _OR_AMD64),
    Clash("generation 1", "on `{size}`, which is a generation 1 size", f", or use a newer size such as `{SIZE}`"),
)
_WITH_FIPS: Final = (
    Clash("Ubuntu 24.04", "of Ubuntu 24.04"),
    Clash("Ubuntu on arm64", "of Ubuntu for the arm64 size `{size}`"),
    Clash("launched Azure Linux", "of Azure Linux with trusted launch"),
)
_WITH_STREAMING: Final = (
    Clash("arm64", "of the arm64 size `{size}`"),
    Clash("kata", f"with `{_SANDBOX}`"),
    Clash("Azure Container Linux", "of Azure Container Linux"),
)
_WITH_KATA: Final = (
    Clash("windows", "on Windows node pools", fix=remove("workload_runtime")),
    Clash("no Azure Linux", "on `{image}`: it runs on Azure Linux only", fix=set_to("os_sku", "AzureLinux")),
    Clash("arm64", "on the arm64 size `{size}`", fix=_NESTED),
    Clash("generation 1", "on `{size}`, which is a generation 1 size", fix=_NESTED),
    Clash("no nesting", "on `{size}`, which has no nested virtualization", fix=_NESTED),
)


@error("AKS033", f"{_FIPS} and node-images (2026-07): not of Ubuntu 24.04; arm64 with Azure Linux only; trusted launch with Ubuntu 22.04 only")
@sample("fips", lambda: UserPool(vm_size=SIZE, os_sku="Ubuntu2404", fips=True))
def unsupported_fips_image(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS has no FIPS image of Ubuntu 24.04, of Ubuntu on arm64, or of Azure Linux with trusted launch."""
    for clash in _first(pool, _WITH_FIPS) if pool.fips and pool.os_type == "Linux" else ():
        yield finding(pool, f"AKS has no FIPS image {_in_this_pool(clash.words, pool)}", path="fips", fix=_with_fips_image(pool))


@warning("AKS387", f"{_FIPS}: no image of Ubuntu 24.04; upgrade-os-version: `Ubuntu` is 24.04 from Kubernetes 1.35 on (2026-07)")
@sample("pools.web.fips", lambda: aks(kubernetes_version="1.35", pools={"web": UserPool(vm_size=SIZE, fips=True)}))
def fips_of_default_ubuntu(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """From Kubernetes 1.35 on, `Ubuntu` is Ubuntu 24.04, of which AKS documents no FIPS image."""
    version = pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version
    is_default = pool.fips and pool.os_type == "Linux" and pool.os_sku in (None, _DEFAULT_IMAGE)
    if is_default and minor(version) >= _FIRST_WITH_2404 and not any(_first(pool, _WITH_FIPS)):
        what = f"`{_DEFAULT_IMAGE}` is Ubuntu 24.04 from Kubernetes 1.{_FIRST_WITH_2404} on, of which AKS documents no FIPS image"
        fix = f"Set {ref('os_sku')} to `Ubuntu2204`, which AKS supports up to Kubernetes 1.36"
        linux = set_to("os_sku", "AzureLinux")
        yield finding(pool, f"AKS can reject {ref('fips')}: {what}", path="fips", fix=fix if _is_launched(pool) else linux)


@error("AKS034", f"{_LAUNCH} (2026-07): not with Windows, Arm64, Pod Sandboxing, Confidential VM, and on Gen2 sizes only")
@sample("secure_boot", lambda: UserPool(vm_size=_ARM, secure_boot=True))
def unsupported_trusted_launch(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects trusted launch on Windows, on confidential VMs, on arm64 before version 6, on generation 1 sizes, and with Kata."""
    for clash, field in product(_first(pool, _WITH_LAUNCH), _launching(pool)):
        yield finding(pool, f"AKS rejects trusted launch {_in_this_pool(clash.words, pool)}", path=field, fix=_unlaunched(pool, clash.otherwise))


@warning("AKS180", f"{_LAUNCH}: not with Arm64; azure-container-linux-overview (2026-05): on Arm64 sizes of version 6 with trusted launch")
@sample("vtpm", lambda: UserPool(vm_size="Standard_D4pds_v6", vtpm=True))
def trusted_launch_on_arm64_v6(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS documents trusted launch on arm64 sizes of version 6 with Azure Container Linux only."""
    if _is_arm(pool) and not _first(pool, _WITH_LAUNCH) and pool.os_sku != _ACL:
        for field in _launching(pool):
            message = f"AKS can reject {ref(field)} on the arm64 size `{pool.vm_size}`: it documents trusted launch on arm64 for `{_ACL}` only"
            yield finding(pool, message, path=field, fix=_unlaunched(pool, _OR_AMD64))


@error("AKS100", "Azure/AKS release notes, 2026-06-19: FIPS is rejected with pod sandboxing (Kata)")
@sample("fips", lambda: UserPool(vm_size=SIZE, os_sku="AzureLinux", fips=True, workload_runtime=_SANDBOX))
def fips_with_pod_sandboxing(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects FIPS together with pod sandboxing (Kata)."""
    if pool.fips and pool.workload_runtime == _SANDBOX:
        message = f"AKS rejects {ref('fips')} together with {ref('workload_runtime')} (`{_SANDBOX}`)"
        yield finding(pool, message, path="fips", fix=f"Remove {ref('fips')} or {ref('workload_runtime')}")


@error(
    "AKS175", f"{_KATA} (2025-11): os-sku AzureLinux, a generation 2 size with nested virtualization, or the command fails; node-images: not on Arm64"
)
@sample("workload_runtime", lambda: UserPool(vm_size=SIZE, workload_runtime=_SANDBOX))
def unsupported_pod_sandboxing(pool: AgentPool) -> Iterator[PartFinding]:
    """Pod Sandboxing (Kata) runs on Azure Linux, on amd64 sizes of generation 2 with nested virtualization."""
    for clash in _WITH_KATA if pool.workload_runtime == _SANDBOX else ():
        if _TRAITS[clash.trait](pool):
            message = f"AKS rejects `{_SANDBOX}` {_in_this_pool(clash.words, pool)}"
            yield finding(pool, message, path="workload_runtime", fix=clash.fix)


@warning("AKS345", f"{_STREAMING} (2026-07): images of Linux on amd64 only; not with pod sandboxing, nor with Azure Container Linux")
@limited(API_VERSIONS)
@sample("artifact_streaming", lambda: UserPool(vm_size=_ARM, artifact_streaming=True))
def unstreamed_artifacts(pool: AgentPool) -> Iterator[PartFinding]:
    """Artifact streaming is for amd64 nodes of Linux, without pod sandboxing and Azure Container Linux."""
    for clash in _first(pool, _WITH_STREAMING) if getattr(pool, "artifact_streaming", None) else ():
        message = f"AKS does not stream images to nodes {_in_this_pool(clash.words, pool)}"
        yield finding(pool, message, path="artifact_streaming", fix=remove("artifact_streaming"))


@error("AKS356", "Azure API reference, kubeletDiskType; virtual-machines/vm-naming-conventions: no local storage without the letter `d`")
@sample("kubelet_disk_type", lambda: UserPool(vm_size="Standard_D4s_v5", kubelet_disk_type="Temporary"))
def temporary_disk_missing(pool: AgentPool) -> Iterator[PartFinding]:
    """The kubelet's data is on the temporary disk only where the VM size has one."""
    for one in pool.by_size:
        if one.kubelet_disk_type == "Temporary" and largest_ephemeral_disk(one.vm_size) == 0:
            message = f"`{one.vm_size}` has no temporary disk, which {ref('kubelet_disk_type')} asks for"
            fix = f"Remove {ref('kubelet_disk_type')}, or use a size with a local disk, such as one with a `d` in its name"
            yield finding(pool, message, path="kubelet_disk_type", fix=fix)


@error("AKS176", "Azure/AKS release notes, 2025-05, and Azure/AKS#4770: from 2025-05-05 no WASI node pools can be created, old ones are unsupported")
@sample("workload_runtime", lambda: UserPool(vm_size=SIZE, workload_runtime=_WASM))
def retired_wasi_runtime(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS retired WASI node pools on 2025-05-05."""
    if pool.workload_runtime == _WASM:
        message = f"AKS retired `{_WASM}` node pools on 2025-05-05: new ones cannot be created"
        fix = Fix(f"Remove {ref('workload_runtime')}, and run WebAssembly with SpinKube", (remove("workload_runtime"),))
        yield finding(pool, message, path="workload_runtime", fix=fix)


def _first(pool: AgentPool, clashes: tuple[Clash, ...]) -> tuple[Clash, ...]:
    """The first trait that AKS rejects, if there is one: one finding per cause."""
    return tuple(islice((clash for clash in clashes if _TRAITS[clash.trait](pool)), 1))


def _in_this_pool(words: str, pool: AgentPool) -> str:
    return words.format(size=pool.vm_size, image=pool.os_sku if pool.os_sku is not None else _DEFAULT_IMAGE)


_CVM = "https://learn.microsoft.com/azure/aks/use-cvm"
_SNP = "Standard_DC4as_v5"
_KATA_RUNTIME = "KataVmIsolation"
_SIZE = re.compile(r"Standard_[DE]C[0-9]+i?(?P<by>[ae])d?s_v[0-9]+", re.IGNORECASE)
"""Sizes with AMD SEV-SNP (`a`) and with Intel TDX (`e`). Neither enclaves (DCsv2, DCsv3) nor parents of confidential containers (`_cc_`)."""


def is_confidential(vm_size: str) -> bool:
    """`vm_size` is a confidential VM with AMD SEV-SNP, for which AKS has node images."""
    size = _SIZE.fullmatch(vm_size)
    return size is not None and size["by"].lower() == "a"


@error("AKS150", f"{_CVM} (2026-06-24): limitations, and the table of OS versions")
@sample("fips", lambda: UserPool(vm_size=_SNP, fips=True))
def unsupported_confidential_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS has no image for a confidential VM with FIPS, pod sandboxing, Windows, Ubuntu 22.04, Azure Container Linux or OS Guard."""
    if not is_confidential(pool.vm_size):
        return
    if pool.os_type == "Windows":
        message = f"`{pool.vm_size}` is a confidential VM size: AKS supports confidential VMs on Linux only"
        yield finding(pool, message, path="vm_size", fix=f"Use a size such as `{SIZE}`")
        return
    for field, what in (("fips", "FIPS"), ("workload_runtime", f"`{_KATA_RUNTIME}`")):
        if getattr(pool, field) in (True, _KATA_RUNTIME):
            message = f"AKS does not support {what} on the confidential VM size `{pool.vm_size}`"
            yield finding(pool, message, path=field, fix=Fix(f"Remove {ref(field)}, or use a size such as `{SIZE}`", (remove(field),)))
    image = os_sku(pool.os_sku)
    if image is not None and not image.confidential:
        message = f"AKS has no `{image.name}` image for the confidential VM size `{pool.vm_size}`"
        yield finding(pool, message, path="os_sku", fix=set_to("os_sku", "Ubuntu" if image.name.startswith("Ubuntu") else "AzureLinux"))


@error("AKS151", f"{_CVM} (2026-06-24): confidential VMs of Intel TDX are not supported on AKS")
@sample("vm_size", lambda: UserPool(vm_size="Standard_DC4es_v5"))
def intel_confidential_vm(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS supports confidential VMs with AMD SEV-SNP; it does not support Intel TDX."""
    size = _SIZE.fullmatch(pool.vm_size)
    if size is not None and size["by"].lower() == "e":
        message = f"`{pool.vm_size}` is an Intel TDX confidential VM size, which AKS does not support"
        yield finding(pool, message, path="vm_size", fix=f"Use an AMD SEV-SNP size, such as `{_SNP}`")


_DNS_PAGE = "https://learn.microsoft.com/azure/aks/localdns-custom"
_CPUS = 4
_CLUSTER: Final = "ClusterCoreDNS"
_ZONES: Final[Mapping[str, Mapping[str, Literal["VnetDNS", "ClusterCoreDNS"]]]] = {
    "vnet_dns": {".": "VnetDNS", "cluster.local": _CLUSTER},
    "kube_dns": {".": _CLUSTER, "cluster.local": _CLUSTER},
}
"""Zones that each list of overrides needs, and the server that resolves them by default."""


@warning("AKS057", f"{_DNS_PAGE}: 4 vCPUs, Azure Linux or Ubuntu; server blocks for `.` and `cluster.local`")
@sample("local_dns", lambda: UserPool(vm_size="Standard_D2ds_v5", local_dns=_dns("Preferred")))
def ineffective_local_dns(pool: AgentPool) -> Iterator[PartFinding]:
    """LocalDNS in mode `Preferred` has no effect on nodes that cannot run it; its overrides must include the zones `.` and `cluster.local`."""
    if pool.local_dns is None or pool.local_dns.mode == "Disabled":
        return
    for why, fix in _obstacles(pool) if pool.local_dns.mode == "Preferred" else ():
        yield finding(pool, f"LocalDNS has no effect here: {why}", path="local_dns", fix=fix)
    for field, overrides in (("vnet_dns", pool.local_dns.vnet_dns), ("kube_dns", pool.local_dns.kube_dns)):
        missing = [zone for zone in _ZONES[field] if zone not in [override.zone for override in overrides]]
        if overrides and missing:
            at = ("local_dns", field)
            message = f"{ref(at)} has no override for {' and '.join(f'`{zone}`' for zone in missing)}"
            fix = [add(at, LocalDnsOverride(zone=zone, forward_destination=_ZONES[field][zone])) for zone in missing]
            yield finding(pool, message, path=at, fix=fix)


@error("AKS182", f"{_DNS_PAGE} (2026-07): with `Required`, the deployment fails where the requirements are not met: 4 vCPUs, Azure Linux or Ubuntu")
@sample("local_dns", lambda: UserPool(vm_size="Standard_D2ds_v5", local_dns=_dns("Required")))
def required_local_dns_unsupported(pool: AgentPool) -> Iterator[PartFinding]:
    """LocalDNS in mode `Required` fails the deployment of a pool whose nodes cannot run it."""
    for why, fix in _obstacles(pool) if pool.local_dns is not None and pool.local_dns.mode == "Required" else ():
        yield finding(pool, f"AKS rejects LocalDNS in the mode `Required` here: {why}", path="local_dns", fix=fix)


def _obstacles(pool: AgentPool) -> Iterator[tuple[str, FixLike]]:
    """Why the nodes cannot run it, and the fix."""
    size = azure_vm_sizes().get(pool.vm_size)
    if size is not None and size.cpu is not None and size.cpu < _CPUS:
        fix = Fix(f"Remove {ref('local_dns')}, or use a size with at least {_CPUS} vCPUs", (remove("local_dns"),))
        yield f"it requires nodes with {_CPUS} vCPUs, and `{pool.vm_size}` has {size.cpu}", fix
    if pool.os_type == "Windows":
        yield f"it runs on Azure Linux and Ubuntu only, not on `{pool.os_sku}`", remove("local_dns")


def _dns(mode: Literal["Preferred", "Required"]) -> LocalDns:
    zones = [LocalDnsOverride(zone=".", forward_destination="VnetDNS"), LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")]
    return LocalDns(mode=mode, vnet_dns=zones, kube_dns=zones)


_CRD = "AKSNodeClass CRD (karpenter.azure.com/v1beta1)"
_ZONE = re.compile(r"\.|{label}(\.{label})*\.?".replace("{label}", "[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"))


@error("NAP050", f"{_CRD}: the pattern of zone")
@sample("local_dns.vnet_dns[1].zone", lambda: _with("*.example.com"))
def invalid_local_dns_zone(override: LocalDnsOverride, _: AksNodeClass) -> Iterator[PartFinding]:
    """A zone of local DNS is `.` or a DNS name: parts of up to 63 letters, digits, `-` and `_`, with dots between them."""
    if not _ZONE.fullmatch(override.zone):
        message = f"`{override.zone}` is not a DNS name: the API server rejects it as a zone of local DNS"
        yield finding(override, message, path="zone", fix="Use a name such as `example.com`, or `.` for all other names")


@error("NAP051", f"{_CRD}: overrides are a map by zone")
@sample("local_dns.vnet_dns[2]", lambda: _with("example.com", "example.com"))
def duplicate_local_dns_zone(dns: LocalDns) -> Iterator[PartFinding]:
    """Each list of local DNS overrides has one entry for a zone."""
    for field, overrides in (("vnet_dns", dns.vnet_dns), ("kube_dns", dns.kube_dns)):
        zones = [override.zone for override in overrides]
        for index, zone in enumerate(zones):
            if zone in zones[:index]:
                message = f"The zone `{zone}` is listed twice: the API server rejects the AKSNodeClass"
                yield finding(dns, message, path=(field, index), value=zone, fix=remove((field, index)))


def _with(*zones: str) -> AksNodeClass:
    """A node class whose pods resolve `zones`, too, with the DNS servers of the virtual network."""
    cluster = LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")
    outside = [LocalDnsOverride(zone=zone, forward_destination="VnetDNS") for zone in (".", *zones)]
    return AksNodeClass(local_dns=LocalDns(vnet_dns=[*outside, cluster], kube_dns=[outside[0], cluster]))


_PAGE = "https://learn.microsoft.com/azure/aks/custom-node-configuration-reference (2026-08)"
_HIGH, _LOW = 85, 80
_APART, _FULL = 5, 100
"""Per cent: the distance of the thresholds by default, and the highest one."""
_ON_WINDOWS: Final = frozenset({"image_gc_high_threshold", "image_gc_low_threshold", "container_log_max_size", "container_log_max_files"})
_NAMESPACED: Final = ("kernel.shm", "kernel.msg", "fs.mqueue.", "net.")
_UNITS: Final = {"ns": Decimal("1e-9"), "us": Decimal("1e-6"), "µs": Decimal("1e-6"), "ms": Decimal("1e-3"), "s": 1, "m": 60, "h": 3600}
_SPAN = r"([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s|m|h)"
_SHORTEST, _LONGEST = Decimal("1e-3"), 1
_FIRST_PORTS, _LAST_PORTS = (1024, 60999), (32768, 65535)


@error("AKS032", "AKSNodeClass CRD and the kubelet: imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent")
@sample("image_gc_high_threshold", lambda: KubeletConfig(image_gc_high_threshold=70, image_gc_low_threshold=80))
def image_gc_thresholds_reversed(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """The kubelet starts to delete unused images at a high threshold of disk usage and stops at a lower one (defaults: 85 and 80)."""
    high, low = kubelet.image_gc_high_threshold, kubelet.image_gc_low_threshold
    if high is not None and high <= (low if low is not None else _LOW):
        least = str(low) if low is not None else f"{_LOW} by default"
        message = f"{ref('image_gc_high_threshold')} ({high}) must be greater than {ref('image_gc_low_threshold')} ({least})"
        fix = set_to("image_gc_low_threshold", high - _APART) if low is None and high > _APART else _apart(low if low is not None else _LOW)
        yield finding(kubelet, message, path="image_gc_high_threshold", fix=fix)
    elif high is None and low is not None and low >= _HIGH:
        message = f"{ref('image_gc_low_threshold')} ({low}) must be less than {ref('image_gc_high_threshold')} ({_HIGH} by default)"
        yield finding(kubelet, message, path="image_gc_low_threshold", fix=_apart(low))


def _apart(low: int) -> FixLike:
    """Sets the high threshold above the low one; lowers both if there is no room above."""
    if low < _FULL:
        return set_to("image_gc_high_threshold", min(low + _APART, _FULL))
    return set_to("image_gc_high_threshold", _FULL), set_to("image_gc_low_threshold", _FULL - _APART)


@error("AKS183", f"{_PAGE}: Windows supports imageGcHighThreshold, imageGcLowThreshold, containerLogMaxSizeMB and containerLogMaxFiles only")
@sample(
    "kubelet.cpu_manager_policy",
    lambda: WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True, kubelet=KubeletConfig(cpu_manager_policy="static")),
)
def linux_kubelet_config_on_windows(pool: WindowsPool) -> Iterator[PartFinding]:
    """On Windows nodes AKS supports the kubelet's image thresholds and container logs only."""
    for field in pool.kubelet.model_dump(exclude_defaults=True) if pool.kubelet is not None else {}:
        if field not in _ON_WINDOWS:
            message = f"AKS does not support {ref(('kubelet', field))} on Windows nodes"
            yield finding(pool, message, path=("kubelet", field), fix=remove(("kubelet", field)))


@error("AKS184", f"{_PAGE}: allowedUnsafeSysctls kernel.shm*, kernel.msg*, kernel.sem, fs.mqueue.*, net.*; the kubelet does not start with others")
@sample("allowed_unsafe_sysctls[0]", lambda: KubeletConfig(allowed_unsafe_sysctls=["vm.swappiness"]))
def unsafe_sysctl_of_node(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """Pods can set only sysctls of their own namespaces."""
    for index, name in enumerate(kubelet.allowed_unsafe_sysctls):
        if name != "kernel.sem" and not name.startswith(_NAMESPACED):
            at = ("allowed_unsafe_sysctls", index)
            message = f"Pods cannot set the sysctl `{name}`: only `kernel.shm*`, `kernel.msg*`, `kernel.sem`, `fs.mqueue.*` and `net.*` are allowed"
            yield finding(kubelet, message, path=at, fix=remove(at))


@error("AKS185", f"{_PAGE}: podMaxPids from -1 on; the kubelet: cpuCFSQuotaPeriod, 1ms to 1s")
@sample("pod_max_pids", lambda: KubeletConfig(pod_max_pids=-2))
def kubelet_config_prevents_start(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """The kubelet does not start with a process limit below -1 or a CPU quota period outside 1ms to 1s."""
    pids, period = kubelet.pod_max_pids, kubelet.cpu_cfs_quota_period
    if pids is not None and pids < -1:
        message = f"{ref('pod_max_pids')} ({pids}) must be -1 (no limit) or more"
        yield finding(kubelet, message, path="pod_max_pids", fix=set_to("pod_max_pids", -1))
    if period is not None and not _SHORTEST <= _seconds(period) <= _LONGEST:
        message = f"{ref('cpu_cfs_quota_period')} (`{period}`) must be a duration from `1ms` to `1s`, written without spaces"
        yield finding(kubelet, message, path="cpu_cfs_quota_period", fix=set_to("cpu_cfs_quota_period", "100ms"))


@error("AKS186", f"{_PAGE}: net.ipv4.ip_local_port_range, first 1024 to 60999, last 32768 to 65535")
@limited(Limit(Where.FILES, "NAP023 checks the bounds of node classes"))
@sample(
    "linux_os.sysctls.net_ipv4_ip_local_port_range",
    lambda: UserPool(vm_size=SIZE, linux_os=LinuxOsConfig(sysctls=Sysctls(net_ipv4_ip_local_port_range="100 60999"))),
)
def local_port_range_out_of_bounds(sysctls: Sysctls, _: AgentPool) -> Iterator[PartFinding]:
    """The local port range of agent pool nodes starts at 1024 to 60999 and ends at 32768 to 65535."""
    yield from impossible_ports(sysctls)


def impossible_ports(sysctls: Sysctls) -> Iterator[PartFinding]:
    """A range of local ports that AKS rejects, of agent pools and of node classes alike."""
    value = sysctls.net_ipv4_ip_local_port_range
    if value is None:
        return
    first, last = map(int, value.split())
    if not (_FIRST_PORTS[0] <= first <= _FIRST_PORTS[1] and _LAST_PORTS[0] <= last <= _LAST_PORTS[1] and first <= last):
        at = "net_ipv4_ip_local_port_range"
        message = f"{ref(at)} (`{value}`) must be a first port (1024 to 60999) and a greater last port (32768 to 65535)"
        begin, end = _clamped(first, *_FIRST_PORTS), _clamped(last, *_LAST_PORTS)
        yield finding(sysctls, message, path=at, fix=set_to(at, f"{begin} {end}" if begin < end else "32768 60999"))


def _clamped(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))


def _seconds(period: str) -> Decimal:
    """The seconds of a duration as Go parses it; negative if it is invalid."""
    spans = re.findall(_SPAN, period)
    return sum((Decimal(number) * _UNITS[unit] for number, unit in spans), Decimal(0)) if re.fullmatch(f"(?:{_SPAN})+", period) else Decimal(-1)


@error(
    "AKS243",
    "https://github.com/Azure/AKS/issues/4431: InvalidParameter, the value of linuxProfile.ssh.publicKeys.keyData is invalid; "
    "https://learn.microsoft.com/azure/virtual-machines/linux/mac-create-ssh-keys: RSA and ED25519",
)
@sample("linux_profile.ssh_key", lambda: aks(linux_profile={"ssh_key": "~/.ssh/id_rsa.pub"}))
def invalid_public_ssh_key(profile: LinuxProfile) -> Iterator[PartFinding]:
    """AKS rejects public keys that Azure does not support; Azure supports the types RSA and ED25519, in OpenSSH format."""
    if not profile.ssh_key.startswith(("ssh-rsa ", "ssh-ed25519 ")):
        message = "AKS rejects this SSH key: it must be a public key in OpenSSH format, of the type RSA or ED25519"
        fix = "Use the content of a file such as `id_rsa.pub`, which starts with `ssh-rsa` or `ssh-ed25519`"
        yield finding(profile, message, path="ssh_key", value="", fix=fix)

"""Features of a node pool that exclude each other: trusted launch, FIPS, pod sandboxing, confidential VMs, by image and machine.

Facts: docs/facts/aks.md § 2.7.

Traits are properties of a pool. The tables list the traits that AKS rejects together, according to its pages of 2026-06 to 2026-08.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product
from typing import Final, NamedTuple

from nodepools.data.aks_images import os_sku
from nodepools.data.azure_vm_sizes import azure_vm_sizes, largest_ephemeral_disk, parts_of
from nodepools.model.aks.agent_pool import AgentPool, UserPool
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import API_VERSIONS, Sample, error, finding, warning
from nodepools.rules.engine.samples import SIZE

_FIPS = "https://learn.microsoft.com/azure/aks/enable-fips-nodes"
_LAUNCH = "https://learn.microsoft.com/azure/aks/use-trusted-launch"
_STREAMING = "https://learn.microsoft.com/azure/aks/artifact-streaming"
_KATA = "https://learn.microsoft.com/azure/aks/use-pod-sandboxing"
_ACL, _DEFAULT_IMAGE = "AzureContainerLinux", "Ubuntu"
_ARM = "Standard_D4pds_v5"
_ARM_LAUNCHES_FROM = 6
_NESTING = "Standard_D4s_v3"
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


def _version(size: str) -> int:
    return _family(size)[1]


def _is_old(size: str) -> bool:
    parts = parts_of(size)
    return parts is not None and _family(size) in _OLD_HARDWARE and "s" not in parts.letters


def _unlaunched(pool: AgentPool, otherwise: str = "") -> FixLike:
    """Turns trusted launch off."""
    operations = tuple(remove(field) for field in _launching(pool))
    return Fix(f"{sentence(operations)}{otherwise}", operations)


def _without_runtime(_: AgentPool) -> FixLike:
    return remove("workload_runtime")


def _on_amd64(pool: AgentPool) -> FixLike:
    return _unlaunched(pool, f", or use an amd64 size such as `{SIZE}`")


def _on_newer(pool: AgentPool) -> FixLike:
    return _unlaunched(pool, f", or use a newer size such as `{SIZE}`")


def _unstreamed(_: AgentPool) -> FixLike:
    return remove("artifact_streaming")


def _with_fips_image(pool: AgentPool) -> FixLike:
    """An OS SKU that has a FIPS image for the pool: with trusted launch that is Ubuntu on amd64."""
    if not _is_launched(pool):
        return set_to("os_sku", "AzureLinux")
    if _is_arm(pool) or pool.workload_runtime == _SANDBOX:
        return (*(() if pool.os_sku in _AZURE_LINUX else (set_to("os_sku", "AzureLinux"),)), *map(remove, _launching(pool)))
    return set_to("os_sku", "Ubuntu")


def _on_azure_linux(_: AgentPool) -> FixLike:
    return set_to("os_sku", "AzureLinux")


def _on_nesting(_: AgentPool) -> FixLike:
    return f"Use an amd64 size with nested virtualization, such as `{_NESTING}`"


class Clash(NamedTuple):
    """A trait that AKS rejects together with a feature."""

    trait: str
    words: str
    fix: Callable[[AgentPool], FixLike]


_TRAITS: Final[Mapping[str, Callable[[AgentPool], bool]]] = {
    "windows": lambda pool: pool.os_type == "Windows",
    "kata": lambda pool: pool.workload_runtime == _SANDBOX,
    "confidential": lambda pool: is_confidential(pool.vm_size),
    "generation 1": lambda pool: _is_old(pool.vm_size),
    "no nesting": lambda pool: _family(pool.vm_size) in _NO_NESTING,
    "arm64": _is_arm,
    "arm64 before 6": lambda pool: _is_arm(pool) and _version(pool.vm_size) < _ARM_LAUNCHES_FROM and pool.os_sku != _ACL,  # of that one AKS155
    "Ubuntu on arm64": lambda pool: _is_arm(pool) and (pool.os_sku is None or pool.os_sku.startswith("Ubuntu")),
    "Azure Container Linux": lambda pool: pool.os_sku == _ACL,
    "Ubuntu 24.04": lambda pool: pool.os_sku == "Ubuntu2404",
    "no Azure Linux": lambda pool: pool.os_type == "Linux" and pool.os_sku not in ("AzureLinux", "AzureLinux3", "CBLMariner"),
    "launched Azure Linux": lambda pool: _is_launched(pool) and pool.os_sku in _AZURE_LINUX,
}
"""The traits of pools, by the names that the tables use."""

_WITH_LAUNCH: Final = (
    Clash("windows", "on Windows node pools", _unlaunched),
    Clash("kata", f"together with `{_SANDBOX}`", _unlaunched),
    Clash("confidential", "on the confidential VM size `{size}`", _unlaunched),
    Clash("arm64 before 6", "on the arm64 size `{size}`", _on_amd64),
    Clash("generation 1", "on `{size}`, which is a generation 1 size", _on_newer),
)
_WITH_FIPS: Final = (
    Clash("Ubuntu 24.04", "of Ubuntu 24.04", _with_fips_image),
    Clash("Ubuntu on arm64", "of Ubuntu for the arm64 size `{size}`", _with_fips_image),
    Clash("launched Azure Linux", "of Azure Linux with trusted launch", _with_fips_image),
)
_WITH_STREAMING: Final = (
    Clash("arm64", "of the arm64 size `{size}`", _unstreamed),
    Clash("kata", f"with `{_SANDBOX}`", _unstreamed),
    Clash("Azure Container Linux", "of Azure Container Linux", _unstreamed),
)
_WITH_KATA: Final = (
    Clash("windows", "on Windows node pools", _without_runtime),
    Clash("no Azure Linux", "on `{image}`: it runs on Azure Linux only", _on_azure_linux),
    Clash("arm64", "on the arm64 size `{size}`", _on_nesting),
    Clash("generation 1", "on `{size}`, which is a generation 1 size", _on_nesting),
    Clash("no nesting", "on `{size}`, which has no nested virtualization", _on_nesting),
)


@error(
    "AKS033",
    source=f"{_FIPS} and node-images (2026-07): not of Ubuntu 24.04; arm64 with Azure Linux only; trusted launch with Ubuntu 22.04 only",
    sample=Sample("fips", lambda: UserPool(vm_size=SIZE, os_sku="Ubuntu2404", fips=True)),
)
def unsupported_fips_image(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS has no FIPS image of Ubuntu 24.04, of Ubuntu on arm64, or of Azure Linux with trusted launch."""
    for clash in _first(pool, _WITH_FIPS) if pool.fips and pool.os_type == "Linux" else ():
        yield finding(pool, f"AKS has no FIPS image {_in_this_pool(clash.words, pool)}", path="fips", fix=clash.fix(pool))


@error(
    "AKS034",
    source=f"{_LAUNCH} (2026-07): not with Windows, Arm64, Pod Sandboxing, Confidential VM, and on Gen2 sizes only",
    sample=Sample("secure_boot", lambda: UserPool(vm_size=_ARM, secure_boot=True)),
)
def unsupported_trusted_launch(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects trusted launch on Windows, on confidential VMs, on arm64 before version 6, on generation 1 sizes, and with Kata."""
    for clash, field in product(_first(pool, _WITH_LAUNCH), _launching(pool)):
        yield finding(pool, f"AKS rejects trusted launch {_in_this_pool(clash.words, pool)}", path=field, fix=clash.fix(pool))


@warning(
    "AKS180",
    source=f"{_LAUNCH}: not with Arm64; azure-container-linux-overview (2026-05): on Arm64 sizes of version 6 with trusted launch",
    sample=Sample("vtpm", lambda: UserPool(vm_size="Standard_D4pds_v6", vtpm=True)),
)
def trusted_launch_on_arm64_v6(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS documents trusted launch on arm64 sizes of version 6 with Azure Container Linux only."""
    if _is_arm(pool) and not _first(pool, _WITH_LAUNCH) and pool.os_sku != _ACL:
        for field in _launching(pool):
            message = (
                f"AKS can reject {ref(field)} on the arm64 size `{pool.vm_size}`: it documents trusted launch there with the OS SKU `{_ACL}` only"
            )
            yield finding(pool, message, path=field, fix=_on_amd64(pool))


@error(
    "AKS100",
    source="Azure/AKS release notes, 2026-06-19: FIPS is rejected with pod sandboxing (Kata)",
    sample=Sample("fips", lambda: UserPool(vm_size=SIZE, os_sku="AzureLinux", fips=True, workload_runtime=_SANDBOX)),
)
def fips_with_pod_sandboxing(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects FIPS together with pod sandboxing (Kata)."""
    if pool.fips and pool.workload_runtime == _SANDBOX:
        message = f"AKS rejects {ref('fips')} together with {ref('workload_runtime')} (`{_SANDBOX}`)"
        yield finding(pool, message, path="fips", fix=f"Remove {ref('fips')} or {ref('workload_runtime')}")


@error(
    "AKS175",
    source=f"{_KATA} (2025-11): os-sku AzureLinux, a generation 2 size with nested virtualization, or the command fails; node-images: not on Arm64",
    sample=Sample("workload_runtime", lambda: UserPool(vm_size=SIZE, workload_runtime=_SANDBOX)),
)
def unsupported_pod_sandboxing(pool: AgentPool) -> Iterator[PartFinding]:
    """Pod Sandboxing (Kata) runs on Azure Linux, on amd64 sizes of generation 2 with nested virtualization."""
    for clash in _WITH_KATA if pool.workload_runtime == _SANDBOX else ():
        if _TRAITS[clash.trait](pool):
            message = f"AKS rejects `{_SANDBOX}` {_in_this_pool(clash.words, pool)}"
            yield finding(pool, message, path="workload_runtime", fix=clash.fix(pool))


@warning(
    "AKS345",
    source=f"{_STREAMING} (2026-07): images of Linux on amd64 only; not with pod sandboxing, nor with Azure Container Linux",
    sample=Sample("artifact_streaming", lambda: UserPool(vm_size=_ARM, artifact_streaming=True)),
    limits=(API_VERSIONS,),
)
def unstreamed_artifacts(pool: AgentPool) -> Iterator[PartFinding]:
    """Artifact streaming is for amd64 nodes of Linux, without pod sandboxing and Azure Container Linux."""
    for clash in _first(pool, _WITH_STREAMING) if getattr(pool, "artifact_streaming", None) else ():
        message = f"AKS does not stream images to nodes {_in_this_pool(clash.words, pool)}"
        yield finding(pool, message, path="artifact_streaming", fix=clash.fix(pool))


@error(
    "AKS356",
    source="Azure API reference, kubeletDiskType; virtual-machines/vm-naming-conventions: no local storage without the letter `d`",
    sample=Sample("kubelet_disk_type", lambda: UserPool(vm_size="Standard_D4s_v5", kubelet_disk_type="Temporary")),
)
def temporary_disk_missing(pool: AgentPool) -> Iterator[PartFinding]:
    """The kubelet's data is on the temporary disk only where the VM size has one."""
    for one in pool.by_size:
        if one.kubelet_disk_type == "Temporary" and largest_ephemeral_disk(one.vm_size) == 0:
            message = f"`{one.vm_size}` has no temporary disk, which {ref('kubelet_disk_type')} asks for"
            fix = f"Remove {ref('kubelet_disk_type')}, or use a size with a local disk, such as one with a `d` in its name"
            yield finding(pool, message, path="kubelet_disk_type", fix=fix)


@error(
    "AKS176",
    source="Azure/AKS release notes, 2025-05, and Azure/AKS#4770: from 2025-05-05 no WASI node pools can be created, old ones are unsupported",
    sample=Sample("workload_runtime", lambda: UserPool(vm_size=SIZE, workload_runtime=_WASM)),
)
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


@error(
    "AKS150",
    source=f"{_CVM} (2026-06-24): limitations, and the table of OS versions",
    sample=Sample("fips", lambda: UserPool(vm_size=_SNP, fips=True)),
)
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


@error(
    "AKS151",
    source=f"{_CVM} (2026-06-24): confidential VMs of Intel TDX are not supported on AKS",
    sample=Sample("vm_size", lambda: UserPool(vm_size="Standard_DC4es_v5")),
)
def intel_confidential_vm(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS supports confidential VMs with AMD SEV-SNP; it does not support Intel TDX."""
    size = _SIZE.fullmatch(pool.vm_size)
    if size is not None and size["by"].lower() == "e":
        message = f"`{pool.vm_size}` is an Intel TDX confidential VM size, which AKS does not support"
        yield finding(pool, message, path="vm_size", fix=f"Use an AMD SEV-SNP size, such as `{_SNP}`")

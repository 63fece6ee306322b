"""OS SKUs of agent pools: which there are, and what each goes with. Facts: docs/facts/aks.md § 2.12."""

from collections.abc import Iterator

from nodepools.data.aks_images import OS_SKUS, is_later, os_sku
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import AgentPool, UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_OS = "https://learn.microsoft.com/azure/aks/upgrade-os-version"
_NOTES = "https://github.com/Azure/AKS/releases: 2025-07-20, unknown OS SKUs are rejected, where AKS took Ubuntu before"
_ACL = "https://learn.microsoft.com/azure/aks/azure-container-linux-overview"
_CHANNELS = "https://learn.microsoft.com/azure/aks/auto-upgrade-node-os-image"
_READ = "2026-08"
_LAUNCHED_ARM = 6
"""First version of arm64 sizes that have trusted launch."""


@rule("AKS152", Severity.ERROR, source=_NOTES, sample=lambda: UserPool(vm_size=SIZE, os_sku="AzureLinus"))
def invalid_os_sku(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects an OS SKU that does not exist."""
    if _is_unknown(pool.os_sku) and not is_later(pool.os_sku or ""):
        yield finding(pool, f"`{pool.os_sku}` is not an OS SKU of AKS", at="os_sku", fix=f"Write `{_nearest(pool.os_sku or '')}`")


@rule("AKS153", Severity.WARNING, source=f"{_OS}: OS SKUs, as of {_READ}", sample=lambda: UserPool(vm_size=SIZE, os_sku="Ubuntu2604"))
def unknown_os_sku(pool: AgentPool) -> Iterator[PartFinding]:
    """An OS SKU that is not known here is one that came later, or one that AKS rejects."""
    if _is_unknown(pool.os_sku) and is_later(pool.os_sku or ""):
        message = f"`{pool.os_sku}` is not in our table of OS SKUs of {_READ}: AKS may reject it"
        yield finding(pool, message, at="os_sku", fix=f"Write `{_nearest(pool.os_sku or '')}`, unless the documentation of AKS names it")


@rule(
    "AKS154",
    Severity.ERROR,
    source=f"{_OS}: OS type and OS SKU",
    sample=lambda: UserPool(vm_size=SIZE, os_sku="Windows2025"),
)
def windows_os_sku_in_linux_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """The OS SKU of a Linux pool is one of Linux: Windows nodes are those of a Windows pool."""
    image = os_sku(pool.os_sku)
    if image is not None and pool.os_type == "Linux" and image.system == "Windows":
        fix = "Write `Ubuntu` or `AzureLinux`, or make it a pool of Windows"
        yield finding(pool, f"`{pool.os_sku}` is Windows, and the pool has Linux nodes", at="os_sku", fix=fix)


@rule(
    "AKS155",
    Severity.ERROR,
    source=f"{_ACL} (2026-05): trusted launch with secure boot and vTPM; on Arm64 Cobalt-based sizes (v6)",
    sample=lambda: UserPool(vm_size=SIZE, os_sku="AzureContainerLinux", secure_boot=False),
)
def os_sku_unsupported_by_vm_size(pool: AgentPool) -> Iterator[PartFinding]:
    """Azure Container Linux needs trusted launch, with secure boot and vTPM, and on arm64 a size of v6."""
    image = os_sku(pool.os_sku)
    if image is None or not image.needs_launch:
        return
    for field, what in (("secure_boot", "secure boot"), ("vtpm", "vTPM")):
        if getattr(pool, field) is False:
            yield finding(pool, f"`{image.name}` has no image without {what}", at=field, fix="Remove it")
    size = azure_vm_sizes().get(pool.vm_size)
    if size is not None and size.arch == "arm64" and int(size.version) < _LAUNCHED_ARM:
        fix = f"Use an arm64 size of v6, such as `Standard_D4pds_v6`, or one of amd64, such as `{SIZE}`"
        yield finding(pool, f"`{pool.vm_size}` has no trusted launch, which `{image.name}` needs", at="vm_size", fix=fix)


@rule(
    "AKS157",
    Severity.ERROR,
    source=f"{_ACL}: NodeImage and None only; {_CHANNELS}: OS Guard supports neither SecurityPatch nor Unmanaged",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, os_sku="AzureContainerLinux")}, node_os_upgrade="SecurityPatch"),
)
def immutable_os_sku_with_security_patch(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Images that nothing changes, Azure Container Linux and OS Guard, are upgraded as a whole: by the channel NodeImage, or not at all."""
    image = os_sku(pool.os_sku)
    if image is not None and cluster.node_os_upgrade in image.channels:
        message = f"`{image.name}` does not support the channel of the cluster for node images, `{cluster.node_os_upgrade}`"
        yield finding(pool, message, at="os_sku", fix="Write `Ubuntu` or `AzureLinux`, or set the channel of the cluster to `NodeImage`")


def _is_unknown(name: str | None) -> bool:
    return name is not None and os_sku(name) is None


def _nearest(name: str) -> str:
    from difflib import get_close_matches  # costs more than all the rest, and only findings need it

    return next((OS_SKUS[one].name for one in get_close_matches(name.lower(), OS_SKUS, 1)), "Ubuntu")

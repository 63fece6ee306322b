"""Node images of agent pools: what each OS SKU requires, and sizes that an overlay excludes. Facts: docs/facts/aks.md § 2.7, § 2.12."""

import re
from collections.abc import Iterator

from nodepools.data.aks_images import OS_SKUS, OsSku, is_later, os_sku
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.version_support import minor as minor_of
from nodepools.model.aks.agent_pool import AgentPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.listing import nearest
from nodepools.rules.engine.finding import Fix, FixLike, Operation, PartFinding, correct_spelling, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import API_VERSIONS, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import SIZE, aks

_ROLLBACK = "https://learn.microsoft.com/azure/aks/roll-back-node-pool-version"
_OS = "https://learn.microsoft.com/azure/aks/upgrade-os-version"


@error("AKS035", f"{_OS} (2026-07-13): versions of Kubernetes for each OS version")
@sample(
    "pools.web.os_sku", lambda: aks(pools={"web": UserPool(vm_size=SIZE, os_sku="Ubuntu2204", kubernetes_version="1.37")}, kubernetes_version="1.37")
)
def os_sku_unsupported_by_version(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A versioned OS SKU supports some versions of Kubernetes only, and blocks the upgrade to others."""
    image, version = os_sku(pool.os_sku), _version(pool, cluster)
    if image is None or image.system == "Windows" or image.first <= minor_of(version) <= image.last:  # those of Windows: AKS091
        return
    range_ = f"1.{image.first} to 1.{image.last}" if image.is_versioned else f"1.{image.first} and later"
    message = f"`{image.name}` supports Kubernetes {range_}: the pool has {version}"
    yield finding(pool, message, path="os_sku", fix=_unversioned(pool, image))


@warning("AKS101", f"{_OS}: a named OS version blocks the upgrade to a Kubernetes version that it does not support")
@sample("pools.web.os_sku", lambda: aks(pools={"web": UserPool(vm_size=SIZE, os_sku="AzureLinux3")}))
def os_sku_blocks_next_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A versioned OS SKU blocks the upgrade from the last version of Kubernetes that it supports."""
    image, minor = os_sku(pool.os_sku), minor_of(_version(pool, cluster))
    if image is not None and image.system == "Linux" and minor == image.last:
        message = f"`{image.name}` supports Kubernetes up to 1.{minor}, the version of the pool: it blocks the upgrade to 1.{minor + 1}"
        yield finding(pool, message, path="os_sku", fix=_unversioned(pool, image))


@warning("AKS099", "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay: DCsv2-series VMs are not supported")
@sample("pools.enclave.vm_size", lambda: aks(pools={"web": UserPool(vm_size=SIZE), "enclave": UserPool(vm_size="Standard_DC4s_v2")}))
def dcsv2_size_with_overlay(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS does not support sizes of the DCsv2 series with overlay networking."""
    overlay = cluster.network_profile.plugin == "azure" and cluster.network_profile.plugin_mode == "overlay"
    if overlay and re.fullmatch(r"Standard_DC[0-9]+s?_v2", pool.vm_size, re.IGNORECASE):
        message = f"AKS does not support `{pool.vm_size}`, a size of the DCsv2 series, with overlay networking"
        fix = "Use a size of the DCasv5 series, such as `Standard_DC4as_v5` (it has no SGX enclaves), or another network mode"
        yield finding(pool, message, path="vm_size", fix=fix)


def _unversioned(pool: AgentPool, image: OsSku) -> FixLike:
    """The OS SKU of the same family that follows the version of Kubernetes."""
    target = "Ubuntu" if image.name.startswith("Ubuntu") else "AzureLinux"
    operation = set_to("os_sku", target)
    text = f"{sentence([operation])}, which follows the Kubernetes version"
    certain = target == "Ubuntu" or not (pool.fips and (pool.secure_boot or pool.vtpm))  # of Azure Linux AKS has no such image: AKS033
    return Fix(text, (operation,)) if certain else text


def _version(pool: AgentPool, cluster: AksClusterArgs) -> str:
    return pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version


_NOTES = "https://github.com/Azure/AKS/releases: 2025-07-20, unknown OS SKUs are rejected, for which AKS used Ubuntu before"
_ACL = "https://learn.microsoft.com/azure/aks/azure-container-linux-overview"
_CHANNELS = "https://learn.microsoft.com/azure/aks/auto-upgrade-node-os-image"
_READ = "2026-08"
_LAUNCHED_ARM = 6
"""First version of arm64 sizes that have trusted launch."""


@error("AKS152", _NOTES)
@sample("os_sku", lambda: UserPool(vm_size=SIZE, os_sku="AzureLinus"))
def invalid_os_sku(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects an OS SKU that does not exist."""
    if _is_unknown(pool.os_sku) and not is_later(pool.os_sku or ""):
        near = _nearest(pool.os_sku or "")
        fix = correct_spelling("os_sku", pool.os_sku or "", near) if near is not None else "Use an OS SKU of AKS, such as `Ubuntu`"
        yield finding(pool, f"`{pool.os_sku}` is not an OS SKU of AKS", path="os_sku", fix=fix)


@warning("AKS153", f"{_OS}: OS SKUs, as of {_READ}")
@sample("os_sku", lambda: UserPool(vm_size=SIZE, os_sku="Ubuntu2604"))
def unknown_os_sku(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects OS SKUs that do not exist; one that looks newer than this check may exist."""
    if _is_unknown(pool.os_sku) and is_later(pool.os_sku or ""):
        message = f"`{pool.os_sku}` is not among the OS SKUs that AKS documented in {_READ}: AKS can reject it"
        near = _nearest(pool.os_sku or "")
        fix = f"Use `{near if near is not None else 'Ubuntu'}`, unless AKS now documents `{pool.os_sku}`"
        yield finding(pool, message, path="os_sku", fix=fix)


@error("AKS154", f"{_OS}: OS type and OS SKU")
@sample("os_sku", lambda: UserPool(vm_size=SIZE, os_sku="Windows2025"))
def windows_os_sku_in_linux_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """A Linux pool requires a Linux OS SKU; Windows nodes require a Windows pool."""
    image = os_sku(pool.os_sku)
    if image is not None and pool.os_type == "Linux" and image.system == "Windows":
        fix = f"Set {ref('os_sku')} to `Ubuntu` or `AzureLinux`, or use a Windows pool"
        yield finding(pool, f"`{pool.os_sku}` is a Windows image: this pool has Linux nodes", path="os_sku", fix=fix)


@error("AKS155", f"{_ACL} (2026-05): trusted launch; on Arm64 Cobalt-based sizes (v6)")
@sample("vm_size", lambda: UserPool(vm_size="Standard_D4pds_v5", os_sku="AzureContainerLinux", secure_boot=True, vtpm=True))
def os_sku_unsupported_by_vm_size(pool: AgentPool) -> Iterator[PartFinding]:
    """Azure Container Linux requires on arm64 a size of version 6."""
    image, size = os_sku(pool.os_sku), azure_vm_sizes().get(pool.vm_size)
    if image is not None and image.needs_launch and size is not None and size.arch == "arm64" and int(size.version) < _LAUNCHED_ARM:
        fix = f"Use an arm64 size of version 6, such as `Standard_D4pds_v6`, or an amd64 size, such as `{SIZE}`"
        yield finding(pool, f"`{image.name}` requires trusted launch, which `{pool.vm_size}` does not support", path="vm_size", fix=fix)


@warning("AKS337", f"{_ACL} (2026-05) requires trusted launch; other pages of AKS show pools without it")
@sample("secure_boot", lambda: UserPool(vm_size=SIZE, os_sku="AzureContainerLinux", secure_boot=False, vtpm=True))
def os_sku_without_trusted_launch(pool: AgentPool) -> Iterator[PartFinding]:
    """One page of AKS says that Azure Container Linux requires secure boot and vTPM, and others show pools without."""
    image = os_sku(pool.os_sku)
    if image is None or not image.needs_launch:
        return
    for field, what in (("secure_boot", "secure boot"), ("vtpm", "vTPM")):
        if getattr(pool, field) is not True:
            message = f"AKS can reject `{image.name}` without {what}: one page of AKS requires it, others do not"
            yield finding(pool, message, path=field, fix=set_to(field, value=True))


@error("AKS157", f"{_ACL}: NodeImage and None only; {_CHANNELS}: OS Guard supports neither SecurityPatch nor Unmanaged")
@sample("pools.web.os_sku", lambda: aks(pools={"web": _immutable()}, node_os_upgrade="SecurityPatch"))
def immutable_os_sku_with_security_patch(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Azure Container Linux and OS Guard are immutable: AKS upgrades them with the channel NodeImage only."""
    image = os_sku(pool.os_sku)
    if image is not None and cluster.node_os_upgrade in image.channels:
        message = f"`{image.name}` does not support the node OS upgrade channel `{cluster.node_os_upgrade}` of the cluster"
        yield finding(pool, message, path="os_sku", fix=set_to("node_os_upgrade", "NodeImage", part=AksClusterArgs))


@error("AKS346", f"{_ROLLBACK} (2026-07): the Kubernetes auto-upgrade channel must be disabled before a rollback")
@limited(API_VERSIONS)
@sample("pools.web.node_image_version", lambda: _rolled_back(auto_upgrade="patch", node_os_upgrade="None"))
def rollback_with_auto_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool cannot be rolled back while its cluster upgrades Kubernetes automatically."""
    if pool.node_image_version is not None and cluster.upgrade_channel not in (None, "none"):
        message = f"AKS rejects the rollback of a pool while the cluster upgrades automatically ({ref('auto_upgrade')}: `{cluster.upgrade_channel}`)"
        yield finding(pool, message, path="node_image_version", fix=_stopped(cluster, "auto_upgrade", "none"))


@warning("AKS347", f"{_ROLLBACK} (2026-07): with a node OS upgrade channel, the previous node image may not be restored")
@limited(API_VERSIONS)
@sample("pools.web.node_image_version", lambda: _rolled_back(node_os_upgrade="NodeImage"))
def rollback_with_image_upgrades(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """While AKS upgrades node images automatically, a rollback may not restore the previous image."""
    if pool.node_image_version is not None and cluster.node_os_upgrade != "None":
        channel = cluster.node_os_upgrade if cluster.node_os_upgrade is not None else "NodeImage, the cloud default"
        message = f"The rollback to `{pool.node_image_version}` can fail: AKS upgrades images automatically ({ref('node_os_upgrade')}: {channel})"
        yield finding(pool, message, path="node_image_version", fix=_stopped(cluster, "node_os_upgrade", "None"))


def _stopped(cluster: AksClusterArgs, field: str, off: str) -> Operation:
    """What lets a rollback through: upgrades are off, which AKS Automatic rejects."""
    return remove("node_image_version") if cluster.sku == "Automatic" else set_to(field, off, part=AksClusterArgs)


def _rolled_back(**fields: object) -> AksClusterArgs:
    return aks(pools={"web": UserPool(vm_size=SIZE, node_image_version="AKSUbuntu-2204gen2containerd-202610.12.0")}, **fields)


def _is_unknown(name: str | None) -> bool:
    return name is not None and os_sku(name) is None


def _nearest(name: str) -> str | None:
    """The Linux OS SKU with the most similar name. Flatcar is retired."""
    known = [sku.name for sku in OS_SKUS.values() if sku.system == "Linux" and sku.name != "Flatcar"]
    return nearest(name, known)


def _immutable() -> UserPool:
    return UserPool(vm_size=SIZE, os_sku="AzureContainerLinux", secure_boot=True, vtpm=True)

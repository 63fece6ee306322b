"""Node images of agent pools: their versions of Kubernetes, and sizes that an overlay excludes. Facts: docs/facts/aks.md § 2.7."""

import re
from collections.abc import Iterator

from nodepools.data.aks_images import OsSku, os_sku
from nodepools.data.version_support import minor as minor_of
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.fix import Fix, FixLike, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_OS = "https://learn.microsoft.com/azure/aks/upgrade-os-version"


@rule(
    "AKS035",
    Severity.ERROR,
    source=f"{_OS} (2026-07-13): versions of Kubernetes for each OS version",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, os_sku="Ubuntu2204", kubernetes_version="1.37")}, kubernetes_version="1.37"),
)
def os_sku_unsupported_by_version(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A versioned OS SKU supports some versions of Kubernetes only, and blocks the upgrade to others."""
    image, version = os_sku(pool.os_sku), _version(pool, cluster)
    if image is None or image.system == "Windows" or image.first <= minor_of(version) <= image.last:  # those of Windows: AKS091
        return
    range_ = f"1.{image.first} to 1.{image.last}" if image.is_versioned else f"1.{image.first} and later"
    message = f"`{image.name}` supports Kubernetes {range_}: the pool has {version}"
    yield finding(pool, message, path="os_sku", fix=_unversioned(pool, image))


@rule(
    "AKS101",
    Severity.WARNING,
    source=f"{_OS}: a named OS version blocks the upgrade to a Kubernetes version that it does not support",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, os_sku="AzureLinux3")}),
)
def os_sku_blocks_next_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A versioned OS SKU blocks the upgrade from the last version of Kubernetes that it supports."""
    image, minor = os_sku(pool.os_sku), minor_of(_version(pool, cluster))
    if image is not None and image.system == "Linux" and minor == image.last:
        message = f"`{image.name}` supports Kubernetes up to 1.{minor}, the version of the pool: it blocks the upgrade to 1.{minor + 1}"
        yield finding(pool, message, path="os_sku", fix=_unversioned(pool, image))


@rule(
    "AKS099",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay: DCsv2-series VMs are not supported",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE), "enclave": UserPool(vm_size="Standard_DC4s_v2")}),
)
def dcsv2_size_with_overlay(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS does not support sizes of the DCsv2 series with overlay networking."""
    overlay = cluster.network_profile.plugin == "azure" and cluster.network_profile.plugin_mode == "overlay"
    if overlay and re.fullmatch(r"Standard_DC[0-9]+s?_v2", pool.vm_size, re.IGNORECASE):
        message = f"AKS does not support `{pool.vm_size}`, a size of the DCsv2 series, with overlay networking"
        yield finding(
            pool,
            message,
            path="vm_size",
            fix="Use another network mode, or, without SGX enclaves, a size of the DCasv5 series, such as `Standard_DC4as_v5`",
        )


def _unversioned(pool: AgentPool, image: OsSku) -> FixLike:
    """The OS SKU of the same family that follows the version of Kubernetes."""
    target = "Ubuntu" if image.name.startswith("Ubuntu") else "AzureLinux"
    operation = set_to("os_sku", target)
    text = f"{operation.text}, which follows the Kubernetes version"
    certain = target == "Ubuntu" or not (pool.fips and (pool.secure_boot or pool.vtpm))  # of Azure Linux AKS has no such image: AKS033
    return Fix(text, (operation,)) if certain else text


def _version(pool: AgentPool, cluster: AksClusterArgs) -> str:
    return pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version

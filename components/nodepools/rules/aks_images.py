"""Node images of agent pools: which goes with which machine, and with which Kubernetes. Facts: docs/facts/aks.md § 2.7."""

import re
from collections.abc import Iterator

from nodepools.data.aks_images import os_sku
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import AgentPool, UserPool
from nodepools.rules.finding import PartFinding, Severity
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
    """A node image of a named release goes with some versions of Kubernetes only, and holds back the upgrade to others."""
    image, version = os_sku(pool.os_sku), _version(pool, cluster)
    if image is None or image.system == "Windows" or image.first <= _minor(version) <= image.last:  # those of Windows: AKS091
        return
    range_ = f"1.{image.first} to 1.{image.last}" if image.is_versioned else f"1.{image.first} and later"
    message = f"`{image.name}` is for Kubernetes {range_}, and the pool has {version}"
    yield finding(pool, message, at="os_sku", fix="write Ubuntu or AzureLinux, which move along")


@rule(
    "AKS101",
    Severity.WARNING,
    source=f"{_OS}: a named OS version blocks the upgrade to a Kubernetes that it does not go with",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, os_sku="AzureLinux3")}),
)
def os_sku_blocks_next_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A node image of a named release, at the last version of Kubernetes that it goes with, holds back the upgrade to the next."""
    image, minor = os_sku(pool.os_sku), _minor(_version(pool, cluster))
    if image is not None and image.system == "Linux" and minor == image.last:
        fix = "write Ubuntu or AzureLinux, which move along, before the upgrade"
        yield finding(pool, f"ends with Kubernetes 1.{minor}: it holds back the upgrade to 1.{minor + 1}", at="os_sku", fix=fix)


@rule(
    "AKS099",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay: sizes of the DCsv2 series are not possible",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE), "enclave": UserPool(vm_size="Standard_DC4s_v2")}),
)
def dcsv2_size_with_overlay(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Sizes of the DCsv2 series are not for clusters whose pods are in an overlay."""
    overlay = cluster.network_profile.plugin == "azure" and cluster.network_profile.plugin_mode == "overlay"
    if overlay and re.fullmatch(r"Standard_DC[0-9]+s?_v2", pool.vm_size, re.IGNORECASE):
        yield finding(pool, "is not possible in overlay", at="vm_size", fix="take a size of DCasv5 or DCadsv5, or another network")


def _version(pool: AgentPool, cluster: AksClusterArgs) -> str:
    return pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version


def _minor(version: str) -> int:
    return int(version.split(".")[1])

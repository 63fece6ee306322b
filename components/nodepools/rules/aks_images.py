"""Node images of agent pools: which goes with which machine, and with which Kubernetes. Facts: docs/facts/aks.md § 2.7."""

import re
from collections.abc import Iterator

from nodepools.data.aks_images import os_sku
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import AgentPool, UserPool
from nodepools.rules.fault import Finding, Severity
from nodepools.rules.registry import fault, rule
from nodepools.rules.samples import SIZE, aks

_OS = "https://learn.microsoft.com/azure/aks/upgrade-os-version"
_FIPS = "https://learn.microsoft.com/azure/aks/enable-fips-nodes"
_LAUNCH = "https://learn.microsoft.com/azure/aks/use-trusted-launch"
_KATA = "KataVmIsolation"
_ARM = "Standard_D4pds_v5"
_CONFIDENTIAL = re.compile(r"Standard_[DE]C[0-9]+[ae]", re.IGNORECASE)
"""Of AMD SEV-SNP and Intel TDX; enclaves, DCsv2 and DCsv3, are none."""
_FIPS_WITH_LAUNCH = (None, "Ubuntu", "Ubuntu2204")
"""AKS takes Ubuntu 22.04 where FIPS is asked for and the usual Ubuntu has none."""


@rule(
    "AKS033",
    Severity.WARNING,
    source=f"{_FIPS}: not of Ubuntu 24.04; on arm64 of Azure Linux only; with trusted launch of Ubuntu 22.04 only",
    sample=lambda: UserPool(vm_size=SIZE, os_sku="Ubuntu2404", fips=True),
)
def no_such_image_with_fips(pool: AgentPool) -> Iterator[Finding]:
    """There is no image of Ubuntu 24.04 that is validated by FIPS 140; for arm64 there is Azure Linux, with trusted launch Ubuntu 22.04."""
    if not pool.fips:
        return
    if pool.os_sku == "Ubuntu2404":
        yield fault(pool, "is not to be had of Ubuntu 24.04", at="fips", fix='write os_sku="AzureLinux" or "Ubuntu2204"')
    elif _is_arm(pool) and pool.os_type == "Linux" and not (pool.os_sku or "").startswith("AzureLinux"):
        yield fault(pool, f"is to be had on arm64, {pool.vm_size}, of Azure Linux only", at="fips", fix='write os_sku="AzureLinux"')
    elif (pool.secure_boot or pool.vtpm) and pool.os_sku not in _FIPS_WITH_LAUNCH:
        yield fault(pool, "is to be had with trusted launch of Ubuntu 22.04 only", at="fips", fix="remove secure_boot and vtpm, or write Ubuntu2204")


@rule(
    "AKS034",
    Severity.WARNING,
    source=f"{_LAUNCH}: not on Arm64, nor with pod sandboxing (Kata), nor on confidential VMs",
    sample=lambda: UserPool(vm_size=_ARM, secure_boot=True),
)
def trusted_launch_elsewhere(pool: AgentPool) -> Iterator[Finding]:
    """Trusted launch is not to be had on arm64, nor on confidential machines, nor with Kata."""
    why = f"on {pool.vm_size}, which is arm64" if _is_arm(pool) else None
    why = f"on {pool.vm_size}, which is a confidential VM" if _CONFIDENTIAL.match(pool.vm_size) else why
    why = f"with {_KATA}" if pool.workload_runtime == _KATA else why
    for field in ("secure_boot", "vtpm"):
        if getattr(pool, field) and why is not None:
            yield fault(pool, f"is not possible {why}", at=field, fix="remove it, or take a plain size of amd64")


@rule(
    "AKS035",
    Severity.ERROR,
    source=f"{_OS} (2026-07-13): versions of Kubernetes for each OS version",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, os_sku="Ubuntu2204", kubernetes_version="1.37")}, kubernetes_version="1.37"),
)
def image_for_other_versions(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[Finding]:
    """A node image of a named release goes with some versions of Kubernetes only, and holds back the upgrade to others."""
    image, version = os_sku(pool.os_sku), _version(pool, cluster)
    if image is None or image.system == "Windows" or image.first <= _minor(version) <= image.last:  # those of Windows: AKS091
        return
    range_ = f"1.{image.first} to 1.{image.last}" if image.is_versioned else f"1.{image.first} and later"
    message = f"`{image.name}` is for Kubernetes {range_}, and the pool has {version}"
    yield fault(pool, message, at="os_sku", fix="write Ubuntu or AzureLinux, which move along")


@rule(
    "AKS100",
    Severity.ERROR,
    source="Azure/AKS release notes, 2026-06-19: FIPS is refused with pod sandboxing (Kata)",
    sample=lambda: UserPool(vm_size=SIZE, os_sku="AzureLinux", fips=True, workload_runtime=_KATA),
)
def fips_in_a_sandbox(pool: AgentPool) -> Iterator[Finding]:
    """AKS refuses FIPS for pools whose pods run in Kata."""
    if pool.fips and pool.workload_runtime == _KATA:
        yield fault(pool, f"is refused with {_KATA}", at="fips", fix="remove one of them")


@rule(
    "AKS101",
    Severity.WARNING,
    source=f"{_OS}: a named OS version blocks the upgrade to a Kubernetes that it does not go with",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, os_sku="AzureLinux3")}),
)
def image_that_holds_back_the_next_version(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[Finding]:
    """A node image of a named release, at the last version of Kubernetes that it goes with, holds back the upgrade to the next."""
    image, minor = os_sku(pool.os_sku), _minor(_version(pool, cluster))
    if image is not None and image.system == "Linux" and minor == image.last:
        fix = "write Ubuntu or AzureLinux, which move along, before the upgrade"
        yield fault(pool, f"ends with Kubernetes 1.{minor}: it holds back the upgrade to 1.{minor + 1}", at="os_sku", fix=fix)


@rule(
    "AKS099",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay: sizes of the DCsv2 series are not possible",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE), "enclave": UserPool(vm_size="Standard_DC4s_v2")}),
)
def enclaves_in_overlay(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[Finding]:
    """Sizes of the DCsv2 series are not for clusters whose pods are in an overlay."""
    overlay = cluster.network_profile.plugin == "azure" and cluster.network_profile.plugin_mode == "overlay"
    if overlay and re.fullmatch(r"Standard_DC[0-9]+s?_v2", pool.vm_size, re.IGNORECASE):
        yield fault(pool, "is not possible in overlay", at="vm_size", fix="take a size of DCasv5 or DCadsv5, or another network")


def _is_arm(pool: AgentPool) -> bool:
    size = azure_vm_sizes().get(pool.vm_size)
    return size is not None and size.arch == "arm64"


def _version(pool: AgentPool, cluster: AksClusterArgs) -> str:
    return pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version


def _minor(version: str) -> int:
    return int(version.split(".")[1])

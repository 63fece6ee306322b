"""Confidential VMs in agent pools: what AKS has no node image for. Facts: docs/facts/aks.md § 2.12."""

import re
from collections.abc import Iterator

from nodepools.data.aks_images import os_sku
from nodepools.model.aks.pools import AgentPool, UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule

_CVM = "https://learn.microsoft.com/azure/aks/use-cvm"
_SNP = "Standard_DC4as_v5"
_KATA = "KataVmIsolation"
_SIZE = re.compile(r"Standard_[DE]C[0-9]+i?(?P<by>[ae])d?s_v[0-9]+", re.IGNORECASE)
"""Of AMD SEV-SNP (`a`) and of Intel TDX (`e`). Enclaves (DCsv2, DCsv3) are none, nor are parents of confidential containers (`_cc_`)."""


def is_confidential(vm_size: str) -> bool:
    """The size is a confidential VM of AMD, which AKS has images for."""
    size = _SIZE.fullmatch(vm_size)
    return size is not None and size["by"].lower() == "a"


@rule(
    "AKS150",
    Severity.ERROR,
    source=f"{_CVM} (2026-06-24): limitations, and the table of OS versions",
    sample=lambda: UserPool(vm_size=_SNP, fips=True),
)
def unsupported_confidential_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS has no image for a confidential VM with FIPS, pod sandboxing, Windows, Ubuntu 22.04, Azure Container Linux or OS Guard."""
    if not is_confidential(pool.vm_size):
        return
    why = f"is not possible on `{pool.vm_size}`, a confidential VM"
    if pool.os_type == "Windows":
        yield finding(
            pool, f"`{pool.vm_size}` is a confidential VM, which AKS has for Linux only", at="vm_size", fix="Use a size such as `Standard_D4ds_v5`"
        )
        return
    if pool.fips:
        yield finding(pool, f"FIPS {why}", at="fips", fix="Remove it, or use a size such as `Standard_D4ds_v5`")
    if pool.workload_runtime == _KATA:
        yield finding(pool, f"`{_KATA}` {why}", at="workload_runtime", fix="Remove it, or use a size such as `Standard_D4ds_v5`")
    image = os_sku(pool.os_sku)
    if image is not None and not image.confidential:
        yield finding(pool, f"`{pool.os_sku}` {why}", at="os_sku", fix="Write `Ubuntu`, `Ubuntu2404` or `AzureLinux`")


@rule(
    "AKS151",
    Severity.ERROR,
    source=f"{_CVM} (2026-06-24): confidential VMs of Intel TDX are not supported on AKS",
    sample=lambda: UserPool(vm_size="Standard_DC4es_v5"),
)
def intel_confidential_vm(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS has no images for confidential VMs of Intel TDX, those of AMD SEV-SNP only."""
    size = _SIZE.fullmatch(pool.vm_size)
    if size is not None and size["by"].lower() == "e":
        message = f"`{pool.vm_size}` is a confidential VM of Intel TDX, which AKS does not support"
        yield finding(pool, message, at="vm_size", fix=f"Use a size of AMD SEV-SNP, such as `{_SNP}`")

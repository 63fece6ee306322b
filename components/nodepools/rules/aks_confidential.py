"""Confidential VMs in agent pools. Facts: docs/facts/aks.md § 2.12."""

import re
from collections.abc import Iterator

from nodepools.data.aks_images import os_sku
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.pools import UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.fix import Fix, remove, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE

_CVM = "https://learn.microsoft.com/azure/aks/use-cvm"
_SNP = "Standard_DC4as_v5"
_KATA = "KataVmIsolation"
_SIZE = re.compile(r"Standard_[DE]C[0-9]+i?(?P<by>[ae])d?s_v[0-9]+", re.IGNORECASE)
"""Sizes with AMD SEV-SNP (`a`) and with Intel TDX (`e`). Neither enclaves (DCsv2, DCsv3) nor parents of confidential containers (`_cc_`)."""


def is_confidential(vm_size: str) -> bool:
    """`vm_size` is a confidential VM with AMD SEV-SNP, for which AKS has node images."""
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
    if pool.os_type == "Windows":
        message = f"`{pool.vm_size}` is a confidential VM size: AKS supports confidential VMs on Linux only"
        yield finding(pool, message, path="vm_size", fix=f"Use a size such as `{SIZE}`")
        return
    for field, what in (("fips", "FIPS"), ("workload_runtime", f"`{_KATA}`")):
        if getattr(pool, field) in (True, _KATA):
            message = f"AKS does not support {what} on the confidential VM size `{pool.vm_size}`"
            yield finding(pool, message, path=field, fix=Fix(f"Remove {ref(field)}, or use a size such as `{SIZE}`", (remove(field),)))
    image = os_sku(pool.os_sku)
    if image is not None and not image.confidential:
        message = f"AKS has no `{image.name}` image for the confidential VM size `{pool.vm_size}`"
        yield finding(pool, message, path="os_sku", fix=set_to("os_sku", "Ubuntu" if image.name.startswith("Ubuntu") else "AzureLinux"))


@rule(
    "AKS151",
    Severity.ERROR,
    source=f"{_CVM} (2026-06-24): confidential VMs of Intel TDX are not supported on AKS",
    sample=lambda: UserPool(vm_size="Standard_DC4es_v5"),
)
def intel_confidential_vm(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS supports confidential VMs with AMD SEV-SNP; it does not support Intel TDX."""
    size = _SIZE.fullmatch(pool.vm_size)
    if size is not None and size["by"].lower() == "e":
        message = f"`{pool.vm_size}` is an Intel TDX confidential VM size, which AKS does not support"
        yield finding(pool, message, path="vm_size", fix=f"Use an AMD SEV-SNP size, such as `{_SNP}`")

"""VM sizes of agent pools: those that Azure retires, and their spelling. Unknown names: `base_facts`."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from nodepools.data.aks_retirements import retirement_of
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.pools import UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.registry import About, finding, rule
from nodepools.rules.samples import SIZE

_RETIRED: Final = "https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list (2026-04)"
_EPHEMERAL: Final = "https://github.com/Azure/AKS/issues/5568, 5602, 5609: open on 2026-11-25"
_SEEN_REJECTED: Final = re.compile(r"standard_(D[0-9]+p[a-z]*d[a-z]*_v6|NV[0-9]+adm?s_V710_v5)", re.IGNORECASE)


@rule(
    "AKS328",
    Severity.WARNING,
    source="Azure ignores the case of VM sizes; the generation of a pool does not (docs/decisions/0002)",
    sample=lambda: UserPool(vm_size=SIZE.lower()),
    about=About.CREATION,
)
def vm_size_in_another_case(pool: AgentPool) -> Iterator[PartFinding]:
    """Azure accepts a VM size in any case, but every later change of its spelling rotates the pool."""
    size = azure_vm_sizes().get(pool.vm_size)
    if size is not None and size.name != pool.vm_size:
        message = f"Azure spells this size `{size.name}`: it accepts any case, but a pool that exists rotates when the spelling changes"
        fix = f"Set {ref('vm_size')} to {literal(size.name)} before the pool is created; leave it for a pool that exists"
        yield finding(pool, message, path="vm_size", fix=fix)


@rule("AKS330", Severity.ERROR, source=_RETIRED, sample=lambda: UserPool(vm_size="Standard_NC6s_v3"), about=About.CREATION)
def retired_vm_size(pool: AgentPool, today: date) -> Iterator[PartFinding]:
    """Azure has retired the series of a VM size, and provisions no machines of it."""
    row = retirement_of(pool.vm_size)
    if row is not None and row.is_refused(today):
        yield finding(pool, f"Azure retired {row.name} on {row.ends}: `{pool.vm_size}` cannot be provisioned", path="vm_size", fix=_REPLACE)


@rule("AKS331", Severity.WARNING, source=_RETIRED, sample=lambda: UserPool(vm_size="Standard_NV4as_v4"))
def retiring_vm_size(pool: AgentPool, today: date) -> Iterator[PartFinding]:
    """Azure retires the series of a VM size within a year, or planned to do so by now: its machines are then stopped."""
    row = retirement_of(pool.vm_size)
    if row is not None and not row.is_refused(today) and not row.is_far(today):
        yield finding(pool, f"{row.ended(today)}: Azure then stops its machines, and provisions no others", path="vm_size", fix=_REPLACE)


@rule(
    "AKS333",
    Severity.WARNING,
    source=_EPHEMERAL,
    sample=lambda: UserPool(vm_size="Standard_D4pds_v6", os_disk_type="Ephemeral"),
)
def ephemeral_disk_seen_rejected(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS was seen to reject ephemeral OS disks on Dpdsv6 and V710 sizes in some regions, although their documentation allows them."""
    if pool.os_disk_type == "Ephemeral" and _SEEN_REJECTED.fullmatch(pool.vm_size):
        message = f"AKS was seen to reject an ephemeral OS disk on `{pool.vm_size}` in some regions, although it is documented to fit"
        yield finding(pool, message, path="os_disk_type", fix=f"Set {ref('os_disk_type')} to {literal('Managed')}, or try it in this region")


_REPLACE: Final = "Use a size of a newer series of the same family; a pool that exists rotates"

"""Disks of agent pool nodes: ephemeral OS disks, ultra disks, encryption. Facts: docs/facts/aks.md § 2.7."""

from collections.abc import Iterator
from typing import Final

from nodepools.data.azure_vm_sizes import largest_ephemeral_disk, parts_of
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.pools import UserPool
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import Fix, FixLike, remove, set_to
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import SIZE

_STORAGE = "https://learn.microsoft.com/azure/aks/concepts-storage: ephemeral OS disks"
_REFUSALS = "Azure/AKS#2635 (VMCacheSizeTooSmall), #2694 (VMSizeDoesNotSupportEphemeralOS)"
_USUAL, _SINCE_2025 = 100, 128
"""GiB of an OS disk without a declared size: the concepts-storage page counts with 100, and uses the whole temporary disk from 128 on."""
_SMALLEST = 30
"""GiB of an OS disk that AKS accepts."""
_STATE_OF_LAUNCH = 1
"""GiB of the local disk that trusted launch reserves (virtual-machines/ephemeral-os-disks)."""
_UNENCRYPTED: Final = {("A", 1), ("D", 2), ("D", 3)}
"""Families and versions, without `s`, whose sizes Azure's SKU list of 2025-06 has as EncryptionAtHostSupported=False."""


@rule(
    "AKS177",
    Severity.ERROR,
    source=f"{_STORAGE}; {_REFUSALS}; sizes: data/azure_vm_sizes.py",
    sample=Sample("os_disk_type", lambda: UserPool(vm_size="Standard_D4s_v5", os_disk_type="Ephemeral")),
)
def ephemeral_disk_too_large(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects an ephemeral OS disk that does not fit into the cache, the temporary disk or the NVMe disks of the VM size."""
    room = _room(pool)
    if room is None or not _is_ephemeral(pool):
        return
    if not room:
        message = f"`{pool.vm_size}` has no local storage for an ephemeral OS disk: AKS rejects it (VMSizeDoesNotSupportEphemeralOS)"
        fix = Fix(
            f"Remove {ref('os_disk_type')} (default here: managed disks), or use a size with a local disk, such as `{SIZE}`",
            (remove("os_disk_type"),),
        )
        yield finding(pool, message, path="os_disk_type", fix=fix)
    elif pool.os_disk_size_gb is not None and pool.os_disk_size_gb > room:
        message = f"`{pool.vm_size}` can hold an ephemeral OS disk of at most {room} GiB: AKS rejects {ref('os_disk_size_gb')} {pool.os_disk_size_gb}"
        yield finding(pool, message, path="os_disk_size_gb", fix=_smaller(room))
    elif pool.os_disk_size_gb is None and room < _USUAL:
        message = f"`{pool.vm_size}` can hold an ephemeral OS disk of at most {room} GiB, less than the default size: AKS rejects it"
        yield finding(pool, message, path="os_disk_type", fix=_smaller(room))


@rule(
    "AKS178",
    Severity.WARNING,
    source=f"{_STORAGE}: a default size of 100 GiB in its example; from 2025-03 on the temporary disk where that has 128 GiB",
    sample=Sample("os_disk_type", lambda: UserPool(vm_size="Standard_D4s_v3", os_disk_type="Ephemeral")),
)
def ephemeral_disk_size_not_set(pool: AgentPool) -> Iterator[PartFinding]:
    """A VM size with 100 to 127 GiB of local storage may not hold an ephemeral OS disk of the default size."""
    room = _room(pool)
    if room is not None and _is_ephemeral(pool) and pool.os_disk_size_gb is None and _USUAL <= room < _SINCE_2025:
        message = f"AKS can reject the ephemeral OS disk: its default size can exceed the {room} GiB that `{pool.vm_size}` has for it"
        yield finding(pool, message, path="os_disk_type", fix=_smaller(room))


@rule(
    "AKS181",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/use-ultra-disks: ultra disks require node pools in availability zones",
    sample=Sample("ultra_ssd", lambda: UserPool(vm_size=SIZE, ultra_ssd=True)),
)
def ultra_disk_without_zones(pool: AgentPool) -> Iterator[PartFinding]:
    """Ultra disks require a node pool in availability zones."""
    if pool.ultra_ssd and not pool.zones:
        message = f"Ultra disks require a node pool in availability zones: without {ref('zones')} AKS can reject {ref('ultra_ssd')}"
        fix = f"Set {ref('zones')} to availability zones that have ultra disks, or remove {ref('ultra_ssd')}"
        yield finding(pool, message, path="ultra_ssd", fix=fix)


@rule(
    "AKS189",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/enable-host-encryption: with supported VM sizes only; Azure's SKU list: EncryptionAtHostSupported",
    sample=Sample("encryption_at_host", lambda: UserPool(vm_size="Standard_D4_v3", encryption_at_host=True)),
)
def unsupported_encryption_at_host(pool: AgentPool) -> Iterator[PartFinding]:
    """Encryption at host requires a VM size that supports it, which the oldest series do not."""
    parts = parts_of(pool.vm_size)
    if pool.encryption_at_host and parts is not None and (parts.family, parts.version) in _UNENCRYPTED and "s" not in parts.letters:
        message = f"`{pool.vm_size}` does not support encryption at host: AKS rejects the pool"
        yield finding(pool, message, path="encryption_at_host", fix=f"Use a newer size such as `{SIZE}`, or remove {ref('encryption_at_host')}")


def _smaller(room: int) -> FixLike:
    """An OS disk that fits; a managed disk if AKS accepts none that fits."""
    return set_to("os_disk_size_gb", room) if room >= _SMALLEST else remove("os_disk_type")


def _is_ephemeral(pool: AgentPool) -> bool:
    """The pool declares an ephemeral disk. Without a declared type, AKS uses a managed disk if an ephemeral one does not fit."""
    return pool.os_disk_type == "Ephemeral"


def _room(pool: AgentPool) -> int | None:
    """GiB for an ephemeral OS disk; `None` if unknown."""
    largest = largest_ephemeral_disk(pool.vm_size)
    if not largest:
        return largest
    return largest - _STATE_OF_LAUNCH if pool.secure_boot or pool.vtpm else largest

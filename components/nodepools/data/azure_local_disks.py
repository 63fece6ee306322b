"""The largest ephemeral OS disk of an Azure VM size in GiB, as far as it is certain.

The disk is in the cache, on the temporary disk or on the NVMe disks, whichever is largest. The values are upper bounds: Azure rejects any larger
disk. They follow from the local storage tables of MicrosoftDocs/azure-compute-docs (virtual-machines/sizes, 2024-07 to 2026-09). Azure's SKU list
of 2025-06, as included in karpenter-provider-azure @ 352646f, confirms them: each series has one value per vCPU. From these versions on, sizes
without the letter `d` (vm-naming-conventions) have no local storage: D and E 5 (4 of Intel), DC and EC 5, F 6, FX 2, B 2.
"""

import re
from typing import Final, NamedTuple

_NAME = re.compile(r"(?:Standard_)?([A-Z]+)([0-9]+)(?:-[0-9]+)?([a-z]*)((?:_[A-Za-z0-9]+)*?)(?:_v([0-9]+))?(?:_Promo)?", re.IGNORECASE)
LARGEST: Final = 2040
"""Limit of an OS disk on local storage, regardless of the VM size."""

_CACHED, _TEMPORARY, _NVME = 25, 37.5, 55
_PER_VCPU: Final = {
    **dict.fromkeys(("Dsv3", "Esv3", "Dasv4", "Easv4"), _CACHED),
    "Fsv2": 16,
    **dict.fromkeys(("Ddv4", "Ddsv4", "Edv4", "Edsv4"), _TEMPORARY),
    **dict.fromkeys(("Ddv5", "Ddsv5", "Dadsv5", "Dldsv5", "Dpdsv5", "Dpldsv5", "Edv5", "Edsv5", "Eadsv5", "Ebdsv5", "Epdsv5"), _TEMPORARY),
    **dict.fromkeys(("Ddsv6", "Dadsv6", "Dldsv6", "Daldsv6", "Dpdsv6", "Dpldsv6", "Edsv6", "Eadsv6", "Epdsv6"), _NVME),
}
"""GiB per vCPU, by series."""
_OF_ITS_OWN: Final = {"standard_f72s_v2": 1520} | {
    f"standard_ds{number}_v2": gib for number, gib in {1: 43, 2: 86, 3: 172, 4: 344, 5: 688, 11: 72, 12: 144, 13: 288, 14: 576, 15: 720}.items()
}
"""GiB of sizes that differ from their series, or whose number is not the number of vCPUs."""
_LEAST_OF_B, _PER_VCPU_OF_B = 30, 8
_DISKLESS_FROM: Final = {"D": 5, "E": 5, "DC": 5, "EC": 5, "F": 6, "FX": 2, "B": 2}
_DISKLESS_INTEL: Final = 4


class NameParts(NamedTuple):
    """Parts of the name of a VM size: `D`, 4, `ads`, 5 of `Standard_D4ads_v5`."""

    family: str
    vcpus: int
    letters: str
    accelerator: str
    version: int

    @property
    def series(self) -> str:
        """`Dadsv5`."""
        return f"{self.family}{''.join(sorted(self.letters.replace('i', '')))}v{self.version}"


def parts_of(size: str) -> NameParts | None:
    """Splits the name of a VM size; `None` if it is not one."""
    match = _NAME.fullmatch(size)
    if match is None:
        return None
    family, vcpus, letters, accelerator, version = match.groups()
    return NameParts(family.upper(), int(vcpus), letters.lower(), accelerator, 1 if version is None else int(version))


def largest_ephemeral_disk(size: str) -> int | None:
    """The largest ephemeral OS disk of a size in GiB; 0 without local storage, `None` if it is not certain."""
    if size.lower() in _OF_ITS_OWN:
        return _OF_ITS_OWN[size.lower()]
    parts = parts_of(size)
    if parts is None or parts.accelerator:
        return None
    if _is_diskless(parts):
        return 0
    if (parts.family, parts.version) == ("B", 1):
        return max(_LEAST_OF_B, _PER_VCPU_OF_B * parts.vcpus)
    per_vcpu = _SERIES.get(parts.series)
    return min(LARGEST, int(per_vcpu * parts.vcpus)) if per_vcpu is not None else None


def _is_diskless(parts: NameParts) -> bool:
    first = _DISKLESS_FROM.get(parts.family)
    if first is None or "d" in parts.letters:
        return False
    return parts.version >= first or (parts.family in ("D", "E") and parts.version == _DISKLESS_INTEL and "a" not in parts.letters)


def _sorted_letters(series: str) -> str:
    name, version = series.rsplit("v", 1)
    return f"{name[0]}{''.join(sorted(name[1:]))}v{version}"


_SERIES: Final = {_sorted_letters(series): gib for series, gib in _PER_VCPU.items()}

"""Azure VM sizes, their quota families and their largest ephemeral OS disks, as far as they are certain. Facts: docs/facts/aks.md § 3.6.

Each table is one file, read when first used; its first lines have the source. `None` means unknown, not absent. Names are from
karpenter-provider-azure @ 352646f (2026-08-21); values follow from Azure's naming conventions and the ratios of its series.

Azure limits the vCPUs of each family, and of all families of a region together. Names of families are those of the usage API and of Azure's error
messages, which differ in case: compare them without regard to it. A size with constrained vCPUs has the family of its base size.

The ephemeral disk is in the cache, on the temporary disk or on the NVMe disks, whichever is largest. The values are upper bounds: Azure rejects any
larger disk. They follow from the local storage tables of MicrosoftDocs/azure-compute-docs (virtual-machines/sizes, 2024-07 to 2026-09). Azure's SKU
list of 2025-06, as included in karpenter-provider-azure @ 352646f, confirms them: each series has one value per vCPU. From these versions on, sizes
without the letter `d` (vm-naming-conventions) have no local storage: D and E 5 (4 of Intel), DC and EC 5, F 6, FX 2, B 2.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from nodepools.data.table_files import lines_of

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


def quota_family(size: str) -> str | None:
    """The family of a VM size, such as `standardDDSv5Family`; `None` for an unknown size. Case is ignored, as Azure does."""
    return _table().get(size.lower().removeprefix("standard_"))


@cache
def _table() -> Mapping[str, str]:
    lines = (line.partition(": ") for line in lines_of("azure_quota_families.txt"))
    return {size.lower(): family for family, _, sizes in lines for size in sizes.split()}


DAY = "2026-08-21"
"""Date of the table. A size that is missing can be newer."""
FEWEST_CPUS: Final = 2
LEAST_GIB: Final = 3.5
"""What node auto provisioning requires of a size at least."""
_UNENCRYPTED: Final = {("A", 1), ("D", 2), ("D", 3)}
"""Families and versions, without `s`, whose sizes Azure's SKU list of 2025-06 has as EncryptionAtHostSupported=False."""

_NAMED_BY_PREMIUM: Final = frozenset("ADEF")
"""Families that have an `s` in the names of all sizes that can have premium disks; names of others, such as M, do not tell."""


def lacks_premium_disks(size: str) -> bool:
    """The VM size cannot have premium disks, and so no ultra disks (virtual-machines/vm-naming-conventions, disks-enable-ultra-ssd, 2026-12-01)."""
    parts = parts_of(size)
    return parts is not None and parts.family in _NAMED_BY_PREMIUM and "s" not in parts.letters


def lacks_host_encryption(size: str) -> bool:
    """The VM size is of an old series that does not support encryption at host."""
    parts = parts_of(size)
    return parts is not None and (parts.family, parts.version) in _UNENCRYPTED and "s" not in parts.letters


_SKU = "karpenter.azure.com/sku-"
_SERIES_OF = re.compile(r"Standard_([A-Z]+)[0-9]+(?:-[0-9]+)?([a-zP]*).*?(_v[0-9]+)?(?:_Promo)?$")
_ARCH = {"amd": "amd64", "arm": "arm64"}
_PLAIN = 4


class AzureSize(NamedTuple):
    """An Azure VM size."""

    name: str
    cpu: int | None
    memory_gib: float | None
    arch: str
    gpus: int | None = 0
    gpu_name: str | None = ""
    """GPU model, such as `T4` or `A100`; empty without GPUs."""

    @property
    def family(self) -> str:
        """Family letter: `D` general purpose, `E` memory, `N` GPU."""
        return self.name.removeprefix("Standard_")[0]

    @property
    def version(self) -> str:
        """5 for `Standard_D4ds_v5`; 1 if the name has no version."""
        match = re.search(r"_v([0-9]+)(_Promo)?$", self.name)
        return match[1] if match else "1"

    @property
    def series(self) -> str:
        """The value of `sku-series`: `Dads_v5` of `Standard_D4ads_v5` (Azure/skewer, vmsize.go)."""
        return _SERIES_OF.sub(r"\1\2\3", self.name)

    @property
    def is_sold_as_spot(self) -> bool:
        """False for the first B series: LowPriorityCapable=False in Azure's SKU list of 2025-06."""
        return (self.family, self.version) != ("B", "1")

    @property
    def labels(self) -> Mapping[str, str | None]:
        """The labels that Karpenter gives to its nodes because of the size; `None` if the value is not known."""
        cpu = None if self.cpu is None else str(self.cpu)
        memory = None if self.memory_gib is None else str(int(self.memory_gib * 1024))
        return {
            "node.kubernetes.io/instance-type": self.name,
            "kubernetes.io/arch": self.arch,
            f"{_SKU}name": self.name,
            f"{_SKU}family": self.family,
            f"{_SKU}version": self.version,
            f"{_SKU}cpu": cpu,
            f"{_SKU}memory": memory,
            "kubernetes.azure.com/sku-cpu": cpu,
            "kubernetes.azure.com/sku-memory": memory,
            f"{_SKU}gpu-count": None if self.gpus is None else str(self.gpus),
            **({f"{_SKU}gpu-name": self.gpu_name, **self._maker} if self.gpus != 0 else {}),
        }

    @property
    def _maker(self) -> Mapping[str, str]:
        maker = "nvidia" if self.has_nvidia_gpus else "amd" if self.has_amd_gpus else ""
        return {f"{_SKU}gpu-manufacturer": maker} if maker else {}

    @property
    def constrained(self) -> bool:
        """It has fewer vCPUs than its base size: `Standard_E16-8as_v5`."""
        return "-" in self.name

    @property
    def has_nvidia_gpus(self) -> bool:
        """It has NVIDIA GPUs, even if their number is unknown. AMD GPUs (NVv4, V620, V710, MI300X) and FPGAs (NP) need another driver."""
        return re.match("Standard_N[CDV]", self.name) is not None and not self.has_amd_gpus

    @property
    def has_amd_gpus(self) -> bool:
        """It has AMD GPUs: NVv4, V620, V710 or MI300X."""
        return self.name.startswith("Standard_N") and re.search(r"_NV[0-9]+as_v4$|_(MI300X|V620|V710)_", self.name) is not None

    @property
    def confidential(self) -> bool:
        """It is a confidential VM, of the families DC and EC."""
        return self.name.removeprefix("Standard_")[:2] in ("DC", "EC")

    @property
    def unprovisioned(self) -> str:
        """Why node auto provisioning never launches it; empty: nothing of its name and its amounts keeps it from that."""
        if self.confidential or self.constrained:
            return "is confidential" if self.confidential else "has constrained vCPUs"
        if self.cpu is not None and self.cpu < FEWEST_CPUS:
            return f"has fewer than {FEWEST_CPUS} vCPUs"
        return f"has less than {LEAST_GIB} GiB of memory" if self.memory_gib is not None and self.memory_gib < LEAST_GIB else ""


@cache
def azure_vm_sizes() -> Mapping[str, AzureSize]:
    """The sizes by name, ignoring case as Azure does."""
    return _Sizes(lines_of("azure_vm_sizes.txt"))


class _Sizes(Mapping[str, AzureSize]):
    """Parses a line when its size is first used: a check uses few of them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = {f"standard_{line.partition(' ')[0].lower()}": line for line in lines}
        self._read: dict[str, AzureSize] = {}

    def __getitem__(self, name: str) -> AzureSize:
        key = name.lower()
        if key not in self._read:
            self._read[key] = _size(self._lines[key].split())
        return self._read[key]

    def __iter__(self) -> Iterator[str]:
        return (f"Standard_{line.partition(' ')[0]}" for line in self._lines.values())

    def __len__(self) -> int:
        return len(self._lines)


def _size(row: list[str]) -> AzureSize:
    name, cpu, memory, arch, *gpu = row
    read = AzureSize(f"Standard_{name}", None if cpu == "-" else int(cpu), None if memory == "-" else float(memory), _ARCH[arch])
    if len(row) == _PLAIN:
        return read
    gpus, gpu_name = gpu
    return AzureSize(read.name, read.cpu, read.memory_gib, read.arch, None if gpus == "-" else int(gpus), None if gpu_name == "-" else gpu_name)

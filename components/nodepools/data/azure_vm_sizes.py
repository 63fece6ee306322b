"""Azure VM sizes, as far as they are certain. `None` means unknown, not absent. Facts: docs/facts/aks.md § 3.6.

The table is one file, read when first used. Its first lines have the source. Names are from karpenter-provider-azure @ 352646f (2026-08-21); values
follow from Azure's naming conventions and the ratios of its series.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from nodepools.data.table_files import lines_of

DAY = "2026-08-21"
"""Date of the table. A size that is missing can be newer."""
_SKU = "karpenter.azure.com/sku-"
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
        }

    @property
    def constrained(self) -> bool:
        """It has fewer vCPUs than its base size: `Standard_E16-8as_v5`."""
        return "-" in self.name

    @property
    def has_nvidia_gpus(self) -> bool:
        """It has NVIDIA GPUs, even if their number is unknown. AMD GPUs (NVv4, V620, V710, MI300X) and FPGAs (NP) need another driver."""
        return re.match("Standard_N[CDV]", self.name) is not None and not re.search(r"_NV[0-9]+as_v4$|_(MI300X|V620|V710)_", self.name)

    @property
    def confidential(self) -> bool:
        """It is a confidential VM, of the families DC and EC."""
        return self.name.removeprefix("Standard_")[:2] in ("DC", "EC")


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

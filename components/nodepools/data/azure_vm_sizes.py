"""Azure VM sizes, as far as they are certain: what is not recorded is `None`, and is not to be taken for absent. Facts: docs/facts/aks.md § 3.6.

The table is shipped in one file, read when it is first asked; its first lines say where it comes from. Names are those of
karpenter-provider-azure @ 352646f (2026-08-21), figures follow from Azure's naming and the ratios of its series.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DAY = "2026-08-21"
"""Of which day the table is: a size that is not in it may be newer."""
_FILE = Path(__file__).with_suffix(".txt")
_ARCH = {"amd": "amd64", "arm": "arm64"}
_PLAIN = 4


@dataclass(frozen=True, slots=True)
class AzureSize:
    """A VM size."""

    name: str
    cpu: int | None
    memory_gib: float | None
    arch: str
    gpus: int | None = 0
    gpu_name: str | None = ""
    """`T4`, `A100`; empty where it has none."""

    @property
    def family(self) -> str:
        """Its letter: `D` general purpose, `E` memory, `N` GPU."""
        return self.name.removeprefix("Standard_")[0]

    @property
    def version(self) -> str:
        """5 in `Standard_D4ds_v5`, 1 where the name says none."""
        match = re.search(r"_v([0-9]+)(_Promo)?$", self.name)
        return match[1] if match else "1"

    @property
    def constrained(self) -> bool:
        """It has fewer vCPUs than its machine: `Standard_E16-8as_v5`."""
        return "-" in self.name

    @property
    def has_nvidia_gpus(self) -> bool:
        """It has GPUs of NVIDIA, known or not how many. AMD's (NVv4, V620, V710, MI300X) and FPGAs (NP) need another driver."""
        return re.match("Standard_N[CDV]", self.name) is not None and not re.search(r"_NV[0-9]+as_v4$|_(MI300X|V620|V710)_", self.name)

    @property
    def confidential(self) -> bool:
        """A confidential VM, of the families DC and EC."""
        return self.name.removeprefix("Standard_")[:2] in ("DC", "EC")


@cache
def azure_vm_sizes() -> Mapping[str, AzureSize]:
    """The sizes by name, in capitals or not: Azure does not tell them apart."""
    return _Sizes(_FILE.read_text(encoding="utf-8").splitlines())


class _Sizes(Mapping[str, AzureSize]):
    """Reads a line when its size is first asked for: a check asks for few of them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = {f"standard_{line.partition(' ')[0].lower()}": line for line in lines if not line.startswith("#")}
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

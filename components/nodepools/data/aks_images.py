"""Node images of AKS by OS SKU, with the Kubernetes versions and features that they support, and what AKS retires.

Read in MicrosoftDocs/azure-aks-docs @ fb060ab (2026-08-21: upgrade-os-version, node-images, use-cvm, azure-container-linux-overview,
auto-upgrade-node-os-image, upgrade-windows-os, includes/*-retirement.md) and in the AKS release notes up to 2026-07-17. If no page mentions a
restriction, the table assumes none. Announced dates have moved (Windows Server 2022: from 2027-03-15 to 2028-06-30), so a date alone never causes an
error.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Literal, NamedTuple, TypeAlias

A_YEAR = timedelta(days=365)


class Retirement(NamedTuple):
    """The retirement of a node image or feature."""

    name: str
    ends: date
    """No new images and no security patches from this day."""
    gone: date | None = None
    """Images are deleted on this day: nodes can no longer be added or replaced."""
    refused: bool = False
    """After that day, the release notes confirmed that AKS rejects new pools."""

    def is_refused(self, day: date) -> bool:
        """AKS is known to reject new pools on `day`."""
        return self.refused and self.ends <= day

    def is_far(self, day: date) -> bool:
        """The end is more than a year away."""
        return self.ends - day > A_YEAR

    def ended(self, day: date) -> str:
        """A sentence that says when support ends; within a year it adds the number of days left."""
        if self.ends <= day:
            return f"Support for {self.name} ended on {self.ends}"
        left = (self.ends - day).days
        return f"Support for {self.name} ends on {self.ends}" + ("" if self.is_far(day) else f", in {left} day{'s' * (left > 1)}")

    def words(self, day: date) -> str:
        """The same sentence with the consequences for nodes."""
        if self.gone is not None and self.gone <= day:
            return f"{self.ended(day)}, and AKS deleted its node images on {self.gone}: nodes cannot be added or replaced"
        then = f"; AKS deletes its node images on {self.gone}" if self.gone is not None and self.gone != self.ends else ""
        return f"{self.ended(day)}: no security patches{'' if self.ends <= day else ' and no new pools after that'}{then}"


RETIREMENTS: Mapping[str, Retirement] = {
    row.name: row
    for row in (
        Retirement("Azure Linux 2.0", date(2025, 11, 30), date(2026, 3, 31)),
        Retirement("Windows Server 2019", date(2026, 3, 1), date(2027, 4, 1)),
        Retirement("Windows Server Annual Channel", date(2026, 5, 15), date(2027, 5, 15), refused=True),
        Retirement("Flatcar Container Linux", date(2026, 6, 8), date(2026, 9, 8), refused=True),
        Retirement("Ubuntu 20.04", date(2027, 3, 17), date(2027, 3, 17)),
        Retirement("Ubuntu 22.04", date(2027, 6, 30), date(2028, 4, 30)),
        Retirement("Windows Server 2022", date(2028, 6, 30), date(2029, 6, 30)),
    )
}
"""Retirements of node images, by name."""

SKIP_GPU_DRIVER = Retirement("the tag SkipGPUDriverInstall", date(2025, 8, 14), refused=True)
BASIC_LOAD_BALANCER = Retirement("the Basic load balancer", date(2025, 9, 30), refused=True)
NPM_ON_WINDOWS = Retirement("Azure network policy manager on Windows", date(2026, 9, 30))
NPM_ON_LINUX = Retirement("Azure network policy manager on Linux", date(2028, 9, 30))
KUBENET = Retirement("kubenet", date(2028, 3, 31))
MANAGED_NGINX = Retirement("managed NGINX of application routing", date(2026, 11, 30))

_FIRST_D, _OLD, _NVIDIA_M60 = date(2028, 5, 1), date(2028, 11, 15), date(2026, 9, 30)

VM_SERIES: Mapping[str, Retirement] = {
    r"NC[0-9]+r?s_v3": Retirement("the NCv3 series", date(2025, 9, 30), refused=True),
    r"NV[0-9]+s_v3": Retirement("the NVv3 series", _NVIDIA_M60),
    r"NV[0-9]+as_v4": Retirement("the NVv4 series", _NVIDIA_M60),
    r"M192id?m?s_v2": Retirement("the M192 sizes of the Msv2 series", date(2027, 3, 31)),
    r"DS?[0-9]+(-[0-9]+)?": Retirement("the D and DS series", _FIRST_D),
    r"DS?[0-9]+(-[0-9]+)?_v2(_Promo)?": Retirement("the Dv2 and DSv2 series", _FIRST_D),
    r"L[0-9]+s": Retirement("the Ls series", _FIRST_D),
    r"L[0-9]+s_v2": Retirement("the Lsv2 series", _OLD),
    r"A[0-9]+m?_v2": Retirement("the Av2 series", _OLD),
    r"B[0-9]+[a-z]*": Retirement("the first B series", _OLD),
    r"F[0-9]+s?": Retirement("the F and Fs series", _OLD),
    r"F[0-9]+s_v2": Retirement("the Fsv2 series", _OLD),
    r"GS?[0-9]+(-[0-9]+)?": Retirement("the G and GS series", _OLD),
}
"""Retirements of VM series, by the pattern of their sizes without `Standard_`. `refused`: the list calls the series retired, not announced.

Read in MicrosoftDocs/azure-compute-docs @ 0bdc5d3 (2026-04, articles/virtual-machines/sizes/retirement/retired-sizes-list.md).
"""

_STANDARD = "standard_"


def retirement_of(vm_size: str) -> Retirement | None:
    """The retirement of the series of a VM size, if Azure announced one."""
    prefix, name = vm_size[: len(_STANDARD)].lower(), vm_size[len(_STANDARD) :]
    rows = (row for pattern, row in VM_SERIES.items() if re.fullmatch(pattern, name, re.IGNORECASE))
    return next(rows, None) if prefix == _STANDARD else None


ISTIO: Mapping[str, str] = {
    "asm-1-17": "2024-01",
    "asm-1-18": "2024-02",
    "asm-1-19": "2024-06",
    "asm-1-20": "2024-09",
    "asm-1-21": "2024-10",
    "asm-1-22": "2025-03",
    "asm-1-23": "2025-06",
    "asm-1-24": "2025-09",
    "asm-1-25": "2026-01",
    "asm-1-26": "2026-02",
    "asm-1-27": "2026-05",
    "asm-1-28": "2026-08",
    "asm-1-29": "2026-09",
    "asm-1-30": "2026-12",
}
"""The month in which support of each revision of the Istio add-on ends, as AKS estimates it in its release calendar (2026-08).

Source: https://learn.microsoft.com/azure/aks/istio-support-policy.
"""


Channel: TypeAlias = Literal["SecurityPatch", "Unmanaged"]

_NEWEST = 1000


class OsSku(NamedTuple):
    """An OS SKU of agent pools."""

    name: str
    system: Literal["Linux", "Windows"] = "Linux"
    first: int = 0
    """First minor version of Kubernetes."""
    last: int = _NEWEST
    """Last minor version of Kubernetes."""
    confidential: bool = True
    """Linux: an image for confidential VMs exists."""
    channels: frozenset[Channel] = frozenset()
    """Node image upgrade channels that the documentation calls incompatible."""
    needs_launch: bool = False
    """Every image requires secure boot and vTPM."""
    needs_fips: bool = False
    """Every image is a FIPS image."""

    @property
    def is_versioned(self) -> bool:
        """It stays at its OS release, so its support ends with a Kubernetes version."""
        return self.last != _NEWEST


_IMMUTABLE: frozenset[Channel] = frozenset({"SecurityPatch", "Unmanaged"})

OS_SKUS: Mapping[str, OsSku] = {
    row.name.lower(): row
    for row in (
        OsSku("Ubuntu"),
        OsSku("Ubuntu2204", first=25, last=36, confidential=False),
        OsSku("Ubuntu2404", first=32, last=38),
        OsSku("AzureLinux"),
        OsSku("AzureLinux3", first=28, last=36),
        OsSku("CBLMariner"),
        OsSku("AzureLinuxOSGuard", first=32, confidential=False, channels=_IMMUTABLE),
        OsSku("AzureContainerLinux", first=34, confidential=False, channels=_IMMUTABLE, needs_launch=True),
        OsSku("Flatcar"),  # AKS creates no new pools with it: no other requirement applies
        OsSku("Windows2019", "Windows", last=32),
        OsSku("Windows2022", "Windows", first=23, last=36),
        OsSku("Windows2025", "Windows", first=32, needs_fips=True),
        OsSku("WindowsAnnual", "Windows"),
    )
}
"""OS SKUs by name in lower case, because Microsoft's own examples write `flatcar` and `windows2022` too."""


def os_sku(name: str | None) -> OsSku | None:
    """The OS SKU with that name; `Ubuntu`, the default for Linux, if it is `None`; `None` for an unknown name."""
    return OS_SKUS.get("ubuntu" if name is None else name.lower())


def is_later(name: str) -> bool:
    """The name looks like a newer release of a known family, so it can be newer than this table."""
    match = re.fullmatch(r"([a-z]+?)([0-9]+)", name, re.IGNORECASE)
    if match is None:
        return False
    family = [row.name for row in OS_SKUS.values() if re.fullmatch(rf"{match[1]}[0-9]+", row.name, re.IGNORECASE)]
    return bool(family) and int(match[2]) > max(int(re.sub(r"\D", "", member)) for member in family)

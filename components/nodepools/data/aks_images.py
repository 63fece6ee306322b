"""Node images of AKS by OS SKU: versions of Kubernetes, and what an image needs or lacks.

Read in MicrosoftDocs/azure-aks-docs @ fb060ab (2026-08-21: upgrade-os-version, node-images, use-cvm, azure-container-linux-overview,
auto-upgrade-node-os-image, upgrade-windows-os) and in the release notes of AKS up to 2026-07-17.
What no page says of an image is not in its row, and is taken for possible.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Channel: TypeAlias = Literal["SecurityPatch", "Unmanaged"]

_NEWEST = 1000


@dataclass(frozen=True, slots=True)
class OsSku:
    """An OS SKU of agent pools."""

    name: str
    system: Literal["Linux", "Windows"] = "Linux"
    first: int = 0
    """First minor version of Kubernetes."""
    last: int = _NEWEST
    """Last minor version of Kubernetes."""
    confidential: bool = True
    """There is an image for confidential VMs, on Linux."""
    channels: frozenset[Channel] = frozenset()
    """Channels of node images that the page calls incompatible."""
    needs_launch: bool = False
    """There is no image without secure boot and vTPM."""
    needs_fips: bool = False
    """There is no image without FIPS."""

    @property
    def is_versioned(self) -> bool:
        """It stays at its release, and so ends at a version of Kubernetes."""
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
        OsSku("Flatcar"),  # no new pools: nothing else is asked of it
        OsSku("Windows2019", "Windows", last=32),
        OsSku("Windows2022", "Windows", first=23, last=36),
        OsSku("Windows2025", "Windows", first=32, needs_fips=True),
        OsSku("WindowsAnnual", "Windows"),
    )
}
"""By name in lower case: Microsoft's own examples write `flatcar` and `windows2022` too."""


def os_sku(name: str | None) -> OsSku | None:
    """The row of an OS SKU; that of `Ubuntu`, the default of Linux, where none is said; `None` for one that is not here."""
    return OS_SKUS.get("ubuntu" if name is None else name.lower())


def is_later(name: str) -> bool:
    """It is called like a later release of a family that is here: it may have come after this table."""
    match = re.fullmatch(r"([a-z]+?)([0-9]+)", name, re.IGNORECASE)
    if match is None:
        return False
    family = [row.name for row in OS_SKUS.values() if re.fullmatch(rf"{match[1]}[0-9]+", row.name, re.IGNORECASE)]
    return bool(family) and int(match[2]) > max(int(re.sub(r"\D", "", one)) for one in family)

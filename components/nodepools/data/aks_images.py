"""Node images of AKS by OS SKU: supported Kubernetes versions, required and missing features.

Read in MicrosoftDocs/azure-aks-docs @ fb060ab (2026-08-21: upgrade-os-version, node-images, use-cvm, azure-container-linux-overview,
auto-upgrade-node-os-image, upgrade-windows-os) and in the AKS release notes up to 2026-07-17. If no page mentions a restriction, the table assumes
none.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

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

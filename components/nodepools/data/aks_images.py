"""Node images of AKS by OS SKU, with the Kubernetes versions and features that they support, and what AKS retires, with the sources in the tables.

Announced dates have moved (Windows Server 2022: from 2027-03-15 to 2028-06-30), so a date alone never causes an error.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

from nodepools.data.table_files import rows_of

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


_NOTHING: Final = "-"


def _retirements() -> Iterator[tuple[str, Retirement]]:
    """Each with what it is about: an image, a feature, or the VM sizes of a pattern."""
    for about, ends, gone, refused, *name in (row for row in rows_of("aks_retirements.txt") if row[0] != "istio"):
        deleted = None if gone == _NOTHING else date.fromisoformat(gone)
        yield about, Retirement(" ".join(name), date.fromisoformat(ends), deleted, refused != _NOTHING)


_ABOUT: Final = tuple(_retirements())
RETIREMENTS: Final = {one.name: one for about, one in _ABOUT if about == "image"}
"""Retirements of node images, by name."""
SKIP_GPU_DRIVER, BASIC_LOAD_BALANCER, NPM_ON_WINDOWS, NPM_ON_LINUX, KUBENET, MANAGED_NGINX = (one for about, one in _ABOUT if about == "feature")
VM_SERIES: Final = {about: one for about, one in _ABOUT if about not in {"image", "feature"}}
"""Retirements of VM series, by the pattern of their sizes without `Standard_`, from its letter on. `refused`: the list calls it retired."""
ISTIO: Final = {revision: month for about, revision, month, *_ in rows_of("aks_retirements.txt") if about == "istio"}
"""The month in which support of each revision of the Istio add-on ends, as AKS estimates it in its release calendar (2026-08)."""
_STANDARD = "standard_"


def retirement_of(vm_size: str) -> Retirement | None:
    """The retirement of the series of a VM size, if Azure announced one."""
    prefix, name = vm_size[: len(_STANDARD)].lower(), vm_size[len(_STANDARD) :]
    rows = (row for pattern, row in VM_SERIES.items() if pattern[0] == name[:1].upper() and re.fullmatch(pattern, name, re.IGNORECASE))
    return next(rows, None) if prefix == _STANDARD else None


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


def _os_sku(name: str, system: str, first: str, last: str, *marks: str) -> OsSku:
    return OsSku(
        name,
        "Windows" if system == "Windows" else "Linux",
        0 if first == _NOTHING else int(first),
        _NEWEST if last == _NOTHING else int(last),
        confidential="not_confidential" not in marks,
        channels=_IMMUTABLE if "immutable" in marks else frozenset(),
        needs_launch="needs_launch" in marks,
        needs_fips="needs_fips" in marks,
    )


OS_SKUS: Final = {name.lower(): _os_sku(name, *words) for name, *words in rows_of("aks_images.txt")}
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

"""Quotas of EC2 and VPC that clusters use, with their codes in Service Quotas.

Read in the documentation of Service Quotas and of VPC quotas, 2026-11. AWS counts vCPUs per account and region, on-demand and spot instances apart,
for each class of instance types. Defaults are those of an account without increases; new accounts can have less.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class VcpuClass:
    """Instance types that share a quota of vCPUs."""

    name: str
    on_demand: str
    """Code of the quota of on-demand instances."""
    spot: str | None = None
    """Code of the quota of spot instances; `None` if none is known."""


_STANDARD: Final = VcpuClass("Standard", "L-1216C47A", "L-34B43A08")
_G: Final = VcpuClass("G and VT", "L-DB2E81BA", "L-3819A6DF")
_P: Final = VcpuClass("P", "L-417A185B", "L-7212CCBC")
_P5: Final = VcpuClass("P", "L-417A185B", "L-C4BD4855")
_P_LATER: Final = VcpuClass("P", "L-417A185B")
_HIGH_MEMORY: Final = VcpuClass("High Memory", "L-43DA4232")

_BY_FAMILY: Final[Mapping[str, VcpuClass]] = {
    "inf": VcpuClass("Inf", "L-1945791B", "L-B5D1601B"),
    "trn": VcpuClass("Trn", "L-2C3B7624", "L-6B0D517C"),
    "hpc": VcpuClass("HPC", "L-F7808C92"),
    "dl": VcpuClass("DL", "L-6E869C2A", "L-85EED4F7"),
    "vt": _G,
    "u-": _HIGH_MEMORY,
    "u7": _HIGH_MEMORY,
    "p5": _P5,
    "p6": _P_LATER,
    "g": _G,
    "p": _P,
    "f": VcpuClass("F", "L-74FC7D96", "L-88CF9481"),
    "x": VcpuClass("X", "L-7295265B", "L-E3A00192"),
    **dict.fromkeys("acdhimrtz", _STANDARD),
}
"""Classes by the beginning of a family's name, longest first."""
_NO_CLASS: Final = "mac"
"""These instances are counted as hosts."""


def vcpu_class(instance_type: str) -> VcpuClass | None:
    """The class of an instance type; `None` for a type that counts against no such quota or that is unknown."""
    if instance_type.startswith(_NO_CLASS):
        return None
    return next((found for start, found in _BY_FAMILY.items() if instance_type.startswith(start)), None)


@dataclass(frozen=True, slots=True)
class Quota:
    """A quota with a default for every account."""

    code: str
    default: int


ELASTIC_IPS: Final = Quota("L-0263D0A3", 5)
"""Elastic IP addresses of a region."""
NAT_GATEWAYS: Final = Quota("L-FE5A380F", 5)
"""NAT gateways of a zone."""
VPCS: Final = Quota("L-F678F1CE", 5)
"""VPCs of a region."""

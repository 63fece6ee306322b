"""Quotas of EC2 and VPC that clusters use, with their codes in Service Quotas.

Read in the documentation of Service Quotas and of VPC quotas, 2026-11. AWS counts vCPUs per account and region, on-demand and spot instances apart,
for each class of instance types. Defaults are those of an account without increases; new accounts can have less.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple


class VcpuQuota(NamedTuple):
    """A quota of the vCPUs of several families of instance types."""

    name: str
    code: str


class VcpuQuotas(NamedTuple):
    """The quotas of a family. Each counts on-demand or spot instances."""

    on_demand: VcpuQuota
    spot: VcpuQuota | None = None
    """`None` if none is known."""


_STANDARD: Final = VcpuQuotas(VcpuQuota("Standard", "L-1216C47A"), VcpuQuota("Standard", "L-34B43A08"))
_G: Final = VcpuQuotas(VcpuQuota("G and VT", "L-DB2E81BA"), VcpuQuota("G and VT", "L-3819A6DF"))
_P: Final = VcpuQuota("P", "L-417A185B")
_HIGH_MEMORY: Final = VcpuQuotas(VcpuQuota("High Memory", "L-43DA4232"))

_BY_FAMILY: Final[Mapping[str, VcpuQuotas]] = {
    "inf": VcpuQuotas(VcpuQuota("Inf", "L-1945791B"), VcpuQuota("Inf", "L-B5D1601B")),
    "trn": VcpuQuotas(VcpuQuota("Trn", "L-2C3B7624"), VcpuQuota("Trn", "L-6B0D517C")),
    "hpc": VcpuQuotas(VcpuQuota("HPC", "L-F7808C92")),
    "dl": VcpuQuotas(VcpuQuota("DL", "L-6E869C2A"), VcpuQuota("DL", "L-85EED4F7")),
    "vt": _G,
    "u-": _HIGH_MEMORY,
    "u7": _HIGH_MEMORY,
    "p5": VcpuQuotas(_P, VcpuQuota("P5", "L-C4BD4855")),
    "p6": VcpuQuotas(_P),
    "g": _G,
    "p": VcpuQuotas(_P, VcpuQuota("P2 to P4", "L-7212CCBC")),
    "f": VcpuQuotas(VcpuQuota("F", "L-74FC7D96"), VcpuQuota("F", "L-88CF9481")),
    "x": VcpuQuotas(VcpuQuota("X", "L-7295265B"), VcpuQuota("X", "L-E3A00192")),
    **dict.fromkeys("acdhimrtz", _STANDARD),
}
"""Quotas by the beginning of a family's name, longest first."""
_HOSTS: Final = "mac"
"""These instances are counted as hosts."""


@cache
def vcpu_quotas(instance_type: str) -> VcpuQuotas | None:
    """The quotas of an instance type; `None` for a type that counts against no such quota or that is unknown."""
    if instance_type.startswith(_HOSTS):
        return None
    return next((found for start, found in _BY_FAMILY.items() if instance_type.startswith(start)), None)


class Quota(NamedTuple):
    """A quota with a default for every account."""

    code: str
    default: int


ELASTIC_IPS: Final = Quota("L-0263D0A3", 5)
"""Elastic IP addresses of a region."""
NAT_GATEWAYS: Final = Quota("L-FE5A380F", 5)
"""NAT gateways of a zone."""
VPCS: Final = Quota("L-F678F1CE", 5)
"""VPCs of a region."""


def vcpu_quota_codes() -> Iterator[tuple[str, str, bool]]:
    """Yields code and name of each quota of vCPUs, and whether it limits spot instances."""
    for quotas in dict.fromkeys(_BY_FAMILY.values()):
        yield quotas.on_demand.code, quotas.on_demand.name, False
        if quotas.spot is not None:
            yield quotas.spot.code, quotas.spot.name, True

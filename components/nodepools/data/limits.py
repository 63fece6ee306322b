"""Limits and quotas of the clouds, each with its source. Rules, `explain` and `capacity` read them here and nowhere else.

Limits that depend on a region, a VM size or a quota are in the tables of those. Quotas were read in the documentation of Service Quotas and of VPC
quotas, 2026-11. AWS counts vCPUs per account and region, on-demand and spot instances apart, for each class of instance types. Defaults are those of
an account without increases; new accounts can have less.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple
from unicodedata import category

from nodepools.model.listing import shortened


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


_READ: Final = date(2026, 11, 25)
_DELETE: Final = 127


class TagViolation(NamedTuple):
    """What a cloud rejects about tags."""

    key: str | None
    """The tag; `None` if it is the number of tags."""
    message: str
    fix: str


class TagLimits(NamedTuple):
    """What a cloud accepts as the tags of one resource."""

    cloud: str
    """Who rejects them, in sentences."""
    source: str
    day: date
    most: int
    """Number of tags."""
    longest_key: int
    longest_value: int
    refused: str
    """Characters that a key must not have, apart from control characters."""
    reserved: tuple[str, ...]
    """Beginnings of keys that the cloud reserves for itself, in any case."""
    ignores_case: bool
    """Keys that differ only in case are the same key."""
    of_both: str = "it rejects both on one resource"
    """What it does with two spellings of a key."""

    def violations(self, tags: Mapping[str, str], inherited: Mapping[str, str] = MappingProxyType({})) -> Iterator[TagViolation]:
        """What is wrong with `tags`, on a resource that also gets the `inherited` ones, as far as `tags` are the reason."""
        for key, value in tags.items():
            yield from self._of_key(key)
            if len(value) > self.longest_value:
                message = f"The value of the tag `{shortened(key)}` has {len(value):,} characters: {self.cloud} accepts at most {self.longest_value}"
                yield TagViolation(key, message, f"Use at most {self.longest_value} characters")
        number, others = len({self._folded(key) for key in (*inherited, *tags)}), len({self._folded(key) for key in inherited})
        if number > self.most >= others:
            added = f", {others} of them from elsewhere" if others else ""
            yield TagViolation(
                None,
                f"{number} tags on one resource{added}: {self.cloud} accepts at most {self.most}",
                "Remove one tag" if number == self.most + 1 else f"Remove {number - self.most} tags",
            )

    def reserved_prefix(self, key: str) -> str | None:
        """The reserved beginning of a key, if it has one."""
        return next((prefix for prefix in self.reserved if key.lower().startswith(prefix)), None)

    def _of_key(self, key: str) -> Iterator[TagViolation]:
        if not key.strip():
            yield TagViolation(key, f"{self.cloud} rejects a tag without a key", "Give the tag a key, or remove it")
        if len(key) > self.longest_key:
            message = f"The key of the tag `{shortened(key)}` has {len(key):,} characters: {self.cloud} accepts at most {self.longest_key}"
            yield TagViolation(key, message, f"Use at most {self.longest_key} characters")
        refused = self.refused.replace("/", "") if key.lower().startswith("hidden-") else self.refused  # such as `hidden-link:/subscriptions/…`
        found = [letter for letter in refused if letter in key]
        if found or any(letter < " " or ord(letter) == _DELETE for letter in key):
            what = " and ".join(f"`{letter}`" for letter in found) if found else "control characters"
            message = f"{self.cloud} rejects the key of the tag `{shortened(key)}`: it must not contain {what}"
            yield TagViolation(key, message, f"Use a key without {what}")

    def repeated(self, tags: Mapping[str, str], inherited: Mapping[str, str]) -> Iterator[TagViolation]:
        """Keys that are spelled in two ways."""
        first = {self._folded(key): key for key in inherited}
        for key in tags:
            other = first.setdefault(self._folded(key), key)
            if other != key:
                message = f"`{shortened(other)}` and `{shortened(key)}` are the same key to {self.cloud}, which ignores case: {self.of_both}"
                yield TagViolation(key, message, f"Remove one of them{f', or spell it `{shortened(other)}`' if other in inherited else ''}")

    def _folded(self, key: str) -> str:
        return key.lower() if self.ignores_case else key


AZURE_TAGS: Final = TagLimits(
    cloud="Azure Resource Manager",
    source="https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations",
    day=_READ,
    most=50,
    longest_key=512,
    longest_value=256,
    refused="<>%&\\?/",
    reserved=("microsoft", "azure", "windows"),
    ignores_case=True,
    of_both="a resource keeps one of them, or Azure rejects both",
)
AZURE_NODE_TAGS: Final = AZURE_TAGS._replace(refused=AZURE_TAGS.refused.replace("/", ""))
"""Tags of an AKSNodeClass: Karpenter writes `/` in a key as `_` (karpenter-provider-azure 1.14, pkg/providers/launchtemplate)."""


AWS_TAGS: Final = TagLimits(
    cloud="AWS",
    source="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions",
    day=_READ,
    most=50,
    longest_key=128,
    longest_value=256,
    refused="",
    reserved=("aws:",),
    ignores_case=False,
)
IAM_TAGS: Final = AWS_TAGS._replace(
    cloud="IAM",
    source="https://docs.aws.amazon.com/IAM/latest/UserGuide/id_tags.html: keys are the same in any case; letters, digits, spaces and _.:/=+-@",
    ignores_case=True,
)
_OF_IAM: Final = frozenset("_.:/=+-@")


def refused_by_iam(text: str) -> str:
    """The characters that IAM rejects in the key or the value of a tag."""
    return "".join(dict.fromkeys(letter for letter in text if letter not in _OF_IAM and category(letter)[0] not in "LNZ"))


EKS_SECURITY_GROUPS: Final = 5
"""Security groups of a cluster next to the one that EKS creates. Source: EKS user guide, network-reqs, 2026-11."""
EKS_PUBLIC_RANGES: Final = 40
"""Public access CIDRs of the API server of a cluster, not adjustable. Source: Service Quotas, L-93A74D60, 2026-11-25."""


class VolumeViolation(NamedTuple):
    """What EBS rejects about a volume."""

    field: str
    """`size`, `iops` or `throughput`."""
    message: str
    fix: str
    value: int | None
    """The nearest value that EBS accepts for the same field; `None` if the field must not be set, or has no such value."""


class VolumeLimits(NamedTuple):
    """What EBS accepts for the volumes of one type."""

    name: str
    sizes: tuple[int, int]
    """The smallest and the largest size in GiB."""
    iops: tuple[int, int] | None = None
    """The fewest and the most IOPS; `None`: they cannot be set."""
    iops_per_gib: int = 0
    iops_at_any_size: int = 0
    """IOPS that a volume of any size can have, whatever the ratio."""
    throughput: tuple[int, int] | None = None
    """The least and the most MiB per second; `None`: it cannot be set."""
    iops_per_mib: int = 0
    """IOPS that each MiB per second needs."""

    def violations(self, size: int | None, iops: int | None, throughput: int | None) -> Iterator[VolumeViolation]:
        """What is wrong with a volume; `None` is a size that is not known, or the default of EBS."""
        if size is not None and not self.sizes[0] <= size <= self.sizes[1]:
            nearest = min(max(size, self.sizes[0]), self.sizes[1])
            yield VolumeViolation(
                "size", f"EBS rejects {size:,} GiB: volumes of type `{self.name}` have {self.sizes[0]:,} to {self.sizes[1]:,} GiB", "", nearest
            )
        if iops is not None:
            yield from self._of_iops(size, iops)
        elif self.iops is not None and not self.iops_at_any_size:
            yield VolumeViolation("iops", f"EBS requires IOPS for a volume of type `{self.name}`", ", or use the type `gp3`", self.iops[0])
        if throughput is not None:
            yield from self._of_throughput(iops, throughput)

    def _of_iops(self, size: int | None, iops: int) -> Iterator[VolumeViolation]:
        if self.iops is None:
            yield VolumeViolation("iops", f"EBS rejects IOPS for a volume of type `{self.name}`: only `gp3`, `io1` and `io2` have them", "", None)
            return
        fewest, most = self.iops
        by_size = most if size is None else max(self.iops_at_any_size, self.iops_per_gib * size)
        if not fewest <= iops <= most:
            message = f"EBS rejects {iops:,} IOPS: volumes of type `{self.name}` have {fewest:,} to {most:,}"
            yield VolumeViolation("iops", message, "", min(max(iops, fewest), most))
        elif size is not None and iops > by_size:
            message = f"EBS rejects {iops:,} IOPS on {size:,} GiB of type `{self.name}`: at most {self.iops_per_gib:,} for each GiB, {by_size:,} here"
            larger = f", or use a volume of at least {-(-iops // self.iops_per_gib):,} GiB"
            yield VolumeViolation("iops", message, larger, by_size if by_size >= fewest else None)

    def _of_throughput(self, iops: int | None, throughput: int) -> Iterator[VolumeViolation]:
        if self.throughput is None:
            yield VolumeViolation("throughput", f"EBS rejects a throughput for a volume of type `{self.name}`: only `gp3` has one", "", None)
            return
        least, most = self.throughput
        given = iops if iops is not None else self.iops_at_any_size
        by_iops = given // self.iops_per_mib
        if not least <= throughput <= most:
            message = f"EBS rejects {throughput:,} MiB/s: volumes of type `{self.name}` have {least:,} to {most:,}"
            yield VolumeViolation("throughput", message, "", min(max(throughput, least), most))
        elif throughput > by_iops:
            message = f"EBS rejects {throughput:,} MiB/s with {given:,} IOPS: at most 1 MiB/s for each {self.iops_per_mib} IOPS, {by_iops:,} here"
            yield VolumeViolation("throughput", message, f", or set at least {throughput * self.iops_per_mib:,} IOPS", by_iops)


EBS_PAGE: Final = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html"
EBS_VOLUMES: Final[Mapping[str, VolumeLimits]] = {
    limits.name: limits
    for limits in (
        VolumeLimits("gp3", (1, 65_536), (3_000, 80_000), 500, 3_000, (125, 2_000), 4),
        VolumeLimits("io2", (4, 65_536), (100, 256_000), 1_000),
        VolumeLimits("io1", (4, 16_384), (100, 64_000), 50),
        VolumeLimits("gp2", (1, 16_384)),
        VolumeLimits("st1", (125, 16_384)),
        VolumeLimits("sc1", (125, 16_384)),
        VolumeLimits("standard", (1, 1_024)),
    )
}
"""The types of EBS volumes. Source: `EBS_PAGE`, 2026-11."""

"""EC2 instance types: those that EKS Auto Mode can launch, and their network interfaces. Facts: docs/facts/eks.md § 3.4, § 3.5.

Each table is one file, read when first used; its first line has the source. A type that is missing can be newer. The tables have no availability:
they do not decide zones and capacity types.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TypedDict

from nodepools.data.table_files import lines_of
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Requirements, Values, current_label
from nodepools.model.listing import grouped
from nodepools.model.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Interfaces:
    """Network interfaces of an instance type."""

    count: int
    addresses: int
    """IPv4 addresses of each interface; the first is its primary address."""


@cache
def ec2_interfaces() -> Mapping[str, Interfaces]:
    """The interfaces of all types, by type."""
    lines = (line.partition(": ") for line in lines_of("ec2_interfaces.txt"))
    return {
        f"{family}.{size}": _interfaces(numbers) for family, _, sizes in lines for size, _, numbers in (cell.partition("=") for cell in sizes.split())
    }


def _interfaces(numbers: str) -> Interfaces:
    count, _, addresses = numbers.partition("x")
    return Interfaces(int(count), int(addresses))


_FILE = Path(__file__).with_suffix(".json")
_PREFIX = "eks.amazonaws.com/"
_TYPE, _SIZE = "node.kubernetes.io/instance-type", f"{_PREFIX}instance-size"
_NAME = re.compile(r"([a-z]+)(?:-[0-9]+tb)?([0-9]+)")
_CATEGORY = f"{_PREFIX}instance-category"
_DEVICES = (f"{_PREFIX}instance-{device}-{what}" for device in ("gpu", "accelerator") for what in ("name", "manufacturer"))
_OF_FAMILY = frozenset({*_DEVICES, "kubernetes.io/arch", *(f"{_PREFIX}instance-{name}" for name in ("cpu-manufacturer", "capability-flex"))})
"""Labels that all sizes of a family share. No size has a GPU, an accelerator or a local disk if no other size does."""
_CPU, _MEMORY = f"{_PREFIX}instance-cpu", f"{_PREFIX}instance-memory"


@dataclass(frozen=True, slots=True)
class InstanceType:
    """An EC2 instance type with the labels of its nodes."""

    name: str
    labels: Mapping[str, str] = field(hash=False)
    devices: Mapping[str, int] = field(hash=False)
    """Number of GPUs and accelerators by the resource that pods request, such as `nvidia.com/gpu`."""
    usd_per_hour: float | None
    """On-demand list price in us-east-1; `None` if it is unknown."""

    @property
    def cpu(self) -> int:
        """Number of vCPUs."""
        return int(self.labels[_CPU])

    @property
    def memory_mib(self) -> int:
        """Memory of the instance in MiB; the allocatable memory is less."""
        return int(self.labels[_MEMORY])


TOO_SMALL = ("nano", "micro", "small")
"""Sizes of which Auto Mode launches no type: https://docs.aws.amazon.com/eks/latest/userguide/automode-learn-instances.html (2026)."""


class TypeTable:
    """All instance types, with an index of their labels."""

    def __init__(self, types: Mapping[str, InstanceType]) -> None:
        self.types = types
        """By name."""
        self._everything = frozenset(types)
        self._by_label: dict[str, dict[str, list[str]]] = {}
        self._known: dict[tuple[str, Values], frozenset[str]] = {}
        self._all_known: dict[tuple[tuple[str, Values], ...], frozenset[str]] = {}

    def decides(self, key: str) -> bool:
        """The instance type determines this label. Others (zone, capacity type, custom labels) do not depend on it."""
        return bool(self._labelled(current_label(key)))

    def having(self, key: str, value: str) -> frozenset[str]:
        """The instance types with this label value."""
        return frozenset(self._labelled(key).get(value, ()))

    def has_numbers(self, key: str) -> bool:
        """The values of this label are numbers."""
        return self.decides(key) and all(map(str.isdecimal, self._labelled(key)))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The labels that the instance type determines."""
        return frozenset(key for known in self.types.values() for key in known.labels) - {f"{_PREFIX}compute-type", "kubernetes.io/os"}

    def labels_by_name(self, family: str, size: str | None) -> Mapping[str, str | None]:
        """What a family, or a type with this size, always has as labels outside of Auto Mode, which lacks small sizes; `None`: no such label."""
        exact = self.types.get(f"{family}.{size}") or _types_of_ec2().get(f"{family}.{size}")
        if exact is not None:
            return {key: exact.labels.get(key) for key in self.keys}
        named = _NAME.match(family)
        spelled = {_CATEGORY: named[1] if named else None, f"{_PREFIX}instance-generation": named[2] if named else None}
        of_size: dict[str, str | None] = {_SIZE: size, _TYPE: f"{family}.{size}"} if size is not None else {}
        same = [known.labels for types in (self.types, _types_of_ec2()) for name, known in types.items() if name.startswith(f"{family}.")]
        shared = {key: {labels.get(key) for labels in same} for key in self.keys if same}
        of_family = {key: value for key, values in shared.items() for value in values if len(values) == 1 and (value is None or key in _OF_FAMILY)}
        return {f"{_PREFIX}instance-family": family, **spelled, **of_family, **of_size}

    def admitting(self, key: str, allowed: Values) -> frozenset[str]:
        """The instance types whose label `key` has an `allowed` value; all types if the type does not determine the label."""
        if (key, allowed) not in self._known:
            self._known[key, allowed] = self._admitting(current_label(key), allowed)
        return self._known[key, allowed]

    def admitted(self, requirements: Mapping[str, Values]) -> frozenset[str]:
        """The instance types that satisfy all of `requirements`."""
        of_types = tuple((key, allowed) for key, allowed in requirements.items() if self.decides(key))
        if of_types not in self._all_known:
            found = self._everything
            for key, allowed in of_types:
                found &= self.admitting(key, allowed)
            self._all_known[of_types] = found
        return self._all_known[of_types]

    def cheapest(self, names: frozenset[str]) -> InstanceType | None:
        """The cheapest type among `names`; `None` if no price is known."""
        priced = [(known.usd_per_hour, name) for name in names if (known := self.types[name]).usd_per_hour is not None]
        return self.types[min(priced)[1]] if priced else None

    def _admitting(self, key: str, allowed: Values) -> frozenset[str]:
        labelled = self._labelled(key)
        if not labelled:
            return self._everything
        found = {name for value, names in labelled.items() if value in allowed for name in names}
        if allowed.permits_absence:
            found |= self._everything.difference(*labelled.values())
        return frozenset(found)

    def _labelled(self, key: str) -> Mapping[str, Sequence[str]]:
        """The instance types by value of one label. Computed when the label is first used: a check uses few of them."""
        if key not in self._by_label:
            self._by_label[key] = grouped((known.labels[key], name) for name, known in self.types.items() if key in known.labels)
        return self._by_label[key]


@cache
def eks_instance_types() -> TypeTable:
    """The table of all instance types."""
    families = _read()["families"]
    return TypeTable({made.name: made for family, known in families.items() for made in _types(family, known)})


@cache
def _types_of_ec2() -> Mapping[str, InstanceType]:
    """The types that Auto Mode does not have."""
    lines = (line.partition(": ") for line in lines_of("ec2_instance_types.txt"))
    return {made.name: made for family, _, known in lines for made in _types(family, json.loads(known))}


@cache
def labels_of_ec2_types() -> Mapping[str, Mapping[str, str | None]]:
    """The labels of every type of EC2 that Karpenter found, by name; `None`: no such label."""
    keys, types = eks_instance_types().keys, {**_types_of_ec2(), **eks_instance_types().types}
    return {name: {key: known.labels.get(key) for key in keys} for name, known in types.items()}


@cache
def origin() -> Mapping[str, str]:
    """Source and date of types and prices."""
    return _read()["origin"]


class _Family(TypedDict, total=False):
    labels: dict[str, str]
    varying: list[str]
    sizes: dict[str, list[str | float | None]]
    devices: dict[str, dict[str, int]]


class _Table(TypedDict):
    origin: dict[str, str]
    families: dict[str, _Family]


def _read() -> _Table:
    return json.loads(_FILE.read_text(encoding="utf-8"))


def _types(family: str, known: _Family) -> list[InstanceType]:
    shared = {_full(key): value for key, value in known.get("labels", {}).items()}
    shared |= {f"{_PREFIX}instance-family": family, f"{_PREFIX}compute-type": "auto", "kubernetes.io/os": "linux"}
    varying = [_full(key) for key in known.get("varying", [])]
    devices, made = known.get("devices", {}), list[InstanceType]()
    for size, (*of_size, price) in known.get("sizes", {}).items():
        name = f"{family}.{size}"
        labels = {**shared, **{key: str(value) for key, value in zip(varying, of_size, strict=True) if value is not None}, _SIZE: size, _TYPE: name}
        made.append(InstanceType(name, labels, devices.get(size, {}), float(price) if price is not None else None))
    return made


def _full(key: str) -> str:
    return key if "/" in key else f"{_PREFIX}{key}"


def requirements_of(requirements: Iterable[Requirement], labels: Iterable[tuple[str, str]] = ()) -> Requirements:
    """The requirements on the nodes of a pool by label key, from its requirements and its labels together."""
    found = Requirements()
    for requirement in requirements:
        found = found.merged({requirement.label: requirement.allowed})
    for key, value in labels:
        found = found.merged({key: Values(frozenset({value}), complement=False)})
    return found

"""EKS Auto Mode: built-in pools, custom NodeClasses and NodePools. Facts: docs/facts/eks.md § 1.3, § 3, § 3.6."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypedDict, Unpack, cast

from nodepools.model.base import Model
from nodepools.model.disruption import Disruption
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.quantity import Quantity
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.timeouts import Timeouts

Capacity = Literal["spot", "on-demand", "reserved"]
Arch = Literal["amd64", "arm64"]
Accelerator = Literal["inferentia", "inferentia2", "trainium", "trainium2"]

_LABELS = "eks.amazonaws.com/instance-"
_CAPACITY, _ARCH = "karpenter.sh/capacity-type", "kubernetes.io/arch"
_WEIGHT = 20


class PoolFields(TypedDict, total=False):
    """What can be said of a pool beside its preset: fields of `EksNodePool`. Requirements and taints add to those of the preset."""

    node_class: str | None
    requirements: Sequence[Requirement]
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    taints: Sequence[Taint]
    startup_taints: Sequence[Taint]
    disruption: Disruption
    expire_after: str | None
    termination_grace_period: str | None
    timeouts: Timeouts
    overrides: Mapping[str, object]


class ScalingPoolFields(PoolFields, total=False):
    """What can be said of a pool that grows and shrinks."""

    weight: int | None
    limits: Mapping[str, Quantity]


class EksNodePool(NodePool):
    """A NodePool of EKS Auto Mode.

    Its presets return ordinary ones.
    """

    @property
    def expires_after(self) -> str:
        """Age at which its nodes are replaced, with the default of Auto Mode filled in."""
        return self.expire_after if self.expire_after is not None else "336h"

    @classmethod
    def spot_first(cls, name: str, **fields: Unpack[ScalingPoolFields]) -> "dict[str, EksNodePool]":
        """A pair of pools, to be spread into `node_pools`: `<name>-spot`, and `name` on demand, of half its weight, for when spot is not to be had.

        The weight is 20 when left out. `requirements` name no capacity type; `limits` are those of each pool.
        """
        given = fields.get("weight")
        weight = given if given is not None else _WEIGHT
        spot, fallback = {**fields, "weight": weight}, {**fields, "weight": max(weight // 2, 1)}
        return {f"{name}-spot": _pool(cls, [_one_of(_CAPACITY, "spot")], spot), name: _pool(cls, [_one_of(_CAPACITY, "on-demand")], fallback)}

    @classmethod
    def gpu(
        cls,
        *,
        gpus: Sequence[str] = (),
        capacity: Sequence[Capacity] = ("on-demand",),
        arch: Arch = "amd64",
        **fields: Unpack[ScalingPoolFields],
    ) -> "EksNodePool":
        """NVIDIA GPUs, all or those of some names (`l4`, `h100`), with the taint `nvidia.com/gpu:NoSchedule`.

        The taint has no value: pods tolerate it with `operator: Exists`. Auto Mode brings driver and device plugin.
        """
        asked = [_one_of(f"{_LABELS}gpu-manufacturer", "nvidia"), *_named(f"{_LABELS}gpu-name", gpus)]
        return _pool(cls, [*asked, _one_of(_ARCH, arch), _one_of(_CAPACITY, *capacity)], dict(fields), Taint("nvidia.com/gpu"))

    @classmethod
    def neuron(
        cls, *, accelerators: Sequence[Accelerator] = (), capacity: Sequence[Capacity] = ("on-demand",), **fields: Unpack[ScalingPoolFields]
    ) -> "EksNodePool":
        """Inferentia and Trainium, all or some, with the taint `aws.amazon.com/neuron:NoSchedule`. Auto Mode brings driver and device plugin."""
        asked = [_one_of(f"{_LABELS}accelerator-manufacturer", "aws"), *_named(f"{_LABELS}accelerator-name", accelerators)]
        return _pool(cls, [*asked, _one_of(_ARCH, "amd64"), _one_of(_CAPACITY, *capacity)], dict(fields), Taint("aws.amazon.com/neuron"))

    @classmethod
    def arm64(cls, *, capacity: Sequence[Capacity] = ("on-demand",), **fields: Unpack[ScalingPoolFields]) -> "EksNodePool":
        """Graviton: what the built-in `general-purpose` pool asks for (c, m, r, more than the fourth generation), but arm64."""
        asked = [_one_of(_ARCH, "arm64"), _one_of(_CAPACITY, *capacity), _one_of(f"{_LABELS}category", "c", "m", "r")]
        return _pool(cls, [*asked, Requirement(f"{_LABELS}generation", "Gt", ["4"])], dict(fields))

    @classmethod
    def static(
        cls, *, replicas: int, capacity: Sequence[Capacity] = ("on-demand",), arch: Arch = "amd64", **fields: Unpack[PoolFields]
    ) -> "EksNodePool":
        """So many nodes, always, and one to spare while one is replaced. A static pool never becomes another kind: give that another name."""
        fixed: dict[str, object] = {"replicas": replicas, "limits": {"nodes": replicas + 1}}
        return _pool(cls, [_one_of(_CAPACITY, *capacity), _one_of(_ARCH, arch)], {**fields, **fixed})


BuiltIn = Literal["system", "general-purpose"]
BUILT_IN_CLASS = "default"
"""The NodeClass that AWS makes with the built-in pools."""


class AutoMode(Model):
    """EKS Auto Mode."""

    built_in_node_pools: Sequence[BuiltIn] = ("general-purpose", "system")
    """The pools that AWS runs, on a class `default` of its own: `general-purpose`, `system` (tainted `CriticalAddonsOnly`), both or none."""
    node_classes: Mapping[str, EksNodeClass] = {}
    """NodeClasses by name; `default` is the built-in one's."""
    node_pools: Mapping[str, EksNodePool] = {}
    """NodePools by name; `general-purpose` and `system` are the built-in ones'."""

    @property
    def shares_a_role(self) -> bool:
        """Some class has no role of its own, and has that of all such classes."""
        return any(declared.has_shared_role for _, _, declared in self.all_classes())

    def all_classes(self) -> Iterator[tuple[str, str, EksNodeClass]]:
        """Every NodeClass, those that retire among them: a place of its own, its key, the class."""
        for key, declared in self.node_classes.items():
            yield key, key, declared
            if declared.previous is not None:
                yield f"{key}/previous", key, declared.previous


def _pool(cls: type[EksNodePool], asked: Sequence[Requirement], fields: Mapping[str, object], *taints: Taint) -> EksNodePool:
    both = {field: (*preset, *cast("Sequence[object]", fields.get(field, ()))) for field, preset in (("requirements", asked), ("taints", taints))}
    return cls(**{**fields, **both})  # type: ignore[arg-type]  # PoolFields, gathered


def _named(key: str, names: Sequence[str]) -> list[Requirement]:
    return [_one_of(key, *names)] if names else []


def _one_of(key: str, *values: str) -> Requirement:
    return Requirement(key, "In", values)

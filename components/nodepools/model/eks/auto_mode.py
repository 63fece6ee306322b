"""EKS Auto Mode: built-in NodePools, NodeClasses and NodePools. Facts: docs/facts/eks.md § 1.3, § 3, § 3.6."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal, TypedDict, Unpack, cast

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
    """Fields of `EksNodePool` that can be set in addition to a preset. Requirements and taints are added to those of the preset."""

    node_class: str | None
    requirements: Sequence[Requirement]
    labels: Mapping[str, str]
    labeled: bool
    annotations: Mapping[str, str]
    taints: Sequence[Taint]
    startup_taints: Sequence[Taint]
    disruption: Disruption
    expire_after: str | None
    termination_grace_period: str | None
    owner: str | None
    timeouts: Timeouts
    overrides: Mapping[str, object]


class ScalingPoolFields(PoolFields, total=False):
    """Fields that can be set for a pool that scales."""

    weight: int | None
    limits: Mapping[str, Quantity]


class EksNodePool(NodePool):
    """A NodePool of EKS Auto Mode.

    The presets (`spot_first`, `gpu`, …) return NodePools too.
    """

    operating_systems: ClassVar[tuple[str, ...]] = ("linux",)
    fewest_cpus: ClassVar[int] = 2
    label_domains: ClassVar[tuple[str, ...]] = ("eks.amazonaws.com",)
    has_metrics: ClassVar[bool] = False

    @property
    def expires_after(self) -> str:
        """Age at which nodes are replaced, with the default of Auto Mode filled in."""
        return self.expire_after if self.expire_after is not None else "336h"

    @property
    def drains_within(self) -> str:
        """How long a node can drain, with the default of Auto Mode filled in."""
        return self.termination_grace_period if self.termination_grace_period is not None else "24h"

    @classmethod
    def spot_first(cls, name: str, **fields: Unpack[ScalingPoolFields]) -> "dict[str, EksNodePool]":
        """Two pools for `node_pools`: `<name>-spot`, and the on-demand pool `name` with half its weight, used when no spot capacity is available.

        The default weight is 20. `requirements` must not restrict the capacity type; `limits` apply to each of the two pools.
        """
        declared = fields.get("weight")
        weight = declared if declared is not None else _WEIGHT
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
        """A pool with NVIDIA GPUs, all or those in `gpus` (`l4`, `h100`), and the taint `nvidia.com/gpu:NoSchedule`.

        The taint has no value, so pods tolerate it with `operator: Exists`. Auto Mode includes driver and device plugin. A node stays for ten minutes
        after its last pod ended: the next pod would wait for a new one, and GPUs can be hard to get. Set `disruption` for another time.
        """
        requested = [_one_of(f"{_LABELS}gpu-manufacturer", "nvidia"), *_named(f"{_LABELS}gpu-name", gpus)]
        return _pool(cls, [*requested, _one_of(_ARCH, arch), _one_of(_CAPACITY, *capacity)], _kept_a_while(fields), Taint("nvidia.com/gpu"))

    @classmethod
    def neuron(
        cls, *, accelerators: Sequence[Accelerator] = (), capacity: Sequence[Capacity] = ("on-demand",), **fields: Unpack[ScalingPoolFields]
    ) -> "EksNodePool":
        """A pool with Inferentia and Trainium, and the taint `aws.amazon.com/neuron:NoSchedule`. Auto Mode includes driver and device plugin.

        A node stays for ten minutes after its last pod ended, as in `gpu`.
        """
        requested = [_one_of(f"{_LABELS}accelerator-manufacturer", "aws"), *_named(f"{_LABELS}accelerator-name", accelerators)]
        return _pool(cls, [*requested, _one_of(_ARCH, "amd64"), _one_of(_CAPACITY, *capacity)], _kept_a_while(fields), Taint("aws.amazon.com/neuron"))

    @classmethod
    def arm64(cls, *, capacity: Sequence[Capacity] = ("on-demand",), **fields: Unpack[ScalingPoolFields]) -> "EksNodePool":
        """A pool with Graviton instances: the requirements of the built-in `general-purpose` pool (c, m, r; generation above 4), but arm64."""
        requested = [_one_of(_ARCH, "arm64"), _one_of(_CAPACITY, *capacity), _one_of(f"{_LABELS}category", "c", "m", "r")]
        return _pool(cls, [*requested, Requirement(f"{_LABELS}generation", "Gt", ["4"])], dict(fields))

    @classmethod
    def static(
        cls, *, replicas: int, capacity: Sequence[Capacity] = ("on-demand",), arch: Arch = "amd64", **fields: Unpack[PoolFields]
    ) -> "EksNodePool":
        """A pool with a fixed number of nodes, plus one while a node is replaced. A static pool cannot become a dynamic one: use another name."""
        fixed: dict[str, object] = {"replicas": replicas, "limits": {"nodes": replicas + 1}}
        return _pool(cls, [_one_of(_CAPACITY, *capacity), _one_of(_ARCH, arch)], {**fields, **fixed})


BuiltIn = Literal["system", "general-purpose"]
BUILT_IN_CLASS = "default"
"""The NodeClass that EKS creates together with the built-in NodePools."""


class AutoMode(Model):
    """Settings of EKS Auto Mode."""

    built_in_node_pools: Sequence[BuiltIn] = ("general-purpose", "system")
    """Built-in NodePools to turn on: `general-purpose`, `system` (with the taint `CriticalAddonsOnly`), both or none. EKS manages them and their
    NodeClass `default`."""
    node_classes: Mapping[str, EksNodeClass] = {}
    """NodeClasses by name, in addition to the built-in `default`."""
    existing_node_classes: Sequence[str] = ()
    """Names of NodeClasses that another tool creates in the cluster. NodePools can use them; nothing is known about them offline."""
    node_pools: Mapping[str, EksNodePool] = {}
    """NodePools by name, in addition to the built-in `general-purpose` and `system`."""

    @property
    def built_in_for_ordinary_pods(self) -> Sequence[str]:
        """Built-in NodePools for pods without tolerations. They have no weight, and launch on-demand amd64 nodes."""
        return [name for name in self.built_in_node_pools if name != "system"]

    @property
    def shares_a_role(self) -> bool:
        """A NodeClass has no role of its own and uses the one that all such NodeClasses share."""
        return any(declared.has_shared_role for _, _, declared in self.all_classes())

    def all_classes(self) -> Iterator[tuple[str, str, EksNodeClass]]:
        """Every NodeClass, including previous ones: a unique name in this cluster, its key, the NodeClass."""
        for key, declared in self.node_classes.items():
            yield key, key, declared
            if declared.previous is not None:
                yield f"{key}/previous", key, declared.previous


def _pool(cls: type[EksNodePool], requested: Sequence[Requirement], fields: Mapping[str, object], *taints: Taint) -> EksNodePool:
    both = {field: (*preset, *cast("Sequence[object]", fields.get(field, ()))) for field, preset in (("requirements", requested), ("taints", taints))}
    return cls(**{**fields, **both})  # type: ignore[arg-type]  # PoolFields, gathered


def _kept_a_while(fields: PoolFields) -> dict[str, object]:
    return {"disruption": Disruption(consolidate_after="10m"), **fields}


def _named(key: str, names: Sequence[str]) -> list[Requirement]:
    return [_one_of(key, *names)] if names else []


def _one_of(key: str, *values: str) -> Requirement:
    return Requirement(key, "In", values)

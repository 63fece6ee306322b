"""NodeOverlays and CapacityBuffers, which only objects in files have: declarations do not."""

import re
from collections.abc import Mapping, Sequence

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.karpenter import NODE_RESOURCES, Requirement
from nodepools.model.kubernetes.quantity import Quantity

_ADJUSTMENT = re.compile(r"[+-][0-9]*\.?[0-9]+|\+[0-9]*\.?[0-9]+%|-[0-9]{1,2}(\.[0-9]+)?%|-100%", re.ASCII)
_PRICE = re.compile(r"[0-9]+(\.[0-9]+)?", re.ASCII)
_LABELS_OF_OVERLAYS = ("karpenter.sh/capacity-type", "karpenter.sh/nodepool")
"""The labels of Karpenter's own domain that an overlay can require."""


class NodeOverlay(Model):
    """A karpenter.sh/v1alpha1 NodeOverlay, which corrects price or capacity of instance types. Source: Karpenter 1.14, `pkg/apis/v1alpha1`."""

    requirements: Sequence[Requirement] = Field(max_length=100)
    """The instance types, offerings and NodePools that it corrects: all of them must be met."""
    price: str | None = None
    """Price per hour."""
    price_adjustment: str | None = None
    """A difference to the price, such as `-0.5` or `+10%`."""
    capacity: Mapping[str, Quantity] = {}
    """Extended resources that nodes have more."""
    weight: int | None = Field(default=None, ge=1, le=10000)
    """Overlays with a higher weight come first. Default: 0."""

    @field_validator("requirements")
    @classmethod
    def _are_of_instance_types(cls, requirements: Sequence[Requirement]) -> Sequence[Requirement]:
        for one in requirements:
            if one.operator == "NotIn" and not one.values:
                advice = {"example": "values, or use `Exists`"}
                raise PydanticCustomError("requirement_values", "must have a value with each operator `NotIn`, as with `In`", advice)
            own = one.key.partition("/")[0].endswith("karpenter.sh") and one.key not in _LABELS_OF_OVERLAYS
            if own or one.key == "kubernetes.io/hostname":
                raise PydanticCustomError("restricted_label", "must not be on the label `{key}`", {"key": one.key})
        return requirements

    @field_validator("price")
    @classmethod
    def _is_price(cls, price: str | None) -> str | None:
        if price is not None and not _PRICE.fullmatch(price):
            raise PydanticCustomError("price", "must be digits, at most with a fraction after them, in quotes, such as `0.25`")
        return price

    @field_validator("price_adjustment")
    @classmethod
    def _is_adjustment(cls, adjustment: str | None, info: ValidationInfo) -> str | None:
        if adjustment is not None and not _ADJUSTMENT.fullmatch(adjustment):
            raise PydanticCustomError("price", "must have a sign, in quotes, such as `-0.5`, `+10%` or `-15%`, and be at least -100%")
        if adjustment is not None and info.data.get("price") is not None:
            raise PydanticCustomError("price", "must not be next to `price`: one of them decides")
        return adjustment

    @field_validator("capacity")
    @classmethod
    def _are_extended(cls, capacity: Mapping[str, Quantity]) -> Mapping[str, Quantity]:
        fixed = [name for name in capacity if name in NODE_RESOURCES and name != "nodes"]
        if fixed:
            raise PydanticCustomError(
                "overlay_capacity", "must not contain `{name}`: instance types decide it, only extended resources can be added", {"name": fixed[0]}
            )
        return capacity


class Scalable(Model):
    """A workload in the namespace of a CapacityBuffer."""

    kind: str = Field(min_length=1)
    """Its kind."""
    name: str = Field(min_length=1)
    """Its name."""
    group: str = ""
    """Its API group."""


class CapacityBuffer(Model):
    """An autoscaling.x-k8s.io/v1beta1 CapacityBuffer: room for pods that do not exist yet. Source: Karpenter 1.14, `pkg/apis/autoscaling`."""

    provisioning_strategy: str = "buffer.x-k8s.io/active-capacity"
    """How the room is kept."""
    replicas: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """For how many pods."""
    percentage: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """For how many pods, as a part of the replicas of the workload."""
    limits: Mapping[str, Quantity] = {}
    """The most that the pods request together."""
    scalable: Scalable | None = None
    """The workload whose pods it has room for."""
    pod_template: str | None = Field(default=None, min_length=1)
    """The PodTemplate whose pods it has room for."""

    @field_validator("pod_template")
    @classmethod
    def _is_alone(cls, pod_template: str | None, info: ValidationInfo) -> str | None:
        if pod_template is not None and info.data.get("scalable") is not None:
            raise PydanticCustomError("buffered", "must not be next to `scalableRef`: one of them decides which pods there is room for")
        return pod_template

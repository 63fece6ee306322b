"""Who makes GPUs known to Kubernetes. Facts: docs/facts/aks.md § 2.5."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.taint import Taint


class DevicePlugin(Model):
    """The NVIDIA device plugin, a DaemonSet on the nodes of GPU pools: without it they offer no GPU."""

    image: str = "nvcr.io/nvidia/k8s-device-plugin:v0.17.1"
    """Its image."""
    time_slices: int | None = Field(default=None, ge=2)
    """Pods that share a GPU in turns, 2 or more: each GPU counts as so many. There is no wall between them; one pod a GPU when left out."""
    fail_on_more_than_one: bool = False
    """With `time_slices`: whether a pod that asks for two shares is refused; two shares are no more than one."""
    mig_strategy: Literal["none", "single", "mixed"] | None = None
    """How instances of GPU pools with `mig` are named: `single` as `nvidia.com/gpu`, `mixed` as `nvidia.com/mig-1g.5gb` and so on.
    `single` where some pool has `mig`, `none` elsewhere, when left out."""
    tolerations: Sequence[Taint] = ()
    """Taints that it tolerates beside those of the GPU pools and `nvidia.com/gpu`."""

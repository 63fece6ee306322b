"""The NVIDIA device plugin, which advertises GPUs to Kubernetes. Facts: docs/facts/aks.md § 2.5."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.taint import Taint


class DevicePlugin(Model):
    """The NVIDIA device plugin, a DaemonSet on the nodes of GPU pools. Without it, nodes do not advertise `nvidia.com/gpu`."""

    image: str = "nvcr.io/nvidia/k8s-device-plugin:v0.17.1"
    """Container image of the device plugin."""
    time_slices: int | None = Field(default=None, ge=2)
    """Number of pods that share each GPU by time slicing, at least 2: each GPU is advertised that many times. Pods that share a GPU are not isolated
    from each other. Default: one pod per GPU."""
    fail_on_more_than_one: bool = False
    """With `time_slices`: whether to reject pods that request more than one share. Two shares give a pod no more GPU time than one."""
    mig_strategy: Literal["none", "single", "mixed"] | None = None
    """How MIG instances of GPU pools with `mig` are advertised: `single` as `nvidia.com/gpu`, `mixed` as `nvidia.com/mig-1g.5gb` and so on. Default:
    `single` if a pool has `mig`, otherwise `none`."""
    tolerations: Sequence[Taint] = ()
    """Taints that the DaemonSet tolerates, in addition to those of the GPU pools and `nvidia.com/gpu`."""

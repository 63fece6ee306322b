"""One row for each property of nodes: its label on nodes of self-managed Karpenter, of EKS Auto Mode and of node auto provisioning.

Sources, read 2026-11-23: karpenter-provider-aws 1.15 (`pkg/apis/v1/labels.go`, https://karpenter.sh/docs/concepts/scheduling/), EKS user guide
(create-node-pool, auto-migrate-karpenter), karpenter-provider-azure 1.14 (`pkg/apis/v1beta1/labels.go`), AKS (node-auto-provisioning-node-pools).
Memory is in MiB in all three. Facts: docs/facts/eks.md § 3.4, docs/facts/aks.md § 3.6.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from nodepools.conversion.unconverted import Target

OWN, AUTO, NAP = "karpenter.k8s.aws", "eks.amazonaws.com", "karpenter.azure.com"
"""The domains of the labels."""
SOURCE: Final = "karpenter-provider-aws 1.15; EKS user guide, create-node-pool; karpenter-provider-azure 1.14; read 2026-11-23"
_SHARED_BY_ALL: Final = "the value belongs to another cloud"

Values: TypeAlias = Mapping[str, tuple[str, ...]]
"""The values that have another spelling: each with those that mean the same."""


@dataclass(frozen=True, slots=True)
class Label:
    """A property of nodes."""

    names: tuple[str, ...]
    """Its labels on nodes of other autoscalers."""
    to: Mapping[Target, str]
    """Its label on nodes of each target; a target without one has a reason."""
    reason: str = ""
    """Why a target has no such label, or not such values."""
    values: Callable[[Target, str], tuple[str, ...]] = lambda _, value: (value,)
    """Returns the values that mean the same on a target; none if there are none."""
    roughly: Mapping[Target, str] | None = None
    """For targets whose values do not mean quite the same: how they differ."""


def _unchanged(_: Target, value: str) -> tuple[str, ...]:
    return (value,)


def _aws(suffix: str) -> tuple[str, str]:
    return f"{OWN}/{suffix}", f"{AUTO}/{suffix}"


def _every(name: str, reason: str, *, values: Callable[[Target, str], tuple[str, ...]]) -> Label:
    """A label that all nodes have, with values of their cloud."""
    return Label((name,), dict.fromkeys(Target, name), reason, values)


def _same(suffix: str, nap: str, values: Callable[[Target, str], tuple[str, ...]] = _unchanged, roughly: str = "", reason: str = "") -> Label:
    """A label of all three."""
    own, auto = _aws(suffix)
    other = f"{NAP}/{nap}"
    return Label((own, auto, other), {Target.AUTO_MODE: auto, Target.NAP: other}, reason, values, dict.fromkeys(Target, roughly) if roughly else None)


def _only_aws(reason: str, *suffixes: str) -> Iterable[Label]:
    for suffix in suffixes:
        own, auto = _aws(suffix)
        yield Label((own, auto), {Target.AUTO_MODE: auto}, reason)


def _nowhere(reason: str, *names: str) -> Iterable[Label]:
    for name in names:
        yield Label((name,), {}, reason)


def _only_azure(reason: str, *names: str) -> Iterable[Label]:
    for name in names:
        yield Label((name,), {Target.NAP: name}, reason)


_FAMILIES: Final[Values] = {
    "m": ("D",),
    "t": ("B",),
    "c": ("F",),
    "r": ("E",),
    "x": ("M",),
    "i": ("L",),
    "im": ("L",),
    "is": ("L",),
    "d": ("L",),
    "g": ("N",),
    "gr": ("N",),
    "p": ("N",),
}
_CATEGORIES: Final[Values] = {"D": ("m",), "B": ("t",), "F": ("c",), "E": ("r",), "M": ("x",), "L": ("i",), "N": ("g", "p")}
_GPUS: Final[Values] = {name.lower(): (name,) for name in ("T4", "V100", "A100", "H100", "H200")}
_CAPACITY: Final[Values] = {
    "ON_DEMAND": ("on-demand",),
    "SPOT": ("spot",),
    "CAPACITY_BLOCK": ("reserved",),
    "regular": ("on-demand",),
    "Regular": ("on-demand",),
    "Spot": ("spot",),
}
_CAPACITIES: Final = {Target.AUTO_MODE: ("on-demand", "spot", "reserved"), Target.NAP: ("on-demand", "spot")}
_AWS_ZONE: Final = re.compile(r"[a-z]{2}(-[a-z]+)+-\d+[a-z](-.*)?|[a-z]{2}(-[a-z]+)+-\d+-.*")
_AZURE_ZONE: Final = re.compile(r"[a-z0-9]+-\d|\d")
_AWS_REGION: Final = re.compile(r"[a-z]{2}(-[a-z]+)+-\d+")
_AWS_TYPE: Final = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+")
_AZURE_TYPE: Final = re.compile(r"(Standard|Basic)_\S+")
_SMALLEST_MIB: Final = 1024
"""Below, an amount of memory is in GB: no VM has less than 1 GiB."""


def _family(target: Target, value: str) -> tuple[str, ...]:
    if target is Target.AUTO_MODE:
        return _CATEGORIES.get(value, () if value.isupper() else (value,))
    return (value,) if value.isupper() else _FAMILIES.get(value, ())


def _gpu(target: Target, value: str) -> tuple[str, ...]:
    if target is Target.AUTO_MODE:
        return (value.lower(),) if value.lower() in _GPUS or value == value.lower() else ()
    return _GPUS.get(value.lower(), (value,) if value != value.lower() else ())


def _capacity(target: Target, value: str) -> tuple[str, ...]:
    return tuple(one for one in _CAPACITY.get(value, (value,)) if one in _CAPACITIES[target])


def _of_cloud(aws: re.Pattern[str], azure: re.Pattern[str]) -> Callable[[Target, str], tuple[str, ...]]:
    """Keeps the values of the cloud of the target."""
    other = {Target.AUTO_MODE: azure, Target.NAP: aws}
    return lambda target, value: () if other[target].fullmatch(value) else (value,)


def _linux(_: Target, value: str) -> tuple[str, ...]:
    return () if value == "windows" else (value,)


def _mebibytes(_: Target, value: str) -> tuple[str, ...]:
    """The label of agent pools is in GB, and the same label of node auto provisioning in MiB."""
    is_gb = value.isdecimal() and int(value) < _SMALLEST_MIB
    return (str(int(value) * 1024),) if is_gb else (value,)


_TYPES_DIFFER: Final = "EC2 instance types and Azure VM sizes are different"
_NOT_AZURE: Final = "nodes of node auto provisioning have no such label"
_NOT_AWS: Final = "nodes of EKS Auto Mode have no such label"
_BY_PURPOSE: Final = "EC2 and Azure have different families: this one has the same purpose"
_OF_GROUP: Final = "only nodes of managed node groups have it"
LABELS: Final[tuple[Label, ...]] = (
    _every("karpenter.sh/capacity-type", "node auto provisioning launches no reserved capacity", values=_capacity),
    _every("topology.kubernetes.io/zone", _SHARED_BY_ALL, values=_of_cloud(_AWS_ZONE, _AZURE_ZONE)),
    _every("topology.kubernetes.io/region", _SHARED_BY_ALL, values=_of_cloud(_AWS_REGION, re.compile(r"[a-z]+\d?"))),
    _every("node.kubernetes.io/instance-type", _TYPES_DIFFER, values=_of_cloud(_AWS_TYPE, _AZURE_TYPE)),
    _every("kubernetes.io/os", "it launches no Windows nodes", values=_linux),
    _every("kubernetes.io/arch", "", values=_unchanged),
    _same("instance-cpu", "sku-cpu"),
    _same("instance-memory", "sku-memory"),
    _same("instance-category", "sku-family", _family, _BY_PURPOSE, reason="Azure has no such family"),
    _same("instance-gpu-count", "sku-gpu-count"),
    _same("instance-gpu-manufacturer", "sku-gpu-manufacturer"),
    _same("instance-gpu-name", "sku-gpu-name", _gpu, reason="the other cloud has no such GPU"),
    *_only_aws(_TYPES_DIFFER, "instance-family", "instance-generation", "instance-size"),
    *_only_aws(_NOT_AZURE, "instance-gpu-memory", "instance-accelerator-name", "instance-accelerator-manufacturer", "instance-accelerator-count"),
    *_only_aws(_NOT_AZURE, "instance-cpu-manufacturer", "instance-cpu-sustained-clock-speed-mhz", "instance-capability-flex"),
    *_only_aws(_NOT_AZURE, "instance-ebs-bandwidth", "instance-network-bandwidth", "instance-local-nvme", "instance-hypervisor"),
    *_only_aws(_NOT_AZURE, "instance-encryption-in-transit-supported", "placement-group-id"),
    *_only_aws(_NOT_AZURE, "capacity-reservation-id", "capacity-reservation-type", "capacity-reservation-interruptible"),
    *_nowhere("neither target has such a label: instances have shared tenancy", f"{OWN}/instance-tenancy"),
    *_nowhere("neither target has such a label", *(f"{OWN}/{name}" for name in ("instance-pods", "nitro-sandbox", "placement-group-partition"))),
    *_nowhere("it launches no Windows nodes", "node.kubernetes.io/windows-build"),
    Label(("topology.k8s.aws/zone-id",), {Target.AUTO_MODE: "topology.k8s.aws/zone-id"}, _NOT_AZURE),
    Label((f"{AUTO}/compute-type",), {Target.AUTO_MODE: f"{AUTO}/compute-type"}, _NOT_AZURE),
    Label((f"{NAP}/sku-name",), {Target.NAP: f"{NAP}/sku-name"}, _TYPES_DIFFER),
    *_only_azure(_NOT_AWS, *(f"{NAP}/{name}" for name in ("sku-series", "sku-version", "sku-networking-accelerated", "placement-scope"))),
    *_only_azure(_NOT_AWS, *(f"{NAP}/sku-storage-{name}" for name in ("premium-capable", "ultra-ssd", "ephemeralos-maxsize"))),
    *_only_azure(_NOT_AWS, *(f"kubernetes.azure.com/{name}" for name in ("mode", "fips_enabled", "os-sku", "cluster", "ebpf-dataplane"))),
    *_only_azure(_NOT_AWS, *(f"kubernetes.azure.com/{name}" for name in ("network-policy", "priority", "ebpf-host-routing", "hostedvm"))),
    Label(
        ("kubernetes.azure.com/scalesetpriority",),
        {Target.NAP: "kubernetes.azure.com/scalesetpriority", Target.AUTO_MODE: "karpenter.sh/capacity-type"},
        values=lambda target, value: (value,) if target is Target.NAP else _capacity(target, value),
    ),
    Label(("kubernetes.azure.com/sku-cpu",), {Target.NAP: "kubernetes.azure.com/sku-cpu", Target.AUTO_MODE: f"{AUTO}/instance-cpu"}),
    Label(
        ("kubernetes.azure.com/sku-memory",),
        {Target.NAP: "kubernetes.azure.com/sku-memory", Target.AUTO_MODE: f"{AUTO}/instance-memory"},
        values=_mebibytes,
    ),
    Label((f"{AUTO}/capacityType",), dict.fromkeys(Target, "karpenter.sh/capacity-type"), "it launches no reserved capacity", _capacity),
    *_nowhere(_OF_GROUP, *(f"{AUTO}/{name}" for name in ("nodegroup-image", "sourceLaunchTemplateId", "sourceLaunchTemplateVersion"))),
    *_nowhere("only clusters of eksctl have it", "alpha.eksctl.io/cluster-name", "alpha.eksctl.io/instance-id"),
)
GROUP_LABELS: Final = (f"{AUTO}/nodegroup", "alpha.eksctl.io/nodegroup-name", "agentpool", "kubernetes.azure.com/agentpool")
"""Labels with the name of a node group or an agent pool: there are NodePools instead."""
POOL_LABELS: Final = ("karpenter.sh/nodepool", "karpenter.sh/provisioner-name")
"""Labels with the name of a NodePool; the second one is of Karpenter before 0.32."""
CLASS_LABELS: Final[Mapping[str, Target | None]] = {
    f"{OWN}/ec2nodeclass": None,
    f"{AUTO}/nodeclass": Target.AUTO_MODE,
    f"{NAP}/aksnodeclass": Target.NAP,
}
"""Labels with the name of a node class."""
BY_NAME: Final[Mapping[str, Label]] = {name: label for label in reversed(LABELS) for name in label.names}
"""The rows by the names of labels."""


def group_title(key: str) -> str:
    """What a label of `GROUP_LABELS` names."""
    return "agent pool" if "agentpool" in key else "node group"

"""Settings of the kubelet in an EC2NodeClass of self-managed Karpenter: with one that is not valid, Karpenter launches no node.

Since Karpenter 1.15, its controller checks them, and the condition `ValidationSucceeded` says what is wrong. Before, the API server rejected them.
"""

from collections.abc import Iterator
from typing import Final, TypeGuard

from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.steps import mapping
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.fix import remove
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import ec2_class

_SOURCE: Final = "karpenter-provider-aws 1.15, pkg/apis/v1/kubeletconfiguration_validation.go"
_RESERVED: Final = ("cpu", "memory", "ephemeral-storage", "pid")
_SIGNALS: Final = ("memory.available", "nodefs.available", "nodefs.inodesFree", "imagefs.available", "imagefs.inodesFree", "pid.available")
_OF_SIGNALS: Final = ("evictionHard", "evictionSoft", "evictionSoftGracePeriod", "evictionMinimumReclaim")
_PAIR: Final = ("evictionSoft", "evictionSoftGracePeriod")
_COUNTS: Final = ("maxPods", "podsPerCore", "evictionMaxPodGracePeriod")
_PERCENTAGES: Final = ("imageGCHighThresholdPercent", "imageGCLowThresholdPercent")
_MOST: Final = 100


@rule(
    "SMK032",
    Severity.ERROR,
    source=_SOURCE,
    sample=Sample('kubelet.evictionSoft["memory.available"]', lambda: ec2_class(kubelet={"evictionSoft": {"memory.available": "5%"}})),
)
def invalid_kubelet_setting(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Reservations name resources of the kubelet, thresholds its eviction signals; soft thresholds have grace periods, numbers are in range."""
    kubelet = node_class.kubelet
    for name, known in (*((field, _RESERVED) for field in ("kubeReserved", "systemReserved")), *((field, _SIGNALS) for field in _OF_SIGNALS)):
        for key, value in mapping(kubelet.get(name)).items():
            if key not in known:
                message = f"Karpenter launches no node: `{key}` is not a key of `{name}`"
                yield finding(node_class, message, path=("kubelet", name, key), value=key, fix=f"Use one of {', '.join(f'`{one}`' for one in known)}")
            elif str(value).startswith("-"):
                message = f"Karpenter launches no node: `{key}` of `{name}` is negative"
                yield finding(node_class, message, path=("kubelet", name, key), value=value, fix=remove(("kubelet", name, key)))
    yield from _without_counterpart(node_class)
    yield from _out_of_range(node_class)


def _without_counterpart(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    for name, other in (_PAIR, _PAIR[::-1]):
        for key, value in mapping(node_class.kubelet.get(name)).items():
            if key not in mapping(node_class.kubelet.get(other)):
                message = f"Karpenter launches no node: `{key}` is in `{name}`, but not in `{other}`"
                yield finding(node_class, message, path=("kubelet", name, key), value=value, fix=f"Add `{key}` to `{other}`")


def _out_of_range(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    kubelet = node_class.kubelet
    for name in (*_COUNTS, *_PERCENTAGES):
        value = kubelet.get(name)
        if _is_number(value) and (value < 0 or (name in _PERCENTAGES and value > _MOST)):
            message = f"Karpenter launches no node: `{name}` must be {'from 0 to 100' if name in _PERCENTAGES else '0 or more'}"
            yield finding(node_class, message, path=("kubelet", name), value=value, fix=remove(("kubelet", name)))
    high, low = (kubelet.get(name) for name in _PERCENTAGES)
    if _is_number(high) and _is_number(low) and high <= low:
        message = f"Karpenter launches no node: `{_PERCENTAGES[0]}` ({high}) must be greater than `{_PERCENTAGES[1]}` ({low})"
        yield finding(node_class, message, path=("kubelet", _PERCENTAGES[0]), value=high, fix=f"Raise `{_PERCENTAGES[0]}` above {low}")


def _is_number(value: object) -> TypeGuard[int]:
    """A number; not an expression, and not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)

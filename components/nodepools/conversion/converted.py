"""Converts the objects of a cluster together: objects that refer to each other keep doing so under their new names.

Sources, read 2026-11-23: EKS user guide (eks-add-ons, automode, auto-accelerated, auto-migrate-karpenter), AKS (node-auto-provisioning).
Facts: docs/facts/eks.md C42, § 3.6.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from nodepools.conversion.cluster_objects import KINDS, convert_cluster_object, is_replaced
from nodepools.conversion.labels import Labels
from nodepools.conversion.metadata import Classes
from nodepools.conversion.node_classes import convert_node_class, is_node_class
from nodepools.conversion.node_pools import class_group, convert_node_pool, is_node_pool
from nodepools.conversion.pods import convert_pods, template_at
from nodepools.conversion.raw_parts import Object, as_list, as_mapping, part, text
from nodepools.conversion.targets import ConversionOptions, Target
from nodepools.conversion.unconverted import Log, Unconverted
from nodepools.conversion.v1beta1 import V1BETA1, convert_to_v1
from nodepools.conversion.windows import WindowsObjects, keep_windows, keeps_pods
from nodepools.model.name_limits import cut

_OLDEST: Final = ("Provisioner", "AWSNodeTemplate")
_LONGEST_NAME: Final = 63
"""Names of NodePools and node classes are values of labels."""


@dataclass(frozen=True, slots=True)
class Converted:
    """An object, and what it became."""

    old: Mapping[str, object]
    new: Mapping[str, object]
    """The same value if nothing needed to change."""
    unconverted: tuple[Unconverted, ...] = ()
    included: bool = False
    """The target brings it itself."""

    @property
    def is_changed(self) -> bool:
        """It is another object than before."""
        return self.new is not self.old


def convert(objects: Sequence[Mapping[str, object]], wanted: ConversionOptions) -> list[Converted]:
    """Returns each object, converted for the target. To convert the result again changes nothing."""
    stay = WindowsObjects.among(objects, wanted.target)
    moving = [raw for raw in objects if not stay.has(raw)]
    pools = {_name(raw): _new_name(_name(raw), wanted, is_new=_is_new_pool(raw, wanted)) for raw in moving if is_node_pool(raw)}
    classes = {_name(raw): _new_name(_name(raw), wanted, is_new=_is_new_class(raw, wanted)) for raw in moving if is_node_class(raw)}
    ingress = frozenset(_name(raw) for raw in objects if raw.get("kind") == "IngressClass" and is_replaced(raw, wanted.target, frozenset()))
    present = frozenset(_name(raw) for raw in objects if raw.get("kind") == "IngressClass")
    beside = [raw for raw in objects if is_replaced(raw, wanted.target, ingress)]
    others = Classes({(text(raw.get("kind")), _name(raw)): f"{_name(raw)}{wanted.suffix}" for raw in beside}, present)
    labels = Labels(wanted, pools, classes)
    return [_kept(raw, wanted.target) if stay.has(raw) else _converted(raw, labels, others) for raw in objects]


def _kept(raw: Mapping[str, object], target: Target) -> Converted:
    """A NodePool for Windows, or its node class: only its version changes."""
    log = Log()
    keep_windows(raw, target, log)
    return Converted(raw, convert_to_v1(raw, log) if is_node_pool(raw) and raw.get("apiVersion") == V1BETA1 else raw, tuple(log))


def _converted(raw: Mapping[str, object], labels: Labels, others: Classes) -> Converted:
    log = Log()
    convert_one = _of_kind(raw, others)
    made = convert_one(raw, labels, log) if convert_one is not None else raw
    included = False
    at = template_at(text(raw.get("kind")))
    if at is not None:
        template = deepcopy(dict(made))
        included = list_included(raw, part(raw, *map(str, at)), labels.wanted.target, log)
        if not included and not keeps_pods(part(raw, *map(str, at), "spec"), (*at, "spec"), labels.wanted.target, log):
            convert_pods(template, at, labels, log)
            made = template
    elif raw.get("kind") in _OLDEST:
        reason, instead = "it is of Karpenter before 0.32", "Convert it to v1beta1 first, with `karpenter-convert` of Karpenter 0.32"
        log.kept(("apiVersion",), raw.get("apiVersion"), reason, instead)
    elif raw.get("kind") == "PodDisruptionBudget":
        _budget(raw, labels.wanted.target, log)
    return Converted(raw, raw if made == raw else made, tuple(log), included)


def _of_kind(raw: Mapping[str, object], others: Classes) -> Callable[[Mapping[str, object], Labels, Log], Object] | None:
    if is_node_pool(raw):
        return convert_node_pool
    if is_node_class(raw):
        return convert_node_class
    if raw.get("kind") in KINDS:
        return lambda raw, labels, log: convert_cluster_object(raw, others, labels.wanted.target, log)
    return None


def _budget(raw: Mapping[str, object], target: Target, log: Log) -> None:
    """A PodDisruptionBudget that allows no eviction at all holds a drain by Karpenter as long as there is no limit."""
    spec = part(raw, "spec")
    for field, values in (("maxUnavailable", (0, "0%", "0")), ("minAvailable", ("100%",))):
        if target is Target.AUTO_MODE and field in spec and spec[field] in values and not isinstance(spec[field], bool):
            reason = "it never allows an eviction, but a drain by Auto Mode ends after terminationGracePeriod, 24h by default"
            log.kept(("spec", field), spec[field], reason, "Allow one eviction, or raise `terminationGracePeriod` of the NodePool")


def _is_new_pool(raw: Mapping[str, object], wanted: ConversionOptions) -> bool:
    """The cluster does not let a NodePool change the kind of its node class."""
    return class_group(raw) not in (None, wanted.target.node_class.group)


def _is_new_class(raw: Mapping[str, object], wanted: ConversionOptions) -> bool:
    return text(raw.get("apiVersion")).partition("/")[0] != wanted.target.node_class.group


def _new_name(name: str, wanted: ConversionOptions, *, is_new: bool) -> str:
    return f"{cut(name, _LONGEST_NAME - len(wanted.suffix))}{wanted.suffix}" if is_new else name


def _name(raw: Mapping[str, object]) -> str:
    return text(as_mapping(raw.get("metadata")).get("name"))


_NOT_IN: Final = "eks.amazonaws.com/compute-type NotIn [auto]"


@dataclass(frozen=True, slots=True)
class Included:
    """Something that a target brings itself."""

    title: str
    targets: tuple[Target, ...] = (Target.AUTO_MODE,)
    scales: bool = False
    """It creates nodes."""


_INCLUDED: Final[Mapping[str, Included]] = {
    "amazon-k8s-cni": Included("The Amazon VPC CNI"),
    "kube-proxy": Included("kube-proxy"),
    "coredns": Included("CoreDNS"),
    "aws-ebs-csi-driver": Included("The EBS CSI driver"),
    "ebs-csi-driver": Included("The EBS CSI driver"),
    "eks-pod-identity-agent": Included("The EKS Pod Identity agent"),
    "aws-load-balancer-controller": Included("The AWS Load Balancer Controller"),
    "eks-node-monitoring-agent": Included("The node monitoring agent"),
    "aws-node-termination-handler": Included("The handling of spot interruptions"),
    "k8s-device-plugin": Included("The NVIDIA device plugin"),
    "neuron-device-plugin": Included("The Neuron device plugin"),
    "karpenter": Included("Karpenter", tuple(Target), scales=True),
    "controller": Included("Karpenter", tuple(Target), scales=True),
    "cluster-autoscaler": Included("The cluster autoscaler", tuple(Target), scales=True),
}
"""By the last part of the name of the image."""
_CONTROLLER: Final = "karpenter/controller"


def list_included(raw: Mapping[str, object], template: object, target: Target, log: Log) -> bool:
    """Adds the containers that the target brings itself. Tells whether there are any."""
    found = False
    for index, container in enumerate(as_list(part(template, "spec").get("containers"))):
        image = text(as_mapping(container).get("image"))
        included = _of_image(image)
        if included is None or target not in included.targets:
            continue
        found = True
        at = ("spec", "template", "spec", "containers", index, "image")
        log.kept(at, image, *_included_advice(included, target, is_daemon=raw.get("kind") == "DaemonSet"))
    return found


def _of_image(image: str) -> Included | None:
    path = image.partition("@")[0]
    name = path.rpartition("/")[2].partition(":")[0]
    if name == "controller" and _CONTROLLER not in path:
        return None
    return _INCLUDED.get(name)


def _included_advice(included: Included, target: Target, *, is_daemon: bool) -> tuple[str, str]:
    if included.scales:
        reason = f"{included.title} launches nodes for the same pending pods as {target.title}"
        return reason, "Remove it after its last node"
    reason = f"{included.title} is part of {target.title}"
    if is_daemon:
        return reason, f"Keep it off the new nodes with node affinity `{_NOT_IN}`, and remove it after the last other node"
    return reason, "Remove it after the last other node"

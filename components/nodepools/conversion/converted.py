"""Converts the objects of a cluster together, so that they keep referring to each other under their new names, and lists what has no equivalent.

Fields of objects next to pools and workloads cannot be changed in place, and Auto Mode takes over neither volumes nor load balancers: new objects are
created next to the old ones. Targets launch Linux nodes, so what only launches or needs Windows nodes stays.

Sources, read 2026-11-23: EKS user guide (eks-add-ons, automode, auto-accelerated, auto-migrate-karpenter, auto-configure-alb, auto-configure-nlb,
create-storage-class), AKS (node-auto-provisioning). Facts: docs/facts/eks.md C42, § 3.6.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Final

from nodepools.conversion.labels import EBS_ZONE, FITS_NONE, Labels, convert_pods, list_selected, selected_groups
from nodepools.conversion.node_classes import convert_node_class, is_node_class
from nodepools.conversion.node_pools import CLASS, class_group, convert_node_pool, is_node_pool
from nodepools.conversion.raw_parts import (
    V1BETA1,
    Classes,
    Convert,
    Object,
    as_list,
    as_mapping,
    as_new_object,
    convert_to_v1,
    part,
    removed_if_empty,
    renamed,
    text,
)
from nodepools.conversion.unconverted import ConversionOptions, Log, Outcome, Target, Unconverted
from nodepools.model.name_limits import cut
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import ZONE
from nodepools.placement.workloads.reader import pod_places

_REQUIREMENTS: Final = ("spec", "template", "spec", "requirements")
_OS, _BUILD, _WINDOWS, _LINUX = "kubernetes.io/os", "node.kubernetes.io/windows-build", "windows", "linux"
_INSTEAD: Final[Mapping[Target, str]] = {
    Target.AUTO_MODE: "Keep Karpenter or a node group for its pods",
    Target.NAP: "Use an agent pool with Windows nodes for its pods",
}


@dataclass(frozen=True, slots=True)
class WindowsObjects:
    """The names of these NodePools and node classes."""

    pools: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()

    @classmethod
    def among(cls, objects: Sequence[Mapping[str, object]], target: Target) -> "WindowsObjects":
        """Those among the objects of a cluster; the target's own objects are not converted anyway."""
        every = [raw for raw in objects if is_node_pool(raw)]
        pools = [raw for raw in every if only_windows(raw) and class_group(raw) != target.node_class.group]
        others = {_class_of(raw) for raw in every if raw not in pools}
        return cls(frozenset(map(_name, pools)), frozenset(_class_of(raw) for raw in pools) - others)

    def has(self, raw: Mapping[str, object]) -> bool:
        """The object is one of them."""
        return (is_node_pool(raw) and _name(raw) in self.pools and only_windows(raw)) or (is_node_class(raw) and _name(raw) in self.classes)


def only_windows(raw: Mapping[str, object]) -> bool:
    """A requirement of the NodePool allows no other system."""
    return any(map(_is_of_windows, as_list(part(raw, *_REQUIREMENTS[:-1]).get(_REQUIREMENTS[-1]))))


def keeps_pods(spec: Object, at: Steps, target: Target, log: Log) -> bool:
    """The pods require Windows; notes why they stay."""
    selector = part(spec, "nodeSelector")
    terms = as_list(part(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution").get("nodeSelectorTerms"))
    selected = selector.get(_OS) == _WINDOWS or _BUILD in selector or part(spec, "os").get("name") == _WINDOWS
    if not selected and not (terms and all(any(map(_is_of_windows, as_list(as_mapping(term).get("matchExpressions")))) for term in terms)):
        return False
    log.kept(at, _WINDOWS, f"{target.title} launches no Windows nodes: the pods stay as they are", _INSTEAD[target])
    return True


def _is_of_windows(requirement: object) -> bool:
    """A requirement of a NodePool, or an expression of node affinity, allows no other system."""
    written = as_mapping(requirement)
    key, values = written.get("key"), as_list(written.get("values"))
    if key == _OS:
        return bool(values) and {"In": _LINUX not in values, "NotIn": _LINUX in values}.get(text(written.get("operator")), False)
    return key == _BUILD and (bool(values) if written.get("operator") == "In" else written.get("operator") == "Exists")


def keep_windows(raw: Mapping[str, object], target: Target, log: Log) -> None:
    """Notes why the object stays."""
    reason = f"{target.title} launches no Windows nodes: the object stays as it is"
    place = _REQUIREMENTS if is_node_pool(raw) else ("metadata", "name")
    log.kept(place, _WINDOWS if is_node_pool(raw) else _name(raw), reason, _INSTEAD[target])


def _name(raw: Mapping[str, object]) -> str:
    return text(as_mapping(raw.get("metadata")).get("name"))


def _class_of(raw: Mapping[str, object]) -> str:
    return text(part(raw, *_REQUIREMENTS[:-1], "nodeClassRef").get("name"))


OLD_DRIVERS: Final = ("ebs.csi.aws.com", "kubernetes.io/aws-ebs")
"""The drivers of EBS volumes outside of Auto Mode."""
DRIVER: Final = "ebs.csi.eks.amazonaws.com"
"""The driver of Auto Mode."""
_IS_DEFAULT: Final = "storageclass.kubernetes.io/is-default-class"


def convert_storage_class(made: Object, _: Classes, log: Log) -> None:
    """Converts a StorageClass in place."""
    made["provisioner"] = DRIVER
    parameters = part(made, "parameters")
    if "fsType" in parameters:
        renamed(parameters, "fsType", "csi.storage.k8s.io/fstype")
    _topologies(made, log)
    reason = "volumes that exist keep the driver `ebs.csi.aws.com`, and nodes of Auto Mode cannot mount them"
    log.changed(("provisioner",), OLD_DRIVERS[0], reason, "Create new claims with the new class, and move the data, for example from snapshots")
    if text(part(made, "metadata", "annotations").get(_IS_DEFAULT)) == "true":
        log.kept(
            ("metadata", "annotations", _IS_DEFAULT), "true", "with two default classes, Kubernetes uses the newest", "Remove it from the old class"
        )


def _topologies(made: Object, log: Log) -> None:
    """Restricts volumes to nodes of Auto Mode: other nodes cannot mount them, and pods with them would be scheduled there, too."""
    topologies = as_list(made.get("allowedTopologies"))
    if not topologies:
        topologies.append({})
        made["allowedTopologies"] = topologies
    for index, topology in enumerate(topologies):
        expressions = as_list(as_mapping(topology).setdefault("matchLabelExpressions", []))
        for number, expression in enumerate(expressions):
            if as_mapping(expression).get("key") == EBS_ZONE:
                as_mapping(expression)["key"] = ZONE
                at = ("allowedTopologies", index, "matchLabelExpressions", number, "key")
                log.changed(at, EBS_ZONE, f"nodes of Auto Mode have the zone in `{ZONE}`")
        expressions.append({"key": "eks.amazonaws.com/compute-type", "values": ["auto"]})


def convert_snapshot_class(made: Object, _: Classes, log: Log) -> None:
    """Converts a VolumeSnapshotClass in place."""
    made["driver"] = DRIVER
    log.changed(("driver",), OLD_DRIVERS[0], "snapshots that exist keep their class", None)


def list_claim(made: Object, classes: Classes, log: Log) -> None:
    """Lists the class of a claim that has a new one."""
    _claimed(part(made, "spec"), ("spec",), classes, log)


def list_claim_templates(made: Object, classes: Classes, log: Log) -> None:
    """Lists the classes of claims of a StatefulSet that have a new one."""
    for index, template in enumerate(as_list(part(made, "spec").get("volumeClaimTemplates"))):
        _claimed(part(template, "spec"), ("spec", "volumeClaimTemplates", index, "spec"), classes, log)


def _claimed(spec: Object, at: tuple[str | int, ...], classes: Classes, log: Log) -> None:
    name = text(spec.get("storageClassName"))
    new = classes.of("StorageClass").get(name)
    if new is not None and new != name:
        reason = "a claim keeps its class and its volume, which nodes of Auto Mode cannot mount"
        log.kept((*at, "storageClassName"), name, reason, f"Keep these pods on the old nodes, or move the data to a claim of the class `{new}`")


ALB: Final = ("ingress.k8s.aws/alb", "eks.amazonaws.com/alb")
NLB: Final = ("service.k8s.aws/nlb", "eks.amazonaws.com/nlb")
GROUP: Final = ("elbv2.k8s.aws", "eks.amazonaws.com")
"""Of each, the name in the controller of AWS, and that in Auto Mode."""
_LB_TYPE: Final = "service.beta.kubernetes.io/aws-load-balancer-type"
_CONTROLLER_TYPES: Final = ("external", "nlb-ip")
"""Values of the annotation of Services that the AWS Load Balancer Controller takes."""
_CLASS_ANNOTATION: Final = "kubernetes.io/ingress.class"
_NOT_IN_AUTO_MODE: Final = {
    "alb.ingress.kubernetes.io/group.name": "Set `group` in the IngressClassParams",
    "alb.ingress.kubernetes.io/waf-acl-id": "Use WAF v2",
    "alb.ingress.kubernetes.io/web-acl-id": "Use WAF v2",
    "alb.ingress.kubernetes.io/shield-advanced-protection": "Protect the load balancer outside of the cluster",
}
"""Annotations of Ingresses that Auto Mode ignores (EKS user guide, auto-configure-alb)."""
_NEW_BALANCER: Final = "Auto Mode does not take over load balancers: the new object creates another one"
_MOVE: Final = "Move DNS to the new load balancer, then delete the old object, and its controller last"


def convert_ingress_class(made: Object, classes: Classes, log: Log) -> None:
    """Converts an IngressClass in place."""
    spec = part(made, "spec")
    spec["controller"] = ALB[1]
    parameters = part(spec, "parameters")
    if parameters.get("apiGroup") == GROUP[0]:
        parameters["apiGroup"] = GROUP[1]
        name = text(parameters.get("name"))
        new = classes.of("IngressClassParams").get(name)
        if new is None:
            log.kept(("spec", "parameters", "name"), name, "no IngressClassParams of this name is among these files", "Convert it, too")
        else:
            parameters["name"] = new


def convert_ingress_params(made: Object, _: Classes, log: Log) -> None:
    """Converts IngressClassParams in place."""
    made["apiVersion"] = f"{GROUP[1]}/v1"
    spec = part(made, "spec")
    if "certificateArn" in spec:
        certificates = spec["certificateArn"]
        renamed(spec, "certificateArn", "certificateARNs")
        spec["certificateARNs"] = certificates if isinstance(certificates, list) else [certificates]
    subnets = part(spec, "subnets")
    if "tags" in subnets:
        reason, instead = "Auto Mode has `matchTags` instead, in a form that AWS does not document", "Select the subnets by `ids`"
        log.removed(("spec", "subnets", "tags"), subnets.pop("tags"), reason, instead)
        removed_if_empty(spec, "subnets")
    for index, listener in enumerate(as_list(spec.get("listeners"))):
        if "listenerAttributes" in as_mapping(listener):
            at = ("spec", "listeners", index, "listenerAttributes")
            log.removed(at, as_mapping(listener).pop("listenerAttributes"), "Auto Mode does not support attributes of listeners")


def convert_target_group(made: Object, _: Classes, log: Log) -> None:
    """Converts a TargetGroupBinding in place."""
    made["apiVersion"] = f"{GROUP[1]}/v1"
    if "targetType" not in part(made, "spec"):
        log.missing(("spec", "targetType"), "Auto Mode requires it", "Set `ip` or `instance`, as the target group has it")
    log.changed(
        ("apiVersion",), f"{GROUP[0]}/v1beta1", "Auto Mode manages target groups with the tag `eks:eks-cluster-name` only", "Tag the target group"
    )


def convert_ingress(made: Object, classes: Classes, log: Log) -> None:
    """Converts an Ingress in place."""
    spec, annotations = part(made, "spec"), part(made, "metadata", "annotations")
    old = class_of_ingress(made)
    annotations.pop(_CLASS_ANNOTATION, None)
    spec["ingressClassName"] = classes.of("IngressClass")[old]
    for name, instead in _NOT_IN_AUTO_MODE.items():
        if name in annotations:
            log.kept(("metadata", "annotations", name), annotations[name], "Auto Mode ignores this annotation", instead)
    log.changed(("spec", "ingressClassName"), old, _NEW_BALANCER, _MOVE)


def convert_service(made: Object, _: Classes, log: Log) -> None:
    """Converts a Service with a load balancer in place."""
    spec, annotations = part(made, "spec"), part(made, "metadata", "annotations")
    old = spec.get("loadBalancerClass")
    spec["loadBalancerClass"] = NLB[1]
    if annotations.get(_LB_TYPE) in _CONTROLLER_TYPES:
        old = annotations.pop(_LB_TYPE)
    for name in ("clusterIP", "clusterIPs", "healthCheckNodePort"):
        spec.pop(name, None)
    for port in as_list(spec.get("ports")):
        as_mapping(port).pop("nodePort", None)
    log.changed(("spec", "loadBalancerClass"), old, _NEW_BALANCER, f"{_MOVE}; keep the old name as a ClusterIP Service for clients in the cluster")


def list_service(made: Object, _: Classes, log: Log) -> None:
    """Lists a load balancer that stays."""
    spec = part(made, "spec")
    if spec.get("type") == "LoadBalancer" and "loadBalancerClass" not in spec:
        reason = "this Service has the load balancer of the cloud provider of Kubernetes, and keeps it"
        log.kept(("spec", "type"), "LoadBalancer", reason, f"For one of Auto Mode, create a Service with `loadBalancerClass: {NLB[1]}`")


def list_ingress(made: Object, classes: Classes, log: Log) -> None:
    """Lists an Ingress whose class is not known."""
    name = class_of_ingress(made)
    if name == "alb" and name not in classes.ingress:
        log.kept(("spec", "ingressClassName"), name, "its IngressClass is not among these files", "Convert it together with the Ingress")


def class_of_ingress(raw: Mapping[str, object]) -> str:
    """The IngressClass of an Ingress; empty if it names none."""
    named = text(part(raw, "spec").get("ingressClassName"))
    return named if named else text(part(raw, "metadata", "annotations").get(_CLASS_ANNOTATION))


def is_balanced_by_controller(raw: Mapping[str, object]) -> bool:
    """The AWS Load Balancer Controller has created the load balancer of the Service."""
    spec = part(raw, "spec")
    if spec.get("type") != "LoadBalancer":
        return False
    own = spec.get("loadBalancerClass")
    return own == NLB[0] or (own is None and part(raw, "metadata", "annotations").get(_LB_TYPE) in _CONTROLLER_TYPES)


_NO_DRIVER_ON_AZURE: Final = "Azure has no EBS volumes"
_NO_BALANCER_ON_AZURE: Final = "it is of a load balancer of AWS"


def is_replaced(raw: Mapping[str, object], target: Target, converted_classes: frozenset[str]) -> bool:
    """The object is converted, and can only be created next to the old one. `converted_classes` are the IngressClasses that are converted."""
    if target is not Target.AUTO_MODE:
        return False
    kind, spec = raw.get("kind"), part(raw, "spec")
    match kind:
        case "StorageClass":
            is_old = raw.get("provisioner") in OLD_DRIVERS
        case "VolumeSnapshotClass":
            is_old = raw.get("driver") == OLD_DRIVERS[0]
        case "IngressClass":
            is_old = spec.get("controller") == ALB[0]
        case "IngressClassParams" | "TargetGroupBinding":
            is_old = text(raw.get("apiVersion")).startswith(f"{GROUP[0]}/")
        case "Ingress":
            is_old = class_of_ingress(raw) in converted_classes
        case _:
            is_old = kind == "Service" and is_balanced_by_controller(raw)
    return is_old


def convert_cluster_object(raw: Mapping[str, object], classes: Classes, target: Target, log: Log) -> Object:
    """Returns the object for the target; the same values if it needs no other ones."""
    made, kind = deepcopy(dict(raw)), text(raw.get("kind"))
    if target is Target.AUTO_MODE:
        if (kind, text(part(raw, "metadata").get("name"))) in classes.names:
            as_new_object(made, classes.of(kind))
            _AUTO_MODE[kind](made, classes, log)
        elif kind in _LEFT:
            _LEFT[kind](made, classes, log)
    else:
        _of_aws(raw, log)
    return made


def _without_effect(reason: str, instead: str) -> Convert:
    return lambda made, _, log: log.kept(("apiVersion",), made.get("apiVersion"), reason, f"Use {instead}")


def _of_aws(raw: Mapping[str, object], log: Log) -> None:
    """Lists what node auto provisioning cannot use."""
    kind, spec = raw.get("kind"), part(raw, "spec")
    if kind == "StorageClass" and raw.get("provisioner") in (*OLD_DRIVERS, DRIVER):
        log.kept(("provisioner",), raw["provisioner"], _NO_DRIVER_ON_AZURE, "Use `disk.csi.azure.com`, or the class `managed-csi` of AKS")
    elif kind == "IngressClass" and spec.get("controller") in ALB:
        log.kept(("spec", "controller"), spec["controller"], _NO_BALANCER_ON_AZURE, "Use an ingress controller of AKS, such as application routing")
    elif kind == "Service" and spec.get("loadBalancerClass") in NLB:
        log.kept(("spec", "loadBalancerClass"), spec["loadBalancerClass"], _NO_BALANCER_ON_AZURE, "Remove it: AKS creates an Azure load balancer")


_AUTO_MODE: Final[Mapping[str, Convert]] = {
    "StorageClass": convert_storage_class,
    "VolumeSnapshotClass": convert_snapshot_class,
    "IngressClass": convert_ingress_class,
    "IngressClassParams": convert_ingress_params,
    "TargetGroupBinding": convert_target_group,
    "Ingress": convert_ingress,
    "Service": convert_service,
}
"""The kinds that are created next to the old objects."""
_LEFT: Final[Mapping[str, Convert]] = {
    "PersistentVolumeClaim": list_claim,
    "StatefulSet": list_claim_templates,
    "Service": list_service,
    "Ingress": list_ingress,
    "SecurityGroupPolicy": _without_effect(
        "Auto Mode does not support security groups for pods", "a NodeClass with `podSecurityGroupSelectorTerms` for these pods"
    ),
    "ENIConfig": _without_effect("Auto Mode ignores ENIConfigs", "`podSubnetSelectorTerms` and `podSecurityGroupSelectorTerms` of the NodeClass"),
}
"""Kinds that stay, with what has no equivalent."""
KINDS: Final = frozenset((*_AUTO_MODE, *_LEFT))


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

    @property
    def why_not_ready(self) -> str:
        """Why a NodePool launches no node: its node class is not in the input; empty if it is."""
        return next((one.message for one in self.unconverted if one.outcome is Outcome.MISSING and CLASS in one.steps), "")

    @property
    def left_groups(self) -> tuple[str, ...]:
        """The node groups and agent pools that its pods still require, and a NodePool could replace: none can for pods that require Windows."""
        return () if any((one.value, one.outcome) == (_WINDOWS, Outcome.KEPT) for one in self.unconverted) else selected_groups(self.new)

    @property
    def is_stranded(self) -> bool:
        """Its pods select a label, or a value, that no node of the target has."""
        return any(one.fix == FITS_NONE and "nodeSelector" in one.steps for one in self.unconverted)


def convert(objects: Sequence[Mapping[str, object]], wanted: ConversionOptions) -> list[Converted]:
    """Returns each object, converted for the target. To convert the result again changes nothing."""
    kinds = {_name(raw): text(raw.get("kind")) for raw in objects if is_node_class(raw)}
    objects = [_with_kind(raw, kinds) for raw in objects]
    stay = WindowsObjects.among(objects, wanted.target)
    moving = [raw for raw in objects if not stay.has(raw)]
    pools = {_name(raw): _new_name(raw, wanted, class_group(raw)) for raw in moving if is_node_pool(raw)}
    classes = {_name(raw): _new_name(raw, wanted, text(raw.get("apiVersion")).partition("/")[0]) for raw in moving if is_node_class(raw)}
    ingress = frozenset(_name(raw) for raw in objects if raw.get("kind") == "IngressClass" and is_replaced(raw, wanted.target, frozenset()))
    present = frozenset(_name(raw) for raw in objects if raw.get("kind") == "IngressClass")
    beside = [raw for raw in objects if is_replaced(raw, wanted.target, ingress)]
    others = Classes({(text(raw.get("kind")), _name(raw)): f"{_name(raw)}{wanted.suffix}" for raw in beside}, present)
    labels = Labels(wanted, pools, classes)
    return [_kept(raw, wanted.target) if stay.has(raw) else _converted(raw, labels, others) for raw in objects]


def _with_kind(raw: Mapping[str, object], kinds: Mapping[str, str]) -> Mapping[str, object]:
    """Before v1, a NodePool can name a node class without its kind: Karpenter adds that of its provider."""
    if not is_node_pool(raw) or raw.get("apiVersion") != V1BETA1 or class_group(raw) is not None or _class_of(raw) not in kinds:
        return raw
    made = deepcopy(dict(raw))
    part(made, *_REQUIREMENTS[:-1], CLASS)["kind"] = kinds[_class_of(raw)]
    return made


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
    for at in pod_places(raw):
        template = deepcopy(dict(made))
        included = list_included(raw, part(raw, *at), labels.wanted.target, log) or included
        if not included and not keeps_pods(part(raw, *at, "spec"), (*at, "spec"), labels.wanted.target, log):
            convert_pods(template, at, labels, log)
            made = template
    if raw.get("kind") in ("Provisioner", "AWSNodeTemplate"):
        reason, instead = "it is of Karpenter before 0.32", "Convert it to v1beta1 first, with `karpenter-convert` of Karpenter 0.32"
        log.kept(("apiVersion",), raw.get("apiVersion"), reason, instead)
    elif raw.get("kind") == "PodDisruptionBudget":
        _budget(raw, labels.wanted.target, log)
    elif (
        convert_one is None
        and raw.get("kind") not in ("Node", "NodeClaim", "PersistentVolume", "CustomResourceDefinition")
        and not [*pod_places(raw)]
    ):
        list_selected(raw.get("spec"), ("spec",), labels, log)
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


def _new_name(raw: Mapping[str, object], wanted: ConversionOptions, group: str | None) -> str:
    """That of a node class of the `group`, or of a NodePool with one: the cluster does not let a NodePool change the kind of its node class."""
    is_new, name = group not in (None, wanted.target.node_class.group), _name(raw)
    return f"{cut(name, _LONGEST_NAME - len(wanted.suffix))}{wanted.suffix}" if is_new else name


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
    if name == "controller" and "karpenter/controller" not in path:
        return None
    return _INCLUDED.get(name)


def _included_advice(included: Included, target: Target, *, is_daemon: bool) -> tuple[str, str]:
    if included.scales:
        return f"{included.title} launches nodes for the same pending pods as {target.title}", "Remove it after its last node"
    advice = f"Keep it off the new nodes with node affinity `{_NOT_IN}`, and remove it" if is_daemon else "Remove it"
    return f"{included.title} is part of {target.title}", f"{advice} after the last other node"

"""Converts objects next to pools and workloads from the controllers of AWS to those of EKS Auto Mode, and lists what has no equivalent.

Their fields cannot be changed in place, and Auto Mode takes over neither volumes nor load balancers: new objects are created next to the old ones.

Sources, read 2026-11-23: EKS user guide, auto-configure-alb, auto-configure-nlb.

Source, read 2026-11-23: EKS user guide, create-storage-class.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Final

from nodepools.conversion.metadata import Classes, Convert, as_new_object
from nodepools.conversion.raw_parts import Object, as_list, as_mapping, part, removed_if_empty, renamed, text
from nodepools.conversion.targets import Target
from nodepools.conversion.unconverted import Log

OLD_DRIVERS: Final = ("ebs.csi.aws.com", "kubernetes.io/aws-ebs")
"""The drivers of EBS volumes outside of Auto Mode."""
DRIVER: Final = "ebs.csi.eks.amazonaws.com"
"""The driver of Auto Mode."""
_IS_DEFAULT: Final = "storageclass.kubernetes.io/is-default-class"
_EBS_ZONE: Final = "topology.ebs.csi.aws.com/zone"


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
            ("metadata", "annotations", _IS_DEFAULT),
            "true",
            "with two default classes, Kubernetes uses the newest",
            "Remove it from the old class",
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
            if as_mapping(expression).get("key") == _EBS_ZONE:
                as_mapping(expression)["key"] = "topology.kubernetes.io/zone"
                at = ("allowedTopologies", index, "matchLabelExpressions", number, "key")
                log.changed(at, _EBS_ZONE, "nodes of Auto Mode have the zone in `topology.kubernetes.io/zone`")
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
        log.kept((*at, "storageClassName"), name, reason, f"Move the data to a claim of the class `{new}`, or keep these pods on the old nodes")


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


def _security_groups(made: Object, _: Classes, log: Log) -> None:
    reason = "Auto Mode does not support security groups for pods"
    log.kept(("apiVersion",), made.get("apiVersion"), reason, "Use a NodeClass with `podSecurityGroupSelectorTerms` for these pods")


def _eni(made: Object, _: Classes, log: Log) -> None:
    reason = "Auto Mode ignores ENIConfigs"
    log.kept(("apiVersion",), made.get("apiVersion"), reason, "Use `podSubnetSelectorTerms` and `podSecurityGroupSelectorTerms` of the NodeClass")


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
    "SecurityGroupPolicy": _security_groups,
    "ENIConfig": _eni,
}
"""Kinds that stay, with what has no equivalent."""
KINDS: Final = frozenset((*_AUTO_MODE, *_LEFT))

"""Converts load balancing from the AWS Load Balancer Controller to EKS Auto Mode, which takes over no load balancer.

Sources, read 2026-11-23: EKS user guide, auto-configure-alb, auto-configure-nlb.
"""

from collections.abc import Mapping
from typing import Final

from nodepools.conversion.raw_parts import Object, as_list, as_mapping, part, removed_if_empty, renamed, text
from nodepools.conversion.replaced_names import Classes
from nodepools.conversion.unconverted import Log

ALB: Final = ("ingress.k8s.aws/alb", "eks.amazonaws.com/alb")
NLB: Final = ("service.k8s.aws/nlb", "eks.amazonaws.com/nlb")
GROUP: Final = ("elbv2.k8s.aws", "eks.amazonaws.com")
"""Of each, the name in the controller of AWS, and that in Auto Mode."""
_TYPE: Final = "service.beta.kubernetes.io/aws-load-balancer-type"
_CONTROLLED: Final = ("external", "nlb-ip")
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
    if annotations.get(_TYPE) in _CONTROLLED:
        old = annotations.pop(_TYPE)
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
    return own == NLB[0] or (own is None and part(raw, "metadata", "annotations").get(_TYPE) in _CONTROLLED)

"""Converts objects next to pools and workloads from the controllers of AWS to those of EKS Auto Mode, and lists what has no equivalent.

Their fields cannot be changed in place, and Auto Mode takes over neither volumes nor load balancers: new objects are created next to the old ones.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Final

from nodepools.conversion.load_balancing import (
    ALB,
    GROUP,
    NLB,
    class_of_ingress,
    convert_ingress,
    convert_ingress_class,
    convert_ingress_params,
    convert_service,
    convert_target_group,
    is_balanced_by_controller,
    list_ingress,
    list_service,
)
from nodepools.conversion.metadata import as_new_object
from nodepools.conversion.raw_parts import Object, part, text
from nodepools.conversion.replaced_names import Classes, Convert
from nodepools.conversion.storage import DRIVER, OLD_DRIVERS, convert_snapshot_class, convert_storage_class, list_claim, list_claim_templates
from nodepools.conversion.targets import Target
from nodepools.conversion.unconverted import Log

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

"""Objects that Auto Mode creates or uses, and selector terms of NodeClasses. Facts: docs/facts/eks.md § 1.3, § 2, § 13, C43."""

from collections.abc import Callable, Iterator
from typing import Final, get_args

from nodepools.clouds.cloud_objects import CloudObjects
from nodepools.model.eks.cluster import EksClusterArgs, IngressClass, StorageClass
from nodepools.model.eks.node_class import BUILT_IN_CLASS, AutoMode, BuiltIn
from nodepools.model.ref import Ref

EKS_OBJECTS: Final = CloudObjects(
    parent=AutoMode,
    not_in_files=("built_in_node_pools",),
    node_pools=get_args(BuiltIn),
    node_classes=(BUILT_IN_CLASS,),
    is_created_by_cloud=lambda labels, _: labels.get("app.kubernetes.io/managed-by") == "eks",
    built_in="that EKS Auto Mode creates: EKS reverts changes to it while a built-in NodePool is enabled",
    built_in_fix="Rename it, such as to `custom-{name}`",
    built_in_source="https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html and create-node-class.html",
)
_GROUP = "eks.amazonaws.com"
_PARAMETERS = "IngressClassParams"

Object = dict[str, object]


def auto_mode_objects(cluster: EksClusterArgs, resolve: Callable[[Ref], object]) -> Iterator[tuple[str, Object]]:
    """Yields the objects, each with a short name; parameters before the class that refers to them."""
    declared = cluster.objects
    if declared.storage_class is not None:
        yield "storage-class", _storage_class(declared.storage_class, resolve)
    if declared.ingress_class is not None:
        yield "ingress-class-params", _ingress_parameters(declared.ingress_class, cluster.ingress_scheme)
        yield "ingress-class", _ingress_class(declared.ingress_class)


CONTROLLER: Final = ("kube-system", "amazon-vpc-cni")
"""Namespace and name of the ConfigMap that the network policy controller reads."""
SWITCH: Final = "enable-network-policy-controller"


def network_policy_controller() -> Object:
    """Returns the ConfigMap that turns on the network policy controller."""
    namespace, name = CONTROLLER
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": namespace, "name": name}, "data": {SWITCH: "true"}}


def _storage_class(declared: StorageClass, resolve: Callable[[Ref], object]) -> Object:
    """Returns the storage class: volumes are created in the zone of the pod, by the provisioner of Auto Mode, not of `ebs.csi.aws.com`."""
    parameters: Object = {"type": declared.volume_type, "encrypted": str(declared.encrypted).lower()}
    if declared.iops is not None:
        parameters["iops"] = str(declared.iops)
    if declared.kms_key is not None:
        parameters["kmsKeyId"] = resolve(declared.kms_key)
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": _metadata(declared.name, "storageclass.kubernetes.io/is-default-class", is_default=declared.default),
        "provisioner": f"ebs.csi.{_GROUP}",
        "parameters": parameters,
        "reclaimPolicy": declared.reclaim,
        "volumeBindingMode": "WaitForFirstConsumer",
        "allowVolumeExpansion": declared.expansion,
        "allowedTopologies": [{"matchLabelExpressions": [{"key": f"{_GROUP}/compute-type", "values": ["auto"]}]}],
    }


def _ingress_parameters(declared: IngressClass, scheme: str) -> Object:
    return {"apiVersion": f"{_GROUP}/v1", "kind": _PARAMETERS, "metadata": {"name": declared.name}, "spec": {"scheme": scheme}}


def _ingress_class(declared: IngressClass) -> Object:
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "IngressClass",
        "metadata": _metadata(declared.name, "ingressclass.kubernetes.io/is-default-class", is_default=declared.default),
        "spec": {"controller": f"{_GROUP}/alb", "parameters": {"apiGroup": _GROUP, "kind": _PARAMETERS, "name": declared.name}},
    }


def _metadata(name: str, annotation: str, *, is_default: bool) -> Object:
    return {"name": name, **({"annotations": {annotation: "true"}} if is_default else {})}


INTERNAL_ELB = {"kubernetes.io/role/internal-elb": "1"}
"""The tag of private subnets that internal load balancers look for (C37)."""
NETWORK_TAG = "nodepools/network"
"""The tag of all subnets of an `EksNetwork`; its value is the name of the network."""


def private_subnets(network: str) -> list[dict[str, object]]:
    """Returns the terms for the private subnets of an `EksNetwork`."""
    return [{"tags": {**INTERNAL_ELB, NETWORK_TAG: network}}]


def cluster_security_group(cluster: object) -> list[dict[str, object]]:
    """Returns the terms for the security group that EKS creates for a cluster."""
    return [{"tags": {"aws:eks:cluster-name": cluster}}]

"""Objects of EKS Auto Mode. Facts: docs/facts/eks.md § 1.3."""

from typing import Final, get_args

from nodepools.clouds.cloud_objects import CloudObjects
from nodepools.model.eks.node_class import BUILT_IN_CLASS, AutoMode, BuiltIn

EKS_OBJECTS: Final = CloudObjects(
    parent=AutoMode,
    not_in_files=("built_in_node_pools",),
    node_pools=get_args(BuiltIn),
    node_classes=(BUILT_IN_CLASS,),
    is_created_by_cloud=lambda labels, _: labels.get("app.kubernetes.io/managed-by") == "eks",
    built_in="that EKS Auto Mode creates: EKS reverts changes to it while a built-in NodePool is enabled",
    built_in_fix="Use another name",
    built_in_source="https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html and create-node-class.html",
)

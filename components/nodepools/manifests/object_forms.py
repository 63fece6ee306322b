"""The object kinds of each cloud."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from nodepools.manifests.object_reader import Form, PoolForm, pool_form
from nodepools.manifests.supported_kinds import Cloud
from nodepools.model.aks.node_provisioning import AksNodeClass, AksNodePool
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import ec2_node_class as ec2
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS

EKS_POOL: Final = pool_form(EksNodePool, EKS_NODE_CLASS)
AKS_POOL: Final = pool_form(AksNodePool, AKS_NODE_CLASS)
SELF_MANAGED_POOL: Final = pool_form(NodePool, EC2_NODE_CLASS)
EKS_CLASS: Final = Form(EksNodeClass, EKS_NODE_CLASS, eks.NODE_CLASS)
EC2_CLASS: Final = Form(Ec2NodeClass, EC2_NODE_CLASS, ec2.NODE_CLASS)
AKS_CLASS: Final = Form(AksNodeClass, AKS_NODE_CLASS, aks.NODE_CLASS)

AnyForm: TypeAlias = PoolForm[EksNodePool] | PoolForm[AksNodePool] | PoolForm[NodePool] | Form[EksNodeClass] | Form[Ec2NodeClass] | Form[AksNodeClass]
_POOLS: Final[Mapping[Cloud, AnyForm]] = {Cloud.EKS: EKS_POOL, Cloud.AKS: AKS_POOL, Cloud.SELF_MANAGED: SELF_MANAGED_POOL}
_CLASSES: Final[Mapping[Cloud, AnyForm]] = {Cloud.EKS: EKS_CLASS, Cloud.AKS: AKS_CLASS, Cloud.SELF_MANAGED: EC2_CLASS}


def form_of(cloud: Cloud, *, is_pool: bool) -> AnyForm:
    """Returns the form of the NodePools, or of the node classes, of a cloud."""
    return (_POOLS if is_pool else _CLASSES)[cloud]

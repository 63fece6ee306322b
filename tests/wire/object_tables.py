"""The tables of objects, with the models that they are of."""

import pytest

from nodepools import AksNodeClass, AksNodePool, EksNodeClass, EksNodePool
from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import ec2_node_class as ec2
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, node_pool_table
from nodepools.wire.table import Table

EKS_POOL, AKS_POOL = node_pool_table(EKS_NODE_CLASS), node_pool_table(AKS_NODE_CLASS)
TABLES: list[tuple[str, Table, type[Model]]] = [
    ("NodePool of EKS", EKS_POOL, EksNodePool),
    ("NodePool of AKS", AKS_POOL, AksNodePool),
    ("NodeClass", eks.NODE_CLASS, EksNodeClass),
    ("EC2NodeClass", ec2.NODE_CLASS, Ec2NodeClass),
    ("AKSNodeClass", aks.NODE_CLASS, AksNodeClass),
]
each_table = pytest.mark.parametrize(("table", "model"), [row[1:] for row in TABLES], ids=[row[0] for row in TABLES])

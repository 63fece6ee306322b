"""The objects inside a cluster: NodePools and node classes."""

from dataclasses import dataclass
from typing import Final

from nodepools.clouds.change import OUTPUT, ResourceName
from nodepools.clouds.request import AKS_NODE_CLASS as AKS_CLASS_TYPE
from nodepools.clouds.request import CLASS, CLUSTER, NODE_POOL, POOL, Key, Request
from nodepools.clouds.request import EKS_NODE_CLASS as EKS_CLASS_TYPE
from nodepools.model.karpenter import NodePool
from nodepools.model.ref import is_output
from nodepools.model.steps import Steps
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, ClassKind, ObjectContext, node_pool_table
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.table import Table, Written
from nodepools.wire.writing import write


@dataclass(frozen=True, slots=True)
class CloudKinds:
    """What differs between the objects of the clouds."""

    kind: ClassKind
    type: str
    table: Table


AKS: Final = CloudKinds(AKS_NODE_CLASS, AKS_CLASS_TYPE, aks.NODE_CLASS)
EKS: Final = CloudKinds(EKS_NODE_CLASS, EKS_CLASS_TYPE, eks.NODE_CLASS)


@dataclass(frozen=True, slots=True)
class Site:
    """A cluster of a platform."""

    stem: str
    """Prefix of the names of its resources."""
    key: str
    """Its key in the platform."""

    @property
    def steps(self) -> Steps:
        """Its path in the platform."""
        return ("clusters", self.key)

    @property
    def cluster(self) -> Key:
        """The key of its own request."""
        return (self.key, CLUSTER, "")


def resolved(value: object) -> object:
    """A reference as it is compared: all outputs of resources count as equal, because their values are unknown here."""
    return OUTPUT if is_output(value) else value


def pool_request(site: Site, steps: Steps, pool: NodePool, cloud: CloudKinds, class_name: str | None = None) -> Request:
    """A NodePool as it is applied; the last of `steps` is its name. `class_name` is the name of its node class, if it differs from the key."""
    name = str(steps[-1])
    table = node_pool_table(cloud.kind)
    sent = merge_overrides(write(table, pool, ObjectContext(name, class_name), resolve=resolved), pool.overrides)
    needs = frozenset({site.cluster, *([(site.key, CLASS, pool.node_class)] if pool.node_class is not None else [])})
    resource = ResourceName(NODE_POOL, f"{site.stem}-{name}")
    return Request((site.key, POOL, name), f"{site.key}/{name}", (*site.steps, *steps), resource, table, sent, needs=needs)


def class_request(site: Site, steps: Steps, name: str, cloud: CloudKinds, sent: Written) -> Request:
    """A node class. `name` is its name in the cluster, its key is in `steps` after `node_classes`."""
    key = "/".join(map(str, steps[2:]))
    resource = ResourceName(cloud.type, f"{site.stem}-{name}")
    return Request((site.key, CLASS, key), f"{site.key}/{key}", (*site.steps, *steps), resource, cloud.table, sent, needs=frozenset({site.cluster}))

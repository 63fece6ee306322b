"""A resource as it is sent to Pulumi, with the table that knows the effect of a change of each argument."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from nodepools.changes.change import ResourceName
from nodepools.model.steps import Steps
from nodepools.wire.table import Table, Written

Key = tuple[str, ...]
"""Identifies a resource on both sides: its cluster, its subject (`POOL`, `CLASS`, …), and its name."""

CLUSTER, POOL, CLASS = "cluster", "pool", "class"
MAINTENANCE, NETWORK, SUBNET = "maintenance", "network", "subnet"
ENTRY, POLICY, IDENTITY, ADD_ON = "access entry", "access policy", "pod identity", "add-on"

AKS_CLUSTER = "azure-native:containerservice:ManagedCluster"
AGENT_POOL = "azure-native:containerservice:AgentPool"
EKS_CLUSTER = "aws:eks/cluster:Cluster"
NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
AKS_NODE_CLASS = "kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass"
EKS_NODE_CLASS = "kubernetes:eks.amazonaws.com/v1:NodeClass"


@dataclass(frozen=True, slots=True)
class Request:
    """One resource of a declaration or a plan."""

    key: Key
    at: str
    """The cluster or the pool: `weu`, `weu/web`."""
    steps: Steps
    """Path of the part in the declaration."""
    resource: ResourceName
    table: Table
    sent: Written
    """Its arguments in the API's spelling, without overrides of a provider's arguments."""
    kind: str = ""
    """Class of the part, for effects that depend on it."""
    needs: frozenset[Key] = frozenset()
    """What must exist before it."""
    overrides: Mapping[str, object] = field(default_factory=dict[str, object])
    """Arguments in the provider's Python spelling that replace those that are sent."""
    retained: bool = False
    """Pulumi does not delete it when it is removed from the declaration."""

    @property
    def cluster(self) -> str:
        """The key of its cluster."""
        return self.key[0]

    @property
    def subject(self) -> str:
        """What it is: `POOL`, `CLASS`, …."""
        return self.key[1]


@dataclass(frozen=True, slots=True)
class Requests:
    """Everything that one side sends, in the order of registration."""

    all: tuple[Request, ...]
    built_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """NodePools that the cloud creates, by cluster."""

    def by_key(self) -> dict[Key, Request]:
        """Each request by its key."""
        return {request.key: request for request in self.all}

    def of(self, cluster: str, subject: str) -> list[Request]:
        """The requests of one subject in a cluster."""
        return [request for request in self.all if request.cluster == cluster and request.subject == subject]

    def of_cluster(self, cluster: str) -> list[Request]:
        """All requests of a cluster."""
        return [request for request in self.all if request.cluster == cluster]

"""A resource as it is sent to Pulumi, with the table that knows the effect of a change of each argument."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nodepools.clouds.change import ResourceName
from nodepools.clouds.node_claims import ExistingSubnet, NodeClaim
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.model.steps import Steps
from nodepools.wire.table import Table, Written

Key = tuple[str, ...]
"""Identifies a resource on both sides: its cluster, its subject (`POOL`, `CLASS`, …), and its name."""

CLUSTER, POOL, CLASS = "cluster", "pool", "class"
SYSTEM_POOL = "system"
"""The key of the pool that is part of an AKS cluster."""
MAINTENANCE, NETWORK, SUBNET = "maintenance", "network", "subnet"
GROUP, MANAGED_IDENTITY = "resource group", "managed identity"
ENTRY, POLICY, IDENTITY, ADD_ON, LOGS = "access entry", "access policy", "pod identity", "add-on", "log group"

FIRST_POOL = "agent_pool_profiles"
"""The argument with the first system pool, in the provider's Python spelling."""
OWN_IDENTITY = "its identity"
"""Stands for the identity that is created for an AKS cluster."""
AKS_CLUSTER = "azure-native:containerservice:ManagedCluster"
AGENT_POOL = "azure-native:containerservice:AgentPool"
EKS_CLUSTER = "aws:eks/cluster:Cluster"
NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
AZURE_NETWORK = "azure-native:network:VirtualNetwork"
NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
AKS_NODE_CLASS = "kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass"
EKS_NODE_CLASS = "kubernetes:eks.amazonaws.com/v1:NodeClass"
EC2_NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"


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
    overrides_inside: Mapping[str, object] = field(default_factory=dict[str, object])
    """The same of the first system pool, which is part of its cluster."""
    overridden: Mapping[str, object] = field(default_factory=dict[str, object])
    """The part of `sent` that overrides decide, in the API's spelling."""
    retained: bool = False
    """Pulumi does not delete it when it is removed from the declaration."""
    karpenter: KarpenterRelease | None = None
    """The version of self-managed Karpenter that compares it; `None`: the newest that is known."""
    follows: bool = False
    """It changes only with another request or field, whose change is reported; the order has it."""
    is_registered: bool = True
    """Pulumi applies it; other tools apply the objects of a cluster with `apply="render"`."""
    is_manifest: bool = False
    """It is the `spec` of an object that is not declared: paths are those of the object."""
    decided_by: Mapping[str, Sequence[tuple[Steps, object]]] = field(default_factory=dict[str, Sequence[tuple[Steps, object]]])
    """The fields that determine an argument, each with its declared value, by the path of the argument: `vpcConfig.subnetIds`."""
    with_autoscaler: bool = False
    """It is an AKS cluster that declares that autoscaled agent pools are allowed next to node auto provisioning."""

    @property
    def every_override(self) -> Mapping[str, object]:
        """Its overrides, with those of the first system pool in their place."""
        return {FIRST_POOL: {"0": self.overrides_inside}, **self.overrides} if self.resource.type == AKS_CLUSTER else self.overrides

    @property
    def pool(self) -> str:
        """The name of its pool; that of the cluster itself is the first system pool."""
        return "/".join(self.key[2 : 3 if self.resource.type == NODE_POOL else None]) if self.subject == POOL else SYSTEM_POOL

    @property
    def agent_pool_name(self) -> str:
        """The name of an agent pool in Azure."""
        return str(self.sent.get("agentPoolName", self.resource.name.rpartition("-")[2]))

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
    running: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    """The nodes of each pool that run now, by cluster; only clusters whose nodes were exported."""

    claims: Mapping[str, Mapping[str, Sequence[NodeClaim]]] = field(default_factory=dict[str, Mapping[str, Sequence[NodeClaim]]])
    """The NodeClaims of each NodePool, by cluster; only clusters whose NodeClaims were exported."""
    subnets: Mapping[str, ExistingSubnet] = field(default_factory=dict[str, ExistingSubnet])
    """The subnets of AWS that were exported, by id."""

    def by_key(self) -> dict[Key, Request]:
        """Each request by its key."""
        return {request.key: request for request in self.all}

    def of(self, cluster: str, subject: str) -> list[Request]:
        """The requests of one subject in a cluster."""
        return [request for request in self.all if request.cluster == cluster and request.subject == subject]

    def running_in(self, cluster: str, pool: str) -> int | None:
        """The number of nodes of a pool that run now; `None` if it is not known."""
        return self.running[cluster].get(pool, 0) if cluster in self.running else None

    def claims_in(self, cluster: str, pool: str) -> Sequence[NodeClaim] | None:
        """The NodeClaims of a NodePool; `None` if they are not known."""
        return self.claims[cluster].get(pool, ()) if cluster in self.claims else None

    def of_cluster(self, cluster: str) -> list[Request]:
        """All requests of a cluster."""
        return [request for request in self.all if request.cluster == cluster]

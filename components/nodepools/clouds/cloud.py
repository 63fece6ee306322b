"""What differs between the clouds, in one protocol. All other modules ask `clouds.registry.cloud_of` for it, and never which cloud a cluster is in.

`Cloud` is a declared cluster in its cloud. `key` is the key of the cluster in its platform, `stem` the prefix of the names of its resources. Where
no error is named, there is none: a declaration that was read is never rejected here, and what it does not determine is `None` or unknown in the
value. Methods may import what they need when they are called: the registry loads every cloud.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from nodepools.model.ref import Ref
from nodepools.model.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    import pulumi

    from nodepools.aks.cluster import AksCluster
    from nodepools.clouds.aks.nodes import ExistingAgentNodes
    from nodepools.clouds.change import Known, Request
    from nodepools.clouds.eks.node_groups import NodeGroup
    from nodepools.clouds.existing_objects import Objects
    from nodepools.clouds.item import ExistingStock, Item, Use
    from nodepools.clouds.prices import PoolCost, Prices
    from nodepools.clouds.rows import ClusterRow, PoolRow
    from nodepools.clouds.step import ClusterSteps
    from nodepools.data.regions import Regions
    from nodepools.eks.cluster import EksCluster
    from nodepools.model.disruption_calendar import Window
    from nodepools.placement.node_pools import ClusterPools

Manifest: TypeAlias = Mapping[str, object]
Resolve: TypeAlias = Callable[[Ref], str]
"""Returns the value of a reference; raises if the value is not known offline."""


class Cloud(Protocol):
    """A declared cluster in its cloud. AKS: `clouds/aks/cloud.py`; EKS: `clouds/eks/cloud.py`."""

    @property
    def region(self) -> "Region":
        """Where it is. Called by the rule about unknown regions, and by `capacity` for quotas of other regions."""
        ...

    @property
    def version_check(self) -> str:
        """A shell command that succeeds if the cloud offers its Kubernetes version in its region. Called by `rollout`."""
        ...

    def pools(self, key: str, stem: str) -> "ClusterPools":
        """All its pools, including those that the cloud creates, in the order in which commands show them.

        Called by everything that places pods, and before `needs`, `upgrade` and `costs`. Addresses of pools begin with `key`.
        """
        ...

    @property
    def changing_names(self) -> Mapping[str, str]:
        """Names in node labels that change when their pool rotates, with the key of the pool. Called by a rule about `must_fit`."""
        ...

    @property
    def autoscaled_next_to_karpenter(self) -> frozenset[str]:
        """Keys of the pools that the cluster autoscaler scales while Karpenter launches nodes for the same pods. Called by a rule like that."""
        ...

    def needs(self, pools: "ClusterPools", existing: "ExistingStock", stem: str) -> "ClusterNeeds":
        """What it needs a number of: addresses, ports, nodes, vCPUs. Amounts are lower and upper bounds. Called by `capacity` and `upgrade`.

        `pools` is what `pools` returned; `existing` is what exports show of subnets, quotas and pools of others.
        """
        ...

    def agent_pools_of_others(self, existing: "ExistingStock", stem: str) -> Sequence["ExistingAgentNodes"]:
        """The exported agent pools in it of which it is certain that others manage them. Called by `capacity`, which counts their nodes."""
        ...

    def has_node_group(self, group: "NodeGroup", stem: str) -> bool:
        """The exported node group is in it. Called by `capacity`, which counts its nodes."""
        ...

    def can_declare_node(self, labels: Mapping[str, str]) -> bool:
        """A node with these labels, of which one names an agent pool, can be in a declared pool. Called by `capacity` for exported nodes."""
        ...

    @property
    def usage_places(self) -> Sequence[tuple[str, str | None]]:
        """Regions and subscriptions that exports of quotas can be of, if the exports themselves do not name them. Called by `--existing`."""
        ...

    def costs(self, key: str, stem: str, prices: "Prices") -> Iterator["PoolCost"]:
        """Monthly costs of its pools in USD, between bounds, in the order of `pools`. Called by `cost`, and by `diff` for the difference."""
        ...

    def requests(self, key: str, stem: str) -> Iterator["Request"]:
        """Every resource that it registers and that has a table, in the order of registration. Called by `diff`, `upgrade` and `adopt`."""
        ...

    def upgrade(self, key: str, stem: str, pools: "ClusterPools") -> "ClusterSteps":
        """Its way to other Kubernetes versions, and what the cloud checks before. Called by `upgrade`, `support` and `--existing`."""
        ...

    def objects(self, stem: str, resolve: Resolve) -> Iterator[Manifest]:
        """All objects inside it that Pulumi applies, as Kubernetes has them. Called by `render`.

        Raises:
            Whatever `resolve` raises for a reference whose value is not known.
        """
        ...

    def maintenance(self, cluster: str, start: "datetime", end: "datetime") -> Iterator["Maintenance"]:
        """Automatic maintenance between two times in UTC; none if the cloud has no windows. Called by `calendar`; `cluster` is its name there."""
        ...

    def identity(self, stem: str) -> "Identity":
        """What tells it from other clusters in exports. Called by everything that reads `--existing`."""
        ...

    def known_besides_requests(self, stem: str) -> "Known":
        """What its declaration has besides its requests, by which exports are compared with it. Called by `diff`."""
        ...

    def row(self, key: str) -> "ClusterRow":
        """Its row in tables and diagrams. Called by `preview` and `diagram`."""
        ...

    def pool_rows(self, key: str) -> Iterator["PoolRow"]:
        """Rows of its declared pools in their order, then of built-in ones. Called by `preview` and `diagram`."""
        ...

    def prerequisites(self) -> "Prerequisites":
        """What its first `pulumi up` needs. Reads environment variables of this process. Called by `doctor`."""
        ...

    def export_commands(self, stem: str, folder: str) -> Iterator[str]:
        """Shell commands that export it into a folder, and change nothing. Called by `doctor`."""
        ...

    def component(self, name: str, options: "pulumi.ResourceOptions | None" = None) -> "AksCluster | EksCluster":
        """Registers it. Called by `deploy` and by the plugin; imports the SDK of the cloud.

        Raises:
            MissingExtraError: the SDK is not installed.
            InvalidDeclarationError: it has errors, and was not checked before.
        """
        ...

    def exported_outputs(self, component: "AksCluster | EksCluster") -> Sequence[str]:
        """The outputs of its component that the stack output `clusters` contains. Called by `deploy`."""
        ...


@dataclass(frozen=True, slots=True)
class Region:
    """Where a cluster is, as it is written and as its cloud names it."""

    cloud: str
    """For people: Azure."""
    field: str
    written: str
    name: str
    known: Callable[[], "Regions"]
    """The table of the regions of the cloud; it is read when it is called."""


@dataclass(frozen=True, slots=True)
class ClusterNeeds:
    """What a cluster needs a number of."""

    items: "tuple[Item, ...]"
    """What belongs to it alone, such as its subnets."""
    uses: "tuple[Use, ...]"
    """What it takes of quotas, which it shares with other clusters."""


@dataclass(frozen=True, slots=True)
class Maintenance:
    """One kind of automatic maintenance of one cluster."""

    cluster: str
    configuration: str
    """The name of the maintenance configuration."""
    what: str
    """What the cloud does, as text."""
    windows: "Sequence[Window] | None"
    """`None` if only the cloud knows the dates, such as for every second week."""
    is_declared: bool


class Identity(Protocol):
    """What tells a declared cluster from others in exports; two are equal if they are of the same cluster."""

    @property
    def name(self) -> str:
        """Its name in the cloud."""
        ...

    def is_called(self, existing: object) -> bool:
        """The output of a cloud is about this cluster, as far as the declaration says where it is."""
        ...

    def holds(self, objects: "Objects") -> bool | None:
        """Objects are in it; `None` if they do not say."""
        ...


@dataclass(frozen=True, slots=True)
class Prerequisites:
    """What the first `pulumi up` of a cluster needs."""

    tools: tuple[str, ...]
    """Names of programs on this machine."""
    environment: tuple[tuple[str, str], ...]
    """Missing settings of this machine: topic and text."""
    account: tuple[tuple[str, str], ...]
    """Roles and quota to check manually: topic and text."""

"""What runs in a cluster now: control plane, pools, nodes, pods and PodDisruptionBudgets, as far as exports contain them."""

from collections.abc import Iterable, Mapping
from typing import Final

from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.data.version_support import minor
from nodepools.model.kubernetes.disruption_budget import DisruptionBudget
from nodepools.model.values import dataclass, field

QUARANTINE: Final = ("kubernetes.azure.com/upgrade-status", "Quarantined")
_SETTLED: Final = frozenset({"", "succeeded", "active", "running", "failed", "canceled", "degraded", "create_failed", "delete_failed", "unhealthy"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetNode:
    """A node."""

    name: str
    labels: Mapping[str, str]
    version: str = ""
    """The version of its kubelet, such as `1.35.2`; empty if it is not known."""
    image: str = ""
    """The node image, as the cloud or the kubelet names it."""
    leaving: str = ""
    """Why no new pod is scheduled on it, such as `cordoned`; empty if pods are."""
    is_quarantined: bool = False
    """AKS could not drain it, and has left it out of the upgrade."""

    def is_at(self, version: int) -> bool:
        """It has this minor version or a newer one."""
        return bool(self.version) and minor(self.version) >= version


def is_busy(state: str) -> bool:
    """An operation runs in this state of a cluster or pool, and the cloud rejects others."""
    return state.lower().partition(" ")[0] not in _SETTLED


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetPod:
    """A pod that a drain evicts: of no DaemonSet, and neither finished nor being deleted."""

    name: str
    namespace: str
    node: str
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    is_ready: bool = True
    is_pending: bool = False
    do_not_disrupt: bool = False

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetNow:
    """A PodDisruptionBudget with what the disruption controller has written into its status."""

    budget: DisruptionBudget
    allowed: int
    """Evictions that are allowed now."""
    healthy: int = 0
    desired: int = 0
    expected: int = 0

    def __str__(self) -> str:
        return f"{self.budget.namespace}/{self.budget.name}"


@dataclass(frozen=True, slots=True)
class PoolNow:
    """An agent pool as the cloud shows it."""

    version: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """One cluster."""

    control_plane: str = ""
    """The version that runs; empty if it was not exported."""
    state: str = ""
    """The state of the cluster, as the cloud spells it; `Stopped`: it is turned off, which AKS alone can do."""
    pools: Mapping[str, PoolNow] = field(default_factory=dict[str, PoolNow])
    """By name in the cloud."""
    nodes: tuple[FleetNode, ...] = ()
    pods: tuple[FleetPod, ...] = ()
    budgets: tuple[BudgetNow, ...] = ()
    groups: tuple[NodeGroup, ...] = ()
    """Managed node groups, which no declaration contains."""
    agent_pools: tuple[ExistingAgentPool, ...] = ()
    """Agent pools that no declaration contains."""
    resource_group: str = ""
    """Of an AKS cluster; empty if none of its agent pools is of others."""
    context: str = "CONTEXT"
    """Of the kubeconfig, as a word of a shell. If the exports are files, only the reader of a command knows it."""

    def kubectl(self, words: str) -> str:
        """A command about this cluster, whatever context is current."""
        return f"kubectl {words} --context {self.context}"

    def joined(self, other: "Fleet") -> "Fleet":
        """The same cluster with what another export says about it. A node, pod or budget that is in both is taken once."""
        return Fleet(
            control_plane=other.control_plane if other.control_plane else self.control_plane,
            state=other.state if other.state else self.state,
            pools={**self.pools, **other.pools},
            nodes=tuple({node.name: node for node in (*self.nodes, *other.nodes)}.values()),
            pods=tuple({str(pod): pod for pod in (*self.pods, *other.pods)}.values()),
            budgets=tuple({str(budget): budget for budget in (*self.budgets, *other.budgets)}.values()),
            groups=tuple({group.name: group for group in (*self.groups, *other.groups)}.values()),
            agent_pools=tuple({pool.name: pool for pool in (*self.agent_pools, *other.agent_pools)}.values()),
            resource_group=other.resource_group if other.resource_group else self.resource_group,
        )


@dataclass(frozen=True, slots=True)
class VersionsNow:
    """The minor versions that run. A pool whose nodes have several has that of the oldest."""

    control_plane: int
    pools: Mapping[str, int] = field(default_factory=dict[str, int])


def oldest(nodes: Iterable[FleetNode]) -> int | None:
    """The lowest minor version of nodes; `None` if none is known."""
    return min((minor(node.version) for node in nodes if node.version), default=None)

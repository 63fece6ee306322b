"""One step of an upgrade of a cluster: what happens, how and in how many batches the nodes of a pool are replaced, and what stops or delays it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from math import ceil
from typing import ClassVar, Final, Literal, NamedTuple, Protocol

from nodepools.clouds.amounts import NOTHING, Amount
from nodepools.clouds.change import Change
from nodepools.clouds.fleet import VersionsNow
from nodepools.data.version_support import SupportTable, short
from nodepools.model.listing import grouped, joined
from nodepools.model.path import Operation, path_text
from nodepools.model.severity import Severity
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, field


class Kind(StrEnum):
    """The subject of a blocker."""

    DISRUPTION_BUDGET = "disruption-budget"
    GRACE_PERIOD = "grace-period"
    DO_NOT_DISRUPT = "do-not-disrupt"
    SINGLE_REPLICA = "single-replica"
    LOCAL_VOLUME = "local-volume"
    ZONAL_VOLUME = "zonal-volume"
    NO_OTHER_POOL = "no-other-pool"
    SPREAD = "spread"
    EVICTION = "eviction"
    DAEMON_SHARE = "daemon-share"
    EXPIRY = "expiry"
    REMOVED_API = "removed-api"
    CAPACITY = "capacity"
    SKEW = "version-skew"
    SUPPORT = "version-support"
    DOWNGRADE = "downgrade"
    CLOSED_BUDGET = "closed-budget"
    WINDOW = "window-too-short"
    ADD_ON = "add-on"
    CONTROLLER = "controller"
    NODE_IMAGE = "node-image"
    AUTO_UPGRADE = "auto-upgrade"
    STOPPED = "stopped-cluster"
    RULE = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocker:
    """One obstacle. An error is certain to stop the step if the input is what runs in the cluster; a warning can stop or delay it."""

    kind: Kind
    severity: Severity
    message: str
    fix: str | None = None
    source: str
    refusal: str = ""
    """The error code of the cloud, or the code of a rule."""
    subject: str | None = None
    """The Kubernetes object that it is about: `shop/PodDisruptionBudget/web`."""
    path: str = ""
    """The field of the declaration that it is about."""

    @property
    def is_error(self) -> bool:
        """The step does not succeed with it."""
        return self.severity is Severity.ERROR

    def to_json(self) -> dict[str, object]:
        """In the shape of a finding."""
        return {
            "code": self.refusal,
            "name": self.kind.value,
            "severity": self.severity.value,
            "path": self.path,
            "value": None,
            "message": self.message,
            "fix": {"text": self.fix, "operations": []} if self.fix is not None else None,
            "source": self.source,
            "object": self.subject,
            "line": None,
            "column": None,
        }


_MOST: Final = 5000
"""Nodes of a cluster. Larger numbers are not tried one by one."""


def batches(nodes: Amount, sizes: Iterable[Callable[[int], int]], *, one_by_one: bool = False) -> Amount:
    """The number of batches for every number of nodes between the bounds, and every possible size of a batch.

    Args:
        nodes: how many nodes the pool can have.
        sizes: for each possible setting, the size of a batch by the number of nodes. A batch has at least one node.
        one_by_one: the cloud can also replace one node at a time, if it has no machines for larger batches.
    """
    most = nodes.maximum
    if most is None or most > _MOST:
        return Amount(1 if nodes.minimum else 0, most)
    counts = [ceil(number / max(size(number), 1)) for size in sizes for number in range(nodes.minimum, most + 1)]
    if not counts:
        return Amount(1 if nodes.minimum else 0, most)
    return Amount(min(counts), most if one_by_one else max(counts))


What = Literal["control_plane", "pool", "node_pool", "first_pool", "add_on"]
Unbounded = Literal["control_plane", "reimage", "launch", "drain", "capacity"]
"""Parts of a step whose duration nothing limits: the update of the control plane, the new image of a node, the launch of a node, a drain without a
timeout, and the time until a cloud has machines."""
PULUMI_UP: Final = "pulumi up"
VERSION_FIELD: Final = "kubernetes_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drain:
    """How the nodes of one pool are emptied."""

    address: str
    """The pool: `weu/web`."""
    is_drained: bool = True
    """Pods are evicted before their node goes: not on spot pools of AKS."""
    timeout: int | None
    """Seconds after which a drain ends, one way or the other; `None`: it waits for its pods as long as they need."""
    deletes_at_timeout: bool
    """Pods that are left are deleted at the timeout. Otherwise the upgrade of the pool has failed for that node."""
    outcome: str
    """What happens when a pod cannot be evicted, as a clause."""
    refusal: str = ""
    """The error code of the cloud then."""
    setting: str = ""
    """What sets the timeout; empty: nothing does."""
    respects_do_not_disrupt: bool = False
    """Pods with the annotation keep their node."""
    adds_nodes: bool = True
    """New nodes are ready before old ones drain."""
    batch: Amount = NOTHING
    """Nodes that drain at the same time."""
    rest: Amount | None = None
    """Nodes of the pool that stay while the largest batch drains, at its smallest and its largest size, without nodes that are added first; `None` if
    that is not known."""
    zones: int = 0
    """Zones of the nodes of the pool, as far as they are declared; the cloud chooses those of added nodes."""
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowUse:
    """The maintenance window that is declared for what a step changes."""

    window: str | None
    """As text; `None` if none is declared."""
    applies: bool
    """The step waits for it."""
    note: str
    is_automatic: bool = False
    """The cloud also upgrades automatically, and does that in the window."""

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {"window": self.window, "applies": self.applies, "note": self.note}


ON_COMMAND: Final = WindowUse(window=None, applies=False, note="The step starts when you run its command")


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What the extra nodes of a step need in addition."""

    what: str
    name: str
    amount: Amount

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {"what": self.what, "name": self.name, "amount": self.amount.to_json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. Steps of a cluster follow each other: clouds reject two operations on a cluster at the same time."""

    what: What
    name: str
    old: str
    new: str
    cloud_name: str = ""
    """The name of its agent pool in Azure; empty for all other steps."""
    how: str = PULUMI_UP
    """The command that starts it; empty if it follows from the step before."""
    edits: tuple[Operation, ...] = ()
    """The fields of the declaration to set first."""
    nodes: Amount = NOTHING
    extra_nodes: Amount = NOTHING
    batches: Amount = NOTHING
    bounded_minutes: int | None = 0
    """How long the parts with a limit can take together; `None` if the number of nodes or a drain has no limit."""
    unbounded: tuple[Unbounded, ...] = ()
    window: WindowUse
    needs: tuple[Need, ...] = ()
    drain: Drain | None = field(default=None, repr=False)
    blocked_by: tuple[Blocker, ...] = ()
    changes: tuple[Change, ...] = ()
    """What the edits of its round do to its pool, as `diff` says it. What they do elsewhere is on the first step with an edit."""
    note: str = ""
    follows: bool = False
    """A step before it in its round runs the same command."""
    source: str

    @property
    def is_of_agent_pool(self) -> bool:
        """The cloud itself replaces the nodes of a pool."""
        return self.what in ("pool", "first_pool")

    def to_json(self, number: int) -> dict[str, object]:
        """As plain data; `number` counts the steps of a cluster from 1."""
        return {
            "step": number,
            "what": self.what,
            "name": self.name,
            "from": self.old,
            "to": self.new,
            "how": self.how,
            "follows": self.follows,
            "edits": [edit.to_json(edit.value) for edit in self.edits],
            "nodes": self.nodes.to_json(),
            "extra_nodes": self.extra_nodes.to_json(),
            "batches": self.batches.to_json(),
            "bounded_minutes": self.bounded_minutes,
            "unbounded": list(self.unbounded),
            "window": self.window.to_json(),
            "needs": [need.to_json() for need in self.needs],
            "changes": [change.to_json() for change in self.changes],
            "blocked_by": [blocker.to_json() for blocker in self.blocked_by],
            "note": self.note,
            "source": self.source,
        }


def version_edit(parent: Steps, declared: str, new: str) -> tuple[Operation, ...]:
    """The edit of the version of a cluster or pool; none if the declaration has it."""
    return () if new in (declared, short(declared)) else (Operation("set", (*parent, VERSION_FIELD), new),)


def edits_text(edits: Iterable[Operation]) -> str:
    """`a` and `b` to `1.36`: fields that get the same value are one edit."""
    fields = grouped((edit.value, f"`{path_text(edit.path)}`") for edit in edits)
    return "; ".join(f"{joined(names)} to `{value}`" for value, names in fields.items())


@dataclass(frozen=True, slots=True)
class Command:
    """The steps that one command starts, one after another. NodePools follow together by drift, without a command."""

    steps: tuple[Step, ...]

    @property
    def how(self) -> str:
        """The command; empty for drift."""
        return self.steps[0].how

    @property
    def edits(self) -> tuple[Operation, ...]:
        """The fields of the declaration to set before it."""
        return tuple(edit for step in self.steps for edit in step.edits)


@dataclass(frozen=True, slots=True)
class Round:
    """The steps to one minor version."""

    version: str
    steps: tuple[Step, ...]

    @property
    def commands(self) -> list[Command]:
        """The steps by the command that starts them, in order."""
        found: list[list[Step]] = []
        for step in self.steps:
            drifts = step.what == "node_pool" and bool(found) and found[-1][0].what == "node_pool"
            if step.follows or drifts:
                found[-1].append(step)
            else:
                found.append([step])
        return [Command(tuple(steps)) for steps in found]


def bounded(steps: Iterable[Step]) -> int | None:
    """The limited parts of the agent pools together, which are upgraded one after another; `None` if one of them has no limit.

    NodePools are not counted: their nodes follow on their own, at the same time.
    """
    total = 0
    for step in steps:
        if step.is_of_agent_pool:
            if step.bounded_minutes is None:
                return None
            total += step.bounded_minutes
    return total


@dataclass(frozen=True, slots=True)
class ServerChecks:
    """What the cloud checks before an upgrade starts, by the error codes with which it rejects the upgrade; empty if it does not check."""

    budgets: str = ""
    """For PodDisruptionBudgets that allow no eviction, in the whole cluster."""
    apis: str = ""
    """For recent use of APIs that the new version does not serve."""
    override: str = ""
    """How to start the upgrade anyway, as a clause."""
    source: str = ""


class Operations(Protocol):
    """The operations of a cluster while it is upgraded."""

    @property
    def show(self) -> str:
        """The command that prints the cluster, with its version and state."""
        ...

    def watch(self, step: Step, /) -> str:
        """The command that shows the state of what the step changes. NodePools have none."""
        ...

    def stop(self, step: Step, /) -> str:
        """How to stop the step without damage while it runs, as a sentence. Drift of NodePools is not an operation."""
        ...

    def way_back(self, old: str, new: str, *, passed: bool) -> str:
        """What can be undone and what cannot, in sentences; `passed`: the control plane has the new version."""
        ...


class CloudUpgrades(NamedTuple):
    """What all clusters of a cloud have in common in an upgrade."""

    table: SupportTable
    """The versions that the cloud supports."""
    checks: ServerChecks
    """What the cloud checks before it starts."""
    refusals: Mapping[str, str]
    """The error codes with which the cloud rejects extra nodes, by what `capacity` counts; empty if it counts nothing before."""
    if_missed: tuple[str, str, str]
    """What happens when the support of a cluster ends, as a sentence: without, with, and after extended support."""
    extra_usd_per_hour: float
    """What a cluster with extended support costs more per hour after standard support."""
    runs_karpenter_of_aws: bool
    """The Karpenter that people install themselves on AWS can run in its clusters."""


class ClusterSteps(Protocol):
    """A declared cluster as an upgrade needs it; each cloud has one implementation."""

    of_cloud: ClassVar[CloudUpgrades]

    @property
    def extends(self) -> bool:
        """The cluster is declared to stay on a version after standard support: with a support plan or at a higher price."""
        ...

    @property
    def manual_checks(self) -> tuple[str, ...]:
        """What can stop an upgrade and cannot be determined offline."""
        ...

    @property
    def cloud_name(self) -> str:
        """The name of the cluster in the cloud."""
        ...

    @property
    def cloud_pools(self) -> Mapping[str, str]:
        """The names in the cloud of the pools that it upgrades itself, by the name for people."""
        ...

    @property
    def pool_labels(self) -> Mapping[str, Mapping[str, str]]:
        """Labels by which nodes of each pool are recognized, by the name for people."""
        ...

    def is_of_others(self, name: str, labels: Mapping[str, str], /) -> bool:
        """It is certain that no generation of a declared pool is the agent pool with this name and these labels."""
        ...

    @property
    def operations(self) -> Operations:
        """How to watch and stop what runs."""
        ...

    def rounds(self, to: str, now: VersionsNow | None = None) -> Iterator[Round]:
        """The steps to a version that is not lower, one round for each minor version. They begin at what runs `now`, otherwise at the declaration."""
        ...

    def refused(self, to: str, control_plane: int) -> Blocker | None:
        """Why a version is not reached in this way from the minor version of the control plane; `None` if it is."""
        ...

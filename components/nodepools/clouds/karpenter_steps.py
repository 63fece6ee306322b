"""The nodes of NodePools, which follow the control plane by drift. Facts: docs/facts/eks.md § 3, docs/facts/aks.md § 3.5."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from nodepools.clouds.amounts import Amount
from nodepools.clouds.karpenter_nodes import node_ceiling, node_floor
from nodepools.clouds.step import PULUMI_UP, Blocker, Drain, Kind, Step, Unbounded, WindowUse, batches
from nodepools.model.kubernetes.duration import NEVER, seconds
from nodepools.model.listing import joined
from nodepools.model.maintenance import AnyWindow, Budget, BudgetNodes
from nodepools.model.platform import AnyCluster
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import POOL
from nodepools.placement.node_pools import KarpenterPool

LAUNCHES: Final = "quotas and addresses for the nodes that Karpenter launches before it drains old ones (`nodepools capacity`)"
"""What to check by hand if NodePools follow."""
_SOURCE: Final = "https://karpenter.sh/docs/concepts/disruption/#drift"
_REASON: Final = "Drifted"
_NO_BUDGETS: Final = "Karpenter replaces drifted nodes at any time that the disruption budgets allow"


def node_pool_upgrades(cluster: AnyCluster, provisioned: Iterable[KarpenterPool]) -> Iterator["NodePoolUpgrade"]:
    """The NodePools of a cluster, each with its window; those that the cloud creates follow none."""
    for place in provisioned:
        declared = cluster.node_pools.get(place.name)
        window = None if declared is None else declared.maintenance if declared.maintenance is not None else cluster.maintenance
        yield NodePoolUpgrade(place, window)


@dataclass(frozen=True, slots=True)
class NodePoolUpgrade:
    """A NodePool during an upgrade."""

    place: KarpenterPool
    window: AnyWindow | None
    """The window that is declared for it; `None` for a NodePool that follows none."""

    @property
    def name(self) -> str:
        """The NodePool."""
        return self.place.name

    def step(self, old: str, new: str) -> Step:
        """Its nodes are replaced after the control plane runs the new version."""
        nodes = Amount(node_floor(self.place).minimum, node_ceiling(self.place).maximum)
        grace = self._grace
        return Step(
            what="node_pool",
            name=self.place.name,
            old=old,
            new=new,
            how="",
            nodes=nodes,
            extra_nodes=Amount(0, self._most_at_once(nodes)),
            batches=batches(nodes, [self._size] if self._always else []),
            bounded_minutes=self._bound,
            unbounded=("launch", "capacity", *(("drain",) if grace is None else tuple[Unbounded, ...]())),
            window=self._window_use,
            drain=self._drain(nodes),
            blocked_by=tuple(self._blockers()),
            note=self._note,
            source=_SOURCE,
        )

    @property
    def _grace(self) -> int | None:
        """Seconds that a node can drain."""
        written = self.place.pool.drains_within
        return None if written is None else seconds(written)

    @property
    def _bound(self) -> int | None:
        """Minutes after which no old node is left: nodes expire whatever the budgets are, and a drain ends at the grace period."""
        expires, grace = self.place.pool.expires_after, self._grace
        return None if grace is None or expires == NEVER else -(-(seconds(expires) + grace) // 60)

    @property
    def _note(self) -> str:
        pool = self.place.pool
        return (
            ""
            if self._bound is None
            else f"Nodes expire after {pool.expires_after} and drain for at most {pool.drains_within}, whatever the budgets are"
        )

    @property
    def _budgets(self) -> Sequence[Budget]:
        return [budget for budget in self.place.pool.disruption.applied_budgets if budget.limits(_REASON)]

    @property
    def _always(self) -> list[BudgetNodes]:
        """The budgets that hold at any time."""
        if not all(budget.is_readable for budget in self.place.pool.disruption.applied_budgets):
            return [BudgetNodes("0")]
        return [BudgetNodes(budget.nodes) for budget in self._budgets if budget.schedule is None]

    def _size(self, nodes: int) -> int:
        """The nodes that can be replaced at once, while no scheduled budget is active."""
        return min([number for budget in self._always if (number := budget.of(nodes)) is not None], default=nodes)

    def _most_at_once(self, nodes: Amount) -> int | None:
        if nodes.maximum is not None:
            return self._size(nodes.maximum)
        counts = [budget.of(0) for budget in self._always if not budget.is_percentage]
        return min([count for count in counts if count is not None], default=None)

    @property
    def _window_use(self) -> WindowUse:
        if self.window is None:
            return WindowUse(window=None, applies=False, note=_NO_BUDGETS)
        applies = _REASON in self.window.reasons
        note = "Karpenter replaces drifted nodes only while it is open" if applies else f"It does not apply to drift. {_NO_BUDGETS}"
        return WindowUse(window=str(self.window), applies=applies, note=note)

    def _drain(self, nodes: Amount) -> Drain:
        grace = self._grace
        waits = "Karpenter does not replace the node, which keeps its old version as long as the pod runs there"
        ends = f"Karpenter deletes the pod {self.place.pool.drains_within} after the drain begins, regardless of PodDisruptionBudgets"
        return Drain(
            address=self.place.address,
            timeout=grace,
            deletes_at_timeout=grace is not None,
            outcome=waits if grace is None else ends,
            setting="`terminationGracePeriod`",
            respects_do_not_disrupt=True,
            batch=Amount(0, self._most_at_once(nodes)),
            source="https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod",
        )

    def _blockers(self) -> Iterator[Blocker]:
        name, pool = self.place.name, self.place.pool
        if any(budget.is_none for budget in self._always):
            message = f"A disruption budget of NodePool `{name}` allows no drifted node at any time: nodes keep the old version until they expire"
            fix = "Allow at least one node for the reason `Drifted`, for example in a maintenance window"
            yield Blocker(kind=Kind.CLOSED_BUDGET, severity=Severity.WARNING, message=message, fix=fix, source=_SOURCE)
        limit = self.place.limits.get("nodes")
        if pool.replicas is not None and limit is not None and limit // 1000 <= pool.replicas:
            message = f"Static NodePool `{name}` launches the replacement of a drifted node first, and `limits.nodes` leaves no room for it"
            fix = f"Raise `limits.nodes` above `replicas` ({pool.replicas})"
            yield Blocker(kind=Kind.CAPACITY, severity=Severity.WARNING, message=message, fix=fix, source=_SOURCE)


def followed(oldest: int, control_plane: int, target: int) -> str:
    """The version that the nodes of a NodePool leave in the round of a target; empty if they do not. Drift skips the versions between."""
    if target > control_plane:
        return f"1.{target - 1}"
    return f"1.{oldest}" if target == control_plane > oldest else ""


def selector(names: Sequence[str]) -> str:
    """What selects the nodes of NodePools."""
    return f"'{POOL} in ({','.join(names)})'" if len(names) > 1 else f"{POOL}={names[0]}"


def pause_drift(names: Sequence[str]) -> str:
    """How to keep Karpenter from replacing more nodes of NodePools."""
    pools = f"NodePool{'s' * (len(names) > 1)} {joined([f'`{name}`' for name in names])}"
    budget = f'Add a disruption budget with `nodes="0"` for the reason `{_REASON}` to {pools}'
    return f"{budget}, and run `{PULUMI_UP}`: Karpenter then begins no more replacements, but nodes still expire"

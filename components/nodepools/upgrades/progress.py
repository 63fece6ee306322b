"""Where the upgrade of a running cluster is: finished, draining and untouched nodes, what holds it, and what to do next."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.clouds.fleet import BudgetNow, Fleet, FleetNode, FleetPod, PoolNow, VersionsNow, is_busy, oldest
from nodepools.clouds.karpenter_steps import pause_drift, selector
from nodepools.clouds.step import PULUMI_UP, ClusterSteps, Round, Step, edits_text
from nodepools.data.version_support import minor, short
from nodepools.model.kubernetes.disruption_budget import Allowance
from nodepools.model.kubernetes.pod_lifecycle import DO_NOT_DISRUPT
from nodepools.model.listing import joined, listed, quoted
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import POOL
from nodepools.placement.static_pools import pools_of

_HOUR: Final = 60
_DAY: Final = 24 * _HOUR


def minutes_text(minutes: int) -> str:
    """`45 min`, `7 h 30 min`, `15 days`."""
    if minutes >= 2 * _DAY and not minutes % _DAY:
        return f"{minutes // _DAY} days"
    hours, rest = divmod(minutes, _HOUR)
    return " ".join(text for text in (f"{hours:,} h" if hours else "", f"{rest} min" if rest else "") if text)


_SHOWN_HOLDS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Pods that are not evicted."""

    name: str
    """What holds them, in a few words."""
    message: str
    command: str
    """What changes it."""
    pods: tuple[str, ...]
    nodes: tuple[str, ...]
    is_draining: bool
    """One of the nodes is draining: it holds the upgrade now. Otherwise it holds the upgrade when the drain of such a node begins."""

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {"message": self.message, "command": self.command, "pods": list(self.pods), "nodes": list(self.nodes), "draining": self.is_draining}


def holds(fleet: Fleet, nodes: Iterable[FleetNode]) -> Iterator[Hold]:
    """What holds these nodes, those that drain now first."""
    here = {node.name: node for node in nodes}
    by_budgets: dict[tuple[str, ...], tuple[list[BudgetNow], list[FleetPod]]] = {}
    protected: list[FleetPod] = []
    for pod in fleet.pods:
        if pod.node in here:
            found = [now for now in fleet.budgets if now.budget.selects(pod.namespace, pod.labels)]
            if _is_held(pod, found):
                by_budgets.setdefault(tuple(map(str, found)), (found, []))[1].append(pod)
            elif pod.do_not_disrupt and POOL in here[pod.node].labels:
                protected.append(pod)
    every = [_of_budgets(found, pods, fleet, here) for found, pods in by_budgets.values()]
    every += [_of_annotation(pod, fleet, here) for pod in protected]
    yield from sorted(every, key=lambda hold: not hold.is_draining)


def _is_held(pod: FleetPod, found: Sequence[BudgetNow]) -> bool:
    """The eviction subresource rejects it: docs/facts/scheduling.md § 7."""
    if pod.is_pending or not found:
        return False
    if len(found) > 1:
        return True
    [now] = found
    if pod.is_ready:
        return not now.allowed
    allowance = Allowance(now.expected, now.desired)
    return not (now.allowed or allowance.evicts_unready(now.healthy, always=now.budget.always_evicts_unready))


def _of_budgets(found: Sequence[BudgetNow], pods: Sequence[FleetPod], fleet: Fleet, here: Mapping[str, FleetNode]) -> Hold:
    nodes = tuple(dict.fromkeys(pod.node for pod in pods))
    names = quoted(list(map(str, pods)), _SHOWN_HOLDS)
    if len(found) > 1:
        both = " and ".join(f"`{now}`" for now in found)
        message = f"Pod {names} is selected by PodDisruptionBudgets {both}: the API server rejects every eviction"
        command = _delete(found[1], fleet)
    else:
        message = f"PodDisruptionBudget `{found[0]}` allows no eviction of {names}: {_hold_reason(found[0])}"
        command = _hold_command(found[0], fleet)
    draining = any(here[node].leaving for node in nodes)
    name = f"PDB {listed(list(map(str, found)), _SHOWN_HOLDS)}"
    return Hold(name=name, message=message, command=command, pods=tuple(map(str, pods)), nodes=nodes, is_draining=draining)


def _hold_reason(now: BudgetNow) -> str:
    if not now.expected:
        return "the disruption controller cannot count its pods"
    ready = f"{now.healthy} of {now.expected} pods are ready, and {now.desired} must stay"
    return f"{ready} (`{now.budget}`)"


def _hold_command(now: BudgetNow, fleet: Fleet) -> str:
    """A budget that is too strict is changed. If pods are not ready, they are what to look at."""
    if not now.expected:
        return _delete(now, fleet)
    unready = next((pod for pod in fleet.pods if not pod.is_ready and now.budget.selects(pod.namespace, pod.labels)), None)
    if now.expected > now.desired and unready is not None:
        return fleet.kubectl(f"describe pod {unready.name} --namespace {unready.namespace}")
    patch = '{"spec":{"minAvailable":null,"maxUnavailable":1}}'
    return fleet.kubectl(f"patch poddisruptionbudget {now.budget.name} --namespace {now.budget.namespace} --type merge --patch '{patch}'")


def _delete(now: BudgetNow, fleet: Fleet) -> str:
    return fleet.kubectl(f"delete poddisruptionbudget {now.budget.name} --namespace {now.budget.namespace}")


def _of_annotation(pod: FleetPod, fleet: Fleet, here: Mapping[str, FleetNode]) -> Hold:
    return Hold(
        name=f"do-not-disrupt of {pod}",
        message=f"Karpenter does not evict Pod `{pod}`, which has `{DO_NOT_DISRUPT}`",
        command=fleet.kubectl(f"annotate pod {pod.name} --namespace {pod.namespace} {DO_NOT_DISRUPT}-"),
        pods=(str(pod),),
        nodes=(pod.node,),
        is_draining=bool(here[pod.node].leaving),
    )


@dataclass(frozen=True, slots=True)
class Task:
    """What to do now."""

    text: str
    command: str = ""
    """What to run for it; empty if the declaration is edited first."""
    why: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolProgress:
    """The nodes of one pool, by name."""

    name: str
    version: str
    """The version that its nodes get in the round that comes next."""
    state: str
    """The state of the pool, as the cloud spells it; empty if it was not exported."""
    finished: tuple[str, ...]
    draining: tuple[str, ...]
    untouched: tuple[str, ...]
    quarantined: tuple[str, ...]
    images: Mapping[str, int]
    """How many nodes have each node image."""

    @property
    def nodes(self) -> int:
        """How many it has."""
        return len(self.finished) + len(self.stopped) + len(self.untouched)

    @property
    def stopped(self) -> tuple[str, ...]:
        """Nodes with the old version on which no new pod is scheduled."""
        return (*self.draining, *self.quarantined)

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "pool": self.name,
            "to": self.version,
            "state": self.state if self.state else None,
            "finished": list(self.finished),
            "draining": list(self.draining),
            "untouched": list(self.untouched),
            "quarantined": list(self.quarantined),
            "images": dict(self.images),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A cluster in the middle of an upgrade."""

    control_plane: str
    """The version that runs; empty if it was not exported."""
    least_control_plane: str
    """The version that the control plane has at least: that of the newest node or pool; empty if none was exported."""
    pools: tuple[PoolProgress, ...]
    holds: tuple[Hold, ...]
    next: tuple[Task, ...]
    """In order."""
    stop: tuple[str, ...]
    """How to stop safely."""
    way_back: str
    """What can be undone now, and what cannot: the last point of return."""
    notes: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()
    """The control plane, and the pools of which the exports do not show the version of everything."""

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "control_plane": self.control_plane if self.control_plane else None,
            "least_control_plane": self.least_control_plane if self.least_control_plane else None,
            "pools": [pool.to_json() for pool in self.pools],
            "holds": [hold.to_json() for hold in self.holds],
            "next": list(map(str, self.next)),
            "stop": list(self.stop),
            "way_back": self.way_back,
            "notes": list(self.notes),
        }


def nodes_by_pool(steps: ClusterSteps, fleet: Fleet) -> dict[str, list[FleetNode]]:
    """The nodes of each declared pool. Nodes of other pools are under the empty name."""
    labels = steps.pool_labels
    found: dict[str, list[FleetNode]] = {name: [] for name in labels}
    for node in fleet.nodes:
        pools = pools_of(node.labels, labels.items())
        found.setdefault(pools[0] if pools else "", []).append(node)
    return found


def versions_now(steps: ClusterSteps, declared: str, fleet: Fleet) -> VersionsNow:
    """What runs, as far as it is known. A control plane is never older than a node."""
    by_pool = nodes_by_pool(steps, fleet)
    pools = {name: version for name, nodes in by_pool.items() if name and (version := _of_pool(steps, name, nodes, fleet)) is not None}
    if fleet.control_plane:
        return VersionsNow(minor(fleet.control_plane), pools)
    known = [minor(node.version) for node in fleet.nodes if node.version] + [minor(pool.version) for pool in fleet.pools.values() if pool.version]
    return VersionsNow(max(known, default=minor(declared)), pools)


def _of_pool(steps: ClusterSteps, name: str, nodes: Sequence[FleetNode], fleet: Fleet) -> int | None:
    found = oldest(nodes)
    shown = fleet.pools.get(steps.cloud_pools.get(name, ""))
    return found if found is not None else minor(shown.version) if shown is not None and shown.version else None


@dataclass(frozen=True, slots=True)
class DeclaredAndExisting:
    """A cluster as it runs, next to its declaration."""

    steps: ClusterSteps
    declared: str
    """The version in the declaration."""
    fleet: Fleet
    now: VersionsNow

    def shown(self, name: str) -> PoolNow | None:
        """A declared pool as the cloud shows it, by its name for people."""
        return self.fleet.pools.get(self.steps.cloud_pools.get(name, ""))

    @property
    def least_control_plane(self) -> str:
        """The version that the control plane has at least, from an export."""
        is_known = self.fleet.control_plane or any(one.version for one in (*self.fleet.nodes, *self.fleet.pools.values()))
        return f"1.{self.now.control_plane}" if is_known else ""

    def state(self, step: Step) -> str:
        """The state of what a step changes, or of its cluster if an operation runs there; empty if it was not exported."""
        pool = self.fleet.pools.get(step.cloud_name)
        states = [self.fleet.state, *([pool.state] if pool is not None else [])]
        return next((state for state in states if is_busy(state)), states[-1])


def progress(cluster: DeclaredAndExisting, rounds: Sequence[Round], to: str) -> Progress:
    """Where the cluster is. `rounds` begin at what runs."""
    version = rounds[0].version if rounds else to
    by_pool = nodes_by_pool(cluster.steps, cluster.fleet)
    pools = tuple(_pool(cluster, name, nodes, version) for name, nodes in by_pool.items() if name)
    unfinished = [node for name, nodes in by_pool.items() if name for node in nodes if not node.is_at(minor(version))]
    held = tuple(holds(cluster.fleet, unfinished))
    step = _current(rounds, pools)
    drifting = [each.name for each in rounds[0].steps if each.what == "node_pool"] if rounds else []
    passed = cluster.now.control_plane >= minor(version)
    return Progress(
        control_plane=cluster.fleet.control_plane,
        least_control_plane=cluster.least_control_plane,
        pools=pools,
        holds=held,
        next=(*(_let_go(hold) for hold in held if hold.is_draining), *(() if step is None else _next(cluster, step, pools, drifting))),
        stop=() if step is None else tuple(_stop(cluster, step, pools, drifting)),
        way_back=cluster.steps.operations.way_back(f"1.{minor(version) - 1}", short(version), passed=passed),
        notes=tuple(_notes(cluster, by_pool)),
        unproved=tuple(_unproved(cluster, by_pool)),
    )


def _unproved(cluster: DeclaredAndExisting, by_pool: Mapping[str, Sequence[FleetNode]]) -> Iterator[str]:
    """NodePools without nodes among the exported ones have none. An agent pool without nodes has a version, with which it launches them."""
    if not cluster.least_control_plane:
        yield "control plane"
    for name in cluster.steps.pool_labels:
        nodes = by_pool.get(name, ())
        is_empty = bool(cluster.fleet.nodes) and not nodes and name not in cluster.steps.cloud_pools
        if not is_empty and (name not in cluster.now.pools or any(not node.version for node in nodes)):
            yield name


def _pool(cluster: DeclaredAndExisting, name: str, nodes: Sequence[FleetNode], version: str) -> PoolProgress:
    finished = [node for node in nodes if node.is_at(minor(version))]
    others = [node for node in nodes if not node.is_at(minor(version))]
    shown = cluster.shown(name)
    return PoolProgress(
        name=name,
        version=version,
        state=shown.state if shown is not None else "",
        finished=_names(finished),
        draining=_names(node for node in others if node.leaving and not node.is_quarantined),
        untouched=_names(node for node in others if not node.leaving and not node.is_quarantined),
        quarantined=_names(node for node in others if node.is_quarantined),
        images=Counter(node.image for node in nodes if node.image),
    )


def _names(nodes: Iterable[FleetNode]) -> tuple[str, ...]:
    return tuple(node.name for node in nodes)


def _current(rounds: Sequence[Round], pools: Sequence[PoolProgress]) -> Step | None:
    """The step that is under way: that of a pool with nodes that drain; otherwise the first one that is left."""
    left = list(rounds[0].steps) if rounds else []
    draining = {pool.name for pool in pools if pool.stopped}
    return next((step for step in left if step.name in draining and step.drain is not None), left[0] if left else None)


def _let_go(hold: Hold) -> Task:
    return Task(f"Run `{hold.command}`", hold.command, f"{hold.name} holds the drain")


def _next(cluster: DeclaredAndExisting, step: Step, pools: Iterable[PoolProgress], drifting: Sequence[str]) -> Sequence[Task]:
    operations, state = cluster.steps.operations, cluster.state(step)
    if is_busy(state):
        waits, watch = f"ait until the operation that runs (`{state}`) ends", operations.watch(step)
        return [Task(f"W{waits}: `{watch}` shows it", watch, f"w{waits}")]
    if step.what == "node_pool":
        several = len(drifting) != 1
        names = joined([f"`{name}`" for name in drifting])
        waits = f"ait until drift has replaced the old nodes of NodePool{'s' * several} {names}"
        watch = cluster.fleet.kubectl(f"get nodes --selector {selector(drifting)}")
        return [Task(f"W{waits}: `{watch}` shows them", watch, f"w{waits}")]
    edits = edits_text(step.edits)
    if not state and any(pool.name == step.name and pool.stopped for pool in pools):
        start = f"set {edits}, and run `{step.how}`" if edits else f"run `{step.how}`"
        watch, then = operations.watch(step), f"if so, wait until it ends; otherwise {start}"
        look = f"whether the upgrade of pool `{step.name}` runs"
        return [Task(f"Look {look} (`{watch}`): {then}", watch, f"shows {look}: {then}")]
    return [*([Task(f"Set {edits}")] if edits else []), Task(f"Run `{step.how}`", step.how)]


def _stop(cluster: DeclaredAndExisting, step: Step, pools: Iterable[PoolProgress], drifting: Sequence[str]) -> Iterator[str]:
    operations, state = cluster.steps.operations, cluster.state(step)
    if step.what == "node_pool":
        yield pause_drift(drifting)
    elif not state:
        yield f"The exports do not say whether an operation runs: `{operations.watch(step)}` shows it. If one runs: {operations.stop(step)}"
    elif is_busy(state):
        yield operations.stop(step)
    stopped = [name for pool in pools if pool.name in cluster.steps.cloud_pools for name in pool.stopped]
    is_idle = bool(state) and step.what != "node_pool" and not is_busy(state)
    if stopped:
        command = cluster.fleet.kubectl(f"uncordon {' '.join(stopped)}")
        yield f"{f'No operation runs (`{state}`)' if is_idle else 'While no operation runs'}: `{command}` allows pods there again"
    elif is_idle:
        yield f"No operation runs (`{state}`), so there is nothing to stop"


def _notes(cluster: DeclaredAndExisting, by_pool: Mapping[str, Sequence[FleetNode]]) -> Iterator[str]:
    if not cluster.fleet.control_plane:
        yield f"The exports do not have the version of the control plane: `{cluster.steps.operations.show}` prints it"
    if cluster.now.control_plane > minor(cluster.declared):
        newer = f"1.{cluster.now.control_plane}"
        has = f"has {newer}" if cluster.fleet.control_plane else f"has at least {newer}"
        yield (
            f"The control plane {has}, and the declaration says {cluster.declared}: set `kubernetes_version` to `{newer}` first, because "
            f"`{PULUMI_UP}` would send the lower version"
        )
    if others := len(by_pool.get("", ())):
        verbs = ("s belong", "are") if others != 1 else (" belongs", "is")
        yield f"{others} node{verbs[0]} to no declared pool, and {verbs[1]} not counted"
    if unknown := sum(not node.version for node in cluster.fleet.nodes):
        nodes = f"{unknown} nodes, which are" if unknown != 1 else "1 node, which is"
        yield f"The exports have no kubelet version of {nodes} not counted as finished"

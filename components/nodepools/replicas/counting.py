"""Counts the replicas of workloads over all pools of a cluster together.

Two schedulers decide: Karpenter plans nodes, kube-scheduler binds pods to the nodes that exist. `maximum` holds for both, in whatever order pods
arrive; `minimum` holds if every choice is the least favorable one.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Final, NamedTuple

from nodepools.clouds.amounts import Amount
from nodepools.model.kubernetes.admission_objects import PodGroup
from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.topology import LabelSelector, PodSelector, PodTerm
from nodepools.model.listing import quoted
from nodepools.placement.causes import cause
from nodepools.placement.cloud_labels import HOSTNAME, ZONE, Cloud
from nodepools.placement.domains import Domains, certain_nodes, provisioned_domains, static_domains
from nodepools.placement.existing_nodes import Relations
from nodepools.placement.explain import Answer, Explainer, with_devices
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import PoolVerdict, Verdict
from nodepools.placement.workloads.objects import NO_OBJECTS, WorkloadObjects
from nodepools.placement.workloads.pod_requirements import PodRequirements, RequirementSet
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Bound, Count, Outcome, Pending, PendingReason, PoolEdit
from nodepools.replicas.demand import VOLUMES, Usage, created, daemons_of, needs, owed_by, usage_of, users_of, wanted
from nodepools.replicas.neighbors import NeighborCase, affinity_bound
from nodepools.replicas.place import Place
from nodepools.replicas.room import Demand, Room, can_fill, costs_of_each, launching_room, most_together, provisioned_room, static_room
from nodepools.replicas.storage import Storage, Where
from nodepools.replicas.volumes import UNDEMANDING, AttachedDisks, Counted, volume_bounds
from nodepools.replicas.workload_bounds import UNDECIDED, Bounds, held

_NOTHING: Final = Usage()
_NO_PODS: Final = Workload("", "", "", UNDEMANDING, 0)
_NOT_EACH: Final = "not every node that the pods fit is certain to run one"
_SHARED: Final = "all its pods share a volume, which only the pods on one node, or in one zone, can mount"
_SHOWN: Final = 5
_OUTRANK: Final = "Give its pods a higher priority, such as `priorityClassName: system-node-critical`"
_CONTRADICTED: Final = (
    "nodes have room for the pod, and kube-scheduler reported in its status that it is unschedulable: "
    "the report can be older than the other objects, or name what is not counted here"
)
_UNSURE: Final = "pods that may be those of this workload run, and it is not certain that they are as it declares them"
_EVICTS: Final = "can evict pods of lower priority, and take their room and what is free there"
_NOT_SERVED: Final = (
    "without PodGroups in the API server (gate GenericWorkload, off by default in Kubernetes 1.37), the pods are scheduled one by one"
)
_COMPARE: Final = "Compare the workload in the cluster with the file: a rollout replaces these pods"
_NOT_READ: Final = "it fits no pool that was read, and others can run it: node groups, agent pools or Fargate"
_ON_FARGATE: Final = "it fits no pool that was read, and Fargate may run it: whether it does is not determined offline"
_OF_KARPENTER: Final = frozenset({"karpenter.sh", "karpenter.k8s.aws", "karpenter.azure.com"})
"""Domains of labels that only nodes of Karpenter have."""
_IN_ONE_ZONE: Final = PodTerm(ZONE, PodSelector(LabelSelector(()), of_namespaces=LabelSelector(())))


def counted(
    answers: Sequence[Answer], pools: Iterable[ClusterPools], objects: WorkloadObjects = NO_OBJECTS, *, beside: Sequence[Answer] = ()
) -> list[Count]:
    """The count for each answer of `explain`, for the same pools; those `beside` them are of the same input, and not counted."""
    found: dict[int, Count] = {}
    for cluster in pools:
        mine = [(position, answer) for position, answer in enumerate(answers) if answer.cluster == cluster.cluster]
        counting = _Cluster(cluster, [*(answer for _, answer in mine), *beside], objects)
        found |= {position: counting.count(answer) for position, answer in mine}
    return [found[position] for position in range(len(answers))]


class _PodShape:
    """The node selector and affinity of pods, with what follows from them."""

    def __init__(self, pod: Pod) -> None:
        self.pod: Final = pod
        self.domains: Final[dict[tuple[str, str], Domains]] = {}
        """By the address of a pool and a topology key."""
        self._required: Final[dict[str, Sequence[RequirementSet]]] = {}

    def required(self, cloud: Cloud) -> Sequence[RequirementSet]:
        """One set of requirements for each required term."""
        if cloud.name not in self._required:
            self._required[cloud.name] = PodRequirements(self.pod, cloud).alternatives
        return self._required[cloud.name]


class _Group(NamedTuple):
    """The pods of a PodGroup."""

    alone: Mapping[int, Count]
    """As if each were in no group, by the identity of the answer."""
    reason: Bound
    """Why none starts if its maximum is 0, otherwise why that is not known, or why not more than `sure` are certain."""
    sure: Mapping[int, int] = MappingProxyType({})
    """How many are certain; empty if the group is not certain to start."""


class _Cluster:
    """The pools of one cluster, and all workloads of the input."""

    def __init__(self, pools: ClusterPools, answers: Sequence[Answer], objects: WorkloadObjects) -> None:
        workloads = [answer.workload for answer in answers]
        pools = with_devices(pools, workloads, objects)
        self._answers: Final = answers
        self._pools: Final = pools
        self._objects: Final = objects
        self._static: Final = {pool.address: pool for pool in pools.static}
        self._provisioned: Final = {pool.address: pool for pool in pools.provisioned}
        self._daemons: Final = daemons_of(answers)
        self._usage: Final = usage_of(answers)
        self._users: Final = users_of(answers)
        self._relations: Final = Relations([*workloads, *map(objects.in_namespace, pools.bound)])
        self._kinds: Final[dict[Hashable, int]] = {}
        self._rooms: Final[dict[tuple[str, Verdict, int], tuple[Room, bool]]] = {}
        """Pods of the same kind have the same room."""
        endless = (pool.address for pool in pools.provisioned if not pool.limits and pool.pool.replicas is None)
        self._endless: Final = {*endless} - pools.overridden.keys()
        """NodePools of which Karpenter launches as many nodes as pods need."""
        self._launching: Final[dict[tuple[str, int, int, int], Room]] = {}
        """The room there, by address, the number of pods, and how many of them can be on a node."""
        self._closed: Final[dict[str, Room]] = {}
        self._closed_places: Final[dict[int, Place]] = {}
        """By the identity of the verdict, which the place keeps."""
        self._resized: Final = {address: [one for one in users if one.resized is not None] for address, users in self._users.items()}
        self._declared: Final = {workload.identity: workload.pod for workload in workloads if workload.resized is not None}
        self._running: Final = [workload for workload in workloads if workload.is_daemon]
        self._fitting: Final[dict[Hashable, Count]] = {}
        """Counts of workloads that fit, by what `_alike` returns."""
        self._left: Final[dict[tuple[str, int], Usage]] = {}
        """What pods use of a static pool that those of a priority do not evict, by its address and the priority."""
        self._ample: Final[dict[str, bool]] = {}
        """By the address of a NodePool with limits."""
        self._tried: Final[dict[int, Count]] = {}
        """What was placed to find who evicts others, by the identity of the answer."""
        self._groups: Final[dict[tuple[str, str], _Group]] = {}
        """By namespace and name."""
        self._shapes: Final[dict[tuple[object, object], _PodShape]] = {}
        self._pods: Final[dict[int, tuple[Pod, _PodShape]]] = {}
        self._domains: Final = {address: self._domains_at(address) for address in (*self._static, *self._provisioned)}

    def count(self, answer: Answer) -> Count:
        """The replicas of one workload: those that run, and those that are to be placed."""
        others = answer.verdict is Verdict.CANNOT and self._pools.others_may_run(answer.workload)
        if others and not self._needs_a_node_pool(answer.workload.pod):
            return self._elsewhere(answer)
        key = self._alike(answer)
        known = self._fitting.get(key) if key is not None else None
        if known is not None:
            return known
        placed, running = self._in_group(answer), answer.workload.running
        pod = answer.workload.pod
        rival = next((one for one in self._evicting if one is not answer.workload and not pod.outranks(one.pod)), None)
        if rival is not None and placed.scheduled.minimum + running:
            doubt = Pending(PendingReason.UNKNOWN, f"{rival.kind} `{rival.name}` {_EVICTS}", 0, placed.wanted + running)
            placed, least = replace(placed, pending=(*placed.pending, doubt), doubtful=None), 0
        else:
            least = placed.scheduled.minimum + running
        most = None if placed.scheduled.maximum is None else placed.scheduled.maximum + running
        found = replace(placed, wanted=placed.wanted + running, scheduled=Amount(least, most))
        if key is not None and found.verdict is Outcome.FITS:
            self._fitting[key] = found
        return found

    def _needs_a_node_pool(self, pod: Pod) -> bool:
        """It requires a label that only nodes of Karpenter have, or one that a NodePool sets itself."""
        asked = [one for one in pod.required_labels if one.operator in ("In", "Exists")]
        own = [(one, pool.labels[one.key]) for one in asked for pool in self._provisioned.values() if one.key in pool.labels]
        return any(one.key.partition("/")[0] in _OF_KARPENTER for one in asked) or any(one.matches(value) for one, value in own)

    def _elsewhere(self, answer: Answer) -> Count:
        """The pods fit no pool, and other nodes, which were not read, can run them: those of node groups, agent pools and Fargate."""
        workload, many = answer.workload, wanted(answer.workload)
        bounds = [Bound(PendingReason.UNKNOWN, 0, many, _NOT_READ if self._pools.unread else _ON_FARGATE), *held(workload, many)]
        most = min(bound.maximum for bound in bounds)
        return Count(workload.replicas, many, Amount(0, most), _decisive([each for bound in bounds if (each := bound.pending(many))]))

    @cached_property
    def _evicting(self) -> list[Workload]:
        """The workloads that can evict pods that run, and are not certain to have room without that."""
        bound = [pod.pod for pod in self._pools.bound]
        found = [answer for answer in self._answers if answer.verdict is not Verdict.CANNOT and any(map(answer.workload.pod.may_evict, bound))]
        self._tried.update((id(answer), self._placed(answer)) for answer in found)
        return [answer.workload for answer in found if self._tried[id(answer)].verdict is not Outcome.FITS]

    def _alike(self, answer: Answer) -> Hashable:
        """The same for workloads that only their names tell apart; `None` if pods or volumes of others decide how many of the pods are scheduled."""
        one = answer.workload
        depends = not one.topology.is_free or one.lifecycle.volumes or one.holds or one.unschedulable or one.unsure or one.running or self._declared
        if depends or one.devices or one.is_daemon or any(True for _ in self._relations.repelling(one)):
            return None
        return one.pod, one.replicas, one.ordered, tuple(evaluated.verdict for evaluated in answer.pools)

    def _in_group(self, answer: Answer) -> Count:
        """Of a PodGroup: no pod if too few can be scheduled at once, as many as one by one if enough are certain to be, otherwise not known."""
        workload, many = answer.workload, wanted(answer.workload)
        name, group = next((hold.group for hold in workload.holds if hold.group is not None), ("", None))
        if group is None or not many or workload.is_daemon:
            return self._tried.get(id(answer)) or self._placed(answer)
        if (workload.namespace, name) not in self._groups:
            self._groups[workload.namespace, name] = self._together(group)
        found = self._groups[workload.namespace, name]
        alone, sure = found.alone[id(answer)], found.sure.get(id(answer), 0)
        if not _most(alone) or (found.sure and sure >= alone.scheduled.minimum):
            return alone
        own = replace(found.reason, minimum=sure, maximum=_most(alone) if found.reason.maximum or not group.exists else 0)
        if not (found.reason.maximum or group.exists):
            get = f"See whether `kubectl get podgroups.scheduling.k8s.io -n {group.namespace}` knows them, and pass `{group.name}` as it prints it"
            own = replace(own, kind=PendingReason.UNKNOWN, message=f"{own.message}; {_NOT_SERVED}", fix=get)
        reasons = [each for each in (own.pending(many), *alone.pending) if each is not None]
        return Count(workload.replicas, many, Amount(sure, own.maximum), _decisive(reasons if own.maximum else reasons[:1]))

    @cached_property
    def _grouped(self) -> tuple[Sequence[Answer], Sequence[Workload]]:
        """The answers, and the pods that run, of any PodGroup."""
        return [one for one in self._answers if _has_group(one.workload)], list(filter(_has_group, self._pools.bound))

    def _together(self, group: PodGroup) -> "_Group":
        """What decides on the pods of a PodGroup."""
        answers, bound = self._grouped
        members = [one for one in answers if _is_in(one.workload, group)]
        alone = {id(one): self._placed(one, alone=True) for one in members}
        of, starts = f"PodGroup `{group.name}`", f"starts with {group.least:,} pods at once (`minCount`) or with none"
        every = (*(answer.workload for answer in members), *(pod for pod in bound if _is_in(pod, group)))
        if unclear := [f"`{one.subject}`" for one in every if _is_unclear(one)]:
            why = f"{of} {starts}: how many pods {unclear[0]} adds to those is not known here"
            return _Group(alone, Bound(PendingReason.UNKNOWN, 0, group.least, why))
        at_once = sum(_at_once(one.workload, wanted(one.workload)) for one in members)
        if at_once < group.least:
            fix = "Lower `minCount`, or create more pods at once: `podManagementPolicy: Parallel` in a StatefulSet"
            return _Group(alone, Bound(PendingReason.GROUP, 0, 0, f"{of} {starts}, and the workloads here create {at_once:,} at once", fix))
        most = sum(_at_once(one.workload, _most(alone[id(one)])) for one in members)
        short = max(alone.values(), key=lambda count: count.wanted - _most(count)).decisive
        why, fix = ("", "") if short is None else (f": {short.message}", short.fix)
        if most >= group.least:
            most, why, fix = self._most_of_all(members, most), ", because they share their nodes", PoolEdit("Add nodes, or request less")
        if most < group.least:
            return _Group(alone, Bound(PendingReason.GROUP, 0, 0, f"{of} {starts}, and at most {most:,} can be scheduled{why}", fix))
        sure = {id(one): 0 if self._evicting else self._on_fixed_nodes(one) for one in members}
        certain = sum(_at_once(one.workload, sure[id(one)]) for one in members)
        why = f"{of} {starts}: nodes that are always there run {certain:,} for certain, and whether others are added for a group is not known"
        return _Group(
            alone,
            Bound(PendingReason.UNKNOWN, 0, most, why, PoolEdit("Raise the minimum of a pool, or set a fixed number of nodes")),
            sure if certain >= group.least else {},
        )

    def _most_of_all(self, members: Sequence[Answer], many: int) -> int:
        """The most pods of all members that their pools hold together."""
        reach = frozenset[str]().union(*(answer.possible for answer in members))
        if self._pools.bound or not reach <= self._static.keys() - self._pools.overridden.keys():
            return many
        every = [needs(one.workload) for one in members]
        least = {name: min(each[name] for each in every) for name in set[str].intersection(*map(set, every)) - {VOLUMES}}
        return min(many, sum(most_together(self._static[address], least, many) for address in reach))

    def _on_fixed_nodes(self, answer: Answer) -> int:
        """So many pods are certain to be scheduled at once on the nodes that no autoscaler adds."""
        if not answer.workload.topology.is_free or answer.workload.lifecycle.volumes:
            return 0
        fixed = replace(answer, pools=tuple(one for one in answer.pools if one.pool in self._static))
        return min(self._placed(answer, alone=True).scheduled.minimum, self._fixed(fixed).scheduled.minimum)

    @cached_property
    def _fixed(self) -> Callable[[Answer], Count]:
        static = tuple(replace(pool, max_nodes=min(pool.min_nodes, pool.most_sure), sure_nodes=None) for pool in self._pools.static)
        fixed = _Cluster(replace(self._pools, static=static, provisioned=()), self._answers, self._objects)
        return partial(fixed._placed, alone=True)

    def _placed(self, answer: Answer, *, alone: bool = False) -> Count:
        """The pods that are to be placed, also as if they were in no PodGroup."""
        workload, many = answer.workload, wanted(answer.workload)
        if workload.is_daemon:
            return self._on_each_node(answer)
        if not many:
            reasons = [each for bound in held(workload, many) if (each := bound.pending(many))]
            return Count(workload.replicas, many, Amount(0, 0), _decisive(reasons))
        found = [*self._bounds(answer, many), *self._of_own_volumes(answer, many)]
        found = [*self._disks.bounds(answer, many, min(bound.minimum for bound in found)), *found]
        if alone:
            groups = {hold.message for hold in workload.holds if hold.group is not None}
            found = [bound for bound in found if bound.message not in groups]
        in_room = any(one.verdict is Verdict.FITS and one.pool in self._static for one in answer.pools)
        if workload.unschedulable and self._pools.bound and in_room and all(bound.minimum for bound in found):
            found.append(Bound(PendingReason.UNKNOWN, 0, many, _CONTRADICTED, "Export the cluster again, and compare with the report"))
        if workload.resized is not None and answer.verdict is not Verdict.CANNOT:
            found = [
                *(replace(bound, maximum=many) for bound in found),
                Bound(PendingReason.UNKNOWN, self._if_highest(answer, many), many, workload.resized.message),
            ]
        if workload.unsure:
            certain = min(bound.minimum for bound in found)
            found = [*(replace(bound, maximum=many) for bound in found), Bound(PendingReason.UNKNOWN, certain, many, _UNSURE, _COMPARE)]
        least, most = min(bound.minimum for bound in found), min(bound.maximum for bound in found)
        decisive = [bound for bound in found if not bound.maximum] or found  # while none can run, nothing else helps
        pending = dict.fromkeys(bound.pending(many) for bound in decisive)  # what holds the pods is also a bound on those with volumes
        return Count(workload.replicas, many, Amount(min(least, most), most), _decisive([each for each in pending if each is not None]))

    def _on_each_node(self, answer: Answer) -> Count:
        """One pod for each node that the labels and taints allow: counted as 1, and as 1 for each pool if some of these nodes have no room."""
        workload, owed = answer.workload, owed_by(answer)
        if answer.verdict is Verdict.CANNOT and not owed:
            return Count(None, 0, Amount(0, 0))
        runs = [one for one in answer.pools if one.verdict is Verdict.FITS]
        some = len(runs) + sum(one.verdict is Verdict.UNKNOWN for one in answer.pools)
        lacking = [one for one in owed if self._lacks_room(one, workload.pod)]
        many = max(some + len(lacking), 1) if lacking else 1
        full = [one.pool for one in runs if self._can_be_full(workload, one)]
        why = f"{_NOT_EACH}: pods of no lower priority can take the room on {quoted(full, _SHOWN)} before"
        general = [*held(workload, many), *self._kept_off(answer, many), *self._disks.bounds(answer, many, many)]
        holds = [*general, *([Bound(PendingReason.UNKNOWN, 0, many, why, _OUTRANK)] if full else [])]
        holds += [Bound(PendingReason.NO_POOL, 0, many, UNDECIDED)] if some and not (runs or lacking) else []
        if some and owed:
            fix = answer.fix(owed[0]) if len(owed) == 1 else None
            text = "" if fix is None or fix.verdict is not Verdict.FITS else f"{fix}"
            what = "stays" if lacking else "can stay"
            message = f"its pod {what} Pending on the nodes of {quoted([one.pool for one in lacking or owed], _SHOWN)}: {owed[0].decisive[0].message}"
            holds.append(Bound(PendingReason.ROOM, len(runs) if lacking else 0, min(some, many), message, f"{text[:1].upper()}{text[1:]}"))
        certain = min([many if runs else 0, *(bound.minimum for bound in holds)])
        most = min([many if some else 0, *(bound.maximum for bound in holds)])
        reasons = _decisive([each for bound in holds if (each := bound.pending(many))])
        sure_elsewhere = all(bound.minimum >= many for bound in general)
        return Count(None, many, Amount(min(certain, most), most), reasons, frozenset(full) if sure_elsewhere else None)

    def _lacks_room(self, evaluated: PoolVerdict, pod: Pod) -> bool:
        """No pod runs on the nodes of the pool, and there are some that it has to run on, for certain."""
        pool = self._static.get(evaluated.pool)
        certain = evaluated.verdict is Verdict.CANNOT and evaluated.decisive == [*evaluated.reasons] and evaluated.pool not in self._pools.overridden
        return pool is not None and certain and min(certain_nodes(pool, pod), pool.min_nodes) > 0

    def _kept_off(self, answer: Answer, many: int) -> Iterator[Bound]:
        """What can keep a pod of a DaemonSet off a node that it fits."""
        workload = answer.workload
        if answer.verdict is Verdict.CANNOT:
            return
        if why := next(self._reasons_off(answer), ""):
            yield Bound(PendingReason.UNKNOWN, 0, many, f"{_NOT_EACH}: {why}")
        where, disk = self._storage.of(workload), self._storage.exclusive(workload)
        if where != Where():
            yield Bound(PendingReason.VOLUME, 0, 0 if where.verdict is Verdict.CANNOT else many, where.why or _SHARED, where.fix)
        elif disk is not None:
            yield Bound(PendingReason.VOLUME, 0, many, f"{_SHARED} of `{disk.place[1]}`")

    def _reasons_off(self, answer: Answer) -> Iterator[str]:
        workload, relations = answer.workload, self._relations
        topology = workload.topology
        for term in topology.affinities:
            yield f"affinity over `{term.key}` requires other pods there"
        for kind, terms in (("anti-affinity", topology.anti_affinities), ("a spread", topology.spreads)):
            for term in terms:
                if term.key != HOSTNAME or relations.selected(workload, term.selector):
                    yield f"{kind} over `{term.key}` counts other pods, too"
        for other, _ in relations.repelling(workload):
            yield f"anti-affinity of `{other.subject}` keeps them away"
        for other in relations.sharing_ports(workload):
            yield f"`{other.subject}` uses the same host port"

    def _can_be_full(self, workload: Workload, evaluated: PoolVerdict) -> bool:
        """Other pods can take the room on one of the nodes before the DaemonSet's pod is scheduled, and it does not evict them."""
        pool, users = self._static.get(evaluated.pool), self._users.get(evaluated.pool, ())
        others = [rival for rival in (*users, *(self._running if pool is not None else ())) if rival is not workload]
        if all(workload.pod.outranks(other.pod) for other in others):
            return False
        if pool is None:
            return can_fill(self._provisioned[evaluated.pool], needs(workload), self._daemons[evaluated.pool], self._usage[evaluated.pool])
        demand = Demand(workload.pod, needs(workload), 1, 1, 1)
        daemons = self._daemons.get(pool.address, _NOTHING).without(workload)
        return not static_room(pool, demand, daemons, self._usage.get(pool.address, _NOTHING), fits=True, bounded=True).on_nodes(1)

    def _if_highest(self, answer: Answer, many: int) -> int:
        """How many pods are certain to be scheduled if each requests the most that an autoscaler can set."""
        if answer.verdict is not Verdict.FITS or answer.workload.resized is None:
            return 0
        fitting = {one.pool for one in answer.pools if one.verdict is Verdict.FITS}
        highest = self._explainer.answer(replace(answer.workload, pod=answer.workload.resized.highest))
        highest = replace(highest, pools=tuple(one for one in highest.pools if one.pool in fitting))
        return min(bound.minimum for bound in (*self._bounds(highest, many), *self._of_own_volumes(highest, many)))

    def _bounds(self, answer: Answer, many: int, original: Workload | None = None) -> Iterator[Bound]:
        return Bounds(answer, many, partial(self._places, answer), self._relations, original).found()

    @cached_property
    def _storage(self) -> Storage:  # a cluster of the pods of one volume does not read it
        return Storage(self._objects, self._pools.classes, [*(answer.workload for answer in self._answers), *self._pools.bound])

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self._pools, [answer.workload for answer in self._answers], self._objects)

    def _of_own_volumes(self, answer: Answer, many: int) -> Iterator[Bound]:
        workload, relations = answer.workload, self._relations
        # the nodes with pods that a term selects are open to the pods: one node, if those are only its own
        on_one_node = any(
            term.key == HOSTNAME and term.selector.selection(workload.topology, itself=True) and not relations.selected(workload, term.selector)
            for term in workload.topology.affinities
        )
        names = [self._static[pool].names if pool in self._static else None for pool in answer.possible]
        node = next(iter(names[0])) if len(names) == 1 and names[0] is not None and len(names[0]) == 1 else ""
        return volume_bounds(workload, many, self._storage, partial(self._of_volumes, answer), on_one_node=on_one_node, node=node)

    def _at(self, answer: Answer, where: Where, many: int) -> Answer:
        """That for so many pods of a workload with these volumes."""
        asked = {evaluated.pool for evaluated in answer.pools}
        found = self._explainer.answer(replace(answer.workload, pod=where.pinned(answer.workload.pod), replicas=many, running=0))
        return replace(found, pools=tuple(evaluated for evaluated in found.pools if evaluated.pool in asked))

    def _of_volumes(self, answer: Answer, where: Where, many: int, others: Sequence[Where]) -> Counted:
        """So many pods of a workload, on nodes that can mount their volumes. Its others use their room only if they can be there too."""
        found = self._at(answer, where, many)
        pods, counting, is_part = found.workload, self, many < wanted(answer.workload) and len(others) <= _SHOWN
        if is_part and not any(found.possible & self._at(answer, one, many).possible for one in others):
            counting = _Cluster(self._pools, [found if one.workload.identity == pods.identity else one for one in self._answers], self._objects)
        bounds = list(counting._bounds(found, many, answer.workload if counting is self else pods))
        least, most = min(bound.minimum for bound in bounds), min(bound.maximum for bound in bounds)
        tightest = min(bounds, key=lambda bound: (bound.maximum, bound.minimum))
        is_nowhere = where.terms is not None and self._explainer.answer(replace(_NO_PODS, pod=where.pinned(UNDEMANDING))).verdict is Verdict.CANNOT
        message, fix = ("no pool has such nodes", where.fix) if is_nowhere else (tightest.message, tightest.fix)
        if found.verdict is Verdict.CANNOT and not is_nowhere:
            remedies = (reason.remedy for one in found.pools for reason in one.decisive if reason.remedy)
            message, fix = cause([found]), next(remedies, fix)
        if where.settles and many > 1:
            case = NeighborCase(_IN_ONE_ZONE, pods.pod, many, self._places(found, many, many), to_itself=True, others=())
            least, message = min(least, affinity_bound(case, many).minimum), "all pods share a volume, which is in the zone of the first pod"
            fix = "Give each pod a volume of its own, or use a network file system"
        return Counted(min(least, most), most, message, fix)

    def _places(self, answer: Answer, most_per_node: int, least_per_node: int) -> list[Place]:
        """All pools, with the room for the pods if so many are allowed on one node."""
        workload = answer.workload
        demand = Demand(workload.pod, needs(workload), wanted(workload), most_per_node, least_per_node)
        if self._declared:
            workload = replace(workload, pod=self._declared.get(workload.identity, workload.pod))
        needed = tuple(sorted(demand.need.items()))
        many = created(workload)
        kind = demand.pod, needed, many, demand.wanted, most_per_node, least_per_node
        alike = self._kinds.setdefault(kind, len(self._kinds)), many  # hashed once, not for each pool
        return [self._place(workload, evaluated, demand, alike) for evaluated in answer.pools]

    def _place(self, workload: Workload, evaluated: PoolVerdict, demand: Demand, alike: tuple[int, int]) -> Place:
        if evaluated.verdict is Verdict.CANNOT:
            closed = self._closed_places.get(id(evaluated))
            if closed is None:
                closed = self._closed_places[id(evaluated)] = self._place_of(evaluated, self._closed_room(evaluated.pool), contested=False)
            return closed
        if evaluated.verdict is Verdict.FITS and evaluated.pool in self._endless:
            of = evaluated.pool, demand.wanted, demand.most_per_node, demand.least_per_node
            if of not in self._launching:
                self._launching[of] = launching_room(self._provisioned[evaluated.pool], demand)
            return self._place_of(evaluated, self._launching[of], contested=self._usage.get(evaluated.pool, _NOTHING).pods > alike[1])
        key = evaluated.pool, evaluated.verdict, alike[0]
        known = self._rooms.get(key) if not self._declared else None
        room, contested = self._rooms[key] = known if known is not None else self._room(workload, evaluated, demand, alike[1])
        return self._place_of(evaluated, room, contested=contested)

    def _place_of(self, evaluated: PoolVerdict, room: Room, *, contested: bool) -> Place:
        address = evaluated.pool
        return Place(evaluated, room, self._domains[address], self._static.get(address), contested=contested, rivals=self._users.get(address, ()))

    def _closed_room(self, address: str) -> Room:
        """A pool that the pods cannot use: how many nodes it can have does not depend on them."""
        if address not in self._closed:
            closed = PoolVerdict(address, Verdict.CANNOT)
            self._closed[address] = self._room(_NO_PODS, closed, Demand(UNDEMANDING, needs(_NO_PODS), 0, 0, 0), 0)[0]
        return self._closed[address]

    def _room(self, workload: Workload, evaluated: PoolVerdict, demand: Demand, many: int) -> tuple[Room, bool]:
        """The room in a pool, and whether workloads use it other than this one, of which `many` pods are created."""
        address = evaluated.pool
        usage, static = self._usage.get(address, _NOTHING), self._static.get(address)
        contested = evaluated.verdict is not Verdict.CANNOT and usage.pods > many
        limited = static is not None or (pool := self._provisioned[address]).limits or pool.pool.replicas is not None
        competing = self._unless_evicted(workload, address).without(workload) if contested and limited else _NOTHING
        resized = [rival for rival in self._resized.get(address, ()) if rival.identity != workload.identity]
        for rival in resized if contested else ():
            competing = competing.without(rival)
        daemons, fits = self._daemons.get(address, _NOTHING), evaluated.verdict is Verdict.FITS
        bounded = address not in self._pools.overridden
        if static is not None:
            fits = fits and not self._disks.lacks(workload, address)
            room = static_room(static, demand, daemons, competing, fits=fits, bounded=bounded)
        else:
            pool = self._provisioned[address]
            alternatives = self._shape_of(demand.pod).required(pool.cloud)
            ample = bounded and self._is_ample(pool, daemons)
            room = provisioned_room(pool, alternatives, demand, daemons, competing, fits=fits, bounded=bounded, ample=ample)
        return _beside_resized(room, demand.pod, static, sum(map(created, resized))), contested

    def _unless_evicted(self, workload: Workload, address: str) -> Usage:
        """What pods use of a pool, without those that kube-scheduler evicts for this workload from nodes that exist, or can be added."""
        usage, users, priority = self._usage.get(address, _NOTHING), self._users.get(address, ()), workload.pod.priority
        # a NodePool whose nodes others use is not certain: these can be too small for the pods
        if address not in self._static or priority is None or not workload.pod.preempts or priority <= self._lowest or self._declared:
            return usage
        if (address, priority) not in self._left:
            for rival in users:
                usage = usage.without(rival) if workload.pod.outranks(rival.pod) else usage
            self._left[address, priority] = usage
        return self._left[address, priority]

    @cached_property
    def _lowest(self) -> int:
        return min((answer.workload.pod.priority or 0 for answer in self._answers), default=0)

    @cached_property
    def _disks(self) -> AttachedDisks:
        return AttachedDisks(self._objects.with_classes(self._pools.classes), self._pools.bound)

    def _is_ample(self, pool: KarpenterPool, daemons: Usage) -> bool:
        """The limits of a NodePool are more than the pods of all workloads that may use it need, even if each pod has nodes of its own twice."""
        known = self._ample.get(pool.address)
        if known is None:
            known = self._ample[pool.address] = bool(pool.limits) and pool.pool.replicas is None and self._needs_less(pool, daemons)
        return known

    def _needs_less(self, pool: KarpenterPool, daemons: Usage) -> bool:
        left = dict(pool.limits)
        for workload in self._users.get(pool.address, ()):
            many = wanted(workload)
            if workload.resized is not None:
                return False
            demand = Demand(workload.pod, needs(workload), many, many, many)
            for resource, each in costs_of_each(pool, self._shape_of(workload.pod).required(pool.cloud), demand, daemons).items():
                if each is None or left[resource] < 2 * many * each:
                    return False
                left[resource] -= 2 * many * each
        return True

    def _shape_of(self, pod: Pod) -> _PodShape:
        """What pods with the same node selector and affinity have in common. Hashing these takes longer than finding the pod itself again."""
        known = self._pods.get(id(pod))
        if known is None:
            shape = self._shapes.setdefault((pod.node_selector, pod.required), _PodShape(pod))
            known = self._pods[id(pod)] = pod, shape  # the pod is kept, so that no other one gets its identity
        return known[1]

    def _domains_at(self, address: str) -> Callable[[str, Pod], Domains]:
        known: dict[tuple[str, int], Domains] = {}

        def of(key: str, pod: Pod) -> Domains:
            found = known.get((key, id(pod)))
            if found is None:
                shape = self._shape_of(pod)
                if (address, key) not in shape.domains:
                    shape.domains[address, key] = self._find_domains(address, key, shape)
                found = known[key, id(pod)] = shape.domains[address, key]
            return found

        return of

    def _find_domains(self, address: str, key: str, shape: _PodShape) -> Domains:
        if address in self._pools.overridden:
            return Domains(further=None)
        if address in self._static:
            return static_domains(self._static[address], shape.pod, key)
        pool = self._provisioned[address]
        return provisioned_domains(pool, shape.required(pool.cloud), key)


def _has_group(workload: Workload) -> bool:
    return any(hold.group is not None for hold in workload.holds)


def _is_in(workload: Workload, group: PodGroup) -> bool:
    return workload.namespace == group.namespace and any(hold.group is not None and hold.group[0] == group.name for hold in workload.holds)


def _is_unclear(one: Workload) -> bool:
    """How many of its pods are there at once is not known, or whether they can start."""
    runs = one.exists or one.running or one.unsure or one.uncounted or one.is_daemon or one.kind == "CronJob" or one.resized is not None
    return bool(runs or any(hold.maximum is None and hold.group is None for hold in one.holds))


def _at_once(workload: Workload, many: int) -> int:
    """A pod that comes after another waits until that one is ready."""
    return min(many, 1) if workload.ordered else many


def _most(count: Count) -> int:
    return count.wanted if count.scheduled.maximum is None else count.scheduled.maximum


def _beside_resized(room: Room, pod: Pod, static: StaticPool | None, occupied: int) -> Room:
    """The room if each of so many pods, whose requests autoscalers set, can need a whole node."""
    if not occupied or room.launches:
        return room

    def on_nodes(nodes: int) -> int:
        return room.on_nodes(max(nodes - occupied, 0))

    return replace(room, together=0 if static is None else min(room.together, on_nodes(certain_nodes(static, pod))), on_nodes=on_nodes)


def _decisive(pending: Sequence[Pending]) -> tuple[Pending, ...]:
    """The reasons, those that keep most pods Pending first."""
    return tuple(sorted(pending, key=lambda reason: (-reason.minimum, -reason.maximum)))

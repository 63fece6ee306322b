"""Warnings about workloads that are scheduled, and that their nodes later stop in another way than people expect.

Facts: docs/facts/eks.md § 1.1 and § 5; Karpenter 1.14, `pkg/controllers/node/termination`, `pkg/utils/pdb`, `pkg/controllers/disruption/types.go`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from nodepools.model.kubernetes.disruption_budget import DisruptionBudget, Matched
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.kubernetes.label import Taint, current_label
from nodepools.model.kubernetes.pod import Pod, Requests
from nodepools.model.kubernetes.pod_lifecycle import DEFAULT_GRACE, DO_NOT_DISRUPT
from nodepools.model.listing import as_code, counted, grouped, quoted
from nodepools.model.values import dataclass
from nodepools.placement.allocatable import spelled
from nodepools.placement.cloud_labels import OS, ZONE
from nodepools.placement.domains import provisioned_domains, static_domains
from nodepools.placement.machine_filter import MachineFilter
from nodepools.placement.machine_index import UNKNOWN_AMOUNT
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import WorkloadObjects
from nodepools.placement.workloads.pod_requirements import PodRequirements, RequirementSet
from nodepools.placement.workloads.workload import Workload

_MIGRATION: Final = "https://docs.aws.amazon.com/eks/latest/userguide/migrate-auto.html"
_TERMINATION: Final = "https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod"
_TAINTS: Final = "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration"
_SPREADS: Final = "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints"
_EXPIRY: Final = "https://karpenter.sh/docs/concepts/disruption/#expiration"
_DISKS: Final = "https://kubernetes.io/docs/setup/best-practices/multiple-zones/#storage-access-for-zones"
_DAEMONS: Final = "https://kubernetes.io/docs/concepts/workloads/controllers/daemonset"
_ARM: Final = "https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-arch"
_SYSTEMS: Final = "https://kubernetes.io/docs/concepts/windows/user-guide/#ensuring-os-specific-workloads-land-on-the-appropriate-container-host"
_ARCH, _ARM64 = "kubernetes.io/arch", "arm64"
_SHOWN: Final = 5
_POOLS: Final = "{pools}"
_EVICTION: Final = "https://kubernetes.io/docs/tasks/run-application/configure-pdb"


AT_MINIMUM: Final = "Raise the minimum of the autoscaler, or set only `maxUnavailable: 1`"
_ENOUGH: Final = "Run at least 2 replicas, with a PodDisruptionBudget of `maxUnavailable: 1`"
_HALF: Final = 2
_ANY_POD: Final = Pod()


class WarningKind(StrEnum):
    """The subject of a warning."""

    VOLUME_DRIVER = "volume_driver"
    DISRUPTION_BUDGET = "disruption_budget"
    GRACE_PERIOD = "grace_period"
    DO_NOT_DISRUPT = "do_not_disrupt"
    EVICTION = "eviction"
    SPREAD = "spread"
    DAEMON_SHARE = "daemon_share"
    ZONAL_VOLUME = "zonal_volume"
    EXPIRY = "expiry"
    ARCHITECTURE = "architecture"
    OPERATING_SYSTEM = "operating_system"


OF_PODS: Final = frozenset({WarningKind.ARCHITECTURE, WarningKind.EVICTION, WarningKind.OPERATING_SYSTEM, WarningKind.SPREAD})
"""Their pools are named, and a change of the pods is the fix."""


@dataclass(frozen=True, slots=True)
class WorkloadWarning:
    """What happens to pods on nodes that they fit."""

    kind: WarningKind
    text: str
    """The message, with `{pools}` for the names of `pools`: equal for other pools."""
    fix: str
    source: str
    pools: tuple[str, ...] = ()
    """The pools that it is about, if `upgrade` says it at their drains too."""

    @property
    def message(self) -> str:
        """What happens."""
        return self.text.replace(_POOLS, quoted(list(dict.fromkeys(self.pools)), _SHOWN))

    @property
    def is_of_pods(self) -> bool:
        """It is about the pods of one workload, not about nodes."""
        return self.kind not in (WarningKind.DAEMON_SHARE, WarningKind.EXPIRY)

    def to_json(self) -> dict[str, object]:
        """As printed by `explain --format json`."""
        return {"kind": self.kind.value, "message": self.message, "fix": self.fix, "source": self.source}


class MatchedBudgets:
    """The PodDisruptionBudgets of one input with the workloads that they select. More pods can exist in the cluster."""

    def __init__(self, workloads: Iterable[Workload], objects: WorkloadObjects) -> None:
        self._scaled: Final = objects.scaled
        self._workloads: Final[dict[DisruptionBudget, list[Workload]]] = {budget: [] for budget in objects.budgets}
        self._budgets: Final[dict[Workload, list[DisruptionBudget]]] = {}
        for workload in dict.fromkeys(workloads) if objects.budgets else ():
            labels = dict(workload.topology.labels)
            found = self._budgets[workload] = [budget for budget in objects.budgets if budget.selects(workload.namespace, labels)]
            for budget in found:
                self._workloads[budget].append(workload)

    def of(self, workload: Workload) -> Sequence[DisruptionBudget]:
        """Those that select the pods of a workload."""
        return self._budgets.get(workload, ()) if self._budgets else ()  # a workload takes long to hash

    def workloads(self, budget: DisruptionBudget) -> Sequence[Workload]:
        """The workloads whose pods it selects."""
        return self._workloads[budget]

    def pods(self, budget: DisruptionBudget) -> tuple[Matched, ...]:
        """The pods that it selects."""
        return tuple(Matched(workload.kind, workload.replicas if workload.replicas is not None else 0) for workload in self._workloads[budget])

    def of_unknown_size(self, budget: DisruptionBudget) -> bool:
        """How many of its pods are expected cannot be determined: the disruption controller then allows no eviction."""
        allowance = budget.allowance(self.pods(budget))
        return allowance is None or not allowance.expected

    def is_uncounted(self, budget: DisruptionBudget) -> bool:
        """It counts replicas of controllers that the input does not have, and its status does not show that it allows an eviction."""
        matched = self._workloads[budget]
        known = {(workload.kind, workload.name) for workload in matched}
        owned = (pod.controllers for pod in matched if pod.kind == "Pod" and pod.controllers)
        is_apart = any(known.isdisjoint((one.kind, one.name) for one in controllers) for controllers in owned)
        counts = budget.max_unavailable is not None or isinstance(budget.min_available, str)
        is_of_others = any(workload.has_unknown_replicas for workload in matched)
        counts_others = counts or (budget.min_available is not None and not budget.evictions(self.pods(budget)))
        return ((is_apart and counts) or (is_of_others and counts_others)) and not budget.blocks_any_number and not budget.allowed

    def never_allows(self, budget: DisruptionBudget) -> bool:
        """It never allows an eviction, as far as the number of pods is known."""
        pods, matched = self.pods(budget), self._workloads[budget]
        if budget.allowed or self.is_uncounted(budget):
            return False
        if budget.allowance(pods) is None:
            return True
        if any(workload.is_daemon for workload in matched) or not sum(workload.replicas for workload in pods):
            return False
        is_scaled = any((workload.namespace, workload.kind, workload.name) in self._scaled for workload in matched)
        if is_scaled:
            return budget.blocks_any_number and not any(workload.kind == "Pod" for workload in matched)
        return not budget.evictions(pods)

    def blocked_at(self, budget: DisruptionBudget) -> int:
        """The pods at the minimum of their autoscalers, if it then allows no eviction; 0: it does, or it never allows one."""
        matched = self._workloads[budget]
        scalers = [self._scaled.get((workload.namespace, workload.kind, workload.name)) for workload in matched]
        if not any(scalers) or self.never_allows(budget) or any(workload.is_daemon for workload in matched):
            return 0
        least = [scaler.least if scaler is not None else workload.replicas or 0 for workload, scaler in zip(matched, scalers, strict=True)]
        pods = tuple(Matched(workload.kind, count) for workload, count in zip(matched, least, strict=True))
        return 0 if budget.evictions(pods) else sum(least)


class WorkloadWarnings:
    """The warnings about the workloads of one input."""

    def __init__(self, workloads: Iterable[Workload], objects: WorkloadObjects) -> None:
        self._objects: Final = objects
        self._budgets: Final = MatchedBudgets(workloads, objects)

    def concern(self, workload: Workload) -> bool:
        """There can be warnings about the workload, on some pool."""
        own = workload.lifecycle
        ends = own.volumes or own.do_not_disrupt or own.grace_seconds > DEFAULT_GRACE or self._budgets.of(workload)
        return bool(ends or workload.topology.spreads or any(toleration.seconds is not None for toleration in workload.pod.tolerations))

    @staticmethod
    def of_daemons(pools: Iterable[StaticPool | KarpenterPool], requests: Mapping[str, Requests]) -> Iterator[WorkloadWarning]:
        """Pools on some of whose nodes DaemonSets request more than half of what is allocatable, for certain; `requests` are theirs, by pool."""
        for pool in pools:
            for resource, amount in requests.get(pool.address, ()):
                most, nodes = _least_room(pool, resource, amount) if resource in ("cpu", "memory") else (0, "")
                if most and amount * _HALF > most:
                    share = f"{spelled(resource, amount)} of at most {spelled(resource, most)} {resource}"
                    message = f"DaemonSets request {share} of {nodes}: less than half is left for other pods"
                    fix = "Use larger machines, or keep DaemonSets off the pool"
                    yield WorkloadWarning(WarningKind.DAEMON_SHARE, message, fix, _DAEMONS, (pool.address,))

    def of(self, workload: Workload, pools: Sequence[KarpenterPool], static: Sequence[StaticPool] = ()) -> Iterator[WorkloadWarning]:
        """The warnings about a workload that can run on these NodePools and other pools."""
        yield from _evictions(workload, [(pool.address, pool.taints) for pool in (*static, *pools)])
        yield from spread_warnings(workload, pools, static)
        yield from self._zonal_volumes(workload, pools, static)
        yield from self._expiries(workload, pools)
        if static:
            addresses = list(dict.fromkeys(pool.address for pool in static))
            yield from self._disruption_budgets(workload, f"A drain of nodes of {quoted(addresses, _SHOWN)} with these pods does not end")
        for own, others in self._by_cloud(pools):
            yield from self._volumes(workload, own, others)
        for grace, addresses in grouped((pool.pool.drains_within, pool.address) for pool in pools).items():
            yield from _grace_period(workload, grace, addresses)
            yield from _do_not_disrupt(workload, grace, addresses)
            yield from self._disruption_budgets(workload, _then(addresses, grace))

    @staticmethod
    def _by_cloud(pools: Sequence[KarpenterPool]) -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
        for cloud in {pool.cloud.name: pool.cloud for pool in pools}.values():
            if cloud.volume_drivers:
                yield [pool.address for pool in pools if pool.cloud.name == cloud.name], cloud.volume_drivers

    def _volumes(self, workload: Workload, addresses: Sequence[str], drivers: Mapping[str, str]) -> Iterator[WorkloadWarning]:
        for volume, driver in self._objects.lacking(workload, drivers):
            message = f"Nodes of {as_code(addresses)} cannot mount volume `{volume}` of driver `{driver}`: their driver is `{drivers[driver]}`"
            fix = f"Use a StorageClass with provisioner `{drivers[driver]}`, and migrate volumes that exist"
            yield WorkloadWarning(WarningKind.VOLUME_DRIVER, message, fix, _MIGRATION)

    def _zonal_volumes(self, workload: Workload, pools: Iterable[KarpenterPool], static: Iterable[StaticPool]) -> Iterator[WorkloadWarning]:
        """Only Karpenter launches a node in the zone of a disk: the next node of another pool can be in any of its zones."""
        disk = self._objects.zonal_disk(workload)
        several = [pool.address for pool in static if disk and _is_wide(pool, _ANY_POD)]
        several += [pool.address for pool in pools if disk and pool.pool.replicas is not None and _is_wide(pool, _ANY_POD)]
        if several:
            message = f"Volume `{disk}` is a disk in one zone, and nodes of {quoted(several, _SHOWN)} can be in others: after a drain, the pod waits"
            fix = "Declare a pool for each zone, or keep room for the pod on two nodes in each zone"
            yield WorkloadWarning(WarningKind.ZONAL_VOLUME, f"{message} if no node in the zone of its disk has room", fix, _DISKS)

    def _expiries(self, workload: Workload, pools: Iterable[KarpenterPool]) -> Iterator[WorkloadWarning]:
        """Pods that one drain takes down, on NodePools whose budgets allow no disruption at some time: nodes that expire ignore these."""
        for pool in () if workload.is_daemon or (workload.replicas != 1 and self._budgets.of(workload)) else pools:
            if age := pool.expires_anyway:
                message = f"Karpenter drains each node of {_POOLS} {age} after its launch, also while a disruption budget allows no node"
                yield WorkloadWarning(WarningKind.EXPIRY, message, _ENOUGH, _EXPIRY, (pool.address,))

    def _disruption_budgets(self, workload: Workload, then: str) -> Iterator[WorkloadWarning]:
        found = self._budgets.of(workload)
        if len(found) > 1:
            message = (
                f"PodDisruptionBudgets {as_code(budget.name for budget in found)} select the same pods: the API server rejects every eviction. {then}"
            )
            fix = f"Keep one PodDisruptionBudget for these pods, such as `{found[0].name}`"
            yield WorkloadWarning(WarningKind.DISRUPTION_BUDGET, message, fix, _EVICTION)
        for budget in found:
            if self._budgets.never_allows(budget):
                yield _blocked(budget, self._budgets, then)
            elif least := self._budgets.blocked_at(budget):
                head = f"PodDisruptionBudget `{budget.name}` (`{budget}`)"
                message = f"{head} allows no eviction at the minimum of the autoscaler, {counted(least, 'pod')}. {then}"
                yield WorkloadWarning(WarningKind.DISRUPTION_BUDGET, message, AT_MINIMUM, _EVICTION)


def _blocked(budget: DisruptionBudget, budgets: MatchedBudgets, then: str) -> WorkloadWarning:
    pods = budgets.pods(budget)
    count = sum(workload.replicas for workload in pods)
    head = f"PodDisruptionBudget `{budget.name}` (`{budget}`)"
    if budgets.of_unknown_size(budget):
        kinds = ", ".join(sorted({workload.kind for workload in budgets.workloads(budget)}))
        message = f"{head} never allows an eviction: how many of the pods are expected cannot be determined for {kinds}. {then}"
        fix = f"Replace `{budget}` with `minAvailable: {max(count - 1, 0)}`"
        return WorkloadWarning(WarningKind.DISRUPTION_BUDGET, message, fix, _EVICTION)
    message = f"{head} never allows an eviction with {counted(count, 'replica')}. {then}"
    more = ", and `replicas` to at least 2 to keep a pod available" if count == 1 else ""
    return WorkloadWarning(WarningKind.DISRUPTION_BUDGET, message, f"Set only `maxUnavailable: 1`{more}", _EVICTION)


def _evictions(workload: Workload, pools: Iterable[tuple[str, Iterable[Taint]]]) -> Iterator[WorkloadWarning]:
    """Pods that tolerate a `NoExecute` taint for some time only are evicted, created again, and can return to the same nodes."""
    found: dict[tuple[Taint, int], list[str]] = {}
    for address, taints in pools:
        for taint in taints:
            seconds_left = workload.pod.tolerates_for(taint) if taint.effect == "NoExecute" else None
            if seconds_left is not None:
                found.setdefault((taint, max(seconds_left, 0)), []).append(address)
    for (taint, left), addresses in found.items():
        message = (
            f"The pods tolerate taint `{taint}` of {_POOLS} for {left} s: they are evicted then, and the next ones can be scheduled on the same nodes"
        )
        fix = "Remove `tolerationSeconds`, or keep the pods off these nodes"
        yield WorkloadWarning(WarningKind.EVICTION, message, fix, _TAINTS, tuple(addresses))


def spread_warnings(workload: Workload, pools: Iterable[KarpenterPool], static: Iterable[StaticPool]) -> Iterator[WorkloadWarning]:
    """A hard spread over zones counts only zones that have nodes, which Karpenter and autoscalers add and remove.

    Pods that can be in one zone alone are not spread: with `minDomains: 2`, all but `maxSkew` of them stay Pending.
    """
    topology = workload.topology
    over_zones = any(spread.key == ZONE and spread.min_domains == 1 and spread.selector.selects(topology, itself=True) for spread in topology.spreads)
    if not over_zones or (workload.replicas or 0) <= 1:
        return
    several = [pool.address for pool in static if _is_wide(pool, workload.pod)]
    required: list[Sequence[RequirementSet]] = []  # the same for each pool
    for pool in pools:
        required = required or [PodRequirements(workload.pod, pool.cloud).alternatives]
        several += [pool.address] if _launches_widely(pool, required[0]) else []
    if several:
        message = f"The spread over `{ZONE}` counts only zones that have nodes: while those of {_POOLS} are in one zone, all pods can be"
        fix = "Set `minDomains: 2`: then pods wait for nodes in another zone"
        yield WorkloadWarning(WarningKind.SPREAD, message, fix, _SPREADS, tuple(several))


def may_have_arm64(pool: StaticPool | KarpenterPool) -> bool:
    """The pool has arm64 nodes, or can launch them."""
    if isinstance(pool, StaticPool):
        return any(labels.get(_ARCH) == _ARM64 for labels in pool.variants)
    return _ARM64 in provisioned_domains(pool, PodRequirements(_ANY_POD, pool.cloud).alternatives, _ARCH).possible


def architecture_warnings(pod: Pod, arm64: Iterable[StaticPool | KarpenterPool], fitting: Collection[str]) -> Iterator[WorkloadWarning]:
    """Pods that say nothing of the architecture and fit pools that can have arm64 nodes; `fitting` are the addresses of all that they fit."""
    wishes = (one for wish in pod.preferred for one in wish.term.expressions if one.matches(_ARM64))
    if any(current_label(one.key) == _ARCH for one in (*pod.required_labels, *wishes)):
        return
    found = {pool.address: values for pool in arm64 if pool.address in fitting and _ARM64 in (values := _architectures(pool, pod))}
    if found:
        alone = found.keys() == set(fitting) and all(len(values) == 1 for values in found.values())
        runs = "run on" if alone else "can land on"
        message = f"The pods {runs} arm64 nodes of {_POOLS}: an image for amd64 alone does not start there"
        fix = "Use images for arm64" if alone else f"Add `nodeSelector: {{{_ARCH}: amd64}}`, or use images for both architectures"
        yield WorkloadWarning(WarningKind.ARCHITECTURE, message, fix, _ARM, tuple(found))


def system_warnings(pod: Pod, found: tuple[str, ...]) -> Iterator[WorkloadWarning]:
    """Pods that say nothing of the operating system and fit pools of Windows nodes."""
    if found and not pod.system and not any(current_label(one.key) == OS for one in pod.required_labels):
        message = f"The pods can land on Windows nodes of {_POOLS}: an image for Linux does not start there"
        fix = f"Add `nodeSelector: {{{OS}: linux}}`, or `windows` for images of Windows"
        yield WorkloadWarning(WarningKind.OPERATING_SYSTEM, message, fix, _SYSTEMS, found)


def _architectures(pool: StaticPool | KarpenterPool, pod: Pod) -> Collection[str]:
    """The architectures of nodes on which the pod can be."""
    if isinstance(pool, StaticPool):
        return static_domains(pool, pod, _ARCH).possible
    ways, index = PodRequirements(pod, pool.cloud).alternatives, pool.cloud.index
    types = frozenset(value for one in ways for value in index.values(_ARCH, MachineFilter(pool, pod, one, ()).left.possible))
    return provisioned_domains(pool, ways, _ARCH).possible & types


def _is_wide(pool: StaticPool | KarpenterPool, pod: Pod) -> bool:
    """The pod can be in several zones on its nodes. Azure numbers the fault domains of nodes without a zone."""
    if isinstance(pool, StaticPool):
        return sum(not zone.isdigit() for zone in static_domains(pool, pod, ZONE).possible) > 1
    return _launches_widely(pool, PodRequirements(pod, pool.cloud).alternatives)


def _launches_widely(pool: KarpenterPool, required: Sequence[RequirementSet]) -> bool:
    domains = provisioned_domains(pool, required, ZONE)
    return domains.others or len(domains.possible) > 1


def _least_room(pool: StaticPool | KarpenterPool, resource: str, amount: int) -> tuple[int, str]:
    """The most that is allocatable on each node, or on the smallest that Karpenter launches for DaemonSets with this `amount`; 0: not known."""
    if isinstance(pool, StaticPool):  # what a node that runs offers is what its pods leave
        most = pool.counts.get(resource) if pool.names else (pool.offers or {}).get(resource, UNKNOWN_AMOUNT).most
        return 0 if most is None else most, f"each node of {_POOLS}"
    index, types = pool.cloud.index, pool.types.possible & pool.cloud.index.holding(resource, amount).possible
    found = [(most, machine.name) for machine in index.taken(types) if (most := machine.offers.get(resource, UNKNOWN_AMOUNT).most) is not None]
    most, name = min(found, default=(0, ""))
    return most, f"a `{name}`, which {_POOLS} can launch"


def _then(addresses: Sequence[str], grace: str | None) -> str:
    if grace is None:
        return f"Karpenter does not disrupt nodes of {as_code(addresses)} with these pods, and a drain does not end"
    return f"Karpenter does not consolidate nodes of {as_code(addresses)} with these pods, and deletes the pods {grace} after a drain begins"


def _grace_period(workload: Workload, grace: str | None, addresses: Sequence[str]) -> Iterator[WorkloadWarning]:
    own = workload.lifecycle.grace_seconds
    if grace is not None and own > seconds(grace):
        message = (
            f"`terminationGracePeriodSeconds` ({own}) is longer than `terminationGracePeriod` ({grace}) of {as_code(addresses)}: Karpenter "
            f"deletes the pod as soon as its node drains, regardless of PodDisruptionBudgets, and terminates it after {grace}"
        )
        fix = f"Set `terminationGracePeriodSeconds` to at most {seconds(grace)}, or raise `terminationGracePeriod` of the NodePool"
        yield WorkloadWarning(WarningKind.GRACE_PERIOD, message, fix, _TERMINATION)


def _do_not_disrupt(workload: Workload, grace: str | None, addresses: Sequence[str]) -> Iterator[WorkloadWarning]:
    value = workload.lifecycle.do_not_disrupt
    if grace is not None and value:
        message = (
            f"`{DO_NOT_DISRUPT}` does not protect the pod from drift and expiration on {as_code(addresses)}: the node drains for "
            f"`terminationGracePeriod` ({grace}), then Karpenter deletes the pod"
        )
        fix = "Let the pod continue after a restart, or raise `terminationGracePeriod` of the NodePool above its longest run"
        yield WorkloadWarning(WarningKind.DO_NOT_DISRUPT, message, fix, _TERMINATION)

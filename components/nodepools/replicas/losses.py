"""Pools after a loss of capacity: a zone, spot capacity, a pool, or the machines of a size.

What is left is a bound again: nodes of a pool in several zones that are lost in part are those that are certain to be in the others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from nodepools.model.aks.agent_pool import SPOT_LABEL
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import POOL_LABEL, Values
from nodepools.model.kubernetes.pod import Pod
from nodepools.model.listing import nearest, quoted
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import AGENT_POOL, CAPACITY, HOSTNAME, NODE_GROUP, POOL, REGION, TYPE_KEYS, ZONE, ZONE_ID, LabelValues
from nodepools.placement.existing_nodes import ExistingPods
from nodepools.placement.explain import ORDER
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Kind, Reason, Verdict
from nodepools.placement.workloads.objects import NO_OBJECTS, WorkloadObjects
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Pending, PendingReason
from nodepools.replicas.explained import Explained, explain_replicas, marked

Pool = TypeVar("Pool", StaticPool, KarpenterPool)
EACH: Final = "each"
"""The word for each single loss, each of them alone."""
KINDS: Final = ("zone", "spot", "pool", "size")
_SPOT: Final = {CAPACITY: "spot", SPOT_LABEL: "spot", "eks.amazonaws.com/capacityType": "SPOT"}
_POOLS: Final = (POOL, AGENT_POOL, NODE_GROUP, POOL_LABEL)
_KEYS: Final = {"zone": ZONE, "size": TYPE_KEYS[0]}
"""Labels whose value is lost."""
_ZONE_ID: Final = re.compile(r"[a-z0-9]+-az\d+")
_AZURE_SIZE: Final = re.compile(r"Standard_([A-Z]+)\d+(?:-\d+)?([a-z]*)(?:_(?!v\d)[A-Z]\w*?)?(?:_(v\d+))?", re.IGNORECASE)
_PREVIOUS: Final = " (previous)"
_SHOWN: Final = 8
_COPY: Final = "Restore the volume from a snapshot in another zone, or use storage that is replicated over zones"


class UnknownLossError(ValueError):
    """What is lost is not in any pool."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What is lost: `zone=1`, `spot`, `pool=web`, `size=Standard_D4s_v5`."""

    kind: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.kind}={self.value}" if self.value else self.kind

    @property
    def words(self) -> str:
        """`zone 1`, `spot capacity`."""
        return f"{self.kind} {self.value}" if self.value else "spot capacity"

    @property
    def outside(self) -> str:
        """Where a pool is that is not lost, too; empty: in any place."""
        words = {"zone": f"outside of {self.words}", "spot": f"without {self.words}", "size": f"of another size than {self.value}"}
        return words.get(self.kind, "")

    def takes(self, labels: Mapping[str, str], address: str) -> bool | None:
        """Nodes with these labels are lost; `None`: that is not known."""
        if self.kind == "pool":
            own = {labels[key] for key in _POOLS if key in labels}
            return self.value in own or f"/{address.removesuffix(_PREVIOUS)}".endswith(f"/{self.value}")
        if self.kind == "spot":
            return any(labels.get(key) == value for key, value in _SPOT.items())
        if self.kind == "zone":
            return self._takes_zone(labels)
        return None if _KEYS["size"] not in labels else self.is_size(labels[_KEYS["size"]])

    def is_size(self, name: str) -> bool:
        """The machine type, or a type of the family, is lost."""
        return self.value.lower() in (name.lower(), _family(name))

    def is_zone(self, name: str) -> bool:
        """`1` is the zone of that number in every region."""
        return self.value == name or (self.value.isdigit() and name.rpartition("-")[2] == self.value)

    def _takes_zone(self, labels: Mapping[str, str]) -> bool | None:
        if _ZONE_ID.fullmatch(self.value):
            return labels[ZONE_ID] == self.value if ZONE_ID in labels else None
        name, region = labels.get(ZONE, ""), labels.get(REGION, "")
        if not self.value.isdigit() and region and not self.value.startswith(region):
            return False
        return self.is_zone(name) if name and not name.isdigit() else None  # Azure numbers the fault domains of nodes without a zone


def _family(name: str) -> str:
    """`m5` of `m5.large`, `dsv5` of `Standard_D4s_v5`."""
    size = _AZURE_SIZE.fullmatch(name)
    return "".join(part or "" for part in size.groups()).lower() if size is not None else name.partition(".")[0].lower()


def read_losses(written: Iterable[str], clusters: Sequence[ClusterPools]) -> tuple[Loss, ...]:
    """What is lost together, each as a word or a list with commas.

    Raises:
        UnknownLossError: it is written in another way, or no pool has it.
    """
    return tuple(dict.fromkeys(_read(part.strip(), clusters) for each in written for part in each.split(",")))


def _read(written: str, clusters: Sequence[ClusterPools]) -> Loss:
    kind, _, value = written.partition("=")
    if kind not in KINDS or bool(value) is (kind == "spot"):
        meant = nearest(kind, KINDS)
        forms = "`zone=1`, `spot`, `pool=web` or `size=Standard_D4s_v5`, with commas between several"
        hint = f"; use `{meant}`" if meant is not None and meant != kind else ""
        zones = quoted(list(dict.fromkeys(name for pools in clusters for name in _names(pools, "zone"))), _SHOWN)
        raise UnknownLossError(f"`{written}` is not a capacity: write {forms}, or `each` alone{hint}{f'; zones are {zones}' if zones else ''}")
    loss = Loss(kind, value)
    names = [] if kind == "spot" else list(dict.fromkeys(name for pools in clusters for name in _names(pools, kind)))
    if kind == "spot" or any(_is(loss, name) for name in names) or (kind == "zone" and any(_may_be(value, pools) for pools in clusters)):
        return loss
    meant = nearest(value, dict.fromkeys(part for name in names for part in (name, *([name.rpartition("/")[2]] if kind == "pool" else []))))
    known = f"{f'use `{meant}`; ' if meant is not None else ''}{kind}s are {quoted(names, _SHOWN) if names else 'not known'}"
    raise UnknownLossError(f"no pool has {kind} `{value}`: {known}" if kind != "pool" else f"there is no pool `{value}`: {known}")


def _may_be(zone: str, pools: ClusterPools) -> bool:
    """The zones of a NodePool are not known, and it may be one of them."""
    every = [pool.choices.get(key) for pool in pools.provisioned for key in (ZONE, ZONE_ID)]
    return not zone.isdigit() and any(one is not None and one.may_include is not None and one.may_include(zone) for one in every)


def unknown_zones(clusters: Iterable[ClusterPools]) -> list[str]:
    """The pools whose zones are not known."""
    provisioned = [pool.address for pools in clusters for pool in pools.provisioned if not _zones(pool, ZONE)]
    static = [pool for pools in clusters for pool in pools.static if not pool.lost and ZONE not in pool.choices]
    return [*(pool.address for pool in static if any(labels.get(ZONE, "0").isdigit() for labels in pool.variants)), *provisioned]


def _is(loss: Loss, name: str) -> bool:
    if loss.kind == "pool":
        return loss.takes({}, name) is True
    return loss.is_zone(name) if loss.kind == "zone" else loss.is_size(name)


def _names(pools: ClusterPools, kind: str) -> Iterator[str]:
    """The names of zones, pools or machine types of a cluster."""
    if kind == "pool":
        yield from (pool.address.removesuffix(_PREVIOUS) for pool in pools.static if pool.names is None)
        yield from (labels[key] for pool in pools.static if pool.names is not None for labels in pool.variants for key in _POOLS if key in labels)
        yield from (pool.address for pool in pools.provisioned)
        return
    for key in (ZONE, ZONE_ID) if kind == "zone" else (_KEYS[kind],):
        found = [labels[key] for pool in pools.static for labels in pool.variants if key in labels]
        found += [name for pool in pools.static for name in sorted(pool.choices.get(key, ()))]
        yield from (name for name in found if not name.isdigit())
        for pool in pools.provisioned:
            named = pool.cloud.index.names(pool.types.possible) if kind == "size" else _zones(pool, key)
            yield from sorted(name for name in named if not name.isdigit())


def _zones(pool: KarpenterPool, key: str) -> frozenset[str]:
    """The zones that a NodePool names, and those of its cluster that it allows."""
    offered, choices = pool.offered.get(key), pool.choices.get(key, LabelValues())
    known = choices.certain | choices.possible
    if offered is None or offered.complement:
        return frozenset(name for name in known if offered is None or name in offered)
    return frozenset(name for name in offered.members if choices.may_include is not None or not known or name in known)


def single_losses(clusters: Sequence[ClusterPools]) -> list[Loss]:
    """Each zone, spot capacity and each pool: what can be lost alone."""
    zones = sorted({name for pools in clusters for name in _names(pools, "zone") if not _ZONE_ID.fullmatch(name)})
    spot = [Loss("spot")] if any(without(pools, [Loss("spot")]) is not pools for pools in clusters) else []
    names = dict.fromkeys(name for pools in clusters for name in _names(pools, "pool"))
    return [*(Loss("zone", zone) for zone in zones), *spot, *(Loss("pool", name) for name in names)]


def without(pools: ClusterPools, losses: Iterable[Loss]) -> ClusterPools:
    """What is left of the pools of a cluster; the same object if nothing of them is lost."""
    taken: dict[str, list[str]] = {}
    for loss in losses:
        unsure: dict[str, str] = {}
        static = tuple(_named(pool, _static(pool, loss, unsure), loss, taken) for pool in pools.static)
        provisioned = tuple(_named(pool, _provisioned(pool, loss, unsure), loss, taken) for pool in pools.provisioned)
        gone = tuple(one for one in provisioned if isinstance(one, StaticPool))
        launching = tuple(one for one in provisioned if isinstance(one, KarpenterPool))
        pairs = zip((*static, *provisioned), (*pools.static, *pools.provisioned), strict=True)
        if changed := {*unsure, *(other.address for one, other in pairs if one is not other)}:
            pools = replace(pools, static=(*static, *gone), provisioned=launching, unsure={**pools.unsure, **unsure})
            pools = replace(pools, losing=pools.losing | changed) if loss.kind == "zone" else pools
    return pools


def _named(pool: Pool, left: Pool | StaticPool, loss: Loss, taken: dict[str, list[str]]) -> Pool | StaticPool:
    """What is left of a pool; if nothing is, with each loss that took a part of it."""
    if left is not pool:
        taken.setdefault(pool.address, []).append(loss.words)
    return replace(left, lost=" and ".join(taken[pool.address])) if isinstance(left, StaticPool) and left is not pool and left.lost else left


def _lost(address: str, loss: Loss) -> StaticPool:
    return StaticPool(address, ({},), min_nodes=0, max_nodes=0, may_set=lambda _: True, lost=loss.words)


def _static(pool: StaticPool, loss: Loss, unsure: dict[str, str]) -> StaticPool:
    """The nodes that are left: any number of them, since no cloud promises to spread them over zones."""
    if pool.lost:
        return pool
    key = _KEYS.get(loss.kind, "")
    if key in pool.choices:
        left = frozenset(value for value in pool.choices[key] if not loss.takes({**pool.variants[0], key: value}, pool.address))
        if left == pool.choices[key]:
            return pool
        found: list[bool | None] = [None if left else True]
        pool = replace(pool, choices={**pool.choices, key: left})
    else:
        found = [loss.takes(labels, pool.address) for labels in pool.variants]
    if all(found):
        return replace(_lost(pool.address, loss), variants=())  # its nodes are gone, and so are their labels: no scheduler counts them
    if not any(gone is not False for gone in found):
        return pool
    unsure[pool.address] = f"whether nodes of the pool are left without {loss.words} cannot be determined offline"
    variants = tuple(labels for labels, taken in zip(pool.variants, found, strict=True) if taken is not True)
    return replace(pool, variants=variants, min_nodes=0, sure_nodes=0, now=None, reported={})


def _provisioned(pool: KarpenterPool, loss: Loss, unsure: dict[str, str]) -> KarpenterPool | StaticPool:
    if loss.kind == "pool":
        return _lost(pool.address, loss) if loss.takes({}, pool.address) else pool
    left = _restricted(pool, loss, unsure)
    if left is None:
        return pool
    key = left.also[-1].key
    if not left.types.possible or (key in left.choices and left.choices[key].verdict(left.offered[key]) is Verdict.CANNOT):
        return _lost(pool.address, loss)
    if pool.pool.replicas is not None:
        unsure[pool.address] = f"the NodePool is static: which of its nodes are left without {loss.words} cannot be determined offline"
    return left


def _restricted(pool: KarpenterPool, loss: Loss, unsure: dict[str, str]) -> KarpenterPool | None:
    """The NodePool with what it no longer launches excluded; `None` if it launches all that it did."""
    if loss.kind == "spot":
        offered = pool.offered.get(CAPACITY)
        return _excluding(pool, CAPACITY, ["spot"]) if offered is None or "spot" in offered else None
    if loss.kind == "size":
        named = pool.offered.get(_KEYS["size"], Values())
        names = [name for name in (*pool.cloud.index.names(pool.types.possible), *(() if named.complement else named.members)) if loss.is_size(name)]
        if not names and pool.cloud.unknown:
            unsure[pool.address] = f"whether it launches {loss.words} is not known"
        return _excluding(pool, _KEYS["size"], names) if names else None
    key, other = (ZONE_ID, ZONE) if _ZONE_ID.fullmatch(loss.value) else (ZONE, ZONE_ID)
    choices = pool.choices.get(key, LabelValues())
    regions = pool.choices.get(REGION, LabelValues()).certain
    zones = [name for name in _zones(pool, key) if loss.is_zone(name)]
    others = [] if loss.value.isdigit() else [loss.value]
    others += [f"{region}-{loss.value}" for region in regions if loss.value.isdigit()]
    hidden = [name for name in others if choices.may_include is not None and choices.may_include(name)]
    if not zones and not hidden:
        return None
    if other in pool.offered or not zones:
        unsure[pool.address] = f"which of its zones is {loss.value} is not known"
    named = pool.choices.get(other)
    if named is not None:  # which zone has which identifier differs between accounts
        doubtful = replace(named, certain=frozenset[str](), possible=named.certain | named.possible)
        pool = replace(pool, choices={**pool.choices, other: doubtful})
    return _excluding(pool, key, [*zones, *hidden])


def _excluding(pool: KarpenterPool, key: str, values: Sequence[str]) -> KarpenterPool:
    return replace(pool, also=(*pool.also, Requirement(key, "NotIn", list(dict.fromkeys(values)))), known={})


def remaining(nodes: Sequence[StaticPool], pods: ExistingPods | None, losses: Sequence[Loss]) -> tuple[tuple[StaticPool, ...], ExistingPods | None]:
    """The nodes that run after a loss, and the pods: those of lost nodes wait for another one, if a controller creates them again."""
    gone = {node.address for node in nodes if any(loss.takes(labels, node.address) for loss in losses for labels in node.variants)}
    left = tuple(node for node in nodes if node.address not in gone)
    if pods is None or not gone:
        return left, pods
    bound = tuple(pod for pod in pods.bound if pod.pod.node_name not in gone)
    again = [pod for pod in pods.bound if pod.pod.node_name in gone and any(owner.kind not in ("DaemonSet", "Node") for owner in pod.controllers)]
    return left, replace(pods, bound=bound, waiting=(*pods.waiting, *(replace(pod, pod=replace(pod.pod, node_name="")) for pod in again)))


def explain_without(
    workloads: Sequence[Workload], pools: Sequence[ClusterPools], losses: Sequence[Loss], objects: WorkloadObjects = NO_OBJECTS
) -> list[Explained]:
    """The answers and counts after a loss of capacity."""
    before, left = explain_replicas(workloads, pools, objects), [without(each, losses) for each in pools]
    return after_a_loss(explain_replicas(workloads, left, objects), before, left, losses) if losses else before


def after_a_loss(after: Sequence[Explained], before: Sequence[Explained], left: Iterable[ClusterPools], losses: Sequence[Loss]) -> list[Explained]:
    """The answers on what is `left`, with no pool and no pod more certain than before: lost capacity is never what a workload runs on."""
    clusters = {pools.cluster: pools for pools in left}
    return [_no_better(one, whole, clusters[one.answer.cluster], losses) for one, whole in zip(after, before, strict=True)]


def _all_are(pod: Pod, loss: Loss, *, lost: bool) -> bool:
    """All nodes on which the pod can run are certain to be lost, or not to be, by what it requires."""
    return all(any(one.operator == "In" and all(loss.takes({one.key: value}, "") is lost for value in one.values) for one in way) for way in pod.ways)


def _no_better(after: Explained, before: Explained, pools: ClusterPools, losses: Sequence[Loss]) -> Explained:
    answer, count = after.answer, after.count
    fitted = {pool.pool for pool in before.answer.pools if pool.verdict is Verdict.FITS}
    reason = Reason(Kind.LIMIT, "whether it fits is not certain before the loss either", verdict=Verdict.UNKNOWN)
    doubted = (
        replace(pool, verdict=Verdict.UNKNOWN, reasons=(*pool.reasons, reason)) if pool.verdict is Verdict.FITS and pool.pool not in fitted else pool
        for pool in answer.pools
    )
    answer = replace(answer, pools=tuple(sorted(doubted, key=lambda pool: ORDER[pool.verdict])))
    if pools.losing:  # a volume whose zone has nodes before the loss
        lost = [each.kind is PendingReason.VOLUME and each not in before.count.pending for each in count.pending]
        pending = tuple(replace(each, fix=_COPY) if moved else each for each, moved in zip(count.pending, lost, strict=True))
        count = replace(count, pending=pending)
    already = PendingReason.UNKNOWN, before.count.scheduled.minimum, "more pods are not certain before the loss either", ""
    for kind, least, message, fix in (already, *_spread(answer.workload, pools), *_unplaced(after, before, pools, losses)):
        if count.scheduled.minimum > least:
            waits = Pending(kind, message, 0, count.wanted - least, fix)
            count = replace(count, scheduled=replace(count.scheduled, minimum=least), pending=(*count.pending, waits))
    outside = " and ".join(loss.outside for loss in losses if loss.outside)
    requires = " and ".join(loss.words for loss in losses if _all_are(answer.workload.pod, loss, lost=True))
    return replace(after, answer=marked(answer, count), count=count, before=before, outside=outside, requires=requires)


def _unplaced(after: Explained, before: Explained, pools: ClusterPools, losses: Sequence[Loss]) -> Iterator[tuple[PendingReason, int, str, str]]:
    """How many pods run for certain if a disk can be in the lost zone: nodes there could run them before, and they do not require another zone."""
    if not pools.losing:
        return
    workload, where = after.answer.workload, after.unplaced()
    able = {one.pool for one in before.answer.pools if one.verdict is not Verdict.CANNOT or pools.bound}
    lost = able & pools.losing or able - {one.pool for one in after.answer.pools}
    pod, zones = where.pinned(workload.pod), [loss for loss in losses if loss.kind == "zone"]
    if where.verdict is Verdict.UNKNOWN and lost and not all(_all_are(pod, loss, lost=False) for loss in zones):
        yield PendingReason.VOLUME, workload.running, where.why, where.fix


def _spread(workload: Workload, pools: ClusterPools) -> Iterator[tuple[PendingReason, int, str, str]]:
    """How many pods a spread lets run for certain without a zone, which is a domain as long as its Nodes exist or a NodePool names it."""
    launches = any(pool.pool.replicas is None for pool in pools.provisioned)
    spreads = workload.topology.spreads if pools.losing and not workload.is_daemon else ()
    counting = [spread for spread in spreads if (spread.key != HOSTNAME if launches else not spread.honors_taints)]
    if counting:
        who = "Karpenter counts the zone" if launches else "kube-scheduler counts the zone while its Nodes exist"
        message = f"the topology spread constraint over `{counting[0].key}` can keep pods Pending after the loss: {who}, with no pods"
        least = workload.running if workload.running else min(spread.max_skew for spread in spreads)
        kind, fix = (PendingReason.UNKNOWN, "") if launches else (PendingReason.SPREAD, "Add `nodeTaintsPolicy: Honor` to the constraint")
        yield kind, least, message, fix

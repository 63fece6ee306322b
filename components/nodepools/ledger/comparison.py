"""What happened since a record: seen, contradicted, or unknown. Seen needs proof: an autoscaler and consolidation replace nodes, too."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final

from nodepools.data.version_support import minor
from nodepools.ledger.observation import Observation
from nodepools.ledger.record import ClusterPrediction, NodeRecord, PoolPrediction, PoolResult, Record, Verdict
from nodepools.model.listing import counted, grouped, joined, listed, quoted
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import AGENT_POOL
from nodepools.wire.table import Effect

_STAYS: Final = (Effect.NONE, Effect.IGNORED, Effect.IN_PLACE, Effect.IN_PLACE_LATER, Effect.IN_PLACE_PODS)
_OPEN: Final = (Effect.UNKNOWN, Effect.REFUSED)
BY_EDIT: Final = frozenset({"NodePoolDrifted", "RequirementsDrifted", "NodeClassDrift"})
"""Reasons of drift that a declaration causes. Others, such as a new image, come without an edit."""
_OTHER_REASONS: Final = frozenset({"Empty", "Underutilized", "Interrupted"})
"""Why Karpenter removes nodes without an edit."""
_NOTICED: Final = timedelta(hours=1)
"""Karpenter has looked for drift several times by then."""
_NAMED: Final = 3
_OTHER: Final = "these exports are of another cluster, or those of the record had only a part of the nodes"
Answer = tuple[Verdict, str]


@dataclass(frozen=True, slots=True)
class ClusterComparison:
    """What was seen of one cluster."""

    results: tuple[PoolResult, ...]
    not_predicted: tuple[str, ...]
    """What contradicts the record and belongs to no prediction."""
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Pool:
    """A predicted pool with its nodes at both times."""

    prediction: PoolPrediction
    cluster: ClusterPrediction
    record: Record
    seen: Observation
    before: Sequence[NodeRecord] | None
    """`None` if they were not recorded."""
    now: Sequence[NodeRecord]

    @cached_property
    def effect(self) -> Effect:
        """What was predicted. What is created next to the nodes of a pool does nothing to them."""
        found = Effect(self.prediction.effect)
        return Effect.IN_PLACE if found is Effect.CREATES and self.prediction.before is not None else found

    @property
    def has_new_version(self) -> bool:
        """The change is to another minor version."""
        return minor(self.cluster.old_version) != minor(self.cluster.new_version)

    @property
    def is_agent_pool(self) -> bool:
        """The cloud manages its nodes: they can be reimaged under their names."""
        return any(AGENT_POOL in labels for labels in (self.prediction.before, self.prediction.after) if labels is not None)

    @property
    def is_empty(self) -> bool:
        """It had no node to replace or to keep: the record predicts nothing of it."""
        return self.before == [] and self.effect is not Effect.CREATES

    @property
    def is_fixed(self) -> bool:
        """Nothing scales it."""
        return self.prediction.size.minimum == self.prediction.size.maximum

    @cached_property
    def kept(self) -> list[NodeRecord]:
        """Old nodes that are proved to be the same."""
        return [one for one, other in self._pairs if other is not None and _is_untouched(one, other, can_be_reimaged=self.is_agent_pool)]

    @cached_property
    def reimaged(self) -> list[tuple[NodeRecord, NodeRecord]]:
        """Old nodes that run another installation under their name, as they were and as they are."""
        return [(one, other) for one, other in self._pairs if other is not None and _is_reimaged(one, other)]

    @cached_property
    def gone(self) -> list[NodeRecord]:
        """Old nodes that do not exist any more."""
        return [one for one, other in self._pairs if other is None]

    @property
    def unclear(self) -> int:
        """Old nodes of which nothing shows whether they were reimaged."""
        return len(self._pairs) - len(self.kept) - len(self.reimaged) - len(self.gone)

    @cached_property
    def new(self) -> list[NodeRecord]:
        """Nodes that are proved to be new."""
        return [node for node in self._others if node.created is not None and node.created > self.record.recorded_at]

    @cached_property
    def older(self) -> list[NodeRecord]:
        """Nodes that are not among the old ones, and not proved to be newer than the record: it was made from older exports, or is about others."""
        new = set(map(id, self.new))
        return [node for node in self._others if id(node) not in new]

    @cached_property
    def _others(self) -> list[NodeRecord]:
        old = {id(other) for _, other in self._pairs}
        return [node for node in self.now if id(node) not in old]

    @cached_property
    def _pairs(self) -> list[tuple[NodeRecord, NodeRecord | None]]:
        by_uid = {node.uid: node for node in self.now if node.uid}
        by_place = {(node.name, node.provider_id): node for node in self.now if node.provider_id}
        before = self.before if self.before is not None else ()
        return [(one, by_uid.get(one.uid, by_place.get((one.name, one.provider_id)))) for one in before]

    @property
    def cause(self) -> str:
        """What proves that an edit replaced the old nodes, and not an autoscaler or consolidation; empty if nothing does."""
        new = minor(self.cluster.new_version)
        if self.has_new_version and self.new and _are_at(self.now, {new}) and _are_at(self.gone, range(new)):
            return f"all of them run 1.{new}"
        if self.has_other_hashes:
            return "their NodeClaims have another hash"
        if self.gone and all(self.reason(node) == "Drifted" for node in self.gone):
            return "Karpenter's events name drift as the reason"
        return ""

    @property
    def has_other_hashes(self) -> bool:
        """Every new node was launched with another NodePool or node class than every old node that is gone."""
        return bool(self.gone and self.new) and all(_differ(one.hashes, other.hashes) for one in self.gone for other in self.new)

    @property
    def has_same_hashes(self) -> bool:
        """Every new node was launched with the same ones as every old node that is gone."""
        hashes = [node.hashes for node in (*self.gone, *self.new)]
        return bool(self.gone and self.new) and bool(hashes[0]) and all(one == hashes[0] for one in hashes)

    def reason(self, node: NodeRecord) -> str:
        """Why Karpenter disrupted an old node."""
        return self.seen.reason(node, self.record.recorded_at)

    def drift(self, node: NodeRecord) -> str:
        """Why the NodeClaim of a node has drifted; empty if it has not, or was not exported."""
        claim = self.seen.claims.get(node.claim)
        return claim.drift if claim is not None else ""

    def minutes(self, applied: datetime | None) -> int | None:
        """How long it took, as far as nodes say it: an agent pool from its first new node, a NodePool since the change was applied."""
        nodes = [*self.new, *(other for _, other in self.reimaged)]
        times = sorted(node.created for node in nodes if node.created is not None and node.created > self.record.recorded_at)
        start = applied if not self.is_agent_pool else times[0] if len(times) > 1 else None
        return round((times[-1] - start).total_seconds() / 60) if start is not None and times and times[-1] > start else None

    @property
    def generations(self) -> tuple[str, str]:
        """The names of its agent pool before and afterwards."""
        before, after = (labels.get(AGENT_POOL, "") if labels is not None else "" for labels in (self.prediction.before, self.prediction.after))
        return before, after


def compared(record: Record, cluster: ClusterPrediction, seen: Observation, applied: datetime | None) -> ClusterComparison:
    """Compares one cluster. `applied` is when the change was applied, if that is known."""
    entries = [(pool.pool, labels) for pool in cluster.pools for labels in (pool.after, pool.before) if labels is not None]
    nodes = seen.nodes(entries)
    pools = [
        Pool(
            pool,
            cluster,
            record,
            seen,
            None if cluster.nodes is None else [node for node in cluster.nodes if node.pool == pool.pool],
            [node for node in nodes if node.pool == pool.pool],
        )
        for pool in cluster.pools
    ]
    pools = [pool for pool in pools if not pool.is_empty]
    if why := seen.why_not_whole or next(_lacking(pools), "") or _of_another_cluster(pools):
        return ClusterComparison(tuple(_result(pool, ("unknown", why), None) for pool in pools), (), ())
    is_applied = applied is not None and seen.taken is not None and seen.taken >= applied
    since = applied if is_applied else None
    answers = {pool.prediction.pool: _changed(pool, since) for pool in pools if pool.effect not in _STAYS}
    proved = is_applied or (bool(answers) and all(verdict == "seen" for verdict, _ in answers.values()))
    results = [
        _result(pool, answers[pool.prediction.pool] if pool.prediction.pool in answers else _stayed(pool, proved=proved), since) for pool in pools
    ]
    if applied is not None and not is_applied:  # it says so, and the exports are not later
        results = [one.model_copy(update={"message": f"{one.message.partition(_ASKED)[0]}{_EARLIER * (_ASKED in one.message)}"}) for one in results]
    return ClusterComparison(tuple(results), tuple(_other_versions(cluster, nodes)), tuple(_notes(record, nodes)))


_ASKED: Final = "`--applied INSTANT` says"
_EARLIER: Final = "exports with nodes that report a later time than `--applied` decide it"


def _lacking(pools: Iterable[Pool]) -> Iterator[str]:
    """Pools that stay and always have a node, and of which none was exported: others can lack, too."""
    for pool in pools:
        if pool.effect in _STAYS and _had_nodes(pool) and not pool.now:
            yield f"the exports have no node of `{pool.prediction.pool}`, which has at least {pool.prediction.size.minimum}: export all nodes"


def _of_another_cluster(pools: Sequence[Pool]) -> str:
    """A node that is older than one that was recorded was there, too, and would have been recorded."""
    recorded = {(node.name, node.created) for pool in pools for node in pool.before or ()}
    newest = max((created for _, created in recorded if created is not None), default=None)
    later = [node for pool in pools for node in pool.now if node.created is None or newest is None or node.created >= newest]
    names = [f"`{node.name}`" for pool in pools for node in pool.now if node not in later and (node.name, node.created) not in recorded]
    return f"{names[0]} existed before the record, which does not have it: {_OTHER}" if names else ""


def _result(pool: Pool, answer: Answer, applied: datetime | None) -> PoolResult:
    cluster, told = pool.cluster, pool.prediction
    verdict, message = answer
    return PoolResult(
        stack=cluster.stack,
        cluster=cluster.cluster,
        pool=told.pool,
        cloud=cluster.cloud,
        version=f"1.{minor(cluster.new_version)}",
        effect=told.effect,
        verdict=verdict,
        message=message,
        bounded_minutes=told.bounded_minutes,
        observed_minutes=pool.minutes(applied) if verdict == "seen" and pool.effect not in _STAYS else None,
    )


def _changed(pool: Pool, applied: datetime | None) -> Answer:
    if pool.effect in _OPEN:
        return "unknown", "the record predicts nothing: its effect was not known, or the cloud rejects it"
    return _ANSWERS[pool.effect](pool, applied)


def _rotated(pool: Pool, applied: datetime | None) -> Answer:
    old, new = pool.generations
    left, there = ([node for node in pool.now if node.generation == name] for name in (old, new))
    if not new or old == new:
        return _replaced(pool, applied)
    if left:
        return _left(pool, left, applied)
    if not there:
        return "unknown", f"no node of agent pool `{old}` is left, and `{new}` has no node yet"
    had_none = not _had_nodes(pool) if pool.before is None else any(node.generation != old for node in pool.before)
    if had_none or any(node in pool.older for node in there):
        return "unknown", f"agent pool `{new}` can have existed when it was recorded"
    return "seen", f"no node of agent pool `{old}` is left, and {counted(len(there), 'node')} of `{new}` exist{'s' * (len(there) == 1)}"


def _replaced(pool: Pool, applied: datetime | None) -> Answer:
    """Every old node is gone, and something proves why."""
    if pool.before is None:
        return _replaced_by_age(pool)
    left = [*pool.kept, *pool.older, *(other for _, other in pool.reimaged)]
    if left or pool.unclear:
        return _left(pool, left, applied)
    if not pool.new:
        return "unknown", f"{_none_left(pool)}, and no new one exists: the pool can have been scaled to zero"
    told = f"{_none_left(pool)}, and {counted(len(pool.new), 'new node')} exist{'s' * (len(pool.new) == 1)}"
    why = pool.cause
    if not why and pool.is_agent_pool and pool.is_fixed and pool.effect is Effect.REPLACES:
        why = "nothing scales the pool"
    return ("seen", f"{told}: {why}") if why else ("unknown", f"{told}, but nothing shows why: {_other_causes(pool)}")


def _none_left(pool: Pool) -> str:
    return f"none of {counted(len(pool.gone), 'old node')} is left"


def _other_causes(pool: Pool) -> str:
    """What also replaces or removes nodes, and what would decide it."""
    if pool.is_agent_pool:
        return "people do that, too" if pool.is_fixed else "the cluster autoscaler does that, too"
    others = "consolidation and expiry do that, too"
    if pool.has_same_hashes:
        return f"{others}, and the NodeClaims of both times have the same hash: events decide it"
    return f"{others}. NodeClaims in the exports of both times, or events, decide it"


def _replaced_by_age(pool: Pool) -> Answer:
    """Without the nodes of before, their ages decide, if the pool had a node and the version changed."""
    if not pool.now:
        return "unknown", _NO_NODES
    if pool.older:
        return "unknown", f"{len(pool.older)} of {counted(len(pool.now), 'node')} are older than the record: not applied yet, under way, or wrong"
    if not _had_nodes(pool):
        return "unknown", f"all {counted(len(pool.now), 'node')} are newer than the record, but the pool can have been empty: {_RECORD_NODES}"
    why = pool.cause
    return ("seen", f"all {counted(len(pool.now), 'node')} are newer than the record: {why}") if why else ("unknown", f"{_NEWER}: {_RECORD_NODES}")


_NEWER: Final = "all nodes are newer than the record, but nothing shows why"
_NO_NODES: Final = "it has no node now, and the record does not have those of before"
_RECORD_NODES: Final = "record with `--existing` or `--context` next time"


def _reimaged(pool: Pool, applied: datetime | None) -> Answer:
    if pool.before is None:
        return _replaced_by_age(pool)
    if pool.kept:
        return _left(pool, pool.kept, applied)
    if pool.unclear:
        return (
            "unknown",
            f"of {counted(pool.unclear, 'node')}, nothing shows whether they were reimaged: neither their image nor their boot id is known",
        )
    if not pool.reimaged:
        return "unknown", f"{_none_left(pool)}: they were replaced or scaled in, and none was reimaged under its name"
    rest = f", and {len(pool.gone)} are gone" if pool.gone else ""
    told = f"{len(pool.reimaged)} of {counted(len(pool.before), 'node')} reimaged{rest}: {_what_differs(pool.reimaged)}"
    is_upgraded = pool.has_new_version and _are_at(pool.now, {minor(pool.cluster.new_version)})
    if applied is None and not is_upgraded and any(old.image != new.image for old, new in pool.reimaged):
        return "unknown", f"{told}. An image upgrade does that, too: {_ASKED} that the change was applied"
    return "seen", told


def _rolled_some(pool: Pool, applied: datetime | None) -> Answer:
    del applied
    if pool.before is None:
        return "unknown", f"without the nodes of before, some cannot be told from others: {_RECORD_NODES}"
    most = pool.prediction.nodes.maximum if pool.prediction.nodes is not None else None
    drifting = [node for node in pool.kept if pool.drift(node)]
    if drifting:
        return "unknown", f"under way: {counted(len(drifting), 'old node')} with drift ({pool.drift(drifting[0])})"
    least = pool.prediction.nodes.minimum if pool.prediction.nodes is not None else 0
    told = f"{len(pool.gone)} of {len(pool.before)} nodes are gone"
    if pool.gone and len(pool.gone) >= least and (most is None or len(pool.gone) <= most) and pool.cause:
        return "seen", f"{told}: {pool.cause}"
    return "unknown", f"{told}, and nothing shows that the edit replaced them" if pool.gone else "no node is gone: not applied yet, or none had to be"


def _removed(pool: Pool, applied: datetime | None) -> Answer:
    if pool.prediction.after is None:
        if pool.now:
            return _left(pool, list(pool.now), applied)
        had = bool(pool.before) if pool.before is not None else _had_nodes(pool)
        return ("seen", "none of its nodes is left") if had else ("unknown", "it has no nodes, and can have had none before")
    if pool.before is None or not pool.is_fixed:
        return "unknown", f"nodes are fewer for other reasons, too, where something scales a pool: {_RECORD_NODES}"
    wanted = pool.prediction.nodes
    is_it = (
        bool(pool.gone) and wanted is not None and wanted.minimum <= len(pool.gone) and (wanted.maximum is None or len(pool.gone) <= wanted.maximum)
    )
    told = f"{len(pool.gone)} of {len(pool.before)} nodes are gone, and {len(pool.new)} are new"
    return ("seen", told) if is_it and not pool.new else ("unknown", told)


def _created(pool: Pool, applied: datetime | None) -> Answer:
    del applied
    return ("seen", f"{counted(len(pool.new), 'new node')}") if pool.new else ("unknown", "it has no new node: a pool can be empty")


_ANSWERS: Final[Mapping[Effect, Callable[[Pool, datetime | None], Answer]]] = {
    Effect.ROTATES: _rotated,
    Effect.ROLLS: _replaced,
    Effect.REPLACES: _replaced,
    Effect.REIMAGES: _reimaged,
    Effect.ROLLS_SOME: _rolled_some,
    Effect.REMOVES_NODES: _removed,
    Effect.DELETES: _removed,
    Effect.CREATES: _created,
}


def _left(pool: Pool, left: Sequence[NodeRecord], applied: datetime | None) -> Answer:
    """Old nodes are left. That contradicts the record only if the change was applied and nothing is under way."""
    number = len(left) + pool.unclear if left else pool.unclear
    told = f"{counted(number, 'old node')} {'is' if number == 1 else 'are'} left"
    drifting = [node for node in left if pool.drift(node)]
    if drifting:
        return "unknown", f"under way: {told}, {len(drifting)} with drift ({pool.drift(drifting[0])})"
    if applied is None or not left or pool.seen.taken is None:
        return "unknown", f"{told}: not applied yet, under way, or wrong. {_ASKED} when the change was applied"
    if pool.is_agent_pool:  # the cloud has ended its operation when `pulumi up` ends
        return "contradicted", f"{told} after the change was applied: {quoted([node.name for node in left], _NAMED)}"
    with_claims = all(node.claim in pool.seen.claims for node in left)
    if with_claims and pool.seen.taken - applied >= _NOTICED and not pool.has_new_version:  # images of a new version can come later
        return "contradicted", f"{told} without drift an hour after the change was applied: {quoted([node.name for node in left], _NAMED)}"
    return (
        "unknown",
        f"{told}: {'Karpenter can still find drift' if with_claims else 'their NodeClaims, which the exports lack, say whether they drift'}",
    )


def _stayed(pool: Pool, *, proved: bool) -> Answer:
    """No node of the pool is replaced. `proved`: the change was applied."""
    wrong = _contradiction(pool)
    if wrong:
        return "contradicted", wrong
    if pool.before is None:
        return _stayed_by_age(pool, proved=proved)
    if pool.reimaged:
        upgraded = any(minor(old.version) != minor(new.version) for old, new in pool.reimaged if old.version and new.version)
        causes = "upgrades of the Kubernetes version" if upgraded else "image upgrades and repairs"
        return "unknown", f"{counted(len(pool.reimaged), 'node')} reimaged, with {_what_differs(pool.reimaged)}: {causes} do that, too"
    others = [node for node in pool.gone if pool.reason(node) not in _OTHER_REASONS]
    if others:
        return "unknown", f"{len(others)} of {len(pool.before)} old nodes gone, and nothing shows why: {_other_causes(pool)}"
    if pool.unclear or pool.older:
        return "unknown", f"{counted(pool.unclear + len(pool.older), 'node')} started again, or the exports do not show whether it is an old one"
    told = _same_nodes(pool)
    return ("seen" if pool.kept and proved else "unknown"), told if proved else f"{told}, but {_NOT_PROVED}"


def _same_nodes(pool: Pool) -> str:
    """`2 of 3 nodes are the same; 1 gone for other reasons: Empty; 2 more`."""
    reasons = joined(sorted({pool.reason(node) for node in pool.gone}))
    number = len(pool.kept) + len(pool.gone)
    told = f"{len(pool.kept)} of {counted(number, 'node')} {'is' if number == 1 else 'are'} the same"
    gone = f"; {len(pool.gone)} gone for other reasons: {reasons}" if reasons else ""
    return f"{told}{gone}{f'; {len(pool.new)} more' if pool.new else ''}"


_NOT_PROVED: Final = f"nothing shows that the change was applied: {_ASKED} so"


def _stayed_by_age(pool: Pool, *, proved: bool) -> Answer:
    if pool.is_agent_pool or not pool.now or pool.new or not _had_nodes(pool) or len(pool.now) < pool.prediction.size.minimum:
        return "unknown", f"the record does not have its nodes of before: {_RECORD_NODES}"
    if any(node.created is None for node in pool.now):
        return "unknown", "the exports do not say when its nodes were created"
    told = f"all {counted(len(pool.now), 'node')} are older than the record"
    return ("seen", told) if proved else ("unknown", f"{told}, but {_NOT_PROVED}")


def _contradiction(pool: Pool) -> str:
    """What an edit alone does to the nodes of a pool that should stay."""
    names = {name for name in (*pool.generations, *(node.generation for node in (pool.before if pool.before is not None else ()))) if name}
    other = [node.generation for node in pool.now if pool.is_agent_pool and node.generation not in names]
    if other:
        return f"its nodes are in agent pool `{other[0]}` now: it was rotated"
    again = [one.name for one, other in pool.reimaged if (one.version, one.image) == (other.version, other.image)]
    if len(again) > 1 and len(again) == len(pool.before if pool.before is not None else ()):  # the cloud repairs single nodes in this way
        return f"all were reimaged, with the same version and image: {quoted(again, _NAMED)}"
    if pool.gone and pool.new and all(_differ(one.hashes, other.hashes) for one in pool.gone for other in pool.new):
        return (
            f"{counted(len(pool.gone), 'node')} replaced, and the NodeClaims of the new ones have another hash: the NodePool or its class was edited"
        )
    drifting = [node for node in pool.now if pool.drift(node) in BY_EDIT]
    return f"{counted(len(drifting), 'node')} with drift by an edit ({pool.drift(drifting[0])})" if drifting else ""


def _other_versions(cluster: ClusterPrediction, nodes: Sequence[NodeRecord]) -> Iterator[str]:
    """Versions of nodes between which the change does not lie."""
    expected = range(minor(cluster.old_version), minor(cluster.new_version) + 1)
    had = {minor(node.version) for node in (cluster.nodes if cluster.nodes is not None else ()) if node.version}
    found = grouped((node.version, node.name) for node in nodes if node.version and minor(node.version) not in (*expected, *had))
    for version, names in found.items():
        yield f"{cluster.cluster}: {counted(len(names), 'node')} at {version}, which was not predicted: {quoted(names, _NAMED)}"


def _notes(record: Record, nodes: Sequence[NodeRecord]) -> Iterator[str]:
    others = [node.name for node in nodes if not node.pool and node.created is not None and node.created > record.recorded_at]
    if others:
        yield f"{counted(len(others), 'new node')} of pools that the record does not have: {listed(others, _NAMED)}"


def _had_nodes(pool: Pool) -> bool:
    return pool.prediction.size.minimum > 0


def _is_untouched(old: NodeRecord, new: NodeRecord, *, can_be_reimaged: bool) -> bool:
    if (old.version, old.image) != (new.version, new.image):
        return False
    if old.uid and old.uid == new.uid:
        return not can_be_reimaged or (bool(old.boot) and old.boot == new.boot)
    return bool(old.machine) and old.machine == new.machine  # its kubelet registered it again


def _is_reimaged(old: NodeRecord, new: NodeRecord) -> bool:
    """Another image or version, or another installation."""
    is_other = any(one and other and one != other for one, other in ((old.version, new.version), (old.image, new.image)))
    return is_other or bool(old.machine and new.machine and old.machine != new.machine)


def _what_differs(pairs: Sequence[tuple[NodeRecord, NodeRecord]]) -> str:
    old, new = pairs[0]
    if old.version != new.version:
        return f"version {old.version} → {new.version}"
    return f"image {old.image} → {new.image}" if old.image != new.image else "another installation of the same image"


def _are_at(nodes: Sequence[NodeRecord], versions: Container[int]) -> bool:
    return all(node.version and minor(node.version) in versions for node in nodes)


def _differ(old: Mapping[str, str], new: Mapping[str, str]) -> bool:
    """A hash of the same version is another one."""
    both = [(old[name], new[name]) for name in old.keys() & new.keys()]
    return any(one != other and one.partition(":")[0] == other.partition(":")[0] for one, other in both)


@dataclass(frozen=True, slots=True)
class Rate:
    """How often predictions of one effect were right, in one cloud and version."""

    effect: str
    cloud: str
    version: str
    results: Sequence[PoolResult]

    def count(self, verdict: Verdict) -> int:
        """The predictions with this verdict."""
        return sum(one.verdict == verdict for one in self.results)

    @property
    def minutes(self) -> list[int]:
        """Observed durations, the shortest first."""
        return sorted(one.observed_minutes for one in self.results if one.observed_minutes is not None)

    @property
    def bounded(self) -> list[tuple[int, int]]:
        """Observed durations with their bounds."""
        return [
            (one.observed_minutes, one.bounded_minutes)
            for one in self.results
            if one.observed_minutes is not None and one.bounded_minutes is not None
        ]

    @property
    def over(self) -> int:
        """Durations above their bound."""
        return sum(observed > bound for observed, bound in self.bounded)

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        counts = {verdict: self.count(verdict) for verdict in VERDICTS}
        durations = {"observed_minutes": self.minutes, "with_bound": len(self.bounded), "over_bound": self.over}
        return {"effect": self.effect, "cloud": self.cloud, "version": self.version, **counts, **durations}


VERDICTS: Final[Sequence[Verdict]] = ("seen", "contradicted", "unknown")


def rates(results: Iterable[PoolResult]) -> list[Rate]:
    """By effect, cloud and version; the worst effects are first."""
    found = grouped(((one.effect, one.cloud, one.version), one) for one in results)
    return sorted(
        (Rate(*key, results) for key, results in found.items()), key=lambda rate: (-Effect(rate.effect).severity, rate.cloud, minor(rate.version))
    )

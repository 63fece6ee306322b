"""Exports of what exists as a side of `nodepools diff`: the drift report, and how many nodes each pool has now."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, TypeAlias, TypeVar

from nodepools.adoption.cluster_identity import Place
from nodepools.adoption.read_exports import AnyExisting, MatchedCluster, SeveralFoundError, matched_cluster
from nodepools.changes.nodes import first_pool, nodes
from nodepools.changes.platform_changes import Changes, request_set_changes
from nodepools.cli.command_run import CommandRun
from nodepools.cli.diff.answer import Subject
from nodepools.cli.diff.files import Part, Side
from nodepools.cli.diff.folds import changed
from nodepools.cli.existing.cloud_exports import ExistingNode
from nodepools.cli.problem import Problem
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.change import (
    AGENT_POOL,
    AKS_CLUSTER,
    CLUSTER,
    NODE_POOL,
    POOL,
    Change,
    ExistingSubnet,
    Known,
    NodeClaim,
    Request,
    Requests,
    ResourceName,
    worst_first,
)
from nodepools.clouds.existing_objects import is_shortened
from nodepools.clouds.item import Subnets
from nodepools.clouds.reasons import DELETED_FIRST, FIXED_NAME, NOT_SENT
from nodepools.clouds.registry import cloud_of
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.platform import beside_namesake
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import AGENT_POOL as AGENT_POOL_LABEL
from nodepools.placement.cloud_labels import POOL as NODE_POOL_LABEL
from nodepools.placement.static_pools import pools_of
from nodepools.wire.table import Effect

_NO_STACK: Final = "no stack"
_PULUMI: Final = "Pulumi: `pulumi up` changes what its state has; `--refresh` reads the state from the cloud first"
_UNDECLARED: Final = "It is not declared: `pulumi up` deletes it if its state has it, and leaves it otherwise. `--deployed STATE.json` decides"
_REMOVED: Final = "It is not declared, and the state has it: `pulumi up` deletes it"
_LEFT: Final = "It is not declared, and the state does not have it: `pulumi up` leaves it"
_MISSING: Final = "The cloud does not have it: `pulumi up` creates it, with `--refresh` if its state still has it"
_NOT_EXPORTED: Final = "No export has it: `pulumi up` creates it if it does not exist"
_EXISTS: Final = (Effect.CREATES, "It exists, and OLD does not have it", _PULUMI)
_GONE: Final = "The cloud does not have it"
_SAME_NAMES: Final = {
    FIXED_NAME: "The field is immutable, and the pool has this name already: `pulumi up` fails. Delete the pool, or declare what exists",
    DELETED_FIRST: "The pool has this name already, so Pulumi deletes it with its nodes before it creates the new one: declare what exists, or "
    "another `generation`, which gives the new pool another name unless `name` is declared",
}
_SHORTENED: Final = "the export of the cluster is shortened: what it lacks is not compared; save all that the CLI of its cloud prints"
_ONLY_EXISTING: Final = "Only the cluster has it: `pulumi up` removes it if Pulumi set it, and leaves it otherwise"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides of which one is what exists, with the same resources on both."""

    before: Side
    after: Side
    clusters: Sequence[tuple[str, MatchedCluster]]
    """Each with its stack."""
    undeclared: Sequence[AnyExisting]
    original: Side
    """The existing side with everything that was exported."""

    @property
    def existing_is_old(self) -> bool:
        """The existing side is OLD."""
        return self.before.kind == "existing"

    @property
    def apart(self) -> str:
        """Why there is nothing to compare: no cluster of the exports is declared. Empty otherwise."""
        if not (self.clusters and self.undeclared) or any(cluster.existing is not None for _, cluster in self.clusters):
            return ""
        return f"no cluster of {self.original.title} is declared in {(self.after if self.existing_is_old else self.before).title}"

    def identities(self) -> frozenset[object]:
        """The clusters, pools and objects that both sides have."""
        pairs = [
            (cluster.existing.id, existing) for _, cluster in self.clusters if cluster.existing is not None for existing, _ in cluster.pairs.both
        ]
        return frozenset(_identity(place, existing) for place, existing in pairs)

    def changes(self, name: str, found: Changes, state: frozenset[object] | None) -> Changes:
        """The changes of one stack, with what only one side has. `state` has what the state of Pulumi has, if it is known."""
        told = [change for stack, cluster in self.clusters if stack == name for change in self._of_cluster(cluster, state)]
        told += [self._of_undeclared(one, state) for one in self.undeclared if name in (_NO_STACK, *self._only_stack())]
        kept = [
            _judged(change, existing_is_old=self.existing_is_old)
            for change in found.all
            if _is_a_change(change, existing_is_old=self.existing_is_old)
        ]
        return Changes(tuple(worst_first([*kept, *told])), found.order if self.existing_is_old else ())

    def _only_stack(self) -> Sequence[str]:
        stacks = [name for name in self.before.parts if name != _NO_STACK]
        return stacks if len(stacks) == 1 else ()

    def _of_cluster(self, cluster: MatchedCluster, state: frozenset[object] | None) -> Iterator[Change]:
        if cluster.existing is None:
            yield self._only_declared(cluster.request, Effect.UNKNOWN, _NOT_EXPORTED)
            return
        for request in cluster.pairs.undeclared:
            is_known = None if state is None else _identity(cluster.existing.id, request) in state
            yield self._only_existing(request, Effect.REMOVES_NODES if request.subject == POOL else Effect.DELETES, is_known=is_known)
        for request in cluster.pairs.absent:
            gone = Effect.REMOVES_NODES if request.subject == POOL else Effect.DELETES
            yield self._only_declared(request, *((Effect.CREATES, _MISSING) if self.existing_is_old else (gone, _GONE)))

    def _of_undeclared(self, existing: AnyExisting, state: frozenset[object] | None) -> Change:
        is_known = None if state is None else (existing.id, CLUSTER) in state
        change = Change(existing.name, ("clusters", existing.name), None, existing.name, *_EXISTS, ResourceName("cluster", existing.name))
        return self._undeclared(change, Effect.DELETES, is_known=is_known)

    def _only_existing(self, request: Request, removal: Effect, *, is_known: bool | None) -> Change:
        change = Change(request.at, request.steps, None, _name(request), *_EXISTS, request.resource, extra_nodes=_nodes(request))
        return self._undeclared(change, removal, is_known=is_known)

    def _undeclared(self, change: Change, removal: Effect, *, is_known: bool | None) -> Change:
        """The creation of something by others, as its end if the existing side is OLD."""
        if not self.existing_is_old:
            return change
        effect, reason = {None: (Effect.UNKNOWN, _UNDECLARED), True: (removal, _REMOVED), False: (Effect.NONE, _LEFT)}[is_known]
        return replace(change, old=change.new, new=None, effect=effect, message=reason, nodes=change.extra_nodes, extra_nodes=None)

    def _only_declared(self, request: Request, effect: Effect, reason: str) -> Change:
        values = (None, _name(request)) if self.existing_is_old else (_name(request), None)
        return Change(request.at, request.steps, *values, effect, reason, _PULUMI, request.resource)


def compared(before: Side, after: Side, run: CommandRun) -> Comparison:
    """Both sides with the resources that the exports show. Those that they do not show are notes of `run`."""
    existing, other = (before, after) if before.kind == "existing" else (after, before)
    clusters: list[tuple[str, MatchedCluster]] = []
    for name, part in other.parts.items():
        for request in (one for one in part.requests.all if one.subject == CLUSTER):
            try:
                clusters.append((name, matched_cluster(request, part.requests, _known_of(part, request), existing.clusters)))
            except SeveralFoundError as error:
                run.problems.append(Problem(existing.title, str(error)))
    run.notes.extend(_not_compared(cluster) for _, cluster in clusters if cluster.existing is not None and cluster.pairs.not_exported)
    run.problems.extend(
        Problem(cluster.request.cluster, _SHORTENED)
        for _, cluster in clusters
        if cluster.existing is not None and is_shortened(cluster.existing.described)
    )
    found = [cluster.existing for _, cluster in clusters]
    undeclared = [one for one in existing.clusters if one not in found]
    names = [*other.parts, *([_NO_STACK] if undeclared and len(other.parts) != 1 else [])]
    of_existing, of_other = (
        replace(side, parts={name: replace(_part(side, name), requests=_requests(clusters, other, name, index)) for name in names})
        for index, side in ((0, existing), (1, other))
    )
    first, second = (of_existing, of_other) if before.kind == "existing" else (of_other, of_existing)
    return Comparison(first, second, clusters, undeclared, existing)


def outside(state: Side, existing: Side, today: date | None, run: CommandRun) -> tuple[Subject, frozenset[object]]:
    """What was changed outside of Pulumi: the changes from a state to what exists; and everything that both have."""
    found = compared(state, existing, run)
    every = worst_first(
        change
        for name, part in found.before.parts.items()
        for change in found.changes(name, request_set_changes(part.requests, found.after.parts[name].requests, today), None).all
    )
    data = {"old": state.title, "new": existing.title, "changes": [change.to_json() for change in every]}
    return Subject("outside", data, changed(f"Changed outside of Pulumi ({state.title} → {existing.title})", every)), found.identities()


def _requests(clusters: Sequence[tuple[str, MatchedCluster]], declared: Side, name: str, index: int) -> Requests:
    """Those of one side. NodePools that were not exported, and the built-in ones, are equal: what happens to their cluster reaches their nodes."""
    own = [cluster.pairs for stack, cluster in clusters if stack == name]
    equal = (request for pairs in own for request in pairs.not_exported if request.resource.type == NODE_POOL)
    built_in = _part(declared, name).requests.built_in
    return Requests((*(pair[index] for pairs in own for pair in pairs.both), *equal), built_in=built_in)


def _part(side: Side, stack: str) -> Part:
    return side.parts.get(stack, Part(stack, Requests(())))


def _known_of(part: Part, request: Request) -> Known:
    if part.platform is None:
        return Known()
    return cloud_of(part.platform.cluster(request.cluster)).known_besides_requests(part.platform.stem(request.cluster))


def _not_compared(cluster: MatchedCluster) -> Problem:
    kinds: dict[str, int] = {}
    for request in (one for one in cluster.pairs.not_exported if not one.follows):
        kind = request.resource.type.rpartition(":")[2]
        kinds[kind] = kinds.get(kind, 0) + 1
    listed = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    return Problem(cluster.request.cluster, f"not compared, because the exports do not show it: {listed}")


def _is_a_change(change: Change, *, existing_is_old: bool) -> bool:
    """A value in another spelling is the same, and arguments that apply only at creation say nothing about what exists."""
    existing = change.old if existing_is_old else change.new
    return change.effect is not Effect.NONE and change.message != NOT_SENT and not (change.effect is Effect.IGNORED and existing is None)


def _judged(change: Change, *, existing_is_old: bool) -> Change:
    """Of an object, fields that only the cluster has can be those of another tool."""
    declared = change.new if existing_is_old else change.old
    if existing_is_old and declared is None and change.resource.type.startswith("kubernetes:"):
        return replace(change, effect=Effect.UNKNOWN, message=_ONLY_EXISTING, source=_PULUMI)
    return replace(change, message=_SAME_NAMES.get(change.message, change.message))


def _identity(place: object, existing: Request) -> object:
    return (place, CLUSTER) if existing.subject == CLUSTER else (place, existing.resource.type, _name(existing))


def _name(request: Request) -> str:
    if request.subject == CLUSTER:
        return request.resource.name
    return request.agent_pool_name if request.resource.type == AGENT_POOL else request.key[2]


def _nodes(request: Request) -> Amount | None:
    """The nodes of a pool: agent pools of a cloud have their number."""
    if request.resource.type == AGENT_POOL:
        count = request.sent.get("count")
        return exactly(count) if isinstance(count, int) else None
    return nodes(request.sent, agent_pool=False) if request.resource.type == NODE_POOL else None


T = TypeVar("T")
_Counts: TypeAlias = Mapping[str, Mapping[str, int]]
_Claims: TypeAlias = Mapping[str, Mapping[str, Sequence[NodeClaim]]]


@dataclass(frozen=True, slots=True)
class _Pool:
    """A pool of the old side, and the labels of its nodes; the first that a node has decides."""

    stack: str
    owner: Place
    """The platform, or the stack if its declaration is not known, and its cluster."""
    pool: str
    labels: Mapping[str, str]

    @property
    def cluster(self) -> str:
        """The key of its cluster."""
        return self.owner[1]


def with_existing_nodes(before: Side, after: Side, nodes: Iterable[ExistingNode], subnets: Subnets, run: CommandRun) -> tuple[Side, Side]:
    """Both sides with the number of nodes of each pool that run now, their NodeClaims, and the subnets of AWS.

    A node whose pool is not found is a note of `run`.
    """
    pools = [pool for part in before.parts.values() for pool in _pools(part)]
    counts: dict[str, dict[str, Counter[str]]] = {}
    claims: dict[str, dict[str, dict[str, list[NodeClaim]]]] = {}
    left: list[tuple[ExistingNode, str]] = []
    for node in nodes:
        found = pools_of(node.labels, ((pool, pool.labels) for pool in pools if node.owner is None or pool.owner == node.owner))
        named = narrowed(found, node.file, lambda pool: pool.cluster, lambda pool: pool.stack)
        own = named[0] if len(named) == 1 else None
        if own is None:
            left.append((node, _AMBIGUOUS if found else _UNKNOWN))
        elif node.is_claim:
            claims.setdefault(own.stack, {}).setdefault(own.cluster, {}).setdefault(own.pool, []).append(NodeClaim(node.labels, node.image))
        else:
            name = beside_namesake(own.pool) if NODE_POOL_LABEL in own.labels else own.pool
            counts.setdefault(own.stack, {}).setdefault(own.cluster, Counter())[name] += 1
    run.notes.extend(_not_counted(left))
    alone = len(before.parts) == len(after.parts) == 1  # two files, whatever their names
    stacks = {name: next(iter(before.parts)) if alone else name for name in after.parts}
    known = {name: ExistingSubnet(subnet.zone, subnet.tags) for name, subnet in subnets.items() if subnet.zone}
    return (
        _with(before, {name: (counts.get(name, {}), claims.get(name, {})) for name in before.parts}, known),
        _with(after, {name: (counts.get(stack, {}), claims.get(stack, {})) for name, stack in stacks.items()}, known),
    )


def _not_counted(left: Sequence[tuple[ExistingNode, str]]) -> Iterator[Problem]:
    """How many nodes are not counted: a NodeClaim next to nodes of its pool is one of them."""
    with_nodes = {node.labels.get(NODE_POOL_LABEL) for node, _ in left if not node.is_claim}
    numbers = Counter((node.file, why) for node, why in left if not (node.is_claim and node.labels.get(NODE_POOL_LABEL) in with_nodes))
    yield from (Problem(file, f"{number} node{'s are' if number != 1 else ' is'} not counted: {why}") for (file, why), number in numbers.items())


_UNKNOWN: Final = "OLD does not declare their pools"
_AMBIGUOUS: Final = "several clusters have their pools; put the key of the cluster into the name of the file, such as `weu.json`"


def _with(side: Side, found: Mapping[str, tuple[_Counts, _Claims]], subnets: Mapping[str, ExistingSubnet]) -> Side:
    parts = {
        name: replace(part, requests=replace(part.requests, running=found[name][0], claims=found[name][1], subnets=subnets))
        for name, part in side.parts.items()
    }
    return replace(side, parts=parts)


def _pools(part: Part) -> Iterator[_Pool]:
    platform = part.name if part.platform is None else part.platform.name
    for request in part.requests.all:
        labels = _labels(request)
        if labels:
            yield _Pool(part.name, (platform, request.cluster), request.pool, labels)
    for cluster, names in part.requests.built_in.items():
        yield from (_Pool(part.name, (platform, cluster), name, {NODE_POOL_LABEL: name}) for name in names)


def _labels(request: Request) -> Mapping[str, str]:
    if request.resource.type == NODE_POOL:
        return {NODE_POOL_LABEL: request.pool}
    if request.resource.type == AKS_CLUSTER and first_pool(request):
        return {AGENT_POOL_LABEL: str(first_pool(request).get("name")), POOL_LABEL: request.pool}
    return {AGENT_POOL_LABEL: request.agent_pool_name, POOL_LABEL: request.pool} if request.resource.type == AGENT_POOL else {}


def narrowed(found: Sequence[T], file: str, *keys: Callable[[T], str]) -> Sequence[T]:
    """Of several, those whose keys the path of a file has; each key counts only while several are left."""
    if not keys or len(found) <= 1:
        return found
    first, *rest = keys
    named: list[T] = [one for one in found if _is_named_in(first(one), file)]
    return narrowed(named, file, *rest)


def _is_named_in(key: str, file: str) -> bool:
    """The path of a file has the key as one of its words."""
    words, wanted = ("-".join(re.findall(r"[a-z0-9]+", text.lower())) for text in (file, key))
    return f"-{wanted}-" in f"-{words}-"

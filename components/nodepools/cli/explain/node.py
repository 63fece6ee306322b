"""`nodepools explain node/NAME`: why Karpenter replaced a node, by which field and commit, and the budget and window that allowed it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

from nodepools.adoption.cluster_identity import Place
from nodepools.changes.drift import HASH_VERSION, aks_node_class_hash, drifted, node_pool_hash
from nodepools.changes.operations import has_unknown
from nodepools.changes.platform_changes import diff, requests_of
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.diff.folds import shown_value
from nodepools.cli.diff.sides import new_side
from nodepools.cli.inputs.git_worktree import SHORT, commits
from nodepools.cli.inputs.input_files import InputFiles, text
from nodepools.cli.inputs.sources import Source
from nodepools.cli.ledger.recording import EXPORTS, observations
from nodepools.cli.output.report import Act, Report, Row, Section, Step, command
from nodepools.cli.problem import InputError, InvalidError, Problem, usage_error
from nodepools.clouds.change import AKS_NODE_CLASS, CLASS, NODE_POOL, POOL, Change, NodeClaim
from nodepools.ledger.comparison import BY_EDIT
from nodepools.ledger.observation import Claim, Observation
from nodepools.ledger.record import RECORD, NodeRecord, Record, RecordError, kind_of
from nodepools.loading import UnreadableError
from nodepools.model.disruption_calendar import State, allowed, disruption_calendar
from nodepools.model.listing import joined
from nodepools.model.maintenance import REASONS, Reason
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass, replace
from nodepools.reading.bounded_input import TextError
from nodepools.reading.project_folder import project_folder
from nodepools.wire.paths import value_at
from nodepools.wire.table import Effect

_WHY: Final[Mapping[str, str]] = {
    "Drifted": "drift, from an edit of its NodePool or node class, or a new image",
    "Underutilized": "consolidation: its pods had room on fewer or cheaper nodes",
    "Empty": "consolidation: it had no pods",
    "Expired": "expiry, as `expireAfter` of its NodeClaim says",
    "Interrupted": "interruption: the cloud takes the machine back",
    "Unhealthy": "repair: it was not healthy",
}
"""Reasons in words; others are shown as Karpenter writes them."""
_RECORD: Final = "nodepools diff OLD --existing EXPORTS --record FILE"
_MOST: Final = 20
"""Commits that are read: each is checked out and evaluated."""
_AROUND: Final = timedelta(days=14)
"""How far from the replacement the ends of its window are looked for."""
_SHOWN: Final = 3
_REQUIREMENTS: Final = "RequirementsDrifted"
_CLASS: Final = "NodeClassDrift"
_HASHES: Final[Mapping[str, str]] = {"NodePoolDrifted": "karpenter.sh/nodepool-hash", _CLASS: "karpenter.azure.com/aksnodeclass-hash"}
"""The annotation that Karpenter compares, for each reason of drift. Of a NodeClass of EKS, no source says how it is made."""
_REASONS_OF: Final = {(AKS_NODE_CLASS, False): _CLASS, (NODE_POOL, False): "NodePoolDrifted", (NODE_POOL, True): _REQUIREMENTS}
"""What drifts by a change: of which type, and whether of requirements."""
_FITS, _DRIFTS = "fits", "drifts"
_FORCED: Final = ("Expired", "Interrupted", "Unhealthy")
"""Reasons that budgets do not limit."""


class _NotKnownError(Exception):
    """Which edit it is, is not known; the text says why."""


@dataclass(frozen=True, slots=True)
class _Node:
    """What exports and records show of a node."""

    place: Place
    """Its stack and cluster."""
    pool: str
    """Its NodePool."""
    hashes: Mapping[str, str]
    """Those with which it was launched."""
    claim: Claim | None = None
    exists: bool = False
    why: str = ""
    at: datetime | None = None
    live: frozenset[str] = frozenset()
    """Hashes of its NodePool, and of nodes of that which have not drifted: what the cluster has now."""
    kept: str = ""
    """What keeps Karpenter from replacing it; empty: nothing that was exported."""
    without_pods: bool = False
    """No pods were exported, which can keep Karpenter from it."""

    @property
    def drift(self) -> str:
        """Why it has drifted, as Karpenter writes it: of a node that is gone, its hash says whether that is its NodePool."""
        if self.claim is not None and self.claim.drift:
            return self.claim.drift
        return "NodePoolDrifted" if self.why == "Drifted" and self.live and self.wanted("NodePoolDrifted") not in ("", *self.live) else ""

    def wanted(self, drift: str) -> str:
        """What the declaration had when the node was launched: a hash, or that its labels meet the requirements; empty if that is not known."""
        version, _, found = self.hashes.get(_HASHES.get(drift, ""), "").partition(":")
        return _FITS if drift == _REQUIREMENTS else found if version == HASH_VERSION else ""


@dataclass(frozen=True, slots=True)
class _Edit:
    """The edit that a node has drifted from."""

    commit: str
    """Empty: it is not committed."""
    changes: Sequence[Change]
    is_applied: bool
    """What the cluster has now is in this commit or a later one."""

    @property
    def named(self) -> str:
        """The commit in words."""
        return f"commit {self.commit[:SHORT]}" if self.commit else "an edit that is not committed"

    @property
    def rows(self) -> Iterator[Row]:
        """Its fields, and the commit."""
        for change in self.changes[:_SHOWN]:
            yield Row(("field", f"{change.path}: {shown_value(change.old)} → {shown_value(change.new)}"))
        more = f", with {len(self.changes) - _SHOWN} more fields" if len(self.changes) > _SHOWN else ""
        unproved = "" if self.is_applied else "; that it is applied is not shown: export `nodepools` of the cluster, too"
        yield Row(("edit", f"{self.named}{more}{unproved}"))


def explained_node(name: str, existing: InputFiles | None, source: Source, platforms: Sequence[Platform], run: CommandRun) -> Result:
    """Why a node or NodeClaim was replaced, as far as events, NodeClaims and records prove it.

    Raises:
        InputError: there are no exports, or a record cannot be read.
    """
    if existing is None:
        usage_error("`node/NAME` needs `--context NAME`, or `--existing` with `kubectl get nodes,nodeclaims,nodepools,pods,pdb,events -A -o yaml`")
    exports, records = _divided(existing)
    seen = observations(exports if exports.paths else None, platforms, run)
    recorded = ((one.stack, one.cluster, node) for record in records for one in record.clusters for node in one.nodes or ())
    about, node = f"node/{name}", _seen(name, seen, list(recorded))
    platform = next((one for one in platforms if node is not None and one.name == node.place[0] and node.place[1] in one.clusters), None)
    edit: _Edit | None = None
    try:
        edit = _edit(node, platform, source, run) if node is not None and platform is not None and node.drift in BY_EDIT else None
    except _NotKnownError as error:
        run.notes.append(Problem(about, f"which edit is not known: {error}"))
    budgets, data, is_closed = _budgets(node, platform) if node is not None and platform is not None else ((), {}, False)
    answer = _answer(node, edit, is_closed=is_closed) if node is not None else None
    if answer is None:
        lacking = [kind for kind in ("Event", "NodeClaim") if not any(kind in one.kinds for one in seen.values())]
        without = f"no {' and no '.join(lacking)} was read" if lacking else "no event and no NodeClaim in the exports is about it"
        run.problems.append(Problem(about, f"{without}; Kubernetes keeps events for one hour: record predictions and exports next time"))
    steps: list[Step] = []
    if edit is not None and edit.commit:
        at = edit.commit[:SHORT]
        steps = [command(f"nodepools diff {at}~1 {at} {source.options}", Act.NONE, "shows the whole edit")]
    elif edit is None and (answer is None or (node is not None and (node.why == "Drifted" or node.drift))):
        steps = [command(_RECORD, Act.FILES, f"OLD: the commit that was applied before; EXPORTS: {EXPORTS}; FILE: for `nodepools compare`")]
    rows = (*(edit.rows if edit is not None else ()), *budgets)
    report = Report(about, answer if answer is not None else "unknown why it was replaced", tuple(steps), (Section("", rows),) if rows else ())
    return Result(lambda: {"node": name, **_to_json(node, edit), "budgets": None, "window": None, **data}, report=report)


def _divided(existing: InputFiles) -> tuple[InputFiles, list[Record]]:
    """The exports, and the records of predictions among the files, which have the nodes of before."""
    records: dict[Path, Record] = {}
    for path in existing.paths:
        try:
            read = text(path) if path.suffix == ".json" and path.is_file() else "{}"
            if kind_of(read).startswith(RECORD.rpartition("/")[0]):
                records[path] = Record.read(read)
        except TextError:
            continue  # reported where exports are read
        except RecordError as error:
            raise InputError(Problem(str(path), str(error))) from None
    return replace(existing, paths=[path for path in existing.paths if path not in records]), list(records.values())


def _seen(name: str, seen: Mapping[Place, Observation], recorded: Sequence[tuple[str, str, NodeRecord]]) -> _Node | None:
    """What is known of a node; `None` if nothing is about it."""
    before = {(stack, cluster): node for stack, cluster, node in recorded if name in (node.name, node.claim)}
    found: dict[Place, _Node] = {}
    for place, one in seen.items():
        old = before.get(place)
        names = {name, *((old.name, old.claim) if old is not None else ())} - {""}
        claims = [claim for claim in one.claims.values() if names & {claim.name, claim.node}]
        names |= {text for claim in claims for text in (claim.name, claim.node) if text}
        begun = max((node.created for node in one.nodes(()) if node.created is not None and node.name in names), default=None)
        # of an older node with the name, events can be left
        told = [reason for about, reason in one.reasons.items() if about in names and (begun is None or reason[0] >= begun)]
        exists = not names.isdisjoint(one.raw_nodes)
        if not claims and not told and not exists:
            continue
        claim = next(iter(claims), None)
        is_forced = claim is not None and bool(claim.forced)
        at, why = max(told, default=(claim.deleted, claim.forced) if claim is not None and is_forced else (None, ""))
        pool = claim.pool if claim is not None else old.pool if old is not None else ""
        hashes: Mapping[str, str] = claim.hashes if claim is not None else old.hashes if old is not None else {}
        since = None if claim is not None and claim.drift else at
        kept, live = one.kept(claim) if claim is not None and exists else "", frozenset(_pool_hashes(one, pool, since))
        found[place] = _Node(place, pool, hashes, claim, exists, why, at, live, kept, "Pod" not in one.kinds)
    found |= {place: _Node(place, node.pool, node.hashes) for place, node in before.items() if place not in found}
    if len(found) > 1:
        usage_error(f"node/{name}: is in {joined([f'`{stack}/{cluster}`' for stack, cluster in found])}: use the exports of one of them")
    return next(iter(found.values()), None)


def _pool_hashes(seen: Observation, pool: str, before: datetime | None) -> Iterator[str]:
    """Hashes that can be compared; with a time, those of NodeClaims that were launched before it: the NodePool can have been edited since."""
    found = [hashed for name, hashed in seen.pool_hashes.items() if name == pool and before is None]
    for claim in seen.claims.values():
        is_before = before is None or (claim.created is not None and claim.created <= before)
        if claim.pool == pool and is_before and not claim.drift and not claim.is_going:
            found += [claim.hashes[key] for key in _HASHES.values() if key in claim.hashes]
    yield from (hashed.partition(":")[2] for hashed in found if hashed.startswith(f"{HASH_VERSION}:"))


def _answer(node: _Node, edit: _Edit | None, *, is_closed: bool) -> str | None:
    """The answer; `None` if nothing proves one. `is_closed`: its budgets allow no replacement for a long time."""
    at = f", at {node.at:%Y-%m-%d %H:%M}Z" if node.at is not None else ""
    is_going = node.claim is not None and node.claim.is_going
    cause = f" ({node.drift})" if node.drift else ""
    if edit is not None and edit.is_applied:
        cause = f"{cause} by {' in '.join([*(f'`{change.path}`' for change in edit.changes[:1]), edit.named])}"
    if node.why:
        known = "drift" if node.why == "Drifted" and node.drift else _WHY.get(node.why, f"`{node.why}`, as Karpenter says")
        return f"{'is being' if node.exists else 'was'} replaced because of {known}{cause}{at}"
    expires = node.claim.expires if node.claim is not None and node.exists and not is_going else None
    ends = f"because of expiry, at {expires:%Y-%m-%d %H:%M}Z, whatever its budgets are" if expires is not None else ""
    kept = node.kept if node.kept or not is_closed else f"its disruption budgets allow none, as they do for {_AROUND.days} days"
    if node.drift and kept and not is_going:
        return f"has drifted{cause}, and Karpenter does not replace it as long as {kept}{f'; it will be replaced {ends}' if ends else ''}"
    if node.drift:
        unless = ", unless pods keep Karpenter from it: export `pods,pdb`, too" if node.without_pods and not is_going else ""
        return f"{'is being replaced' if is_going else 'will be replaced, within the disruption budgets,'} because of drift{cause}{unless}"
    if expires is not None and expires <= datetime.now(UTC):
        return f"is due to be replaced {ends}"
    before = f" before it expires, at {expires:%Y-%m-%d %H:%M}Z" if expires is not None else ""
    return f"exists, and nothing in the exports replaces it{before}" if node.exists and not is_going else None


def _edit(node: _Node, platform: Platform, source: Source, run: CommandRun) -> _Edit:
    """The edit that the node has drifted from.

    Raises:
        _NotKnownError: it is not known.
    """
    wanted = node.wanted(node.drift)
    if not wanted:
        raise _NotKnownError(f"the NodeClaim has no hash of version {HASH_VERSION} for it, or none that a source describes")
    states: list[str] = []
    newer = "", platform
    for commit, version in _versions(platform, source, run):
        state = _state(version, node)
        if state == wanted and not states:
            raise _NotKnownError("the declaration is that of the NodeClaim, so the cluster has an edit that is not declared")
        if state == wanted:
            if not states[-1]:
                raise _NotKnownError(f"{newer[0][:SHORT] or 'the declaration'} does not have the pool, or not all of its values are known")
            is_applied = node.drift == _REQUIREMENTS or bool(node.live)
            if node.live and node.drift != _REQUIREMENTS and node.live.isdisjoint(states):
                raise _NotKnownError("the cluster has an edit that is in none of the commits")
            return _Edit(newer[0], _changes(version, newer[1], node), is_applied)
        states.append(state)
        newer = commit, version
    raise _NotKnownError(f"of the last {_MOST} commits in git, none has the declaration with which the node was launched")


def _versions(platform: Platform, source: Source, run: CommandRun) -> Iterator[tuple[str, Platform]]:
    """The declaration and those of its commits, the newest first."""
    yield "", platform
    folder = project_folder(Path.cwd())
    for commit in commits(source.files if source.files else [folder if folder is not None else Path()], _MOST):
        problems, notes = len(run.problems), len(run.notes)
        try:
            parts = new_side(f"git:{commit}", source, run, lambda path: InputFiles([path])).parts
        except (InputError, UnreadableError, InvalidError) as error:
            raise _NotKnownError(f"commit {commit[:SHORT]} cannot be read: {error}") from None
        finally:
            del run.problems[problems:], run.notes[notes:]
        yield from ((commit, part.platform) for part in parts.values() if part.platform is not None and part.name == platform.name)


def _state(platform: Platform, node: _Node) -> str:
    """What decides whether the node has drifted from this declaration; empty if it is not known."""
    key = node.place[1]
    requests = requests_of(platform)
    pool = next((one.sent for one in requests.of(key, POOL) if one.resource.type == NODE_POOL and one.pool == node.pool), None)
    if pool is None or has_unknown(pool):
        return ""
    if node.drift == _REQUIREMENTS and node.claim is not None:
        number = drifted(value_at(pool, ("template", "spec", "requirements")), [NodeClaim(node.claim.labels)])
        return "" if number is None else _DRIFTS if number else _FITS
    if node.drift != _CLASS:
        return node_pool_hash(pool)
    name = f"{platform.stem(key)}-{value_at(pool, ('template', 'spec', 'nodeClassRef', 'name'))}"
    found = next((one.sent for one in requests.of(key, CLASS) if (one.resource.type, one.resource.name) == (AKS_NODE_CLASS, name)), None)
    return aks_node_class_hash(found) if found is not None and not has_unknown(found) else ""


def _changes(old: Platform, new: Platform, node: _Node) -> list[Change]:
    """The changes of an edit that replace nodes of the pool for the reason of the drift."""
    cluster, place = node.place[1], f"{node.place[1]}/{node.pool}"
    found = [one for one in diff(old, new).all if one.cluster == cluster and (one.at == place or {place, node.pool} & set(one.pools))]
    found = [one for one in found if _REASONS_OF.get((one.resource.type, (node.pool, "requirements") in pairwise(one.steps))) == node.drift]
    return [one for one in found if one.effect in (Effect.ROLLS, Effect.ROLLS_SOME, Effect.UNKNOWN)]


def _budgets(node: _Node, platform: Platform) -> tuple[tuple[Row, ...], dict[str, object], bool]:
    """What allowed the replacement: the declared budgets for its reason, and the window around it; without a time, those of now.

    Also whether they allow none now and later.
    """
    pool = platform.cluster(node.place[1]).applied_node_pools.get(node.pool)
    why = node.why if node.why else "Drifted" if node.drift else ""
    reasons: dict[str, Reason] = {one: one for one in REASONS}
    reason = reasons.get(why)
    if why in _FORCED:
        return (Row(("budget", "none: budgets do not limit it, and windows do not delay it")),), {}, False
    if pool is None or reason is None:
        return (), {}, False
    when = (node.at if node.at is not None else datetime.now(UTC)).astimezone(UTC).replace(second=0, microsecond=0)
    budgets = allowed(pool.disruption, when)[reason].budgets
    calendar = disruption_calendar(pool.disruption, when - _AROUND, when + _AROUND)
    start, end = calendar.last_change(reason, when), calendar.next_change(reason, when)
    is_closed = calendar.worst(reason, when, when + timedelta(minutes=1)) is State.CLOSED
    ends = [f"{word} {moment:%a %Y-%m-%d %H:%M}Z" for word, moment in (("from", start), ("until", end)) if moment is not None]
    others = ", as declared now: other budgets applied then" if is_closed and node.at is not None else ""
    amount = f"{' and '.join(budgets)} of the nodes at a time, for {reason}" if budgets else f"no declared budget limits {reason}"
    window = f"{'closed' if is_closed else 'open'} {' '.join(ends) if ends else 'at any time'}{others}"
    times = {name: moment.isoformat() if moment is not None else None for name, moment in (("start", start), ("end", end))}
    data: dict[str, object] = {"budgets": list(budgets), "window": {**times, "open": not is_closed}}
    return (Row(("budget", amount)), Row(("window", window))), data, is_closed and end is None


def _to_json(node: _Node | None, edit: _Edit | None) -> dict[str, object]:
    return {
        "exists": node is not None and node.exists,
        "reason": node.why if node is not None and node.why else None,
        "drift": node.drift if node is not None and node.drift else None,
        "kept": node.kept if node is not None and node.kept else None,
        "at": node.at.isoformat() if node is not None and node.at is not None else None,
        "commit": edit.commit if edit is not None and edit.commit else None,
        "applied": edit.is_applied if edit is not None else None,
        "edits": [{"path": one.path, "old": one.old, "new": one.new} for one in edit.changes] if edit is not None else [],
    }

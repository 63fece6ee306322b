"""`--record`, `nodepools compare` and `nodepools ledger`: what was predicted, what happened since, and how often both agree."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Final

from nodepools.adoption.cluster_identity import Place
from nodepools.changes.nodes import first_pool, nodes_now, pools_of
from nodepools.changes.platform_changes import Changes, requests_of
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.existing.cloud_exports import read_exports_and_nodes
from nodepools.cli.existing.export_document import ExportDocument
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.git_worktree import head_of
from nodepools.cli.inputs.input_files import STDIN, InputFiles, shown, text
from nodepools.cli.inputs.sources import Source, load_platforms
from nodepools.cli.output.report import Act, Report, Row, Section, Step, Tone, command, lines_of
from nodepools.cli.problem import InputError, Problem, usage_error
from nodepools.cli.written_file import check_not_read, write_file
from nodepools.clouds.amounts import Amount
from nodepools.clouds.change import CLUSTER, Change, written_value
from nodepools.clouds.registry import cloud_of
from nodepools.ledger.comparison import VERDICTS, Rate, compared, rates
from nodepools.ledger.observation import KINDS, Observation
from nodepools.ledger.record import (
    RECORD,
    Bounds,
    ClusterPrediction,
    Compared,
    LostPool,
    PoolPrediction,
    PoolResult,
    Record,
    RecordError,
    declaration_hash,
    kind_of,
)
from nodepools.model.listing import counted, listed
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.steps import mapping
from nodepools.reading.bounded_input import TextError
from nodepools.reading.yaml_documents import Document
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.wire.effects import Effect

_UNSEEN: Final = "the record has no nodes of it, so a comparison can prove less: add `--existing PATH` or `--context NAME`"
Observations = Mapping[Place, Observation]


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where a record is written, and what it says about its declaration."""

    file: Path
    options: str
    """The options that name the declaration."""
    declared: Sequence[Path]
    """Its files, or the folder of its program."""
    existing: InputFiles | None = None
    read: Sequence[Path] = ()
    """The inputs, which are not written over."""

    def __post_init__(self) -> None:
        """Checks that the exports can be read again: the command itself reads them, too.

        Raises:
            InputError: they are stdin.
        """
        if self.existing is not None and any(str(path) == STDIN for path in self.existing.paths):
            usage_error("`--record` reads exports a second time: use files instead of stdin")

    def seen(self, platforms: Sequence[Platform], run: CommandRun) -> Observations:
        """The nodes of now; why those of a cluster are not known is a note of `run`."""
        found = observations(self.existing, platforms, run)
        run.notes.extend(Problem(cluster, one.why_not_whole) for (_, cluster), one in found.items() if one.why_not_whole)
        return found

    @property
    def commit(self) -> str | None:
        """The commit that the declaration is based on."""
        return head_of(self.declared)

    def write(self, record: Record, run: CommandRun) -> None:
        """Writes the record, unless something could not be read: the prediction would not be complete."""
        if run.problems:
            run.problems.append(Problem(str(self.file), "not written: correct the other errors first"))
            return
        write_file(self.file, record.text(), self.read)
        unseen = [cluster.cluster for cluster in record.clusters if cluster.nodes is None]
        run.notes.extend([Problem(listed(unseen, _NAMED), _UNSEEN)] if unseen else [])
        again = f"nodepools compare {self.file} {self.options} --existing EXPORTS"
        run.notes.append(Problem(str(self.file), f"has the prediction; after the change: `{again}`"))


def observations(inputs: InputFiles | None, platforms: Sequence[Platform], run: CommandRun) -> Observations:
    """What exports show of each declared cluster. What cannot be read, or is of another cluster, is a problem of `run`."""
    if inputs is None:
        return {}
    found: dict[Place, Observation] = {}

    def more(document: Document, read: ExportDocument, file: str, owner: Place | None) -> bool:
        del document, file
        is_list = "items" in mapping(read.value)
        return owner is not None and found.setdefault(owner, Observation()).add(read.objects, is_list=is_list)

    read_exports_and_nodes(inputs, platforms, run, more, KINDS)
    return found


@dataclass(frozen=True, slots=True)
class DeclaredPools:
    """The pools of one declared cluster."""

    cloud: str
    declaration: AnyCluster
    stem: str
    labels: Mapping[str, Mapping[str, str]]
    """Of the nodes of each pool."""
    sizes: Mapping[str, Amount]

    @classmethod
    def of(cls, platform: Platform, key: str) -> "DeclaredPools":
        """Those of a cluster."""
        cluster, stem = platform.cluster(key), platform.stem(key)
        cloud, requests = cloud_of(cluster), requests_of(platform)
        sizes = {request.pool: nodes_now(request, requests) for request in pools_of(requests, key)}
        sizes |= {one.pool: nodes_now(one, requests) for one in requests.of(key, CLUSTER) if first_pool(one)}
        steps = cloud.upgrade(key, stem, cloud.pools(key, stem))
        return cls(cloud.row(key).cloud, cluster, stem, steps.pool_labels, sizes)

    def hash(self, *, with_version: bool) -> str:
        """The hash of the declaration."""
        return declaration_hash(written_value(self.declaration), self.stem, with_version=with_version)


@dataclass(slots=True)
class _Effect:
    """What happens to one pool."""

    effect: Effect = Effect.NONE
    nodes: Amount | None = None
    order: int | None = None
    bounded_minutes: int | None = None


def record_diff(
    wanted: Recorded,
    stacks: Iterable[tuple[str, Platform | None, Platform | None, Changes]],
    lost: Iterable[tuple[str, str]],
    run: CommandRun,
    *,
    commit: str | None,
) -> None:
    """Records the changes of stacks: each with its declarations before and afterwards. Clusters that only one of them has are not recorded.

    Raises:
        InputError: a side is not a declaration.
    """
    both: list[tuple[str, Platform, Platform, Changes]] = []
    for name, old, new, changes in stacks:
        if old is None or new is None:
            usage_error("`--record` needs two declarations: a plan, a state, manifests or exports do not say what a comparison needs")
        both.append((name, old, new, changes))
    seen = wanted.seen([old for _, old, _, _ in both], run)
    clusters: list[ClusterPrediction] = []
    for name, old, new, changes in both:
        shared = [key for key in new.clusters if key in old.clusters]
        others = sorted({*new.clusters, *old.clusters} - set(shared))
        run.notes.extend([Problem(name, f"not recorded, because it is created or deleted: {listed(others, _NAMED)}")] if others else [])
        clusters += [_Sides(key, old, new).predicted(_of_changes(key, changes.all), seen.get((old.name, key))) for key in shared]
    told = Record(
        command="diff",
        recorded_at=_now(),
        library=version("nodepools"),
        commit=commit if commit is not None else wanted.commit,
        options=wanted.options,
        clusters=tuple(clusters),
        order=tuple(tuple(wave) for _, _, _, changes in both for wave in changes.order),
        lost=tuple(LostPool(workload=workload, cluster=cluster) for workload, cluster in lost),
    )
    wanted.write(told, run)


def record_upgrade(wanted: Recorded, plans: Iterable[tuple[Platform, ClusterUpgrade]], run: CommandRun) -> None:
    """Records the steps of upgrades. One that is blocked predicts nothing."""
    plans = list(plans)
    blocked = [plan.cluster for _, plan in plans if plan.verdict == "blocked"]
    if blocked:
        run.problems.append(Problem(str(wanted.file), f"not written, because the upgrade is blocked: {listed(blocked, _NAMED)}"))
        return
    platforms = list({platform.name: platform for platform, _ in plans}.values())
    seen = wanted.seen(platforms, run)
    clusters = [
        _Sides(plan.cluster, platform, platform).predicted(_of_steps(plan), seen.get((platform.name, plan.cluster)), plan.new)
        for platform, plan in plans
    ]
    told = Record(
        command="upgrade",
        recorded_at=_now(),
        library=version("nodepools"),
        commit=wanted.commit,
        options=wanted.options,
        clusters=tuple(clusters),
    )
    wanted.write(told, run)


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class _Sides:
    """A cluster before and afterwards."""

    key: str
    old: Platform
    new: Platform

    def predicted(self, effects: Mapping[str, "_Effect"], seen: Observation | None, to: str = "") -> ClusterPrediction:
        """What happens in it; `to` is the version of an upgrade that is not declared yet."""
        had, gets = DeclaredPools.of(self.old, self.key), DeclaredPools.of(self.new, self.key)
        pools = tuple(_pools(had, gets, effects))
        entries = [(pool.pool, labels) for pool in pools for labels in (pool.before, pool.after) if labels is not None]
        return ClusterPrediction(
            stack=self.new.name,
            cluster=self.key,
            cloud=gets.cloud,
            declaration=gets.hash(with_version=not to),
            old_version=had.declaration.kubernetes_version,
            new_version=to if to else gets.declaration.kubernetes_version,
            pools=pools,
            nodes=seen.nodes(entries) if seen is not None and not seen.why_not_whole else None,
        )


def _pools(had: DeclaredPools, gets: DeclaredPools, effects: Mapping[str, "_Effect"]) -> Iterator[PoolPrediction]:
    whole = effects.get("", _Effect())
    for name in dict.fromkeys((*gets.labels, *had.labels)):
        one = effects.get(name, whole)
        before, after = had.labels.get(name), gets.labels.get(name)
        yield PoolPrediction(
            pool=name,
            effect=max(one.effect, whole.effect, key=lambda effect: effect.severity).value,
            nodes=_bounds(one.nodes) if one.nodes is not None else None,
            size=_bounds(had.sizes.get(name, Amount())) if before is not None else Bounds(maximum=0),
            order=one.order,
            bounded_minutes=one.bounded_minutes,
            before=before,
            after=after,
        )


def _bounds(one: Amount) -> Bounds:
    return Bounds(minimum=one.minimum, maximum=one.maximum)


_WHOLE: Final = (Effect.UNKNOWN, Effect.REFUSED)
"""Effects of a cluster that leave nothing to predict for its pools."""


def _of_changes(cluster: str, changes: Iterable[Change]) -> dict[str, _Effect]:
    """The worst effect on each pool; under the empty name what leaves open the whole cluster."""
    found: dict[str, _Effect] = {}
    for change in changes:
        if change.cluster != cluster:
            continue
        whole = [""] if change.effect in _WHOLE and change.pool is None else []
        own = [change.pool] if change.pool is not None and not change.pools else []
        for name in chain(whole, own, _names(cluster, change.pools)):
            one = found.setdefault(name, _Effect())
            if change.effect.severity > one.effect.severity:
                one.effect = change.effect
                one.nodes = change.nodes if name == change.pool else None
    return found


def _names(cluster: str, places: Iterable[str]) -> Iterator[str]:
    yield from (place.removeprefix(f"{cluster}/") for place in places)


def _of_steps(plan: ClusterUpgrade) -> dict[str, _Effect]:
    """What the steps do to each pool, all rounds together."""
    found: dict[str, _Effect] = {}
    for number, step in enumerate(plan.steps, 1):
        if step.what in ("control_plane", "add_on"):
            continue
        one = found.setdefault(step.name, _Effect(bounded_minutes=0, order=number))
        effect = Effect.REIMAGES if step.is_of_agent_pool else Effect.ROLLS
        one.effect = effect if step.nodes.maximum != 0 else one.effect
        one.nodes = Amount(step.nodes.minimum, step.nodes.maximum)
        minutes = one.bounded_minutes, step.bounded_minutes
        one.bounded_minutes = None if None in minutes else sum(each for each in minutes if each is not None)
    return found


_ANSWERED: Final = ("AKS142", "EKS001")
"""Rules about versions without support: they are not what this command is about."""
_NAMED: Final = 3
_ROWS: Final = 12
_TONES: Final = {"seen": Tone.GOOD, "contradicted": Tone.BAD, "unknown": Tone.CAUTION}
_HEADINGS: Final = {"contradicted": "Contradicted", "unknown": "Not decided", "seen": "Came true"}
_SHORT: Final = 10
_NOT_PREDICTED: Final = " is Pending, which was not predicted"
_KUBECTL: Final = "kubectl get nodes,nodeclaims,pods,events -A -o yaml"
EXPORTS: Final = f"the output of `{_KUBECTL}`"


def compare(file: Path, source: Source, existing: InputFiles | None, run: CommandRun, *, applied: str | None, output: Path | None) -> Result:
    """Compares a record with exports of its clusters.

    Raises:
        InputError: the record, the declaration or the exports cannot be used, or are not about the same clusters.
        InvalidError: the declaration has errors.
    """
    record = _record(file)
    when = _applied(applied, record) if applied is not None else None
    if existing is None:
        usage_error(f"what happened is in exports: add `--context NAME`, or `--existing PATH` with {EXPORTS}")
    if output is not None:
        check_not_read(output, [file, *source.files, *existing.paths])
    platforms = {platform.name: platform for platform, _ in load_platforms(source, run, _ANSWERED)}
    _check_declarations(file, record, platforms)
    seen = observations(existing, list(platforms.values()), run)
    _check_exports(record, seen, run)
    _note_too_early(when, seen, run)
    found = _compared(record, seen, when, run)
    if output is not None:
        write_file(output, found.text(), [file])
        run.notes.append(Problem(str(output), "has the comparison: `nodepools ledger` adds it up"))
    run.problems.extend([] if found.results else [Problem(shown(file), "predicts nothing of nodes that existed")])
    undecided = [f"{one.cluster}/{one.pool}" for one in found.results if one.verdict == "unknown"]
    run.problems.extend(Problem("", text) for text in found.not_seen)
    run.problems.extend([Problem(listed(undecided, _NAMED), "not decided", is_open=True)] if undecided else [])
    fails = bool(found.not_predicted) or any(one.verdict == "contradicted" for one in found.results)
    report = Report(
        _about(record),
        _answer(found),
        tuple(_next(f"{quote(str(file))} {source.options}", found)),
        tuple(_sections(record, found, is_markdown=run.form == "markdown")),
    )
    return Result(lambda: _fields(record, found), fails=fails, report=report)


def _record(file: Path) -> Record:
    try:
        return Record.read(text(file))
    except TextError as error:
        raise InputError(Problem.of(str(error), shown(file))) from None
    except RecordError as error:
        raise InputError(Problem(shown(file), str(error))) from None


def _applied(written: str, record: Record) -> datetime:
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        usage_error(f"`--applied` must be a time such as 2026-11-21T02:30Z, not `{written}`")
    found = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    is_same_minute = found == record.recorded_at.replace(second=0, microsecond=0)  # a time is often written without seconds
    if found < record.recorded_at and not is_same_minute:
        usage_error(f"`--applied` ({written}) is before the record was made ({record.recorded_at:%Y-%m-%dT%XZ}): such a record predicts nothing")
    return max(found, record.recorded_at)


def _note_too_early(applied: datetime | None, seen: Observations, run: CommandRun) -> None:
    for (_, cluster), one in seen.items():
        if applied is not None and one.taken is not None and one.taken < applied:
            early = f"its nodes last told the time at {_instant(one.taken)}, before `--applied` ({_instant(applied)}), which therefore proves nothing"
            run.notes.append(Problem(cluster, f"{early}: export it again, five minutes later"))


def _check_declarations(file: Path, record: Record, platforms: Mapping[str, Platform]) -> None:
    """The declarations are those of the record."""
    for one in record.clusters:
        platform = platforms.get(one.stack)
        if platform is None:
            read = listed(sorted(platforms), _NAMED)
            usage_error(f"{file}: is about stack `{one.stack}`, and `{read}` was read: use the options of the record, `{record.options}`")
        is_declared = one.cluster in platform.clusters
        if not is_declared or DeclaredPools.of(platform, one.cluster).hash(with_version=record.command == "diff") != one.declaration:
            at = f": `git switch --detach {record.commit[:_SHORT]}` has it" if record.commit is not None else ""
            what = f"another declaration of cluster `{one.cluster}`" if is_declared else f"cluster `{one.cluster}`, which is not declared"
            usage_error(f"{file}: is about {what}. Compare with the declaration that was recorded{at}, or record again")


def _check_exports(record: Record, seen: Observations, run: CommandRun) -> None:
    """The exports have nodes of a recorded cluster, and are newer than the record."""
    found = [seen[place] for one in record.clusters if (place := (one.stack, one.cluster)) in seen]
    if not any("Node" in one.kinds for one in found):
        if run.problems:
            raise InputError  # the problems say why
        names = listed([one.cluster for one in record.clusters], _NAMED)
        usage_error(f"the exports have no nodes of {names}: add {EXPORTS}")
    for one in found:
        if one.taken is not None and one.taken < record.recorded_at:
            taken, recorded = _instant(one.taken), _instant(record.recorded_at)
            usage_error(f"the exports ({taken}) are older than the record ({recorded}): export the clusters after the change")


def _compared(record: Record, seen: Observations, applied: datetime | None, run: CommandRun) -> Compared:
    results: list[PoolResult] = []
    not_predicted: list[str] = []
    not_seen: list[str] = []
    pending: list[str] = []
    for cluster in record.clusters:
        found = seen.get((cluster.stack, cluster.cluster))
        if found is None:
            not_seen.append(f"{cluster.cluster}: the exports have nothing of it")
            continue
        one = compared(record, cluster, found, applied)
        results += one.results
        not_predicted += one.not_predicted
        not_seen += [f"{cluster.cluster}: the exports have no pods, so Pending ones cannot be seen"] if "Pod" not in found.kinds else []
        run.notes.extend(Problem(cluster.cluster, note) for note in one.notes)
        lost = {each.workload for each in record.lost if each.cluster == cluster.cluster}
        pending += _pending(cluster.cluster, found.pending, lost)
    times = [one.taken for one in seen.values() if one.taken is not None]
    return Compared(
        record=record.digest,
        recorded_at=record.recorded_at,
        taken_at=min(times, default=None),
        results=tuple(results),
        not_predicted=tuple(not_predicted),
        not_seen=tuple(not_seen),
        pending=tuple(pending),
    )


def _pending(cluster: str, pods: Mapping[str, str], lost: AbstractSet[str]) -> Iterator[str]:
    for pod, owner in pods.items():
        yield f"{cluster}: {pod}{' is Pending, as predicted' if owner in lost else _NOT_PREDICTED}"
    for workload in sorted(lost - set(pods.values())):
        yield f"{cluster}: {workload} was predicted to have no pool, and no pod of it is Pending"


def _about(record: Record) -> str:
    return listed(list(dict.fromkeys(one.stack for one in record.clusters)), _NAMED)


def _answer(found: Compared) -> str:
    """`2 of 3 predictions came true, 1 not decided; not predicted: weu: shop/web-7 Pending`."""
    counts = {verdict: sum(one.verdict == verdict for one in found.results) for verdict in VERDICTS}
    wrong = [f"{counts['contradicted']} contradicted"] if counts["contradicted"] else []
    more = [counted(len(found.not_predicted), "change") + " not predicted"] if found.not_predicted else []
    left = [f"{counts['unknown']} not decided"] if counts["unknown"] else []
    of_all = counted(len(found.results), "prediction")
    waits = f"; not predicted: {listed(waiting, _NAMED)} Pending" if (waiting := _waiting(found)) else ""
    return ", ".join([*wrong, *more, f"{counts['seen']} of {of_all} came true", *left]) + waits


def _waiting(found: Compared) -> list[str]:
    return [one.removesuffix(_NOT_PREDICTED) for one in found.pending if one.endswith(_NOT_PREDICTED)]


def _next(arguments: str, found: Compared) -> Iterator[Step]:
    """Why a pod is Pending that was not predicted comes first; then the comparison again, with the same `arguments`."""
    for told in _waiting(found)[:1]:
        cluster, _, pod = told.partition(": ")
        namespace, _, name = pod.partition("/")
        yield command(f"kubectl describe pod -n {quote(namespace)} {quote(name)}", Act.NONE, f"shows why it is Pending in {cluster}")
    running = [f"{one.cluster}/{one.pool}" for one in found.results if one.verdict == "unknown" and one.message.startswith("under way")]
    if running:
        until = f"EXPORTS: new ones, once no old node of {listed(running, _NAMED)} is left"
        yield command(f"nodepools compare {arguments} --existing EXPORTS", Act.NONE, until)


def _sections(record: Record, found: Compared, *, is_markdown: bool) -> Iterator[Section]:
    for verdict, heading in _HEADINGS.items():
        groups: dict[tuple[str, str], list[PoolResult]] = {}
        for one in (each for each in found.results if each.verdict == verdict):
            groups.setdefault((_effect(one.effect), _told(one)), []).append(one)
        rows = tuple(
            Row((effect, listed([f"{one.cluster}/{one.pool}" for one in group], _NAMED), told), _TONES[verdict], is_detail=number >= _ROWS)
            for number, ((effect, told), group) in enumerate(groups.items())
        )
        if rows:
            yield Section(heading, rows, ("predicted", "pool", "seen") if is_markdown else ())
    for heading, texts in (("Not predicted", found.not_predicted), ("Pods", found.pending)):
        if texts:
            yield lines_of(heading, *texts)
    commit = f", of commit {record.commit[:_SHORT]}" if record.commit is not None else ""
    taken = f"; exports of {_instant(found.taken_at)}" if found.taken_at is not None else ""
    yield lines_of("", f"recorded {_instant(record.recorded_at)} by `nodepools {record.command}` {record.library}{commit}{taken}", is_detail=True)


def _effect(predicted: str) -> str:
    return "no change" if predicted == Effect.NONE.value else predicted


def _told(one: PoolResult) -> str:
    if one.observed_minutes is None:
        return one.message
    bound = f"; its drains can take {one.bounded_minutes}" if one.bounded_minutes else ""
    return f"{one.message}; took {counted(one.observed_minutes, 'minute')}{bound}"


def _instant(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _fields(record: Record, found: Compared) -> dict[str, object]:
    held = found.model_dump(mode="json")
    verdicts = {one.verdict for one in found.results}
    verdict = (
        "contradicted" if "contradicted" in verdicts or found.not_predicted else "unknown" if "unknown" in verdicts or found.not_seen else "seen"
    )
    return {"verdict": verdict, "commit": record.commit, **held}


@dataclass(slots=True)
class _Ledger:
    """Comparisons, each record once."""

    found: dict[str, Compared]
    records: int = 0
    """Records that were not compared yet."""
    again: int = 0
    """Comparisons of a record that a later one replaces."""

    def add(self, one: Compared) -> None:
        known = self.found.get(one.record)
        self.again += known is not None
        if known is None or _time_of(known) <= _time_of(one):
            self.found[one.record] = one


def _time_of(one: Compared) -> datetime:
    return one.taken_at if one.taken_at is not None else one.recorded_at


def ledger(inputs: InputFiles, run: CommandRun) -> Result:
    """Adds up comparisons.

    Raises:
        InputError: there is none.
    """
    found = _Ledger({})
    for file in files(inputs, run):
        try:
            written = text(file)
            if kind_of(written) == RECORD:
                Record.read(written)
                found.records += 1
            else:
                found.add(Compared.read(written))
        except TextError as error:
            run.problems.append(Problem.of(str(error), shown(file)))
        except RecordError as error:
            run.problems.append(Problem(shown(file), str(error)))
    if not found.found:
        if run.problems:
            raise InputError  # the problems say why
        usage_error("no record was compared yet: `nodepools compare RECORD --existing EXPORTS -o FILE` compares one")
    results = [result for one in found.found.values() for result in one.results]
    table = rates(results)
    again = "nodepools compare RECORD OPTIONS --existing EXPORTS -o FILE"
    how = f"RECORD: of --record; OPTIONS: `options` in it; EXPORTS: {EXPORTS}; FILE: instead of its comparison"
    steps = (command(again, Act.FILES, how),) if any(one.verdict == "unknown" for one in results) else ()
    report = Report("", _ledger_answer(found, results), steps, tuple(_ledger_sections(found, table, results)))
    return Result(
        lambda: {"comparisons": len(found.found), "not_compared": found.records, "rates": [rate.to_json() for rate in table]}, report=report
    )


def _ledger_answer(found: _Ledger, results: Sequence[PoolResult]) -> str:
    seen, wrong = (sum(one.verdict == verdict for one in results) for verdict in ("seen", "contradicted"))
    decided = seen + wrong
    rate = f"{seen:,} of {counted(decided, 'decided prediction')} came true{_percent(seen, decided)}" if decided else "no prediction was decided"
    left = len(results) - decided
    return f"{rate} in {counted(len(found.found), 'comparison')}{f'; {left:,} not decided' if left else ''}"


def _percent(part: int, whole: int) -> str:
    """Rounded down: 100 % only if it is all of them."""
    return f" ({part * 100 // whole} %)" if whole else ""


_HEADS: Final = ("effect", "cloud", "version", "came true", "contradicted", "undecided", "rate", "minutes", "slower")


def _ledger_sections(found: _Ledger, table: Sequence[Rate], results: Sequence[PoolResult]) -> Iterator[Section]:
    yield Section("", tuple(map(_rate_row, table)), _HEADS, frozenset({3, 4, 5, 6, 7, 8}))
    wrong = [
        Row((f"{one.stack}: {one.cluster}/{one.pool}: {_effect(one.effect)}: {one.message}",), Tone.BAD)
        for one in results
        if one.verdict == "contradicted"
    ]
    if wrong:
        yield Section("Contradicted", tuple(Row(row.cells, row.tone, is_detail=number >= _ROWS) for number, row in enumerate(wrong)))
    notes = [f"{counted(found.records, 'record')} not compared yet"] if found.records else []
    notes += [f"{counted(found.again, 'comparison')} of a record that was compared again: the latest one counts"] if found.again else []
    yield lines_of(
        "",
        *notes,
        "minutes: of an agent pool from its first new node to the last one, of a NodePool from `--applied` to the last new node",
        "slower: than the limit that `upgrade` calculates for drains",
        is_detail=not notes,
    )


def _rate_row(rate: Rate) -> Row:
    seen, wrong, unknown = map(rate.count, VERDICTS)
    minutes = rate.minutes
    span = "" if not minutes else str(minutes[0]) if minutes[0] == minutes[-1] else f"{minutes[0]} to {minutes[-1]}"
    bound = f"{rate.over} of {len(rate.bounded)}" if rate.bounded else ""
    hits = _percent(seen, seen + wrong).strip(" ()")
    tone = Tone.BAD if wrong else Tone.GOOD if seen else Tone.PLAIN
    return Row((_effect(rate.effect), rate.cloud, rate.version, *(f"{number:,}" for number in (seen, wrong, unknown)), hits, span, bound), tone)

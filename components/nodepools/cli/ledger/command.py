"""`nodepools compare` and `nodepools ledger`: what happened since a prediction, and how often both agree."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from shlex import join, quote, split
from typing import Final

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import STDIN, InputFiles, shown, text
from nodepools.cli.inputs.sources import Source, load_platforms
from nodepools.cli.ledger.recording import EXPORTS, NAMED, DeclaredPools, Observations, observations
from nodepools.cli.output.report import Act, Report, Row, Section, Step, Tone, act_of, command, lines_of, typed
from nodepools.cli.problem import InputError, Problem, usage_error
from nodepools.cli.written_file import check_not_read, write_file
from nodepools.ledger.comparison import VERDICTS, Rate, compared, rates
from nodepools.ledger.observation import Observation, Waiting
from nodepools.ledger.record import RECORD, Compared, PoolResult, Record, RecordError, kind_of
from nodepools.model.listing import counted, grouped, listed, quoted
from nodepools.model.platform import Platform
from nodepools.reading.bounded_input import TextError
from nodepools.wire.table import Effect

_ANSWERED: Final = ("AKS142", "EKS001")
"""Rules about versions without support: they are not what this command is about."""
_ROWS: Final = 12
_TONES: Final = {"seen": Tone.GOOD, "contradicted": Tone.BAD, "unknown": Tone.CAUTION}
_HEADINGS: Final = {"contradicted": "Contradicted", "unknown": "Not decided", "seen": "Came true"}
_SHORT: Final = 10
_NOT_PREDICTED: Final = " is Pending, which was not predicted"
_BEFORE: Final = " is Pending, and was before the change"


def compare(
    file: Path, source: Source, existing: InputFiles | None, run: CommandRun, *, applied: str | None, output: Path | None, context: str | None = None
) -> Result:
    """Compares a record with exports of its clusters, those of `context` if one is given.

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
    given = [(name, one) for name, one in (("--applied", applied), ("--context", context)) if one is not None]
    words = ["RECORD" if str(file) == STDIN else str(file), *split(source.options), *(word for option in given for word in option)]
    found = _compared(record, seen, when, run).model_copy(update={"arguments": tuple(words)})
    if output is not None:
        write_file(output, found.text(), [file])
        run.notes.append(Problem(str(output), "has the comparison: `nodepools ledger` adds it up"))
    run.problems.extend([] if found.results else [Problem(shown(file), "predicts nothing of nodes that existed")])
    undecided = [f"{one.cluster}/{one.pool}" for one in found.results if one.verdict == "unknown"]
    run.problems.extend(Problem("", text) for text in found.not_seen)
    run.problems.extend([Problem(listed(undecided, NAMED), "not decided", is_open=True)] if undecided else [])
    fails = bool(found.not_predicted) or any(one.verdict == "contradicted" for one in found.results)
    sections = tuple(_sections(record, found, is_markdown=run.form == "markdown"))
    report = Report(listed(list(dict.fromkeys(one.stack for one in record.clusters)), NAMED), _answer(found), tuple(_next(found, context)), sections)
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
            read = listed(sorted(platforms), NAMED)
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
        names = listed([one.cluster for one in record.clusters], NAMED)
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
        found = seen.get((cluster.stack, cluster.cluster), Observation())
        one = compared(record, cluster, found, applied)
        results += one.results
        not_predicted += one.not_predicted
        lacks = "no pods, so Pending ones cannot be seen" if found.kinds else "nothing of it"
        not_seen += [f"{cluster.cluster}: the exports have {lacks}"] if "Pod" not in found.kinds else []
        unready = [f"{counted(len(down), 'node')} not ready: {quoted(down, NAMED)}"] if (down := found.not_ready) else []
        run.notes.extend(Problem(cluster.cluster, note) for note in (*one.notes, *unready))
        lost = {each.workload for each in record.lost if each.cluster == cluster.cluster}
        pending += _pending(cluster.cluster, found.pending, lost, record.recorded_at)
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


def _pending(cluster: str, pods: Mapping[str, Waiting], lost: AbstractSet[str], recorded_at: datetime) -> Iterator[str]:
    for pod, one in pods.items():
        other = " is Pending, because a claim of it has no volume" if one.lacks_claim else _NOT_PREDICTED
        is_old = one.since is not None and one.since < recorded_at
        yield f"{cluster}: {pod}{_BEFORE if is_old else ' is Pending, as predicted' if one.owner in lost else other}"
    for workload in sorted(lost - {one.owner for one in pods.values()}):
        yield f"{cluster}: {workload} was predicted to have no pool, and no pod of it is Pending"


def _answer(found: Compared) -> str:
    """`weu: shop/web-7 is Pending, which was not predicted; 2 of 2 decided predictions came true`; a problem says which are not decided."""
    counts = {verdict: sum(one.verdict == verdict for one in found.results) for verdict in VERDICTS}
    wrong = [f"{counts['contradicted']} contradicted"] if counts["contradicted"] else []
    more = [counted(len(found.not_predicted), "change") + " not predicted"] if found.not_predicted else []
    left = counts["unknown"]
    decided = counted(len(found.results) - left, "decided prediction" if left else "prediction")
    is_none = bool(left) and left == len(found.results)
    told = f"none of {counted(left, 'prediction')} is decided yet" if is_none else f"{counts['seen']} of {decided} came true"
    waiting = _waiting(found)
    pods = [f"{listed(waiting, NAMED)}{_NOT_PREDICTED if len(waiting) == 1 else ' are Pending, which was not predicted'}"] if waiting else []
    return "; ".join([*pods, ", ".join([*wrong, *more, told])])


def _waiting(found: Compared) -> list[str]:
    return [one.removesuffix(_NOT_PREDICTED) for one in found.pending if one.endswith(_NOT_PREDICTED)]


def _next(found: Compared, context: str | None) -> Iterator[Step]:
    """Why a pod is Pending that was not predicted comes first; then the comparison again."""
    for told in _waiting(found)[:1]:
        cluster, _, pod = told.partition(": ")
        namespace, _, name = pod.partition("/")
        of = (quote(context), "") if context is not None else ("CONTEXT", f"; CONTEXT: that of {cluster}")
        line = f"kubectl describe pod -n {quote(namespace)} {quote(name)} --context {of[0]}"
        yield command(line, Act.NONE, f"shows why it is Pending in {cluster}{of[1]}")
    if until := _until(found):
        yield _again(found, until)


def _until(found: Compared) -> str:
    """When another comparison decides more; empty if nothing is under way."""
    running = [f"{one.cluster}/{one.pool}" for one in found.results if one.verdict == "unknown" and one.message.startswith("under way")]
    return f"once no old node of {listed(running, NAMED)} is left" if running else ""


def _again(found: Compared, why: str, output: str = "") -> Step:
    """The comparison with newer exports; a comparison without its arguments is of an earlier version."""
    first, *rest = found.arguments if found.arguments else ("RECORD", "OPTIONS")
    digest = found.record[: len("sha256:") + _SHORT]
    exports = "" if "--context" in rest else "--existing EXPORTS"
    record = f'RECORD: the file that `grep -rl \'"digest": "{digest}\' .` names' if first == "RECORD" else ""
    explained = [why, record, "OPTIONS: its `options`" if rest == ["OPTIONS"] else "", f"EXPORTS, made then: {EXPORTS}" if exports else ""]
    line = " ".join(filter(None, ["nodepools compare", typed(first), join(rest), exports, output]))
    return command(line, act_of(line), "; ".join(filter(None, explained)))


def _sections(record: Record, found: Compared, *, is_markdown: bool) -> Iterator[Section]:
    for verdict, heading in _HEADINGS.items():
        groups = grouped(((_effect(one.effect), _told(one)), one) for one in found.results if one.verdict == verdict)
        rows = tuple(
            Row((effect, listed([f"{one.cluster}/{one.pool}" for one in group], NAMED), told), _TONES[verdict], is_detail=number >= _ROWS)
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
    files: dict[str, str] = field(default_factory=dict[str, str])
    """Where the comparison of each is."""

    def add(self, one: Compared, file: str) -> None:
        known = self.found.get(one.record)
        self.again += known is not None
        if known is None or _time_of(known) <= _time_of(one):
            self.found[one.record], self.files[one.record] = one, file


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
                found.add(Compared.read(written), shown(file))
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
    undecided = [one for one in found.found.values() if any(each.verdict == "unknown" for each in one.results)]
    why = "not urgent: newer exports can decide more, "
    steps = [_again(one, f"{why}{_until(one)}".rstrip(", "), f"-o {typed(found.files[one.record])}") for one in undecided[:1]]
    report = Report("", _ledger_answer(found, results), tuple(steps), tuple(_ledger_sections(found, table, results)))
    return Result(
        lambda: {"comparisons": len(found.found), "not_compared": found.records, "rates": [rate.to_json() for rate in table]}, report=report
    )


def _ledger_answer(found: _Ledger, results: Sequence[PoolResult]) -> str:
    seen, wrong = (sum(one.verdict == verdict for one in results) for verdict in ("seen", "contradicted"))
    decided = seen + wrong
    rate = f"{seen:,} of {counted(decided, 'decided prediction')} came true{_percent(seen, decided)}" if decided else "no prediction was decided"
    several = len({one.stack for one in results}) > 1
    left = [f"{f'{one.stack}/' * several}{one.cluster}/{one.pool}" for one in results if one.verdict == "unknown"]
    return f"{rate} in {counted(len(found.found), 'comparison')}{f'; {len(left):,} not decided yet: {listed(left, NAMED)}' if left else ''}"


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
    minutes = "minutes: of an agent pool from its first new node to the last one, of a NodePool from `--applied` to the last new node"
    notes += [minutes] if any(rate.minutes for rate in table) else []
    slower = "slower: of those with a limit, how many took longer than the limit that `nodepools upgrade` calculates for drains"
    notes += [slower] if any(rate.bounded for rate in table) else []
    yield lines_of("", *notes)


def _rate_row(rate: Rate) -> Row:
    seen, wrong, unknown = map(rate.count, VERDICTS)
    minutes = rate.minutes
    span = "" if not minutes else str(minutes[0]) if minutes[0] == minutes[-1] else f"{minutes[0]} to {minutes[-1]}"
    bound = f"{rate.over} of {len(rate.bounded)}" if rate.bounded else ""
    hits = _percent(seen, seen + wrong).strip(" ()")
    tone = Tone.BAD if wrong else Tone.GOOD if seen else Tone.PLAIN
    return Row((_effect(rate.effect), rate.cloud, rate.version, *(f"{number:,}" for number in (seen, wrong, unknown)), hits, span, bound), tone)

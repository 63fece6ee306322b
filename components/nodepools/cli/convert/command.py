"""`nodepools convert`: objects of self-managed Karpenter and of node groups, for EKS Auto Mode or node auto provisioning."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Final, cast

from nodepools.cli.check.templates_not_rendered import text_problem, unrendered
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.demands.demands import PENDING, Demands, of_finding, verdict
from nodepools.cli.existing.existing_cluster import existing_pools
from nodepools.cli.inputs.assumptions import note_unread
from nodepools.cli.inputs.file_search import OUTPUT_MARK, files
from nodepools.cli.inputs.input_files import STDIN, InputFiles, text
from nodepools.cli.inputs.workload_side import NO_POOL, Side, listed_pools
from nodepools.cli.output.finding_lines import count, has_errors
from nodepools.cli.output.report import MOST_STEPS, Act, Report, Row, Section, Step, Tone, command, edit, first_fixes, lines_of, typed
from nodepools.cli.output.safe_text import safe
from nodepools.cli.output.safe_yaml import safe_yaml
from nodepools.cli.problem import Problem, usage_error
from nodepools.cli.written_file import write_folder
from nodepools.conversion.converted import Converted, convert
from nodepools.conversion.labels import selected_groups, selected_pools
from nodepools.conversion.unconverted import ConversionOptions, Outcome, Target, Unconverted
from nodepools.manifests.edits.yaml_edit import with_objects
from nodepools.manifests.existing.existing_pools import pools_of
from nodepools.manifests.existing.node_pools import built_in_pool
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.workloads import checked, workloads_of
from nodepools.model.listing import counted, grouped, listed
from nodepools.model.redaction import MARK, redacted
from nodepools.model.ref import HIDDEN
from nodepools.model.steps import mapping
from nodepools.model.values import dataclass, replace
from nodepools.placement.node_pools import ClusterPools, excludes_auto_mode
from nodepools.placement.workloads.objects import KINDS, WorkloadObjects, read_workload_objects
from nodepools.placement.workloads.own_pods import without_owned
from nodepools.placement.workloads.warnings import WarningKind
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.bounded_input import TextError
from nodepools.reading.yaml_documents import documents
from nodepools.replicas.explained import explain_replicas
from nodepools.rules.engine.finding import Finding, Severity

_NODE: Final = "Node"
_NO_VOLUMES: Final = "which cannot mount its volumes"
_NO_POOL_READ: Final = "no pool of the input"
_SHOWN_POOLS: Final = 4
"""Pools in a line of the table."""
Failed = Callable[[TextError], None]


@dataclass(frozen=True, slots=True)
class Moved:
    """A workload before and after the conversion."""

    workload: Workload
    old: Side
    new: Side
    groups: tuple[str, ...]
    """The node groups or agent pools that its pods require before."""
    left: tuple[str, ...]
    """Those that they still require after it."""
    unseen: tuple[str, ...] = ()
    """The NodePools that they require after it, if none of them is in the input: what these allow is not known."""
    is_stranded: bool = False
    """They select what no node of the target has."""
    accepted: str | None = None
    """Why it may lose its pool."""
    is_one_of_several: bool = False
    """Another namespace has a workload of the same kind and name."""

    @property
    def key(self) -> str:
        """How `--accept` names it."""
        return f"{self.workload.kind}/{f'{self.workload.namespace}/' * self.is_one_of_several}{self.workload.name}"

    @property
    def loses(self) -> bool:
        """Its pods had a pool, and can use none any more; or fewer of them can run than before."""
        fits_none = self._finds_none or not (self.new.possible or self.unseen)
        return self.had_pool and (bool(self.left) or fits_none or self._runs_fewer or self.cannot_mount)

    @property
    def fits(self) -> bool:
        """All of its pods fit for certain."""
        return not self.loses and bool(self.new.pools) and self.new.found is not None and self.new.found.count.verdict.value == "fits"

    @property
    def had_pool(self) -> bool:
        """Its pods fit a pool of the input, may fit one, or require node groups or agent pools."""
        return bool(self.old.possible or self.groups)

    @property
    def cannot_mount(self) -> bool:
        """Its pods fit the new nodes, which cannot mount their volumes."""
        return bool(self.new.possible) and _has_foreign_volume(self.new) and not _has_foreign_volume(self.old)

    @property
    def had_none(self) -> bool:
        """No pool runs its pods, before and after: they can run on one that is not in the input."""
        return not self.had_pool and not self.new.possible and not self.unseen

    @property
    def fails(self) -> bool:
        """It loses its pool, and that is not accepted."""
        return self.loses and self.accepted is None

    @property
    def _finds_none(self) -> bool:
        return self.is_stranded and not self.new.pools

    @property
    def _runs_fewer(self) -> bool:
        if self.old.found is None or self.new.found is None or self.unseen:
            return False
        most = self.new.found.count.scheduled.maximum
        return most is not None and most < self.old.found.count.scheduled.minimum

    @property
    def before(self) -> str:
        """The pools before."""
        return ", ".join(self.groups) if self.groups else _NO_POOL_READ if self.had_none else listed_pools(self.old, _SHOWN_POOLS)

    @property
    def after(self) -> str:
        """The pools after it."""
        volumes = f", {_NO_VOLUMES}" if self.cannot_mount else ""
        pools = f"no NodePool for {', '.join(self.left)}" if self.left else listed_pools(self.new, _SHOWN_POOLS)
        pools = f"NodePool {', '.join(self.unseen)} is not in the input" if self.unseen else pools
        pools = _NO_POOL_READ if self.had_none else NO_POOL if self._finds_none else pools
        return f"{pools}{volumes}{f' (accepted: {self.accepted})' if self.loses and self.accepted is not None else ''}"

    @property
    def replicas(self) -> str:
        """How many replicas can run, if that changes."""
        changes = not (self.unseen or self._finds_none) and self.old.possible and not self.groups and self.old.replicas != self.new.replicas
        return f"{self.old.replicas} → {self.new.replicas}" if changes else ""

    def to_json(self) -> dict[str, object]:
        """The workload as JSON data."""
        workload = self.workload
        return {
            "kind": workload.kind,
            "name": workload.name,
            "namespace": workload.namespace,
            "groups": list(self.groups),
            "old": self.old.to_json(),
            "new": self.new.to_json(),
            "loses_pool": self.loses,
            "accepted": self.accepted,
        }


def moved(found: Sequence[ManifestObject], converted: Sequence[Converted], target: Target, existing: ClusterPools, failed: Failed) -> list[Moved]:
    """Each workload that is not software that the target includes; `failed` gets the errors of objects that are not valid.

    The pools in exports are there before, and of them only NodePools of the target stay. Built-in NodePools are there if pods require them by name.
    """
    after = [replace(one, raw=result.new) for one, result in zip(found, converted, strict=True)]
    named = dict.fromkeys(name for result in converted for name in selected_pools(result.new))
    output = _after(pools_of([one for one in after if one.kind != _NODE], _ignored), target, existing, named)
    lacking = {one.name: why for one, result in zip(after, converted, strict=True) if (why := result.why_not_ready)}
    output = replace(output, unsure={**output.unsure, **lacking})
    pools = _before(pools_of(found, failed), existing), output
    if not any(each.static or each.provisioned for each in pools) and not named:
        return []
    seen = {pool.name for each in pools for pool in each.provisioned}
    kept = [old for old, new in zip(found, after, strict=True) if old.name != new.name]  # classes of volumes that exist stay
    new_objects = _objects([*kept, *after], _ignored)
    classes = _objects(kept, _ignored).with_classes(new_objects.classes.values()).classes  # their default class made the volumes that exist
    objects = [_objects(found, failed), replace(new_objects, classes=classes)]
    pairs: list[tuple[Workload, Workload, Converted]] = []
    for old, new, result in zip(found, after, converted, strict=True):
        try:
            workloads = () if result.included else tuple(zip(workloads_of(old), workloads_of(new), strict=True))
        except TextError as error:
            failed(error)
        else:
            pairs.extend((own, other, result) for own, other in workloads)
    olds = explain_replicas([pair[0] for pair in pairs], [pools[0]], objects[0])
    news = explain_replicas([pair[1] for pair in pairs], [pools[1]], objects[1])
    answers = [
        Moved(own, Side(old), Side(new), selected_groups(result.old), result.left_groups, _unseen(result, seen), result.is_stranded)
        for (own, _, result), old, new in zip(pairs, olds, news, strict=True)
    ]
    number = Counter(one.key for one in answers)
    return [replace(one, is_one_of_several=number[one.key] > 1) for one in answers]


def _has_foreign_volume(side: Side) -> bool:
    warnings = side.found.answer.warnings if side.found is not None else ()
    return any(warning.kind is WarningKind.VOLUME_DRIVER for warning in warnings)


def _before(pools: ClusterPools, existing: ClusterPools) -> ClusterPools:
    """The pools of the files and of exports; a NodePool that is in both is that of the files."""
    names = {pool.address for pool in pools.provisioned}
    others = (pool for pool in existing.provisioned if pool.address not in names)
    unsure = {**existing.unsure, **pools.unsure}
    return replace(existing, static=(*pools.static, *existing.static), provisioned=(*pools.provisioned, *others), unsure=unsure)


def _unseen(result: Converted, seen: Collection[str]) -> tuple[str, ...]:
    required = selected_pools(result.new)
    return () if any(name in seen for name in required) else required


def _after(pools: ClusterPools, target: Target, existing: ClusterPools, named: Iterable[str]) -> ClusterPools:
    """The pools of the output, NodePools of the target that run already, and its built-in ones among those that are `named`."""
    clouds = {"eks" if target is Target.AUTO_MODE else "aks", *(pool.cloud.name for pool in pools.provisioned)}
    others = [pool for pool in existing.provisioned if pool.cloud.name in clouds]
    built_in = [pool for pool in (built_in_pool(target.node_class, name) for name in named) if pool is not None]
    every = {pool.address: pool for pool in (*built_in, *reversed(others), *reversed(pools.provisioned))}
    return replace(pools, provisioned=tuple(reversed(every.values())), unsure={**existing.unsure, **pools.unsure})


def _ignored(_: TextError) -> None:
    """Findings of the check say the same."""


def _objects(found: Iterable[ManifestObject], failed: Failed) -> WorkloadObjects:
    read: list[ManifestObject] = []
    for one in found:
        if one.kind in KINDS:
            try:
                checked(one)
            except TextError as error:
                failed(error)
            else:
                read.append(one)
    return read_workload_objects([one.raw for one in read])


_LONGEST_VALUE: Final = 80
_SHOWN: Final = 6
"""Values without an equivalent, and workloads that lose no pool, that are shown without `--details`."""
_NAMED: Final = 3
_SELECTS_NOTHING: Final = "OBJ010"
_WORST: Final = (Outcome.MISSING, Outcome.KEPT, Outcome.CHANGED, Outcome.REMOVED)
_MEANING: Final = {
    Outcome.REMOVED: "not in the output",
    Outcome.KEPT: "in the output as it was, without its effect",
    Outcome.CHANGED: "in the output with another meaning",
    Outcome.MISSING: "needed, and not in the input",
}


_ROLE: Final = ("spec", "role")
_OUTPUT: Final = ("-o", "--output")
_STAYS: Final = "stays on the old nodes"


@dataclass(frozen=True, slots=True)
class Reported:
    """What a report is about."""

    about: str
    target: Target
    objects: tuple[tuple[ManifestObject, Converted], ...]
    workloads: tuple[Moved, ...]
    findings: tuple[Finding, ...]
    files: tuple[Path, ...]
    """What was written."""
    output: Path | None
    again: str

    @property
    def entries(self) -> list[tuple[ManifestObject, Converted, Unconverted]]:
        """The values that have no equivalent, what needs a decision first."""
        every = [(written, result, entry) for written, result in self.objects for entry in result.unconverted]
        return sorted(every, key=lambda one: _WORST.index(one[2].outcome))

    @property
    def losing(self) -> list[Moved]:
        """The workloads that lose their pool, which is not accepted."""
        return [one for one in self.workloads if one.fails]

    @property
    def answer(self) -> str:
        """What fails first, then how much was converted and lost, and where it is."""
        errors = count(self.findings, Severity.ERROR)
        lost, unseen = len(self.losing), sum(bool(one.unseen) for one in self.workloads)
        changed = sum(result.is_changed for _, result in self.objects)
        rest = [f"{written.kind}/{written.name}" for written, result in self.objects if not result.is_changed]
        loses = f"lose{'s' * (lost == 1)} {'its' if lost == 1 else 'their'} pool"
        same = f" (unchanged: {listed(rest, _NAMED)})" if rest else ""
        wrote = str(self.files[0]) if len(self.files) == 1 else f"{counted(len(self.files), 'file')} to {self.output}"
        parts = [
            *([f"{counted(errors, 'error')} in the result"] if errors else []),
            *([f"do not apply it yet: {lost:,} of {counted(len(self.workloads), 'workload')} {loses}"] if lost else []),
            *([f"the NodePools of {counted(unseen, 'workload')} are not in the input"] if unseen else []),
            *(["nothing to convert"] if not changed and not self.entries else []),
            f"{changed:,} of {counted(len(self.objects), 'object')} converted to {self.target.title}{same}",
            *([f"{counted(len(self.entries), 'value')} without an exact equivalent"] if self.entries else []),
            *([f"wrote {wrote}"] if self.files else []),
        ]
        return "; ".join(parts)

    @property
    def _again(self) -> str:
        """The command without the folder that it wrote, which is not empty any more."""
        words = ["", *shlex.split(self.again)]
        return shlex.join(word for before, word in pairwise(words) if before not in _OUTPUT and not word.startswith(_OUTPUT))

    @property
    def next(self) -> Iterator[Step]:
        """What to decide, with one command for all; once nothing loses its pool, what to write, to check and to apply."""
        groups = dict.fromkeys(one.left[0] for one in self.losing if one.left)
        kept = [one.key for one in self.losing if not one.left]
        pools = [replace(one, raw=result.new).name for one, result in self.objects if one.kind == "NodePool"]
        pool, others = (pools[0], pools[1:]) if pools else ("NODEPOOL", [])
        options = [*(f"--group {group.rpartition(' ')[2]}={pool}" for group in groups), *(f"--accept '{key} pending: {_STAYS}'" for key in kept)]
        which = f", or {listed(others, _NAMED)}:" if others else ": the only NodePool," if pools else ": the NodePool"
        told = [f"{pool}{which} for the pods of {listed(list(groups), _NAMED)}"] if groups else []
        told += [f"nothing happens to the pods of {listed(kept, _NAMED)} as long as you keep the old nodes"] if kept else []
        roles = [entry.fix for _, _, entry in self.entries if entry.steps == _ROLE and entry.fix is not None]
        if (options or self.output is None) and roles:
            options.append("--role ROLE")
            told.append("ROLE: the name of that role, not its ARN")
            yield edit(str(roles[0]))
        folder = "-o converted" if self.output is None else f"-o {typed(f'{self.output}-2')}"
        if not options and any(one.unseen for one in self.workloads):
            yield command(f"{self._again} --existing EXPORTS", Act.NONE, "says whether the NodePools that are not in the input run the pods")
        if options:
            yield command(" ".join([self._again, *options, folder]), Act.FILES, "; ".join(told))
        elif self.output is None and any(result.is_changed for _, result in self.objects):
            yield command(f"{self._again} {folder}", Act.FILES)
        elif self.files and (errors := [one for one in self.findings if one.severity is Severity.ERROR]):
            yield from first_fixes(errors, most=MOST_STEPS - 1)
            yield command(f"nodepools check {typed(self.output)}", Act.NONE)
        elif self.files and (lacking := dict.fromkeys(str(entry.fix) for _, _, entry in self.entries if entry.outcome is Outcome.MISSING)):
            yield from map(edit, list(lacking)[: MOST_STEPS - 1])
            yield command(f"nodepools check {typed(self.output)}", Act.NONE)
        elif (
            self.files and not self.losing and not any(one.unseen for one in self.workloads) and any(result.is_changed for _, result in self.objects)
        ):
            yield from map(edit, map(str, roles[:1]))
            yield command(f"kubectl diff -f {typed(self.output)} --context CONTEXT", Act.NONE)
            yield command(f"kubectl apply -f {typed(self.output)} --context CONTEXT", Act.CLUSTER, "NodePools and node classes first, then workloads")


def report(reported: Reported) -> Report:
    """The answer; the findings of the result in full; then workloads that lose their pool, and values without an equivalent."""
    sections = [*_workload_section(reported.workloads), *_entries_section(reported.entries)]
    if len(reported.files) > 1:
        sections.append(lines_of("Written", *map(str, reported.files), is_detail=True))
    return Report(reported.about, reported.answer, tuple(reported.next), tuple(sections), reported.findings)


def _workload_section(workloads: Sequence[Moved]) -> Iterator[Section]:
    ordered = sorted(workloads, key=lambda one: (not one.fails, not one.loses, one.fits))
    rows = [_workload_row(one, is_detail=number >= _SHOWN and not one.loses) for number, one in enumerate(ordered)]
    if rows:
        yield Section("Pools of workloads", tuple(rows), ("verdict", "workload", "before", "after"))


def _workload_row(one: Moved, *, is_detail: bool) -> Row:
    verdict, tone = ("✔ fits", Tone.GOOD) if one.fits else ("? accepted" if one.loses else "? unknown", Tone.CAUTION)
    verdict, tone = ("✘ loses its pool", Tone.BAD) if one.fails else (verdict, tone)
    replicas = f"; replicas {one.replicas}" if one.replicas else ""
    pending = () if one.fits or one.loses or one.unseen or one.new.found is None else one.new.found.count.pending
    reasons = tuple(dict.fromkeys(each.message for each in pending))
    return Row((verdict, one.key, one.before, f"{one.after}{replicas}"), tone, reasons, is_detail=is_detail)


def _entries_section(entries: Sequence[tuple[ManifestObject, Converted, Unconverted]]) -> Iterator[Section]:
    """The fix of each value, otherwise why it has no equivalent; the rest is a detail."""
    if not entries:
        return
    counts = [f"{number} {outcome.value}" for outcome in _WORST if (number := sum(entry.outcome is outcome for _, _, entry in entries))]
    used = {entry.outcome for _, _, entry in entries}
    rows = [_entry_row(*one, is_detail=number >= _SHOWN) for number, one in enumerate(entries)]
    yield Section(f"{counted(len(entries), 'value')} without an exact equivalent: {', '.join(counts)}", tuple(rows))
    yield lines_of("What that means", *(f"{outcome.value}: {_MEANING[outcome]}" for outcome in _WORST if outcome in used), is_detail=True)


def _entry_row(written: ManifestObject, result: Converted, entry: Unconverted, *, is_detail: bool) -> Row:
    place = f"{written.label}{_became(written, result)}{_value_text(entry)}"
    reasons = (f"fix: {entry.fix}",) if entry.fix is not None else (entry.message,)
    details = (entry.message, place) if entry.fix is not None else (place,)
    return Row((entry.outcome.value, f"{written.kind}/{written.name} {entry.path}"), reasons=reasons, details=details, is_detail=is_detail)


def _became(written: ManifestObject, result: Converted) -> str:
    became = replace(written, raw=result.new)
    new = f"{became.kind}/{became.name}"
    return f" → {new}" if result.is_changed and new != f"{written.kind}/{written.name}" else ""


def _value_text(entry: Unconverted) -> str:
    if entry.value is None:
        return "" if entry.outcome is Outcome.MISSING else ": not set"
    value = HIDDEN if entry.shown == MARK else entry.shown
    shown = " ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)).split())
    return f": {shown if len(shown) <= _LONGEST_VALUE else f'{shown[:_LONGEST_VALUE]}…'}"


_SUFFIX: Final = re.compile(r"(-?[a-z0-9]([a-z0-9-]*[a-z0-9])?)?")
_LONGEST_SUFFIX: Final = 20
_GROUP: Final = re.compile(r"([^=\s]+)=([a-z0-9]([a-z0-9.-]*[a-z0-9])?)")
_ARN: Final = "arn:"


@dataclass(frozen=True, slots=True)
class Options:
    """The options."""

    wanted: ConversionOptions
    demands: Demands
    exports: Sequence[Path]
    """Exports of the cluster: its nodes and node groups are pools, too."""
    output: Path | None


@dataclass(frozen=True, slots=True)
class _File:
    """A file that was read."""

    path: Path
    place: Path
    """Its place below the output folder."""
    text: str
    objects: tuple[ManifestObject, ...]


def wanted(target: Target, suffix: str | None, role: str | None, groups: Sequence[str]) -> ConversionOptions:
    """Reads the options of the conversion.

    Raises:
        InputError: one cannot be used.
    """
    chosen = suffix if suffix is not None else target.suffix
    if _SUFFIX.fullmatch(chosen) is None or len(chosen) > _LONGEST_SUFFIX:
        usage_error(f"`--suffix` must be at most {_LONGEST_SUFFIX} lowercase letters, digits and hyphens, not `{chosen}`")
    if role is not None and target is Target.NAP:
        usage_error("`--role` is for `--to auto-mode`: nodes of node auto provisioning have no IAM role")
    if role is not None and (not role or role.startswith(_ARN)):
        usage_error("`--role` is the name of an IAM role, not its ARN")
    for one in groups:
        if _GROUP.fullmatch(one) is None:
            usage_error(f"`--group` must be `GROUP=NODEPOOL`, such as `--group workers=general`, not `{one}`")
    return ConversionOptions(target, chosen, role, {group: pool for group, _, pool in (one.partition("=") for one in groups)})


def result(inputs: InputFiles, chosen: Options, run: CommandRun) -> Result:
    """Converts the objects in all files together. What cannot be read is a problem of `run`, and then nothing is written."""
    if str(chosen.output) == STDIN:
        usage_error("`-o` is a folder; without it, the objects are printed to stdout")
    read = list(_read(inputs, run, f"{run.command} --to {chosen.wanted.target.value}", to_folder=chosen.output is not None))
    found = [one for file in read for one in file.objects]
    if not found:
        if not run.problems:
            run.problems.append(Problem(", ".join(map(str, inputs.paths)), "contains no Kubernetes object"))
        return Result()
    if owned := _owned(found):
        which = listed([f"{one.kind}/{one.name}" for one in owned.values()], _NAMED)
        run.notes.append(Problem("", f"omitted, since workloads of the input create them: {which}"))
        found = [one for one in found if id(one) not in owned]
    converted = convert([one.raw for one in found], chosen.wanted)
    run.problems.extend(_taken(found, converted))
    new = {id(one): made.new for one, made in zip(found, converted, strict=True)}
    texts = [with_objects(file.text, file.objects, [new.get(id(one), {}) for one in file.objects], safe_yaml) for file in read]
    findings = _checked(read, texts, chosen.output)
    unread: list[Problem] = []
    answered = _workloads(found, converted, chosen, run, unread)
    files_read = [str(chosen.output / file.place if chosen.output is not None else file.place) for file in read]
    told = {one.key for one in answered if one.left or one.groups or one.had_none}  # `next` or a notice says what to do about their selectors
    findings = [one for one in findings if one.code != _SELECTS_NOTHING or str(one.object).rpartition("#")[2] not in told]
    losing = [verdict(PENDING, one.key) for one in answered if one.loses]
    decided = chosen.demands.decided(
        [*losing, *map(of_finding, findings)], lambda one: one.kind == "verdict" or one.path.partition("#")[0] in files_read
    )
    workloads = tuple(replace(one, accepted=decided.accepts(verdict(PENDING, one.key)) or None) for one in answered)
    is_whole = not run.problems
    written: list[Path] = []
    if chosen.output is not None and run.problems:
        run.problems.append(Problem(str(chosen.output), "not written: correct the other errors first"))
    elif chosen.output is not None:
        write_folder(chosen.output, [*zip((file.place for file in read), texts, strict=True), (Path(OUTPUT_MARK), "")])
        written = [chosen.output / file.place for file in read]
    printed = _joined(texts) if chosen.output is None and is_whole else ""
    about = ", ".join("stdin" if str(path) == STDIN else str(path) for path in inputs.paths)
    pairs = tuple(zip(found, converted, strict=True))
    reported = Reported(about, chosen.wanted.target, pairs, workloads, tuple(decided.findings), tuple(written), chosen.output, run.again)
    (run.notes if has_errors(findings) else run.problems).extend(unread)  # the objects are written all the same
    is_piped = chosen.output is None and run.form == "text"
    return Result(lambda: _fields(reported), decided=decided, report=report(reported), printed=printed, is_error=is_piped and not is_whole)


def _read(inputs: InputFiles, run: CommandRun, command: str, *, to_folder: bool) -> Iterator[_File]:
    places: dict[Path, Path] = {}
    for root in inputs.paths:
        for path in files(replace(inputs, paths=[root]), run):
            written = ""
            try:
                written = text(path)
                template = unrendered(path, written, command)
                if template is not None:
                    run.problems.append(Problem(str(path), template))
                    continue
                found = tuple(objects(written, "stdin" if str(path) == STDIN else str(path)))
            except TextError as error:
                run.problems.append(text_problem(error, str(path), written, command))
                continue
            note_unread((one.type for one in found), run)
            place = Path("stdin.yaml") if str(path) == STDIN else path.relative_to(root) if root.is_dir() else Path(path.name)
            if to_folder and place in places:
                run.problems.append(Problem(str(path), f"has the same name in the output as `{places[place]}`: give the folder that contains both"))
                continue
            places[place] = path
            yield _File(path, place, written, found)


def _taken(found: Sequence[ManifestObject], converted: Sequence[Converted]) -> Iterator[Problem]:
    """New names that another object has: `kubectl apply` would change that one."""
    after = [replace(one, raw=made.new) for one, made in zip(found, converted, strict=True)]
    old, new = ([(one.kind, mapping(one.raw.get("metadata")).get("namespace"), one.name) for one in side] for side in (found, after))
    for one, before, key in zip(found, old, new, strict=True):
        if key != before and key in old:
            yield Problem(
                one.label, f"would become `{key[0]}/{key[2]}`, another object here, which `kubectl apply` would change: use another `--suffix`"
            )


def _owned(found: Sequence[ManifestObject]) -> dict[int, ManifestObject]:
    """What a workload among them creates, such as the ReplicaSets and pods of a Deployment: the API server rejects other selectors of pods."""
    read: list[tuple[ManifestObject, Workload]] = []
    for one in found:
        with suppress(TextError):  # the table of workloads says why it is not read
            read.extend((one, workload) for workload in workloads_of(one, existing=True))
    kept = set(map(id, without_owned([workload for _, workload in read])))
    return {id(one): one for one, workload in read if id(workload) not in kept}


def _checked(read: Sequence[_File], texts: Sequence[str], output: Path | None) -> list[Finding]:
    """What `nodepools check` finds in the output, with the files that are written."""
    folder = output if output is not None else Path()
    written = [one for file, content in zip(read, texts, strict=True) for one in objects(content, str(folder / file.place))]
    return list(check_objects(written).findings)


def _workloads(
    found: Sequence[ManifestObject], converted: Sequence[Converted], chosen: Options, run: CommandRun, unread: list[Problem]
) -> tuple[Moved, ...]:
    """The workloads; `unread` gets what cannot be read, and could lose its pool."""

    def failed(error: TextError) -> None:
        problem = Problem.of(str(error))
        unread.append(replace(problem, message=f"{problem.message}: the table of workloads does not contain it"))

    existing = existing_pools(InputFiles(chosen.exports, skips_written=True), run) if chosen.exports else ClusterPools(None)
    target = chosen.wanted.target
    every = moved(found, converted, target, existing, failed)
    stays = grouped((target is Target.AUTO_MODE and all(any(map(excludes_auto_mode, way)) for way in one.workload.pod.ways), one) for one in every)
    off = "its pods keep themselves off Auto Mode: they run as long as there are other nodes for them"
    run.notes.extend(Problem(one.key, off) for one in stays.get(True, ()))
    answered = tuple(stays.get(False, ()))
    more = "give its nodes and node groups with `--existing`" if not chosen.exports else "it is not in the input"
    run.notes.extend(Problem(one.key, f"fits no pool before and after: if one runs its pods, {more}") for one in answered if one.had_none)
    return answered


def _joined(texts: Iterable[str]) -> str:
    """All files as one text of several documents. A text that a terminal or a CI runner would read in another way is written again."""
    parts: list[str] = []
    for one in texts:
        again = (safe_yaml(cast("Mapping[str, object]", document.value)) for document in documents(one, ""))
        content = one if safe(one) == one else "---\n".join(again)
        marker = "" if not parts or content.lstrip().startswith("---") else "---\n"
        parts.append(f"{marker}{content if content.endswith(chr(10)) else content + chr(10)}")
    return "".join(parts)


def _fields(reported: Reported) -> Mapping[str, object]:
    return {
        "target": reported.target.value,
        "objects": [_object(written, one) for written, one in reported.objects],
        "unconverted": [
            {"object": written.label, "line": written.position(entry.steps).line, **entry.to_json()}
            for written, one in reported.objects
            for entry in one.unconverted
        ],
        "workloads": [one.to_json() for one in reported.workloads],
        "files": [str(file) for file in reported.files],
    }


def _object(written: ManifestObject, one: Converted) -> dict[str, object]:
    return {"object": written.label, "changed": one.is_changed, "included": one.included, "manifest": redacted(one.new) if one.is_changed else None}

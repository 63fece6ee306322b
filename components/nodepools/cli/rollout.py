"""`nodepools rollout`: how a change reaches the stacks of a project in waves, and the plan as engines of others carry it out."""

import json
import re
import runpy
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import typer
from pydantic import TypeAdapter, ValidationError

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.diff.files import Part
from nodepools.cli.diff.folds import GROUPS
from nodepools.cli.diff.pairs import compared_parts
from nodepools.cli.diff.sides import read_side, working_tree
from nodepools.cli.inputs.git_worktree import SHORT, commit
from nodepools.cli.inputs.input_files import InputFiles, text
from nodepools.cli.inputs.sources import Source, every_outcome
from nodepools.cli.inputs.user_code import user_code
from nodepools.cli.output.report import Act, Report, Row, Section, Step, Tone, command, edit, instead, lines_of, pasted, typed
from nodepools.cli.problem import InputError, InvalidError, Problem, os_error_text, usage_error
from nodepools.cli.upgrade.command import check_distance, check_version
from nodepools.cli.upgrade.plan import UNBOUNDED
from nodepools.cli.written_file import write_file, write_folder
from nodepools.clouds.amounts import total
from nodepools.data.version_support import day_or_today, minor
from nodepools.loading import UnreadableError, text_of
from nodepools.manifests.platform_yaml import parse
from nodepools.model.listing import counted, grouped, joined, listed
from nodepools.model.platform import Platform
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import is_allowed, turned_off
from nodepools.rollout.plan import Plan, Rollout, RolloutError, planned
from nodepools.rollout.prediction import Answer, Prediction, StackChange, WavePrediction, WayBack, predicted, stack_change, upgraded
from nodepools.rollout.targets import TARGETS, Fetched, operator
from nodepools.rules.engine.finding import DeclarationError
from nodepools.rules.engine.own_rules import described, is_interrupt
from nodepools.rules.engine.schema_findings import document_findings
from nodepools.upgrades.progress import minutes_text
from nodepools.wire.table import Effect

_NAMED: Final = 3
_MARKS: Final[Mapping[Answer, str]] = {"yes": "✔", "no": "✘", "unknown": "?"}
_TONES: Final[Mapping[Answer, Tone]] = {"yes": Tone.GOOD, "no": Tone.BAD, "unknown": Tone.CAUTION}
_HEAD: Final = "HEAD"
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_OBJECT_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9.-]{0,40}[a-z0-9])?")
"""Of a `Stack` object: at most 42 characters. Source: its CRD in Pulumi Kubernetes Operator 2.9.0 (2026-07-29)."""
_RUN: Final[Mapping[str, tuple[str, Act | None, str]]] = {
    "automation": ("python {first}", Act.CLOUD, "starts the rollout"),
    "operator": (
        "sh {first}.sh CONTEXT && kubectl apply -f {first}.yaml --context CONTEXT",
        Act.CLUSTER,
        "starts the rollout; CONTEXT: that of the Pulumi operator",
    ),
    "github": ("git add {first}", None, "commit it below .github/workflows of the branch that is rolled out, then start the workflow"),
    "azure-pipelines": ("git add {first}", None, "commit it, then create a pipeline from it"),
}
"""What starts each engine, and what to do then."""


def read_rollout(file: Path) -> Rollout:
    """The declaration in a YAML or JSON file, or `ROLLOUT` of a Python file.

    Raises:
        UnreadableError: it cannot be read, or raises an exception.
        InvalidError: it has schema errors.
    """
    try:
        return _of_python(file) if file.suffix == ".py" else _of_text(file)
    except DeclarationError as error:
        raise InvalidError(str(file), error.findings) from None


def _of_text(file: Path) -> Rollout:
    document = parse(text_of(file), str(file))
    value: object = document.value
    if not isinstance(value, dict):
        raise UnreadableError(f"{file}: is not a rollout: `name:` and `waves:` are required")
    try:
        found = Rollout.model_validate(value)
    except ValidationError as error:
        raise DeclarationError(document_findings(document.empty, document.doubts, error, Rollout, document.value)) from None
    if document.empty or document.doubts:
        raise DeclarationError(document_findings(document.empty, document.doubts, None, Rollout, document.value))
    return found


def _of_python(file: Path) -> Rollout:
    if not is_allowed():
        raise UnreadableError(turned_off(str(file)))
    text_of(file)  # within the limits of other files, and says why it cannot be read
    try:
        with user_code():
            found = runpy.run_path(str(file)).get("ROLLOUT")
    except DeclarationError:
        raise
    except BaseException as error:  # a module of the user can raise anything
        if is_interrupt(error):
            raise
        raise UnreadableError(f"{file}: {described(error)}") from None
    if not isinstance(found, Rollout):
        raise UnreadableError(f"{file}: `ROLLOUT` is not a rollout: define `ROLLOUT = Rollout(…)`")
    return found


@dataclass(frozen=True, slots=True)
class Asked:
    """What is rolled out: the edits since `old`, or the upgrade to a version."""

    file: Path
    old: str | None
    to: str | None
    today: date | None
    jobs: int = 1

    @property
    def again(self) -> str:
        """The command."""
        return f"nodepools rollout plan {typed(self.file)} {self.old if self.to is None else f'--to {self.to}'}"


def plan_result(asked: Asked, run: CommandRun, *, as_picture: bool) -> Result:
    """The plan of all stacks of the project.

    Raises:
        UnreadableError: the rollout or a stack cannot be read.
        InvalidError: one of them has schema errors.
        InputError: the rollout does not fit the stacks, or there is no such commit.
    """
    rollout = read_rollout(asked.file)
    source = Source(every=True, today=asked.today, jobs=asked.jobs)
    base, changes = _edits(asked.old, source, run) if asked.old is not None else _upgrade(str(asked.to), source, run)
    try:
        plan = planned(rollout, [change.stack for change in changes.values()], base)
    except RolloutError as error:
        raise InputError(*(Problem(str(asked.file), message) for message in error.messages)) from None
    found = predicted(rollout, plan, changes)
    failing = found.failing
    if as_picture:
        return Result(text=lambda: typer.echo(mermaid(found), nl=False), fails=failing is not None)
    return Result(lambda: _fields(found, base, asked), report=_report(found, base, asked), fails=failing is not None)


def _edits(old: str, selected: Source, run: CommandRun) -> tuple[str, Mapping[str, StackChange]]:
    """What the edits since a commit or a folder do to each stack of the working tree."""
    before = read_side(old, selected, run, lambda path: InputFiles([path]))
    if before.kind != "declaration":
        usage_error(f"{old}: a rollout is planned from a commit or a project folder")
    after = working_tree(selected, run)
    for name in before.parts.keys() - after.parts.keys():
        run.notes.append(Problem(name, "is not declared any more, so the rollout does not touch it: `pulumi destroy` deletes what it has"))
    reads = [(name, partial(_edited, name, before.parts.get(name), part, selected.today)) for name, part in after.parts.items()]
    found = every_outcome(reads, run, selected.jobs)
    return (before.commit if before.commit is not None else old), dict(zip(after.parts, found, strict=True))


def _edited(name: str, before: Part | None, after: Part, today: date | None) -> StackChange:
    pair = compared_parts(name, before, after, today)
    return stack_change(name, (pair.old, _platform(name, after)), pair.changes.all, today)


def _upgrade(to: str, selected: Source, run: CommandRun) -> tuple[str, Mapping[str, StackChange]]:
    """What the first round of the upgrade does to each stack."""
    check_version(to)
    platforms = {name: _platform(name, part) for name, part in working_tree(selected, run).parts.items()}
    check_distance([*platforms.values()], to)
    newer = [name for name, one in platforms.items() if any(minor(cluster.kubernetes_version) > minor(to) for cluster in one.clusters.values())]
    if newer:
        run.notes.append(Problem("", f"{listed(newer, _NAMED)}: already newer than {to}, and an upgrade lowers no version"))
    reads = [(name, partial(_upgraded, name, platform, to, selected.today)) for name, platform in platforms.items()]
    found = dict(zip(platforms, every_outcome(reads, run, selected.jobs), strict=True))
    try:
        return commit(_HEAD).sha, found
    except InputError:  # not a repository, or without a commit
        return _HEAD, found


def _upgraded(name: str, platform: Platform, to: str, today: date | None) -> StackChange:
    new, known = upgraded(platform, to, day_or_today(today))
    return stack_change(name, (platform, new), known.changes, today, known)


def _platform(name: str, part: Part) -> Platform:
    platform = part.modeled if part.modeled is not None else part.platform
    if platform is None:
        usage_error(f"{name}: declares no cluster, so a rollout has nothing to order")
    return platform


def _fields(found: Prediction, base: str, asked: Asked) -> dict[str, object]:
    return {
        "rollout": found.plan.name,
        "base": base,
        "to": asked.to,
        "waves": [wave.to_json() for wave in found.waves],
        "minimum_seconds": found.plan.soaks,
        "bounded_minutes": found.minutes,
        "unbounded": list(found.unbounded),
        "plan": TypeAdapter(Plan).dump_python(found.plan, mode="json"),
    }


def _report(found: Prediction, base: str, asked: Asked) -> Report:
    waves = [_wave(number, wave, is_last=wave is found.waves[-1]) for number, wave in enumerate(found.waves, 1)]
    return Report(
        found.plan.name,
        _answer(found),
        tuple(_next(found, base, asked)),
        (*waves, *_by_hand(found), *([_time(found)] if _changed(found) else []), _back(found.waves), *_later(found, asked)),
    )


def _answer(found: Prediction) -> str:
    failing = found.failing
    if failing is not None:
        wave, gate = failing
        about = f" for {listed(gate.stacks, _NAMED)}" if gate.stacks else ""
        return f"stops before wave `{wave.wave.name}`: gate `{gate.gate}` does not hold{about}"
    stacks = [stack for wave in found.waves for stack in wave.stacks]
    changed = _changed(found)
    batches = sum(len(wave.wave.batches) for wave in found.waves)
    open_gates = sum(gate.answer == "unknown" for wave in found.waves for gate in wave.gates)
    what = f"{counted(len(stacks), 'stack')} ({changed} change) in {counted(len(found.waves), 'wave')} and {counted(batches, 'batch')}"
    soak = f", {_soak(found.plan.soaks)} of soak" if found.plan.soaks else ""
    gates = f"; {counted(open_gates, 'gate')} undecided" if open_gates else ""
    return f"{what}{soak}{gates}" if changed else f"nothing to roll out: none of {counted(len(stacks), 'stack')} changes"


def _changed(found: Prediction) -> int:
    return sum(bool(stack.changes) for wave in found.waves for stack in wave.stacks)


def _next(found: Prediction, base: str, asked: Asked) -> Iterator[Step]:
    failing = found.failing
    if failing is None and not _changed(found):
        return
    if failing is None:
        yield command(f"{asked.again} --format json > plan.json", Act.FILES, "the plan for an engine")
        yield command("nodepools rollout compile plan.json --to automation -o rollout", Act.FILES)
        return
    wave, gate = failing
    shown = base[:SHORT] if base != asked.old else base
    for stack in gate.stacks[:1]:
        of_stack = f"diff {shown}" if asked.to is None else f"upgrade --to {asked.to}"
        yield command(f"nodepools {of_stack} --stack {stack}", Act.NONE, f"shows what to change in {stack}, so that the gate holds")
    gates = edit(f"Remove the gate `{gate.gate}` of wave `{wave.wave.name}`, if it is too strict", str(asked.file))
    yield instead(gates) if gate.stacks else gates


def _wave(number: int, wave: WavePrediction, *, is_last: bool) -> Section:
    soak = f", then {_soak(wave.wave.soak)} of soak" if wave.wave.soak and not is_last else ""
    heading = f"Wave {number} `{wave.wave.name}`: {counted(len(wave.stacks), 'stack')}, {wave.nodes.counted('node')}{soak}"
    held = joined([gate.gate for gate in wave.gates if gate.answer == "yes"])
    gates = [
        *([Row((f"{_MARKS['yes']} {held}",), _TONES["yes"])] if held else []),
        *(Row((f"{_MARKS[gate.answer]} {gate.gate}: {gate.reason}",), _TONES[gate.answer]) for gate in wave.gates if gate.answer != "yes"),
    ]
    by_name = {stack.stack.name: stack for stack in wave.stacks}
    batches = (_batch(place, [by_name[name] for name in batch]) for place, batch in enumerate(wave.wave.batches, 1))
    return Section(heading, (*gates, *batches))


def _batch(place: int, stacks: Sequence[StackChange]) -> Row:
    worst = max((stack.worst for stack in stacks), key=lambda effect: effect.severity)
    nodes = total(stack.nodes for stack in stacks)
    names = listed([stack.stack.name for stack in stacks], _NAMED * 2)
    details = [
        f"{stack.stack.name}: {stack.worst.value}, {stack.nodes.counted('node')}, in {', '.join(dict.fromkeys(stack.stack.regions))}"
        for stack in stacks
    ]
    return Row((f"{place}. {names}: {worst.value}, {nodes.counted('node')}",), details=tuple(details))


def _by_hand(found: Prediction) -> Iterator[Section]:
    """Commands that no engine runs."""
    stacks = [stack for wave in found.waves for stack in wave.stacks if stack.upgrade is not None and stack.upgrade.by_hand]
    if stacks:
        commands = [f"{stack.stack.name}: {command}" for stack in stacks if stack.upgrade is not None for command in stack.upgrade.by_hand]
        names = joined(list(dict.fromkeys(f"`{command.partition(': ')[2].partition(' --')[0]}`" for command in commands)))
        text = f"{counted(len(stacks), 'stack')}: {names} after `pulumi up`; --details has each command"
        yield Section("By hand: no engine runs it", (Row((text,), Tone.CAUTION, (), tuple(commands)),))


def _time(found: Prediction) -> Section:
    """What is known: soaks, and parts with a limit. The sum has no upper bound as long as one part has none."""
    lines = [f"at least {_soak(found.plan.soaks)}: the soaks" if found.plan.soaks else "no soak between waves"]
    if found.minutes is None:
        lines.append("no upper bound: how long `pulumi up` takes is not known")
    else:
        lines.append(f"drains of agent pools: at most {minutes_text(found.minutes)}" if found.minutes else "no drain of an agent pool")
        parts = [UNBOUNDED[part] for part in found.unbounded]
        lines.append(f"no upper bound: nothing limits {joined(parts)}" if parts else "no upper bound: how long `pulumi up` takes is not known")
    if found.plan.window is not None:
        lines.append(f"stacks start only in the window `{found.plan.window}`: the rollout waits for it")
    return lines_of("Time", *lines)


def _back(waves: Sequence[WavePrediction]) -> Section:
    """The same way back of several waves is one row."""
    names = grouped(((way.effect, way.how, way.not_undone), wave.wave.name) for wave in waves for way in wave.ways_back)
    ordered = sorted(names.items(), key=lambda entry: bool(entry[0][1]))  # without a way back first
    return Section("What it does, what cannot be undone, and the way back", tuple(_way(WayBack(*key, tuple(of)), of) for key, of in ordered))


def _way(way: WayBack, waves: Sequence[str]) -> Row:
    """What can be undone in full is a detail."""
    where = f"{way.effect} ({listed(waves, _NAMED)})"
    if not way.how:
        return Row((f"{where}: {way.not_undone}",), Tone.CAUTION)
    does = next(heading for heading, effects in GROUPS.items() if Effect(way.effect) in effects)
    lost = f"; cannot be undone: {way.not_undone}" if way.not_undone else ""
    return Row((f"{where}: {does[:1].lower()}{does[1:]}{lost}",), Tone.PLAIN, (f"way back: {way.how}",), (), not way.not_undone)


def _later(found: Prediction, asked: Asked) -> Iterator[Section]:
    upgrades = [stack.upgrade for wave in found.waves for stack in wave.stacks if stack.upgrade is not None]
    later = sorted({version for upgrade in upgrades for version in upgrade.later_versions})
    if later:
        line = Row((f"this is the first round; once it has run, the same command plans the next one, to {later[0]}",), reasons=(pasted(asked.again),))
        yield Section("Afterwards", (line,))


def _soak(seconds: int) -> str:
    return minutes_text(seconds // 60) if seconds >= 60 else f"{seconds} s"  # noqa: PLR2004  # a minute


def read_plan(file: Path, run: CommandRun) -> Plan:
    """The plan that `rollout plan --format json` has printed.

    Raises:
        UnreadableError: it cannot be read.
        InputError: it is another document, or was not complete.
    """
    try:
        document = json.loads(text(file))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{file}: is not JSON: {error}") from None
    held = mapping(document)
    if held.get("command") != "rollout plan":
        usage_error(f"{file}: is not a plan: write it with `nodepools rollout plan … --format json`")
    if held.get("complete") is not True or held.get("plan") is None:
        usage_error(f"{file}: the plan is not complete: correct its `problems`, and plan again")
    try:
        plan = TypeAdapter(Plan).validate_python(held["plan"])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        usage_error(f"{file}: plan.{'.'.join(map(str, first['loc']))}: {first['msg']}: plan again")
    if held.get("base") == _HEAD:
        usage_error(f"{file}: was planned outside of a Git repository, and its gates compare with a commit: plan again in a clone")
    names = [plan.name, *(name for wave in plan.waves for name in (wave.name, *wave.stacks))]
    if wrong := [name for name in names if not _FILE_NAME.fullmatch(name)]:
        usage_error(f"{file}: `{wrong[0]}` is not the name of a stack or a wave: plan again")
    stops = [
        gate["gate"] for wave in sequence(held.get("waves")) for gate in map(mapping, sequence(mapping(wave).get("gates"))) if gate["answer"] == "no"
    ]
    if stops:
        run.notes.append(Problem(str(file), f"the rollout stops at the gate `{stops[0]}`, as the plan says"))
    return plan


def source_of(to: str, given: Mapping[str, str | None]) -> Fetched | None:
    """What the operator fetches; `None` for engines that run in a checkout.

    Raises:
        InputError: the operator lacks an option, or another engine has one.
    """
    said = {name: value for name, value in given.items() if value is not None}
    if to != "operator":
        if said:
            usage_error(f"{joined([f'`--{name}`' for name in given])} are for `--to operator`: `{to}` runs in a checkout")
        return None
    if not {"repository", "commit"} <= said.keys():
        usage_error("`--to operator` needs `--repository URL` and `--commit SHA`: the operator fetches the project")
    return Fetched(**said)


def compiled(plan: Plan, to: str, source: Fetched | None, folder: Path) -> Result:
    """Writes the files of an engine.

    Raises:
        InputError: the folder cannot be written, that of the operator is not empty, or a stack cannot be an object of the operator.
    """
    if source is not None:
        if wrong := [name for wave in plan.waves for name in wave.stacks if not _OBJECT_NAME.fullmatch(name)]:
            usage_error(f"stack `{wrong[0]}`: a `Stack` object has at most 42 lowercase letters, digits, `-` and `.`: rename the stack")
        files = operator(plan, source)
        write_folder(folder, [(Path(name), content) for name, content in files.items()])
    else:
        [(name, content)] = (files := TARGETS[to](plan)).items()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            usage_error(os_error_text(error))
        write_file(folder / name, content)
    names = [str(folder / name) for name in files]
    waves = [
        Row((f"{number}. {wave.name}: {' → '.join(listed(batch, _NAMED) for batch in wave.batches)}",)) for number, wave in enumerate(plan.waves, 1)
    ]
    report = Report(
        plan.name,
        f"wrote {listed(names, _NAMED)}",
        (command(_RUN[to][0].format(first=names[0].removesuffix(".yaml")), *_RUN[to][1:]),),
        (Section("Waves", tuple(waves)),),
    )
    return Result(lambda: {"target": to, "waves": [[list(batch) for batch in wave.batches] for wave in plan.waves], "files": names}, report=report)


def mermaid(found: Prediction) -> str:
    """The waves in order, with the stacks of each batch and their clusters."""
    lines = ["---", f"title: {found.plan.name}", "---", "flowchart LR"]
    before: list[str] = []
    for number, wave in enumerate(found.waves, 1):
        gates = "".join(f"<br/>{_MARKS[gate.answer]} {_label(gate.gate)}" for gate in wave.gates)
        lines += [f'  subgraph wave_{number}["{number}. {wave.wave.name}{gates}"]', "    direction TB"]
        by_name = {stack.stack.name: stack for stack in wave.stacks}
        of_wave: list[str] = []
        for place, batch in enumerate(wave.wave.batches, 1):
            box = f"batch_{number}_{place}"
            texts = [f"{name}: {', '.join(by_name[name].stack.regions)} ({by_name[name].worst.value})" for name in batch]
            lines.append(f'    {box}["{"<br/>".join(map(_label, texts))}"]')
            of_wave.append(box)
        lines += [f"    {one} --> {other}" for one, other in pairwise(of_wave)]
        lines.append("  end")
        if before:
            soak = found.plan.waves[number - 2].soak
            lines.append(f"  {before[-1]} -->{f'|{_soak(soak)}|' if soak else ''} {of_wave[0]}")
        before = of_wave
    return "\n".join([*lines, ""])


def _label(text: str) -> str:
    """Text that Mermaid reads as such."""
    return "".join({'"': "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "`": "#96;"}.get(letter, letter) for letter in text)

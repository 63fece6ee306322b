"""`nodepools preview`: the registration plan of a stack."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.demands.demands import Acceptance, Demands, of_finding
from nodepools.cli.inputs.input_files import STDIN, text
from nodepools.cli.inputs.programs import assumed, hide_secrets, logged_errors, platform_program, program_seconds, report_failure, stack_program
from nodepools.cli.inputs.sources import CheckedPlatform, Source, check_sources, project_directory
from nodepools.cli.output.finding_lines import has_errors, summary
from nodepools.cli.output.report import Act, Report, Row, Section, Step, command, edit, first_fixes, lines_of
from nodepools.cli.output.status_line import Say, silent
from nodepools.cli.problem import Problem, usage_error
from nodepools.clouds.registry import cluster_rows, pool_rows
from nodepools.clouds.rows import PoolRow
from nodepools.component.errors import VARIABLE, fingerprint
from nodepools.engine.analyzer import Analysis, Breach, Repair, analyze, read_config, read_pack
from nodepools.engine.errors import EngineError, ProgramFailed
from nodepools.engine.plan import Plan, PlannedResource
from nodepools.engine.process import Host
from nodepools.engine.run import Program
from nodepools.engine.run import run as engine_run
from nodepools.engine.time_limit import NO_LIMIT, TimeLimit
from nodepools.model.listing import counted, grouped
from nodepools.model.platform import Platform
from nodepools.model.redaction import marked
from nodepools.model.values import dataclass, replace
from nodepools.reading.bounded_input import is_terraform
from nodepools.resources.violation_text import parse_violation
from nodepools.rules.engine.accepted_findings import Selection
from nodepools.rules.engine.finding import Finding, Fix, Severity
from nodepools.rules.engine.registry import all_rules, known
from nodepools.wire.table import Effect

if TYPE_CHECKING:
    from nodepools.changes.platform_changes import Changes
    from nodepools.clouds.change import Change, Requests

_SEVERITIES: Final = {"mandatory": Severity.ERROR, "remediate": Severity.ERROR, "advisory": Severity.WARNING, "disabled": Severity.NOTE}


@dataclass(frozen=True, slots=True)
class PolicyPack:
    """A policy pack and its configuration file."""

    folder: Path
    config: Path | None = None


def chosen_pack(folder: Path | None, config: Path | None) -> PolicyPack | None:
    """Returns the pack that the options name. An invalid pack ends the command before the program runs."""
    if folder is None:
        if config is not None:
            usage_error("`--policy-pack-config` needs `--policy-pack`")
        return None
    try:
        read_pack(folder)
        read_config(config)
    except EngineError as error:
        usage_error(str(error))
    return PolicyPack(folder, config)


def policy_findings(pack: PolicyPack, plan: Plan, program: Program, today: date | None = None, limit: TimeLimit = NO_LIMIT) -> tuple[Finding, ...]:
    """Runs the pack on a plan: mandatory violations are errors, advisory ones warnings, remediations notes. `object` is the URN."""
    try:
        all_rules()  # a pack can have them: they have names
        everywhere = {"today": today.isoformat()} if today is not None else {}
        analysis = analyze(pack.folder, plan, program, read_config(pack.config), everywhere=everywhere, limit=limit)
    except EngineError as error:
        usage_error(str(error))
    return tuple(sorted(_findings(analysis, plan), key=lambda finding: (finding.object or "", finding.severity.rank, finding.code)))


def _findings(analysis: Analysis, plan: Plan) -> Iterator[Finding]:
    for breach in analysis.breaches:
        yield _finding(breach)
    for repair in analysis.repairs:
        yield _note(repair, plan)


def _finding(breach: Breach) -> Finding:
    violation = parse_violation(breach.message)
    message = violation.message if violation.message else breach.description
    fix = Fix(violation.fix) if violation.fix else None
    return Finding(breach.policy, _SEVERITIES[breach.level], violation.path, violation.value, message, fix, violation.source, object=breach.urn)


def _note(repair: Repair, plan: Plan) -> Finding:
    before = next(resource.inputs for resource in plan.resources if resource.urn == repair.urn)
    changed = sorted(name for name in {*before, *repair.inputs} if before.get(name) != repair.inputs.get(name))
    message = repair.diagnostic if repair.diagnostic else f"The policy changes this resource: {repair.description}"
    return Finding(repair.policy, Severity.NOTE, ", ".join(changed), None, message, Fix("Set these inputs in the program"), "", object=repair.urn)


@dataclass(frozen=True, slots=True)
class Since:
    """A state, or an older plan."""

    title: str
    requests: "Requests"
    today: date | None = None
    project: str = ""
    """Empty if it is not known."""

    def changes(self, plan: Plan) -> "Changes":
        """What `plan` changes."""
        from nodepools.changes.platform_changes import request_set_changes  # only `--since` needs it
        from nodepools.resources.plan_requests import plan_requests
        from nodepools.resources.resource import of_plan

        return request_set_changes(self.requests, plan_requests(of_plan(plan.resources)).requests, self.today)


def read_since(path: Path, today: date | None, run: CommandRun) -> Since:
    """Reads a state or a plan.

    Raises:
        UnreadableError: it cannot be read.
        InputError: it is something else.
    """
    from nodepools.cli.diff.files import file_side

    side = file_side(path, run)
    if not side.is_recorded:
        usage_error(f"{path}: `--since` must be a state (`pulumi stack export`) or a plan (`nodepools preview --format json`)")
    [part] = side.parts.values()
    return Since(side.title, part.requests, today, side.project)


def _check_project(since: Since, plan: Plan) -> None:
    from nodepools.cli.diff.files import project_of

    here = {project_of(one.urn) for one in plan.resources}
    if since.project and here and since.project not in here:
        usage_error(f"{since.title}: is of the project `{since.project}`, and the program of `{min(here)}`: Pulumi compares nothing of two projects")


def since_json(changes: "Changes") -> dict[str, object]:
    """The changes in the shape of `nodepools diff`."""
    return {
        "changes": [change.to_json() for change in changes.all],
        "order": [list(wave) for wave in changes.order],
        "summary": dict(changes.summary),
        "previous": [change.at for change in _rotations(changes)],
    }


def since_sections(since: Since, changes: "Changes") -> Iterator[Section]:
    """The changes, grouped as in `nodepools diff`, their order, and how to keep the old generation of a pool that rotates."""
    from nodepools.cli.diff.folds import change_sections, folded, order_section

    folds = folded(changes.all, lambda change: change.at, lambda _: None)
    sections = list(change_sections(folds))
    yield from (replace(section, heading=f"Since {since.title}: {section.heading}") for section in sections)
    if not sections:
        yield lines_of(f"Since {since.title}", "nothing changes")
    yield from order_section([("", changes.order)])
    kept = [
        f"{change.at}: `pulumi up` deletes the old pool as soon as the new one exists. "
        f"To move pods first, set `previous` of the pool to its old declaration, and remove it later"
        for change in _rotations(changes)
    ]
    if kept:
        yield lines_of("Pools that rotate", *kept)


def _rotations(changes: "Changes") -> "list[Change]":
    """One change of each agent pool that rotates, and whose old generation Pulumi deletes."""
    from nodepools.clouds.change import AGENT_POOL

    found = [change for change in changes.all if change.effect is Effect.ROTATES and change.resource.type == AGENT_POOL and change.pace is not None]
    return list({change.at: change for change in found}.values())


_CLUSTERS: Final = ("AksCluster", "EksCluster", "ManagedCluster", "Cluster")


@dataclass(frozen=True, slots=True)
class Preview:
    """What is known of a stack: its declaration, what the program registered so far, and the findings."""

    stack: str
    platform: Platform | None
    findings: Sequence[Finding]
    plan: Plan | None = None
    """`None`: the program did not run. If it failed, what it registered until then."""
    has_failed: bool = False
    pack: PolicyPack | None = None
    of_policies: Sequence[Finding] = ()
    since: Since | None = None
    """What the plan is compared with."""
    is_of_file: bool = False
    """It is declared in a platform file, which a program of any stack can load."""

    def result(self, *, wanted: Demands, is_whole: bool = False) -> Result:
        """The result that the command writes. Until it is whole, text has its problems only."""
        decided = wanted.decided([of_finding(finding, self.stack) for finding in (*self.findings, *self.of_policies)], self._sees)
        every = decided.findings
        plan = self.plan if self.plan is not None else Plan(self.stack)
        report = Report(self.stack, self._answer(every), self._next(every), tuple(self._sections()), tuple(every)) if is_whole else None
        return Result(lambda: {**plan.to_json(), **self._changes()}, findings=every, decided=decided, report=report)

    def _sees(self, one: Acceptance) -> bool:
        """It is about a finding of the declaration: policies can have others, and `check` reads manifests."""
        return self.platform is not None and "#" not in one.path and one.within in ("", self.stack) and known(one.word) is not None

    def _changes(self) -> Mapping[str, object]:
        return since_json(self.since.changes(self.plan)) if self.since is not None and self.plan is not None else {}

    def _answer(self, every: Sequence[Finding]) -> str:
        if self.plan is None:
            return f"the program did not run, because the declaration is invalid: {summary(every)}; a preview changes no cloud"
        number, clusters = sum(resource.type != _ROOT for resource in self.plan.resources), len(self.platform.clusters) if self.platform else 0
        of_clusters = f" in {counted(clusters, 'cluster')}" if clusters else ""
        checked = self.platform is not None or self.pack is not None
        found = summary(every) if checked or every else "not checked here"
        if self.has_failed:
            return f"the program failed after it registered {counted(number, 'resource')}; a preview changes no cloud"
        did = f"registers {counted(number, 'resource')}{of_clusters}" if number else "the program ran and has no resources"
        return f"{did}: {found}"

    def _next(self, every: Sequence[Finding]) -> tuple[Step, ...]:
        if self.plan is None:
            return tuple(first_fixes([one for one in every if one.severity is Severity.ERROR]))
        if self.has_failed:
            return (edit("Correct what the last line of the error below names, in `__main__.py` or in what it imports"),)
        unchecked = self.platform is None and self.pack is None
        clusters = any(resource.type.rpartition(":")[2] in _CLUSTERS for resource in self.plan.resources)
        pack = command("nodepools preview --policy-pack policy", Act.NONE, "checks the resources (guide: policy packs)")
        existing = command(f"pulumi preview{'' if self.is_of_file else f' --stack {self.stack}'}", Act.NONE, "compares with the state")
        return (*([command("nodepools check", Act.NONE)] if unchecked and clusters else []), *([pack] if unchecked else []), existing)

    def _sections(self) -> Iterator[Section]:
        if self.plan is None or self.has_failed:
            return
        if self.pack is not None:
            yield lines_of("", f"policy pack {self.pack.folder}: {summary(self.of_policies)}")
        if self.since is not None:
            yield from since_sections(self.since, self.since.changes(self.plan))
        yield from _sections(self.plan, self.platform)


def preview_stack(
    source: Source,
    run: CommandRun,
    host: Host | None = None,
    *,
    wanted: Demands,
    timeout: str | None,
    selection: Selection,
    pack: PolicyPack | None = None,
    since: Path | None = None,
    say: Say = silent,
) -> Result:
    """Checks the stack or the platform file, runs the program with the embedded engine, and returns what it registers. With errors, it is not run.

    `since` is a state or a plan to compare with. `timeout` is a number of seconds, or `none`.

    A policy pack checks the registered resources. The stack is checked for the date of `source`; the program does not check it again.
    `say` takes each step that begins. `host` is the process in which the program will run.
    """
    seconds = program_seconds(timeout)
    stack, today = source.about, source.today
    directory = Path() if source.files else project_directory()
    former = read_since(since, today, run) if since is not None else None
    say(f"reading and checking {stack}")
    declaration = _declared_in(source, run) if source.files else _declaration(stack, directory, run, today)
    findings = selection.of(declaration.findings)
    run.notes.extend(Problem.of(line) for line in selection.without_effect(findings))
    run.problems.extend(Problem.of(str(error)) for error in declaration.failed)
    preview = Preview(stack, declaration.platform, findings, is_of_file=bool(source.files))
    if has_errors(findings):
        return preview.result(wanted=wanted, is_whole=True)
    run.set_result(preview.result(wanted=wanted))
    name = declaration.platform.name if declaration.platform is not None else ""
    program = platform_program(Path(declaration.name), name) if source.files else stack_program(stack, directory, run)
    program = replace(program, environment={**program.environment, **_checked(declaration)})
    limit = TimeLimit.starting_now(seconds)
    say(f"running the program: it registers the resources of {stack}")
    try:
        plan = engine_run(program, preview=True, timeout=seconds, host=host)
    except ProgramFailed as failed:
        report_failure(failed, run, *(["`--timeout`"] if timeout is not None else []))
        return replace(preview, plan=failed.plan, has_failed=True).result(wanted=wanted, is_whole=True)
    except EngineError as error:
        usage_error(str(error))
    if former is not None:
        _check_project(former, plan)
    run.notes.extend(assumed(plan))
    hide_secrets(plan, run)
    messages = tuple(replace(diagnostic, message=run.without_secrets(diagnostic.message)) for diagnostic in plan.diagnostics)
    run.problems.extend(logged_errors(messages))
    preview = replace(preview, plan=replace(plan, diagnostics=messages), pack=pack, since=former)
    if pack is not None:
        run.set_result(preview.result(wanted=wanted))
        say("running the policy pack")
        preview = replace(preview, of_policies=policy_findings(pack, plan, program, today, limit))
    return preview.result(wanted=wanted, is_whole=True)


def _declared_in(source: Source, run: CommandRun) -> CheckedPlatform:
    if Path(STDIN) in source.files:
        usage_error("`preview --file` runs a program that reads the file again: it cannot be stdin")
    found = check_sources(source, run)
    if len(found) != 1:
        usage_error(f"`preview` shows one platform: use `--file {found[0].name}`")
    if is_terraform(text(Path(found[0].name))):
        usage_error(f"{found[0].name}: is of Terraform, which registers nothing with Pulumi: `nodepools diff` shows what a plan does")
    return found[0]


def _declaration(stack: str, directory: Path, run: CommandRun, today: date | None) -> CheckedPlatform:
    """A program without a folder `stacks` has no declaration to check: it only runs."""
    return check_sources(Source(stack, today=today), run)[0] if (directory / "stacks").is_dir() else CheckedPlatform(stack, None, ())


def _checked(declaration: CheckedPlatform) -> dict[str, str]:
    """Tells the program that its declaration has no errors, so that nothing is checked or reported twice."""
    if declaration.platform is None or has_errors(declaration.findings):
        return {}
    return {VARIABLE: fingerprint(declaration.platform)}


_ROOT = "pulumi:pulumi:Stack"
_POOLS: Final = 25
"""Pools that are shown without `--details`."""
_LONGEST_OUTPUT: Final = 160
_MARKS: Final = {"$secret": "(secret)", "$unknown": "(known after `pulumi up`)"}


def _sections(plan: Plan, platform: Platform | None) -> Iterator[Section]:
    """What a plan has: messages of the program, clusters, pools, names of outputs; with `--details` all resources and values."""
    messages = [f"{diagnostic.severity}: {diagnostic.message}" for diagnostic in plan.diagnostics]
    if messages:
        yield lines_of("Messages of the program", *messages)
    if platform is not None:
        rows = [Row((r.cluster, r.cloud, r.region, r.version, r.network, r.api_server, r.node_provisioning)) for r in cluster_rows(platform)]
        yield Section("Clusters", tuple(rows), ("cluster", "cloud", "region", "version", "network", "API server", "node provisioning"))
        pools = [_pool_row(row, is_detail=number >= _POOLS) for number, row in enumerate(pool_rows(platform))]
        yield Section("Pools", tuple(pools), ("pool", "kind", "scale", "size"))
    outputs = cast("Mapping[str, object]", marked(plan.outputs))
    if outputs:
        details = [line for name, value in outputs.items() for line in _output_lines(name, value)]
        yield Section("Outputs", (Row((", ".join(outputs),), details=tuple(details)),))
    yield lines_of("Resources", *_tree(plan), is_detail=True)


def _pool_row(row: PoolRow, *, is_detail: bool) -> Row:
    size, *requirements = row.sizes if row.kind != "NodePool" else ("", *row.sizes)
    below = (("requirements", "; ", requirements), ("taints", ", ", row.taints))
    reasons = tuple(f"{name}: {mark.join(texts)}" for name, mark, texts in below if texts)
    labels = (f"labels: {', '.join(row.labels)}",) if row.labels else ()
    return Row((f"{row.cluster}/{row.pool}", row.kind, row.scale, size), reasons=reasons, details=labels, is_detail=is_detail)


def _tree(plan: Plan) -> Iterator[str]:
    below = [resource for resource in plan.resources if resource.type != _ROOT]
    known = {resource.urn for resource in below}
    yield from _branch(None, grouped((resource.parent if resource.parent in known else None, resource) for resource in below), "")


def _branch(parent: str | None, children: Mapping[str | None, Sequence[PlannedResource]], indent: str) -> Iterator[str]:
    for resource in sorted(children.get(parent, ()), key=lambda child: (child.type, child.name)):
        yield f"{indent}{resource.name}  {resource.type}{_marks(resource)}"
        yield from _branch(resource.urn, children, f"{indent}  ")


def _marks(resource: PlannedResource) -> str:
    marks = [name for name in ("protect", "retainOnDelete") if resource.options.get(name)]
    ignored = resource.options.get("ignoreChanges")
    if isinstance(ignored, list) and ignored:
        marks.append(f"ignores changes of {', '.join(map(str, ignored))}")
    return f"  [{'; '.join(marks)}]" if marks else ""


def _output_lines(name: str, value: object, indent: str = "") -> Iterator[str]:
    inside = _nested_values(value)
    yield f"{indent}{name}" if inside else f"{indent}{name}: {_shown_value(value)}"
    for key, part in inside.items():
        yield from _output_lines(key, part, f"{indent}  ")


def _nested_values(value: object) -> Mapping[str, object]:
    """The entries of a mapping; none if it represents a secret or unknown value."""
    if not isinstance(value, Mapping) or any(mark in value for mark in _MARKS):
        return {}
    return cast("Mapping[str, object]", value)


def _shown_value(value: object) -> str:
    if isinstance(value, Mapping):
        for mark, text in _MARKS.items():
            if mark in value:
                return text
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_OUTPUT else f"{text[:_LONGEST_OUTPUT]}…"

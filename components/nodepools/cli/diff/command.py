"""`nodepools diff`: what an edit does to which nodes, and in which order."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nodepools.adoption.read_exports import AnyExisting, ExistingState, MatchedCluster, existing_state
from nodepools.changes.platform_changes import Changes, request_set_changes
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.demands.demands import Demands
from nodepools.cli.diff.answer import Difference, Subject
from nodepools.cli.diff.demands import Stranded
from nodepools.cli.diff.demands import decided as decided_of
from nodepools.cli.diff.existing import Comparison, compared, outside, with_existing_nodes
from nodepools.cli.diff.files import METADATA, Side, file_side, in_file, of_each_cluster, only_objects, other_objects, resources_side
from nodepools.cli.diff.folds import NAMED, changed
from nodepools.cli.diff.impact import capacity_section, cost_section, owner_section
from nodepools.cli.diff.pairs import Pair, compared_sides, with_errors_of
from nodepools.cli.diff.sides import WORKING_TREE, based, named_commit, named_path, new_side, project_of, read_side, working_tree
from nodepools.cli.diff.workloads import workload_sections
from nodepools.cli.existing.cloud_exports import ExistingNode, read_exports_and_nodes
from nodepools.cli.inputs.git_worktree import checked_out
from nodepools.cli.inputs.input_files import STDIN, InputFiles
from nodepools.cli.inputs.sources import Source, check_sources, project_directory
from nodepools.cli.inputs.workload_files import read_workload_files
from nodepools.cli.output.output_formats import DiffFormat
from nodepools.cli.output.report import Act, Row, Section, Step, command, lines_of, previewed
from nodepools.cli.problem import InvalidError, Problem, usage_error
from nodepools.clouds.change import CLUSTER, Change, Effect, Request, summary, worst_first
from nodepools.clouds.item import NOTHING_EXISTING, ExistingStock
from nodepools.clouds.prices import ShippedPrices
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.data.table_files import TABLES
from nodepools.data.version_support import day_or_today
from nodepools.model.listing import counted, listed
from nodepools.model.values import dataclass, replace
from nodepools.reading.project_folder import stack_file
from nodepools.resources.resource import has_secrets
from nodepools.rules.engine.finding import Finding, Severity

if TYPE_CHECKING:
    from nodepools.cli.diff.terraform import TerraformPlan
    from nodepools.cli.ledger.recording import Recorded
    from nodepools.engine.run import Program

_POOLS_ONLY: Final = " in NodePools and node classes, but in other objects"
_METADATA_ONLY: Final = f" but {METADATA} objects, which no node has"
_CLUSTERS_ONLY: Final = " in clusters, pools and what has a table of effects, but in other resources"
_SHOWN_OBJECTS: Final = 5
_SHOWN_RESOURCES: Final = 12


@dataclass(frozen=True, slots=True)
class DiffOptions:
    """What is shown next to the changes, if an option requires it."""

    deployed: Path | None = None
    """A state, for the changes that were merged and never applied."""
    workloads: InputFiles | None = None
    """Workloads, for the pools that their pods lose."""
    existing: InputFiles | None = None
    """Exports of the clouds and of kubectl, for quotas, subnets and nodes."""
    karpenter: KarpenterRelease | None = None
    """The version of self-managed Karpenter that compares EC2NodeClasses; `None`: the newest that is known."""
    record: "Recorded | None" = None
    """Where the prediction is written."""


def diff(
    old: str,
    new: str | None,
    selected: Source,
    run: CommandRun,
    *,
    inputs: Callable[[Path], InputFiles],
    wanted: Demands,
    also: DiffOptions,
    form: DiffFormat,
) -> Result:
    """Compares both sides.

    Raises:
        UnreadableError: a side cannot be read.
        InputError: a side is neither a path nor a commit, or both cannot be compared.
        InvalidError: a declaration has schema errors.
    """
    before, after, plan = _sides(old, new, selected, run, inputs)
    is_declared = after.kind == "declaration"
    _require_something(before, after, run)
    others = other_objects(before, after) if before.objects and after.objects else []
    if others:
        run.notes.append(Problem("", f"not compared, and different: {listed(others, _SHOWN_OBJECTS)}"))
    existing, nodes = _existing_stock(also, before, after, run)
    drift = compared(before, after, run) if "existing" in (before.kind, after.kind) else None
    if drift is not None:
        before, after = drift.before, drift.after
    if also.existing is not None:
        before, after = with_existing_nodes(before, after, nodes, existing.subnets, run)
    if also.karpenter is not None:
        before, after = (side.with_karpenter(also.karpenter) for side in (before, after))
    found, findings = with_errors_of(after.objects, compared_sides(before.parts, after.parts, selected, run), also.karpenter, run)
    if plan is not None:
        found = [replace(pair, changes=plan.judged(pair.changes)) for pair in found]
    if drift is not None:
        sections, found = _drift_sections(drift, found, also, selected, run)
    else:
        sections = [*_impact(found, also, existing, run), *([plan.section()] if plan is not None else [])]
        if also.deployed is not None:
            sections.append(_merged(also.deployed, old, before, selected, run))
    every = worst_first(change for pair in found for change in pair.changes.all)
    rest = _other_resources(before, after, every, run)
    sections += [rest] if rest is not None else []
    if every and is_declared:
        findings = _errors(new, selected, run)
    stacks = [(pair.name, pair.changes) for pair in found]
    pair_of = {id(change): pair for pair in found for change in pair.changes.all}
    stack_of = {number: pair.name for number, pair in pair_of.items()}
    stranded = [one for subject in sections for one in subject.stranded]
    decided = decided_of(wanted, every, stranded, findings=findings, stack_of=stack_of, stacks=[name for name, _ in stacks])
    several = stack_of if len(stacks) > 1 else {}  # clusters of two stacks can have one name
    scope = _METADATA_ONLY if all(one.startswith(METADATA) for one in others) else _POOLS_ONLY
    shown = Difference(
        _about(before, after, selected),
        _compared_section(before, after),
        every,
        stacks,
        decided,
        sum(len(part.requests.all) for part in after.parts.values()),
        findings,
        sections,
        several,
        scope if others else _CLUSTERS_ONLY if rest is not None else "",
        _unknown(before, after, every),
        apart=_why_apart(before, after, every) if drift is None else drift.apart,
        sides=(before.title, after.title),
        again=run.again,
        is_made=after.kind == "existing",
        was_made=before.kind == "existing",
        existing=also.existing.paths if also.existing is not None else (),
        applied=_applied(after, found) if not run.problems else (),
        placed=lambda change: pair_of[id(change)].places(change.steps),
        declared=lambda change: pair_of[id(change)].declared(change),
    )

    report = shown.report(is_markdown=form is DiffFormat.MARKDOWN)
    _record(also.record, found, stranded, after.commit, run)

    def one(change: Change) -> dict[str, object]:
        accepted = decided.reason(change)
        own = {"stack": stack_of[id(change)], "fails": decided.fails(change), "accepted": accepted if accepted else None}
        return {**change.to_json(), **own}

    return Result(
        lambda: {
            "old": before.title,
            "new": after.title,
            "basis": basis(before, after),
            "stacks": [name for name, _ in stacks],
            "changes": list(map(one, every)),
            "order": [list(wave) for _, changes in stacks for wave in changes.order],
            "summary": summary(every),
            **{subject.key: subject.data for subject in sections},
        },
        report=report if plan is None else plan.respelled(report),
        findings=findings,
        fails=shown.fails,
        decided=decided.shared,
        annotations=lambda: _annotations(shown, plan),
    )


_AS_PREDICTED: Final = "only what is below"


def _applied(after: Side, found: Sequence[Pair]) -> Sequence[Step]:
    """The steps that apply a side; none if that is not known. Which program and stack load a file is not known."""
    if after.title.startswith(WORKING_TREE):
        return [step for pair in found if pair.changes.all for step in previewed(_AS_PREDICTED, f" --stack {pair.name}")]
    is_new = after.kind == "declaration" and after.commit is None
    return list(previewed(_AS_PREDICTED, where=f"in the project whose program loads {after.title}; ")) if is_new else []


def _annotations(shown: Difference, plan: "TerraformPlan | None") -> Iterator[str]:
    """One for each row, and a notice on those without a line."""
    yield from shown.annotations
    if plan is not None:
        plan.lines.report()


def _record(to: "Recorded | None", found: Sequence[Pair], stranded: Sequence[Stranded], commit: str | None, run: CommandRun) -> None:
    if to is not None:
        from nodepools.cli.ledger.recording import record_diff  # few differences are recorded

        predicted = [(pair.name, pair.old, pair.new, pair.changes) for pair in found]
        record_diff(to, predicted, [(one.workload, one.cluster) for one in stranded], run, commit=commit)


def _sides(
    old: str, new: str | None, selected: Source, run: CommandRun, inputs: Callable[[Path], InputFiles]
) -> "tuple[Side, Side, TerraformPlan | None]":
    """Both sides. A plan of Terraform has both."""
    with _not_compared("old"):
        before = read_side(old, selected, run, inputs, before_tree=new is None)
    if before.terraform is not None and new is None:
        from nodepools.cli.diff.terraform import terraform_plan  # few sides are plans

        plan = terraform_plan(before.terraform, before.title, run, selected.hcl)
        return *plan.sides(), plan
    with _not_compared("new"):
        after = new_side(new, selected, run, inputs) if new is not None else _of_project(before, selected, run)
        name = next((side.title for side in (before, after) if side.terraform is not None), None)
        if name is not None:
            usage_error(f"{name}: a plan of Terraform has both sides: `nodepools diff {name}`")
        return *_comparable(before, after, selected, run), None


def _require_something(before: Side, after: Side, run: CommandRun) -> None:
    """Two sides with nothing in them are not equal: nothing was compared. Exports of a cluster can be empty, and a problem says why a side is."""
    sides = (before, after)
    if run.problems or any(side.kind == "existing" or any(part.requests.all for part in side.parts.values()) for side in sides):
        return
    what = "NodePool or node class" if "manifests" in (before.kind, after.kind) else "cluster, agent pool or node group"
    where = f"{before.title}: has no {what}" if before.title == after.title else f"{before.title} → {after.title}: neither side has a {what}"
    usage_error(f"{where}, so nothing was compared")


def _other_resources(before: Side, after: Side, changes: Sequence[Change], run: CommandRun) -> Subject | None:
    """What differs between two plans besides the changes that have an effect; `None` if nothing does, or a side is not a plan.

    What has a table and is created or deleted is a change, or inside of one: a pool of a cluster that is deleted.
    """
    if not before.resources or not after.resources:
        return None
    from nodepools.resources.plan_requests import OF_PULUMI, plan_differences  # few sides are plans

    shown = {(change.resource.type, change.resource.name) for change in changes}
    known = {(one.resource.type, one.resource.name) for side in (before, after) for part in side.parts.values() for one in part.requests.all}
    sent = (one for one in after.resources if (one.type, one.name) not in known and not one.type.startswith(OF_PULUMI))
    secret = sum(has_secrets(one.inputs) for one in sent)
    if secret:
        run.notes.append(Problem(after.title, f"secrets of {counted(secret, 'other resource')} are not compared: a plan does not have them"))
    found = [
        one
        for one in plan_differences(before.resources, after.resources)
        if (one.type, one.name) not in shown and not (changes and one.what in {"created", "deleted"} and (one.type, one.name) in known)
    ]
    if not found:
        return None
    rows = tuple(Row((one.text,), is_detail=number >= _SHOWN_RESOURCES) for number, one in enumerate(found))
    section = Section("Other resources, whose effects are not known here: `pulumi preview` shows them", rows)
    return Subject("other_resources", [one.to_json() for one in found], section, f"{counted(len(found), 'other resource')} not the same")


def _unknown(before: Side, after: Side, changes: Sequence[Change]) -> Sequence[str]:
    """The fields that can have changed, because both sides know them only after `pulumi up`; not those with an effect in `changes`."""
    shown = {change.path for change in changes if change.effect is not Effect.NONE}
    old = {path for part in before.parts.values() for path in part.unknown}
    return [path for part in after.parts.values() for path in part.unknown if path in old - shown]


def _why_apart(before: Side, after: Side, every: Sequence[Change]) -> str:
    """Why both sides may be two stacks or clusters: they have no cluster in common, or no node and what no edit can change. Empty otherwise."""
    if before.commit is not None and after.commit is not None:
        return ""  # two states of one project
    old, new = ([request for part in side.parts.values() for request in part.requests.all] for side in (before, after))
    keys, names = (({one.key[0] for one in old}, {one.key[0] for one in new}), (_clusters(old), _clusters(new)))
    if any(bool(left and right) and not left & right for left, right in (keys, names)):
        one, other = (f"stack {listed(list(side.parts), NAMED)}" if side.title == WORKING_TREE else side.title for side in (before, after))
        return f"{one} and {other} have no cluster in common"
    nodes = [{one.name for one in side.objects if one.kind == "Node"} for side in (before, after)]
    fixed = [f"{change.path}" for change in every if change.effect is Effect.REFUSED]
    is_other = all(nodes) and not nodes[0] & nodes[1] and bool(fixed)
    return f"OLD and NEW look like two clusters: no node in common, and not the same {fixed[0]}, which is immutable" if is_other else ""


def _clusters(requests: Sequence[Request]) -> set[str]:
    """Their names in Pulumi, which tell the clusters of two projects apart that have the same keys."""
    return {one.resource.name for one in requests if one.subject == CLUSTER}


def _about(before: Side, after: Side, selected: Source) -> str:
    """The stacks of the project, if it is compared with itself; otherwise both sides."""
    if before.title == after.title:
        return before.title
    is_project = not selected.files and (after.commit is not None or after.title == WORKING_TREE)
    if not is_project or {before.kind, after.kind} != {"declaration"}:
        return f"{before.title} → {after.title}"
    names = listed(list(after.parts), NAMED)
    return listed(list(dict.fromkeys([*after.parts, *before.parts])), NAMED) if {*before.parts} & {*after.parts} else f"{before.title} → {names}"


@contextmanager
def _not_compared(side: str) -> Generator[None]:
    """If a side has errors, no changes are reported: exit code 1 is for changes that must be accepted."""
    try:
        yield
    except InvalidError as error:
        raise InvalidError(error.name, error.findings, f"{counted(len(error.findings), 'error')} in the {side} side: not compared") from None


def _existing_stock(also: DiffOptions, before: Side, after: Side, run: CommandRun) -> tuple[ExistingStock, list[ExistingNode]]:
    if also.existing is None:
        return NOTHING_EXISTING, []
    parts = [*after.parts.values(), *before.parts.values()]
    return read_exports_and_nodes(also.existing, [part.platform for part in parts if part.platform is not None], run)


def _drift_sections(
    drift: Comparison, found: Sequence[Pair], also: DiffOptions, selected: Source, run: CommandRun
) -> tuple[list[Subject], list[Pair]]:
    """The changes with what only one side has, and a row for each cluster. A state tells what was changed outside of Pulumi."""
    sections: list[Subject] = []
    known = None
    if also.deployed is not None:
        changed, known = outside(_recorded(also.deployed, run), drift.original, selected.today, run)
        sections.append(changed)
    pairs = [replace(pair, changes=drift.changes(pair.name, pair.changes, known)) for pair in found]
    day = day_or_today(selected.today)
    rows = cluster_section(drift.clusters, drift.undeclared, {pair.name: pair.changes.all for pair in pairs}, day)
    return [rows, *sections], pairs


def _impact(found: Sequence[Pair], also: DiffOptions, existing: ExistingStock, run: CommandRun) -> Iterator[Subject]:
    """What the changes do to money, room and workloads, where both sides are declarations."""
    if all(pair.new is None for pair in found):
        return
    yield cost_section(found, ShippedPrices())
    yield capacity_section(found, existing)
    if any(side is not None and side.has_owners for pair in found for side in (pair.old, pair.new)):
        yield owner_section(found)
    if also.workloads is not None:
        yield from workload_sections(found, read_workload_files(also.workloads, run))


def _of_project(before: Side, selected: Source, run: CommandRun) -> Side:
    """The working tree in the form of the other side: what the program registers, if that is a plan or a state."""
    side = _working_tree_registered(selected, run, before) if before.kind == "resources" and not selected.files else working_tree(selected, run)
    return based(side) if before.commit is not None else side


def _errors(new: str | None, selected: Source, run: CommandRun) -> list[Finding]:
    """Errors of the rules in the new side, if that is the working tree or a platform file: an edit that a cloud rejects is never applied."""
    files = selected.files
    if new is not None:
        path = named_path(new)
        if path is None or path.is_dir():
            return []  # another project, or a commit: `nodepools check` runs there
        files = (path,)
    if Path(STDIN) in files:
        return []  # it was read to its end
    checked = check_sources(replace(selected, files=files, every=selected.every and not files), run)
    return [finding for one in checked for finding in one.findings if finding.severity is Severity.ERROR]


def _comparable(before: Side, after: Side, selected: Source, run: CommandRun) -> tuple[Side, Side]:
    kinds = {before.kind, after.kind}
    if kinds == {"existing"}:
        usage_error("exports can only be compared with a declaration, a plan or a state, not with other exports")
    if kinds == {"existing", "manifests"}:
        usage_error("manifests do not say which cluster they are for: compare exports with a declaration, a plan or a state")
    if "existing" in kinds:
        return before, after
    if "manifests" in kinds:
        both = only_objects(before, after), only_objects(after, before)
        for side, objects in zip((before, after), both, strict=True):
            if side is not objects and not any(part.requests.all for part in objects.parts.values()):
                usage_error(f"{side.title}: declares no NodePool and no node class, which is all that manifests are compared with")
        return of_each_cluster(*both)
    if kinds == {"declaration", "resources"}:
        if after.kind == "declaration" and after.title == WORKING_TREE:
            return before, _of_project(before, selected, run)
        return (_of_file(before, after, run), after) if before.kind == "declaration" else (before, _of_file(after, before, run))
    return before, after


def basis(before: Side, after: Side) -> dict[str, object]:
    """The commits of both sides, the version of the library, the days of its tables, and the sides that are plans or states."""
    return {
        "old_commit": before.commit,
        "new_commit": after.commit,
        "library": version("nodepools"),
        "tables": [{"name": table.name, "day": table.day.isoformat()} for table in TABLES],
        "recorded": [side.title for side in (before, after) if side.is_recorded],
        "live": [side.title for side in (before, after) if side.kind == "existing"],
    }


def _compared_section(before: Side, after: Side) -> Section:
    """Both sides, and what can explain a difference other than an edit."""
    days = [table.day for table in TABLES]
    return lines_of(
        "What was compared",
        f"{before.title} → {after.title}",
        _cause(before, after),
        f"read by nodepools {version('nodepools')}, whose tables are of {min(days)} to {max(days)}",
        is_detail=True,
    )


def _cause(before: Side, after: Side) -> str:
    if before.kind == "existing":
        return f"{before.title} is what exists: it differs because an edit is not applied yet, or because something was changed without Pulumi"
    if after.kind == "existing":
        return f"{after.title} is what exists: these changes were made, with Pulumi or without"
    recorded = [side.title for side in (before, after) if side.is_recorded]
    if recorded:
        return f"another version of nodepools can have written {' and '.join(recorded)}: a change comes from an edit, or from that version"
    return "the same version reads both sides, so every change comes from an edit"


def _working_tree_registered(selected: Source, run: CommandRun, recorded: Side) -> Side:
    """What the program in the working tree registers, to be compared with `recorded`."""
    _one_stack(selected, recorded.title)
    return _registered(project_directory(), WORKING_TREE, selected.stack, run, is_whole=bool(recorded.resources))


def _merged(deployed: Path, old: str, before: Side, selected: Source, run: CommandRun) -> Subject:
    """The changes from a state to the old side: they were merged, and `pulumi up` has not applied them."""
    state = _recorded(deployed, run)
    merged = before if before.is_recorded else _of_old(old, selected, run, str(deployed))
    [one], [other] = state.parts.values(), merged.parts.values()
    changes = request_set_changes(one.requests, other.requests, selected.today)
    return _not_applied(f"{state.title} → {merged.title}", state, merged, changes)


def _recorded(deployed: Path, run: CommandRun) -> Side:
    """The state of `--deployed`."""
    state = file_side(deployed, run)
    if not state.is_recorded:
        usage_error(f"{deployed}: `--deployed` must be a state (`pulumi stack export`) or a plan (`nodepools preview --format json`)")
    return state


def _not_applied(sides: str, state: Side, merged: Side, changes: Changes) -> Subject:
    data = {"old": state.title, "new": merged.title, "changes": [change.to_json() for change in changes.all], "summary": dict(changes.summary)}
    verdict = f"{counted(len(changes.all), 'change')} of OLD not applied yet" if changes.all else ""
    return Subject("not_applied", data, changed(f"Merged but not applied yet, and part of the next `pulumi up` ({sides})", changes.all), verdict)


def _of_old(old: str, selected: Source, run: CommandRun, recorded: str) -> Side:
    _one_stack(selected, recorded)
    path = named_path(old)
    if path is not None:
        if not (path / "stacks").is_dir():
            usage_error(f"{old}: `--deployed` compares a state with what OLD registers: use a branch, a commit, a project folder or a plan as OLD")
        return _registered(path.absolute(), old, selected.stack, run)
    at = named_commit(old)
    with checked_out(at) as folder:
        return _registered(project_of(folder), str(at), selected.stack, run)


def _one_stack(selected: Source, recorded: str) -> None:
    if selected.files or selected.every:
        usage_error(f"{recorded}: a plan or a state is compared with one stack: use `--stack`")


def _of_file(declared: Side, recorded: Side, run: CommandRun) -> Side:
    """What the program that deploys a platform file registers, to be compared with `recorded`."""
    from nodepools.cli.inputs.programs import platform_program

    file = named_path(declared.title)
    if file is None or not file.is_file():
        usage_error(f"{recorded.title}: a plan or a state is compared with another one, a platform file, or one stack of the working tree")
    [name] = declared.parts
    return _side_of(platform_program(file, name), declared.title, declared.title, run, is_whole=bool(recorded.resources))


def _registered(project: Path, title: str, stack: str, run: CommandRun, *, is_whole: bool = False) -> Side:
    from nodepools.cli.inputs.programs import stack_program

    return _side_of(stack_program(stack, project, run), title, stack_file(stack, project), run, is_whole=is_whole)


def _side_of(program: "Program", title: str, file: str, run: CommandRun, *, is_whole: bool) -> Side:
    from nodepools.cli.inputs.programs import registered
    from nodepools.resources.resource import of_plan

    plan = registered(program, run)
    if plan is None:
        usage_error(f"the program of {title} failed, so there is nothing to compare with")
    return resources_side(title, program.stack, of_plan(plan.resources), run, in_file(file), is_whole=is_whole)


_COLUMNS: Final = ("cluster", "name", "version", "support", "state")


@dataclass(frozen=True, slots=True)
class _Row:
    stack: str | None
    key: str | None
    """`None` if it is not declared."""
    name: str | None
    """`None` if it is not exported."""
    state: ExistingState | None
    changes: Sequence[Change]

    @property
    def worst(self) -> str | None:
        return worst_first(self.changes)[0].effect.value if self.changes else None

    def to_json(self, today: date) -> Mapping[str, object]:
        head = {"stack": self.stack, "cluster": self.key, "name": self.name, "changes": len(self.changes), "worst": self.worst}
        state = self.state
        if state is None:
            return {**head, "version": None, "behind": None, "support": None, "support_ends": None, "not_ready": [], "pools": None}
        end = state.support_ends.isoformat() if state.support_ends is not None else None
        of = {"version": state.version, "behind": state.behind, "support": state.support(today), "support_ends": end}
        return {**head, **of, "not_ready": list(state.not_ready), "pools": state.pools}

    @property
    def changed(self) -> str:
        return ", ".join(f"{number} {effect}" for effect, number in summary(self.changes).items()) if self.changes else "no change"

    def cells(self, today: date, *, several: bool) -> tuple[str, ...]:
        key = "not declared" if self.key is None else f"{self.stack}/{self.key}" if several else self.key
        if self.state is None:
            return (key, "not exported", "", "", "")
        return (key, str(self.name), *_of_version(self.state, today), ", ".join(self.state.not_ready) if self.state.not_ready else "ready")


def _of_version(state: ExistingState, today: date) -> tuple[str, str]:
    behind = f"{state.version}, {state.behind} behind {state.table.newest.version}" if state.behind else state.version
    end = state.support_ends
    support = {
        "ended": f"support ended {end}" if end is not None else "support ended",
        "soon": f"support ends {end}",
        "supported": f"supported until {end}",
        "unknown": "support unknown",
    }
    return behind, support[state.support(today)]


def cluster_section(
    clusters: Sequence[tuple[str, MatchedCluster]], undeclared: Sequence[AnyExisting], changes: Mapping[str, Sequence[Change]], today: date
) -> Subject:
    """The clusters of both sides. `changes` has those of each stack."""
    rows = [*_declared(clusters, changes), *(_undeclared(one, changes) for one in undeclared)]
    several = len({row.stack for row in rows if row.stack is not None}) > 1
    lines = tuple(Row(row.cells(today, several=several), details=(row.changed,)) for row in rows)
    data = [row.to_json(today) for row in rows]
    section = Section(f"Clusters that exist, as of {today}", lines, _COLUMNS)
    unready = [row.state for row in rows if row.state is not None and row.state.not_ready]
    shows = tuple(command(state.shown_by, Act.NONE, f"shows why it is not ready ({state.not_ready[0]})") for state in unready[:1])
    return Subject("clusters", data, section, "; ".join(_verdict(rows, today)), next=shows)


def _declared(clusters: Sequence[tuple[str, MatchedCluster]], changes: Mapping[str, Sequence[Change]]) -> Iterator[_Row]:
    for stack, cluster in clusters:
        key, one = cluster.request.cluster, cluster.existing
        own = [change for change in changes.get(stack, ()) if change.at.partition("/")[0] == key]
        yield _Row(stack, key, one.name if one is not None else None, existing_state(one, cluster.pairs.both) if one is not None else None, own)


def _undeclared(one: AnyExisting, changes: Mapping[str, Sequence[Change]]) -> _Row:
    own = [change for of_stack in changes.values() for change in of_stack if change.steps == ("clusters", one.name)]
    return _Row(None, None, one.name, existing_state(one), own)


def _verdict(rows: Sequence[_Row], today: date) -> Iterator[str]:
    known = [row.state for row in rows if row.state is not None]
    unready = [f"{row.key or row.name}: {state}" for row in rows if row.state is not None for state in row.state.not_ready]
    counts = {
        f"not ready ({listed(unready, 1)})" if unready else "not ready": sum(bool(state.not_ready) for state in known),
        "without support": sum(state.support(today) == "ended" for state in known),
    }
    yield from (f"{number} cluster{'s' if number != 1 else ''} {what}" for what, number in counts.items() if number)

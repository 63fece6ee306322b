"""The plan of an upgrade as a report: whether it is blocked, what to do next, what stops it, and the steps of each cluster."""

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from nodepools.cli.command_run import Result
from nodepools.cli.demands.demands import UNKNOWN, WARNING, Acceptance, Demands, Thing
from nodepools.cli.demands.demands import verdict as thing_of
from nodepools.cli.output.report import MOST_STEPS, NOWHERE, Act, Report, Row, Section, Tone, act_of, edit, lines_of, pasted, typed
from nodepools.cli.output.report import Step as Next
from nodepools.cli.output.report import command as run
from nodepools.clouds.amounts import NOTHING, Amount
from nodepools.clouds.step import PULUMI_UP, Blocker, Command, Kind, Round, Step, Unbounded, What, edits_text
from nodepools.data.version_support import minor
from nodepools.model.listing import counted, grouped, joined, listed
from nodepools.model.severity import Severity
from nodepools.model.steps import Steps, mapping, rewritten
from nodepools.model.values import dataclass, replace
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade, Undecided, Verdict
from nodepools.upgrades.progress import PoolProgress, Progress, Task, minutes_text

Plans = Sequence[tuple[str, ClusterUpgrade]]
"""The plan of each cluster, with its name in the answer."""
_VERDICTS: Final[Sequence[Verdict]] = ("blocked", "unknown", "not_blocked")
"""Worst first."""
_MARKS: Final[Mapping[Verdict, str]] = {"blocked": "✘ blocked", "unknown": "? unknown", "not_blocked": "✔ not blocked"}
_TONES: Final[Mapping[Verdict, Tone]] = {"blocked": Tone.BAD, "unknown": Tone.CAUTION, "not_blocked": Tone.GOOD}
_SHOWN_STEPS, _SHOWN_WITH_COMMANDS = 14, 20
"""Steps, and steps with their commands, that are shown without `--details`; of more, there is one row for each cluster."""
_NAMED: Final = 3
_BEHIND_ERRORS: Final = 2
"""Warnings that are shown next to errors without `--details`, and one more if the steps are few."""
_UNUSED: Final = Undecided("exports of a declared cluster: `--existing` has none")
_FILE: Final = re.compile(r"(?!stdin:)(.+?)(:\d+)+")  # with a position
_WHATS: Final[Mapping[What, str]] = {
    "control_plane": "control plane",
    "pool": "pool",
    "first_pool": "first system pool",
    "node_pool": "NodePool",
    "add_on": "add-on",
}
UNBOUNDED: Final[Mapping[Unbounded, str]] = {
    "control_plane": "the update of the control plane",
    "reimage": "reimaging",
    "launch": "the launch of nodes",
    "drain": "drains of pools without a timeout",
    "capacity": "capacity of the cloud",
}
"""Parts of the time without a limit, as people read them."""


@dataclass(frozen=True, slots=True)
class _Cause:
    """One obstacle of one cluster, whatever steps it stops."""

    cluster: str
    worst: Blocker
    steps: tuple[int, ...]
    messages: tuple[str, ...]
    """Of all steps, the worst first."""

    @property
    def name(self) -> str:
        """`weu: PDB shop/web`."""
        blocker = self.worst
        if blocker.subject is not None:
            *place, kind, name = blocker.subject.split("/") if "/" in blocker.subject else ("", blocker.subject)
            short = f"{'PDB' if kind == 'PodDisruptionBudget' else kind} {'/'.join([*place, name]) if any(place) else f'`{name}`'}".strip()
        else:
            short = blocker.refusal if blocker.refusal else blocker.kind.value.replace("-", " ")
        return f"{self.cluster}: {short}"

    @property
    def is_mended_elsewhere(self) -> bool:
        """After its fix, the same command has another answer: a downgrade stays one, and some fixes are another `--to`."""
        return self.worst.kind is not Kind.DOWNGRADE and (self.worst.fix is None or "`--to " not in self.worst.fix)

    def row(self, tone: Tone, told: str | None = None, *others: "_Cause") -> Row:
        """The message with its steps; its fix is a detail if it is in `told`, or without it. `others` are the same in other clusters."""
        code = [self.worst.refusal] if self.worst.refusal and self.worst.refusal not in self.messages[0] else []
        steps = {one.cluster: f"step{'s' * (len(one.steps) != 1)} {', '.join(map(str, one.steps))}" for one in (self, *others) if one.steps}
        shown = "; ".join([*code, *([] if others else steps.values())])
        fixes = (f"fix: {self.worst.fix}",) if self.worst.fix is not None else ()
        is_shown = told is not None and self.worst.fix is not None and _first(self.worst.fix) not in told
        details = (*(() if is_shown else fixes), *self.messages[1:], *((f"{name}: {text}" for name, text in steps.items()) if others else ()))
        names = listed([self.cluster, *(one.cluster for one in others)], _NAMED)
        return Row((names, f"{self.messages[0]}{f' ({shown})' if shown else ''}"), tone, fixes if is_shown else (), details)


def _first(fix: str) -> str:
    """The fix without the ways that are taken only if it is not possible."""
    return fix.partition(". Otherwise")[0]


def _rows(causes: Iterable[_Cause], tone: Tone, told: str | None = None) -> Iterator[Row]:
    """One row for causes that several clusters share."""
    same = grouped(((cause.messages, cause.worst.refusal, cause.worst.fix), cause) for cause in causes)
    yield from (first.row(tone, told, *others) for first, *others in same.values())


def plan_result(
    about: str,
    to: str,
    plans: Plans,
    again: str,
    *,
    wanted: Demands,
    within: str = "",
    unused: str = "",
    instead: Next | None = None,
    places: Mapping[str, str] = NOWHERE,
    is_terraform: bool = False,
) -> Result:
    """The answer for all clusters.

    `again` is the command; `within` the stack, if there is only one; `unused` why none of the exports that were given
    is about a declared cluster, and `instead` the command for them. `places` says where objects are written. With `is_terraform`, it applies edits.
    """
    found: list[Verdict] = [*(plan.verdict for _, plan in plans), "unknown" if unused else "not_blocked"]
    verdict = min(found, key=_VERDICTS.index)
    causes = sorted(_causes(plans), key=lambda cause: (cause.worst.severity.rank, not cause.worst.refusal))  # what fails a pool before what delays it
    left = {**({_UNUSED: _UNUSED.text} if unused else {}), **_undecided(plans)}
    rooms = tuple(f"{name}: {room}" for name, plan in plans for room in plan.room if room.available is None)
    things = [Row(("?", text), Tone.CAUTION, (), rooms if one.option == "--existing" and not one.is_version else ()) for one, text in left.items()]
    warned = [cause for cause in causes if cause.worst.severity is Severity.WARNING]
    things += _rows(warned, Tone.CAUTION)
    things += list(_holds(plans, draining=False))
    held = [hold.name for _, plan in plans if plan.progress is not None for hold in plan.progress.holds if not hold.is_draining]
    names = list(dict.fromkeys([*(cause.name for cause in warned), *held, *(one.name for one in left)]))
    answer = _answer(plans, verdict, causes, names, unused, is_given=len(names) > len(left))
    steps = (*([instead] if instead is not None else []), *_next(plans, verdict, causes, again, places, is_unused=instead is not None))
    report = Report(f"{about} to {to}", f"{_now(plans)}{answer}", steps, tuple(_sections(plans, causes, things, " ".join(steps))))

    told = _in_terraform if is_terraform else str

    def told_in(_: Steps, value: object) -> object:
        return told(value) if isinstance(value, str) else value

    def sees(one: Acceptance) -> bool:
        return one.kind == "verdict" and one.within in ("", within)

    return Result(
        lambda: {"verdict": verdict, "clusters": [{**mapping(rewritten(plan.to_json(), told_in)), "cluster": name} for name, plan in plans]},
        decided=wanted.decided([replace(one, within=within) for one in _things(plans, causes, unused=bool(unused))], sees),
        report=report.edited(told),
    )


_IN_TERRAFORM: Final = (
    (re.compile(", which `pulumi up` never upgrades"), ", unless `default_node_pool` has `orchestrator_version`: then set it there"),
    (re.compile("which never contains its version:"), "and its version is `orchestrator_version` of `default_node_pool`: if that is not set,"),
    (re.compile("because AKS rejects it in the same request: after"), "unless `default_node_pool` has `orchestrator_version`: without it, after"),
    (re.compile(r"`clusters\.([\w-]+)(?:\.system_pool)?\.kubernetes_version`"), r"the version of cluster `\1`"),
    (re.compile(r"`clusters\.([\w-]+)\.pools\.([\w-]+)\.kubernetes_version`"), r"the version of pool `\1/\2`"),
    (re.compile(r"(set the version of [^;:]*? to `[\d.]+`)", re.IGNORECASE), r"\1 in the `.tf` files"),
    (re.compile("run `pulumi up`"), "run `terraform plan`, then `terraform apply`"),
    (re.compile("pulumi up"), "terraform apply"),
)
"""The same words for clusters whose declaration is a plan or a state of Terraform."""


def _in_terraform(text: str) -> str:
    for pattern, words in _IN_TERRAFORM:
        text = pattern.sub(words, text)
    return text


def _things(plans: Plans, causes: Iterable[_Cause], *, unused: bool) -> Iterator[Thing]:
    """What blocks, what can stop the upgrade, and what decides whether something does."""
    for cause in causes:
        blocker = cause.worst
        word = "blocked" if blocker.is_error else WARNING if blocker.severity is Severity.WARNING else None
        if word is not None:
            about = blocker.subject if blocker.subject is not None else blocker.message
            yield thing_of(word, f"{cause.cluster}/{blocker.kind.value} {about}")
    for name, plan in plans:
        for hold in plan.progress.holds if plan.progress is not None else ():
            yield thing_of("blocked" if hold.is_draining else WARNING, f"{name}/hold {hold.name}")
        yield from (thing_of(UNKNOWN, f"{name} {one}") for one in plan.undecided)
    if unused:
        yield thing_of(UNKNOWN, _UNUSED.text)


def _causes(plans: Plans) -> Iterator[_Cause]:
    """What blocks each cluster, once for the steps that it stops."""
    for name, plan in plans:
        found: dict[tuple[object, ...], list[tuple[int, Blocker]]] = {}
        numbered = [(0, plan.blocked_by), *((number, step.blocked_by) for number, step in enumerate(plan.steps, 1))]
        for number, blocker in ((number, blocker) for number, blockers in numbered for blocker in blockers):
            of = (blocker.subject,) if blocker.subject is not None else (blocker.refusal, blocker.path, blocker.message)
            found.setdefault((blocker.kind, *of), []).append((number, blocker))
        for each in found.values():
            ordered = sorted((blocker for _, blocker in each), key=lambda blocker: blocker.severity.rank)
            messages = tuple(dict.fromkeys(blocker.message for blocker in ordered))
            yield _Cause(name, ordered[0], tuple(number for number, _ in each if number), messages)


def _undecided(plans: Plans) -> dict[Undecided, str]:
    """What was not given, with the clusters that it decides."""
    found = grouped((one, name) for name, plan in plans for one in plan.undecided)
    return {one: f"{listed(names, _NAMED)}: {one}" if len(names) < len(plans) else one.text for one, names in found.items()}


def _holds(plans: Plans, *, draining: bool) -> Iterator[Row]:
    """Pods that hold nodes: now, or when the drain of their node begins."""
    for name, plan in plans:
        for hold in plan.progress.holds if plan.progress is not None else ():
            if hold.is_draining is draining:
                nodes = f"node{'s' * (len(hold.nodes) != 1)}: {listed(hold.nodes, _NAMED)}"
                yield Row((name, hold.message), Tone.BAD if draining else Tone.CAUTION, (), (f"fix: `{hold.command}`", nodes))


def _now(plans: Plans) -> str:
    """Where clusters are in the middle of an upgrade."""
    seen = [(name, plan.progress) for name, plan in plans if plan.progress is not None and plan.steps]
    running = [f"{name} at {_place(one)}" for name, one in seen if one.control_plane or one.least_control_plane]
    return f"{listed(running, 1)}: " if running else ""


def _place(progress: Progress) -> str:
    done, every = sum(len(pool.finished) for pool in progress.pools), sum(pool.nodes for pool in progress.pools)
    nodes = f"{done:,} of {every:,} nodes done" if every else "no nodes in the exports"
    return f"{_control_plane(progress)} with {nodes}"


_GOES: Final = "whether the upgrade can go through"


def _answer(plans: Plans, verdict: Verdict, causes: Iterable[_Cause], things: Sequence[str], unused: str, *, is_given: bool) -> str:
    """The verdict with the `things` that block or decide it; `is_given`: some of them were read, and can stop it."""
    if verdict == "blocked":
        running = ((name, plan.progress) for name, plan in plans if plan.progress is not None)
        draining = [f"{name}: {hold.name}" for name, progress in running for hold in progress.holds if hold.is_draining]
        names = [*draining, *(cause.name for cause in causes if cause.worst.is_error)]
        return f"blocked by {counted(len(names), 'error')} ({listed(names, _NAMED)})"
    if verdict == "unknown" and unused:
        more = f", and {counted(len(things) - 1, 'more thing')} must be known" if things[1:] else ""
        return f"unknown {_GOES}: {unused}{more}"
    if verdict == "unknown":
        is_there = bool(plans) and all(_is_there(plan) for _, plan in plans)
        is_declared = any(one.is_version for _, plan in plans for one in plan.undecided)
        new = plans[0][1].new if is_there else ""
        told = f"{new} is already declared; what runs is unknown" if is_declared else f"every known version is already {new}; the rest is unknown"
        number, is_one = counted(len(things), "thing"), len(things) == 1
        decides = f": {number} decide{'s' * is_one} it" if is_given else f" until {number} {'is' if is_one else 'are'} known"
        return f"{told if is_there else f'unknown {_GOES}'}{decides}: {listed(things, _NAMED)}"
    commands = _counts(plan for _, plan in plans)
    if not commands:
        return "nothing to do: every cluster and pool has it" if plans else "has no clusters"
    checks = len({check for _, plan in plans for check in plan.not_checked})
    by_hand = f"; {counted(checks, 'thing')} to check by hand" if checks else ""
    return f"not blocked: {commands}{by_hand}"


def _is_there(plan: ClusterUpgrade) -> bool:
    """Whether the lowest known version is the new one; a new version without a patch is any of its patches."""
    return _is_at(plan, plan.old)


def _is_at(plan: ClusterUpgrade, version: str) -> bool:
    return version == plan.new or (plan.new.count(".") == 1 and minor(version) == minor(plan.new))


def _versions(plan: ClusterUpgrade) -> str:
    """The way of the control plane, and the lowest version of pools that are behind it."""
    if plan.control_plane == plan.old:
        return f"{plan.old} → {plan.new}"
    return f"pools {plan.old} → {plan.new}" if _is_at(plan, plan.control_plane) else f"{plan.control_plane} → {plan.new}, pools from {plan.old}"


def _counts(plans: Iterable[ClusterUpgrade]) -> str:
    """How often which command runs, without its options."""
    verbs = (command.how.partition(" --")[0] for plan in plans for each in plan.rounds for command in each.commands)
    return ", ".join(f"{count} \N{MULTIPLICATION SIGN} {verb}" for verb, count in Counter(verbs).items() if verb)


_READS: Final = re.compile(r" (?:get|show|describe|list|describe-\S+|list-\S+) ")
"""Verbs of commands that change nothing."""
_VALUES: Final = {"--workloads": "MANIFESTS", "--existing": "EXPORTS"}


def _next(plans: Plans, verdict: Verdict, causes: Sequence[_Cause], again: str, places: Mapping[str, str], *, is_unused: bool) -> Iterator[Next]:
    """What runs now comes first; then fixes of what blocks, or what decides. The first command of the plan is one only if nothing is against it."""
    holding, running = list[Next](), list[Next]()
    for name, progress in ((name, plan.progress) for name, plan in plans if plan.progress is not None):
        draining = sum(hold.is_draining for hold in progress.holds)  # their tasks come first
        steps = [_task(name, task, places) for task in progress.next]
        holding += steps[:draining]
        running += steps[draining:]
    fixed = [cause for cause in causes if cause.worst.fix is not None and cause.worst.severity is not Severity.NOTE]
    if verdict == "blocked":
        is_mended = any(cause.worst.is_error for cause in fixed)  # before that, the next step of the upgrade fails
        first = (holding or ([] if is_mended else running))[: MOST_STEPS - 1]
        yield from (*first, *_edits(fixed, places, MOST_STEPS - 1 - len(first)))
        if first or any(cause.is_mended_elsewhere for cause in causes if cause.worst.is_error):
            yield _check_again(again, has_changed=bool(holding))
        yield from running if holding else ()
    elif verdict == "unknown":
        yield from [] if is_unused else _asking(plans, again, is_else=not fixed)
        yield from running[:2]
        yield from _edits(fixed, places, 2)
    else:
        yield from running[:2]
        yield from _start([(name, each) for name, plan in plans for each in plan.rounds[: not running]], places)


def _edits(causes: Iterable[_Cause], places: Mapping[str, str], most: int) -> Iterator[Next]:
    """The first fixes, each once. What is changed in manifests counts once the cluster has it: the last one says how."""
    fixes = grouped((_first(cause.worst.fix or ""), cause) for cause in causes)
    whole = [fix for fix in fixes if not any(other.startswith(f"{fix},") for other in fixes)][:most]
    written = [(one, at[1]) for fix in whole for one in fixes[fix] if (at := _FILE.fullmatch(places.get(one.worst.subject or "", "")))]
    files, clusters = (list(dict.fromkeys(names)) for names in ((typed(file) for _, file in written), (one.cluster for one, _ in written)))
    apply = f"`kubectl apply -f {' -f '.join(files)} --context CONTEXT` in {listed(clusters, _NAMED)}"
    for fix in whole:
        applied = f", and before the upgrade, run {apply}" if written and written[-1][0] in fixes[fix] else ""
        yield edit(f"{fix}{applied}", listed(list(dict.fromkeys(_at(one, places) for one in fixes[fix])), _NAMED))


def _check_again(again: str, *, has_changed: bool) -> Next:
    """The same command; exports from before a change of the cluster would show what they showed."""
    words, why = shlex.split(again), "shows whether that is enough"
    if not has_changed or "--existing" not in words:
        return run(again, act_of(again), why)
    kept = [shlex.quote(word) for before, word in pairwise(["", *words]) if "--existing" not in (before, word)]
    new = "EXPORTS: new ones, made after the change"
    return run(" ".join([*kept, "--existing EXPORTS"]), act_of(again), f"{why}; {new}")


def _asking(plans: Plans, again: str, *, is_else: bool) -> Iterator[Next]:
    """The command that gives what decides it; if nothing can be given and `is_else`, all details."""
    lacking = {one.option: one for option in (*_VALUES, "capacity") for _, plan in plans for one in plan.undecided if one.option == option}
    asked = [option for option in lacking if option in _VALUES]
    if asked:
        given = [option for option in asked if f" {option} " in again]
        mended = [lacking[option].more for option in given if lacking[option].more]
        new = [option for option in asked if option not in given]
        line = "".join([again, *(f" {option} {_VALUES[option]}" for option in new)])
        values = [f"{_VALUES[option]}: a folder with the output of {lacking[option].shown_by}" for option in new if lacking[option].shown_by]
        yield run(line, act_of(line), "; ".join([*[f"after you {' and '.join(mended)}"][: len(mended)], *values]))
    if "capacity" in lacking:
        yield run(f"nodepools capacity{_read_from(again)}", Act.NONE, f"counts {lacking['capacity'].name}")
    if not lacking and is_else:
        yield run(f"{again} --details", act_of(again), "shows what decides it, in full")


def _start(rounds: Sequence[tuple[str, Round]], places: Mapping[str, str]) -> Iterator[Next]:
    """The first command of the plan, after its edits."""
    for name, each in rounds[:1]:
        first = each.commands[0]
        is_plain = bool(first.how) and first.steps[0].what != "add_on"
        how = f"set {edits_text(first.edits)}" if is_plain else _how(each, first)
        if first.edits or not is_plain:
            yield edit(f"{how[:1].upper()}{how[1:]}", _where(name, places))
        if is_plain:
            yield run(first.how, _act(first.how), f"upgrades {_WHATS[first.steps[0].what]} `{first.steps[0].name}` to {each.version}")


def _where(name: str, places: Mapping[str, str]) -> str:
    """The cluster, with the line that declares it."""
    return f"{places[name]}: {name}" if name in places else name


def _act(line: str) -> Act:
    """What a command of another tool does."""
    return Act.NONE if _READS.search(f"{line} ") else Act.CLUSTER if line.startswith("kubectl ") else Act.CLOUD


def _task(name: str, task: Task, places: Mapping[str, str]) -> Next:
    if not task.command:
        return edit(task.text, _where(name, places))
    context = f"CONTEXT: that of {name}" if " --context CONTEXT" in task.command else ""
    return run(task.command, _act(task.command), "; ".join(filter(None, [f"{name}: {task.why}" if task.why else name, context])))


def _at(cause: _Cause, places: Mapping[str, str]) -> str:
    """What a fix edits: the file, the field, or the object of a cluster. A field does not say of which stack it is."""
    place, path = places.get(cause.worst.subject or ""), cause.worst.path if "/" not in cause.cluster else ""
    return path or cause.name if place is None else f"{place}: {cause.name.partition(': ')[2]}"


def _read_from(again: str) -> str:
    """The options that say what exists, with those that read quotas and subnets."""
    words = shlex.split(again)
    found = [f" {before} {shlex.quote(word)}" for before, word in pairwise(words) if before in ("--existing", "--context", "-n", "--namespace")]
    return "".join([*found, *([] if "--context" in words else [" --context CONTEXT"]), " --cloud"])


def _sections(plans: Plans, causes: Sequence[_Cause], things: Sequence[Row], told: str) -> Iterator[Section]:
    """Errors first, with the fixes that are not `told` already."""
    errors = [*_holds(plans, draining=True), *_rows((cause for cause in causes if cause.worst.is_error), Tone.BAD, told)]
    yield Section("What blocks it", tuple(errors), is_checklist=True)
    every = [(name, plan, tuple(_steps(plan))) for name, plan in plans if plan.steps]
    steps = [row for _, _, rows in every for row in rows]
    is_long = len(steps) > _SHOWN_STEPS or sum(1 + len(row.reasons) for row in steps) > _SHOWN_WITH_COMMANDS
    others = (replace(row, is_detail=bool(errors) and number >= _BEHIND_ERRORS + (not is_long)) for number, row in enumerate(things))
    yield Section(f"What decides {_GOES}" if not errors else "What can stop or delay it", tuple(others), is_checklist=True)
    yield from (_running(name, plan.progress) for name, plan in plans if plan.progress is not None)
    shown = {name for name, plan in plans if not is_long and (not errors or plan.verdict == "blocked")}
    if is_long:
        yield Section("Clusters", tuple(_summary(name, plan) for name, plan in plans), ("verdict", "cluster", "versions", "steps", "commands"))
    for name, plan, rows in every:
        over = f"; standard support of {plan.control_plane} ended on {plan.support_ends}" if plan.is_over else ""
        heading = f"{name}: {f'already {plan.new}' if _is_there(plan) else _versions(plan)}, {_MARKS[plan.verdict][2:]}{over}"
        yield Section(heading, rows, (), frozenset({0}), is_detail=name not in shown, is_checklist=True)
    back = _grouped("Way back", ((name, _way_back(plan)) for name, plan in plans if is_long or name in shown))
    rest = _grouped("", ((name, _way_back(plan)) for name, plan in plans if not is_long and name not in shown))
    yield Section(
        back.heading, (*(replace(row, is_detail=is_long and bool(errors)) for row in back.rows), *(replace(row, is_detail=True) for row in rest.rows))
    )
    is_next = any(plan.verdict == "not_blocked" and plan.steps for _, plan in plans)
    by_hand = _grouped(
        "Check by hand before you start", ((name, text) for name, plan in plans for text in plan.not_checked if "`--existing`" not in text)
    )
    yield replace(by_hand, is_detail=not is_next, is_checklist=True)
    notes = _rows((cause for cause in causes if cause.worst.severity is Severity.NOTE), Tone.PLAIN)
    yield Section("Good to know", tuple(notes), is_detail=True)
    rooms = [f"{name}: {room}" for name, plan in plans for room in plan.room if room.available is not None and room.what != "nodes"]
    yield lines_of("Addresses, ports and quotas with surge nodes at the largest size of the pools", *rooms, is_detail=True)
    unbounded = dict.fromkeys(UNBOUNDED[part] for _, plan in plans for step in plan.steps for part in step.unbounded)
    ends = _grouped(
        "End of standard support", ((name, f"{plan.control_plane} on {plan.support_ends}") for name, plan in plans if plan.support_ends is not None)
    )
    yield replace(ends, is_detail=not (is_long and len(plans) == 1 and plans[0][1].is_over))
    yield lines_of("Time without a limit", *([joined(list(unbounded))] if unbounded else []), is_detail=True)
    yield lines_of("", *(f"{name}: {plan.coverage}" for name, plan in plans if plan.coverage is not None))


def _grouped(heading: str, texts: Iterable[tuple[str, str]]) -> Section:
    """One line for each text, with the clusters that it is about."""
    found = grouped((text, name) for name, text in texts if text)
    return lines_of(heading, *(f"{listed(names, _NAMED)}: {text}" for text, names in found.items()))


def _summary(name: str, plan: ClusterUpgrade) -> Row:
    return Row((_MARKS[plan.verdict], name, _versions(plan), str(len(plan.steps)), _counts([plan])), _TONES[plan.verdict])


def _way_back(plan: ClusterUpgrade) -> str:
    if plan.progress is not None:
        return plan.progress.way_back
    return next((step.note for step in plan.steps if step.what == "control_plane"), "")


def _steps(plan: ClusterUpgrade) -> Iterator[Row]:
    """One row for each step; NodePools follow together."""
    number = 0
    for each in plan.rounds:
        goal, window = f" to {each.version}" if len(plan.rounds) > 1 else "", tuple(_window(each))
        for command in each.commands:
            first, number = number + 1, number + len(command.steps)
            if not command.how:
                several, names = len(command.steps) > 1, joined([f"`{step.name}`" for step in command.steps])
                details = tuple(f"`{step.name}`: {text}" for step in command.steps if (text := "; ".join(_facts(step))))
                what = f"Karpenter replaces the nodes of NodePool{'s' * several} {names} by drift{goal}"
                yield Row((f"{first}-{number}" if several else str(first), what), details=details)
                continue
            for place, step in enumerate(command.steps):
                nodes = "" if step.drain is None else f" ({_nodes(step.nodes)})"
                is_long = command.how != PULUMI_UP and step.what != "add_on"
                set_first = f"set {edits_text(command.edits)}, then " if command.edits and not place else ""
                start = f"{'the same command ' * bool(place)}{set_first}upgrades " if is_long else f"{_how(each, command)}: upgrades "
                start = f"the same `{command.how}` upgrades " if place and not is_long else start
                last = ", which `pulumi up` never upgrades" if step.what == "first_pool" else ""
                facts = tuple(text for text in ("; ".join(_facts(step)),) if text)
                doubt = (step.note,) if minor(plan.old) == minor(plan.new) else ()  # it can have run already
                reasons = (*doubt, *([pasted(command.how)] if is_long and not place else []))
                reached = f" to {step.new}" if goal and step.what == "pool" else goal
                yield Row(
                    (str(first + place), f"{start}{_WHATS[step.what]} `{step.name}`{nodes}{last}{reached}"), Tone.PLAIN, reasons, (*window, *facts)
                )
                window = ()


def _nodes(amount: Amount) -> str:
    return "no limit on the number of nodes" if amount.maximum is None else f"{amount} node{'' if amount.exact == 1 else 's'}"


def _how(each: Round, command: Command) -> str:
    """What starts the steps."""
    if not command.how:
        return f"Karpenter replaces the nodes by drift to {each.version}"
    sets = edits_text(command.edits)
    if command.steps[0].what == "add_on":
        then = (
            f"set the version that it marks as default, and run `{PULUMI_UP}`"
            if sets
            else "and `aws eks update-addon` with the one it marks as default"
        )
        return f"run `{command.how}`, {then}"
    return f"set {sets}, and run `{command.how}`" if sets else f"run `{command.how}`"


def _window(each: Round) -> Iterator[str]:
    """The window of the control plane and the agent pools, once for each round; nothing if a blocker of the round says it with more."""
    use = each.steps[0].window
    is_told = any(blocker.kind is Kind.WINDOW for step in each.steps for blocker in step.blocked_by)
    if use.window is not None and not use.applies and not is_told:
        yield f"maintenance window `{use.window}`: {use.note}"


def _facts(step: Step) -> Iterator[str]:
    """Nodes, batches, the part of the time that has a limit, what it takes in addition, and what is good to know."""
    if step.drain is not None:
        extra = f", {step.extra_nodes} extra" if step.extra_nodes != NOTHING else ""
        batches = f"{extra}, {step.batches} batch{'' if step.batches.exact == 1 else 'es'}" if step.nodes.maximum is not None else ""
        yield f"{_nodes(step.nodes)}{batches}"
    if step.bounded_minutes:
        yield f"at most {minutes_text(step.bounded_minutes)} {'for drains' if step.is_of_agent_pool else 'until old nodes have expired'}"
    if step.needs:
        yield f"needs in addition: {', '.join(f'{need.amount} {need.what} ({need.name})' for need in step.needs)}"
    if step.note and step.what != "control_plane":  # that of the control plane is the way back
        yield step.note[:1].lower() + step.note[1:] if step.note[1:2].islower() else step.note
    if step.window.applies:
        yield f"maintenance window `{step.window.window}`: {step.window.note}"


def _running(name: str, progress: Progress) -> Section:
    """Control plane and pools as they run, and how to stop."""
    pools = [_pool(pool) for pool in progress.pools if pool.state or pool.nodes]
    stop = [Row((f"to stop: {text}",)) for text in progress.stop]
    notes = [Row((f"note: {note}",), Tone.CAUTION) for note in progress.notes]
    return Section(f"{name} now", (Row(("control plane", "", _control_plane(progress))), *pools, *notes, *stop))


def _control_plane(progress: Progress) -> str:
    if progress.control_plane:
        return progress.control_plane
    return f"{progress.least_control_plane} or newer" if progress.least_control_plane else "not in the exports"


def _pool(pool: PoolProgress) -> Row:
    groups = ((f"at {pool.version}", pool.finished), ("draining", pool.draining), ("quarantined", pool.quarantined), ("untouched", pool.untouched))
    counts = ", ".join(f"{len(names):,} {what}" for what, names in groups if names)
    details = [f"{what}: {listed(names, _NAMED)}" for what, names in groups if names]
    images = ", ".join(f"{image} ({count})" for image, count in pool.images.items())
    several = [f"node images: {images}"] if len(pool.images) > 1 else []
    return Row((f"pool `{pool.name}`", pool.state, counts if counts else "no nodes in the exports"), details=(*details, *several))

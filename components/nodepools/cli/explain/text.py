"""The report of `nodepools explain`: the answer, then pools that fit, then the others by reason."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from nodepools.cli.explain.losses import EXPOSED, HARMED, SHORT, after_the_loss, before_the_loss, by_loss, missing, whole
from nodepools.cli.explain.matrix import and_others, matrix
from nodepools.cli.explain.outcome import ALL_FIT, MARKS, TONES, WORST, Placement, answer, pods, shortages
from nodepools.cli.output.report import MORE, MOST_STEPS, OR, Act, Report, Row, Section, Step, Tone, command, edit, first_steps, first_way, lines_of
from nodepools.clouds.amounts import Amount
from nodepools.model.listing import grouped, listed, quoted, saved
from nodepools.model.values import dataclass, replace
from nodepools.placement.allocatable import spelled
from nodepools.placement.causes import SharedReason, shared_reasons
from nodepools.placement.coverage import EXPORT, NOT_EXPORTED, Coverage
from nodepools.placement.explain import Answer
from nodepools.placement.static_pools import UNCORDON
from nodepools.placement.verdict import PoolVerdict, Verdict
from nodepools.placement.workloads.pod_changes import SetZones
from nodepools.placement.workloads.warnings import OF_PODS, WarningKind
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Outcome, PendingReason, PoolEdit
from nodepools.replicas.explained import Explained

_EACH: Final = "each node"
"""Stands for the name of a node in a text about several."""
_FEW: Final = 3
"""Workloads that are shown with their pools; more are shown as a table."""
_LINES: Final = 32
"""Rows of the workloads and of the table together; more are details. So many workloads have their pools in the details."""
_FITTING: Final = 13
"""Rows after which workloads that fit are details."""
_REASONS: Final = 6
"""Reasons that are shown for one workload."""
_NAMED: Final = 12
"""Pools that a detail names."""
_WORDS: Final = {
    Outcome.CANNOT: ("✘ Pending", Tone.BAD),
    Outcome.PARTLY: ("✘ partly", Tone.BAD),
    Outcome.UNKNOWN: ("? unknown", Tone.CAUTION),
    Outcome.FITS: ("✔ fits", Tone.GOOD),
}
_COMMON: Final = ("cpu", "memory")
_LEGEND: Final = "✔ fits   ✘ cannot fit   ? unknown offline   → smallest change that makes it fit (make all changes of a line)"
_QUOTED: Final = re.compile(r"`([^`]+)`")
_FIELDS: Final = {"the maximum of": "`scale.max` of", "the minimum of": "`scale.min` of", "the number of": "`count` of"}
_Fix: TypeAlias = tuple[Step, Sequence[str]]
"""A step, and the names of the workloads that it is for."""
_CLUSTERS: Final = "Pools are shown as cluster/pool. Each cluster is evaluated separately and has its own first choice."


def report(about: str, found: Sequence[Placement], *, forced: bool, covered: Coverage | None, again: str, places: Mapping[str, str]) -> Report:
    """The report on all workloads, the worst and those with most pods first; with `forced`, the table of few workloads too.

    `again` is the command; `places` say where each pool is declared, and under the empty name, the file of all.
    """
    ordered = sorted(found, key=lambda one: (WORST.index(one.verdict), -one.count.wanted))
    parts = by_loss(ordered) if len(ordered) > 1 else {}
    sections = [*_of_all(found, ordered, parts, forced=forced), *_warnings(ordered), lines_of("Legend", *_legend(found), is_detail=True)]
    unknown = [one for one in ordered if covered is not None and one.verdict is Outcome.UNKNOWN]
    hidden = [one for one in unknown if (covered is not None and covered.lacks) or any(text in one.reason for text in (EXPORT, NOT_EXPORTED))]
    before = parts.get(SHORT, [])
    failing = [*parts[HARMED], *parts[EXPOSED]] if parts else [one for one in ordered if one.verdict is not Outcome.FITS]
    failing.sort(key=lambda one: missing(one)[0], reverse=True)
    read = [(edit(saved(EXPORT, existing=True)), _names(hidden))] if hidden else []
    found_steps = [*read, *_next(failing, again, places, is_open=bool(hidden), is_alone=len(ordered) == 1)]
    has_stacks = len(ordered) > len({one.workload.identity for one in ordered})
    steps = _with_rest(found_steps, failing, before, again, 1 if has_stacks else MOST_STEPS - bool(before))
    warned = [(warning, one.workload.place) for one in ordered for each in one.answers for warning in each.warnings]
    idle_daemons = [one for one in ordered if one.workload.is_daemon and all(pool.verdict is not Verdict.FITS for pool in one.pools)]
    runs = not idle_daemons and all(one.verdict is Outcome.FITS and not one.workload.suspended for one in ordered)
    idle = "; nothing to change" if runs and not steps and not warned else ""
    steps = steps or [edit(first_way(one.fix), place if one.kind in OF_PODS else listed(one.pools, _FEW)) for one, place in warned[:1]]
    told = after_the_loss(ordered, parts) if parts else answer(ordered) + "".join(map(before_the_loss, ordered[:1]))
    further = lines_of("Further fixes", *(step.removeprefix(OR) for step, _ in found_steps if step not in steps), is_detail=True)
    covers = [lines_of("", f"{covered}")] if covered is not None else []
    return Report(about, f"{told}{idle}", tuple(steps), (further, *sections, *covers))


def _with_rest(found: Sequence[_Fix], failing: Sequence[Placement], before: Sequence[Placement], again: str, most: int) -> list[Step]:
    """The first steps, then for which workloads others are; those that did not fit `before` a loss have theirs in the answer without it."""
    ways = [step for step, _ in found if not step.startswith(OR)]
    shown = ways[:most] if ways[most:] else first_steps([step for step, _ in found], most)  # no other way before steps of other workloads
    told = {name for step, names in found for name in names if step in shown}
    has = {name for _, names in found for name in names}
    later, none = ([name for name in _names(failing[:_LINES]) if name not in told and (name in has) is known] for known in (True, False))
    rest = [f"Add `--details` for the steps of {listed(later, _FEW)}"] if later and " --details" not in again else []
    rest += [f"{'c' if rest else 'C'}hange nothing for {quoted(none, _FEW)}: no change is known that helps"] if none and has else []
    rest += [f"Explain the other {len(failing) - _LINES:,} workloads alone"] if len(failing) > _LINES else []
    old = [command(whole(again), Act.NONE, f"shows the steps of {listed(_names(before), _FEW)}, without the loss")] if before else []
    return [*shown, *old, *([edit(f"{MORE}{'; '.join(rest)}")] if rest else [])]


def _names(found: Sequence[Placement]) -> list[str]:
    return list(dict.fromkeys(one.workload.shown for one in found))


def _legend(found: Sequence[Placement]) -> Iterator[str]:
    yield _LEGEND
    if any(answer.cluster is not None for one in found for answer in one.answers):
        yield _CLUSTERS


def _next(failing: Sequence[Placement], again: str, places: Mapping[str, str], *, is_open: bool, is_alone: bool) -> Iterator[_Fix]:
    """The fixes of the worst workloads first. Stacks with the same one share it."""
    steps: dict[str, dict[str, list[str]]] = {}
    names: dict[str, list[str]] = {}
    for one in islice(failing, _LINES):
        for text, then, pools in _steps(one, "" if is_alone else f" in {one.workload.shown}", places, is_open=is_open):
            steps.setdefault(text, {}).setdefault(then, []).extend(pools)
            names.setdefault(text, []).append(one.workload.shown)
    for text, found in steps.items():
        certain = sorted(((then, pools) for then, pools in found.items() if pools), key=lambda one: one[0] != ALL_FIT)
        yield edit(f"{text}: then {certain[0][0]} {quoted(certain[0][1], _FEW)}" if certain else text), names[text]
    if failing and not steps and not is_open and " --details" not in again:
        yield command(f"{again} --details", Act.NONE, f"shows what keeps {listed(_names(failing), _FEW)} from their pools"), _names(failing)


def _steps(one: Placement, where: str, places: Mapping[str, str], *, is_open: bool) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Each edit with its file: that of the workload, or that of the pools. With `is_open`, exports that a step adds can make one needless."""
    of_pods, outside = f"{one.workload.place}: " if one.workload.place else "", one.group[0].outside
    for fix in (*(reason.fix for reason in one.waits), one.closing):
        what = fix if fix is one.closing else first_way(fix)
        what += f", {outside}" if what.startswith("Add ") and outside else ""
        at = _of_pool(what, places) if isinstance(fix, PoolEdit) else f"{of_pods if fix is one.closing else ''}{what}"
        at = f"Run this again; only if it is still unknown: {at}" if is_open and one.verdict is Outcome.UNKNOWN else at
        yield from [(f"{at} for {one.workload.kind} `{one.workload.shown}`", "", ())][: len(fix)]
    for number, remedy in enumerate(one.remedies[: 2 if where else None]):  # among several workloads, one alternative of each
        is_of_node = remedy.change == UNCORDON
        at = next((f"{places[name]}: " for name in remedy.pools if places.get(name)), "") if isinstance(remedy.change, SetZones) else of_pods
        of = f" for {one.workload.shown}" if where and is_of_node else where
        yield f"{OR if number else ''}{'' if is_of_node else at}{remedy}{of}", one.then(remedy), remedy.pools
    if one.missing:
        of, has = f" of `{one.workload.shown}`" if where else "", f"; pools have {one.nearest}" if one.nearest else ""
        others = f": `{one.workload.shown}` requires it" if one.is_changeable else f": no change of the pods{of} is known to make them fit one"
        add = _of_pool(f"Add {one.missing}{f', {outside}' if outside else ''}{others}{has}", places)
        requires = one.group[0].requires
        yield f"{of_pods}Let the pods{of} run without {requires}, which they require{has}" if requires else add, "", ()
        yield from ((f"{OR}{of_pods}{remedy}", one.then(remedy), remedy.pools) for remedy in one.if_image_runs)


def _of_pool(what: str, places: Mapping[str, str]) -> str:
    """An edit of a pool, with the line that declares it and the field; without a declaration, in words."""
    named = next((name for name in _QUOTED.findall(what) if name in places), "")
    for words, field in _FIELDS.items() if named else ():
        what = what.replace(words, field)
    return f"{places[named]}: {what}" if places.get(named) else what


def _of_all(found: Sequence[Placement], ordered: Sequence[Placement], parts: Mapping[str, Sequence[Placement]], *, forced: bool) -> Iterator[Section]:
    by_workload = grouped((one.workload.identity, each) for one in found for each in one.group)
    many = len(by_workload) > _FEW
    rows: list[Row] = []
    if len(ordered) > 1:
        for heading, part in (parts or {"": ordered}).items():
            first = len(rows)
            rows += [_row(alike, is_short=heading in ("", SHORT)) for alike in _alike(part)]
            shown = (replace(row, is_detail=at >= (_FITTING if row.tone is Tone.GOOD else _LINES)) for at, row in enumerate(rows[first:], first))
            yield Section(heading, tuple(shown))
    yield Section("Pods that share pools", tuple(Row((f"✘ {each}",), Tone.BAD) for each in shortages(ordered)))
    if many or forced:
        empty = {one.workload.identity for one in ordered if one.is_empty}
        table = matrix([group for identity, group in by_workload.items() if identity not in empty], is_whole=forced)
        is_long = len(rows) + sum(not row.is_detail for row in table.rows) > _LINES
        yield replace(table, is_detail=(is_long or any(one.before is not None for one in ordered)) and not forced)
    for one in islice(ordered, _LINES):
        yield from _of_one(one, f"{one.workload.shown}: " if len(ordered) > 1 else "", is_detail=many or forced)


def _alike(ordered: Sequence[Placement]) -> list[list[Placement]]:
    """Stacks in which a workload has the same answer."""
    found = grouped(((one.workload.identity, one.verdict, _short(one)), one) for one in ordered)
    return list(found.values())


def _row(alike: Sequence[Placement], *, is_short: bool) -> Row:
    one = alike[0]
    word, tone = ("- none", Tone.PLAIN) if one.is_empty else _WORDS[one.verdict]
    stacks = f" in {', '.join(each.stack for each in alike)}" if one.stack else ""
    return Row((word, f"{one.name}{stacks}", f"{_short(one)}{'' if is_short else before_the_loss(one)}"), tone)


def _short(one: Placement) -> str:
    """Without the stack before the names of clusters: the row names it."""
    clusters = [re.escape(answer.cluster.partition("/")[2]) for answer in one.answers if answer.cluster is not None]
    return re.sub(rf"(?<![\w./-]){re.escape(one.stack)}/(?=(?:{'|'.join(clusters)})(?![\w-]))", "", one.short) if one.stack else one.short


def _of_one(one: Placement, head: str, *, is_detail: bool) -> Iterator[Section]:
    """The pools that fit in order, then the others by reason, then pods that stay Pending; as details, every pool with all reasons."""
    fitting = [row for explained in one.group for row in _rows(explained, Verdict.FITS)]
    yield Section(_titled(f"{head}{_fitting(one, fitting)}"), tuple(row.row for row in fitting), is_detail=is_detail)
    shown = [pool for explained in one.group for pool in explained.shown]
    others = [_reason_row(shared, one) for verdict in (Verdict.UNKNOWN, Verdict.CANNOT) for shared in shared_reasons(shown, verdict)]
    rows = tuple(replace(row, is_detail=number >= _REASONS) for number, row in enumerate(others))
    further = " for further pods" if one.workload.running else ""
    yield Section(_titled(f"{head}{'other pools' if fitting else 'pools'}{further}, by reason"), rows, is_detail=is_detail)
    waiting = tuple(_waiting(one))
    yield Section(_titled(f"{head}pods"), waiting, is_detail=is_detail or sum(len(row.reasons) for row in waiting) == 1)
    every = [row.in_full for explained in one.group for verdict in (Verdict.CANNOT, Verdict.UNKNOWN) for row in _rows(explained, verdict)]
    notices = [Row((notice,)) for notice in dict.fromkeys(notice for found in one.answers for notice in found.notices)]
    yield Section(_titled(f"{head}also"), tuple(notices), is_detail=is_detail)
    yield Section(f"{one.name} requests {_requests(one.workload)}", tuple(every), is_detail=True)


def _titled(text: str) -> str:
    """A heading; names of workloads stay as they are."""
    return text if ":" in text else f"{text[0].upper()}{text[1:]}"


def _fitting(one: Placement, rows: Sequence["_PoolRow"]) -> str:
    if one.workload.is_daemon:
        return "pools that it runs on"
    order = ", first choice first" if len(rows) > 1 else ""
    several = len({row.answer.cluster for row in rows}) > 1
    further = " further pods" if one.workload.running else ""
    return f"pools that fit{further}{order}{'; one cluster that runs the pods is enough' if several else ''}"


def _reason_row(shared: SharedReason, one: Placement) -> Row:
    verdict, names = shared.pools[0].verdict, [pool.pool for pool in shared.pools]
    nodes = {node for answer in one.answers for node in answer.nodes}
    what = f"{len(names):,} {'nodes' if nodes.issuperset(names) else 'pools'}" if len(names) > 1 else names[0]
    return Row((f"{MARKS[verdict]} {what}", shared.of_each), TONES[verdict], (), (listed(names, _NAMED),) if len(names) > 1 else ())


def _waiting(one: Placement) -> Iterator[Row]:
    """The counts of clusters that run some of several pods, and why the others stay Pending."""
    for explained in one.group:
        count, workload = explained.count, explained.answer.workload
        pending = [reason for reason in count.pending if reason.kind is not PendingReason.NO_POOL]
        if workload.is_daemon or count.verdict is Outcome.FITS or not pending:
            continue
        within = f"`{explained.answer.cluster}`: " if len(one.group) > 1 else ""
        reasons = [
            f"{pods(Amount(reason.minimum, reason.maximum))} Pending: {reason.message}{f' (fix: {reason.fix})' if reason.fix else ''}"
            for reason in pending
        ]
        yield Row((f"{within}{count} {'is' if count.wanted == 1 else 'are'} scheduled",), reasons=tuple(reasons))


def _warnings(found: Sequence[Placement]) -> Iterator[Section]:
    """What can go wrong with pods that are scheduled. Where others are not, whether an image fits the machine is a detail."""
    every = dict.fromkeys(warning for one in found for each in one.answers for warning in each.warnings)
    alike = grouped((replace(warning, pools=()), warning) for warning in every)
    rows: list[Row] = []
    for first, *others in alike.values():
        same = f"; so it is with {quoted([pool for each in others for pool in each.pools], _FEW)}" if others else ""
        is_detail = first.kind is WarningKind.ARCHITECTURE and any(one.verdict is not Outcome.FITS for one in found)
        rows.append(Row((f"{first.message}{same}",), Tone.CAUTION, (f"fix: {first.fix}",), (first.source,), is_detail=is_detail))
    yield Section("Warnings", tuple(rows))


@dataclass(frozen=True, slots=True)
class _PoolRow:
    """A pool with its answer, or several nodes with the same one."""

    evaluated: PoolVerdict
    answer: Answer
    reasons: tuple[str, ...]
    """With the smallest change after which the pod fits."""
    others: int = 0
    """The number of other nodes that this row stands for."""

    @property
    def row(self) -> Row:
        """The pool with its first reason; the others are details."""
        first, *more = self.reasons
        return Row(
            (f"{MARKS[self.evaluated.verdict]} {and_others(self.evaluated.pool, self.others)}", first), TONES[self.evaluated.verdict], (), tuple(more)
        )

    @property
    def in_full(self) -> Row:
        """The pool with all reasons below it."""
        return Row((f"{MARKS[self.evaluated.verdict]} {and_others(self.evaluated.pool, self.others)}",), TONES[self.evaluated.verdict], self.reasons)


def _rows(explained: Explained, verdict: Verdict) -> Iterator[_PoolRow]:
    """The pools with a verdict; one row for nodes with the same reasons, in the place of the first."""
    answer = explained.answer
    found: dict[tuple[str, tuple[str, ...]], list[PoolVerdict]] = {}
    for pool in explained.shown:
        if pool.verdict is verdict:
            reasons = tuple(line.replace(f"`{pool.pool}`", _EACH) for line in _reasons(pool, answer)) if pool.pool in answer.nodes else ()
            found.setdefault(("", reasons) if reasons else (pool.pool, ()), []).append(pool)
    for (_, reasons), (first, *others) in found.items():
        yield _PoolRow(first, answer, reasons if others and reasons else tuple(_reasons(first, answer)), len(others))


def _reasons(evaluated: PoolVerdict, answer: Answer) -> list[str]:
    if evaluated.verdict is Verdict.FITS:
        choice = "one pod on each node" if answer.workload.is_daemon else answer.ranks[evaluated.pool].why
        return [choice, *(reason.message for reason in evaluated.reasons)]
    fix = answer.fix(evaluated)
    change = f"→ {fix}{' (whether it then fits is unknown offline)' if fix.verdict is Verdict.UNKNOWN else ''}" if fix is not None else ""
    mark = f"{MARKS[Verdict.UNKNOWN]} " if evaluated.verdict is Verdict.CANNOT else ""  # for an uncertain reason next to a certain one
    reasons = [f"{mark if reason.verdict is Verdict.UNKNOWN else ''}{reason.message}" for reason in evaluated.reasons]
    return [*reasons, *([change] if change else [])]


def _requests(workload: Workload) -> str:
    """`4 cpu, 16Gi memory, nvidia.com/gpu 1`."""
    ordered = sorted(workload.pod.requests, key=lambda item: (_COMMON.index(item[0]) if item[0] in _COMMON else len(_COMMON), item[0]))
    each = [f"{spelled(name, amount)} {name}" if name in _COMMON else f"{name} {spelled(name, amount)}" for name, amount in ordered]
    return ", ".join(each) if each else "nothing"

"""What `nodepools explain --without` answers: which workloads survive a loss, and the table of workloads and single losses."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.cli.explain.matrix import narrow
from nodepools.cli.explain.outcome import MARKS, TONES, WORST, Placement, shortfalls
from nodepools.cli.output.report import Act, Report, Row, Section, Step, command, lines_of
from nodepools.model.listing import counted, listed
from nodepools.placement.verdict import Verdict
from nodepools.replicas.count import Outcome
from nodepools.replicas.losses import EACH, Loss

_NAMED: Final = 3
_LEGEND: Final = "✔ all pods run without it   ✘ some stay Pending   ? unknown offline   4-6/9 at least 4 of 9 pods"
HARMED: Final = "The loss harms"
EXPOSED: Final = "The loss can harm"
SHORT: Final = "Short or unknown before the loss, too"
FIT: Final = "Unharmed"
_SAID: Final = {HARMED: "the loss harms {:,}", EXPOSED: "the loss can harm {:,}", SHORT: "short or unknown before it, too", FIT: "{:,} unharmed"}
"""How the first line says the number of each."""
_SHOWN: Final = {Outcome.FITS: Verdict.FITS, Outcome.UNKNOWN: Verdict.UNKNOWN, Outcome.PARTLY: Verdict.CANNOT, Outcome.CANNOT: Verdict.CANNOT}


def by_loss(found: Iterable[Placement]) -> dict[str, list[Placement]]:
    """What the loss harms, for certain or perhaps, apart from what did not fit before it; empty without a loss."""
    pairs = [(_part(one, one.before), one) for one in found if one.before is not None]
    return {part: [one for of, one in pairs if of == part] for part in _SAID} if pairs else {}


def _part(one: Placement, before: Placement) -> str:
    """The loss harms a workload if it keeps more of its pods Pending."""
    if one.verdict is Outcome.FITS:
        return FIT
    (least, most), (least_before, most_before) = missing(one), missing(before)
    is_worse = WORST.index(one.verdict) < WORST.index(before.verdict) or least > least_before or most > most_before
    return HARMED if least > most_before else EXPOSED if is_worse else SHORT


def missing(one: Placement) -> tuple[int, int]:
    """The number of pods that stay Pending, at least and at most."""
    count = one.count
    most = count.wanted if count.scheduled.maximum is None else count.scheduled.maximum
    return max(count.wanted - most, 0), max(count.wanted - count.scheduled.minimum, 0)


def after_the_loss(found: Sequence[Placement], parts: Mapping[str, Sequence[Placement]]) -> str:
    """The first line about several workloads, in the parts of `by_loss`."""
    none = [] if parts[HARMED] or parts[EXPOSED] else ["the loss harms none"]
    told = [f"{_SAID[part].format(len(those))}: {_named(part, those)}" for part, those in parts.items() if those]
    return "; ".join([f"of {counted(len(found), 'workload')}, {'; '.join([*none, *told])}", *shortfalls(found)])


def _named(part: str, found: Sequence[Placement]) -> str:
    """The names; of those that the loss harms, it says which were short before it."""
    old = [one for one in found if part in (HARMED, EXPOSED) and one.before is not None and one.before.verdict is not Outcome.FITS]
    was = "was" if len(old) == 1 else "were"
    names = listed(_names([*(one for one in found if one not in old), *old]), _NAMED)
    return f"{names} ({listed(_names(old), _NAMED)} {was} short before it)" if old else names


def before_the_loss(one: Placement) -> str:
    """What a workload does without the loss, unless it runs on the same pool."""
    before = one.before
    if before is None or (one.verdict is Outcome.FITS and (not before.choices or before.choices[0] in one.choices)):
        return ""
    return "; the same without the loss" if before.told_briefly == one.told_briefly else f"; without the loss, it {before.told_briefly}"


def whole(again: str) -> str:
    """The command without a loss."""
    return re.sub(r" --without[ =]('[^']*'|\S+)", "", again)


Group = tuple[Loss, Sequence[Placement]]
"""The answers without one capacity."""


def report_of_each(about: str, whole: Sequence[Placement], groups: Sequence[Group], unzoned: Sequence[str], again: str) -> Report:
    """The report on single losses; `whole` are the answers without any, and `unzoned` the pools whose zones are not known."""
    fitting = [one for one in whole if one.verdict is Outcome.FITS and not one.is_empty]
    rows = {_key(one): [next(other for other in group if _key(other) == _key(one)) for _, group in groups] for one in fitting}
    exposed = [one for one in fitting if any(left.verdict is not Outcome.FITS for left in rows[_key(one)])]
    failing = {_key(one): [loss for (loss, _), left in zip(groups, rows[_key(one)], strict=True) if _fails(left)] for one in exposed}
    others = [one for one in whole if one not in fitting and not one.is_empty]
    answer = "; ".join([*_survivals(fitting, [loss for loss, _ in groups], rows), *_without_a_loss(others)])
    hidden = lines_of("", *[f"not known: the zones of the nodes of {listed(unzoned, _NAMED)}"][: len(unzoned)])
    sections = (*_sections(groups, fitting, exposed, rows), hidden)
    return Report(about, answer or "no workload has pods", tuple(_next(exposed, failing, others, again)), sections)


def _key(one: Placement) -> tuple[str, object]:
    return one.stack, one.workload.identity


def _fails(one: Placement) -> bool:
    return one.verdict in (Outcome.PARTLY, Outcome.CANNOT)


def _names(found: Sequence[Placement]) -> list[str]:
    return [f"{one.workload.shown}{f' in {one.stack}' if one.stack else ''}" for one in found]


def _survivals(fitting: Sequence[Placement], losses: Sequence[Loss], rows: Mapping[tuple[str, object], Sequence[Placement]]) -> Iterator[str]:
    """How many losses each workload survives, those that survive fewest first."""
    count = f"{len(losses):,} simulated loss{'es' * (len(losses) != 1)}"
    survived = {_key(one): sum(left.verdict is Outcome.FITS for left in rows[_key(one)]) for one in fitting}
    exposed = sorted((one for one in fitting if survived[_key(one)] < len(losses)), key=lambda one: survived[_key(one)])
    if not exposed:
        many = len(fitting) > 1
        yield from [f"{'all ' * many}{counted(len(fitting), 'workload')} survive{'s' * (not many)} each of {count}"] if fitting else []
        return
    told = [f"{_names([one])[0]} survives {survived[_key(one)]:,} ({_exceptions(losses, rows[_key(one)])})" for one in exposed[:_NAMED]]
    more, safe = len(exposed) - _NAMED, len(fitting) - len(exposed)
    told += [f"{more:,} more do not survive all"] if more > 0 else []
    told += [f"{counted(safe, 'workload')} survive{'s' * (safe == 1)} all"] if safe else []
    yield f"of {count}, {', '.join(told)}"


def _exceptions(losses: Sequence[Loss], after: Sequence[Placement]) -> str:
    """The losses that a workload does not survive, and those for which that is not known."""
    fatal = [loss.words for loss, left in zip(losses, after, strict=True) if _fails(left)]
    unknown = [loss.words for loss, left in zip(losses, after, strict=True) if left.verdict is Outcome.UNKNOWN]
    parts = (("not", fatal), ("unknown", unknown))
    return "; ".join(f"{word} without {listed(names, _NAMED)}" for word, names in parts if names)


def _without_a_loss(others: Sequence[Placement]) -> Iterator[str]:
    """What is not a matter of losses."""
    pending, unknown = [one for one in others if _fails(one)], [one for one in others if not _fails(one)]
    if pending:
        yield f"pods of {listed(_names(pending), _NAMED)} stay Pending even without a loss"
    if unknown:
        yield f"{listed(_names(unknown), _NAMED)}: unknown even without a loss"


def _next(
    exposed: Sequence[Placement], failing: Mapping[tuple[str, object], Sequence[Loss]], others: Sequence[Placement], again: str
) -> Iterator[Step]:
    worst = next((loss for one in exposed for loss in failing[_key(one)]), None)
    if worst is not None:
        yield command(re.sub(rf"(?<=--without[ =]){EACH}\b", f"{worst}", again), Act.NONE, "shows the reasons, and the changes that help")
    if others:
        yield command(whole(again), Act.NONE, f"shows why {listed(_names(others), _NAMED)} do{'es' * (len(others) == 1)} not fit")


def _sections(
    groups: Sequence[Group], fitting: Sequence[Placement], exposed: Sequence[Placement], rows: Mapping[tuple[str, object], Sequence[Placement]]
) -> Iterator[Section]:
    cells = {str(loss): tuple(_cell(rows[_key(one)][number]) for one in exposed) for number, (loss, _) in enumerate(groups)}
    harmful = {loss: marks for loss, marks in cells.items() if any(mark != MARKS[Verdict.FITS] for mark in marks)}
    table = narrow(_names(exposed), harmful, pools_are_rows=len(harmful) >= len(exposed)) if exposed else None
    safe, harmless = [one for one in fitting if one not in exposed], [loss for loss in cells if loss not in harmful]
    folded = [f"✔ {counted(len(safe), 'workload')} survive{'s' * (len(safe) == 1)} each loss: {listed(_names(safe), _NAMED)}"] if safe else []
    without = f"✔ {counted(len(fitting), 'workload')} survive{'s' * (len(fitting) == 1)} without {listed(harmless, _NAMED)}"
    folded += [without] if harmless and fitting else []
    heads, shown = table if table is not None else ((), [])
    yield Section("Workloads and losses", (*map(Row, shown), *(Row((line,)) for line in (*folded, *[_LEGEND][: len(shown)]))), heads)
    reasons = [
        Row((f"{MARKS[_SHOWN[left.verdict]]} {name} without {loss}", left.reason), TONES[_SHOWN[left.verdict]], is_detail=table is not None)
        for one, name in zip(exposed, _names(exposed), strict=True)
        for (loss, _), left in zip(groups, rows[_key(one)], strict=True)
        if left.verdict is not Outcome.FITS
    ]
    yield Section("Why", tuple(reasons))
    saved = [
        Row((f"{name} without {loss}", f"{listed(left.choices, _NAMED)} instead of {listed(one.choices, _NAMED)}"))
        for one, name in zip(fitting, _names(fitting), strict=True)
        for (loss, _), left in zip(groups, rows[_key(one)], strict=True)
        if left.verdict is Outcome.FITS and one.choices and one.choices[0] not in left.choices
    ]
    yield Section("Where they run instead", tuple(saved), is_detail=True)


def _cell(one: Placement) -> str:
    """A mark, or the number of pods if only some are certain to run."""
    count = one.count
    if one.workload.is_daemon or count.wanted == 1 or one.verdict in (Outcome.FITS, Outcome.CANNOT):
        return MARKS[_SHOWN[one.verdict]]
    least, most = count.scheduled.minimum, count.scheduled.maximum
    return f"{MARKS[_SHOWN[one.verdict]]} {least if least == most else f'{least}-{most}'}/{count.wanted}"


def to_json(groups: Sequence[Group]) -> list[Mapping[str, object]]:
    """As printed by `explain --without each --format json`: the workloads after each single loss."""
    fields: Callable[[Placement], dict[str, object]] = Placement.to_json
    return [{"without": str(loss), "workloads": [fields(one) for one in group]} for loss, group in groups]

"""Asks every rule about every part of a declaration."""

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from types import NoneType
from typing import TypeAlias, cast

from nodepools.model.argument_errors import misplaced
from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.unknowns import NotKnownError
from nodepools.rules.finding import NOT_GIVEN, Finding, PartFinding, Texts
from nodepools.rules.finding_text import PYTHON, located, rendered
from nodepools.rules.fix import fix_of, sentence
from nodepools.rules.fix_trial import tried
from nodepools.rules.path import Step, spelled
from nodepools.rules.registry import Rule, all_rules

Given: TypeAlias = tuple[int | None, ...]
"""For each further parameter of a rule, which holder it is: by its place among them, `_TODAY` for the day, `None` for one that may be missing."""
_TODAY = -1
_PARTS = (Model, tuple, dict)


@dataclass(frozen=True, slots=True)
class PartLocation:
    """A part where it stands. One object may stand in two places, so paths are never looked up by the object alone."""

    part: Model
    steps: tuple[Step, ...]
    holders: tuple["PartLocation", ...]
    """What it is part of, the innermost first."""


class RuleFailedError(Exception):
    """A rule of a team raised an exception."""

    def __init__(self, rule: Rule, error: Exception) -> None:
        """`rule` raised `error`."""
        self.rule = rule
        file = rule.find.__code__.co_filename
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        place = f"{str(rule.place).rpartition(':')[0]}:{lines[-1]}" if lines else rule.place
        super().__init__(f"{place}: the rule {rule.code} {rule.name} raised {type(error).__name__}: {' '.join(str(error).split())}")

    @property
    def finding(self) -> Finding:
        """Itself as a finding of the rule, where nothing else can be told."""
        return Finding(self.rule.code, self.rule.severity, "", None, str(self), fix_of("Correct the rule"), self.rule.source)


def check(
    whole: Model,
    path: str = "",
    today: date | None = None,
    *,
    own: bool = True,
    failed: Callable[[RuleFailedError], None] | None = None,
    fixes: bool = True,
) -> list[Finding]:
    """Everything that the rules find in `whole`, in the order of the declaration. Operations of fixes were tried on a copy.

    Args:
        whole: a platform, or any part of one: rules that need more around it are not asked.
        path: where `whole` stands, to begin every path with.
        today: the day for which it is judged; support of versions ends.
        own: rules of teams are asked too, where they were imported.
        failed: is called with each rule of a team that raises an exception; all others are still asked.
        fixes: try the operations of fixes. `False` is faster, for callers that read no fix.

    Raises:
        TypeError: `whole` is not a part of a declaration.
        RuleFailedError: a rule of a team raises an exception, and nothing is to be called with it.
    """
    if not isinstance(whole, Model):  # pyright: ignore[reportUnnecessaryIsInstance]  # scripts are not always type-checked
        raise TypeError(misplaced("check()", "a Platform, or a part of one", whole))
    if is_faulty(whole):
        from nodepools.rules.invalid_declarations import findings_of  # only faulty parts need the words

        return findings_of(whole, path, today, own=own, failed=failed)
    day = today if today is not None else date.today()  # noqa: DTZ011  # the day where people are
    found = untried(whole, path, day, own=own, failed=failed)
    return tried(found, whole, lambda model: untried(model, path, day, own=own, failed=_again)) if fixes else found


def untried(whole: Model, path: str, day: date, *, own: bool = True, failed: Callable[[RuleFailedError], None] | None = None) -> list[Finding]:
    """The same, with fixes that nobody has tried, for a declaration without findings of shape."""
    known = len(all_rules())
    found: list[tuple[tuple[int, ...], Finding]] = []
    for place in _places(whole, (), ()):
        for rule, given in _asked((type(place.part), *(type(holder.part) for holder in place.holders)), day, known):
            if rule.place is not None and not own:
                continue
            for finding, steps in _answers(rule, given, place, day) if rule.place is None else _guarded(rule, given, place, day, failed):
                found.append(_located(finding, steps, rule, whole, path))  # most rules find nothing: no comprehension is made for them
    found.sort(key=lambda one: (one[0], one[1].code))
    return [finding for _, finding in found]


def _again(_: RuleFailedError) -> None:
    """Of a copy on which a fix is tried nothing is told."""


@cache
def _asked(kinds: tuple[type[Model], ...], day: date, known: int) -> Sequence[tuple[Rule, Given]]:
    """The rules that are checked on `day` for a part of the first of `kinds` within holders of the others, and what each is given.

    This depends on the types alone, so it is found once for a program that checks a thousand declarations; anew once more rules are `known`.
    """
    del known
    return [(rule, given) for rule in all_rules().values() if rule.holds_on(day) and (given := _given(rule, kinds)) is not None]


def _given(rule: Rule, kinds: tuple[type[Model], ...]) -> Given | None:
    """What a rule is given of a part and its holders, which are of `kinds`; `None` where something that it needs is not around."""
    part, *holders = kinds
    if not issubclass(part, rule.about[0]):
        return None
    given: list[int | None] = []
    for wanted in rule.about[1:]:
        at = _TODAY if wanted == (date,) else next((index for index, holder in enumerate(holders) if issubclass(holder, wanted)), None)
        if at is None and NoneType not in wanted:
            return None
        given.append(at)
    return tuple(given)


def _answers(rule: Rule, given: Given, place: PartLocation, day: date) -> Sequence[tuple[PartFinding, tuple[Step, ...]]]:
    """What `rule` says of what stands at `place`, and where that is; nothing where something that it needs is not known."""
    around = [None if at is None else day if at == _TODAY else place.holders[at].part for at in given] if given else ()
    found: list[PartFinding] = []
    try:
        for finding in rule.find(place.part, *around):
            found.append(finding)  # noqa: PERF402  # what it has said before something is not known rests on what is known
    except NotKnownError:
        pass
    if not found:
        return ()
    times: Counter[int] = Counter()
    answers: list[tuple[PartFinding, tuple[Step, ...]]] = []
    for finding in found:
        answers.append((finding, _steps_to(finding.of, times[id(finding.of)], place)))
        times[id(finding.of)] += 1
    return answers


def _guarded(
    rule: Rule, given: Given, place: PartLocation, day: date, failed: Callable[[RuleFailedError], None] | None
) -> Sequence[tuple[PartFinding, tuple[Step, ...]]]:
    """The answers of a rule of a team, whose mistakes are told by file and line."""
    try:
        return _answers(rule, given, place, day)
    except Exception as error:  # whatever the function of a team raises
        failure = RuleFailedError(rule, error)
        if failed is None:
            raise failure from error
        failed(failure)
        return ()


def _steps_to(part: Model, nth: int, place: PartLocation) -> tuple[Step, ...]:
    """Where `part` stands: within what was judged, or else within what holds that; for the `nth` time it is named."""
    if part is place.part:
        return place.steps
    for around in (place, *place.holders):
        places = [within.steps for within in _places(around.part, around.steps, ()) if within.part is part]
        if places:
            return places[min(nth, len(places) - 1)]
    msg = f"a rule named a {type(part).__name__} that is no part of the declaration"
    raise LookupError(msg)


def _located(finding: PartFinding, start: tuple[Step, ...], rule: Rule, whole: Model, path: str) -> tuple[tuple[int, ...], Finding]:
    steps = start + finding.at
    order: list[int] = []
    value: object = whole
    for step in steps:
        inside = dict(_inside(value))
        order.append(list(inside).index(step) if step in inside else len(inside))
        value = inside.get(step)
    value = value if finding.value is NOT_GIVEN else finding.value
    texts = _texts(finding, whole, start)
    message, fix = rendered(texts.message, PYTHON), texts.fix.spelled(PYTHON) if texts.fix is not None else None
    return tuple(order), Finding(rule.code, rule.severity, spelled(steps, path), value, message, fix, rule.source, steps=steps, texts=texts)


def _texts(finding: PartFinding, whole: Model, start: tuple[Step, ...]) -> Texts:
    """What is said, with all references and operations from the top of the declaration."""

    def place(of: str | None) -> tuple[Step, ...] | None:
        return start if of is None else _enclosing(whole, start, of)

    fix = finding.fix
    if fix is not None:
        operations = [(one, place(one.of.__name__ if one.of is not None else None)) for one in fix.operations]
        known = all(above is not None for _, above in operations)  # a part alone does not have what encloses it
        placed = tuple(replace(one, path=(*above, *one.path), of=None) for one, above in operations if above is not None)
        fix = replace(fix, text=located(fix.text if fix.text else sentence(fix.operations), place), operations=placed if known else ())
    return Texts(located(finding.message, place), fix, has_own_fix_text=finding.fix is not None and bool(finding.fix.text))


def _enclosing(whole: Model, steps: tuple[Step, ...], of: str) -> tuple[Step, ...] | None:
    """Where the innermost part of the class `of` is that encloses what is at `steps`."""
    found, here = None, cast("object", whole)
    for number in range(len(steps) + 1):
        if isinstance(here, Model) and any(kind.__name__ == of for kind in type(here).__mro__):
            found = steps[:number]
        if number < len(steps):
            here = dict(_inside(here)).get(steps[number])
    return found


def _places(part: object, steps: tuple[Step, ...], holders: tuple[PartLocation, ...]) -> Iterator[PartLocation]:
    if isinstance(part, Model):
        place = PartLocation(part, steps, holders)
        yield place
        holders = (place, *holders)
    for step, value in _inside(part):
        if value and isinstance(value, _PARTS):  # most fields are empty
            yield from _places(cast("object", value), (*steps, step), holders)


def _inside(part: object) -> Iterable[tuple[Step, object]]:
    if isinstance(part, Model):
        held = vars(part)
        return ((name, held[name]) for name in type(part).model_fields)
    if isinstance(part, dict):
        return cast("Mapping[str, object]", part).items()
    return enumerate(cast("Sequence[object]", part)) if isinstance(part, tuple) else ()

"""Runs every rule on every part of a declaration."""

import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import cast

from nodepools.model.argument_errors import misplaced
from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.listing import with_article
from nodepools.model.unknowns import NotKnownError
from nodepools.rules.accepted_errors import with_acceptances
from nodepools.rules.applicable_rules import TODAY, Arguments, rules_of
from nodepools.rules.baseline import raised
from nodepools.rules.finding import NOT_GIVEN, Finding, PartFinding, Texts, without_secrets
from nodepools.rules.finding_text import PYTHON, located, rendered
from nodepools.rules.fix import fix_of, sentence
from nodepools.rules.fix_trial import Outcome, tried, without_untried
from nodepools.rules.path import Step, children, spelled, value_at
from nodepools.rules.raised_errors import described, is_interrupt
from nodepools.rules.registry import Rule, all_rules

_PARTS = (Model, tuple, dict)


@dataclass(frozen=True, slots=True)
class PartLocation:
    """A part at its path. One object can be at two paths, so a path is never looked up by the object alone."""

    part: Model
    steps: tuple[Step, ...]
    parents: tuple["PartLocation", ...]
    """The parts that contain it, the innermost first."""


class _Checked:
    """All parts of a declaration, in order, and the day for which they are checked."""

    def __init__(self, declaration: Model, day: date) -> None:
        self.day = day
        self.all: Sequence[PartLocation] = tuple(_locations(declaration, (), ()))

    def steps_to(self, part: Model, nth: int, start: PartLocation) -> tuple[Step, ...]:
        """The path of `part` inside the part at `start`, or inside the closest parent; for the `nth` finding about the same object."""
        if part is start.part:
            return start.steps
        paths = self._by_part.get(id(part), ())
        for enclosing in (start, *start.parents):
            inside = [steps for steps in paths if steps[: len(enclosing.steps)] == enclosing.steps]
            if inside:
                return inside[min(nth, len(inside) - 1)]
        msg = f"a rule returned a finding about {with_article(type(part).__name__)} that is not part of the declaration"
        raise LookupError(msg)

    @cached_property
    def _by_part(self) -> Mapping[int, Sequence[tuple[Step, ...]]]:
        """The paths of each part, by its identity."""
        paths: dict[int, list[tuple[Step, ...]]] = {}
        for location in self.all:
            paths.setdefault(id(location.part), []).append(location.steps)
        return paths


class RuleFailedError(Exception):
    """An own rule of a team raised an exception."""

    def __init__(self, rule: Rule, error: BaseException) -> None:
        """`rule` raised `error`."""
        self.rule = rule
        file = rule.function.__code__.co_filename
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        place = f"{str(rule.place).rpartition(':')[0]}:{lines[-1]}" if lines else rule.place
        super().__init__(f"{place}: the rule {rule.code} {rule.name} raised {described(error)}")

    @property
    def finding(self) -> Finding:
        """The failure as a finding of the rule, for outputs that have findings only."""
        return Finding(self.rule.code, self.rule.severity, "", None, str(self), fix_of("Correct the rule"), self.rule.source)


def check(
    declaration: Model,
    path: str = "",
    today: date | None = None,
    *,
    own: bool = True,
    failed: Callable[[RuleFailedError], None] | None = None,
    fixes: bool = True,
) -> list[Finding]:
    """All findings of the rules, in the order of the declaration. The operations of fixes were tried on a copy.

    Args:
        declaration: a platform, or any part of one; rules that need a parent of that part are skipped.
        path: a prefix for every path.
        today: check the declaration as of this day; the support of versions ends.
        own: also run own rules of teams that were imported.
        failed: called for each own rule that raises an exception; the other rules still run.
        fixes: try the operations of fixes. `False` is faster: fixes that have operations are omitted.

    Raises:
        TypeError: `declaration` is not a part of a declaration.
        RuleFailedError: an own rule raises an exception, and `failed` is not set.
    """
    if not isinstance(declaration, Model):  # pyright: ignore[reportUnnecessaryIsInstance]  # scripts are not always type-checked
        raise TypeError(misplaced("check()", "a Platform, or a part of one", declaration))
    if is_faulty(declaration):
        from nodepools.rules.invalid_declarations import findings_of  # needed for invalid parts only

        return findings_of(declaration, path, today, own=own, failed=failed)
    day = today if today is not None else date.today()  # noqa: DTZ011  # the local day of the user
    found = untried(declaration, path, day, own=own, failed=failed)
    report = tried(found, declaration, lambda model: _outcomes(model, day, own=own)) if fixes else without_untried(found)
    return without_secrets(with_acceptances(report, declaration, path), declaration)


def untried(declaration: Model, path: str, day: date, *, own: bool = True, failed: Callable[[RuleFailedError], None] | None = None) -> list[Finding]:
    """The same without trying fixes, for a declaration without schema errors."""
    found = [_located(finding, steps, rule, declaration, path) for finding, steps, rule in _found(declaration, day, own=own, failed=failed)]
    found.sort(key=lambda row: (row[0], row[1].code))
    return [finding for _, finding in found]


def _outcomes(declaration: Model, day: date, *, own: bool) -> list[Outcome]:
    """The same as codes and severities, for copies on which fixes are tried: their texts are not read."""
    found = _found(declaration, day, own=own, failed=_ignore_failure)
    return [(rule.code, raised(rule.code, rule.severity, declaration)) for _, _, rule in found]


def _found(
    declaration: Model, day: date, *, own: bool, failed: Callable[[RuleFailedError], None] | None
) -> Iterator[tuple[PartFinding, tuple[Step, ...], Rule]]:
    """Each finding with the path of its part and its rule."""
    rules = rules_of(day, len(all_rules()))
    checked = _Checked(declaration, day)
    for location in checked.all:
        for rule, arguments in rules.applicable((type(location.part), *(type(parent.part) for parent in location.parents))):
            if rule.place is not None and not own:
                continue
            here = _placed(rule, arguments, location, checked) if rule.place is None else _guarded(rule, arguments, location, checked, failed)
            for finding, steps in here:  # most rules find nothing
                yield finding, steps, rule


def _ignore_failure(_: RuleFailedError) -> None:
    """Failures on a copy, on which a fix is tried, are not reported."""


def _placed(rule: Rule, arguments: Arguments, location: PartLocation, checked: _Checked) -> Sequence[tuple[PartFinding, tuple[Step, ...]]]:
    """The findings of `rule` about the part at `location`, each with the path of its part; none from where the rule needs an unknown value."""
    further = [None if index is None else checked.day if index == TODAY else location.parents[index].part for index in arguments] if arguments else ()
    found: list[PartFinding] = []
    try:
        for finding in rule.function(location.part, *further):
            found.append(finding)  # noqa: PERF402  # findings yielded before NotKnownError remain valid
    except NotKnownError:
        pass
    if not found:
        return ()
    times: Counter[int] = Counter()
    placed: list[tuple[PartFinding, tuple[Step, ...]]] = []
    for finding in found:
        placed.append((finding, checked.steps_to(finding.of, times[id(finding.of)], location)))
        times[id(finding.of)] += 1
    return placed


def _guarded(
    rule: Rule, arguments: Arguments, location: PartLocation, checked: _Checked, failed: Callable[[RuleFailedError], None] | None
) -> Sequence[tuple[PartFinding, tuple[Step, ...]]]:
    """The findings of an own rule, whose exceptions are reported with file and line."""
    try:
        return _placed(rule, arguments, location, checked)
    except BaseException as error:
        if is_interrupt(error):
            raise
        failure = RuleFailedError(rule, error)
        if failed is None:
            raise failure from error
        failed(failure)
        return ()


def _located(finding: PartFinding, start: tuple[Step, ...], rule: Rule, declaration: Model, path: str) -> tuple[tuple[int, ...], Finding]:
    steps = start + finding.at
    order: list[int] = []
    value: object = declaration
    for step in steps:
        inside = dict(children(value))
        order.append(list(inside).index(step) if step in inside else len(inside))
        value = inside.get(step)
    value = value if finding.value is NOT_GIVEN else finding.value
    texts = _texts(finding, declaration, start)
    message, fix = rendered(texts.message, PYTHON), texts.fix.spelled(PYTHON) if texts.fix is not None else None
    place, severity = spelled(steps, path), raised(rule.code, rule.severity, declaration)
    return tuple(order), Finding(rule.code, severity, place, value, message, fix, rule.source, steps=steps, texts=texts, in_python=True)


def _texts(finding: PartFinding, declaration: Model, start: tuple[Step, ...]) -> Texts:
    """Message and fix, with references and operations that start at the top of the declaration."""

    def place(part: str | None) -> tuple[Step, ...] | None:
        return start if part is None else _enclosing(declaration, start, part)

    fix = finding.fix
    if fix is not None:
        operations = [(operation, place(operation.of.__name__ if operation.of is not None else None)) for operation in fix.operations]
        known = all(above is not None for _, above in operations)  # a part that is checked alone has no parents
        placed = tuple(replace(operation, path=(*above, *operation.path), of=None) for operation, above in operations if above is not None)
        fix = replace(fix, text=located(fix.text if fix.text else sentence(fix.operations), place), operations=placed if known else ())
    return Texts(located(finding.message, place), fix, has_own_fix_text=finding.fix is not None and bool(finding.fix.text))


def _enclosing(declaration: Model, steps: tuple[Step, ...], part: str) -> tuple[Step, ...] | None:
    """The path of the innermost part of the class `part` on the way to `steps`."""
    enclosing = (steps[:length] for length in range(len(steps), -1, -1))
    return next((above for above in enclosing if any(kind.__name__ == part for kind in type(value_at(declaration, above)).__mro__)), None)


def _locations(value: object, steps: tuple[Step, ...], parents: tuple[PartLocation, ...]) -> Iterator[PartLocation]:
    if isinstance(value, Model):
        location = PartLocation(value, steps, parents)
        yield location
        parents = (location, *parents)
    for step, inner in children(value):
        if inner and isinstance(inner, _PARTS):  # most fields are empty
            yield from _locations(cast("object", inner), (*steps, step), parents)

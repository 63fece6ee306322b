"""Runs every rule on every part of a declaration."""

import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, cached_property
from types import NoneType
from typing import Final, NamedTuple, TypeAlias, cast

from nodepools.data.version_support import day_or_today
from nodepools.model.base import Model
from nodepools.model.invalid_parts import declared_class, error_of, is_faulty
from nodepools.model.listing import grouped, listed, with_article
from nodepools.model.path import Operation, child, children, path_text, value_at
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.ref import misplaced
from nodepools.model.steps import Step
from nodepools.model.unknowns import NotKnownError, unread
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.baseline import effective_severity
from nodepools.rules.engine.codes import IGNORE_CODES
from nodepools.rules.engine.finding import (
    NOT_GIVEN,
    PYTHON,
    DeclarationError,
    Finding,
    Fix,
    PartFinding,
    Severity,
    Texts,
    anchor_refs,
    applied,
    fix_of,
    ref,
    render_refs,
    sentence,
    without_secrets,
)
from nodepools.rules.engine.own_rules import described, is_interrupt
from nodepools.rules.engine.registry import Rule, all_rules, known, not_a_code

Arguments: TypeAlias = tuple[int | None, ...]
"""The argument for each further parameter of a rule: the index of a parent, `TODAY` for the day, `None` for a missing optional parent."""
TODAY: Final = -1


class RulesOfDay:
    """The rules that apply on a day. Which of them apply to a part depends on types only, so it is remembered: programs check many declarations."""

    def __init__(self, day: date) -> None:
        self._by_checked_types = grouped((rule.parameter_types[0], rule) for rule in all_rules().values() if rule.holds_on(day))
        self._known: dict[tuple[type[Model], ...], Sequence[tuple[Rule, Arguments]]] = {}

    def applicable(self, kinds: tuple[type[Model], ...]) -> Sequence[tuple[Rule, Arguments]]:
        """The rules for a part of the first of `kinds` with parents of the other kinds, and the arguments of each."""
        found = self._known.get(kinds)
        if found is None:
            rules = [rule for checked, rules in self._by_checked_types.items() if issubclass(kinds[0], checked) for rule in rules]
            found = self._known[kinds] = [(rule, arguments) for rule in rules if (arguments := _arguments(rule, kinds)) is not None]
        return found


@cache
def rules_of(day: date, known: int) -> RulesOfDay:
    """The rules of a day. `known`, the number of rules, is part of the key: rules can be registered between two checks."""
    del known
    return RulesOfDay(day)


def _arguments(rule: Rule, kinds: tuple[type[Model], ...]) -> Arguments | None:
    """Selects the arguments of a rule of a part among its parents; both have the types `kinds`. `None` if a required one is missing."""
    _, *parents = kinds
    _, *further = rule.parameter_types
    arguments: list[int | None] = []
    for types in further:
        index = TODAY if types == (date,) else next((index for index, parent in enumerate(parents) if issubclass(parent, types)), None)
        if index is None and NoneType not in types:
            return None
        arguments.append(index)
    return tuple(arguments)


Outcome: TypeAlias = tuple[str, Severity]
"""The code and the severity of a finding."""
Again: TypeAlias = Callable[[Model], Sequence[Outcome]]
"""Checks a declaration, without trying fixes."""
_TRIED_ALONE: Final = 8
"""If a rule has more fixes than this, they are first tried together."""
_FAILURES: Final = 32
"""After this many failed trials, the remaining fixes of a rule are not offered: trying them would take minutes and rarely help."""

_NAMED: Final = 3


def keep_fixes_that_help(found: list[Finding], declaration: Model, again: Again) -> list[Finding]:
    """`found`, without fixes that do not clear their finding, or that cause another one that is as severe.

    Args:
        found: the findings of `declaration`.
        declaration: what was checked.
        again: repeats the check on a copy.
    """
    trial = _Trial(declaration, again, Counter(candidate.code for candidate in found))
    by_code = grouped((candidate.code, candidate) for candidate in found if _suggested(candidate))
    helping = {id(candidate) for group in by_code.values() for candidate in _helping(trial, group)}
    return [candidate if id(candidate) in helping else _without_untried(candidate) for candidate in found]


@dataclass(frozen=True, slots=True)
class _Trial:
    """Checks copies of a declaration."""

    declaration: Model
    again: Again
    before: Counter[str]
    """Number of findings of each code in the declaration."""

    def helps(self, findings: Sequence[Finding]) -> bool:
        """The fixes of `findings`, which all have the same code, clear all of them and cause none that is as severe."""
        first = findings[0]
        copy = self.declaration
        try:
            for finding in reversed(findings):  # removing an entry moves the entries after it
                copy = applied(copy, _suggested(finding))
            after = self.again(copy)
        except LookupError:
            return False
        counts = Counter(code for code, _ in after)
        more = [severity for code, severity in after if counts[code] > self.before[code]]
        return counts[first.code] <= self.before[first.code] - len(findings) and all(severity.rank > first.severity.rank for severity in more)


def _helping(trial: _Trial, findings: list[Finding]) -> Iterator[Finding]:
    """The findings whose fix helps. All `findings` have the same code.

    Each trial checks the whole declaration again. A few fixes are tried one by one; many are tried together, and in halves if that fails.
    """
    pending = [[finding] for finding in findings] if len(findings) <= _TRIED_ALONE else [findings]
    failures = 0
    while pending and failures < _FAILURES:
        together = pending.pop()
        if trial.helps(together):
            yield from together
            continue
        failures += 1
        if len(together) > 1:
            middle = len(together) // 2
            pending += [together[middle:], together[:middle]]


def _without_untried(finding: Finding) -> Finding:
    if not _suggested(finding):
        return finding
    texts = finding.texts._replace(fix=None) if finding.texts is not None else None
    return replace(finding, fix=None, texts=texts)


def _suggested(finding: Finding) -> Sequence[Operation]:
    """What the fix says to do, certain or not."""
    return finding.fix.operations if finding.fix is not None else ()


_PARTS = (Model, tuple, dict)


class PartLocation(NamedTuple):
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
        raise LookupError(f"a rule returned a finding about {with_article(type(part).__name__)} that is not part of the declaration")

    @cached_property
    def _by_part(self) -> Mapping[int, Sequence[tuple[Step, ...]]]:
        """The paths of each part, by its identity."""
        return grouped((id(location.part), location.steps) for location in self.all)


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

    >>> [found] = check(UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(3, 2)))
    >>> found.code, found.path, found.severity.value
    ('AKS010', 'scale.min', 'error')

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
        return findings_of(declaration, path, today, own=own, failed=failed)
    day = day_or_today(today)
    found = findings_without_fix_trial(declaration, path, day, own=own, failed=failed)
    report = keep_fixes_that_help(found, declaration, lambda model: _outcomes(model, day, own=own)) if fixes else list(map(_without_untried, found))
    return without_secrets(with_acceptances(report, declaration, path), declaration)


def findings_without_fix_trial(
    declaration: Model, path: str, day: date, *, own: bool = True, failed: Callable[[RuleFailedError], None] | None = None
) -> list[Finding]:
    """The same without trying fixes, for a declaration without schema errors."""
    found = [_located(finding, steps, rule, declaration, path) for finding, steps, rule in _found(declaration, day, own=own, failed=failed)]
    found.sort(key=lambda row: (row[0], row[1].code))
    return [finding for _, finding in found]


def _outcomes(declaration: Model, day: date, *, own: bool) -> list[Outcome]:
    """The same as codes and severities, for copies on which fixes are tried: their texts are not read."""
    found = _found(declaration, day, own=own, failed=_ignore_failure)
    return [(rule.code, effective_severity(rule.code, rule.severity, declaration)) for _, _, rule in found]


def _found(
    declaration: Model, day: date, *, own: bool, failed: Callable[[RuleFailedError], None] | None
) -> Iterator[tuple[PartFinding, tuple[Step, ...], Rule]]:
    """Each finding with the path of its part and its rule, also about what a platform sends in addition: the names of owners."""
    found = _of_parts(declaration, day, own=own, failed=failed)
    try:
        sent = declaration.sent if isinstance(declaration, Platform) else declaration
    except NotKnownError:  # of a part with an invalid field
        sent = declaration
    if not isinstance(declaration, Platform) or not isinstance(sent, Platform) or sent is declaration:
        yield from found
        return
    declared = list(found)
    yield from declared
    known = {(rule.code, (*start, *finding.at)) for finding, start, rule in declared}
    same: dict[tuple[str, str, tuple[Step, ...], str], tuple[PartFinding, Rule, list[str]]] = {}
    for finding, start, rule in _of_parts(sent, day, own=False, failed=None):
        steps = (*start, *finding.at)
        if (rule.code, steps) not in known:
            field = "tag" if finding.at[:1] == ("tags",) else "label"
            place = steps[:-2] if steps[-2:-1] == (f"{field}s",) else start
            message = _anchored(finding.message, sent, start)
            at = _owner_at_fault(declaration, place, field, message)
            same.setdefault((rule.code, field, at, message), (finding, rule, []))[2].append(path_text(place))
    for (_, field, at, message), (finding, rule, places) in same.items():
        sender, fix = ref(("owners", field)), finding.fix
        advice = fix.text if fix is not None and not fix.operations else "Use another key or another owner"
        about = f"{sender} on {listed(places, _NAMED)}: {message}"
        yield PartFinding(declaration, at, about, Fix(f"{advice}, or remove {sender}"), finding.value), (), rule


def _owner_at_fault(declaration: Platform, place: tuple[Step, ...], field: str, message: str) -> tuple[Step, ...]:
    """The owner at `place`, or that of its cluster, if a finding is about its text only; otherwise the key in the `field` of the owners."""
    sent = ("owners", field)
    owner = next((one for one in ((*place, "owner"), (*place[:2], "owner")) if value_at(declaration, one) is not None), sent)
    return owner if f"`{value_at(declaration, owner)}`" in message and f"`{value_at(declaration, sent)}`" not in message else sent


def _anchored(text: str, declaration: Model, start: tuple[Step, ...]) -> str:
    """The text of a finding about the part at `start`, with references that start at the top of the declaration."""
    return anchor_refs(text, lambda part: start if part is None else _enclosing(declaration, start, part))


def _of_parts(
    declaration: Model, day: date, *, own: bool, failed: Callable[[RuleFailedError], None] | None
) -> Iterator[tuple[PartFinding, tuple[Step, ...], Rule]]:
    """The findings about what is declared."""
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
    message, fix = render_refs(texts.message, PYTHON), texts.fix.spelled(PYTHON) if texts.fix is not None else None
    place, severity = path_text(steps, path), effective_severity(rule.code, rule.severity, declaration)
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
        fix = replace(fix, text=anchor_refs(fix.text if fix.text else sentence(fix.operations), place), operations=placed if known else ())
    return Texts(anchor_refs(finding.message, place), fix, has_own_fix_text=finding.fix is not None and bool(finding.fix.text))


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


_ACCEPTED_FIELD: Final = "accepted_errors"
_Acceptance: TypeAlias = tuple[tuple[Step, ...], str]
"""Where a cluster is, and the code that it accepts."""


def with_acceptances(findings: Iterable[Finding], declaration: Model, path: str = "") -> list[Finding]:
    """`findings`, with errors that their cluster accepts as notes with the reason, and findings about acceptances that accept nothing.

    A cluster that is checked alone has none of the latter: rules about the platform have not run.
    """
    used: set[_Acceptance] = set()
    report: list[Finding] = []
    for finding in findings:
        cluster = _cluster(finding.steps, declaration) if finding.severity is Severity.ERROR else None
        reason = _accepted(cluster[1]).get(finding.code) if cluster is not None else None
        if cluster is not None and reason is not None:
            used.add((cluster[0], finding.code))
        report.append(finding if reason is None else _as_note(finding, reason))
    return [*report, *(_unused(declaration, used, path) if isinstance(declaration, Platform) else ())]


def _cluster(steps: tuple[Step, ...], declaration: Model) -> tuple[tuple[Step, ...], AnyCluster] | None:
    """The cluster that contains what is at `steps`, with its own path."""
    value: object = declaration
    for length in range(len(steps) + 1):
        if isinstance(value, AnyCluster):
            return steps[:length], value
        value = child(value, steps[length]) if length < len(steps) else None
    return None


def _accepted(cluster: AnyCluster) -> Mapping[str, str]:
    """Reasons by code; none of a cluster whose field is invalid."""
    written = vars(cluster).get(_ACCEPTED_FIELD)
    return cast("Mapping[str, str]", written) if isinstance(written, Mapping) else {}


def _as_note(finding: Finding, reason: str) -> Finding:
    message = f"{finding.message} (accepted: {reason})"
    texts = finding.texts._replace(message=f"{finding.texts.message} (accepted: {reason})", fix=None) if finding.texts is not None else None
    return replace(finding, severity=Severity.NOTE, message=message, fix=None, texts=texts)


def _unused(platform: Platform, used: Collection[_Acceptance], path: str) -> Iterator[Finding]:
    row = IGNORE_CODES["IGN004"]
    for key, cluster in () if unread(platform) else platform.clusters.items():
        for code, reason in _accepted(cluster).items():
            if (("clusters", key), code) not in used:
                steps: tuple[Step, ...] = ("clusters", key, _ACCEPTED_FIELD, code)
                message = f"`{_ACCEPTED_FIELD}` accepts {_why_unused(code)}"
                fix = Fix(f"Remove `{code}` from `{_ACCEPTED_FIELD}`")
                yield Finding(row.code, row.severity, path_text(steps, path), reason, message, fix, "nodepools", steps=steps)


def _why_unused(code: str) -> str:
    found = known(code)
    if found is None:
        return f"`{code}`: {not_a_code(code)}"
    if found.severity is not Severity.ERROR:
        return f"{code}, which is a {found.severity.value}: a comment `# nodepools: ignore {code} reason` accepts it"
    return f"{code}, which is not an error of this cluster"


def findings_of(
    part: Model, path: str = "", today: date | None = None, *, own: bool = True, failed: Callable[[RuleFailedError], None] | None = None
) -> list[Finding]:
    """Returns all findings about an invalid part that was kept as written, at `path`."""
    from nodepools.rules.engine.partial_validation import readable
    from nodepools.rules.engine.schema_findings import shape_findings

    kind = declared_class(type(part))
    shape = [replace(finding, path=path_text(finding.steps, path)) for finding in shape_findings(error_of(part), kind, vars(part))]
    rest = readable(kind, vars(part))
    return without_secrets([*shape, *(check(rest, path, today, own=own, failed=failed) if rest is not None else ())], part)


def declaration_error(shape: list[Finding], kind: type[Model], written: Mapping[str, object]) -> DeclarationError:
    """Returns the error for a declaration of class `kind`: its schema findings `shape`, and the errors that rules report about the rest."""
    from nodepools.rules.engine.partial_validation import readable
    from nodepools.rules.engine.schema_findings import settled

    rest = readable(kind, written)
    found = check(rest, own=False) if rest is not None else ()
    report = settled([*shape, *(finding for finding in found if finding.severity is Severity.ERROR)])
    return DeclarationError(without_secrets(report, written), rest=rest)


def recheck(error: DeclarationError, today: date | None, failed: Callable[[RuleFailedError], None] | None = None) -> list[Finding]:
    """Returns all findings about an invalid declaration, including warnings and notes, for the given date."""
    from nodepools.rules.engine.schema_findings import settled

    shape = [finding for finding in error.findings if finding.code.startswith("CFG")]
    return settled([*shape, *(check(error.rest, today=today, failed=failed) if error.rest is not None else ())])

"""What makes a command exit with 1 besides errors, and what is accepted: one meaning of `--fail-on`, `--strict`, `--accept` and `--baseline`."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from nodepools.cli.output.report import Report, lines_of
from nodepools.model.values import dataclass, field, replace
from nodepools.rules.engine.codes import IGNORE_CODES
from nodepools.rules.engine.finding import Finding, Severity, SourcePosition, fix_of
from nodepools.wire.table import Effect

if TYPE_CHECKING:
    from nodepools.cli.problem import Problem

Kind = Literal["rule", "effect", "verdict"]
WARNING: Final = "warning"
_ACCEPTS: Final = "only `accepted_errors` of a cluster can accept an error"
"""Objects of files, with `#` in their path, have none."""
PENDING: Final = "pending"
"""The word for workloads whose pods stay Pending, or can use no pool any more."""
UNKNOWN: Final = "unknown"
_EFFECTS: Final = tuple(effect.value for effect in Effect)
_DEMANDED: Final = (Effect.IN_PLACE_PODS, Effect.REPLACES, Effect.REMOVES_NODES, Effect.DELETES, Effect.REFUSED, Effect.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one command."""

    known: tuple[str, ...]
    """What `--fail-on` can name; `--strict` names all of them."""
    default: tuple[str, ...] = ()
    """What fails without `--fail-on`, which replaces it."""
    always: tuple[str, ...] = ()
    """Verdicts that fail whatever `--fail-on` names, unless they are accepted."""
    has_findings: bool = False
    """Findings can be accepted, by code and path."""
    needs_value: bool = False
    """What is accepted has a value, such as the new one of a field."""


WORDS: Final[Mapping[str, Words]] = {
    "check": Words((WARNING,), has_findings=True),
    "preview": Words((WARNING,), has_findings=True),
    "explain": Words((WARNING, PENDING, UNKNOWN), always=(PENDING,)),
    "diff": Words((*_EFFECTS, PENDING, WARNING), (*(effect.value for effect in _DEMANDED), PENDING), needs_value=True),
    "upgrade": Words((WARNING, UNKNOWN), always=("blocked",)),
    "capacity": Words((WARNING, UNKNOWN), always=("does_not_fit",), has_findings=True),
    "cost": Words((WARNING, UNKNOWN)),
    "adopt": Words((WARNING, UNKNOWN), always=("changes",), has_findings=True),
    "convert": Words((WARNING, PENDING), always=(PENDING,), has_findings=True),
}
"""The one table of words. Errors fail every command."""
STRICT_WITHOUT: Final = (Effect.NONE.value,)
"""What `--strict` does not name: a change without any effect."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One accepted finding, effect or verdict."""

    path: str
    word: str
    """The code or the name of a rule, an effect, or a verdict."""
    value: object
    reason: str
    within: str = ""
    """The stack, the platform or its file that it is about; empty for all."""
    position: SourcePosition | None = field(default=None, compare=False)
    """Of its entry in a baseline; `None` for `--accept`."""
    expires: date | None = None
    kind: Kind = "verdict"

    def is_of(self, thing: "Thing") -> bool:
        """It is about this thing."""
        return self.within in ("", thing.within) and self.word in thing.words and (self.path, self.value) == (thing.path, thing.value)

    def __str__(self) -> str:
        if self.kind == "rule":
            return f"{self.word} {self.path}".strip()
        return f"{self.path} {self.word}{f' {json.dumps(self.value)}' if self.value is not None else ''}"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that can make a command exit with 1, and can be accepted."""

    words: tuple[str, ...]
    """An effect or a verdict; of a finding, its code and its name."""
    path: str
    fails_on: str
    """The word of `--fail-on` that it is about; `error` if it always fails."""
    value: object = None
    within: str = ""
    finding: Finding | None = None
    is_certain: bool = False
    """An error of the library, which cannot be accepted."""

    kind: Kind = "verdict"

    @property
    def acceptance(self) -> Acceptance:
        """What accepts it, without a reason."""
        return Acceptance(self.path, self.words[0], self.value, "", self.within, kind=self.kind)


def of_finding(finding: Finding, within: str = "") -> Thing:
    """The finding as something that can be accepted. A stack or a platform file of several, which is its object, is what it is within."""
    from nodepools.rules.engine.registry import is_certain  # imports the rules, which only findings need

    stack = re.fullmatch(r"stacks/(.+)\.(?:py|ya?ml)", finding.object) if finding.object is not None else None
    is_inside = finding.object is None or finding.object == within
    place = finding.path if is_inside or stack is not None else f"{finding.object} {finding.path}".strip()
    certain = is_certain(finding.code, finding.severity)
    inside = stack[1] if stack is not None else within if is_inside else ""
    return Thing((finding.code, finding.name), place, finding.severity.value, within=inside, finding=finding, is_certain=certain, kind="rule")


def verdict(word: str, path: str, within: str = "") -> Thing:
    """A verdict, which fails a command that names it."""
    return Thing((word,), path, word, within=within)


@dataclass(frozen=True, slots=True)
class Demands:
    """The words that fail a command, what is accepted, and where that is written."""

    command: str
    failing: frozenset[str] = frozenset()
    accepted: Sequence[Acceptance] = ()
    baseline: str = ""
    today: date | None = None
    """The day after whose end nothing with this date is accepted any more."""
    write: Path | None = None
    """The baseline to write."""

    def fails_on(self, word: str) -> bool:
        """Something with this word makes the command exit with 1, unless it is accepted."""
        return word in self.failing or word == Severity.ERROR.value or word in WORDS[self.command].always

    def is_valid(self, one: Acceptance) -> bool:
        """It has a reason, and has not expired."""
        return bool(one.reason) and not self.is_expired(one)

    def is_expired(self, one: Acceptance) -> bool:
        """Its date has passed."""
        return one.expires is not None and self.today is not None and one.expires < self.today

    def decided(self, things: Iterable[Thing], sees: Callable[[Acceptance], bool] = lambda _: True) -> "Decided":
        """What is left, and what is accepted. `sees`: the run reads what an entry of a baseline is about, so that it must match something."""
        left: list[Thing] = []
        accepted: list[tuple[Thing, Acceptance]] = []
        used: set[int] = set()
        about_errors: set[int] = set()
        for thing in things:
            found = [(number, one) for number, one in enumerate(self.accepted) if one.is_of(thing)]
            valid = next((one for _, one in found if self.is_valid(one)), None)
            if thing.is_certain:
                about_errors.update(number for number, _ in found)
            used.update(number for number, _ in found)
            if valid is None or thing.is_certain:
                left.append(thing)
            else:
                accepted.append((thing, valid))
        return self.result(left, accepted, used - about_errors, about_errors, sees)

    def result(
        self,
        left: Sequence[Thing],
        accepted: Sequence[tuple[Thing, Acceptance]],
        used: set[int],
        about_errors: set[int],
        sees: Callable[[Acceptance], bool],
    ) -> "Decided":
        """The decision. Acceptances that are not in `used` match nothing."""
        numbered = list(enumerate(self.accepted))
        wrong = [
            self._wrong(one, left, about_error=number in about_errors)
            for number, one in numbered
            if one.position is not None and (number in about_errors or not self.is_valid(one) or number not in used) and sees(one)
        ]
        given = [(number, one) for number, one in numbered if one.position is None]
        unmatched = tuple(one for number, one in given if number not in used | about_errors)
        ineffective = tuple(one for number, one in given if number in about_errors)
        return Decided(self, tuple(left), tuple(accepted), tuple(wrong), unmatched, ineffective)

    def _wrong(self, one: Acceptance, left: Sequence[Thing], *, about_error: bool) -> Finding:
        """The finding about an entry that accepts nothing."""
        if about_error:
            code, message = "IGN003", f"This entry has no effect: {one.word} is an error here, which the cloud rejects or which never works"
            fix = f"Correct what {one.word} reports, and remove the entry{'' if '#' in one.path else f' ({_ACCEPTS})'}"
        elif not one.reason:
            code, message, fix = "IGN002", "This entry gives no reason, so it accepts nothing", "Write the reason, or remove the entry"
        elif self.is_expired(one):
            code, message = "IGN001", f"This entry expired on {one.expires}, so it accepts nothing"
            fix = "Correct what it is about, or set a later date in `expires`"
        else:
            value = next((json.dumps(thing.value) for thing in left if replace(one, value=thing.value).is_of(thing)), "")
            code, message = "IGN001", f"This entry has no effect: {f'the new value is `{value}`' if value else 'nothing matches it'}"
            fix = f"Set `value: {value}`, or remove the entry" if value else "Remove the entry"
        found = Finding(code, IGNORE_CODES[code].severity, "", str(one), message, fix_of(fix), "nodepools")
        return replace(found, position=one.position)


@dataclass(frozen=True, slots=True)
class Decided:
    """What a run has to report, and what is accepted."""

    demands: Demands
    left: Sequence[Thing] = ()
    accepted: Sequence[tuple[Thing, Acceptance]] = ()
    wrong: Sequence[Finding] = ()
    """About entries of the baseline that accept nothing."""
    unmatched: Sequence[Acceptance] = ()
    """Of `--accept`, without anything that they match."""
    ineffective: Sequence[Acceptance] = ()
    """Of `--accept`, about errors, which cannot be accepted."""

    @property
    def findings(self) -> list[Finding]:
        """Those that are not accepted, without those about entries of the baseline."""
        return [thing.finding for thing in self.left if thing.finding is not None]

    @property
    def fails(self) -> bool:
        """Something is left that makes the command exit with 1."""
        is_wrong = any(self.demands.fails_on(finding.severity.value) for finding in self.wrong)
        return is_wrong or any(self.demands.fails_on(thing.fails_on) for thing in self.left)

    def accepts(self, thing: Thing) -> str:
        """Why a thing is accepted; empty if it is not."""
        return next((one.reason for other, one in self.accepted if other == thing), "")

    def told(self, report: Report) -> Report:
        """The report with the number of what is accepted in its answer, and the reasons as details."""
        report = replace(report, findings=(*report.findings, *self.wrong))
        counts = {"--accept": sum(one.position is None for _, one in self.accepted)}
        counts[self.demands.baseline] = len(self.accepted) - counts["--accept"]
        numbers = [f"{number:,} accepted by {by}" for by, number in counts.items() if number]
        if self.wrong:
            numbers.append(f"{len(self.wrong):,} {'entry' if len(self.wrong) == 1 else 'entries'} of {self.demands.baseline} without effect")
        if not numbers:
            return report
        lines = [f"{one}: {one.reason}" for _, one in self.accepted]
        sections = (*report.sections, *([lines_of("Accepted", *lines, is_detail=True)] if lines else []))
        return replace(report, answer="; ".join([report.answer, *numbers]), sections=sections)

    def problems(self) -> "Iterator[Problem]":
        """Notices about `--accept` that accepts nothing."""
        from nodepools.cli.problem import Problem

        for one in self.unmatched:
            whole = next((thing for thing in self.left if one.word in thing.words and thing.path.endswith((f" {one.path}", f"#{one.path}"))), None)
            yield Problem("--accept", f"nothing matches `{one}`" + ("" if whole is None else f": its whole path is `{whole.path}`"))
        yield from (
            Problem("--accept", f"`{one}` has no effect: {one.word} is an error here{'' if '#' in one.path else f': {_ACCEPTS}'}")
            for one in self.ineffective
        )

    def to_json(self) -> list[dict[str, object]]:
        """What is accepted, and by what."""
        return [
            {
                "what": thing.words[0],
                "path": thing.path,
                "value": thing.value,
                "in": thing.within if thing.within else None,
                "reason": one.reason,
                "by": str(one.position) if one.position is not None else "--accept",
                "expires": one.expires.isoformat() if one.expires is not None else None,
            }
            for thing, one in self.accepted
        ]

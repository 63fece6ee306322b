"""What the rules of `check` find in a declaration with a new version, and do not find in it today."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from nodepools.model.derive import derive
from nodepools.model.platform import Platform
from nodepools.model.steps import Step as PathStep
from nodepools.model.steps import Steps
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Operation
from nodepools.rules.runner import check
from nodepools.upgrades.blocker import Blocker, Kind
from nodepools.upgrades.step import VERSION_FIELD


def with_edits(platform: Platform, edits: Iterable[Operation]) -> Platform:
    """The declaration with new versions. A version that has to be looked up first stays as it is."""
    for edit in edits:
        if edit.path[-1] == VERSION_FIELD:
            platform = derive(platform, _nested(edit.path, str(edit.value)))
    return platform


def _nested(steps: Steps, value: str) -> dict[str, object]:
    first, *rest = steps
    return {str(first): _nested(tuple(rest), value) if rest else value}


def new_findings(before: Platform, after: Platform, today: date) -> list[Finding]:
    """Errors and warnings that only the edited declaration has. Their fixes were tried."""
    known = {(finding.code, finding.path) for finding in _found(before, today, fixes=False)}
    if all((finding.code, finding.path) in known for finding in _found(after, today, fixes=False)):
        return []  # most versions cause none: there is no fix to try
    return [finding for finding in _found(after, today, fixes=True) if (finding.code, finding.path) not in known]


def _found(platform: Platform, today: date, *, fixes: bool) -> Iterator[Finding]:
    return (finding for finding in check(platform, today=today, own=False, fixes=fixes) if finding.severity is not Severity.NOTE)


def blockers_at(findings: Iterable[Finding], inside: Sequence[PathStep], apart: Iterable[Sequence[PathStep]] = ()) -> Iterator[Blocker]:
    """The findings about a part of the declaration, except those about the parts `apart`."""
    others = [tuple(part) for part in apart]
    for finding in findings:
        if finding.steps[: len(inside)] == tuple(inside) and not any(finding.steps[: len(part)] == part for part in others):
            yield _blocker(finding)


def _blocker(finding: Finding) -> Blocker:
    """The fix of a finding about a version would be another version."""
    is_version = finding.steps[-1:] == (VERSION_FIELD,)
    return Blocker(
        kind=Kind.RULE,
        severity=finding.severity,
        message=finding.message,
        fix=finding.fix.text if finding.fix is not None and not is_version else None,
        source=finding.source,
        refusal=finding.code,
        path=finding.path,
    )

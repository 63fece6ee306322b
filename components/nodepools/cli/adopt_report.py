"""The report of `nodepools adopt`: what is declared, what is not, and why. As text, or as Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.adoption.adopted import Adopted
from nodepools.adoption.compared import Difference
from nodepools.changes.request import CLASS, CLUSTER, MAINTENANCE, POOL, Request
from nodepools.cli.markdown_text import escaped
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.path import spelled

_SHOWN: Final = 5
_NO_FINDINGS: Final = "none"
_FINDINGS: Final = "Findings of `nodepools check`"
_PROVIDER: Final = "the Kubernetes provider"
_WAIT: Final = "annotation `pulumi.com/waitFor` of objects: no node is affected"
_WOULD_CHANGE: Final = "would change"
_WOULD_CREATE: Final = "would be created"
_KNOWN: Final = "changes with a known reason"
_MORE: Final = "all values and findings: use `--report FILE`"
_WITH_FIELDS: Final = (CLUSTER, POOL, CLASS, MAINTENANCE)
_UNKNOWN: Final = "settings that are not known here: nothing is sent for them, and what the cloud then does is not known"
_WHOLE: Final = frozenset({_WOULD_CHANGE, _WOULD_CREATE, _KNOWN, _UNKNOWN})
"""Sections that are never cut: they say what the first `pulumi up` does."""
_ERRORS: Final = "`nodepools preview` and `pulumi up` stop at these errors of the declaration. Correct them before you import"


def sections(one: Adopted) -> Mapping[str, Sequence[str]]:
    """What there is to know about a cluster, by title. Empty sections are included."""
    differences = [(item.request, difference) for item in one.compared for difference in item.differences]
    return {
        _WOULD_CHANGE: [_at(request, difference) for request, difference in differences if not difference.reason],
        _WOULD_CREATE: [str(item.request.resource) for item in one.compared if item.import_id is None],
        _KNOWN: [
            *(f"{_at(request, difference)} ({difference.reason})" for request, difference in differences if difference.reason),
            *([_WAIT] if one.has_objects else []),
        ],
        "created in the state only": [_PROVIDER] if one.has_objects else [],
        "unchanged resources": [item.request.resource.name for item in one.compared if item.import_id is not None and not item.differences],
        "cloud defaults, not declared": paths(one.defaults),
        "declared in `overrides`": paths(one.overrides),
        "values that no field accepts, not declared": paths(one.rejected),
        "settings without a field: not sent, and the cloud keeps them": paths(one.unreadable),
        _UNKNOWN: paths(one.unknown),
        "outside the declaration": [f"{name} ({why})" for name, why in one.outside.items()],
    }


def paths(found: Iterable[Sequence[str]]) -> list[str]:
    """Paths as text, each once."""
    return sorted(set(map(_spelled, found)))


def text_report(adopted: Sequence[Adopted], findings: Sequence[Finding], *, whole: bool) -> Iterator[str]:
    """The lines of the report, errors first; unless it is `whole`, long lists are cut."""
    is_cut = False
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        yield f"{_ERRORS}:"
        for finding in errors:
            yield f"  {finding.code} at {finding.path}: {finding.message}{f'. Fix: {finding.fix.text}' if finding.fix is not None else ''}"
        yield ""
    for one in adopted:
        yield f"{one.observed.name}: cluster `{one.key}`, {_counts(one)}"
        for title, values in sections(one).items():
            shown = values if whole or title in _WHOLE else values[:_SHOWN]
            more = f", and {len(values) - len(shown)} more" if len(values) > len(shown) else ""
            is_cut = is_cut or bool(more)
            if values:
                yield f"  {title}: {', '.join(shown)}{more}"
        yield ""
    codes = sorted({finding.code for finding in findings})
    yield f"findings of `nodepools check`: {', '.join(codes) if codes else _NO_FINDINGS}"
    if is_cut:
        yield _MORE


def markdown_report(adopted: Sequence[Adopted], findings: Sequence[Finding]) -> Iterator[str]:
    """The lines of the report, for a pull request or a ticket."""
    ordered = [finding for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE) for finding in findings if finding.severity is severity]
    yield from ("# Adopted clusters", "")
    errors = [finding for finding in ordered if finding.severity is Severity.ERROR]
    if errors:
        yield from (f"**{_ERRORS}:**", "", *map(_finding, errors), "")
    for one in adopted:
        yield from (f"## `{one.observed.name}`: cluster `{one.key}`", "", f"{_counts(one).capitalize()}.", "")
        for title, values in sections(one).items():
            if values:
                yield from (f"### {title.capitalize()}", "", *(f"* {_escaped(value)}" for value in values), "")
    yield from (f"## {_FINDINGS}", "")
    yield from [_finding(finding) for finding in ordered] if ordered else (_NO_FINDINGS,)


def _finding(finding: Finding) -> str:
    return f"* {finding.severity.value} {finding.code} at `{finding.path}`: {_escaped(finding.message)}"


def _counts(one: Adopted) -> str:
    resources = sum(1 for item in one.compared if item.import_id is not None)
    return f"{one.declared_count} values of {resources} resources are declared"


def _at(request: Request, difference: Difference) -> str:
    """The declared field; of resources that a field creates besides others, the resource: its arguments have no fields."""
    if request.subject in _WITH_FIELDS:
        return _spelled((*difference.resource, *difference.path))
    return f"{_spelled(difference.path)} of {request.resource}"


def _spelled(path: Sequence[str]) -> str:
    return spelled(int(step) if step.isdecimal() else step for step in path)


def _escaped(text: str) -> str:
    return escaped(text).replace("*", "\\*")

"""Errors that a cluster accepts with a reason (`accepted_errors`): they become notes, and no longer stop an update."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias, cast

from nodepools.model.base import Model
from nodepools.model.per_cloud import AnyCluster, is_cluster
from nodepools.model.platform import Platform
from nodepools.model.unknowns import unread
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Fix
from nodepools.rules.path import Step, child, spelled

_FIELD: Final = "accepted_errors"
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
        if is_cluster(value):
            return steps[:length], value
        value = child(value, steps[length]) if length < len(steps) else None
    return None


def _accepted(cluster: AnyCluster) -> Mapping[str, str]:
    """Reasons by code; none of a cluster whose field is invalid."""
    written = vars(cluster).get(_FIELD)
    return cast("Mapping[str, str]", written) if isinstance(written, Mapping) else {}


def _as_note(finding: Finding, reason: str) -> Finding:
    message = f"{finding.message} (accepted: {reason})"
    texts = finding.texts._replace(message=f"{finding.texts.message} (accepted: {reason})", fix=None) if finding.texts is not None else None
    return replace(finding, severity=Severity.NOTE, message=message, fix=None, texts=texts)


def _unused(platform: Platform, used: Collection[_Acceptance], path: str) -> Iterator[Finding]:
    from nodepools.rules.codes import IGNORE_CODES  # imports the registry

    row = IGNORE_CODES["IGN004"]
    for key, cluster in () if unread(platform) else platform.clusters.items():
        for code, reason in _accepted(cluster).items():
            if (("clusters", key), code) not in used:
                steps: tuple[Step, ...] = ("clusters", key, _FIELD, code)
                message = f"`{_FIELD}` accepts {_why_unused(code)}"
                fix = Fix(f"Remove `{code}` from `{_FIELD}`")
                yield Finding(row.code, row.severity, spelled(steps, path), reason, message, fix, "nodepools", steps=steps)


def _why_unused(code: str) -> str:
    from nodepools.rules.codes import known, not_a_code

    found = known(code)
    if found is None:
        return f"`{code}`: {not_a_code(code)}"
    if found.severity is not Severity.ERROR:
        return f"{code}, which is a {found.severity.value}: a comment `# nodepools: ignore {code} reason` accepts it"
    return f"{code}, which is not an error of this cluster"

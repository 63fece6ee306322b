"""The report of `nodepools adopt`: what the first `pulumi up` does after the import, and what is declared."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from nodepools.adoption.adopted import Adopted
from nodepools.adoption.proof import Difference
from nodepools.adoption.terraform import Managed
from nodepools.cli.output.report import Report, Row, Section, Step, Tone
from nodepools.clouds.change import CLASS, CLUSTER, MAINTENANCE, POOL, Request
from nodepools.model.listing import counted, grouped, joined, listed
from nodepools.model.path import path_text
from nodepools.model.steps import mapping
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.registry import About, all_rules

_NAMED_CODES: Final = 3
_NAMED_CHANGES: Final = 2
"""Changes that the answer names."""
_FIRST: Final = "not imported yet: do not run pulumi up before the import; after it, "
_STATES: Final = ("provisioningState", "status")
_AT_REST: Final = ("Succeeded", "ACTIVE")
WAIT: Final = "annotation `pulumi.com/waitFor` of objects: no node is affected"
_WITH_FIELDS: Final = (CLUSTER, POOL, CLASS, MAINTENANCE)
_CLUSTERS: Final = 3
"""Clusters that the answer names."""


@dataclass(frozen=True, slots=True)
class FirstUp:
    """What the first `pulumi up` after the import does to a cluster, as text."""

    changed: Sequence[str]
    """What nothing explains."""
    created: Sequence[str]
    secret: Sequence[str]
    """Values that can be secrets, and are not declared."""
    unknown: Sequence[str]
    """Settings that are not known here: nothing is sent for them, and what the cloud then does is not known."""
    moving: Sequence[str]
    """Clusters and pools with an operation that runs or has failed: their exports can show values that change."""
    expected: Sequence[str]
    """What is known to change, with the reason."""

    @classmethod
    def of(cls, adopted: Iterable[Adopted]) -> "FirstUp":
        """What it does to all of them."""
        every = list(adopted)
        pairs = [
            (item.request, difference)
            for one in every
            for item in one.compared
            for difference in item.differences
            if not _is_of_secrets(difference, one.secrets)
        ]
        return cls(
            changed=[_field_path(request, difference) for request, difference in pairs if not difference.reason],
            created=[str(item.request.resource) for one in every for item in one.compared if item.import_id is None],
            secret=[path for one in every for path in paths(one.secrets)],
            unknown=[path for one in every for path in paths(one.unknown)],
            moving=[f"{what} is `{state}`" for one in every for what, state in moving(one)],
            expected=[
                *(f"{_field_path(request, difference)}: {difference.reason}" for request, difference in pairs if difference.reason),
                *(WAIT for one in every if one.has_objects),
            ],
        )

    @property
    def answer(self) -> str:
        """What it does, worst first. It changes nothing only if that is proved for every value."""
        changes = [*self.changed, *self.created, *self.secret]
        if changes:
            return f"{_FIRST}pulumi up would change {counted(len(changes), 'thing')}: {listed(changes, _NAMED_CHANGES)}"
        if self.unknown or self.moving:
            unknown = [f"{counted(len(self.unknown), 'setting')} {'is' if len(self.unknown) == 1 else 'are'} not known here"] if self.unknown else []
            return f"{_FIRST}unknown whether pulumi up changes something: {listed([*unknown, *self.moving], _NAMED_CHANGES)}"
        if self.expected:
            return f"{_FIRST}pulumi up makes only {counted(len(self.expected), 'expected change')}"
        return f"{_FIRST}the first pulumi up changes nothing"

    @property
    def brief(self) -> str:
        """The same as numbers."""
        numbers = {
            "would change": len([*self.changed, *self.created, *self.secret]),
            "unknown": len([*self.unknown, *self.moving]),
            "expected": len(self.expected),
        }
        return ", ".join(f"{number:,} {what}" for what, number in numbers.items() if number) or "changes nothing"

    @property
    def rows(self) -> Iterator[Row]:
        """One row for each kind, with every value."""
        for title, values, tone in (
            ("would change", self.changed, Tone.BAD),
            ("would be created", self.created, Tone.BAD),
            ("can be secrets: not declared, and pulumi up removes them", self.secret, Tone.BAD),
            ("not known here: nothing is sent, and what the cloud then does is unknown", self.unknown, Tone.CAUTION),
            ("expected changes", self.expected, Tone.PLAIN),
        ):
            if values:
                yield Row((title, f"{len(values):,}"), tone, tuple(values))


def moving(one: Adopted) -> Iterator[tuple[str, str]]:
    """The cluster and its pools that are not at rest, with their states."""
    pools = getattr(one.existing, "pools", {})
    for what, told in (("the cluster", one.existing.described), *((f"pool `{name}`", pool) for name, pool in mapping(pools).items())):
        written = mapping(told)
        state = next((str(written[name]) for name in _STATES if name in written), "")
        if state and state not in _AT_REST:
            yield what, state


def paths(found: Iterable[Sequence[str]]) -> list[str]:
    """Paths as text, each once."""
    return sorted(set(map(_spelled, found)))


def report(
    adopted: Sequence[Adopted], findings: Sequence[Finding], written: Sequence[Path], steps: Sequence[Step], held: Sequence[Managed]
) -> Report:
    """The answer: who still manages resources; errors, which stop `pulumi up`; what the first one does. Then what the declaration has."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    stopped = f"{counted(len(errors), 'error')} of the declaration stop{'s' * (len(errors) == 1)} pulumi up"
    answer = f"{stopped}: correct {_them(errors)} before the import" if errors else f"{FirstUp.of(adopted).answer}{_later(findings)}"
    if held:
        managers = joined(
            [
                *(["Terraform"] if any(not one.is_of_pulumi for one in held) else []),
                *(["a stack of Pulumi"] if any(one.is_of_pulumi for one in held) else []),
            ]
        )
        answer = f"not to be imported yet: {managers} still manage{'s' * (' and ' not in managers)} {counted(len(held), 'resource')}"
    named = f"; wrote {joined([str(file) for file in written])}" if written else ""
    about = listed([one.key for one in adopted], _CLUSTERS)
    is_short = len(adopted) > _CLUSTERS
    overview = (_overview(adopted, findings),) if is_short else ()
    sections = (*overview, *(replace(one, is_detail=is_short or one.is_detail) for one in (*map(_section, adopted), *_other_findings(findings))))
    return Report(about, f"{answer}{named}", tuple(steps), sections, tuple(errors))


def later_fixes(findings: Sequence[Finding]) -> list[str]:
    """What keeps a later `pulumi up` from failing: each path with its last fix."""
    fixes = {one.path: one.fix.text.partition(";")[0] for one in findings if _is_later(one) and one.fix is not None}
    return [f"{path}: {fix}" for path, fix in fixes.items()]


def _is_later(finding: Finding) -> bool:
    rule = all_rules().get(finding.code)
    return rule is not None and rule.about is About.LATER


def _later(findings: Sequence[Finding]) -> str:
    """What is known of a later `pulumi up`, so that the answer does not stop at the first one."""
    return ", but a later one can fail, after an automatic upgrade" if any(map(_is_later, findings)) else ""


def _overview(adopted: Iterable[Adopted], findings: Sequence[Finding]) -> Section:
    """One row for each of many clusters, with what `pulumi up` would change there or may change."""
    warnings = grouped((str(finding.steps[1]), finding.code) for finding in findings if finding.severity is Severity.WARNING)
    rows: list[Row] = []
    for one in adopted:
        first, found = FirstUp.of([one]), warnings.get(one.key, [])
        reasons = [f"{row.cells[0]}: {', '.join(row.reasons)}" for row in first.rows if row.tone is not Tone.PLAIN]
        codes = f"{len(found)}: {listed(list(dict.fromkeys(found)), _NAMED_CODES)}" if found else "none"
        rows.append(Row((one.key, f"{one.declared_count:,}", f"{len(one.compared):,}", first.brief, codes), reasons=tuple(reasons)))
    return Section("", tuple(rows), ("cluster", "values", "resources", "first pulumi up", "warnings"), frozenset({1, 2}))


def _section(one: Adopted) -> Section:
    """A cluster: what the first `pulumi up` does, then counts, whose values are details."""
    called = "" if one.key == one.existing.name else f" (`{one.existing.name}` in the cloud)"
    resources = sum(1 for item in one.compared if item.import_id is not None)
    counts = {
        "unchanged resources": [item.request.resource.name for item in one.compared if one.is_unchanged(item)],
        "created by the import, in the state only": ["the Kubernetes provider"] if one.has_objects else [],
        "declared in `overrides`": paths(one.overrides),
        "cloud defaults: not declared, and `pulumi up` does not change them": paths(one.defaults),
        "values that no field accepts: not declared; compare them after the import": paths(one.rejected),
        "settings that no field declares: `pulumi up` leaves them as they are; nothing to do": paths(one.unreadable),
    }
    rows = [Row((title, f"{len(values):,}"), details=(", ".join(values),)) for title, values in counts.items() if values]
    outside = tuple(f"{name}: {why}" for name, why in one.outside.items())
    stays = [Row(("outside the declaration: `pulumi up` does not touch them", f"{len(outside):,}"), details=outside)]
    heading = f"{one.key}{called}: {one.declared_count:,} values of {counted(resources, 'resource')} are declared"
    return Section(heading, (*FirstUp.of([one]).rows, *rows, *(stays if one.outside else [])), numbers=frozenset({1}))


def _other_findings(findings: Sequence[Finding]) -> Iterator[Section]:
    """Warnings and notes do not stop the import: they are about what exists."""
    for severity in (Severity.WARNING, Severity.NOTE):
        found = [finding for finding in findings if finding.severity is severity]
        if found:
            heading = f"{counted(len(found), severity.value)} of `nodepools check`: the import does not depend on {_them(found)}"
            yield Section(heading, tuple(map(_finding_row, found)), is_detail=severity is Severity.NOTE)


def _finding_row(finding: Finding) -> Row:
    fix = (f"fix: {finding.fix.text}",) if finding.fix is not None else ()
    return Row((f"{finding.code} at {finding.path}: {finding.message}",), details=fix)


def _them(findings: Sequence[Finding]) -> str:
    return "it" if len(findings) == 1 else "them"


def _is_of_secrets(difference: Difference, secrets: Iterable[Sequence[str]]) -> bool:
    """Nothing differs but values that can be secrets, which have rows of their own."""
    hidden = {path[-1] for path in secrets if (*path[:-1],) == (*difference.resource, *difference.path)}
    have = mapping(difference.existing)
    return bool(hidden) and {key: one for key, one in have.items() if key not in hidden} == difference.sent


def _field_path(request: Request, difference: Difference) -> str:
    """The declared field; of resources that a field creates besides others, the resource: its arguments have no fields."""
    if request.subject in _WITH_FIELDS:
        return _spelled((*difference.resource, *difference.path))
    return f"{_spelled(difference.path)} of {request.resource}"


def _spelled(path: Sequence[str]) -> str:
    return path_text(int(step) if step.isdecimal() else step for step in path)

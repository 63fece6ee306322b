"""Selects the findings that a team reports, and their severity."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.registry import is_certain, known


@dataclass(frozen=True, slots=True)
class Selection:
    """The settings, by code. An ignored code is dropped whatever its severity."""

    select: AbstractSet[str] | None = None
    """Report only these codes, and errors of the library; `None` for all codes."""
    ignore: AbstractSet[str] = frozenset()
    severity: Mapping[str, Severity] = field(default_factory=dict[str, Severity])

    def of(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that are reported, with their severity. Errors of the library cannot be changed."""
        return [
            finding if is_certain(finding.code, finding.severity) else replace(finding, severity=self.severity.get(finding.code, finding.severity))
            for finding in findings
            if is_certain(finding.code, finding.severity) or self._includes(finding.code)
        ]

    def without_effect(self, findings: Iterable[Finding]) -> list[str]:
        """A line for each code that the settings hide or lower, although its findings are errors of the library."""
        certain = sorted({finding.code for finding in findings if is_certain(finding.code, finding.severity)})
        return [line for code in certain for line in self._ineffective(code)]

    def _includes(self, code: str) -> bool:
        return code not in self.ignore and (self.select is None or code in self.select)

    def _ineffective(self, code: str) -> Iterable[str]:
        found = known(code)
        title = found.title if found is not None else code
        why = "the cloud rejects it, or it never works"
        if code in self.ignore:
            yield f"`ignore` has no effect on {title}: {why}"
        if self.severity.get(code, Severity.ERROR) is not Severity.ERROR:
            yield f'`severity = "{self.severity[code]}"` has no effect on {title}: {why}'

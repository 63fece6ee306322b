"""Which findings a team wants to see, and how severe they are to it."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from nodepools.rules.codes import is_certain, known
from nodepools.rules.finding import Finding, Severity

_ORDER = list(Severity)


@dataclass(frozen=True, slots=True)
class Selection:
    """What is configured, by code. First what is ignored, then severities: what is ignored has none."""

    select: AbstractSet[str] | None = None
    """Nothing but these, errors of the library aside; `None` for everything."""
    ignore: AbstractSet[str] = frozenset()
    severity: Mapping[str, Severity] = field(default_factory=dict[str, Severity])

    def of(self, findings: Iterable[Finding]) -> list[Finding]:
        """What is left of `findings`, with its severity. Errors of the library stay what they are."""
        return [
            one if is_certain(one.code, one.severity) else replace(one, severity=self.severity.get(one.code, one.severity))
            for one in findings
            if is_certain(one.code, one.severity) or self._wants(one.code)
        ]

    def without_effect(self, findings: Iterable[Finding]) -> list[str]:
        """A line for each code among `findings` that is to be hidden or lowered, and cannot be."""
        certain = sorted({one.code for one in findings if is_certain(one.code, one.severity)})
        return [line for code in certain for line in self._refused(code)]

    def _wants(self, code: str) -> bool:
        return code not in self.ignore and (self.select is None or code in self.select)

    def _refused(self, code: str) -> Iterable[str]:
        found = known(code)
        title = found.title if found is not None else code
        why = "the cloud rejects it, or it never works"
        if code in self.ignore:
            yield f"{title} stays, although `ignore` has it: {why}"
        if self.severity.get(code, Severity.ERROR) is not Severity.ERROR:
            yield f"{title} stays an error, although `severity` makes it a {self.severity[code]}: {why}"

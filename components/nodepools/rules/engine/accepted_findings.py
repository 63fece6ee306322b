"""The findings that a team reports, and those that comments `# nodepools: ignore AKS104 reason` accept where they are."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from nodepools.model.values import dataclass, field, replace
from nodepools.rules.engine.codes import OTHER_CODES
from nodepools.rules.engine.finding import Finding, Severity, SourcePosition, fix_of
from nodepools.rules.engine.registry import is_certain, known, named, not_a_code


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


_COMMENT: Final = re.compile(r"(?:^|\s)(#)\s*nodepools:\s*ignore\b[ \t]*([^\s]*)[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment that accepts a finding."""

    code: str
    """As written: a code or its name."""
    reason: str
    position: SourcePosition
    covers: Callable[[Finding], bool] = field(compare=False)
    """Whether the comment applies to the place of a finding."""
    label: str | None = None
    """The object next to the comment, if there is one."""

    @property
    def known_code(self) -> str | None:
        """The code; `None` if there is no such code."""
        known = named(self.code)
        return known.code if known is not None else None

    def accepts(self, finding: Finding) -> bool:
        """The comment is about this finding, and gives a reason."""
        return bool(self.reason) and self.known_code == finding.code and self.covers(finding)


def comment(line: str, file: str, number: int, covers: Callable[[Finding], bool], label: str | None = None) -> Iterator[Ignore]:
    """The comment in a line of a file, if there is one. Lines are counted from 1."""
    match = _COMMENT.search(line)
    if match is not None:
        yield Ignore(match[2], match[3].strip(), SourcePosition(file, number, match.start(1) + 1), covers, label)


def line_ignores(comments: Iterable[tuple[int, str]], code_lines: Iterable[int], file: str) -> Iterator[Ignore]:
    """The comments of a file, by their lines.

    Each applies to its own line or to the next line of code; comments before all code apply to the whole file.
    """
    lines = sorted(code_lines)
    for number, text in comments:
        here = next((line for line in lines if line >= number), None)
        yield from comment(text, file, number, _everywhere if not lines or number < lines[0] else _at_line(here))


def without_accepted(findings: Iterable[Finding], comments: Sequence[Ignore]) -> Iterator[Finding]:
    """`findings` without those that comments accept, and findings about comments that are unused, invalid, or about an error."""
    used: set[int] = set()
    about_errors: set[int] = set()
    for finding in findings:
        by = {index for index, accepted in enumerate(comments) if accepted.accepts(finding)}
        certain = bool(by) and is_certain(finding.code, finding.severity)
        (about_errors if certain else used).update(by)
        if certain or not by:
            yield finding
    for index, accepted in enumerate(comments):
        if index not in used:
            yield _wrong(accepted, about_error=index in about_errors)


def _wrong(ignore: Ignore, *, about_error: bool) -> Finding:
    """The finding about a comment that accepts no finding."""
    if ignore.known_code is None:
        code, message = "IGN002", not_a_code(ignore.code) if ignore.code else "This comment does not name the rule to ignore"
        fix = "Write the code of the rule and the reason, such as `# nodepools: ignore NAP012 images change daily`"
    elif not ignore.reason:
        code, message, fix = (
            "IGN002",
            f"This comment gives no reason to ignore {ignore.code}",
            f"Write the reason behind `# nodepools: ignore {ignore.code}`",
        )
    elif about_error:
        code, message = "IGN003", f"This comment has no effect: {ignore.code} is an error here, and a comment accepts only warnings and notes"
        accept = "" if ignore.label is not None else ", or accept the error in `accepted_errors` of the cluster"  # objects have no such field
        fix = f"Correct what {ignore.code} reports and remove the comment{accept}"
    else:
        code, message, fix = "IGN001", f"This comment has no effect: {ignore.code} has no finding here", "Remove the comment"
    found = Finding(code, OTHER_CODES[code].severity, "", f"ignore {ignore.code}".strip(), message, fix_of(fix), "nodepools", ignore.label)
    return replace(found, position=ignore.position)


def _everywhere(_: Finding) -> bool:
    return True


def _at_line(line: int | None) -> Callable[[Finding], bool]:
    return lambda finding: finding.position is not None and finding.position.line == line

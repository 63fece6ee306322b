"""`# nodepools: ignore AKS104 reason`: a finding is accepted where it is, and somebody said why."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from nodepools.rules.codes import OTHER_CODES, is_certain, named, not_a_code
from nodepools.rules.finding import Finding, SourcePosition
from nodepools.rules.fix import fix_of

_COMMENT: Final = re.compile(r"(?:^|\s)(#)\s*nodepools:\s*ignore\b[ \t]*([^\s]*)[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Ignore:
    """One such comment."""

    code: str
    """As it is written: a code, or the name of one."""
    reason: str
    position: SourcePosition
    covers: Callable[[Finding], bool] = field(compare=False)
    """Says whether a finding is where the comment is."""
    label: str | None = None
    """The object that it is next to, where there is one."""

    @property
    def meant(self) -> str | None:
        """The code itself; `None` where there is no such code."""
        known = named(self.code)
        return known.code if known is not None else None

    def accepts(self, finding: Finding) -> bool:
        """It is about this finding, and says why."""
        return bool(self.reason) and self.meant == finding.code and self.covers(finding)


def comment(line: str, file: str, number: int, covers: Callable[[Finding], bool], label: str | None = None) -> Iterator[Ignore]:
    """The comment in a line of a file, if there is one; lines are counted from 1."""
    match = _COMMENT.search(line)
    if match is not None:
        yield Ignore(match[2], match[3].strip(), SourcePosition(file, number, match.start(1) + 1), covers, label)


def line_ignores(comments: Iterable[tuple[int, str]], code_lines: Iterable[int], file: str) -> Iterator[Ignore]:
    """The comments of a file, by their lines.

    Each is about the line that it is on, or about the next line of code; those before all code are about all of it.
    """
    lines = sorted(code_lines)
    for number, text in comments:
        here = next((line for line in lines if line >= number), None)
        yield from comment(text, file, number, _everywhere if not lines or number < lines[0] else _at_line(here))


def without_accepted(findings: Iterable[Finding], given: Sequence[Ignore]) -> Iterator[Finding]:
    """What is left of `findings`, and what is wrong with the comments: they accept nothing, cannot be read, or are about an error."""
    used: set[int] = set()
    refused: set[int] = set()
    for finding in findings:
        by = {index for index, one in enumerate(given) if one.accepts(finding)}
        certain = bool(by) and is_certain(finding.code, finding.severity)
        (refused if certain else used).update(by)
        if certain or not by:
            yield finding
    for index, one in enumerate(given):
        if index not in used:
            yield _wrong(one, refused=index in refused)


def _wrong(one: Ignore, *, refused: bool) -> Finding:
    """What is wrong with a comment that accepts nothing."""
    if one.meant is None:
        code, message = "IGN002", not_a_code(one.code) if one.code else "The comment names no code"
        fix = "Write `# nodepools: ignore CODE reason`"
    elif not one.reason:
        code, message, fix = "IGN002", f"The comment gives no reason to accept {one.code}", f"Write `# nodepools: ignore {one.code}` and why"
    elif refused:
        code, message = "IGN003", f"{one.code} is an error here: the cloud rejects it, or it never works, so that the comment has no effect"
        fix = "Correct the error, and remove the comment"
    else:
        code, message, fix = "IGN001", f"There is no finding {one.code} here: the comment accepts nothing", "Remove the comment"
    found = Finding(code, OTHER_CODES[code].severity, "", f"ignore {one.code}".strip(), message, fix_of(fix), "nodepools", one.label)
    return replace(found, position=one.position)


def _everywhere(_: Finding) -> bool:
    return True


def _at_line(line: int | None) -> Callable[[Finding], bool]:
    return lambda finding: finding.position is not None and finding.position.line == line

"""`# nodepools: ignore KAR012 reason`, next to an object: one code of that object is silenced, and somebody said why."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from nodepools.manifests.objects import Written
from nodepools.rules.finding import Finding, SourcePosition
from nodepools.rules.objects import object_finding

_COMMENT = re.compile(r"(?:^|\s)#\s*nodepools:\s*ignore\b[ \t]*([^\s]*)[ \t]*(.*)")
_ONLY_A_COMMENT = re.compile(r"\s*(#.*)?")


@dataclass(frozen=True, slots=True)
class Ignore:
    """One such comment, and the object that it is next to."""

    code: str
    reason: str
    position: SourcePosition
    label: str | None
    """`None` where there is no object in the file."""


def ignores(text: str, file: str, found: Sequence[Written]) -> list[Ignore]:
    """Those of a file. One before an object, with nothing but comments between, is of that object; any other of the object before it."""
    if "nodepools:" not in text:
        return []
    lines = text.splitlines()
    starts = {written.start.line: written.label for written in found}
    return [
        Ignore(match[1], match[2].strip(), SourcePosition(file, number + 1, match.start() + 1), _beside(number, lines, starts))
        for number, line in enumerate(lines)
        if (match := _COMMENT.search(line))
    ]


def silenced(findings: Iterable[Finding], given: Sequence[Ignore]) -> Iterator[Finding]:
    """What is left of `findings`, and every ignore that silences nothing or says no reason."""
    used: set[Ignore] = set()
    for finding in findings:
        by = [one for one in given if one.code == finding.code and one.reason and one.label == finding.object and finding.object is not None]
        if not by:
            yield finding
        used.update(by)
    for one in given:
        if one not in used:
            yield _useless(one)


def _beside(number: int, lines: Sequence[str], starts: dict[int, str]) -> str | None:
    if _ONLY_A_COMMENT.fullmatch(lines[number]):
        following = next((later for later in range(number, len(lines)) if not _ONLY_A_COMMENT.fullmatch(lines[later])), None)
        if following in starts:
            return starts[following]
    before = [start for start in starts if start <= number]
    return starts[max(before)] if before else starts.get(min(starts, default=-1))


def _useless(one: Ignore) -> Finding:
    if not one.reason:
        message, fix = "gives no reason", "write # nodepools: ignore CODE and why"
    else:
        message, fix = "silences nothing: this object has no such finding", "remove it"
    made = object_finding("OBJ006", (), message, fix=fix, value=f"ignore {one.code}".strip(), source="nodepools")
    return replace(made, object=one.label, position=one.position)

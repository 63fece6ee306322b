"""Comments that accept findings, in YAML: next to an object of a manifest, or at a line of a platform file."""

import re
from collections.abc import Iterator, Sequence

from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.rules.engine.accepted_findings import Ignore, comment, line_ignores
from nodepools.rules.engine.finding import Finding

_MARK = "nodepools:"
_ONLY_A_COMMENT = re.compile(r"\s*(#.*)?")


def object_ignores(text: str, file: str, found: Sequence[ManifestObject]) -> list[Ignore]:
    """Returns the comments of a manifest. A comment directly before an object is about that object; any other is about the object before it."""
    if _MARK not in text:
        return []
    lines = text.splitlines()
    starts = {written.start.line: written.label for written in found}
    return [item for number, line in enumerate(lines) if _MARK in line for item in _of_object(line, file, number, _object_of(number, lines, starts))]


def platform_ignores(text: str, file: str) -> list[Ignore]:
    """Returns the comments of a platform file."""
    if _MARK not in text:
        return []
    lines = list(enumerate(text.splitlines(), 1))
    code = (number for number, line in lines if not _ONLY_A_COMMENT.fullmatch(line))
    return list(line_ignores(lines, code, file))


def _of_object(line: str, file: str, number: int, label: str | None) -> Iterator[Ignore]:
    def covers(finding: Finding) -> bool:
        return label is not None and finding.object == label

    return comment(line, file, number + 1, covers, label)


def _object_of(number: int, lines: Sequence[str], starts: dict[int, str]) -> str | None:
    if _ONLY_A_COMMENT.fullmatch(lines[number]):
        following = next((later for later in range(number, len(lines)) if not _ONLY_A_COMMENT.fullmatch(lines[later])), None)
        if following in starts:
            return starts[following]
    before = [start for start in starts if start <= number]
    return starts[max(before)] if before else starts.get(min(starts, default=-1))

"""Findings as a code quality report of GitLab: a merge request shows those that it adds, by their fingerprints."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from nodepools.cli.output.review_formats import Review, file_of, in_repository, message_of, place_of
from nodepools.cli.problem import Problem
from nodepools.rules.engine.finding import Finding, Severity

_SEVERITIES: Final = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}
_UNREAD: Final = "not-checked"
_ROOT: Final = "."
"""The path of an entry without a file: GitLab requires one."""


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    description: str
    severity: str
    path: str
    line: int
    identity: Sequence[str]
    """What stays the same if the line moves."""

    def to_json(self, mark: str) -> dict[str, object]:
        location = {"path": self.path if self.path else _ROOT, "lines": {"begin": self.line}}
        return {"description": self.description, "check_name": self.name, "fingerprint": mark, "severity": self.severity, "location": location}


def code_quality(review: Review) -> list[dict[str, object]]:
    """The report. Files that could not be read are entries, too: otherwise their findings would look resolved."""
    entries = [*map(_of_finding, review.placed), *map(_of_problem, review.problems)]
    return [entry.to_json(mark) for entry, mark in zip(entries, _fingerprints(entries), strict=True)]


def _of_finding(finding: Finding) -> _Entry:
    path = in_repository(file_of(finding))
    line = finding.position.line if finding.position is not None else 1
    description = f"{finding.code} {finding.path}: {message_of(finding)}" if finding.path else f"{finding.code}: {message_of(finding)}"
    named = finding.named.partition("#")[2]
    return _Entry(finding.code, description, _SEVERITIES[finding.severity], path, line, (finding.code, path, named, finding.path))


def _of_problem(problem: Problem) -> _Entry:
    file, line, _ = place_of(problem)
    path = in_repository(file)
    description = f"nodepools could not check this: {problem.message}"
    return _Entry(_UNREAD, description, "blocker", path, int(line) if line else 1, (_UNREAD, path, problem.message))


def _fingerprints(entries: Iterable[_Entry]) -> Iterator[str]:
    """One for each entry: GitLab shows only one of several entries with the same fingerprint."""
    seen: Counter[Sequence[str]] = Counter()
    for entry in entries:
        seen[entry.identity] += 1
        text = "\0".join((*entry.identity, str(seen[entry.identity])))
        yield sha256(text.encode("utf-8", "surrogateescape")).hexdigest()

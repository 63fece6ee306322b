"""Findings in code reviews: SARIF 2.1.0, GitHub annotations and reports of GitLab. All say what could not be read."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final
from urllib.parse import quote

from nodepools.cli.output.safe_text import without_controls
from nodepools.cli.problem import Problem
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.codes import rule_page
from nodepools.rules.engine.finding import Finding, Severity, SourcePosition
from nodepools.rules.engine.registry import described

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_POSITION: Final = re.compile(r"(?P<file>.*?)(:(?P<line>\d+))?(:(?P<column>\d+))?")


@dataclass(frozen=True, slots=True)
class Review:
    """What a check found, and what it could not read."""

    findings: Sequence[Finding]
    problems: Sequence[Problem] = ()
    notes: Sequence[Problem] = ()
    file: str = ""
    """The file of findings that name none."""

    @property
    def placed(self) -> list[Finding]:
        """The findings, each with a file if there is one."""
        named = [finding.position is not None or finding.object is not None or not self.file for finding in self.findings]
        return [finding if is_named else replace(finding, object=self.file) for finding, is_named in zip(self.findings, named, strict=True)]


def sarif(review: Review) -> dict[str, object]:
    """A SARIF log with the findings and their rules. It is successful only if everything was read."""
    findings = review.placed
    names = dict(sorted({finding.code: finding.name for finding in findings}.items()))
    codes = list(names)
    rules = [_rule(code, name) for code, name in names.items()]
    driver = {"name": "nodepools", "version": version("nodepools"), "rules": rules}
    results = [_result(finding, codes) for finding in findings]
    notifications = [*(_notification(problem, "error") for problem in review.problems), *(_notification(note, "note") for note in review.notes)]
    invocation = {"executionSuccessful": not review.problems, "toolExecutionNotifications": notifications}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "invocations": [invocation], "results": results}]}


def _rule(code: str, name: str) -> dict[str, object]:
    page = rule_page(code)
    return {"id": code, "name": name, "shortDescription": {"text": described(code)}, **({"helpUri": page} if page is not None else {})}


def annotations(review: Review) -> Iterator[str]:
    """A workflow command for each finding and each problem: GitHub shows it next to the line."""
    for finding in review.placed:
        place = properties(file_of(finding), finding.position) | {"title": f"{finding.code} {finding.path}".strip()}
        yield command(_COMMANDS[finding.severity], place, message_of(finding))
    for problem in review.problems:
        file, line, column = place_of(problem)
        yield command("error", {"file": in_repository(file), "title": "nodepools could not check this", "line": line, "col": column}, str(problem))


def properties(file: str, position: SourcePosition | None) -> dict[str, str]:
    """The properties of an annotation that say where it is; lines only if they are known."""
    return {"file": in_repository(file), **({"line": str(position.line), "col": str(position.column)} if position is not None else {})}


def command(name: str, place: dict[str, str], message: str) -> str:
    """A workflow command of GitHub: an annotation."""
    properties = ",".join(f"{key}={_escaped(text).replace(':', '%3A').replace(',', '%2C')}" for key, text in place.items() if text)
    return f"::{name} {properties}::{_escaped(message)}"


def _notification(problem: Problem, level: str) -> dict[str, object]:
    file, line, column = place_of(problem)
    region = {"region": {"startLine": int(line), **({"startColumn": int(column)} if column else {})}} if line else {}
    locations = [{"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, **region}}] if file else []
    return {"level": level, "message": {"text": str(problem)}, "locations": locations}


def place_of(problem: Problem) -> tuple[str, str, str]:
    """File, line and column; empty if they are not known. An option is not a file."""
    found = _POSITION.fullmatch(problem.where)
    if found is None or problem.where.startswith("-"):
        return "", "", ""
    return found["file"], found["line"] or "", found["column"] or ""


def _result(finding: Finding, codes: Sequence[str]) -> dict[str, object]:
    region = {"region": {"startLine": finding.position.line, "startColumn": finding.position.column}} if finding.position is not None else {}
    file = file_of(finding)
    physical = {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, **region}} if file else {}
    name = " ".join(part for part in (finding.named, finding.path) if part)
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": str(finding.severity),
        "message": {"text": f"{finding.path}: {message_of(finding)}" if finding.path else message_of(finding)},
        "locations": [{**physical, "logicalLocations": [{"fullyQualifiedName": name}]}],
    }


def _uri(file: str) -> str:
    """The name as a URI. Bytes that are not UTF-8 stay what they are."""
    return quote(in_repository(file).replace("\\", "/").encode("utf-8", "surrogateescape"))


def message_of(finding: Finding) -> str:
    """The message with its fix."""
    return f"{finding.message}. Fix: {finding.fix.text}" if finding.fix is not None else finding.message


def file_of(finding: Finding) -> str:
    """The file of a finding, as it was named; empty if it has none."""
    return finding.position.file if finding.position is not None else finding.named.partition("#")[0]


def _escaped(text: str) -> str:
    return without_controls(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


_ROOTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Environment variables of CI runners with the root of the checkout."""


def in_repository(file: str) -> str:
    """The path from the root of the checkout, on a runner; otherwise as it is."""
    for variable in _ROOTS:
        root = os.environ.get(variable)
        if not root or not file:
            continue
        inside = os.path.relpath(Path.cwd() / file, root)
        if not inside.startswith(os.pardir):
            return inside
    return file


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

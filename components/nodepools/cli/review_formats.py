"""Findings in code reviews: SARIF 2.1.0 and GitHub annotations."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Final
from urllib.parse import quote

from nodepools.rules.codes import described
from nodepools.rules.finding import Finding, Severity

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def sarif(findings: Sequence[Finding]) -> dict[str, object]:
    """A SARIF log with the findings and their rules."""
    names = dict(sorted({finding.code: finding.name for finding in findings}.items()))
    codes = list(names)
    rules = [{"id": code, "name": name, "shortDescription": {"text": described(code)}} for code, name in names.items()]
    driver = {"name": "nodepools", "version": version("nodepools"), "rules": rules}
    results = [_result(finding, codes) for finding in findings]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def annotations(findings: Sequence[Finding]) -> Iterator[str]:
    """A workflow command for each finding: GitHub shows it next to the line."""
    for finding in findings:
        place = {"file": _file(finding), "title": f"{finding.code} {finding.path}".strip()}
        if finding.position is not None:
            place |= {"line": str(finding.position.line), "col": str(finding.position.column)}
        properties = ",".join(f"{name}={_property(text)}" for name, text in place.items() if text)
        yield f"::{_COMMANDS[finding.severity]} {properties}::{_escaped(_message(finding))}"


def _result(finding: Finding, codes: Sequence[str]) -> dict[str, object]:
    region = {"region": {"startLine": finding.position.line, "startColumn": finding.position.column}} if finding.position is not None else {}
    file = _file(finding)
    physical = {"physicalLocation": {"artifactLocation": {"uri": quote(file.replace("\\", "/"))}, **region}} if file else {}
    name = " ".join(part for part in (finding.object or "", finding.path) if part)
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": str(finding.severity),
        "message": {"text": f"{finding.path}: {_message(finding)}" if finding.path else _message(finding)},
        "locations": [{**physical, "logicalLocations": [{"fullyQualifiedName": name}]}],
    }


def _message(finding: Finding) -> str:
    return f"{finding.message}. Fix: {finding.fix.text}" if finding.fix is not None else finding.message


def _file(finding: Finding) -> str:
    return finding.position.file if finding.position is not None else (finding.object or "").partition("#")[0]


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")

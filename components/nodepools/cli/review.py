"""Faults where code is reviewed: SARIF 2.1.0, and annotations of GitHub's workflows."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Final
from urllib.parse import quote

from nodepools.rules.documented import described
from nodepools.rules.fault import Fault, Severity

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def sarif(faults: Sequence[Fault]) -> dict[str, object]:
    """A log of one run, with the rules that were broken."""
    codes = sorted({fault.code for fault in faults})
    rules = [{"id": code, "shortDescription": {"text": described(code)}} for code in codes]
    driver = {"name": "nodepools", "version": version("nodepools"), "rules": rules}
    results = [_result(fault, codes) for fault in faults]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def annotations(faults: Sequence[Fault]) -> Iterator[str]:
    """A workflow command for each fault: GitHub shows it beside the line."""
    for fault in faults:
        place = {"file": _file(fault), "title": f"{fault.code} {fault.path}".strip()}
        if fault.mark is not None:
            place |= {"line": str(fault.mark.line), "col": str(fault.mark.column)}
        said = ",".join(f"{name}={_property(text)}" for name, text in place.items() if text)
        yield f"::{_COMMANDS[fault.severity]} {said}::{_escaped(f'{fault.message}. Fix: {fault.fix}')}"


def _result(fault: Fault, codes: Sequence[str]) -> dict[str, object]:
    region = {"region": {"startLine": fault.mark.line, "startColumn": fault.mark.column}} if fault.mark is not None else {}
    file = _file(fault)
    physical = {"physicalLocation": {"artifactLocation": {"uri": quote(file.replace("\\", "/"))}, **region}} if file else {}
    name = " ".join(part for part in (fault.object or "", fault.path) if part)
    return {
        "ruleId": fault.code,
        "ruleIndex": codes.index(fault.code),
        "level": str(fault.severity),
        "message": {"text": f"{fault.path}: {fault.message}. Fix: {fault.fix}" if fault.path else f"{fault.message}. Fix: {fault.fix}"},
        "locations": [{**physical, "logicalLocations": [{"fullyQualifiedName": name}]}],
    }


def _file(fault: Fault) -> str:
    return fault.mark.file if fault.mark is not None else (fault.object or "").partition("#")[0]


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")

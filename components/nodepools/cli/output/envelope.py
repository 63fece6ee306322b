"""What all commands write with `--format json`: one document, on every exit."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from nodepools.cli.output.safe_text import safe_json
from nodepools.cli.problem import Problem

if TYPE_CHECKING:
    from nodepools.rules.engine.finding import Finding

SCHEMA: Final = "nodepools/2"
EMPTY: Final[Mapping[str, Mapping[str, object]]] = {
    "init": {"folder": None, "files": []},
    "check": {"errors": 0, "warnings": 0},
    "preview": {"stack": None, "resources": [], "outputs": {}},
    "diff": {"stacks": [], "changes": [], "order": [], "summary": {}},
    "adopt": {"clusters": [], "resources": [], "differences": [], "files": []},
    "adopt settle": {"settled": [], "changes": [], "unknown": [], "undeclared": [], "forgotten": [], "files": []},
    "adopt pending": {"pending": [], "recorded": [], "others": [], "files": []},
    "convert": {"target": None, "objects": [], "unconverted": [], "workloads": [], "files": []},
    "render": {"objects": []},
    "eject": {"folder": None, "resources": 0, "secrets": [], "left": []},
    "explain": {"workloads": [], "pods": []},
    "instances": {"pool": None, "instance_types": []},
    "calendar": {"pools": [], "maintenance": []},
    "diagram": {"platforms": []},
    "cost": {"platforms": [], "minimum": None, "maximum": None},
    "capacity": {"verdict": None, "clusters": []},
    "upgrade": {"verdict": "unknown", "clusters": []},
    "compare": {"verdict": "unknown", "results": [], "not_predicted": [], "not_seen": [], "pending": []},
    "ledger": {"comparisons": 0, "not_compared": 0, "rates": []},
    "rollout plan": {"rollout": None, "waves": [], "plan": None},
    "rollout compile": {"target": None, "waves": [], "files": []},
    "doctor": {"tools": [], "needs": [], "missing": [], "tables": [], "exports": []},
    "rules": {},
}
"""The fields of each command, as they are if nothing could be read."""


def document(
    command: str, fields: Mapping[str, object], findings: "Iterable[Finding]", problems: Sequence[Problem], notes: Sequence[Problem]
) -> dict[str, object]:
    """The document of a command. With problems, it is not complete."""
    here = f"nodepools {command}"
    return {
        "schema": SCHEMA,
        "command": command,
        "answer": None,
        "next": [],
        "complete": not problems,
        "problems": [problem.to_json(here) for problem in problems],
        "notices": [note.to_json(here) for note in notes],
        **EMPTY[command],
        **fields,
        "findings": [finding.to_json() for finding in findings],
    }


def json_text(value: object) -> str:
    """JSON text that every reader accepts: numbers that JSON cannot hold become strings."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False)
    return safe_json(text)


def _finite(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _finite(part) for key, part in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in cast("Sequence[object]", value)]
    if isinstance(value, float) and value - value != 0:
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > _LONGEST_NUMBER:
        return hex(value)
    return value


_LONGEST_NUMBER: Final = 10_000
"""Bits. Python does not write longer numbers as decimals."""

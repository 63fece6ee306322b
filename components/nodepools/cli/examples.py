"""Examples and exit codes on the help pages of the program and its commands, and other words for commands and options: help.json."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from nodepools.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A command line, and what it is for."""

    purpose: str
    line: str


PROGRAM: Final = "nodepools"
_HELP: Final = json.loads(Path(__file__).with_name("help.json").read_text(encoding="utf-8"))
EXAMPLES: Final[Mapping[str, tuple[Example, ...]]] = {
    command: tuple(Example(*example) for example in listed) for command, listed in _HELP["examples"].items()
}
COMMANDS: Final[Mapping[str, str]] = _HELP["commands"]
"""Other words for commands."""
OPTIONS: Final[Mapping[str, str]] = _HELP["options"]
"""Other words for options."""

EXIT_CODES: Final = "Exit codes: 0 no errors, 1 errors found, 2 invalid usage, or input that could not be read completely."
_SPECIAL: Final[Mapping[str, str]] = {
    **dict.fromkeys(("init", "ledger", "rules", "schema", "mcp"), EXIT_CODES.replace("0 no errors, 1 errors found", "0 done")),
    "diff": EXIT_CODES.replace("0 no errors, 1 errors found", "0 no change must be accepted, 1 a change has an effect of `--fail-on`"),
    "upgrade": EXIT_CODES.replace("0 no errors, 1 errors found", "0 nothing certain blocks the upgrade, 1 something does"),
    "compare": EXIT_CODES.replace("0 no errors, 1 errors found", "0 every prediction was seen, 1 something contradicts one"),
    "convert": EXIT_CODES.replace("0 no errors, 1 errors found", "0 no workload loses its pool, 1 one does, or the output has errors"),
    "rollout plan": EXIT_CODES.replace("0 no errors, 1 errors found", "0 no gate is known to fail, 1 a gate fails"),
    "rollout compile": EXIT_CODES.replace("0 no errors, 1 errors found", "0 done"),
    "doctor": EXIT_CODES.replace("0 no errors, 1 errors found", "0 all tools found, 1 a tool is missing or the declaration has errors"),
}


def exit_codes(command: str) -> str:
    """The exit codes of a command in one sentence."""
    return _SPECIAL.get(command, EXIT_CODES)

"""Exit codes, and errors that end a command, with their texts: little can be imported here, because the console script needs them first."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Never

from nodepools.cli.problem import InputError, Problem

if TYPE_CHECKING:
    from nodepools.rules.engine.finding import Finding


def os_error_text(error: OSError) -> str:
    """`file: No such file or directory`; an error without a file name comes from writing to stdout."""
    if error.filename is None:
        return f"stdout: {error.strerror}"
    from nodepools.reading.bounded_input import os_reason  # imports the models

    return f"{error.filename}: {os_reason(Path(str(error.filename)), error)}"


EXIT_FINDINGS: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


class InvalidError(Exception):
    """The declaration has errors: a command that needs a valid one has no answer."""

    def __init__(self, name: str, findings: "Sequence[Finding]", answer: str = "") -> None:
        """Takes the errors, and the first line, if it says more than their number."""
        super().__init__(name)
        self.name = name
        self.findings = findings
        self.answer = answer


def usage_error(message: str) -> Never:
    """Ends the command: its options or its input cannot be used.

    Raises:
        InputError: always.
    """
    raise InputError(Problem.of(message))

"""Exit codes, and errors that end a command."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Never

from nodepools.cli.problem import InputError, Problem

if TYPE_CHECKING:
    from nodepools.rules.engine.finding import Finding

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

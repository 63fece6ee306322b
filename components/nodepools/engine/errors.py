"""Errors of a run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nodepools.engine.plan import Diagnostic, Plan


class EngineError(Exception):
    """The engine failed. The message is for the user."""


class ProgramFailed(EngineError):  # noqa: N818 - the name says what happened
    """The program did not complete. `diagnostics` has the messages that it logged before, and `plan` what it registered until then."""

    def __init__(self, message: str, diagnostics: "Sequence[Diagnostic]" = (), plan: "Plan | None" = None) -> None:
        super().__init__(message)
        self.message = message
        self.diagnostics = tuple(diagnostics)
        self.plan = plan


class ProgramTimedOut(ProgramFailed):
    """The program was stopped because it exceeded the time limit."""


class PackError(EngineError):
    """A policy pack cannot be used. The message is one line, or one line for each error of its configuration."""

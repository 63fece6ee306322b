"""What can go wrong when a program is run."""

from collections.abc import Sequence

from nodepools.engine.plan import Diagnostic


class EngineError(Exception):
    """The engine could not do its part; the message is for the person who started it."""


class ProgramFailed(EngineError):  # noqa: N818 - it reads as what happened
    """The program did not come to its end. `diagnostics` is what it had logged until then."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.diagnostics = tuple(diagnostics)


class ProgramTimedOut(ProgramFailed):
    """The program was still running when its time was over, and was ended."""


class PackError(EngineError):
    """A policy pack cannot be used; the message is one line, or several where its configuration has several findings."""

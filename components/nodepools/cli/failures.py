"""The exceptions that end a command, as problems of one line."""

import traceback
from pathlib import Path
from typing import Final

from nodepools.cli.problem import EXIT_INTERRUPTED, EXIT_USAGE, InputError, Problem, os_error_text

_PACKAGE: Final = Path(__file__).parents[1]
_NEEDED: Final = {
    "mcp": "mcp",
    "mcp_types": "mcp",
    "anyio": "mcp",
    "typer": "cli",
    "yaml": "cli",
    "grpc": "cli",
    "google": "cli",
    "pulumi": "cli",
    "jsonschema": "cli",
    "re2": "cli",
}
"""The extra that installs a package."""
_SIGNAL_BASE: Final = 128


class Terminated(SystemExit):
    """A signal ends the process."""


def failure(error: BaseException) -> tuple[int, tuple[Problem, ...]]:
    """The exit code of a command that `error` ends, and what to tell."""
    from nodepools.loading import UnreadableError  # imports the models

    if isinstance(error, InputError):
        return EXIT_USAGE, error.problems
    if isinstance(error, UnreadableError):
        return EXIT_USAGE, (Problem.of(str(error)),)
    if isinstance(error, KeyboardInterrupt):
        return EXIT_INTERRUPTED, (Problem("", "interrupted"),)
    if isinstance(error, Terminated):
        return int(str(error)), (Problem("", f"ended by signal {int(str(error)) - _SIGNAL_BASE}"),)
    return EXIT_USAGE, (Problem("", _unexpected(error)),)


def _unexpected(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and (package := (error.name or "").split(".")[0]) in _NEEDED:
        return f"this command requires the package `{package}`: pip install 'nodepools[{_NEEDED[package]}]'"
    if isinstance(error, OSError) and error.strerror:
        return os_error_text(error)
    if isinstance(error, MemoryError):
        return "the input needs more memory than is available"
    described = " ".join("".join(traceback.format_exception_only(error)).split())  # also if its `__str__` fails
    return f"unexpected error{_place(error)}: {described}"


def _place(error: BaseException) -> str:
    """The last line of this package that the error went through."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(_PACKAGE)]
    return f" at {Path(own[-1].filename).relative_to(_PACKAGE)}:{own[-1].lineno}" if own else ""

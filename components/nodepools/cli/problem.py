"""What could not be read or checked, and where; exit codes. Little can be imported here, because the console script needs them first."""

import re
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Never

from nodepools.model.values import dataclass

if TYPE_CHECKING:
    from nodepools.adoption.cluster_identity import CloudId
    from nodepools.rules.engine.finding import Finding

_PLACE: Final = re.compile(r"(\S+|.*:\d+(:\d+)?)")
"""A file or an option; with spaces in it, only if a line follows: otherwise it is the beginning of a sentence."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with a file, an option, or the command as a whole."""

    where: str
    """A file with line and column if they are known, or an option; empty for the command as a whole."""
    message: str
    """Text that has the form of a secret, such as credentials in a URL, is removed: the exceptions of programs can contain it."""
    is_open: bool = False
    """Everything was read, and more has to happen before it has an answer."""
    cluster: "CloudId | None" = None
    """The cluster that it is about, if the declaration does not have it."""

    def __post_init__(self) -> None:
        """Removes secrets from the message."""
        from nodepools.model.redaction import scrubbed  # imports the models, for which help pages need not wait

        object.__setattr__(self, "message", scrubbed(self.message))

    @classmethod
    def of(cls, line: str, file: str = "") -> "Problem":
        """Reads a line such as `file:1:2: message`. With `file`, its name can contain spaces and colons."""
        known = len(file) if file and line.startswith(f"{file}:") else 0
        where, found, message = line[known:].partition(": ")
        where = line[:known] + where
        return cls(where, message) if found and (known or _PLACE.fullmatch(where)) else cls("", line)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message

    def to_json(self, otherwise: str) -> dict[str, str]:
        """The problem as JSON data; `otherwise` stands for the command as a whole."""
        return {"path": self.where if self.where else otherwise, "message": self.message}


class InputError(Exception):
    """The command cannot use its options or its input. Each problem is one line."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        return "; ".join(map(str, self.problems))


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

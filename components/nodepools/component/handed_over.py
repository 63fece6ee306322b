"""Declarations that a program hands over: `nodepools check` and others read them, and nothing is created."""

import os
import sysconfig
from inspect import currentframe
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from nodepools.model.base import Model

if TYPE_CHECKING:
    from nodepools.rules.engine.finding import Finding

HANDED_OVER: Final = "NODEPOOLS_HANDED_OVER"
"""Environment variable with the file for the declarations of a program. Components then do not check them: who reads the file does."""
_OURS: Final = Path(__file__).parents[1]
_STANDARD: Final = sysconfig.get_path("stdlib")


class Declared(NamedTuple):
    """A declaration of a program: the arguments of a component, or a platform, whose name is empty."""

    name: str
    args: Model
    file: str
    """Of the line of the program that declares it; empty if it has none."""
    line: int


class Refused(NamedTuple):
    """The findings that ended a program, with the last line of it that ran."""

    findings: "tuple[Finding, ...]"
    file: str
    line: int


class Skipped(NamedTuple):
    """A line of a program that decides, by a value that is known after an update, what it registers."""

    file: str
    line: int
    what: str


declared_here: Final[list[Declared]] = []
"""What this program declared so far, if it hands over its declarations."""


def is_handed_over() -> bool:
    """The program only hands over its declarations: nothing is created."""
    return bool(os.environ.get(HANDED_OVER))


def hand_over(name: str, args: Model) -> None:
    """Records a declaration with the line of the program that declares it."""
    declared_here.append(Declared(name, args, *own_line()))


def own_line() -> tuple[str, int]:
    """The innermost line of the program that runs now; an empty file if there is none."""
    frame = currentframe()
    while frame is not None and not is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("", 0)


def is_own(filename: str) -> bool:
    """Whether a file belongs to the program: not installed, not part of Python, not part of this library."""
    path = Path(filename)
    installed = "site-packages" in path.parts or "dist-packages" in path.parts or path.is_relative_to(_STANDARD)
    return not (installed or filename.startswith("<") or path.is_relative_to(_OURS))

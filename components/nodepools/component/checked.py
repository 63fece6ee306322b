"""Remembers declarations: those that were checked, so that each is checked once, and those that a program hands over to `nodepools check`."""

import os
import sysconfig
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from inspect import currentframe
from pathlib import Path
from typing import Final, NamedTuple

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.ref import StackOutput
from nodepools.model.scalars import scalars
from nodepools.model.secret import SecretValue

VARIABLE: Final = "NODEPOOLS_CHECKED"
"""Environment variable with the fingerprint of the declaration in which `nodepools preview` found no error."""
HANDED_OVER: Final = "NODEPOOLS_HANDED_OVER"
"""Environment variable with the file for the declarations of a program. Components then do not check them: who reads the file does."""
_OURS: Final = Path(__file__).parents[1]
_STANDARD: Final = sysconfig.get_path("stdlib")
_checked: ContextVar[tuple[object, ...]] = ContextVar("checked", default=())


@contextmanager
def as_checked(*declarations: object) -> Generator[None]:
    """Components that receive one of `declarations` within this context do not check it again."""
    token = _checked.set((*_checked.get(), *declarations))
    try:
        yield
    finally:
        _checked.reset(token)


def is_checked(declaration: Model) -> bool:
    """This object was already checked, as a part of its parent."""
    return any(declaration is declared for declared in _checked.get())


def was_checked_before(declaration: Model) -> bool:
    """An equal declaration had no error when `nodepools preview` checked it, before it started this program."""
    expected = os.environ.get(VARIABLE)
    return expected is not None and not is_faulty(declaration) and expected == fingerprint(declaration)


def fingerprint(declaration: Model) -> str:
    """Equal for equal declarations, in every process. The declaration has no invalid part."""
    secrets = [(place, _content(value)) for place, value in scalars(declaration) if isinstance(value, SecretValue)]  # `repr` does not contain them
    return sha256(repr((declaration, secrets)).encode()).hexdigest()


def _content(secret: SecretValue) -> object:
    """What is known of a secret before the program runs: an output has another address in every process."""
    content = secret.reveal()
    return content if isinstance(content, str | StackOutput) else None


class Declared(NamedTuple):
    """A declaration of a program: the arguments of a component, or a platform, whose name is empty."""

    name: str
    args: Model
    file: str
    """Of the line of the program that declares it; empty if it has none."""
    line: int


declared_here: Final[list[Declared]] = []
"""What this program declared so far, if it hands over its declarations."""


def is_handed_over() -> bool:
    """The program only hands over its declarations: nothing is created."""
    return bool(os.environ.get(HANDED_OVER))


def hand_over(name: str, args: Model) -> None:
    """Records a declaration with the line of the program that declares it."""
    frame = currentframe()
    while frame is not None and not is_own(frame.f_code.co_filename):
        frame = frame.f_back
    file, line = (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("", 0)
    declared_here.append(Declared(name, args, file, line))


def is_own(filename: str) -> bool:
    """Whether a file belongs to the program: not installed, not part of Python, not part of this library."""
    path = Path(filename)
    installed = "site-packages" in path.parts or "dist-packages" in path.parts or path.is_relative_to(_STANDARD)
    return not (installed or filename.startswith("<") or path.is_relative_to(_OURS))

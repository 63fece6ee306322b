"""Remembers checked declarations. Each is checked once: by `nodepools preview`, by `deploy`, or by the first component that receives it."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from typing import Final

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.ref import SecretValue, StackOutput
from nodepools.model.steps import scalars

VARIABLE: Final = "NODEPOOLS_CHECKED"
"""Environment variable with the fingerprint of the declaration in which `nodepools preview` found no error."""
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

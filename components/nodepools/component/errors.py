"""Errors of components, which Pulumi shows as a message without a traceback. Each declaration is checked once, by the first that receives it."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from inspect import signature
from typing import Any, Final, TypeVar

import pulumi

from nodepools.component.handed_over import hand_over, is_handed_over
from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.path import path_text
from nodepools.model.ref import SecretValue, StackOutput, misplaced
from nodepools.model.steps import scalars
from nodepools.rules.engine.finding import DeclarationError, Finding, Severity

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


T = TypeVar("T")
_LISTED: Final = 5
_SDK: Final = "the installed Python SDK"


class InvalidDeclarationError(pulumi.RunError, DeclarationError):
    """The declaration has errors, and nothing was registered. Lists all of them."""


class WrongArgumentError(pulumi.RunError, TypeError):
    """The arguments of a component are not a declaration."""


def reject_invalid(declared: Model, expected: type[Model], component: str, cluster: str | None = None) -> None:
    """Checks `declared`, the `args` of a `component`; `cluster` is the name of one that is a cluster.

    Raises:
        InvalidDeclarationError: the declaration has errors; warnings and notes are ignored.
        WrongArgumentError: `declared` does not have the type `expected`.
    """
    if not isinstance(declared, expected):
        raise WrongArgumentError(misplaced(component, f"`args` of {expected.__name__}", declared, expected.__name__))
    if is_checked(declared):
        return
    place = ""
    if cluster is not None and is_handed_over():
        if not is_faulty(declared):
            hand_over(cluster, declared)
            return
        place = path_text(("clusters", cluster))  # the command that reads the program names its clusters
    from nodepools.rules.engine.runner import check  # a program whose declaration was checked before does not need the rules

    errors = [finding for finding in check(declared, place, own=False) if finding.severity is Severity.ERROR]
    if errors:
        raise InvalidDeclarationError(errors)


def reject_arguments(*given: tuple[str, Mapping[str, object], type]) -> None:
    """Checks that the installed SDK has the arguments that overrides set: the table of the rules can be of another version.

    Args:
        given: the path of overrides, the overrides, and the class of arguments of the SDK.

    Raises:
        InvalidDeclarationError: it does not have one of them. Nothing is registered.
    """
    unknown = [
        (path, name, kind) for path, overrides, kind in given for name in overrides if name.removesuffix("_") not in signature(kind).parameters
    ]
    if unknown:
        raise InvalidDeclarationError(
            [
                Finding("PLT022", Severity.ERROR, f"{path}.{name}", None, f"The installed {_package(kind)} has no argument `{name}`", None, _SDK)
                for path, name, kind in unknown
            ]
        )


def _package(kind: type) -> str:
    package = kind.__module__.partition(".")[0].replace("_", "-")
    return f"{package} {version(package)}"


def for_pulumi(error: Exception) -> pulumi.RunError:
    """The same error, of its class too, as a `RunError`, of which Pulumi shows the message only."""
    if isinstance(error, DeclarationError):
        return InvalidDeclarationError(error.findings, error.part, error.rest)
    return _run_error(type(error))(str(error))


@cache
def _run_error(kind: type[Exception]) -> type[pulumi.RunError]:
    return type(kind.__name__, (pulumi.RunError, kind), {"__doc__": kind.__doc__, "__module__": kind.__module__})


def unless_failed(value: T, sent: Mapping[str, pulumi.Output[Any]]) -> pulumi.Output[T]:
    """`value`, or an error if a registration failed.

    With `--continue-on-error`, Pulumi goes on after a failure, and at the end deletes what the program no longer registers: the previous pool,
    although its successor does not exist. It deletes nothing if the program fails, so the program fails here.

    Args:
        value: an output of a component.
        sent: for each resource, by its name, an output that is one of its inputs. It is unknown in an update only after a failure.
    """

    async def checked() -> T:
        failed = [name for name, echo in sent.items() if not await echo.is_known()]
        if failed:
            listed = ", ".join(failed[:_LISTED]) + (f" and {len(failed) - _LISTED} more" if len(failed) > _LISTED else "")
            raise pulumi.RunError(f"{listed}: not created or updated. Nothing is deleted, because the nodes to delete can be the only ones left")
        return value

    return pulumi.Output.from_input(value if pulumi.runtime.is_dry_run() else checked())

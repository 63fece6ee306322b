"""Errors of components, which Pulumi shows as a message without a traceback."""

import pulumi

from nodepools.component.checked import is_checked
from nodepools.model.argument_errors import misplaced
from nodepools.model.base import Model
from nodepools.rules.finding import DeclarationError, Severity
from nodepools.rules.runner import check


class InvalidDeclarationError(pulumi.RunError, DeclarationError):
    """The declaration has errors, and nothing was registered. Lists all of them."""


class WrongArgumentError(pulumi.RunError, TypeError):
    """The arguments of a component are not a declaration."""


def reject_invalid(declared: Model, expected: type[Model], component: str) -> None:
    """Checks `declared`, the `args` of a `component`.

    Raises:
        InvalidDeclarationError: the declaration has errors; warnings and notes are ignored.
        WrongArgumentError: `declared` does not have the type `expected`.
    """
    if not isinstance(declared, expected):
        raise WrongArgumentError(misplaced(component, f"`args` of {expected.__name__}", declared))
    if is_checked(declared):
        return
    errors = [finding for finding in check(declared, own=False) if finding.severity is Severity.ERROR]
    if errors:
        raise InvalidDeclarationError(errors)


def for_pulumi(error: Exception) -> pulumi.RunError:
    """The same error as a `RunError`, of which Pulumi shows the message only."""
    return InvalidDeclarationError(error.findings, error.part, error.rest) if isinstance(error, DeclarationError) else pulumi.RunError(str(error))

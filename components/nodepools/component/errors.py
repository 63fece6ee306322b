"""Findings, as Pulumi should show them: a message, and no trace of our own frames."""

import pulumi

from nodepools.component.checked import is_checked
from nodepools.model.argument_errors import misplaced
from nodepools.model.base import Model
from nodepools.rules.finding import DeclarationError, Severity
from nodepools.rules.runner import check


class InvalidDeclarationError(pulumi.RunError, DeclarationError):
    """All errors of a declaration. Nothing of it has been registered."""


class WrongArgumentError(pulumi.RunError, TypeError):
    """A component was given something that is not a declaration."""


def refuse_faulty(declared: Model, wanted: type[Model], component: str) -> None:
    """Judges `declared`, the `args` of a `component`.

    Raises:
        InvalidDeclarationError: it has errors; warnings and notes do not count.
        WrongArgumentError: it is no `wanted` at all.
    """
    if not isinstance(declared, wanted):
        raise WrongArgumentError(misplaced(component, f"`args` of {wanted.__name__}", declared))
    if is_checked(declared):
        return
    errors = [finding for finding in check(declared, own=False) if finding.severity is Severity.ERROR]
    if errors:
        raise InvalidDeclarationError(errors)


def for_pulumi(error: Exception) -> pulumi.RunError:
    """The same error, so that Pulumi shows its message alone."""
    return InvalidDeclarationError(error.findings, error.part, error.rest) if isinstance(error, DeclarationError) else pulumi.RunError(str(error))

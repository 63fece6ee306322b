"""Faults, as Pulumi should show them: a message, and no trace of our own frames."""

import pulumi

from nodepools.model.base import Model
from nodepools.rules.fault import DeclarationError, Severity
from nodepools.rules.judge import check


class DeclarationRefusedError(pulumi.RunError, DeclarationError):
    """All errors of a declaration. Nothing of it has been registered."""


def refuse_faulty(declared: Model) -> None:
    """Judges `declared`.

    Raises:
        DeclarationRefusedError: it has errors; warnings and notes do not count.
    """
    errors = [fault for fault in check(declared) if fault.severity is Severity.ERROR]
    if errors:
        raise DeclarationRefusedError(errors)


def for_pulumi(error: Exception) -> pulumi.RunError:
    """The same error, so that Pulumi shows its message alone."""
    return DeclarationRefusedError(error.faults) if isinstance(error, DeclarationError) else pulumi.RunError(str(error))

"""What an expression is evaluated with, and the form of a compiled expression."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from nodepools.cel.errors import MismatchError
from nodepools.cel.meter import Meter
from nodepools.cel.values import named


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables of an evaluation, and the meter of its cost. A macro sets its own variables while it runs."""

    variables: dict[str, object]
    meter: Meter


Compiled: TypeAlias = Callable[[Scope], object]


def condition(value: object) -> bool:
    """Returns a value that must be true or false.

    Raises:
        MismatchError: it is neither.
    """
    if not isinstance(value, bool):
        raise MismatchError(f"uses {named(value)} as a condition")
    return value

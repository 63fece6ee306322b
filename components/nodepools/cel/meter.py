"""What an expression is evaluated with: its variables, the cost and its limits, and the errors that end it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Never, TypeAlias


class RuleSyntaxError(Exception):
    """The text of a rule is not an expression. The API server rejects a CRD that has it."""


class EvaluationError(Exception):
    """The evaluation fails, as it does in the API server, which then rejects the object."""


class NotCheckedError(Exception):
    """The rule cannot be evaluated here: it calls an unknown function, or needs more than the limits allow."""


class MismatchError(NotCheckedError):
    """No variant of a function fits the types of the arguments. In the API server, this happens only for values whose type the CRD leaves open."""


class CostLimitError(EvaluationError):
    """The rule, or all rules of the object, cost more than the API server allows."""


MOST_OF_A_RULE: Final = 1_000_000
"""The limit of the API server, in its own unit. A step costs at most what the API server counts: what is too much here is too much there."""
MOST_OF_A_RUN: Final = 5_000_000
"""Our own limit for all objects together, about 5 seconds. A NodePool costs about 500. The API server allows 10,000,000 for one object."""
LARGEST: Final = 5_000_000
"""Characters of texts and entries of lists that a rule builds."""


class Meter:
    """Counts what evaluations cost, and ends those that cost too much."""

    __slots__ = ("_built", "_granted", "_of_run", "left")

    def __init__(self) -> None:
        """Begins a run."""
        self._of_run = MOST_OF_A_RUN
        self._granted = self.left = self._built = 0
        """What the current rule may cost, and what is left of it. A step that repeats nothing just subtracts its cost."""
        self.begin_rule()

    def begin_rule(self) -> None:
        """Begins another rule."""
        self._of_run -= self._granted - self.left
        self._granted = self.left = min(MOST_OF_A_RULE, self._of_run)
        self._built = 0

    def spend(self, cost: int) -> None:
        """Adds the cost of a step.

        Raises:
            CostLimitError: the API server ends this rule, and rejects the object.
            NotCheckedError: the run has reached its limit.
        """
        self.left -= cost
        if self.left < 0:
            self._end()

    def traverse(self, length: int) -> None:
        """Adds the cost of reading a text: a tenth of its length."""
        self.spend(-(-length // 10))

    def build(self, length: int) -> None:
        """Adds the length of a value before it is built: memory does not end before the cost does.

        Raises:
            NotCheckedError: all values of the rule are too long.
        """
        self._built += length
        fitting(self._built)

    def _end(self) -> Never:
        if self._granted == MOST_OF_A_RULE:
            raise CostLimitError(f"it costs more than the {MOST_OF_A_RULE:,} units that the API server allows")
        raise NotCheckedError(f"is one of the rules that together cost more than the {MOST_OF_A_RUN:,} units that a check allows")


def fitting(length: int) -> None:
    """Ends an evaluation whose result is too large to build.

    Raises:
        NotCheckedError: the result would have more characters or entries than the limit.
    """
    if length > LARGEST:
        raise NotCheckedError(f"builds values with more than {LARGEST:,} characters or entries")


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables of an evaluation, and the meter of its cost. A macro sets its own variables while it runs."""

    variables: dict[str, object]
    meter: Meter


Compiled: TypeAlias = Callable[[Scope], object]

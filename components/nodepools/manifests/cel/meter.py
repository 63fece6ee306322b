"""The cost of evaluations, and its limits."""

import math
from typing import Final

from nodepools.manifests.cel.errors import CostLimitError, NotJudgedError

MOST_OF_A_RULE: Final = 1_000_000
MOST_OF_AN_OBJECT: Final = 10_000_000
"""The limits of the API server, in its own unit. A step costs at most what the API server counts for it: what exceeds them here exceeds them there."""
MOST_OF_A_RUN: Final = 20_000_000
"""Our own limit for all objects together: the remaining rules are not evaluated. It is about 20 seconds."""
LARGEST: Final = 10_000_000
"""Characters of a text, and entries of a list."""


class Meter:
    """Counts what evaluations cost, and ends those that cost too much."""

    __slots__ = ("_of_object", "_of_rule", "_of_run")

    def __init__(self) -> None:
        """Begins a run."""
        self._of_rule = self._of_object = self._of_run = 0

    def begin_object(self) -> None:
        """Begins the rules of another object."""
        self._of_object = 0

    def begin_rule(self) -> None:
        """Begins another rule.

        Raises:
            NotJudgedError: the run has reached its limit.
        """
        self._of_rule = 0
        self._check()

    def spend(self, cost: int) -> None:
        """Adds the cost of a step.

        Raises:
            CostLimitError: the API server ends this rule, and rejects the object.
            NotJudgedError: the run has reached its limit.
        """
        self._of_rule += cost
        self._of_object += cost
        self._of_run += cost
        if self._of_rule > MOST_OF_A_RULE or self._of_object > MOST_OF_AN_OBJECT or self._of_run > MOST_OF_A_RUN:
            self._check()

    def traverse(self, length: int) -> None:
        """Adds the cost of reading a text: a tenth of its length."""
        self.spend(math.ceil(length / 10))

    def _check(self) -> None:
        if self._of_rule > MOST_OF_A_RULE:
            raise CostLimitError(f"it costs more than the {MOST_OF_A_RULE:,} units that the API server allows")
        if self._of_object > MOST_OF_AN_OBJECT:
            raise CostLimitError(f"the rules of the object cost more than the {MOST_OF_AN_OBJECT:,} units that the API server allows")
        if self._of_run > MOST_OF_A_RUN:
            raise NotJudgedError(f"the rules of all objects cost more than the {MOST_OF_A_RUN:,} units that a check allows")


def fitting(length: int) -> None:
    """Ends an evaluation whose result is too large to build.

    Raises:
        NotJudgedError: the result would have more characters or entries than the limit.
    """
    if length > LARGEST:
        raise NotJudgedError(f"builds a value with more than {LARGEST:,} characters or entries")

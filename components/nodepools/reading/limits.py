"""The limits of every reader, and the environment variables that change them."""

import os
from dataclasses import dataclass
from time import monotonic
from typing import Final


class TextError(Exception):
    """The text cannot be read, is not valid, or exceeds a limit. The message is one line: the position and the error."""


class LimitError(TextError):
    """The text exceeds a limit."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of every reader."""

    variable: str
    """The environment variable that changes it."""
    default: int
    most: int
    """The highest value that the variable can set."""
    exceeded: str
    """What is wrong with a text beyond the limit."""

    def value(self) -> int:
        """Returns the limit.

        Raises:
            TextError: the environment variable is not a number in the valid range.
        """
        written = os.environ.get(self.variable)
        if written is None:
            return self.default
        if not (written.isascii() and written.isdigit() and len(written) <= len(str(self.most)) and 1 <= int(written) <= self.most):
            raise TextError(f"the environment variable `{self.variable}` must be a whole number from 1 to {self.most}, not `{written[:40]}`")
        return int(written)

    def error(self, place: str) -> LimitError:
        """Returns the error for a text that exceeds the limit, at its position or in the file `place`."""
        return LimitError(f"{place}: {self.exceeded.format(f'{self.value():,}')}; the environment variable `{self.variable}` raises the limit")


@dataclass(frozen=True, slots=True)
class Deadline:
    """The end of the time for one text."""

    at: float

    @classmethod
    def start(cls) -> "Deadline":
        """Returns the deadline of a text that is opened now."""
        return cls(monotonic() + SECONDS.value())

    @property
    def left(self) -> float:
        """The seconds that remain, at least 0."""
        return max(0.0, self.at - monotonic())


MIB: Final = Limit("NODEPOOLS_MAX_MIB", 32, 65_536, "is larger than {} MiB")
LISTED_MIB: Final = Limit("NODEPOOLS_MAX_LISTED_MIB", 2_048, 65_536, "is larger than {} MiB")
"""For lists of objects that are read one after the other: their size does not determine the memory."""
VALUES: Final = Limit("NODEPOOLS_MAX_VALUES", 500_000, 1_000_000_000, "has more than {} values once aliases are expanded")
LISTED_VALUES: Final = Limit("NODEPOOLS_MAX_LISTED_VALUES", 2_000_000, 1_000_000_000, VALUES.exceeded)
"""For lists of objects of which only parts are read: the other parts do not count."""
DEPTH: Final = Limit("NODEPOOLS_MAX_DEPTH", 100, 250, "is nested too deeply: more than {} levels")
"""The highest value is what functions that call themselves for each level can process."""
SECONDS: Final = Limit("NODEPOOLS_MAX_SECONDS", 120, 86_400, "cannot be read within {} s")
LIMITS: Final = (MIB, LISTED_MIB, VALUES, LISTED_VALUES, DEPTH, SECONDS)

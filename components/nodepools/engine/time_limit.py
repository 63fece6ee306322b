"""The time limit of a preview: for the program and its policy pack together."""

import os
import time
from typing import Final, Self

from nodepools.engine.errors import EngineError
from nodepools.model.values import dataclass

VARIABLE: Final = "NODEPOOLS_PROGRAM_SECONDS"
"""The environment variable with the time limit of programs."""
_DEFAULT: Final = 300.0
_LEAST: Final = 0.1
_MOST: Final = 86_400
_OFF: Final = ("0", "none")


def seconds_of(written: str, name: str) -> float | None:
    """A time limit as it is written; `None` for no limit.

    Raises:
        EngineError: it is not one. `name` says what it is the value of.
    """
    if written in _OFF:
        return None
    try:
        seconds = float(written)
    except ValueError:
        seconds = -1
    if not _LEAST <= seconds <= _MOST:
        raise EngineError(f"{name} must be a number of seconds from {_LEAST} to {_MOST}, or `0` or `none` for no limit, not `{written[:40]}`")
    return seconds


def usual_seconds() -> float | None:
    """The time limit where no option sets one.

    Raises:
        EngineError: the environment variable is not a time limit.
    """
    written = os.environ.get(VARIABLE)
    return _DEFAULT if not written else seconds_of(written, f"the environment variable `{VARIABLE}`")


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """A number of seconds from its start, or no limit."""

    seconds: float | None = None
    end: float | None = None
    """On the monotonic clock."""

    @classmethod
    def starting_now(cls, seconds: float | None) -> Self:
        """A limit that begins now."""
        return cls(seconds, time.monotonic() + seconds if seconds is not None else None)

    @property
    def left(self) -> float | None:
        """The seconds that are left, at least 0; `None` without a limit."""
        return max(0.0, self.end - time.monotonic()) if self.end is not None else None


NO_LIMIT: Final = TimeLimit()

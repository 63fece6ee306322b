"""The time limit of a preview: for the program and its policy pack together."""

import time
from dataclasses import dataclass
from typing import Final, Self


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

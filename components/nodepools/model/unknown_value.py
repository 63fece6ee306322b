"""The placeholder for a value that is not known."""

from enum import Enum
from typing import Final


class Unknown(Enum):
    """The type of `UNKNOWN`."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN
"""Placeholder for an unknown value."""


class NotKnownError(Exception):
    """An unknown field was read. Not an `AttributeError`, which `getattr` with a default would swallow."""

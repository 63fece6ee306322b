"""Where a server of the CRDs at hand and we differ, on purpose. Listed for people in ../known_differences.md."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RUNTIME = {
    "CFG003": "a class of another kind is admitted, and the pool never works",
}
"""Errors about what is admitted, and refused or punished by the controller later."""


@dataclass(frozen=True)
class Difference:
    name: str
    kind: str
    path: str
    value: Any
    """One example, which must still differ."""
    covers_value: Callable[[Any], bool]

    def covers(self, kind: str, path: str, value: Any) -> bool:
        return (kind, path) == (self.kind, self.path) and self.covers_value(value)


KNOWN: tuple[Difference, ...] = ()

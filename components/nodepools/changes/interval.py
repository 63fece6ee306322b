"""Numbers of which only the bounds are known."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """A number between two bounds; `at_most` is `None` if there is no upper bound."""

    at_least: int = 0
    at_most: int | None = None

    def plus(self, other: "Interval") -> "Interval":
        """The sum of two numbers."""
        most = None if self.at_most is None or other.at_most is None else self.at_most + other.at_most
        return Interval(self.at_least + other.at_least, most)

    def limited(self, other: "Interval") -> "Interval":
        """The number, if it cannot be greater than another one."""
        bounds = [bound for bound in (self.at_most, other.at_most) if bound is not None]
        most = min(bounds, default=None)
        return Interval(self.at_least if most is None else min(self.at_least, most), most)

    def to_json(self) -> dict[str, int | None]:
        """The bounds as JSON data."""
        return {"at_least": self.at_least, "at_most": self.at_most}

    def __str__(self) -> str:
        if self.at_most == self.at_least:
            return str(self.at_least)
        if self.at_most is None:
            return f"{self.at_least} or more"
        return f"{self.at_least} to {self.at_most}"


def total(intervals: Iterable[Interval]) -> Interval:
    """The sum of all; 0 if there are none."""
    result = Interval(0, 0)
    for interval in intervals:
        result = result.plus(interval)
    return result

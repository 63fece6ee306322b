"""The result of a check on a graph."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckResult:
    """True or false in an `assert`, with a reason that a failed `assert` shows."""

    ok: bool
    reason: str

    def __bool__(self) -> bool:
        return self.ok

    def __eq__(self, other: object) -> bool:
        """Results with the same `ok` are equal, and equal to a plain `True` or `False`."""
        return self.ok == (other.ok if isinstance(other, CheckResult) else other)

    def __hash__(self) -> int:
        return hash(self.ok)

    def __repr__(self) -> str:
        return f"<{'yes' if self.ok else 'no'}: {self.reason}>"

"""Yes or no, and why."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question says: true or false where it is asserted, and a failed `assert` shows why."""

    yes: bool
    why: str

    def __bool__(self) -> bool:
        return self.yes

    def __eq__(self, other: object) -> bool:
        """Answers that say the same are equal, and equal to a plain `True` or `False`."""
        return self.yes == (other.yes if isinstance(other, Answer) else other)

    def __hash__(self) -> int:
        return hash(self.yes)

    def __repr__(self) -> str:
        return f"<{'yes' if self.yes else 'no'}: {self.why}>"

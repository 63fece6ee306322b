"""Lists of names in sentences."""

from collections.abc import Sequence


def listed(names: Sequence[str], most: int) -> str:
    """The first names, and how many more there are: `a, b and 3 more`."""
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {left:,} more" if left > 0 else "")


def joined(names: Sequence[str]) -> str:
    """All names: `a, b and c`."""
    return " and ".join(text for text in (", ".join(names[:-1]), *names[-1:]) if text)


def quoted(names: Sequence[str], most: int) -> str:
    """The same with each name as code."""
    return listed([f"`{name}`" for name in names], most)

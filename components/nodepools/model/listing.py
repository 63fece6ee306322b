"""Lists of names in sentences."""

from collections.abc import Sequence


def listed(names: Sequence[str], most: int) -> str:
    """The first names, and how many more there are: `a, b and 3 more`."""
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {left:,} more" if left > 0 else "")


def quoted(names: Sequence[str], most: int) -> str:
    """The same with each name as code."""
    return listed([f"`{name}`" for name in names], most)

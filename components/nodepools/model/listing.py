"""Words of sentences: lists of names, and articles."""

from collections.abc import Sequence
from typing import Final

_VOWELS: Final = tuple("AEIOaeio")


def listed(names: Sequence[str], most: int) -> str:
    """The first names, and how many more there are: `a, b and 3 more`."""
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {left:,} more" if left > 0 else "")


def joined(names: Sequence[str], word: str = "and") -> str:
    """All names: `a, b and c`."""
    return f" {word} ".join(text for text in (", ".join(names[:-1]), *names[-1:]) if text)


def quoted(names: Sequence[str], most: int) -> str:
    """The same with each name as code."""
    return listed([f"`{name}`" for name in names], most)


def counted(number: int, noun: str) -> str:
    """`1 pool`, `1,200 pools`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def with_article(noun: str) -> str:
    """`a NodePool`, `an AKSNodeClass`; class names that begin with `U` sound like `you`."""
    return f"{'an' if noun[:1] in _VOWELS else 'a'} {noun}"

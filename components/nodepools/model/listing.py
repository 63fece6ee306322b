"""Words of sentences: lists of names, articles, and what an argument is that is not a declaration."""

from collections.abc import Mapping, Sequence
from typing import Final

from nodepools.model.ref import is_output

_VOWELS: Final = tuple("AEIOaeio")


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


def with_article(noun: str) -> str:
    """`a NodePool`, `an AKSNodeClass`; class names that begin with `U` sound like `you`."""
    return f"{'an' if noun[:1] in _VOWELS else 'a'} {noun}"


def misplaced(function: str, expected: str, argument: object) -> str:
    """One line: what `function` accepts, what it got, and what to write."""
    return f"{function} accepts {expected}, not {described(argument)}"


def described(argument: object) -> str:
    """Describes `argument` for an error message."""
    if argument is None:
        return "None"
    if is_output(argument):
        return "a pulumi.Output: a declaration is plain data, and only references in it, such as ids, can be Outputs"
    if isinstance(argument, Mapping):
        return "a dict: pass its fields with two asterisks, as in AksClusterArgs(**fields)"
    if isinstance(argument, type):
        return f"the class {argument.__name__}: call it with its fields"
    return with_article(type(argument).__name__)

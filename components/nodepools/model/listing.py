"""Values by key, and words of sentences: lists of names, articles, and suggestions for unknown names."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_VOWELS: Final = tuple("AEIOaeio")


def grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    """The values of each key, in their order."""
    found: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


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


def as_code(names: Iterable[str]) -> str:
    """All names as code: `a`, `b`."""
    return ", ".join(f"`{name}`" for name in names)


def saved(output: str, *, existing: bool = False) -> str:
    """Where what a command prints has to go: `output` names the command as code; with `existing`, not all commands read it as an argument."""
    return f"Save the output of {output} in a file, and {'add `--existing FILE`' if existing else 'pass the file, too'}"


def shortened(text: str, most: int = 63) -> str:
    """The beginning of a long text."""
    return text if len(text) <= most else f"{text[:most]}…"


def counted(number: int, noun: str) -> str:
    """`1 pool`, `2 batches`, `1,200 pools`."""
    return f"{number:,} {noun}{'' if number == 1 else 'es' if noun.endswith('ch') else 's'}"


def with_article(noun: str) -> str:
    """`a NodePool`, `an AKSNodeClass`; class names that begin with `U` sound like `you`."""
    return f"{'an' if noun[:1] in _VOWELS else 'a'} {noun}"


_SEPARATORS: Final = re.compile(r"[-_. ]")
_PART: Final = 3
"""One edit for each of so many letters: with more edits it is another word, as every other letter is."""


def respelled(name: str, known: Iterable[str]) -> str | None:
    """The one name among `known` that has the letters and digits of `name`, in another case or with other separators: the same word for certain."""
    letters = _letters(name)
    found = [candidate for candidate in known if _letters(candidate) == letters]
    return found[0] if len(found) == 1 else None


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one name among `known` that `name` is probably meant for; `None` if none is near enough, or if several are equally near.

    Insertions, deletions, replacements and transpositions of letters count. Of equally near names, one with the same letters is meant.
    The part before the last slash, the domain of a label, does not make names more alike.
    """
    candidates = list(known)
    same = respelled(name, candidates)
    if same is not None:
        return same
    word = name.lower()
    most = len(_letters(word.rpartition("/")[2])) // _PART
    found = [(edits, candidate) for candidate in candidates if (edits := _distance(word, candidate.lower(), most)) <= most]
    least = min((edits for edits, _ in found), default=0)
    near = [candidate for edits, candidate in found if edits == least]
    transposed = [candidate for candidate in near if sorted(candidate.lower()) == sorted(word)]
    return next((of[0] for of in (near, transposed) if len(of) == 1), None)


def _letters(name: str) -> str:
    return _SEPARATORS.sub("", name).lower()


def _distance(one: str, other: str, most: int) -> int:
    """The number of edits between two words; more than `most` if there are more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before, row = list[int](), list(range(len(other) + 1))
    for at, letter in enumerate(one):
        previous, before, row = before, row, [at + 1]
        for index, of_other in enumerate(other):
            row.append(min(before[index] + (letter != of_other), before[index + 1] + 1, row[index] + 1))
            if at and index and letter == other[index - 1] and one[at - 1] == of_other:
                row[-1] = min(row[-1], previous[index - 1] + 1)
        if min(row) > most:
            return most + 1
    return row[-1]


def unknown(name: str, known: Iterable[str], what: str) -> str:
    """Says `what` is wrong with a name, and which of the known ones is probably meant."""
    near = nearest(name, known)
    return f"`{name}` {what}{f': use `{near}`' if near is not None else ''}"

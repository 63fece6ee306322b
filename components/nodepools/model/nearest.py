"""Suggestions for unknown names."""

import re
from collections.abc import Iterable
from typing import Final

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

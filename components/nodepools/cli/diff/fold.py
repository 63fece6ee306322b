"""Changes that differ only in their cluster or pool, as one; and values of fields as text."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from nodepools.changes.change import Change, Interval, total
from nodepools.cli.diff.sections import listed
from nodepools.model.plain_data import sequence

_LONGEST_VALUE: Final = 100


@dataclass(frozen=True, slots=True)
class Fold:
    """Changes that differ only in their cluster or pool."""

    changes: Sequence[Change]
    places: Sequence[str]
    """The cluster or the pool of each change."""

    @property
    def first(self) -> Change:
        """Stands for all of them."""
        return self.changes[0]

    @property
    def where(self) -> str:
        """The clusters or pools."""
        return listed(list(dict.fromkeys(self.places)))

    @property
    def field(self) -> str:
        """The path of the only change, or the end that all paths have in common."""
        paths = {change.path for change in self.changes}
        return self.first.path if len(paths) == 1 else f"….{_tail(self.first)}"

    @property
    def values(self) -> str:
        """The old value and the new one."""
        old, new = self.first.old, self.first.new
        if new is None and old in (self.first.resource.name, self.first.steps[-1]):
            return f"{old} → removed"
        return _of_long_lists(old, new) if _is_long(old) or _is_long(new) else f"{_value(old)} → {_value(new)}"

    @property
    def nodes(self) -> str:
        """The nodes that the changes reach, and those that exist in addition."""
        found, extra = self._each("nodes"), self._each("extra_nodes")
        parts = [_of(total(found))] if found else []
        if extra and total(extra) != Interval(0, 0):
            parts.append(f"{_number(total(extra)).removesuffix(' of')} extra{'' if found else ' node' if total(extra).maximum == 1 else ' nodes'}")
        return ", ".join(parts)

    def _each(self, what: Literal["nodes", "extra_nodes"]) -> list[Interval]:
        """Those of each place once: one edit of a place can change several resources."""
        counted: dict[tuple[str, str], Interval | None] = {}
        for place, change in zip(self.places, self.changes, strict=True):
            counted.setdefault((place, change.path), getattr(change, what))
        return [number for number in counted.values() if number is not None]


def folded(changes: Sequence[Change], place: Callable[[Change], str], apart: Callable[[Change], object]) -> list[Fold]:
    """The folds, in the order of the changes. `place` names the cluster or the pool; changes that differ in `apart` stay apart."""
    folds: dict[object, list[Change]] = {}
    for change in changes:
        key = (change.effect, _tail(change), json.dumps([change.old, change.new], default=str, sort_keys=True), change.reason, apart(change))
        folds.setdefault(key, []).append(change)
    return [Fold(tuple(group), tuple(map(place, group))) for group in folds.values()]


def count(number: int, word: str) -> str:
    """`1 change`, `2 changes`."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def _tail(change: Change) -> str:
    """The path after the cluster and the pool."""
    name = change.at.rpartition("/")[2]
    rest = change.steps[2:] if change.steps[:1] == ("clusters",) else change.steps
    start = next((number + 1 for number, step in enumerate(rest) if step == name), 0)
    return ".".join(map(str, rest[start:] if rest[start:] else ()))


def _is_long(value: object) -> bool:
    """A list that is too long for a line."""
    return len(_text(sequence(value))) > _LONGEST_VALUE


def _of_long_lists(old: object, new: object) -> str:
    """The lengths of both lists, and the entries that only one of them has; those of lists that differ in their order are the same."""
    before, after = sequence(old), sequence(new)
    lost, gained = [entry for entry in before if entry not in after], [entry for entry in after if entry not in before]
    marked = [f"{sign}{_value(entries)}" for sign, entries in (("+", gained), ("-", lost)) if entries]
    return f"{_length(old)} → {_length(new)}: {' '.join(marked) if marked else 'another order'}"


def _length(value: object) -> str:
    entries = len(sequence(value))
    return "not set" if value is None else f"{entries} {'entry' if entries == 1 else 'entries'}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def _value(value: object) -> str:
    if value is None:
        return "not set"
    if value == {"$secret": True}:
        return "(secret)"
    text = _text(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def _of(number: Interval) -> str:
    return f"{_number(number)} node{'' if number.maximum == 1 else 's'}"


def _number(number: Interval) -> str:
    return "any number of" if number == Interval() else str(number)

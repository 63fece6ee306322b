"""The declarations of one stack on both sides."""

from collections.abc import Sequence
from dataclasses import dataclass

from nodepools.changes.platform_changes import Changes
from nodepools.cli.diff_files import Part
from nodepools.cli.diff_places import Places, nowhere
from nodepools.model.platform import Platform


@dataclass(frozen=True, slots=True)
class Pair:
    """A stack on both sides; `None` for a side without a declaration of it."""

    name: str
    old: Platform | None
    new: Platform | None
    changes: Changes
    places: Places = nowhere
    """Finds the declaration of the new side."""

    @property
    def changed(self) -> Sequence[str]:
        """The clusters that are not declared in the same way on both sides."""
        old, new = (dict(side.clusters) if side is not None else {} for side in (self.old, self.new))
        return [key for key in {**old, **new} if old.get(key) != new.get(key)]


def pair(name: str, old: Part | None, new: Part | None, changes: Changes) -> Pair:
    """The declarations of two parts."""
    before, after = (part.platform if part is not None else None for part in (old, new))
    return Pair(name, before, after, changes, new.places if new is not None else nowhere)

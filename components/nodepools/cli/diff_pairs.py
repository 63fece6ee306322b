"""The declarations of one stack on both sides."""

from collections.abc import Sequence
from dataclasses import dataclass

from nodepools.changes.platform_changes import Changes
from nodepools.cli.diff_files import Part
from nodepools.model.platform import Platform


@dataclass(frozen=True, slots=True)
class Pair:
    """A stack on both sides; `None` for a side without a declaration of it."""

    name: str
    old: Platform | None
    new: Platform | None
    changes: Changes

    @property
    def changed(self) -> Sequence[str]:
        """The clusters that are not declared in the same way on both sides."""
        old, new = (dict(side.clusters) if side is not None else {} for side in (self.old, self.new))
        return [key for key in {**old, **new} if old.get(key) != new.get(key)]


def pair(name: str, old: Part | None, new: Part | None, changes: Changes) -> Pair:
    """The declarations of two parts."""
    return Pair(name, old.platform if old is not None else None, new.platform if new is not None else None, changes)

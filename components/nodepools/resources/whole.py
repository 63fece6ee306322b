"""A model made of resources, and which part of it is which resource."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from nodepools.manifests.in_words import in_words
from nodepools.manifests.inputs import Spelling, spelled_as, words
from nodepools.model.base import Model
from nodepools.rules.finding import Finding
from nodepools.rules.fix import Fix
from nodepools.rules.path import Step, spelled
from nodepools.rules.texts import Wired
from nodepools.rules.wired import Source, wired
from nodepools.wire.paths import wire_of
from nodepools.wire.table import Table

Steps = tuple[Step, ...]
_NAME: Final = ("metadata", "name")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of the model comes from."""

    steps: Steps
    """In the model."""
    urn: str
    table: Spelling | Table
    at: Steps = ()
    """In the inputs of the resource."""
    is_object: bool = False
    """An object of a cluster; what is wrong with it as a whole is wrong with its name."""
    named: bool = True
    """Its name is known."""

    def spelled(self, steps: Steps) -> Steps:
        """Where the resource says what the model has at `steps`."""
        inside = _spelled(self.table, steps[len(self.steps) :])
        return _NAME if self.is_object and not inside else (*self.at, *inside)


@dataclass(frozen=True, slots=True)
class Whole:
    """A cluster, or a part of one whose cluster is not known."""

    model: Model | None
    """None where what is there cannot be a model: then there are shapes to tell."""
    places: Sequence[Place]
    refused: Sequence[tuple[Place, Finding]] = ()
    """Shapes that are sure to be refused, in the words of the resource."""
    not_asked: Mapping[str, str] = field(default_factory=dict[str, str])
    """Codes of rules that would not be certain of it, and why."""

    def told(self, finding: Finding) -> tuple[Place, Finding] | None:
        """`finding` in the words of the resource that it is of."""
        place = self._place(finding.steps)
        if place is None:
            return None
        if isinstance(place.table, Table) and self.model is not None:
            said = wired(finding, self.model, Source(place.steps, place.at, place.table), self._wire)
        else:
            said = finding.spelled(Wired(self._wire))
            said = replace(said, fix=Fix(said.fix.text)) if said.fix is not None else said
        return place, _named(place, said, self._words)

    def _place(self, steps: Steps) -> Place | None:
        """The resource that has what the model has at `steps`."""
        fitting = [place for place in self.places if steps[: len(place.steps)] == place.steps]
        return max(fitting, key=lambda place: len(place.steps), default=None)

    def _wire(self, steps: Steps) -> Steps | None:
        """Where some resource has what the model has at `steps`."""
        place = self._place(steps)
        return place.spelled(steps) if place is not None else None

    @property
    def _words(self) -> dict[str, str]:
        """Fields of any part: what is said of one may name another."""
        return {of: as_ for table in {id(place.table): place.table for place in self.places}.values() for of, as_ in _words_of(table).items()}


def in_words_of(place: Place, finding: Finding) -> Finding:
    """`finding`, whose steps are those of the model, as the resource at `place` spells it."""
    return _named(place, finding.spelled(Wired(place.spelled)), {})


def _named(place: Place, finding: Finding, others: Mapping[str, str]) -> Finding:
    """Its path, and the names of fields in its text; words of `others` too."""
    steps, known = place.spelled(finding.steps), {**others, **_words_of(place.table)}
    fix = replace(finding.fix, text=in_words(finding.fix.text, known)) if finding.fix is not None else None
    return replace(finding, path=spelled(steps), steps=steps, message=in_words(finding.message, known), fix=fix)


def _spelled(table: Spelling | Table, steps: Steps) -> Steps:
    return wire_of(table, steps) if isinstance(table, Table) else spelled_as(table, steps)


def _words_of(table: Spelling | Table) -> Mapping[str, str]:
    return table.words if isinstance(table, Table) else words(table)

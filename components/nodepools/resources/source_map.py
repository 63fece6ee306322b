"""A model made of resources, and which part of it is which resource."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from nodepools.model.base import Model
from nodepools.rules.api_findings import Source, wired
from nodepools.rules.finding import Finding
from nodepools.rules.finding_text import Wired
from nodepools.rules.path import Step, spelled
from nodepools.wire.paths import wire_of
from nodepools.wire.table import Table

Steps = tuple[Step, ...]
_NAME: Final = ("metadata", "name")


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """Where a part of the model comes from."""

    steps: Steps
    """In the model."""
    urn: str
    table: Table
    at: Steps = ()
    """In the inputs of the resource."""
    is_object: bool = False
    """An object of a cluster; what is wrong with it as a whole is wrong with its name."""
    named: bool = True
    """Its name is known."""

    def spelled(self, steps: Steps) -> Steps:
        """Where the resource says what the model has at `steps`."""
        inside = wire_of(self.table, steps[len(self.steps) :])
        return _NAME if self.is_object and not inside else (*self.at, *inside)


@dataclass(frozen=True, slots=True)
class ReconstructedCluster:
    """A cluster, or a part of one whose cluster is not known."""

    model: Model | None
    """None where what is there cannot be a model: then there are shapes to tell."""
    places: Sequence[SourceLocation]
    refused: Sequence[tuple[SourceLocation, Finding]] = ()
    """Shapes that are sure to be refused, in the words of the resource."""
    not_asked: Mapping[str, str] = field(default_factory=dict[str, str])
    """Codes of rules that would not be certain of it, and why."""

    def told(self, finding: Finding) -> tuple[SourceLocation, Finding] | None:
        """`finding` in the words of the resource that it is of."""
        place = self._place(finding.steps)
        if place is None:
            return None
        if self.model is None:
            return place, in_words_of(place, finding)
        return place, _placed(place, wired(finding, self.model, Source(place.steps, place.at, place.table), self._wire))

    def _place(self, steps: Steps) -> SourceLocation | None:
        """The resource that has what the model has at `steps`."""
        fitting = [place for place in self.places if steps[: len(place.steps)] == place.steps]
        return max(fitting, key=lambda place: len(place.steps), default=None)

    def _wire(self, steps: Steps) -> Steps | None:
        """Where some resource has what the model has at `steps`."""
        place = self._place(steps)
        return place.spelled(steps) if place is not None else None


def in_words_of(place: SourceLocation, finding: Finding) -> Finding:
    """`finding`, whose steps are those of the model, as the resource at `place` spells it."""
    return _placed(place, finding.spelled(Wired(place.spelled)))


def _placed(place: SourceLocation, finding: Finding) -> Finding:
    steps = place.spelled(finding.steps)
    return replace(finding, path=spelled(steps), steps=steps)

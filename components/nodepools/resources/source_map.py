"""A model that is reconstructed from resources, with the resource of each of its parts."""

from collections.abc import Mapping, Sequence
from typing import Final

from nodepools.model.base import Model
from nodepools.model.path import path_text
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.api_findings import Source, wired
from nodepools.rules.engine.finding import Finding, Wired
from nodepools.rules.engine.registry import Where
from nodepools.wire.paths import wire_of
from nodepools.wire.table import Table

_NAME: Final = ("metadata", "name")


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """The resource, and the place in its inputs, that a part of the model is read from."""

    steps: Steps
    """The place in the model."""
    urn: str
    table: Table
    at: Steps = ()
    """The place in the inputs of the resource."""
    is_object: bool = False
    """The resource is a Kubernetes object: a finding about the whole object points to its name."""
    named: bool = True
    """The name of the object is known."""

    def spelled(self, steps: Steps) -> Steps:
        """Returns the path in the inputs that `steps` of the model is read from."""
        inside = wire_of(self.table, steps[len(self.steps) :])
        return _NAME if self.is_object and not inside else (*self.at, *inside)


@dataclass(frozen=True, slots=True)
class ReconstructedCluster:
    """A cluster, or a part of an unknown cluster."""

    model: Model | None
    """`None` if the inputs do not fit a model: `rejected` then says why."""
    places: Sequence[SourceLocation]
    rejected: Sequence[tuple[SourceLocation, Finding]] = ()
    """Schema findings that the cloud is guaranteed to reject, in the terms of the resource."""
    limits: Sequence[Where] = ()
    """What it is: rules with such a limit cannot be decided for it."""
    added: Mapping[str, object] | None = None
    """Of a whole cluster, the fields that only declarations have, as they are where no component adds anything; `None` for a part of a cluster."""

    def located(self, finding: Finding) -> tuple[SourceLocation, Finding] | None:
        """Returns `finding` in the terms of the resource that it is about, with that resource; `None` if no resource has its path."""
        place = self._place(finding.steps)
        if place is None:
            return None
        if self.model is None:
            return place, in_resource_terms(place, finding)
        return place, _placed(place, wired(finding, self.model, Source(place.steps, place.at, place.table), self._wire))

    def _place(self, steps: Steps) -> SourceLocation | None:
        """Returns the location of the resource that `steps` of the model is read from."""
        fitting = [place for place in self.places if steps[: len(place.steps)] == place.steps]
        return max(fitting, key=lambda place: len(place.steps), default=None)

    def _wire(self, steps: Steps) -> Steps | None:
        """Returns the path in the inputs of any resource that `steps` of the model is read from."""
        place = self._place(steps)
        return place.spelled(steps) if place is not None else None


def in_resource_terms(place: SourceLocation, finding: Finding) -> Finding:
    """Returns `finding`, whose steps are those of the model, in the spelling of the resource at `place`."""
    return _placed(place, finding.spelled(Wired(place.spelled)))


def _placed(place: SourceLocation, finding: Finding) -> Finding:
    steps = place.spelled(finding.steps)
    return replace(finding, path=path_text(steps), steps=steps)

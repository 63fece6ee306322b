"""Where the declaration of a change is: the file, and the line if it can be found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from nodepools.model.steps import Steps
from nodepools.rules.engine.finding import SourcePosition

if TYPE_CHECKING:
    from nodepools.manifests.manifest_objects import ManifestObject


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and the line of a field or of the nearest part that contains it."""

    file: str
    position: SourcePosition | None = None


Places = Callable[[Steps], Place | None]
"""Finds the declaration of a field. Nothing is parsed before it is called."""
_CLUSTER = len(("clusters", "weu"))


def nowhere(_: Steps) -> None:
    """The places of a plan, of a state and of exports."""


def in_file(file: str) -> Places:
    """A file whose lines are not known."""
    return lambda _: Place(file)


def in_platform(text: str, file: str) -> Places:
    """The places in a platform file."""

    @cache
    def marks() -> Callable[[Steps], SourcePosition] | None:
        from nodepools.manifests.platform_yaml import parse

        return parse(text, file).marks

    def find(steps: Steps) -> Place:
        found = marks()
        return Place(file, found(steps) if found is not None else None)

    return find


def in_stack(text: str, file: str) -> Places:
    """The places in the file of a stack: lines only of clusters, and of parts of them, that its literals, keywords and names declare."""

    @cache
    def position(steps: Steps) -> SourcePosition | None:
        from nodepools.manifests.stack_source import StackSource

        source = StackSource.of(text, file)
        return source.position(steps) if source.entry(steps[:_CLUSTER]) is not None else None

    return lambda steps: Place(file, position(steps) if len(steps) >= _CLUSTER else None)


def in_manifests(objects: "Sequence[ManifestObject]") -> Places:
    """The places of objects; those of an object that is gone are not known."""

    def find(steps: Steps) -> Place | None:
        named = next((one for one in objects if (one.kind, one.name) == steps[:2]), None)
        return Place(named.file, named.position(steps[2:])) if named is not None else None

    return find

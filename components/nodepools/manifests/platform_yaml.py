"""Reads a platform in YAML or JSON as its author intends: `1.30`, `no`, `2024-01-01`, `12:30` are text."""

from collections.abc import Callable
from functools import partial

from nodepools.model.steps import Step, mapping
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import TextError, not_a_platform
from nodepools.reading.yaml_documents import Doubt, documents, source_position
from nodepools.reading.yaml_scalars import PLATFORM
from nodepools.rules.engine.finding import SourcePosition


@dataclass(frozen=True, slots=True)
class Document:
    """A platform, and its keys without a value: `pools:` declares neither that there are no pools nor that the default applies."""

    value: object
    empty: tuple[tuple[Step, ...], ...] = ()
    doubts: tuple[Doubt, ...] = ()
    """Keys that are there twice, and numbers such as `010`: the intended value is not certain."""
    marks: Callable[[tuple[Step, ...]], SourcePosition] | None = None
    """Returns the position of a field."""


def parse(text: str, name: str) -> Document:
    """Returns the only document of `text`; `name` is the name of its file, for messages.

    Raises:
        TextError: the text cannot be read, or has several documents.
    """
    first = None
    for document in documents(text, name, PLATFORM):
        if first is not None:
            other = not_a_platform(mapping(first.value), name)
            if other is not None:
                raise TextError(f"{name}: {other}")
            at = f"{name}:{document.start.line + 1}:{document.start.column + 1}"
            raise TextError(f"{at}: a second document begins here: a platform is one document")
        first = document
    if first is None:
        return Document(None)
    return Document(first.value, first.empty, first.doubts, partial(source_position, name, first.start, first.places))

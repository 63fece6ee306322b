"""Reads a platform in YAML or JSON as people mean it: no key twice, and `1.30`, `no`, `2024-01-01`, `12:30` are text."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from nodepools.manifests.yaml_documents import TextError, documents, source_position
from nodepools.manifests.yaml_scalars import PLATFORM
from nodepools.rules.finding import SourcePosition
from nodepools.rules.path import Step

__all__ = ["Document", "TextError", "parse"]


@dataclass(frozen=True, slots=True)
class Document:
    """What was read, and where nothing stands after a key: `pools:` is no way to say that there are none, nor that the rest is as usual."""

    value: object
    empty: tuple[tuple[Step, ...], ...] = ()
    marks: Callable[[tuple[Step, ...]], SourcePosition] | None = None
    """Where the thing at some steps is written."""


def parse(text: str, name: str) -> Document:
    """The one document of `text`; `name` is that of its file, for the message.

    Raises:
        TextError: it is none, or several.
    """
    first = None
    for one in documents(text, name, PLATFORM):
        if first is not None:
            raise TextError(f"{name}:{one.start.line + 1}:{one.start.column + 1}: a second document begins here: a platform is one document")
        first = one
    return Document(first.value, first.empty, partial(source_position, name, first.start, first.places)) if first is not None else Document(None)

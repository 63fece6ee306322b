"""Reads YAML and JSON with the position of each value."""

from collections.abc import Iterable, Iterator

from nodepools.model.steps import Step
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_builder import Builder, Document, Places
from nodepools.reading.yaml_events import Position, parsed
from nodepools.reading.yaml_scalars import KUBERNETES, Dialect
from nodepools.rules.engine.finding import SourcePosition


def source_position(file: str, start: "Position", places: "Places", steps: Iterable[Step]) -> SourcePosition:
    """Returns the position of the field at `steps`, or of its nearest parent in the file."""
    at, inside = start, places
    for step in steps:
        if step not in inside:
            break
        at, within = inside[step]
        inside = within if within is not None else {}
    return SourcePosition(file, at.line + 1, at.column + 1)


def documents(text: str, name: str, dialect: Dialect = KUBERNETES) -> Iterator[Document]:
    """Yields every document of `text` that is not empty; `dialect` decides the values of unquoted scalars.

    Raises:
        TextError: the text is not valid YAML, or exceeds a limit. The message is one line: the position and the error.
    """
    builder = Builder(name, dialect)
    take = builder.take
    with parsed(text, name) as next_event:
        while (event := next_event()) is not None:
            done = take(event)
            if done is not None and done.value is not None:
                yield done


def only_value(text: str, name: str, dialect: Dialect) -> object:
    """Returns the value of a text with one document, or `None` if it is empty.

    Raises:
        TextError: the text is not valid YAML, exceeds a limit, has several documents, or a key twice.
    """
    found = list(documents(text, name, dialect))
    if len(found) > 1:
        start = found[1].start
        raise TextError(f"{name}:{start.line + 1}:{start.column + 1}: a second document begins here")
    for doubt in found[0].doubts if found else ():
        if doubt.first is not None:
            place = source_position(name, found[0].start, found[0].places, doubt.steps)
            raise TextError(f"{place}: the key `{doubt.text}` is in this mapping twice")
    return found[0].value if found else None

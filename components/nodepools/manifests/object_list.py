"""Reads the objects of long lists one after the other, and of each object only what its kind needs."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Final, TypeAlias, cast

import yaml

from nodepools.manifests.manifest_objects import Foreign, ManifestObject, is_foreign, objects_in, type_of_items, unknown_document
from nodepools.reading.bounded_input import LISTED_VALUES, TextError
from nodepools.reading.selection import EVERYTHING, Selection, SelectiveReader
from nodepools.reading.yaml_documents import Builder, Document, Event, Readable, parsed
from nodepools.reading.yaml_scalars import KUBERNETES

Needed: TypeAlias = Callable[[str], Selection]
"""Returns the parts to read, by the kind of an object. The kind is empty as long as the object has not named it."""
_SEVERAL: Final = "several JSON documents need a file each, or `jq -s .`, which makes a list of them"


def listed_objects(source: str | Readable, file: str, requested: Needed, foreign: Foreign = unknown_document) -> Iterator[ManifestObject]:
    """Yields every object in `source`, including the items of lists, with the parts that are `needed`. `foreign` gets other documents.

    Raises:
        TextError: the source cannot be read, or contains something that is not an object.
    """
    builder = Builder(file, KUBERNETES, LISTED_VALUES)
    with parsed(source, file) as next_event:
        reader = _Reader(SelectiveReader(cast("Callable[[], Event]", next_event), builder), file, requested, foreign)
        while (event := next_event()) is not None:
            builder.take(event)
            if isinstance(event, yaml.DocumentStartEvent):
                yield from reader.document()


def each_object(
    sources: Iterable[tuple[str | Readable, str]], requested: Needed, failed: Callable[[TextError], None], foreign: Foreign = unknown_document
) -> Iterator[ManifestObject]:
    """Yields every object of several sources, each given with its name. `failed` gets the error of a source that cannot be read to its end."""
    for source, name in sources:
        try:
            yield from listed_objects(source, name, requested, foreign)
        except TextError as error:
            failed(TextError(f"{error}: {_SEVERAL}") if "expected <document start>" in str(error) else error)


class _Reader:
    """Reads documents, object by object."""

    def __init__(self, selective: SelectiveReader, file: str, requested: Needed, foreign: Foreign) -> None:
        self._selective = selective
        self._builder = selective.builder
        self._next = selective.next
        self._file = file
        self._needed = requested
        self._foreign = foreign

    def document(self) -> Iterator[ManifestObject]:
        """Yields the objects of a document."""
        first = self._next()
        late: list[Document] = []
        done = (yield from self._root(first, late)) if isinstance(first, yaml.MappingStartEvent) else self._selective.read(first, EVERYTHING)
        if done is None or done.value is None:
            return
        if not late and (is_foreign(done.value) or _is_typed_list(done.value)) and self._foreign(done, self._file):
            return
        for item in late:
            yield from objects_in(item, self._file, type_of_items(cast("Mapping[str, object]", done.value)))
        yield from objects_in(done, self._file)

    def _root(self, first: Event, late: list[Document]) -> Generator[ManifestObject, None, Document | None]:
        """Yields the items of a list, and returns the list without them. Adds those to `late` whose kind only the rest of the list tells."""
        self._builder.take(first)
        while not isinstance(key := self._next(), yaml.MappingEndEvent):
            if isinstance(key, yaml.ScalarEvent) and key.value == "items":
                self._builder.take(key)
                yield from self._items(self._next(), late)
            else:
                self._selective.entry(key, self._needed(self._kind("")))
        return self._builder.take(key)

    def _items(self, first: Event, late: list[Document]) -> Iterator[ManifestObject]:
        if not isinstance(first, yaml.SequenceStartEvent):
            self._selective.read(first, EVERYTHING)
            return
        listed = type_of_items(self._builder.open_entries())
        self._builder.take(first)
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            self._object(event, str(listed.get("kind", "")))
            item = self._builder.released()
            if not listed and _has_no_kind(item.value):
                late.append(item)
            else:
                yield from objects_in(item, self._file, listed)
        self._builder.take(event)

    def _object(self, first: Event, kind: str) -> None:
        if not isinstance(first, yaml.MappingStartEvent):
            self._selective.read(first, EVERYTHING)
            return
        self._builder.take(first)
        while not isinstance(key := self._next(), yaml.MappingEndEvent):
            self._selective.entry(key, self._needed(self._kind(kind)))
        self._builder.take(key)

    def _kind(self, listed: str) -> str:
        """The kind of the open object, as far as it is known."""
        kind = self._builder.open_entries().get("kind", listed)
        return kind if isinstance(kind, str) else ""


def _is_typed_list(value: object) -> bool:
    """Such as a `PodList`: also without items, it says what is listed."""
    return isinstance(value, Mapping) and bool(type_of_items(cast("Mapping[str, object]", value)))


def _has_no_kind(value: object) -> bool:
    return isinstance(value, Mapping) and "kind" not in value

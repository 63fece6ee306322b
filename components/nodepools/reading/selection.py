"""Reads parts of a value: the events of all other parts are skipped, and nothing is built for them."""

from collections.abc import Callable, Mapping
from typing import Final, cast

import yaml

from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import DEPTH
from nodepools.reading.yaml_documents import Builder, Document, Event


@dataclass(frozen=True, slots=True)
class Selection:
    """The entries of a mapping that are read. Lists and scalars are read completely."""

    entries: "Mapping[str, Selection | None]"
    """The selection in each entry; `None` skips it."""
    others: bool
    """Whether entries that are not listed are read."""

    @classmethod
    def only(cls, *names: str, **inside: "Selection") -> "Selection":
        """Returns the selection of the entries `names`, and of parts of the entries `inside`."""
        return cls({**dict.fromkeys(names, EVERYTHING), **inside}, others=False)

    @classmethod
    def without(cls, *names: str, **inside: "Selection") -> "Selection":
        """Returns the selection of all entries except `names`, with parts of the entries `inside`."""
        return cls({**dict.fromkeys(names), **inside}, others=True)

    def of(self, key: str) -> "Selection | None":
        """Returns the selection in an entry, or `None` if it is skipped."""
        return self.entries.get(key, EVERYTHING if self.others else None)


EVERYTHING: Final = Selection({}, others=True)


@dataclass(frozen=True, slots=True)
class SelectiveReader:
    """Passes the events of selected parts to a builder."""

    next: Callable[[], Event]
    """Returns the next event. Inside a value there is one, or the parser raises an error."""
    builder: Builder

    def read(self, first: Event, selection: Selection) -> Document | None:
        """Reads the value that begins with `first`. Returns it if it is a whole document."""
        if selection is EVERYTHING or not isinstance(first, yaml.MappingStartEvent):
            return self._whole(first)
        self.builder.take(first)
        while not isinstance(key := self.next(), yaml.MappingEndEvent):
            self.entry(key, selection)
        return self.builder.take(key)

    def entry(self, key: Event, selection: Selection) -> None:
        """Reads or skips the entry of a mapping that begins with `key`."""
        if not isinstance(key, yaml.ScalarEvent):  # an alias, or a key that is not text
            self._whole(key)
            self._whole(self.next())
            return
        inner = selection.of(key.value)
        if inner is None:
            self._skip(self.next())
            return
        self.builder.take(key)
        self.read(self.next(), inner)

    def _whole(self, event: Event) -> Document | None:
        nested = 0
        while True:
            kind = cast("type[object]", type(event))
            nested += (kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent) - (
                kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent
            )
            done = self.builder.take(event)
            if not nested:
                return done
            event = self.next()

    def _skip(self, event: Event) -> None:
        next_event, nested = self.next, 0
        while True:
            kind = cast("type[object]", type(event))
            if kind is yaml.ScalarEvent:  # most events of a long list
                pass
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                nested += 1
                if nested > self.builder.deepest:
                    raise DEPTH.error(self.builder.place(event))
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                nested -= 1
            if not nested:
                return
            event = next_event()

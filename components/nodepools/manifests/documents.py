"""Reads YAML and JSON with the place of everything: from the events of the parser, so that depth and size are bounded."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn, Protocol, TypeAlias, cast

import yaml

from nodepools.manifests.scalars import KUBERNETES, Dialect, tagged
from nodepools.rules.path import Step

LOADER = cast("type[yaml.SafeLoader]", yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)
_DEEPEST = 100
_MOST_VALUES = 500_000
_MERGE = "<<"


class TextError(Exception):
    """The text is no YAML of the kind we read. The message is one line: place, and what is wrong."""


class Position(Protocol):
    """Where something stands, from 0."""

    line: int
    column: int


Places: TypeAlias = dict[Step, tuple[Position, "Places | None"]]
"""Where each entry of a mapping or a list stands, and the places inside it."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file."""

    value: object
    start: Position
    places: Places
    empty: tuple[tuple[Step, ...], ...] = ()
    """Where a key has nothing after it, neither `null` nor `~`."""


@dataclass(slots=True)
class _Open:
    """A mapping or a list that has not ended yet."""

    value: dict[object, object] | list[object]
    start: Position
    anchor: str | None
    places: Places = field(default_factory=dict[Step, tuple[Position, "Places | None"]])
    weight: int = 1
    key: object = None
    key_at: Position | None = None
    merged: list[object] = field(default_factory=list[object])


def documents(text: str, name: str, dialect: Dialect = KUBERNETES) -> Iterator[Document]:
    """Every document of `text` that says something, one after another; `dialect` says what bare words are.

    Raises:
        TextError: the text is no YAML, or more of it than can be meant. The message is one line: place, and what is wrong.
    """
    builder = _Builder(name, dialect)
    try:
        parser = LOADER(text)
    except yaml.YAMLError as error:
        raise _unreadable(error, name) from None
    try:
        take, get_event = builder.take, cast("Callable[[], yaml.Event | None]", parser.get_event)  # pyright: ignore[reportUnknownMemberType]
        while (event := get_event()) is not None:
            done = take(event)
            if done is not None and done.value is not None:
                yield done
    except yaml.YAMLError as error:
        raise _unreadable(error, name) from None
    finally:
        parser.dispose()


def _unreadable(error: yaml.YAMLError, name: str) -> TextError:
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        return TextError(f"{place}: {' '.join(str(error.problem or error.context).split())}")
    return TextError(f"{name}: {' '.join(str(error).split())[:200]}")


class _Builder:
    """Values from events. An alias is the very value that it names, never a copy."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        self.name = name
        self.dialect = dialect
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[object, Places | None, int]] = {}
        self.known: dict[str, object] = {}
        self.empty: list[tuple[Step, ...]] = []
        self.total = 0

    def take(self, event: yaml.Event) -> Document | None:
        """One event; the document that it completes."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            return self._add(self._scalar(cast("yaml.ScalarEvent", event)), event)
        if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            return self._close(event)
        if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._open(cast("yaml.CollectionStartEvent", event), {} if kind is yaml.MappingStartEvent else [])
        elif kind is yaml.AliasEvent:
            return self._alias(cast("yaml.AliasEvent", event))
        elif kind is yaml.DocumentStartEvent:
            self.anchors.clear()
            self.empty.clear()
        return None

    def _open(self, event: yaml.CollectionStartEvent, value: dict[object, object] | list[object]) -> None:
        if len(self.stack) == _DEEPEST:
            self._refuse(event, f"is nested too deeply: more than {_DEEPEST} levels")
        tag = event.tag
        if tag is not None and tag not in ("!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            self._refuse(event, f"has the tag {tag}, which Kubernetes does not read")
        self.stack.append(_Open(value, _at(event), event.anchor))

    def _close(self, event: yaml.Event) -> Document | None:
        done = self.stack.pop()
        for merged in done.merged:
            self._merge(merged, done, event)
        if done.anchor is not None:
            self.anchors[done.anchor] = (done.value, done.places, done.weight)
        return self._add(done.value, event, done.places, done.weight, done.start)

    def _alias(self, event: yaml.AliasEvent) -> Document | None:
        if event.anchor not in self.anchors:
            inside = any(one.anchor == event.anchor for one in self.stack)
            self._refuse(event, "contains itself, by an alias" if inside else f"names nothing: there is no &{event.anchor} before it")
        value, places, weight = self.anchors[event.anchor]
        return self._add(value, event, places, weight)

    def _scalar(self, event: yaml.ScalarEvent) -> object:
        text, tag = event.value, event.tag
        if tag is not None:
            try:
                value = tagged(tag, text)
            except ValueError as error:
                self._refuse(event, str(error))
        elif event.implicit[0]:
            try:
                value = self.known[text]
            except KeyError:
                value = self.known[text] = self.dialect.plain(text)
            if not text:
                self.empty.append(self._here())
        else:
            value = text
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, None, 1)
        return value

    def _add(self, value: object, event: yaml.Event, places: Places | None = None, weight: int = 1, start: Position | None = None) -> Document | None:
        at = start if start is not None else _at(event)
        self.total += 1
        if self.total > _MOST_VALUES or weight > _MOST_VALUES:
            self._refuse(event, f"is more than {_MOST_VALUES} values, aliases written out")
        if not self.stack:
            return Document(value, at, places if places is not None else {}, tuple(self.empty))
        holder = self.stack[-1]
        holder.weight += weight
        if isinstance(holder.value, list):
            holder.places[len(holder.value)] = (at, places)
            holder.value.append(value)
        elif holder.key_at is None:
            self._key(holder, value, event)
        else:
            self._entry(holder, value, places)
        return None

    def _key(self, holder: _Open, value: object, event: yaml.Event) -> None:
        try:
            key = self.dialect.key(value)
        except ValueError:
            self._refuse(event, "a key should be text")
        if key in holder.value:
            self._refuse(event, f"the key {key!r} is there twice")
        holder.key, holder.key_at = key, event.start_mark

    def _entry(self, holder: _Open, value: object, places: Places | None) -> None:
        key, at = holder.key, cast("Position", holder.key_at)
        holder.key_at = None
        if key == _MERGE:
            holder.merged.extend(cast("list[object]", value) if isinstance(value, list) else [value])
            return
        cast("dict[object, object]", holder.value)[key] = value
        holder.places[cast("Step", key)] = (at, places)

    def _merge(self, merged: object, into: _Open, event: yaml.Event) -> None:
        if not isinstance(merged, dict):
            self._refuse(event, "merges what is no mapping")
        target = cast("dict[object, object]", into.value)
        for key, value in cast("dict[object, object]", merged).items():
            if key not in target:
                target[key] = value
                into.places[cast("Step", key)] = (into.start, None)

    def _here(self) -> tuple[Step, ...]:
        """The path of what comes next."""
        return tuple(len(one.value) if isinstance(one.value, list) else cast("Step", one.key) for one in self.stack)

    def _refuse(self, event: yaml.Event, message: str) -> NoReturn:
        raise TextError(f"{self.name}:{_at(event).line + 1}:{_at(event).column + 1}: {message}")


def _at(event: yaml.Event) -> Position:
    return cast("Position", event.start_mark)

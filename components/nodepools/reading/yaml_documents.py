"""Reads YAML and JSON with the position of each value, from the events of the YAML parser, so that depth and size are bounded."""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Final, NamedTuple, NoReturn, Protocol, TypeAlias, cast

import yaml
from yaml.reader import ReaderError

from nodepools.model.steps import Step, Steps
from nodepools.model.values import dataclass, field
from nodepools.reading.bounded_input import DEPTH, MIB, SECONDS, VALUES, Deadline, Limit, OtherTextError, TextError, is_json, json_error
from nodepools.reading.yaml_scalars import KUBERNETES, QUOTE, Dialect, is_octal, tagged
from nodepools.rules.engine.finding import SourcePosition

LOADER = cast("type[yaml.SafeLoader]", yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)


class Position(Protocol):
    """A position in a text, from 0."""

    line: int
    column: int


class Event(Protocol):
    """The fields of an event of the parser; an event has only those of its type."""

    start_mark: Position
    anchor: str | None
    tag: str | None
    value: str
    implicit: tuple[bool, bool]


NextEvent: TypeAlias = Callable[[], Event | None]
"""Returns the next event of the parser; `None` at the end."""


class Readable(Protocol):
    """A source of bytes."""

    def read(self, length: int = ..., /) -> bytes:
        """Returns the next bytes; none at the end."""
        ...


@contextmanager
def parsed(source: str | Readable, name: str) -> Generator[NextEvent]:
    """Parses `source` during the `with` block, which gets a function that returns the next event.

    Raises:
        TextError: the text is not valid YAML.
    """
    parts = _NEXT_OBJECT.split(source) if isinstance(source, str) and is_json(source, name) else ()
    if len(parts) > 1:
        yield partial(next, _events(parts, name), None)
        return
    kept = source if isinstance(source, str) else _Kept(source)
    written = as_yaml(source) if isinstance(source, str) and is_json(source, name) else kept
    try:
        parser = LOADER(written)
    except yaml.YAMLError as error:
        raise _unreadable(error, name, kept) from None
    next_event = cast("NextEvent", parser.get_event)  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped
    try:
        yield next_event if written is kept else lambda: _as_json(next_event())
    except yaml.YAMLError as error:
        raise _unreadable(error, name, kept) from None
    finally:
        parser.dispose()


_NEXT_OBJECT: Final = re.compile(r"(?<=\})[ \t\r]*\n(?=\s*\{)")
"""Between the objects of a stream of JSON, such as of `jq '.items[]'`, which `kubectl` reads. Inside of an object, a comma would be there."""


def _events(parts: Iterable[str], name: str) -> Iterator[Event]:
    """The events of the objects of a stream of JSON."""
    line = 0
    for part in parts:
        try:
            with parsed(part, name) as next_event:
                for event in iter(next_event, None):
                    event.start_mark = yaml.Mark(name, 0, event.start_mark.line + line, event.start_mark.column, None, 0)
                    yield event
        except TextError:
            list(documents("\n" * line + part, name))  # the same error, with its line
            raise
        line += part.count("\n") + 1


_OF_JSON: Final = re.compile(
    r"(?<!\\)((?:\\\\)*)\\u(?:(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|d[89a-f][0-9a-f]{2})|[\x7f-\x9f\u2028\u2029]", re.IGNORECASE
)
"""What JSON allows in a text, and YAML does not, or takes for a line break: a character of two halves, one half, and some control characters."""
_STAND_IN: Final = re.compile("[\ue000-\ue3ff][\ue400-\ue7ff]|[\ue800-\ue8ff]")
"""Characters for private use, of the same length."""
_HALF, _CONTROL = 0x800, 0xE800


def as_yaml(text: str) -> str:
    """A text of JSON as YAML, in which everything keeps its place."""

    def stand_in(found: re.Match[str]) -> str:
        if found[1] is None:
            return chr(_CONTROL + ord(found[0]) % 0x100)
        if found[2] is None:
            return f"{found[1]}\\ufffd"  # as Go reads one half
        return "".join([found[1], *(f"\\u{int(half, 16) + _HALF:x}" for half in found.groups()[1:])])

    return text if _OF_JSON.search(text) is None else _OF_JSON.sub(stand_in, text)


def _as_json(event: Event | None) -> Event | None:
    """The event with what it is in JSON."""
    if isinstance(event, yaml.ScalarEvent):
        event.value = _STAND_IN.sub(_meant, event.value)
    return event


def _meant(found: re.Match[str]) -> str:
    if len(found[0]) == 1:
        code = ord(found[0]) - _CONTROL
        return chr(code if code >= 0x7F else 0x2000 + code)  # noqa: PLR2004  # the first control character after ASCII
    return "".join(chr(ord(half) - _HALF) for half in found[0]).encode("utf-16", "surrogatepass").decode("utf-16")


@dataclass(slots=True)
class _Kept:
    """A source that cannot be read again, such as stdin, with what was read of it, up to the limit of files that are read at once."""

    source: Readable
    parts: list[bytes] = field(default_factory=list[bytes])
    left: int = field(default_factory=lambda: MIB.value() * 1024 * 1024)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        part = self.source.read(size)
        self.left -= len(part)
        self.parts.append(part) if self.left >= 0 else self.parts.clear()
        return part

    def text(self) -> str:
        """Everything, if it is text within the limit; otherwise nothing."""
        while self.left >= 0 and self.read():
            pass
        return b"".join(self.parts).decode("utf-8-sig", errors="replace")


_QUOTED: Final = re.compile(r" (?:handle|anchor|tag|alias) ['\"].*")
"""What PyYAML quotes of the text: a password can begin with `!` and `*`."""


def _unreadable(error: yaml.YAMLError, name: str, source: str | _Kept) -> TextError:
    invalid = json_error(source if isinstance(source, str) else source.text(), name)
    if invalid is not None:
        return TextError(invalid)
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        start = error.context_mark
        begun = f" {error.context} that begins in line {start.line + 1}" if mark and start and start.line < mark.line else ""
        return TextError(f"{place}: is not valid YAML: {' '.join(_QUOTED.sub('', str(error.problem or error.context)).split())}{begun}")
    if isinstance(error, ReaderError) and "not allowed" not in str(error.reason):  # a character can be rejected, or the bytes are not characters
        return TextError(f"{name}: is not UTF-8 text")
    return TextError(f"{name}: {' '.join(str(error).split())[:200]}")


_BETWEEN_LOOKS = 10_000
"""The number of values between two looks at the clock."""
_MERGE = "<<"
_NUMBERS: Final = (int, float)

Places: TypeAlias = dict[Step, tuple[Position, "Places | None"]]
"""The position of each entry of a mapping or a list, and the positions inside it."""


class Doubt(NamedTuple):
    """A place that readers of YAML understand in different ways: a key that is there twice, or a number such as `010`."""

    steps: tuple[Step, ...]
    text: str
    """The key or the number."""
    first: int | None = None
    """The line of the first of two equal keys, from 1; `None` for a number."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file."""

    value: object
    start: Position
    places: Places
    empty: tuple[tuple[Step, ...], ...] = ()
    """Keys without a value, not even `null` or `~`."""
    doubts: tuple[Doubt, ...] = ()
    spelled: Mapping[Steps, str] = field(default_factory=dict[Steps, str])
    """The text of numbers that JSON has in another form, such as `1.10` and `5e10`."""


@dataclass(slots=True)
class _Open:
    """A mapping or a list whose end is not read yet."""

    entries: dict[object, object] | None
    items: list[object] | None
    start: Position
    anchor: str | None
    places: Places = field(default_factory=dict[Step, tuple[Position, "Places | None"]])
    weight: int = 1
    key: Step = ""
    key_at: Position | None = None
    merged: list[object] = field(default_factory=list[object])


class Builder:
    """Builds values from events. An alias is the same value as its anchor, never a copy."""

    def __init__(self, name: str, dialect: Dialect, most: Limit = VALUES) -> None:
        self.name = name
        self.dialect = dialect
        self.limit = most
        self.most = most.value()
        self.deepest = DEPTH.value()
        self.deadline = Deadline.start()
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[object, Places | None, int]] = {}
        self.known: dict[str, object] = {}
        self.empty: list[tuple[Step, ...]] = []
        self.doubts: list[Doubt] = []
        self.spelled: dict[Steps, str] = {}
        self.total = 0
        self.next_look = _BETWEEN_LOOKS

    def take(self, event: Event) -> Document | None:
        """Processes one event, and returns the document that it completes."""
        kind = cast("type[object]", type(event))
        if kind is yaml.ScalarEvent:
            return self._add(self._scalar(event), event)
        if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            return self._close(event)
        if kind is yaml.MappingStartEvent:
            self._open(event, _Open({}, None, event.start_mark, event.anchor))
        elif kind is yaml.SequenceStartEvent:
            self._open(event, _Open(None, [], event.start_mark, event.anchor))
        elif kind is yaml.AliasEvent:
            return self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self.anchors.clear()
        return None

    def open_entries(self) -> Mapping[object, object]:
        """Returns the entries of the open mapping that are already read."""
        entries = self.stack[-1].entries
        return entries if entries is not None else {}

    def released(self) -> Document:
        """Removes the last item of the open list, and returns it: a list that is read item by item needs no memory for all."""
        parent = self.stack[-1]
        items = parent.items if parent.items is not None else []
        at, places = parent.places.pop(len(items) - 1)
        return Document(items.pop(), at, places if places is not None else {})

    def _open(self, event: Event, opened: _Open) -> None:
        if len(self.stack) == self.deepest:
            raise DEPTH.error(self.place(event))
        tag = event.tag
        if tag is not None and tag not in ("!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            raise OtherTextError(f"{self.place(event)}: has a tag, which is not supported: {QUOTE}")
        self.stack.append(opened)

    def _close(self, event: Event) -> Document | None:
        done = self.stack.pop()
        value: object = done.entries if done.entries is not None else done.items
        for merged in done.merged:
            self._merge(merged, done, event)
        if done.anchor is not None:
            self.anchors[done.anchor] = (value, done.places, done.weight)
        return self._add(value, event, done.places, done.weight, done.start)

    def _alias(self, event: Event) -> Document | None:
        if event.anchor is None or event.anchor not in self.anchors:
            inside = any(level.anchor == event.anchor for level in self.stack)
            self._refuse(event, "contains itself through an alias" if inside else f"the alias has no anchor before it: {QUOTE}")
        value, places, weight = self.anchors[event.anchor]
        return self._add(value, event, places, weight)

    def _scalar(self, event: Event) -> object:
        text, tag = event.value, event.tag
        if tag is not None:
            try:
                value = tagged(tag, text)
            except ValueError as error:
                raise OtherTextError(f"{self.place(event)}: {error}") from None
        elif event.implicit[0]:
            try:
                value = self.known[text]
            except KeyError:
                value = self.known[text] = self.dialect.plain(text)
            if not text:
                self.empty.append(self._here())
            elif text[0] == "0" and is_octal(text):
                self.doubts.append(Doubt(self._here(), text))
            if value.__class__ in _NUMBERS and str(value) != text and self.stack and (self.stack[-1].entries is None or self.stack[-1].key_at):
                self.spelled[self._here()] = text
        else:
            value = text
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, None, 1)
        return value

    def _add(self, value: object, event: Event, places: Places | None = None, weight: int = 1, start: Position | None = None) -> Document | None:
        at = start if start is not None else event.start_mark
        self._count(weight if start is None else 1, event)
        if not self.stack:
            document = Document(value, at, places if places is not None else {}, tuple(self.empty), tuple(self.doubts), self.spelled)
            self.empty.clear()
            self.spelled = {}
            self.doubts.clear()
            return document
        parent = self.stack[-1]
        parent.weight += weight
        if parent.items is not None:
            parent.places[len(parent.items)] = (at, places)
            parent.items.append(value)
        elif parent.entries is not None:
            if parent.key_at is None:
                self._key(parent, parent.entries, value, event)
            else:
                self._entry(parent, parent.entries, value, places)
        return None

    def _count(self, weight: int, event: Event) -> None:
        """Counts values, with those that an alias repeats."""
        self.total += weight
        if self.total > self.most:
            raise self.limit.error(self.place(event))
        if self.total > self.next_look:
            self.next_look = self.total + _BETWEEN_LOOKS
            if not self.deadline.left:
                raise SECONDS.error(self.place(event))

    def _key(self, parent: _Open, entries: dict[object, object], value: object, event: Event) -> None:
        try:
            key = self.dialect.key(value)
        except ValueError:
            self._refuse(event, "a key must be text")
        if key in entries:
            self.doubts.append(Doubt((*self._here()[:-1], key), str(key), parent.places[key][0].line + 1))
        parent.key, parent.key_at = key, event.start_mark

    def _entry(self, parent: _Open, entries: dict[object, object], value: object, places: Places | None) -> None:
        key, at = parent.key, parent.key_at
        parent.key_at = None
        if key == _MERGE:
            parent.merged.extend(cast("list[object]", value) if isinstance(value, list) else [value])
        elif at is not None:
            entries[key] = value
            parent.places[key] = (at, places)

    def _merge(self, merged: object, into: _Open, event: Event) -> None:
        if not isinstance(merged, dict) or into.entries is None:
            self._refuse(event, "merges a value that is not a mapping")
        for key, value in cast("dict[Step, object]", merged).items():
            if key not in into.entries:
                into.entries[key] = value
                into.places[key] = (into.start, None)

    def _here(self) -> tuple[Step, ...]:
        """Returns the path of the next value."""
        return tuple(len(level.items) if level.items is not None else level.key for level in self.stack)

    def _refuse(self, event: Event, message: str) -> NoReturn:
        raise TextError(f"{self.place(event)}: {message}")

    def place(self, event: Event) -> str:
        """Returns the position of an event, for messages."""
        return f"{self.name}:{event.start_mark.line + 1}:{event.start_mark.column + 1}"


def source_position(file: str, start: "Position", places: "Places", steps: Iterable[Step]) -> SourcePosition:
    """Returns the position of the field at `steps`, or of its nearest parent in the file."""
    at, inside = start, places
    for step in steps:
        if step not in inside:
            break
        at, within = inside[step]
        inside = within if within is not None else {}
    return SourcePosition(file, at.line + 1, at.column + 1)


_LANGUAGES: Final = {"py": "is Python, not YAML or JSON: `--stack NAME` reads `stacks/NAME.py`", "toml": "is TOML, not YAML or JSON"}
"""By the ending of a file's name. Much of them is text, or a mapping, to a reader of YAML."""


def documents(text: str, name: str, dialect: Dialect = KUBERNETES) -> Iterator[Document]:
    """Yields every document of `text` that is not empty; `dialect` decides the values of unquoted scalars.

    Raises:
        TextError: the text is not valid YAML, or exceeds a limit. The message is one line: the position and the error.
    """
    if (language := _LANGUAGES.get(name.rpartition(".")[2])) is not None:
        raise TextError(f"{name}: {language}")
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

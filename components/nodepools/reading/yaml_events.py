"""The events of the YAML parser."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, Protocol, TypeAlias, cast

import yaml
from yaml.reader import ReaderError

from nodepools.reading.limits import TextError
from nodepools.reading.mistaken_files import json_error

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
    try:
        parser = LOADER(source)
    except yaml.YAMLError as error:
        raise _unreadable(error, name, source) from None
    try:
        yield cast("NextEvent", parser.get_event)  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped
    except yaml.YAMLError as error:
        raise _unreadable(error, name, source) from None
    finally:
        parser.dispose()


_QUOTED: Final = re.compile(r" (?:handle|anchor|tag|alias) ['\"].*")
"""What PyYAML quotes of the text: a password can begin with `!` and `*`."""


def _unreadable(error: yaml.YAMLError, name: str, source: str | Readable) -> TextError:
    invalid = json_error(source, name) if isinstance(source, str) else None
    if invalid is not None:
        return TextError(invalid)
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        return TextError(f"{place}: is not valid YAML: {' '.join(_QUOTED.sub('', str(error.problem or error.context)).split())}")
    if isinstance(error, ReaderError) and "not allowed" not in str(error.reason):  # a character can be rejected, or the bytes are not characters
        return TextError(f"{name}: is not UTF-8 text")
    return TextError(f"{name}: {' '.join(str(error).split())[:200]}")

"""Functions of strings: those of the language, the strings library, and regular expressions."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol, cast

import re2

from nodepools.cel.conversions import double_text, duration_text, timestamp_text
from nodepools.cel.functions import LIST, Variant, entries, expression, function, member, search, strings, text
from nodepools.cel.meter import EvaluationError, NotCheckedError, fitting
from nodepools.cel.values import Duration, Timestamp, UInt, named

_RE2: Final = cast("Any", re2)
"""The package has no types."""


class _Match(Protocol):
    def group(self) -> str: ...


class _Pattern(Protocol):
    def search(self, text: str) -> _Match | None: ...

    def finditer(self, text: str) -> Iterator[_Match]: ...


class PatternError(ValueError):
    """The text is not a regular expression of RE2."""


def _quiet() -> object:
    """Options without messages on stderr for invalid patterns."""
    options = _RE2.Options()
    options.log_errors = False
    return options


_OPTIONS: Final = _quiet()


@lru_cache(maxsize=1000)
def pattern(text: str) -> _Pattern:
    """Returns a compiled pattern.

    Raises:
        PatternError: it is not valid.
    """
    try:
        return cast("_Pattern", _RE2.compile(text, _OPTIONS))
    except _RE2.error as error:
        message = cast("object", error.args[0])
        raise PatternError(message.decode(errors="replace") if isinstance(message, bytes) else str(message)) from None


@lru_cache(maxsize=4096)
def is_match(expression: str, text: str) -> bool:
    """Whether the pattern matches somewhere in the text. Remembered: objects of one kind have the same labels and values again and again."""
    return pattern(expression).search(text) is not None


_CLAUSE: Final = re.compile(r"%(%|\.?[0-9]*[a-zA-Z])?", re.DOTALL)
_WHOLE: Final = {"d": "d", "x": "x", "X": "X", "o": "o", "b": "b"}


def formatted(template: str, given: Sequence[object]) -> str:
    """Fills the clauses of a text, such as `%s` and `%d`.

    Raises:
        EvaluationError: there are too few arguments, or one has the wrong type.
        NotCheckedError: a clause prints lists, maps or floating point numbers, which depends on the version of the API server.
    """
    rest = list(given)

    def fill(match: re.Match[str]) -> str:
        clause = match[1]
        if clause == "%":
            return "%"
        if not rest:
            raise EvaluationError("index out of range: there are fewer arguments than clauses")
        return _filled(str(clause), rest.pop(0))

    made = _CLAUSE.sub(fill, template)
    fitting(len(made))
    return made


def _filled(clause: str, value: object) -> str:
    if clause == "s":
        return _text(value)
    if clause in _WHOLE and isinstance(value, int) and (clause == "b" or not isinstance(value, bool)):
        return format(int(value), _WHOLE[clause])
    if clause in {"x", "X"} and isinstance(value, str | bytes):
        digits = (value.encode() if isinstance(value, str) else value).hex()
        return digits.upper() if clause == "X" else digits
    if clause in _WHOLE:
        raise EvaluationError(f"`%{clause}` does not format {named(value)}")
    raise NotCheckedError(f"formats with `%{clause}`")


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return _NAMED[value]
    if type(value) not in _TEXTS:
        raise NotCheckedError(f"formats {named(value)} with `%s`")
    return _TEXTS[type(value)](value)


_NAMED: Final = {None: "null", True: "true", False: "false"}
_TEXTS: Final[Mapping[type[object], Callable[..., str]]] = {
    str: str,
    int: str,
    UInt: int.__str__,
    float: double_text,
    Duration: duration_text,
    Timestamp: timestamp_text,
}


_QUOTED: Final = str.maketrans({"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\", '"': '\\"'})
_BLANKS: Final = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
"""The white space of Go."""


def _within(index: int, largest: int) -> int:
    if not 0 <= index <= largest:
        raise EvaluationError(f"index out of range: {index}")
    return index


def _index_of(value: str, part: str, start: int = 0) -> int:
    if part == "":
        return start
    if start < 0:
        raise EvaluationError(f"index out of range: {start}")
    return value.find(part, start)


def _last_index_of(value: str, part: str, start: int | None = None) -> int:
    if start is None:
        return value.rfind(part)
    if part == "":
        return start
    if start < 0:
        raise EvaluationError(f"index out of range: {start}")
    return -1 if start >= len(value) else value.rfind(part, 0, start + len(part))


def _replace(value: str, old: str, new: str, most: int = -1) -> str:
    found = len(value) + 1 if old == "" else value.count(old)
    times = found if most < 0 else min(found, most)
    fitting(len(value) + times * len(new))
    return value.replace(old, new, times)


def _split(value: str, separator: str, most: int = -1) -> list[object]:
    if most == 0:
        return []
    if separator == "":
        pieces = list(value)
        return [*pieces] if most < 0 or len(pieces) <= most else [*pieces[: most - 1], value[most - 1 :]]
    return [*value.split(separator, most - 1 if most > 0 else -1)]


def _substring(value: str, start: int, end: int | None = None) -> str:
    if end is None:
        return value[_within(start, len(value)) :]
    if start > end:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {end}")
    return value[_within(start, len(value)) : _within(end, len(value))]


def _join(values: list[object], separator: str = "") -> str:
    parts = strings(values)
    fitting(sum(map(len, parts)) + len(separator) * len(parts))
    return separator.join(parts)


def _ascii(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda value: "".join(change(character) if character.isascii() else character for character in value)


def _with_pattern(use: Callable[..., object]) -> Callable[..., object]:
    """Reports an invalid pattern as the failure of the evaluation."""

    def used(*given: object) -> object:
        try:
            return use(*given)
        except PatternError:
            raise EvaluationError("invalid regular expression") from None

    return used


def _matches(value: str, requested: str) -> bool:
    return is_match(requested, value)


@lru_cache(maxsize=4096)
def _find(value: str, requested: str) -> str:
    match = pattern(requested).search(value)
    return match.group() if match is not None else ""


def _find_all(value: str, requested: str, most: int = -1) -> list[object]:
    found: list[object] = []
    for match in pattern(requested).finditer(value):
        if len(found) == most:
            break
        found.append(match.group())
    return found


TEXT: Final[tuple[Variant, ...]] = (
    member("contains", (str, str), lambda value, part: part in value, search),
    member("startsWith", (str, str), str.startswith, text),
    member("endsWith", (str, str), str.endswith, text),
    member("matches", (str, str), _with_pattern(_matches), expression),
    function("matches", (str, str), _with_pattern(_matches), expression),
    member("find", (str, str), _with_pattern(_find), expression),
    member("findAll", (str, str), _with_pattern(_find_all), expression),
    member("findAll", (str, str, int), _with_pattern(_find_all), expression),
    member("charAt", (str, int), lambda value, index: value[_within(index, len(value)) :][:1]),
    member("indexOf", (str, str), _index_of, text),
    member("indexOf", (str, str, int), _index_of, text),
    member("lastIndexOf", (str, str), _last_index_of, text),
    member("lastIndexOf", (str, str, int), _last_index_of, text),
    member("lowerAscii", (str,), _ascii(str.lower), text),
    member("upperAscii", (str,), _ascii(str.upper), text),
    member("replace", (str, str, str), _replace, text),
    member("replace", (str, str, str, int), _replace, text),
    member("split", (str, str), _split, text),
    member("split", (str, str, int), _split, text),
    member("substring", (str, int), _substring, text),
    member("substring", (str, int, int), _substring, text),
    member("trim", (str,), lambda value: value.strip(_BLANKS), text),
    member("join", (LIST,), _join, entries),
    member("join", (LIST, str), _join, entries),
    member("format", (str, LIST), formatted, text),
    function("strings.quote", (str,), lambda value: f'"{value.translate(_QUOTED)}"', text),
)

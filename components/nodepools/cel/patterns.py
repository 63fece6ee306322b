"""Regular expressions as Kubernetes has them: RE2, which takes linear time."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, Protocol, cast

import re2

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

"""`format` of the strings library."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from nodepools.manifests.cel.conversions import double_text
from nodepools.manifests.cel.errors import EvaluationError, NotCheckedError
from nodepools.manifests.cel.meter import fitting
from nodepools.manifests.cel.times import duration_text, timestamp_text
from nodepools.manifests.cel.values import Duration, Timestamp, UInt, named

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

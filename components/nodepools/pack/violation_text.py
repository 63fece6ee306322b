"""The text of a violation: lines that people read, and programs parse. It never contains a secret."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from nodepools.resources.resource import UNKNOWN, Secret
from nodepools.rules.finding import jsonable

HIDDEN = "[secret]"
_SHORTEST = 3
"""The minimum length of secrets that are hidden in texts: shorter ones are part of ordinary words."""
_LONGEST = 300
_LINES = re.compile(
    r"(?:path: (?P<path>.*)\n)?(?:value: (?P<value>.*)\n)?(?P<message>[\s\S]*?)(?:\nfix: (?P<fix>[\s\S]*?))?(?:\nsource: (?P<source>.*))?\Z"
)


@dataclass(frozen=True, slots=True)
class ViolationText:
    """One violation: the path, the value, the message and the fix."""

    path: str
    value: object
    """The value can contain secrets and unknown values, which are not printed."""
    message: str
    fix: str = ""
    """Empty if there is none."""
    source: str = ""
    """The documentation of the requirement; empty for a requirement of the organization."""


def format_violation(complaint: ViolationText, secrets: Sequence[str] = ()) -> str:
    """Returns the lines of a violation: path, value as JSON unless it is long, message, fix, source. All occurrences of `secrets` are hidden."""
    value = "" if complaint.value is None else f"value: {json.dumps(_shown(complaint.value), ensure_ascii=False)}"
    if len(value) > _LONGEST:  # the path is enough to find a long value
        value = ""
    lines = [
        f"path: {complaint.path}" if complaint.path else "",
        value,
        complaint.message,
        f"fix: {complaint.fix}" if complaint.fix else "",
        f"source: {complaint.source}" if complaint.source else "",
    ]
    text = "\n".join(line for line in lines if line)
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def parse_violation(text: str) -> ViolationText:
    """Parses the lines of a violation. The text of another pack is the message as a whole."""
    match = _LINES.match(text)
    if match is None:
        return ViolationText("", None, text, "")
    path, value, source = match["path"], match["value"], match["source"]
    return ViolationText(path or "", _json(value) if value is not None else None, match["message"], match["fix"] or "", source or "")


def secrets_in(value: object) -> Iterator[str]:
    """Yields the texts of all secrets in a value that are long enough to be hidden."""
    if isinstance(value, Secret):
        yield from (text for text in _texts(value.value) if len(text) >= _SHORTEST)
    elif isinstance(value, Mapping):
        for part in cast("Mapping[str, object]", value).values():
            yield from secrets_in(part)
    elif isinstance(value, list | tuple):
        for part in cast("Sequence[object]", value):
            yield from secrets_in(part)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Secret):
        yield from _texts(value.value)
    elif isinstance(value, Mapping):
        for part in cast("Mapping[str, object]", value).values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in cast("Sequence[object]", value):
            yield from _texts(part)
    elif isinstance(value, str):
        yield value
        yield from value.splitlines()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def _shown(value: object) -> object:
    if isinstance(value, Secret):
        return HIDDEN
    if value is UNKNOWN:
        return {"$unknown": True}
    if isinstance(value, Mapping):
        return {name: _shown(part) for name, part in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_shown(part) for part in cast("Sequence[object]", value)]
    return jsonable(value)


def _json(text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except json.JSONDecodeError:  # with a hidden secret, the text can be invalid JSON
        return text

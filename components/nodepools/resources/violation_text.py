"""The text of a violation: lines that people read, and programs parse. It never contains a secret."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from nodepools.model.path import jsonable
from nodepools.model.redaction import hides, scrubbed
from nodepools.model.ref import HIDDEN
from nodepools.model.secret_places import steps_of
from nodepools.model.steps import Step, Steps
from nodepools.model.values import dataclass
from nodepools.resources.resource import UNKNOWN, Secret

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
    value = "" if complaint.value is None else f"value: {json.dumps(_shown(complaint.value, steps_of(complaint.path)), ensure_ascii=False)}"
    if len(value) > _LONGEST:  # the path is enough to find a long value
        value = ""
    lines = [
        f"path: {complaint.path}" if complaint.path else "",
        value,
        complaint.message,
        f"fix: {complaint.fix}" if complaint.fix else "",
        f"source: {complaint.source}" if complaint.source else "",
    ]
    return scrubbed("\n".join(line for line in lines if line), sorted(secrets, key=len, reverse=True))


def parse_violation(text: str) -> ViolationText:
    """Parses the lines of a violation. The text of another pack is the message as a whole."""
    match = _LINES.match(text)
    if match is None:
        return ViolationText("", None, text, "")
    path, value, source = match["path"], match["value"], match["source"]
    return ViolationText(path or "", _json(value) if value is not None else None, match["message"], match["fix"] or "", source or "")


def secrets_in(value: object, steps: Steps = ()) -> Iterator[str]:
    """Yields the texts of all secrets in a value that are long enough to be hidden: marked ones, and plain ones at secret places."""
    if isinstance(value, Secret) or hides(steps, value):
        yield from (text for text in _texts(value) if len(text) >= _SHORTEST)
    for step, part in _parts(value):
        yield from secrets_in(part, (*steps, step))


def _parts(value: object) -> Iterable[tuple[Step, object]]:
    if isinstance(value, Mapping):
        return cast("Mapping[Step, object]", value).items()
    return enumerate(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else ()


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Secret):
        yield from _texts(value.value)
    elif isinstance(value, str):
        yield value
        yield from value.splitlines()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    for _, part in _parts(value):
        yield from _texts(part)


def _shown(value: object, steps: Steps) -> object:
    if isinstance(value, Secret) or hides(steps, value):
        return HIDDEN
    if value is UNKNOWN:
        return {"$unknown": True}
    if isinstance(value, Mapping):
        return {name: _shown(part, (*steps, name)) for name, part in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_shown(part, (*steps, index)) for index, part in enumerate(cast("Sequence[object]", value))]
    return jsonable(value)


def _json(text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except json.JSONDecodeError:  # with a hidden secret, the text can be invalid JSON
        return text

"""Removes secrets from everything that is printed: by their place, by their form, and by their content.

All outputs use it: findings, JSON, SARIF, plans, policy violations, exceptions.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, cast

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.scalars import items, rewritten, scalars
from nodepools.model.secret import HIDDEN, SecretValue
from nodepools.model.secret_places import is_secret, is_short_secret
from nodepools.model.secret_texts import encoded, without_forms
from nodepools.model.steps import Steps
from nodepools.model.unknowns import unread

MARK: Final[Mapping[str, object]] = {"$secret": True}
"""A secret in JSON, as in a registration plan."""
_UNKNOWN: Final[Mapping[str, object]] = {"$unknown": True}
_SHORTEST: Final = 4
"""The minimum length of secrets that are searched for in texts: shorter ones are part of ordinary words."""

_JSON: Final = ("{", "[")


class Hidden(Enum):
    """The type of `SECRET`."""

    SECRET = HIDDEN

    def __str__(self) -> str:
        return HIDDEN

    __repr__ = __str__


SECRET: Final = Hidden.SECRET
"""Stands for a secret value in a finding."""


def scrubbed(text: str, contents: Iterable[str] = ()) -> str:
    """`text` without texts that have the form of a secret, and without `contents`, the texts of known secrets. JSON is read as data."""
    text = _clean(text)
    for part, inner in encoded(text):
        if _clean(inner) != inner:
            text = text.replace(part, HIDDEN)
    for content in contents:
        text = text.replace(content, HIDDEN)
    return text


def _clean(text: str) -> str:
    return without_forms(_scrubbed_json(text) if text[:1] in _JSON else text)


def has_secret_form(text: str) -> bool:
    """`text` contains a secret that is recognized by its form."""
    return scrubbed(text) != text


def _scrubbed_json(text: str) -> str:
    """JSON without the secrets that its names and pairs show; a text without such secrets, or that is not JSON, stays as it is written."""
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    clean = rewritten(data, lambda steps, value: HIDDEN if hides(steps, value) else value)
    return text if clean == data else json.dumps(clean, ensure_ascii=False)


def hides(steps: Steps, value: object) -> bool:
    """The scalar `value` at `steps` is secret. A switch never is, also as text."""
    is_switch = isinstance(value, bool) or (isinstance(value, str) and value in ("true", "false"))
    return isinstance(value, str | int | float) and not is_switch and (is_secret(steps) or is_short_secret(steps, value))


def printable(value: object, steps: Steps) -> object:
    """The value of a finding at `steps`: `SECRET`, a scalar, a list of scalars, or a part with a text of its own.

    `None` for any other part: its path is enough, and anything could be in it.
    """
    if value is SECRET or isinstance(value, SecretValue) or hides(steps, value):
        return SECRET
    if isinstance(value, str):
        return scrubbed(value)
    if isinstance(value, list | tuple):
        entries = cast("Sequence[object]", value)
        report = [printable(entry, (*steps, index)) for index, entry in items(entries)]
        return None if any(entry is None and given is not None for entry, given in zip(report, entries, strict=True)) else report
    if isinstance(value, Mapping):
        return cast("object", value) if value in (MARK, _UNKNOWN) else None
    return value if not isinstance(value, Model) or _has_text(value) else None


def redacted(value: object, steps: Steps = ()) -> object:
    """Plain data at `steps` with `MARK` for every secret in it."""
    return rewritten(value, _marked, steps)


def marked(value: object, steps: Steps = ()) -> object:
    """The same, with `MARK` for every text that contains a secret: half of a text cannot be compared with another one."""
    return rewritten(value, lambda place, one: MARK if isinstance(one, str) and has_secret_form(one) else _marked(place, one), steps)


def secrets_in(value: object, steps: Steps = ()) -> Iterator[object]:
    """The scalars at secret places of a declaration or of plain data."""
    for place, scalar in scalars(value, steps):
        if isinstance(scalar, SecretValue):
            yield scalar.text
        elif hides(place, scalar):
            yield scalar


def has_secret(value: object) -> bool:
    """`value` has a scalar at a secret place, or of the form of a secret."""
    return any(
        isinstance(scalar, SecretValue) or hides(place, scalar) or (isinstance(scalar, str) and has_secret_form(scalar))
        for place, scalar in scalars(value)
    )


def contents_of(secrets: Iterable[object]) -> tuple[str, ...]:
    """The texts to search for: each secret as it is, its lines, and as JSON spells it. The longest is first."""
    texts = {text for secret in secrets if isinstance(secret, str | int | float) for text in (str(secret), *str(secret).splitlines())}
    both = {spelled for text in texts for spelled in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])}
    return tuple(sorted((text for text in both if len(text) >= _SHORTEST), key=lambda text: (-len(text), text)))


def _marked(steps: Steps, value: object) -> object:
    if isinstance(value, SecretValue) or hides(steps, value):
        return MARK
    return scrubbed(value) if isinstance(value, str) else value


def _has_text(value: Model) -> bool:
    return not is_faulty(value) and not unread(value) and type(value).__str__ is not Model.__str__

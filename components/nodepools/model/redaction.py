"""Removes secrets from everything that is printed: by their place, by their form, and by their content.

All outputs use it: findings, JSON, SARIF, plans, policy violations, exceptions.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, cast

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.scalars import rewritten, scalars
from nodepools.model.secret import HIDDEN, SecretValue
from nodepools.model.secret_places import is_secret
from nodepools.model.steps import Steps
from nodepools.model.unknowns import unread

MARK: Final[Mapping[str, object]] = {"$secret": True}
"""A secret in JSON, as in a registration plan."""
_UNKNOWN: Final[Mapping[str, object]] = {"$unknown": True}
_SHORTEST: Final = 4
"""The minimum length of secrets that are searched for in texts: shorter ones are part of ordinary words."""

_FORMS: Final = (
    re.compile(r"(?<=://)[^\s/@:]*:[^\s/@]+(?=@)"),
    re.compile(r"-----BEGIN [A-Z0-9 ]+-----[A-Za-z0-9+/=\s\\:,-]*"),
    re.compile(r"LS0tLS1CRUdJTi[A-Za-z0-9+/=\n]*"),
    re.compile(r"""(?<=client-key-data: )[^\s,}]+|(?<=client-certificate-data: )[^\s,}]+|(?<=token: )[^\s,}]+|(?<=password: )[^\s,}]+"""),
)
"""Texts that are secret wherever they are: credentials in a URL, PEM, the same in base64, and the credentials of a kubeconfig."""


class Hidden(Enum):
    """The type of `SECRET`."""

    SECRET = HIDDEN

    def __str__(self) -> str:
        return HIDDEN

    __repr__ = __str__


SECRET: Final = Hidden.SECRET
"""Stands for a secret value in a finding."""


def scrubbed(text: str, contents: Iterable[str] = ()) -> str:
    """`text` without texts that have the form of a secret, and without `contents`, the texts of known secrets."""
    for form in _FORMS:
        text = form.sub(HIDDEN, text)
    for content in contents:
        text = text.replace(content, HIDDEN)
    return text


def has_secret_form(text: str) -> bool:
    """`text` contains a secret that is recognized by its form."""
    return any(form.search(text) for form in _FORMS)


def hides(steps: Steps, value: object) -> bool:
    """The scalar `value` at `steps` is secret. A switch never is."""
    return isinstance(value, str | int | float) and not isinstance(value, bool) and is_secret(steps)


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
        report = [printable(entry, steps) for entry in entries]
        return None if any(entry is None and given is not None for entry, given in zip(report, entries, strict=True)) else report
    if isinstance(value, Mapping):
        return cast("object", value) if value in (MARK, _UNKNOWN) else None
    return value if not isinstance(value, Model) or _has_text(value) else None


def redacted(value: object, steps: Steps = ()) -> object:
    """Plain data at `steps` with `MARK` for every secret in it."""
    return rewritten(value, _marked, steps)


def secrets_in(value: object, steps: Steps = ()) -> Iterator[object]:
    """The scalars at secret places of a declaration or of plain data."""
    for place, scalar in scalars(value, steps):
        if isinstance(scalar, SecretValue):
            yield scalar.text
        elif hides(place, scalar):
            yield scalar


def has_secret(value: object) -> bool:
    """`value` has a scalar at a secret place."""
    return any(True for _ in secrets_in(value))


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

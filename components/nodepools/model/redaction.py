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
from nodepools.model.scalars import items, rewritten, scalars
from nodepools.model.secret import HIDDEN, SecretValue
from nodepools.model.secret_places import is_secret, is_short_secret, plain
from nodepools.model.steps import Steps
from nodepools.model.unknowns import unread

MARK: Final[Mapping[str, object]] = {"$secret": True}
"""A secret in JSON, as in a registration plan."""
_UNKNOWN: Final[Mapping[str, object]] = {"$unknown": True}
_SHORTEST: Final = 4
"""The minimum length of secrets that are searched for in texts: shorter ones are part of ordinary words."""

_PORT: Final = r"(?!\d{1,5}(?:[/?#,]|$))"
_END: Final = r"""\s"'`<>"""
_IN_YAML: Final = (
    *("client-key-data", "client-certificate-data", "token", "Token", "password", "Password", "Secret"),
    *("api_key", "access_key", "account_key", "apiKey"),
)
_FORMS: Final = (
    re.compile(rf"(?<=://)[^/@:{_END}]*:{_PORT}[^{_END}]+(?=@)"),
    re.compile(rf"(?:(?<=http://)|(?<=https://))[^/@:?#{_END}]+(?=@)"),
    re.compile(rf"(?<=hooks\.slack\.com/)[^{_END}]+|(?<=/api/webhooks/)[^{_END}]+|(?<=\.webhook\.office\.com/)[^{_END}]+"),
    re.compile(r"-----BEGIN [A-Z0-9 ]+-----[A-Za-z0-9+/=\s\\:,-]*"),
    re.compile(r"LS0tLS1CRUdJTi[A-Za-z0-9+/=\n]*"),
    re.compile(
        r"\b(?:gh[opsur]_\w{6,}|github_pat_\w{6,}|gl(?:agent|cbt|dt|ft|imt|oas|pat|ptt|rt|soat)-[\w-]{16,}|xox[a-z]-[\w-]{6,}|dckr_pat_[\w-]{6,}|npm_\w{20,}|hf_\w{20,}|pypi-[\w-]{16,})"
    ),
    re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
    re.compile(r"(?<=\b[Bb]earer )(?!tokens?\b|auth)[\w.~+/=-]{4,}|(?<=\bBEARER )[\w.~+/=-]{4,}|(?<=Authorization: )(?!\[)\S.*"),
    re.compile(r"(?<=[?&]sig=)[^&\s\"'`]+"),
    re.compile(rf"(?:{'|'.join(f'(?<={name}: )' for name in _IN_YAML)})[^,}}{_END}]+"),
)
"""Texts that are secret wherever they are: credentials and tokens in a URL, webhooks, PEM, the same in base64, tokens of known services, JSON web
tokens, headers, signatures of Azure, and credentials in the YAML of a kubeconfig or of settings."""
_ASSIGNED: Final = re.compile(r"""(?P<name>[A-Za-z][\w.-]*)(?P<by>["']?\s*(?:=|":)\s*)(?P<value>"[^"]*"|'[^']*'|[^\s,;&"'`<>)\]}]+\(?)""")
"""A name with its value in a text: `--token=…`, `AccountKey=…;`, `&password=…`, `API_KEY="…"`, and JSON."""
_FLAGGED: Final = re.compile(r"(?<![\w-])(?P<by>--?(?P<name>[A-Za-z][\w.-]*)\s+)(?P<value>[^\s=-]\S*)")
"""A flag with its value in a text: `--token …`."""
_JSON: Final = ("{", "[")
_FLAG: Final = "--"
_REFERENCE: Final = re.compile(r"[$%{(\[]|[\w.]+\(|(None|True|False|null|true|false)$")
"""The beginning of what is not a value, in a shell, in a template, or in Python."""
_FILES: Final = frozenset({"kubeconfig", "certificate", "cacertificate", "clientcertificate"})
_PATH: Final = re.compile(r"~?\.{0,2}/|[\w-]+$")
"""The path of a file, which these flags take."""


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
    if text[:1] in _JSON:
        text = _scrubbed_json(text)
    for form in _FORMS:
        text = form.sub(HIDDEN, text)
    if "=" in text or '":' in text:
        text = _ASSIGNED.sub(_without_value, text)
    if _FLAG in text:
        text = _FLAGGED.sub(_without_value, text)
    for content in contents:
        text = text.replace(content, HIDDEN)
    return text


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


def _without_value(found: re.Match[str]) -> str:
    """The name with its value, which is hidden if the name is that of a secret. References to variables and to files are none."""
    name, written = found["name"], found["value"]
    value = written.strip("\"'")
    is_key = plain(name) == "key" and found.string[: found.start()][-1:] not in ("?", "&")  # otherwise a label or a taint
    is_hidden = bool(value) and not _REFERENCE.match(value) and (is_secret((name,)) or (not is_key and is_short_secret((name,), value)))
    if not is_hidden or (plain(name) in _FILES and _PATH.match(value)):
        return found[0]
    return f"{found[0][: found.start('value') - found.start()]}{written.replace(value, HIDDEN)}"


def hides(steps: Steps, value: object) -> bool:
    """The scalar `value` at `steps` is secret. A switch never is."""
    return isinstance(value, str | int | float) and not isinstance(value, bool) and (is_secret(steps) or is_short_secret(steps, value))


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

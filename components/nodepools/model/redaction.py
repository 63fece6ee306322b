"""Removes secrets from everything that is printed: by their place, by their form, and by their content.

All outputs use it: findings, JSON, SARIF, plans, policy violations, exceptions.

The forms are common ones. They are written down as people meet them in files and logs, and no list of them is complete.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import reduce
from typing import Final, cast

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.ref import HIDDEN, SecretValue
from nodepools.model.secret_places import is_secret, is_short_secret, plain
from nodepools.model.steps import Steps, items, rewritten, scalars
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
        clean = rewritten(data, lambda steps, value: HIDDEN if hides(steps, value) else scrubbed(value) if isinstance(value, str) else value)
    except (ValueError, RecursionError):
        return text
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


_PORT: Final = r"(?!\d{1,5}(?:[/?#,]|$))"
_END: Final = r"""\s"'`<>"""
_IN_YAML: Final = (
    *("client-key-data", "client-certificate-data", "token", "Token", "password", "Password", "Secret"),
    *("api_key", "access_key", "account_key", "apiKey"),
)
_URLS: Final = (
    rf"(?<=://)[^/@:{_END}]*:{_PORT}[^{_END}]+(?=@)",
    rf"(?:(?<=http://)|(?<=https://))[^/@:?#{_END}]+(?=@)",
    rf"(?<=\w:)(?!//)[^/@{_END}]{{4,}}(?=@[\w-]+(?:\.[\w-]+)*:\d{{2,5}}\b)",
    rf"(?<=hooks\.slack\.com/)[^{_END}]+|(?<=/api/webhooks/)[^{_END}]+|(?<=\.webhook\.office\.com/)[^{_END}]+",
    r"(?<=\bsig=)[^&\s\"'`;]{8,}|(?<=[?&]code=)[\w%=-]{20,}|(?<=-Signature=)[\w%-]{16,}",
)
"""Credentials and tokens in a URL, also without its scheme, webhooks, and signed addresses of Azure, AWS and Google."""
_BLOCKS: Final = (
    r"-----BEGIN (?P<kind>[A-Z0-9 ]+)-----(?s:.*?)(?:-----END (?P=kind)-----|(?=\Z|[`\"'}<]))",
    r"LS0tLS1CRUdJTi[A-Za-z0-9+/=\n]*",
)
"""PEM, and the same in base64. A block that is cut off ends with the text or the quote around it."""
_TOKENS: Final = (
    r"\b(?:gh[opsur]_\w{6,}|github_pat_\w{6,})",
    r"\bgl(?:agent|cbt|dt|ft|imt|oas|pat|ptt|rt|soat)-[\w-]{16,}",
    r"\b(?:xox[a-z]-[\w-]{6,}|xapp-\d[\w-]{12,})",
    r"\b(?:dckr_pat_[\w-]{6,}|npm_\w{20,}|hf_\w{20,}|pypi-[\w-]{16,})",
    r"\b(?:[rs]k_(?:live|test)_\w{16,}|sk-[\w-]{20,}(?<=\d\w)|sk-(?:proj|ant|svcacct)-[\w-]{16,}|SG\.[\w-]{16,}\.[\w-]{16,}|AIza[\w-]{35})",
    r"\b(?:hv[bsr]\.[\w-]{20,}|pul-[0-9a-f]{40}|do[opr]_v1_\w{32,}|dapi[0-9a-f]{32}|\w{14}\.atlasv1\.[\w-]{40,})",
    r"\bAGE-SECRET-KEY-1[0-9A-Z]{20,}",
    r"\b[\w~.-]{3}8Q~[\w~.-]{30,}|\b[A-Za-z0-9]{70,}AZDO\w{4}\b",
    r"\bA[KS]IA[A-Z0-9]{16}[\s:,;|/\"']{1,4}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])",
    r"(?<=/bot)\d{8,10}:AA[\w-]{32,}",
    r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",
)
"""Tokens of known services, of Entra ID and Azure DevOps, access keys of AWS with their secret, and JSON web tokens."""
_HEADERS: Final = (
    r"(?<=\b[Bb]earer )(?!tokens?\b|auth)[\w.~+/=-]{4,}|(?<=\bBEARER )[\w.~+/=-]{4,}|(?<=Authorization: )(?!\[)\S.*",
    r"(?<=\b[Bb]asic )(?=[A-Za-z+/]*[0-9=])[A-Za-z0-9+/]{8,}={0,2}(?![\w.-])",
    rf"(?:(?<=\s-u )|(?<=--user )|(?<=--user=))[^:{_END}]+:[^{_END}]+",
    rf"(?:{'|'.join(f'(?<={name}: )' for name in _IN_YAML)})(?:[^,}}{_END}\[]+(?=\s*(?:[,;}}]|$))|(?=\S*[^\sa-z])[^,}}{_END}\[]+)",
)
"""Headers, credentials of `curl`, and credentials in the YAML of a kubeconfig or of settings."""
_TOKEN_FORMS: Final = tuple(re.compile(form) for form in _TOKENS)
_FORMS: Final = (*map(re.compile, (*_URLS, *_BLOCKS)), *_TOKEN_FORMS, *map(re.compile, _HEADERS))

_ASSIGNED: Final = re.compile(r"""(?P<name>[A-Za-z][\w.-]*)(?P<by>["']?\s*=\s*|["']:\s*)(?P<value>"[^"]*"|'[^']*'|[^\s,;&"'`<>)\]}]+\(?)""")
"""A name with its value in a text: `--token=…`, `AccountKey=…;`, `&password=…`, `API_KEY="…"`, and JSON."""
_FLAGGED: Final = re.compile(r"(?<![\w-])(?<!config set )(?P<by>--?(?P<name>[A-Za-z][\w.-]*)\s+)(?P<value>[^\s=-]\S*)")
"""A flag with its value in a text: `--token …`."""
_LINE: Final = re.compile(
    r"""(?m)^(?P<in>[ \t]*)(?:-[ \t]+)?["']?(?P<name>[A-Za-z][\w.-]*)["']?:[ \t]+"""
    r"""(?:[|>][-+0-9]*[ \t]*\n(?P<block>(?:(?P=in)[ \t]+.*(?:\n|\Z)|[ \t]*\n)+)|(?P<value>"[^"\n]*"|'[^'\n]*'|[^\s"'`\[{|>&*!#][^\n]*))"""
)
"""A line of YAML or of headers: a name with its value, or with a block of lines."""
_IN_FLOW: Final = re.compile(r"""(?<=[{,])(?P<by>\s*(?P<name>[A-Za-z][\w.-]*):[ \t]+)(?P<value>"[^"\n]*"|'[^'\n]*'|[^\s,}"'`\[{]+)(?=\s*[,}])""")
"""The same within braces: `{name: x, client_secret: …}`."""
_TAGGED: Final = re.compile(r"<(?P<name>[A-Za-z][\w.-]*)>(?P<value>[^<>\s][^<>]*)(?=</)")
"""A value between tags: `<password>…</password>`."""
_LOGIN: Final = re.compile(r"""(?P<by>\bmachine\s+\S+\s+login\s+\S+\s+password\s+|\blogin\s+(?:\S+\s+){0,4}?-p\s+)(?P<value>[^\s`"']+)""")
"""A password in `.netrc`, and in `docker login`."""
_CONFIGURED: Final = re.compile(r"(?<=\bconfig set )(?P<by>(?=[^`\n]*--secret)(?:-[\w-]+ )*(?!-)[\w:./-]+ )(?P<value>[^\s`-][^\s`]*)")
"""A value that `pulumi config set --secret NAME` sets. The name is not secret."""
_FLAG: Final = "--"
_REFERENCE: Final = re.compile(r"[$%{(\[]|[\w.]+\(|(None|True|False|null|true|false)$")
"""The beginning of what is not a value, in a shell, in a template, or in Python."""
_FILES: Final = frozenset({"kubeconfig", "certificate", "cacertificate", "clientcertificate"})
_PATH: Final = re.compile(r"~?\.{0,2}/|[\w-]+$")
"""The path of a file, which these flags take."""
_ENCODED: Final = re.compile(r"(?<![A-Za-z0-9+/_.-])[A-Za-z0-9+/]{12,}={0,2}(?![A-Za-z0-9+/=_-])")
"""A text that can be base64: with the content of a Secret, of `config.json` of Docker, or of a configuration."""


def without_forms(text: str) -> str:
    """`text` without what has the form of a secret."""
    if ":" in text:
        text = _LINE.sub(_without_line, text)
    for form in _FORMS:
        text = form.sub(HIDDEN, text)
    if "=" in text or '":' in text or "':" in text:
        text = _ASSIGNED.sub(_without_value, text)
    if _FLAG in text:
        text = _CONFIGURED.sub(rf"\g<by>{HIDDEN}", text)
        text = _FLAGGED.sub(_without_value, text)
    if ":" in text:
        text = _IN_FLOW.sub(_without_value, text)
    if "</" in text:
        text = _TAGGED.sub(_without_value, text)
    if "login" in text:
        text = _LOGIN.sub(rf"\g<by>{HIDDEN}", text)
    return text


def without_tokens(text: str) -> str:
    """`text` without tokens of known services: what a whole output, with its names of files, cannot contain by chance."""
    return reduce(lambda left, form: form.sub(HIDDEN, left), _TOKEN_FORMS, text)


def encoded(text: str) -> Iterator[tuple[str, str]]:
    """The parts of `text` that can be base64, with what they encode."""
    for found in _ENCODED.findall(text):
        try:
            yield found, b64decode(found, validate=True).decode()
        except ValueError:
            continue


def _without_line(found: re.Match[str]) -> str:
    """The name with its value or block. In a text of one line, a value of several words explains the name."""
    value: str | None = found["value"]
    if value is None:
        start = found.start("block") - found.start()
        return f"{found[0][:start]}{found['in']}  {HIDDEN}\n" if is_secret((found["name"],)) else found[0]
    is_prose = "\n" not in found.string and " " in value.rstrip() and value[0] not in "\"'"
    return found[0] if is_prose else _without_value(found)


def _without_value(found: re.Match[str]) -> str:
    """The name with its value, which is hidden if the name is that of a secret. References to variables and to files are none."""
    name, written = found["name"], found["value"]
    value = written.strip("\"'")
    is_key = plain(name) == "key" and found.string[: found.start()][-1:] not in ("?", "&")  # otherwise a label or a taint
    is_hidden = bool(value) and not _REFERENCE.match(value) and (is_secret((name,)) or (not is_key and is_short_secret((name,), value)))
    if not is_hidden or (plain(name) in _FILES and _PATH.match(value)):
        inner = _ASSIGNED.sub(_without_value, written) if "=" in value else written
    else:
        inner = written.replace(value, HIDDEN)
    return f"{found[0][: found.start('value') - found.start()]}{inner}"

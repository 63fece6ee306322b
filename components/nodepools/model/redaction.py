"""Removes secrets from everything that is printed: by their place, by their form, and by their content.

All outputs use it: findings, JSON, SARIF, plans, policy violations, exceptions.

The forms are common ones. They are written down as people meet them in files and logs, and no list of them is complete.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from typing import Final, cast
from urllib.parse import quote, quote_plus

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
    text = _scrubbed_json(text) if text[:1] in ("{", "[") else text
    text = _remembered(text) if len(text) <= _LONGEST else without_forms(text)
    for part, inner in encoded(text):
        if has_secret_form(inner):
            text = text.replace(part, HIDDEN)
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
    """The texts to search for: each secret and its lines, as they are and as texts often spell them. The longest is first."""
    texts = {text for secret in secrets if isinstance(secret, str | int | float) for text in (str(secret), *str(secret).splitlines())}
    every = {spelled for text in texts if len(text) >= _SHORTEST for spelled in _spelled(text)}
    return tuple(sorted((text for text in every if len(text) >= _SHORTEST), key=lambda text: (-len(text), text)))


def _spelled(text: str) -> Iterator[str]:
    """A text as it is, in JSON, in other cases, in a URL, and in base64, wherever it begins in what is encoded."""
    yield from (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    yield from (text.lower(), text.upper(), text.capitalize(), quote(text, safe="", errors="replace"), quote_plus(text, errors="replace"))
    content = text.encode(errors="replace")
    whole = b64encode(content).decode()
    shifted = (b64encode(bytes(shift) + content).decode()[-(-8 * shift // 6) : 8 * (shift + len(content)) // 6] for shift in range(3))
    for coded in (whole, whole.rstrip("="), *shifted):
        yield from (coded, coded.replace("+", "-").replace("/", "_"))


def _marked(steps: Steps, value: object) -> object:
    if isinstance(value, SecretValue) or hides(steps, value):
        return MARK
    return scrubbed(value) if isinstance(value, str) else value


def _has_text(value: Model) -> bool:
    return not is_faulty(value) and not unread(value) and type(value).__str__ is not Model.__str__


_END: Final = r"""\s"'`<>"""
_IN_YAML: Final = (
    *("client-key-data: ", "client-certificate-data: ", "token: ", "Token: ", "password: ", "Password: ", "Secret: "),
    *("api_key: ", "access_key: ", "account_key: ", "apiKey: "),
)
_URLS: Final = (
    ("://", rf"(?<=://)[^/@:{_END}]*:(?!\d{{1,5}}(?:[/?#,]|$))[^{_END}][^@{_END}]{{0,4000}}+(?:@[^@{_END}]*+)*(?=@)"),
    ("://", rf"(?:(?<=http://)|(?<=https://))[^/@:?#{_END}]+(?=@)"),
    ("@", rf"(?<=\w:)(?!//)[^/@{_END}]{{4,200}}(?=@[\w-]+(?:\.[\w-]+)*:\d{{2,5}}\b)"),
    ("hook", rf"(?<=hooks\.slack\.com/)[^{_END}]+|(?<=/api/webhooks/)[^{_END}]+|(?<=\.webhook\.office\.com/)[^{_END}]+"),
    ("=", r"(?<=\bsig=)[^&\s\"'`;]{8,}|(?<=[?&]code=)[\w%=-]{20,}|(?<=-Signature=)[\w%-]{16,}"),
)
"""Credentials and tokens in a URL, also without its scheme, webhooks, and signed addresses of Azure, AWS and Google."""
_BLOCKS: Final = (
    ("BEGIN ", r"-{4,5} ?BEGIN (?P<kind>[A-Z0-9 ]+?) ?-{4,5}(?s:.*?)(?:-{4,5} ?END (?P=kind) ?-{4,5}|(?=\Z|[`\"'}<]))"),
    ("Private-Lines: ", r"(?<=Private-Lines: )\d+\n(?:[A-Za-z0-9+/=]+(?:\n|\Z))+"),
    ("LS0tLS1CRUdJTi", r"LS0tLS1CRUdJTi[A-Za-z0-9+/=\n]*"),
)
"""PEM, keys of SSH2 and PuTTY, and PEM in base64. A block that is cut off ends with the text or the quote around it."""
_KEYS_OF_SERVICES: Final = (
    r"\b(?:[rs]k_(?:live|test)_\w{16,}|sk-[\w-]{20,}(?<=\d\w)|sk-(?:proj|ant|svcacct)-[\w-]{16,}|SG\.[\w-]{16,}\.[\w-]{16,}|AIza[\w-]{35})"
)
_KEYS_OF_PLATFORMS: Final = r"\b(?:hv[bsr]\.[\w-]{20,}|pul-[0-9a-f]{40}|do[opr]_v1_\w{32,}|dapi[0-9a-f]{32}|\w{14}\.atlasv1\.[\w-]{40,})"
_TOKENS: Final = (
    ("_", r"\b(?:gh[opsur]_\w{6,}|github_pat_\w{6,})"),
    ("gl", r"\bgl(?:agent|cbt|dt|ft|imt|oas|pat|ptt|rt|soat)-[\w-]{16,}"),
    ("xox|xapp-", r"\b(?:xox[a-z]-[\w-]{6,}|xapp-\d[\w-]{12,})"),
    ("dckr_pat_|npm_|hf_|pypi-", r"\b(?:dckr_pat_[\w-]{6,}|npm_\w{20,}|hf_\w{20,}|pypi-[\w-]{16,})"),
    ("k_|sk-|SG.|AIza", _KEYS_OF_SERVICES),
    ("hv|pul-|_v1_|dapi|.atlasv1.", _KEYS_OF_PLATFORMS),
    ("AGE-SECRET-KEY-1", r"\bAGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    ("8Q~|AZDO", r"\b[\w~.-]{3}8Q~[\w~.-]{30,}|\b[A-Za-z0-9]{70,}AZDO\w{4}\b"),
    ("AKIA|ASIA", r"\bA[KS]IA[A-Z0-9]{16}[\s:,;|/\"']{1,4}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])"),
    (":AA", r"(?<=/bot)\d{8,10}:AA[\w-]{32,}"),
    ("eyJ", r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
)
"""Tokens of known services, of Entra ID and Azure DevOps, access keys of AWS with their secret, and JSON web tokens."""
_BEARER: Final = r"(?<=\b[Bb]earer )(?!tokens?\b|auth)[\w.~+/=-]{4,}|(?<=\bBEARER )[\w.~+/=-]{4,}|(?<=Authorization: )(?!\[)\S.*"
_BASIC: Final = r"(?<=\b[Bb]asic )(?=[A-Za-z+/]*[0-9=])[A-Za-z0-9+/]{8,}={0,2}(?![\w.-])|(?i:(?<=\bcookie: ))(?!\[)[^\s\"'`].*"
_OF_YAML: Final = rf"(?:{'|'.join(f'(?<={name})' for name in _IN_YAML)})(?:[^,}}{_END}\[]+(?=\s*(?:[,;}}]|$))|(?=\S*[^\sa-z])[^,}}{_END}\[]+)"
_HEADERS: Final = (("earer |BEARER |Authorization: ", _BEARER), ("asic |: ", _BASIC), ("|".join(_IN_YAML), rf"(?<=: ){_OF_YAML}"))
"""Headers, and credentials in the YAML of a kubeconfig or of settings."""
_FORMS: Final = (*_URLS, *_BLOCKS, *_TOKENS, *_HEADERS)
"""Each with words of which a text must contain one, as all patterns here: it is compiled for the first text that does."""

_NAME: Final = r"(?P<name>[A-Za-z_][\w.-]*)"
_WHOLE: Final = r"(?<![\w.-])(?P<name>[\w.-]+)"
_TEXT: Final = r"""\"{3}[\s\S]*?\"{3}|\\+"[^"\\]*\\+"|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|"[^"]*"|'[^']*'"""
"""A text in quotes, also within a text in quotes."""
_RUN: Final = r"[^\s,;&\"'`<>)\]}]"
_VALUE: Final = rf"(?P<value>{_TEXT}|{_RUN}+)"
_ASSIGNED: Final = (
    rf"""{_WHOLE}(?:\\*["']?\s*(?:=\s*(?!>|==?\s)|[=!]==?\s*(?=["']))|["']?\s*(?:=>|:=)\s*(?=["'])|\\*["']\s*:\s*(?P<list>\[\s*(?=[\\"']))?)"""
    rf"""(?P<value>(?(list)(?:{_TEXT})(?:\s*,\s*(?:{_TEXT}))*|(?:{_TEXT}|{_RUN}{{1,400}})))"""
)
"""A name with its value in a text: `--token=…`, `AccountKey=…;`, `&password=…`, `API_KEY="…"`, `password == "…"`, and JSON."""
_REST: Final = re.compile(rf"{_RUN}*")
_START: Final = rf"""(?m)^(?P<in>[ \t]*)(?:-[ \t]+)?["']?{_NAME}["']?:"""
_STARTED: Final = rf"{_START}\s"
_LINE: Final = (
    rf"""{_START}(?:[ \t\xa0]+(?:[&!][^\s\[]*[ \t]+)*(?:[|>][-+0-9]*[ \t]*(?:\#.*)?\n"""
    r"""(?P<block>(?:(?P=in)[ \t]+.*(?:\n|\Z)|[ \t]*\n)+)|(?P<value>"[^"\n]*(?:\n[ \t]+[^"\n]*)*"|'[^'\n]*'|[^\s"'`\[{|>&*!#][^\n]*"""
    r"""(?:\n(?P=in)[ \t]+(?![^\n]*:(?:[ \t]|$))[^\s#-][^\n]*)*))"""
    r"""|[ \t]*\n(?P<below>(?:(?P=in)(?:[ \t]+|- )(?![^\n]*:(?:[ \t]|$))[^\s\[{#][^\n]*(?:\n|\Z))+))"""
)
"""A line of YAML or of headers: a name with its value, with a block of lines, or with values on lines of their own."""
_KEYS: Final = r"""\b(?:[Nn]ame|[Kk]ey|type)\\*["']?\s*[=:]\s*\\*["']?"""
_NAMED: Final = (
    ("alue", rf"""{_KEYS}{_NAME}\\*["']?,?\s+\\*["']?[Vv]alue\\*["']?\s*[=:]\s*{_VALUE}"""),
    ("<key>", rf"<key>{_NAME}</key>\s*<string>(?P<value>[^<]+)"),
    ("configure set|setx|setenv|ENV|ARG", rf"\b(?:configure set|setx|setenv|ENV|ARG)[ \t]+{_NAME}[ \t]+{_VALUE}"),
    ("-H|--header", rf"""(?:-H|--header)[ =]?["']{_NAME}:[ \t]*(?P<value>[^"'\n]+)"""),
    ("<<", rf"{_WHOLE}\s*=\s*<<[-~]?(?P<end>\w+)\n(?P<value>.*(?:\n.*){{0,500}}?)(?=\n[ \t]*(?P=end)\b)"),
)
"""Pairs of a name and a value: of variables, in XML, property lists, commands, and texts of several lines."""
_SOME: Final = r"(?:[^\n|;&`]{0,200}?\s)?"  # other arguments of a command
_WORD: Final = rf"(?P<value>{_TEXT}|[^\s`\"']+)"
_PIPED: Final = r"(?=\s*\|\s*[^\n|]*(?:--password-stdin|--with-token|--stdin|sudo -S|chpasswd))"
_KIND: Final = r"(?=(?:\n(?P=i)\w.*){0,9}\n(?P=i)kind: Secret\s)"
_OWNER: Final = r"(?:\b(?P<name>docker[\w-]*|podman|nerdctl|chown|sort)(?=\s)(?:(?!curl)[^\n|;&`]){0,200}?)?"  # `-u` takes a user and a group
_PASSED: Final = tuple(
    (parts, f"(?:{by}){value}")
    for parts, by, value in (
        ("login", r"\b(?:machine\s+\S+|default)\s+login\s+\S+\s+(?:account\s+\S+\s+)?password\s+(?![=:])", _WORD),
        ("-p", rf"(?<!-)\b(?:login|sshpass|mongo\w*|snowsql|useradd|usermod)\s{_SOME}-p(?:=|\s+)", _WORD),
        ("-p", rf"(?<!-)\b(?:login|sshpass|mysql\w*|mariadb[\w-]*|7za?)\s{_SOME}-p", rf"(?P<value>{_TEXT}|[^\s=`\"'][^\s`\"']*)"),
        ("redis-cli|-P|ldap", rf"\bredis-cli\s{_SOME}-a\s+|\b(?:sqlcmd|bcp|zip|unzip|mosquitto_\w+)\s{_SOME}-P\s+|\bldap\w+\s{_SOME}-w\s+", _WORD),
        ("htpasswd", r"\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+", _WORD),
        ("rabbitmqctl|mysqladmin", rf"\b(?:rabbitmqctl\s{_SOME}add_user\s+\S+\s+)|\bmysqladmin\s{_SOME}password\s+", _WORD),
        ("requirepass|masterauth|bindpw|auth-pass", r"\b(?:requirepass|masterauth|bindpw|auth-pass\s+\S+)[ \t]+", _WORD),
        ("pass:|/", r"\bopenssl\s[^\n|;&`]{0,200}?\spass:|(?i:\s/pass(?:word)?:)", _WORD),
        ("ConvertTo-SecureString|--password-stdin", r"\bConvertTo-SecureString\s+(?:-String\s+)?(?=[\"'])|--password-stdin\s*<<<\s*", _WORD),
        ("login", r"\b(?:vault|cargo)\s+login\s+(?:token=)?", r"(?P<value>(?=\S*\d)[^\s`\"'-][^\s`\"']*)"),
        ("openssl", r"\bopenssl\s[^\n|;&`]{0,200}?\s-k\s+", r"(?P<value>(?=\S*\d)[^\s`\"'-][^\s`\"']*)"),
        ("--from-literal", r"--from-literal(?:=|\s+)[\"']?[\w.-]+=", r"(?P<value>[^\s\"'`]+)"),
        ("-", rf"{_OWNER}(?:\s-[A-Za-z]{{0,4}}[uU]\s*|--(?:proxy-)?user[ =])[\"']?(?!\d+:\d+\b)[^:{_END}/]+:", rf"(?P<value>(?![/\[])[^{_END}]+)"),
        ("-U|lftp", r"\s-U\s*[^\s%]+%|\blftp\s[^\n|;&`]{0,200}?-u\s*[^\s,]+,", r"(?P<value>[^\s@\"'`]+)"),
        ("/", r"\bsqlplus\s+(?:-\S+\s+)*[^\s/]+/|\bjdbc:oracle:\w+:[^\s/]+/", r"(?P<value>[^\s@\"'`]+)"),
        (":", r"(?m:^)(?!(?:[0-9A-Fa-f]{0,4}:){4}[0-9A-Fa-f:]*(?:[/\s]|$))[\w.*-]+:\d{2,5}:[^\s:]+:[^\s:]+:", r"(?P<value>[^\s\"'`]+)"),
        ("{", r"(?i:;\s*(?:pwd|password)\s*=\s*\{)", r"(?P<value>[^{}\n]+)"),
        ("echo|printf", r"\b(?:echo|printf)\s+(?:-n\s+)?(?:[\"']%s(?:\\n)?[\"']\s+)?", _WORD + _PIPED),
        ("Secret", r"(?m:^)kind: Secret\s*\n(?:(?!kind:|---).*\n){0,90}?(?:stringData|data):\r?\n", r"(?P<value>(?:[ \t]+.*(?:\n|\Z))+)"),
        ("stringData", r"(?m:^)stringData:\r?\n", r"(?P<value>(?:[ \t]+.*(?:\n|\Z))+)"),
        ("data", r"(?m:^)(?P<i> *)data:\r?\n(?P=i)[ \t]+", rf"(?P<value>\S.*(?:\n(?P=i)[ \t].*)*+){_KIND}"),
        ("config set", r"(?<=\bconfig set )(?=[^`\n]{0,400}?--secret)(?:-[\w-]+ )*(?!-)[\w:./-]+ ", r"(?P<value>[^\s`-][^\s`]*)"),
    )
)
"""The same for secrets at certain places of commands and files: `docker login -p …`, `curl -u user:…`, `.netrc`, `.pgpass` and others."""
_MIX: Final = r"(?=[^\s,;]{0,200}\d)(?=[^\s,;]{0,200}[A-Za-z])"
_LONG: Final = rf"""(?:'[^\s']{{4,200}}'|"[^\s"]{{4,200}}"|{_RUN}{{6,}})"""
_AROUND: Final = (
    ("-", rf"""(?<![\w-])(?<!config set )--?{_NAME}(?:[ \t]+|(?P<q>["']),\s*(?=["'][^\s=-]))(?P<value>(?(q)(?:{_TEXT})|[^\s=-]\S*))"""),
    (":", rf"""(?<=[{{,])\s*{_NAME}:[ \t]+(?P<value>"[^"\n]*"|'[^'\n]*'|[^\s,}}"'`\[{{]+)(?=\s*[,}}])"""),
    (":", rf"(?<![\w/.@:-])(?P<name>[\w.-]+):(?P<value>(?!//|v?\d+(?:\.\d+)+){_MIX}{_LONG})"),
    ("</", rf"<(?:[\w.-]+:)?{_NAME}(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?(?P<value>[^<>\s\]][^<>\]]*)(?=(?:\]\]>)?\s*</)"),
)
"""`--token …` and `'--token', '…'`; `{name: x, client_secret: …}`; `password:…` without a space, no word and no version; `<password>…</password>`."""
_REFERENCE: Final = re.compile(r"[$%{(\[…]|[\w.]+\(|(None|True|False|null|true|false)$")
"""The beginning of what is not a value, in a shell, in a template, or in Python."""
_OF_A_URL: Final = re.compile("%(?:25)*([0-9A-Fa-f]{2})")  # also of one that was encoded many times
_OF_URLS: Final = str.maketrans("-_", "+/")
_FILES: Final = frozenset({"kubeconfig", "certificate", "cacertificate", "clientcertificate"})
_PATH: Final = re.compile(r"~?\.{0,2}/|[\w-]+$")
"""The path of a file, which these flags take."""
_ENCODED: Final = re.compile(
    r"(?<![A-Za-z0-9+/_.-])(?:(?:[A-Za-z0-9+/]{60,80}\n)+[A-Za-z0-9+/]*|[A-Za-z0-9+/_-]{12,})={0,2}(?![A-Za-z0-9+/=_-])"
    r"|(?<![^\s\"'`<>])[^\s\"'`<>%]*%[0-9A-Fa-f]{2}[^\s\"'`<>]*"
)
"""A text that can be base64, with the content of a Secret, of `config.json` of Docker, or of a configuration; or one of a URL."""


def without_forms(text: str) -> str:
    """`text` without what has the form of a secret."""
    text = _replaced(text, (*_PASSED, *_NAMED), _without_value)
    if ":" in text and _compiled(_STARTED).search(text):
        text = _compiled(_LINE).sub(_without_line, text)
    text = _replaced(text, _FORMS, HIDDEN)
    return _replaced(_without_assigned(text), _AROUND, _without_value)


def _replaced(text: str, forms: Iterable[tuple[str, str]], by: str | Callable[[re.Match[str]], str]) -> str:
    for parts, form in forms:
        for part in parts.split("|"):
            if part in text:
                text = _compiled(form).sub(by, text)
                break
    return text


_compiled: Final = cache(re.compile)
_remembered: Final = lru_cache(512)(without_forms)
_LONGEST: Final = 500
"""A finding has its texts several times. Longer ones are not remembered."""


def without_tokens(text: str) -> str:
    """`text` without tokens of known services: what a whole output, with its names of files, cannot contain by chance."""
    return _replaced(text, _TOKENS, HIDDEN)


def encoded(text: str) -> Iterator[tuple[str, str]]:
    """The parts of `text` that can be base64 or of a URL, with what they encode."""
    for found in _ENCODED.findall(text):
        if "%" in found:
            yield found, _OF_A_URL.sub(lambda sign: chr(int(sign[1], 16)), found)
            continue
        plain_text = found.rstrip("=").replace("\n", "").translate(_OF_URLS)
        try:
            yield found, b64decode(plain_text + "=" * (-len(plain_text) % 4), validate=True).decode()
        except ValueError:
            continue


def _without_line(found: re.Match[str]) -> str:
    """The name with its value or block. In a text of one line, a value of several words explains the name."""
    value: str | None = found["value"]
    if value is None:
        start = (found.start("block") if found["block"] is not None else found.start("below")) - found.start()
        return f"{found[0][:start]}{found['in']}  {HIDDEN}\n" if is_secret((found["name"],)) else found[0]
    is_prose = "\n" not in found.string and " " in value.rstrip() and value[0] not in "\"'"
    return found[0] if is_prose else _without_value(found)


def _without_value(found: re.Match[str]) -> str:
    """The name or the command with its value, without the secrets in it."""
    hidden = _hidden(found)
    return f"{found[0][: found.start('value') - found.start()]}{_without_assigned(found['value']) if hidden is None else hidden}"


def _without_assigned(text: str) -> str:
    """`text` without values that are assigned to names of secrets. This is a loop, as texts can have thousands of names: `a=b=c=…`."""
    if "=" not in text and (":" not in text or ('"' not in text and "'" not in text)):
        return text
    parts, done, at = list[str](), 0, 0
    while found := _compiled(_ASSIGNED).search(text, at):
        (at, end), hidden = found.span("value"), _hidden(found)
        is_quoted = text[end - 1] in "\"'"
        if hidden is None and not is_quoted:
            continue
        parts += text[done:at], _without_assigned(found["value"]) if hidden is None else hidden
        at = done = end if is_quoted or not (rest := _REST.match(text, end)) else rest.end()
    return "".join((*parts, text[done:]))


def _hidden(found: re.Match[str]) -> str | None:
    """The hidden value if the name is that of a secret. References to variables and to files are none."""
    name, written = found.groupdict().get("name") or "password", found["value"]
    value = written.strip("\\\"'")
    is_key = plain(name) == "key" and found.string[: found.start()][-1:] not in ("?", "&")  # otherwise a label or a taint
    is_hidden = bool(value) and not _REFERENCE.match(value) and (is_secret((name,)) or (not is_key and is_short_secret((name,), value)))
    return written.replace(value, HIDDEN) if is_hidden and not (plain(name) in _FILES and _PATH.match(value)) else None

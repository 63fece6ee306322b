"""The forms of secrets in texts: what is secret wherever it is written.

The forms are common ones. They are written down as people meet them in files and logs, and no list of them is complete.
"""

import re
from base64 import b64decode
from collections.abc import Iterator
from typing import Final

from nodepools.model.secret import HIDDEN
from nodepools.model.secret_places import is_secret, is_short_secret, plain

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
_FORMS: Final = tuple(re.compile(form) for form in (*_URLS, *_BLOCKS, *_TOKENS, *_HEADERS))

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
    return text


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

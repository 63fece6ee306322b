"""Functions of URLs. Only usual forms are checked: others depend on the release of Go that the API server was built with."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_plus

from nodepools.cel.errors import EvaluationError, NotCheckedError
from nodepools.cel.functions import Variant, function, member, text

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):(.*)", re.DOTALL)
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9a-fA-F]{2})")
_HOST: Final = re.compile(r"([a-zA-Z0-9._~!$&'()*+,;=-]*)(?::([0-9]*))?")
_NEVER_IN_HOST: Final = re.compile(r"[ \\^`{|}]")
_PLAIN_PATH: Final = re.compile(r"[a-zA-Z0-9._~!$&'()*+,;=:@/\[\]%-]*")


@dataclass(frozen=True, slots=True)
class Url:
    """A URL, split into its parts."""

    scheme: str
    hostname: str
    port: str | None
    path: str
    query: str

    @property
    def host(self) -> str:
        """The host with the port, if there is one."""
        return self.hostname if self.port is None else f"{self.hostname}:{self.port}"


def _url(value: str) -> Url:
    """Reads a URL.

    Raises:
        EvaluationError: it is not one.
        NotCheckedError: it has an unusual form, such as an IPv6 address.
    """
    if value == "" or _CONTROL.search(value):
        raise EvaluationError("a URL is empty, or has control characters")
    match = _SCHEME.fullmatch(value)
    scheme, rest = (match[1].lower(), match[2]) if match is not None else ("", value)
    before, _, fragment = rest.partition("#")
    path, _, query = before.partition("?")
    if match is not None and not rest.startswith("/"):
        return _opaque(scheme, query)
    if not rest.startswith("/"):
        raise EvaluationError("a URL has no scheme and does not start with `/`")
    authority = ""
    if scheme and path.startswith("//"):
        if "#" in rest and "/" not in path[2:]:
            raise NotCheckedError("reads a URL with a fragment directly after the host")
        authority, slash, path = path[2:].partition("/")
        path = f"{slash}{path}"
    if _BAD_ESCAPE.search(path) or ("?" not in rest and _BAD_ESCAPE.search(fragment)):
        raise EvaluationError("a URL has an invalid escape")
    hostname, port = _authority(authority)
    return Url(scheme, hostname, port, path, query)


def _opaque(scheme: str, query: str) -> Url:
    return Url(scheme, "", None, "", query)


def _authority(authority: str) -> tuple[str, str | None]:
    match = _HOST.fullmatch(authority)
    if match is not None:
        return match[1], match[2]
    if _NEVER_IN_HOST.search(authority.rpartition("@")[2]) or re.fullmatch(r"[a-zA-Z0-9.-]*:[^:@]*[a-zA-Z][^:@]*", authority):
        raise EvaluationError("a URL has an invalid host or port")
    raise NotCheckedError("reads a URL whose host is unusual: with a user, brackets or escapes")


def is_url(value: str) -> bool:
    """Whether a text is a URL with a scheme, or begins with `/`."""
    try:
        _url(value)
    except EvaluationError:
        return False
    return True


def _escaped_path(target: Url) -> str:
    if not _PLAIN_PATH.fullmatch(target.path):
        raise NotCheckedError("escapes a path with unusual characters")
    return target.path


def _pairs(query: str) -> Iterator[tuple[str, str]]:
    for part in query.split("&"):
        if part and ";" not in part and not _BAD_ESCAPE.search(part):
            key, _, value = part.partition("=")
            yield unquote_plus(key), unquote_plus(value)


def _query(target: Url) -> dict[object, object]:
    found: dict[str, list[object]] = {}
    for key, value in _pairs(target.query):
        found.setdefault(key, []).append(value)
    return {**found}


URLS: Final[tuple[Variant, ...]] = (
    function("url", (str,), _url, text),
    function("isURL", (str,), is_url, text),
    member("getScheme", (Url,), lambda value: value.scheme),
    member("getHost", (Url,), lambda value: value.host),
    member("getHostname", (Url,), lambda value: value.hostname),
    member("getPort", (Url,), lambda value: value.port if value.port is not None else ""),
    member("getEscapedPath", (Url,), _escaped_path),
    member("getQuery", (Url,), _query),
)

"""Functions of IP addresses, CIDR ranges and URLs.

Only usual forms of URLs are checked: others depend on the release of Go that the API server was built with.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias, cast
from urllib.parse import unquote_plus

from nodepools.cel.functions import Variant, function, member, text
from nodepools.cel.meter import EvaluationError, NotCheckedError

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
    """Reads a URL."""
    if value == "" or _CONTROL.search(value):
        raise EvaluationError("a URL is empty, or has control characters")
    match = _SCHEME.fullmatch(value)
    scheme, rest = (match[1].lower(), match[2]) if match is not None else ("", value)
    before, _, fragment = rest.partition("#")
    path, _, query = before.partition("?")
    if match is not None and not rest.startswith("/"):
        return Url(scheme, "", None, "", query)
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


Address: TypeAlias = IPv4Address | IPv6Address
_LENGTH: Final = re.compile(r"0|[1-9][0-9]{0,2}")
_LOCAL_MULTICAST: Final = ip_network("224.0.0.0/24")


@dataclass(frozen=True, slots=True)
class Ip:
    """An IP address."""

    address: Address


@dataclass(frozen=True, slots=True)
class Cidr:
    """An address and the length of its prefix; bits after the prefix are kept."""

    address: Address
    length: int


def _ip(value: str) -> Ip:
    """Reads an address without a zone that is not an IPv4 address in the form of IPv6, as the API server does."""
    try:
        address = ip_address(value)
    except ValueError:
        raise EvaluationError("a text is not an IP address") from None
    if isinstance(address, IPv6Address) and (address.scope_id is not None or address.ipv4_mapped is not None):
        raise EvaluationError("an IP address with a zone, and an IPv4-mapped IPv6 address, are not allowed")
    return Ip(address)


def _cidr(value: str) -> Cidr:
    address, _, length = value.partition("/")
    found = _ip(address).address
    if not _LENGTH.fullmatch(length) or int(length) > found.max_prefixlen:
        raise EvaluationError("a text is not a CIDR")
    return Cidr(found, int(length))


def _reads(read: Callable[[str], object]) -> Callable[[str], bool]:
    def can_read(value: str) -> bool:
        try:
            read(value)
        except EvaluationError:
            return False
        return True

    return can_read


def _network(value: Cidr) -> tuple[int, int]:
    """Returns the version and the bits of the prefix."""
    return value.address.version, int(value.address) >> (value.address.max_prefixlen - value.length)


def _contains(target: Cidr, other: Cidr) -> bool:
    return target.length <= other.length and _network(target) == _network(Cidr(other.address, target.length))


def _contains_ip(target: Cidr, other: Ip) -> bool:
    return _contains(target, Cidr(other.address, other.address.max_prefixlen)) if target.address.version == other.address.version else False


def _masked(value: Cidr) -> Cidr:
    bits = value.address.max_prefixlen - value.length
    return Cidr(type(value.address)(int(value.address) >> bits << bits), value.length)


def _is_local_multicast(value: Ip) -> bool:
    if isinstance(value.address, IPv6Address):
        return int(value.address) >> 120 == 0xFF and int(value.address) >> 112 & 0xF == 2  # noqa: PLR2004  # the scope of a link
    return value.address in _LOCAL_MULTICAST


def _is_global(value: Ip) -> bool:
    """Whether it is an ordinary address in Go's words: private ones are, broadcast, loopback, multicast and those of a link are not."""
    address = value.address
    is_broadcast = isinstance(address, IPv4Address) and int(address) == 2**32 - 1
    return not (is_broadcast or address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local)


def _asks(name: str) -> Callable[[Ip], bool]:
    return lambda value: cast("bool", getattr(value.address, name))


ADDRESSES: Final[tuple[Variant, ...]] = (
    function("ip", (str,), _ip, text),
    function("isIP", (str,), _reads(_ip), text),
    function("ip.isCanonical", (str,), lambda value: str(_ip(value).address) == value, text),
    member("family", (Ip,), lambda value: value.address.version),
    member("isUnspecified", (Ip,), _asks("is_unspecified")),
    member("isLoopback", (Ip,), _asks("is_loopback")),
    member("isLinkLocalMulticast", (Ip,), _is_local_multicast),
    member("isLinkLocalUnicast", (Ip,), _asks("is_link_local")),
    member("isGlobalUnicast", (Ip,), _is_global),
    function("string", (Ip,), lambda value: str(value.address)),
    function("cidr", (str,), _cidr, text),
    function("isCIDR", (str,), _reads(_cidr), text),
    member("containsIP", (Cidr, Ip), _contains_ip),
    member("containsIP", (Cidr, str), lambda of, other: _contains_ip(of, _ip(other))),
    member("containsCIDR", (Cidr, Cidr), _contains),
    member("containsCIDR", (Cidr, str), lambda of, other: _contains(of, _cidr(other))),
    member("ip", (Cidr,), lambda value: Ip(value.address)),
    member("prefixLength", (Cidr,), lambda value: value.length),
    member("masked", (Cidr,), _masked),
    function("string", (Cidr,), lambda value: f"{value.address}/{value.length}"),
)

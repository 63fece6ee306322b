"""Functions of IP addresses and CIDR ranges."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias, cast

from nodepools.cel.errors import EvaluationError
from nodepools.cel.functions import Variant, function, member, text

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


def _cidr_text(value: Cidr) -> str:
    return f"{value.address}/{value.length}"


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
    function("string", (Cidr,), _cidr_text),
)

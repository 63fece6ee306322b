"""CIDR ranges: validation, overlap, and subnets."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, LiteralString

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

PRIVATE_RANGES = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
"""RFC 1918."""
_SUBNET_6 = 64
"""IPv6 subnets in Azure and AWS always have this length."""


def _range(text: str, kind: type[IPv4Network | IPv6Network], error: LiteralString, expected: str) -> str:
    try:
        network = ip_network(text)
    except ValueError as wrong:
        raise PydanticCustomError(error, "must be an {expected} ({why})", {"expected": expected, "why": str(wrong)}) from None
    if not isinstance(network, kind):
        raise PydanticCustomError(error, "must be an {expected}", {"expected": expected})
    return str(network)


Cidr = Annotated[str, AfterValidator(lambda text: _range(text, IPv4Network, "cidr", "IPv4 range such as `10.10.0.0/16`"))]
"""An IPv4 range without host bits, such as `10.10.0.0/16`."""


Cidr6 = Annotated[str, AfterValidator(lambda text: _range(text, IPv6Network, "cidr6", "IPv6 range such as `fd00:10::/48`"))]
"""An IPv6 range without host bits, such as `fd00:10::/48`."""


def overlap(first: str, other: str) -> bool:
    """The ranges have an address in common."""
    version, begin, end = _bounds(first)
    other_version, other_begin, other_end = _bounds(other)
    return version == other_version and begin <= other_end and other_begin <= end


@lru_cache(maxsize=1024)
def _bounds(text: str) -> tuple[int, int, int]:
    """The version of a range, and its first and last address. Cached: all pairs of ranges are compared."""
    network = ip_network(text)
    return network.version, int(network.network_address), int(network.broadcast_address)


def inside(inner: str, outer: str) -> bool:
    """Every address of `inner` is in `outer`."""
    (version, begin, end), (other_version, first, last) = _bounds(inner), _bounds(outer)
    return version == other_version and first <= begin and end <= last


def first_free(candidates: Iterable[str], taken: Iterable[str]) -> str:
    """The first candidate that overlaps none of `taken`. If all overlap, the last one, which a rule then reports."""
    taken = tuple(taken)
    last = ""
    for candidate in candidates:
        last = candidate
        if not any(overlap(candidate, other) for other in taken):
            break
    return last


def part(cidr: str, prefix: int, index: int) -> str:
    """The range number `index` of length `prefix` inside `cidr`.

    Raises:
        IndexError: `cidr` has fewer ranges of that length.
    """
    network = IPv4Network(cidr)
    if index >= 1 << max(prefix - network.prefixlen, 0):
        raise IndexError(f"{cidr} has no /{prefix} number {index}")
    return str(IPv4Network((int(network.network_address) + index * (1 << (32 - prefix)), prefix)))


def twin(cidr: str, within: str, whole: str) -> str:
    """The /64 in the IPv6 range `whole` at the position that `cidr` has in the IPv4 range `within`.

    For 10.1.64.0/24 within 10.1.0.0/16, and fd00:10::/48: fd00:10:0:4000::/64. It depends on nothing else, so that subnets can be added and
    removed.
    """
    outer, network = IPv4Network(within), IPv6Network(whole)
    distance = int(IPv4Network(cidr).network_address) - int(outer.network_address)
    too_fine = max(outer.max_prefixlen - outer.prefixlen - (_SUBNET_6 - network.prefixlen), 0)
    return str(IPv6Network((int(network.network_address) + (distance >> too_fine << _SUBNET_6), _SUBNET_6)))


def host(cidr: str, index: int) -> str:
    """The address number `index` of `cidr`."""
    return str(IPv4Network(cidr)[index])


def is_private(text: str) -> bool:
    """All addresses of the range are private. `False` for a text that is not an IPv4 range."""
    try:
        network = IPv4Network(text, strict=False)
    except ValueError:
        return False
    return any(network.subnet_of(IPv4Network(private)) for private in PRIVATE_RANGES)


def first_address(text: str) -> str | None:
    """The range that contains the address of `text`, from its first address on; `None` for a text that is not a range."""
    try:
        return str(ip_network(text, strict=False)) if "/" in text else None
    except ValueError:
        return None

"""Address ranges."""

from collections.abc import Iterable
from ipaddress import IPv4Network, ip_network
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError


def _cidr(text: str) -> str:
    try:
        network = ip_network(text)
    except ValueError as wrong:
        raise PydanticCustomError("cidr", "should be an IPv4 range such as 10.10.0.0/16: {why}", {"why": str(wrong)}) from None
    if not isinstance(network, IPv4Network):
        raise PydanticCustomError("cidr", "should be an IPv4 range such as 10.10.0.0/16")
    return str(network)


Cidr = Annotated[str, AfterValidator(_cidr)]
"""An IPv4 range, `10.10.0.0/16`, without host bits."""


def meet(one: str, other: str) -> bool:
    """Some address is in both ranges."""
    return IPv4Network(one).overlaps(IPv4Network(other))


def inside(inner: str, outer: str) -> bool:
    """Every address of `inner` is in `outer`."""
    return IPv4Network(inner).subnet_of(IPv4Network(outer))


def first_free(candidates: Iterable[str], taken: Iterable[str]) -> str:
    """The first candidate that meets none of `taken`; the last where all do, for a rule to name."""
    taken = tuple(taken)
    last = ""
    for candidate in candidates:
        last = candidate
        if not any(meet(candidate, other) for other in taken):
            break
    return last


def part(cidr: str, prefix: int, index: int) -> str:
    """The `index`th range of length `prefix` inside `cidr`.

    Raises:
        IndexError: there are not so many.
    """
    network = IPv4Network(cidr)
    if index >= 1 << max(prefix - network.prefixlen, 0):
        msg = f"{cidr} has no /{prefix} number {index}"
        raise IndexError(msg)
    return str(IPv4Network((int(network.network_address) + index * (1 << (32 - prefix)), prefix)))


def host(cidr: str, index: int) -> str:
    """The `index`th address of `cidr`."""
    return str(IPv4Network(cidr)[index])

"""All functions that rules can call, and the names of types."""

from functools import cache
from typing import Final

from nodepools.manifests.cel.addresses import ADDRESSES, Cidr, Ip
from nodepools.manifests.cel.conversions import CONVERSIONS
from nodepools.manifests.cel.errors import MismatchError
from nodepools.manifests.cel.formats import NAMED_FORMATS, Format
from nodepools.manifests.cel.functions import Library, by_signature, function
from nodepools.manifests.cel.lists import LISTS, OPTIONALS
from nodepools.manifests.cel.quantities import QUANTITIES, VERSIONS, Quantity, Version
from nodepools.manifests.cel.text import TEXT
from nodepools.manifests.cel.times import TIMES
from nodepools.manifests.cel.urls import URLS, Url
from nodepools.manifests.cel.values import TYPES, Struct, Type

_OF_LIBRARIES: Final = {
    Ip: "net.IP",
    Cidr: "net.CIDR",
    Quantity: "kubernetes.Quantity",
    Version: "kubernetes.Semver",
    Url: "kubernetes.URL",
    Format: "kubernetes.NamedFormat",
}
_NAMES: Final = {**{kind: name for kind, name in TYPES.items() if kind is not Struct}, **_OF_LIBRARIES}
NAMES_OF_TYPES: Final = {name: Type(name) for name in _NAMES.values()}
"""The types that an expression can name: `int`, `net.IP`."""


def _type(value: object) -> Type:
    if type(value) not in _NAMES:
        raise MismatchError("asks for the type of an object")
    return Type(_NAMES[type(value)])


@cache
def library() -> Library:
    """Returns every function by its signature."""
    kinds = (CONVERSIONS, TIMES, TEXT, LISTS, OPTIONALS, ADDRESSES, QUANTITIES, VERSIONS, URLS, NAMED_FORMATS)
    return by_signature([function("type", (object,), _type), *(variant for kind in kinds for variant in kind)])

"""All functions that rules can call, and the names of types."""

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cmp_to_key, reduce
from itertools import pairwise
from math import ceil, floor
from typing import Final, TypeAlias, cast

from nodepools.cel.addresses import ADDRESSES, URLS, Cidr, Ip, Url, is_url
from nodepools.cel.conversions import CONVERSIONS, TIMES, date
from nodepools.cel.functions import LIST, MAP, Library, Variant, by_signature, entries, function, member, text
from nodepools.cel.meter import EvaluationError, Meter, MismatchError, NotCheckedError, fitting
from nodepools.cel.operators import BINARY, bounded
from nodepools.cel.text import TEXT
from nodepools.cel.values import LARGEST_INT, NONE, TYPES, Duration, Optional, Struct, Timestamp, Type, compared, contains, equal, named

_QUANTITY: Final = re.compile(r"([-+]?)([0-9]+\.?[0-9]*|\.[0-9]+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][-+]?[0-9]{1,3})?")
_LONGEST: Final = 40
_POWERS: Final = {
    **{suffix: Fraction(1024**power) for power, suffix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)},
    **{suffix: Fraction(1000) ** power for power, suffix in zip((-3, -2, -1, 1, 2, 3, 4, 5, 6), "numkMGTPE", strict=True)},
}
_NANO: Final = 10**9
_SEMVER: Final = re.compile(
    r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
    r"(?:-((?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)
_PARTS: Final = 3


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity of Kubernetes."""

    amount: Fraction
    is_small: bool = False
    """Written in a unit smaller than one, such as `1000m`: the API server does not convert it to an integer."""


def quantity(value: str) -> Quantity:
    """Reads a quantity. Parts smaller than a billionth are rounded up.

    Raises:
        EvaluationError: it is not one.
        NotCheckedError: it has very many digits.
    """
    match = _QUANTITY.fullmatch(value)
    if match is None:
        raise EvaluationError("a text is not a quantity")
    if len(value) > _LONGEST:
        raise NotCheckedError(f"reads a quantity with more than {_LONGEST} characters")
    suffix = match[3] if match[3] is not None else ""
    unit = Fraction(10) ** int(suffix[1:]) if suffix[:1] in {"e", "E"} and len(suffix) > 1 and suffix != "Ei" else _POWERS.get(suffix, Fraction(1))
    exact = Fraction(match[2].rstrip(".") if match[2].endswith(".") else match[2]) * unit
    amount = Fraction(ceil(exact * _NANO), _NANO)
    if amount > LARGEST_INT:
        raise NotCheckedError("reads a quantity with more than 64 bits")
    return Quantity(-amount if match[1] == "-" else amount, "." in match[2].rstrip(".0") or unit < 1)


def _reads(read: Callable[..., object]) -> Callable[..., bool]:
    def can_read(*given: object) -> bool:
        try:
            read(*given)
        except EvaluationError:
            return False
        return True

    return can_read


def _is_integer(target: Quantity) -> bool:
    if target.is_small and target.amount.denominator == 1:
        raise NotCheckedError("asks whether a quantity in a small unit is an integer, which depends on how the API server stores it")
    return target.amount.denominator == 1


def _as_integer(target: Quantity) -> int:
    if not _is_integer(target):
        raise EvaluationError("cannot convert value to integer")
    return bounded(floor(target.amount))


def _sign(target: Fraction) -> int:
    return (target > 0) - (target < 0)


def _plus(sign: int) -> Callable[[Quantity, Quantity | int], Quantity]:
    def added(target: Quantity, other: Quantity | int) -> Quantity:
        more, is_small = (other.amount, other.is_small) if isinstance(other, Quantity) else (Fraction(other), False)
        return Quantity(target.amount + sign * more, target.is_small or is_small)

    return added


Part: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Version:
    """A semantic version. What follows `+` is part of it, and has no order."""

    numbers: tuple[int, ...]
    pre: str
    build: str

    @property
    def key(self) -> tuple[object, ...]:
        """What orders versions: one with a pre-release is before the one without."""
        return (self.numbers, self.pre == "", tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in self.pre.split(".")))


def _version(value: str, normalize: bool = False) -> Version:  # noqa: FBT001, FBT002  # called by its place
    match = _SEMVER.fullmatch(_normal(value) if normalize else value)
    if match is None:
        raise EvaluationError("a text is not a semantic version")
    pre, build = match[4], match[5]
    return Version(tuple(bounded(int(number), is_unsigned=True) for number in match.groups()[:_PARTS]), pre if pre else "", build if build else "")


def _normal(value: str) -> str:
    """Removes a `v` and leading zeros, and adds the numbers that are missing."""
    parts = value.removeprefix("v").split(".", 2)
    parts = [re.sub(r"^0+(?=[0-9])", "", part) for part in parts]
    if len(parts) < _PARTS and re.search(r"[-+]", parts[-1]):
        raise EvaluationError("short version cannot contain PreRelease/Build meta data")
    return ".".join([*parts, *["0"] * (_PARTS - len(parts))])


def _order(version: Version, other: Version) -> int:
    left, right = cast("tuple[Fraction, Fraction]", (version.key, other.key))
    return (left > right) - (left < right)


QUANTITIES: Final[tuple[Variant, ...]] = (
    function("quantity", (str,), quantity, text),
    function("isQuantity", (str,), _reads(quantity), text),
    function("sign", (Quantity,), lambda value: _sign(value.amount)),
    member("isGreaterThan", (Quantity, Quantity), lambda item, other: item.amount > other.amount),
    member("isLessThan", (Quantity, Quantity), lambda item, other: item.amount < other.amount),
    member("compareTo", (Quantity, Quantity), lambda item, other: _sign(item.amount - other.amount)),
    member("asApproximateFloat", (Quantity,), lambda value: float(value.amount)),
    member("asInteger", (Quantity,), _as_integer),
    member("isInteger", (Quantity,), _is_integer),
    *(member("add", (Quantity, kind), _plus(1)) for kind in (Quantity, int)),
    *(member("sub", (Quantity, kind), _plus(-1)) for kind in (Quantity, int)),
)
VERSIONS: Final[tuple[Variant, ...]] = (
    function("semver", (str,), _version, text),
    function("semver", (str, bool), _version, text),
    function("isSemver", (str,), _reads(_version), text),
    function("isSemver", (str, bool), _reads(_version), text),
    member("isGreaterThan", (Version, Version), lambda item, other: _order(item, other) > 0),
    member("isLessThan", (Version, Version), lambda item, other: _order(item, other) < 0),
    member("compareTo", (Version, Version), _order),
    *(member(name, (Version,), lambda value, at=at: value.numbers[at]) for at, name in enumerate(("major", "minor", "patch"))),
)


_LABEL: Final = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(?:\.{_LABEL})*"
_QUALIFIED_NAME: Final = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?"
_OF_LABEL, _OF_SUBDOMAIN = 63, 253


@dataclass(frozen=True, slots=True)
class Format:
    """A named format."""

    name: str


@dataclass(frozen=True, slots=True)
class Messages:
    """Why a text does not have a format. The API server has a list of texts; rules that read them are not checked."""

    text: str


def _checked_text(expression: str, longest: int, *, is_prefix: bool = False) -> Callable[[str], bool]:
    """Returns whether a text matches and is not too long. A prefix of a name may end with `-`."""
    compiled = re.compile(expression)

    def has_format(value: str) -> bool:
        declaration = f"{value[:-2]}a" if is_prefix and value.endswith("-") and len(value) > 1 else value
        return len(value) <= longest and compiled.fullmatch(declaration) is not None

    return has_format


def _qualified(value: str) -> bool:
    prefix, slash, name = value.rpartition("/")
    return (not slash or FORMATS["dns1123Subdomain"](prefix)) and len(name) <= _OF_LABEL and re.fullmatch(_QUALIFIED_NAME, name) is not None


def _is_base64(value: str) -> bool:
    try:
        b64decode(value, validate=True)
    except (Base64Error, ValueError):
        return False
    return True


def _is_date(value: str) -> bool:
    try:
        date(value)
    except EvaluationError:
        return False
    return True


def _is_moment(_: str) -> bool:
    raise NotCheckedError("asks for the format `datetime`, which differs between releases of the API server")


FORMATS: Final[dict[str, Callable[[str], bool]]] = {
    "dns1123Label": _checked_text(_LABEL, _OF_LABEL),
    "dns1123Subdomain": _checked_text(_SUBDOMAIN, _OF_SUBDOMAIN),
    "dns1035Label": _checked_text(r"[a-z](?:[-a-z0-9]*[a-z0-9])?", _OF_LABEL),
    "qualifiedName": _qualified,
    "dns1123LabelPrefix": _checked_text(_LABEL, _OF_LABEL, is_prefix=True),
    "dns1123SubdomainPrefix": _checked_text(_SUBDOMAIN, _OF_SUBDOMAIN, is_prefix=True),
    "dns1035LabelPrefix": _checked_text(r"[a-z](?:[-a-z0-9]*[a-z0-9])?", _OF_LABEL, is_prefix=True),
    "labelValue": _checked_text(rf"(?:{_QUALIFIED_NAME})?", _OF_LABEL),
    "uri": is_url,
    "uuid": _checked_text(r"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}", 100),
    "byte": _is_base64,
    "date": _is_date,
    "datetime": _is_moment,
}


def _validate(form: Format, value: str) -> Optional:
    return NONE if FORMATS[form.name](value) else Optional(Messages(f"does not have the format {form.name}"), is_there=True)


NAMED_FORMATS: Final[tuple[Variant, ...]] = (
    *(function(f"format.{name}", (), lambda name=name: Format(name)) for name in FORMATS),
    function("format.named", (str,), lambda name: Optional(Format(name), is_there=True) if name in FORMATS else NONE),
    member("validate", (Format, str), _validate),
)


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


def _extreme(name: str, sign: int) -> Callable[[list[object]], object]:
    def of(values: list[object]) -> object:
        if not values:
            raise EvaluationError(f"{name} called on empty list")
        return reduce(lambda item, other: other if compared(other, item) == sign else item, values)

    return of


def _last_index_of(values: list[object], value: object) -> int:
    return next((index for index in range(len(values) - 1, -1, -1) if equal(values[index], value)), -1)


def _slice(values: list[object], start: int, end: int) -> list[object]:
    if not 0 <= start <= end <= len(values):
        raise EvaluationError(f"cannot slice({start}, {end}) of a list with {len(values)} entries")
    return values[start:end]


def _flatten(values: list[object], depth: int = 1) -> list[object]:
    if depth < 0:
        raise EvaluationError("level must be non-negative")
    found: list[object] = []
    for value in values:
        found.extend(_flatten(cast("list[object]", value), depth - 1) if isinstance(value, list) and depth > 0 else (cast("object", value),))
    return found


def _distinct(values: list[object]) -> list[object]:
    found: list[object] = []
    for value in values:
        if not contains(found, value):
            found.append(value)
    return found


def _range(count: int) -> list[object]:
    fitting(count)
    return list(range(count))


def _all_in(target: list[object], requested: list[object]) -> bool:
    return all(contains(target, item) for item in requested)


def _value(optional: Optional) -> object:
    if not optional.is_there:
        raise EvaluationError("optional.none() dereference")
    return optional.value


def _is_zero(value: object) -> bool:
    if isinstance(value, Struct):
        return not value.fields()
    return value is None or value in (Duration(0), Timestamp(0)) or (isinstance(value, bool | int | float | str | bytes | list | dict) and not value)


def _unwrapped(values: list[object]) -> list[object]:
    for value in values:
        if not isinstance(value, Optional):
            raise MismatchError(f"uses {named(value)} as an optional value")
    return [item.value for item in cast("list[Optional]", values) if item.is_there]


def _squared(given: object) -> int:
    values = cast("tuple[list[object], ...]", given)
    return len(values[0]) * len(values[-1])


LISTS: Final[tuple[Variant, ...]] = (
    *(make("size", (kind,), cast("Callable[[object], int]", len)) for kind in (str, bytes, LIST, MAP) for make in (member, function)),
    member("isSorted", (LIST,), lambda values: all(compared(item, after) <= 0 for item, after in pairwise(values)), entries),
    member("sum", (LIST,), lambda values: reduce(lambda item, other: BINARY["+"](item, other, Meter()), values) if values else 0, entries),
    member("min", (LIST,), _extreme("min", -1), entries),
    member("max", (LIST,), _extreme("max", 1), entries),
    member("indexOf", (LIST, object), lambda values, value: next((index for index, item in enumerate(values) if equal(item, value)), -1), entries),
    member("lastIndexOf", (LIST, object), _last_index_of, entries),
    member("slice", (LIST, int, int), _slice),
    member("flatten", (LIST,), _flatten, entries),
    member("flatten", (LIST, int), _flatten, entries),
    member("sort", (LIST,), lambda values: sorted(values, key=cmp_to_key(compared)), entries),
    member("distinct", (LIST,), _distinct, _squared),
    member("reverse", (LIST,), lambda values: values[::-1], entries),
    member("first", (LIST,), lambda values: Optional(values[0], is_there=True) if values else NONE),
    member("last", (LIST,), lambda values: Optional(values[-1], is_there=True) if values else NONE),
    function("lists.range", (int,), _range),
    function("sets.contains", (LIST, LIST), _all_in, _squared),
    function("sets.equivalent", (LIST, LIST), lambda item, other: _all_in(item, other) and _all_in(other, item), _squared),
    function("sets.intersects", (LIST, LIST), lambda item, other: any(contains(item, value) for value in other), _squared),
)
OPTIONALS: Final[tuple[Variant, ...]] = (
    function("optional.of", (object,), lambda value: Optional(value, is_there=True)),
    function("optional.ofNonZeroValue", (object,), lambda value: NONE if _is_zero(value) else Optional(value, is_there=True)),
    function("optional.none", (), lambda: NONE),
    function("optional.unwrap", (LIST,), _unwrapped),
    member("unwrapOpt", (LIST,), _unwrapped),
    member("hasValue", (Optional,), lambda value: value.is_there),
    member("value", (Optional,), _value),
)

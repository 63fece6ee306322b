"""The properties of a resource, as sent: plain values, secrets and unknown values. Resources are found by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from fnmatch import fnmatchcase
from operator import methodcaller
from typing import NoReturn, Protocol, TypeAlias, TypeVar, cast

from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine import property_values, signatures
from nodepools.model.listing import listed
from nodepools.model.values import dataclass

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the assertion, not these frames


class Unknown(Enum):
    """A value that is known only after an update."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return self.name


UNKNOWN = Unknown.UNKNOWN
"""Represents every value that is unknown in a preview."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Secret:
    """A secret value. It equals its content, and no message shows it: use `reveal()`."""

    _value: "Plain"

    def reveal(self) -> "Plain":
        """The content."""
        return self._value

    def __eq__(self, other: object) -> bool:
        return self._value == (other._value if isinstance(other, Secret) else other)

    def __contains__(self, part: object) -> bool:
        value = self._value
        return isinstance(part, str) and isinstance(value, str | Mapping) and part in value

    def __hash__(self) -> int:
        return hash(str(self._value))

    def __repr__(self) -> str:
        return "<secret>"


Plain: TypeAlias = "bool | int | float | str | Unknown | Secret | Sequence[Plain] | Mapping[str, Plain] | None"
"""The value of a property: plain data, with `Secret` and `UNKNOWN` at any depth."""
Step: TypeAlias = str | int


class NoSuchPropertyError(AssertionError, KeyError):
    """There is no such property, or it has another type; the message shows what there is."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would quote it


class Properties(Mapping[str, Plain]):
    """Properties by name in the provider's schema, as in plans: `vmSize`, not `vm_size`.

    A secret is a `Secret`; a value that is unknown in a preview is `UNKNOWN`. Nested values have a path of names and list indexes:
    `inputs.at("networkProfile", "podCidr")`. `text`, `number`, `sequence`, `mapping` and `mappings` require a type, and reveal secrets.
    """

    def __init__(self, sent: Struct) -> None:
        self._sent = sent

    def at(self, *path: Step) -> Plain:
        """The value at `path`; inside a secret, it is also a `Secret`.

        Raises:
            NoSuchPropertyError: there is no value.
        """
        value, hidden = self._find(path)
        plain = _plain(value)
        return Secret(plain) if hidden and not isinstance(plain, Secret | Unknown) else plain

    def has(self, *path: Step) -> bool:
        """Whether there is a value at `path`."""
        try:
            self._find(path)
        except NoSuchPropertyError:
            return False
        return True

    def secret(self, *path: Step) -> bool:
        """Whether the value at `path` is a secret, or inside one.

        Raises:
            NoSuchPropertyError: there is no value.
        """
        value, hidden = self._find(path)
        return hidden or property_values.is_secret(value)

    def text(self, *path: Step) -> str:
        """The text at `path`.

        Raises:
            NoSuchPropertyError: it is not text.
        """
        value = _open(self.at(*path))
        return value if isinstance(value, str) else _not(path, self.at(*path), "text")

    def number(self, *path: Step) -> float:
        """The number at `path`; integers are `int`.

        Raises:
            NoSuchPropertyError: it is not a number.
        """
        value = _open(self.at(*path))
        return value if isinstance(value, int | float) and not isinstance(value, bool) else _not(path, self.at(*path), "a number")

    def sequence(self, *path: Step) -> Sequence[Plain]:
        """The list at `path`.

        Raises:
            NoSuchPropertyError: it is not a list.
        """
        value = _open(self.at(*path))
        return cast("Sequence[Plain]", value) if isinstance(value, list) else _not(path, self.at(*path), "a list")

    def mapping(self, *path: Step) -> "Properties":
        """The mapping at `path`.

        Raises:
            NoSuchPropertyError: it is not a mapping.
        """
        value, hidden = _unmarked(*self._find(path))
        if not value.HasField("struct_value"):
            _not(path, self.at(*path), "a mapping")
        fields = value.struct_value.fields
        return Properties(Struct(fields={name: property_values.secret(part) for name, part in fields.items()}) if hidden else value.struct_value)

    def mappings(self, *path: Step) -> "Sequence[Properties]":
        """The mappings in the list at `path`.

        Raises:
            NoSuchPropertyError: it is not a list of mappings.
        """
        return [self.mapping(*path, number) for number in range(len(self.sequence(*path)))]

    def _find(self, path: tuple[Step, ...]) -> tuple[Value, bool]:
        """The value that was sent at `path`, and whether it is inside a secret."""
        value, hidden = Value(struct_value=self._sent), False
        for number, step in enumerate(path):
            value, hidden = _unmarked(value, hidden)
            value = _part(value, step, path[: number + 1])
        return value, hidden

    def __getitem__(self, name: str) -> Plain:
        return self.at(name)

    def __contains__(self, name: object) -> bool:
        return name in self._sent.fields

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._sent.fields))

    def __len__(self) -> int:
        return len(self._sent.fields)

    def __repr__(self) -> str:
        return repr(dict(self))


def _plain(value: Value) -> Plain:
    if value.string_value == signatures.UNKNOWN:
        return UNKNOWN
    if property_values.is_secret(value):
        inner = _plain(value.struct_value.fields["value"])
        return inner if isinstance(inner, Secret | Unknown) else Secret(inner)
    return property_values.converted(value, _plain)


def _open(value: Plain) -> Plain:
    return value.reveal() if isinstance(value, Secret) else value


def _unmarked(value: Value, hidden: bool) -> tuple[Value, bool]:  # noqa: FBT001  # the state of a loop
    """The value without its mark, and whether it is a secret or inside one."""
    return (value.struct_value.fields["value"], True) if property_values.is_secret(value) else (value, hidden)


def _part(value: Value, step: Step, path: tuple[Step, ...]) -> Value:
    if value.string_value == signatures.UNKNOWN:
        raise NoSuchPropertyError(f"`{_spelled(path[:-1])}` is unknown in this preview, with everything inside it")
    if isinstance(step, str) and value.HasField("struct_value"):
        fields = value.struct_value.fields
        if step in fields:
            return fields[step]
        raise NoSuchPropertyError(_missing(path, list(fields)))
    if isinstance(step, int) and value.HasField("list_value"):
        items = value.list_value.values
        if -len(items) <= step < len(items):
            return items[step]
        raise NoSuchPropertyError(f"no property `{_spelled(path)}`; `{_spelled(path[:-1])}` has {len(items)} items")
    return _not(path[:-1], _plain(value), "a mapping" if isinstance(step, str) else "a list")


def _missing(path: tuple[Step, ...], there: Sequence[str]) -> str:
    nearest = get_close_matches(str(path[-1]), there, n=1, cutoff=0.4)
    return f"no property `{_spelled(path)}`" + (f"; closest: `{nearest[0]}`" if nearest else f"; available: {', '.join(sorted(there))}")


def _not(path: tuple[Step, ...], value: Plain, expected: str) -> NoReturn:
    found = "is unknown in this preview" if value is UNKNOWN else f"is {value!r}"
    raise NoSuchPropertyError(f"`{_spelled(path)}` {found}, not {expected}")


def _spelled(path: tuple[Step, ...]) -> str:
    """`spec.taints[0].key`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


_SHOWN = 12
_NEAR = 0.4


class Named(Protocol):
    """Something that can be found by name."""

    urn: str

    @property
    def kind(self) -> str:
        """The last word of the type, `AgentPool`."""
        ...

    @property
    def display_name(self) -> str:
        """The last word of the type, and the name: `AgentPool/dev-weu-web1a2b`."""
        ...


N = TypeVar("N", bound=Named)


class NoSuchResourceError(AssertionError, LookupError):
    """No resource matches, or several do; the message lists the closest names, or all matches."""


def matching(nodes: Iterable[N], what: str) -> list[N]:
    """Returns the nodes that `what` names.

    `AgentPool/dev-weu-web1a2b` is the last word of the type, and the name, with the wildcards `*` and `?`. A type alone names all
    of that type, a URN exactly one. If no name matches, the name can be the end of a name after a dash: `AksCluster/weu` names
    `AksCluster/dev-weu`, so that one test works for every stack.
    """
    among = list(nodes)
    if what.startswith("urn:"):
        return [node for node in among if node.urn == what]
    label = what if "/" in what or what == "*" else f"{what}/*"
    found = [node for node in among if fnmatchcase(node.display_name, label)]
    if found or "/" not in what:
        return found
    type_, _, end = what.partition("/")
    return [node for node in among if fnmatchcase(node.display_name, f"{type_}/*-{end}")]


def the_one(found: Sequence[N], what: str, among: Iterable[N]) -> N:
    """Returns the only one of `found`.

    Raises:
        NoSuchResourceError: there is none, or several.
    """
    if len(found) > 1:
        raise NoSuchResourceError(f"`{what}` matches {len(found)} resources: {listed([_unique_name(node, found) for node in found], _SHOWN)}")
    return at_least_one(found, what, among)[0]


def at_least_one(found: Sequence[N], what: str, among: Iterable[N]) -> Sequence[N]:
    """Returns all of `found`.

    Raises:
        NoSuchResourceError: there is none.
    """
    if not found:
        raise NoSuchResourceError(f"`{what}` not found {_available(what, list(among))}")
    return found


def _available(what: str, among: Sequence[Named]) -> str:
    if not among:
        return "(nothing is registered)"
    count = f"among {len(among)} resource{'s' * (len(among) > 1)}"
    labels = sorted({node.display_name for node in among})
    nearest = get_close_matches(what, labels, n=3, cutoff=_NEAR)
    if nearest:
        return f"{count}; closest: {listed(nearest, _SHOWN)}"
    types = sorted({node.kind for node in among})
    kind = what.partition("/")[0]
    if kind in types:
        return f"{count}; available of type {kind}: {listed([label for label in labels if label.startswith(f'{kind}/')], _SHOWN)}"
    near_types = get_close_matches(kind, types, n=3, cutoff=_NEAR)
    return f"{count}; closest types: {listed(near_types, _SHOWN)}" if near_types else f"{count}; available types: {listed(types, _SHOWN)}"


def _unique_name(node: Named, among: Sequence[Named]) -> str:
    """The display name if it is unique, otherwise the URN."""
    return node.urn if sum(other.display_name == node.display_name for other in among) > 1 else node.display_name

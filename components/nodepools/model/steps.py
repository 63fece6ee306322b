"""Plain data: the path of a value, mappings and lists, and all scalars with their places."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Self, TypeAlias, cast

from nodepools.model.base import Model


def mapping(value: object) -> Mapping[str, object]:
    """The mapping; an empty one for other values."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def sequence(value: object) -> Sequence[object]:
    """The list; an empty one for other values."""
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()


def without_nulls(value: object) -> object:
    """The value without fields that are null, which the API server of Kubernetes reads as unset."""
    if isinstance(value, Mapping):
        return {name: without_nulls(part) for name, part in cast("Mapping[str, object]", value).items() if part is not None}
    return [without_nulls(part) for part in cast("list[object]", value)] if isinstance(value, list) else value


Step: TypeAlias = str | int
Steps: TypeAlias = tuple[Step, ...]


class NamedKey(str):  # noqa: SLOT000  # it has a name
    """The key `value` of a pair such as `{name: API_KEY, value: …}`: another entry of the pair names what it holds."""

    name: str

    @classmethod
    def of(cls, key: str, name: str) -> Self:
        """`key`, with the name in the other entry."""
        made = cls(key)
        made.name = name
        return made


class NamedIndex(int):
    """The index of the word after a flag, as in `["--token", "…"]`: the flag names what it holds."""

    name: str

    @classmethod
    def of(cls, index: int, name: str) -> Self:
        """`index`, with the flag before it."""
        made = cls(index)
        made.name = name
        return made


_PAIRS: Final[Mapping[str, Sequence[str]]] = {"value": ("name", "key"), "Value": ("Name", "Key"), "ParameterValue": ("ParameterKey",)}
"""The key of a pair that holds what another one names, with that one: environment variables, headers, settings of charts, tags in lists."""
_SECRET: Final = ("Secret", "data", "stringData")
"""The kind of Kubernetes objects whose `data` is secret as well as their `stringData`."""
_FLAG: Final = "-"


def scalars(value: object, steps: Steps = ()) -> Iterator[tuple[Steps, object]]:
    """Each value at or below `steps` that has no parts, with its place."""
    if isinstance(value, Model):
        yield from _inside(vars(value).items(), steps)
    elif isinstance(value, Mapping):
        yield from _inside(_entries(cast("Mapping[str, object]", value)), steps)
    elif isinstance(value, list | tuple):
        yield from _inside(items(cast("Sequence[object]", value)), steps)
    else:
        yield steps, value


def rewritten(value: object, scalar: Callable[[Steps, object], object], steps: Steps = ()) -> object:
    """Plain data with the result of `scalar` instead of each scalar. A tuple becomes a list."""
    if isinstance(value, Mapping):
        return {key: rewritten(part, scalar, (*steps, key)) for key, part in _entries(cast("Mapping[str, object]", value))}
    if isinstance(value, list | tuple):
        return [rewritten(part, scalar, (*steps, index)) for index, part in items(cast("Sequence[object]", value))]
    return scalar(steps, value)


def _entries(entries: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The entries of a mapping; the key of what another entry names is a `NamedKey`."""
    kind, data, secret = _SECRET
    for key, part in entries.items():
        name = next((found for other in _PAIRS.get(key, ()) if (found := entries.get(other)) is not None), None)
        if key == data and entries.get("kind") == kind:
            name = secret
        yield NamedKey.of(key, name) if isinstance(name, str) else key, part


def items(values: Sequence[object]) -> Iterator[tuple[int, object]]:
    """The items of a list; the index of a word after a flag without a value is a `NamedIndex`."""
    before: object = None
    for index, part in enumerate(values):
        named = isinstance(before, str) and before.startswith(_FLAG) and "=" not in before and not str(part).startswith(_FLAG)
        yield NamedIndex.of(index, str(before)) if named else index, part
        before = part


def _inside(parts: Iterable[tuple[Step, object]], steps: Steps) -> Iterator[tuple[Steps, object]]:
    for step, part in parts:
        if not isinstance(part, bool | None):
            yield from scalars(part, (*steps, step))

"""Models with unknown fields. In a preview, some values are known only after an update.

Reading an unknown field raises `NotKnownError`, and the rule that needs it is skipped.
"""

from collections.abc import Collection, Mapping, Sequence
from types import new_class
from typing import Final, Never, TypeAlias, TypeVar, cast

from nodepools.model.base import FrozenDict, Model
from nodepools.model.invalid_parts import UNKNOWN, NotKnownError

M = TypeVar("M", bound=Model)
V = TypeVar("V")
Way: TypeAlias = tuple[str | int, ...]

_KEPT: Final = "__pydantic_private__"
"""Where an instance keeps the names of its unknown fields: a slot of pydantic that has no other use here."""


class _Partial:
    """Added in front of a model's class: a part with unknown fields."""

    def __getattribute__(self, name: str) -> object:
        if name in cast("Collection[str]", object.__getattribute__(self, _KEPT)):
            raise NotKnownError(name)
        return object.__getattribute__(self, name)

    def __eq__(self, other: object) -> bool:
        """Only known for the part itself, and for values that are not models."""
        if self is not other and isinstance(other, Model):
            raise NotKnownError
        return self is other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise NotKnownError

    def __str__(self) -> Never:
        raise NotKnownError


def partial(part: M, unknown: Collection[str]) -> M:
    """Returns `part` with the fields `unknown` hidden, because they can hold more than is known. Their known content was validated.

    Raises:
        NotKnownError: later, when a hidden field is read, or when the part is compared, hashed or printed.
    """
    hidden = frozenset(unknown) | unread(part)
    return _made(part, vars(part), hidden) if hidden else part


def partial_below(part: V, unknown: Collection[Way], incomplete: Collection[Way] = ()) -> V:
    """Returns `part` with unknown fields in nested parts: each of `unknown` is the path of a model and the name of its field.

    Unlike `partial`, an unknown field has no content. The fields `incomplete` keep their content.
    """
    return _below(part, [*((way, False) for way in unknown), *((way, True) for way in incomplete)])


def _below(part: V, ways: Sequence[tuple[Way, bool]]) -> V:
    """`part` without the fields at the end of `ways`; those that stay keep their content."""
    if not ways:
        return part
    inside: dict[str | int, list[tuple[Way, bool]]] = {}
    for (step, *rest), stays in ways:
        inside.setdefault(step, []).extend([(tuple(rest), stays)] if rest else [])
    if isinstance(part, Model):
        hidden = {str(way[0]): stays for way, stays in ways if len(way) == 1}
        held: dict[str, object] = {
            name: _below(value, inside.get(name, ())) if hidden.get(name, True) else UNKNOWN
            for name, value in cast("dict[str, object]", vars(part)).items()
        }
        return cast("V", _made(part, held, unread(part) | hidden.keys()))
    if isinstance(part, tuple):
        return cast("V", tuple(_below(value, inside.get(index, ())) for index, value in enumerate(cast("tuple[object, ...]", part))))
    return cast("V", FrozenDict({key: _below(value, inside.get(key, ())) for key, value in cast("dict[str, object]", part).items()}))


def _made(part: M, held: dict[str, object], hidden: frozenset[str]) -> M:
    kind = type(part)
    return _instance(_class(kind) if hidden and not issubclass(kind, _Partial) else kind, part, held, hidden)


def _instance(kind: type[M], like: M, held: dict[str, object], hidden: frozenset[str]) -> M:
    made = cast("M", object.__new__(cast("type[object]", kind)))
    kept = {
        "__dict__": held,
        "__pydantic_fields_set__": like.model_fields_set,
        "__pydantic_extra__": None,
        _KEPT: hidden if issubclass(kind, _Partial) else None if isinstance(like, _Partial) else attached_to(like),
    }
    for slot, value in kept.items():
        object.__setattr__(made, slot, value)
    return made


def attached_to(part: Model) -> object:
    """What no field of a known part has: no rule, schema or comparison sees it. Copies keep it, and so does `derive`."""
    return object.__getattribute__(part, _KEPT)


def attach(part: Model, what: object) -> None:
    """Attaches it to a part that was just made."""
    object.__setattr__(part, _KEPT, what)


def assembled(part: M, **parts: object) -> M:
    """Returns `part` with `parts` replaced, without validation: they must be valid."""
    return _made(part, {**vars(part), **parts}, unread(part))


def with_field(part: M, name: str, value: object, *, is_set: bool) -> M:
    """Returns `part` with a valid `value` in its field `name`. `is_set` tells whether the field counts as set or keeps its default."""
    made = _made(part, {**vars(part), name: value}, unread(part) - {name})
    fields = part.model_fields_set | {name} if is_set else part.model_fields_set - {name}
    object.__setattr__(made, "__pydantic_fields_set__", fields)
    return made


def whole(part: M, values: Mapping[str, object]) -> M:
    """Returns `part` with valid `values` of all its fields: nothing of it is unknown, except in its parts.

    Each field that has another value than its default counts as set.
    """
    kind = cast("type[M]", type(part).__mro__[2] if isinstance(part, _Partial) else type(part))
    made, known = _instance(kind, part, dict(values), frozenset()), kind.model_fields
    changed = {name for name, value in values.items() if known[name].is_required() or value != known[name].get_default(call_default_factory=True)}
    object.__setattr__(made, "__pydantic_fields_set__", changed | ({"kind"} & known.keys()))
    return made


def unread(part: Model) -> frozenset[str]:
    """The unknown fields of `part`."""
    return cast("frozenset[str]", object.__getattribute__(part, _KEPT)) if isinstance(part, _Partial) else frozenset()


_CLASSES: dict[type[Model], type[Model]] = {}


def _class(kind: type[Model]) -> type[Model]:
    """A subclass of `kind` with the same name."""
    if kind not in _CLASSES:
        made = new_class(kind.__name__, (_Partial, kind), {"defer_build": True}, lambda body: body.update({"__module__": kind.__module__}))
        _CLASSES[kind] = cast("type[Model]", made)
    return _CLASSES[kind]

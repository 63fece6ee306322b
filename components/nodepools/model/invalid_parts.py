"""Invalid parts are kept as written, so that the parent reports all errors of a declaration at once.

Python creates a declaration from the inside out. If the innermost part raised its errors, all others would stay hidden. So an invalid part is kept,
and its errors are raised when something first uses it: a platform, a component, `check`, or a program that reads a field or prints the part.
"""

from enum import Enum
from types import new_class
from typing import TYPE_CHECKING, Final, Never, cast

from pydantic import BaseModel, ValidationError

from nodepools.model.error_wording import refusal

if TYPE_CHECKING:
    from nodepools.model.base import Model


class Unknown(Enum):
    """The type of `UNKNOWN`."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN
"""Placeholder for an unknown value."""


class NotKnownError(Exception):
    """An unknown field was read. Not an `AttributeError`, which `getattr` with a default would swallow."""


_OF_ENUM: Final = ("int_parsing_size", UNKNOWN.value)
"""How pydantic rejects `UNKNOWN` where a whole number belongs: it reads the value of an enumeration. No other text has this error."""
_READABLE: Final = frozenset({"kind"})
"""Fields that can be read anyway. The class sets `kind`, and other code distinguishes parts by it."""


class _Faulty:
    """Added in front of a model's class: a part that keeps its fields as written, because validation rejected them."""

    def __getattribute__(self, name: str) -> object:
        if name.startswith("__") or name in _READABLE:
            return object.__getattribute__(self, name)
        raise refusal_of(cast("Model", self))

    def __repr__(self) -> Never:
        raise refusal_of(cast("Model", self))

    __str__ = __repr_args__ = __iter__ = __repr__

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        raise refusal_of(cast("Model", self))

    def __hash__(self) -> int:
        raise refusal_of(cast("Model", self))


def as_written(kind: "type[Model]", written: dict[str, object]) -> "Model":
    """An invalid part of class `kind` that keeps the `written` fields."""
    part = object.__new__(cast("type[object]", _class(kind)))
    slots = {"__dict__": written, "__pydantic_fields_set__": set(written), "__pydantic_extra__": None, "__pydantic_private__": None}
    for slot, value in slots.items():
        object.__setattr__(part, slot, value)
    return cast("Model", part)


def kept_or_raised(kind: "type[Model]", written: dict[str, object], error: ValidationError) -> "Model":
    """The return value of a constructor whose validation failed: an invalid part that a parent can report.

    Raises:
        DeclarationError: a `kind` has no parent.
        NotKnownError: only unknown values were rejected, such as those of a part from which invalid fields were removed.
    """
    if all(one["input"] is UNKNOWN or (one["type"], one["input"]) == _OF_ENUM for one in error.errors(include_url=False, include_context=False)):
        raise NotKnownError
    if kind.whole:
        raise refusal(error, kind, written) from None
    return as_written(kind, written)


def is_faulty(part: object) -> bool:
    """The part is invalid: using it raises its errors."""
    return isinstance(part, _Faulty)


def refusal_of(part: "Model") -> Exception:
    """The exception with all errors of an invalid part."""
    return refusal(error_of(part), declared_class(type(part)), vars(part))


def error_of(part: "Model") -> ValidationError:
    """The validation error of an invalid part."""
    try:
        made = declared_class(type(part)).model_validate(vars(part))
    except ValidationError as error:
        return error
    raise LookupError(f"this {type(made).__name__} has no findings")


def declared_class(kind: "type[Model]") -> "type[Model]":
    """The class as the package declares it, without the class in front of invalid parts."""
    return cast("type[Model]", kind.__bases__[1]) if issubclass(kind, _Faulty) else kind


_CLASSES: dict["type[Model]", "type[BaseModel]"] = {}


def _class(kind: "type[Model]") -> "type[BaseModel]":
    """A subclass of `kind` with the same name."""
    if kind not in _CLASSES:
        _CLASSES[kind] = new_class(kind.__name__, (_Faulty, kind), {"defer_build": True}, lambda body: body.update({"__module__": kind.__module__}))
    return _CLASSES[kind]

"""Parts that were written with findings: kept as written, so that what holds them reports every finding of the declaration at once.

Python builds a declaration from the inside out. Raising at the innermost part would report the findings of that part and hide all others. So a
faulty part is kept, and whoever uses it first is told: a platform, a component, `check`, or the program that reads a field or prints it.
"""

from collections.abc import Mapping
from importlib import import_module
from types import new_class
from typing import TYPE_CHECKING, Final, Never, Protocol, cast

from pydantic import BaseModel, ValidationError

if TYPE_CHECKING:
    from nodepools.model.base import Model

_READABLE: Final = frozenset({"kind"})
"""Fields that can be read all the same: by its kind a part is told from others, and its class sets it."""


class _Words(Protocol):
    """What is asked of the layer that knows how findings are worded."""

    def refusal(self, error: ValidationError, model: "type[Model]", written: Mapping[str, object]) -> Exception: ...


class _Faulty:
    """Over a model's own class: a part whose fields are as they were written, and were not accepted."""

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
    """A part of class `kind` with the fields that were `written`, which its validation refuses."""
    part = object.__new__(cast("type[object]", _class(kind)))
    slots = {"__dict__": written, "__pydantic_fields_set__": set(written), "__pydantic_extra__": None, "__pydantic_private__": None}
    for slot, value in slots.items():
        object.__setattr__(part, slot, value)
    return cast("Model", part)


def kept_or_raised(kind: "type[Model]", written: dict[str, object], error: ValidationError) -> "Model":
    """What `written` makes after all, for a constructor to return: a faulty part, where something larger can report its findings.

    Raises:
        DeclarationError: nothing larger is around a `kind`.
    """
    if kind.whole:
        raise refusal(error, kind, written) from None
    return as_written(kind, written)


def is_faulty(part: object) -> bool:
    """It was written with findings: using it raises them."""
    return isinstance(part, _Faulty)


def refusal_of(part: "Model") -> Exception:
    """The error with all findings of a part that is faulty."""
    return refusal(error_of(part), declared_class(type(part)), vars(part))


def error_of(part: "Model") -> ValidationError:
    """What its validation says of a part that is faulty."""
    try:
        made = declared_class(type(part)).model_validate(vars(part))
    except ValidationError as error:
        return error
    raise LookupError(f"this {type(made).__name__} has no findings")


def refusal(error: ValidationError, model: "type[Model]", written: Mapping[str, object]) -> Exception:
    """The error that a person is shown in place of pydantic's. The layer above knows the words; only faulty declarations need them."""
    words = cast("_Words", import_module("nodepools.loading"))
    return words.refusal(error, model, written)


def declared_class(kind: "type[Model]") -> "type[Model]":
    """The class as the package declares it, without what marks faulty parts."""
    return cast("type[Model]", kind.__bases__[1]) if issubclass(kind, _Faulty) else kind


_CLASSES: dict["type[Model]", "type[BaseModel]"] = {}


def _class(kind: "type[Model]") -> "type[BaseModel]":
    """It is called as `kind` is, and is one."""
    if kind not in _CLASSES:
        _CLASSES[kind] = new_class(kind.__name__, (_Faulty, kind), {"defer_build": True}, lambda body: body.update({"__module__": kind.__module__}))
    return _CLASSES[kind]

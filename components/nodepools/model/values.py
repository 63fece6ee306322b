"""Data classes that are cheap to define: those of the standard library, but frozen ones compile `__init__` for their first object, and nothing else.

The standard library compiles six functions for each class, in half a millisecond, and a command makes objects of half of the classes that it loads.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError, field, fields, replace
from inspect import Signature, signature
from operator import attrgetter
from types import MethodType
from typing import TYPE_CHECKING, Any, Never, cast

__all__ = ["dataclass", "field", "replace"]


def _dataclass(cls: Any = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True, **more: bool) -> Any:  # noqa: ANN401  # any class
    if not frozen or more.keys() - {"kw_only"}:
        return dataclasses.dataclass(cls, frozen=frozen, slots=slots, eq=eq, **more)
    define = cast("Callable[[type], type]", dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, **more))

    def defined(cls: type) -> type:
        own = {name for name, value in vars(cls).items() if value is not None}  # without `__hash__ = None` of a class with `__eq__`
        cls.__doc__ = cls.__doc__ or cls.__name__  # the standard library would write its signature
        made = define(cls)
        methods = {**_FROZEN, "__init__": _first_init(made), **(_comparison(made) if eq else {})}
        for name in methods.keys() - own:
            setattr(made, name, methods[name])
        return made

    return defined


def _first_init(made: Any) -> object:  # noqa: ANN401  # a data class
    def init(self: object, /, *given: object, **named: object) -> None:
        made.__init__ = compiled = _init(made)
        compiled(self, *given, **named)

    return init


def _init(made: Any) -> Callable[..., None]:  # noqa: ANN401  # a data class
    """The method `__init__`, as the standard library writes it."""
    first, named, lines, values = list[str](), list[str](), list[str](), dict[str, object]()
    for one in fields(made):
        is_made = one.default_factory is not MISSING
        values[one.name] = one.default_factory if is_made else one.default
        value = default = f"_values[{one.name!r}]{'()' * is_made}"
        if one.init:
            optional = "=_values" if is_made else f"={default}" if one.default is not MISSING else ""
            (named if one.kw_only else first).append(f"{one.name}{optional}")
            lines.append(f" if {one.name} is _values: {one.name} = {default}" if is_made else "")
            value = one.name
        lines.append(f" _set(self, {one.name!r}, {value})")
    lines.append(" self.__post_init__()" if hasattr(made, "__post_init__") else " pass")
    scope: dict[str, Any] = {"_set": object.__setattr__, "_values": values}
    arguments = ", ".join(("self", *first, *("*",) * bool(named), *named))
    exec("\n".join((f"def __init__({arguments}):", *lines)), scope)  # noqa: S102  # as the standard library does
    init = scope["__init__"]
    init.__qualname__, init.__annotations__ = f"{made.__qualname__}.__init__", {one.name: one.type for one in fields(made)}
    return init


def _comparison(made: Any) -> Mapping[str, object]:  # noqa: ANN401  # a data class
    compared = [one.name for one in fields(made) if one.compare]
    content, hashed = _content(compared), _content([name for name in compared if made.__dataclass_fields__[name].hash is not False])

    def hash_of(self: object) -> int:
        return hash(hashed(self))

    def equals(self: object, other: object) -> bool:
        return content(self) == content(other) if other.__class__ is self.__class__ else NotImplemented

    return {"__eq__": equals, "__hash__": hash_of}


def _content(names: list[str]) -> Callable[[object], object]:
    """What has the values of these fields as a tuple."""
    return attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)


class _OfInit:
    def __get__(self, _: object, owner: type) -> Signature:
        return signature(MethodType(_init(owner), owner))


def _repr(self: Any) -> str:  # noqa: ANN401  # a data class
    return f"{type(self).__qualname__}({', '.join(f'{one.name}={getattr(self, one.name)!r}' for one in fields(self) if one.repr)})"


def _refuse(_: object, name: str, *value: object) -> Never:
    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _restore(self: object, state: Mapping[str, object] | tuple[Mapping[str, object] | None, ...]) -> None:
    for part in state if isinstance(state, tuple) else (state,):  # attributes, and slots
        for name, value in (part or {}).items():
            object.__setattr__(self, name, value)


_FROZEN = {"__repr__": _repr, "__setattr__": _refuse, "__delattr__": _refuse, "__signature__": _OfInit(), "__setstate__": _restore}

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass

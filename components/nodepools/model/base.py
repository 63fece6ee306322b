"""Base classes of the declaration: frozen pydantic models that reject unknown fields."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, ClassVar, Final, Never, Self, TypeVar, cast, dataclass_transform

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nodepools.model.invalid_parts import kept_or_raised
from nodepools.model.schema import part_schema, without_booleans

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)

V = TypeVar("V")
_BUILDING: Final[ContextVar[type[BaseModel] | None]] = ContextVar("building", default=None)
"""The class whose validator is being built."""


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
class Declared(ModelMetaclass):
    """For type checkers: models are frozen, and keyword-only except `Field(kw_only=False)`. At run time, invalid parts are kept as written."""

    if not TYPE_CHECKING:  # pragma: no branch

        def __call__(cls, /, *args, **kwargs):
            written = cls._by_name(args, kwargs)
            try:
                return super().__call__(**written)
            except ValidationError as error:
                return kept_or_raised(cls, written, error)


class Model(BaseModel, metaclass=Declared):
    """Base model. Rejects unknown fields and freezes nested lists and dicts."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        revalidate_instances="always",
        validate_default=True,
        hide_input_in_errors=True,  # it can be a secret
    )
    whole: ClassVar[bool] = False
    """Raises its findings when it is created, because no parent can report them."""

    @model_validator(mode="after")
    def _freeze(self) -> Self:
        held = cast("dict[str, object]", self.__dict__)
        held.update({name: freeze(value) for name, value in held.items() if type(value) in (dict, list)})
        return self

    if not TYPE_CHECKING:  # pragma: no branch

        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            return without_booleans(handler(source)) if _BUILDING.get() is cls else part_schema(cls)

        @classmethod
        def model_rebuild(cls, *, force=False, raise_errors=True, _parent_namespace_depth=2, _types_namespace=None):
            token = _BUILDING.set(cls)
            try:
                return super().model_rebuild(
                    force=force, raise_errors=raise_errors, _parent_namespace_depth=_parent_namespace_depth + 1, _types_namespace=_types_namespace
                )
            finally:
                _BUILDING.reset(token)

        @classmethod
        def model_json_schema(cls, *args, **kwargs):
            from nodepools.model.schema import Documented  # reads sources, which few programs need

            return super().model_json_schema(*args, **{"schema_generator": Documented} | kwargs)

        @classmethod
        def _by_name(cls, args, kwargs):
            names = [name for name, field in cls.model_fields.items() if field.kw_only is False]
            if len(args) > len(names) or kwargs.keys() & names[: len(args)]:
                raise TypeError(f"{cls.__name__} accepts {', '.join(names) or 'keyword arguments only'}, each at most once")
            kind = cls.model_fields.get("kind")  # counts as set, so that a dump can be read back
            return ({"kind": kind.default} if kind else {}) | dict(zip(names, args, strict=False)) | kwargs

        def __setattr__(self, name, value=None):
            raise AttributeError("a declaration cannot be changed: use derive() to create another one")

        __delattr__ = __setattr__

        def model_copy(self, *, update=None, deep=False):
            if update:
                raise TypeError("model_copy(update=) would not be validated: use derive()")
            return super().model_copy(deep=deep)


class FrozenDict(dict[str, V]):
    """A dict that cannot be changed, and is therefore hashable."""

    def _refuse(self, *_: object, **__: object) -> Never:
        raise TypeError("a declaration cannot be changed: use derive() to create another one")

    __setitem__ = __delitem__ = pop = popitem = clear = update = setdefault = __ior__ = _refuse  # type: ignore[assignment]  # narrowed to "never"

    def __hash__(self) -> int:  # type: ignore[override]  # dict says None
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Callable[..., "FrozenDict[V]"], tuple[dict[str, V]]]:
        return FrozenDict, (dict(self),)


def freeze(value: object) -> object:
    """Converts every nested list to a tuple and every nested dict to a `FrozenDict`."""
    if isinstance(value, dict):
        return FrozenDict({key: freeze(part) for key, part in cast("dict[str, object]", value).items()})
    return tuple(freeze(part) for part in cast("Sequence[object]", value)) if isinstance(value, list | tuple) else value


def to_plain(value: object) -> object:
    """The reverse of `freeze`: converts to lists and dicts, as YAML and Pulumi need them."""
    if isinstance(value, Mapping):
        return {key: to_plain(part) for key, part in cast("Mapping[str, object]", value).items()}
    return [to_plain(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value

"""How a model validates a part of the declaration: by the validator of the part's own class.

Pydantic repeats the schema of a class in every class with a field of that type, and builds all of them during import. Half of the start-up of a
command was spent on it. Here a class is built when the first part of it is declared, once.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from pydantic import BaseModel
from pydantic_core import CoreSchema, core_schema

if TYPE_CHECKING:
    from pydantic_core.core_schema import ValidationInfo, ValidatorFunctionWrapHandler

STRICT: Final = {"strict": True}
"""The context of a validation that does not convert text to numbers; pydantic does not pass `strict` on to the validators of parts."""
_PART: Final = "part"


def part_schema(kind: type[BaseModel]) -> CoreSchema:
    """The schema of a field of type `kind`."""

    def validate(value: object, _: "ValidatorFunctionWrapHandler", info: "ValidationInfo") -> object:
        strict = True if info.context is STRICT else None
        return kind.__pydantic_validator__.validate_python(value, strict=strict, context=info.context)

    return core_schema.with_info_wrap_validator_function(
        validate,
        _tag(kind),
        metadata={_PART: kind},
        serialization=core_schema.plain_serializer_function_ser_schema(_itself),
    )


def _tag(kind: type[BaseModel]) -> CoreSchema:
    """What pydantic has to know of a class that is an alternative of a union: the value of its field `kind`. It is never used to validate."""
    if "kind" not in kind.model_fields:
        return core_schema.any_schema()
    return core_schema.typed_dict_schema({"kind": core_schema.typed_dict_field(core_schema.literal_schema([kind.model_fields["kind"].default]))})


def own_schema(schema: Mapping[str, object]) -> CoreSchema | None:
    """The schema of the class whose parts `schema` validates, with a name so that a JSON schema defines each class once."""
    kind = cast("Mapping[str, type[BaseModel]]", schema.get("metadata", {})).get(_PART)
    if kind is None:
        return None
    kind.model_rebuild()
    own = kind.__pydantic_core_schema__
    return own if own["type"] == "definitions" else cast("CoreSchema", {**own, "ref": f"{kind.__module__}.{kind.__qualname__}:{id(kind)}"})


def _itself(value: object) -> object:
    return value

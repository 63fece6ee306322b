"""References to what is made elsewhere: a plain string, an output of another stack, or a `pulumi.Output`, told apart without importing pulumi."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Protocol, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model

T_co = TypeVar("T_co", covariant=True)


class OutputOf(Protocol[T_co]):
    """What we ask of a `pulumi.Output[T]`, so that types hold without pulumi."""

    def apply(self, func: Callable[[T_co], object], run_with_unknowns: bool = ...) -> object:  # noqa: FBT001  # Pulumi's own signature
        """The value, when it is known, through `func`."""
        ...


def is_output(value: object) -> bool:
    """Never ask an Output for an attribute: it has every one."""
    return isinstance(value, getattr(sys.modules.get("pulumi"), "Output", ()))


def _known(value: object) -> object:
    if is_output(value):
        raise PydanticCustomError("output", "is a `pulumi.Output`, which has no value until Pulumi runs")
    return value


KNOWN = BeforeValidator(_known)
"""For unions of kinds: pydantic would ask an Output for its kind, and Pulumi would print a warning."""


class StackOutput(Model):
    """An output of another Pulumi stack, by name: plain data until it is deployed."""

    stack: str = Field(kw_only=False, pattern=r"^[^/\s]+/[^/\s]+/[^/\s]+$")
    """Full name, `organization/project/stack`."""
    output: str = Field(kw_only=False, min_length=1)
    """Name of the output; it must hold text."""

    def __str__(self) -> str:
        return f"{self.stack}#{self.output}"


def _ref(value: object) -> object:
    if is_output(value):
        return value
    if isinstance(value, str):
        if not value.strip():
            raise PydanticCustomError("ref_empty", "must not be empty")
        return value
    if isinstance(value, StackOutput | Mapping):
        return StackOutput.model_validate(value)
    if isinstance(value, getattr(sys.modules.get("pulumi"), "Resource", ())):
        raise PydanticCustomError("ref_resource", "is a resource, not its id")
    raise PydanticCustomError("ref", "must be text, a `StackOutput` or a `pulumi.Output`")


def _shown(value: object) -> object:
    if is_output(value):
        return {"$unknown": True}
    return value.model_dump(mode="json") if isinstance(value, Model) else value


if TYPE_CHECKING:
    Ref: TypeAlias = str | StackOutput | OutputOf[str]
else:
    Ref = Annotated[
        object,
        PlainValidator(_ref),
        PlainSerializer(_shown, when_used="json"),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "string", "minLength": 1},
                    {
                        "type": "object",
                        "required": ["stack", "output"],
                        "additionalProperties": False,
                        "properties": {"stack": {"type": "string"}, "output": {"type": "string"}},
                    },
                ]
            }
        ),
    ]

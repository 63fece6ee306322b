"""References to resources that are created elsewhere: text, an output of another stack, or a `pulumi.Output`. Works without importing pulumi."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Final, Protocol, TypeAlias, TypeVar, cast, get_args

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.listing import with_article

T_co = TypeVar("T_co", covariant=True)


class OutputOf(Protocol[T_co]):
    """The part of `pulumi.Output[T]` that type checking needs, without pulumi."""

    def apply(self, func: Callable[[T_co], object], run_with_unknowns: bool = ...) -> object:  # noqa: FBT001  # Pulumi's own signature
        """Passes the value, when it is known, to `func`."""
        ...


def is_output(value: object) -> bool:
    """Tests by class: an Output has every attribute."""
    return isinstance(value, getattr(sys.modules.get("pulumi"), "Output", ()))


def _known(value: object) -> object:
    if is_output(value):
        raise PydanticCustomError("output", "is a `pulumi.Output`, which has no value until Pulumi runs")
    return value


KNOWN = BeforeValidator(_known)
"""For unions of kinds. Otherwise pydantic would read the kind of an Output, and Pulumi would print a warning."""


_STACK: Final = r"^[^/\s]+/[^/\s]+/[^/\s]+$"


class StackOutput(Model):
    """An output of another Pulumi stack, by name. It is resolved at deployment."""

    stack: str = Field(kw_only=False, pattern=_STACK)
    """Full name of the stack: `organization/project/stack`."""
    output: str = Field(kw_only=False, min_length=1)
    """Name of the output. Its value must be text."""

    def __str__(self) -> str:
        return f"{self.stack}#{self.output}"


def reference(value: object) -> "Ref":
    """A valid reference.

    Raises:
        PydanticCustomError: it is none.
        ValidationError: a mapping is not a `StackOutput`.
    """
    if is_output(value):
        return cast("Ref", value)
    if isinstance(value, str):
        if not value.strip():
            raise PydanticCustomError("ref_empty", "must not be empty")
        return value
    if isinstance(value, StackOutput | Mapping):
        return StackOutput.model_validate(value)
    if isinstance(value, getattr(sys.modules.get("pulumi"), "Resource", ())):
        raise PydanticCustomError("ref_resource", "is a Pulumi resource; it must be the id of one")
    raise PydanticCustomError("ref", "must be text, a `StackOutput` or a `pulumi.Output`")


def _shown(value: object) -> object:
    if is_output(value):
        return {"$unknown": True}
    return value.model_dump(mode="json") if isinstance(value, Model) else value


REF_SCHEMA: Final[dict[str, object]] = {
    "anyOf": [
        {"type": "string", "pattern": r"\S"},
        {
            "type": "object",
            "required": ["stack", "output"],
            "additionalProperties": False,
            "properties": {"stack": {"type": "string", "pattern": _STACK}, "output": {"type": "string", "minLength": 1}},
        },
    ]
}
"""The JSON schema of a reference."""

if TYPE_CHECKING:
    Ref: TypeAlias = str | StackOutput | OutputOf[str]
else:
    Ref = Annotated[object, PlainValidator(reference), PlainSerializer(_shown, when_used="json"), WithJsonSchema(REF_SCHEMA)]


def misplaced(function: str, expected: str, argument: object, model: str = "Platform") -> str:
    """One line: what `function` accepts, what it got, and what to write. `model` has the fields of a dict."""
    return f"{function} accepts {expected}, not {described(argument, model)}"


def described(argument: object, model: str = "Platform") -> str:
    """Describes `argument` for an error message."""
    if argument is None:
        return "None"
    if is_output(argument):
        return "a pulumi.Output: a declaration is plain data, and only references in it, such as ids, can be Outputs"
    if isinstance(argument, Mapping):
        return f"a dict: pass its fields with two asterisks, as in {model}(**fields)"
    if isinstance(argument, type):
        return f"the class {argument.__name__}: call it with its fields"
    return with_article(type(argument).__name__)


HIDDEN: Final = "[secret]"
"""The text that outputs contain instead of a secret."""


class SecretValue:
    """A secret in a declaration. Its content is only in `reveal()`: `repr`, `str` and dumps do not contain it."""

    __slots__ = ("_content",)

    def __init__(self, content: "Ref") -> None:
        """`content` is text, a `StackOutput`, or a `pulumi.Output`."""
        self._content = content

    def reveal(self) -> "Ref":
        """The content, for a provider."""
        return self._content

    @property
    def text(self) -> str | None:
        """The content if it is plain text, for rules."""
        return self._content if isinstance(self._content, str) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretValue) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    def __repr__(self) -> str:
        return HIDDEN


class HiddenSecret(SecretValue):
    """A secret of a plan or of an encrypted state, whose content is not there: it equals no other, because no reader of the plan can compare them."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(HIDDEN)

    @property
    def text(self) -> None:
        """The content is not known."""
        return

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def _secret(value: object) -> SecretValue:
    return value if isinstance(value, SecretValue) else SecretValue(reference(value))


def _shown_secret(value: SecretValue) -> Mapping[str, object]:
    """For JSON: the name of a stack's output is not secret."""
    content = value.reveal()
    if isinstance(content, StackOutput):
        return content.model_dump(mode="json")
    return {"$unknown": True} if is_output(content) else {"$secret": True}


class _Mark:
    """Marks the annotation of a secret."""


if TYPE_CHECKING:
    Secret: TypeAlias = Ref | SecretValue
else:
    Secret = Annotated[object, _Mark(), PlainValidator(_secret), PlainSerializer(_shown_secret, when_used="json"), WithJsonSchema(REF_SCHEMA)]


def revealed(secret: "Secret | None") -> "Ref | None":
    """The content of a field that is declared as a `Secret`."""
    return secret.reveal() if isinstance(secret, SecretValue) else secret


def is_secret_type(annotation: object) -> bool:
    """The annotation of a field is a `Secret`, or an option of it is."""
    return isinstance(annotation, _Mark) or any(map(is_secret_type, get_args(annotation)))

"""The kind of reference for what is secret: like `Ref`, but its content is never printed, and always goes to a provider as a secret output."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, get_args

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from nodepools.model.ref import REF_SCHEMA, Ref, StackOutput, is_output, reference

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


def _shown(value: SecretValue) -> Mapping[str, object]:
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
    Secret = Annotated[object, _Mark(), PlainValidator(_secret), PlainSerializer(_shown, when_used="json"), WithJsonSchema(REF_SCHEMA)]


def revealed(secret: "Secret | None") -> "Ref | None":
    """The content of a field that is declared as a `Secret`."""
    return secret.reveal() if isinstance(secret, SecretValue) else secret


def is_secret_type(annotation: object) -> bool:
    """The annotation of a field is a `Secret`, or an option of it is."""
    return isinstance(annotation, _Mark) or any(map(is_secret_type, get_args(annotation)))

"""Taints of nodes."""

import re
from datetime import date
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, GetJsonSchemaHandler, ValidationError, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.invalid_parts import refusal
from nodepools.model.redaction import has_secret_form

Effect = Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]


_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.,][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})")


def _moment(text: str) -> str:
    match = _MOMENT.fullmatch(text)
    if match is None or not _is_date(match[1]):
        raise PydanticCustomError("moment", "must be a date and a time with its zone")
    return text


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


class Taint(Model):
    """A taint. It keeps pods without a matching toleration away.

    In YAML it can also be written as `key=value:Effect` or `key:Effect`.
    """

    key: str = Field(kw_only=False, min_length=1)
    """Qualified name, such as `team` or `example.com/team`."""
    value: str = Field(default="", kw_only=False)
    """At most 63 characters. An empty value differs from `true`: tolerations with the operator `Equal` compare it."""
    effect: Effect = Field(default="NoSchedule", kw_only=False)
    """`NoSchedule` keeps new pods away, `NoExecute` also evicts running pods, `PreferNoSchedule` is a preference."""
    time_added: Annotated[str, AfterValidator(_moment)] | None = None
    """When a `NoExecute` taint was added, such as `2026-11-21T04:40:00Z`. Kubernetes sets it; only NodePools accept it."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        pair, colon, effect = value.rpartition(":")
        if not (colon and pair) or (effect not in get_args(Effect) and has_secret_form(value)):  # a part of a token has no form of its own
            raise PydanticCustomError("taint", "must be `key=value:Effect`")
        key, _, of = pair.partition("=")
        return {"key": key, "value": of, "effect": effect}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """An object, or its one-line form. The description is that of both."""
        written = handler(schema)
        described = {key: written.pop(key) for key in ("description",) if key in written}  # not under -OO
        return {**described, "anyOf": [{"type": "string", "description": "key=value:Effect"}, written]}

    @classmethod
    def parse(cls, text: str) -> "Taint":
        """Parses `key=value:Effect` or `key:Effect`.

        Raises:
            DeclarationError: the text has another form, or the effect is unknown.
        """
        try:
            return cls.model_validate(text)
        except ValidationError as error:
            raise refusal(error, cls, {}) from None

    @property
    def is_hard(self) -> bool:
        """Pods that do not tolerate it cannot be scheduled."""
        return self.effect != "PreferNoSchedule"

    def toleration(self) -> dict[str, str]:
        """The toleration that a pod spec needs for this taint."""
        asks = {"operator": "Equal", "value": self.value} if self.value else {"operator": "Exists"}
        return {"key": self.key, **asks, "effect": self.effect}

    def __str__(self) -> str:
        return f"{self.key}{'=' if self.value else ''}{self.value}:{self.effect}"

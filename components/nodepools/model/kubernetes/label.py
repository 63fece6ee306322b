"""Label syntax of Kubernetes, the label with the pool key, and taints of nodes."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, Field, GetJsonSchemaHandler, ValidationError, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.invalid_parts import refusal
from nodepools.model.redaction import has_secret_form

POOL_LABEL = "nodepools/name"
"""Label with the pool key, on every node of every pool. It does not change when the pool is rotated."""

DEPRECATED_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
        "beta.kubernetes.io/arch": "kubernetes.io/arch",
        "beta.kubernetes.io/os": "kubernetes.io/os",
        "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    }
)
"""Deprecated labels, by the label that Karpenter reads them as (`NormalizedLabels`)."""

_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DNS = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_KEY = re.compile(rf"((?P<domain>{_DNS})/)?{_NAME}")
_DOMAIN_LENGTH = 253
_MANY = 10_000
"""Keys and values that are remembered: workloads have the same ones."""
_ZONE = re.compile(r"(?P<ec2>[a-z]{2,3}(-[a-z]+)+-[0-9])([a-z]|-[a-z0-9-]+)|(?P<azure>[a-z0-9]+)-[0-9]")


def is_namespace(text: str) -> bool:
    """`text` can be the name of a namespace: a DNS label."""
    return re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", text) is not None


def is_object_name(text: str) -> bool:
    """`text` can be the name of an object such as a service account: labels of DNS with dots between them, at most 253 characters."""
    return len(text) <= _DOMAIN_LENGTH and re.fullmatch(_DNS, text) is not None


@lru_cache(maxsize=_MANY)
def is_key(text: str) -> bool:
    """A qualified name: `team`, or `example.com/team` with a DNS subdomain of at most 253 characters and a name of at most 63."""
    match = _KEY.fullmatch(text)
    return match is not None and len(match["domain"] or "") <= _DOMAIN_LENGTH


@lru_cache(maxsize=_MANY)
def is_value(text: str) -> bool:
    """Empty, or at most 63 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit."""
    return text == "" or re.fullmatch(_NAME, text) is not None


def domain(key: str) -> str:
    """The part before the slash; empty without a slash."""
    return key.rpartition("/")[0]


def current_label(key: str) -> str:
    """The label that Karpenter reads a key as: deprecated ones are read as those that replaced them."""
    return DEPRECATED_LABELS.get(key, key)


def region_of_zone(zone: str) -> str:
    """The region in the name of a zone of EC2 (`us-east-1a`, `us-east-1-bos-1a`) or Azure (`westeurope-1`); empty: it does not say."""
    match = _ZONE.fullmatch(zone)
    return (match["ec2"] or match["azure"]) if match is not None else ""


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

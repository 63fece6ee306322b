"""Labels and taints of nodes, and Karpenter's requirements: the allowed values of a label, as a set that can be intersected.

Semantics follow Karpenter's scheduling library (`pkg/scheduling`) and are tested against it; see docs/facts/eks.md § 4.1.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, Field, GetJsonSchemaHandler, ValidationError, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.invalid_parts import refusal
from nodepools.model.redaction import has_secret_form
from nodepools.model.values import dataclass

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


def zone_ids_of(region: str) -> str:
    """How the IDs of the zones of an EC2 region begin: `use1` of `us-east-1`, `apne2` of `ap-northeast-2`."""
    country, *words = region.replace("central", "c").split("-")
    return country + "".join(word[0] + word[5:6] for word in words)


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


class Operator(StrEnum):
    """How a requirement restricts the values of one label."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GT = "Gt"
    LT = "Lt"
    GTE = "Gte"
    LTE = "Lte"


@dataclass(frozen=True, slots=True)
class Values:
    """The allowed values of one label: a finite set, or everything except a finite set, within integer bounds.

    `Values()` is "any value"; a finite empty set is "the label must be absent".
    """

    members: frozenset[str] = frozenset()
    complement: bool = True
    minimum: int | None = None
    maximum: int | None = None

    @classmethod
    def of(cls, operator: Operator, values: Iterable[str] = ()) -> "Values":
        """Reads a requirement of a NodePool or of a pod's node affinity."""
        members = frozenset(values)
        match operator:
            case Operator.IN:
                return cls(members, complement=False)
            case Operator.NOT_IN:
                return cls(members)
            case Operator.EXISTS:
                return cls()
            case Operator.DOES_NOT_EXIST:
                return cls(complement=False)
            case _:
                return cls._bounded(operator, members)

    @classmethod
    def _bounded(cls, operator: Operator, members: frozenset[str]) -> "Values":
        bound = integer(next(iter(members), ""))
        if bound is None or len(members) != 1:
            raise ValueError(f"{operator} needs one integer, not {sorted(members)}")
        match operator:
            case Operator.GT:
                return cls(minimum=bound + 1)
            case Operator.LT:
                return cls(maximum=bound - 1)
            case Operator.GTE:
                return cls(minimum=bound)
            case _:
                return cls(maximum=bound)

    @property
    def absent(self) -> bool:
        """No value is allowed: the label must not be on the node."""
        return not self.complement and not self.members

    @property
    def permits_absence(self) -> bool:
        """A node without the label satisfies this (`NotIn` with values, `DoesNotExist`)."""
        return self.absent or (self.complement and bool(self.members))

    def __contains__(self, value: str) -> bool:
        return (value in self.members) is not self.complement and self._in_bounds(value)

    def __and__(self, other: "Values") -> "Values":
        minimum = max((b for b in (self.minimum, other.minimum) if b is not None), default=None)
        maximum = min((b for b in (self.maximum, other.maximum) if b is not None), default=None)
        if minimum is not None and maximum is not None and minimum > maximum:
            return ABSENT
        if self.complement and other.complement:
            return Values(self.members | other.members, minimum=minimum, maximum=maximum)
        bounds = Values(minimum=minimum, maximum=maximum)
        finite = self if other.complement else other
        return Values(frozenset(v for v in finite.members if v in self and v in other and v in bounds), complement=False)

    def overlaps(self, other: "Values") -> bool:
        """Some value satisfies both."""
        both = self & other
        return both.complement or bool(both.members)

    def above(self, known: Iterable[str]) -> int | None:
        """The greatest of some numbers, if only greater ones are allowed; otherwise `None`."""
        last = max((number for value in known if (number := integer(value)) is not None), default=None)
        return None if last is None or any(value in self for value in known) or not self.overlaps(Values(minimum=last + 1)) else last

    def _in_bounds(self, value: str) -> bool:
        if self.minimum is None and self.maximum is None:
            return True
        number = integer(value)
        return number is not None and (self.minimum is None or number >= self.minimum) and (self.maximum is None or number <= self.maximum)


ABSENT = Values(complement=False)
GENERATIONS: Final = ("eks.amazonaws.com/instance-generation", "karpenter.k8s.aws/instance-generation", "karpenter.azure.com/sku-version")


def integer(text: str) -> int | None:
    """Parses an integer as Go's `strconv.Atoi` does: ASCII digits with an optional sign, within 64 bits; otherwise `None`."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why two sets of requirements cannot both be met: the label and the values of each side (`None`: no requirement)."""

    key: str
    offered: Values | None
    needed: Values


class Requirements(dict[str, Values]):
    """The requirements of a pool or a pod by label key. A label that is missing here is not restricted."""

    def merged(self, other: Mapping[str, Values]) -> "Requirements":
        """Both sets together; two requirements on one label are intersected."""
        both = Requirements(self)
        for key, values in other.items():
            both[key] = both[key] & values if key in both else values
        return both

    def conflicts(self, requested: "Requirements", well_known: frozenset[str] = frozenset()) -> Iterable[Conflict]:
        """The conflicts between `needed` and a pool with the requirements `self`.

        A label that the pool does not set is compatible only if the needed values permit absence, or if it is well-known: those depend on the
        instance type.
        """
        for key, want in requested.items():
            offer = self.get(key)
            if offer is None:
                if key not in well_known and not want.permits_absence:
                    yield Conflict(key, None, want)
            elif not offer.overlaps(want) and not (offer.permits_absence and want.permits_absence):
                yield Conflict(key, offer, want)

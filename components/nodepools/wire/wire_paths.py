"""Paths in the model and on the wire, and spellings of field names, each derived from another."""

import re
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from nodepools.model.steps import Step

if TYPE_CHECKING:
    from nodepools.wire.effects import Change
    from nodepools.wire.table import AnyRow


_PLURAL: Final = re.compile(r"([A-Z])([A-Z]+)s(?![a-z])")
_UPPER_RUN: Final = re.compile(r"([A-Z]+)([A-Z][a-z])")
_WORD_END: Final = re.compile(r"([a-z0-9])([A-Z])")
_KEYS: Final = frozenset(
    {"logAnalyticsWorkspaceResourceID", "useAADAuth", "azureKeyvaultSecretsProvider", "enableSecretRotation", "rotationPollInterval"}
)
"""Keys of mappings: names of add-ons, and their settings. They are not arguments, so every dialect spells them as the API does."""


@cache
def folded(name: str) -> str:
    """The name without its spelling: capitals and separators. The API has `max-node-provision-time`, `az` has `maxNodeProvisionTime`."""
    return name.replace("_", "").replace("-", "").lower()


@cache
def python_name(wire: str) -> str:
    """The Python spelling of azure-native for a name of Azure's API: `enable_fips` for `enableFIPS`. A test compares it with the SDK."""
    if wire == "resourceName":
        return "resource_name_"  # `resource_name` is Pulumi's own
    if wire in _KEYS:
        return wire
    wire = _PLURAL.sub(lambda run: run[1] + run[2].lower() + "s", wire)
    return _WORD_END.sub(r"\1_\2", _UPPER_RUN.sub(r"\1_\2", wire)).lower()


def camel(field: str) -> str:
    """`maxPods` for `max_pods`."""
    first, *rest = field.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Entry(Enum):
    """A step that matches any entry: by index, or by a name that only one side has."""

    NUMBER = 0
    NAMED_ON_THE_WIRE = 1
    NAMED_IN_THE_MODEL = 2


Pattern: TypeAlias = tuple[Step | Entry, ...]


class FieldPath(NamedTuple):
    """One place on both sides. `wire` is empty for a field that is never sent, `model` for an argument without a field."""

    model: Pattern
    wire: Pattern
    change: "Change | None"
    row: "AnyRow"
    alike: bool = False
    """Keys and indices inside are the same on both sides."""
    names: Callable[[Any], list[Any]] | None = None
    """The names of the entries, in order, from the list or mapping on the wire."""
    default: object = None
    """The cloud default, as it is on the wire."""
    since: str = ""
    """The first version of the API that has it; empty if the one that the SDKs send by default has it."""

    @property
    def whole(self) -> bool:
        """It is a field, not an entry of one."""
        return not any(isinstance(step, Entry) for step in (*self.model, *self.wire))


@cache
def path(wire: str) -> tuple[str, ...]:
    """The steps of `powerState.code`."""
    return tuple(wire.split(".")) if wire else ()

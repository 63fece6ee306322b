"""Spellings of field names, each derived from another."""

import re
from functools import cache
from typing import Final

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

"""The information about the policies that the engine reads."""

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Final, cast

from pulumi.runtime.proto.analyzer_pb2 import (
    ADVISORY,
    DISABLED,
    MANDATORY,
    POLICY_TYPE_RESOURCE,
    POLICY_TYPE_STACK,
    REMEDIATE,
    AnalyzerInfo,
    EnforcementLevel,
    PolicyConfigSchema,
    PolicyInfo,
)

from nodepools.engine.property_values import JsonValue, struct_of
from nodepools.pack.policy import Level, Policy, Scope

LEVELS: Final = {Level.ADVISORY: ADVISORY, Level.MANDATORY: MANDATORY, Level.REMEDIATE: REMEDIATE, Level.DISABLED: DISABLED}
"""The numbers of the levels in the protocol."""
_SCOPES: Final = {Scope.RESOURCE: POLICY_TYPE_RESOURCE, Scope.STACK: POLICY_TYPE_STACK}

_LINK: Final = re.compile(r"https://\S+")


def level_of(number: EnforcementLevel.ValueType) -> Level:
    """Returns a level by its number."""
    return next(level for level, listed in LEVELS.items() if listed == number)


def information(name: str, policies: Iterable[Policy]) -> AnalyzerInfo:
    """Returns the description of a pack and its policies."""
    return AnalyzerInfo(
        name=name,
        displayName="AKS and EKS node pools",
        description="The rules of nodepools, and policies of an organization, for any Pulumi program",
        version=version("nodepools"),
        supportsConfig=True,
        policies=[_policy(policy) for policy in policies],
    )


def _policy(policy: Policy) -> PolicyInfo:
    return PolicyInfo(
        name=policy.name,
        displayName=policy.title,
        description=policy.description,
        enforcementLevel=LEVELS[policy.level],
        configSchema=PolicyConfigSchema(properties=struct_of(cast("Mapping[str, JsonValue]", policy.settings))),
        policy_type=_SCOPES[policy.scope],
        url=link[0].rstrip(":,") if (link := _LINK.match(policy.source)) is not None else "",
    )

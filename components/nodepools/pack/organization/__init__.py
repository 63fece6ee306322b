"""Policies that an organization switches on, and gives settings to."""

import inspect
from typing import Final

from nodepools.pack.organization.clusters import (
    IsolatedSystemPools,
    KubernetesVersionSupport,
    NoPlainKubeconfig,
    PrivateApiServer,
    RequiredLabels,
    RequiredTags,
    ZoneRedundantSystemPools,
)
from nodepools.pack.organization.sizes import (
    AllowedInstanceFamilies,
    AllowedVmSizes,
    ConsolidateAfter,
    MaximumVcpus,
    NodePoolLimits,
    NoSpotOnlyProduction,
)
from nodepools.pack.policy import Level, Policy, PolicyFunction, Scope, settings_of


def _policy(name: str, function: type[PolicyFunction], level: Level) -> Policy:
    return Policy(
        name=name,
        description=inspect.cleandoc(function.__doc__ or ""),
        level=level,
        function=function.model_validate,
        settings=settings_of(function),
        scope=Scope.STACK if function.of_stack is not PolicyFunction.of_stack else Scope.RESOURCE,
        remedies=function.remedy is not PolicyFunction.remedy,
        source="policy of the organization",
    )


ORGANIZATION: Final = (
    # Off until the configuration turns them on.
    _policy("isolated-system-pools", IsolatedSystemPools, Level.DISABLED),
    _policy("zone-redundant-system-pools", ZoneRedundantSystemPools, Level.DISABLED),
    _policy("node-pool-limits", NodePoolLimits, Level.DISABLED),
    _policy("private-api-server", PrivateApiServer, Level.DISABLED),
    _policy("kubernetes-version-support", KubernetesVersionSupport, Level.DISABLED),
    # On, without effect until they have settings.
    _policy("allowed-vm-sizes", AllowedVmSizes, Level.MANDATORY),
    _policy("allowed-instance-families", AllowedInstanceFamilies, Level.MANDATORY),
    _policy("maximum-vcpus", MaximumVcpus, Level.MANDATORY),
    _policy("no-spot-only-production", NoSpotOnlyProduction, Level.MANDATORY),
    _policy("required-tags", RequiredTags, Level.MANDATORY),
    _policy("required-labels", RequiredLabels, Level.MANDATORY),
    _policy("consolidate-after", ConsolidateAfter, Level.MANDATORY),
    # Always on.
    _policy("no-plain-kubeconfig", NoPlainKubeconfig, Level.MANDATORY),
)
"""In the order of the guide."""

"""Overrides of an AKS cluster that rules check. All others are passed to Azure unchecked."""

from collections.abc import Iterator, Mapping
from typing import cast

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.rules.aks.engines import CHECKED_INSIDE
from nodepools.rules.aks.monitoring import agent_alone
from nodepools.rules.nap.compatibility import EXCLUDED_BY_PROVISIONING


def checked_aks_overrides(part: object) -> frozenset[str]:
    """The arguments in `overrides` of an AKS cluster that rules check completely; none of another part."""
    return frozenset(_checked(part)) if isinstance(part, AksClusterArgs) else frozenset()


def _checked(cluster: AksClusterArgs) -> Iterator[str]:
    if cluster.node_provisioning is not None:
        yield from EXCLUDED_BY_PROVISIONING
    if agent_alone(cluster):
        yield "addon_profiles"
    for name, inside in CHECKED_INSIDE.items():
        value = cluster.overrides.get(name)
        if isinstance(value, Mapping) and cast("Mapping[str, object]", value).keys() <= inside:
            yield name

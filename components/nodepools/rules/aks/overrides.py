"""Overrides of an AKS cluster that rules check, and the version of the API that it is sent with."""

from collections.abc import Iterator, Mapping
from typing import cast

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.rules.aks.monitoring import agent_alone
from nodepools.rules.aks.network import CHECKED_INSIDE
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.registry import DECLARED_FIELDS, Sample, finding, rule
from nodepools.rules.engine.samples import aks
from nodepools.rules.nap.compatibility import EXCLUDED_BY_PROVISIONING


@rule(
    "AKS350",
    Severity.ERROR,
    source="azure-native lists the versions that it can send; wheels of azure-mgmt-containerservice, one for each GA version",
    sample=Sample("api_version", lambda: aks(api_version="2026-02-30")),
    limits=(DECLARED_FIELDS,),
)
def version_that_cannot_be_sent(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The version of the API is a GA version that the installed azure-native can send."""
    if cluster.api_version is None:
        return
    from nodepools.data.argument_types import aks_versions, azure_native, installed_versions  # a table that other declarations do not need

    version, sendable = cluster.api_version, installed_versions()
    if version in sendable and version in aks_versions():
        return
    if version in aks_versions():
        message = f"{azure_native()} cannot send version {version} of the API of AKS: {sendable[-1]} is the newest that it can send"
    else:
        message = f"`{version}` is not a GA version of the API of AKS from {aks_versions()[0]} to {aks_versions()[-1]}"
    known = [one for one in aks_versions() if one in sendable]
    yield finding(cluster, message, path=("api_version",), fix=f"Set one of {', '.join(known)}")


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

"""What a request to the AKS API can have: fields of its version, and the overrides that rules check; all others are passed to Azure unchecked."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import cast

from nodepools.model.aks.agent_pool import AgentPool, Machines
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import UserPool
from nodepools.model.base import Model
from nodepools.rules.aks.monitoring import agent_alone
from nodepools.rules.aks.network import CHECKED_INSIDE
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import remove
from nodepools.rules.engine.registry import API_VERSIONS, Sample, finding, rule
from nodepools.rules.engine.samples import SIZE
from nodepools.rules.nap.compatibility import EXCLUDED_BY_PROVISIONING
from nodepools.wire.aks.agent_pool import AUTOSCALED_MACHINES, POOL
from nodepools.wire.rows import Row


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


@rule(
    "AKS344",
    Severity.ERROR,
    source="azure-mgmt-containerservice 41.0 to 41.8 (2026-10): the first API version with each field; pulumi-azure-native sends one version",
    sample=Sample("artifact_streaming", lambda: UserPool(vm_size=SIZE, artifact_streaming=True)),
    limits=(API_VERSIONS,),
)
def field_of_a_newer_api_version(part: AgentPool | Machines) -> Iterator[PartFinding]:
    """A field that is newer than the version of the AKS API that the installed azure-native sends is not sent."""
    if part.scale is not None and (isinstance(part, Machines) or getattr(part, "machines", None) is not None):
        yield _newer(part, "scale", "the autoscaler for single virtual machines", AUTOSCALED_MACHINES)
    for field, row in _newer_of_pools() if isinstance(part, AgentPool) else ():
        value = getattr(part, field, None)
        if value is not None and (since := row.since_of(value)):
            yield _newer(part, field, f"{ref(field)} ({literal(value)})" if not row.since else ref(field), since)


def _newer(part: Model, field: str, what: str, since: str) -> PartFinding:
    from nodepools.data.argument_types import Source  # reads a table that other declarations do not need

    message = f"{what[0].upper()}{what[1:]} needs version {since} of the AKS API: {Source.AZURE.origin} does not send it"
    return finding(part, message, path=field, value=getattr(part, field), fix=remove(field))


@cache
def _newer_of_pools() -> tuple[tuple[str, Row], ...]:
    """The fields of pools that the default version of the API does not have, or not with every value."""
    return tuple((row.field, row) for row in POOL.rows if isinstance(row, Row) and (row.since or row.words_since))

"""What a request to the AKS API can have: its version, the fields of that version, and the overrides that rules check."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import cast

from nodepools.model.aks.agent_pool import AgentPool, Machines, UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.path import path_text
from nodepools.model.steps import Steps, scalars
from nodepools.rules.aks.monitoring import agent_alone
from nodepools.rules.aks.network import CHECKED_INSIDE
from nodepools.rules.engine.finding import PartFinding, literal, ref, remove
from nodepools.rules.engine.registry import API_VERSIONS, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import SIZE, aks
from nodepools.rules.nap.cluster import EXCLUDED_BY_PROVISIONING
from nodepools.wire.aks.agent_pool import AUTOSCALED_MACHINES, POOL
from nodepools.wire.aks.cluster import CLUSTER as AKS_CLUSTER
from nodepools.wire.rows import Row
from nodepools.wire.table import Table


@error("AKS350", "azure-native lists the versions that it can send; wheels of azure-mgmt-containerservice, one for each GA version")
@limited(API_VERSIONS)
@sample("api_version", lambda: aks(api_version="2026-02-30"))
def version_that_cannot_be_sent(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The version of the API is a GA version that the installed azure-native can send."""
    if cluster.api_version is None:
        return
    from nodepools.data.argument_types import aks_versions, azure_native, installed_versions, newer_version  # a table that is read on demand

    version, sendable = cluster.api_version, installed_versions()
    if (version in sendable and version in aks_versions()) or newer_version(version):
        return
    if version in aks_versions():
        message = f"{azure_native()} cannot send version {version} of the API of AKS: {sendable[-1]} is the newest that it can send"
    else:
        message = f"`{version}` is not a GA version of the AKS API that `nodepools` knows"
    known = [one for one in aks_versions() if one in sendable]
    yield finding(cluster, message, path=("api_version",), fix=f"Set {ref('api_version')} to one of {', '.join(known)}")


@warning("AKS381", "wheels of azure-mgmt-containerservice, one for each GA version of the API")
@limited(API_VERSIONS)
@sample("api_version", lambda: aks(api_version="2099-01-01"))
def newer_api_version(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A version of the API that is newer than the table of `nodepools` is sent as it is, and its fields are not checked."""
    if cluster.api_version is None:
        return
    from nodepools.data.argument_types import azure_native, installed_versions, newer_version  # a table that other declarations do not need

    known = newer_version(cluster.api_version)
    if known:
        sent = "can send it" if cluster.api_version in installed_versions() else f"sends at most {installed_versions()[-1]}"
        message = f"AKS API {cluster.api_version} is {known}: its fields are unchecked; {azure_native()} {sent}"
        yield finding(cluster, message, path="api_version")


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
        if isinstance(value, Mapping) and all(_is_in(steps, inside) for steps, _ in scalars(cast("object", value))):
            yield name


def _is_in(steps: Steps, paths: Iterable[str]) -> bool:
    return any(f"{path_text(steps)}.".startswith(f"{path}.") for path in paths)


@error("AKS344", "azure-mgmt-containerservice 41.0 to 41.8 (2026-10): the first API version with each field; pulumi-azure-native sends one version")
@limited(API_VERSIONS)
@sample("artifact_streaming", lambda: UserPool(vm_size=SIZE, artifact_streaming=True))
def field_of_a_newer_api_version(part: AgentPool | Machines | AksClusterArgs, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """A field that is newer than the version of the AKS API with which the cluster is sent is not sent."""
    sender = part if isinstance(part, AksClusterArgs) else cluster
    version = sender.api_version if sender is not None and sender.api_version is not None else ""
    of_machines = isinstance(part, Machines) or getattr(part, "machines", None) is not None
    if of_machines and _held(part, ("scale",)) is not None and version < AUTOSCALED_MACHINES:
        yield _newer(part, ("scale",), "The autoscaler for single virtual machines", (AUTOSCALED_MACHINES, version))
    for steps, row in () if isinstance(part, Machines) else _newer_fields(AKS_CLUSTER if isinstance(part, AksClusterArgs) else POOL):
        value = _held(part, steps)
        if value is not None and (since := row.since_of(value)) > version:
            what = f"{ref(steps)} ({literal(value)})" if not row.since else ref(steps)
            yield _newer(part, steps, what, (since, version))


def _newer(part: Model, steps: Steps, what: str, versions: tuple[str, str]) -> PartFinding:
    """With the version that is needed and the one that is sent, empty for the default."""
    from nodepools.data.argument_types import installed_versions, lacks  # a table that other declarations do not need

    since, version = versions
    fix = f"Set {ref('api_version')} of the cluster to `{since}`, or remove {ref(steps)}" if since in installed_versions() else remove(steps)
    return finding(part, f"{what} {lacks(since, version)}", path=steps, value=_held(part, steps), fix=fix)


@cache
def _newer_fields(table: Table) -> tuple[tuple[Steps, Row], ...]:
    """The fields that the default version of the API does not have, or not with every value."""
    ways = ((way.model, way.row) for way in table.leaves if way.model and way.model[0] != "system_pool")
    return tuple((cast("Steps", model), row) for model, row in ways if isinstance(row, Row) and (row.since or row.words_since))


def _held(part: Model, steps: Steps) -> object:
    """The value of a field; `None` without one, or without a part that it is in."""
    held: object = part
    for step in steps:
        held = getattr(held, str(step), None)
    return held

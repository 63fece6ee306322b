"""Settles imported resources: their inputs become what the cloud has, in the shape of what the program sends."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nodepools.changes.request import AGENT_POOL, AKS_CLUSTER
from nodepools.model.plain_data import mapping, sequence
from nodepools.state.deployment import Recorded, State
from nodepools.state.projection import Path, differing, projected

_COMPARING: Final = ("azure-native:", "kubernetes:")
"""Providers that compare the inputs of a program with those of the state. The provider of AWS compares with what AWS has."""


@dataclass(frozen=True, slots=True)
class Settled:
    """An imported resource."""

    resource: Recorded
    inputs: Mapping[str, object]
    """Its new inputs."""
    changes: tuple[Path, ...]
    """What a first `pulumi up` changes."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """A state that is settled."""

    state: Mapping[str, object]
    settled: tuple[Settled, ...]
    undeclared: tuple[Recorded, ...]
    """Imported resources that the program does not register: `pulumi up` would delete them."""
    forgotten: tuple[Recorded, ...]
    """Resources of interrupted creations that the state has now."""


def settled(state: State, registered: Mapping[str, Mapping[str, object]]) -> Settlement:
    """Settles all imported resources. `registered` has the inputs that the program sends, by URN.

    What the cloud does not return of a resource whose creation was interrupted is what that creation sent.
    """
    known = state.by_urn()
    imported = sorted((one for one in known.values() if one.is_imported and not one.type.startswith("pulumi:")), key=lambda one: one.urn)
    over = [one for one in state.pending if one.operation == "creating" and one.resource.urn in known]
    created = {one.resource.urn: one.resource.inputs for one in over}
    found = [
        _settled(one, registered[one.urn], {**created.get(one.urn, {}), **_observed(one, known)})
        for one in imported
        if one.urn in registered and one.type.startswith(_COMPARING)
    ]
    entries = {one.resource.urn: {**one.resource.entry, "inputs": one.inputs} for one in found}
    left = [one for one in state.pending if one not in over]
    undeclared = tuple(one for one in imported if one.urn not in registered)
    return Settlement(state.replaced(entries, left), tuple(found), undeclared, tuple(one.resource for one in over))


def _settled(one: Recorded, sent: Mapping[str, object], observed: Mapping[str, object]) -> Settled:
    inputs = mapping(projected(sent, observed))
    return Settled(one, inputs, tuple(differing(sent, inputs)))


def _observed(one: Recorded, known: Mapping[str, Recorded]) -> Mapping[str, object]:
    """What the cloud has. The inputs of the import are in the program's spelling; of custom resources, they have only the name."""
    if one.type == AGENT_POOL:
        return {**one.inputs, **_pool_type(one, known)}
    return {**one.inputs, **one.outputs} if one.type.startswith("kubernetes:") else one.inputs


def _pool_type(pool: Recorded, known: Mapping[str, Recorded]) -> Mapping[str, object]:
    """The type of a pool. Its own response has the type of the resource under that name; the response of its cluster has both."""
    listed = [
        mapping(profile)
        for cluster in known.values()
        if cluster.type == AKS_CLUSTER and pool.id.lower().startswith(f"{cluster.id.lower()}/agentpools/")
        for profile in sequence(cluster.outputs.get("agentPoolProfiles"))
    ]
    name = pool.id.rpartition("/")[2]
    found = [{"type": profile["type"]} for profile in listed if profile.get("name") == name and "type" in profile]
    return found[0] if found else {}

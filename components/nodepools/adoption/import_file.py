"""The entries of import files: what a declaration registers, with the ids that the resources have.

Objects inside a cluster are in a second file: the Pulumi CLI writes a state that it cannot read if a provider and its parent are imported together.
"""

from collections.abc import Iterator, Mapping

from nodepools.adoption.adopted import Adopted
from nodepools.changes.request import CLUSTER
from nodepools.model.kubernetes.raw_fields import mapping
from nodepools.wire.eks.kubeconfig import kubeconfig

_IN_CLUSTER = "kubernetes:"
_PROVIDER = "pulumi:providers:kubernetes"


def import_entries(platform: str, adopted: Adopted) -> Iterator[Mapping[str, object]]:
    """Yields the component of the cluster, and each resource outside the cluster that exists.

    The names of the component and of its cluster are equal, so the entry of the cluster has another handle, and its name as `logicalName`.
    """
    parent = f"{platform}-{adopted.key}"
    yield {"type": adopted.component, "name": parent, "component": True}
    for one in adopted.compared:
        resource = one.request.resource
        if one.import_id is None or resource.type.startswith(_IN_CLUSTER):
            continue
        if one.request.subject == CLUSTER:
            yield {"type": resource.type, "name": f"{resource.name}-cluster", "parent": parent, "logicalName": resource.name, "id": one.import_id}
        else:
            yield {"type": resource.type, "name": resource.name, "parent": parent, "id": one.import_id}


def object_entries(platform: str, adopted: Adopted) -> list[Mapping[str, object]]:
    """The objects inside the cluster that exist, after the provider for them; nothing if there are none."""
    parent = f"{platform}-{adopted.key}"
    provider = f"{parent}-kubernetes"
    objects: list[Mapping[str, object]] = [
        {"type": one.request.resource.type, "name": one.request.resource.name, "id": one.import_id, "parent": parent, "provider": provider}
        for one in adopted.compared
        if one.import_id is not None and one.request.resource.type.startswith(_IN_CLUSTER)
    ]
    return [{"type": _PROVIDER, "name": provider, "parent": parent, "inputs": _provider_inputs(adopted)}, *objects] if objects else []


def component_urn(platform: str, adopted: Adopted, stack: str, project: str) -> str:
    """The URN of the component, which is in the state when objects are imported."""
    return f"urn:pulumi:{stack}::{project}::{adopted.component}::{platform}-{adopted.key}"


def _provider_inputs(adopted: Adopted) -> dict[str, object]:
    """The cluster, and its kubeconfig if it follows from the export. Without one, the provider uses the current context of `kubectl`."""
    described = adopted.described
    authority = mapping(described, "certificateAuthority").get("data")
    made: dict[str, object] = {"clusterIdentifier": adopted.observed.name}
    if isinstance(authority, str) and isinstance(described.get("endpoint"), str):
        region = str(adopted.declared["region"])
        made["kubeconfig"] = kubeconfig(adopted.observed.name, str(described["endpoint"]), authority, region)
    return made

"""The entries of import files: what a declaration registers, with the ids that the resources have.

Objects inside a cluster are in a second file: the Pulumi CLI writes a state that it cannot read if a provider and its parent are imported together.
"""

from collections.abc import Iterator, Mapping

from nodepools.adoption.adopted import Adopted
from nodepools.adoption.provider_versions import versioned
from nodepools.clouds.request import CLUSTER
from nodepools.model.kubernetes.raw_fields import mapping
from nodepools.wire.eks.kubeconfig import kubeconfig

_PROVIDER = "pulumi:providers:kubernetes"


def import_entries(platform: str, adopted: Adopted) -> Iterator[Mapping[str, object]]:
    """Yields the component of the cluster, and each resource outside the cluster that exists.

    The names of the component and of its cluster are equal, so the entry of the cluster has another handle, and its name as `logicalName`.
    """
    parent = f"{platform}-{adopted.key}"
    yield {"type": adopted.component, "name": parent, "component": True}
    for one in adopted.compared:
        resource = one.request.resource
        if one.import_id is None or one.is_object:
            continue
        names = {"name": f"{resource.name}-cluster", "logicalName": resource.name} if one.request.subject == CLUSTER else {"name": resource.name}
        yield {"type": resource.type, **names, "parent": parent, "id": one.import_id, **versioned(resource.type)}


def object_entries(platform: str, adopted: Adopted) -> list[Mapping[str, object]]:
    """The objects inside the cluster that exist, after the provider for them; nothing if there are none."""
    parent = f"{platform}-{adopted.key}"
    provider = f"{parent}-kubernetes"
    objects: list[Mapping[str, object]] = [
        {"type": found.type, "name": found.name, "id": one.import_id, "parent": parent, "provider": provider, **versioned(found.type)}
        for one in adopted.compared
        for found in (one.request.resource,)
        if one.import_id is not None and one.is_object
    ]
    made = {"type": _PROVIDER, "name": provider, "parent": parent, "inputs": _provider_inputs(adopted), **versioned(_PROVIDER)}
    return [made, *objects] if objects else []


def _provider_inputs(adopted: Adopted) -> dict[str, object]:
    """The cluster, and its kubeconfig if it follows from the export. Without one, the provider uses the current context of `kubectl`."""
    described = adopted.observed.described
    authority = mapping(described, "certificateAuthority").get("data")
    made: dict[str, object] = {"clusterIdentifier": adopted.observed.name}
    if isinstance(authority, str) and isinstance(described.get("endpoint"), str):
        region = str(adopted.declared["region"])
        made["kubeconfig"] = kubeconfig(adopted.observed.name, str(described["endpoint"]), authority, region)
    return made

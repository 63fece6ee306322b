"""The entries of an import file: what a declaration registers, with the ids that the resources have in Azure."""

from collections.abc import Iterator, Mapping

from nodepools.adoption.adopted import Adopted
from nodepools.changes.request import CLUSTER


def import_entries(platform: str, adopted: Adopted) -> Iterator[Mapping[str, object]]:
    """Yields the component of the cluster, and each resource that exists.

    The names of the component and of its cluster are equal, so the entry of the cluster has another handle, and its name as `logicalName`.
    """
    parent = f"{platform}-{adopted.key}"
    yield {"type": adopted.component, "name": parent, "component": True}
    for one in adopted.compared:
        resource = one.request.resource
        if one.import_id is None:
            continue
        if one.request.subject == CLUSTER:
            yield {"type": resource.type, "name": f"{resource.name}-cluster", "parent": parent, "logicalName": resource.name, "id": one.import_id}
        else:
            yield {"type": resource.type, "name": resource.name, "parent": parent, "id": one.import_id}

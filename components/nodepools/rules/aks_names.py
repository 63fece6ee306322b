"""Names in Azure of the clusters of a platform: each can exist once."""

from collections.abc import Hashable, Iterator

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.platform import Platform
from nodepools.model.ref import Ref
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks, platform
from nodepools.wire.aks.cluster import cluster_name, node_group_name

_NODES = "https://learn.microsoft.com/azure/aks/faq: the node resource group cannot be an existing resource group"


@rule(
    "AKS237",
    Severity.ERROR,
    source=f"Azure Resource Manager: names are unique in a resource group, regardless of case; {_NODES}",
    sample=lambda: platform(weu=aks(node_resource_group="shop-nodes"), neu=aks(node_resource_group="shop-nodes", network={"cidr": "10.60.0.0/16"})),
)
def duplicate_azure_name(declared_cluster: Platform) -> Iterator[PartFinding]:
    """A resource group can have one cluster of a name, and a subscription one resource group of a name."""
    names: dict[Hashable, str] = {}
    groups: dict[Hashable, str] = {}
    for key, cluster in declared_cluster.clusters.items():
        if not isinstance(cluster, AksClusterArgs):
            continue
        stem = declared_cluster.stem(key)
        group = _resource_group(cluster, stem)
        name, nodes = cluster_name(cluster, stem), node_group_name(cluster, stem)
        first = names.setdefault((cluster.subscription_id, group, name.lower()), key) if group is not None else key
        if first != key:
            message = f"`{key}` and `{first}` have the same name `{name}` in the same resource group: AKS would update one cluster for both"
            yield finding(
                declared_cluster, message, path=_place(key, cluster, "name"), value=name, fix=f"Set {ref(('clusters', key, 'name'))} to another name"
            )
        first = groups.setdefault((cluster.subscription_id, nodes.lower()), key)
        if first != key:
            message = f"AKS rejects a second cluster with the node resource group `{nodes}`, which `{first}` has too"
            fix = f"Remove {ref(('clusters', key, 'node_resource_group'))}, or use another name"
            yield finding(declared_cluster, message, path=_place(key, cluster, "node_resource_group"), value=nodes, fix=fix)


def _resource_group(cluster: AksClusterArgs, stem: str) -> str | None:
    """The name of the cluster's resource group in lower case; `None` if it is not known before deployment."""
    group: Ref = cluster.resource_group if cluster.resource_group is not None else stem
    return group.lower() if isinstance(group, str) else None


def _place(key: str, cluster: AksClusterArgs, field: str) -> tuple[str, ...]:
    """The path of the field if it is set, otherwise that of the cluster, whose key makes the name."""
    return ("clusters", key, field) if getattr(cluster, field) is not None else ("clusters", key)

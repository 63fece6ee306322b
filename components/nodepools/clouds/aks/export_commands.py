"""The commands that export an AKS cluster."""

from collections.abc import Iterator
from shlex import quote

from nodepools.clouds.export_place import Place, kubectl, words
from nodepools.model.aks.cluster import AksClusterArgs


def aks_commands(cluster: AksClusterArgs, place: Place) -> Iterator[str]:
    """The cluster, its pools, its maintenance configurations and its objects. A resource group that another stack creates is a variable."""
    name = cluster.name if cluster.name is not None else place.stem
    group = cluster.resource_group if cluster.resource_group is not None else place.stem
    of_group = quote(group) if isinstance(group, str) else '"$RESOURCE_GROUP"'
    account = ["--subscription", str(cluster.subscription_id)] if cluster.subscription_id is not None else []
    rest = words(["-o", "json", *account])
    for command, option, file in (
        ("show", "--name", "show"),
        ("nodepool list", "--cluster-name", "nodepool-list"),
        ("maintenanceconfiguration list", "--cluster-name", "maintenanceconfiguration-list"),
    ):
        yield f"az aks {command} --resource-group {of_group} {option} {quote(name)} {rest} > {place.folder}/{file}.json"
    kinds = "nodepools,aksnodeclasses,nodes" if cluster.node_provisioning is not None else "nodes"
    yield kubectl(kinds, name, place)

"""AKS clusters that exist, from what the Azure CLI prints, in its spelling and in that of REST, recognized by content: with pools and maintenance."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, cast

from nodepools.clouds.existing_objects import NotExportError, ObjectExport, Objects, UnrecognizedError, WithObjects, exported_twice, more_pages
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.listing import saved
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, replace
from nodepools.wire.aks.cluster_context import cluster_name, node_group_name, resource_group_name
from nodepools.wire.karpenter import AKS_NODE_CLASS
from nodepools.wire.table import Written

_ID: Final = re.compile(
    r"/subscriptions/(?P<subscription>[^/]+)/resourcegroups/(?P<group>[^/]+)/providers/microsoft\.containerservice"
    r"/managedclusters/(?P<cluster>[^/]+)(?P<inside>/(?:agentpools|maintenanceconfigurations))?(?(inside)/(?P<child>[^/]+))",
    re.IGNORECASE,
)
_CLUSTERS: Final = "microsoft.containerservice/managedclusters"


_NOT_RECOGNIZED: Final = (
    "is not recognized: use what `az aks show`, `az aks nodepool list`, `aws eks describe-cluster`, `aws eks describe-access-entry` "
    "or `kubectl get nodepools,nodeclasses -o yaml` print"
)


class Kind(Enum):
    """What an export is about."""

    CLUSTER = _CLUSTERS
    POOL = f"{_CLUSTERS}/agentpools"
    CONFIGURATION = f"{_CLUSTERS}/maintenanceconfigurations"


@dataclass(frozen=True, slots=True)
class ClusterId:
    """The place of a cluster in Azure."""

    subscription: str
    group: str
    name: str

    def __str__(self) -> str:
        """The id as azure-native spells it."""
        beginning = f"/subscriptions/{self.subscription}/resourceGroups/{self.group}"
        return f"{beginning}/providers/Microsoft.ContainerService/managedClusters/{self.name}"

    @property
    def folded(self) -> str:
        """The id without case: Azure ignores case in ids, and exports spell one id in several ways."""
        return str(self).lower()


@dataclass(frozen=True, slots=True)
class Export:
    """One resource of an export."""

    kind: Kind
    cluster: ClusterId
    name: str
    written: Written
    source: str


def exports(value: object, source: str) -> Iterator[Export]:
    """Yields the resources in the value of one file: one resource, a list, or a page of REST.

    Raises:
        NotExportError: something else is in the file.
    """
    if isinstance(value, Mapping):
        written = cast("Written", value)
        page = written.get("value")
        if not isinstance(page, list) or "id" in written:
            yield _export(written, source)
            return
        incomplete = more_pages(written)
        if incomplete is not None:
            raise NotExportError(incomplete)
        yield from exports(cast("object", page), source)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in cast("Sequence[object]", value):
            if not isinstance(item, Mapping):
                raise UnrecognizedError("is not a list of resources, which are mappings with an `id` and a `type`")
            yield _export(cast("Written", item), source)
    else:
        raise UnrecognizedError("is not an export: use what `az aks show`, `aws eks describe-cluster` or `kubectl get -o yaml` print")


def _export(written: Written, source: str) -> Export:
    """The id says what it is: maintenance configurations of the API have no `type`."""
    match = _ID.fullmatch(str(written.get("id")))
    kind = None if match is None else Kind(_CLUSTERS if match["inside"] is None else f"{_CLUSTERS}{match['inside'].lower()}")
    of_type = written.get("type")
    if match is None or kind is None or (of_type is not None and str(of_type).lower() != kind.value):
        raise UnrecognizedError(_NOT_RECOGNIZED)
    cluster = ClusterId(match["subscription"], match["group"], match["cluster"])
    return Export(kind, cluster, match["child"] if match["child"] is not None else match["cluster"], _flat(written), source)


def _flat(written: Written) -> Written:
    """The spelling of `az`: what REST has in `properties` is at the top, where `type` of a pool is `typePropertiesType`."""
    properties = written.get("properties")
    if not isinstance(properties, Mapping):
        return written
    inside = dict(cast("Written", properties))
    pool_type = inside.pop("type", None)
    outside = {name: value for name, value in written.items() if name != "properties"}
    return {**inside, **({"typePropertiesType": pool_type} if pool_type is not None else {}), **outside}


_NODE_GROUP: Final = re.compile(r"azure:///subscriptions/[^/]+/resourcegroups/(?P<group>[^/]+)/", re.IGNORECASE)
"""The id of a node. AKS writes the names of resource groups in lower case there."""
_CLUSTER_LABEL: Final = "kubernetes.azure.com/cluster"
"""The label with the node resource group."""
_LONGEST_LABEL: Final = 63
_SCALE_SET: Final = "VirtualMachineScaleSets"


@dataclass(frozen=True, slots=True)
class ExistingAksCluster(WithObjects):
    """Everything that was exported about one cluster."""

    id: ClusterId
    described: Written
    """The cluster as `az aks show` prints it."""
    pools: Mapping[str, Written]
    """By name, in the order of the export."""
    configurations: Mapping[str, Written]
    outside: Mapping[str, str]
    """Pools that cannot be declared, and why."""
    objects: tuple[ObjectExport, ...] = ()

    @property
    def name(self) -> str:
        """The name in Azure."""
        return self.id.name

    @property
    def place(self) -> str:
        """What tells it from other clusters of its name."""
        return self.id.group

    @property
    def hosted(self) -> Written:
        """What it says of system nodes that AKS runs in a subscription of its own; nothing if it has none."""
        profile = mapping(self.described.get("hostedSystemProfile"))
        return profile if profile.get("enabled") is True else {}

    @property
    def first_pool(self) -> str | None:
        """The system pool that is declared inside of the cluster."""
        return next((name for name, pool in self.pools.items() if pool.get("mode") == "System" and pool.get("osType") == "Linux"), None)


def agent_pools_in(found: Iterable[Export]) -> Mapping[str, Mapping[str, Export]]:
    """The agent pools of each cluster, by its folded id and their names: those that were listed, then the others that the cluster shows."""
    pools: dict[str, dict[str, Export]] = {}
    clusters: dict[str, Export] = {}
    for one in found:
        if one.kind is Kind.POOL:
            pools.setdefault(one.cluster.folded, {})[one.name] = one
        elif one.kind is Kind.CLUSTER:
            clusters[one.cluster.folded] = one
    for folded, one in clusters.items():
        known = pools.setdefault(folded, {})
        for pool in _inline_pools(one):
            known.setdefault(pool.name, pool)
    return pools


def _inline_pools(shown: Export) -> Iterator[Export]:
    """The pools that `az aks show` lists, in the spelling of `az aks nodepool list`."""
    for profile in map(mapping, sequence(shown.written.get("agentPoolProfiles"))):
        written = {"typePropertiesType": profile.get("type"), **{name: value for name, value in profile.items() if name != "type"}}
        yield replace(shown, kind=Kind.POOL, name=str(profile.get("name", "")), written=written)


def clusters_of(found: Iterable[Export]) -> tuple[list[ExistingAksCluster], list[str]]:
    """Returns the clusters, and what is wrong with the rest: pools and configurations whose cluster was not exported."""
    every = list(found)
    clusters = {one.cluster.folded: one for one in every if one.kind is Kind.CLUSTER}
    pools = agent_pools_in(every)
    orphans = [one for kind in (Kind.POOL, Kind.CONFIGURATION) for one in every if one.kind is kind and one.cluster.folded not in clusters]
    wrong = [f"{one.source}: `{one.name}` is of the cluster `{one.cluster.name}`, which is in no file. {saved('`az aks show`')}" for one in orphans]
    listed = {(one.cluster.folded, one.name) for one in every if one.kind is Kind.POOL}
    with_list = {folded for folded, _ in listed}
    wrong += [
        f"{one.source}: shows the pool `{pool.name}`, which the list of pools lacks: export `az aks show` and `az aks nodepool list` again"
        for folded, one in clusters.items()
        if folded in with_list
        for pool in _inline_pools(one)
        if (folded, pool.name) not in listed
    ]
    configurations = [one for one in every if one.kind is Kind.CONFIGURATION]
    wrong += exported_twice((one.kind.value, one.cluster.folded, one.name, one.written, one.source) for one in every)
    return [_cluster(one, pools[folded], configurations) for folded, one in clusters.items()], wrong


def _cluster(shown: Export, pools: Mapping[str, Export], configurations: Iterable[Export]) -> ExistingAksCluster:
    why = {name: _cannot(one.written) for name, one in pools.items()}
    return ExistingAksCluster(
        shown.cluster,
        shown.written,
        {name: one.written for name, one in pools.items() if why[name] is None},
        {one.name: one.written for one in configurations if one.cluster.folded == shown.cluster.folded},
        {f"agent pool {name}": reason for name, reason in why.items() if reason is not None},
    )


def _cannot(pool: Written) -> str | None:
    if pool.get("mode") not in ("System", "User", "Gateway"):
        return f"no class declares pools with the mode `{pool.get('mode')}`"
    if pool.get("typePropertiesType", _SCALE_SET) != _SCALE_SET:
        return f"`adopt` declares scale sets only, and its type is `{pool.get('typePropertiesType')}`"
    return None


def holds_aks(cluster: ExistingAksCluster, objects: Objects) -> bool | None:
    """Tells whether the objects are in the cluster; `None` if they do not say. The id of a node has the node resource group of its cluster."""
    if objects.clouds - {AKS_NODE_CLASS}:
        return False
    group = cluster.described.get("nodeResourceGroup")
    if not objects.provider_ids or not isinstance(group, str):
        return None
    return any(f"/resourcegroups/{group.lower()}/" in node.lower() for node in objects.provider_ids)


@dataclass(frozen=True, slots=True)
class AksIdentity:
    """What tells a declared cluster from others in exports."""

    name: str
    group: str | None
    """Its resource group; `None` if only the program knows it."""
    node_group: str
    subscription: str | None

    def is_called(self, existing: object) -> bool:
        """The output of Azure is about this cluster, as far as the declaration says where it is."""
        return (
            isinstance(existing, ClusterId)
            and existing.name.lower() == self.name.lower()
            and (self.group is None or existing.group.lower() == self.group.lower())
            and (self.subscription is None or existing.subscription.lower() == self.subscription.lower())
        )

    def holds(self, objects: Objects) -> bool | None:
        """Tells whether objects are in it: ids and labels of nodes have the node resource group of their cluster. `None` if they do not say."""
        if objects.clouds - {AKS_NODE_CLASS} or any(not provider_id.startswith("azure://") for provider_id in objects.provider_ids):
            return False
        groups = [match["group"] for provider_id in objects.provider_ids if (match := _NODE_GROUP.match(provider_id)) is not None]
        labels = [label.lower() for one in objects.found if isinstance(label := one.labels.get(_CLUSTER_LABEL), str)]
        if not groups and not labels:
            return None
        own = self.node_group.lower()
        return all(group.lower() == own for group in groups) and all(
            label == own or (len(label) == _LONGEST_LABEL and own.startswith(label)) for label in labels
        )


def aks_identity(cluster: AksClusterArgs, stem: str, /) -> AksIdentity:
    """The identity of a declared cluster."""
    return AksIdentity(cluster_name(cluster, stem), resource_group_name(cluster, stem), node_group_name(cluster, stem), cluster.subscription_id)

"""Reconstructs AKS clusters of any program from resources: each cluster with its inline and separate pools, and the objects in it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import CONFIGURATIONS, MaintenanceConfigurations
from nodepools.model.aks.network import ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.aks.node_provisioning import CAS_BLOCK, NAP_BLOCK, NodeProvisioning
from nodepools.model.aks.pools import SystemPool
from nodepools.model.base import FrozenDict
from nodepools.model.unknowns import assembled, partial, unread
from nodepools.resources.aks_cluster_inputs import maintenance_window, managed_cluster
from nodepools.resources.aks_pool_inputs import agent_pool, pool_key
from nodepools.resources.applicability import OF_ALL_OBJECTS, OF_SEPARATE_POOLS
from nodepools.resources.kubernetes_objects import Object, with_objects
from nodepools.resources.logs import agent_is_alone
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import Kind
from nodepools.resources.resource_set import Members
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation, Steps, in_resource_terms
from nodepools.rules.finding import Finding
from nodepools.wire.aks.agent_pool import INLINE, POOL
from nodepools.wire.aks.cluster import CLUSTER
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.aks.network import EXISTING
from nodepools.wire.table import Table

_OWNER = ("resourceName", "resourceName")
"""The input that names the cluster: in its parts, and in the cluster."""
_SUBNETS: Final = {"vnet_subnet_id": "subnet_id", "pod_subnet_id": "pod_subnet_id"}
"""Fields of the first pool, and the fields of the cluster's network that they set."""


@dataclass(frozen=True, slots=True)
class _Pool:
    key: str
    pool: AgentPool | None
    place: SourceLocation
    rejected: Sequence[Finding]

    @property
    def rejections(self) -> list[tuple[SourceLocation, Finding]]:
        """The findings that AKS is guaranteed to reject, in the terms of the resource."""
        return [(self.place, in_resource_terms(self.place, finding)) for finding in self.rejected]

    def at(self, *steps: str) -> SourceLocation:
        return SourceLocation(steps, self.place.urn, self.place.table, self.place.at)


def aks_clusters(members: Members, applied: Mapping[str, Sequence[Object]]) -> Iterator[ReconstructedCluster]:
    """Yields every cluster, and every pool of an unknown cluster. `applied` maps the URN of a cluster to the objects in it."""
    for resource in members.of(Kind.AKS_CLUSTER):
        yield _cluster(members, resource, applied.get(resource.urn, ()))
    for resource in members.unowned(Kind.AGENT_POOL, Kind.AKS_CLUSTER, *_OWNER):
        one = _separate(resource)
        yield ReconstructedCluster(one.pool, [one.place], one.rejections)


def _cluster(members: Members, resource: Resource, objects: Sequence[Object]) -> ReconstructedCluster:
    separate, all_pools = members.owned(Kind.AGENT_POOL, resource, *_OWNER)
    pools = [*_inline(resource), *map(_separate, separate)]
    rejected = [rejection for pool in pools for rejection in pool.rejections]
    cluster = managed_cluster(resource.inputs, agent_alone=agent_is_alone(members, resource))
    first = next((pool for pool in pools if isinstance(pool.pool, SystemPool) and pool.place.at), None)
    if cluster is None:
        return ReconstructedCluster(None, [], rejected)
    others = _keyed([pool for pool in pools if pool is not first])
    places = [SourceLocation((), resource.urn, CLUSTER), _window_place(resource)]
    if first is not None:
        places += [first.at("system_pool"), SourceLocation(("network",), resource.urn, EXISTING, first.place.at)]
    places += [item.at("pools", key) for key, item in others.items()]
    version = cluster.kubernetes_version if "kubernetes_version" not in unread(cluster) else None
    read = {key: _following(item.pool, version) for key, item in others.items() if item.pool is not None}
    system = cast("SystemPool", first.pool) if first is not None and first.pool is not None else cluster.system_pool
    hidden = set[str]() if first is not None else {"system_pool"}
    hidden |= set() if all_pools and _are_listed(resource) and all(pool.pool is not None for pool in pools) else {"pools"}
    cluster = partial(assembled(cluster, system_pool=system, pools=FrozenDict(read), network=_network(first)), hidden)
    cluster, windows = _maintained(members, resource, cluster)
    cluster, inside = _provisioned(cluster, objects, is_stack=members.is_stack)
    skipped = {**(OF_ALL_OBJECTS if cluster_provisions(cluster) else {}), **({} if separate else OF_SEPARATE_POOLS)}
    return ReconstructedCluster(cluster, [*places, *windows, *inside], rejected, skipped)


def _window_place(resource: Resource) -> SourceLocation:
    """Returns the input that findings about `maintenance` point to: only declarations have that field, and node auto provisioning requires it."""
    return SourceLocation(("maintenance",), resource.urn, Table(), ("nodeProvisioningProfile", "mode"))


def cluster_provisions(cluster: AksClusterArgs) -> bool:
    """Tells whether the cluster has node auto provisioning, or can have it."""
    return "node_provisioning" in unread(cluster) or cluster.node_provisioning is not None


def _inline(resource: Resource) -> Iterator[_Pool]:
    profiles = resource.inputs.get("agentPoolProfiles")
    for index, profile in enumerate(cast("Sequence[object]", profiles) if isinstance(profiles, list | tuple) else ()):
        if isinstance(profile, Mapping):
            yield _pool(resource, cast("Mapping[str, object]", profile), INLINE, ("agentPoolProfiles", index))


def _are_listed(resource: Resource) -> bool:
    """Tells whether every inline pool of the cluster is known."""
    profiles = resource.inputs.get("agentPoolProfiles")
    return isinstance(profiles, list | tuple) and all(isinstance(profile, Mapping) for profile in cast("Sequence[object]", profiles))


def _separate(resource: Resource) -> _Pool:
    return _pool(resource, resource.inputs, POOL)


def _pool(resource: Resource, written: Mapping[str, object], table: Table, path: Steps = ()) -> _Pool:
    place = SourceLocation((), resource.urn, table, path)
    made, findings = agent_pool(written, table)
    name = written.get("name" if place.at else "agentPoolName")
    key = pool_key(written)
    return _Pool(key if key is not None else name if isinstance(name, str) else resource.name, made, place, findings)


def _keyed(pools: Iterable[_Pool]) -> dict[str, _Pool]:
    """Returns the pools by key. Two generations can have the same key: the second one gets a key of its own."""
    found: dict[str, _Pool] = {}
    for pool in pools:
        found[pool.key if pool.key not in found else f"{pool.key} of {pool.place.urn}{pool.place.at}"] = pool
    return found


def _following(pool: AgentPool, version: str | None) -> AgentPool:
    """Returns the pool without its Kubernetes version if it is the cluster's: the pool then follows the cluster."""
    same = "kubernetes_version" not in unread(pool) and pool.kubernetes_version == version
    return assembled(pool, kubernetes_version=None) if same else pool


def _network(first: _Pool | None) -> ExistingAksNetwork | ManagedAksNetwork:
    """Returns the network of the first pool. If the pool names no subnet, AKS creates the network."""
    pool = first.pool if first is not None else None
    if pool is not None and "vnet_subnet_id" not in unread(pool) and pool.vnet_subnet_id is None:
        return ManagedAksNetwork()
    known = {to: getattr(pool, of) for of, to in _SUBNETS.items() if pool is not None and of not in unread(pool) and getattr(pool, of) is not None}
    missing = set[str]() if "subnet_id" in known else {"subnet_id"}
    missing |= {to for of, to in _SUBNETS.items() if pool is None or of in unread(pool)}
    return partial(ExistingAksNetwork.model_validate({"subnet_id": "unknown", **known}), missing)


def _maintained(members: Members, resource: Resource, cluster: AksClusterArgs) -> tuple[AksClusterArgs, list[SourceLocation]]:
    own, are_all = members.owned(Kind.MAINTENANCE, resource, *_OWNER)
    windows: dict[str, object] = {}
    places: list[SourceLocation] = []
    for member in own:
        field = CONFIGURATIONS.get(str(member.inputs.get("configName")))
        window = maintenance_window(member.inputs)
        are_all = are_all and field is not None and window is not None
        if field is not None and window is not None:
            windows[field] = window
            places.append(SourceLocation(("maintenance_configurations", field), member.urn, CONFIGURATION))
    made = assembled(MaintenanceConfigurations(), **windows)
    return partial(assembled(cluster, maintenance_configurations=made), () if are_all else ("maintenance_configurations",)), places


def _provisioned(cluster: AksClusterArgs, objects: Sequence[Object], *, is_stack: bool) -> tuple[AksClusterArgs, list[SourceLocation]]:
    auto = None if "node_provisioning" in unread(cluster) else cluster.node_provisioning
    if auto is None:
        return cluster, []
    auto, places = with_objects(auto, objects, "node_provisioning")
    if not is_stack:
        auto = partial(auto, ("node_pools", "node_classes"))
    return assembled(cluster, node_provisioning=assembled(auto, with_cluster_autoscaler=_separates_autoscalers(cluster, auto))), places


def _separates_autoscalers(cluster: AksClusterArgs, auto: NodeProvisioning) -> bool:
    """Tells whether a pool has a taint that separates Karpenter from the cluster autoscaler: its user has registered the preview feature."""
    agent_pools = [pool for pool in cast("Mapping[str, AgentPool]", vars(cluster)["pools"]).values() if "taints" not in unread(pool)]
    node_pools = [pool for pool in vars(auto)["node_pools"].values() if "taints" not in unread(pool)]
    keys = {taint.key for pool in (*agent_pools, *node_pools) for taint in pool.taints if not unread(taint)}
    return not keys.isdisjoint({CAS_BLOCK.key, NAP_BLOCK.key})

"""What an AKS cluster sends: the cluster, its network, its pools, its maintenance windows, and the objects inside it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from nodepools.changes.aks_monitoring_requests import monitoring_requests
from nodepools.changes.change import ResourceName
from nodepools.changes.karpenter_requests import AKS, Site, class_request, pool_request, resolved
from nodepools.changes.request import AGENT_POOL, AKS_CLUSTER, MAINTENANCE, NETWORK, POOL, SUBNET, Key, Request
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.aks.pools import RETIRING, SystemPool
from nodepools.model.ref import Ref
from nodepools.model.steps import Steps
from nodepools.wire.aks.agent_pool import POOL as POOL_TABLE
from nodepools.wire.aks.agent_pool import Around
from nodepools.wire.aks.around import ClusterAround, KubeletIds
from nodepools.wire.aks.cluster import CLUSTER as CLUSTER_TABLE
from nodepools.wire.aks.generation import SYSTEM, generations, subnet_name
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.aks.network import NODES, VIRTUAL_NETWORK, AroundNetwork, subnets
from nodepools.wire.aks.network import SUBNET as SUBNET_TABLE
from nodepools.wire.aks.node_class import NODE_CLASS
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.writing import write

_NETWORK_TYPES = ("azure-native:network:VirtualNetwork", "azure-native:network:Subnet")
_KUBELET = KubeletIds("its kubelet identity")
"""Stands for the identity that is created for nodes."""
_ADDRESS = "address of its NAT gateway"
_MAINTENANCE_TYPE = "azure-native:containerservice:MaintenanceConfiguration"


def aks_requests(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    """Every resource that has a table, in the order of registration."""
    network = tuple(_network(cluster, site))
    yield from network
    used = subnet, pod_subnet = _subnet(cluster, SYSTEM, cluster.system_pool), _pod_subnet(cluster)
    system = Around(SYSTEM, None, subnet, cluster.tags, pod_subnet)
    sent = write(CLUSTER_TABLE, cluster, ClusterAround(site.stem, cluster, "its identity", system, _KUBELET, _egress(cluster)), resolve=resolved)
    name = ResourceName(AKS_CLUSTER, site.stem)
    needs = _subnets_needed(used, site) | frozenset(request.key for request in network if request.subject == NETWORK)
    decided = {
        "identityProfile": [((*site.steps, "registries"), [resolved(registry) for registry in cluster.registries])],
        "addonProfiles.omsagent": _workspaces(cluster, site),
    }
    yield Request(site.cluster, site.key, site.steps, name, CLUSTER_TABLE, sent, "AksClusterArgs", needs, cluster.overrides, decided_by=decided)
    yield from _maintenance(cluster, site)
    yield from _pools(cluster, site)
    yield from monitoring_requests(cluster, site)
    yield from _objects(cluster, site)


def _workspaces(cluster: AksClusterArgs, site: Site) -> list[tuple[Steps, object]]:
    """The two fields that turn on Container Insights."""
    long, short = cluster.logs.workspace if cluster.logs is not None else None, cluster.log_analytics_workspace_id
    fields: list[tuple[Steps, Ref | None]] = [(("logs", "workspace"), long), (("log_analytics_workspace_id",), short)]
    return [((*site.steps, *field), None if value is None else resolved(value)) for field, value in fields]


def _network(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    network = cluster.applied_network
    if not isinstance(network, AksNetworkArgs):
        return
    steps, whole = (*site.steps, "network"), (site.key, NETWORK, "")
    made = {**write(VIRTUAL_NETWORK, network, AroundNetwork(site.stem, cluster.location)), "tags": dict(cluster.tags)}
    decided = {
        "location": [((*site.steps, "location"), cluster.location)],
        "tags": [((*site.steps, "tags"), cluster.tags)],
        "addressSpace": [((*steps, name), getattr(network, name)) for name in ("cidr", "cidr_v6")],
    }
    yield Request(whole, site.key, steps, ResourceName(_NETWORK_TYPES[0], site.stem), VIRTUAL_NETWORK, made, decided_by=decided)
    ranges = [((*steps, name), getattr(network, name)) for name in ("node_subnet_cidr", "cidr", "cidr_v6")]
    gateway = "its NAT gateway" if network.nat is not None else None
    routes = resolved(network.route_table_id) if network.route_table_id is not None else None
    egress = {"natGateway": [((*steps, "nat"), gateway)], "routeTable": [((*steps, "route_table_id"), routes)]}
    before: list[Key] = [whole]
    for name, subnet in subnets(network).items():
        sent = write(SUBNET_TABLE, network, replace(subnet, gateway_id=gateway, route_table_id=routes))
        resource = ResourceName(_NETWORK_TYPES[1], f"{site.stem}-{name}")
        key = (site.key, SUBNET, name)
        decided_by = {"addressPrefix": ranges, "addressPrefixes": ranges, **egress}
        yield Request(key, site.key, steps, resource, SUBNET_TABLE, sent, needs=frozenset(before), decided_by=decided_by)
        before.append(key)


def _egress(cluster: AksClusterArgs) -> tuple[str, ...]:
    nat = cluster.network.nat if isinstance(cluster.network, AksNetworkArgs) else None
    return (_ADDRESS,) * nat.addresses if nat is not None else ()


def _subnets_needed(used: Iterable[object], site: Site) -> frozenset[Key]:
    """The keys of new subnets; an existing one has no request, and nothing waits for it."""
    return frozenset((site.key, SUBNET, name) for name in used if isinstance(name, str))


def _maintenance(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    for name, window in cluster.applied_maintenance.by_name().items():
        sent, resource = write(CONFIGURATION, window), ResourceName(_MAINTENANCE_TYPE, f"{site.stem}-{name}")
        steps = (*site.steps, "maintenance_configurations", name)
        yield Request((site.key, MAINTENANCE, name), site.key, steps, resource, CONFIGURATION, sent, needs=frozenset({site.cluster}))


def _pools(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    """Each pool needs its subnet, and all pools before it, because AKS rejects a second pool operation while one runs."""
    before: list[Key] = [site.cluster]
    for one in generations(cluster):
        key = (site.key, POOL, one.key, *(["previous"] if one.is_previous else []))
        taints = (RETIRING,) if one.is_previous else ()
        around = Around(
            one.key, cluster.kubernetes_version, _subnet(cluster, one.key, one.pool), cluster.tags, _pod_subnet(cluster), more_taints=taints
        )
        steps = (*site.steps, "pools", one.key, *(["previous"] if one.is_previous else []))
        yield Request(
            key,
            f"{site.key}/{one.key}",
            steps,
            ResourceName(AGENT_POOL, f"{site.stem}-{one.name}"),
            POOL_TABLE,
            write(POOL_TABLE, one.pool, around, resolve=resolved),
            type(one.pool).__name__,
            frozenset(before) | _subnets_needed((_subnet(cluster, one.key, one.pool), _pod_subnet(cluster)), site),
            one.pool.overrides,
            retained=isinstance(one.pool, SystemPool) and one.pool.retain,
        )
        before.append(key)


def _objects(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    for key, declared in cluster.node_classes.items():
        sent = merge_overrides(write(NODE_CLASS, declared, resolve=resolved), declared.overrides)
        yield class_request(site, ("node_provisioning", "node_classes", key), key, AKS, sent)
    for name, pool in cluster.applied_node_pools.items():
        yield pool_request(site, ("node_provisioning", "node_pools", name), pool, AKS)


def _subnet(cluster: AksClusterArgs, key: str, pool: AgentPool) -> object:
    """The subnet of a pool: its id, or the name of a new one."""
    if pool.vnet_subnet_id is not None:
        return resolved(pool.vnet_subnet_id)
    network = cluster.network
    if not isinstance(network, AksNetworkArgs):
        return resolved(network.subnet_id)
    return subnet_name(key, network.pool_subnets[key]) if key in network.pool_subnets else NODES


def _pod_subnet(cluster: AksClusterArgs) -> object:
    network = cluster.network
    if not isinstance(network, AksNetworkArgs):
        return resolved(network.pod_subnet_id)
    return subnet_name("pods", network.pod_subnet_cidr) if network.pod_subnet_cidr is not None else None

"""What an AKS cluster sends: the cluster, its network, its pools, its maintenance windows, its roles, and the objects inside it.

The name of a resource stands for its id. Nothing is read back: a resource group or an identity that exists is a field of the cluster. Roles are
removed with the value that they are assigned for, also where AKS keeps it: aks/identity.py and aks/role_assignments.py assign them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.clouds.change import (
    AGENT_POOL,
    AKS_CLUSTER,
    AZURE_NETWORK,
    CLUSTER,
    GROUP,
    MAINTENANCE,
    MANAGED_IDENTITY,
    NETWORK,
    OWN_IDENTITY,
    POOL,
    SUBNET,
    Change,
    Key,
    Request,
    Requests,
    ResourceName,
    overlap,
    written_value,
)
from nodepools.clouds.karpenter_requests import AKS, Site, class_request, pool_request, resolved
from nodepools.clouds.reasons import LOST_RIGHTS, OTHER_PACKAGE
from nodepools.model.aks.agent_pool import RETIRING, AgentPool, SystemPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.monitoring import ManagedPrometheus
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.name_limits import azure_name
from nodepools.model.platform import Platform
from nodepools.model.ref import Ref
from nodepools.model.steps import Steps, sequence
from nodepools.model.values import dataclass, replace
from nodepools.wire.aks.agent_pool import POOL as POOL_TABLE
from nodepools.wire.aks.agent_pool import AgentPoolContext
from nodepools.wire.aks.cluster import CLUSTER as CLUSTER_TABLE
from nodepools.wire.aks.cluster_context import SYSTEM_ASSIGNED, AksClusterContext, KubeletIds
from nodepools.wire.aks.generation import SYSTEM, generations, subnet_name
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.aks.monitoring import MONITORING, log_rule, metrics_rule
from nodepools.wire.aks.network import NODES, VIRTUAL_NETWORK, NetworkContext, subnets
from nodepools.wire.aks.network import SUBNET as SUBNET_TABLE
from nodepools.wire.aks.node_class import NODE_CLASS
from nodepools.wire.aks.sources import IN_PLACE, PATH, REPLACED
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.reading import write
from nodepools.wire.rows import Note
from nodepools.wire.table import Effect, Table, camel

_ASSIGNED: Final = "Role assignments of the identity are created or deleted; nodes stay"
_SOURCE: Final = "docs/facts/aks.md § 9; § 4: G19, AKS keeps a value that is no longer sent"


def with_rights(old: Platform, new: Platform, requests: Requests, found: Iterable[Change]) -> list[Change]:
    """The changes, and what they do to roles: a value without a change can have one, and a value that AKS keeps can lose it."""
    every = [_with_reason(change) for change in found]
    for key in old.clusters.keys() & new.clusters.keys():
        before, after = old.clusters[key], new.clusters[key]
        if isinstance(before, AksClusterArgs) and isinstance(after, AksClusterArgs):
            for field, had, gets in _differing(_rights(before), _rights(after)):
                every = list(_told(every, ("clusters", key, *field), requests, (had, gets)))
    return every


_NAT: Final = ("network", "nat")
_NEW_GATEWAY: Final = "Nodes stay; another gateway with other public addresses replaces it: open connections break, and lists of addresses are wrong"
_FEWER_ADDRESSES: Final = "Nodes stay; public addresses of the gateway are deleted: open connections through them break"
_GATEWAY_GONE: Final = "Nodes stay; the gateway and its public addresses are deleted: open connections break"
_GATEWAY_ADDED: Final = "Nodes stay; new connections use the gateway and its addresses, and open ones break"
_GATEWAY_SOURCE: Final = "https://learn.microsoft.com/azure/aks/nat-gateway; docs/facts/aks.md"


def _of_gateway(change: Change) -> str:
    """What pods notice if the NAT gateway of a new network changes; empty if they notice nothing."""
    if change.steps[2:] == _NAT:
        return _GATEWAY_GONE if change.new is None else _GATEWAY_ADDED
    match change.steps[4:], change.old, change.new:
        case ("zone",), _, _:
            return _NEW_GATEWAY
        case ("addresses",), int(old), int(new) if new < old:
            return _FEWER_ADDRESSES
        case _:
            return ""


def _with_reason(change: Change) -> Change:
    """Another NAT gateway breaks connections. Another version of the API: not known, unless both are the default."""
    if change.steps[2:4] == _NAT and change.effect is Effect.IN_PLACE and (noticed := _of_gateway(change)):
        return replace(change, effect=Effect.IN_PLACE_PODS, message=noticed, source=_GATEWAY_SOURCE)
    if change.resource.type != AKS_CLUSTER or change.steps[-1:] != ("api_version",):
        return change
    from nodepools.data.argument_types import sendable_versions  # a table that other changes do not need

    if {change.old, change.new} <= {None, sendable_versions()[0]}:
        return replace(change, effect=Effect.NONE, message="Nothing changes: it is the default version")
    return replace(change, effect=Effect.UNKNOWN, message=OTHER_PACKAGE)


def _told(every: Sequence[Change], place: Steps, requests: Requests, values: tuple[object, object]) -> Iterator[Change]:
    near = [change for change in every if change.resource.type == AKS_CLUSTER and overlap(change.steps, place)]
    part = place[:-1] if len(place) > len(("clusters", "weu", "private_dns_zone")) else place
    for change in every:
        is_lost = values[1] is None and change.effect is Effect.IGNORED and overlap(change.steps, part)
        yield replace(change, effect=Effect.UNKNOWN, message=LOST_RIGHTS, source=_SOURCE) if is_lost else change
    if all(change.effect in (Effect.NONE, Effect.IGNORED) for change in near):
        cluster = next(iter(requests.of(str(place[1]), CLUSTER)))
        yield Change(cluster.at, place, *values, Effect.IN_PLACE, _ASSIGNED, _SOURCE, cluster.resource)


def _differing(before: Mapping[Steps, object], after: Mapping[Steps, object]) -> Iterator[tuple[Steps, object, object]]:
    yield from ((field, before[field], after[field]) for field in before if before[field] != after[field])


def _rights(cluster: AksClusterArgs) -> Mapping[Steps, object]:
    """What the identities have roles on, by the field that names it."""
    is_created = cluster.identity is None
    cache = cluster.image_cache.registry_id if cluster.image_cache is not None and cluster.creates_kubelet_identity else None
    key, provider, profile = cluster.etcd_key, cluster.key_vault_provider, cluster.network_profile
    balancer = profile.load_balancer if profile.outbound_type == "loadBalancer" else None
    zone = cluster.private_dns_zone if cluster.private_dns_zone not in ("system", "none") else None
    subnet = cluster.api_server_subnet_id if cluster.network_rights == "subnets" else None
    own: dict[Steps, object] = {
        ("private_dns_zone",): zone,
        ("disk_encryption_set_id",): cluster.disk_encryption_set_id,
        ("api_server_subnet_id",): subnet,
        ("etcd_key", "vault_id"): key.vault_id if key is not None else None,
        ("network_profile", "load_balancer", "outbound_ip_ids"): balancer.outbound_ip_ids if balancer is not None else (),
        ("network_profile", "load_balancer", "outbound_ip_prefix_ids"): balancer.outbound_ip_prefix_ids if balancer is not None else (),
    }
    return {
        **{field: written_value(named) if is_created and named else None for field, named in own.items()},
        ("image_cache", "registry_id"): written_value(cache) if cache is not None else None,
        ("key_vault_provider", "vaults"): written_value(provider.vaults) if provider is not None and provider.enabled and provider.vaults else None,
    }


def group_name(cluster: AksClusterArgs, stem: str) -> object:
    """The declared resource group, otherwise the new one, which has the name of the component."""
    return cluster.resource_group if cluster.resource_group is not None else stem


GROUP_TABLE: Final = Table(
    Note("derived", "resourceGroupName", PATH, "the name of the component"),
    Note("derived", "location", REPLACED, "the region of the cluster"),
    Note("derived", "tags", IN_PLACE, "the tags of the cluster"),
)
"""A new ResourceGroup for a cluster."""
IDENTITY_TABLE: Final = Table(
    Note("derived", "resourceName", PATH, "the name of the component"),
    Note("derived", "resourceGroupName", PATH, "the resource group of the cluster"),
    Note("derived", "location", REPLACED, "the region of the cluster"),
    Note("derived", "tags", IN_PLACE, "the tags of the cluster"),
)
"""A new UserAssignedIdentity, of a cluster or of its nodes."""


_NETWORK_TYPES = (AZURE_NETWORK, "azure-native:network:Subnet")
_KUBELET = KubeletIds("its kubelet identity")
"""Stands for the identity that is created for nodes."""
_ADDRESS = "address of its NAT gateway"
_MAINTENANCE_TYPE = "azure-native:containerservice:MaintenanceConfiguration"
_IDENTITY_TYPE = "azure-native:managedidentity:UserAssignedIdentity"


def aks_requests(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    """Every resource that has a table, in the order of registration. Azure reads `West Europe` as `westeurope`, and so does its provider."""
    for request in _requests(cluster, site):
        place = request.sent.get("location")
        yield replace(request, sent={**request.sent, "location": azure_name(place)}) if isinstance(place, str) else request


def _requests(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    yield from _group(cluster, site)
    network = tuple(_network(cluster, site))
    yield from network
    identities = tuple(_identities(cluster, site))
    yield from identities
    used = subnet, pod_subnet = _subnet(cluster, SYSTEM, cluster.system_pool) if cluster.system_pool is not None else None, _pod_subnet(cluster)
    system = AgentPoolContext(SYSTEM, None, subnet, cluster.tags, pod_subnet)
    around = AksClusterContext(site.stem, cluster, _identity(cluster), system, _KUBELET, _egress(cluster))
    sent = {**write(CLUSTER_TABLE, cluster, around, resolve=resolved), "resourceGroupName": resolved(group_name(cluster, site.stem))}
    name = ResourceName(AKS_CLUSTER, site.stem)
    networks = (request for request in network if request.subject == NETWORK)
    needs = _subnets_needed(used, site) | _in_group(cluster, site) | frozenset(request.key for request in (*networks, *identities))
    decided = {
        **_decided_by_group(cluster, site),
        "identity": [((*site.steps, "identity"), cluster.identity)],
        "identityProfile": [((*site.steps, "registries"), [resolved(registry) for registry in cluster.registries])],
        "addonProfiles.omsagent": _workspaces(cluster, site),
        "apiServerAccessProfile.enableVnetIntegration": [((*site.steps, "api_server_subnet_id"), resolved(cluster.api_server_subnet_id))],
        "hostedSystemProfile.nodeSubnetID": [((*site.steps, "hosted_system_subnet_id"), resolved(cluster.hosted_system_subnet_id))],
        "upgradeSettings.overrideSettings.forceUpgrade": [((*site.steps, "force_upgrade_until"), cluster.force_upgrade_until)],
    }
    kind, overrides, inside = "AksClusterArgs", cluster.overrides, cluster.first_overrides
    auto = cluster.node_provisioning
    made = Request(site.cluster, site.key, site.steps, name, CLUSTER_TABLE, sent, kind, needs, overrides, inside, decided_by=decided)
    yield replace(made, with_autoscaler=auto is not None and auto.with_cluster_autoscaler)
    yield from _maintenance(cluster, site)
    yield from _pools(cluster, site)
    yield from monitoring_requests(cluster, site)
    yield from _objects(cluster, site)


def _decided_by_group(cluster: AksClusterArgs, site: Site) -> dict[str, list[tuple[Steps, object]]]:
    return {"resourceGroupName": [((*site.steps, "resource_group"), cluster.resource_group)]}


def _in_group(cluster: AksClusterArgs, site: Site) -> frozenset[Key]:
    return frozenset({(site.key, GROUP, "")}) if cluster.resource_group is None else frozenset()


def _group(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    """The resource group, unless it exists."""
    if cluster.resource_group is None:
        steps, name = (*site.steps, "resource_group"), ResourceName("azure-native:resources:ResourceGroup", site.stem)
        sent = {"resourceGroupName": site.stem, "location": cluster.location, "tags": dict(cluster.tags)}
        yield Request((site.key, GROUP, ""), site.key, steps, name, GROUP_TABLE, sent, follows=True)


def _identity(cluster: AksClusterArgs) -> object:
    return OWN_IDENTITY if cluster.identity in (None, SYSTEM_ASSIGNED) else resolved(cluster.identity)


def _identities(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    """Those that are created: of the cluster, and of its nodes."""
    created = {"": cluster.identity is None, "kubelet": cluster.creates_kubelet_identity}
    for word in (word for word, is_created in created.items() if is_created):
        name = "-".join(filter(None, (site.stem, word)))
        sent = {
            "resourceName": name,
            "resourceGroupName": resolved(group_name(cluster, site.stem)),
            "location": cluster.location,
            "tags": dict(cluster.tags),
        }
        steps, resource = (*site.steps, "kubelet_identity" if word else "identity"), ResourceName(_IDENTITY_TYPE, name)
        key, needs = (site.key, MANAGED_IDENTITY, word), _in_group(cluster, site)
        yield Request(key, site.key, steps, resource, IDENTITY_TABLE, sent, needs=needs, follows=True)


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
    written = write(VIRTUAL_NETWORK, network, NetworkContext(site.stem, cluster.location))
    made = {**written, "tags": dict(cluster.tags), "resourceGroupName": resolved(group_name(cluster, site.stem))}
    decided = {
        **_decided_by_group(cluster, site),
        "location": [((*site.steps, "location"), cluster.location)],
        "tags": [((*site.steps, "tags"), cluster.tags)],
        "addressSpace": [((*steps, name), getattr(network, name)) for name in ("cidr", "cidr_v6")],
    }
    name = ResourceName(_NETWORK_TYPES[0], site.stem)
    yield Request(whole, site.key, steps, name, VIRTUAL_NETWORK, made, needs=_in_group(cluster, site), decided_by=decided)
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
        around = AgentPoolContext(
            one.key, cluster.kubernetes_version, _subnet(cluster, one.key, one.pool), cluster.tags, _pod_subnet(cluster), more_taints=taints
        )
        steps = (*site.steps, "pools", one.key, *(["previous"] if one.is_previous else []))
        declared = one.pool.machines if isinstance(one.pool, UserPool) else None
        prefix = one.pool.gateway_prefix_size if isinstance(one.pool, UserPool) else None
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
            decided_by={
                "agentPoolName": [((*steps, name), getattr(one.pool, name)) for name in ("kind", "vm_size")],
                "osType": [((*steps, "kind"), type(one.pool).__name__)],
                "mode": [((*steps, "kind"), type(one.pool).__name__), ((*steps, "gateway_prefix_size"), prefix)],
                "type": [((*steps, "machines"), [machine.vm_size for machine in declared] if declared is not None else None)],
            },
        )
        before.append(key)


def _objects(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    for key, declared in cluster.node_classes.items():
        sent = merge_overrides(write(NODE_CLASS, declared, resolve=resolved), declared.overrides)
        made = class_request(site, ("node_provisioning", "node_classes", key), key, AKS, sent)
        yield replace(made, is_registered=cluster.apply == "direct")
    for name, pool in cluster.applied_node_pools.items():
        made = pool_request(site, ("node_provisioning", "node_pools", name), pool, AKS)
        yield replace(made, is_registered=cluster.apply == "direct")


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


_MONITORING: Final = "monitoring"


@dataclass(frozen=True, slots=True)
class _MonitoringRequests:
    """Makes the requests of one cluster."""

    cluster: AksClusterArgs
    site: Site

    def made(self, kind: str, field: str, word: str, sent: Mapping[str, object], *needs: Key) -> Request:
        name = ResourceName(f"azure-native:monitor:{kind}", f"{self.site.stem}-{word}")
        key, steps = (self.site.key, _MONITORING, f"{kind} {word}"), (*self.site.steps, field)
        return Request(key, self.site.key, steps, name, MONITORING[kind], sent, needs=frozenset(needs), follows=True)

    def tagged(self, arguments: Mapping[str, object]) -> dict[str, object]:
        group = resolved(group_name(self.cluster, self.site.stem))
        return {**cast("Mapping[str, object]", _spelled(arguments)), "resourceGroupName": group, "tags": dict(self.cluster.tags)}

    def associated(self, field: str, word: str, argument: str, to: Request) -> Request:
        """An association of the cluster; Azure does not delete what it connects before it."""
        sent = {argument: to.resource.name}
        return self.made("DataCollectionRuleAssociation", field, word, sent, self.site.cluster, to.key)


def monitoring_requests(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    """The resources of `logs`, `metrics` and `audit`, in the order of registration."""
    around = _MonitoringRequests(cluster, site)
    yield from _logs(around)
    if cluster.metrics is not None and cluster.metrics.enabled:
        yield from _metrics(around, cluster.metrics)
    if cluster.audit is not None:
        sent = {"workspaceId": resolved(cluster.audit.workspace), "logs": list(cluster.audit_categories)}
        yield around.made("DiagnosticSetting", "audit", "audit", sent, site.cluster)


def _logs(around: _MonitoringRequests) -> Iterator[Request]:
    cluster, logs = around.cluster, around.cluster.container_logs
    if logs is None:
        return
    arguments = log_rule(around.site.stem, logs, cluster.logs_location, resolved(logs.workspace))
    rule = around.made("DataCollectionRule", "logs", f"logs-{azure_name(cluster.logs_location)}", around.tagged(arguments))
    yield from (rule, around.associated("logs", "logs", "dataCollectionRuleId", rule))


def _metrics(around: _MonitoringRequests, metrics: ManagedPrometheus) -> Iterator[Request]:
    cluster, location = around.cluster, metrics.location if metrics.location is not None else around.cluster.location
    own = around.made("AzureMonitorWorkspace", "metrics", "metrics", around.tagged({"location": location}))
    if metrics.workspace is None:
        yield own
    endpoint = _endpoint(around, location)
    workspace = resolved(metrics.workspace) if metrics.workspace is not None else f"{own.resource} in {location}"
    arguments = around.tagged(metrics_rule(around.site.stem, location, endpoint.resource.name, workspace))
    needs = (endpoint.key, *([own.key] if metrics.workspace is None else []))
    rule = around.made("DataCollectionRule", "metrics", f"metrics-{azure_name(location)}", arguments, *needs)
    yield from (endpoint, rule, around.associated("metrics", "metrics", "dataCollectionRuleId", rule))
    if cluster.api_server.private and azure_name(location) != azure_name(cluster.location):
        nearby = _endpoint(around, cluster.location)
        yield from (nearby, around.associated("metrics", "metrics-access", "dataCollectionEndpointId", nearby))


def _endpoint(around: _MonitoringRequests, location: str) -> Request:
    return around.made("DataCollectionEndpoint", "metrics", f"metrics-{azure_name(location)}", around.tagged({"location": location}))


def _spelled(value: object) -> object:
    """The arguments in the API's spelling."""
    if isinstance(value, Mapping):
        return {camel(name): _spelled(part) for name, part in cast("Mapping[str, object]", value).items()}
    return [_spelled(part) for part in sequence(cast("object", value))] if isinstance(value, list) else value

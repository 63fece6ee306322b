"""Outbound access of AKS nodes: load balancer, gateways, routes, other types, isolated clusters. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Final, cast

from nodepools.clouds.aks.agent_pool_nodes import PORTS, agent_nodes, outbound_addresses, surge
from nodepools.model.access import ApiServer
from nodepools.model.aks.agent_pool import EgressConfiguration, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, LoadBalancer, ManagedAksNetwork, ManagedNatGateway, NatGateway, NetworkProfile
from nodepools.model.aks.services import Istio
from nodepools.model.karpenter import Headroom
from nodepools.model.kubernetes.label import is_object_name
from nodepools.model.path import value_at
from nodepools.model.steps import Step, Steps
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, certain, literal, ref, remove, replacing, sentence, set_to
from nodepools.rules.engine.registry import EGRESS_OBJECTS, NETWORKS, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import SIZE, SUBNET, aks

_BALANCER = "https://learn.microsoft.com/azure/aks/configure-load-balancer-standard"
_EGRESS = "https://learn.microsoft.com/azure/aks/egress-outboundtype"
_ISOLATED = "https://learn.microsoft.com/azure/aks/concepts-network-isolated#limitations (2026-06-15)"
_GATEWAYS = "https://learn.microsoft.com/azure/aks/configure-static-egress-gateway (2026-09)"
_MESH = "https://learn.microsoft.com/azure/aks/istio-deploy-egress (2026-08)"
_UNIT: Final = 8
_ADDRESS_BITS = 32
_WIDEST = 28
_ROUTED: Final = {"static_egress_gateway": True}
_OF_THE_SUBNET: Final[Mapping[str, str]] = {"userDefinedRouting": "a route table", "userAssignedNATGateway": "a NAT gateway"}
"""Outbound types, and the resource that the subnet of the nodes must have."""
_EXISTING: Final = {"kind": "ExistingAksNetwork", "subnet_id": SUBNET}
_HIDDEN: Final = ApiServer(private=True)
_ALONE: Final[Mapping[str, object]] = {
    "network": _EXISTING,
    "network_profile": {"outbound_type": "none", "dataplane": "azure"},
    "api_server": _HIDDEN,
    "image_cache": {},
}
"""A network isolated cluster without findings."""


@error("AKS046", f"{_EGRESS}: the subnet has its route table, or NAT gateway, before the cluster is made; ExistingRouteTableNotAssociatedWithSubnet")
@sample("network_profile.outbound_type", lambda: aks(network_profile={"outbound_type": "userDefinedRouting"}, api_server=_HIDDEN))
def no_aks_outbound_route(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """User-defined routing and a NAT gateway of your own require a subnet that already has it; a subnet that is created with the cluster does not."""
    outbound = cluster.network_profile.outbound_type
    requested = _OF_THE_SUBNET.get(outbound)
    network = cluster.network
    fields = {"userDefinedRouting": "route_table_id", "userAssignedNATGateway": "nat"}
    if requested is not None and isinstance(network, AksNetworkArgs) and getattr(network, fields[outbound]) is None:
        at = ("network_profile", "outbound_type")
        message = f"AKS rejects `{outbound}` in a subnet without {requested}, and the subnets of the new network have none"
        text = f"Set {ref(('network', fields[outbound]))}, or {ref(at)} to {literal('loadBalancer')}"
        create = set_to(("network", "nat"), {})
        yield finding(cluster, message, path=at, fix=Fix(text, (create,)) if outbound == "userAssignedNATGateway" else text)
    if requested is not None and isinstance(network, ManagedAksNetwork):
        at = ("network_profile", "outbound_type")
        message = f"AKS rejects `{outbound}` in a subnet without {requested}, and the new subnet of this cluster has none"
        fix = f"Use an existing subnet that has {requested} ({ref('network.subnet_id')}), or set {ref(at)} to {literal('loadBalancer')}"
        yield finding(cluster, message, path=at, fix=fix)


@error("AKS205", f"{_BALANCER}: the value for outbound ports must be a multiple of 8")
@sample("allocated_outbound_ports", lambda: LoadBalancer(allocated_outbound_ports=1001))
def outbound_ports_not_multiple_of_eight(balancer: LoadBalancer) -> Iterator[PartFinding]:
    """The outbound ports of a node must be a multiple of 8."""
    ports = balancer.allocated_outbound_ports
    if ports is not None and ports % _UNIT:
        message = f"{ref('allocated_outbound_ports')} ({ports}) must be a multiple of {_UNIT}"
        fix = set_to("allocated_outbound_ports", max(ports - ports % _UNIT, _UNIT))
        yield finding(balancer, message, path="allocated_outbound_ports", fix=fix)


@error(
    "AKS206",
    f"{_BALANCER}: 64,000 ports an address, surge nodes included; InvalidLoadBalancerProfileAllocatedOutboundPorts, InsufficientOutboundPorts",
)
@sample(
    "network_profile.load_balancer.allocated_outbound_ports",
    lambda: aks(network_profile={"load_balancer": LoadBalancer(allocated_outbound_ports=16_000)}),
)
def outbound_ports_exhausted(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Each outbound address has 64,000 ports: AKS rejects clusters whose nodes need more at the largest size of the pools and during upgrades."""
    yield from _short(cluster, minimum=True)


@warning("AKS207", f"{_BALANCER}: one surge node by default; the API reference: 10 %")
@sample(
    "network_profile.load_balancer.allocated_outbound_ports",
    lambda: aks(pools={"web": UserPool(vm_size=SIZE, count=20)}, network_profile={"load_balancer": LoadBalancer(allocated_outbound_ports=2560)}),
)
def outbound_ports_exhausted_by_upgrades(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Microsoft documents two defaults for the surge of a pool; with the larger one, the outbound ports can run out."""
    if not any(_short(cluster, minimum=True)):
        yield from _short(cluster, minimum=False)


@error("AKS208", f"{_EGRESS}: UserDefinedRouting and load balancer profile are mutually exclusive; InvalidUserDefinedRoutingWithLoadBalancerProfile")
@sample(
    "network_profile.outbound_type",
    lambda: aks(
        network=_EXISTING,
        api_server=_HIDDEN,
        network_profile={"outbound_type": "userDefinedRouting", "load_balancer": LoadBalancer(idle_timeout="4m")},
    ),
)
def load_balancer_with_user_defined_routing(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects a load balancer profile together with user-defined routes."""
    profile = cluster.network_profile
    if profile.load_balancer is not None and profile.outbound_type == "userDefinedRouting":
        message = "AKS rejects a load balancer profile together with the outbound type `userDefinedRouting`"
        yield finding(profile, message, path="outbound_type", fix=remove("load_balancer"))


@error("AKS209", f'{_EGRESS}: none is for network isolated clusters only; InvalidNetworkIsolatedClusterConfiguration, artifactSource must be "Cache"')
@sample("network_profile.outbound_type", lambda: aks(**{**_ALONE, "image_cache": None}))
def outbound_none_without_image_cache(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts the outbound type `none` only in network isolated clusters, whose nodes get their images from a cache."""
    profile, at = cluster.overrides.get("bootstrap_profile"), ("network_profile", "outbound_type")
    has_profile = isinstance(profile, Mapping)
    source = cast("Mapping[str, object]", profile).get("artifact_source") if has_profile else None
    if cluster.network_profile.outbound_type == "none" and source != "Cache" and cluster.image_cache is None:
        message = "AKS rejects the outbound type `none` without an image cache (network isolated cluster)"
        of_source = ("overrides", "bootstrap_profile", "artifact_source")
        cached = set_to(of_source, "Cache") if has_profile else set_to("image_cache", {})
        fix = Fix(f"{sentence([cached])}, or set {ref(at)} to {literal('loadBalancer')}", (cached,))
        yield finding(cluster, message, path=at, fix=fix)


@error("AKS210", f"{_ISOLATED}: the Unmanaged channel, Windows node pools and kubenet are not supported")
@sample("node_os_upgrade", lambda: aks(node_os_upgrade="Unmanaged", **_ALONE))
def unsupported_isolated_cluster(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS does not support Windows pools and unmanaged node OS upgrades in network isolated clusters."""
    if cluster.network_profile.outbound_type != "none":
        return
    if cluster.node_os_upgrade == "Unmanaged":
        message = "Network isolated clusters do not support the node OS upgrade channel `Unmanaged`: nodes reach no package repository"
        yield finding(cluster, message, path="node_os_upgrade", fix=set_to("node_os_upgrade", "NodeImage"))
    for key, pool in cluster.pools.items():
        if isinstance(pool, WindowsPool):
            message = f"`{key}` is a Windows pool, which network isolated clusters do not support"
            fix = f"Remove the pool `{key}`, or set {ref('network_profile.outbound_type')} to {literal('loadBalancer')}"
            yield finding(cluster, message, path=("pools", key), value=key, fix=fix)


@warning("AKS211", f"{_ISOLATED}: only the channels NodeImage and None; the API server by private link, or in the virtual network")
@sample("node_os_upgrade", lambda: aks(node_os_upgrade="SecurityPatch", **_ALONE))
def incomplete_network_isolation(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents that network isolated clusters upgrade node images as a whole and have their API server in the virtual network."""
    if cluster.network_profile.outbound_type == "none":
        for is_missing, at, message, fix in _HALVES:
            if is_missing(cluster):
                yield finding(cluster, message, path=at, fix=fix)


_HALVES: Final[tuple[tuple[Callable[[AksClusterArgs], bool], tuple[Step, ...], str, FixLike], ...]] = (
    (
        lambda cluster: cluster.node_os_upgrade == "SecurityPatch",
        ("node_os_upgrade",),
        "AKS documents only `NodeImage` and `None` as node OS upgrade channels of network isolated clusters",
        set_to("node_os_upgrade", "NodeImage"),
    ),
    (
        lambda cluster: not cluster.api_server.private and cluster.api_server_subnet_id is None,
        ("api_server", "private"),
        "Nodes without an outbound route can fail to join, because the API server is outside their virtual network",
        f"Set {ref('api_server_subnet_id')}, or set {ref('api_server.private')} and remove {ref('api_server.authorized_ip_ranges')}",
    ),
)
"""Requirements of a network isolated cluster: the check, the field, the message and the fix."""


def _short(cluster: AksClusterArgs, *, minimum: bool) -> Iterator[PartFinding]:
    profile, balancer = cluster.network_profile, cluster.network_profile.load_balancer
    if balancer is None or profile.outbound_type != "loadBalancer" or not balancer.allocated_outbound_ports:
        return
    ports, addresses = balancer.allocated_outbound_ports, outbound_addresses(balancer)
    nodes = _most_nodes(cluster, minimum=minimum)
    if addresses is not None and ports * nodes > PORTS * addresses:
        least = PORTS * addresses // _most_nodes(cluster, minimum=False) // _UNIT * _UNIT  # enough by either figure
        effect = f"AKS rejects {ref('allocated_outbound_ports')}" if minimum else "An upgrade can fail"
        supply = f"{addresses} outbound {'addresses have' if addresses > 1 else 'address has'} {PORTS * addresses:,}"
        message = f"{effect}: {nodes:,} nodes, surge included, need {ports * nodes:,} outbound ports, and {supply}"
        text = f"Set {ref('allocated_outbound_ports')} to at most {literal(least)}, or add outbound addresses"
        yield finding(balancer, message, path="allocated_outbound_ports", fix=Fix(text, (set_to("allocated_outbound_ports", least),)))


def _most_nodes(cluster: AksClusterArgs, *, minimum: bool) -> int:
    """All nodes at the largest size of their pools, and those that an upgrade adds."""
    return sum(nodes.pool.most_nodes + surge(nodes.pool, minimum=minimum) for nodes in agent_nodes(cluster))


_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_TYPE: Final = ("network_profile", "outbound_type")
_RANGES: Final = ("api_server", "authorized_ip_ranges")
_OF_THE_NETWORK: Final = ("userAssignedNATGateway", "userDefinedRouting")


@warning("AKS320", f"{_EGRESS}: the outbound type of a NAT gateway or a route table of your own")
@limited(NETWORKS)
@sample("network_profile.outbound_type", lambda: aks(network={"nat": NatGateway()}))
def egress_of_another_outbound_type(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A NAT gateway and a route table of the network each have an outbound type; with another one, AKS creates a second outbound route."""
    network, outbound = cluster.network, cluster.network_profile.outbound_type
    if not isinstance(network, AksNetworkArgs):
        return
    for field, held, of_field in (("nat", network.nat, _OF_THE_NETWORK[0]), ("route_table_id", network.route_table_id, _OF_THE_NETWORK[1])):
        if held is not None and outbound not in _OF_THE_NETWORK:
            message = f"{ref(('network', field))} is not the only outbound route: with `{outbound}` AKS creates a second one"
            yield finding(cluster, message, path=_TYPE, fix=replacing(set_to(_TYPE, of_field)))


@warning(
    "AKS321", f"{_PAGES}/api-server-authorized-ip-ranges: AKS adds the address of its own load balancer, not that of a NAT gateway or a firewall"
)
@sample("api_server.authorized_ip_ranges", lambda: aks(network=_EXISTING, network_profile={"outbound_type": "userAssignedNATGateway"}))
def authorized_ranges_without_egress_address(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Nodes reach a public API server from the address of their NAT gateway or firewall; whether its authorized ranges have it is unknown offline."""
    access, outbound, network = cluster.api_server, cluster.network_profile.outbound_type, cluster.network
    is_added = isinstance(network, AksNetworkArgs) and network.nat is not None and outbound == _OF_THE_NETWORK[0]
    is_public = access.authorized_ip_ranges and not access.private and cluster.api_server_subnet_id is None
    if is_public and outbound in _OF_THE_NETWORK and not is_added:
        message = f"Nodes cannot join unless {ref(_RANGES)} contains their outbound address: AKS does not add it with `{outbound}`"
        fix = (
            f"Add the address of the {'NAT gateway' if outbound == _OF_THE_NETWORK[0] else 'firewall'} to these ranges, "
            "or accept this warning if it is in one of them"
        )
        yield finding(cluster, message, path=_RANGES, fix=fix)


@warning("AKS322", f"{_PAGES}/nat-gateway: settings of the outbound type managedNATGateway")
@sample("network_profile.nat_gateway", lambda: aks(network_profile={"nat_gateway": ManagedNatGateway(managed_outbound_ips=2)}))
def managed_nat_gateway_without_effect(profile: NetworkProfile) -> Iterator[PartFinding]:
    """Settings of a managed NAT gateway have an effect only with the outbound type `managedNATGateway`."""
    if profile.nat_gateway is not None and profile.outbound_type != "managedNATGateway":
        message = f"{ref('nat_gateway')} has no effect with the outbound type `{profile.outbound_type}`"
        yield finding(profile, message, path="nat_gateway", fix=remove("nat_gateway"))


@error("AKS323", f"{_PAGES}/private-clusters: --fqdn-subdomain with a private DNS zone of your own; either dnsPrefix or fqdnSubdomain")
@sample("fqdn_subdomain", lambda: aks(fqdn_subdomain="shop"))
def fqdn_subdomain_without_own_zone(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts a subdomain only for a private API server in a private DNS zone of your own, and not together with a DNS prefix."""
    if cluster.fqdn_subdomain is None:
        return
    zone = cluster.private_dns_zone
    if not cluster.api_server.private or zone is None or zone in ("system", "none"):
        message = f"AKS rejects {ref('fqdn_subdomain')} without a private API server in a private DNS zone of your own"
        yield finding(cluster, message, path="fqdn_subdomain", fix=remove("fqdn_subdomain"))
    elif cluster.dns_prefix is not None:
        message = f"{ref('dns_prefix')} and {ref('fqdn_subdomain')} cannot both be set"
        yield finding(cluster, message, path="dns_prefix", fix=remove("dns_prefix"))


@warning("AKS324", f"{_PAGES}/stop-cluster-upgrade-api-breaking-changes: until applies to the start of an upgrade")
@sample("force_upgrade_until", lambda: aks(force_upgrade_until="2026-01-01T00:00:00Z"))
def force_upgrade_over(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """A time in the past forces no upgrade."""
    until = cluster.force_upgrade_until
    if until is not None and until[:10] < today.isoformat():
        message = f"{ref('force_upgrade_until')} has no effect: it ended at {literal(until)}, and AKS checks upgrades for removed APIs again"
        yield finding(cluster, message, path="force_upgrade_until", fix=certain(remove("force_upgrade_until")))


def _gateways(network: Mapping[str, object] = _ROUTED, **fields: object) -> AksClusterArgs:
    """A cluster with a gateway pool."""
    gateways = UserPool.model_validate({"vm_size": SIZE, "count": 2, "gateway_prefix_size": 31, **fields})
    return aks(network_profile=network, pools={"gateways": gateways})


@error("AKS363", f"{_GATEWAYS}: a gateway pool is not autoscaled, and its nodes fit into its public IP prefix")
@sample("pools.gateways.count", lambda: _gateways(count=3))
def gateway_pool_of_another_size(pool: UserPool) -> Iterator[PartFinding]:
    """Each node of a gateway pool has an address of its public IP prefix, so that it is not autoscaled, and has a limit."""
    if pool.gateway_prefix_size is None:
        return
    most = 1 << (_ADDRESS_BITS - pool.gateway_prefix_size)
    if pool.is_autoscaled:
        fix = f"Remove {ref('scale')}, and set {ref('count')} to {most} or fewer"
        yield finding(pool, "AKS does not autoscale gateway pools", path="scale" if pool.scale is not None else "machines", fix=fix)
    elif pool.fewest_nodes > most:
        message = f"A public IP prefix of size {pool.gateway_prefix_size} has addresses for {most} nodes: the gateway pool has {pool.fewest_nodes}"
        wider = _ADDRESS_BITS - (pool.fewest_nodes - 1).bit_length()
        fewer = f"Set {ref('count')} to {most} or fewer"
        fix = f"{fewer}, or {ref('gateway_prefix_size')} to {wider}, which rotates the pool" if wider >= _WIDEST else fewer
        yield finding(pool, message, path="count", value=pool.fewest_nodes, fix=fix)


@warning("AKS364", f"{_GATEWAYS}: at least two nodes for high availability")
@sample("pools.gateways.count", lambda: _gateways(count=1))
def gateway_pool_of_one_node(pool: UserPool) -> Iterator[PartFinding]:
    """While the only node of a gateway pool is replaced, no pod reaches the outside through it."""
    if pool.gateway_prefix_size is not None and not pool.is_autoscaled and pool.fewest_nodes == 1:
        message = "A gateway pool of one node has no gateway while that node is replaced, as in every upgrade"
        yield finding(pool, message, path="count", value=1, fix=set_to("count", 2))


@error("AKS365", f"{_GATEWAYS}: the feature is enabled before a gateway pool is created")
@sample("pools.gateways.gateway_prefix_size", lambda: _gateways({}))
def gateway_pool_without_feature(pool: UserPool, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """AKS creates gateway pools only in clusters with the static egress gateway."""
    if pool.gateway_prefix_size is not None and cluster is not None and _egress_gateway(cluster) is None:
        message = f"AKS rejects gateway pools in a cluster without {ref('network_profile.static_egress_gateway')}"
        yield finding(pool, message, path="gateway_prefix_size", fix=f"Set {ref('network_profile.static_egress_gateway')} of the cluster")


@error("AKS385", f"{_GATEWAYS}: gatewayNodepoolName is a gateway node pool")
@limited(EGRESS_OBJECTS)
@sample("egress_configurations", lambda: UserPool(vm_size=SIZE, count=2, egress_configurations={"fixed": EgressConfiguration("shop")}))
def egress_through_another_pool(pool: UserPool) -> Iterator[PartFinding]:
    """Only a gateway pool has addresses for outgoing traffic of pods."""
    if pool.egress_configurations and pool.gateway_prefix_size is None:
        message = f"{ref('egress_configurations')} need a gateway pool, which has {ref('gateway_prefix_size')}"
        yield finding(pool, message, path="egress_configurations", fix="Move them to a gateway pool")


@error("AKS386", "Kubernetes, object names: DNS subdomains of at most 253 characters, once for each kind and namespace")
@limited(EGRESS_OBJECTS)
@sample("pools.gateways.egress_configurations.Fixed", lambda: _gateways(egress_configurations={"Fixed": {"namespace": "shop"}}))
def impossible_object_of_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Egress configurations and headroom become objects: the API server rejects names that no object can have, and has each name once."""
    first: dict[tuple[str, ...], str] = {}
    for at, identity in _objects_of_pools(cluster):
        if not is_object_name(identity[-1]):
            fix = "Use lowercase letters, digits, hyphens and dots, with a letter or digit at both ends"
            yield finding(cluster, f"`{identity[-1]}` cannot be the name of an object: the API server rejects it", path=at, value=at[-1], fix=fix)
        elif (earlier := first.setdefault(identity, ref(at))) != ref(at):
            message, fix = f"{earlier} has a resource of the same name: a cluster has `{identity[-1]}` once", "Rename one of the two, or remove it"
            yield finding(cluster, message, path=at, fix=fix)


def _objects_of_pools(cluster: AksClusterArgs) -> Iterator[tuple[Steps, tuple[str, ...]]]:
    """What makes an object, with the identity of the object: kind, namespace and name."""
    for key, name, one in cluster.egress_configurations:
        yield ("pools", key, "egress_configurations", name), ("StaticGatewayConfiguration", one.namespace, name)
    for steps, key, pool in cluster.declared_pools():
        room: Headroom | None = getattr(pool, "headroom", None)
        if room is not None:
            yield (*steps, "headroom"), (room.by, f"headroom-{key}")


@error("AKS366", f"{_GATEWAYS}: not with a subnet for pods, and not in dual-stack clusters")
@sample("network_profile.static_egress_gateway", lambda: aks(network_profile={**_ROUTED, "ip_families": ["IPv4", "IPv6"]}))
def static_egress_gateway_excluded(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS supports the static egress gateway only in IPv4 clusters whose pods are not in a subnet of their own."""
    at = _egress_gateway(cluster)
    if at is None:
        return
    in_subnet = getattr(cluster.network, "pod_subnet_id", None) is not None or getattr(cluster.network, "pod_subnet_cidr", None) is not None
    reasons = (("dual-stack clusters", cluster.network_profile.is_dual), ("clusters with a subnet for pods", in_subnet))
    if why := [what for what, excluded in reasons if excluded]:
        message = f"AKS does not support the static egress gateway in {why[0]}"
        yield finding(cluster, message, path=at, fix=remove(at))


@error("AKS367", f"{_MESH}: requires the static egress gateway")
@sample("istio.egress", lambda: aks(istio={"revisions": ["asm-1-30"], "egress": [{"name": "out", "configuration": "fixed"}]}))
def egress_gateway_without_feature(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Egress gateways of the mesh send their traffic through the static egress gateway."""
    mesh = cluster.istio
    if mesh is not None and mesh.enabled and any(one.enabled for one in mesh.egress) and _egress_gateway(cluster) is None:
        at = ("network_profile", "static_egress_gateway")
        message = f"Egress gateways of the Istio add-on require {ref(at)}"
        yield finding(cluster, message, path=("istio", "egress"), fix=set_to(at, value=True))


@error("AKS368", f"{_MESH}: at most 500, with names that are unique in their namespace")
@sample(
    "istio.egress[1].name",
    lambda: aks(
        istio={"revisions": ["asm-1-30"], "egress": [{"name": "out", "configuration": one} for one in ("here", "there")]},
        network_profile={"static_egress_gateway": True},
    ),
)
def repeated_egress_gateway(mesh: Istio) -> Iterator[PartFinding]:
    """An egress gateway of the mesh has a name that no other in its namespace has."""
    seen = set[tuple[str | None, str]]()
    for index, one in enumerate(mesh.egress):
        if (one.namespace, one.name) in seen:
            message = f"A second egress gateway in the same namespace has the name `{one.name}`"
            yield finding(mesh, message, path=("egress", index, "name"), fix=f"Rename it, such as to `{one.name}-{index + 1}`")
        seen.add((one.namespace, one.name))


def _egress_gateway(cluster: AksClusterArgs) -> tuple[str, ...] | None:
    """The place that turns the static egress gateway on: the field, or `overrides`, which replace it; `None` where it is off."""
    for profile in ("static_egress_gateway_profile", "staticEgressGatewayProfile"):  # the spelling of the API is sent too
        at = ("overrides", "network_profile", profile, "enabled")
        found = value_at(cluster, at)
        if found is not None:
            return at if found is not False else None
    return ("network_profile", "static_egress_gateway") if cluster.network_profile.static_egress_gateway else None

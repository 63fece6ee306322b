"""Versions, names and access of AKS clusters, and what AKS Automatic requires. Facts: docs/facts/aks.md § 2.11."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.data.regions import azure_regions
from nodepools.data.version_support import minor as minor_of
from nodepools.model.access import ApiServer, Entra
from nodepools.model.aks.agent_pool import AgentPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs, NodeProvisioning
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.cidr import first_address
from nodepools.model.listing import shortened
from nodepools.model.name_limits import azure_name
from nodepools.model.path import value_at
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.ref import Ref
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, literal, ref, remove, rename, sentence, set_to
from nodepools.rules.engine.registry import API_VERSIONS, NAMES_OF_RESOURCES, NETWORKS, About, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import NIGHTLY_MAINTENANCE, SIZE, SUBNET, aks, platform, with_pool_of
from nodepools.wire.aks.network import network_id, network_name

_AUTHORIZED = "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges#limitations-and-considerations"
_PRIVATE = "https://learn.microsoft.com/azure/aks/private-clusters"
_INTEGRATED = "https://learn.microsoft.com/azure/aks/api-server-vnet-integration"
_RANGES: Final = 200
_RANGES_IN_THE_NETWORK: Final = 2000
_BALANCER_ALONE: Final = "0.0.0.0/32"
"""Azure replaces this range by the outbound address of the cluster, and accepts no other range next to it."""
_NOT_INTEGRATED: Final = ("qatarcentral",)
_PUBLIC_CLOUD: Final = "azmk8s.io"
_HIDDEN: Final = ApiServer(private=True)
_ZONE: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/"
_SUBNETS: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/"


@error("AKS212", f"{_AUTHORIZED}: up to 200 ranges, 2,000 with API server VNet integration")
@sample(
    "api_server.authorized_ip_ranges", lambda: aks(api_server=ApiServer(authorized_ip_ranges=[f"203.0.113.{number}/32" for number in range(201)]))
)
def too_many_authorized_ranges(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts at most 200 authorized IP ranges, or 2,000 with API server VNet integration."""
    most = _RANGES if cluster.api_server_subnet_id is None else _RANGES_IN_THE_NETWORK
    count = len(cluster.api_server.authorized_ip_ranges)
    if count > most:
        at = ("api_server", "authorized_ip_ranges")
        message = f"{ref(at)} has {count:,} entries: AKS accepts at most {most:,}"
        yield finding(cluster, message, path=at, value=count, fix=f"Merge or remove ranges until at most {most:,} are left")


@warning("AKS343", f"{_AUTHORIZED} (2026-11): a range begins with its first address")
@sample("api_server.authorized_ip_ranges[0]", lambda: aks(api_server=ApiServer(authorized_ip_ranges=["203.0.113.9/24"])))
def range_within_a_range(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents that an authorized range begins with its first address."""
    for index, text in enumerate(cluster.api_server.authorized_ip_ranges):
        if (whole := first_address(text)) is not None and whole != text:
            at = ("api_server", "authorized_ip_ranges", index)
            message = f"AKS can reject the range `{text}`: its documentation requires that a range begins with its first address"
            yield finding(cluster, message, path=at, fix=set_to(at, whole))


@error("AKS213", "https://github.com/Azure/terraform-azurerm-aks/issues/378: InvalidParameter, 0.0.0.0/32 is not allowed with other IP ranges")
@sample("api_server.authorized_ip_ranges[1]", lambda: aks(api_server=ApiServer(authorized_ip_ranges=["203.0.113.0/24", "0.0.0.0/32"])))
def cluster_only_range_with_others(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The range `0.0.0.0/32` stands for the outbound address of the cluster; AKS rejects it together with other ranges."""
    ranges = cluster.api_server.authorized_ip_ranges
    if _BALANCER_ALONE in ranges and len(ranges) > 1:
        at = ("api_server", "authorized_ip_ranges", list(ranges).index(_BALANCER_ALONE))
        message = f"`{_BALANCER_ALONE}` admits only the outbound address of the cluster: AKS rejects it together with other ranges"
        yield finding(cluster, message, path=at, fix=Fix(f"Remove `{_BALANCER_ALONE}`", (remove(at),)))


def is_service_tag(text: str) -> bool:
    """`text` names a group of Azure's own addresses, such as `AzureCloud` or `AzureCloud.westeurope`."""
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?", text) is not None


@error("AKS236", "https://learn.microsoft.com/azure/aks/api-server-service-tags#limitations: only one service tag (preview)")
@sample("api_server.authorized_ip_ranges[1]", lambda: aks(api_server=ApiServer(authorized_ip_ranges=["AzureCloud", "AzureDevOps"])))
def several_service_tags(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts at most one service tag among the authorized IP ranges."""
    tags = [(index, text) for index, text in enumerate(cluster.api_server.authorized_ip_ranges) if is_service_tag(text)]
    for index, text in tags[1:]:
        at = ("api_server", "authorized_ip_ranges", index)
        message = f"`{tags[0][1]}` and `{text}` are both service tags: the authorized IP ranges can contain only one"
        yield finding(cluster, message, path=at, value=text, fix=Fix(f"Remove `{text}` or `{tags[0][1]}`", (remove(at),)))


@error("AKS214", f"{_PRIVATE}#limitations-for-private-aks-clusters-with-custom-dns: privateDNSZone none without the public FQDN is not supported")
@sample("private_public_fqdn", lambda: aks(api_server=_HIDDEN, private_dns_zone="none", private_public_fqdn=False))
def private_api_server_without_dns_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS requires that a private API server has a name in a private DNS zone or in public DNS."""
    zone = cluster.private_dns_zone
    if isinstance(zone, str) and zone.lower() == "none" and cluster.private_public_fqdn is False:
        message = "AKS rejects an API server without a DNS name: this one has no private DNS zone, and its public name is off"
        text = f"Set {ref('private_public_fqdn')} to {literal(value=True)}, or set {ref('private_dns_zone')} to {literal('system')}"
        yield finding(cluster, message, path="private_public_fqdn", fix=Fix(text, (set_to("private_public_fqdn", True),)))


@error("AKS215", f"{_PRIVATE}#configuration-options-for-private-dns: [SUBZONE.]privatelink.REGION.azmk8s.io; InvalidPrivateDNSZoneResourceID")
@sample("private_dns_zone", lambda: aks(api_server=_HIDDEN, private_dns_zone=f"{_ZONE}example.com"))
def private_dns_zone_name_mismatch(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts private DNS zones named `privatelink.REGION.azmk8s.io`, `private.…` with VNet integration, and subzones of these."""
    zone, region = cluster.private_dns_zone, azure_name(cluster.location)
    if not isinstance(zone, str) or zone.lower() in ("system", "none"):
        return
    name = zone.lower().rpartition("/")[2]
    if not re.fullmatch(rf"([a-z0-9-]{{1,32}}\.)?private(link)?\.{re.escape(region)}\.[a-z0-9.-]+", name):
        message = f"AKS rejects the private DNS zone `{name}`: the name must be `privatelink.{region}.{_PUBLIC_CLOUD}` or a subzone of it"
        fix = f"Use a zone with that name, or remove {ref('private_dns_zone')} (default: `system`, a zone that AKS creates)"
        yield finding(cluster, message, path="private_dns_zone", fix=fix)


@error("AKS216", f"{_INTEGRATED}#availability: all GA public cloud regions except qatarcentral")
@sample("api_server_subnet_id", lambda: aks(location="qatarcentral", api_server_subnet_id=SUBNET))
def region_without_vnet_integration(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """API server VNet integration is available in every public region except `qatarcentral`."""
    region = azure_name(cluster.location)
    if cluster.api_server_subnet_id is not None and region in _NOT_INTEGRATED:
        fix = Fix(f"Remove {ref('api_server_subnet_id')}, or use another region", (remove("api_server_subnet_id"),))
        yield finding(cluster, f"API server VNet integration is not available in `{region}`", path="api_server_subnet_id", fix=fix)


@error("AKS217", f"{_INTEGRATED}: the delegated subnet is for no other workload; concepts-network-cni-overview: no pool in a delegated subnet")
@sample("network.subnet_id", lambda: aks(network=ExistingAksNetwork(subnet_id=f"{_SUBNETS}nodes"), api_server_subnet_id=f"{_SUBNETS}Nodes"))
def api_server_subnet_shared(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The subnet of the API server is delegated to it: AKS rejects nodes and pods there."""
    own = cluster.api_server_subnet_id.lower() if isinstance(cluster.api_server_subnet_id, str) else None
    for steps, subnet in subnet_ids(cluster) if own is not None else ():
        if subnet.lower() == own:
            message = f"AKS rejects nodes and pods in the subnet `{subnet.rpartition('/')[2]}`, which is delegated to the API server"
            yield finding(cluster, message, path=steps, fix=f"Set {ref('api_server_subnet_id')} to a subnet that nothing else uses")


def subnet_ids(cluster: AksClusterArgs) -> Iterator[tuple[tuple[Step, ...], str]]:
    """The subnets of nodes and pods that are given by id, each with the path of its field."""
    if not isinstance(cluster.network, AksNetworkArgs):
        for field in ("subnet_id", "pod_subnet_id"):
            subnet = getattr(cluster.network, field)
            if isinstance(subnet, str):
                yield ("network", field), subnet
    for key, pool in cluster.all_pools():
        parent: tuple[Step, ...] = ("system_pool",) if pool is cluster.system_pool else ("pools", key)
        for field in ("vnet_subnet_id", "pod_subnet_id"):
            subnet = getattr(pool, field)
            if isinstance(subnet, str):
                yield (*parent, field), subnet


def stem_of(cluster: AksClusterArgs, platform: Platform | None) -> str | None:
    """The beginning of its names; `None`: without a platform they are not known."""
    return next((platform.stem(key) for key, one in platform.clusters.items() if one is cluster), None) if platform is not None else None


def node_network(cluster: AnyCluster, platform: Platform | None) -> str | None:
    """The end of the id of the first pool's virtual network, in lower case: of a new one, resource group and name. Or a VPC; `None`: not known."""
    if not isinstance(cluster, AksClusterArgs):
        vpc = getattr(cluster.network, "vpc_id", None)
        return vpc if isinstance(vpc, str) else None
    given = (next((pool.vnet_subnet_id for _, pool in cluster.all_pools()), None), getattr(cluster.network, "subnet_id", None))
    known = next((one for one in given if isinstance(one, str)), None)
    if known is not None:
        return network_id(known).lower()
    stem = stem_of(cluster, platform)
    if any(one is not None for one in given) or stem is None or not isinstance(cluster.network, AksNetworkArgs):
        return None
    group: Ref = cluster.resource_group if cluster.resource_group is not None else stem
    within = f"/resourcegroups/{group}/providers" if isinstance(group, str) else ""
    return f"{within}/microsoft.network/virtualnetworks/{network_name(stem)}".lower()


_SUBNET = "/subscriptions/s/resourceGroups/{}/providers/Microsoft.Network/virtualNetworks/v/subnets/n"
_ENTRA_ON = Fix(f"{sentence([remove('entra')])} (default: Entra ID is on)", (remove("entra"),))

_LONGEST_NAME = 90
_LONGEST_LABEL = 63
_SKEW = 3
_SHOWN = 30
_NAMED_IN_IDS = {"resourcegroups": "resource group", "virtualnetworks": "virtual network", "subnets": "subnet"}
_LABELS = "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay#limitations-with-azure-cni-overlay"
_SUPPORTED = "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions"


@error("AKS060", f"{_SUPPORTED}: a node pool is never newer than its control plane")
@sample("pools.web.kubernetes_version", lambda: aks(kubernetes_version="1.35", pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.36")}))
def pool_newer_than_cluster(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects a node pool that is newer than the control plane."""
    version, path = _sent_version(pool, cluster)
    if version is not None:
        nodes, plane = _version(version), _version(cluster.kubernetes_version)
        length = min(len(nodes), len(plane))  # the patch version behind "1.35" is unknown
        if nodes[:length] > plane[:length]:
            message = f"The pool's Kubernetes version {version} is newer than that of the control plane, {cluster.kubernetes_version}"
            text = f"Remove {ref(path)} (default: the version of the cluster), or upgrade the cluster first"
            yield finding(pool, message, path=path, fix=Fix(text, (remove(path),)))


@error("AKS061", f"{_SUPPORTED}: the control plane is at most three minor versions ahead")
@sample("pools.web.kubernetes_version", lambda: with_pool_of("1.32"))
def pool_too_far_behind_cluster(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The control plane can be at most three minor versions ahead of a node pool."""
    version, path = _sent_version(pool, cluster)
    if version is not None:
        plane = _version(cluster.kubernetes_version)[1]
        if (behind := plane - _version(version)[1]) > _SKEW:
            message = f"The pool's Kubernetes version {version} is {behind} minor versions behind the control plane ({cluster.kubernetes_version})"
            fix = f"Set {ref(path)} to `1.{plane - _SKEW}` or later, and upgrade the pool before the cluster"
            yield finding(pool, f"{message}: AKS allows at most {_SKEW}", path=path, fix=fix)


@warning("AKS062", "https://learn.microsoft.com/azure/aks/manage-local-accounts-managed-azure-ad")
@sample("entra", lambda: aks(entra=None))
def local_admin_credentials(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without Entra ID the kubeconfig holds a static credential, which stays valid when a person leaves."""
    if cluster.entra is None:
        message = "Entra ID is off: everybody logs in with the same admin credential, which stays valid when a person leaves"
        yield finding(cluster, message, path="entra", fix=_ENTRA_ON)
        if cluster.admins:
            yield finding(cluster, f"The cluster-admin role of {ref('admins')} has no effect without Entra ID", path="admins", fix=_ENTRA_ON)


@error("AKS063", "Azure API reference: managedClusters, dnsPrefix, letters, digits and hyphens; names of resource groups, 90 characters at most")
@limited(NAMES_OF_RESOURCES)
@sample("clusters.we_u", lambda: platform(we_u=aks()))
def invalid_aks_cluster_name(declared_cluster: Platform) -> Iterator[PartFinding]:
    """Names of Azure resources contain the platform name and the cluster key: letters, digits and hyphens, at most 90 characters."""
    for key, cluster in declared_cluster.clusters.items():
        name = declared_cluster.stem(key)
        if isinstance(cluster, AksClusterArgs) and not _makes_names(cluster, name):
            message = f"`{shortened(name, _SHOWN)}`, platform name and cluster key, must be at most {_LONGEST_NAME} letters, digits and hyphens"
            yield finding(declared_cluster, message, path=("clusters", key), value=key, fix=_renamed(declared_cluster, key))


@error("AKS106", f"{_LABELS}: names of network and resource group are labels of nodes; Azure/AKS CHANGELOG, 2023-11-28: dynamic allocation too")
@limited(NETWORKS)
@sample("clusters.wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww", lambda: platform(**{"w" * 60: aks()}))
def network_name_too_long_for_label(declared_cluster: Platform) -> Iterator[PartFinding]:
    """With overlay networking or pod subnets, the name of the virtual network is a label value of nodes: at most 63 characters."""
    for key, cluster in declared_cluster.clusters.items():
        if isinstance(cluster, AksClusterArgs) and _names_are_labels(cluster):
            name = declared_cluster.stem(key)
            if isinstance(cluster.network, AksNetworkArgs) and _LONGEST_LABEL < len(name) <= _LONGEST_NAME:
                head = f"The virtual network name `{shortened(name, _SHOWN)}` has {len(name)} characters"
                message = f"{head}: as a label value of nodes it can have at most {_LONGEST_LABEL}"
                fix = f"Shorten the platform name and the cluster key to at most {_LONGEST_LABEL - 1} characters together"
                yield finding(declared_cluster, message, path=("clusters", key), value=key, fix=fix)


@error("AKS107", f"{_LABELS}: the names of a subnet of your own are labels of nodes; Azure/AKS CHANGELOG, 2023-11-28: dynamic allocation too")
@limited(NETWORKS)
@sample("network.subnet_id", lambda: aks(network=ExistingAksNetwork(subnet_id=_SUBNET.format("g" * 70))))
def existing_network_name_too_long_for_label(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """With overlay networking or pod subnets, the names of subnet, network and resource group are label values of nodes: at most 63 characters."""
    if not isinstance(cluster.network, ExistingAksNetwork) or not _names_are_labels(cluster):
        return
    for field in ("subnet_id", "pod_subnet_id"):
        subnet = getattr(cluster.network, field)
        kind = ""
        for name in subnet.split("/") if isinstance(subnet, str) else ():
            if len(name) > _LONGEST_LABEL:
                what = _NAMED_IN_IDS.get(kind.lower(), "name")
                head = f"The {what} `{shortened(name, _SHOWN)}` has {len(name)} characters"
                message = f"{head}: AKS labels nodes with it, and labels have at most {_LONGEST_LABEL}"
                fix = f"Use a {what} with a name of at most {_LONGEST_LABEL} characters"
                yield finding(cluster, message, path=("network", field), fix=fix)
            kind = name


def _names_are_labels(cluster: AksClusterArgs) -> bool:
    profile, network = cluster.network_profile, cluster.network
    pods = network.pod_subnet_cidr if isinstance(network, AksNetworkArgs) else network.pod_subnet_id
    return profile.plugin == "azure" and (profile.plugin_mode == "overlay" or pods is not None)


def _renamed(cluster: Platform, key: str) -> FixLike:
    """A similar key that makes a valid name; advice if there is none, or another cluster has it."""
    room = _LONGEST_NAME - len(cluster.name) - 1
    valid = re.sub(r"[^A-Za-z0-9]+", "-", key)[:room].strip("-")
    if valid and valid not in cluster.clusters and _is_name(cluster.stem(valid)):
        return rename(("clusters", key), valid)
    return f"Use at most {room} letters, digits and hyphens, with a letter or digit at the end"


def _makes_names(cluster: AksClusterArgs, stem: str) -> bool:
    """The names that are made of `stem` are valid: with `name` and `dns_prefix`, only those of new resources around the cluster, if there are any."""
    if cluster.name is None or cluster.dns_prefix is None:
        return _is_name(stem)
    around = cluster.resource_group is None or cluster.identity is None or isinstance(cluster.network, AksNetworkArgs)
    return not around or (len(stem) <= _LONGEST_NAME and re.fullmatch(r"[A-Za-z0-9]([-_A-Za-z0-9]*[_A-Za-z0-9])?", stem) is not None)


def _is_name(name: str) -> bool:
    return len(name) <= _LONGEST_NAME and re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?", name) is not None


def _sent_version(pool: AgentPool, cluster: AksClusterArgs) -> tuple[str | None, tuple[str, ...]]:
    """The version that is sent for a pool, and its path; `None`: that of the cluster, or one of both is not known."""
    if "kubernetes_version" in cluster.overrides:
        return None, ()
    if "orchestrator_version" not in pool.overrides:
        return pool.kubernetes_version, ("kubernetes_version",)
    override, path = pool.overrides["orchestrator_version"], ("overrides", "orchestrator_version")
    return (override, path) if isinstance(override, str) and re.fullmatch(r"1\.\d{1,3}(\.\d{1,3})?", override, re.ASCII) else (None, path)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("."))


_FIRST_WITH_PROFILES: Final = 33


@warning("AKS362", "https://learn.microsoft.com/azure/aks/configure-aks-scheduler: from Kubernetes 1.33 on (2026-07)")
@limited(API_VERSIONS)
@sample(
    "scheduler_profiles",
    lambda: aks(api_version="2026-05-01", kubernetes_version="1.32", scheduler_profiles=True, tier="Premium", support_plan="AKSLongTermSupport"),
)
def scheduler_profiles_before_their_version(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Profiles of kube-scheduler require Kubernetes 1.33."""
    if cluster.scheduler_profiles and minor_of(cluster.kubernetes_version) < _FIRST_WITH_PROFILES:
        message = f"Profiles of kube-scheduler require Kubernetes 1.{_FIRST_WITH_PROFILES}: the cluster has {cluster.kubernetes_version}"
        fix = f"Upgrade to Kubernetes 1.{_FIRST_WITH_PROFILES}, or remove {ref('scheduler_profiles')}"
        yield finding(cluster, message, path="scheduler_profiles", fix=fix)


_ABOUT = "https://learn.microsoft.com/azure/aks/automatic/aks-automatic-managed-system-node-pools-about (2026-05-22)"
_LIMITATIONS = "https://learn.microsoft.com/azure/aks/automatic/aks-automatic-managed-system-node-pools-about#limitations (2026-07-24)"
_INTRO = "https://learn.microsoft.com/azure/aks/intro-aks-automatic (2026-05-22): preconfigured features cannot be disabled or changed"
_MODEL = "https://pypi.org/project/azure-mgmt-containerservice/41.8.0: ManagedClusterHostedSystemProfile"
_FIXED: Final[Mapping[Steps, object]] = {
    ("tier",): "Standard",
    ("auto_upgrade",): "stable",
    ("node_os_upgrade",): "NodeImage",
    ("node_resource_group_restriction",): "ReadOnly",
    ("entra", "azure_rbac"): True,
    ("entra", "local_accounts"): False,
    ("oidc_issuer",): True,
    ("workload_identity",): True,
    ("azure_policy",): True,
    ("keda",): True,
    ("vertical_pod_autoscaler",): True,
    ("image_cleaner", "enabled"): True,
}
"""The settings that AKS fixes on Automatic clusters."""
_DECLARED: Final = ("auto_upgrade", "node_os_upgrade", "node_resource_group_restriction")
"""Those that other commands read: what is upgraded and when, and who can change resources of nodes."""
_WINDOWS: Final = {"admin_username": "nodes", "admin_password": {"stack": "shop/base/dev", "output": "password"}}
_NAT: Final = "managedNATGateway"
_ALL: Final[Mapping[str, object]] = {
    "sku": "Automatic",
    "pools": {},
    "network": {"kind": "ManagedAksNetwork"},
    "network_profile": {"outbound_type": _NAT},
    "node_provisioning": {},
    **{name: _FIXED[(name,)] for name in _DECLARED},
    "maintenance_configurations": NIGHTLY_MAINTENANCE,
}
"""An Automatic cluster without findings."""


def _automatic(**changes: object) -> AksClusterArgs:
    return aks(**{**_ALL, **changes})


@error("AKS373", "https://learn.microsoft.com/azure/aks/use-system-pools")
@sample("system_pool", lambda: aks(system_pool=None, pools={}))
def no_system_nodes(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A cluster has a system pool, or system nodes that AKS runs in a subscription of its own."""
    if cluster.system_pool is None and not cluster.hosted_system:
        message = f"A cluster requires {ref('system_pool')}, or {ref('hosted_system')} with {ref('sku')} `Automatic`"
        yield finding(cluster, message, path="system_pool", fix=f"Set {ref('system_pool')}")


@error("AKS374", f"{_ABOUT}: only available in AKS Automatic")
@limited(API_VERSIONS)
@sample("hosted_system", lambda: aks(hosted_system=True, api_version="2026-02-01"))
def hosted_system_without_automatic(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Only AKS Automatic has system nodes that AKS runs in a subscription of its own."""
    if cluster.hosted_system and cluster.sku != "Automatic":
        text = f"Set {ref('sku')} to `Automatic` for a new cluster, or {ref('system_pool')} instead of {ref('hosted_system')}"
        yield finding(cluster, f"{ref('hosted_system')} requires {ref('sku')} `Automatic`", path="hosted_system", fix=text)


@error("AKS375", f"{_MODEL}: the subnets of system nodes, nodes and API server are given together")
@limited(API_VERSIONS)
@sample("hosted_system_subnet_id", lambda: _automatic(hosted_system=True, system_pool=None, hosted_system_subnet_id=SUBNET, api_version="2026-02-01"))
def incomplete_hosted_subnets(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS takes the subnets of managed system nodes, other nodes and the API server together, or creates all three."""
    if not cluster.hosted_system or cluster.sku != "Automatic":
        return
    is_existing, given = isinstance(cluster.network, ExistingAksNetwork), (cluster.hosted_system_subnet_id, cluster.api_server_subnet_id)
    if not (is_existing and None not in given) and not (isinstance(cluster.network, ManagedAksNetwork) and given == (None, None)):
        ids, network = f"{ref('hosted_system_subnet_id')} and {ref('api_server_subnet_id')}", ref("network")
        message = f"{ref('hosted_system')} requires subnets of yours in all of {network}, {ids}, or in none of them"
        fix = f"Set {ids}, and {network} with an existing subnet; or remove both ids, and let AKS manage {network}"
        yield finding(cluster, message, path="hosted_system_subnet_id", fix=fix)


@error("AKS376", _INTRO)
@sample("keda", lambda: _automatic(keda=False))
def fixed_by_automatic(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS Automatic fixes many settings, and rejects other values of them."""
    if cluster.sku != "Automatic":
        return
    for steps, fixed in _FIXED.items():
        declared = value_at(cluster, steps)
        if declared not in (None, UNKNOWN, fixed):
            yield _of_automatic(cluster, steps, fixed, set_to(steps, fixed))
    for name, part in (("entra", Entra()), ("node_provisioning", NodeProvisioning())):
        if value_at(cluster, (name,)) is None:
            yield _of_automatic(cluster, (name,), "set", set_to(name, part))
    if isinstance(cluster.network, ManagedAksNetwork) and cluster.network_profile.outbound_type != _NAT:
        steps = ("network_profile", "outbound_type")
        yield _of_automatic(cluster, steps, _NAT, set_to(steps, _NAT))


def _of_automatic(cluster: AksClusterArgs, steps: Steps, fixed: object, fix: FixLike) -> PartFinding:
    message = f"AKS Automatic requires {ref(steps)} to be {fixed if fixed == 'set' else literal(fixed)}, and AKS rejects or ignores another value"
    return finding(cluster, message, path=steps, fix=fix)


@warning("AKS377", _INTRO)
@sample("sku", lambda: _automatic(auto_upgrade=None))
def undeclared_by_automatic(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS Automatic upgrades clusters and nodes: without their declaration, `calendar` and `upgrade` do not know it."""
    missing = [(name,) for name in _DECLARED if value_at(cluster, (name,)) is None]
    if cluster.sku == "Automatic" and missing:
        message = f"AKS Automatic sets {', '.join(map(ref, missing))} itself: `calendar`, `upgrade` and `diff` read an undeclared value as off"
        yield finding(cluster, message, path="sku", fix=tuple(set_to(steps, _FIXED[steps]) for steps in missing))


@note("AKS380", f"{_INTRO}: upgraded by the channel stable")
@sample("kubernetes_version", _automatic)
def version_that_automatic_passes(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS Automatic upgrades to newer minor versions; AKS then rejects changes that request the older one."""
    if cluster.sku == "Automatic":
        message = f"AKS Automatic upgrades past {ref('kubernetes_version')}: raise it after each upgrade, otherwise the next `pulumi up` fails"
        yield finding(cluster, message, path="kubernetes_version")


@warning("AKS378", f"{_INTRO}; nodes run Azure Linux or Ubuntu")
@sample("windows_profile", lambda: _automatic(windows_profile=_WINDOWS))
def windows_on_automatic(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents only Linux nodes for AKS Automatic."""
    if cluster.sku == "Automatic" and cluster.windows_profile is not None:
        message = "AKS documents only Linux nodes for AKS Automatic"
        yield finding(cluster, message, path="windows_profile", fix=Fix(f"Use a cluster with {ref('sku')} `Base` for Windows nodes"))


@warning("AKS379", f"{_LIMITATIONS}; the list of November 2026, read in part", about=About.CREATION)
@sample("location", lambda: _automatic(location="westus"))
def automatic_in_another_region(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS Automatic is available in the regions that Microsoft lists. Newer lists have more, also regions without availability zones."""
    if cluster.sku == "Automatic" and azure_name(cluster.location) not in azure_regions().automatic:
        message = f"AKS Automatic can be unavailable in {literal(cluster.location)}, which Microsoft's list of 2026-07-24 does not have"
        yield finding(cluster, message, path="location")


@warning("AKS382", f"{_LIMITATIONS}: no Automatic clusters without managed system node pools in any region", about=About.CREATION)
@limited(API_VERSIONS)
@sample("hosted_system", lambda: _automatic(hosted_system=False, api_version="2026-02-01"))
def automatic_with_system_nodes_of_its_own(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS runs the system nodes of new Automatic clusters; only clusters that exist have system pools, also on their way to other system nodes."""
    if cluster.sku != "Automatic" or cluster.system_pool is None:
        return
    if cluster.hosted_system:
        fix = f"Remove {ref('system_pool')}, unless the cluster is moving to or from {ref('hosted_system')}"
        yield finding(cluster, f"{ref('hosted_system')} needs no {ref('system_pool')}: AKS runs the system nodes itself", path="system_pool", fix=fix)
    elif cluster.hosted_system is False:
        message = f"AKS creates no new cluster of {ref('sku')} `Automatic` without {ref('hosted_system')}"
        yield finding(cluster, message, path="hosted_system", fix=f"Set {ref('hosted_system')} for a new cluster, and remove {ref('system_pool')}")

"""Services of AKS clusters and their range, the pod range, and values that AKS rejects. Facts: docs/facts/aks.md § 2.11."""

import re
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import AddressValueError, IPv4Address, IPv4Network
from typing import Final, cast
from urllib.parse import urlsplit

from nodepools.clouds.aks.agent_pool_nodes import agent_nodes, surge
from nodepools.model.aks.agent_pool import Autoscale, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ManagedAksNetwork
from nodepools.model.aks.services import EtcdKey, HttpProxy, ImageCleaner
from nodepools.model.cidr import is_private, overlap
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.listing import counted
from nodepools.rules.engine.finding import REPLACES, Fix, Operation, PartFinding, applied, certain, literal, ref, remove, replacing, set_to
from nodepools.rules.engine.registry import API_VERSIONS, Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import SIZE, SUBNET, aks
from nodepools.wire.aks.cluster_context import SYSTEM_ASSIGNED

_PLANNING = "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning"
_OVERLAY = "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay#ip-address-planning"
_CHANGES = "https://github.com/Azure/AKS/blob/master/CHANGELOG.md"
_LARGEST: Final = 12
"""Prefix length of the largest range of services; AKS documents a smaller one, Kubernetes accepts it."""
_SMALLEST: Final = 28
"""Prefix length of the smallest range that has the tenth address, which is that of DNS."""
_USUAL: Final = 16
"""Prefix length of the default ranges."""
_SERVICES: Final = ("network_profile", "service_cidr")
_PODS: Final = ("network_profile", "pod_cidr")
_DNS_SERVICE: Final = ("overrides", "network_profile", "dns_service_ip")
_DNS: Final = 10
_RESERVED: Final = 2
"""The first addresses of the range of services: that of the range itself, and that of the service `kubernetes`."""
_BITS: Final = 32
_NODE: Final = 24
"""Prefix length of the pod range of each node."""
_NOWHERE: Final = ("127.0.0.0/8", "224.0.0.0/4", "255.255.255.255/32")
"""Ranges that no network can use: loopback, multicast and broadcast."""


@error("AKS218", f"{_PLANNING}: smaller than /12; the tenth address is that of the DNS service")
@sample("network_profile.service_cidr", lambda: aks(network_profile={"service_cidr": "10.64.0.0/10"}))
def invalid_service_cidr_size(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The service CIDR must be smaller than a /12 and contain the address of the DNS service."""
    prefix = IPv4Network(cluster.service_cidr).prefixlen
    if prefix < _LARGEST:
        message = f"AKS rejects the service CIDR `{cluster.service_cidr}`: it must be a /{_LARGEST + 1} or smaller"
        yield finding(cluster, message, path=_SERVICES, value=cluster.service_cidr, fix=replacing(*_smaller(cluster)))
    elif prefix > _SMALLEST and _dns_service_ip(cluster) is None:
        message = f"AKS rejects the service CIDR `{cluster.service_cidr}`: it is too small for the DNS service, which takes its address {_DNS}"
        fix = f"Set {ref(_SERVICES)} to a /{_SMALLEST} or larger"
        yield finding(cluster, message, path=_SERVICES, value=cluster.service_cidr, fix=fix)


@warning("AKS219", f"{_PLANNING}: smaller than /12; kube-apiserver: a mask of 12 bits or more")
@sample("network_profile.service_cidr", lambda: aks(network_profile={"service_cidr": "10.96.0.0/12"}))
def service_cidr_at_size_limit(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents that the service CIDR must be smaller than a /12; Kubernetes itself accepts a /12."""
    if IPv4Network(cluster.service_cidr).prefixlen == _LARGEST:
        message = f"AKS can reject the service CIDR `{cluster.service_cidr}`: it documents a /{_LARGEST + 1} or smaller"
        yield finding(cluster, message, path=_SERVICES, value=cluster.service_cidr, fix=replacing(*_smaller(cluster)))


@error("AKS220", f"{_PLANNING}: the DNS service IP is in the range of services, and is not its first address")
@sample(
    "overrides.network_profile.dns_service_ip",
    lambda: aks(network_profile={"service_cidr": "10.96.0.0/16"}, overrides={"network_profile": {"dns_service_ip": "10.0.0.10"}}),
)
def dns_service_ip_outside_service_cidr(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The DNS service has an address inside the service CIDR that is not its first, which belongs to the service `kubernetes`."""
    address = _dns_service_ip(cluster)
    if address is None:
        return
    services, at = IPv4Network(cluster.service_cidr), _DNS_SERVICE
    fix = set_to(at, str(services[min(_DNS, services.num_addresses - 1)]))
    if address not in services:
        message = f"AKS rejects `{address}` for the DNS service: it is outside the service CIDR `{services}`"
        yield finding(cluster, message, path=at, fix=fix)
    elif int(address) - int(services.network_address) < _RESERVED:
        message = f"AKS rejects `{address}` for the DNS service: the first two addresses of the service CIDR `{services}` are reserved"
        yield finding(cluster, message, path=at, fix=fix)


@warning("AKS221", f"{_CHANGES}, 2023-10-01: AKS validates, and blocks if necessary, ranges of services in public address ranges")
@sample("network_profile.service_cidr", lambda: aks(network_profile={"service_cidr": "8.8.0.0/16"}))
def public_service_cidr(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """If services use a public range, pods cannot reach its owners on the internet, and AKS can reject the range."""
    services = IPv4Network(cluster.service_cidr)
    if services.is_global and not any(overlap(cluster.service_cidr, other) for other in _NOWHERE):
        message = f"The service CIDR `{services}` is a public range: pods cannot reach the internet hosts in it, and AKS can reject it"
        yield finding(cluster, message, path=_SERVICES, value=cluster.service_cidr, fix=replacing(*_moved(cluster, _SERVICES)))


@error(
    "AKS222", f"{_CHANGES}, 2023-10-01, and https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: multicast, broadcast and loopback"
)
@sample("network_profile.service_cidr", lambda: aks(network_profile={"service_cidr": "224.0.0.0/16"}))
def multicast_or_loopback_range(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Networks, pods and services cannot have multicast, broadcast or loopback addresses."""
    ranges = {("network", "cidr"): cluster.network.cidr, _PODS: cluster.pod_cidr, _SERVICES: cluster.service_cidr}
    for at, cidr in ranges.items():
        taken = [other for other in _NOWHERE if cidr is not None and overlap(cidr, other)]
        if taken:
            message = f"Azure rejects `{cidr}`: it overlaps `{taken[0]}`, which is reserved for multicast, broadcast or loopback"
            fix = f"Set {ref(at)} to a private range, such as one inside `10.0.0.0/8`" if at[0] == "network" else _moved(cluster, at)
            yield finding(cluster, message, path=at, value=cidr, fix=fix)


@error("AKS051", f"{_OVERLAY}: each node takes a /24 of the pod range; InsufficientSubnetSize, networkProfile.podCIDR, with max counts")
@sample(
    "network_profile.pod_cidr",
    lambda: aks(network_profile={"pod_cidr": "192.168.0.0/22"}, pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 5))}),
)
def pod_cidr_too_small(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """With overlay networking each node takes a /24 of the pod CIDR: AKS rejects pools that can have more nodes than that."""
    nodes, room = _nodes_and_blocks(cluster)
    if room is not None and nodes > room:
        rooms = counted(room, "node")
        message = f"AKS rejects the pod CIDR `{cluster.pod_cidr}`: it is enough for {rooms} (a /{_NODE} each), and the pools can have {nodes:,}"
        fix = f"Set {ref(_PODS)} to a /{_NODE - (nodes + _surge(cluster) - 1).bit_length()} or larger, or lower the sizes of the pools"
        yield finding(cluster, message, path=_PODS, value=cluster.pod_cidr, fix=fix)


@warning("AKS223", f"{_OVERLAY}: leave room for new nodes; a surge node takes a /24 too")
@sample("network_profile.pod_cidr", lambda: aks(network_profile={"pod_cidr": "192.168.0.0/22"}))
def pod_cidr_too_small_for_upgrades(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """During an upgrade the surge nodes of a pool take a /24 of the pod CIDR each too; pools are upgraded one after another."""
    nodes, room = _nodes_and_blocks(cluster)
    more = _surge(cluster)
    if room is not None and nodes <= room < nodes + more:
        needs = f"the pools can have {nodes:,}, and an upgrade adds {more:,}"
        message = f"Upgrades have no room for surge nodes: the pod CIDR `{cluster.pod_cidr}` is enough for {room:,} nodes; {needs}"
        fix = f"Set {ref(_PODS)} to a /{_NODE - (nodes + more - 1).bit_length()} or larger{REPLACES}"
        yield finding(cluster, message, path=_PODS, value=cluster.pod_cidr, fix=fix)


def _smaller(cluster: AksClusterArgs) -> Sequence[Operation]:
    """Sets the service CIDR to the part of it that has the DNS service; to its default if that part is public or taken."""
    dns = _dns_service_ip(cluster)
    first = dns if dns is not None else IPv4Network(cluster.service_cidr).network_address
    part = str(IPv4Network(f"{first}/{_USUAL}", strict=False))
    is_free = is_private(part) and not any(overlap(part, taken) for taken in (cluster.network.cidr, cluster.pod_cidr) if taken is not None)
    return (set_to(_SERVICES, part),) if is_free else _moved(cluster, _SERVICES)


def _moved(cluster: AksClusterArgs, path: tuple[str, str]) -> Sequence[Operation]:
    """Sets the field at `path` to its default range, which overlaps no other, and the DNS service to an address in it."""
    free: str = getattr(applied(cluster, (remove(path),)), path[1])
    dns = [set_to(_DNS_SERVICE, str(IPv4Network(free)[_DNS]))] if path == _SERVICES and _dns_service_ip(cluster) is not None else []
    return (set_to(path, free), *dns)


def _surge(cluster: AksClusterArgs) -> int:
    """Nodes that an upgrade adds: pools are upgraded one after another."""
    return max((surge(nodes.pool, minimum=True) for nodes in agent_nodes(cluster)), default=0)


def _nodes_and_blocks(cluster: AksClusterArgs) -> tuple[int, int | None]:
    """Nodes that the pools may have, and how many have a range for their pods; a network plugin of the user's own divides its range differently."""
    nodes = sum(nodes.pool.most_nodes for nodes in agent_nodes(cluster))
    if cluster.network_profile.plugin != "azure" or cluster.pod_cidr is None:
        return nodes, None
    return nodes, IPv4Network(cluster.pod_cidr).num_addresses >> (_BITS - _NODE)


def _dns_service_ip(cluster: AksClusterArgs) -> IPv4Address | None:
    """The address of the DNS service in `overrides`."""
    profile = cluster.overrides.get("network_profile")
    value = cast("Mapping[str, object]", profile).get("dns_service_ip") if isinstance(profile, Mapping) else None
    try:
        return IPv4Address(value) if isinstance(value, str) else None
    except AddressValueError:
        return None


_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_PROXY: Final = f"{_PAGES}/http-proxy (2026-08)"
_KMS: Final = f"{_PAGES}/use-kms-etcd-encryption (2026-08)"
_PROXIED: Final = {"http": "http://proxy.example.com:3128"}
_VAULT: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"
_KEY: Final = "https://v.vault.azure.net/keys/etcd/0123456789abcdef0123456789abcdef"
_HOUR: Final = 3600
_SHORTEST_CLEANING, _LONGEST_CLEANING = 24, 2160


@error("AKS285", f"{_PAGES}/cost-analysis: the Standard or Premium tier (2026-08)")
@sample("cost_analysis", lambda: aks(cost_analysis=True, tier="Free"))
def cost_analysis_in_free_tier(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects cost analysis in the Free tier."""
    if cluster.cost_analysis is True and cluster.tier == "Free":
        fix = Fix(f"Set {ref('tier')} to {literal('Standard')}, or remove {ref('cost_analysis')}", (set_to("tier", "Standard"),))
        yield finding(cluster, "AKS rejects cost analysis in the Free tier", path="cost_analysis", fix=fix)


@error("AKS286", f"{_PAGES}/image-cleaner: --image-cleaner-interval-hours, 24 hours to three months (2026-08)")
@sample("image_cleaner.interval", lambda: aks(image_cleaner={"interval": "12h"}))
def image_cleaner_interval_out_of_range(cleaner: ImageCleaner) -> Iterator[PartFinding]:
    """The image cleaner runs every 24 to 2160 hours, in whole hours."""
    length = seconds(cleaner.interval)
    if length % _HOUR or not _SHORTEST_CLEANING <= length // _HOUR <= _LONGEST_CLEANING:
        nearest = f"{min(max(length // _HOUR, _SHORTEST_CLEANING), _LONGEST_CLEANING)}h"
        message = f"{ref('interval')} is `{cleaner.interval}`: AKS accepts whole hours from {_SHORTEST_CLEANING}h to {_LONGEST_CLEANING}h"
        yield finding(cleaner, message, path="interval", fix=set_to("interval", nearest))


@error("AKS287", f"{_PROXY}: Windows node pools are not supported")
@sample(
    "http_proxy",
    lambda: aks(
        kubernetes_version="1.35",
        pools={"win": WindowsPool(vm_size=SIZE)},
        windows_profile={},
        network_profile={"dataplane": "azure"},
        http_proxy=_PROXIED,
    ),
)
def http_proxy_with_windows_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS does not support Windows pools in a cluster with an HTTP proxy."""
    windows = [key for key, pool in cluster.pools.items() if isinstance(pool, WindowsPool)]
    if cluster.http_proxy is not None and windows:
        message = f"AKS does not support the Windows pool `{windows[0]}` in a cluster with an HTTP proxy"
        fix = f"Remove the Windows pools, or remove {ref('http_proxy')}"
        yield finding(cluster, message, path="http_proxy", fix=fix)


@error("AKS288", f"{_PROXY}: wildcards are not supported in noProxy")
@sample("http_proxy.no_proxy[0]", lambda: aks(http_proxy={**_PROXIED, "no_proxy": ["*.corp"]}))
def wildcard_in_no_proxy(proxy: HttpProxy) -> Iterator[PartFinding]:
    """AKS rejects wildcards in `no_proxy`; a domain with a leading dot contains its subdomains."""
    for index, entry in enumerate(proxy.no_proxy):
        if "*" in entry:
            message, at = f"AKS rejects the wildcard `{entry}`: a leading dot stands for all subdomains", ("no_proxy", index)
            yield finding(proxy, message, path=at, fix=certain(set_to(at, entry.lstrip("*"))) if re.fullmatch(r"\*\.[^*]+", entry) else remove(at))


@error("AKS289", f"{_PROXY}: httpProxy and httpsProxy")
@sample("http_proxy", lambda: aks(http_proxy={"no_proxy": [".corp"]}))
def http_proxy_without_url(proxy: HttpProxy) -> Iterator[PartFinding]:
    """An HTTP proxy has a URL for HTTP, for HTTPS, or for both."""
    if proxy.http is None and proxy.https is None:
        yield finding(proxy, "The HTTP proxy has no effect: it has no URL", path=(), fix=f"Set {ref('http')}, {ref('https')} or both")


def _has_port(url: str) -> bool:
    """The port of the URL, if it has one, is a port."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


@error("AKS354", f"{_PROXY}: httpProxy, the scheme of the URL must be http")
@sample("http_proxy.http", lambda: aks(http_proxy={"http": "https://proxy.example.com:3128"}))
def proxy_of_another_scheme(proxy: HttpProxy) -> Iterator[PartFinding]:
    """The URL of a proxy has its scheme, that of the proxy for HTTP is `http`, and its port is one."""
    for name, schemes in (("http", ("http",)), ("https", ("http", "https"))):
        url = getattr(proxy, name)
        scheme, has, _ = url.partition("://") if isinstance(url, str) else ("http", "", "")
        if isinstance(url, str) and has and scheme.lower() in schemes and not _has_port(url):
            yield finding(proxy, f"AKS rejects {ref(name)}: its port is not a number up to 65535", path=name, value=None, fix="Correct the port")
        if isinstance(url, str) and (not has or scheme.lower() not in schemes):
            listed = " or ".join(f"`{one}://`" for one in schemes)
            fix = f"Write a URL that begins with {listed}"
            yield finding(proxy, f"AKS rejects the value of {ref(name)}: it must be a URL that begins with {listed}", path=name, value=None, fix=fix)


@error("AKS290", f"{_PROXY}: user/password authentication is not supported")
@sample("http_proxy.http", lambda: aks(http_proxy={"http": "http://me@proxy.example.com:3128"}))
def http_proxy_with_credentials(proxy: HttpProxy) -> Iterator[PartFinding]:
    """AKS does not support proxies that require a user name and a password."""
    for name in ("http", "https"):
        url = getattr(proxy, name)
        if isinstance(url, str) and "@" in url.partition("://")[2].partition("/")[0]:
            message = f"{ref(name)} contains credentials: AKS supports only proxies without a user name and a password"
            yield finding(
                proxy, message, path=name, value=None, fix="Remove the part before `@`, and let the proxy accept the nodes by their addresses"
            )


@error("AKS291", f"{_PAGES}/custom-certificate-authority: base64-encoded certificates in PEM format (2026-08)")
@sample("trusted_certificates[0]", lambda: aks(trusted_certificates=["/etc/ssl/ca.pem"]))
def trusted_certificate_not_pem(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts certificate authorities as PEM text, without private keys."""
    texts: list[tuple[tuple[str | int, ...], str]] = [(("trusted_certificates", at), text) for at, text in enumerate(cluster.trusted_certificates)]
    if cluster.http_proxy is not None and cluster.http_proxy.trusted_ca is not None:
        texts.append((("http_proxy", "trusted_ca"), cluster.http_proxy.trusted_ca))
    for at, text in texts:
        if "PRIVATE KEY-----" in text:
            message = "The text contains a private key, which every node would get: only certificates are trusted"
            yield finding(cluster, message, path=at, value=None, fix="Remove the private key, and replace it: it was in a declaration")
        elif "-----BEGIN CERTIFICATE-----" not in text:
            message = "AKS accepts certificates as PEM text, not as the path of a file or as base64 text"
            yield finding(cluster, message, path=at, value=None, fix="Use the content of the file")


@error("AKS292", f"{_KMS}: the key id with its version; a version cannot be omitted")
@sample("etcd_key.key_id", lambda: aks(etcd_key={"key_id": _KEY.rpartition("/")[0]}))
def etcd_key_without_version(key: EtcdKey) -> Iterator[PartFinding]:
    """AKS requires the id of a version of the key that encrypts etcd."""
    if isinstance(key.key_id, str) and not re.fullmatch(r"https://[^/]+/keys/[^/]+/[^/]+", key.key_id):
        message = f"{ref('key_id')} must be the id of a key version, such as `https://VAULT.vault.azure.net/keys/KEY/VERSION`"
        yield finding(key, message, path="key_id", fix="Use the id that `az keyvault key show --query key.kid` prints")


@error("AKS293", f"{_KMS}: a user-assigned managed identity; the key must be accessible before KMS is turned on")
@limited(Limit(Where.UNREAD, "the identity of a cluster is not read, because its roles are not known"))
@sample("identity", lambda: aks(identity=SYSTEM_ASSIGNED, network=ManagedAksNetwork(), etcd_key={"key_id": _KEY, "vault_id": _VAULT}))
def etcd_key_with_system_identity(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS encrypts etcd with a key of a vault only for clusters with a user-assigned identity, which can read the key before the cluster exists."""
    if cluster.etcd_key is not None and cluster.etcd_key.enabled and cluster.identity == SYSTEM_ASSIGNED:
        message = f"{ref('etcd_key')} requires a user-assigned identity, which can have access to the key before the cluster exists"
        fix = Fix(f"Remove {ref('identity')} (default: a new user-assigned identity), or set it to the id of an identity", (remove("identity"),))
        yield finding(cluster, message, path="identity", fix=fix)


@warning("AKS294", f"{_KMS}: a private key vault requires API server VNet integration")
@sample("etcd_key.vault_access", lambda: aks(etcd_key={"key_id": _KEY, "vault_id": _VAULT, "vault_access": "Private"}))
def private_vault_without_vnet_integration(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The API server reaches a private key vault only from a subnet of its own (API server VNet integration)."""
    key = cluster.etcd_key
    if key is not None and key.enabled and key.vault_access == "Private" and cluster.api_server_subnet_id is None:
        at = ("etcd_key", "vault_access")
        message = f"The API server cannot reach a private key vault without {ref('api_server_subnet_id')}"
        fix = f"Set {ref('api_server_subnet_id')}, or set {ref(at)} to {literal('Public')}"
        yield finding(cluster, message, path=at, fix=fix)


@error("AKS295", f"{_KMS}: keyVaultResourceId is required when keyVaultNetworkAccess is Private")
@sample("etcd_key.vault_id", lambda: aks(api_server_subnet_id=SUBNET, etcd_key={"key_id": _KEY, "vault_access": "Private"}))
def private_vault_without_id(key: EtcdKey) -> Iterator[PartFinding]:
    """AKS requires the resource id of a private key vault."""
    if key.vault_access == "Private" and key.vault_id is None:
        yield finding(
            key, f"{ref('vault_id')} is required: AKS needs the resource id of a private key vault", path="vault_id", fix=f"Set {ref('vault_id')}"
        )


@error("AKS357", f"{_KMS}: the identity needs rights on the vault of the key")
@sample("etcd_key.vault_id", lambda: aks(etcd_key={"key_id": _KEY.replace("v.", "another."), "vault_id": _VAULT}))
def key_in_another_vault(key: EtcdKey) -> Iterator[PartFinding]:
    """The vault of the key, on which the identity of the cluster gets its rights, is the one that the id of the key names."""
    host = re.match(r"https://([^./]+)\.vault\.", key.key_id) if isinstance(key.key_id, str) else None
    vault = key.vault_id.rpartition("/")[2] if isinstance(key.vault_id, str) and "/vaults/" in key.vault_id else None
    if key.enabled and host is not None and vault is not None and host[1].lower() != vault.lower():
        message = f"The key is in the vault `{host[1]}`, and {ref('vault_id')} names `{vault}`: the cluster has no access to the key"
        yield finding(key, message, path="vault_id", fix=f"Set {ref('vault_id')} to the id of the vault `{host[1]}`")


_AUTHORITY: Final = {"vault_id": _VAULT, "root": "root", "intermediate": "ca", "key": "ca-key", "chain": "chain"}


@error("AKS355", f"{_PAGES}/istio-plugin-ca (2026-08): the Azure Key Vault provider is a prerequisite")
@sample("istio.certificate_authority", lambda: aks(istio={"revisions": ["asm-1-30"], "certificate_authority": _AUTHORITY}))
def mesh_authority_without_provider(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Istio reads its own certificate authority with the Azure Key Vault provider of the cluster."""
    istio, provider = cluster.istio, cluster.key_vault_provider
    if istio is not None and istio.enabled and istio.certificate_authority is not None and (provider is None or not provider.enabled):
        message = f"Istio cannot read the certificate authority: {ref('key_vault_provider')} is off"
        yield finding(
            cluster, message, path=("istio", "certificate_authority"), fix=f"Set {ref('key_vault_provider')}, with the vault in its `vaults`"
        )


@note("AKS296", f"{_KMS}: rotation, and deleting the key or the vault")
@sample("etcd_key.key_id", lambda: aks(etcd_key={"key_id": _KEY, "vault_id": _VAULT}))
def etcd_key_rotated_by_hand(key: EtcdKey) -> Iterator[PartFinding]:
    """AKS uses one version of the key until `key_id` changes, and Secrets keep their key until they are written again."""
    if key.enabled:
        lost = "If this version of the key is deleted, every Secret is lost"
        message = f"{lost}; to rotate, set {ref('key_id')} to the new version, then rewrite all Secrets"
        yield finding(key, message, path="key_id")


_ROUTING: Final = f"{_PAGES}/app-routing-gateway-api (2026-07)"


@error("AKS360", f"{_ROUTING}: not at the same time as the Istio service mesh add-on")
@limited(API_VERSIONS)
@sample(
    "app_routing.gateway", lambda: aks(api_version="2026-05-01", gateway_api=True, app_routing={"gateway": True}, istio={"revisions": ["asm-1-30"]})
)
def gateways_of_application_routing_next_to_a_mesh(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS runs Gateways with application routing or with the Istio add-on, and never both: each has an Istio control plane."""
    if cluster.app_routing is not None and cluster.app_routing.gateway and cluster.istio is not None and cluster.istio.enabled:
        at = ("app_routing", "gateway")
        message = "AKS rejects Gateways of application routing next to the Istio add-on, which has Gateways of its own (class `istio`)"
        yield finding(cluster, message, path=at, fix=f"Remove {ref(at)}, or turn {ref('istio')} off first, in a separate `pulumi up`")


@warning("AKS361", f"{_ROUTING}: enable the managed Gateway API; CRDs of your own are not supported")
@limited(API_VERSIONS)
@sample("app_routing.gateway", lambda: aks(api_version="2026-05-01", app_routing={"gateway": True}))
def gateways_without_their_crds(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Gateways of application routing need the CRDs that AKS installs."""
    if cluster.app_routing is not None and cluster.app_routing.gateway and not cluster.gateway_api:
        message = f"Application routing supports only the CRDs of the Gateway API that AKS installs: {ref('gateway_api')} is not set"
        yield finding(cluster, message, path=("app_routing", "gateway"), fix=set_to("gateway_api", value=True))

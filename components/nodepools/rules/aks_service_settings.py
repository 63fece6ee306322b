"""Services of AKS clusters: combinations and values that AKS rejects, and keys that can be lost. Facts: docs/facts/aks.md § 11."""

import re
from collections.abc import Iterator
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ManagedAksNetwork
from nodepools.model.aks.pools import WindowsPool
from nodepools.model.aks.services import EtcdKey, HttpProxy, ImageCleaner
from nodepools.model.kubernetes.duration import seconds
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import Fix, certain, remove, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks
from nodepools.wire.aks.identity import SYSTEM_ASSIGNED

_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_PROXY: Final = f"{_PAGES}/http-proxy (2026-08)"
_KMS: Final = f"{_PAGES}/use-kms-etcd-encryption (2026-08)"
_PROXIED: Final = {"http": "http://proxy.example.com:3128"}
_VAULT: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"
_KEY: Final = "https://v.vault.azure.net/keys/etcd/0123456789abcdef0123456789abcdef"
_HOUR: Final = 3600
_SHORTEST_CLEANING, _LONGEST_CLEANING = 24, 2160
_CERTIFICATE: Final = "-----BEGIN CERTIFICATE-----"
_PRIVATE_KEY: Final = "PRIVATE KEY-----"


@rule(
    "AKS285",
    Severity.ERROR,
    source=f"{_PAGES}/cost-analysis: the Standard or Premium tier (2026-08)",
    sample=lambda: aks(cost_analysis=True, tier="Free"),
)
def cost_analysis_in_free_tier(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects cost analysis in the Free tier."""
    if cluster.cost_analysis is True and cluster.tier == "Free":
        fix = Fix(f"Set {ref('tier')} to {literal('Standard')}, or remove {ref('cost_analysis')}", (set_to("tier", "Standard"),))
        yield finding(cluster, "AKS rejects cost analysis in the Free tier", path="cost_analysis", fix=fix)


@rule(
    "AKS286",
    Severity.ERROR,
    source=f"{_PAGES}/image-cleaner: --image-cleaner-interval-hours, 24 hours to three months (2026-08)",
    sample=lambda: aks(image_cleaner={"interval": "12h"}),
)
def image_cleaner_interval_out_of_range(cleaner: ImageCleaner) -> Iterator[PartFinding]:
    """The image cleaner runs every 24 to 2160 hours, in whole hours."""
    length = seconds(cleaner.interval)
    if length % _HOUR or not _SHORTEST_CLEANING <= length // _HOUR <= _LONGEST_CLEANING:
        nearest = f"{min(max(length // _HOUR, _SHORTEST_CLEANING), _LONGEST_CLEANING)}h"
        message = f"{ref('interval')} is `{cleaner.interval}`: AKS accepts whole hours from {_SHORTEST_CLEANING}h to {_LONGEST_CLEANING}h"
        yield finding(cleaner, message, path="interval", fix=set_to("interval", nearest))


@rule(
    "AKS287",
    Severity.ERROR,
    source=f"{_PROXY}: Windows node pools are not supported",
    sample=lambda: aks(
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


@rule(
    "AKS288",
    Severity.ERROR,
    source=f"{_PROXY}: wildcards are not supported in noProxy",
    sample=lambda: aks(http_proxy={**_PROXIED, "no_proxy": ["*.corp"]}),
)
def wildcard_in_no_proxy(proxy: HttpProxy) -> Iterator[PartFinding]:
    """AKS rejects wildcards in `no_proxy`; a domain with a leading dot contains its subdomains."""
    for index, entry in enumerate(proxy.no_proxy):
        if "*" in entry:
            message, at = f"AKS rejects the wildcard `{entry}`: a leading dot stands for all subdomains", ("no_proxy", index)
            yield finding(proxy, message, path=at, fix=certain(set_to(at, entry.lstrip("*"))) if re.fullmatch(r"\*\.[^*]+", entry) else remove(at))


@rule("AKS289", Severity.ERROR, source=f"{_PROXY}: httpProxy and httpsProxy", sample=lambda: aks(http_proxy={"no_proxy": [".corp"]}))
def http_proxy_without_url(proxy: HttpProxy) -> Iterator[PartFinding]:
    """An HTTP proxy has a URL for HTTP, for HTTPS, or for both."""
    if proxy.http is None and proxy.https is None:
        yield finding(proxy, "The HTTP proxy has no URL: nothing uses it", path=(), fix=f"Set {ref('http')}, {ref('https')} or both")


@rule(
    "AKS290",
    Severity.ERROR,
    source=f"{_PROXY}: user/password authentication is not supported",
    sample=lambda: aks(http_proxy={"http": "http://me@proxy.example.com:3128"}),
)
def http_proxy_with_credentials(proxy: HttpProxy) -> Iterator[PartFinding]:
    """AKS does not support proxies that require a user name and a password."""
    for name in ("http", "https"):
        url = getattr(proxy, name)
        if isinstance(url, str) and "@" in url.partition("://")[2].partition("/")[0]:
            message = f"{ref(name)} contains credentials: AKS supports only proxies without a user name and a password"
            yield finding(
                proxy, message, path=name, value=None, fix="Remove the part before `@`, and let the proxy accept the nodes by their addresses"
            )


@rule(
    "AKS291",
    Severity.ERROR,
    source=f"{_PAGES}/custom-certificate-authority: base64-encoded certificates in PEM format (2026-08)",
    sample=lambda: aks(trusted_certificates=["/etc/ssl/ca.pem"]),
)
def trusted_certificate_not_pem(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts certificate authorities as PEM text, without private keys."""
    for index, text in enumerate(cluster.trusted_certificates):
        at = ("trusted_certificates", index)
        if _PRIVATE_KEY in text:
            message = "The text contains a private key, which every node would get: only certificates are trusted"
            yield finding(cluster, message, path=at, value=None, fix="Remove the private key, and replace it: it was in a declaration")
        elif not text.lstrip().startswith(_CERTIFICATE):
            message = "AKS accepts certificates as PEM text, not as the path of a file or as base64 text"
            yield finding(cluster, message, path=at, value=None, fix="Use the content of the file")


@rule(
    "AKS292",
    Severity.ERROR,
    source=f"{_KMS}: the key id with its version; a version cannot be omitted",
    sample=lambda: aks(etcd_key={"key_id": _KEY.rpartition("/")[0]}),
)
def etcd_key_without_version(key: EtcdKey) -> Iterator[PartFinding]:
    """AKS requires the id of a version of the key that encrypts etcd."""
    if isinstance(key.key_id, str) and not re.fullmatch(r"https://[^/]+/keys/[^/]+/[^/]+", key.key_id):
        message = f"{ref('key_id')} must be the id of a version of a key: `https://VAULT.vault.azure.net/keys/KEY/VERSION`"
        yield finding(key, message, path="key_id", fix="Use the id that `az keyvault key show --query key.kid` prints")


@rule(
    "AKS293",
    Severity.ERROR,
    source=f"{_KMS}: a user-assigned managed identity; the key must be accessible before KMS is turned on",
    sample=lambda: aks(identity=SYSTEM_ASSIGNED, network=ManagedAksNetwork(), etcd_key={"key_id": _KEY, "vault_id": _VAULT}),
)
def etcd_key_with_system_identity(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS encrypts etcd with a key of a vault only for clusters with a user-assigned identity, which can read the key before the cluster exists."""
    if cluster.etcd_key is not None and cluster.etcd_key.enabled and cluster.identity == SYSTEM_ASSIGNED:
        message = f"AKS requires a user-assigned identity for {ref('etcd_key')}, which can use the key before the cluster exists"
        yield finding(
            cluster, message, path="identity", fix=Fix(f"Remove {ref('identity')}, or set it to the id of an identity", (remove("identity"),))
        )


@rule(
    "AKS294",
    Severity.WARNING,
    source=f"{_KMS}: a private key vault requires API server VNet integration",
    sample=lambda: aks(etcd_key={"key_id": _KEY, "vault_id": _VAULT, "vault_access": "Private"}),
)
def private_vault_without_vnet_integration(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The API server reaches a private key vault only from a subnet of its own (API server VNet integration)."""
    key = cluster.etcd_key
    if key is not None and key.enabled and key.vault_access == "Private" and cluster.api_server_subnet_id is None:
        at = ("etcd_key", "vault_access")
        message = f"The API server cannot reach a private key vault without {ref('api_server_subnet_id')}"
        fix = f"Set {ref('api_server_subnet_id')}, or set {ref(at)} to {literal('Public')}"
        yield finding(cluster, message, path=at, fix=fix)


@rule(
    "AKS295",
    Severity.ERROR,
    source=f"{_KMS}: keyVaultResourceId is required when keyVaultNetworkAccess is Private",
    sample=lambda: aks(api_server_subnet_id="subnet", etcd_key={"key_id": _KEY, "vault_access": "Private"}),
)
def private_vault_without_id(key: EtcdKey) -> Iterator[PartFinding]:
    """AKS requires the resource id of a private key vault."""
    if key.vault_access == "Private" and key.vault_id is None:
        yield finding(key, "AKS requires the resource id of a private key vault", path="vault_id", fix=f"Set {ref('vault_id')}")


@rule(
    "AKS296",
    Severity.NOTE,
    source=f"{_KMS}: rotation, and deleting the key or the vault",
    sample=lambda: aks(etcd_key={"key_id": _KEY, "vault_id": _VAULT}),
)
def etcd_key_rotated_by_hand(key: EtcdKey) -> Iterator[PartFinding]:
    """AKS uses one version of the key until `key_id` changes, and Secrets keep their key until they are written again."""
    if key.enabled:
        lost = "All Secrets are lost if this version of the key, which encrypts etcd, is deleted"
        message = f"{lost}. To rotate it, change {ref('key_id')}, then write all Secrets again"
        yield finding(key, message, path="key_id")

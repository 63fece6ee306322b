"""Windows pools. Facts: docs/facts/aks.md § 2.6."""

import re
from collections.abc import Iterator, Mapping

from nodepools.data.aks_images import OS_SKUS, os_sku
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.version_support import minor as minor_of
from nodepools.model.aks.agent_pool import WINDOWS_TAINT, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_settings import Gmsa, WindowsProfile
from nodepools.model.ref import revealed
from nodepools.rules.engine.finding import Fix, Operation, PartFinding, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import SIZE, aks

_WINDOWS = "https://learn.microsoft.com/azure/aks/windows-best-practices"
_RELEASES = "https://learn.microsoft.com/azure/aks/upgrade-windows-os"
_PASSWORD = (8, 123)
_KINDS, _KINDS_NEEDED = ("[a-z]", "[A-Z]", "[0-9]", "[^a-zA-Z0-9]"), 3
_NAMES = """
administrator admin user user1 test user2 test1 user3 admin1 1 123 a actuser adm admin2 aspnet backup console david guest john owner root server sql
support support_388945a0 sys test2 test3 user4 user5"""
_PASSWORDS = "abc@123 P@$$w0rd P@ssw0rd P@ssword123 Pa$$word pass@word1 Password! Password1 Password22 iloveyou!"
"""Values that Azure does not accept for the account of Windows machines."""
_SERVERS = ("Windows2019", "Windows2022", "Windows2025")
_BEFORE: Mapping[str, object] = {"kubernetes_version": "1.35", "network_profile": {"dataplane": "azure"}}
"""A cluster in which Windows pools have no findings."""


@note("AKS090", "Azure/AKS#4489: a cluster without windowsProfile never gets one; those with Azure CNI have one in any case (2026-11)")
@sample("pools.win", lambda: aks(pools={"web": UserPool(vm_size=SIZE), "win": WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True)}, **_BEFORE))
def windows_pool_without_windows_profile(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Windows pools require a Windows profile, which AKS gives to new clusters with Azure CNI automatically."""
    for key, pool in cluster.pools.items():
        if isinstance(pool, WindowsPool) and cluster.windows_profile is None:
            message = f"AKS rejects the Windows pool `{key}` in an old cluster without a Windows profile; it gives one to new clusters with Azure CNI"
            yield finding(cluster, message, path=("pools", key), value=key)


@error("AKS371", "`az aks create --gmsa-dns-server`, azurerm_kubernetes_cluster, gmsa (2026-08): server and domain are both set, or neither")
@sample("windows_profile.gmsa", lambda: aks(windows_profile={"gmsa": {"root_domain_name": "corp.example.com"}}))
def incomplete_gmsa(gmsa: Gmsa) -> Iterator[PartFinding]:
    """Group managed service accounts have a DNS server and a root domain, or find both in the virtual network."""
    if (not gmsa.dns_server) is not (not gmsa.root_domain_name):
        has, lacks = ("dns_server", "root_domain_name") if gmsa.dns_server else ("root_domain_name", "dns_server")
        fix = f"Set {ref(lacks)}, or remove {ref(has)} if the DNS of the virtual network has it"
        yield finding(gmsa, f"AKS rejects {ref(has)} without {ref(lacks)}", path=(), value=None, fix=fix)


@error("AKS091", f"{_RELEASES}: Windows2019 up to Kubernetes 1.32, Windows2022 up to 1.36, Windows2025 from 1.32 on")
@sample("pools.win.os_sku", lambda: _windows(os_sku="Windows2019"))
def windows_release_unsupported_by_version(pool: WindowsPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A release of Windows Server supports some versions of Kubernetes only."""
    version = pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version
    image, minor = os_sku(pool.os_sku), minor_of(version)
    if image is not None and minor > image.last:
        message = f"`{image.name}` supports Kubernetes up to 1.{image.last}: the pool has {version}"
        yield finding(pool, message, path="os_sku", fix=_to(_releases(minor)[0], pool))
    if image is not None and minor < image.first:
        message = f"`{image.name}` supports Kubernetes 1.{image.first} and later: the pool has {version}"
        yield finding(pool, message, path="os_sku", fix=_to(_releases(minor)[-1], pool))


def _releases(minor: int) -> list[str]:
    """Releases of Windows Server that support Kubernetes 1.`minor`, the oldest first."""
    return [sku.name for sku in OS_SKUS.values() if sku.name in _SERVERS and sku.first <= minor <= sku.last]


def _to(release: str, pool: WindowsPool) -> tuple[Operation, ...]:
    image = os_sku(release)
    needs_fips = image is not None and image.needs_fips and not pool.fips
    return (set_to("os_sku", release), *((set_to("fips", value=True),) if needs_fips else ()))


@error("AKS092", f"{_RELEASES} (2026-07-13): Windows Server 2025 requires a FIPS image")
@sample("pools.win.os_sku", lambda: _windows(os_sku="Windows2025", fips=False))
def windows_release_requires_fips(pool: WindowsPool) -> Iterator[PartFinding]:
    """Windows Server 2025 requires a FIPS image."""
    image = os_sku(pool.os_sku)
    if image is not None and image.needs_fips and not pool.fips:
        yield finding(pool, f"`{image.name}` requires a FIPS image", path="os_sku", fix=set_to("fips", value=True))


@error("AKS093", f"{_WINDOWS}: not with outbound type loadBalancer; Azure API reference, AgentPoolWindowsProfile: not with node public IPs")
@sample("pools.win.outbound_nat", lambda: _windows(outbound_nat=False))
def outbound_nat_off_without_gateway(pool: WindowsPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS turns outbound NAT of Windows nodes off only with a NAT gateway or user-defined routing, and without node public IPs."""
    if not pool.outbound_nat and (cluster.network_profile.outbound_type == "loadBalancer" or pool.node_public_ip):
        why = "its nodes have public IPs" if pool.node_public_ip else "the outbound type of the cluster is `loadBalancer`"
        message = f"AKS cannot turn outbound NAT off for this Windows pool: {why}"
        yield finding(pool, message, path="outbound_nat", fix=set_to("outbound_nat", value=True))


@error("AKS094", "https://learn.microsoft.com/azure/aks/use-arm64-vms: Arm64 VMs are not supported for Windows node pools")
@sample("vm_size", lambda: WindowsPool(vm_size="Standard_D4pds_v5", os_sku="Windows2025", fips=True))
def windows_on_arm(pool: WindowsPool) -> Iterator[PartFinding]:
    """AKS does not support Windows on arm64."""
    size = azure_vm_sizes().get(pool.vm_size)
    if size is not None and size.arch == "arm64":
        message = f"`{pool.vm_size}` is an arm64 size: AKS does not support Windows on arm64"
        yield finding(pool, message, path="vm_size", fix=f"Use an amd64 size, such as `{SIZE}`")


@error("AKS095", "Azure API reference, ManagedClusterWindowsProfile: adminPassword, 8 to 123 characters, and 3 of 4 kinds of them (2026-11)")
@sample("admin_password", lambda: WindowsProfile(admin_password="short"))  # noqa: S106  # a sample of what is rejected
def invalid_windows_password(profile: WindowsProfile) -> Iterator[PartFinding]:
    """AKS requires a Windows admin password of 8 to 123 characters, of three of these kinds: lower case, upper case, digits, others."""
    password = revealed(profile.admin_password) if profile.admin_password is not None else None
    if isinstance(password, str) and not _PASSWORD[0] <= len(password) <= _PASSWORD[1]:
        message = "Azure rejects this Windows admin password: it must have 8 to 123 characters (AKS documents at least 14)"
        fix = "Use a password of 14 to 123 characters, and read it from a secret"
        yield finding(profile, message, path="admin_password", fix=fix)
    elif isinstance(password, str) and sum(re.search(kind, password) is not None for kind in _KINDS) < _KINDS_NEEDED:
        message = (
            "Azure rejects this Windows admin password: it must have three of lower-case letters, upper-case letters, digits and other characters"
        )
        yield finding(profile, message, path="admin_password", fix="Use a password with three of these kinds, and read it from a secret")


@error("AKS352", "Azure API reference, ManagedClusterWindowsProfile: adminUsername and adminPassword, disallowed values")
@sample("admin_username", lambda: WindowsProfile(admin_username="administrator"))
def disallowed_windows_account(profile: WindowsProfile) -> Iterator[PartFinding]:
    """Azure does not accept the usual names and passwords of administrators for Windows machines."""
    if profile.admin_username.lower() in _NAMES.split():
        message = f"Azure rejects the Windows user name `{profile.admin_username}`, which is on its list of disallowed names"
        fix = Fix(f"Remove {ref('admin_username')} (default: {literal('azureuser')}), or use another name", (remove("admin_username"),))
        yield finding(profile, message, path="admin_username", fix=fix)
    password = revealed(profile.admin_password) if profile.admin_password is not None else None
    if password in _PASSWORDS.split():
        message = "Azure rejects this Windows admin password, which is on its list of disallowed passwords"
        yield finding(profile, message, path="admin_password", fix="Use a password of 14 to 123 characters, and read it from a secret")


@warning("AKS096", "nodepools: everyone who can read the code can read the declaration")
@limited(Limit(Where.SECRETS, "the rule reports a value that is in plain text"))
@sample("admin_password", lambda: WindowsProfile(admin_password="Correct horse battery"))  # noqa: S106  # a sample of what is warned about
def plain_text_password(profile: WindowsProfile) -> Iterator[PartFinding]:
    """A password in plain text can be read by everyone who can read the declaration."""
    password = revealed(profile.admin_password) if profile.admin_password is not None else None
    if isinstance(password, str) and _PASSWORD[0] <= len(password) <= _PASSWORD[1]:
        fix = f"Set {ref('admin_password')} to a stack output or to a secret of the Pulumi configuration"
        yield finding(profile, "The Windows admin password is in plain text in the declaration", path="admin_password", fix=fix)


@error("AKS098", "https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium: available only for Linux and not for Windows")
@sample("pools.win", lambda: _windows(_profile={"dataplane": "cilium"}))
def windows_on_cilium(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The Cilium dataplane supports Linux nodes only."""
    for key, pool in cluster.pools.items():
        profile = cluster.network_profile
        if isinstance(pool, WindowsPool) and profile.plugin == "azure" and profile.dataplane == "cilium":
            message = f"The Cilium dataplane supports Linux nodes only: AKS rejects the Windows pool `{key}`"
            yield finding(cluster, message, path=("pools", key), value=key, fix=_without_cilium(profile.policy))


def _without_cilium(policy: str | None) -> Fix:
    operations = (set_to("network_profile.dataplane", "azure"), *((remove("network_profile.policy"),) if policy == "cilium" else ()))
    return Fix(f"{sentence(operations)} (an existing cluster must be replaced)", operations)


@note("AKS102", f"{_RELEASES}: Windows2022 up to Kubernetes 1.36")
@sample("pools.win.os_sku", lambda: _windows(_version="1.36", os_sku="Windows2022"))
def windows_release_blocks_next_upgrade(pool: WindowsPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A release of Windows Server blocks the upgrade from the last version of Kubernetes that it supports."""
    version = pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version
    minor = minor_of(version)
    image = os_sku(pool.os_sku)
    if image is not None and minor == image.last:
        supports = f"`{image.name}` supports Kubernetes up to 1.{minor}, the version of the pool"
        message = f"{supports}: the upgrade to 1.{minor + 1} requires a pool with `{_releases(minor + 1)[0]}` instead"
        yield finding(pool, message, path="os_sku")


@warning(
    "AKS146",
    "https://kubernetes.io/docs/concepts/windows/user-guide: taint Windows nodes, os=windows:NoSchedule; "
    "Azure/AKS#2146: AKS's own DaemonSets tolerate every taint",
)
@sample("pools.win.tainted", lambda: _windows(tainted=False))
def untainted_windows_pool(pool: WindowsPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The scheduler also places Linux pods without a node selector on Windows nodes without a taint."""
    if (
        not pool.tainted
        and not any(taint.is_hard for taint in pool.taints)
        and any(all_pool.os_type == "Linux" for _, all_pool in cluster.all_pools())
    ):
        message = (
            "Pods without a node selector can be scheduled on these Windows nodes, where Linux images do not start: "
            f"the pool has no taint `{WINDOWS_TAINT}`"
        )
        yield finding(pool, message, path="tainted", fix=set_to("tainted", value=True))


def _windows(_profile: Mapping[str, object] | None = None, _version: str = "1.35", **fields: object) -> AksClusterArgs:
    pool = WindowsPool.model_validate({"vm_size": SIZE, "os_sku": "Windows2025", "fips": True, **fields})
    around = {**_BEFORE, "kubernetes_version": _version, "network_profile": _profile if _profile is not None else _BEFORE["network_profile"]}
    password = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
    return aks(pools={"win": pool}, windows_profile=password, **around)

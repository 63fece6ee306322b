"""Windows pools. Facts: docs/facts/aks.md § 2.6."""

from collections.abc import Iterator, Mapping

from nodepools.data.aks_images import os_sku
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import WINDOWS_TAINT, UserPool, WindowsPool
from nodepools.model.aks.windows import WindowsProfile
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_WINDOWS = "https://learn.microsoft.com/azure/aks/windows-best-practices"
_RELEASES = "https://learn.microsoft.com/azure/aks/upgrade-windows-os"
_PASSWORD = (8, 123)
_BEFORE: Mapping[str, object] = {"kubernetes_version": "1.35", "network_profile": {"dataplane": "azure"}}
"""A cluster in which Windows pools have nothing wrong."""


@rule(
    "AKS090",
    Severity.ERROR,
    source="Azure/AKS#4489: Windows support cannot be enabled on a cluster that was made without windowsProfile",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE), "win": WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True)}, **_BEFORE),
)
def windows_pool_without_windows_profile(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Windows pools want a cluster that has had a Windows profile from its first day."""
    for key, pool in cluster.pools.items():
        if isinstance(pool, WindowsPool) and cluster.windows_profile is None:
            fix = "add windows_profile to the cluster when it is made: later means another cluster"
            yield finding(cluster, "wants a cluster with windows_profile", at=("pools", key), value=key, fix=fix)


@rule(
    "AKS091",
    Severity.ERROR,
    source=f"{_RELEASES}: Windows2019 up to Kubernetes 1.32, Windows2022 up to 1.36, Windows2025 from 1.32 on",
    sample=lambda: _windows(os_sku="Windows2019"),
)
def windows_release_unsupported_by_version(pool: WindowsPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A release of Windows Server goes with some versions of Kubernetes only."""
    version = pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version
    image, minor = os_sku(pool.os_sku), int(version.split(".")[1])
    if image is not None and minor > image.last:
        yield finding(pool, f"goes with Kubernetes up to 1.{image.last}, not {version}", at="os_sku", fix="take the next release")
    if image is not None and minor < image.first:
        yield finding(pool, f"goes with Kubernetes from 1.{image.first} on, not {version}", at="os_sku", fix='write "Windows2022"')


@rule(
    "AKS092",
    Severity.ERROR,
    source=f"{_RELEASES} (2026-07-13): Windows Server 2025 requires a FIPS image",
    sample=lambda: _windows(os_sku="Windows2025", fips=False),
)
def windows_release_requires_fips(pool: WindowsPool) -> Iterator[PartFinding]:
    """Windows Server 2025 requires a FIPS image."""
    image = os_sku(pool.os_sku)
    if image is not None and image.needs_fips and not pool.fips:
        yield finding(pool, f"`{image.name}` requires FIPS", at="os_sku", fix='add fips=True, or write "Windows2022"')


@rule(
    "AKS093",
    Severity.ERROR,
    source=f"{_WINDOWS}: not with outbound type loadBalancer; Azure API reference, AgentPoolWindowsProfile: not with node public IPs",
    sample=lambda: _windows(outbound_nat=False),
)
def outbound_nat_off_without_gateway(pool: WindowsPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Outbound NAT of Windows nodes is off only where a NAT gateway or a route is the way out, and no node has a public address."""
    if not pool.outbound_nat and (cluster.network_profile.outbound_type == "loadBalancer" or pool.node_public_ip):
        fix = 'leave it out; or say outbound_type="userAssignedNATGateway" or "userDefinedRouting", without node_public_ip'
        yield finding(pool, "needs a NAT gateway or a route as the way out, and no public addresses of nodes", at="outbound_nat", fix=fix)


@rule(
    "AKS094",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/use-arm64-vms: Arm64 VMs are not supported for Windows node pools",
    sample=lambda: WindowsPool(vm_size="Standard_D4pds_v5", os_sku="Windows2025", fips=True),
)
def windows_on_arm(pool: WindowsPool) -> Iterator[PartFinding]:
    """Windows nodes are amd64."""
    size = azure_vm_sizes().get(pool.vm_size)
    if size is not None and size.arch == "arm64":
        yield finding(pool, "is arm64: there is no Windows for it", at="vm_size", fix=f"take a size of amd64, such as {SIZE}")


@rule(
    "AKS095",
    Severity.ERROR,
    source="Azure API reference, ManagedClusterWindowsProfile: adminPassword, 8 to 123 characters",
    sample=lambda: WindowsProfile(admin_password="short"),  # noqa: S106  # a sample of what is refused
)
def invalid_windows_password(profile: WindowsProfile) -> Iterator[PartFinding]:
    """The password of Windows nodes has 8 to 123 characters, better 14."""
    password = profile.admin_password
    if isinstance(password, str) and not _PASSWORD[0] <= len(password) <= _PASSWORD[1]:
        yield finding(profile, "has not 8 to 123 characters", at="admin_password", value="***", fix="take a longer one, from your secrets")


@rule(
    "AKS096",
    Severity.WARNING,
    source="nodepools: a declaration is read by everyone who reads the code",
    sample=lambda: WindowsProfile(admin_password="correct horse battery"),  # noqa: S106  # a sample of what is warned about
)
def plain_text_password(profile: WindowsProfile) -> Iterator[PartFinding]:
    """A password belongs into secrets, not into a declaration."""
    password = profile.admin_password
    if isinstance(password, str) and _PASSWORD[0] <= len(password) <= _PASSWORD[1]:
        yield finding(
            profile, "stands in the code", at="admin_password", value="***", fix="give a StackOutput, or a secret Output of your configuration"
        )


@rule(
    "AKS098",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium: available only for Linux and not for Windows",
    sample=lambda: _windows(_profile={"dataplane": "cilium"}),
)
def windows_on_cilium(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The Cilium dataplane is for Linux nodes only."""
    for key, pool in cluster.pools.items():
        profile = cluster.network_profile
        if isinstance(pool, WindowsPool) and profile.plugin == "azure" and profile.dataplane == "cilium":
            fix = 'write dataplane="azure" in the network_profile, when the cluster is made'
            yield finding(cluster, "is of Windows: the Cilium dataplane is for Linux only", at=("pools", key), value=key, fix=fix)


@rule(
    "AKS102", Severity.NOTE, source=f"{_RELEASES}: Windows2022 up to Kubernetes 1.36", sample=lambda: _windows(_version="1.36", os_sku="Windows2022")
)
def windows_release_blocks_next_upgrade(pool: WindowsPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A release of Windows Server, at the last version of Kubernetes that it goes with, holds back the upgrade to the next."""
    version = pool.kubernetes_version if pool.kubernetes_version is not None else cluster.kubernetes_version
    minor = int(version.split(".")[1])
    image = os_sku(pool.os_sku)
    if image is not None and minor == image.last:
        fix = "plan the move to the next release, on a pool beside it"
        yield finding(pool, f"ends with Kubernetes 1.{minor}: it holds back the upgrade to 1.{minor + 1}", at="os_sku", fix=fix)


@rule(
    "AKS146",
    Severity.WARNING,
    source="https://kubernetes.io/docs/concepts/windows/user-guide: taint Windows nodes, os=windows:NoSchedule; "
    "Azure/AKS#2146: AKS's own DaemonSets tolerate every taint",
    sample=lambda: _windows(tainted=False),
)
def untainted_windows_pool(pool: WindowsPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Pods that name no operating system are made for Linux; the scheduler also places them on Windows nodes without a taint."""
    if not pool.tainted and not any(taint.is_hard for taint in pool.taints) and any(one.os_type == "Linux" for _, one in cluster.all_pools()):
        message = f"Pods without a node selector can be scheduled on these Windows nodes, where Linux images do not start: no taint `{WINDOWS_TAINT}`"
        yield finding(pool, message, at="tainted", fix="Remove `tainted` (default: true), or add a taint to `taints`")


def _windows(_profile: Mapping[str, object] | None = None, _version: str = "1.35", **fields: object) -> AksClusterArgs:
    pool = WindowsPool.model_validate({"vm_size": SIZE, "os_sku": "Windows2025", "fips": True, **fields})
    around = {**_BEFORE, "kubernetes_version": _version, "network_profile": _profile if _profile is not None else _BEFORE["network_profile"]}
    password = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
    return aks(pools={"win": pool}, windows_profile=password, **around)

"""Node images and features that AKS retires, judged by the day of the check. Facts: docs/facts/aks.md § 2.12.

Before its day a retirement is a warning, for an image that has more than a year left a note. After it, it is an error where the release notes
say that AKS refuses new pools, and stays a warning where they do not.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import cast

from nodepools.data.aks_images import os_sku
from nodepools.data.aks_retirements import BASIC_LOAD_BALANCER, KUBENET, NPM_ON_LINUX, NPM_ON_WINDOWS, RETIREMENTS, SKIP_GPU_DRIVER, Retirement
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.pools import AgentPool, GpuPool, UserPool, WindowsPool
from nodepools.rules.aks_confidential import is_confidential
from nodepools.rules.aks_engines import azure_network_policy_node_limit, kubenet_node_limit, unsupported_with_kubenet
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_PAGES = "https://learn.microsoft.com/azure/aks"
_KARPENTER = "karpenter-provider-azure @ 352646f (2026-08-21), pkg/providers/imagefamily/resolver.go"
_IMAGES = f"{_PAGES}/upgrade-os-version and {_PAGES}/upgrade-windows-os: retirements, as of 2026-08"
_NOTES = "https://github.com/Azure/AKS/releases"
_POLICIES = f"{_PAGES}/use-network-policies: Azure NPM ends on 2026-09-30 on Windows, on 2028-09-30 on Linux"
_GPU = "Standard_NC4as_T4_v3"
_SKIP = "SkipGPUDriverInstall"
_LONG = "AKSLongTermSupport"

_NAMED = {
    "Ubuntu2204": ("Ubuntu 22.04", "Write `Ubuntu2404`"),
    "Flatcar": ("Flatcar Container Linux", "Write `AzureLinux` or `AzureContainerLinux`"),
    "Windows2019": ("Windows Server 2019", "Write `Windows2022`"),
    "Windows2022": ("Windows Server 2022", "Move to `Windows2025`, with FIPS, on another pool"),
}
"""OS SKUs of one release, and what to do."""
_AZURE_LINUX_2, _UBUNTU_2004, _UBUNTU_2204 = "Azure Linux 2.0", "Ubuntu 20.04", "Ubuntu 22.04"
_LAST_2, _LAST_CONFIDENTIAL, _LAST_FIPS = 31, 33, 34
"""Last minor version of Kubernetes that has Azure Linux 2.0; that has Ubuntu 20.04 on confidential VMs, and with FIPS."""
_OUTLIVED = 33
"""Minor version whose default is Ubuntu 22.04 and whose long-term support ends after it. Of 1.34 one page says 22.04, others 24.04."""


@rule("AKS160", Severity.ERROR, source=f"{_NOTES}: 2026-07-17, no new pools", sample=lambda: UserPool(vm_size=SIZE, os_sku="Flatcar"))
def rejected_os_sku(pool: AgentPool, cluster: AksClusterArgs | None, holder: AgentPool | None, today: date) -> Iterator[PartFinding]:
    """AKS refuses new pools of an image that has retired: Flatcar Container Linux since 2026-06-08."""
    for row, fix in _retiring(pool, cluster, holder):
        if row.is_refused(today):
            yield finding(pool, f"AKS rejects new pools: {row.words(today)}", at="os_sku", fix=fix)


@rule("AKS103", Severity.WARNING, source=_IMAGES, sample=lambda: UserPool(vm_size=SIZE, os_sku="Ubuntu2204"))
def retired_os_sku(pool: AgentPool, cluster: AksClusterArgs | None, holder: AgentPool | None, today: date) -> Iterator[PartFinding]:
    """The node image of a pool has retired, or will within a year: no security patches, then no nodes."""
    for row, fix in _retiring(pool, cluster, holder):
        if not row.is_refused(today) and not row.is_far(today):
            yield finding(pool, row.words(today), at="os_sku", value=_said(pool.os_sku), fix=fix)


@rule("AKS161", Severity.NOTE, source=_IMAGES, sample=lambda: _windows("1.35"))
def retiring_os_sku(pool: AgentPool, cluster: AksClusterArgs | None, holder: AgentPool | None, today: date) -> Iterator[PartFinding]:
    """The node image of a pool retires, in more than a year."""
    for row, fix in _retiring(pool, cluster, holder):
        image, minor = os_sku(pool.os_sku), _minor(pool, cluster)
        # At the last version of an image the next upgrade asks for another; without the cluster nobody knows which version it has.
        ends_later = image is None or not image.is_versioned or (minor is not None and minor < image.last)
        if row.is_far(today) and ends_later:
            yield finding(pool, row.words(today), at="os_sku", fix=fix)


@rule("AKS162", Severity.WARNING, source=f"{_IMAGES}; {_KARPENTER}", sample=lambda: AksNodeClass(image_family="Ubuntu2204"))
def retired_image_family(node_class: AksNodeClass, cluster: AksClusterArgs | None, today: date) -> Iterator[PartFinding]:
    """The node image of a node class has retired, or will: Karpenter takes Ubuntu 20.04 for FIPS of Ubuntu without trusted launch."""
    family, launch = node_class.image_family, node_class.secure_boot or node_class.vtpm
    minor = int(cluster.kubernetes_version.split(".")[1]) if cluster is not None else None
    if family == "Ubuntu2204":
        row, fix = RETIREMENTS[_UBUNTU_2204], "Write `Ubuntu`, which is 24.04 from Kubernetes 1.34 on, or `AzureLinux`"
    elif family == "Ubuntu" and node_class.fips_mode == "FIPS" and not launch:
        row, fix = RETIREMENTS[_UBUNTU_2004], "Write `AzureLinux`"
    elif family == "AzureLinux" and minor is not None and minor <= _LAST_2:
        row, fix = RETIREMENTS[_AZURE_LINUX_2], "Upgrade the cluster to Kubernetes 1.32 or later"
    else:
        return
    yield finding(node_class, row.words(today), at="image_family", fix=fix)


@rule(
    "AKS164",
    Severity.ERROR,
    source=f"{_PAGES}/use-nvidia-gpu: since 2025-08-14 no GPU pools with the tag; {_NOTES}: 2025-09-21",
    sample=lambda: GpuPool(vm_size=_GPU, tags={_SKIP: "true"}),
)
def retired_gpu_driver_tag(pool: AgentPool, holder: AgentPool | None, today: date) -> Iterator[PartFinding]:
    """AKS refuses new GPU pools with the tag that once skipped the driver; the driver setting of the pool took its place."""
    if holder is not None or not pool.vm_size.lower().startswith("standard_n") or not SKIP_GPU_DRIVER.is_refused(today):
        return
    for key, value in pool.tags.items():
        if key.lower() == _SKIP.lower() and value.lower() == "true":
            message = f"AKS rejects new GPU pools with the tag `{key}` since {SKIP_GPU_DRIVER.ends}"
            yield finding(pool, message, at=("tags", key), fix="Remove the tag, and set the driver of the pool to `None`")


@rule(
    "AKS165",
    Severity.WARNING,
    source=_POLICIES,
    sample=lambda: aks(network_profile={"policy": "azure", "dataplane": "azure"}),
)
def retiring_network_policy_engine(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """Azure network policy manager retires: on Windows it has, on Linux it will; moving to Cilium rebuilds every node."""
    profile = cluster.network_profile
    if profile.plugin == "azure" and profile.policy == "azure" and not any(azure_network_policy_node_limit(cluster)):  # AKS229
        windows = any(isinstance(pool, WindowsPool) for pool in cluster.pools.values())
        row = NPM_ON_WINDOWS if windows else NPM_ON_LINUX
        fix = "Use `calico`, or network security groups of the nodes" if windows else "Use `cilium` for policies and dataplane"
        yield finding(cluster, _ended(row, today), at=("network_profile", "policy"), fix=fix)


@rule(
    "AKS166",
    Severity.WARNING,
    source=f"{_PAGES}/configure-kubenet: kubenet ends on 2028-03-31",
    sample=lambda: aks(network_profile={"dataplane": "azure", "plugin_mode": None}, overrides={"network_profile": {"network_plugin": "kubenet"}}),
)
def retiring_kubenet(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """Kubenet retires; Azure CNI Overlay takes its place."""
    # NAP016, AKS230 and AKS231 have told it
    told = cluster.node_provisioning is not None or any(unsupported_with_kubenet(cluster)) or any(kubenet_node_limit(cluster))
    if _overridden(cluster, "network_plugin") == "kubenet" and not told:
        at = ("overrides", "network_profile", "network_plugin")
        yield finding(cluster, _ended(KUBENET, today), at=at, fix="Use `azure` with the mode `overlay`")


@rule(
    "AKS167",
    Severity.ERROR,
    source=f"{_NOTES}: 2025-10-12 and 2026-01-04, clusters with the Basic load balancer are refused",
    sample=lambda: aks(overrides={"network_profile": {"load_balancer_sku": "basic"}}),
)
def retired_basic_load_balancer(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS refuses clusters with the Basic load balancer, which Azure has retired."""
    if _overridden(cluster, "load_balancer_sku").lower() == "basic" and BASIC_LOAD_BALANCER.is_refused(today):
        message = f"AKS rejects new clusters with the Basic load balancer, retired on {BASIC_LOAD_BALANCER.ends}"
        yield finding(cluster, message, at=("overrides", "network_profile", "load_balancer_sku"), fix="Remove it: the default is `Standard`")


def _retiring(pool: AgentPool, cluster: AksClusterArgs | None, holder: AgentPool | None) -> Iterator[tuple[Retirement, str]]:
    """The retirement of what the nodes of `pool` run, and what to do; nothing of a generation that goes, or that AKS refuses for its version."""
    image = os_sku(pool.os_sku)
    if holder is not None or image is None:
        return
    minor = _minor(pool, cluster)
    if image.name in _NAMED and (minor is None or image.first <= minor <= image.last):
        name, fix = _NAMED[image.name]
        yield RETIREMENTS[name], fix
    elif minor is not None and cluster is not None:
        name, fix = _by_version(pool, image.name, minor, lasting=cluster.support_plan == _LONG)
        if name in RETIREMENTS:
            yield RETIREMENTS[name], fix


def _by_version(pool: AgentPool, image: str, minor: int, *, lasting: bool) -> tuple[str, str]:
    """What an image without a release of its own is on nodes of Kubernetes 1.`minor`, and what to do."""
    confidential, launch = is_confidential(pool.vm_size), pool.secure_boot or pool.vtpm
    if image in ("AzureLinux", "CBLMariner") and minor <= _LAST_2 and not confidential:
        return _AZURE_LINUX_2, "Write `AzureLinux3`, or upgrade to Kubernetes 1.32 or later"
    if image == "Ubuntu" and confidential and minor <= _LAST_CONFIDENTIAL:
        return _UBUNTU_2004, "Upgrade to Kubernetes 1.34 or later, or write `Ubuntu2404` (Kubernetes 1.32 or later)"
    if image == "Ubuntu" and not confidential and pool.fips and not launch and minor <= _LAST_FIPS:
        return _UBUNTU_2004, "Upgrade to Kubernetes 1.35 or later, or write `AzureLinux`"
    if image == "Ubuntu" and not confidential and not pool.fips and minor == _OUTLIVED and lasting:
        return _UBUNTU_2204, "Write `Ubuntu2404`: long-term support of this version of Kubernetes lasts longer than the image"
    return "", ""


def _ended(row: Retirement, today: date) -> str:
    return f"Support for {row.name} {'ended' if row.ends <= today else 'ends'} on {row.ends}"


def _overridden(cluster: AksClusterArgs, field: str) -> str:
    return str(_of_network(cluster).get(field))


def _of_network(cluster: AksClusterArgs) -> Mapping[str, object]:
    profile = cluster.overrides.get("network_profile")
    return cast("Mapping[str, object]", profile) if isinstance(profile, Mapping) else {}


def _said(value: str | None) -> str:
    return value if value is not None else "Ubuntu"


def _minor(pool: AgentPool, cluster: AksClusterArgs | None) -> int | None:
    version = pool.kubernetes_version if pool.kubernetes_version is not None or cluster is None else cluster.kubernetes_version
    return int(version.split(".")[1]) if version is not None else None


def _windows(version: str) -> AksClusterArgs:
    """A cluster with a pool of Windows Server 2022."""
    password = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
    return aks(kubernetes_version=version, network_profile={"dataplane": "azure"}, pools={"win": WindowsPool(vm_size=SIZE)}, windows_profile=password)

"""Node images, features and services that AKS retires, as of the day of the check. Facts: docs/facts/aks.md § 2.12.

Before its date a retirement is a warning, or a note for an image that has more than a year left. From that date on it is an error if the release
notes say that AKS rejects new pools, and a warning otherwise. AKS keeps features and services where they run, so none of them is an error.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final

from nodepools.data.aks_images import (
    BASIC_LOAD_BALANCER,
    ISTIO,
    KUBENET,
    MANAGED_NGINX,
    NPM_ON_LINUX,
    NPM_ON_WINDOWS,
    RETIREMENTS,
    SKIP_GPU_DRIVER,
    Retirement,
    os_sku,
)
from nodepools.data.version_support import minor as minor_of
from nodepools.model.aks.agent_pool import AgentPool, GpuPool, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass
from nodepools.model.aks.services import Istio
from nodepools.model.path import value_at
from nodepools.model.steps import mapping
from nodepools.rules.aks.network import azure_network_policy_node_limit, kubenet_node_limit, unsupported_with_kubenet
from nodepools.rules.aks.node_settings import is_confidential
from nodepools.rules.engine.finding import REPLACES, Fix, FixLike, PartFinding, certain, ref, remove, replacing, set_to
from nodepools.rules.engine.registry import About, error, finding, note, sample, warning
from nodepools.rules.engine.samples import SIZE, aks

_PAGES = "https://learn.microsoft.com/azure/aks"
_KARPENTER = "karpenter-provider-azure @ 352646f (2026-08-21), pkg/providers/imagefamily/resolver.go"
_IMAGES = f"{_PAGES}/upgrade-os-version and {_PAGES}/upgrade-windows-os: retirements, as of 2026-08"
_NOTES = "https://github.com/Azure/AKS/releases"
_POLICIES = f"{_PAGES}/use-network-policies: Azure NPM ends on 2026-09-30 on Windows, on 2028-09-30 on Linux"
_GPU = "Standard_NC4as_T4_v3"
_SKIP = "SkipGPUDriverInstall"

_NAMED: Final = {
    "Ubuntu2204": "Ubuntu 22.04",
    "Flatcar": "Flatcar Container Linux",
    "Windows2019": "Windows Server 2019",
    "Windows2022": "Windows Server 2022",
}
"""OS SKUs of one release."""
_AZURE_LINUX_2, _UBUNTU_2004, _UBUNTU_2204 = "Azure Linux 2.0", "Ubuntu 20.04", "Ubuntu 22.04"
_FIRST_2404 = 32
_LAST_2, _LAST_CONFIDENTIAL, _LAST_FIPS = 31, 33, 34
"""Last minor version of Kubernetes that has Azure Linux 2.0; that has Ubuntu 20.04 on confidential VMs, and with FIPS."""
_OUTLIVED = 33
"""Minor version whose default is Ubuntu 22.04 and whose long-term support ends after it. Of 1.34 one page says 22.04, others 24.04."""


@error("AKS160", f"{_NOTES}: 2026-07-17, no new pools", about=About.CREATION)
@sample("os_sku", lambda: UserPool(vm_size=SIZE, os_sku="Flatcar"))
def rejected_os_sku(pool: AgentPool, cluster: AksClusterArgs | None, parent: AgentPool | None, today: date) -> Iterator[PartFinding]:
    """AKS rejects new pools with a retired node image: Flatcar Container Linux since 2026-06-08."""
    for row, fix in _retiring(pool, cluster, parent):
        if row.is_refused(today):
            deleted = f", and deleted its node images on {row.gone}" if row.gone is not None and row.gone <= today else ""
            message = f"AKS retired {row.name} on {row.ends}{deleted}: new pools are rejected"
            yield finding(pool, message, path="os_sku", fix=fix)


@warning("AKS103", _IMAGES)
@sample("os_sku", lambda: UserPool(vm_size=SIZE, os_sku="Ubuntu2204"))
def retired_os_sku(pool: AgentPool, cluster: AksClusterArgs | None, parent: AgentPool | None, today: date) -> Iterator[PartFinding]:
    """AKS has retired the node image of a pool or retires it within a year: first it gets no security patches, then its images are deleted."""
    for row, fix in _retiring(pool, cluster, parent):
        if not row.is_refused(today) and not row.is_far(today):
            yield finding(pool, row.words(today), path="os_sku", value=pool.os_sku if pool.os_sku is not None else "Ubuntu", fix=fix)


@note("AKS161", _IMAGES)
@sample("pools.win.os_sku", lambda: _windows("1.35"))
def retiring_os_sku(pool: AgentPool, cluster: AksClusterArgs | None, parent: AgentPool | None, today: date) -> Iterator[PartFinding]:
    """AKS retires the node image of a pool in more than a year."""
    for row, _ in _retiring(pool, cluster, parent):
        image, minor = os_sku(pool.os_sku), _minor(pool, cluster)
        # At the last version of an image the next upgrade requires another; without the cluster the version is not known.
        ends_later = image is None or not image.is_versioned or (minor is not None and minor < image.last)
        if row.is_far(today) and ends_later:
            yield finding(pool, row.words(today), path="os_sku")


@warning("AKS162", f"{_IMAGES}; {_KARPENTER}")
@sample("image_family", lambda: AksNodeClass(image_family="Ubuntu2204"))
def retired_image_family(node_class: AksNodeClass, cluster: AksClusterArgs | None, today: date) -> Iterator[PartFinding]:
    """AKS retires the node image of a node class; for Ubuntu with FIPS and without trusted launch, Karpenter uses Ubuntu 20.04."""
    family, launch = node_class.image_family, node_class.secure_boot or node_class.vtpm
    minor = minor_of(cluster.kubernetes_version) if cluster is not None else None
    if family == "Ubuntu2204":
        row = RETIREMENTS[_UBUNTU_2204]
        fix = set_to("image_family", "AzureLinux" if minor is not None and _LAST_2 < minor <= _OUTLIVED else "Ubuntu")
    elif family == "Ubuntu" and node_class.fips_mode == "FIPS" and not launch:
        row, fix = RETIREMENTS[_UBUNTU_2004], set_to("image_family", "AzureLinux")
    elif family == "AzureLinux" and minor is not None and minor <= _LAST_2:
        row, fix = RETIREMENTS[_AZURE_LINUX_2], "Upgrade the cluster to Kubernetes 1.32 or later"
    else:
        return
    yield finding(node_class, row.words(today), path="image_family", fix=fix)


@error("AKS164", f"{_PAGES}/use-nvidia-gpu: since 2025-08-14 no GPU pools with the tag; {_NOTES}: 2025-09-21", about=About.CREATION)
@sample("tags.SkipGPUDriverInstall", lambda: GpuPool(vm_size=_GPU, tags={_SKIP: "true"}))
def retired_gpu_driver_tag(pool: AgentPool, parent: AgentPool | None, today: date) -> Iterator[PartFinding]:
    """AKS rejects new GPU pools with the tag that skips the driver installation; the driver setting of the pool replaces it."""
    if parent is not None or not pool.vm_size.lower().startswith("standard_n") or not SKIP_GPU_DRIVER.is_refused(today):
        return
    for key, value in pool.tags.items():
        if key.lower() == _SKIP.lower() and value.lower() == "true":
            at = ("tags", key)
            fix = certain((remove(at), set_to("driver", "None"))) if isinstance(pool, GpuPool) else remove(at)
            yield finding(pool, f"Since {SKIP_GPU_DRIVER.ends} AKS rejects new GPU pools with the tag `{key}`", path=at, fix=fix)


@warning("AKS165", _POLICIES)
@sample("network_profile.policy", lambda: aks(network_profile={"policy": "azure", "dataplane": "azure"}))
def retiring_network_policy_engine(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """Support for Azure network policy manager ended on Windows and ends on Linux; the change to Cilium reimages every node."""
    profile = cluster.network_profile
    if profile.plugin == "azure" and profile.policy == "azure" and not any(azure_network_policy_node_limit(cluster)):  # AKS229
        windows = any(isinstance(pool, WindowsPool) for pool in cluster.pools.values())
        row = NPM_ON_WINDOWS if windows else NPM_ON_LINUX
        policy = set_to("network_profile.policy", "calico" if windows else "cilium")
        fix = policy if windows else replacing(policy, set_to("network_profile.dataplane", "cilium"))
        yield finding(cluster, row.ended(today), path=("network_profile", "policy"), fix=fix)


@warning("AKS166", f"{_PAGES}/configure-kubenet: kubenet ends on 2028-03-31")
@sample(
    "overrides.network_profile.network_plugin",
    lambda: aks(network_profile={"dataplane": "azure", "plugin_mode": None}, overrides={"network_profile": {"network_plugin": "kubenet"}}),
)
def retiring_kubenet(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """Support for kubenet ends; Azure CNI Overlay replaces it."""
    # NAP016, AKS230 and AKS231 report it
    report = cluster.node_provisioning is not None or any(unsupported_with_kubenet(cluster)) or any(kubenet_node_limit(cluster))
    if cluster.network_profile.plugin == "kubenet" and not report:
        update = "`az aks update --network-plugin azure --network-plugin-mode overlay`"
        plugin = ref("network_profile.plugin")
        fix = f"Run {update}, then `pulumi refresh`, then remove {plugin}: in another order, Pulumi replaces the cluster"
        yield finding(cluster, KUBENET.ended(today), path=("network_profile", "plugin"), value="kubenet", fix=fix)
    elif _overridden(cluster, "network_plugin") == "kubenet" and not report:
        at, mode = ("overrides", "network_profile", "network_plugin"), set_to("network_profile.plugin_mode", "overlay")
        fix = Fix(f"Use the network plugin `azure`, and set {ref(mode.path)} to `overlay`{REPLACES}", (remove(at), mode))
        yield finding(cluster, KUBENET.ended(today), path=at, fix=fix)


@error("AKS167", f"{_NOTES}: 2025-10-12 and 2026-01-04, clusters with the Basic load balancer are rejected", about=About.CREATION)
@sample("overrides.network_profile.load_balancer_sku", lambda: aks(overrides={"network_profile": {"load_balancer_sku": "basic"}}))
def retired_basic_load_balancer(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """AKS rejects new clusters with the Basic load balancer, which Azure has retired."""
    if _overridden(cluster, "load_balancer_sku").lower() == "basic" and BASIC_LOAD_BALANCER.is_refused(today):
        at = ("overrides", "network_profile", "load_balancer_sku")
        message = f"AKS rejects new clusters with the Basic load balancer, which Azure retired on {BASIC_LOAD_BALANCER.ends}"
        yield finding(cluster, message, path=at, fix=Fix("Use the `Standard` load balancer, the default", (remove(at),)))


def _retiring(pool: AgentPool, cluster: AksClusterArgs | None, parent: AgentPool | None) -> Iterator[tuple[Retirement, FixLike]]:
    """The retirement of the nodes' image, and the fix; none for a previous generation, or where AKS rejects the image for its version."""
    image = os_sku(pool.os_sku)
    if parent is not None or image is None:
        return
    minor = _minor(pool, cluster)
    if image.name in _NAMED and (minor is None or image.first <= minor <= image.last):
        yield RETIREMENTS[_NAMED[image.name]], _successor(pool, image.name, minor)
    elif minor is not None and cluster is not None:
        name, fix = _by_version(pool, image.name, minor, lasting=cluster.support_plan == "AKSLongTermSupport")
        if name in RETIREMENTS:
            yield RETIREMENTS[name], fix


def _successor(pool: AgentPool, image: str, minor: int | None) -> FixLike:
    """The OS SKU that replaces one of a release."""
    if image == "Ubuntu2204":
        return _ubuntu_2404(pool, minor)
    if image == "Flatcar":
        return set_to("os_sku", "AzureLinux")
    if image == "Windows2019":
        return set_to("os_sku", "Windows2022")
    return "Use `Windows2025`, which requires Kubernetes 1.32 and a FIPS image, in another pool"


def _ubuntu_2404(pool: AgentPool, minor: int | None) -> FixLike:
    """Ubuntu 24.04 has no FIPS image, and requires a newer Kubernetes than 22.04; Azure Linux has none with trusted launch (AKS033)."""
    if pool.fips or (minor is not None and minor < _FIRST_2404):
        unlaunched = " without trusted launch" if pool.fips and (pool.secure_boot or pool.vtpm) else ""
        return f"Set {ref('os_sku')} to `AzureLinux`{unlaunched}, or to `Ubuntu2404` without FIPS from Kubernetes 1.{_FIRST_2404} on"
    return set_to("os_sku", "Ubuntu2404")


def _by_version(pool: AgentPool, image: str, minor: int, *, lasting: bool) -> tuple[str, FixLike]:
    """The image behind an OS SKU without a release on nodes of Kubernetes 1.`minor`, and the fix."""
    confidential, launch = is_confidential(pool.vm_size), pool.secure_boot or pool.vtpm
    if image in ("AzureLinux", "CBLMariner") and minor <= _LAST_2 and not confidential:
        return _AZURE_LINUX_2, f"Upgrade to Kubernetes 1.{_LAST_2 + 1} or later, or set {ref('os_sku')} to `AzureLinux3`"
    if image == "Ubuntu" and confidential and minor <= _LAST_CONFIDENTIAL:
        return _UBUNTU_2004, _ubuntu_2404(pool, minor)
    if image == "Ubuntu" and not confidential and pool.fips and not launch and minor <= _LAST_FIPS:
        return _UBUNTU_2004, set_to("os_sku", "AzureLinux" if minor > _LAST_2 else "AzureLinux3")
    if image == "Ubuntu" and not confidential and not pool.fips and minor == _OUTLIVED and lasting:
        return _UBUNTU_2204, set_to("os_sku", "Ubuntu2404")
    return "", None


def _overridden(cluster: AksClusterArgs, field: str) -> str:
    return str(mapping(cluster.overrides.get("network_profile")).get(field))


def _minor(pool: AgentPool, cluster: AksClusterArgs | None) -> int | None:
    version = pool.kubernetes_version if pool.kubernetes_version is not None or cluster is None else cluster.kubernetes_version
    return minor_of(version) if version is not None else None


def _windows(version: str) -> AksClusterArgs:
    """A cluster with a pool of Windows Server 2022."""
    password = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
    return aks(kubernetes_version=version, network_profile={"dataplane": "azure"}, pools={"win": WindowsPool(vm_size=SIZE)}, windows_profile=password)


_ROUTING: Final = ("ingress_profile", "web_app_routing")


@warning("AKS168", f"{_PAGES}/app-routing-nginx-to-gateway-api-migration: security patches through November 2026 (2026-11)")
@sample("app_routing.enabled", lambda: aks(app_routing={"enabled": True}))
def retiring_managed_nginx(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """The application routing add-on with NGINX gets no security patches after November 2026; the Gateway API takes its place."""
    routing, written = cluster.app_routing, value_at(cluster.overrides, _ROUTING)
    at, enabled, nginx = ("app_routing", "enabled"), routing is not None and routing.enabled, routing.nginx if routing is not None else None
    if "enabled" in mapping(written):  # arguments of overrides replace their fields one by one
        at, enabled = ("overrides", *_ROUTING, "enabled"), mapping(written)["enabled"] is True
    nginx = mapping(mapping(written).get("nginx")).get("default_ingress_controller_type", nginx)
    if enabled and nginx != "None":
        gateways = f"set {ref('gateway_api')} and {ref('app_routing.gateway')}" if cluster.istio is None else f"set {ref('gateway_api')}"
        fix = f"Move Ingresses to the Gateway API: {gateways}, then create Gateways and HTTPRoutes, then set {ref('app_routing.nginx')} to `None`"
        yield finding(cluster, MANAGED_NGINX.ended(today), path=at, fix=fix)


@warning("AKS169", f"{_PAGES}/istio-support-policy: release calendar, estimated by month (2026-08)")
@sample("istio.revisions[0]", lambda: aks(istio={"revisions": ["asm-1-27"]}))
def ended_istio_revision(istio: Istio, today: date) -> Iterator[PartFinding]:
    """AKS supports a revision of the Istio add-on for some months, and installs no new mesh with one that ended or that it does not have."""
    now = today.isoformat()[:7]
    ended = {revision: ISTIO[revision] for revision in istio.revisions if ISTIO.get(revision, now) < now}
    if istio.enabled and len(ended) == len(istio.revisions):
        for index, (revision, month) in enumerate(ended.items()):
            message = f"Support for the Istio revision `{revision}` ended about {month}: it gets no fixes, and new meshes cannot use it"
            fix = f"Add a newer revision to {ref('revisions')}, restart the workloads with its label, then remove `{revision}`"
            yield finding(istio, message, path=("revisions", index), value=revision, fix=fix)
    for index, revision in enumerate(istio.revisions if istio.enabled else ()):
        if revision not in ISTIO:
            message = f"`{revision}` is not a known revision of the Istio add-on (as of 2026-08): AKS rejects revisions that it does not have"
            fix = "Use a revision that `az aks mesh get-revisions` lists for the region"
            yield finding(istio, message, path=("revisions", index), value=revision, fix=fix)

"""AKSNodeClasses of node auto provisioning: the checks of the CRD, and errors that it does not detect. Facts: docs/facts/aks.md § 3.4."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass, AksNodePool, NodeProvisioning
from nodepools.model.aks.network import ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LocalDns, LocalDnsOverride, Sysctls
from nodepools.model.derive import derive
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import is_value
from nodepools.model.listing import shortened
from nodepools.model.platform import Platform
from nodepools.rules.aks.cluster import node_network, stem_of
from nodepools.rules.aks.node_settings import impossible_ports
from nodepools.rules.engine.finding import Fix, PartFinding, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import FILES_WITHOUT_CLUSTER, FILES_WITHOUT_NETWORK, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import aks_pool, provisioning
from nodepools.rules.platform.labels import allowed_values
from nodepools.wire.aks.cluster_context import node_group_name
from nodepools.wire.aks.network import network_id

_CRD = "AKSNodeClass CRD (karpenter.azure.com/v1beta1)"
_PAIRS = (
    ("net_core_rmem_default", "net_core_rmem_max"),
    ("net_core_wmem_default", "net_core_wmem_max"),
    ("net_ipv4_neigh_default_gc_thresh1", "net_ipv4_neigh_default_gc_thresh2"),
    ("net_ipv4_neigh_default_gc_thresh2", "net_ipv4_neigh_default_gc_thresh3"),
)
_MOST: Mapping[str, int] = {"fs_file_max": 12000500, "kernel_threads_max": 513785, "vm_max_map_count": 262144}
"""Kernel settings with a lower maximum in a node class than in an agent pool."""
_UBUNTU = "Ubuntu"
_TRUSTED_LAUNCH = ("secure_boot", "vtpm")
_SUBNET_ID = re.compile(
    r"/subscriptions/[^/]+/resourceGroups/[a-z0-9_\-().]{0,89}[a-z0-9_\-()]/providers/Microsoft\.Network/virtualNetworks/[^/]+/subnets/[^/]+",
    re.IGNORECASE,
)
_SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/{}/subnets/a"
_OS_SKU = "kubernetes.azure.com/os-sku"


@error("NAP020", f"{_CRD}: FIPS, image family and trusted launch")
@sample("fips_mode", lambda: AksNodeClass(image_family="Ubuntu2404", fips_mode="FIPS"))
def unsupported_fips_image_family(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """There is no FIPS image of Ubuntu 24.04; that of 22.04 requires trusted launch, which AzureLinux does not support with FIPS."""
    launch = node_class.secure_boot is not None or node_class.vtpm is not None
    if node_class.fips_mode != "FIPS":
        return
    if node_class.image_family == "Ubuntu2404":
        message = "The image family `Ubuntu2404` has no FIPS image: the API server rejects the AKSNodeClass"
        yield finding(node_class, message, path="fips_mode", fix=_IMAGE_FAMILY)
    if node_class.image_family == "Ubuntu2204" and not launch:
        message = "The API server rejects FIPS with the image family `Ubuntu2204` without trusted launch"
        yield finding(node_class, message, path="fips_mode", fix=_IMAGE_FAMILY)
    if launch and node_class.image_family == "AzureLinux":
        message = "The API server rejects FIPS with trusted launch and the image family `AzureLinux`"
        set_here = [field for field in _TRUSTED_LAUNCH if getattr(node_class, field) is not None]
        yield finding(node_class, message, path="fips_mode", fix=[remove(field) for field in set_here])


@warning("NAP021", "karpenter-provider-azure: security.trustedLaunch came after 1.14.2, the newest that AKS was seen to run")
@sample("vtpm", lambda: AksNodeClass(vtpm=True))
def trusted_launch_field_dropped(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """Trusted launch needs a Karpenter newer than 1.14, the latest that AKS is known to run: older CRDs reject or drop its fields."""
    for field in _TRUSTED_LAUNCH:
        if getattr(node_class, field) is not None:
            message = f"AKS can reject or drop {ref(field)}: it needs a Karpenter newer than 1.14, the latest that AKS is known to run"
            fix = Fix(f"Remove {ref(field)}, unless the AKSNodeClass CRD in the cluster has it", (remove(field),))
            yield finding(node_class, message, path=field, fix=fix)


@error("NAP022", f"{_CRD}: kubelet.failSwapOn must be false with swapFileSize")
@sample("linux_os.swap_file_size", lambda: AksNodeClass(linux_os=LinuxOsConfig(swap_file_size="1Gi")))
def node_class_swap_without_fail_swap_on(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """The API server requires `failSwapOn: false` with a swap file: otherwise the kubelet would not start."""
    swap, at = node_class.linux_os.swap_file_size if node_class.linux_os is not None else None, ("linux_os", "swap_file_size")
    if swap is not None and (node_class.kubelet is None or node_class.kubelet.fail_swap_on is not False):
        in_place = set_to("kubelet.fail_swap_on", value=False)
        mended = in_place if node_class.kubelet is not None else set_to("kubelet", KubeletConfig(fail_swap_on=False))
        fix = Fix(sentence([in_place]), (mended,))
        message = f"The API server rejects {ref(at)} unless {ref('kubelet.fail_swap_on')} is {literal(value=False)}"
        yield finding(node_class, message, path=at, fix=fix)


@error("NAP023", f"{_CRD}: sysctls")
@sample("linux_os.sysctls.net_core_rmem_default", lambda: _class(Sysctls(net_core_rmem_default=1000000, net_core_rmem_max=500000)))
def conflicting_kernel_settings(sysctls: Sysctls, _: AksNodeClass) -> Iterator[PartFinding]:
    """Defaults must not exceed maxima, thresholds must rise, and some maxima are lower than those of agent pools."""
    for lower, upper in _PAIRS:
        low, high = getattr(sysctls, lower), getattr(sysctls, upper)
        if low is not None and high is not None and low > high:
            message = f"{ref(lower)} ({low:,}) is greater than {ref(upper)} ({high:,})"
            yield finding(sysctls, message, path=lower, fix=set_to(lower, high))
    for field, most in _MOST.items():
        value = getattr(sysctls, field)
        if value is not None and value > most:
            message = f"{ref(field)} ({value:,}) is greater than {most:,}, the maximum of an AKSNodeClass"
            yield finding(sysctls, message, path=field, fix=set_to(field, most))
    yield from impossible_ports(sysctls)


@error("NAP024", f"{_CRD}: localDNS")
@sample("local_dns.kube_dns", lambda: AksNodeClass(local_dns=LocalDns.model_validate({"vnet_dns": _ZONES, "kube_dns": _ZONES[:1]})))
def local_dns_zones_missing(dns: LocalDns, _: AksNodeClass) -> Iterator[PartFinding]:
    """Both lists of local DNS overrides must have entries for the zones `.` and `cluster.local`."""
    for field in ("vnet_dns", "kube_dns"):
        zones = [override.zone for override in getattr(dns, field)]
        missing = [zone for zone in (".", "cluster.local") if zone not in zones]
        if missing:
            zones_left = " and ".join(f"`{zone}`" for zone in missing)
            message = f"{ref(field)} must have an entry for each of the zones `.` and `cluster.local`: {zones_left} is missing"
            yield finding(dns, message, path=field, fix=f"Add an entry for {zones_left} to {ref(field)}")


@error("NAP025", f"{_CRD}: localDNS overrides")
@sample("forward_destination", lambda: LocalDnsOverride(zone="cluster.local", forward_destination="VnetDNS"))
def local_dns_wrong_server(override: LocalDnsOverride, node_class: AksNodeClass | None) -> Iterator[PartFinding]:
    """Names of `cluster.local` cannot be forwarded to the DNS of the virtual network, and stale answers cannot be verified over TCP."""
    of_cluster = override.zone == "cluster.local" or (node_class is not None and override.zone.endswith("cluster.local"))
    if of_cluster and override.forward_destination == "VnetDNS":
        message = f"The DNS of the virtual network cannot resolve the names of `{override.zone}`, which exist only in the cluster"
        yield finding(override, message, path="forward_destination", fix=set_to("forward_destination", "ClusterCoreDNS"))
    if override.serve_stale == "Verify" and override.protocol == "ForceTCP":
        message = f"{ref('serve_stale')} cannot be `Verify` if {ref('protocol')} is `ForceTCP`"
        text = f"Set {ref('serve_stale')} to {literal('Immediate')}, or {ref('protocol')} to {literal('PreferUDP')}"
        yield finding(override, message, path="serve_stale", fix=Fix(text, (set_to("serve_stale", "Immediate"),)))


@error("NAP026", f"{_CRD}: vnetDNSOverrides are not forwarded to ClusterCoreDNS, but for cluster.local")
@sample(
    "local_dns.vnet_dns[0].forward_destination",
    lambda: AksNodeClass(local_dns=LocalDns.model_validate({"kube_dns": _ZONES, "vnet_dns": [{**_ZONES[1], "zone": "."}, _ZONES[1]]})),
)
def vnet_dns_forwarded_to_cluster(dns: LocalDns, node_class: AksNodeClass | None) -> Iterator[PartFinding]:
    """External names cannot be forwarded to CoreDNS of the cluster; a node class treats `cluster.local.` as one too."""
    for override in dns.vnet_dns:
        zone = override.zone if node_class is not None else override.zone.rstrip(".")
        if override.forward_destination == "ClusterCoreDNS" and not zone.endswith("cluster.local"):
            message = f"CoreDNS of the cluster cannot resolve the names of the zone `{override.zone}`, which are outside the cluster"
            yield finding(override, message, path="forward_destination", fix=set_to("forward_destination", "VnetDNS"))


@error("NAP028", "https://learn.microsoft.com/azure/aks/node-auto-provisioning-custom-vnet: subnets of the cluster's own virtual network")
@limited(FILES_WITHOUT_NETWORK)
@sample(
    "node_provisioning.node_classes.big.vnet_subnet_id",
    lambda: derive(
        provisioning(node_classes={"big": AksNodeClass(vnet_subnet_id=_SUBNET.format("two"))}),
        network=ExistingAksNetwork(subnet_id=_SUBNET.format("one")),
    ),
)
def node_class_subnet_in_other_network(node_class: AksNodeClass, cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """The subnet of an AKSNodeClass must be in the virtual network of the cluster, which must not be one that AKS manages."""
    subnet, own = node_class.vnet_subnet_id, node_network(cluster, platform)
    if isinstance(subnet, str) and isinstance(cluster.network, ManagedAksNetwork):
        message = "No node is ever launched: the virtual network is one that AKS manages, and node classes there have no subnet of their own"
        yield finding(node_class, message, path="vnet_subnet_id", fix=remove("vnet_subnet_id"))
    elif isinstance(subnet, str) and own is not None and not network_id(subnet).lower().endswith(own):
        message = f"The subnet `{subnet.rpartition('/')[2]}` is not in the virtual network of the cluster: AKS rejects it"
        fix = f"Set {ref('vnet_subnet_id')} to a subnet of the cluster's virtual network"
        yield finding(node_class, message, path="vnet_subnet_id", fix=fix)


@error("NAP017", f"{_CRD}: the pattern of vnetSubnetID")
@sample("vnet_subnet_id", lambda: AksNodeClass(vnet_subnet_id="nodes"))
def invalid_subnet_id(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """An AKSNodeClass names its subnet by the full Azure resource ID; the API server rejects anything else."""
    subnet = node_class.vnet_subnet_id
    if isinstance(subnet, str) and not _SUBNET_ID.fullmatch(subnet):
        message = f"{ref('vnet_subnet_id')} (`{shortened(subnet)}`) must be the full Azure resource ID of a subnet"
        form = "/subscriptions/…/resourceGroups/…/providers/Microsoft.Network/virtualNetworks/…/subnets/…"
        yield finding(node_class, message, path="vnet_subnet_id", fix=f"Use an ID of the form `{form}`")


@error("NAP029", "https://learn.microsoft.com/azure/aks/node-auto-provisioning-aksnodeclass: kubernetes.azure.com/os-sku follows from imageFamily")
@sample("node_provisioning.node_pools.general.requirements", lambda: provisioning({"general": aks_pool(Requirement(_OS_SKU, "In", ["AzureLinux"]))}))
def node_image_mismatch(pool: AksNodePool, parent: NodeProvisioning) -> Iterator[PartFinding]:
    """The image family of a node class decides the label `kubernetes.azure.com/os-sku`: a NodePool that requires another launches no node."""
    node_class = parent.node_classes.get(pool.node_class) if pool.node_class is not None else AksNodeClass()
    family = "AzureLinux" if node_class is not None and node_class.image_family == "AzureLinux" else "Ubuntu"
    if node_class is not None and family not in allowed_values(pool, _OS_SKU):
        message = f"No node is ever launched: the node class sets the label `{_OS_SKU}={family}`, which the requirements exclude"
        yield finding(pool, message, path="requirements", fix=f"Remove the requirement on `{_OS_SKU}`, or use a node class with its image family")


@error("NAP077", "karpenter-provider-azure @ 352646f (2026-08-21), instancetype.go: kubernetes.azure.com/cluster is the node resource group")
@limited(FILES_WITHOUT_CLUSTER)
@sample(
    "node_provisioning.node_pools.general.requirements",
    lambda: derive(provisioning({"general": aks_pool(Requirement(_CLUSTER, "In", ["weu"]))}), node_resource_group="shop-nodes"),
)
def node_pool_of_another_cluster(pool: AksNodePool, cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """All nodes have the name of their resource group as the label `kubernetes.azure.com/cluster`: with another value, no node is launched."""
    stem = stem_of(cluster, platform)
    group = cluster.node_resource_group if stem is None else node_group_name(cluster, stem)
    values = allowed_values(pool, _CLUSTER)
    if group is not None and is_value(group) and group not in values and group.lower() not in map(str.lower, values.members):
        message = f"No node is ever launched: nodes of this cluster have the label `{_CLUSTER}={group}`, the name of their resource group"
        yield finding(pool, message, path="requirements", value=None, fix=f"Remove the requirement or label `{_CLUSTER}`, or use `{group}`")


_CLUSTER: Final = "kubernetes.azure.com/cluster"


_IMAGE_FAMILY: Final = Fix(f"Set {ref('image_family')} to {literal(_UBUNTU)} or {literal('AzureLinux')}", (set_to("image_family", _UBUNTU),))


_ZONES = ({"zone": ".", "forward_destination": "VnetDNS"}, {"zone": "cluster.local", "forward_destination": "ClusterCoreDNS"})


def _class(sysctls: Sysctls) -> AksNodeClass:
    return AksNodeClass(linux_os=LinuxOsConfig(sysctls=sysctls))

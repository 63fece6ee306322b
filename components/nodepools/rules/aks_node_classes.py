"""What node auto provisioning asks of an AKSNodeClass: the checks of its custom resource, and what they do not see.

Facts: docs/facts/aks.md § 3.4.
"""

import re
from collections.abc import Iterator, Mapping

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.node_settings import LinuxOsConfig, LocalDns, LocalDnsOverride
from nodepools.model.aks.provisioning import AksNodePool, NodeProvisioning
from nodepools.model.aks.sysctls import Sysctls
from nodepools.model.derive import derive
from nodepools.model.karpenter import Requirement
from nodepools.rules.aks_node_settings import impossible_ports
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.labels import asked
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks_pool, provisioning

_CRD = "AKSNodeClass CRD (karpenter.azure.com/v1beta1)"
_PAIRS = (
    ("net_core_rmem_default", "net_core_rmem_max"),
    ("net_core_wmem_default", "net_core_wmem_max"),
    ("net_ipv4_neigh_default_gc_thresh1", "net_ipv4_neigh_default_gc_thresh2"),
    ("net_ipv4_neigh_default_gc_thresh2", "net_ipv4_neigh_default_gc_thresh3"),
)
_MOST: Mapping[str, int] = {"fs_file_max": 12000500, "kernel_threads_max": 513785, "vm_max_map_count": 262144}
"""Kernel settings of which a node class takes less than an agent pool."""
_LONGEST_KEY, _LONGEST_VALUE = 512, 256
_REFUSED_IN_KEYS = "<>%&?\\"
_SUBNET_ID = re.compile(
    r"/subscriptions/[^/]+/resourceGroups/[a-z0-9_\-().]{0,89}[a-z0-9_\-()]/providers/Microsoft\.Network/virtualNetworks/[^/]+/subnets/[^/]+",
    re.IGNORECASE,
)
_SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/{}/subnets/a"
_OS_SKU = "kubernetes.azure.com/os-sku"


@rule(
    "NAP020",
    Severity.ERROR,
    source=f"{_CRD}: FIPS, image family and trusted launch",
    sample=lambda: AksNodeClass(image_family="Ubuntu2404", fips_mode="FIPS"),
)
def unsupported_fips_image_family(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """FIPS is not to be had of Ubuntu 24.04, and of 22.04 with trusted launch only."""
    launch = node_class.secure_boot is not None or node_class.vtpm is not None
    if node_class.fips_mode != "FIPS":
        return
    if node_class.image_family == "Ubuntu2404":
        yield finding(node_class, "is not to be had of Ubuntu2404", at="fips_mode", fix='write image_family="AzureLinux", or "Ubuntu"')
    if node_class.image_family == "Ubuntu2204" and not launch:
        yield finding(
            node_class, "is refused with Ubuntu2204 without trusted launch", at="fips_mode", fix='write image_family="Ubuntu", or "AzureLinux"'
        )
    if launch and node_class.image_family == "AzureLinux":
        yield finding(node_class, "is refused with trusted launch, but of Ubuntu", at="fips_mode", fix="remove secure_boot and vtpm")


@rule(
    "NAP021",
    Severity.WARNING,
    source="karpenter-provider-azure: security.trustedLaunch came after 1.14.2, the newest that AKS was seen to run",
    sample=lambda: AksNodeClass(vtpm=True),
)
def trusted_launch_field_dropped(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """Trusted launch is newer than the Karpenter that AKS runs: an older one refuses the field, or drops it."""
    for field in ("secure_boot", "vtpm"):
        if getattr(node_class, field) is not None:
            yield finding(node_class, "is newer than managed Karpenter 1.14", at=field, fix="remove it, or see that the cluster's CRD has it")


@rule(
    "NAP022",
    Severity.ERROR,
    source=f"{_CRD}: kubelet.failSwapOn must be false with swapFileSize",
    sample=lambda: AksNodeClass(linux_os=LinuxOsConfig(swap_file_size="1Gi")),
)
def node_class_swap_without_fail_swap_on(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """With a swap file the kubelet has to be told to start all the same."""
    swap = node_class.linux_os.swap_file_size if node_class.linux_os is not None else None
    if swap is not None and (node_class.kubelet is None or node_class.kubelet.fail_swap_on is not False):
        fix = "add kubelet=KubeletConfig(fail_swap_on=False)"
        yield finding(node_class, "needs a kubelet that starts with swap", at=("linux_os", "swap_file_size"), fix=fix)


@rule("NAP023", Severity.ERROR, source=f"{_CRD}: sysctls", sample=lambda: _class(Sysctls(net_core_rmem_default=1000000, net_core_rmem_max=500000)))
def conflicting_kernel_settings(sysctls: Sysctls, _: AksNodeClass) -> Iterator[PartFinding]:
    """Defaults are no more than maxima, thresholds rise, and ranges are those of the custom resource, which are not those of agent pools."""
    for lower, upper in _PAIRS:
        low, high = getattr(sysctls, lower), getattr(sysctls, upper)
        if low is not None and high is not None and low > high:
            yield finding(sysctls, f"is more than {upper}, {high}", at=lower, fix=f"write {high} or less")
    for field, most in _MOST.items():
        said = getattr(sysctls, field)
        if said is not None and said > most:
            yield finding(sysctls, f"`{field}` of an AKSNodeClass is at most {most}, not {said}", at=field, fix=f"Set `{field}` to {most} or less")
    yield from impossible_ports(sysctls)


@rule("NAP024", Severity.ERROR, source=f"{_CRD}: localDNS", sample=lambda: AksNodeClass(local_dns=LocalDns(vnet_dns=_ZONES, kube_dns=_ZONES[:1])))
def local_dns_zones_missing(dns: LocalDns, _: AksNodeClass) -> Iterator[PartFinding]:
    """Local DNS has settings for `.` and `cluster.local`, for the network's DNS and for the cluster's."""
    for field in ("vnet_dns", "kube_dns"):
        zones = [one.zone for one in getattr(dns, field)]
        missing = [zone for zone in (".", "cluster.local") if zone not in zones]
        if missing:
            yield finding(dns, f"has nothing for {' and '.join(missing)}", at=field, fix="add both zones")


@rule(
    "NAP025",
    Severity.ERROR,
    source=f"{_CRD}: localDNS overrides",
    sample=lambda: LocalDnsOverride(zone="cluster.local", forward_destination="VnetDNS"),
)
def local_dns_wrong_server(override: LocalDnsOverride, node_class: AksNodeClass | None) -> Iterator[PartFinding]:
    """`cluster.local`, and of a node class what ends so, is asked of the cluster; stale answers are not verified over TCP alone."""
    of_cluster = override.zone == "cluster.local" or (node_class is not None and override.zone.endswith("cluster.local"))
    if of_cluster and override.forward_destination == "VnetDNS":
        yield finding(override, "does not know cluster.local", at="forward_destination", fix="write ClusterCoreDNS")
    if override.serve_stale == "Verify" and override.protocol == "ForceTCP":
        yield finding(override, "cannot be verified over TCP alone", at="serve_stale", fix="write Immediate, or protocol PreferUDP")


@rule(
    "NAP026",
    Severity.ERROR,
    source=f"{_CRD}: vnetDNSOverrides are not forwarded to ClusterCoreDNS, but for cluster.local",
    sample=lambda: AksNodeClass(local_dns=LocalDns(kube_dns=_ZONES, vnet_dns=[_ROOT_OF_CLUSTER, _ZONES[1]])),
)
def vnet_dns_forwarded_to_cluster(dns: LocalDns, node_class: AksNodeClass | None) -> Iterator[PartFinding]:
    """What asks the network's DNS gets names from outside from there; to a node class `cluster.local.` is such a name."""
    for override in dns.vnet_dns:
        zone = override.zone if node_class is not None else override.zone.rstrip(".")
        if override.forward_destination == "ClusterCoreDNS" and not zone.endswith("cluster.local"):
            yield finding(override, "does not know names from outside here", at="forward_destination", fix="write VnetDNS")


@rule("NAP027", Severity.ERROR, source=f"{_CRD}: tags", sample=lambda: AksNodeClass(tags={"a?b": "c"}))
def invalid_azure_tag(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """Keys of tags have at most 512 characters, without `<`, `>`, `%`, `&`, `?` and a backslash; values at most 256."""
    for key, value in node_class.tags.items():
        if len(key) > _LONGEST_KEY or any(letter in key for letter in _REFUSED_IN_KEYS):
            yield finding(node_class, "is not the key of a tag", at=("tags", key), value=key, fix=f"leave {_REFUSED_IN_KEYS} out, and be short")
        if len(value) > _LONGEST_VALUE:
            yield finding(node_class, "is too long for a tag", at=("tags", key), fix=f"Write at most {_LONGEST_VALUE} characters")


@rule(
    "NAP028",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/node-auto-provisioning-custom-vnet: subnets of the cluster's own virtual network",
    sample=lambda: derive(
        provisioning(node_classes={"big": AksNodeClass(vnet_subnet_id=_SUBNET.format("two"))}),
        network=ExistingAksNetwork(subnet_id=_SUBNET.format("one")),
    ),
)
def node_class_subnet_in_other_network(node_class: AksNodeClass, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The subnet of a node class is of the cluster's virtual network."""
    subnet, own = node_class.vnet_subnet_id, None if isinstance(cluster.network, AksNetworkArgs) else cluster.network.subnet_id
    if isinstance(subnet, str) and isinstance(own, str) and subnet.lower().partition("/subnets/")[0] != own.lower().partition("/subnets/")[0]:
        yield finding(node_class, "is of another virtual network than the cluster's", at="vnet_subnet_id", fix="name a subnet beside the cluster's")


@rule(
    "NAP017",
    Severity.ERROR,
    source=f"{_CRD}: the pattern of vnetSubnetID",
    sample=lambda: AksNodeClass(vnet_subnet_id="nodes"),
)
def invalid_subnet_id(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """The subnet of a node class is given by its whole id; else the object is refused."""
    subnet = node_class.vnet_subnet_id
    if isinstance(subnet, str) and not _SUBNET_ID.fullmatch(subnet):
        fix = "write /subscriptions/…/resourceGroups/…/providers/Microsoft.Network/virtualNetworks/…/subnets/…"
        yield finding(node_class, "is no id of a subnet", at="vnet_subnet_id", fix=fix)


@rule(
    "NAP029",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/node-auto-provisioning-aksnodeclass: kubernetes.azure.com/os-sku follows from imageFamily",
    sample=lambda: provisioning({"general": aks_pool(Requirement(_OS_SKU, "In", ["AzureLinux"]))}),
)
def node_image_mismatch(pool: AksNodePool, holder: NodeProvisioning) -> Iterator[PartFinding]:
    """A NodePool that asks for an operating system has a class of that image; else no node is ever started."""
    node_class = holder.node_classes.get(pool.node_class) if pool.node_class is not None else AksNodeClass()
    family = "AzureLinux" if node_class is not None and node_class.image_family == "AzureLinux" else "Ubuntu"
    if node_class is not None and family not in asked(pool, _OS_SKU):
        yield finding(
            pool, f"asks for another os-sku than {family}, that of its node class", at="requirements", fix="leave it out, or name another class"
        )


_ZONES = (
    LocalDnsOverride(zone=".", forward_destination="VnetDNS"),
    LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS"),
)
_ROOT_OF_CLUSTER = LocalDnsOverride(zone=".", forward_destination="ClusterCoreDNS")


def _class(sysctls: Sysctls) -> AksNodeClass:
    return AksNodeClass(linux_os=LinuxOsConfig(sysctls=sysctls))

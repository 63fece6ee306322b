"""Settings of nodes: kubelet, kernel, administrator account, and LocalDNS. Facts: docs/facts/aks.md § 2.7, § 3.4."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final, Literal

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.agent_pool import AgentPool, UserPool, WindowsPool
from nodepools.model.aks.node_provisioning import AksNodeClass
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LinuxProfile, LocalDns, LocalDnsOverride, Sysctls
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, add, ref, remove, set_to
from nodepools.rules.engine.registry import Limit, Sample, Where, error, finding, warning
from nodepools.rules.engine.samples import SIZE, aks

_DNS_PAGE = "https://learn.microsoft.com/azure/aks/localdns-custom"
_CPUS = 4
_CLUSTER: Final = "ClusterCoreDNS"
_ZONES: Final[Mapping[str, Mapping[str, Literal["VnetDNS", "ClusterCoreDNS"]]]] = {
    "vnet_dns": {".": "VnetDNS", "cluster.local": _CLUSTER},
    "kube_dns": {".": _CLUSTER, "cluster.local": _CLUSTER},
}
"""Zones that each list of overrides needs, and the server that resolves them by default."""


@warning(
    "AKS057",
    source=f"{_DNS_PAGE}: 4 vCPUs, Azure Linux or Ubuntu; server blocks for `.` and `cluster.local`",
    sample=Sample("local_dns", lambda: UserPool(vm_size="Standard_D2ds_v5", local_dns=_dns("Preferred"))),
)
def ineffective_local_dns(pool: AgentPool) -> Iterator[PartFinding]:
    """LocalDNS in mode `Preferred` has no effect on nodes that cannot run it; its overrides must include the zones `.` and `cluster.local`."""
    if pool.local_dns is None or pool.local_dns.mode == "Disabled":
        return
    for why, fix in _obstacles(pool) if pool.local_dns.mode == "Preferred" else ():
        yield finding(pool, f"LocalDNS has no effect here: {why}", path="local_dns", fix=fix)
    for field, overrides in (("vnet_dns", pool.local_dns.vnet_dns), ("kube_dns", pool.local_dns.kube_dns)):
        missing = [zone for zone in _ZONES[field] if zone not in [override.zone for override in overrides]]
        if overrides and missing:
            at = ("local_dns", field)
            message = f"{ref(at)} has no override for {' and '.join(f'`{zone}`' for zone in missing)}"
            fix = [add(at, LocalDnsOverride(zone=zone, forward_destination=_ZONES[field][zone])) for zone in missing]
            yield finding(pool, message, path=at, fix=fix)


@error(
    "AKS182",
    source=f"{_DNS_PAGE} (2026-07): with `Required`, the deployment fails where the requirements are not met: 4 vCPUs, Azure Linux or Ubuntu",
    sample=Sample("local_dns", lambda: UserPool(vm_size="Standard_D2ds_v5", local_dns=_dns("Required"))),
)
def required_local_dns_unsupported(pool: AgentPool) -> Iterator[PartFinding]:
    """LocalDNS in mode `Required` fails the deployment of a pool whose nodes cannot run it."""
    for why, fix in _obstacles(pool) if pool.local_dns is not None and pool.local_dns.mode == "Required" else ():
        yield finding(pool, f"AKS rejects LocalDNS in the mode `Required` here: {why}", path="local_dns", fix=fix)


def _obstacles(pool: AgentPool) -> Iterator[tuple[str, FixLike]]:
    """Why the nodes cannot run it, and the fix."""
    size = azure_vm_sizes().get(pool.vm_size)
    if size is not None and size.cpu is not None and size.cpu < _CPUS:
        fix = Fix(f"Remove {ref('local_dns')}, or use a size with at least {_CPUS} vCPUs", (remove("local_dns"),))
        yield f"it requires nodes with {_CPUS} vCPUs, and `{pool.vm_size}` has {size.cpu}", fix
    if pool.os_type == "Windows":
        yield f"it runs on Azure Linux and Ubuntu only, not on `{pool.os_sku}`", remove("local_dns")


def _dns(mode: Literal["Preferred", "Required"]) -> LocalDns:
    zones = [LocalDnsOverride(zone=".", forward_destination="VnetDNS"), LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")]
    return LocalDns(mode=mode, vnet_dns=zones, kube_dns=zones)


_CRD = "AKSNodeClass CRD (karpenter.azure.com/v1beta1)"
_ZONE = re.compile(r"\.|{label}(\.{label})*\.?".replace("{label}", "[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"))


@error("NAP050", source=f"{_CRD}: the pattern of zone", sample=Sample("local_dns.vnet_dns[1].zone", lambda: _with("*.example.com")))
def invalid_local_dns_zone(override: LocalDnsOverride, _: AksNodeClass) -> Iterator[PartFinding]:
    """A zone of local DNS is `.` or a DNS name: parts of up to 63 letters, digits, `-` and `_`, with dots between them."""
    if not _ZONE.fullmatch(override.zone):
        message = f"`{override.zone}` is not a DNS name: the API server rejects it as a zone of local DNS"
        yield finding(override, message, path="zone", fix="Use a name such as `example.com`, or `.` for all other names")


@error(
    "NAP051",
    source=f"{_CRD}: overrides are a map by zone",
    sample=Sample("local_dns.vnet_dns[2]", lambda: _with("example.com", "example.com")),
)
def duplicate_local_dns_zone(dns: LocalDns) -> Iterator[PartFinding]:
    """Each list of local DNS overrides has one entry for a zone."""
    for field, overrides in (("vnet_dns", dns.vnet_dns), ("kube_dns", dns.kube_dns)):
        zones = [override.zone for override in overrides]
        for index, zone in enumerate(zones):
            if zone in zones[:index]:
                message = f"The zone `{zone}` is listed twice: the API server rejects the AKSNodeClass"
                yield finding(dns, message, path=(field, index), value=zone, fix=remove((field, index)))


def _with(*zones: str) -> AksNodeClass:
    """A node class whose pods resolve `zones`, too, with the DNS servers of the virtual network."""
    cluster = LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")
    outside = [LocalDnsOverride(zone=zone, forward_destination="VnetDNS") for zone in (".", *zones)]
    return AksNodeClass(local_dns=LocalDns(vnet_dns=[*outside, cluster], kube_dns=[outside[0], cluster]))


_PAGE = "https://learn.microsoft.com/azure/aks/custom-node-configuration-reference (2026-08)"
_HIGH, _LOW = 85, 80
_APART, _FULL = 5, 100
"""Per cent: the distance of the thresholds by default, and the highest one."""
_ON_WINDOWS: Final = frozenset({"image_gc_high_threshold", "image_gc_low_threshold", "container_log_max_size", "container_log_max_files"})
_NAMESPACED: Final = ("kernel.shm", "kernel.msg", "fs.mqueue.", "net.")
_SEMAPHORES = "kernel.sem"
_UNITS: Final = {"ns": Decimal("1e-9"), "us": Decimal("1e-6"), "µs": Decimal("1e-6"), "ms": Decimal("1e-3"), "s": 1, "m": 60, "h": 3600}
_SPAN = r"([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s|m|h)"
_SHORTEST, _LONGEST = Decimal("1e-3"), 1
_FIRST_PORTS, _LAST_PORTS = (1024, 60999), (32768, 65535)


@error(
    "AKS032",
    source="AKSNodeClass CRD and the kubelet: imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent",
    sample=Sample("image_gc_high_threshold", lambda: KubeletConfig(image_gc_high_threshold=70, image_gc_low_threshold=80)),
)
def image_gc_thresholds_reversed(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """The kubelet starts to delete unused images at a high threshold of disk usage and stops at a lower one (defaults: 85 and 80)."""
    high, low = kubelet.image_gc_high_threshold, kubelet.image_gc_low_threshold
    if high is not None and high <= (low if low is not None else _LOW):
        least = str(low) if low is not None else f"{_LOW} by default"
        message = f"{ref('image_gc_high_threshold')} ({high}) must be greater than {ref('image_gc_low_threshold')} ({least})"
        fix = set_to("image_gc_low_threshold", high - _APART) if low is None and high > _APART else _apart(low if low is not None else _LOW)
        yield finding(kubelet, message, path="image_gc_high_threshold", fix=fix)
    elif high is None and low is not None and low >= _HIGH:
        message = f"{ref('image_gc_low_threshold')} ({low}) must be less than {ref('image_gc_high_threshold')} ({_HIGH} by default)"
        yield finding(kubelet, message, path="image_gc_low_threshold", fix=_apart(low))


def _apart(low: int) -> FixLike:
    """Sets the high threshold above the low one; lowers both if there is no room above."""
    if low < _FULL:
        return set_to("image_gc_high_threshold", min(low + _APART, _FULL))
    return set_to("image_gc_high_threshold", _FULL), set_to("image_gc_low_threshold", _FULL - _APART)


@error(
    "AKS183",
    source=f"{_PAGE}: Windows supports imageGcHighThreshold, imageGcLowThreshold, containerLogMaxSizeMB and containerLogMaxFiles only",
    sample=Sample(
        "kubelet.cpu_manager_policy",
        lambda: WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True, kubelet=KubeletConfig(cpu_manager_policy="static")),
    ),
)
def linux_kubelet_config_on_windows(pool: WindowsPool) -> Iterator[PartFinding]:
    """On Windows nodes AKS supports the kubelet's image thresholds and container logs only."""
    value = pool.kubelet.model_dump(exclude_defaults=True) if pool.kubelet is not None else {}
    for field in value:
        if field not in _ON_WINDOWS:
            message = f"AKS does not support {ref(('kubelet', field))} on Windows nodes"
            yield finding(pool, message, path=("kubelet", field), fix=remove(("kubelet", field)))


@error(
    "AKS184",
    source=f"{_PAGE}: allowedUnsafeSysctls kernel.shm*, kernel.msg*, kernel.sem, fs.mqueue.*, net.*; the kubelet does not start with others",
    sample=Sample("allowed_unsafe_sysctls[0]", lambda: KubeletConfig(allowed_unsafe_sysctls=["vm.swappiness"])),
)
def unsafe_sysctl_of_node(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """Pods can set only sysctls of their own namespaces."""
    for index, name in enumerate(kubelet.allowed_unsafe_sysctls):
        if name != _SEMAPHORES and not name.startswith(_NAMESPACED):
            at = ("allowed_unsafe_sysctls", index)
            message = f"Pods cannot set the sysctl `{name}`: only `kernel.shm*`, `kernel.msg*`, `kernel.sem`, `fs.mqueue.*` and `net.*` are allowed"
            yield finding(kubelet, message, path=at, fix=remove(at))


@error(
    "AKS185",
    source=f"{_PAGE}: podMaxPids from -1 on; the kubelet: cpuCFSQuotaPeriod, 1ms to 1s",
    sample=Sample("pod_max_pids", lambda: KubeletConfig(pod_max_pids=-2)),
)
def kubelet_config_prevents_start(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """The kubelet does not start with a process limit below -1 or a CPU quota period outside 1ms to 1s."""
    pids, period = kubelet.pod_max_pids, kubelet.cpu_cfs_quota_period
    if pids is not None and pids < -1:
        message = f"{ref('pod_max_pids')} ({pids}) must be -1 (no limit) or more"
        yield finding(kubelet, message, path="pod_max_pids", fix=set_to("pod_max_pids", -1))
    if period is not None and not _SHORTEST <= _seconds(period) <= _LONGEST:
        message = f"{ref('cpu_cfs_quota_period')} (`{period}`) must be a duration from `1ms` to `1s`, written without spaces"
        yield finding(kubelet, message, path="cpu_cfs_quota_period", fix=set_to("cpu_cfs_quota_period", "100ms"))


@error(
    "AKS186",
    source=f"{_PAGE}: net.ipv4.ip_local_port_range, first 1024 to 60999, last 32768 to 65535",
    sample=Sample(
        "linux_os.sysctls.net_ipv4_ip_local_port_range",
        lambda: UserPool(vm_size=SIZE, linux_os=LinuxOsConfig(sysctls=Sysctls(net_ipv4_ip_local_port_range="100 60999"))),
    ),
    limits=(Limit(Where.FILES, "NAP023 checks the bounds of node classes"),),
)
def local_port_range_out_of_bounds(sysctls: Sysctls, _: AgentPool) -> Iterator[PartFinding]:
    """The local port range of agent pool nodes starts at 1024 to 60999 and ends at 32768 to 65535."""
    yield from impossible_ports(sysctls)


def impossible_ports(sysctls: Sysctls) -> Iterator[PartFinding]:
    """A range of local ports that AKS rejects, of agent pools and of node classes alike."""
    value = sysctls.net_ipv4_ip_local_port_range
    if value is None:
        return
    first, last = map(int, value.split())
    if not (_FIRST_PORTS[0] <= first <= _FIRST_PORTS[1] and _LAST_PORTS[0] <= last <= _LAST_PORTS[1] and first <= last):
        at = "net_ipv4_ip_local_port_range"
        message = f"{ref(at)} (`{value}`) must be a first port (1024 to 60999) and a greater last port (32768 to 65535)"
        begin, end = _clamped(first, *_FIRST_PORTS), _clamped(last, *_LAST_PORTS)
        yield finding(sysctls, message, path=at, fix=set_to(at, f"{begin} {end}" if begin < end else "32768 60999"))


def _clamped(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))


def _seconds(period: str) -> Decimal:
    """The seconds of a duration as Go parses it; negative if it is invalid."""
    spans = re.findall(_SPAN, period)
    return sum((Decimal(number) * _UNITS[unit] for number, unit in spans), Decimal(0)) if re.fullmatch(f"(?:{_SPAN})+", period) else Decimal(-1)


_FORMS: Final = ("ssh-rsa ", "ssh-ed25519 ")


@error(
    "AKS243",
    source="https://github.com/Azure/AKS/issues/4431: InvalidParameter, the value of linuxProfile.ssh.publicKeys.keyData is invalid; "
    "https://learn.microsoft.com/azure/virtual-machines/linux/mac-create-ssh-keys: RSA and ED25519",
    sample=Sample("linux_profile.ssh_key", lambda: aks(linux_profile={"ssh_key": "~/.ssh/id_rsa.pub"})),
)
def invalid_public_ssh_key(profile: LinuxProfile) -> Iterator[PartFinding]:
    """AKS rejects public keys that Azure does not support; Azure supports the types RSA and ED25519, in OpenSSH format."""
    if not profile.ssh_key.startswith(_FORMS):
        message = "AKS rejects this SSH key: it must be a public key in OpenSSH format, of the type RSA or ED25519"
        fix = "Use the content of a file such as `id_rsa.pub`, which starts with `ssh-rsa` or `ssh-ed25519`"
        yield finding(profile, message, path="ssh_key", value="", fix=fix)

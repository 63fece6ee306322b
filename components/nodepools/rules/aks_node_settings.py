"""What runs on nodes beside pods: kubelet and kernel settings that cannot be. Facts: docs/facts/aks.md § 2.7."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig
from nodepools.model.aks.pools import AgentPool, UserPool, WindowsPool
from nodepools.model.aks.sysctls import Sysctls
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE

_PAGE = "https://learn.microsoft.com/azure/aks/custom-node-configuration-reference (2026-08)"
_HIGH, _LOW = 85, 80
_ON_WINDOWS: Final = frozenset({"image_gc_high_threshold", "image_gc_low_threshold", "container_log_max_size", "container_log_max_files"})
_NAMESPACED: Final = ("kernel.shm", "kernel.msg", "fs.mqueue.", "net.")
_SEMAPHORES = "kernel.sem"
_UNITS: Final = {"ns": Decimal("1e-9"), "us": Decimal("1e-6"), "µs": Decimal("1e-6"), "ms": Decimal("1e-3"), "s": 1, "m": 60, "h": 3600}
_SPAN = r"([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s|m|h)"
_SHORTEST, _LONGEST = Decimal("1e-3"), 1
_FIRST_PORTS, _LAST_PORTS = (1024, 60999), (32768, 65535)


@rule(
    "AKS032",
    Severity.ERROR,
    source="AKSNodeClass CRD and the kubelet: imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent",
    sample=lambda: KubeletConfig(image_gc_high_threshold=70, image_gc_low_threshold=80),
)
def image_gc_thresholds_reversed(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """Unused images are deleted from a high mark down to a lower one: 85 and 80 where nothing is set."""
    high, low = kubelet.image_gc_high_threshold, kubelet.image_gc_low_threshold
    if high is not None and high <= (low if low is not None else _LOW):
        than = f"the low threshold, {low}" if low is not None else f"the default of the low threshold, {_LOW}"
        fix = f"write more than {low}" if low is not None else f"Set `image_gc_low_threshold` below {high}"
        yield finding(kubelet, f"is not above {than}", at="image_gc_high_threshold", fix=fix)
    elif high is None and low is not None and low >= _HIGH:
        fix = f"Set `image_gc_high_threshold` above {low}"
        yield finding(kubelet, f"is not below the default of the high threshold, {_HIGH}", at="image_gc_low_threshold", fix=fix)


@rule(
    "AKS183",
    Severity.ERROR,
    source=f"{_PAGE}: Windows supports imageGcHighThreshold, imageGcLowThreshold, containerLogMaxSizeMB and containerLogMaxFiles only",
    sample=lambda: WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True, kubelet=KubeletConfig(cpu_manager_policy="static")),
)
def linux_kubelet_config_on_windows(pool: WindowsPool) -> Iterator[PartFinding]:
    """On Windows nodes AKS configures the kubelet's image thresholds and container logs, nothing else."""
    said = pool.kubelet.model_dump(exclude_defaults=True) if pool.kubelet is not None else {}
    for field in said:
        if field not in _ON_WINDOWS:
            yield finding(pool, f"AKS does not support `{field}` on Windows nodes", at=("kubelet", field), fix=f"Remove `{field}`")


@rule(
    "AKS184",
    Severity.ERROR,
    source=f"{_PAGE}: allowedUnsafeSysctls kernel.shm*, kernel.msg*, kernel.sem, fs.mqueue.*, net.*; the kubelet does not start with others",
    sample=lambda: KubeletConfig(allowed_unsafe_sysctls=["vm.swappiness"]),
)
def unsafe_sysctl_of_node(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """Pods may set sysctls of their own namespaces only."""
    for index, name in enumerate(kubelet.allowed_unsafe_sysctls):
        if name != _SEMAPHORES and not name.startswith(_NAMESPACED):
            message = f"`{name}` is not a sysctl of pods: AKS allows `kernel.shm*`, `kernel.msg*`, `kernel.sem`, `fs.mqueue.*` and `net.*`"
            yield finding(kubelet, message, at=("allowed_unsafe_sysctls", index), fix=f"Remove `{name}`")


@rule(
    "AKS185",
    Severity.ERROR,
    source=f"{_PAGE}: podMaxPids from -1 on; the kubelet: cpuCFSQuotaPeriod, 1ms to 1s",
    sample=lambda: KubeletConfig(pod_max_pids=-2),
)
def kubelet_config_prevents_start(kubelet: KubeletConfig) -> Iterator[PartFinding]:
    """Processes of a pod and the period of CPU quotas have bounds, beyond which the kubelet does not start."""
    pids, period = kubelet.pod_max_pids, kubelet.cpu_cfs_quota_period
    if pids is not None and pids < -1:
        message = f"`pod_max_pids` is -1 (no limit) or more, not {pids}"
        yield finding(kubelet, message, at="pod_max_pids", fix="Set `pod_max_pids` to -1, or remove it")
    if period is not None and not _SHORTEST <= _seconds(period) <= _LONGEST:
        message = f"`cpu_cfs_quota_period` is a duration of 1ms to 1s, not `{period}`"
        yield finding(kubelet, message, at="cpu_cfs_quota_period", fix="Set `cpu_cfs_quota_period` to `100ms`, or remove it")


@rule(
    "AKS186",
    Severity.ERROR,
    source=f"{_PAGE}: net.ipv4.ip_local_port_range, first 1024 to 60999, last 32768 to 65535",
    sample=lambda: UserPool(vm_size=SIZE, linux_os=LinuxOsConfig(sysctls=Sysctls(net_ipv4_ip_local_port_range="100 60999"))),
)
def local_port_range_out_of_bounds(sysctls: Sysctls, _: AgentPool) -> Iterator[PartFinding]:
    """The local ports of agent pool nodes lie in the range that AKS allows."""
    yield from impossible_ports(sysctls)


def impossible_ports(sysctls: Sysctls) -> Iterator[PartFinding]:
    """A range of local ports that AKS does not take, of agent pools and of node classes alike."""
    said = sysctls.net_ipv4_ip_local_port_range
    if said is None:
        return
    first, last = map(int, said.split())
    if not (_FIRST_PORTS[0] <= first <= _FIRST_PORTS[1] and _LAST_PORTS[0] <= last <= _LAST_PORTS[1] and first <= last):
        at = "net_ipv4_ip_local_port_range"
        yield finding(sysctls, "should begin in 1024 to 60999 and end in 32768 to 65535", at=at, fix='write "32768 60999"')


def _seconds(period: str) -> Decimal:
    """As Go reads a duration; less than nothing where it is none."""
    spans = re.findall(_SPAN, period)
    return sum((Decimal(number) * _UNITS[unit] for number, unit in spans), Decimal(0)) if re.fullmatch(f"(?:{_SPAN})+", period) else Decimal(-1)

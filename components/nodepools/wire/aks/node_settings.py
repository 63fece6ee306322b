"""Kubelet, Linux and local DNS settings of agent pools, in the units of Azure's API: MB, minutes and seconds."""

from typing import Final

from nodepools.model.aks.node_settings import size_in_bytes
from nodepools.model.aks.sysctls import Sysctls
from nodepools.wire.codecs import SECONDS, Codec, whole
from nodepools.wire.names import camel
from nodepools.wire.rows import Each, Part, Row
from nodepools.wire.table import Table

_MEBIBYTE: Final = 1024 * 1024
_SPELLED_OTHERWISE: Final = {"net_ipv4_tcp_keepalive_intvl": "netIpv4TcpkeepaliveIntvl"}


def _to_mebibytes(size: str) -> int:
    return int(size_in_bytes(size) / _MEBIBYTE)


def _mebibytes(number: object) -> str:
    return f"{whole(number)}Mi"


MEBIBYTES: Final = Codec(_to_mebibytes, _mebibytes)


def alike(*fields: str) -> tuple[Row, ...]:
    """Fields with the same name in Azure, in camel case: `maxPods` is `max_pods`."""
    return tuple(Row(name, _SPELLED_OTHERWISE.get(name, camel(name))) for name in fields)


KUBELET: Final = Table(
    *alike("cpu_manager_policy", "cpu_cfs_quota", "cpu_cfs_quota_period", "topology_manager_policy", "image_gc_high_threshold"),
    *alike("image_gc_low_threshold", "allowed_unsafe_sysctls", "container_log_max_files", "pod_max_pids", "fail_swap_on"),
    Row("container_log_max_size", "containerLogMaxSizeMB", codec=MEBIBYTES),
)
"""`kubeletConfig`."""
LINUX_OS: Final = Table(
    Part("sysctls", "sysctls", Table(*alike(*Sysctls.model_fields))),
    *alike("transparent_huge_page_enabled", "transparent_huge_page_defrag"),
    Row("swap_file_size", "swapFileSizeMB", codec=MEBIBYTES),
)
"""`linuxOSConfig`."""
DNS_OVERRIDE: Final = Table(
    *alike("forward_destination", "forward_policy", "query_logging", "protocol", "max_concurrent", "serve_stale"),
    Row("cache_duration", "cacheDurationInSeconds", codec=SECONDS),
    Row("serve_stale_duration", "serveStaleDurationInSeconds", codec=SECONDS),
)
"""One zone of `vnetDNSOverrides` and `kubeDNSOverrides`."""
LOCAL_DNS: Final = Table(
    Row("mode", "mode"),
    Each("vnet_dns", "vnetDNSOverrides", DNS_OVERRIDE, key="zone"),
    Each("kube_dns", "kubeDNSOverrides", DNS_OVERRIDE, key="zone"),
)
"""`localDNSProfile`."""

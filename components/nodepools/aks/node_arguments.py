"""Kubelet, operating system and local DNS of agent pools, in azure-native's spelling and units: MB, minutes and seconds."""

from collections.abc import Sequence

from nodepools.manifests.node_pool import given
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LocalDns, LocalDnsOverride, size_in_bytes
from nodepools.model.aks.sysctls import Sysctls
from nodepools.model.kubernetes.duration import seconds

_MEBIBYTE = 1024 * 1024
_SPELT_OTHERWISE = {"net_ipv4_tcp_keepalive_intvl": "net_ipv4_tcpkeepalive_intvl"}


def kubelet_arguments(declared: KubeletConfig) -> dict[str, object]:
    """`kubelet_config`."""
    return given(
        cpu_manager_policy=declared.cpu_manager_policy,
        cpu_cfs_quota=declared.cpu_cfs_quota,
        cpu_cfs_quota_period=declared.cpu_cfs_quota_period,
        topology_manager_policy=declared.topology_manager_policy,
        image_gc_high_threshold=declared.image_gc_high_threshold,
        image_gc_low_threshold=declared.image_gc_low_threshold,
        allowed_unsafe_sysctls=list(declared.allowed_unsafe_sysctls),
        container_log_max_size_mb=_mebibytes(declared.container_log_max_size),
        container_log_max_files=declared.container_log_max_files,
        pod_max_pids=declared.pod_max_pids,
        fail_swap_on=declared.fail_swap_on,
    )


def linux_os_arguments(declared: LinuxOsConfig) -> dict[str, object]:
    """`linux_os_config`."""
    return given(
        sysctls=_sysctls(declared.sysctls) if declared.sysctls is not None else None,
        transparent_huge_page_enabled=declared.transparent_huge_page_enabled,
        transparent_huge_page_defrag=declared.transparent_huge_page_defrag,
        swap_file_size_mb=_mebibytes(declared.swap_file_size),
    )


def local_dns_arguments(declared: LocalDns) -> dict[str, object]:
    """`local_dns_profile`: overrides by their zone."""
    return {
        "mode": declared.mode,
        **given(vnet_dns_overrides=_overrides(declared.vnet_dns), kube_dns_overrides=_overrides(declared.kube_dns)),
    }


def minutes(duration: str | None) -> int | None:
    """Whole minutes of a duration."""
    return seconds(duration) // 60 if duration is not None else None


def _overrides(declared: Sequence[LocalDnsOverride]) -> dict[str, object]:
    return {
        one.zone: {
            "forward_destination": one.forward_destination,
            "forward_policy": one.forward_policy,
            "query_logging": one.query_logging,
            "protocol": one.protocol,
            "max_concurrent": one.max_concurrent,
            "cache_duration_in_seconds": seconds(one.cache_duration),
            "serve_stale": one.serve_stale,
            "serve_stale_duration_in_seconds": seconds(one.serve_stale_duration),
        }
        for one in declared
    }


def _sysctls(declared: Sysctls) -> dict[str, object]:
    return {_SPELT_OTHERWISE.get(name, name): value for name, value in declared.model_dump(exclude_none=True).items()}


def _mebibytes(quantity: str | None) -> int | None:
    return int(size_in_bytes(quantity) / _MEBIBYTE) if quantity is not None else None

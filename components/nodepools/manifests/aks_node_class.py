"""The AKSNodeClass, written and read by one table, so that neither way forgets a field. Facts: docs/facts/aks.md § 3.4."""

from collections.abc import Callable, Mapping
from typing import Final, cast

from nodepools.manifests.node_pool import AKS_NODE_CLASS, cluster_object, given
from nodepools.manifests.overlay import overlaid
from nodepools.manifests.read import ClassForm, Known, known_of_node_class, node_class_in, node_pool_in
from nodepools.manifests.spelling import Always, Each, Part, Table
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.provisioning import AksNodePool
from nodepools.model.base import Model, plain
from nodepools.model.ref import Ref, StackOutput, is_output
from nodepools.rules.finding import Finding

Resolve = Callable[[Ref], object]
"""What a reference stands for."""

API_VERSION: Final = f"{AKS_NODE_CLASS.group}/{AKS_NODE_CLASS.version}"
_SYSCTLS: Table = {
    "fsAioMaxNr": "fs_aio_max_nr",
    "fsFileMax": "fs_file_max",
    "fsInotifyMaxUserWatches": "fs_inotify_max_user_watches",
    "fsNrOpen": "fs_nr_open",
    "kernelThreadsMax": "kernel_threads_max",
    "netCoreNetdevMaxBacklog": "net_core_netdev_max_backlog",
    "netCoreOptmemMax": "net_core_optmem_max",
    "netCoreRmemDefault": "net_core_rmem_default",
    "netCoreRmemMax": "net_core_rmem_max",
    "netCoreSomaxconn": "net_core_somaxconn",
    "netCoreWmemDefault": "net_core_wmem_default",
    "netCoreWmemMax": "net_core_wmem_max",
    "netIPv4IPLocalPortRange": "net_ipv4_ip_local_port_range",
    "netIPv4NeighDefaultGcThresh1": "net_ipv4_neigh_default_gc_thresh1",
    "netIPv4NeighDefaultGcThresh2": "net_ipv4_neigh_default_gc_thresh2",
    "netIPv4NeighDefaultGcThresh3": "net_ipv4_neigh_default_gc_thresh3",
    "netIPv4TCPFinTimeout": "net_ipv4_tcp_fin_timeout",
    "netIPv4TCPKeepaliveIntvl": "net_ipv4_tcp_keepalive_intvl",
    "netIPv4TCPKeepaliveProbes": "net_ipv4_tcp_keepalive_probes",
    "netIPv4TCPKeepaliveTime": "net_ipv4_tcp_keepalive_time",
    "netIPv4TCPMaxSynBacklog": "net_ipv4_tcp_max_syn_backlog",
    "netIPv4TCPMaxTwBuckets": "net_ipv4_tcp_max_tw_buckets",
    "netIPv4TCPTwReuse": "net_ipv4_tcp_tw_reuse",
    "netNetfilterNfConntrackBuckets": "net_netfilter_nf_conntrack_buckets",
    "netNetfilterNfConntrackMax": "net_netfilter_nf_conntrack_max",
    "vmMaxMapCount": "vm_max_map_count",
    "vmSwappiness": "vm_swappiness",
    "vmVfsCachePressure": "vm_vfs_cache_pressure",
}
_KUBELET: Table = {
    "cpuManagerPolicy": "cpu_manager_policy",
    "cpuCFSQuota": "cpu_cfs_quota",
    "cpuCFSQuotaPeriod": "cpu_cfs_quota_period",
    "topologyManagerPolicy": "topology_manager_policy",
    "imageGCHighThresholdPercent": "image_gc_high_threshold",
    "imageGCLowThresholdPercent": "image_gc_low_threshold",
    "allowedUnsafeSysctls": "allowed_unsafe_sysctls",
    "containerLogMaxSize": "container_log_max_size",
    "containerLogMaxFiles": "container_log_max_files",
    "podPidsLimit": "pod_max_pids",
    "failSwapOn": "fail_swap_on",
}
_LINUX_OS: Table = {
    "sysctls": Part("sysctls", _SYSCTLS),
    "transparentHugePageEnabled": "transparent_huge_page_enabled",
    "transparentHugePageDefrag": "transparent_huge_page_defrag",
    "swapFileSize": "swap_file_size",
}
_ZONE: Table = {
    "zone": "zone",
    "forwardDestination": "forward_destination",
    "forwardPolicy": "forward_policy",
    "queryLogging": "query_logging",
    "protocol": "protocol",
    "maxConcurrent": "max_concurrent",
    "cacheDuration": "cache_duration",
    "serveStale": "serve_stale",
    "serveStaleDuration": "serve_stale_duration",
}
_LOCAL_DNS: Table = {
    "mode": "mode",
    "vnetDNSOverrides": Each("vnet_dns", _ZONE, tuple(_ZONE)),
    "kubeDNSOverrides": Each("kube_dns", _ZONE, tuple(_ZONE)),
}
AKS_NODE_CLASS_SPEC: Table = {
    "imageFamily": "image_family",
    "fipsMode": "fips_mode",
    "osDiskSizeGB": "os_disk_size_gb",
    "maxPods": "max_pods",
    "vnetSubnetID": "vnet_subnet_id",
    "gpu": {"mode": "gpu_mode"},
    "artifactStreaming": {"enabled": "artifact_streaming"},
    "security": {"encryptionAtHost": "encryption_at_host", "trustedLaunch": {"secureBoot": "secure_boot", "vtpm": "vtpm"}},
    "kubelet": Part("kubelet", _KUBELET),
    "linuxOSConfig": Part("linux_os", _LINUX_OS),
    "localDNS": Part("local_dns", _LOCAL_DNS, tuple(_LOCAL_DNS)),
    "tags": "tags",
}
"""The `spec` of an AKSNodeClass."""
_ELSEWHERE: Final = {
    "imageVersion": "v1alpha2 of early 2024",
    "imageID": "self-hosted Karpenter",
    "amiFamily": "EC2NodeClass",
    "vmSize": "agent pools; sizes are requirements of a NodePool",
}
_FORM = ClassForm(AksNodeClass, AKS_NODE_CLASS, AKS_NODE_CLASS_SPEC, _ELSEWHERE)


def aks_node_class(name: str, declared: AksNodeClass, resolve: Resolve) -> dict[str, object]:
    """The object."""
    spec = _written(AKS_NODE_CLASS_SPEC, declared, resolve)
    return cluster_object(API_VERSION, AKS_NODE_CLASS.kind, name, overlaid(spec, declared.overrides))


def aks_node_class_in(manifest: Mapping[str, object]) -> Known[AksNodeClass]:
    """An AKSNodeClass, as far as it is well formed."""
    return node_class_in(manifest, _FORM)


def known_of_aks_node_class(manifest: Mapping[str, object]) -> tuple[AksNodeClass | None, list[Finding]]:
    """As much of an AKSNodeClass as is known, and all that is wrong with it."""
    return known_of_node_class(manifest, _FORM)


def aks_node_pool_in(manifest: Mapping[str, object]) -> Known[AksNodePool]:
    """A NodePool of node auto provisioning, as far as it is well formed."""
    return node_pool_in(manifest, AksNodePool, AKS_NODE_CLASS)


def _written(table: Table, part: Model, resolve: Resolve) -> dict[str, object]:
    """What `part` says, as the object spells it."""
    found: dict[str, object] = {}
    for name, node in table.items():
        match node:
            case str():
                found[name] = _value(getattr(part, node), resolve)
            case Part():
                inner = getattr(part, node.name)
                found[name] = _written(node.table, inner, resolve) if inner is not None else None
            case Each():
                found[name] = [_written(node.table, inner, resolve) for inner in getattr(part, node.name)]
            case Always():
                found[name] = node.value
            case _:
                found[name] = _written(node, part, resolve)
    return given(**found)


def _value(value: object, resolve: Resolve) -> object:
    return resolve(cast("Ref", value)) if isinstance(value, StackOutput) or is_output(value) else plain(value)

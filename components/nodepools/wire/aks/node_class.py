"""The `spec` of an AKSNodeClass (karpenter.azure.com/v1beta1). Facts: docs/facts/aks.md § 3.3, § 3.4.

An empty block (`gpu: {}`) changes the hash, so none is ever written.
"""

from typing import Final

from nodepools.model.aks.node_settings import Sysctls
from nodepools.wire.rows import OBJECT_SETTINGS, Each, Part, Row
from nodepools.wire.table import Change, Effect, Table

_ACRONYMS: Final = {"ipv4": "IPv4", "ip": "IP", "tcp": "TCP"}


def sysctl_name(field: str) -> str:
    """`netIPv4TCPFinTimeout` for `net_ipv4_tcp_fin_timeout`."""
    first, *rest = field.split("_")
    return first + "".join(_ACRONYMS.get(word, word.capitalize()) for word in rest)


_HASHED: Final = Change(Effect.ROLLS, "karpenter-provider-azure 1.14, AKSNodeClass.Hash: every field except `tags`")
_PATCHED: Final = Change(Effect.IN_PLACE, "karpenter-provider-azure 1.14, nodeclaim/inplaceupdate: tags of running machines are patched")
_SUBNET: Final = Change(
    Effect.UNKNOWN,
    f"{_HASHED.source}; https://learn.microsoft.com/azure/aks/node-auto-provisioning-networking: a change to another subnet is not supported: "
    "no node is created until it is changed back",
)

KUBELET: Final = Table(
    Row("cpu_manager_policy", "cpuManagerPolicy"),
    Row("cpu_cfs_quota", "cpuCFSQuota"),
    Row("cpu_cfs_quota_period", "cpuCFSQuotaPeriod"),
    Row("topology_manager_policy", "topologyManagerPolicy"),
    Row("image_gc_high_threshold", "imageGCHighThresholdPercent"),
    Row("image_gc_low_threshold", "imageGCLowThresholdPercent"),
    Row("allowed_unsafe_sysctls", "allowedUnsafeSysctls"),
    Row("container_log_max_size", "containerLogMaxSize"),
    Row("container_log_max_files", "containerLogMaxFiles"),
    Row("pod_max_pids", "podPidsLimit"),
    Row("fail_swap_on", "failSwapOn"),
)
LINUX_OS: Final = Table(
    Part("sysctls", "sysctls", Table(*(Row(name, sysctl_name(name)) for name in Sysctls.model_fields))),
    Row("transparent_huge_page_enabled", "transparentHugePageEnabled"),
    Row("transparent_huge_page_defrag", "transparentHugePageDefrag"),
    Row("swap_file_size", "swapFileSize"),
)
DNS_OVERRIDE: Final = Table(
    Row("zone", "zone"),
    Row("forward_destination", "forwardDestination"),
    Row("forward_policy", "forwardPolicy"),
    Row("query_logging", "queryLogging"),
    Row("protocol", "protocol"),
    Row("max_concurrent", "maxConcurrent"),
    Row("cache_duration", "cacheDuration"),
    Row("serve_stale", "serveStale"),
    Row("serve_stale_duration", "serveStaleDuration"),
    required=[
        *(("zone",), ("forwardDestination",), ("forwardPolicy",), ("queryLogging",), ("protocol",), ("maxConcurrent",)),
        *(("cacheDuration",), ("serveStale",), ("serveStaleDuration",)),
    ],
)
"""An entry of `vnetDNSOverrides` and `kubeDNSOverrides`; all its fields are required."""
LOCAL_DNS: Final = Table(
    Row("mode", "mode"),
    Each("vnet_dns", "vnetDNSOverrides", DNS_OVERRIDE),
    Each("kube_dns", "kubeDNSOverrides", DNS_OVERRIDE),
    required=[("mode",), ("vnetDNSOverrides",), ("kubeDNSOverrides",)],
)
NODE_CLASS: Final = Table(
    Row("image_family", "imageFamily", _HASHED, default="Ubuntu"),
    Row("fips_mode", "fipsMode", _HASHED),
    Row("os_disk_size_gb", "osDiskSizeGB", _HASHED, default=128),
    Row("max_pods", "maxPods", _HASHED),
    Row("vnet_subnet_id", "vnetSubnetID", _SUBNET),
    Row("gpu_mode", "gpu.mode", _HASHED),
    Row("artifact_streaming", "artifactStreaming.enabled", _HASHED),
    Row("encryption_at_host", "security.encryptionAtHost", _HASHED),
    Row("secure_boot", "security.trustedLaunch.secureBoot", _HASHED),
    Row("vtpm", "security.trustedLaunch.vtpm", _HASHED),
    Part("kubelet", "kubelet", KUBELET, _HASHED),
    Part("linux_os", "linuxOSConfig", LINUX_OS, _HASHED),
    Part("local_dns", "localDNS", LOCAL_DNS, _HASHED),
    Row("tags", "tags", _PATCHED),
    *OBJECT_SETTINGS,
    foreign={
        **dict.fromkeys(("images", "kubernetesVersion", "conditions"), "the status, which Karpenter writes"),
        "imageVersion": "the first AKSNodeClasses of `karpenter.azure.com/v1alpha2` (2024)",
        "imageID": "self-managed Karpenter",
        "amiFamily": "EC2NodeClass",
        "vmSize": "agent pools; in a NodePool, VM sizes are requirements",
    },
)

"""Settings of AKS nodes, for agent pools and node classes: kubelet, Linux, local DNS.

Facts: docs/facts/aks.md § 2.7, § 3.4.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from pydantic import Field

from nodepools.model.aks.sysctls import Sysctls
from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration
from nodepools.model.kubernetes.quantity import amount

_BYTES = r"^[0-9]+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$"

_MOST_INT32 = 2**31 - 1


def size_in_bytes(text: str) -> Decimal:
    """Bytes of a size in these settings. They write 1000 bytes as `K`; other quantities write `k`."""
    return amount(f"{text[:-1]}k" if text.endswith("K") else text)


class KubeletConfig(Model):
    """Kubelet settings. Azure cannot change them in place: a change rotates the agent pool, or replaces the nodes of a NodePool."""

    cpu_manager_policy: Literal["none", "static"] | None = None
    """`static` gives exclusive CPUs to Guaranteed pods that request whole CPUs. Cloud default `none`."""
    cpu_cfs_quota: bool | None = None
    """Whether CPU limits are enforced. Cloud default true."""
    cpu_cfs_quota_period: str | None = None
    """Period over which CPU limits are enforced. Cloud default `100ms`."""
    topology_manager_policy: Literal["none", "best-effort", "restricted", "single-numa-node"] | None = None
    """How CPUs and devices are aligned to NUMA nodes. Cloud default `none`."""
    image_gc_high_threshold: int | None = Field(default=None, ge=0, le=100)
    """Disk usage in percent above which unused images are deleted. Cloud default 85."""
    image_gc_low_threshold: int | None = Field(default=None, ge=0, le=100)
    """Disk usage in percent down to which unused images are deleted. Cloud default 80."""
    allowed_unsafe_sysctls: Sequence[str] = ()
    """Unsafe sysctls that pods can set, such as `net.ipv4.route.*`."""
    container_log_max_size: str | None = Field(default=None, pattern=_BYTES)
    """Size at which a container log is rotated. Cloud default `50Mi`. Whole MiB for agent pools."""
    container_log_max_files: int | None = Field(default=None, ge=2, le=_MOST_INT32)
    """Log files per container, at least 2. Cloud default 5."""
    pod_max_pids: int | None = Field(default=None, ge=-(2**63), le=2**63 - 1)
    """Maximum number of processes per pod; -1 means no limit."""
    fail_swap_on: bool | None = None
    """Whether the kubelet fails to start if swap is on. A swap file requires `False`."""


class LinuxOsConfig(Model):
    """Linux settings. Azure cannot change them in place: a change rotates the agent pool, or replaces the nodes of a NodePool."""

    sysctls: Sysctls | None = None
    """Kernel parameters."""
    transparent_huge_page_enabled: Literal["always", "madvise", "never"] | None = None
    """When the kernel uses transparent huge pages. Cloud default `always`."""
    transparent_huge_page_defrag: Literal["always", "defer", "defer+madvise", "madvise", "never"] | None = None
    """How the kernel compacts memory for transparent huge pages. Cloud default `madvise`."""
    swap_file_size: str | None = Field(default=None, pattern=_BYTES)
    """Size of the swap file, such as `1500Mi`; whole MiB for agent pools. Default: no swap. Requires `fail_swap_on=False` in `kubelet`."""


class LocalDnsOverride(Model):
    """DNS settings of one zone."""

    zone: str = Field(min_length=1, max_length=254)
    """DNS zone: `.`, `cluster.local`, or your own domain."""
    forward_destination: Literal["ClusterCoreDNS", "VnetDNS"]
    """Where queries are forwarded: to CoreDNS of the cluster, or to the DNS servers of the virtual network."""
    forward_policy: Literal["Sequential", "RoundRobin", "Random"] = "Sequential"
    """How one of several servers is selected."""
    query_logging: Literal["Error", "Log"] = "Error"
    """Which queries are logged: all (`Log`), or only those that fail (`Error`)."""
    protocol: Literal["PreferUDP", "ForceTCP"] = "PreferUDP"
    """Protocol of forwarded queries."""
    max_concurrent: int = Field(default=1000, ge=0, le=_MOST_INT32)
    """Maximum number of concurrent queries."""
    cache_duration: Duration = "1h"
    """How long responses are cached."""
    serve_stale: Literal["Verify", "Immediate", "Disable"] = "Immediate"
    """Whether expired responses are served when no server responds. `Verify` cannot be combined with `ForceTCP`."""
    serve_stale_duration: Duration = "1h"
    """How long expired responses can be served."""


class LocalDns(Model):
    """DNS cache on every node. Requires VM sizes with at least 4 vCPUs and Kubernetes 1.31."""

    mode: Literal["Preferred", "Required", "Disabled"] = "Preferred"
    """`Preferred` turns the cache on if the Kubernetes version supports it, and is the cloud default from 1.36. `Required` fails if the version does
    not."""
    vnet_dns: Sequence[LocalDnsOverride] = Field(default=(), max_length=100)
    """Zones for pods that use the DNS of the virtual network, and for the node. At least `.` and `cluster.local`."""
    kube_dns: Sequence[LocalDnsOverride] = Field(default=(), max_length=100)
    """Zones for pods that use the DNS of the cluster. At least `.` and `cluster.local`."""

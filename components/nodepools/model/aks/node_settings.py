"""What runs on an AKS node beside pods: kubelet, operating system, local DNS; of agent pools and of node classes.

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
    """What a size of these settings says; they know `K` for 1000, which other quantities write `k`."""
    return amount(f"{text[:-1]}k" if text.endswith("K") else text)


class KubeletConfig(Model):
    """How the kubelet runs. Azure cannot change it in place: another one is another pool, or another node."""

    cpu_manager_policy: Literal["none", "static"] | None = None
    """`static` gives pods of whole CPUs theirs alone. Cloud default `none`."""
    cpu_cfs_quota: bool | None = None
    """Whether CPU limits are enforced. Cloud default true."""
    cpu_cfs_quota_period: str | None = None
    """Period over which they are, `100ms`, the cloud's default."""
    topology_manager_policy: Literal["none", "best-effort", "restricted", "single-numa-node"] | None = None
    """How CPUs and devices are aligned to NUMA nodes. Cloud default `none`."""
    image_gc_high_threshold: int | None = Field(default=None, ge=0, le=100)
    """Per cent of the disk at which unused images are deleted. Cloud default 85."""
    image_gc_low_threshold: int | None = Field(default=None, ge=0, le=100)
    """Per cent of the disk down to which they are. Cloud default 80."""
    allowed_unsafe_sysctls: Sequence[str] = ()
    """Kernel settings that pods may ask for, `net.ipv4.route.*`."""
    container_log_max_size: str | None = Field(default=None, pattern=_BYTES)
    """Size at which a container's log begins another file, `50Mi`, the cloud's default; whole MiB for agent pools."""
    container_log_max_files: int | None = Field(default=None, ge=2, le=_MOST_INT32)
    """Log files a container, 2 or more. Cloud default 5."""
    pod_max_pids: int | None = Field(default=None, ge=-(2**63), le=2**63 - 1)
    """Processes a pod; -1 is no limit."""
    fail_swap_on: bool | None = None
    """Whether the kubelet refuses to start where swap is on. A swap file needs `False`."""


class LinuxOsConfig(Model):
    """How Linux runs on the nodes. Azure cannot change it in place."""

    sysctls: Sysctls | None = None
    """Kernel settings."""
    transparent_huge_page_enabled: Literal["always", "madvise", "never"] | None = None
    """Whether huge pages are used unasked. Cloud default `always`."""
    transparent_huge_page_defrag: Literal["always", "defer", "defer+madvise", "madvise", "never"] | None = None
    """How memory is compacted for them. Cloud default `madvise`."""
    swap_file_size: str | None = Field(default=None, pattern=_BYTES)
    """Size of the swap file, `1500Mi`, whole MiB for agent pools; none when left out. Needs `fail_swap_on=False` of the kubelet."""


class LocalDnsOverride(Model):
    """How the names of one zone are resolved on the node."""

    zone: str = Field(min_length=1, max_length=254)
    """`.`, `cluster.local`, or a domain of your own."""
    forward_destination: Literal["ClusterCoreDNS", "VnetDNS"]
    """Whom they are asked of."""
    forward_policy: Literal["Sequential", "RoundRobin", "Random"] = "Sequential"
    """Which of several servers is asked."""
    query_logging: Literal["Error", "Log"] = "Error"
    """What is logged."""
    protocol: Literal["PreferUDP", "ForceTCP"] = "PreferUDP"
    """How they are asked."""
    max_concurrent: int = Field(default=1000, ge=0, le=_MOST_INT32)
    """Questions at a time."""
    cache_duration: Duration = "1h"
    """How long an answer is kept."""
    serve_stale: Literal["Verify", "Immediate", "Disable"] = "Immediate"
    """Whether an old answer is given when no server answers. `Verify` not with `ForceTCP`."""
    serve_stale_duration: Duration = "1h"
    """How long an old answer may be given."""


class LocalDns(Model):
    """A DNS cache on every node. Needs sizes of 4 vCPUs and Kubernetes 1.31."""

    mode: Literal["Preferred", "Required", "Disabled"] = "Preferred"
    """`Preferred` is on where Kubernetes is new enough, from 1.36 on the cloud's default; `Required` fails where it is not."""
    vnet_dns: Sequence[LocalDnsOverride] = Field(default=(), max_length=100)
    """For pods that ask the network's DNS, and for the node: `.` and `cluster.local` at least."""
    kube_dns: Sequence[LocalDnsOverride] = Field(default=(), max_length=100)
    """For pods that ask the cluster's DNS: `.` and `cluster.local` at least."""

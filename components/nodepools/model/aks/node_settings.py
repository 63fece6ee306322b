"""Settings of AKS nodes, for agent pools, node classes and whole clusters: kubelet, Linux, Windows, kernel parameters, local DNS.

Where agent pools and node classes allow different ranges of kernel parameters, the model has those of agent pools.
Facts: docs/facts/aks.md § 2.6, § 2.7, § 3.4.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.ref import Secret


class Sysctls(Model):
    """Kernel parameters. Default of each: the value of the node image."""

    fs_aio_max_nr: int | None = Field(default=None, ge=65536, le=6553500)
    """`fs.aio-max-nr`, 65536 to 6553500: maximum number of asynchronous I/O operations on the node."""
    fs_file_max: int | None = Field(default=None, ge=8192, le=9223372036854775807)
    """`fs.file-max`, 8192 to 9223372036854775807 (node class: to 12000500): maximum number of open files on the node."""
    fs_inotify_max_user_watches: int | None = Field(default=None, ge=781250, le=2097152)
    """`fs.inotify.max_user_watches`, 781250 to 2097152: maximum number of files that one user can watch."""
    fs_nr_open: int | None = Field(default=None, ge=8192, le=20000500)
    """`fs.nr_open`, 8192 to 20000500: maximum number of open files per process."""
    kernel_threads_max: int | None = Field(default=None, ge=20, le=1073741823)
    """`kernel.threads-max`, 20 to 1073741823, the limit of the kernel (node class: to 513785): maximum number of threads on the node."""
    net_core_netdev_max_backlog: int | None = Field(default=None, ge=1000, le=3240000)
    """`net.core.netdev_max_backlog`, 1000 to 3240000: maximum number of received packets that wait for the kernel."""
    net_core_optmem_max: int | None = Field(default=None, ge=20480, le=4194304)
    """`net.core.optmem_max`, 20480 to 4194304: maximum bytes of ancillary data per socket."""
    net_core_rmem_default: int | None = Field(default=None, ge=212992, le=134217728)
    """`net.core.rmem_default`, 212992 to 134217728: default receive buffer of a socket, in bytes."""
    net_core_rmem_max: int | None = Field(default=None, ge=212992, le=134217728)
    """`net.core.rmem_max`, 212992 to 134217728: maximum receive buffer of a socket, in bytes."""
    net_core_somaxconn: int | None = Field(default=None, ge=4096, le=3240000)
    """`net.core.somaxconn`, 4096 to 3240000: maximum number of connections that wait to be accepted."""
    net_core_wmem_default: int | None = Field(default=None, ge=212992, le=134217728)
    """`net.core.wmem_default`, 212992 to 134217728: default send buffer of a socket, in bytes."""
    net_core_wmem_max: int | None = Field(default=None, ge=212992, le=134217728)
    """`net.core.wmem_max`, 212992 to 134217728: maximum send buffer of a socket, in bytes."""
    net_ipv4_ip_local_port_range: str | None = Field(default=None, pattern=r"^[0-9]+ [0-9]+$")
    """`net.ipv4.ip_local_port_range`: first and last local port, such as `32768 60999`. The first is 1024 to 60999, the last 32768 to 65535."""
    net_ipv4_neigh_default_gc_thresh1: int | None = Field(default=None, ge=128, le=80000)
    """`net.ipv4.neigh.default.gc_thresh1`, 128 to 80000: neighbor entries below which none are removed."""
    net_ipv4_neigh_default_gc_thresh2: int | None = Field(default=None, ge=512, le=90000)
    """`net.ipv4.neigh.default.gc_thresh2`, 512 to 90000: soft maximum of neighbor entries."""
    net_ipv4_neigh_default_gc_thresh3: int | None = Field(default=None, ge=1024, le=100000)
    """`net.ipv4.neigh.default.gc_thresh3`, 1024 to 100000: hard maximum of neighbor entries."""
    net_ipv4_tcp_fin_timeout: int | None = Field(default=None, ge=5, le=120)
    """`net.ipv4.tcp_fin_timeout`, 5 to 120: seconds that a closed connection waits for the peer."""
    net_ipv4_tcp_keepalive_intvl: int | None = Field(default=None, ge=10, le=90)
    """`net.ipv4.tcp_keepalive_intvl`, 10 to 90: seconds between two keepalive probes."""
    net_ipv4_tcp_keepalive_probes: int | None = Field(default=None, ge=1, le=15)
    """`net.ipv4.tcp_keepalive_probes`, 1 to 15: unanswered keepalive probes before the connection is dropped."""
    net_ipv4_tcp_keepalive_time: int | None = Field(default=None, ge=30, le=432000)
    """`net.ipv4.tcp_keepalive_time`, 30 to 432000: idle seconds before the first keepalive probe."""
    net_ipv4_tcp_max_syn_backlog: int | None = Field(default=None, ge=128, le=3240000)
    """`net.ipv4.tcp_max_syn_backlog`, 128 to 3240000: maximum number of connections that wait for acknowledgment."""
    net_ipv4_tcp_max_tw_buckets: int | None = Field(default=None, ge=8000, le=1440000)
    """`net.ipv4.tcp_max_tw_buckets`, 8000 to 1440000: maximum number of sockets in TIME_WAIT."""
    net_ipv4_tcp_tw_reuse: bool | None = None
    """`net.ipv4.tcp_tw_reuse`: whether sockets in TIME_WAIT are reused."""
    net_netfilter_nf_conntrack_buckets: int | None = Field(default=None, ge=65536, le=524288)
    """`net.netfilter.nf_conntrack_buckets`, 65536 to 524288: hash buckets of the connection tracking table."""
    net_netfilter_nf_conntrack_max: int | None = Field(default=None, ge=131072, le=2097152)
    """`net.netfilter.nf_conntrack_max`, 131072 to 2097152: maximum number of tracked connections."""
    vm_max_map_count: int | None = Field(default=None, ge=65530, le=2147483647)
    """`vm.max_map_count`, 65530 to 2147483647, the limit of the kernel (node class: to 262144): maximum number of memory maps per process."""
    vm_swappiness: int | None = Field(default=None, ge=0, le=100)
    """`vm.swappiness`, 0 to 100: how readily the kernel swaps memory out."""
    vm_vfs_cache_pressure: int | None = Field(default=None, ge=0, le=100)
    """`vm.vfs_cache_pressure`, 0 to 100: how readily the kernel reclaims directory and inode caches."""


class LinuxProfile(Model):
    """The administrator account of Linux nodes, for existing clusters that have one. A change replaces the cluster."""

    admin_username: str = Field(default="azureuser", pattern=r"^[A-Za-z][-A-Za-z0-9_]*$")
    """Letters, digits, hyphens and underscores, with a letter first. A change replaces the cluster."""
    ssh_key: str = Field(min_length=1)
    """Public SSH key of the account, as Azure returns it: a difference, also in spaces at its end, replaces the cluster. AKS accepts one key."""


class Gmsa(Model):
    """Group managed service accounts (gMSA) of Active Directory for Windows containers."""

    dns_server: str | None = None
    """IP address of the DNS server. Default: the DNS server of the virtual network."""
    root_domain_name: str | None = None
    """Root domain name of the gMSA. Requires `dns_server`."""


class WindowsProfile(Model):
    """The administrator account of Windows nodes. It can be set only when the cluster is created: a change replaces the cluster."""

    admin_username: str = Field(default="azureuser", pattern=r"^[A-Za-z0-9_-]{1,20}$")
    """At most 20 letters, digits, hyphens and underscores. A change replaces the cluster."""
    admin_password: Secret | None = None
    """14 to 123 characters of at least three kinds (lowercase, uppercase, digits, symbols). Use a StackOutput, or a secret of
    your Pulumi configuration: it is sent as a secret, and never printed. Default: AKS creates a password, and an existing cluster keeps the one that
    it has. A change replaces the cluster."""
    hybrid_benefit: bool = False
    """Whether Azure Hybrid Benefit applies: Windows Server licenses that you already own."""
    csi_proxy: bool | None = None
    """Whether the CSI proxy runs on Windows nodes. Cloud default true."""
    gmsa: Gmsa | None = None
    """Group managed service accounts. Default: off."""


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

"""Kernel parameters of AKS nodes. Where agent pools and node classes allow different ranges, the model has those of agent pools.

Facts: docs/facts/aks.md § 2.7, § 3.4.
"""

from pydantic import Field

from nodepools.model.base import Model


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

"""Kernel settings of AKS nodes, of agent pools and of node auto provisioning alike: ranges are those of agent pools, where the two differ.

Facts: docs/facts/aks.md § 2.7, § 3.4.
"""

from pydantic import Field

from nodepools.model.base import Model


class Sysctls(Model):
    """Kernel settings. What is left out is as the node image has it."""

    fs_aio_max_nr: int | None = Field(default=None, ge=65536, le=6553500)
    """`fs.aio-max-nr`, 65536 to 6553500: asynchronous I/O operations of the node."""
    fs_file_max: int | None = Field(default=None, ge=8192, le=9223372036854775807)
    """`fs.file-max`, 8192 to 9223372036854775807, in a node class to 12000500: open files of the node."""
    fs_inotify_max_user_watches: int | None = Field(default=None, ge=781250, le=2097152)
    """`fs.inotify.max_user_watches`, 781250 to 2097152: files that one user may watch."""
    fs_nr_open: int | None = Field(default=None, ge=8192, le=20000500)
    """`fs.nr_open`, 8192 to 20000500: open files of one process."""
    kernel_threads_max: int | None = Field(default=None, ge=20, le=1073741823)
    """`kernel.threads-max`, 20 to 1073741823, the kernel's own bound, in a node class to 513785: threads of the node."""
    net_core_netdev_max_backlog: int | None = Field(default=None, ge=1000, le=3240000)
    """`net.core.netdev_max_backlog`, 1000 to 3240000: packets that wait for the kernel."""
    net_core_optmem_max: int | None = Field(default=None, ge=20480, le=4194304)
    """`net.core.optmem_max`, 20480 to 4194304: bytes of ancillary data of a socket."""
    net_core_rmem_default: int | None = Field(default=None, ge=212992, le=134217728)
    """`net.core.rmem_default`, 212992 to 134217728: bytes a socket may receive unread, at first."""
    net_core_rmem_max: int | None = Field(default=None, ge=212992, le=134217728)
    """`net.core.rmem_max`, 212992 to 134217728: bytes a socket may receive unread, at most."""
    net_core_somaxconn: int | None = Field(default=None, ge=4096, le=3240000)
    """`net.core.somaxconn`, 4096 to 3240000: connections that wait to be accepted."""
    net_core_wmem_default: int | None = Field(default=None, ge=212992, le=134217728)
    """`net.core.wmem_default`, 212992 to 134217728: bytes a socket may send ahead, at first."""
    net_core_wmem_max: int | None = Field(default=None, ge=212992, le=134217728)
    """`net.core.wmem_max`, 212992 to 134217728: bytes a socket may send ahead, at most."""
    net_ipv4_ip_local_port_range: str | None = Field(default=None, pattern=r"^[0-9]+ [0-9]+$")
    """`net.ipv4.ip_local_port_range`: first and last port of connections, `32768 60999`; the first 1024 to 60999, the last 32768 to 65535."""
    net_ipv4_neigh_default_gc_thresh1: int | None = Field(default=None, ge=128, le=80000)
    """`net.ipv4.neigh.default.gc_thresh1`, 128 to 80000: neighbours that are always kept."""
    net_ipv4_neigh_default_gc_thresh2: int | None = Field(default=None, ge=512, le=90000)
    """`net.ipv4.neigh.default.gc_thresh2`, 512 to 90000: neighbours, softly."""
    net_ipv4_neigh_default_gc_thresh3: int | None = Field(default=None, ge=1024, le=100000)
    """`net.ipv4.neigh.default.gc_thresh3`, 1024 to 100000: neighbours, at most."""
    net_ipv4_tcp_fin_timeout: int | None = Field(default=None, ge=5, le=120)
    """`net.ipv4.tcp_fin_timeout`, 5 to 120: seconds that a closed connection waits for the other side."""
    net_ipv4_tcp_keepalive_intvl: int | None = Field(default=None, ge=10, le=90)
    """`net.ipv4.tcp_keepalive_intvl`, 10 to 90: seconds between two keepalive probes."""
    net_ipv4_tcp_keepalive_probes: int | None = Field(default=None, ge=1, le=15)
    """`net.ipv4.tcp_keepalive_probes`, 1 to 15: keepalive probes before a connection is given up."""
    net_ipv4_tcp_keepalive_time: int | None = Field(default=None, ge=30, le=432000)
    """`net.ipv4.tcp_keepalive_time`, 30 to 432000: seconds of silence before the first keepalive probe."""
    net_ipv4_tcp_max_syn_backlog: int | None = Field(default=None, ge=128, le=3240000)
    """`net.ipv4.tcp_max_syn_backlog`, 128 to 3240000: connections that wait for their acknowledgement."""
    net_ipv4_tcp_max_tw_buckets: int | None = Field(default=None, ge=8000, le=1440000)
    """`net.ipv4.tcp_max_tw_buckets`, 8000 to 1440000: sockets in TIME_WAIT."""
    net_ipv4_tcp_tw_reuse: bool | None = None
    """`net.ipv4.tcp_tw_reuse`: whether sockets in TIME_WAIT are used again."""
    net_netfilter_nf_conntrack_buckets: int | None = Field(default=None, ge=65536, le=524288)
    """`net.netfilter.nf_conntrack_buckets`, 65536 to 524288: buckets of the connection table."""
    net_netfilter_nf_conntrack_max: int | None = Field(default=None, ge=131072, le=2097152)
    """`net.netfilter.nf_conntrack_max`, 131072 to 2097152: connections that are tracked."""
    vm_max_map_count: int | None = Field(default=None, ge=65530, le=2147483647)
    """`vm.max_map_count`, 65530 to 2147483647, the kernel's own bound, in a node class to 262144: memory maps of one process."""
    vm_swappiness: int | None = Field(default=None, ge=0, le=100)
    """`vm.swappiness`, 0 to 100: how readily memory is swapped out."""
    vm_vfs_cache_pressure: int | None = Field(default=None, ge=0, le=100)
    """`vm.vfs_cache_pressure`, 0 to 100: how readily directory and inode caches are given up."""

"""Kubelet, operating system and local DNS of agent pools, from azure-native's inputs to the model: the inverse of node_arguments.py."""

from collections.abc import Iterable
from typing import Final

from nodepools.manifests.inputs import At, Keyed, Spelling, field
from nodepools.model.aks.node_settings import KubeletConfig
from nodepools.model.aks.sysctls import Sysctls

_SPELT_OTHERWISE: Final = {"net_ipv4_tcp_keepalive_intvl": "netIpv4TcpkeepaliveIntvl"}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def alike(names: Iterable[str], *part: str) -> dict[str, At]:
    """Fields of a `part` that azure-native spells as we do, in its capitals: `maxPods` is `max_pods`."""
    return {_SPELT_OTHERWISE.get(name, _camel(name)): field(*part, name) for name in names}


def minutes(value: object) -> str:
    """Minutes, as a duration."""
    return f"{whole(value)}m"


def whole(value: object) -> int:
    """A whole number, also as text.

    Raises:
        ValueError: it is none.
    """
    return int(str(value))


def _seconds(value: object) -> str:
    number = whole(value)
    return f"{number // 3600}h" if number and number % 3600 == 0 else f"{number}s"


def _mebibytes(value: object) -> str:
    return f"{whole(value)}Mi"


_ZONE: Final[Spelling] = {
    **alike(("forward_destination", "forward_policy", "query_logging", "protocol", "max_concurrent", "serve_stale")),
    "cacheDurationInSeconds": field("cache_duration", read=_seconds),
    "serveStaleDurationInSeconds": field("serve_stale_duration", read=_seconds),
}
KUBELET: Final[Spelling] = {
    **alike([name for name in KubeletConfig.model_fields if name != "container_log_max_size"], "kubelet"),
    "containerLogMaxSizeMB": field("kubelet", "container_log_max_size", read=_mebibytes),
}
"""`kubeletConfig`."""
LINUX_OS: Final[Spelling] = {
    "sysctls": alike(Sysctls.model_fields, "linux_os", "sysctls"),
    **alike(("transparent_huge_page_enabled", "transparent_huge_page_defrag"), "linux_os"),
    "swapFileSizeMB": field("linux_os", "swap_file_size", read=_mebibytes),
}
"""`linuxOSConfig`."""
LOCAL_DNS: Final[Spelling] = {
    "mode": field("local_dns", "mode"),
    "vnetDNSOverrides": Keyed(("local_dns", "vnet_dns"), "zone", _ZONE),
    "kubeDNSOverrides": Keyed(("local_dns", "kube_dns"), "zone", _ZONE),
}
"""`localDNSProfile`."""

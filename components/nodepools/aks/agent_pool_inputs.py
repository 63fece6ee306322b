"""Agent pools of any program: from the inputs of azure-native to the model, the inverse of arguments.py. No SDK is needed.

What comes with our kinds of pool does not come with those of others: a system pool is isolated if its taints say so.
"""

import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Final, cast

from nodepools.aks.node_inputs import KUBELET, LINUX_OS, LOCAL_DNS, alike, minutes, whole
from nodepools.data.aks_images import is_later, os_sku
from nodepools.manifests.inputs import Convert, Each, Spelling, field, said
from nodepools.model.aks.pools import CRITICAL_ADDONS_ONLY, GPU_TAINT, WINDOWS_TAINT, AgentPool, GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.partial import UNKNOWN
from nodepools.rules.fault import Fault
from nodepools.rules.validated import validated

_REFUSED: Final = ("count", "name", "scale", "taints")
"""Fields of which Azure is sure to refuse what the model does."""
_NVIDIA: Final = re.compile(r"Standard_N[CDV]", re.IGNORECASE)
_AMD: Final = re.compile(r"Standard_NV[0-9]+as_v4", re.IGNORECASE)


def _zone(value: object) -> list[int]:
    return [whole(zone) for zone in cast("Sequence[object]", value)]


def _text(value: object) -> str:
    return b64decode(cast("str", value), validate=True).decode()


def _labels(value: object) -> dict[str, object]:
    return {key: label for key, label in cast("Mapping[str, object]", value).items() if key != POOL_LABEL}


def _ip_tags(value: object) -> dict[object, object]:
    tags = cast("Sequence[Mapping[str, object]]", value)
    return {tag["ipTagType"]: tag["tag"] for tag in tags}


def _off(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return not value


def _if(said: object) -> Convert:
    """A part that is there where this is said."""
    return lambda value: {} if value == said else None


POOL: Final[Spelling] = {
    "agentPoolName": field("name"),
    **alike(("vm_size", "count", "max_pods", "os_disk_type", "kubelet_disk_type", "scale_down_mode", "workload_runtime")),
    "enableAutoScaling": field("scale", read=_if(True)),
    "minCount": field("scale", "min"),
    "maxCount": field("scale", "max"),
    "availabilityZones": field("zones", read=_zone, alike=True),
    "orchestratorVersion": field("kubernetes_version"),
    "osSKU": field("os_sku"),
    "osDiskSizeGB": field("os_disk_size_gb", read=lambda size: size if size != 0 else None),  # 0 is as Azure has it
    "enableUltraSSD": field("ultra_ssd"),
    "enableEncryptionAtHost": field("encryption_at_host"),
    "enableFIPS": field("fips"),
    "securityProfile": {
        "enableSecureBoot": field("secure_boot"),
        "enableVTPM": field("vtpm"),
        "sshAccess": field("ssh_access"),
    },
    "kubeletConfig": KUBELET,
    "linuxOSConfig": LINUX_OS,
    "localDNSProfile": LOCAL_DNS,
    "messageOfTheDay": field("message_of_the_day", read=_text),
    "upgradeSettings": {
        "maxSurge": field("upgrade", "max_surge"),
        "maxUnavailable": field("upgrade", "max_unavailable"),
        "drainTimeoutInMinutes": field("upgrade", "drain_timeout", read=minutes),
        "nodeSoakDurationInMinutes": field("upgrade", "soak", read=minutes),
        "undrainableNodeBehavior": field("upgrade", "undrainable"),
    },
    "powerState": {"code": field("power_state")},
    "creationData": {"sourceResourceId": field("snapshot_id")},
    "proximityPlacementGroupID": field("proximity_placement_group_id"),
    "capacityReservationGroupID": field("capacity_reservation_group_id"),
    "hostGroupID": field("host_group_id"),
    "nodeLabels": field("labels", read=_labels, alike=True),
    "nodeTaints": field("taints", also=(("isolated",), ("tainted",))),
    "vnetSubnetID": field("vnet_subnet_id"),
    "podSubnetID": field("pod_subnet_id"),
    "podIPAllocationMode": field("pod_ip_allocation"),
    "enableNodePublicIP": field("node_public_ip"),
    "nodePublicIPPrefixID": field("node_public_ip_prefix_id"),
    "networkProfile": {
        "allowedHostPorts": Each(("allowed_host_ports",), {"portStart": field("start"), "portEnd": field("end"), "protocol": field("protocol")}),
        "applicationSecurityGroups": field("application_security_group_ids"),
        "nodePublicIPTags": field("node_public_ip_tags", read=_ip_tags),
    },
    "tags": field("tags"),
    "scaleSetPriority": field("spot", read=_if("Spot")),
    "spotMaxPrice": field("spot", "max_price"),
    "scaleSetEvictionPolicy": field("spot", "eviction"),
    "gpuProfile": {"driver": field("driver")},
    "gpuInstanceProfile": field("mig"),
    "windowsProfile": {"disableOutboundNat": field("outbound_nat", read=_off)},
}
"""The inputs of an AgentPool."""
INLINE: Final[Spelling] = {"name": field("name"), **{name: node for name, node in POOL.items() if name != "agentPoolName"}}
"""An entry of `agentPoolProfiles`."""
NETWORK: Final[Spelling] = {"vnetSubnetID": field("subnet_id"), "podSubnetID": field("pod_subnet_id")}
"""What the first pool says of the network of its cluster."""


def agent_pool(written: Mapping[str, object], spelling: Spelling = POOL) -> tuple[AgentPool | None, list[Fault]]:
    """The pool, as far as it is known, and what Azure refuses of it for certain, in the model's words.

    There is none of a mode or an operating system that is not known, and none of mode Gateway, which hosts no pods of others.

    Args:
        written: the inputs.
        spelling: `POOL` of an AgentPool, `INLINE` of a pool inside the cluster.
    """
    kind = _kind(written)
    if kind is None:
        return None, []
    found = said(spelling, written)
    if written.get("enableAutoScaling") in (None, False):
        found.pop("scale", None)
    if written.get("scaleSetPriority") in (None, "Regular"):
        found.pop("spot", None)
    taints = found.get("taints", [])
    if kind is SystemPool:
        found["isolated"] = _isolated(cast("list[object]", taints)) if isinstance(taints, list) else UNKNOWN
    elif kind is GpuPool:
        found["tainted"] = str(GPU_TAINT) in taints if isinstance(taints, list) else UNKNOWN
    elif kind is WindowsPool:
        found.setdefault("os_sku", UNKNOWN)  # by the version of Kubernetes
        found["tainted"] = str(WINDOWS_TAINT) in taints if isinstance(taints, list) else UNKNOWN
    return validated(kind, {name: value for name, value in found.items() if name in kind.model_fields}, _is_refused)


def pool_key(written: Mapping[str, object]) -> str | None:
    """What our label calls the pool, where it is one of ours."""
    labels = written.get("nodeLabels")
    key = cast("Mapping[str, object]", labels).get(POOL_LABEL) if isinstance(labels, Mapping) else None
    return key if isinstance(key, str) else None


def _kind(written: Mapping[str, object]) -> type[AgentPool] | None:
    mode, system = written.get("mode"), written.get("osType")
    if mode == "System" and system in (None, "Linux"):
        return SystemPool
    if mode not in (None, "User") or system not in (None, "Linux", "Windows"):
        return None
    if system == "Windows":
        return WindowsPool
    size = written.get("vmSize")
    gpu = isinstance(size, str) and _NVIDIA.match(size) and not _AMD.fullmatch(size)
    return GpuPool if gpu or "gpuProfile" in written or "gpuInstanceProfile" in written else UserPool


def _isolated(taints: Sequence[object]) -> object:
    """Whether our taint is among them; one of its key that is another may do the same, or not."""
    if str(CRITICAL_ADDONS_ONLY) in taints:
        return True
    return UNKNOWN if any(str(taint).startswith(CRITICAL_ADDONS_ONLY.key) for taint in taints) else False


def _is_refused(fault: Fault) -> bool:
    return fault.code != "CFG001" and (fault.steps[0] in _REFUSED or (fault.steps[0] == "os_sku" and _is_no_windows(fault.value)))


def _is_no_windows(value: object) -> bool:
    """No Windows that AKS has, and none that may have come since: of one that has retired it takes no new pools."""
    known = os_sku(value) if isinstance(value, str) else None
    return isinstance(value, str) and not is_later(value) and (known is None or known.system == "Linux" or known.name == "WindowsAnnual")

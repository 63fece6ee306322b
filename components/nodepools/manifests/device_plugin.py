"""The NVIDIA device plugin: a DaemonSet on the nodes of the GPU pools, which offer no `nvidia.com/gpu` without it."""

from collections.abc import Mapping

from nodepools.model.aks.cluster import DevicePlugin
from nodepools.model.aks.pools import GpuPool
from nodepools.model.kubernetes.label import POOL_LABEL

_NAME = "nvidia-device-plugin"
_SOCKETS = "/var/lib/kubelet/device-plugins"


def device_plugin(plugin: DevicePlugin, pools: Mapping[str, GpuPool]) -> dict[str, object]:
    """The DaemonSet for `pools`. It tolerates what their nodes are tainted with, and nothing else but the usual GPU taint."""
    labels = {"app.kubernetes.io/name": _NAME}
    taints = {taint.key: None for pool in pools.values() for taint in pool.node_taints}
    container = {
        "name": _NAME,
        "image": plugin.image,
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [{"name": "device-plugins", "mountPath": _SOCKETS}],
    }
    pod = {
        "priorityClassName": "system-node-critical",
        "tolerations": [{"key": key, "operator": "Exists"} for key in dict.fromkeys([*taints, "nvidia.com/gpu"])],
        "affinity": _only_on(sorted(pools)),
        "containers": [container],
        "volumes": [{"name": "device-plugins", "hostPath": {"path": _SOCKETS}}],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": _NAME, "namespace": "kube-system", "labels": labels},
        "spec": {
            "selector": {"matchLabels": labels},
            "updateStrategy": {"type": "RollingUpdate"},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def _only_on(pools: list[str]) -> dict[str, object]:
    term = {"matchExpressions": [{"key": POOL_LABEL, "operator": "In", "values": pools}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}

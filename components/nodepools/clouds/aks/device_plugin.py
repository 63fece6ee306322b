"""Objects that the component adds to an AKS cluster: the device plugin of GPUs, priorities of the cluster autoscaler, what uses gateway pools.

Facts: docs/facts/aks.md § 2.3.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from nodepools.model.aks.agent_pool import RETIRING, GpuPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.services import DevicePlugin
from nodepools.model.kubernetes.label import Taint
from nodepools.model.listing import grouped
from nodepools.model.name_limits import fingerprint
from nodepools.model.ref import Ref
from nodepools.wire.aks.generation import first_pool_name, pool_name

NAME = "nvidia-device-plugin"
_SOCKETS = "/var/lib/kubelet/device-plugins"
_CONFIG = "/config"


def device_plugin_objects(plugin: DevicePlugin, pools: Mapping[str, GpuPool]) -> Iterator[dict[str, object]]:
    """Yields the settings, if the plugin shares GPUs, and then the DaemonSet."""
    if plugin.time_slices is not None:
        yield _settings(plugin, plugin.time_slices)
    yield device_plugin(plugin, pools)


def device_plugin(plugin: DevicePlugin, pools: Mapping[str, GpuPool]) -> dict[str, object]:
    """Returns the DaemonSet for `pools`. It tolerates the taints of their nodes, the usual GPU taint, and the declared tolerations."""
    labels = {"app.kubernetes.io/name": NAME}
    strategy = mig_strategy(plugin, pools)
    settings = _settings(plugin, plugin.time_slices)["data"] if plugin.time_slices is not None else None
    template = {
        "metadata": {"labels": labels, **({"annotations": {"nodepools/settings": fingerprint(settings, 8)}} if settings is not None else {})},
        "spec": {
            "priorityClassName": "system-node-critical",
            "tolerations": [{"key": key, "operator": "Exists"} for key in _tolerated(plugin, pools)],
            "affinity": _only_on(pools),
            "containers": [_container(plugin, strategy, mounted=settings is not None)],
            "volumes": [
                {"name": "device-plugins", "hostPath": {"path": _SOCKETS}},
                *([{"name": "settings", "configMap": {"name": NAME}}] if settings is not None else []),
            ],
        },
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": NAME, "namespace": "kube-system", "labels": labels},
        "spec": {"selector": {"matchLabels": labels}, "updateStrategy": {"type": "RollingUpdate"}, "template": template},
    }


def mig_strategy(plugin: DevicePlugin, pools: Mapping[str, GpuPool]) -> str | None:
    """Returns the declared strategy; otherwise `single` if a pool has MIG instances."""
    if plugin.mig_strategy is not None:
        return plugin.mig_strategy
    return "single" if any(pool.mig is not None for pool in pools.values()) else None


def _tolerated(plugin: DevicePlugin, pools: Mapping[str, GpuPool]) -> Sequence[str]:
    taints: list[Taint] = [taint for pool in pools.values() for taint in pool.node_taints]
    retiring = [RETIRING.key] if any(pool.retiring is not None for pool in pools.values()) else []
    return list(dict.fromkeys([*(taint.key for taint in taints), "nvidia.com/gpu", *(taint.key for taint in plugin.tolerations), *retiring]))


def _container(plugin: DevicePlugin, strategy: str | None, *, mounted: bool) -> dict[str, object]:
    """Returns the security context: with MIG instances, the plugin reads devices of the node and needs more privileges."""
    cut = strategy not in (None, "none")
    environment = {
        **({"MIG_STRATEGY": strategy} if strategy is not None else {}),
        **({"NVIDIA_MIG_MONITOR_DEVICES": "all"} if cut else {}),
        **({"CONFIG_FILE": f"{_CONFIG}/config.yaml"} if mounted else {}),
    }
    little = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    return {
        "name": NAME,
        "image": plugin.image,
        **({"env": [{"name": name, "value": value} for name, value in environment.items()]} if environment else {}),
        "securityContext": {"capabilities": {"add": ["SYS_ADMIN"]}} if cut else little,
        "volumeMounts": [{"name": "device-plugins", "mountPath": _SOCKETS}, *([{"name": "settings", "mountPath": _CONFIG}] if mounted else [])],
    }


def _settings(plugin: DevicePlugin, slices: int) -> dict[str, object]:
    """Returns the ConfigMap with the settings: the plugin reads time-slicing only from a file."""
    lines = [
        "version: v1",
        "sharing:",
        "  timeSlicing:",
        f"    failRequestsGreaterThanOne: {str(plugin.fail_on_more_than_one).lower()}",
        "    resources:",
        "      - name: nvidia.com/gpu",
        f"        replicas: {slices}",
    ]
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": NAME, "namespace": "kube-system"},
        "data": {"config.yaml": "\n".join([*lines, ""])},
    }


def _only_on(pools: Mapping[str, GpuPool]) -> dict[str, object]:
    """Nodes of any of the pools: those without the label `nodepools/name` have another one, in a term of its own."""
    selected = grouped((label, value) for key in sorted(pools) for label, value in pools[key].selecting_label(key).items())
    terms = [{"matchExpressions": [{"key": label, "operator": "In", "values": values}]} for label, values in selected.items()]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


_NAME = "cluster-autoscaler-priority-expander"  # the autoscaler looks for this one


def priority_config_map(args: AksClusterArgs, declared: Mapping[int, Sequence[str]]) -> dict[str, object]:
    """Returns the ConfigMap. Its regular expressions match the names of scale sets, which contain the pool name: `aks-batch1a2b-12345678-vmss`."""
    lines = [
        line
        for priority in sorted(declared, reverse=True)
        for line in (f"{priority}:", *(f"  - ^aks-{re.escape(_name(args, key))}-.*" for key in declared[priority]))
    ]
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": _NAME, "namespace": "kube-system"},
        "data": {"priorities": "\n".join([*lines, ""])},
    }


def egress_objects(args: AksClusterArgs, resolve: Callable[[Ref], object]) -> Iterator[tuple[str, str, dict[str, object]]]:
    """The StaticGatewayConfigurations of gateway pools, each with the key of its pool and the name of its resource: no namespace has a dot."""
    for key, name, one in args.egress_configurations:
        spec: dict[str, object] = {"gatewayNodepoolName": pool_name(args, key)}
        if one.exclude:
            spec["excludeCidrs"] = list(one.exclude)
        if one.prefix_id is not None:
            spec["publicIpPrefixId"] = resolve(one.prefix_id)
        head = {"apiVersion": "egressgateway.kubernetes.azure.com/v1alpha1", "kind": "StaticGatewayConfiguration"}
        yield key, f"{one.namespace}.{name}", {**head, "metadata": {"name": name, "namespace": one.namespace}, "spec": spec}


def _name(args: AksClusterArgs, key: str) -> str:
    return pool_name(args, key) if key in args.pools else first_pool_name(args)

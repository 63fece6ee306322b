"""Random workloads and the objects next to them, as they are applied."""

import copy
import random
from collections.abc import Sequence
from typing import Any, Final

from tests.oracle.cluster.control_plane import ZONE_OF_DISKS, Object
from tests.oracle.cluster.random_platforms import DISK_DRIVER, HOST, ZONE

REQUIRED, PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
ZONES: Final = ("westeurope-1", "westeurope-2", "westeurope-3")
KEYS: Final = (HOST, HOST, ZONE, ZONE, "tier")
SPACES: Final = ("default", "default", "default", "shop")
API: Final = {"Pod": "v1", "Job": "batch/v1"}
OWN_CLAIM: Final = {"accessModes": ["ReadWriteOnce"], "storageClassName": "managed-csi", "resources": {"requests": {"storage": "10Gi"}}}
PRIORITIES: Final = {"high": 1000, "low": -10, "polite": 500}


def objects(chance: random.Random) -> list[Object]:
    """What is in the cluster before the workloads."""
    selected = {"scheduler.alpha.kubernetes.io/node-selector": chance.choice(("tier=web", "kubernetes.io/os=linux"))}
    space: Object = {"name": "shop", "labels": {"team": "shop"}, **({"annotations": selected} if chance.random() < 0.15 else {})}
    found: list[Object] = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": space},
        *_claims(chance),
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": "managed-csi"},
            "provisioner": DISK_DRIVER,
            "volumeBindingMode": "WaitForFirstConsumer",
        },
        *(
            {
                "apiVersion": "scheduling.k8s.io/v1",
                "kind": "PriorityClass",
                "metadata": {"name": name},
                "value": value,
                **({"preemptionPolicy": "Never"} if name == "polite" else {}),
            }
            for name, value in PRIORITIES.items()
        ),
    ]
    selector = chance.choice(({"tier": "web"}, {"kubernetes.io/os": "linux"}))
    scheduling = {"nodeSelector": selector, "tolerations": [{"key": "team", "operator": "Exists"}]} if chance.random() < 0.5 else None
    runtime = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "sandbox"}, "handler": "x"}
    found.append({**runtime, "overhead": {"podFixed": {"cpu": "250m"}}, **({"scheduling": scheduling} if scheduling else {})})
    if chance.random() < 0.3:
        item = {"type": "Container", "default": {"cpu": "500m"}, "defaultRequest": {"cpu": "300m", "memory": "64Mi"}}
        of_pods: Object = {"type": "Pod", "max": {"cpu": "1"}}
        ratio: Object = {**item, "maxLimitRequestRatio": {"cpu": "2"}}
        item = chance.choice((item, {**item, "max": {"cpu": "1"}}, {"type": "Container", "min": {"cpu": "200m"}}, of_pods, ratio))
        found.append({"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "bounds", "namespace": "shop"}, "spec": {"limits": [item]}})
    if chance.random() < 0.3:
        scoped = {"scopes": [chance.choice(("BestEffort", "NotBestEffort", "NotTerminating"))]} if chance.random() < 0.2 else {}
        hard = (
            {"pods": "2"}
            if scoped
            else chance.choice(({"pods": "2"}, {"requests.cpu": "1"}, {"count/pods": "3"}, {"requests.cpu": "2", "pods": "4"}, {"limits.cpu": "1"}))
        )
        found.append(
            {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "quota", "namespace": "shop"}, "spec": {"hard": hard, **scoped}}
        )
    return found


def _claims(chance: random.Random) -> list[Object]:
    """Claims of both namespaces that no pod uses yet: one without a volume, one with a disk in a zone."""
    zone = chance.choice(ZONES)
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
    found: list[Object] = []
    for space in ("default", "shop"):
        spec: Object = {
            "accessModes": [chance.choice(("ReadWriteOnce", "ReadWriteOncePod"))],
            "storageClassName": "managed-csi",
            "resources": {"requests": {"storage": "10Gi"}},
        }
        meta = {"namespace": space}
        found += [
            {**claim, "metadata": {**meta, "name": "new"}, "spec": spec},
            {**claim, "metadata": {**meta, "name": "kept"}, "spec": {**spec, "volumeName": f"kept-{space}"}},
            {
                "apiVersion": "v1",
                "kind": "PersistentVolume",
                "metadata": {"name": f"kept-{space}"},
                "spec": {
                    "capacity": {"storage": "10Gi"},
                    "accessModes": spec["accessModes"],
                    "storageClassName": "managed-csi",
                    "claimRef": {"kind": "PersistentVolumeClaim", "namespace": space, "name": "kept"},
                    "csi": {"driver": DISK_DRIVER, "volumeHandle": f"kept-{space}"},
                    "nodeAffinity": {
                        "required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE_OF_DISKS, "operator": "In", "values": [zone]}]}]}
                    },
                },
            },
        ]
    return found


def workloads(chance: random.Random, names: Sequence[str], pools: Sequence[str]) -> list[Object]:
    return [_workload(chance, name, names, pools) for name in names]


def _workload(chance: random.Random, name: str, names: Sequence[str], pools: Sequence[str]) -> Object:
    kind = chance.choice(("Deployment", "Deployment", "Deployment", "StatefulSet", "DaemonSet", "Job", "Pod", "ReplicaSet"))
    namespace = chance.choice(SPACES)
    metadata: Object = {"name": name, "namespace": namespace}
    spec = _pod(chance, name, names, pools)
    template = {"metadata": {"labels": {"app": name}}, "spec": spec}
    made: Object = {"apiVersion": API.get(kind, "apps/v1"), "kind": kind, "metadata": metadata}
    replicas = chance.choice((1, 1, 2, 3, 4, 6, 11, 0))
    if kind == "Pod":
        return {**made, "metadata": {**metadata, "labels": {"app": name}}, "spec": spec}
    if kind == "Job":
        spec["restartPolicy"] = "Never"
        counts: Object = {"parallelism": replicas, "completions": replicas + chance.choice((0, 2)), "template": template}
        return {**made, "spec": {**counts, **({"suspend": True} if chance.random() < 0.1 else {})}}
    owner: Object = {"selector": {"matchLabels": {"app": name}}, "template": template}
    if kind != "DaemonSet":
        owner["replicas"] = replicas
    if kind == "StatefulSet":
        owner |= {"serviceName": name, "podManagementPolicy": chance.choice(("Parallel", "OrderedReady"))}
        if chance.random() < 0.4:
            owner["volumeClaimTemplates"] = [{"metadata": {"name": "data"}, "spec": OWN_CLAIM}]
            spec["containers"][0].setdefault("volumeMounts", []).append({"name": "data", "mountPath": "/data"})
    return {**made, "spec": owner}


def changed(workload: Object, chance: random.Random) -> Object:
    """The same workload with more pods, or with a label that starts a rollout."""
    made = copy.deepcopy(workload)
    made["spec"]["replicas"] += chance.choice((0, 1, 2, 5))
    if chance.random() < 0.3:
        made["spec"]["template"]["metadata"]["labels"]["version"] = "2"
    return made


def _pod(chance: random.Random, name: str, names: Sequence[str], pools: Sequence[str]) -> Object:
    container: Object = {"name": "c", "image": "i", "resources": _resources(chance)}
    spec: Object = {"containers": [container]}
    if chance.random() < 0.1:
        port: Object = {"containerPort": 80, "hostPort": chance.choice((80, 80, 81))}
        container["ports"] = [{**port, **chance.choice(({}, {}, {"hostIP": "10.0.0.1"}, {"protocol": "UDP"}))}]
    for part, share in PARTS:
        if chance.random() < share:
            part(spec, chance)
    if tolerations := _tolerations(chance):
        spec["tolerations"] = tolerations
    if chance.random() < 0.25:
        spec["nodeSelector"] = dict([_selected(chance, pools)])
    affinity: Object = {}
    if chance.random() < 0.25:
        affinity["nodeAffinity"] = _node_affinity(chance, pools)
    affinity |= {kind: pod_affinity(chance, name, names) for kind in ("podAffinity", "podAntiAffinity") if chance.random() < 0.15}
    if affinity:
        spec["affinity"] = affinity
    if chance.random() < 0.35:
        drawn = [spread(chance, name, names) for _ in range(chance.choice((1, 1, 2)))]
        spec["topologySpreadConstraints"] = list({(one["topologyKey"], one["whenUnsatisfiable"]): one for one in drawn}.values())
    return spec


def _start_first(spec: Object, chance: random.Random) -> None:
    first: Object = {"name": "i", "image": "i", "resources": {"requests": {"cpu": chance.choice(("1", "100m"))}}}
    spec["initContainers"] = [{**first, **({"restartPolicy": "Always"} if chance.random() < 0.5 else {})}]


def _prioritize(spec: Object, chance: random.Random) -> None:
    spec["priorityClassName"] = chance.choice((*PRIORITIES, "system-cluster-critical"))


def _sandbox(spec: Object, _: random.Random) -> None:
    spec["runtimeClassName"] = "sandbox"


def _gate(spec: Object, _: random.Random) -> None:
    spec["schedulingGates"] = [{"name": "example.com/wait"}]


def _use_network_of_node(spec: Object, _: random.Random) -> None:
    spec["hostNetwork"] = True


def _request_as_pod(spec: Object, chance: random.Random) -> None:
    spec["resources"] = {"requests": {"cpu": chance.choice(("500m", "2"))}}


def _mount(spec: Object, chance: random.Random) -> None:
    """A volume that all pods share, or one for each pod."""
    shared: Object = {"persistentVolumeClaim": {"claimName": chance.choice(("new", "kept", "kept", "lacking"))}}
    volume = chance.choice((shared, shared, {"ephemeral": {"volumeClaimTemplate": {"spec": OWN_CLAIM}}}))
    spec["volumes"] = [{"name": "disk", **volume}]
    spec["containers"][0]["volumeMounts"] = [{"name": "disk", "mountPath": "/disk"}]


PARTS: Final = (
    (_start_first, 0.15),
    (_prioritize, 0.25),
    (_sandbox, 0.12),
    (_gate, 0.02),
    (_use_network_of_node, 0.05),
    (_request_as_pod, 0.05),
    (_mount, 0.12),
)
"""Parts of a pod, and how often it has each."""


def _resources(chance: random.Random) -> Object:
    requests: Object = {}
    if chance.random() < 0.9:
        requests["cpu"] = chance.choice(("50m", "50m", "100m", "100m", "400m", "400m", "900m", "900m", "1500m", "3", "7"))
    if chance.random() < 0.5:
        requests["memory"] = chance.choice(("64Mi", "1Gi", "5Gi"))
    if chance.random() < 0.08:
        requests["ephemeral-storage"] = chance.choice(("1Gi", "60Gi"))
    resources: Object = {"requests": requests} if requests else {}
    if chance.random() < 0.06:
        resources["limits"] = {"nvidia.com/gpu": "1"}
    elif chance.random() < 0.15:
        resources = {"limits": {"cpu": chance.choice(("200m", "1", "2"))}}
    return resources


def _tolerations(chance: random.Random) -> list[Object]:
    choices: tuple[Object, ...] = (
        {"operator": "Exists"},
        {"key": "team", "operator": "Exists"},
        {"key": "team", "value": "ml", "effect": "NoSchedule"},
        {"key": "team", "value": "web"},
        {"key": "sku", "value": "gpu"},
        {"key": "os", "value": "windows", "effect": "NoSchedule"},
        {"key": "kubernetes.azure.com/scalesetpriority", "value": "spot", "effect": "NoSchedule"},
        {"key": "CriticalAddonsOnly", "operator": "Exists"},
    )
    return chance.sample(choices, chance.choice((0, 0, 1, 1, 2, 3, 5)))


def _selected(chance: random.Random, pools: Sequence[str]) -> tuple[str, str]:
    return chance.choice(
        (
            ("tier", "web"),
            ("tier", "api"),
            ("nodepools/name", chance.choice(pools)),
            ("kubernetes.io/arch", chance.choice(("amd64", "arm64"))),
            ("kubernetes.io/os", chance.choice(("linux", "windows"))),
            (ZONE, chance.choice(ZONES)),
            ("kubernetes.azure.com/mode", chance.choice(("user", "system"))),
            ("kubernetes.azure.com/scalesetpriority", "spot"),
            ("node.kubernetes.io/instance-type", "Standard_D4ds_v5"),
        )
    )


def _node_affinity(chance: random.Random, pools: Sequence[str]) -> Object:
    found: Object = {}
    if chance.random() < 0.8:
        found[REQUIRED] = {"nodeSelectorTerms": [_term(chance, pools) for _ in range(chance.choice((1, 1, 2)))]}
    if chance.random() < 0.4:
        found[PREFERRED] = [{"weight": 10, "preference": _term(chance, pools)}]
    return found


def _term(chance: random.Random, pools: Sequence[str]) -> Object:
    if chance.random() < 0.05:
        return {"matchFields": [{"key": "metadata.name", "operator": chance.choice(("In", "NotIn")), "values": [f"{chance.choice(pools)}-0"]}]}
    return {"matchExpressions": [_expression(chance, pools) for _ in range(chance.choice((1, 1, 2)))]}


def _expression(chance: random.Random, pools: Sequence[str]) -> Object:
    operator = chance.choice(("In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
    if operator in ("Gt", "Lt"):
        return {"key": "rank", "operator": operator, "values": [chance.choice(("0", "3", "9"))]}
    key, value = _selected(chance, pools)
    if operator in ("Exists", "DoesNotExist"):
        return {"key": key, "operator": operator}
    return {"key": key, "operator": operator, "values": sorted({value, chance.choice((value, "other"))})}


def pod_affinity(chance: random.Random, name: str, names: Sequence[str]) -> Object:
    term: Object = {"topologyKey": chance.choice(KEYS), "labelSelector": {"matchLabels": {"app": chance.choice((name, name, name, name, *names))}}}
    if chance.random() < 0.2:
        term["namespaces"] = chance.choice((["shop"], ["default", "shop"]))
    if chance.random() < 0.2:
        term["namespaceSelector"] = chance.choice(({}, {"matchLabels": {"team": "shop"}}))
    if chance.random() < 0.15:
        term[chance.choice(("matchLabelKeys", "mismatchLabelKeys"))] = ["pod-template-hash"]
    if chance.random() < 0.7:
        return {REQUIRED: [term]}
    return {PREFERRED: [{"weight": 50, "podAffinityTerm": term}]}


def spread(chance: random.Random, name: str, names: Sequence[str]) -> Object:
    constraint: Any = {
        "topologyKey": chance.choice(KEYS),
        "maxSkew": chance.choice((1, 1, 2)),
        "whenUnsatisfiable": chance.choice(("DoNotSchedule", "DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")),
        "labelSelector": {"matchLabels": {"app": chance.choice((name, name, name, *names))}},
    }
    if constraint["whenUnsatisfiable"] == "DoNotSchedule" and chance.random() < 0.3:
        constraint["minDomains"] = chance.choice((1, 2, 3, 4))
    for policy in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if chance.random() < 0.2:
            constraint[policy] = chance.choice(("Honor", "Ignore"))
    if chance.random() < 0.15:
        constraint["matchLabelKeys"] = ["pod-template-hash"]
    return constraint

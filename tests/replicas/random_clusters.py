"""Random clusters and workloads: pools of every kind, empty and exhausted ones among them, and pods with every kind of constraint."""

import random
from typing import Any, Final

from nodepools import (
    AksClusterArgs,
    AksNodePool,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNodePool,
    NodeProvisioning,
    Spot,
    SystemPool,
    Taint,
    UserPool,
)
from nodepools.model.karpenter import Requirement

Object = dict[str, Any]
HOST, ZONE, RACK, TYPE = "kubernetes.io/hostname", "topology.kubernetes.io/zone", "example.com/rack", "node.kubernetes.io/instance-type"
CAPACITY, ARCH = "karpenter.sh/capacity-type", "kubernetes.io/arch"
APPS, TEAMS = ("web", "api", "db"), ("ml", "web")
AKS_ZONES, EKS_ZONES = ("westeurope-1", "westeurope-2", "westeurope-3"), ("us-east-1a", "us-east-1b", "us-east-1c")
SIZES: Final = ("Standard_D2ds_v5", "Standard_D4ds_v5", "Standard_E16ds_v5", "Standard_NC24ads_A100_v4", "Standard_Unknown")
TYPES: Final = ("c5.large", "m5.2xlarge", "r5.large", "g5.xlarge", "z9.large")
LIMITS: Final = (
    {},
    {},
    {"cpu": "0"},
    {"memory": "0"},
    {"nodes": "0"},
    {"cpu": "500m"},
    {"cpu": "2"},
    {"cpu": "9"},
    {"cpu": "200"},
    {"memory": "40"},
    {"memory": "64Gi"},
)
PROVIDERS: Final = (
    ("karpenter.azure.com", "AKSNodeClass"),
    ("eks.amazonaws.com", "NodeClass"),
    ("karpenter.k8s.aws", "EC2NodeClass"),
    ("karpenter.kwok.sh", "KWOKNodeClass"),
)


def workloads(chance: random.Random) -> list[Object]:
    """Workloads, and the objects next to them."""
    found = [_workload(chance, app) for app in chance.sample(APPS, chance.choice((1, 1, 1, 2, 3)))]
    found += [_daemon(chance)] if chance.random() < 0.3 else []
    found += [_budget(chance)] if chance.random() < 0.2 else []
    return [*found, *_volumes(chance)] if chance.random() < 0.4 else found


def _maybe(chance: random.Random, share: float, made: Object) -> Object:
    return made if chance.random() < share else {}


def _workload(chance: random.Random, app: str) -> Object:
    kind = chance.choice(("Deployment", "Deployment", "Deployment", "StatefulSet", "Job", "Pod", "ReplicaSet"))
    metadata = {"name": app, **_maybe(chance, 0.1, {"namespace": "other"})}
    if kind == "Pod":
        return {"apiVersion": "v1", "kind": kind, "metadata": {**metadata, "labels": {"app": app}}, "spec": _pod(chance, app)}
    spec: Object = {"selector": {"matchLabels": {"app": app}}, "template": {"metadata": {"labels": {"app": app}}, "spec": _pod(chance, app)}}
    many = chance.choice((0, 1, 2, 3, 6, 20, 300))
    if kind == "Job":
        spec = {"parallelism": many, "completions": many, "template": spec["template"]}
        spec["template"]["spec"]["restartPolicy"] = "Never"
    else:
        spec["replicas"] = many
    if kind == "StatefulSet":
        spec |= _maybe(chance, 0.3, {"podManagementPolicy": "Parallel"}) | _maybe(chance, 0.2, {"ordinals": {"start": 2}})
        spec |= _maybe(chance, 0.6, {"volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": _claim(chance)}]})
    return {"apiVersion": "batch/v1" if kind == "Job" else "apps/v1", "kind": kind, "metadata": metadata, "spec": spec}


def _pod(chance: random.Random, app: str) -> Object:
    affinity = {name: {_REQUIRED: [_term(chance)]} for name in ("podAffinity", "podAntiAffinity") if chance.random() < 0.2}
    affinity |= _maybe(chance, 0.15, {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": _node_terms(chance)}}})
    container = {"name": "c", "image": "i", "resources": _resources(chance)}
    container |= _maybe(chance, 0.1, {"ports": [{"containerPort": 80, "hostPort": 80}]})
    return {
        "containers": [container],
        **_maybe(chance, 0.3, {"tolerations": [chance.choice(({"operator": "Exists"}, {"key": "team", "operator": "Exists"}))]}),
        **_maybe(chance, 0.12, {"nodeSelector": _selector(chance)}),
        **_maybe(chance, 0.5, {"topologySpreadConstraints": [_spread(chance, app, key) for key in chance.sample(_SPREAD, chance.choice((1, 1, 2)))]}),
        **_maybe(chance, 0.5, {"affinity": affinity}),
        **_maybe(chance, 0.05, {"hostNetwork": True}),
        **_maybe(chance, 0.05, {"priorityClassName": chance.choice(("system-node-critical", "high"))}),
        **_maybe(chance, 0.03, {"runtimeClassName": "kata"}),
        **_maybe(chance, 0.03, {"schedulerName": "mine"}),
        **_maybe(chance, 0.03, {"schedulingGates": [{"name": "a"}]}),
        **_maybe(chance, 0.15, {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "shared"}}]}),
    }


_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"


def _requests(chance: random.Random) -> Object:
    amounts = {
        "cpu": ("100m", "100m", "250m", "900m", "2", "14", "400"),
        "memory": ("128Mi", "128Mi", "3Gi", "60Gi"),
        "ephemeral-storage": ("1Gi", "500Gi"),
        "nvidia.com/gpu": ("1",),
    }
    shares = {"cpu": 0.7, "memory": 0.5, "ephemeral-storage": 0.05, "nvidia.com/gpu": 0.05}
    return {name: chance.choice(found) for name, found in amounts.items() if chance.random() < shares[name]}


def _resources(chance: random.Random) -> Object:
    requests = _requests(chance)
    return {"requests": requests, "limits": {name: amount for name, amount in requests.items() if "/" in name}}


def _selector(chance: random.Random) -> Object:
    found = [{ZONE: chance.choice((*AKS_ZONES, *EKS_ZONES, "us-east-1f"))}, {RACK: chance.choice("12")}, {ARCH: chance.choice(("amd64", "arm64"))}]
    return chance.choice((*found, {TYPE: chance.choice((*TYPES, *SIZES))}, {"kubernetes.io/os": chance.choice(("linux", "windows"))}, {HOST: "n0"}))


def _node_terms(chance: random.Random) -> list[Object]:
    def expression() -> Object:
        key, values = chance.choice(((ZONE, (*AKS_ZONES, *EKS_ZONES)), (RACK, "12"), (CAPACITY, ("spot", "on-demand")), (TYPE, TYPES)))
        operator = chance.choice(("In", "NotIn", "Exists", "DoesNotExist"))
        return {"key": key, "operator": operator, **({"values": [chance.choice(values)]} if operator in ("In", "NotIn") else {})}

    return [{"matchExpressions": [expression() for _ in range(chance.choice((0, 1, 1, 2)))]} for _ in range(chance.choice((1, 1, 2)))]


def _term(chance: random.Random) -> Object:
    return {"topologyKey": chance.choice((HOST, HOST, ZONE, RACK)), "labelSelector": {"matchLabels": {"app": chance.choice(APPS)}}}


_SPREAD: Final = (HOST, ZONE, RACK, CAPACITY, TYPE)


def _spread(chance: random.Random, app: str, key: str) -> Object:
    hard = chance.random() < 0.7
    return {
        "topologyKey": key,
        "maxSkew": chance.choice((1, 1, 2)),
        "whenUnsatisfiable": "DoNotSchedule" if hard else "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": chance.choice((app, app, *APPS))}},
        **_maybe(chance, 0.2 if hard else 0, {"minDomains": chance.choice((1, 2, 4))}),
        **_maybe(chance, 0.2, {"nodeTaintsPolicy": "Honor"}),
        **_maybe(chance, 0.2, {"nodeAffinityPolicy": "Ignore"}),
    }


def _daemon(chance: random.Random) -> Object:
    spec = {**_pod(chance, "agent"), "topologySpreadConstraints": []}
    template = {"metadata": {"labels": {"app": "agent"}}, "spec": spec}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent"},
        "spec": {"selector": {"matchLabels": {"app": "agent"}}, "template": template},
    }


def _budget(chance: random.Random) -> Object:
    spec = {
        chance.choice(("minAvailable", "maxUnavailable")): chance.choice((0, 1, "50%", "100%")),
        "selector": {"matchLabels": {"app": chance.choice(APPS)}},
    }
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "budget"}, "spec": spec}


def _claim(chance: random.Random) -> Object:
    classes = ("managed-csi", "auto-ebs", "zonal", "immediate", "azurefile")
    modes = chance.choice((["ReadWriteOnce"], ["ReadWriteOncePod"], ["ReadWriteMany"]))
    return {"accessModes": modes, "resources": {"requests": {"storage": "1Gi"}}, **_maybe(chance, 0.8, {"storageClassName": chance.choice(classes)})}


def _volumes(chance: random.Random) -> list[Object]:
    def terms() -> Object:
        zones = chance.sample((*AKS_ZONES, *EKS_ZONES), chance.choice((1, 2)))
        return {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": zones}]}]}}

    names = ["shared", *(f"data-{app}-{number}" for app in APPS for number in range(2))]
    claims = [
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": _claim(chance)} for name in chance.sample(names, 3)
    ]
    made: list[Object] = []
    for place, claim in enumerate(claims):
        if chance.random() < 0.6:
            claim["spec"]["volumeName"] = f"pv-{place}"
            spec = {"claimRef": {"namespace": "default", "name": claim["metadata"]["name"]}, **_maybe(chance, 0.8, {"nodeAffinity": terms()})}
            made.append({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": f"pv-{place}"}, "spec": spec})
    zonal = {"allowedTopologies": [{"matchLabelExpressions": [{"key": ZONE, "values": [chance.choice((*AKS_ZONES, *EKS_ZONES))]}]}]}
    late = {"volumeBindingMode": "WaitForFirstConsumer"}
    classes = [
        {"metadata": {"name": "zonal"}, "provisioner": "ebs.csi.aws.com", **late, **zonal},
        {"metadata": {"name": "immediate"}, "provisioner": "disk.csi.azure.com"},
    ]
    return [*claims, *made, *({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", **one} for one in classes)]


def objects(chance: random.Random) -> list[Object]:
    """The objects of a cluster that runs: nodes, NodePools of any provider, and their node classes, of which some are missing."""
    found = [_node(chance, number) for number in range(chance.choice((0, 0, 1, 3)))]
    found += [_node_pool(chance, f"pool-{number}") for number in range(chance.choice((0, 1, 1, 2)))]
    classes = [
        _ec2_class(chance),
        _class("NodeClass", "eks.amazonaws.com/v1", {"role": "nodes"}),
        _class("AKSNodeClass", "karpenter.azure.com/v1beta1", {}),
    ]
    return [*found, *(one for one in classes if chance.random() < 0.6)]


def _node(chance: random.Random, number: int) -> Object:
    labels = {HOST: f"n{number}", "kubernetes.io/os": "linux", ZONE: chance.choice((*AKS_ZONES, *EKS_ZONES)), **_maybe(chance, 0.3, {RACK: "1"})}
    allocatable = {"cpu": chance.choice(("0", "940m", "3860m")), "memory": "8Gi", "pods": chance.choice(("0", "2", "30"))}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"n{number}", "labels": labels},
        "spec": {"taints": _taints(chance), **_maybe(chance, 0.1, {"unschedulable": True})},
        "status": {"allocatable": allocatable},
    }


def _taints(chance: random.Random) -> list[Object]:
    effects = ("NoSchedule", "NoSchedule", "NoExecute", "PreferNoSchedule")
    return [{"key": "team", "value": chance.choice(TEAMS), "effect": chance.choice(effects)}] if chance.random() < 0.3 else []


def _node_pool(chance: random.Random, name: str) -> Object:
    group, kind = chance.choice(PROVIDERS)
    spec = {"nodeClassRef": {"group": group, "kind": kind, "name": "default"}, "requirements": _requirements(chance), "taints": _taints(chance)}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {
            "template": {"metadata": {"labels": _maybe(chance, 0.3, {RACK: chance.choice("12")})}, "spec": spec},
            "limits": chance.choice(LIMITS),
            **_maybe(chance, 0.2, {"weight": 10}),
            **_maybe(chance, 0.1, {"replicas": chance.choice((0, 1, 3))}),
        },
    }


def _requirements(chance: random.Random) -> list[Object]:
    found = [
        {"key": CAPACITY, "operator": "In", "values": chance.sample(("on-demand", "spot"), chance.choice((1, 2)))},
        {"key": ZONE, "operator": chance.choice(("In", "NotIn")), "values": [chance.choice((*AKS_ZONES, *EKS_ZONES))]},
        {"key": TYPE, "operator": "In", "values": chance.sample((*TYPES, *SIZES), 2)},
        {"key": RACK, "operator": "Exists"},
        {"key": RACK, "operator": "In", "values": ["1", "2"]},
        {"key": ARCH, "operator": "In", "values": [chance.choice(("amd64", "arm64"))]},
    ]
    return [one for one in found if chance.random() < 0.15]


def _class(kind: str, version: str, spec: Object) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "default"}, "spec": spec}


def _ec2_class(chance: random.Random) -> Object:
    spec: Object = {"role": "nodes", "amiSelectorTerms": [chance.choice(({"alias": "al2023@latest"}, {"id": "ami-0123456789abcdef0"}))]}
    return _class("EC2NodeClass", "karpenter.k8s.aws/v1", {**spec, **_maybe(chance, 0.3, {"kubelet": {"maxPods": chance.choice((1, 30))}})})


def declared_aks(chance: random.Random) -> AksClusterArgs:
    """A declared AKS cluster, with node auto provisioning or without."""
    provisioning = NodeProvisioning(
        default_node_pools=chance.choice(("None", "Auto")), node_pools={"any": AksNodePool(**_declared(chance, AKS_ZONES, SIZES))}
    )
    return AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2, zones=chance.choice(([], [1, 2, 3]))),
        pools={} if chance.random() < 0.3 else {name: _agent_pool(chance) for name in chance.sample(("web", "api"), chance.choice((1, 2)))},
        **({"node_provisioning": provisioning} if chance.random() < 0.4 else {}),
    )


def _agent_pool(chance: random.Random) -> UserPool:
    least = chance.choice((0, 1, 3))
    scale = {"scale": Autoscale(least, least + chance.choice((1, 9)))} if chance.random() < 0.5 else {"count": chance.choice((0, 1, 3, 5))}
    return UserPool(
        vm_size=chance.choice(SIZES[:3]),
        zones=chance.choice(([], [1], [1, 2], [1, 2, 3])),
        labels=_maybe(chance, 0.2, {RACK: "1"}),
        taints=[Taint("team", "ml", "NoSchedule")] if chance.random() < 0.2 else [],
        **scale,
        **({"spot": Spot()} if chance.random() < 0.1 else {}),
        **_maybe(chance, 0.1, {"max_pods": chance.choice((10, 30))}),
    )


def declared_eks(chance: random.Random) -> EksClusterArgs:
    """A declared cluster of EKS Auto Mode."""
    pools = {name: EksNodePool(**_declared(chance, EKS_ZONES, TYPES[:4])) for name in chance.sample(("any", "gpu", "arm"), chance.choice((0, 1, 2)))}
    mode = AutoMode(built_in_node_pools=chance.choice(((), ("general-purpose",), ("general-purpose", "system"))), node_pools=pools)
    network = {"network": {"kind": "EksNetwork", "zones": list(chance.choice((EKS_ZONES, EKS_ZONES[:2])))}} if chance.random() < 0.5 else {}
    return EksClusterArgs.model_validate({"region": "us-east-1", "kubernetes_version": "1.35", "auto_mode": mode.model_dump(), **network})


def _declared(chance: random.Random, zones: tuple[str, ...], sizes: tuple[str, ...]) -> dict[str, Any]:
    asked = [
        Requirement(ZONE, chance.choice(("In", "NotIn")), chance.sample(zones, chance.choice((1, 2)))),
        Requirement(TYPE, "In", chance.sample(sizes, 1)),
        Requirement(RACK, "In", ["1", "2"]),
        Requirement(RACK, "Exists"),
    ]
    return {
        "requirements": [one for one in asked if chance.random() < 0.15],
        "labels": _maybe(chance, 0.2, {RACK: "1"}),
        "taints": [Taint("team", "ml", "NoSchedule")] if chance.random() < 0.2 else [],
        "limits": chance.choice(LIMITS),
        **({"replicas": chance.choice((0, 1, 3))} if chance.random() < 0.1 else {}),
    }

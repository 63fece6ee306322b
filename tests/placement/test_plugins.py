"""Each plugin of kube-scheduler, admission plugin, controller and rule of an autoscaler, with inputs for which the right answer is known.

A row has who decides, where, the objects, and the answer: the verdict with the count, and words of what is said. The semantics are those of
Kubernetes 1.37 (`pkg/scheduler/framework/plugins`, `plugin/pkg/admission`, `pkg/controller`), Karpenter 1.15 and the cluster autoscaler.
"""

from collections.abc import Sequence
from typing import Any

import pytest
import yaml

from nodepools import Autoscale, EksNodePool, GpuPool, Platform, Requirement, Spot, SystemPool, Taint, UserPool, WindowsPool
from nodepools.cli.explain.command import Scene, explained
from nodepools.cli.explain.outcome import Placement, placements
from nodepools.cli.explain.text import report
from nodepools.cli.output.text_report import text_lines
from nodepools.clouds.registry import catalogs
from nodepools.manifests.existing.existing_pools import read_existing
from nodepools.manifests.workloads import WorkloadFile, workload_file
from nodepools.model.derive import derive
from nodepools.model.platform import AnyCluster
from tests.placement.conftest import SIZE, aks, eks, nap, preferred, required, wants

Raw = dict[str, Any]
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
ZONE, HOST, ARCH, OS, CAPACITY = (
    "topology.kubernetes.io/zone",
    "kubernetes.io/hostname",
    "kubernetes.io/arch",
    "kubernetes.io/os",
    "karpenter.sh/capacity-type",
)


def spec(requests: Any = None, limits: Any = None, container: Any = None, **fields: Any) -> Raw:
    """The spec of a pod."""
    main: Raw = {"name": "main", "image": "i", "resources": {"requests": requests or {}, "limits": limits or {}}, **(container or {})}
    return {"containers": [main], **fields}


def work(kind: str, pod: Raw | None = None, name: str = "a", namespace: str = "default", **of_object: Any) -> Raw:
    """An object that creates pods."""
    metadata, labels = {"name": name, "namespace": namespace}, {"app": name}
    pod = spec({"cpu": "100m"}) if pod is None else pod
    if kind == "Pod":
        return {"apiVersion": "v1", "kind": kind, "metadata": {**metadata, "labels": labels}, "spec": pod}
    if kind in ("Job", "CronJob"):
        job = {"template": {"spec": {"restartPolicy": "Never", **pod}}, **of_object}
        found = {"schedule": "@daily", "jobTemplate": {"spec": job}} if kind == "CronJob" else job
        return {"apiVersion": "batch/v1", "kind": kind, "metadata": metadata, "spec": found}
    fields = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}, **of_object}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": fields}


def deploy(replicas: int = 1, pod: Raw | None = None, name: str = "a", **of_object: Any) -> Raw:
    return work("Deployment", pod, name, replicas=replicas, **of_object)


def cpu(amount: str, **fields: Any) -> Raw:
    return spec({"cpu": amount}, **fields)


def thing(kind: str, name: str = "x", version: str = "v1", /, metadata: Raw | None = None, **fields: Any) -> Raw:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **(metadata or {})}, **fields}


def node(name: str, zone: str = "", room: Raw | None = None, **fields: Any) -> Raw:
    labels = {OS: "linux", ARCH: "amd64", HOST: name, "kubernetes.azure.com/agentpool": "web", **({ZONE: zone} if zone else {})}
    offers = {"cpu": "4", "memory": "12Gi", "pods": "30", **(room or {})}
    return thing("Node", name, metadata={"labels": labels, "uid": name}, spec=fields, status={"allocatable": offers, "capacity": offers})


def ending(found: Raw, ready: str = "") -> Raw:
    """The node while it is deleted, or not ready."""
    if ready:
        return {**found, "status": {**found["status"], "conditions": [{"type": "Ready", "status": ready}]}}
    return {**found, "metadata": {**found["metadata"], "deletionTimestamp": "2026-12-01T00:00:00Z"}}


def runs(name: str, on: str, amount: str = "100m", namespace: Any = "default", labels: Any = None, **fields: Any) -> Raw:
    metadata: Raw = {"namespace": namespace, "uid": f"u-{name}", "labels": labels or {}}
    return thing("Pod", name, metadata=metadata, spec={"nodeName": on, **cpu(amount), **fields}, status={"phase": "Running"})


def existing(*found: Raw) -> list[Raw]:
    """What runs, with pods of two namespaces, so that the export has all."""
    return [*found, runs("kube-proxy", "n0", "0", "kube-system"), runs("agent", "n0", "0", "monitoring")]


def spread(key: str = HOST, **more: Any) -> Raw:
    one = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "a"}}, **more}
    return {"topologySpreadConstraints": [one]}


def near(kind: str = "podAffinity", app: str = "a", key: str = HOST, **more: Any) -> Raw:
    return {"affinity": {kind: {REQUIRED: [{"topologyKey": key, "labelSelector": {"matchLabels": {"app": app}}, **more}]}}}


def claim(name: str = "d", storage_class: str = "managed-csi", mode: str = "ReadWriteOnce", status: Raw | None = None, **fields: Any) -> Raw:
    asked = {"accessModes": [mode], "storageClassName": storage_class, "resources": {"requests": {"storage": "1Gi"}}, **fields}
    return thing("PersistentVolumeClaim", name, spec=asked, status=status or {})


def volume(labels: Raw | None = None, **fields: Any) -> Raw:
    own = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "claimRef": {"namespace": "default", "name": "d"}}
    return thing(
        "PersistentVolume",
        "pv",
        metadata={"labels": labels or {}},
        spec={**own, "csi": {"driver": "disk.csi.azure.com", "volumeHandle": "v"}, **fields},
    )


def in_zone(zone: str, key: str = ZONE) -> Raw:
    return {"nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [wants(key, "In", zone)]}]}}}


def limits(**limit: Any) -> Raw:
    return thing("LimitRange", "l", spec={"limits": [{"type": "Container", **limit}]})


def quota(hard: Raw, **fields: Any) -> Raw:
    return thing("ResourceQuota", "q", spec={"hard": hard, **fields})


def names(**labels_or_annotations: Any) -> Raw:
    return thing("Namespace", "default", metadata=labels_or_annotations)


def scaler(kind: str = "HorizontalPodAutoscaler", metadata: Raw | None = None, **fields: Any) -> Raw:
    version = "keda.sh/v1alpha1" if kind == "ScaledObject" else "autoscaling/v2"
    return thing(
        kind, "s", version, metadata=metadata, spec={"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}, **fields}
    )


def refers(**fields: Any) -> Raw:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}
    return thing("Rollout", "r", "argoproj.io/v1alpha1", spec={"workloadRef": target, "strategy": {"canary": {}}, **fields})


def of_rollout(**fields: Any) -> Raw:
    target = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "name": "r"}
    return thing("HorizontalPodAutoscaler", "r", "autoscaling/v2", spec={"scaleTargetRef": target, **fields})


MOUNTED = cpu("100m", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "d"}}])
PORT: Raw = {"ports": [{"containerPort": 80, "hostPort": 80}]}
LOW: Raw = {"priority": 0}
HIGH = thing("PriorityClass", "high", "scheduling.k8s.io/v1", value=100)
TWO = aks(web=UserPool(vm_size=SIZE, count=2, labels={"tier": "web", "cores": "8"}))
ONE = aks(web=UserPool(vm_size=SIZE, count=1))
ZONAL = derive(
    aks(**{f"z{zone}": UserPool(vm_size=SIZE, count=2, zones=[zone]) for zone in (1, 2, 3)}), system_pool=SystemPool(vm_size=SIZE, count=2, zones=[1])
)
SPOT = aks(web=UserPool(vm_size=SIZE, count=2), cheap=UserPool(vm_size=SIZE, scale=Autoscale(0, 5), spot=Spot()))
IS_SPOT = {"nodeSelector": {"kubernetes.azure.com/scalesetpriority": "spot"}}
SCALED = aks(web=UserPool(vm_size=SIZE, scale=Autoscale(0, 5), labels={"tier": "web"}))
GPU = aks(web=UserPool(vm_size=SIZE, count=2), gpu=GpuPool(vm_size="Standard_NC24ads_A100_v4", count=1))
ON_GPU = {"tolerations": [{"key": "sku", "operator": "Exists"}]}
WINDOWS = aks(web=UserPool(vm_size=SIZE, count=2), win=WindowsPool(vm_size=SIZE, count=2, tainted=False))
ARM = aks(web=UserPool(vm_size=SIZE, count=2), arm=UserPool(vm_size="Standard_D4pds_v5", count=2))
HARD = aks(web=UserPool(vm_size=SIZE, count=2, taints=[Taint("a", "b", "NoExecute")]))
SOFT = aks(web=UserPool(vm_size=SIZE, count=2, taints=[Taint("a", "b", "PreferNoSchedule")]))
AUTO = eks("general-purpose", "system", zones=("us-east-1a", "us-east-1b", "us-east-1c"))
NAP = nap("Auto")
PAIR = existing(node("n0", "westeurope-1"), node("n1", "westeurope-2"))
CORDONED = existing(node("n0", "z-1"), node("n1", "z-2"), node("n2", "z-3", unschedulable=True))


def own(**fields: Any) -> AnyCluster:
    """EKS with a NodePool of its own."""
    requirements = [Requirement(ARCH, "In", ["amd64"]), Requirement(CAPACITY, "In", ["on-demand"]), *fields.pop("requirements", [])]
    return eks("system", web=EksNodePool(requirements=requirements, **fields))


ROWS: list[tuple[str, AnyCluster | list[Raw], Sequence[Raw], str, str]] = [
    ("NodePorts", [*PAIR, runs("x", "n0", **cpu("0", container=PORT))], [work("DaemonSet", cpu("1", container=PORT))], "partly", "free ports"),
    ("NodeUnschedulable", existing(ending(node("n0"))), [deploy()], "unknown", "is being deleted"),
    ("NodeUnschedulable", existing(ending(node("n0"), "Unknown")), [deploy()], "unknown", "its condition Ready is Unknown"),
    ("NodeUnschedulable", existing(node("n0", unschedulable=True)), [deploy()], "cannot 0 of 1", "cordoned"),
    ("NodeUnschedulable", existing(node("n0", unschedulable=True)), [work("DaemonSet")], "fits", "runs on every pool"),
    ("NodeUnschedulable", existing(node("n0", unschedulable=True)), [work("Pod", cpu("1", tolerations=[{"operator": "Exists"}]))], "fits", ""),
    ("NodeUnschedulable", CORDONED, [deploy(3, cpu("100m", **spread(ZONE)))], "partly 2 of 3", "counts the nodes of n2"),
    ("NodeUnschedulable", CORDONED, [deploy(6, cpu("100m", **spread(ZONE, nodeTaintsPolicy="Honor")))], "fits", ""),
    ("NodeName", PAIR, [work("Pod", cpu("100m", nodeName="n0"))], "unknown", "no scheduler is involved"),
    ("NodeName", existing(node("n0")), [work("Pod", cpu("9", nodeName="n0"))], "cannot 0 of 1", "cpu"),
    ("TaintToleration", SPOT, [deploy(1, cpu("1", tolerations=[{"operator": "Exists"}], **IS_SPOT))], "fits", "c/cheap"),
    (
        "TaintToleration",
        SPOT,
        [deploy(1, cpu("1", tolerations=[{"key": "kubernetes.azure.com/scalesetpriority"}], **IS_SPOT))],
        "cannot 0 of 1",
        "taint",
    ),
    ("TaintToleration", SOFT, [deploy()], "fits", "c/web"),
    ("TaintToleration", HARD, [deploy()], "cannot 0 of 1", "taint"),
    (
        "TaintToleration",
        HARD,
        [deploy(1, cpu("1", tolerations=[{"key": "a", "operator": "Exists", "tolerationSeconds": 9, "effect": "NoExecute"}]))],
        "fits",
        "for 9 s",
    ),
    ("TaintToleration", SPOT, [deploy(1, cpu("1", tolerations=[{"key": "a", "operator": "Gt", "value": "5"}]))], "unknown", "Gt or Lt"),
    (
        "TaintToleration",
        existing(node("n0", taints=[{"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}])),
        [deploy()],
        "cannot 0 of 1",
        "Add a pool",
    ),
    (
        "TaintToleration",
        existing(node("n0", taints=[{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}])),
        [deploy()],
        "unknown",
        "not ready",
    ),
    ("NodeAffinity", TWO, [deploy(1, cpu("1", affinity=required([wants("tier", "In", "db")], [wants("tier", "Exists")])))], "fits", ""),
    (
        "NodeAffinity",
        TWO,
        [deploy(1, cpu("1", nodeSelector={"tier": "web"}, affinity=required([wants("tier", "NotIn", "web")])))],
        "cannot 0 of 1",
        "NotIn",
    ),
    ("NodeAffinity", TWO, [deploy(1, cpu("1", affinity=required([wants("cores", "Gt", "4")])))], "fits", ""),
    ("NodeAffinity", TWO, [deploy(1, cpu("1", affinity=required([wants("cores", "Lt", "8")])))], "cannot 0 of 1", "cores Lt"),
    ("NodeAffinity", TWO, [deploy(1, cpu("1", affinity=required([wants("tier", "Gt", "1")])))], "cannot 0 of 1", "tier Gt"),
    ("NodeAffinity", TWO, [deploy(1, cpu("1", affinity=required([wants("rack", "NotIn", "1")])))], "fits", ""),
    ("NodeAffinity", TWO, [deploy(1, cpu("1", affinity=required([])))], "cannot 0 of 1", "empty node selector term"),
    (
        "NodeAffinity",
        PAIR,
        [deploy(2, cpu("1", affinity={"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [{"matchFields": [wants("metadata.name", "In", "n1")]}]}}}))],
        "fits",
        "n1",
    ),
    ("NodePorts", TWO, [deploy(3, cpu("1", container=PORT))], "partly 2 of 3", "at most 1 each"),
    ("NodePorts", TWO, [deploy(3, cpu("1", container={"ports": [{"containerPort": 80}]}, hostNetwork=True))], "partly 2 of 3", ""),
    ("NodePorts", TWO, [deploy(3, cpu("1", initContainers=[{"name": "s", "restartPolicy": "Always", **PORT}]))], "partly 2 of 3", ""),
    ("NodePorts", TWO, [deploy(3, cpu("1", initContainers=[{"name": "s", **PORT}]))], "fits", ""),
    ("NodePorts", [*PAIR, runs("x", "n0", **cpu("0", container=PORT))], [deploy(2, cpu("1", container=PORT))], "partly 1 of 2", "room on n1"),
    (
        "NodePorts",
        [*PAIR, runs("x", "n0", **cpu("0", container=PORT), **LOW)],
        [HIGH, deploy(2, cpu("1", container=PORT, priorityClassName="high"))],
        "unknown 1 to 2 of 2",
        "",
    ),
    ("NodeResourcesFit", TWO, [deploy(1, spec(limits={"example.com/dongle": 1}))], "unknown", "example.com/dongle"),
    (
        "NodeResourcesFit",
        existing(node("n0", room={"example.com/dongle": "2"})),
        [deploy(3, spec(limits={"example.com/dongle": 1}))],
        "partly 2 of 3",
        "",
    ),
    (
        "NodeResourcesFit",
        existing(node("n0", room={"hugepages-2Mi": "1Gi"})),
        [deploy(3, spec({"memory": "1Mi"}, {"memory": "1Mi", "hugepages-2Mi": "512Mi"}))],
        "partly 2 of 3",
        "",
    ),
    ("NodeResourcesFit", TWO, [deploy(1, spec(limits={"hugepages-2Mi": "1Mi"}))], "rejected", "next to huge pages"),
    ("NodeResourcesFit", TWO, [deploy(3, cpu("1", initContainers=[{"name": "i", "resources": {"requests": {"cpu": "3"}}}]))], "partly 2 of 3", ""),
    (
        "NodeResourcesFit",
        TWO,
        [deploy(1, cpu("2", initContainers=[{"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "2"}}}]))],
        "cannot 0 of 1",
        "cpu (4)",
    ),
    ("NodeResourcesFit", TWO, [deploy(1, cpu("100m", resources={"requests": {"cpu": "8"}}))], "cannot 0 of 1", "cpu (8)"),
    ("NodeResourcesFit", TWO, [deploy(1, spec(limits={"cpu": "8"}))], "cannot 0 of 1", "cpu (8)"),
    ("NodeResourcesFit", existing(node("n0", room={"pods": "3"})), [deploy(2)], "partly 1 of 2", ""),
    ("NodeResourcesFit", existing(node("n0"), runs("x", "n0", "4")), [deploy(1, spec())], "fits", ""),
    ("NodeResourcesFit", GPU, [deploy(1, spec(limits={"nvidia.com/gpu": "0.5"}))], "rejected", "a whole number"),
    ("NodeResourcesFit", GPU, [deploy(1, spec(limits={"amd.com/gpu": 1}))], "cannot 0 of 1", "an AMD GPU"),
    ("NodeResourcesFit", GPU, [deploy(1, spec(limits={"nvidia.com/mig-1g.10gb": 1}, **ON_GPU))], "cannot 0 of 1", "a GPU pool with `mig`"),
    ("VolumeRestrictions", TWO, [claim(mode="ReadWriteOncePod"), deploy(2, MOUNTED)], "partly 1 of 2", "one pod at a time"),
    ("VolumeRestrictions", TWO, [claim(), deploy(2, MOUNTED)], "unknown 1 to 2 of 2", "attached to one node"),
    (
        "NodeVolumeLimits",
        ONE,
        [work("StatefulSet", None, replicas=20, podManagementPolicy="Parallel", volumeClaimTemplates=[claim("v")])],
        "unknown 1 to 20 of 20",
        "",
    ),
    ("VolumeBinding", TWO, [deploy(1, MOUNTED)], "unknown", "is not in the input"),
    ("VolumeBinding", TWO, [claim(storage_class="gone"), deploy(1, MOUNTED)], "unknown", "storage class gone"),
    (
        "VolumeBinding",
        ZONAL,
        [volume(**in_zone("westeurope-2")), claim(volumeName="pv", status={"phase": "Bound"}), deploy(1, MOUNTED)],
        "fits",
        "c/z2",
    ),
    ("VolumeBinding", ZONAL, [claim(status={"phase": "Lost"}, volumeName="pv"), deploy(1, MOUNTED)], "cannot 0 of 1", "lost its PersistentVolume"),
    ("VolumeBinding", PAIR, [volume(**in_zone("n1", HOST)), claim(volumeName="pv", status={"phase": "Bound"}), deploy(1, MOUNTED)], "fits", "n1"),
    ("VolumeZone", ZONAL, [volume({ZONE: "westeurope-3"}), claim(volumeName="pv", status={"phase": "Bound"}), deploy(1, MOUNTED)], "fits", "c/z3"),
    ("PodTopologySpread", ZONAL, [deploy(6, cpu("1", **spread(ZONE, matchLabelKeys=["pod-template-hash"])))], "fits", ""),
    (
        "PodTopologySpread",
        ZONAL,
        [deploy(2, cpu("1", nodeSelector={ZONE: "westeurope-1"}, **spread(ZONE, nodeAffinityPolicy="Ignore")))],
        "partly 1 of 2",
        "nodeAffinityPolicy: Honor",
    ),
    ("PodTopologySpread", ZONAL, [deploy(2, cpu("1", nodeSelector={ZONE: "westeurope-1"}, **spread(ZONE)))], "fits", "c/z1"),
    ("PodTopologySpread", TWO, [deploy(4, cpu("1", **spread()))], "partly 2 of 4", "nodeTaintsPolicy: Honor"),
    ("PodTopologySpread", TWO, [deploy(4, cpu("1", **spread(nodeTaintsPolicy="Honor")))], "fits", ""),
    ("PodTopologySpread", TWO, [deploy(4, cpu("1", **spread(nodeTaintsPolicy="Honor", minDomains=9)))], "partly 2 of 4", "minDomains: 9"),
    ("PodTopologySpread", TWO, [deploy(2, cpu("1", **spread("example.com/rack")))], "cannot 0 of 2", "example.com/rack"),
    ("PodTopologySpread", TWO, [deploy(2, cpu("1", **spread("example.com/rack", whenUnsatisfiable="ScheduleAnyway")))], "fits", ""),
    ("PodTopologySpread", [*PAIR, runs("x", "n1", "4")], [deploy(2, cpu("1", **spread(ZONE)))], "partly 1 of 2", "Free room on the nodes of `n1`"),
    ("InterPodAffinity", TWO, [deploy(3, cpu("1", **near("podAntiAffinity")))], "partly 2 of 3", "one of the pods on each node"),
    ("InterPodAffinity", [*PAIR, runs("x", "n0", **near("podAntiAffinity"))], [deploy(2)], "fits", "n1"),
    ("InterPodAffinity", [*PAIR, runs("x", "n0", namespace="o", **near("podAntiAffinity"))], [deploy(2)], "fits", "n0"),
    ("InterPodAffinity", [*PAIR, runs("x", "n0", namespace="o", **near("podAntiAffinity", namespaceSelector={}))], [deploy(2)], "fits", "n1"),
    ("InterPodAffinity", [*PAIR, runs("x", "n1", labels={"app": "db"})], [deploy(2, cpu("1", **near(app="db")))], "fits", "n1"),
    (
        "InterPodAffinity",
        [*PAIR, runs("x", "n1", namespace="o", labels={"app": "db"})],
        [deploy(2, cpu("1", **near(app="db")))],
        "unknown",
        "selects none",
    ),
    (
        "InterPodAffinity",
        [*PAIR, runs("x", "n1", namespace="o", labels={"app": "db"})],
        [deploy(2, cpu("1", **near(app="db", namespaces=["o"])))],
        "fits",
        "n1",
    ),
    ("InterPodAffinity", TWO, [deploy(5, cpu("1", **near()))], "partly 3 of 5", "into one domain"),
    ("InterPodAffinity", ZONAL, [deploy(4, cpu("1", **near("podAntiAffinity", key=ZONE)))], "partly 3 of 4", "3 values"),
    ("InterPodAffinity", ONE, [deploy(9, cpu("1", **near("podAntiAffinity", "b", ZONE)))], "partly 3 of 9", "room on c/web"),
    (
        "InterPodAffinity",
        existing(node("n0", "z-1"), node("n1", "z-2"), runs("b", "n0", labels={"app": "b"})),
        [deploy(9, cpu("1", **near("podAntiAffinity", "b", ZONE)))],
        "partly 4 of 9",
        "room on n1",
    ),
    ("SchedulingGates", TWO, [deploy(1, cpu("1", schedulingGates=[{"name": "x"}]))], "unknown", "scheduling gates"),
    (
        "DefaultPreemption",
        existing(node("n0"), runs("x", "n0", "3", **LOW)),
        [HIGH, deploy(1, cpu("2", priorityClassName="high"))],
        "unknown",
        "lower priority",
    ),
    (
        "DefaultPreemption",
        existing(node("n0"), runs("x", "n0", "3", priority=100)),
        [HIGH, deploy(1, cpu("2", priorityClassName="high"))],
        "cannot 0 of 1",
        "cpu (2)",
    ),
    (
        "DefaultPreemption",
        existing(node("n0"), runs("x", "n0", "3", **LOW)),
        [{**HIGH, "preemptionPolicy": "Never"}, deploy(1, cpu("2", priorityClassName="high"))],
        "cannot 0 of 1",
        "cpu (2)",
    ),
    (
        "DynamicResources",
        TWO,
        [deploy(1, cpu("1", resourceClaims=[{"name": "g", "resourceClaimTemplateName": "t"}]))],
        "unknown",
        "ResourceClaimTemplate t",
    ),
    (
        "DynamicResources",
        AUTO,
        [deploy(1, cpu("1", resourceClaims=[{"name": "g", "resourceClaimTemplateName": "t"}]))],
        "cannot 0 of 1",
        "does not support",
    ),
    ("GangScheduling", TWO, [deploy(1, cpu("1", schedulingGroup={"podGroupName": "g"}))], "unknown", "schedulingGroup"),
    ("LimitRanger", TWO, [limits(max={"cpu": "500m"}), deploy(1, spec({"cpu": "1"}, {"cpu": "1"}))], "cannot 0 of 1", "at most 500m cpu"),
    ("LimitRanger", TWO, [limits(default={"cpu": "8"}), deploy(1, spec())], "cannot 0 of 1", "cpu (8)"),
    ("LimitRanger", TWO, [limits(max={"cpu": "8"}), deploy(1, spec())], "cannot 0 of 1", "cpu (8)"),
    ("LimitRanger", TWO, [limits(min={"cpu": "8"}), deploy(1, spec())], "cannot 0 of 1", "cpu (8)"),
    ("ResourceQuota", TWO, [quota({"pods": "3"}), deploy(2), deploy(2, name="b")], "unknown 1 to 2 of 2, short", "at least 1 is not created"),
    (
        "ResourceQuota",
        TWO,
        [quota({"requests.cpu": "4"}), deploy(2, cpu("1")), deploy(2, cpu("2"), "b")],
        "unknown up to 2 of 2, short",
        "at least 1 is not created",
    ),
    ("ResourceQuota", TWO, [quota({"pods": "4"}), deploy(2), deploy(2, name="b")], "fits", ""),
    ("ResourceQuota", TWO, [quota({"pods": "4"}), deploy(3, cpu("3")), deploy(2, name="b")], "partly 2 of 3", "room on c/web"),
    (
        "ResourceQuota",
        TWO,
        [quota({"count/deployments.apps": "1"}), deploy(2), deploy(1, name="b")],
        "unknown up to 2 of 2, short",
        "at most 2 of the 3",
    ),
    ("ResourceQuota", TWO, [quota({"pods": "3"}), deploy(2), work("DaemonSet", name="b")], "unknown", ""),
    ("ResourceQuota", TWO, [quota({"pods": "0"}, scopes=["BestEffort"]), deploy(2)], "fits", ""),
    (
        "ResourceQuota",
        GPU,
        [quota({"requests.nvidia.com/gpu": "0"}), deploy(1, spec(limits={"nvidia.com/gpu": 1}, **ON_GPU))],
        "cannot 0 of 1",
        "ResourceQuota q",
    ),
    ("Priority", TWO, [deploy(1, cpu("1", priorityClassName="gone"))], "unknown", "PriorityClass gone"),
    ("Priority", TWO, [deploy(1, cpu("1", priorityClassName="system-cluster-critical"))], "fits", ""),
    ("RuntimeClass", TWO, [deploy(1, cpu("1", runtimeClassName="gone"))], "unknown", "RuntimeClass gone"),
    (
        "RuntimeClass",
        TWO,
        [thing("RuntimeClass", "k", "node.k8s.io/v1", handler="k", overhead={"podFixed": {"cpu": "3"}}), deploy(1, cpu("1", runtimeClassName="k"))],
        "cannot 0 of 1",
        "cpu (4)",
    ),
    (
        "RuntimeClass",
        TWO,
        [
            thing("RuntimeClass", "k", "node.k8s.io/v1", handler="k", scheduling={"nodeSelector": {"tier": "db"}}),
            deploy(1, cpu("1", runtimeClassName="k")),
        ],
        "cannot 0 of 1",
        "Add a pool that has label `tier=db`",
    ),
    (
        "PodNodeSelector",
        TWO,
        [names(annotations={"scheduler.alpha.kubernetes.io/node-selector": "tier=db"}), deploy()],
        "cannot 0 of 1",
        "Add a pool that has label `tier=db`",
    ),
    ("PodNodeSelector", AUTO, [names(annotations={"scheduler.alpha.kubernetes.io/node-selector": "tier=db"}), deploy()], "fits", ""),
    ("NamespaceLifecycle", TWO, [names(deletionTimestamp="2026-12-01T00:00:00Z"), deploy()], "cannot 0 of 1", "is being deleted"),
    (
        "DefaultTolerationSeconds",
        TWO,
        [
            deploy(
                1,
                cpu("1", tolerations=[{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 9}]),
            )
        ],
        "fits",
        "",
    ),
    (
        "ExtendedResourceToleration",
        aks(gpu=GpuPool(vm_size="Standard_NC24ads_A100_v4", count=1, tainted=False, taints=[Taint("nvidia.com/gpu", "", "NoSchedule")])),
        [deploy(1, spec(limits={"nvidia.com/gpu": 1}))],
        "fits",
        "c/gpu",
    ),
    (
        "PodSecurity",
        TWO,
        [names(labels={"pod-security.kubernetes.io/enforce": "baseline"}), deploy(1, cpu("1", container=PORT))],
        "cannot 0 of 1",
        "hostPort",
    ),
    ("PodSecurity", TWO, [names(labels={"pod-security.kubernetes.io/warn": "restricted"}), deploy()], "fits", ""),
    ("AlwaysPullImages", TWO, [deploy(1, cpu("1", container={"imagePullPolicy": "Never"}))], "fits", ""),
    ("Job", TWO, [work("Job", suspend=True)], "fits", "no pods while it is suspended"),
    ("Job", TWO, [work("Job", cpu("9"), parallelism=0)], "fits", "no pods to schedule"),
    ("Job", TWO, [work("Job", cpu("3"), parallelism=9, completions=2)], "fits", ""),
    ("Job", TWO, [work("Job", cpu("3"), parallelism=9)], "partly 2 of 9", ""),
    ("CronJob", TWO, [work("CronJob", cpu("9"))], "cannot 0 of 1", "cpu (9)"),
    ("StatefulSet", TWO, [work("StatefulSet", cpu("3"), replicas=3)], "partly 2 of 3", ""),
    ("Deployment", TWO, [deploy(0, cpu("9"))], "fits", "no pods to schedule"),
    ("Deployment", TWO, [deploy(1, paused=True)], "unknown", "is paused"),
    ("DaemonSet", SPOT, [work("DaemonSet")], "fits", "not on c/system, c/cheap"),
    ("DaemonSet", TWO, [work("DaemonSet", updateStrategy={"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}})], "rejected", "cannot be 0"),
    ("HorizontalPodAutoscaler", TWO, [deploy(1, cpu("3")), scaler(minReplicas=3, maxReplicas=9)], "partly 2 of 3", ""),
    ("HorizontalPodAutoscaler", TWO, [deploy(9, cpu("3")), scaler(minReplicas=1, maxReplicas=2)], "fits", ""),
    ("Argo", TWO, [deploy(0, cpu("3")), refers(replicas=40)], "partly 2 of 40", "Rollout `r` has 40 more of these pods"),
    ("Argo", TWO, [deploy(1, cpu("3")), refers()], "fits", "1 more of these pods"),
    ("Argo", TWO, [deploy(2, cpu("3")), refers()], "partly 2 of 3", "Rollout `r` has 1 more"),
    ("Argo", TWO, [deploy(0, cpu("9")), refers(replicas=0)], "fits", "no pods to schedule"),
    ("Argo", TWO, [deploy(0, cpu("3")), refers(), of_rollout(minReplicas=6, maxReplicas=9)], "partly 2 of 6", "Rollout `r` has 6 more"),
    ("Argo", TWO, [deploy(0, cpu("3")), refers(replicas=9), of_rollout(maxReplicas=2)], "fits", "Rollout `r` has 2 more"),
    ("Argo", TWO, [deploy(0, cpu("9")), refers(replicas=0), of_rollout(minReplicas=6, maxReplicas=9)], "fits", "no pods to schedule"),
    ("KEDA", TWO, [deploy(9, cpu("3")), scaler("ScaledObject", maxReplicaCount=2, triggers=[{"type": "cron", "metadata": {}}])], "fits", ""),
    (
        "KEDA",
        TWO,
        [
            deploy(9, cpu("9")),
            scaler("ScaledObject", {"annotations": {"autoscaling.keda.sh/paused-replicas": "0"}}, triggers=[{"type": "cron", "metadata": {}}]),
        ],
        "fits",
        "no pods to schedule",
    ),
    (
        "VerticalPodAutoscaler",
        TWO,
        [deploy(), thing("VerticalPodAutoscaler", "v", "autoscaling.k8s.io/v1", spec={"targetRef": {"kind": "Deployment", "name": "a"}})],
        "unknown",
        "VerticalPodAutoscaler v",
    ),
    ("Karpenter", own(limits={"cpu": 4}), [deploy(3, cpu("2"))], "partly 1 to 2 of 3", "limits cpu 4"),
    ("Karpenter", own(startup_taints=[Taint("a", "", "NoSchedule")]), [deploy()], "fits", "c/web"),
    (
        "Karpenter",
        own(replicas=2, requirements=[Requirement("node.kubernetes.io/instance-type", "In", ["m5.large"])]),
        [deploy(3, cpu("1"))],
        "unknown 2 to 3 of 3",
        "Raise `replicas`",
    ),
    (
        "Karpenter",
        own(requirements=[Requirement("node.kubernetes.io/instance-type", "Exists", min_values=5)]),
        [deploy(1, cpu("1", nodeSelector={"node.kubernetes.io/instance-type": "m5.xlarge"}))],
        "unknown",
        "minValues",
    ),
    ("Karpenter", AUTO, [deploy(1, cpu("1", nodeSelector={"topology.kubernetes.io/region": "us-east-1"}))], "fits", ""),
    ("Karpenter", AUTO, [deploy(1, cpu("1", nodeSelector={"team": "x"}))], "cannot 0 of 1", "team=x"),
    ("Karpenter", AUTO, [deploy(1, cpu("1", affinity=required([wants("team", "DoesNotExist")])))], "fits", ""),
    ("Karpenter", AUTO, [deploy(1, cpu("1", nodeSelector={HOST: "ip-1"}))], "unknown", "restricted label"),
    ("Karpenter", AUTO, [deploy(1, cpu("1", nodeSelector={CAPACITY: "reserved"}))], "cannot 0 of 1", "reserved"),
    ("Karpenter", AUTO, [deploy(1, cpu("1", affinity=preferred((1, [wants(ZONE, "In", "us-west-2a")]))))], "fits", "drops preferences"),
    ("Karpenter", AUTO, [deploy(4, cpu("1", **near("podAntiAffinity", key=ZONE)))], "partly 3 of 4", "3 values"),
    ("Karpenter", AUTO, [deploy(6, cpu("1", **spread(ZONE)))], "fits", "minDomains: 2"),
    ("Karpenter", AUTO, [deploy(5, cpu("1", container=PORT))], "fits", ""),
    (
        "Karpenter",
        AUTO,
        [volume(**in_zone("us-east-1d")), claim(volumeName="pv", status={"phase": "Bound"}), deploy(1, MOUNTED)],
        "cannot 0 of 1",
        "us-east-1d",
    ),
    ("Karpenter", AUTO, [deploy(1, spec(limits={"nvidia.com/gpu": 1}))], "cannot 0 of 1", "an NVIDIA GPU"),
    (
        "Karpenter",
        existing(
            node("n1"),
            thing("EC2NodeClass", "x", "karpenter.k8s.aws/v1", spec={"amiSelectorTerms": [{"alias": "al2023@latest"}], "role": "n"}),
            thing(
                "NodePool",
                "zz",
                "karpenter.sh/v1",
                spec={
                    "limits": {"cpu": "4"},
                    "template": {
                        "spec": {
                            "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "x"},
                            "requirements": [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["m6i.xlarge"]}],
                        }
                    },
                },
            ),
        ),
        [deploy(9, cpu("3"))],
        "unknown",
        "Raise limits of NodePool zz (cpu 4) for",
    ),
    ("Karpenter", NAP, [deploy(1, cpu("1", nodeSelector={CAPACITY: "spot"}))], "cannot 0 of 1", "spot"),
    ("Karpenter", NAP, [deploy(1, cpu("1", nodeSelector={ARCH: "arm64"}))], "cannot 0 of 1", "arm64"),
    ("cluster autoscaler", SCALED, [deploy(5, cpu("3", nodeSelector={"tier": "web"}))], "fits", ""),
    ("cluster autoscaler", SCALED, [deploy(6, cpu("3"))], "partly 5 of 6", "from 5 to at least 6"),
    ("AKS", WINDOWS, [deploy(1, cpu("1", os={"name": "windows"}))], "unknown", "whose kubelets reject them"),
    ("AKS", TWO, [deploy(1, cpu("1", os={"name": "windows"}))], "cannot 0 of 1", "fails everywhere: kubelet rejects"),
    (
        "AKS",
        TWO,
        [deploy(1, cpu("1", os={"name": "windows"}, nodeSelector={"beta.kubernetes.io/os": "linux"}))],
        "cannot 0 of 1",
        "Set spec.os.name to linux, which the pod selects: then it fits c/web",
    ),
    (
        "AKS",
        WINDOWS,
        [deploy(1, cpu("1", os={"name": "windows"}, nodeSelector={"kubernetes.io/os": "linux"}))],
        "cannot 0 of 1",
        "Set spec.os.name to linux, which the pod selects: then",
    ),
    ("AKS", WINDOWS, [deploy()], "fits", "Windows nodes of"),
    ("AKS", WINDOWS, [work("DaemonSet")], "fits", "Windows nodes of"),
    ("AKS", ARM, [deploy()], "fits", "Add `nodeSelector: {kubernetes.io/arch: amd64}`"),
    ("AKS", SPOT, [deploy()], "fits", "c/web"),
    ("AKS", TWO, [deploy(1, cpu("1", nodeSelector={"kubernetes.azure.com/mode": "system"}))], "cannot 0 of 1", "mode=system"),
]


def _verdict(answer: Placement) -> str:
    short = ", short" if answer.shortage is not None else ""
    return f"{answer.verdict} {answer.count}{short}" if answer.verdict != "fits" else f"fits{short}"


def _said(answers: Sequence[Placement]) -> str:
    """The whole report, in one line without marks."""
    lines = text_lines(report("dev", answers, forced=False, covered=None, again="nodepools explain", places={}), columns=1000, details=False)
    return " ".join(" ".join(lines).replace("`", "").split())


@pytest.mark.parametrize(
    ("where", "objects", "verdict", "words"), [pytest.param(*row, id=f"{plugin}-{number}") for number, (plugin, *row) in enumerate(ROWS)]
)
def test_what_each_plugin_answers(where: AnyCluster | list[Raw], objects: Sequence[Raw], verdict: str, words: str) -> None:
    read = workload_file(yaml.safe_dump_all(objects), "w.yaml")
    if read.rejected:
        assert (verdict, words in read.rejected[0]) == ("rejected", True)
        return
    answers = placements(explained(_scene(where, read), only=None))
    assert _verdict(answers[0]).startswith(verdict)
    assert words.replace("`", "") in _said(answers)


def _scene(where: AnyCluster | list[Raw], read: WorkloadFile) -> Scene:
    if isinstance(where, list):
        return Scene(read, (), read_existing([(yaml.safe_dump_all(where), "x.yaml")], lambda wrong: pytest.fail(str(wrong))))
    return Scene(read, tuple(catalogs([Platform(name="dev", clusters={"c": where})])))

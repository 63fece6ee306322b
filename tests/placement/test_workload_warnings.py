"""Warnings about pods that are scheduled, and that stop or mount volumes in another way than people expect."""

import re
from typing import Any

import pytest

from nodepools import AksNodePool, Autoscale, Budget, Disruption, EksNodePool, Platform, Requirement, Taint, UserPool, keys
from nodepools.clouds.registry import catalog
from nodepools.placement.explain import explain
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from tests.placement.conftest import aks, eks, nap

AMD64 = keys.eks.arch.one_of("amd64")
AUTO = eks(a=EksNodePool(requirements=[AMD64]))
SHORT = eks(a=EksNodePool(requirements=[AMD64], termination_grace_period="1h"))
D_SERIES = [Requirement("karpenter.azure.com/sku-family", "In", ["D"])]
NAP = nap(a=AksNodePool(requirements=D_SERIES))
AGENTS = aks(web=UserPool(vm_size="Standard_D2ds_v5", count=3))
NAP_SHORT = nap(a=AksNodePool(requirements=D_SERIES, termination_grace_period="30m"))


def web(kind: str = "Deployment", replicas: int | None = 3, *, annotations: Any = None, templates: Any = (), **spec: Any) -> dict[str, Any]:
    template: dict[str, Any] = {
        "metadata": {"labels": {"app": "web"}, "annotations": annotations or {}},
        "spec": {"containers": [{}], **spec},
    }
    template["spec"] |= {"restartPolicy": "Never"} if kind == "Job" else {}
    count = {} if replicas is None else {"parallelism" if kind == "Job" else "replicas": replicas}
    claims = {"volumeClaimTemplates": list(templates)} if templates else {}
    return {"kind": kind, "metadata": {"name": "web"}, "spec": {**count, "template": template, **claims}}


def budget(name: str = "web", **spec: Any) -> dict[str, Any]:
    return {"kind": "PodDisruptionBudget", "metadata": {"name": name}, "spec": {"selector": {"matchLabels": {"app": "web"}}, **spec}}


def named(kind: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": name}, **fields}


def claim(name: str = "data", **spec: Any) -> dict[str, Any]:
    return {"name": "data", "persistentVolumeClaim": {"claimName": name, **spec}}


GP3 = named("StorageClass", "gp3", provisioner="ebs.csi.aws.com")
IN_TREE = {"kind": "StorageClass", "provisioner": "kubernetes.io/aws-ebs"}
DEFAULT = {**IN_TREE, "metadata": {"name": "gp2", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}}
AUTO_CLASS = named("StorageClass", "gp3", provisioner="ebs.csi.eks.amazonaws.com")
DATA = {"metadata": {"name": "data"}, "spec": {"storageClassName": "gp3"}}
STORAGE = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
PER_POD = {"volumeClaimTemplate": {"spec": {**STORAGE, "storageClassName": "gp3"}}}
SCALER = named("HorizontalPodAutoscaler", "web", spec={"scaleTargetRef": {"kind": "Deployment", "name": "web"}})
ALONE = named("Pod", "alone", spec={"containers": [{}]})
ALONE["metadata"]["labels"] = {"app": "web"}
ARGO, KNATIVE = {"apiVersion": "argoproj.io/v1alpha1"}, {"apiVersion": "serving.knative.dev/v1"}
KEDA = named("ScaledObject", "web", spec={"scaleTargetRef": {"name": "web"}})
MOUNT = "Nodes of `c/a` cannot mount volume `data` of driver `ebs.csi.aws.com`: their driver is `ebs.csi.eks.amazonaws.com`"


def told(cluster: Any, workload: dict[str, Any], *others: dict[str, Any]) -> list[dict[str, Any]]:
    found = [workload, *others]
    [answer, *_] = explain(list(read_workloads(found)), catalog(Platform(name="dev", clusters={"c": cluster})), read_workload_objects(found))
    return [one for one in answer.to_json()["warnings"] if one["kind"] != "architecture"]  # type: ignore[index,union-attr]  # JSON


VOLUMES = [
    pytest.param(
        AUTO, [web(volumes=[claim()]), named("PersistentVolumeClaim", "data", spec={"storageClassName": "gp3"}), GP3], True, id="by its class"
    ),
    pytest.param(
        AUTO, [web(volumes=[claim()]), named("PersistentVolumeClaim", "data", spec={"storageClassName": "gp3"}), AUTO_CLASS], False,
        id="a class of Auto Mode",
    ),
    pytest.param(AUTO, [web(volumes=[claim()]), named("PersistentVolumeClaim", "data", spec={}), DEFAULT], True, id="by the default class"),
    pytest.param(AUTO, [web(volumes=[claim()]), named("PersistentVolumeClaim", "other", spec={}), DEFAULT], False, id="another claim"),
    pytest.param(
        AUTO,
        [
            web(volumes=[claim()]),
            named("PersistentVolumeClaim", "data", spec={"volumeName": "vol"}),
            named("PersistentVolume", "vol", spec={"csi": {"driver": "ebs.csi.aws.com"}}),
        ],
        True,
        id="by the volume that it is bound to",
    ),
    pytest.param(
        AUTO,
        [
            web(volumes=[claim()]),
            named("PersistentVolumeClaim", "data", spec={"volumeName": "vol"}),
            named("PersistentVolume", "vol", spec={"awsElasticBlockStore": {"volumeID": "vol-1"}}),
        ],
        True,
        id="of the plugin that was part of Kubernetes",
    ),
    pytest.param(
        AUTO,
        [
            web(volumes=[claim()]),
            {
                "kind": "PersistentVolumeClaim",
                "metadata": {"name": "data", "annotations": {"volume.kubernetes.io/storage-provisioner": "ebs.csi.aws.com"}},
            },
        ],
        True,
        id="by the annotation of the claim",
    ),
    pytest.param(AUTO, [web("StatefulSet", templates=[DATA]), GP3], True, id="of a StatefulSet"),
    pytest.param(AUTO, [web(volumes=[{"name": "data", "ephemeral": PER_POD}]), GP3], True, id="that lives as long as the pod"),
    pytest.param(AUTO, [web(volumes=[{"name": "data", "awsElasticBlockStore": {"volumeID": "v"}}])], True, id="in the pod itself"),
    pytest.param(AUTO, [web(volumes=[{"name": "data", "csi": {"driver": "ebs.csi.aws.com"}}])], True, id="by its driver"),
    pytest.param(AUTO, [web(volumes=[{"name": "data", "emptyDir": {}}])], False, id="without a driver"),
    pytest.param(AUTO, [web(volumes=[claim()])], False, id="of a claim that is not given"),
    pytest.param(NAP, [web("StatefulSet", templates=[DATA]), GP3], False, id="on node auto provisioning, which has other drivers"),
]  # fmt: skip


@pytest.mark.parametrize(("cluster", "objects", "warned"), VOLUMES)
def test_volumes_that_nodes_cannot_mount(cluster: Any, objects: list[dict[str, Any]], warned: bool) -> None:  # noqa: FBT001  # a row
    found = told(cluster, *objects)
    assert [(warning["kind"], warning["message"]) for warning in found] == ([("volume_driver", MOUNT)] if warned else [])


THEN = "Karpenter does not consolidate nodes of `c/a` with these pods, and deletes the pods 24h after a drain begins"
BUDGETS = [
    pytest.param(AUTO, [web(), budget(minAvailable=2)], None, None, id="one that allows evictions"),
    pytest.param(
        AUTO, [web(), budget(minAvailable=3)], f"PodDisruptionBudget `web` (`minAvailable: 3`) never allows an eviction with 3 replicas. {THEN}",
        "Set only `maxUnavailable: 1`", id="all must stay",
    ),
    pytest.param(
        AUTO, [web(replicas=None), budget(minAvailable=1)],
        f"PodDisruptionBudget `web` (`minAvailable: 1`) never allows an eviction with 1 replica. {THEN}",
        "Set only `maxUnavailable: 1`, and `replicas` to at least 2 to keep a pod available", id="the only one must stay",
    ),
    pytest.param(
        NAP, [web(), budget(maxUnavailable=0)],
        "PodDisruptionBudget `web` (`maxUnavailable: 0`) never allows an eviction with 3 replicas. Karpenter does not disrupt nodes of `c/a` with "
        "these pods, and a drain does not end",
        "Set only `maxUnavailable: 1`", id="without a termination grace period the drain has no end",
    ),
    pytest.param(
        AUTO, [web("Job"), budget(maxUnavailable=1)],
        "PodDisruptionBudget `web` (`maxUnavailable: 1`) never allows an eviction: how many of the pods are expected cannot be determined for Job. "
        f"{THEN}",
        "Replace `maxUnavailable: 1` with `minAvailable: 2`", id="pods of a Job",
    ),
    pytest.param(
        AUTO, [web("DaemonSet", None), budget(maxUnavailable=1)],
        "PodDisruptionBudget `web` (`maxUnavailable: 1`) never allows an eviction: how many of the pods are expected cannot be determined for "
        f"DaemonSet. {THEN}",
        "Replace `maxUnavailable: 1` with `minAvailable: 0`", id="pods of a DaemonSet",
    ),
    pytest.param(AUTO, [web("DaemonSet", None), budget(minAvailable=1)], None, None, id="whose number is not known"),
    pytest.param(AUTO, [{**web("Rollout"), **ARGO}, budget(maxUnavailable=1)], None, None, id="pods of a Rollout are of ReplicaSets, which count"),
    pytest.param(
        AUTO, [{**web("Rollout"), **ARGO}, budget(minAvailable="100%")],
        f"PodDisruptionBudget `web` (`minAvailable: 100%`) never allows an eviction with 3 replicas. {THEN}",
        "Set only `maxUnavailable: 1`", id="of which all must stay",
    ),
    pytest.param(AUTO, [{**web("Service", None), **KNATIVE}, budget(maxUnavailable=1)], None, None, id="an operator can make a Deployment"),
    pytest.param(AUTO, [{**web("Service", None), **KNATIVE}, budget(minAvailable=1)], None, None, id="with any number of pods"),
    pytest.param(AUTO, [{**web("Service", None), **KNATIVE}, budget(minAvailable=0)], None, None, id="one may go at any"),
    pytest.param(
        AUTO, [{**web("Service", None), **KNATIVE}, budget(maxUnavailable=0)],
        "PodDisruptionBudget `web` (`maxUnavailable: 0`) never allows an eviction: how many of the pods are expected cannot be determined for "
        f"Service. {THEN}",
        "Replace `maxUnavailable: 0` with `minAvailable: 0`", id="and none, whatever it makes",
    ),
    pytest.param(AUTO, [web(), ALONE, budget(maxUnavailable=0)], None, None, id="a pod without a controller is healthy, and not expected"),
    pytest.param(AUTO, [web(), ALONE, SCALER, budget(maxUnavailable=0)], None, None, id="so it is next to any number of others"),
    pytest.param(AUTO, [web(replicas=0), budget(minAvailable=1)], None, None, id="no pods"),
    pytest.param(
        AUTO, [web(replicas=None), budget(minAvailable=1), SCALER],
        f"PodDisruptionBudget `web` (`minAvailable: 1`) allows no eviction at the minimum of the autoscaler, 1 pod. {THEN}",
        "Raise the minimum of the autoscaler, or set only `maxUnavailable: 1`", id="an autoscaler sets the number: while it is the smallest",
    ),
    pytest.param(
        AUTO, [web(replicas=8), budget(minAvailable=1), KEDA],
        f"PodDisruptionBudget `web` (`minAvailable: 1`) allows no eviction at the minimum of the autoscaler, 1 pod. {THEN}",
        "Raise the minimum of the autoscaler, or set only `maxUnavailable: 1`", id="or another autoscaler, whatever the declared number",
    ),
    pytest.param(AUTO, [web(replicas=8), budget(maxUnavailable=1), SCALER], None, None, id="one may go at any number"),
    pytest.param(AUTO, [web("DaemonSet", None), budget(minAvailable=1), KEDA], None, None, id="a DaemonSet is not scaled"),
    pytest.param(
        AUTO, [web(replicas=2), budget(minAvailable="100%"), SCALER],
        f"PodDisruptionBudget `web` (`minAvailable: 100%`) never allows an eviction with 2 replicas. {THEN}",
        "Set only `maxUnavailable: 1`", id="which does not matter if all must stay",
    ),
    pytest.param(AUTO, [web(), named("PodDisruptionBudget", "api", spec={"minAvailable": 9})], None, None, id="of other pods"),
]  # fmt: skip


@pytest.mark.parametrize(("cluster", "objects", "message", "fix"), BUDGETS)
def test_budgets_that_never_allow_an_eviction(cluster: Any, objects: list[dict[str, Any]], message: str | None, fix: str | None) -> None:
    found = told(cluster, *objects)
    assert [(warning["message"], warning["fix"]) for warning in found] == ([] if message is None else [(message, fix)])


def test_two_budgets_for_one_pod() -> None:
    [found] = told(AUTO, web(), budget("a", maxUnavailable=1), budget("b", maxUnavailable=1))
    assert found["message"] == f"PodDisruptionBudgets `a`, `b` select the same pods: the API server rejects every eviction. {THEN}"
    assert found["fix"] == "Keep one PodDisruptionBudget for these pods, such as `a`"
    assert found["source"].startswith("https://")


ENDS = [
    pytest.param(AUTO, web(terminationGracePeriodSeconds=86400), [], id="as long as the node can drain"),
    pytest.param(AUTO, web(terminationGracePeriodSeconds=86401), ["grace_period"], id="longer than it can"),
    pytest.param(SHORT, web(terminationGracePeriodSeconds=7200), ["grace_period"], id="longer than the pool declares"),
    pytest.param(NAP, web(terminationGracePeriodSeconds=86401), [], id="without a limit of the pool"),
    pytest.param(NAP_SHORT, web(terminationGracePeriodSeconds=1801), ["grace_period"], id="with a limit of a pool on AKS"),
    pytest.param(AUTO, web(annotations={"karpenter.sh/do-not-disrupt": "true"}), ["do_not_disrupt"], id="do not disrupt"),
    pytest.param(AUTO, web(annotations={"karpenter.sh/do-not-disrupt": "5m"}), ["do_not_disrupt"], id="for some minutes"),
    pytest.param(AUTO, web(annotations={"karpenter.sh/do-not-disrupt": "0m"}), [], id="for no time"),
    pytest.param(AUTO, web(annotations={"karpenter.sh/do-not-disrupt": "yes"}), [], id="a value that Karpenter does not know"),
    pytest.param(NAP, web(annotations={"karpenter.sh/do-not-disrupt": "true"}), [], id="and no limit of the pool"),
    pytest.param(AUTO, web(nodeSelector={"a": "b"}, terminationGracePeriodSeconds=86401), [], id="on pools that the pod cannot use"),
]


@pytest.mark.parametrize(("cluster", "workload", "kinds"), ENDS)
def test_pods_that_end_before_their_time(cluster: Any, workload: dict[str, Any], kinds: list[str]) -> None:
    assert [warning["kind"] for warning in told(cluster, workload)] == kinds


def test_pods_that_end_are_told_with_the_pool_and_the_time() -> None:
    [grace] = told(SHORT, web(terminationGracePeriodSeconds=7200))
    assert grace["message"] == (
        "`terminationGracePeriodSeconds` (7200) is longer than `terminationGracePeriod` (1h) of `c/a`: Karpenter deletes the pod as soon as its node "
        "drains, regardless of PodDisruptionBudgets, and terminates it after 1h"
    )
    assert grace["fix"] == "Set `terminationGracePeriodSeconds` to at most 3600, or raise `terminationGracePeriod` of the NodePool"
    [protected] = told(SHORT, web(annotations={"karpenter.sh/do-not-disrupt": "true"}))
    assert protected["message"] == (
        "`karpenter.sh/do-not-disrupt` does not protect the pod from drift and expiration on `c/a`: the node drains for "
        "`terminationGracePeriod` (1h), then Karpenter deletes the pod"
    )


def zonal(**sized: Any) -> Any:
    return aks(web=UserPool(vm_size="Standard_D4ds_v5", zones=[1, 2, 3], **sized))


def provisioned(*zones: str) -> Any:
    return nap(a=AksNodePool(requirements=[Requirement("topology.kubernetes.io/zone", "In", [*zones])] if zones else []))


TAINTED = eks(a=EksNodePool(requirements=[AMD64], taints=[Taint("team", "a", "NoExecute")]))
FOR_EVER = {"key": "team", "operator": "Exists", "effect": "NoExecute"}
BRIEFLY = {**FOR_EVER, "tolerationSeconds": 5}
OVER_ZONES = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "labelSelector": {"matchLabels": {"app": "web"}}}
HARD = {**OVER_ZONES, "whenUnsatisfiable": "DoNotSchedule"}
MORE = [
    pytest.param(TAINTED, web(tolerations=[BRIEFLY]), ["eviction"], id="a taint that is tolerated for some time"),
    pytest.param(TAINTED, web(tolerations=[FOR_EVER]), [], id="for ever"),
    pytest.param(TAINTED, web(tolerations=[FOR_EVER, BRIEFLY]), [], id="the first toleration decides"),
    pytest.param(AUTO, web(tolerations=[BRIEFLY]), [], id="without the taint"),
    pytest.param(AUTO, web(topologySpreadConstraints=[HARD]), ["spread"], id="a hard spread over zones"),
    pytest.param(AUTO, web(topologySpreadConstraints=[{**HARD, "minDomains": 2}]), [], id="with a number of zones"),
    pytest.param(AUTO, web(replicas=1, topologySpreadConstraints=[HARD]), [], id="of one pod"),
    pytest.param(AUTO, web(topologySpreadConstraints=[{**OVER_ZONES, "whenUnsatisfiable": "ScheduleAnyway"}]), [], id="a soft one"),
    pytest.param(AGENTS, web(topologySpreadConstraints=[HARD]), [], id="on agent pools, whose nodes stay"),
    pytest.param(zonal(scale=Autoscale(min=1, max=6)), web(topologySpreadConstraints=[HARD]), ["spread"], id="an autoscaled pool"),
    pytest.param(zonal(count=3), web(topologySpreadConstraints=[HARD]), ["spread"], id="no node in each zone is certain"),
    pytest.param(provisioned(), web(topologySpreadConstraints=[HARD]), ["spread"], id="zones of auto provisioning are not known"),
    pytest.param(provisioned("westeurope-1"), web(topologySpreadConstraints=[HARD]), [], id="one zone"),
    pytest.param(provisioned("westeurope-1", "westeurope-2"), web(topologySpreadConstraints=[HARD]), ["spread"], id="two zones"),
    *(
        pytest.param(cluster, web(topologySpreadConstraints=[HARD], nodeSelector={OVER_ZONES["topologyKey"]: zone}), [], id=f"one zone in {zone}")
        for cluster, zone in ((AUTO, "us-east-1a"), (zonal(scale=Autoscale(min=1, max=6)), "westeurope-2"), (provisioned(), "westeurope-1"))
    ),
]


@pytest.mark.parametrize(("cluster", "workload", "kinds"), MORE)
def test_pods_that_come_back_or_crowd(cluster: Any, workload: dict[str, Any], kinds: list[str]) -> None:
    assert [warning["kind"] for warning in told(cluster, workload)] == kinds


def test_an_eviction_is_told_with_the_taint_and_the_time() -> None:
    [found] = told(TAINTED, web(tolerations=[BRIEFLY]))
    assert found["message"] == (
        "The pods tolerate taint `team=a:NoExecute` of `c/a` for 5 s: they are evicted then, and the next ones can be scheduled on the same nodes"
    )


def test_budgets_count_on_agent_pools_too() -> None:
    [found] = told(AGENTS, web(), budget(maxUnavailable=0))
    assert found["message"] == (
        "PodDisruptionBudget `web` (`maxUnavailable: 0`) never allows an eviction with 3 replicas. "
        "A drain of nodes of `c/web` with these pods does not end"
    )
    both = told(AGENTS, web(), budget("a", maxUnavailable=1), budget("b", maxUnavailable=1))
    assert [warning["kind"] for warning in both] == ["disruption_budget"]


@pytest.mark.parametrize(("cpu", "kinds"), [("200m", []), ("1", ["daemon_share"])])
def test_the_share_of_daemon_sets_of_small_nodes(cpu: str, kinds: list[str]) -> None:
    requests = {"containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}]}
    found = told(AGENTS, web("DaemonSet", None, **requests))
    assert [warning["kind"] for warning in found] == kinds
    if found:
        assert found[0]["message"].startswith("DaemonSets request 1 of at most 1900m cpu of each node of `c/web`: less than half is left")


DISK = {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}
LOCAL = named("StorageClass", "gp3", provisioner="disk.csi.azure.com")
REDUNDANT = {**LOCAL, "parameters": {"skuname": "StandardSSD_ZRS"}}
BY_CLASS = named("PersistentVolumeClaim", "data", spec={"storageClassName": "gp3"})
BOUND = named("PersistentVolumeClaim", "data", spec={"storageClassName": "", "volumeName": "disk"})
OF_STS = {**BOUND, "metadata": {"name": "data-web-0"}}
PER_REPLICA = {"metadata": {"name": "data"}, "spec": {**STORAGE, "storageClassName": "gp3"}}


def volume(*zones: str) -> dict[str, Any]:
    one_of = {"key": "topology.disk.csi.azure.com/zone", "operator": "In", "values": [*zones]}
    terms = {"required": {"nodeSelectorTerms": [{"matchExpressions": [one_of]}]}}
    return named("PersistentVolume", "disk", spec={"csi": {"driver": "disk.csi.azure.com"}, **({"nodeAffinity": terms} if zones else {})})


DISKS = [
    pytest.param(zonal(count=3), [web(volumes=[DISK]), BY_CLASS, LOCAL], True, id="a class of local disks"),
    pytest.param(aks(web=UserPool(vm_size="Standard_D4ds_v5", zones=[2])), [web(volumes=[DISK]), BY_CLASS, LOCAL], False, id="a pool in one zone"),
    pytest.param(zonal(count=3), [web(volumes=[DISK]), BY_CLASS, REDUNDANT], False, id="a class of disks in all zones"),
    pytest.param(zonal(count=3), [web(volumes=[DISK]), BY_CLASS], False, id="a class that is not known"),
    pytest.param(zonal(count=3), [web(volumes=[DISK]), LOCAL], False, id="a claim that is not known"),
    pytest.param(zonal(count=3), [web(volumes=[DISK]), BOUND, volume("westeurope-1")], True, id="a volume in one zone"),
    pytest.param(zonal(count=3), [web(volumes=[DISK]), BOUND, volume("westeurope-1", "westeurope-2")], False, id="a volume in two"),
    pytest.param(zonal(count=3), [web(volumes=[DISK]), BOUND, volume()], False, id="a volume whose zone is not known"),
    pytest.param(zonal(count=3), [web("StatefulSet", templates=[PER_REPLICA]), LOCAL], True, id="claims for each pod"),
    pytest.param(zonal(count=3), [web("StatefulSet", templates=[PER_REPLICA]), OF_STS, volume("a", "b"), LOCAL], False, id="such a claim exists"),
    pytest.param(AGENTS, [web(volumes=[DISK]), BY_CLASS, LOCAL], False, id="a pool without zones"),
    pytest.param(provisioned("westeurope-1", "westeurope-2"), [web(volumes=[DISK]), BY_CLASS, LOCAL], False, id="Karpenter launches in the zone"),
    pytest.param(nap(a=AksNodePool(replicas=3)), [web(volumes=[DISK]), BY_CLASS, LOCAL], True, id="not the nodes of a static NodePool"),
]


@pytest.mark.parametrize(("cluster", "objects", "warned"), DISKS)
def test_disks_whose_next_node_can_be_in_another_zone(cluster: Any, objects: list[dict[str, Any]], warned: bool) -> None:  # noqa: FBT001  # a row
    assert [warning["kind"] for warning in told(cluster, *objects)] == ["zonal_volume"] * warned


def test_a_disk_is_told_with_the_pool() -> None:
    [found] = told(zonal(count=3), web(volumes=[DISK]), BY_CLASS, LOCAL)
    assert found["message"] == (
        "Volume `data` is a disk in one zone, and nodes of `c/web` can be in others: after a drain, the pod waits if no node in the zone of its disk "
        "has room"
    )


@pytest.mark.parametrize(("zones", "kinds"), [({"us-east-1a", "us-east-1b"}, ["spread", "zonal_volume"]), ({"us-east-1a"}, []), (set[str](), [])])
def test_node_groups_of_several_zones(zones: set[str], kinds: list[str]) -> None:
    group = StaticPool("g", ({},), choices={"topology.kubernetes.io/zone": frozenset(zones)} if zones else {}, offers={})
    objects = [web(topologySpreadConstraints=[HARD], volumes=[DISK]), BY_CLASS, GP3]
    [workload] = read_workloads(objects)
    [answer] = explain([workload], [ClusterPools("c", (group,))], read_workload_objects(objects))
    assert [warning.kind.value for warning in answer.warnings] == kinds


LOCKED = Disruption(budgets=[Budget(nodes="0", schedule="0 8 * * *", duration="12h")])
EXPIRING = [
    pytest.param(eks(a=EksNodePool(requirements=[AMD64], disruption=LOCKED)), [web()], "336h", id="the default of Auto Mode"),
    pytest.param(nap(a=AksNodePool(disruption=LOCKED, expire_after="24h")), [web()], "24h", id="of node auto provisioning"),
    pytest.param(nap(a=AksNodePool(disruption=LOCKED, expire_after="Never")), [web()], "", id="never"),
    pytest.param(nap(a=AksNodePool(disruption=Disruption(budgets=[Budget(nodes="1")]))), [web()], "", id="budgets that always allow one"),
    pytest.param(nap(a=AksNodePool(disruption=LOCKED)), [web(), budget(maxUnavailable=1)], "", id="pods of which one may go at a time"),
    pytest.param(nap(a=AksNodePool(disruption=LOCKED)), [web(replicas=1), budget(maxUnavailable=1)], "720h", id="one pod"),
    pytest.param(nap(a=AksNodePool(disruption=LOCKED)), [web("DaemonSet", None)], "", id="pods that stay on their node"),
]


@pytest.mark.parametrize(("cluster", "objects", "age"), EXPIRING)
def test_nodes_that_expire_while_budgets_hold(cluster: Any, objects: list[dict[str, Any]], age: str) -> None:
    said = f"Karpenter drains each node of `c/a` {age} after its launch, also while a disruption budget allows no node"
    assert [warning["message"] for warning in told(cluster, *objects)] == ([said] if age else [])


def test_the_share_of_daemon_sets_of_the_smallest_machine() -> None:
    large = {"containers": [{"name": "main", "resources": {"requests": {"cpu": "3"}}}]}
    four = Requirement("karpenter.azure.com/sku-cpu", "In", ["4"])
    [found] = told(nap(a=AksNodePool(requirements=[*D_SERIES, four])), web("DaemonSet", None, **large))
    assert found["kind"] == "daemon_share"
    assert re.fullmatch(
        r"DaemonSets request 3 of at most 4 cpu of a `Standard_D\S+`, which `c/a` can launch: less than half is left .*", found["message"]
    )
    sixteen = Requirement("karpenter.azure.com/sku-cpu", "In", ["16"])
    assert not told(nap(a=AksNodePool(requirements=[*D_SERIES, sixteen])), web("DaemonSet", None, **large))


ARM = UserPool(vm_size="Standard_D4pds_v5", count=2)
OTHER = UserPool(vm_size="Standard_D4ds_v5", count=2)


def preferring(architecture: str) -> dict[str, Any]:
    wish = {"matchExpressions": [{"key": "kubernetes.io/arch", "operator": "In", "values": [architecture]}]}
    return {"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": wish}]}}}


EITHER = "Add `nodeSelector: {kubernetes.io/arch: amd64}`, or use images for both architectures"


@pytest.mark.parametrize(
    ("pools", "spec", "fixes"),
    [
        pytest.param({"web": OTHER}, {}, [], id="no arm64 nodes"),
        pytest.param({"web": OTHER, "arm": ARM}, {}, [EITHER], id="both"),
        pytest.param({"arm": ARM}, {}, ["Use images for arm64"], id="arm64 alone"),
        pytest.param({"web": OTHER, "arm": ARM}, {"nodeSelector": {"kubernetes.io/arch": "amd64"}}, [], id="amd64 is selected"),
        pytest.param({"web": OTHER, "arm": ARM}, {"nodeSelector": {"beta.kubernetes.io/arch": "arm64"}}, [], id="by the former label"),
        pytest.param({"web": OTHER, "arm": ARM}, {"nodeSelector": {"nodepools/name": "web"}}, [], id="a pool of amd64 is selected"),
        pytest.param({"web": OTHER, "arm": ARM}, preferring("arm64"), [], id="arm64 is preferred"),
        pytest.param({"web": OTHER, "arm": ARM}, preferring("amd64"), [EITHER], id="amd64 is preferred"),
    ],
)
def test_pods_that_can_land_on_arm64(pools: dict[str, UserPool], spec: dict[str, Any], fixes: list[str]) -> None:
    workloads = list(read_workloads(web(**spec)))
    [answer] = explain(workloads, catalog(Platform(name="dev", clusters={"c": aks(**pools)})))
    assert [one.fix for one in answer.warnings if one.kind.value == "architecture"] == fixes

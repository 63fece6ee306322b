"""What other objects of the input change in pods, and which pods the API server rejects because of them."""

import re
from dataclasses import replace
from typing import Any

import pytest

from nodepools import Platform, UserPool
from nodepools.cli.explain.outcome import Placement
from nodepools.clouds.registry import catalog
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.placement.admission import admitted
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.explained import explain_replicas
from tests.replicas.clusters import SMALL, aks

CPU = {"cpu": "500m"}


def pod(*containers: dict[str, Any], name: str = "p", metadata: Any = None, **spec: Any) -> dict[str, Any]:
    own: dict[str, Any] = {"name": name, **(metadata or {})}
    return {"kind": "Pod", "metadata": own, "spec": {"containers": list(containers) or [{"name": "c"}], **spec}}


def container(requests: Any = None, limits: Any = None, name: str = "c") -> dict[str, Any]:
    return {"name": name, "resources": {"requests": requests or {}, "limits": limits or {}}}


def named(kind: str, name: str = "x", **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": name}, **fields}


def limits(*entries: dict[str, Any], name: str = "x") -> dict[str, Any]:
    return named("LimitRange", name, spec={"limits": [{"type": "Container", **entry} for entry in entries]})


def quota(hard: dict[str, Any], used: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    return named("ResourceQuota", "q", spec={"hard": hard, **spec}, **({"status": {"used": used}} if used else {}))


def deployment(replicas: int, *containers: dict[str, Any], name: str = "web", kind: str = "Deployment") -> dict[str, Any]:
    template = {"spec": {"containers": list(containers) or [{"name": "c"}]}}
    return named(kind, name, spec={"template": template, **({} if kind == "DaemonSet" else {"replicas": replicas})})


def first(*found: dict[str, Any], adds: bool | None = None, minor: int | None = None) -> Workload:
    return admitted(list(read_workloads(list(found))), read_workload_objects(found), adds_node_selectors=adds, minor=minor)[0]


KATA = named(
    "RuntimeClass", "kata", handler="kata", scheduling={"nodeSelector": {"kata": "true"}, "tolerations": [{"key": "k", "operator": "Exists"}]}
)
HEAVY = named("RuntimeClass", "kata", handler="kata", overhead={"podFixed": {"cpu": "100m"}})
SELECTING = {"kind": "Namespace", "metadata": {"name": "default", "annotations": {"scheduler.alpha.kubernetes.io/node-selector": "tier=web, a=b"}}}


def tolerating(**annotations: str) -> dict[str, Any]:
    names = {"default": "defaultTolerations", "whitelist": "tolerationsWhitelist"}
    found = {f"scheduler.alpha.kubernetes.io/{names[key]}": value for key, value in annotations.items()}
    return {"kind": "Namespace", "metadata": {"name": "default", "annotations": found}}


REQUESTS = [
    ([pod(), limits({"defaultRequest": {"cpu": "3"}})], (("cpu", 3000),)),
    ([pod(), limits({"default": {"cpu": 2}})], (("cpu", 2000),)),
    ([pod(), limits({"max": {"cpu": 4}})], (("cpu", 4000),)),
    ([pod(), limits({"default": {"cpu": 2}, "defaultRequest": {"cpu": 1}, "min": {"cpu": "100m"}})], (("cpu", 1000),)),
    ([pod(container(CPU)), limits({"defaultRequest": {"cpu": 3}})], (("cpu", 500),)),
    ([pod(container(None, CPU)), limits({"defaultRequest": {"cpu": 3}})], (("cpu", 500),)),
    ([pod(initContainers=[{"name": "i"}]), limits({"defaultRequest": {"cpu": 3}})], (("cpu", 3000),)),
    ([pod(), {**limits({"defaultRequest": {"cpu": 3}}), "metadata": {"name": "x", "namespace": "other"}}], ()),
    ([pod(runtimeClassName="kata"), HEAVY], (("cpu", 100),)),
    ([pod(runtimeClassName="kata", overhead={"cpu": "0.1"}), HEAVY], (("cpu", 100),)),
]
"""Objects, and what the pod then requests."""


@pytest.mark.parametrize(("found", "expected"), REQUESTS)
def test_requests(found: list[dict[str, Any]], expected: tuple[tuple[str, int], ...]) -> None:
    workload = first(*found)
    assert (workload.pod.requests, workload.holds) == (expected, ())


def enforcing(level: str, **labels: str) -> dict[str, Any]:
    """The Namespace of the pods, which enforces a Pod Security Standard."""
    found = {"pod-security.kubernetes.io/enforce": level, **labels}
    return {"kind": "Namespace", "metadata": {"name": "default", "labels": found}}


HIGH = named("PriorityClass", "high", value=1)
REJECTED = [
    (
        [pod(container({"cpu": 2})), limits({"default": {"cpu": 1}})],
        "LimitRange `x`: container `c` requests 2 cpu, and its limit is 1",
    ),
    ([pod(container({"cpu": 2}, {"cpu": 2})), limits({"max": {"cpu": 1}})], "LimitRange `x`: container `c` must have a limit of at most 1 cpu"),
    ([pod(container(CPU)), limits({"min": {"cpu": 1}})], "container `c` must request at least 1 cpu"),
    ([pod(container(CPU, {"cpu": 2})), limits({"maxLimitRequestRatio": {"cpu": 2}})], "the limit of cpu of container `c` must be at most 2 times"),
    ([pod(), limits({"type": "Pod", "max": {"cpu": 1}})], "the pod must have a limit of at most 1 cpu"),
    ([pod(), limits({"type": "Pod", "min": {"cpu": 1}})], "the pod must request at least 1 cpu"),
    ([pod(priority=7, priorityClassName="high"), HIGH], "`spec.priority` is `7`, and that of PriorityClass `high` is `1`"),
    ([pod(priority=7), {**HIGH, "globalDefault": True}], "`spec.priority` is `7`, and that of PriorityClass `high` is `1`"),
    (
        [pod(preemptionPolicy="Never", priorityClassName="high"), HIGH],
        "`spec.preemptionPolicy` is `Never`, and that of PriorityClass `high` is `PreemptLowerPriority`",
    ),
    ([pod(overhead={"cpu": 1})], "`spec.overhead` is set without `runtimeClassName`"),
    ([pod(runtimeClassName="kata", overhead={"cpu": 1}), HEAVY], "`spec.overhead` is not that of RuntimeClass `kata`"),
    ([pod(runtimeClassName="kata", nodeSelector={"kata": "no"}), KATA], "RuntimeClass `kata` selects nodes with `kata=true`, the pod with `kata=no`"),
    ([pod(), quota({"requests.cpu": 4})], "ResourceQuota `q` limits `requests.cpu`, so each container must specify it"),
    ([pod(container(CPU)), quota({"limits.cpu": 4})], "ResourceQuota `q` limits `limits.cpu`"),
    ([pod(hostNetwork=True), enforcing("baseline")], "the Namespace enforces Pod Security Standard `baseline`: `hostNetwork` is `true`"),
    ([pod(), enforcing("restricted")], "`restricted`: container `c` or the pod must set `runAsNonRoot: true`, container `c` must set"),
]
"""Objects, and why the API server then rejects the pods."""


@pytest.mark.parametrize(("found", "message"), REJECTED)
def test_rejected(found: list[dict[str, Any]], message: str) -> None:
    [hold] = first(*found).holds
    assert message in hold.message
    assert hold.message.startswith("the API server rejects the pods: ")
    assert hold.maximum == 0


@pytest.mark.parametrize(
    ("maximum", "fix"),
    [
        pytest.param({}, "Set the limit in the container, or request less", id="a higher limit is allowed"),
        pytest.param({"cpu": 2}, "Set the limit in the container, or request less", id="up to the request"),
        pytest.param({"cpu": 1}, "Request less", id="only less is allowed"),
    ],
)
def test_a_limit_that_a_range_rejects_too_is_no_fix(maximum: dict[str, int], fix: str) -> None:
    held = first(pod(container({"cpu": 2})), limits({"default": {"cpu": 1}, "defaultRequest": {"cpu": 1}, "max": maximum}))
    assert [hold.fix for hold in held.holds if "requests 2 cpu" in hold.message] == [fix]


def of_class(operator: str, *values: str) -> dict[str, Any]:
    """The scope of pods by their PriorityClass."""
    return {"scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": operator, "values": list(values)}]}}


def across(kind: str, **fields: Any) -> dict[str, Any]:
    """A preferred term of affinity to pods."""
    return pod(
        affinity={kind: {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": {"topologyKey": "a", **fields}}]}}
    )


def cron_job(job: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """A CronJob; `job` is more of the spec of its Jobs."""
    template = {"spec": {**(job or {}), "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c"}]}}}}
    return named("CronJob", spec={"schedule": "0 1 * * *", "jobTemplate": template, **spec})


NINE, DEFAULT = named("PriorityClass", "high", value=9), named("PriorityClass", "all", value=1, globalDefault=True)
USED = container(CPU)
SCOPES = [
    pytest.param([pod(), quota({"pods": 0}, scopes=["BestEffort"])], 0, id="requests nothing"),
    pytest.param([pod(container({"ephemeral-storage": "1Gi"})), quota({"pods": 0}, scopes=["BestEffort"])], 0, id="only CPU and memory matter"),
    pytest.param([pod(USED), quota({"pods": 0}, scopes=["BestEffort"])], None, id="requests CPU"),
    pytest.param([pod(USED), quota({"pods": 0}, scopes=["NotBestEffort"])], 0, id="not best effort"),
    pytest.param(
        [pod(initContainers=[container(CPU, name="i")]), quota({"pods": 0}, scopes=["BestEffort"])], None, id="an init container requests CPU"
    ),
    pytest.param([pod(), limits({"defaultRequest": CPU}), quota({"pods": 0}, scopes=["BestEffort"])], None, id="with the defaults of a LimitRange"),
    pytest.param([pod(activeDeadlineSeconds=9), quota({"pods": 0}, scopes=["Terminating"])], 0, id="with a deadline"),
    pytest.param([pod(), quota({"pods": 0}, scopes=["Terminating"])], None, id="without a deadline"),
    pytest.param(
        [cron_job({"activeDeadlineSeconds": 9}), quota({"pods": 0}, scopes=["Terminating"])], None, id="the deadline of a Job is not its pods'"
    ),
    pytest.param([pod(), quota({"pods": 0}, scopes=["NotTerminating", "NotBestEffort"])], None, id="in one of two scopes"),
    pytest.param([pod(USED), quota({"pods": 0}, scopes=["NotTerminating", "NotBestEffort"])], 0, id="in both scopes"),
    pytest.param([pod(priorityClassName="high"), NINE, quota({"pods": 0}, **of_class("In", "high"))], 0, id="of the class"),
    pytest.param([pod(priorityClassName="high"), NINE, quota({"pods": 0}, **of_class("NotIn", "high"))], None, id="not of another class"),
    pytest.param([pod(), DEFAULT, quota({"pods": 0}, **of_class("In", "all"))], 0, id="of the default class"),
    pytest.param([across("podAffinity", namespaces=["a"]), quota({"pods": 0}, scopes=["CrossNamespacePodAffinity"])], 0, id="to other namespaces"),
    pytest.param(
        [across("podAntiAffinity", namespaceSelector={}), quota({"pods": 0}, scopes=["CrossNamespacePodAffinity"])], 0, id="to all namespaces"
    ),
    pytest.param([across("podAffinity"), quota({"pods": 0}, scopes=["CrossNamespacePodAffinity"])], None, id="to its own namespace"),
    pytest.param([deployment(1), quota({"count/deployments.apps": 0}, scopes=["NotTerminating"])], None, id="a scope is one of pods"),
    pytest.param(
        [
            pod(),
            quota({"persistentvolumeclaims": 0}, scopeSelector={"matchExpressions": [{"scopeName": "VolumeAttributesClass", "operator": "Exists"}]}),
        ],
        None,
        id="of volumes",
    ),
]
"""Objects, and how many pods a quota of none leaves: it counts them, or it does not."""


@pytest.mark.parametrize(("found", "most"), SCOPES)
def test_scopes_of_quotas(found: list[dict[str, Any]], most: int | None) -> None:
    assert [hold.maximum for hold in first(*found).holds] == ([] if most is None else [most])


@pytest.mark.parametrize("operator", ["Exists", "DoesNotExist"])
def test_a_class_that_the_input_lacks_can_be_the_default_one(operator: str) -> None:
    counted = quota({"pods": 0}, **of_class(operator))
    [hold] = first(pod(), NINE, counted).holds
    assert (hold.minimum, hold.maximum) == (0, None)
    every = {**NINE, "metadata": {"name": "system-node-critical"}, "value": 2_000_001_000}
    assert [hold.maximum for hold in first(pod(), NINE, every, counted).holds] == ([] if operator == "Exists" else [0])


def test_pods_outside_of_a_scope_use_nothing_of_the_quota() -> None:
    counted, other = deployment(2, USED), deployment(5, name="other")
    assert [hold.minimum for hold in first(counted, other, quota({"pods": 3}, scopes=["NotBestEffort"])).holds] == [3]
    assert [hold.minimum for hold in first(counted, other, quota({"pods": 3}, scopes=["NotTerminating"])).holds] == [0]


WRONG_SCOPES = [
    ({"scopes": ["Terminating", "NotTerminating"]}, "`Terminating Exists` is not a scope that the API server accepts for `cpu`"),
    ({"scopes": ["Other"]}, "`Other Exists` is not a scope"),
    (of_class("In"), "is not a scope"),
    ({"scopeSelector": {"matchExpressions": [{"scopeName": "BestEffort", "operator": "In", "values": ["a"]}]}}, "is not a scope"),
    ({"scopes": ["BestEffort"]}, "`BestEffort Exists` is not a scope"),
]


@pytest.mark.parametrize(("scopes", "message"), WRONG_SCOPES)
def test_wrong_scopes(scopes: dict[str, Any], message: str) -> None:
    with pytest.raises(PodError, match=re.escape(message)):
        read_workload_objects([quota({"cpu": 1}, **scopes)])


def paused() -> dict[str, Any]:
    found = deployment(2)
    return {**found, "spec": {**found["spec"], "paused": True}}


def job(managed_by: str = "kubernetes.io/job-controller") -> dict[str, Any]:
    template = {"spec": {**pod()["spec"], "restartPolicy": "Never"}}
    return {"apiVersion": "batch/v1", **named("Job", spec={"managedBy": managed_by, "template": template})}


def nightly(found: dict[str, Any], **labels: str) -> dict[str, Any]:
    """A CronJob; Jobs have the labels of its template of Jobs, not its own."""
    template = {"metadata": {"labels": labels}, "spec": found["spec"]}
    return {"apiVersion": "batch/v1", **named("CronJob", spec={"schedule": "0 2 * * *", "jobTemplate": template})}


def with_claim() -> dict[str, Any]:
    """A pod for which a claim is created."""
    claim = {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2Gi"}}}}
    return pod(volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": claim}}])


def pod_group(policy: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "scheduling.k8s.io/v1beta1", **named("PodGroup", spec={"schedulingPolicy": policy})}


UNKNOWN = [
    ([pod(priority=7)], "the API server rejects `spec.priority: 7`, unless a default PriorityClass has this value"),
    ([pod(priorityClassName="high")], "PriorityClass `high` is not in the input: if it does not exist, the API server rejects the pods"),
    ([pod(runtimeClassName="kata")], "RuntimeClass `kata` is not in the input"),
    ([pod(), SELECTING], "whether the node selector of Namespace `default` applies depends on the cloud"),
    ([pod(), tolerating(default='[{"key": "a", "operator": "Exists"}]')], "Namespace `default` adds tolerations to the pods only if"),
    ([pod(), tolerating(default="[]", whitelist='[{"key": "a"}]')], "Namespace `default` restricts the tolerations of the pods only if"),
    ([pod(), limits({"defaultRequest": {"cpu": 1}}), limits({"defaultRequest": {"cpu": 2}}, name="y")], "which defaults of LimitRanges `x`, `y`"),
    ([pod(), quota({"pods": 0}, **of_class("NotIn", "high"))], "whether it counts the pods depends on the default PriorityClass"),
    ([pod(schedulingGates=[{"name": "a"}])], "the pods have scheduling gates"),
    ([pod(schedulerName="volcano")], "`spec.schedulerName` is `volcano`"),
    ([pod(nodeName="n1")], "`spec.nodeName` is `n1`"),
    ([pod(schedulingGroup={"podGroupName": "a"})], "the pods belong to PodGroup `a`, which is scheduled as a whole or not at all"),
    ([pod(metadata={"labels": {"scheduling.x-k8s.io/pod-group": "a"}})], "the pods belong to a group that another scheduler starts"),
    ([pod(metadata={"labels": {"kueue.x-k8s.io/queue-name": "batch"}})], "Kueue admits the pods in queue `batch`"),
    (
        [pod(tolerations=[{"key": "a", "operator": "Gt", "value": "1"}])],
        "tolerations with `Gt` or `Lt` (gate TaintTolerationComparisonOperators, off by default in Kubernetes 1.37)",
    ),
    ([paused()], "the Deployment is paused"),
    ([job("acme.io/controller")], "`managedBy` is `acme.io/controller`: its controller creates the pods, in this cluster or in another one"),
    ([nightly(job("kueue.x-k8s.io/multikueue"))], "`managedBy` is `kueue.x-k8s.io/multikueue`"),
    ([nightly(job(), **{"kueue.x-k8s.io/queue-name": "batch"})], "Kueue admits the pods in queue `batch`"),
    ([pod(hostPID=True), enforcing("baseline", **{"pod-security.kubernetes.io/enforce-version": "v1.25"})], "whether version `v1.25` checks it"),
    ([with_claim(), limits({"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}})], "LimitRange `x` limits the storage of"),
    ([with_claim(), quota({"requests.storage": "1Gi"})], "ResourceQuota `q` limits the storage of PersistentVolumeClaims"),
    ([with_claim(), quota({"gold.storageclass.storage.k8s.io/requests.storage": "1Gi"})], "ResourceQuota `q` limits the storage"),
    ([deployment(1), quota({"count/deployments.apps": 1}, used={"count/deployments.apps": 1})], "allows `count/deployments.apps: 1`"),
]
"""What decides whether pods run, and is not in the input or not modelled."""


@pytest.mark.parametrize(("found", "message"), UNKNOWN)
def test_unknown(found: list[dict[str, Any]], message: str) -> None:
    [hold] = first(*found).holds
    assert message in hold.message
    assert (hold.minimum, hold.maximum) == (0, None)


COUNTED = [
    ([pod(), quota({"pods": 10}, used={"pods": 10})], 0),
    ([pod(), quota({"pods": 10}, used={"pods": 9})], 1),
    ([deployment(3), quota({"pods": 10}, used={"pods": 8})], 2),
    ([with_claim(), quota({"persistentvolumeclaims": 0})], 0),
    ([with_claim(), quota({"count/persistentvolumeclaims": 1})], 1),
    ([deployment(2), quota({"count/deployments.apps": 0})], 0),
    ([deployment(2), deployment(1, name="api"), quota({"count/deployments.apps": 1})], 2),
]
"""Objects, and how many of the pods a quota allows at most."""


@pytest.mark.parametrize(("found", "most"), COUNTED)
def test_what_a_quota_leaves(found: list[dict[str, Any]], most: int) -> None:
    assert [hold.maximum for hold in first(*found).holds] == [most]


SUSPENDED = [
    pytest.param(cron_job(suspend=True), (0, 1), id="a CronJob"),
    pytest.param(cron_job({"suspend": True, "parallelism": 3, "completions": 2}), (0, 2), id="the Jobs of a CronJob"),
    pytest.param(cron_job({"suspend": False}), (1, 0), id="none"),
]


@pytest.mark.parametrize(("raw", "pods"), SUSPENDED)
def test_what_is_suspended_has_no_pods(raw: dict[str, Any], pods: tuple[int, int]) -> None:
    found = first(raw)
    assert ((found.replicas, found.suspended), found.holds) == (pods, ())


NOTHING = [
    [pod(), enforcing("baseline")],
    [deployment(1), quota({"count/deployments.apps": 1})],
    [pod(), limits({"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}}), quota({"requests.storage": "1Gi"})],
    [pod(priorityClassName="system-node-critical")],
    [pod(priority=1, preemptionPolicy="PreemptLowerPriority", priorityClassName="high"), HIGH],
    [pod(priority=0)],
    [pod(priorityClassName="high"), named("PriorityClass", "high", value=1)],
    [pod(metadata={"uid": "1"}, priorityClassName="high", nodeName="n1"), limits({"max": {"cpu": 1}}), quota({"requests.cpu": 1})],
    [pod(container(CPU, CPU)), quota({"pods": 4, "services": 1}), quota({"pods": 4})],
    [pod(), limits({"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}})],
    [pod(), {**quota({"pods": 0}), "metadata": {"name": "q", "namespace": "other"}}],
]


@pytest.mark.parametrize("found", NOTHING)
def test_nothing_holds(found: list[dict[str, Any]]) -> None:
    assert not [hold for hold in first(*found).holds if hold.maximum is None or hold.maximum < 1]


QUOTAS = [
    ([deployment(3), quota({"pods": "1"})], (1, 1)),
    ([deployment(3), quota({"count/pods": 2})], (2, 2)),
    ([deployment(3, container({"cpu": 1})), quota({"requests.cpu": 2})], (2, 2)),
    ([deployment(3, container({"cpu": 1}, {"cpu": 2})), quota({"limits.cpu": 4})], (2, 2)),
    ([deployment(3), deployment(2, name="other"), quota({"pods": 4})], (2, 4)),
    ([deployment(3), deployment(1, kind="DaemonSet", name="d"), quota({"pods": 4})], (0, 4)),
    ([deployment(1, kind="DaemonSet", name="d"), quota({"pods": 4})], (0, 4)),
]


@pytest.mark.parametrize(("found", "expected"), QUOTAS)
def test_quotas(found: list[dict[str, Any]], expected: tuple[int, int]) -> None:
    [hold] = first(*found).holds
    assert (hold.minimum, hold.maximum) == expected


def test_nodes_and_tolerations_of_a_runtime_class() -> None:
    workload = first(pod(runtimeClassName="kata"), KATA)
    assert workload.pod.node_selector == (("kata", "true"),)
    assert "k" in [toleration.key for toleration in workload.pod.tolerations]


@pytest.mark.parametrize(("adds", "expected"), [(True, (("a", "b"), ("tier", "web"))), (False, ())])
def test_the_node_selector_of_a_namespace(*, adds: bool, expected: tuple[tuple[str, str], ...]) -> None:
    assert first(pod(), SELECTING, adds=adds).pod.node_selector == expected


def test_the_default_tolerations_of_a_namespace() -> None:
    found = tolerating(default='[{"key": "a", "operator": "Exists"}]')
    assert [one.key for one in first(pod(), found).pod.tolerations][:1] == ["a"]
    assert not first(pod(tolerations=[{"key": "a", "operator": "Exists"}]), found).holds
    assert not first(pod(), tolerating(default="", whitelist="[]")).holds


@pytest.mark.parametrize("written", ["a", "{}", '["a"]', '[{"key": 1}]'])
def test_tolerations_of_a_namespace_that_are_none(written: str) -> None:
    with pytest.raises(PodError, match="defaultTolerations` must be a list of tolerations in JSON, but is"):
        read_workload_objects([tolerating(default=written)])


def test_a_node_selector_that_is_none() -> None:
    annotation = {"scheduler.alpha.kubernetes.io/node-selector": "tier"}
    with pytest.raises(PodError, match="must be labels such as `team=web,tier=a`, but is `tier`"):
        read_workload_objects([{"kind": "Namespace", "metadata": {"name": "default", "annotations": annotation}}])


def test_a_ratio_of_limits_that_is_kept_holds_nothing() -> None:
    assert not first(pod(container({"cpu": "1"}, {"cpu": "2"})), limits({"type": "Container", "maxLimitRequestRatio": {"cpu": 2}})).holds


def test_a_quota_does_not_count_pods_that_are_rejected() -> None:
    found = [deployment(3, container({"cpu": "100m"})), deployment(2, name="rejected"), quota({"requests.cpu": 1, "pods": 2})]
    assert {(hold.minimum, hold.maximum) for hold in first(*found).holds if "`pods: 2`" in hold.message} == {(2, 2)}


OBJECTS = [
    (named("PriorityClass", "high", value=2_000_000_000), "`value` must be at most 1000000000, but is `2000000000`"),
    (named("PriorityClass", "system-mine", value=1), "`metadata.name` cannot begin with `system-`"),
    (named("PriorityClass", "high", preemptionPolicy="never"), "`preemptionPolicy` must be `Never` or `PreemptLowerPriority`, but is `never`"),
    (limits({"min": {"cpu": "500m"}, "max": {"cpu": "200m"}}), "must be at least `min` (`500m`), but is `200m`"),
    (limits({"default": {"cpu": 1}, "defaultRequest": {"cpu": 2}}), "`default.cpu` must be at least `defaultRequest` (`2`), but is `1`"),
    (limits({"type": "Pod", "min": {"cpu": 2}, "max": {"cpu": 1}}), "`max.cpu` must be at least `min` (`2`), but is `1`"),
    (limits({"type": "Pod", "default": {"cpu": 1}}), "`default` and `defaultRequest` cannot be set with `type: Pod`"),
    (quota({"requests.cpu": "-1"}), "`hard.requests.cpu` must be 0 or more, but is `-1`"),
    (pod_group({}), "`schedulingPolicy` must have either `basic` or `gang`"),
    (pod_group({"basic": {}, "gang": {"minCount": 2}}), "`schedulingPolicy` must have either `basic` or `gang`"),
    (pod_group({"gang": {"minCount": "2"}}), "`minCount` must be a whole number, but is `'2'`"),
    (pod_group({"gang": {"minCount": 0}}), "`minCount` must be at least 1, but is `0`"),
]
"""Objects that the API server rejects: they change no pods."""


@pytest.mark.parametrize(("written", "message"), OBJECTS)
def test_objects_that_are_not_valid(written: dict[str, Any], message: str) -> None:
    with pytest.raises(PodError) as found:
        read_workload_objects([written])
    assert message in str(found.value)


def test_of_several_default_classes_the_lowest_counts() -> None:
    found = first(pod(), {**HIGH, "globalDefault": True}, {**named("PriorityClass", "low", value=-5), "globalDefault": True})
    assert found.pod.priority == -5


def whole(*containers: dict[str, Any], **resources: dict[str, Any]) -> dict[str, Any]:
    """A Deployment whose pods have resources of their own, next to those of their containers."""
    found = deployment(1, *containers)
    found["spec"]["template"]["spec"]["resources"] = resources
    return found


OF_PODS = [
    pytest.param(
        [whole(container(limits=CPU), requests={"cpu": "400m"})], "must be at least what the containers request", id="the API sets requests"
    ),
    pytest.param(
        [whole(requests=CPU, limits=CPU), limits({"default": {"cpu": "1"}, "defaultRequest": CPU})], "must be at most the limit", id="a limit"
    ),
    pytest.param([whole(requests=CPU), limits({"defaultRequest": {"cpu": "600m"}})], "must be at least what the containers", id="a request"),
    pytest.param(
        [whole(requests=CPU, limits={"cpu": "2"}), limits({"type": "Pod", "max": {"cpu": "1"}})], "a limit of at most 1 cpu", id="a maximum"
    ),
    pytest.param([whole(requests=CPU, limits={"cpu": "2"}), limits({"type": "Pod", "min": CPU})], "", id="a minimum"),
    pytest.param([whole(limits={"cpu": "2"}), limits({"type": "Pod", "min": {"cpu": "2"}}), limits({"defaultRequest": CPU})], "", id="set before"),
    pytest.param([whole(container(limits=CPU), requests=CPU)], "", id="as much as the containers"),
    pytest.param([whole(requests=CPU), quota({"requests.cpu": "1", "limits.memory": "1Gi"})], "", id="each container may leave it out"),
]


@pytest.mark.parametrize(("found", "message"), OF_PODS)
def test_resources_of_a_pod_as_a_whole(found: list[dict[str, Any]], message: str) -> None:
    rejected = [hold for hold in first(*found).holds if hold.maximum == 0]
    assert [message in hold.message for hold in rejected] == [True] * bool(message)


@pytest.mark.parametrize(("minor", "cpu", "doubts"), [(36, 2000, 0), (37, 500, 0), (None, 500, 1)])
def test_the_version_decides_whether_the_pod_or_its_containers_get_requests_first(minor: int | None, cpu: int, doubts: int) -> None:
    found = first(whole(limits={"cpu": "2"}), limits({"defaultRequest": CPU}), minor=minor)
    assert found.pod.requests == (("cpu", cpu),)
    assert ["Kubernetes before 1.37" in hold.message for hold in found.holds] == [True] * doubts


def test_a_quota_counts_the_limits_of_a_pod_and_its_overhead() -> None:
    found = whole(requests={"cpu": "100m"}, limits=CPU)
    found["spec"]["template"]["spec"]["runtimeClassName"] = "kata"
    found["spec"]["replicas"] = 9
    assert [hold.maximum for hold in first(found, HEAVY, quota({"limits.cpu": "2"})).holds] == [3]


@pytest.mark.parametrize(("made", "kind"), [("replicasets.apps", "Deployment"), ("jobs.batch", "CronJob")])
def test_a_quota_on_what_a_workload_creates_to_create_pods(made: str, kind: str) -> None:
    found = deployment(2)
    if kind == "CronJob":
        template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c"}]}}
        found = named(kind, spec={"schedule": "@daily", "jobTemplate": {"spec": {"template": template}}})
    assert [hold.maximum for hold in first(found, quota({f"count/{made}": 0})).holds] == [0]
    assert not first(found, quota({f"count/{made}": 1})).holds


OTHER_NODES = named("RuntimeClass", "kata", handler="kata", scheduling={"nodeSelector": {"tier": "web"}})


@pytest.mark.parametrize(
    "found",
    [
        pytest.param([pod(nodeSelector={"tier": "no"}, runtimeClassName="kata"), OTHER_NODES], id="a RuntimeClass"),
        pytest.param([pod(nodeSelector={"tier": "no"}), SELECTING], id="a Namespace"),
        pytest.param([pod(container({"cpu": "64"}), nodeSelector={"tier": "no"}, runtimeClassName="kata"), OTHER_NODES], id="and no room"),
    ],
)
def test_what_the_api_server_rejects_is_the_reason_and_its_fix_is_the_only_one(found: list[dict[str, Any]]) -> None:
    labels = {"tier": "web", "a": "b"}
    clusters = {"c": aks(web=UserPool(vm_size=SMALL, count=5, labels=labels), other=UserPool(vm_size=SMALL, labels={"tier": "other"}))}
    [explained] = explain_replicas(list(read_workloads(found)), catalog(Platform(name="dev", clusters=clusters)), read_workload_objects(found))
    told = Placement("", (explained,))
    assert (told.verdict.value, told.remedies, told.missing) == ("cannot", [], "")
    assert "selects nodes with `tier=web`, the pod with `tier=no`" in told.reason
    assert [reason.fix for reason in told.waits] == ["Select `tier=web`"]


@pytest.mark.parametrize("selected", [{"tier": "no"}, {"tier": "sandbox"}])
def test_what_fits_no_pool_once_it_is_accepted_needs_a_pool_too(selected: dict[str, str]) -> None:
    found = [
        pod(nodeSelector=selected, runtimeClassName="kata"),
        named("RuntimeClass", "kata", handler="k", scheduling={"nodeSelector": {"tier": "sandbox"}}),
    ]
    clusters = {"c": aks(web=UserPool(vm_size=SMALL, count=5, labels={"tier": "web"}))}
    [explained] = explain_replicas(list(read_workloads(found)), catalog(Platform(name="dev", clusters=clusters)), read_workload_objects(found))
    told = Placement("", (explained,))
    assert (told.verdict.value, told.missing) == ("cannot", "a pool that has label `tier=sandbox`")


INIT = pod(initContainers=[{"name": "i", "restartPolicy": "OnFailure"}], restartPolicy="Never")
SIDECAR = pod(initContainers=[{"name": "i", "restartPolicy": "Always"}])
RULES = pod({"name": "c", "restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}]})
WHOLE = pod(container(CPU), resources={"requests": {"cpu": "8"}})
GANG = pod(schedulingGroup={"podGroupName": "g"})
VERSIONS = [
    pytest.param(WHOLE, 33, "`spec.resources` of a pod", id="pod-level resources, alpha"),
    pytest.param(WHOLE, 34, "", id="pod-level resources, beta"),
    pytest.param(INIT, 33, "`restartPolicy` or", id="an init container, before the field"),
    pytest.param(INIT, 34, "`restartPolicy` or", id="an init container, alpha"),
    pytest.param(INIT, 35, "", id="an init container, beta"),
    pytest.param(pod({"name": "c", "restartPolicy": "Always"}), 34, "`restartPolicy` or", id="a container"),
    pytest.param(RULES, 34, "`restartPolicy` or", id="rules"),
    pytest.param(SIDECAR, 33, "", id="a sidecar"),
    pytest.param(GANG, 36, "`spec.schedulingGroup` of a pod", id="a PodGroup, alpha"),
    pytest.param(WHOLE, None, "", id="a version that is not known"),
    pytest.param(pod(), 30, "", id="none of them"),
]


@pytest.mark.parametrize(("raw", "minor", "expected"), VERSIONS)
def test_a_field_that_the_declared_version_does_not_have_decides_nothing(raw: Any, minor: int | None, expected: str) -> None:
    [found] = admitted(list(read_workloads(raw)), read_workload_objects([]), adds_node_selectors=None, minor=minor)
    told = [hold for hold in found.holds if f"and 1.{minor} is declared" in hold.message]
    assert [(hold.message.startswith(expected), hold.maximum, hold.group) for hold in told] == ([(True, None, None)] if expected else [])
    assert dict(found.pod.requests).get("cpu", 0) == (0 if raw is not WHOLE else 500 if minor == 33 else 8000)
    assert [hold.group is not None for hold in found.holds] == [hold.group is not None for hold in told]


def test_the_declared_version_is_that_of_the_cluster() -> None:
    clusters = {"c": aks(web=UserPool(vm_size=SMALL, count=5))}
    pools = [replace(cluster, minor=33) for cluster in catalog(Platform(name="dev", clusters=clusters))]
    assert [cluster.minor for cluster in catalog(Platform(name="dev", clusters=clusters))] == [37]
    [explained] = explain_replicas(list(read_workloads(pod(container(CPU), resources={"requests": {"cpu": "64"}}))), pools)
    assert explained.count.verdict.value == "unknown"


LARGE = container({"cpu": "3500m"})
COSTLY = named("RuntimeClass", "kata", handler="kata", overhead={"podFixed": {"cpu": "1"}})
LOWERED = [
    pytest.param([pod(LARGE)], "1300m", id="nothing decides"),
    pytest.param([pod(container({"cpu": "2500m"}), runtimeClassName="kata"), COSTLY], "300m", id="without the overhead"),
    pytest.param([pod(container(CPU), runtimeClassName="kata"), {**COSTLY, "overhead": {"podFixed": {"cpu": "3"}}}], "", id="the overhead alone"),
    pytest.param([pod(LARGE), limits({"min": {"cpu": "1"}})], "1300m", id="more than a minimum"),
    pytest.param([pod(LARGE), limits({"min": {"cpu": "2"}})], "", id="less than a minimum"),
    pytest.param([pod(LARGE, {**LARGE, "name": "d"}), limits({"min": {"cpu": "1"}})], "", id="less than that of two containers"),
    pytest.param([pod(LARGE), limits({"type": "Pod", "min": {"cpu": "2"}})], "", id="less than that of the pod"),
    pytest.param([pod(container({"cpu": "3500m"}, {"cpu": "4"})), limits({"maxLimitRequestRatio": {"cpu": "2"}})], "", id="a ratio to the limit"),
    pytest.param([pod(LARGE), limits({"max": {"cpu": "9"}, "default": {"cpu": "8"}})], "1300m", id="a maximum"),
]


@pytest.mark.parametrize(("found", "expected"), LOWERED)
def test_a_smaller_request_is_offered_only_if_the_api_server_accepts_it(found: list[dict[str, Any]], expected: str) -> None:
    pools = catalog(Platform(name="dev", clusters={"c": aks(web=UserPool(vm_size=SMALL, count=5))}))
    [explained] = explain_replicas(list(read_workloads(found)), pools, read_workload_objects(found))
    fixes = [str(one.change) for one in Placement("", (explained,)).remedies]
    assert fixes == ([f"request at most `{expected}` cpu"] if expected else []), explained.count


SCALED_DOWN = {
    "kind": "VerticalPodAutoscaler",
    "metadata": {"name": "web"},
    "spec": {"targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
}
TOLD = [
    ([pod(), limits({"default": {"memory": "20Gi"}})], "LimitRange `x`: the pods request 20Gi memory, which they do not declare"),
    (
        [pod(container(CPU)), limits({"defaultRequest": {"cpu": 2, "memory": "1Gi"}}), limits({"max": {"cpu": 4}}, name="y")],
        "LimitRanges `x`, `y`: the pods request 1Gi memory, which they do not declare",
    ),
    ([pod(container(CPU)), limits({"max": {"cpu": 4}})], ""),
    ([pod(), {**limits({"default": CPU}), "metadata": {"name": "x", "namespace": "other"}}], ""),
    ([deployment(1), limits({"default": CPU}), SCALED_DOWN], ""),
    ([pod(container(CPU), runtimeClassName="kata"), HEAVY, limits({"min": {"cpu": "10m"}})], ""),
    (
        [pod(runtimeClassName="kata"), HEAVY, limits({"defaultRequest": {"cpu": 2}})],
        "LimitRange `x`: the pods request 2 cpu, which they do not declare",
    ),
]


@pytest.mark.parametrize(("found", "told"), TOLD)
def test_requests_that_only_a_limit_range_sets_are_told(found: list[dict[str, Any]], told: str) -> None:
    pools = catalog(Platform(name="p", clusters={"c": aks(web=UserPool(vm_size=SMALL, count=1))}))
    [explained, *_] = explain_replicas(list(read_workloads(found)), pools, read_workload_objects(found))
    assert [notice for notice in explained.answer.notices if "LimitRange" in notice] == [told][: len(told)]


@pytest.mark.parametrize(("name", "shown"), [("memory", "2Gi"), ("requests.memory", "2Gi"), ("limits.memory", "2Gi"), ("pods", "1")])
def test_amounts_of_quotas_are_told_as_people_write_them(name: str, shown: str) -> None:
    made = deployment(3, container({"memory": "1Gi"}, {"memory": "1Gi"}))
    [hold] = first(made, quota({name: shown})).holds
    assert hold.message == f"ResourceQuota `q` allows `{name}: {shown}` in namespace `default`"

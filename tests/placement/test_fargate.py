"""Which pods Fargate may run next to the nodes of a cluster, by the selectors of its profiles."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from nodepools import Platform
from nodepools.clouds.registry import catalog
from nodepools.placement.explain import explain
from nodepools.placement.node_pools import FargateSelector
from nodepools.placement.workloads.reader import read_workloads
from tests.placement.conftest import eks

SELECTORS = [
    FargateSelector.read({"namespace": "jobs-*", "labels": {"team": "a?"}}),
    FargateSelector.read({"namespace": "batch", "labels": {"job-name": "*"}}),
]


@pytest.mark.parametrize(
    ("namespace", "labels", "spec", "runs"),
    [
        pytest.param("jobs-1", {"team": "a1"}, {}, True, id="selected"),
        pytest.param("jobs", {"team": "a1"}, {}, False, id="another namespace"),
        pytest.param("jobs-1", {"team": "a12"}, {}, False, id="another label"),
        pytest.param("jobs-1", {}, {}, False, id="no label"),
        pytest.param("batch", {}, {}, True, id="a label that its controller sets"),
        pytest.param("jobs-1", {"team": "a1"}, {"hostNetwork": True}, False, id="the network of the node"),
        pytest.param("jobs-1", {"team": "a1"}, {"nodeSelector": {"kubernetes.io/arch": "arm64"}}, False, id="arm64"),
        pytest.param("jobs-1", {"team": "a1"}, {"nodeSelector": {"kubernetes.io/arch": "amd64"}}, True, id="amd64"),
        pytest.param("jobs-1", {"team": "a1"}, {"nodeSelector": {"tier": "web"}}, True, id="a label that decides nothing for certain"),
    ],
)
def test_profiles_select_pods(namespace: str, labels: Mapping[str, str], spec: Mapping[str, object], *, runs: bool) -> None:
    metadata = {"name": "a", "namespace": namespace, "labels": labels}
    [workload] = read_workloads({"kind": "Pod", "metadata": metadata, "spec": {"containers": [{"name": "a"}], **spec}})
    assert any(one.may_run(workload) for one in SELECTORS) is runs


@pytest.mark.parametrize(("namespace", "runs"), [("jobs-1", True), ("other", False)])
def test_the_labels_of_a_pod_that_runs_are_not_known(namespace: str, *, runs: bool) -> None:
    [workload] = read_workloads({"kind": "Pod", "metadata": {"name": "a", "namespace": namespace}, "spec": {"containers": [{"name": "a"}]}})
    assert SELECTORS[0].may_run(replace(workload, template=None)) is runs


@pytest.mark.parametrize(
    ("kind", "container", "runs"),
    [
        pytest.param("Deployment", {}, True, id="small"),
        pytest.param("DaemonSet", {}, False, id="a DaemonSet"),
        pytest.param("Deployment", {"resources": {"requests": {"cpu": "16", "memory": "120Gi"}}}, True, id="the largest"),
        pytest.param("Deployment", {"resources": {"requests": {"cpu": "16100m"}}}, False, id="more CPUs"),
        pytest.param("Deployment", {"resources": {"requests": {"memory": "121Gi"}}}, False, id="more memory"),
        pytest.param("Deployment", {"resources": {"limits": {"nvidia.com/gpu": 1}}}, False, id="a GPU"),
        pytest.param("Deployment", {"ports": [{"containerPort": 80, "hostPort": 80}]}, False, id="a port of the node"),
        pytest.param("Deployment", {"securityContext": {"privileged": True}}, False, id="privileged"),
        pytest.param("Deployment", {"securityContext": {"privileged": False}}, True, id="not privileged"),
    ],
)
def test_what_fargate_never_runs(kind: str, container: Mapping[str, object], *, runs: bool) -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", **container}]}}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
    [workload] = read_workloads({"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec})
    assert FargateSelector().may_run(workload) is runs


@pytest.mark.parametrize(
    ("pod", "profile", "words"),
    [
        pytest.param({"name": "a"}, "jobs", "Fargate profile `jobs` selects the pods", id="an active profile"),
        pytest.param({"name": "a"}, "", "", id="one that is not active, or not known"),
        pytest.param({"name": "a", "namespace": "other"}, "jobs", "", id="another namespace"),
        pytest.param({"name": "a", "uid": "1"}, "jobs", "", id="a pod that exists has its scheduler already"),
    ],
)
def test_pools_run_no_pods_that_an_active_profile_selects(pod: Mapping[str, str], profile: str, words: str) -> None:
    [workload] = read_workloads({"kind": "Pod", "metadata": pod, "spec": {"containers": [{"name": "a"}]}})
    [cluster] = catalog(Platform(name="dev", clusters={"c": eks("general-purpose")}))
    raw = {"fargateProfileName": "jobs", "status": "ACTIVE" if profile else "DELETING", "selectors": [{"namespace": "default"}]}
    [found] = explain([workload], [replace(cluster, fargate=tuple(FargateSelector.of_profile(raw)))])
    assert [hold.message.partition(":")[0] for hold in found.workload.holds] == [words] * bool(words)


@pytest.mark.parametrize(("operator", "values", "runs"), [("In", ["fargate"], True), ("NotIn", ["auto"], False), ("In", ["auto"], False)])
def test_fargate_may_run_pods_that_select_its_nodes_though_no_profile_is_known(operator: str, values: list[str], *, runs: bool) -> None:
    required = [{"matchExpressions": [{"key": "eks.amazonaws.com/compute-type", "operator": operator, "values": values}]}]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": required}}}
    [workload] = read_workloads({"kind": "Pod", "metadata": {"name": "a"}, "spec": {"affinity": affinity, "containers": [{"name": "a"}]}})
    [cluster] = catalog(Platform(name="dev", clusters={"c": eks("general-purpose")}))
    assert cluster.others_may_run(workload) is runs

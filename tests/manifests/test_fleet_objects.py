"""What an upgrade has done so far, in objects as kubectl prints them."""

import pytest

from nodepools.clouds.fleet import Fleet
from nodepools.manifests.existing.fleet_objects import fleet_of
from nodepools.manifests.manifest_objects import objects
from nodepools.reading.bounded_input import TextError


def read(text: str) -> Fleet:
    return fleet_of(objects(text, "a.yaml"))


def node(metadata: str = "", spec: str = "", version: str = "v1.35.4") -> Fleet:
    return read(
        f"{{apiVersion: v1, kind: Node, metadata: {{name: a, {metadata}}}, spec: {{{spec}}}, "
        f"status: {{nodeInfo: {{kubeletVersion: {version}, osImage: Bottlerocket}}}}}}"
    )


def pod(metadata: str = "", status: str = "phase: Running", spec: str = "nodeName: a") -> Fleet:
    return read(f"{{apiVersion: v1, kind: Pod, metadata: {{name: p, {metadata}}}, spec: {{{spec}}}, status: {{{status}}}}}")


VERSIONS = {"v1.35.4": "1.35.4", "v1.36.1-eks-473151a": "1.36.1", "v1.36.0+build": "1.36.0", "unknown": ""}


@pytest.mark.parametrize(("written", "version"), VERSIONS.items())
def test_the_kubelet_names_the_version(written, version):
    assert node(version=written).nodes[0].version == version


LEAVING = {
    "a node that pods are scheduled on": (node(), ""),
    "a cordoned node": (node(spec="unschedulable: true"), "cordoned"),
    "a node that is deleted": (node("deletionTimestamp: 2026-11-22T00:00:00Z"), "being deleted"),
    "a node that Karpenter drains": (
        node(spec="unschedulable: true, taints: [{key: karpenter.sh/disrupted, effect: NoSchedule}]"),
        "Karpenter drains it",
    ),
    "a node whose NodeClaim is deleted": (
        read(
            "{apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: c, deletionTimestamp: 2026-11-22T00:00:00Z}, status: {nodeName: a}}"
            "\n---\n"
            "{apiVersion: v1, kind: Node, metadata: {name: a}}"
        ),
        "Karpenter drains it",
    ),
    "a node whose NodeClaim stays": (
        read(
            "{apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: c}, status: {nodeName: a}}\n---\n"
            "{apiVersion: v1, kind: Node, metadata: {name: a}}"
        ),
        "",
    ),
}


@pytest.mark.parametrize(("found", "why"), LEAVING.values(), ids=LEAVING)
def test_a_node_that_is_emptied_says_why(found, why):
    assert found.nodes[0].leaving == why


def test_aks_labels_images_and_quarantine():
    [found] = node("labels: {kubernetes.azure.com/node-image-version: AKSUbuntu-1, kubernetes.azure.com/upgrade-status: Quarantined}").nodes
    assert (found.image, found.is_quarantined, node().nodes[0].image) == ("AKSUbuntu-1", True, "Bottlerocket")


EVICTED = {
    "a pod on a node": (pod(), True),
    "a pod without a node": (pod(spec=""), False),
    "a pod that has finished": (pod(status="phase: Succeeded"), False),
    "a pod that is being deleted": (pod("deletionTimestamp: 2026-11-22T00:00:00Z"), False),
    "a pod of a DaemonSet": (pod("ownerReferences: [{kind: DaemonSet, name: d}]"), False),
    "a static pod": (pod("annotations: {kubernetes.io/config.mirror: a}"), False),
    "a pod of a ReplicaSet": (pod("ownerReferences: [{kind: ReplicaSet, name: d}]"), True),
}


@pytest.mark.parametrize(("found", "evicted"), EVICTED.values(), ids=EVICTED)
def test_a_drain_evicts_running_pods(found, evicted):
    assert bool(found.pods) is evicted


def test_a_pod_is_ready_by_its_condition():
    ready = pod(status='phase: Running, conditions: [{type: Ready, status: "True"}]').pods[0]
    assert (ready.is_ready, pod().pods[0].is_ready, pod(status="phase: Pending").pods[0].is_pending, str(ready)) == (True, False, True, "default/p")


def test_the_status_of_a_budget_is_read():
    [found] = read(
        "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace: shop}, spec: {maxUnavailable: 1},"
        " status: {disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3}}"
    ).budgets
    assert (str(found), found.allowed, found.healthy, found.desired, found.expected) == ("shop/b", 0, 2, 2, 3)


WRONG = {
    "a budget from a manifest has no status": (
        "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {maxUnavailable: 1}}",
        "a.yaml:1:1: PodDisruptionBudget/b: it has no `status.disruptionsAllowed`",
    ),
    "a label that is no text": ("{apiVersion: v1, kind: Node, metadata: {name: a, labels: {b: 1}}}", "a.yaml:1:1: Node/a: `b` must be text"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_an_object_that_cannot_be_read_is_named(text, message):
    with pytest.raises(TextError) as raised:
        read(text)
    assert str(raised.value).startswith(message)

"""The marks of pools follow from the count: no pool fits where no pod is certain to be scheduled, and none is possible where none can be."""

import random
from typing import Any

import pytest

from nodepools import Autoscale, EksNodePool, Taint, UserPool
from nodepools.clouds.registry import catalog
from nodepools.placement.causes import remedies
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import Explained, explain_replicas
from tests.replicas.clusters import HOST, SMALL, ZONE, Platform, aks, apart, eks, near, spread, web

POOL = UserPool(vm_size=SMALL, scale=Autoscale(min=1, max=3))
ZONED = UserPool(vm_size=SMALL, count=3, zones=[1, 2, 3])
CLUSTERS = [aks(web=POOL), aks(web=ZONED, more=POOL), eks("a", "b", any=EksNodePool()), eks("a", any=EksNodePool(limits={"cpu": 4}))]
PARTS: list[dict[str, Any]] = [
    {},
    {},
    {"schedulingGates": [{"name": "a"}]},
    {"schedulerName": "other"},
    {"runtimeClassName": "kata"},
    {"priorityClassName": "high"},
    {"resourceClaims": [{"name": "a", "resourceClaimName": "a"}]},
    {"volumes": [{"name": "a", "persistentVolumeClaim": {"claimName": "a"}}]},
    {"nodeSelector": {ZONE: "us-east-1a"}},
    {"nodeSelector": {"tier": "none"}},
    {"hostNetwork": True, "containers": [{"ports": [{"containerPort": 80}]}]},
    apart(ZONE),
    apart(HOST),
    near(ZONE),
    spread(ZONE),
]
OBJECTS: list[dict[str, Any]] = [
    {"kind": "LimitRange", "metadata": {"name": "l"}, "spec": {"limits": [{"type": "Container", "max": {"cpu": "50m"}}]}},
    {"kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": {"pods": 2}}},
    {"kind": "ResourceQuota", "metadata": {"name": "s"}, "spec": {"hard": {"pods": 2}, "scopes": ["BestEffort"]}},
]


def explained(cluster: Any, found: list[dict[str, Any]]) -> list[Explained]:
    pools = catalog(Platform(name="dev", clusters={"c": cluster}))
    return explain_replicas(list(read_workloads(found)), pools, read_workload_objects(found))


def test_marks_follow_from_the_count() -> None:
    chance = random.Random(33)  # noqa: S311  # cases, no secrets
    for _ in range(150):
        workloads = [
            web(
                chance.choice((0, 1, 2, 5, 20)),
                name=f"w{number}",
                kind=chance.choice(("Deployment", "Deployment", "StatefulSet", "DaemonSet")),
                requests={"cpu": chance.choice(("100m", "1", "3", "64"))},
                **chance.choice(PARTS),
            )
            for number in range(chance.choice((1, 1, 2)))
        ]
        objects = [one for one in OBJECTS if chance.random() < 0.2]
        for one in explained(chance.choice(CLUSTERS), [*workloads, *objects]):
            marks, count = {evaluated.verdict for evaluated in one.answer.pools}, one.count
            if count.wanted:
                assert (Verdict.FITS in marks) == (count.scheduled.minimum > 0), (one.to_json(), workloads, objects)
                assert (marks == {Verdict.CANNOT}) == (count.scheduled.maximum == 0), (one.to_json(), workloads, objects)


ROWS = [
    pytest.param(CLUSTERS[0], [web(1, runtimeClassName="kata")], "unknown", "RuntimeClass `kata` is not in the input", id="a runtime class"),
    pytest.param(CLUSTERS[0], [web(1, **PARTS[6])], "unknown", "the pod has resource claims: nodes that are added have devices once", id="claims"),
    pytest.param(CLUSTERS[2], [web(1, **PARTS[6])], "cannot", "EKS Auto Mode does not support dynamic resource allocation", id="claims in Auto Mode"),
    pytest.param(CLUSTERS[0], [web(1, **PARTS[7])], "unknown", "PersistentVolumeClaim `a` is not in the input", id="a claim of a volume"),
    pytest.param(CLUSTERS[2], [web(1), OBJECTS[0]], "cannot", "the API server rejects the pods: LimitRange `l`", id="rejected"),
]


@pytest.mark.parametrize(("cluster", "found", "verdict", "message"), ROWS)
def test_why_no_pool_fits(cluster: Any, found: list[dict[str, Any]], verdict: str, message: str) -> None:
    [one] = explained(cluster, found)
    judged = [evaluated for evaluated in one.answer.pools if evaluated.pool in ("c/web", "c/any")]
    assert [evaluated.verdict for evaluated in judged] == [verdict]
    assert message in "; ".join(reason.message for reason in judged[0].reasons)
    assert one.answer.fix(judged[0]) is None


def test_a_rejected_workload_takes_no_room() -> None:
    limits = {**OBJECTS[0], "metadata": {"name": "l", "namespace": "x"}}
    rejected = {**web(20, name="other", requests={"cpu": "1"}), "metadata": {"name": "other", "namespace": "x"}}
    _, count = (one.count for one in explained(CLUSTERS[0], [rejected, web(3, requests={"cpu": "1"}), limits]))
    assert (count.scheduled.minimum, count.scheduled.maximum) == (3, 3)


def test_the_host_port_of_a_sidecar() -> None:
    sidecar = {"name": "s", "restartPolicy": "Always", "ports": [{"containerPort": 80, "hostPort": 80}]}
    [one] = explained(CLUSTERS[0], [web(10, initContainers=[sidecar])])
    assert one.count.scheduled.maximum == 3
    [other] = explained(CLUSTERS[0], [web(10, initContainers=[{**sidecar, "restartPolicy": None}])])
    assert other.count.scheduled.maximum == 10


def test_a_taint_of_a_device_does_not_keep_off_pods_with_it() -> None:
    tainted = UserPool(vm_size="Standard_NC24ads_A100_v4", count=1, taints=[Taint("nvidia.com/gpu", "true")])
    [one] = explained(aks(gpu=tainted), [web(1, containers=[{"resources": {"limits": {"nvidia.com/gpu": 1}}}])])
    [judged] = [evaluated for evaluated in one.answer.pools if evaluated.pool == "c/gpu"]
    assert not [reason for reason in judged.reasons if "taint" in reason.message]


def test_limits_of_a_pod_are_no_requests_of_containers_that_have_some() -> None:
    [one] = explained(CLUSTERS[0], [web(1, resources={"limits": {"cpu": 16}})])
    assert one.answer.pool == "c/web"


def test_a_change_is_counted_next_to_the_other_workloads() -> None:
    """Three nodes have room for a few pods of 1 CPU, which another workload takes; it tolerates what this one does not."""
    tainted = UserPool(vm_size=SMALL, count=3, taints=[Taint("team", "ml")])
    found = [
        web(20, name="w", requests={"cpu": "1"}),
        web(2, name="other", requests={"cpu": "1"}, tolerations=[{"operator": "Exists"}]),
    ]
    [one, other] = explained(aks(web=tainted), found)
    [remedy] = [each for each in remedies([one.answer]) if "c/web" in each.pools]
    assert one.after is not None
    after = one.after(remedy.change)
    assert (one.count.scheduled.maximum, other.count.scheduled.minimum) == (0, 2)
    assert after.scheduled.maximum is not None
    assert 0 < after.scheduled.minimum <= after.scheduled.maximum < 20

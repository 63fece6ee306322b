"""Pods that share a disk of one node, against every order of scheduling: how many start next to it."""

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from nodepools.placement.existing_nodes import ExistingPods, existing_pools
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.count import Count
from nodepools.replicas.explained import explain_replicas
from tests.replicas.clusters import HOST, ZONE, near, web
from tests.replicas.test_volumes import claim, storage, uses, volume

WEB, API = {"app": "web"}, {"app": "api"}
TERMS: dict[str, Any] = {
    "none": None,
    "itself": {"matchLabels": WEB},
    "the other": {"matchLabels": API},
    "both": {"matchExpressions": [{"key": "app", "operator": "Exists"}]},
}
Pod = tuple[str, bool]
"""Its app, and whether it uses the disk."""
Placed = tuple[tuple[Pod, int], ...]


def node(name: str, pods: int) -> StaticPool:
    return StaticPool(name, ({HOST: name, ZONE: "a"},), offers={"cpu": Bounds(pods * 1000, pods * 1000)}, names=frozenset({name}), max_pods=30)


def counted(rooms: list[int], term: str, replicas: int, others: int, *, shared: bool, bound: int | None) -> Count:
    """The count of the pods of `web`; a pod of `api` runs on the node of number `bound`."""
    data: dict[str, Any] = {"volumes": uses("data")}
    cpu: dict[str, Any] = {"requests": {"cpu": "1"}}
    affinity = near(HOST, labelSelector=TERMS[term]) if TERMS[term] else {}
    raw = [web(replicas, **cpu, **data, **affinity)]
    raw += [web(others, name="api", labels=API, **cpu, **(data if shared else {}))] if others else []
    disk = [claim(volumeName="pv", accessModes=["ReadWriteOnce"], storageClassName="managed-csi"), volume("pv", csi={"driver": "disk.csi.azure.com"})]
    spec = {"nodeName": f"n{bound}", "containers": [{"resources": cpu}], **(data if shared else {})}
    runs = [] if bound is None else list(read_workloads({"kind": "Pod", "metadata": {"name": "api-0", "labels": API}, "spec": spec}))
    objects = read_workload_objects([*disk, storage("managed-csi", driver="disk.csi.azure.com")])
    pools = existing_pools(ClusterPools(None), [node(f"n{number}", room) for number, room in enumerate(rooms)], ExistingPods(tuple(runs)))
    return explain_replicas(list(read_workloads(raw)), [pools], objects)[0].count


def outcomes(rooms: list[int], term: str, waiting: dict[Pod, int], before: Placed) -> Iterator[Placed]:
    """Where pods are when none of those that wait can be scheduled: every order, and every node that kube-scheduler may choose."""
    seen: set[object] = set()
    stack = [(tuple(sorted(waiting.items())), before)]
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        left, placed = state
        further = list(_further(rooms, term, left, placed))
        stack += further
        if not further:
            yield placed


def _further(rooms: list[int], term: str, left: tuple[tuple[Pod, int], ...], placed: Placed) -> Iterator[tuple[Any, Placed]]:
    for (pod, many), number in product(left, range(len(rooms))):
        if many and sum(at == number for _, at in placed) < rooms[number] and _allowed(term, pod, number, placed):
            rest = tuple((one, count - (one == pod)) for one, count in left)
            yield rest, tuple(sorted((*placed, (pod, number))))


def _allowed(term: str, pod: Pod, number: int, placed: Placed) -> bool:
    """kube-scheduler, plugin InterPodAffinity: the first pod of those that a term of its own selects can be anywhere."""
    apps = {"none": set[str](), "itself": {"web"}, "the other": {"api"}, "both": {"web", "api"}}[term]
    if pod[0] != "web" or not apps:
        return True
    found = {at for (app, _), at in placed if app in apps}
    return number in found or (not found and "web" in apps)


def certain(rooms: list[int], term: str, replicas: int, others: int, *, shared: bool, bound: int | None) -> tuple[int, int]:
    """The fewest pods of `web` that start with the disk, and the most that are scheduled."""
    mine, theirs = ("web", True), ("api", shared)
    before: Placed = () if bound is None else ((theirs, bound),)
    least, most = replicas, 0
    for placed in outcomes(rooms, term, {mine: replicas, theirs: others}, before):
        own = [at for pod, at in placed if pod == mine]
        first = {bound} if bound is not None and shared else {at for (_, uses_it), at in placed if uses_it}
        least = min([least, *(own.count(at) for at in first)]) if first else 0
        most = max(most, len(own))
    return least, most


def cases(seed: int, many: int) -> Iterator[tuple[list[int], dict[str, Any]]]:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    for _ in range(many):
        rooms = [chance.choice((1, 2, 3)) for _ in range(chance.choice((1, 2, 3)))]
        free = [number for number, _ in enumerate(rooms)]
        found = {"term": chance.choice(list(TERMS)), "replicas": chance.choice((1, 2, 3)), "others": chance.choice((0, 0, 1, 2))}
        yield rooms, {**found, "shared": chance.random() < 0.4, "bound": chance.choice([None, None, *free])}


def wrong(seed: int, many: int) -> Iterator[str]:
    for rooms, case in cases(seed, many):
        (least, most), count = certain(rooms, **case), counted(rooms, **case).scheduled
        if count.minimum > least or (count.maximum is not None and count.maximum < most):
            yield f"{rooms} {case}: {count.minimum} to {count.maximum}, and {least} start, {most} are scheduled"


def test_bounds_hold_in_every_order() -> None:
    assert not list(wrong(40, 400))


@pytest.mark.parametrize(
    ("case", "least"),
    [
        pytest.param({"term": "itself", "others": 0}, 3, id="affinity to each other alone brings them to the node with the disk"),
        pytest.param({"term": "itself", "others": 2}, 1, id="other pods may take the room on that node"),
        pytest.param({"term": "both", "others": 0, "bound": 0}, 3, id="the node of the pod of others is the only one"),
        pytest.param({"term": "the other", "others": 0, "bound": 0}, 3, id="affinity to others brings them to their only node"),
        pytest.param({"term": "itself", "others": 0, "bound": 0, "shared": True}, 0, id="the disk is where another pod runs"),
    ],
)
def test_affinity_over_nodes_and_one_disk(case: dict[str, Any], least: int) -> None:
    usual: dict[str, Any] = {"replicas": 3, "shared": False, "bound": None}
    found = counted([4, 4], **(usual | case))
    assert found.scheduled.minimum == least


def test_a_pod_that_runs_has_the_volume_for_itself() -> None:
    workloads = [replace(one, running=1) for one in read_workloads(web(2, volumes=uses("data")))]
    objects = read_workload_objects([claim(accessModes=["ReadWriteOncePod"])])
    [found] = explain_replicas(workloads, [existing_pools(ClusterPools(None), [node("n", 9)], ExistingPods())], objects)
    assert (found.count.scheduled.minimum, found.count.scheduled.maximum) == (1, 1)


@pytest.mark.parametrize(
    ("mode", "other", "pinned", "expected"),
    [
        pytest.param("ReadWriteOnce", {"nodeName": "n0"}, "n0", (2, 2), id="the disk is attached to the only open node"),
        pytest.param("ReadWriteOnce", {"nodeName": "n0"}, "n1", (0, 2), id="it is attached to another"),
        pytest.param("ReadWriteOnce", {"nodeName": "n0"}, None, (0, 2), id="two nodes are open"),
        pytest.param("ReadWriteOncePod", {"nodeName": "n0"}, None, (0, 0), id="a pod uses it"),
        pytest.param("ReadWriteOncePod", {"nodeName": "n0", "priority": -9}, None, (0, 1), id="one that can be evicted"),
        pytest.param("ReadWriteOncePod", {"nodeName": "n0", "gone": True}, None, (0, 1), id="one that is being deleted"),
        pytest.param("ReadWriteOncePod", {}, None, (0, 1), id="one that waits, too"),
    ],
)
def test_a_claim_that_another_pod_uses(mode: str, other: dict[str, Any], pinned: str | None, expected: tuple[int, int]) -> None:
    metadata = {"name": "other"} | ({"deletionTimestamp": "2026-11-29T00:00:00Z"} if other.get("gone") else {})
    spec = {"priority": 0, "containers": [{"resources": {"requests": {"cpu": "1"}}}], "volumes": uses("data"), **other}
    user = list(read_workloads({"kind": "Pod", "metadata": metadata, "spec": spec}))
    selector = {"nodeSelector": {HOST: pinned}} if pinned else {}
    waiting = list(read_workloads(web(2, requests={"cpu": "1"}, priority=0, volumes=uses("data"), **selector)))
    disk = [claim(volumeName="pv", accessModes=[mode], storageClassName="managed-csi"), volume("pv", csi={"driver": "disk.csi.azure.com"})]
    objects = read_workload_objects([*disk, storage("managed-csi", driver="disk.csi.azure.com")])
    runs = "nodeName" in other
    pools = existing_pools(ClusterPools(None), [node(name, 9) for name in ("n0", "n1")], ExistingPods(tuple(user) if runs else ()))
    found = explain_replicas([*waiting, *([] if runs else user)], [pools], objects)[0].count
    assert (found.scheduled.minimum, found.scheduled.maximum) == expected
    assert any("and `other` does" in reason.message for reason in found.pending) == (expected == (0, 0))


if __name__ == "__main__":
    for said in wrong(int(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(f"{said}\n")

"""Pods of a PodGroup: as many as each alone, none, or not known."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import pytest

from nodepools import Autoscale, EksNodePool, Platform, UserPool
from nodepools.clouds.registry import catalog
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import explain_replicas
from tests.replicas.clusters import HOST, SMALL, aks, apart, count, eks, told, web

FIVE = aks(web=UserPool(vm_size=SMALL, count=5))
GROWING = aks(web=UserPool(vm_size=SMALL, scale=Autoscale(2, 9)))
LAUNCHED = eks("a", "b", any=EksNodePool())
MIXED = aks(web=UserPool(vm_size=SMALL, count=5), more=UserPool(vm_size=SMALL, scale=Autoscale(0, 9)))


def gang(least: int, **spec: Any) -> dict[str, Any]:
    policy = {"schedulingPolicy": {"gang": {"minCount": least}}}
    return {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": {"name": "g", "uid": "1"}, "spec": {**policy, **spec}}


def basic(**spec: Any) -> dict[str, Any]:
    return gang(1, schedulingPolicy={"basic": {}}, **spec)


def member(many: int, cpu: str = "1", *, name: str = "web", kind: str = "Deployment", **spec: Any) -> dict[str, Any]:
    """A workload of the group, with pods that need a node each by default."""
    return web(many, name=name, kind=kind, requests={"cpu": cpu}, schedulingGroup={"podGroupName": "g"}, **spec)


def job(parallelism: int) -> dict[str, Any]:
    found = member(1, kind="Job", restartPolicy="Never")
    return {**found, "spec": {**found["spec"], "parallelism": parallelism, "completions": parallelism}}


def stateful(many: int, policy: str) -> dict[str, Any]:
    found = member(many, kind="StatefulSet")
    return {**found, "spec": {**found["spec"], "podManagementPolicy": policy}}


def job_set() -> dict[str, Any]:
    template = {"template": {"spec": job(2)["spec"]}}
    return {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "set"}, "spec": {"replicatedJobs": [template]}}


NONE, UNKNOWN = "cannot", "unknown"
OUT_OF_FIVE = [
    pytest.param([job(6), gang(6)], (NONE, 0, 0), "at most 5 can be scheduled: room on `c/web` at most 5", id="one node too few"),
    pytest.param([job(5), gang(5)], ("fits", 5, 5), "", id="as many nodes as it needs"),
    pytest.param([job(6), gang(5)], ("partly", 5, 5), "room on `c/web`", id="the others of a group that starts can wait"),
    pytest.param([job(4), gang(5)], (NONE, 0, 0), "the workloads here create 4 at once", id="fewer pods than it needs"),
    pytest.param([job(5), basic()], ("fits", 5, 5), "", id="a basic group is none"),
    pytest.param([job(6), basic()], ("partly", 5, 5), "room on `c/web`", id="a basic group starts in part"),
    pytest.param([job(6), gang(1)], ("partly", 5, 5), "room on `c/web`", id="a group of one"),
    pytest.param([job(5)], (UNKNOWN, 0, 5), "is not in the input: without it the pods wait", id="no group"),
    pytest.param([job(5), {**gang(5), "apiVersion": "scheduling.volcano.sh/v1beta1"}], (UNKNOWN, 0, 5), "is not in the input", id="of Volcano"),
    pytest.param([job(5), gang(5, priority=7)], (UNKNOWN, 0, 5), "what its `priority` decides", id="fields that are not modeled"),
    pytest.param([job(5), basic(schedulingConstraints={"topology": [{}]})], (UNKNOWN, 0, 5), "`schedulingConstraints`", id="also of a basic group"),
    pytest.param([member(3), member(3, name="b"), gang(6)], (NONE, 0, 0), "at most 5 can be scheduled, because they share", id="two share nodes"),
    pytest.param([member(3), member(2, name="b"), gang(5)], ("fits", 3, 3), "", id="two that have room"),
    pytest.param([member(3), member(6, name="b"), gang(9)], (NONE, 0, 0), "at most 8 can be scheduled: room on", id="no room for one of two"),
    pytest.param([member(3), member(3, name="b")["spec"]["template"] | {"kind": "Pod"}, gang(4)], ("fits", 3, 3), "", id="a pod is a member"),
    pytest.param([member(3), web(3, name="b", requests={"cpu": "1"}), gang(3)], (UNKNOWN, 0, 3), "run 2 for certain", id="other pods"),
    pytest.param([stateful(3, "OrderedReady"), gang(3)], (NONE, 0, 0), "create 1 at once", id="pods that come one after another"),
    pytest.param([stateful(3, "Parallel"), gang(3)], ("fits", 3, 3), "", id="pods that come at once"),
    pytest.param([member(0), gang(3)], ("fits", 0, 0), "", id="no pods"),
    pytest.param([member(3), job_set(), gang(9)], (UNKNOWN, 0, 3), "how many pods `JobSet/set` adds", id="a controller that is not known"),
    pytest.param([member(9, schedulerName="volcano"), gang(9)], (UNKNOWN, 0, 5), "how many pods `Deployment/web` adds", id="another scheduler"),
    pytest.param([member(1), member(1, name="b", kind="DaemonSet"), gang(9)], (UNKNOWN, 0, 1), "`DaemonSet/b` adds", id="with a DaemonSet"),
    pytest.param([member(3, **apart(HOST)), gang(3)], (UNKNOWN, 0, 3), "run 0 for certain", id="pods that depend on each other"),
    pytest.param([member(6, nodeSelector={"a": "b"}), gang(6)], (NONE, 0, 0), "the pods fit no pool", id="no pool"),
]


@pytest.mark.parametrize(("found", "expected", "message"), OUT_OF_FIVE)
def test_all_or_nothing(found: list[dict[str, Any]], expected: tuple[str, int, int], message: str) -> None:
    first, *_ = count(FIVE, *found)
    verdict = "unknown" if expected[0] == UNKNOWN and first.verdict == "partly" else first.verdict.value
    assert (verdict, first.scheduled.minimum, first.scheduled.maximum) == expected
    assert message in (first.decisive.message if first.decisive is not None else "")


def test_the_fix_names_the_pool_that_completes_the_group() -> None:
    [found] = count(FIVE, job(6), gang(6))
    assert [pending.fix for pending in found.pending] == ["Raise the number of `c/web` from 5 to at least 6 nodes, or request less"]
    assert told(count(aks(web=UserPool(vm_size=SMALL, count=6)), job(6), gang(6))[0])[0] == "fits"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([job(6)], ("partly", 0, 5, ["unknown", "room"])),
        ([job(5)], (UNKNOWN, 0, 5, ["unknown"])),
        ([member(6, nodeSelector={"a": "b"})], (NONE, 0, 0, ["no_pool"])),
    ],
)
def test_a_group_that_cannot_start_is_certain_only_where_the_api_server_has_groups(found: list[dict[str, Any]], expected: Any) -> None:
    [counted] = count(FIVE, *found, {**gang(6), "metadata": {"name": "g"}})
    assert told(counted) == expected
    assert counted.decisive is not None
    assert (expected[0] != NONE) is ("`kubectl get podgroups.scheduling.k8s.io -n default`" in counted.pending[0].fix)
    [counted] = count(FIVE, job(5), {**gang(5), "metadata": {"name": "g"}})
    assert counted.verdict == "fits"


@pytest.mark.parametrize(
    ("cluster", "many", "expected"),
    [
        (GROWING, 2, "fits"),
        (GROWING, 3, UNKNOWN),
        (GROWING, 10, NONE),
        (LAUNCHED, 3, UNKNOWN),
        (MIXED, 5, "fits"),
        (MIXED, 6, UNKNOWN),
        (MIXED, 15, NONE),
    ],
)
def test_whether_autoscalers_add_nodes_for_a_group_is_not_known(cluster: Any, many: int, expected: str) -> None:
    assert count(cluster, job(many), gang(many))[0].verdict.value == expected


def test_pods_above_the_minimum_of_a_group_are_certain_on_fixed_nodes_only() -> None:
    assert told(count(GROWING, job(6), gang(2))[0]) == ("unknown", 2, 6, ["unknown"])


def test_two_groups_of_one_pool_do_not_count_on_the_same_nodes() -> None:
    other = {**member(3, name="b"), "metadata": {"name": "b", "namespace": "x"}}
    second = {**gang(3), "metadata": {"name": "g", "namespace": "x", "uid": "2"}}
    assert [one.verdict.value for one in count(FIVE, member(3), gang(3), other, second)] == [UNKNOWN, UNKNOWN]


@pytest.mark.parametrize(("runs", "expected"), [(True, UNKNOWN), (False, "fits")])
def test_a_group_that_runs_in_part(runs: bool, expected: str) -> None:  # noqa: FBT001
    [pools] = catalog(Platform(name="dev", clusters={"c": FIVE}))
    spec = member(1)["spec"]["template"]["spec"] | {"nodeName": "n", **({} if runs else {"schedulingGroup": None})}
    bound = tuple(read_workloads({"kind": "Pod", "metadata": {"name": "p", "uid": "1"}, "spec": spec}, existing=True))
    found = explain_replicas(list(read_workloads(job(3))), [replace(pools, bound=bound)], read_workload_objects([gang(3)]))
    assert [one.count.verdict.value for one in found] == [expected]


@cache
def of_nodes(nodes: int) -> tuple[Any, int, int]:
    """A pool of so many nodes, and how much CPU each has at least and at most, in thousandths."""
    cluster = aks(web=UserPool(vm_size=SMALL, count=nodes))
    [pool] = [pool for pool in catalog(Platform(name="dev", clusters={"c": cluster}))[0].static if pool.address == "c/web"]
    assert pool.offers is not None
    most = pool.offers["cpu"].most
    assert most is not None
    return cluster, pool.offers["cpu"].least, most


@cache
def scheduled(room: tuple[int, ...], pods: tuple[int, ...]) -> frozenset[int]:
    """How many of the pods a scheduler can end with, in whatever order it takes them and wherever it puts them."""
    found: set[int] = set()
    for pod in set(pods):
        left = list(pods)
        left.remove(pod)
        for index, free in enumerate(room):
            if pod <= free:
                after = tuple(sorted((*room[:index], free - pod, *room[index + 1 :])))
                found |= {1 + more for more in scheduled(after, tuple(left))}
    return frozenset(found) if found else frozenset({0})


SIZES = (300, 700, 1000)


def cases() -> Iterator[Sequence[int]]:
    for many in (2, 3, 4):
        yield from combinations_with_replacement(SIZES, many)


@pytest.mark.parametrize("nodes", [1, 2])
def test_brute_force(nodes: int) -> None:
    cluster, low, high = of_nodes(nodes)
    verdicts: set[str] = set()
    for sizes in cases():
        members = [member(sizes.count(size), f"{size}m", name=f"m{size}") for size in SIZES if size in sizes]
        pods = tuple(sizes)
        for least in range(2, len(sizes) + 1):
            found = count(cluster, *members, gang(least))
            most = max(scheduled((high,) * nodes, pods))
            fewest = min(scheduled((low,) * nodes, pods))
            assert most < least or any(one.scheduled.maximum for one in found)
            assert fewest >= least or not any(one.scheduled.minimum for one in found)
            verdicts |= {one.verdict.value for one in found}
    assert verdicts >= {"fits", NONE, UNKNOWN}

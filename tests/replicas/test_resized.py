"""How many replicas run if a VerticalPodAutoscaler sets their requests."""

from typing import Any

import pytest

from nodepools.clouds.registry import catalog
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.platform import Platform
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import explain_replicas
from nodepools.rules.engine.samples import auto_mode, eks_pool
from tests.replicas.clusters import web
from tests.replicas.test_running import node


def scaler(*policies: dict[str, Any], mode: str | None = None, name: str = "web") -> dict[str, Any]:
    update = {} if mode is None else {"updatePolicy": {"updateMode": mode}}
    spec = {"targetRef": {"kind": "Deployment", "name": name}, "resourcePolicy": {"containerPolicies": list(policies)}, **update}
    return {"kind": "VerticalPodAutoscaler", "metadata": {"name": "vpa"}, "spec": spec}


def policy(least: str | None = None, most: str | None = None, name: str = "*", **fields: Any) -> dict[str, Any]:
    bounds = {key: {"cpu": value} for key, value in (("minAllowed", least), ("maxAllowed", most)) if value is not None}
    return {"containerName": name, "controlledResources": ["cpu"], **bounds, **fields}


def recommends(found: dict[str, Any], container: str = "main", **target: str) -> dict[str, Any]:
    return {**found, "status": {"recommendation": {"containerRecommendations": [{"containerName": container, "target": target}]}}}


ROWS = [
    pytest.param("1", recommends(scaler(), cpu="500m"), ("fits", 2, 2), id="what it recommends fits"),
    pytest.param("1", recommends(scaler(), cpu="4"), ("cannot", 0, 0), id="what it recommends does not"),
    pytest.param("1", recommends(scaler(policy(most="1500m")), cpu="4"), ("fits", 2, 2), id="within its bounds"),
    pytest.param("1", recommends(scaler(policy("3")), cpu="1m"), ("cannot", 0, 0), id="above the lowest"),
    pytest.param("1", recommends(scaler(policy(mode="Off")), cpu="4"), ("fits", 2, 2), id="for a container that it leaves alone"),
    pytest.param("1", recommends(scaler(), "other", cpu="4"), ("unknown", 0, 2), id="for another container"),
    pytest.param("8", recommends(scaler(), memory="64Mi"), ("cannot", 0, 0), id="of memory alone"),
    pytest.param("1", scaler(), ("unknown", 0, 2), id="no bounds"),
    pytest.param("1", scaler(mode="Off"), ("fits", 2, 2), id="it only recommends"),
    pytest.param("1", scaler(name="api"), ("fits", 2, 2), id="another workload"),
    pytest.param("1", scaler(policy(mode="Off")), ("fits", 2, 2), id="no container"),
    pytest.param("1", scaler(policy(most="1900m")), ("fits", 2, 2), id="one pod fits each node in any case"),
    pytest.param("100m", scaler(policy(most="1900m"), mode="Initial"), ("fits", 2, 2), id="more than the pod requests"),
    pytest.param("1", scaler(policy(most="4")), ("unknown", 0, 2), id="more than a node has"),
    pytest.param("8", scaler(), ("unknown", 0, 2), id="fewer requests can fit"),
    pytest.param("8", scaler(policy("4")), ("cannot", 0, 0), id="the fewest are too many"),
    pytest.param("1", scaler(policy("1", "1")), ("fits", 2, 2), id="requests that stay"),
    pytest.param("1", scaler(policy(), {"containerName": "main", "mode": "Off"}), ("fits", 2, 2), id="its own container is not changed"),
    pytest.param("1", scaler({"containerName": "*", "maxAllowed": {"cpu": "1"}}), ("unknown", 0, 2), id="memory has no bound"),
]


@pytest.mark.parametrize(("amount", "other", "expected"), ROWS)
def test_a_vertical_autoscaler(amount: str, other: dict[str, Any], expected: tuple[object, ...]) -> None:
    pools = ClusterPools(None, (node("n1"), node("n2")))
    workloads = list(read_workloads(web(2, requests={"cpu": amount})))
    [explained] = explain_replicas(workloads, [pools], read_workload_objects([other]))
    found = explained.count.scheduled
    assert (explained.answer.verdict.value, found.minimum, found.maximum) == expected


@pytest.mark.parametrize(
    ("rivals", "other", "least"),
    [
        pytest.param(1, scaler(name="rival", mode="Off"), 3, id="room for all with the requests of the manifests"),
        pytest.param(1, scaler(name="rival"), 0, id="its pod can need all of whichever node"),
        pytest.param(0, scaler(name="rival"), 3, id="no pods"),
    ],
)
def test_another_workload_that_an_autoscaler_resizes(rivals: int, other: dict[str, Any], least: int) -> None:
    pools = ClusterPools(None, (node("n1"), node("n2"), node("n3")))
    workloads = [*read_workloads(web(3, requests={"cpu": "1"})), *read_workloads(web(rivals, name="rival", requests={"cpu": "100m"}))]
    [explained, _] = explain_replicas(workloads, [pools], read_workload_objects([other]))
    assert (explained.count.scheduled.minimum, explained.count.scheduled.maximum) == (least, 3)


@pytest.mark.parametrize(("mode", "least"), [("Off", 3), (None, 0)])
def test_pods_that_an_autoscaler_resizes_can_use_up_the_limits_of_a_pool(mode: str | None, least: int) -> None:
    declared = Platform(name="dev", clusters={"use1": auto_mode({"web": eks_pool(limits={"cpu": "1000"})}, built_in_node_pools=[])})
    requests = {"cpu": "1", "memory": "1Gi"}
    workloads = [*read_workloads(web(3, requests=requests)), *read_workloads(web(1, name="rival", requests=requests))]
    [explained, _] = explain_replicas(workloads, catalog(declared), read_workload_objects([scaler(name="rival", mode=mode)]))
    assert (explained.count.scheduled.minimum, explained.count.scheduled.maximum) == (least, 3)


@pytest.mark.parametrize(
    ("most", "expected"),
    [("100m", ("fits", "")), ("2", ("unknown", "plus 2 for DaemonSets")), (None, ("unknown", "plus an unknown amount for DaemonSets"))],
)
def test_a_daemon_set_takes_what_its_autoscaler_allows(most: str | None, expected: tuple[str, str]) -> None:
    daemon = web(None, name="web", kind="DaemonSet")
    of_daemon = scaler(policy(most=most))
    of_daemon["spec"]["targetRef"]["kind"] = "DaemonSet"
    workloads = [*read_workloads(daemon), *read_workloads(web(1, name="p", requests={"cpu": "1"}))]
    [_, explained] = explain_replicas(workloads, [ClusterPools(None, (node("n1"),))], read_workload_objects([of_daemon]))
    [pool] = explained.answer.pools
    assert pool.verdict.value == expected[0]
    assert expected[1] in "".join(reason.message for reason in pool.reasons)


def test_an_amount_that_is_none() -> None:
    with pytest.raises(PodError):
        read_workload_objects([scaler(policy("a"))])


def test_a_limit_range_can_change_what_is_recommended() -> None:
    pools = ClusterPools(None, (node("n1"), node("n2")))
    workloads = list(read_workloads(web(2, requests={"cpu": "1"})))
    limits = {"kind": "LimitRange", "metadata": {"name": "l", "namespace": "default"}, "spec": {"limits": []}}
    recommended = recommends(scaler(), cpu="4")
    [alone] = explain_replicas(workloads, [pools], read_workload_objects([recommended]))
    [limited] = explain_replicas(workloads, [pools], read_workload_objects([recommended, limits]))
    assert (alone.count.verdict.value, limited.count.verdict.value) == ("cannot", "unknown")

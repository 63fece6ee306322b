"""How many evictions a PodDisruptionBudget allows, as the disruption controller and the eviction subresource of Kubernetes count."""

from typing import Any

import pytest

from nodepools.model.kubernetes.disruption_budget import Allowance, Matched, read_disruption_budget
from nodepools.model.kubernetes.raw_fields import PodError


def budget(**spec: Any) -> Any:
    selector = {"selector": {"matchLabels": {"app": "web"}}}
    return read_disruption_budget({"kind": "PodDisruptionBudget", "metadata": {"name": "web"}, "spec": {**selector, **spec}})


def of(kind: str, replicas: int) -> Matched:
    return Matched(kind, replicas)


WEB, POD, JOB = of("Deployment", 3), of("Pod", 1), of("Job", 3)
ROWS = [
    pytest.param({"maxUnavailable": 1}, [WEB], 1, id="one may be unavailable"),
    pytest.param({"maxUnavailable": 0}, [WEB], 0, id="none may be"),
    pytest.param({"maxUnavailable": "10%"}, [WEB], 1, id="a tenth, rounded up"),
    pytest.param({"maxUnavailable": "0%"}, [WEB], 0, id="no part of them"),
    pytest.param({"maxUnavailable": 5}, [WEB], 3, id="more than there are"),
    pytest.param({"maxUnavailable": 1}, [of("Deployment", 1)], 1, id="the only one"),
    pytest.param({"maxUnavailable": 1}, [WEB, of("StatefulSet", 2)], 1, id="of two workloads together"),
    pytest.param({"minAvailable": 2}, [WEB], 1, id="two must stay"),
    pytest.param({"minAvailable": 3}, [WEB], 0, id="all must stay"),
    pytest.param({"minAvailable": 1}, [of("Deployment", 1)], 0, id="the only one must stay"),
    pytest.param({"minAvailable": "50%"}, [WEB], 1, id="half must stay, rounded up"),
    pytest.param({"minAvailable": "90%"}, [of("Deployment", 5)], 0, id="nine tenths of five are five"),
    pytest.param({"minAvailable": "100%"}, [WEB], 0, id="every part must stay"),
    pytest.param({"minAvailable": 0}, [WEB], 3, id="none must stay"),
    pytest.param({}, [WEB], 0, id="neither of both: nothing is expected"),
    pytest.param({"minAvailable": 1}, [], 0, id="no pods"),
    pytest.param({"minAvailable": 1}, [POD, POD], 1, id="pods without a controller, by number"),
    pytest.param({"maxUnavailable": 1}, [POD, POD], 0, id="which are not expected otherwise"),
    pytest.param({"minAvailable": "50%"}, [WEB, POD], 2, id="and are healthy next to those that are"),
    pytest.param({"minAvailable": 2}, [JOB], 1, id="pods of a Job, by number"),
    pytest.param({"maxUnavailable": 1}, [JOB], 0, id="whose controller has no scale"),
    pytest.param({"maxUnavailable": 1}, [WEB, JOB], 0, id="which stops the count of all"),
]


@pytest.mark.parametrize(("spec", "matched", "evictions"), ROWS)
def test_how_many_pods_can_be_evicted(spec: Any, matched: list[Matched], evictions: int) -> None:
    assert budget(**spec).evictions(tuple(matched)) == evictions


@pytest.mark.parametrize(
    ("allowance", "healthy", "evictions", "unready"),
    [
        pytest.param(Allowance(3, 2), 3, 1, True, id="all are healthy"),
        pytest.param(Allowance(3, 2), 2, 0, True, id="a pod that is not ready can go while enough are"),
        pytest.param(Allowance(3, 2), 1, 0, False, id="and not while too few are"),
        pytest.param(Allowance(3, 0), 0, 0, False, id="nor if none has to be"),
        pytest.param(Allowance(0, 0), 3, 0, False, id="nothing is expected"),
    ],
)
def test_the_pods_that_are_healthy_decide(allowance: Allowance, healthy: int, evictions: int, unready: bool) -> None:  # noqa: FBT001  # a row
    assert allowance.evictions(healthy) == evictions
    assert allowance.evicts_unready(healthy, always=False) is unready
    assert allowance.evicts_unready(healthy, always=True)


@pytest.mark.parametrize(
    ("spec", "blocks"),
    [({"maxUnavailable": 0}, True), ({"maxUnavailable": "0%"}, True), ({"minAvailable": "100%"}, True), ({"minAvailable": 9}, False), ({}, False)],
)
def test_what_karpenter_recognizes_as_fully_blocking(spec: Any, blocks: bool) -> None:  # noqa: FBT001  # a row
    assert budget(**spec).blocks_any_number is blocks


SELECTORS = [
    pytest.param({"matchLabels": {"app": "web"}}, {"app": "web", "tier": "a"}, True, id="a label"),
    pytest.param({"matchLabels": {"app": "web"}}, {"app": "api"}, False, id="another value"),
    pytest.param({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}, {}, True, id="a label that may be missing"),
    pytest.param({"matchExpressions": [{"key": "app", "operator": "Exists"}]}, {}, False, id="a label that must be there"),
    pytest.param({}, {}, True, id="an empty selector selects every pod"),
    pytest.param(None, {"app": "web"}, False, id="no selector selects none"),
]


@pytest.mark.parametrize(("selector", "labels", "selects"), SELECTORS)
def test_which_pods_it_selects(selector: Any, labels: dict[str, str], selects: bool) -> None:  # noqa: FBT001  # a row
    made = budget(selector=selector)
    assert made.selects("default", labels) is selects
    assert not made.selects("other", labels)


def test_how_it_is_written() -> None:
    texts = [str(budget(**spec)) for spec in ({"maxUnavailable": 0}, {"minAvailable": "50%"}, {})]
    assert texts == ["maxUnavailable: 0", "minAvailable: 50%", "neither minAvailable nor maxUnavailable"]
    assert budget(unhealthyPodEvictionPolicy="AlwaysAllow").always_evicts_unready


@pytest.mark.parametrize(
    "spec",
    [
        {"minAvailable": 1, "maxUnavailable": 1},
        {"minAvailable": "half"},
        {"minAvailable": "101%"},
        {"maxUnavailable": -1},
        {"maxUnavailable": True},
        {"selector": []},
        {"selector": {"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}},
    ],
)
def test_what_the_api_server_rejects_cannot_be_read(spec: Any) -> None:
    with pytest.raises(PodError):
        budget(**spec)

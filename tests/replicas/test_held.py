"""What is uncertain of the replicas of a workload, whatever the pools: what scales it, its volumes, its operating system, and what repels it."""

from typing import Any

import pytest

from nodepools import UserPool, WindowsPool
from tests.replicas.clusters import HOST, SMALL, aks, apart, count, told, web

FIVE = aks(web=UserPool(vm_size=SMALL, count=5))
TARGET = {"kind": "Deployment", "name": "web"}
ALONE = {"containers": [{"name": "main", "resources": {"requests": {"cpu": "1"}}}]}


def hpa(**spec: Any) -> dict[str, Any]:
    return {"kind": "HorizontalPodAutoscaler", "metadata": {"name": "hpa"}, "spec": {"scaleTargetRef": TARGET, **spec}}


def keda(**spec: Any) -> dict[str, Any]:
    return {"kind": "ScaledObject", "metadata": {"name": "keda"}, "spec": {"scaleTargetRef": TARGET, **spec}}


NOW = {"status": {"desiredReplicas": 6}}
SCALERS = [
    pytest.param([{**hpa(minReplicas=2, maxReplicas=9), **NOW}], 3, 6, id="what an autoscaler of a cluster asks for now"),
    pytest.param([{**hpa(minReplicas=2, maxReplicas=4), **NOW}], 3, 4, id="within the bounds that are written"),
    pytest.param([{**hpa(minReplicas=2, maxReplicas=9), **NOW}, hpa(minReplicas=1, maxReplicas=5)], 3, 5, id="other bounds in a file"),
    pytest.param([{**hpa(minReplicas=2, maxReplicas=9), **NOW}, keda(minReplicaCount=2)], 3, 6, id="the autoscaler that KEDA made"),
    pytest.param([], 2, 2, id="as declared"),
    pytest.param([hpa(minReplicas=6, maxReplicas=9)], 2, 6, id="an autoscaler raises it"),
    pytest.param([hpa(minReplicas=1, maxReplicas=9)], 2, 2, id="within its bounds it does not"),
    pytest.param([hpa(maxReplicas=3)], 4, 3, id="an autoscaler lowers it"),
    pytest.param([hpa(minReplicas=6)], 0, 0, id="what has no replicas is not scaled"),
    pytest.param([keda(minReplicaCount=3)], 1, 3, id="KEDA"),
    pytest.param([keda(maxReplicaCount="many")], 4, 4, id="a bound that is not a number decides nothing"),
]


@pytest.mark.parametrize(("objects", "declared", "expected"), SCALERS)
def test_an_autoscaler_of_pods_decides_how_many_are_wanted(objects: list[dict[str, Any]], declared: int, expected: int) -> None:
    assert count(FIVE, web(declared), *objects)[0].wanted == expected


@pytest.mark.parametrize(("kind", "least", "expected"), [("Rollout", 2, 4), ("Rollout", 6, 6), ("CloneSet", 6, 1)])
def test_what_an_autoscaler_sets_instead_of_is_known_of_a_rollout_alone(kind: str, least: int, expected: int) -> None:
    template = web(1)["spec"]["template"]
    raw = {"apiVersion": "example.com/v1", "kind": kind, "metadata": {"name": "web"}, "spec": {"replicas": 4, "template": template}}
    scaler = hpa(minReplicas=least, maxReplicas=9, scaleTargetRef={"kind": kind, "name": "web"})
    assert count(FIVE, raw, scaler)[0].wanted == expected


def volumes(many: int, driver: str) -> list[dict[str, Any]]:
    """A workload whose pods have so many volumes of a driver, and its class."""
    template = {"spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "own", "resources": {"requests": {"storage": "1Gi"}}}}
    found = [{"name": f"v{number}", "ephemeral": {"volumeClaimTemplate": template}} for number in range(many)]
    kind = {"kind": "StorageClass", "metadata": {"name": "own"}, "provisioner": driver, "volumeBindingMode": "WaitForFirstConsumer"}
    return [web(1, volumes=found), kind]


@pytest.mark.parametrize(
    ("many", "driver", "certain"),
    [(4, "disk.csi.azure.com", 1), (5, "disk.csi.azure.com", 0), (5, "csi.example.com", 0), (9, "file.csi.azure.com", 1)],
)
def test_a_node_attaches_few_disks_for_certain(many: int, driver: str, certain: int) -> None:
    found = count(FIVE, *volumes(many, driver))[0].scheduled
    assert (found.minimum, found.maximum) == (certain, 1)


WINDOWS = {"os": {"name": "windows"}, "tolerations": [{"operator": "Exists"}]}
BOTH = aks(web=UserPool(vm_size=SMALL, count=5), win=WindowsPool(vm_size=SMALL, count=5))


def test_an_operating_system_of_the_pods_selects_no_nodes() -> None:
    [without] = count(BOTH, web(3, **WINDOWS))
    [selecting] = count(BOTH, web(3, nodeSelector={"kubernetes.io/os": "windows"}, **WINDOWS))
    assert told(without)[:3] == ("unknown", 0, 3)
    assert told(selecting)[:3] == ("fits", 3, 3)


def repelling(replicas: int, **term: Any) -> dict[str, Any]:
    return web(replicas, name="db", labels={"app": "db"}, **apart(term.pop("key", HOST), **term))


REPELLED = [
    pytest.param(repelling(2), 3, 3, id="two pods close two of five nodes"),
    pytest.param(repelling(5), 3, 0, id="five can close all"),
    pytest.param(repelling(2, key="topology.kubernetes.io/zone"), 3, 0, id="one can close a zone with all nodes"),
]


@pytest.mark.parametrize(("other", "many", "certain"), REPELLED)
def test_pods_of_others_close_their_nodes(other: dict[str, Any], many: int, certain: int) -> None:
    own, _ = count(FIVE, web(many, **ALONE), other)
    assert own.scheduled.minimum == certain

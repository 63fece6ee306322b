"""Exports with a part of the pods: those of a label, of a namespace, or of none."""

import json
from typing import Any

import pytest

from nodepools.manifests.existing.existing_pools import read_existing
from nodepools.placement.explain import explain
from nodepools.placement.workloads.reader import read_workloads
from nodepools.reading.bounded_input import TextError

SIZE = {"cpu": "4", "memory": "16Gi", "pods": "110"}
NODES = {"kind": "NodeList", "apiVersion": "v1", "items": [{"metadata": {"name": "n1", "labels": {"a": "b"}}, "status": {"allocatable": SIZE}}]}


def pod(name: str, space: str, **labels: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": space, "uid": name, "labels": labels}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"nodeName": "n1", "containers": [{"name": "c"}]}}


WEB = pod("a", "shop", app="web", tier="x")
APART = [WEB, pod("b", "kube-system", app="web")]
NONE: list[dict[str, Any]] = []
ALL = [WEB, pod("b", "kube-system", k8s="dns")]
NOT_ALL = "its room is not known, because "
OTHERS = "others can run: `--context` reads all"
BY_LABEL = f"{NOT_ALL}all pods of the export have a label `app`, as `-l` selects them: {OTHERS}"
ROWS = [
    pytest.param([("List", APART)], BY_LABEL, id="with a label"),
    pytest.param([("PodList", APART)], BY_LABEL, id="with a label, from an API server"),
    pytest.param([("PodList", [pod("a", "shop"), pod("b", "shop")])], f"{NOT_ALL}the export has pods of namespace `shop` only", id="of a namespace"),
    pytest.param([("PodList", NONE)], f"{NOT_ALL}pods were not exported", id="of a namespace without pods"),
    pytest.param([("List", ALL)], "", id="all"),
    pytest.param([("List", [pod("a", "", app="web")])], "", id="one that is written by hand, which no option selects"),
    pytest.param([("PodList", ALL)], "", id="all from an API server"),
    pytest.param([("List", APART), ("List", ALL)], "", id="those with a label again, next to all"),
]


@pytest.mark.parametrize(("exports", "why"), ROWS)
def test_what_a_part_of_the_pods_leaves_open(exports: list[tuple[str, list[dict[str, Any]]]], why: str) -> None:
    texts = [json.dumps({"apiVersion": "v1", "kind": kind, "items": items}) for kind, items in exports]
    found = read_existing([(text, f"{number}.json") for number, text in enumerate([json.dumps(NODES), *texts])], _raised)
    [answer] = explain(
        list(read_workloads({"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}})), [found.pools_with_pods]
    )
    [evaluated] = answer.pools
    assert evaluated.verdict == ("unknown" if why else "fits")
    assert "".join(reason.message for reason in evaluated.reasons).startswith(why)


AZURE = {
    "id": "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c/agentPools/web",
    "name": "web",
    "type": "Microsoft.ContainerService/managedClusters/agentPools",
    "mode": "System",
    "osType": "Linux",
    "vmSize": "Standard_D4ds_v5",
}
GROUP = {
    "nodegroupName": "web",
    "clusterName": "c",
    "status": "ACTIVE",
    "instanceTypes": ["m5.large"],
    "amiType": "AL2023_x86_64_STANDARD",
    "nodegroupArn": "arn:aws:eks:us-east-1:111122223333:nodegroup/c/web/1",
}


def _azure(now: int, most: int | None) -> dict[str, object]:
    scaled = {"enableAutoScaling": False} if most is None else {"enableAutoScaling": True, "minCount": 0, "maxCount": most}
    return {**AZURE, "count": now, **scaled}


def _group(now: int, most: int) -> dict[str, object]:
    return {"nodegroup": {**GROUP, "scalingConfig": {"minSize": 0, "maxSize": most, "desiredSize": now}}}


@pytest.mark.parametrize("size", ["100m", "1500m"])
@pytest.mark.parametrize(
    ("pools", "verdict"),
    [
        pytest.param(_azure(2, None), "unknown", id="agent pool of a fixed size"),
        pytest.param(_azure(2, 5), "unknown", id="agent pool that is scaled"),
        pytest.param(_azure(0, 5), "fits", id="agent pool without nodes now"),
        pytest.param(_group(1, 3), "unknown", id="node group"),
    ],
)
def test_the_room_on_nodes_that_run_is_not_known_without_them(pools: dict[str, object], verdict: str, size: str) -> None:
    """More exports must not make a certain answer uncertain: pods can use nodes that the clouds only count."""
    container = {"name": "c", "resources": {"requests": {"cpu": size}}}
    asked = list(read_workloads({"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [container]}}))
    found = read_existing([(json.dumps(pools), "web.json")], _raised)
    [answer] = explain(asked, [found.pools_with_pods])
    [evaluated] = answer.pools
    assert evaluated.verdict == verdict
    assert [reason.message.startswith(f"{NOT_ALL}nodes and their pods") for reason in evaluated.reasons] == ([] if verdict == "fits" else [True])


KARPENTER: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "any"},
    "spec": {
        "limits": {"cpu": "16"},
        "template": {"spec": {"nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}, "requirements": []}},
    },
}


@pytest.mark.parametrize(
    ("status", "spec", "verdict"),
    [
        pytest.param({}, {}, "fits", id="a manifest, or one without nodes"),
        pytest.param({"resources": {"cpu": "0", "nodes": "0"}}, {}, "fits", id="nothing runs"),
        pytest.param({"resources": {"cpu": "4", "nodes": "1"}}, {}, "unknown", id="others use its limits"),
        pytest.param({"resources": {"cpu": "4", "nodes": "1"}}, {"limits": {}}, "fits", id="without limits"),
    ],
)
def test_what_is_left_of_the_limits_of_a_node_pool_that_runs_can_be_taken(status: dict[str, Any], spec: dict[str, Any], verdict: str) -> None:
    asked = list(read_workloads({"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}))
    pool = {**KARPENTER, "spec": {**KARPENTER["spec"], **spec}, "status": status}
    [answer] = explain(asked, [read_existing([(json.dumps(pool), "pool.json")], _raised).pools_with_pods])
    assert [one.verdict for one in answer.pools] == [verdict]


def _raised(error: TextError) -> None:
    raise error

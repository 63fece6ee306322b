"""Replicas on managed node groups: the nodes of a group are certain only as far as it has them now, and so are its zones."""

from dataclasses import replace
from typing import Any

import pytest

from nodepools.placement.existing_nodes import further_nodes
from nodepools.placement.explain import explain
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import NO_OBJECTS
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import with_counts
from tests.clouds.test_node_groups import SEVERAL, WEB

ZONE = "topology.kubernetes.io/zone"
OVER_ZONES = {"topologySpreadConstraints": [{"topologyKey": ZONE, "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}]}
TERM = {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "a"}}}
APART = {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [TERM]}}}
BOTH = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["eu-west-1a", "eu-west-1b"]}]}
REQUIRED = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [BOTH]}}
IN_BOTH = {"affinity": {**APART["affinity"], "nodeAffinity": REQUIRED}}
IN_A = {"nodeSelector": {ZONE: "eu-west-1a"}}


def deployment(replicas: int, cpu: str, **spec: Any) -> dict[str, Any]:
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"resources": {"requests": {"cpu": cpu}}}], **spec}}
    return {"kind": "Deployment", "metadata": {"name": "a"}, "spec": {"replicas": replicas, "template": template}}


def counted(raw: dict[str, Any], *static: StaticPool) -> tuple[int, int]:
    pools = [ClusterPools(None, static)]
    [found] = with_counts(explain(list(read_workloads(raw)), pools), pools, NO_OBJECTS)
    return found.count.scheduled.minimum, found.count.scheduled.maximum


ROWS = [
    pytest.param(deployment(9, "1500m"), None, (3, 6), id="one on each node: three are there, six can be"),
    pytest.param(deployment(9, "1500m"), True, (6, 6), id="autoscaled: all six are certain"),
    pytest.param(deployment(9, "1500m"), False, (3, 3), id="not autoscaled: three and no more"),
    pytest.param(deployment(100, "1m"), False, (18, 100), id="interfaces bound the pods of a node"),
    pytest.param(deployment(3, "100m", **APART), None, (1, 2), id="one in each of two zones, of which one is certain to have nodes"),
    pytest.param(deployment(4, "100m", **OVER_ZONES), None, (4, 4), id="a spread over two zones: one without nodes does not count"),
    pytest.param(deployment(3, "100m", **IN_BOTH), None, (1, 2), id="zones that the pods name"),
    pytest.param(deployment(2, "100m", **IN_A), None, (0, 2), id="one of two zones"),
]


@pytest.mark.parametrize(("raw", "autoscaled", "expected"), ROWS)
def test_replicas(raw: dict[str, Any], autoscaled: Any, expected: tuple[int, int]) -> None:
    assert counted(raw, WEB.nodes(["eu-west-1a", "eu-west-1b"], autoscaled=autoscaled)) == expected


def test_nodes_of_several_types_hold_what_the_smallest_holds() -> None:
    assert counted(deployment(9, "1500m"), SEVERAL.nodes(None, autoscaled=False)) == (3, 6)


def test_nodes_that_run_are_among_those_of_their_group() -> None:
    node = StaticPool("n", ({"eks.amazonaws.com/nodegroup": "web"},), names=frozenset({"n"}))
    [left] = further_nodes([WEB.nodes(None, autoscaled=None)], [node, replace(node, address="m"), StaticPool("o", ({},))])
    assert (left.min_nodes, left.max_nodes, left.sure_nodes) == (0, 4, 1)

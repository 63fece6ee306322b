"""Fields of nodes, as kube-scheduler matches them; and what the questions of the docs say."""

from typing import Any

import pytest

from nodepools.manifests.workloads import workload_file
from nodepools.model.kubernetes.pod import Expression, Pod, Term
from nodepools.placement.static_pools import StaticPool

NAMED = StaticPool("node-1", ({},), names=frozenset({"node-1"}))
POOL = StaticPool("c/web", ({},))

ROWS = [
    pytest.param(NAMED, Expression("metadata.name", "In", ("node-1",)), "fits", id="its name"),
    pytest.param(NAMED, Expression("metadata.name", "In", ("node-2",)), "cannot", id="another name"),
    pytest.param(NAMED, Expression("metadata.name", "NotIn", ("node-2",)), "fits", id="not another name"),
    pytest.param(NAMED, Expression("metadata.name", "Exists"), "cannot", id="an operator that fields have not"),
    pytest.param(NAMED, Expression("metadata.uid", "In", ("1",)), "cannot", id="a field that is none"),
    pytest.param(POOL, Expression("metadata.name", "In", ("node-1",)), "unknown", id="the names of a pool's nodes are not known"),
]


@pytest.mark.parametrize(("nodes", "wanted", "verdict"), ROWS)
def test_fields(nodes: StaticPool, wanted: Expression, verdict: str) -> None:
    assert nodes.evaluate(Pod(required=(Term(fields=(wanted,)),))).verdict.value == verdict


def test_the_examples_are_eight_workloads(project: Any) -> None:
    found = [one for path in sorted((project / "examples/workloads").glob("*.yaml")) for one in workload_file(path.read_text(), path.name).workloads]
    assert [one.name for one in found] == ["cache", "logs", "misspelt", "untolerating", "arm", "report", "train", "web"]

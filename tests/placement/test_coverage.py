"""The share of the nodes of a cluster that an answer covers."""

from dataclasses import replace

import pytest

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.listing import saved
from nodepools.placement.coverage import EXPORT, Coverage, coverage
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from tests.clouds.test_eks_self_managed import LINUX

WEB = StaticPool("web", ({"eks.amazonaws.com/nodegroup": "web"},), max_nodes=6, now=3)
DECLARED = StaticPool("batch", ({"nodepools/name": "batch"},), max_nodes=2)
KARPENTER = read_existing_pools([(LINUX, "pool.yaml")]).provisioned

SAVED = saved(EXPORT, existing=True)


OF_WEB = StaticPool("a", ({"eks.amazonaws.com/nodegroup": "web"},), names=frozenset({"a"}))
OF_KARPENTER = StaticPool("b", ({"karpenter.sh/nodepool": "web"},), names=frozenset({"b"}))
OF_NONE = StaticPool("c", ({"team": "a"},), names=frozenset({"c"}))

ROWS = [
    pytest.param(ClusterPools(None, (WEB,)), "The answer covers 3 of 3 nodes", id="the nodes that a group has now"),
    pytest.param(ClusterPools(None, (DECLARED,)), "The answer covers 2 of 2 nodes", id="the nodes that a declared pool can have"),
    pytest.param(ClusterPools(None, (WEB, DECLARED), unsure={"web": "user data"}), "The answer covers 2 of 5 nodes", id="nodes with hidden settings"),
    pytest.param(
        ClusterPools(None, (WEB,), KARPENTER),
        f"The answer covers 3 of 3 nodes, without nodes that Karpenter launched. Optional, to count what is missing: {SAVED}",
        id="nodes of Karpenter that are not in the input",
    ),
    pytest.param(
        ClusterPools(None, (), KARPENTER),
        f"Running nodes were not read. {SAVED}",
        id="NodePools without any node",
    ),
    pytest.param(
        ClusterPools(None, (replace(WEB, unknown_use="hidden"),), KARPENTER),
        f"The answer covers 3 of 3 nodes, without the pods on them or nodes that Karpenter launched. Optional, to count what is missing: {SAVED}",
        id="nodes whose pods are not in the input",
    ),
    pytest.param(ClusterPools(None, (OF_WEB, OF_KARPENTER, WEB), KARPENTER), "The answer covers 2 of 2 nodes", id="nodes of known pools"),
    pytest.param(ClusterPools(None, (OF_WEB,), emptied=(WEB,)), "The answer covers 1 of 1 nodes", id="a node of a group that has no more"),
    pytest.param(
        ClusterPools(None, (OF_WEB, OF_NONE, WEB)),
        "The answer covers 2 of 2 nodes; pools of 1 of them are not in the input, and can add more",
        id="a node of no known pool",
    ),
]


@pytest.mark.parametrize(("pools", "said"), ROWS)
def test_the_share(pools: ClusterPools, said: str) -> None:
    assert str(coverage(pools)) == said


@pytest.mark.parametrize(
    ("launches", "hides_pods", "lacks"),
    [(False, False, ""), (True, False, "nodes that Karpenter launched"), (True, True, "the pods on them or nodes that Karpenter launched")],
)
def test_what_the_input_lacks(*, launches: bool, hides_pods: bool, lacks: str) -> None:
    assert Coverage(5, 5, 0, launches=launches, hides_pods=hides_pods).lacks == lacks


def test_as_data() -> None:
    assert coverage(ClusterPools(None, (WEB,))).to_json() == {"nodes": 3, "covered": 3, "without_pool": 0}
    assert coverage(replace(ClusterPools(None, (WEB,)), provisioned=KARPENTER)).to_json() == {"nodes": None, "covered": 3, "without_pool": 0}

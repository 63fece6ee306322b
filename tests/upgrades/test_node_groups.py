"""Node groups of others in a declared cluster: their steps, and the share of the nodes that the plan covers."""

from typing import Any

import pytest

from nodepools import Platform
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.fleet import Fleet, FleetNode
from nodepools.model.listing import saved
from nodepools.placement.coverage import EXPORT
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from tests.upgrades.declared import budget, deployment, eks, plan, steps, told


def group(version: str = "1.35", name: str = "blue", **fields: Any) -> NodeGroup:
    known: dict[str, Any] = {
        "instance_types": ("m6i.large",),
        "labels": {"tier": name},
        "version": version,
        "least": 1,
        "desired": 3,
        "most": 4,
        **fields,
    }
    return NodeGroup(name=name, cluster="dev-use1", region="us-east-1", ami_type="AL2023_x86_64_STANDARD", **known)


def node(name: str, **labels: str) -> FleetNode:
    return FleetNode(name=name, labels=labels)


def fleet(*groups: NodeGroup, **known: Any) -> Fleet:
    return Fleet(groups=groups, **known)


def planned(found: Fleet, *objects: Any, to: str = "1.36", platform: Platform | None = None) -> ClusterUpgrade:
    return plan(platform if platform is not None else eks(), to, *objects, fleets={("dev", "use1"): found})


CONTROL, COMPUTE = "control_plane use1 1.35 → 1.36", "node_pool compute 1.35 → 1.36"


@pytest.mark.parametrize(
    ("found", "to", "expected"),
    [
        pytest.param(fleet(group()), "1.36", [CONTROL, COMPUTE, "pool blue 1.35 → 1.36"], id="after the control plane"),
        pytest.param(fleet(group("")), "1.36", [CONTROL, COMPUTE, "pool blue 1.35 → 1.36"], id="its version is not known"),
        pytest.param(
            fleet(group("1.34")),
            "1.36",
            ["pool blue 1.34 → 1.35", CONTROL, COMPUTE, "pool blue 1.35 → 1.36"],
            id="one that is behind comes first: EKS requires it",
        ),
        pytest.param(fleet(group("1.34")), "1.35", ["pool blue 1.34 → 1.35"], id="only it is behind"),
        pytest.param(fleet(group("1.35")), "1.35", [], id="nothing is behind"),
        pytest.param(
            fleet(group("1.34"), control_plane="1.35", nodes=(FleetNode(name="n", labels={"karpenter.sh/nodepool": "compute"}, version="1.34"),)),
            "1.35",
            ["pool blue 1.34 → 1.35", "node_pool compute 1.34 → 1.35"],
            id="nodes of Karpenter are behind, too",
        ),
        pytest.param(fleet(group(), control_plane="1.36"), "1.35", [], id="no way back"),
    ],
)
def test_steps_of_node_groups(found: Fleet, to: str, expected: list[str]) -> None:
    assert steps(planned(found, to=to)) == expected


def test_the_version_that_is_left_is_the_lowest() -> None:
    assert (planned(fleet(group("1.34"))).old, planned(fleet(group())).old) == ("1.34", "1.35")


def test_a_budget_that_blocks_the_node_group() -> None:
    web = deployment(nodeSelector={"tier": "blue"})
    [step] = [step for step in planned(fleet(group()), web, budget(maxUnavailable=0)).steps if step.name == "blue"]
    assert any("PodEvictionFailure" in line for line in told(step.blocked_by))


OF_GROUP, OF_POOL = {"eks.amazonaws.com/nodegroup": "blue"}, {"karpenter.sh/nodepool": "compute"}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        pytest.param(fleet(), None, id="nothing but the declaration"),
        pytest.param(fleet(nodes=(node("a", **OF_POOL),)), None, id="nodes of the declaration"),
        pytest.param(
            fleet(group()),
            f"The answer covers 3 of 3 nodes, without nodes that Karpenter launched. "
            f"Optional, to count what is missing: {saved(EXPORT, existing=True)}",
            id="node groups without nodes",
        ),
        pytest.param(fleet(group(), nodes=(node("a", **OF_POOL), node("b", **OF_GROUP))), "The answer covers 2 of 2 nodes", id="all of them"),
        pytest.param(
            fleet(nodes=(node("a", **OF_POOL), node("b", **OF_GROUP))),
            "The answer covers 1 of 2 nodes; pools of 1 of them are not in the input, and can add more",
            id="a node group that was not exported",
        ),
    ],
)
def test_the_share_of_the_nodes(found: Fleet, said: str | None) -> None:
    coverage = planned(found).coverage
    assert (None if coverage is None else str(coverage)) == said


def test_exports_of_the_same_node_group_are_one() -> None:
    joined = fleet(group("1.34"), group(name="red")).joined(fleet(group("1.35")))
    assert [(one.name, one.version) for one in joined.groups] == [("blue", "1.35"), ("red", "1.35")]

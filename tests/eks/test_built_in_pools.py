"""Built-in pools go on and off beside classes of one's own, which notice nothing: not their role, not their entry, not their name."""

import pytest

from nodepools import AutoMode, EksNodeClass, EksNodePool

NODES = "arn:aws:iam::111122223333:role/nodes"
BOTH = ("general-purpose", "system")


@pytest.fixture
def with_built_in(deploy):
    def deployed(*built_in, **fields):
        auto_mode = AutoMode(
            built_in_node_pools=built_in,
            node_classes={"shared": EksNodeClass(), "own": EksNodeClass(create_role=True), "brought": EksNodeClass(role="nodes")},
            node_pools={name: EksNodePool(node_class=name) for name in ("shared", "own", "brought")},
        )
        return deploy(auto_mode=auto_mode, **fields)

    return deployed


def labels(waves):
    return {label for wave in waves for label in wave}


OF_BUILT_IN_POOLS = {
    "Role/dev-use1-node-role",
    "RolePolicyAttachment/dev-use1-node-role-AmazonEKSWorkerNodeMinimalPolicy",
    "RolePolicyAttachment/dev-use1-node-role-AmazonEC2ContainerRegistryPullOnly",
}


def test_off_takes_the_role_of_the_built_in_pools_and_nothing_else(with_built_in):
    between = with_built_in().waves(since=with_built_in(*BOTH))
    assert (between.creates, between.updates) == ((), {"Cluster/dev-use1"})
    assert labels(between.deletes) == OF_BUILT_IN_POOLS


def test_on_makes_the_role_of_the_built_in_pools_and_leaves_their_entry_to_eks(with_built_in):
    between = with_built_in(*BOTH).waves(since=with_built_in())
    assert labels(between.creates) == OF_BUILT_IN_POOLS
    assert (between.updates, between.deletes) == ({"Cluster/dev-use1"}, ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(["system"], BOTH, id="one more"),
        pytest.param(BOTH, ["general-purpose"], id="one less"),
        pytest.param(["system"], ["general-purpose"], id="the other one"),
    ],
)
def test_while_one_is_on_the_cluster_alone_changes_and_keeps_its_role(with_built_in, before, after):
    old, new = with_built_in(*before), with_built_in(*after)
    between = new.waves(since=old)
    assert (between.creates, between.updates, between.deletes) == ((), {"Cluster/dev-use1"}, ())
    assert len({graph.one("Cluster").inputs["computeConfig"]["nodeRoleArn"] for graph in (old, new)}) == 1


def test_of_a_brought_role_that_both_have_the_entry_changes_hands(with_built_in):
    """Nobody says what EKS does with its entry then: EKS094 says so, and the guide how to go about it."""
    on, off = with_built_in(*BOTH, node_role=NODES), with_built_in(node_role=NODES)
    assert labels(off.waves(since=on).creates) == {"AccessEntry/dev-use1-access-node", "AccessPolicyAssociation/dev-use1-access-node-policy"}


@pytest.mark.parametrize("built_in", [BOTH, ()], ids=["on", "off"])
def test_its_roles_are_told(with_built_in, built_in):
    outputs = with_built_in(*built_in).one("EksCluster").outputs
    assert ("node_role" in outputs) is bool(built_in)
    assert outputs["class_node_role"].endswith(":role/dev-use1-class-node")

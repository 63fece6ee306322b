"""The roles of the cluster and of its nodes: made, or brought."""

import json

import pytest

from nodepools import AutoMode, EksNodeClass, StackOutput
from nodepools.model.eks.access import CLUSTER_POLICIES, NODE_POLICIES

CLUSTER = "arn:aws:iam::111122223333:role/eks"
NODES = "arn:aws:iam::111122223333:role/teams/nodes"


def classes(built_in=("system",), **node_classes):
    return AutoMode(built_in_node_pools=built_in, node_classes=node_classes)


def attached(graph, role):
    return {node.inputs["policyArn"].rpartition("/")[2] for node in graph.all(f"RolePolicyAttachment/dev-use1-{role}-*")}


def test_the_roles_are_made_with_the_policies_of_auto_mode(deploy, preview):
    graph = deploy(preview=preview)
    assert graph.one("Role/dev-use1-cluster-role").inputs["name"] == "dev-use1-cluster"
    assert graph.one("Role/dev-use1-node-role").inputs["name"] == "dev-use1-node"
    assert attached(graph, "cluster-role") == set(CLUSTER_POLICIES)
    assert attached(graph, "node-role") == set(NODE_POLICIES)


def test_more_policies_are_attached_to_each_role_that_is_made(deploy, preview):
    own = "arn:aws:iam::111122223333:policy/own"
    graph = deploy(
        cluster_policies=[own],
        node_policies=["AmazonSSMManagedInstanceCore"],
        auto_mode=classes(own=EksNodeClass(create_role=True), shared=EksNodeClass()),
        preview=preview,
    )
    assert attached(graph, "cluster-role") == {*CLUSTER_POLICIES, "own"}
    for role in ("node-role", "class-node-role", "node-role-own"):
        assert attached(graph, role) >= {*NODE_POLICIES, "AmazonSSMManagedInstanceCore"}, role


def test_declared_statements_are_an_inline_policy_of_each_role_that_is_made(deploy):
    one, other = ({"Effect": "Allow", "Action": [action], "Resource": ["*"]} for action in ("kms:CreateGrant", "ssm:GetParameter"))
    graph = deploy(cluster_statements=[one], node_statements=[other], auto_mode=classes(own=EksNodeClass(create_role=True), shared=EksNodeClass()))
    sent = {node.name: json.loads(node.inputs["policy"])["Statement"] for node in graph.some("RolePolicy")}
    assert sent == {
        "dev-use1-cluster-role-statements": [one],
        **{f"dev-use1-{role}-statements": [other] for role in ("node-role", "class-node-role", "node-role-own")},
    }


@pytest.mark.parametrize(("region", "partition"), [("us-east-1", "aws"), ("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov")])
def test_policies_are_those_of_the_partition(deploy, region, partition):
    graph = deploy(region=region, config={"aws:region": region}, auto_mode=classes(private=EksNodeClass(create_role=True, tags={"a": "b"})))
    arns = [node.inputs["policyArn"] for node in graph.some("RolePolicyAttachment")]
    arns += [node.inputs["policyArn"] for node in graph.some("AccessPolicyAssociation")]
    assert all(arn.startswith(f"arn:{partition}:") for arn in arns)
    assert f"arn:{partition}:ec2" in graph.one("RolePolicy").inputs["policy"]


def test_nodes_in_china_trust_their_own_principal(deploy):
    graph = deploy(region="cn-north-1", config={"aws:region": "cn-north-1"})
    [statement] = json.loads(graph.one("Role/dev-use1-node-role").inputs["assumeRolePolicy"])["Statement"]
    assert statement["Principal"] == {"Service": "ec2.amazonaws.com.cn"}


def test_roles_have_a_path_and_a_boundary(deploy):
    boundary = "arn:aws:iam::111122223333:policy/boundary"
    graph = deploy(iam_path="/teams/web/", permissions_boundary=boundary)
    assert {(role.inputs["path"], role.inputs["permissionsBoundary"]) for role in graph.some("Role")} == {("/teams/web/", boundary)}
    assert graph.one("NodeClass").inputs["spec"]["role"] == "teams/web/dev-use1-class-node"


def test_roles_have_the_tags_of_the_cluster(deploy):
    assert all(role.inputs["tags"] == {"team": "core"} for role in deploy(tags={"team": "core"}).some("Role"))


def test_brought_roles_make_none(deploy, preview):
    graph = deploy(cluster_role=CLUSTER, node_role=NODES, preview=preview)
    assert not [node for node in graph if node.type.startswith("aws:iam")]
    assert graph.one("Cluster").inputs["roleArn"] == CLUSTER
    assert graph.one("Cluster").inputs["computeConfig"]["nodeRoleArn"] == NODES
    assert graph.one("NodeClass").inputs["spec"]["role"] == "teams/nodes"


def test_a_brought_role_may_be_the_output_of_another_stack(deploy):
    graph = deploy(node_role=StackOutput("acme/iam/prod", "nodes"), stacks={"acme/iam/prod": {"nodes": NODES}})
    assert graph.one("Cluster").inputs["computeConfig"]["nodeRoleArn"] == NODES
    assert graph.one("NodeClass").inputs["spec"]["role"] == "teams/nodes"


@pytest.mark.parametrize(
    ("auto_mode", "roles"),
    [
        pytest.param(classes(), {"dev-use1-node"}, id="for built-in pools"),
        pytest.param(classes([]), set(), id="for no nodes at all, none"),
        pytest.param(classes([], a=EksNodeClass(), b=EksNodeClass()), {"dev-use1-class-node"}, id="for classes that have no other, one"),
        pytest.param(classes(a=EksNodeClass()), {"dev-use1-node", "dev-use1-class-node"}, id="for built-in pools and such a class, one each"),
        pytest.param(classes([], a=EksNodeClass(create_role=True)), {"dev-use1-node-a"}, id="only that of the class, where it has its own"),
        pytest.param(classes([], a=EksNodeClass(role="nodes")), set(), id="none for a class that brings one"),
    ],
)
def test_a_node_role_is_made_for_whom_it_serves(deploy, auto_mode, roles):
    assert {role.inputs["name"] for role in deploy(auto_mode=auto_mode).all("Role/*node-role*")} == roles


@pytest.mark.parametrize(
    ("node_class", "policies"),
    [
        pytest.param(EksNodeClass(tags={"team": "web"}), 1, id="with tags it is needed, or no node ever starts"),
        pytest.param(EksNodeClass(overrides={"tags": {"team": "web"}}), 1, id="however they are said"),
        pytest.param(EksNodeClass(create_role=True, previous=EksNodeClass(tags={"team": "web"})), 1, id="also while the class that has them retires"),
        pytest.param(EksNodeClass(), 0, id="without it is a right too many"),
    ],
)
def test_the_right_to_tag_is_given_exactly_when_a_class_has_tags(deploy, node_class, policies):
    graph = deploy(auto_mode=classes(private=node_class))
    assert len(graph.all("RolePolicy/dev-use1-cluster-role-custom-tags")) == policies
    assert all(graph.one("Cluster").depends_on(policy) for policy in graph.all("RolePolicy"))


def test_long_names_are_cut_and_stay_different(deploy):
    graph = deploy(auto_mode=classes([], **{"a" * 60: EksNodeClass(create_role=True), "a" * 61: EksNodeClass(create_role=True)}))
    names = [role.inputs["name"] for role in graph.some("Role/*node-role*")]
    assert len(set(names)) == 2
    assert all(len(name) <= 64 for name in names)


def test_the_cluster_comes_after_every_policy(deploy, preview):
    graph = deploy(auto_mode=classes(private=EksNodeClass(create_role=True)), preview=preview)
    assert len(graph.some("RolePolicyAttachment")) == 9
    assert all(graph.one("Cluster").depends_on(policy) for policy in graph.some("RolePolicyAttachment"))

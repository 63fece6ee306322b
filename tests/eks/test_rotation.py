"""The role of a NodeClass is fixed: with another one it is another class, and its pools move to it in place."""

import pulumi
import pytest

from nodepools import AutoMode, EksNodeClass, EksNodePool, StackOutput

NODES = "arn:aws:iam::111122223333:role/nodes"


@pytest.fixture
def with_class(deploy):
    def deployed(node_class, built_in=("system",), **fields):
        pools = {"web": EksNodePool(node_class="private")}
        auto_mode = AutoMode(built_in_node_pools=built_in, node_classes={"private": node_class}, node_pools=pools)
        return deploy(auto_mode=auto_mode, **fields)

    return deployed


def kinds(waves):
    return [{label.partition("/")[0] for label in wave} for wave in waves]


def test_another_role_is_another_entry_and_class_and_the_pool_moves(with_class):
    before, after = with_class(EksNodeClass(role="one")), with_class(EksNodeClass(role="other"))
    between = after.waves(since=before)
    assert kinds(between.creates) == [{"AccessEntry"}, {"AccessPolicyAssociation"}, {"NodeClass"}]
    assert between.updates == {"NodePool/dev-use1-web"}
    assert kinds(between.deletes) == [{"NodeClass"}, {"AccessPolicyAssociation"}, {"AccessEntry"}]
    assert before.one("NodePool").urn == after.one("NodePool").urn


def test_a_role_of_its_own_is_made_for_it_before_and_the_shared_one_goes_last(with_class):
    before, after = with_class(EksNodeClass()), with_class(EksNodeClass(create_role=True))
    between = after.waves(since=before)
    assert kinds(between.creates) == [
        {"Role"},
        {"RolePolicyAttachment"},
        {"AccessEntry"},
        {"AccessPolicyAssociation"},
        {"NodeClass"},
    ]
    assert between.updates == {"NodePool/dev-use1-web"}
    assert kinds(between.deletes) == [{"NodeClass"}, {"AccessPolicyAssociation"}, {"AccessEntry", "RolePolicyAttachment"}, {"Role"}]


def test_a_second_update_is_empty(with_class):
    between = with_class(EksNodeClass(role="one")).waves(since=with_class(EksNodeClass(role="one")))
    assert (between.creates, between.updates, between.deletes) == ((), frozenset(), ())


def test_any_other_change_keeps_the_class(with_class):
    between = with_class(EksNodeClass(ephemeral_storage="200Gi")).waves(since=with_class(EksNodeClass()))
    assert (between.creates, between.updates, between.deletes) == ((), {"NodeClass/dev-use1-private"}, ())


def test_another_brought_role_of_the_cluster_is_another_class(with_class):
    before, after = with_class(EksNodeClass(), []), with_class(EksNodeClass(), [], node_role=NODES)
    names = [graph.one("NodeClass").inputs["metadata"]["name"] for graph in (before, after)]
    assert names[0] == "private" != names[1]


@pytest.mark.parametrize(
    "role",
    [
        pytest.param(lambda: StackOutput("acme/iam/prod", "nodes"), id="an output of another stack"),
        pytest.param(lambda: pulumi.Output.from_input("one"), id="an Output"),
    ],
)
def test_a_role_that_is_known_later_names_the_class_as_if_it_were_known(with_class, deploy, role):
    def auto_mode():
        pools = {"web": EksNodePool(node_class="private")}
        return AutoMode(node_classes={"private": EksNodeClass(role=role())}, node_pools=pools)

    later, now = deploy(auto_mode=auto_mode, stacks={"acme/iam/prod": {"nodes": "one"}}), with_class(EksNodeClass(role="one"))
    names = [graph.one("NodeClass").inputs["metadata"]["name"] for graph in (later, now)]
    assert names[0] == names[1] != "private"
    assert later.one("NodePool").inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == names[0]


@pytest.mark.parametrize("role", ["one", StackOutput("acme/iam/prod", "nodes")])
def test_a_class_that_exists_keeps_its_name(deploy, role):
    mode = AutoMode(node_classes={"private": EksNodeClass(role=role, name="there")}, node_pools={"web": EksNodePool(node_class="private")})
    graph = deploy(auto_mode=mode, stacks={"acme/iam/prod": {"nodes": "one"}})
    assert graph.one("NodeClass/dev-use1-there").inputs["metadata"]["name"] == "there"
    assert graph.one("NodePool").inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == "there"


def retiring(previous="one", **fields):
    return EksNodeClass(role="other", previous=EksNodeClass(role=previous), **fields)


def test_a_class_that_retires_stays_as_it_was_while_its_pool_moves(with_class):
    between = with_class(retiring()).waves(since=with_class(EksNodeClass(role="one")))
    assert kinds(between.creates) == [{"AccessEntry"}, {"AccessPolicyAssociation"}, {"NodeClass"}]
    assert between.updates == {"NodePool/dev-use1-web"}
    assert between.deletes == (), "nothing waits for nodes that drift for hours"


def test_and_goes_with_its_entry_when_it_is_no_longer_declared(with_class):
    between = with_class(EksNodeClass(role="other")).waves(since=with_class(retiring()))
    assert (between.creates, between.updates) == ((), frozenset())
    assert kinds(between.deletes) == [{"NodeClass"}, {"AccessPolicyAssociation"}, {"AccessEntry"}]


def test_it_has_all_that_its_nodes_need_until_then(with_class, preview):
    graph = with_class(EksNodeClass(role="other", previous=EksNodeClass(create_role=True, tags={"team": "web"})), [], preview=preview)
    old = next(made for made in graph.some("NodeClass") if made.inputs["spec"]["role"] == "dev-use1-node-private")
    assert graph.one("Role/dev-use1-node-role-private")
    assert old.depends_on("AccessPolicyAssociation/dev-use1-access-node-private-policy")
    assert graph.one("RolePolicy/dev-use1-cluster-role-custom-tags"), "its tags still need it"
    assert graph.one("NodePool").inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] != old.inputs["metadata"]["name"]


def test_the_shared_role_stays_for_a_class_that_retires(with_class):
    graph = with_class(EksNodeClass(create_role=True, previous=EksNodeClass()), [])
    assert {made.inputs["spec"]["role"] for made in graph.some("NodeClass")} == {"dev-use1-class-node", "dev-use1-node-private"}
    assert len(graph.some("AccessEntry")) == 2


def test_it_is_rendered_too(declare):
    from nodepools.clouds.registry import cloud_of

    auto_mode = AutoMode(node_classes={"private": retiring()}, node_pools={"web": EksNodePool(node_class="private")})
    objects = list(cloud_of(declare(auto_mode=auto_mode)).objects("dev-use1", str))
    assert [made["spec"]["role"] for made in objects if made["kind"] == "NodeClass"] == ["other", "one"]

"""NodeClasses and NodePools, as they are sent to the cluster."""

import json

import pulumi
import pytest
import yaml

from nodepools import (
    AutoMode,
    Budget,
    Disruption,
    EksNodeClass,
    EksNodePool,
    StackOutput,
    Taint,
    Timeouts,
    keys,
    testing,
)
from nodepools.eks import ClusterObjects, SelectorTerm
from nodepools.eks.cluster import EksCluster


@pytest.fixture(scope="module")
def where():
    """The cluster's own."""
    return {}


POOL = EksNodePool(
    node_class="private",
    weight=20,
    limits={"cpu": 200, "nvidia.com/gpu": 2, "memory": "1Ti"},
    requirements=[keys.eks.instance_cpu.one_of(2, 4, min_values=2), keys.eks.instance_memory.more_than("15Gi")],
    taints=[Taint("nvidia.com/gpu")],
    disruption=Disruption(budgets=[Budget(nodes="2"), Budget(schedule="0 9 * * 1-5", duration="8h")]),
    expire_after="336h",
)


def auto_mode(built_in=("system",), classes=None, **pools):
    return AutoMode(built_in_node_pools=built_in, node_classes={"private": EksNodeClass()} if classes is None else classes, node_pools=pools)


def test_numbers_are_sent_as_text(deploy, preview):
    spec = deploy(auto_mode=auto_mode(gpu=POOL), preview=preview).one("NodePool/dev-use1-gpu").inputs["spec"]
    values = [value for requirement in spec["template"]["spec"]["requirements"] for value in requirement["values"]]
    assert values == ["2", "4", "15360"]
    assert spec["limits"] == {"cpu": "200", "nvidia.com/gpu": "2", "memory": "1Ti"}
    assert [budget["nodes"] for budget in spec["disruption"]["budgets"]] == ["2", "10%"]
    assert spec["weight"] == 20


def test_consolidate_after_is_always_written(deploy):
    graph = deploy(auto_mode=auto_mode(gpu=POOL, plain=EksNodePool(node_class="private")))
    assert {pool.inputs["spec"]["disruption"]["consolidateAfter"] for pool in graph.some("NodePool")} == {"0s"}


def test_pulumi_waits_until_objects_are_ready_and_as_long_as_declared(deploy):
    graph = deploy(
        auto_mode=auto_mode(
            classes={"private": EksNodeClass(timeouts=Timeouts(create="5m"))}, web=EksNodePool(node_class="private", timeouts=Timeouts(delete="2h"))
        )
    )
    for made in (graph.one("NodeClass"), graph.one("NodePool")):
        assert made.inputs["metadata"]["annotations"] == {"pulumi.com/waitFor": "condition=Ready"}
    assert graph.one("NodeClass").timeouts["create"] == "5m"
    assert graph.one("NodePool").timeouts["delete"] == "2h"


def test_a_class_is_known_in_a_preview(deploy, preview):
    made = deploy(preview=preview).one("NodeClass/dev-use1-private").inputs
    assert (made["apiVersion"], made["kind"], made["metadata"]["name"]) == ("eks.amazonaws.com/v1", "NodeClass", "private")
    assert made["spec"]["role"] == "dev-use1-class-node"
    assert made["spec"]["subnetSelectorTerms"] == [{"tags": {"kubernetes.io/role/internal-elb": "1", "nodepools/network": "dev-use1"}}]
    assert made["spec"]["securityGroupSelectorTerms"] == [{"tags": {"aws:eks:cluster-name": "dev-use1"}}]


def test_a_class_picks_subnets_that_exist_by_their_tags(deploy):
    graph = deploy()
    [term] = graph.one("NodeClass").inputs["spec"]["subnetSelectorTerms"]
    picked = [subnet.name for subnet in graph.some("Subnet") if term["tags"].items() <= subnet.inputs["tags"].items()]
    assert picked == ["dev-use1-private-1", "dev-use1-private-2", "dev-use1-private-3"]


def test_a_class_may_name_its_own(deploy):
    declared = EksNodeClass(
        subnets=[SelectorTerm(id="subnet-1")],
        security_groups=[SelectorTerm(name="nodes")],
        ephemeral_storage_kms_key_id=StackOutput("acme/keys/prod", "disks"),
    )
    spec = (
        deploy(auto_mode=auto_mode(classes={"private": declared}), stacks={"acme/keys/prod": {"disks": "alias/disks"}})
        .one("NodeClass")
        .inputs["spec"]
    )
    assert spec["subnetSelectorTerms"] == [{"id": "subnet-1"}]
    assert spec["securityGroupSelectorTerms"] == [{"name": "nodes"}]
    assert spec["ephemeralStorage"]["kmsKeyID"] == "alias/disks"


@pytest.mark.parametrize("create_role", [True, False], ids=["its own role", "the shared role"])
def test_a_class_depends_directly_on_all_that_its_nodes_need(deploy, preview, create_role):
    admin = "arn:aws:iam::111122223333:role/admins"
    graph = deploy(auto_mode=auto_mode(classes={"private": EksNodeClass(create_role=create_role)}), admins=[admin], preview=preview)
    role = "node-role-private" if create_role else "class-node-role"
    needs = [*graph.some(f"RolePolicyAttachment/dev-use1-{role}-Amazon*"), graph.one("Cluster"), graph.one(f"Role/dev-use1-{role}")]
    needs += [node for kind in ("NatGateway", "Route", "RouteTableAssociation", "InternetGateway") for node in graph.some(kind)]
    needs += graph.some("AccessPolicyAssociation")  # of the nodes, where they have an entry, and of the admins
    assert [need.display_name for need in needs if not graph.one("NodeClass").depends_on(need)] == []


def test_a_pool_depends_on_its_class_and_has_its_name_from_there(deploy, preview):
    graph = deploy(preview=preview)
    pool = graph.one("NodePool")
    assert pool.depends_on("NodeClass")
    assert graph.one("NodeClass").urn in pool.request.propertyDependencies["spec"].urns
    assert pool.inputs["spec"]["template"]["spec"]["nodeClassRef"] == {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "private"}


def test_a_pool_of_the_built_in_class_depends_on_what_its_nodes_need(deploy):
    graph = deploy(auto_mode=auto_mode(classes={}, web=EksNodePool(), api=EksNodePool(node_class="default")))
    needs = [graph.one("Cluster"), *graph.some("RolePolicyAttachment/dev-use1-node-role-*"), *graph.some("Route"), *graph.some("NatGateway")]
    for pool in graph.some("NodePool"):
        assert pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == "default"
        assert all(pool.depends_on(need) for need in needs)


def test_no_pool_or_class_goes_with_its_cluster_and_leaves_its_nodes(deploy):
    graph = deploy()
    assert not [made.display_name for made in (*graph.some("NodePool"), *graph.some("NodeClass")) if made.request.deletedWith]


def test_objects_go_through_a_provider_that_knows_which_cluster_it_is(deploy, preview):
    graph = deploy(preview=preview)
    provider = graph.one("kubernetes/dev-use1-kubernetes")
    assert {made.provider for made in (*graph.some("NodePool"), *graph.some("NodeClass"))} == {provider}
    assert provider.inputs["clusterIdentifier"] == "dev-use1"
    assert provider.secret("kubeconfig")
    assert provider.depends_on("Cluster")


def test_a_new_endpoint_or_certificate_changes_the_provider_and_replaces_nothing(deploy):
    def renewed(name, _):
        return {
            "name": name,
            "endpoint": "https://elsewhere.example",
            "certificateAuthority": {"data": "cmVuZXdlZA=="},
            "identities": [{"oidcs": [{"issuer": "https://oidc.example"}]}],
        }

    before, after = deploy(), deploy(outputs={"aws:eks/cluster:Cluster": renewed})
    between = after.waves(since=before)
    assert (between.creates, between.updates, between.deletes) == ((), {"kubernetes/dev-use1-kubernetes"}, ())
    ends = [json.loads(graph.one("kubernetes").inputs.text("kubeconfig"))["clusters"][0]["cluster"]["server"] for graph in (before, after)]
    assert ends[0] != ends[1] == "https://elsewhere.example"
    assert len({graph.one("kubernetes").inputs["clusterIdentifier"] for graph in (before, after)}) == 1


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(
            {"auto_mode": AutoMode(), "objects": ClusterObjects(storage_class=None, ingress_class=None)}, id="built-in pools and nothing else"
        ),
        pytest.param({"apply": "render"}, id="objects that others apply"),
    ],
)
def test_without_objects_there_is_no_kubernetes(deploy, fields):
    graph = deploy(**fields)
    assert not [node for node in graph if node.type.startswith(("kubernetes:", "pulumi:providers:kubernetes"))]


def test_rendered_pools_still_have_their_role_and_entry(deploy):
    graph = deploy(apply="render", auto_mode=auto_mode([], web=EksNodePool(node_class="private")))
    assert graph.one("AccessEntry").inputs["type"] == "EC2"
    assert graph.one("EksCluster").outputs["pools"] == {"web": "web"}


RENDERED = {
    "auto_mode": lambda: AutoMode(
        built_in_node_pools=["system"],
        node_classes={
            "private": EksNodeClass(role="new", previous=EksNodeClass(role="old")),
            "later": EksNodeClass(role=pulumi.Output.from_input("nodes"), tags={"team": "web"}),
            "disks": EksNodeClass(create_role=True, ephemeral_storage_kms_key_id=StackOutput("acme/keys/prod", "disks")),
        },
        node_pools={
            "web": EksNodePool(node_class="private"),
            "big": EksNodePool(node_class="disks", weight=10),
            "late": EksNodePool(node_class="later"),
            "any": EksNodePool(),
        },
    ),
    "stacks": {"acme/keys/prod": {"disks": "alias/disks"}},
}


def objects_of(graph):
    return [dict(made.inputs) for made in graph if made.type.startswith("kubernetes:")]


def in_order(objects):
    return sorted(json.dumps(one, sort_keys=True) for one in objects)


@pytest.fixture
def rendered(declare):
    """What `render()` of a cluster gives, and what the program registers for it."""

    def asked(**fields):
        stacks, texts = fields.pop("stacks", {}), []

        def program():
            cluster = EksCluster("dev-use1", declare(**{name: value() if callable(value) else value for name, value in fields.items()}))
            cluster.render().apply(texts.append)

        graph = testing.run(program, stacks=stacks)
        return list(yaml.safe_load_all(texts[0])), graph

    return asked


def test_what_a_cluster_renders_is_what_is_applied(rendered):
    objects, graph = rendered(**RENDERED)
    assert len(objects) == 11
    assert in_order(objects) == in_order(objects_of(graph))


def test_a_cluster_that_leaves_its_objects_to_others_renders_the_same_and_registers_none(rendered):
    objects, graph = rendered(**RENDERED, apply="render")
    assert objects_of(graph) == []
    assert in_order(objects) == in_order(rendered(**RENDERED)[0])

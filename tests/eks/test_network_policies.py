"""The switch of network policies: where it is registered, and that what relies on it comes after."""

import pytest
import yaml

from nodepools import AutoMode, EksNodeClass, EksNodePool, testing
from nodepools.clouds.registry import cloud_of
from nodepools.eks import ClusterObjects
from nodepools.eks.cluster import EksCluster

OFF, ON, NONE = ClusterObjects(network_policies=False), ClusterObjects(network_policies=True), ClusterObjects(storage_class=None, ingress_class=None)
SWITCH = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"namespace": "kube-system", "name": "amazon-vpc-cni"},
    "data": {"enable-network-policy-controller": "true"},
}


def mode(**node_class):
    pools = {"compute": EksNodePool(node_class="own")}
    return AutoMode(built_in_node_pools=["system"], node_classes={"own": EksNodeClass(**node_class)}, node_pools=pools)


DENY = mode(network_policy="DefaultDeny")


@pytest.mark.parametrize(
    ("fields", "registered"),
    [
        pytest.param({"auto_mode": mode()}, False, id="nobody speaks of network policies"),
        pytest.param({"auto_mode": DENY}, True, id="a class denies"),
        pytest.param({"auto_mode": mode(network_policy="DefaultAllow")}, True, id="a class says that it allows"),
        pytest.param({"auto_mode": mode(network_policy_event_logs="Enabled")}, True, id="a class logs decisions"),
        pytest.param({"auto_mode": mode(overrides={"networkPolicy": "DefaultDeny"})}, True, id="a class denies by overrides"),
        pytest.param(
            {"auto_mode": mode(role="new", previous={"role": "old", "network_policy": "DefaultDeny"})}, True, id="a class that retires denies"
        ),
        pytest.param({"auto_mode": AutoMode(), "objects": ON}, True, id="built-in pools alone, switched on"),
        pytest.param({"auto_mode": DENY, "objects": OFF}, False, id="someone else switches it on"),
        pytest.param({"auto_mode": DENY, "apply": "render"}, False, id="objects are for others to apply"),
        pytest.param({"auto_mode": AutoMode(), "objects": NONE}, False, id="no objects at all"),
    ],
)
def test_the_switch_is_registered_where_it_is_needed(deploy, fields, registered):
    assert [node.name for node in deploy(**fields).all("ConfigMapPatch")] == (["dev-use1-network-policies"] if registered else [])


def test_it_is_what_the_controller_reads(deploy, preview):
    made = deploy(preview=preview, auto_mode=DENY).one("ConfigMapPatch").inputs
    assert {name: made[name] for name in SWITCH} == SWITCH


def test_it_may_be_the_only_object(deploy):
    objects = ClusterObjects(storage_class=None, ingress_class=None, network_policies=True)
    graph = deploy(auto_mode=AutoMode(), objects=objects)
    assert [node.kind for node in graph if node.type.startswith("kubernetes:")] == ["ConfigMapPatch"]


def test_node_classes_come_after_it_and_go_before_it(deploy, preview):
    graph = deploy(preview=preview, auto_mode=DENY)
    assert graph.creates("ConfigMapPatch").before("NodeClass")
    assert graph.deletes("NodeClass").before("ConfigMapPatch")
    assert graph.one("ConfigMapPatch").depends_on("Cluster")


def test_it_goes_with_the_cluster(deploy):
    graph = deploy(auto_mode=DENY)
    assert graph.one("ConfigMapPatch").request.deletedWith == graph.one("Cluster").urn


@pytest.mark.parametrize("apply", ["direct", "render"])
def test_it_is_rendered_first(declare, apply):
    first, *others = list(cloud_of(declare(auto_mode=DENY, apply=apply)).objects("dev-use1", str))
    assert first == SWITCH
    assert SWITCH not in others
    assert SWITCH not in list(cloud_of(declare(auto_mode=mode())).objects("dev-use1", str))


def test_a_program_renders_it_too(declare):
    texts = []
    testing.run(lambda: EksCluster("dev-use1", declare(auto_mode=DENY, apply="render")).render().apply(texts.append))
    assert SWITCH in list(yaml.safe_load_all(texts[-1]))

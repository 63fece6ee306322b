"""What Auto Mode can use and does not make: a storage class and an ingress class, unless they are left out."""

import pytest

from nodepools import AutoMode, EksNetworkArgs, ExistingEksNetwork, StackOutput, derive
from nodepools.clouds.registry import cloud_of
from nodepools.eks import ClusterObjects, IngressClass, StorageClass

KINDS = ("StorageClass", "IngressClass", "IngressClassParams")


def test_volumes_are_those_of_auto_mode_and_not_of_the_add_on(deploy, preview):
    made = deploy(preview=preview).one("StorageClass").inputs
    assert made["provisioner"] == "ebs.csi.eks.amazonaws.com"
    assert made["parameters"] == {"type": "gp3", "encrypted": "true"}
    assert (made["volumeBindingMode"], made["reclaimPolicy"], made["allowVolumeExpansion"]) == ("WaitForFirstConsumer", "Delete", True)
    assert made["metadata"] == {"name": "auto-ebs", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}


def test_ingresses_get_load_balancers_of_auto_mode(deploy, preview):
    graph = deploy(preview=preview)
    made, parameters = graph.one("IngressClass"), graph.one("IngressClassParams")
    assert made.inputs["spec"] == {
        "controller": "eks.amazonaws.com/alb",
        "parameters": {"apiGroup": "eks.amazonaws.com", "kind": "IngressClassParams", "name": "alb"},
    }
    assert made.inputs["metadata"]["annotations"] == {"ingressclass.kubernetes.io/is-default-class": "true"}
    assert (parameters.inputs["apiVersion"], parameters.inputs["spec"]) == ("eks.amazonaws.com/v1", {"scheme": "internet-facing"})
    assert made.depends_on(parameters)


def test_they_go_with_the_cluster_and_pools_never_do(deploy):
    graph = deploy()
    cluster = graph.one("Cluster")
    assert {made.request.deletedWith for kind in KINDS for made in graph.some(kind)} == {cluster.urn}
    assert {made.request.deletedWith for kind in ("NodePool", "NodeClass") for made in graph.some(kind)} == {""}


def test_nothing_is_asked_to_wait_for_them_that_has_no_condition(deploy):
    graph = deploy()
    assert not [
        made.display_name for kind in KINDS for made in graph.some(kind) if "pulumi.com/waitFor" in made.inputs["metadata"].get("annotations", {})
    ]


@pytest.mark.parametrize(
    ("objects", "kinds"),
    [
        pytest.param(ClusterObjects(), set(KINDS), id="both by default"),
        pytest.param(ClusterObjects(storage_class=None), {"IngressClass", "IngressClassParams"}, id="no storage class"),
        pytest.param(ClusterObjects(ingress_class=None), {"StorageClass"}, id="no ingress class"),
        pytest.param(ClusterObjects(storage_class=None, ingress_class=None), set(), id="neither"),
    ],
)
def test_each_can_be_left_out(deploy, objects, kinds):
    graph = deploy(objects=objects)
    assert {node.type.rpartition(":")[2] for node in graph} & set(KINDS) == kinds


def test_they_are_made_for_built_in_pools_too(deploy):
    assert deploy(auto_mode=AutoMode()).one("StorageClass").depends_on("Cluster")


def test_they_are_what_is_declared(deploy):
    declared = ClusterObjects(
        storage_class=StorageClass(
            name="fast", default=False, volume_type="io2", iops=4000, kms_key=StackOutput("acme/keys/prod", "ebs"), reclaim="Retain"
        ),
        ingress_class=IngressClass(name="inside", default=False, scheme="internal"),
    )
    graph = deploy(objects=declared, stacks={"acme/keys/prod": {"ebs": "alias/ebs"}})
    storage = graph.one("StorageClass").inputs
    assert storage["metadata"] == {"name": "fast"}
    assert storage["parameters"] == {"type": "io2", "iops": "4000", "encrypted": "true", "kmsKeyId": "alias/ebs"}
    assert storage["reclaimPolicy"] == "Retain"
    assert graph.one("IngressClass").inputs["metadata"] == {"name": "inside"}
    assert graph.one("IngressClassParams").inputs["spec"] == {"scheme": "internal"}


BROUGHT = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1", "subnet-2"])
CLOSED = EksNetworkArgs(public_subnets=False, nat=None)


@pytest.mark.parametrize(
    ("network", "ingress_class", "scheme"),
    [
        pytest.param(EksNetworkArgs(), IngressClass(), "internet-facing", id="a network with public subnets"),
        pytest.param(CLOSED, IngressClass(), "internal", id="one without"),
        pytest.param(BROUGHT, IngressClass(), "internet-facing", id="one of others, of which nothing is said"),
        pytest.param(derive(BROUGHT, public_subnets=False), IngressClass(), "internal", id="one of others without public subnets"),
        pytest.param(EksNetworkArgs(), IngressClass(scheme="internal"), "internal", id="as declared"),
    ],
)
def test_load_balancers_are_where_the_network_has_subnets_for_them(deploy, declare, network, ingress_class, scheme):
    fields = {"network": network, "objects": ClusterObjects(ingress_class=ingress_class)}
    assert deploy(**fields).one("IngressClassParams").inputs["spec"] == {"scheme": scheme}
    [rendered] = [made["spec"] for made in list(cloud_of(declare(**fields)).objects("dev-use1", str)) if made["kind"] == "IngressClassParams"]
    assert rendered == {"scheme": scheme}

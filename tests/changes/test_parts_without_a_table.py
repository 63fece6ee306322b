"""What becomes of gateways, subnets, endpoints and objects of a cluster, which are resources without a table."""

from typing import cast

import pytest

from nodepools import AksClusterArgs, EksClusterArgs, ExistingEksNetwork, derive
from nodepools.changes.platform_changes import diff
from nodepools.eks import AddOn, ClusterObjects, IngressClass, StorageClass
from tests.changes.declared import PLATFORM, cluster

NETWORK = cast("EksClusterArgs", PLATFORM.clusters["use1"]).network
ENTERED = IngressClass(scheme="internal")
EXISTING = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-a", "subnet-b"])


@pytest.mark.parametrize(
    ("before", "after", "effect", "said"),
    [
        ({"network": NETWORK}, {"network": derive(NETWORK, nat=None)}, "in_place_pods", "reach only the VPC"),
        ({"network": derive(NETWORK, nat=None)}, {"network": NETWORK}, "in_place", "NAT gateways are created"),
        ({"network": derive(NETWORK, nat="single")}, {"network": NETWORK}, "in_place_pods", "other public addresses"),
        (
            {"network": derive(NETWORK, endpoints=["s3", "sts"])},
            {"network": derive(NETWORK, endpoints=["sts"])},
            "in_place_pods",
            "endpoints are deleted",
        ),
        ({"network": derive(NETWORK, public_subnets=False, nat=None)}, {"network": derive(NETWORK, nat=None)}, "in_place_pods", "load balancers"),
        (
            {"network": derive(NETWORK, public_subnets=False, nat=None), "objects": ClusterObjects(ingress_class=ENTERED)},
            {"network": derive(NETWORK, nat=None), "objects": ClusterObjects(ingress_class=ENTERED)},
            "in_place",
            "Public subnets",
        ),
        ({}, {"objects": ClusterObjects(ingress_class=ENTERED)}, "in_place_pods", "load balancers of Ingresses are replaced"),
        ({}, {"objects": ClusterObjects(ingress_class=IngressClass(name="other"))}, "in_place_pods", "IngressClass is deleted"),
        ({}, {"objects": ClusterObjects(ingress_class=IngressClass(default=False))}, "in_place", ""),
        ({}, {"objects": ClusterObjects(ingress_class=None)}, "in_place_pods", "IngressClass is deleted"),
        ({}, {"objects": ClusterObjects(storage_class=None)}, "in_place_pods", "StorageClass is deleted"),
        ({"objects": ClusterObjects(storage_class=None)}, {}, "in_place", ""),
        ({}, {"objects": ClusterObjects(storage_class=StorageClass(name="other"))}, "in_place_pods", "StorageClass is deleted"),
        ({}, {"objects": ClusterObjects(storage_class=StorageClass(encrypted=False))}, "in_place", "creates it again"),
        ({}, {"objects": ClusterObjects(storage_class=StorageClass(reclaim="Retain"))}, "refused", "reclaimPolicy"),
        ({}, {"objects": ClusterObjects(storage_class=StorageClass(reclaim="Retain", volume_type="io2"))}, "in_place", "creates it again"),
        ({}, {"objects": ClusterObjects(storage_class=StorageClass(iops=4000))}, "in_place", "creates it again"),
        ({}, {"objects": ClusterObjects(storage_class=StorageClass(expansion=False))}, "in_place", ""),
        ({"network": EXISTING}, {"network": derive(EXISTING, public_subnets=False)}, "in_place_pods", "load balancers of Ingresses are replaced"),
    ],
)
def test_what_becomes_of_resources_without_a_table(before: dict[str, object], after: dict[str, object], effect: str, said: str) -> None:
    changes = diff(cluster("use1", **before), cluster("use1", **after))
    assert changes.worst.value == effect
    assert any(said in change.message for change in changes.all)


@pytest.mark.parametrize(
    ("old", "new", "effect", "said"),
    [
        ({"addresses": 2}, {"addresses": 1}, "in_place_pods", "open connections through them break"),
        ({"addresses": 1}, {"addresses": 2}, "in_place", ""),
        ({"zone": 1}, {"zone": 2}, "in_place_pods", "other public addresses"),
        ({}, {"zone": 2}, "in_place_pods", "other public addresses"),
        ({}, {"idle_timeout": "30m"}, "in_place", ""),
        ({}, None, "in_place_pods", "public addresses are deleted"),
        (None, {}, "in_place_pods", "open ones break"),
    ],
)
def test_what_becomes_of_the_gateway_of_an_aks_cluster(old: object, new: object, effect: str, said: str) -> None:
    network = cast("AksClusterArgs", PLATFORM.clusters["weu"]).network
    changes = diff(*(cluster("weu", network=derive(network, nat=gateway)) for gateway in (old, new)))
    assert changes.worst.value == effect
    assert any(said in change.message for change in changes.all)


@pytest.mark.parametrize(
    ("old", "new", "at", "gone"),
    [
        (["system"], [], "use1/system", "`system`"),
        (["system"], ["general-purpose"], "use1/system", "`system`"),
        (["system", "general-purpose"], ["general-purpose"], "use1/system", "`system`"),
        (["general-purpose", "system"], [], "use1", "`general-purpose` and `system`"),
    ],
)
def test_only_nodes_of_built_in_node_pools_that_are_turned_off_are_removed(old: list[str], new: list[str], at: str, gone: str) -> None:
    changes = diff(*(cluster("use1", auto_mode={"built_in_node_pools": names}) for names in (old, new)))
    [removed] = [change for change in changes.all if change.effect.value == "removes_nodes"]
    assert (removed.at, set(removed.pools)) == (at, {f"use1/{name}" for name in set(old) - set(new)})
    assert gone in removed.message


@pytest.mark.parametrize(("keep", "effect"), [(True, "in_place"), (False, "deletes")])
def test_an_add_on_that_is_kept_stays_in_the_cluster(keep: bool, effect: str) -> None:  # noqa: FBT001  # a case
    assert diff(cluster("use1", add_ons={"metrics-server": AddOn(keep=keep)}), PLATFORM).worst.value == effect


def test_a_key_of_secrets_is_one_edit() -> None:
    [change] = diff(cluster("use1", secrets_key="arn:aws:kms:us-east-1:1:key/a"), PLATFORM).all
    assert (change.path, change.effect.value) == ("clusters.use1.secrets_key", "replaces")

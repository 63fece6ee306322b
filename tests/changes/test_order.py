"""The order in which Pulumi applies edits: which resources it creates, updates, replaces and deletes. The engine itself is asked in tests/pulumi."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from nodepools import AksNetworkArgs, derive, load
from nodepools.aks import NetworkProfile
from nodepools.changes.platform_changes import diff, request_set_changes, requests_of
from nodepools.clouds.change import CLUSTER, Requests
from nodepools.eks import AccessEntry, AccessPolicy, AddOn
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.table import Effect
from tests.changes.declared import PLATFORM, agent_pool, changed, cluster, eks_class, nap_class, nap_pool, one

USE1 = PLATFORM.clusters["use1"]
ADMIN = "arn:aws:iam::123456789012:role/admins"
READERS = AccessEntry(principal="arn:aws:iam::123456789012:role/readers", policies=[AccessPolicy("AmazonEKSViewPolicy")])
STARTUP = {"template": {"spec": {"startupTaints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]}}}

ORDERS = {
    "an admin is an access entry with a policy": (
        lambda: cluster("use1", admins=[ADMIN]),
        [["create AccessEntry/dev-use1-admin-admins-zrn5"], ["create AccessPolicyAssociation/dev-use1-admin-admins-zrn5-policy"]],
    ),
    "an add-on has the name of its resource": (lambda: cluster("use1", add_ons={"a": AddOn()}), [["create Addon/dev-use1-add-on-a"]]),
    "an override of a NodePool is an update of the NodePool": (lambda: nap_pool("general", overrides=STARTUP), [["update NodePool/dev-nap-general"]]),
    "a duration in other units is an update": (lambda: nap_pool("general", expire_after="28800m"), [["update NodePool/dev-nap-general"]]),
    "taints in another order are an update": (
        lambda: agent_pool("fixed", taints=list(PLATFORM.clusters["weu"].pools["fixed"].taints)[::-1]),
        [[f"update AgentPool/{next(r.resource.name for r in requests_of(PLATFORM).all if r.at == 'weu/fixed')}"]],
    ),
    "a default of Azure that is set is an update": (lambda: nap_class("other", os_disk_size_gb=128), [["update AKSNodeClass/dev-nap-other"]]),
    "a default of AWS that is set is no update": (lambda: cluster("use1", upgrade_policy="EXTENDED"), []),
    "the count of an autoscaled pool is no update": (lambda: agent_pool("web", count=5), []),
    "an argument that is sent only at creation is no update": (lambda: cluster("use1", creator_is_admin=False), []),
    "a role assignment is not a change of the cluster": (lambda: cluster("weu", entra={"deployer_is_admin": False}), []),
    "one NAT gateway for all zones": (
        lambda: cluster("use1", network=derive(USE1.network, nat="single")),
        [
            ["update Route/dev-use1-private-2", "update Route/dev-use1-private-3"],
            ["delete NatGateway/dev-use1-nat-2", "delete NatGateway/dev-use1-nat-3"],
            ["delete Eip/dev-use1-nat-2", "delete Eip/dev-use1-nat-3"],
        ],
    ),
    "declared zones instead of those of the account": (
        lambda: cluster("use1", network=derive(USE1.network, zones=["us-east-1a", "us-east-1b", "us-east-1c"])),
        [["update Cluster/dev-use1"]],
    ),
    "a subnet comes before its pool": (
        lambda: cluster("weu", network=AksNetworkArgs(cidr="10.10.0.0/16", pool_subnets={"fixed": "10.10.128.0/20"})),
        [["create Subnet/dev-weu-fixed-sw1w"], ["create AgentPool/NEW"], ["delete AgentPool/OLD"]],
    ),
    "nodes of a class with another role have access before the class exists": (
        lambda: eks_class(role="another"),
        [
            ["create AccessEntry/NEW"],
            ["create AccessPolicyAssociation/NEW"],
            ["create NodeClass/NEW"],
            ["update NodePool/dev-use1-compute"],
            ["delete NodeClass/OLD"],
            ["delete AccessPolicyAssociation/OLD"],
            ["delete AccessEntry/OLD"],
        ],
    ),
}


@pytest.mark.parametrize(("edit", "order"), ORDERS.values(), ids=ORDERS)
def test_order(edit: Callable, order: list[list[str]]):
    found = [list(wave) for wave in changed(edit()).order]
    assert [[_shown(operation, expected) for operation, expected in zip(*both, strict=True)] for both in zip(found, order, strict=True)] == order


def _shown(operation: str, expected: str) -> str:
    """Names with a hash of their fields are not written out."""
    place, _, name = expected.rpartition("/")
    return f"{operation.rpartition('/')[0]}/{name}" if name in ("NEW", "OLD") and operation.startswith(place) else operation


def test_a_zone_more_has_its_routes_before_the_cluster_uses_it():
    old, new = (cluster("use1", network=derive(USE1.network, zones=[f"us-east-1{letter}" for letter in zones])) for zones in ("abc", "abcd"))
    found = diff(old, new).order
    assert found == (
        ("create Eip/dev-use1-nat-4", "create RouteTable/dev-use1-private-4", "create Subnet/dev-use1-private-4", "create Subnet/dev-use1-public-4"),
        (
            "create NatGateway/dev-use1-nat-4",
            "create RouteTableAssociation/dev-use1-private-4",
            "create RouteTableAssociation/dev-use1-public-4",
        ),
        ("create Route/dev-use1-private-4",),
        ("update Cluster/dev-use1",),
    )


def operations(*, of: object) -> set[str]:
    return {operation for wave in of.order for operation in wave}


REPLACED = {
    "a range for services of AKS": (lambda: cluster("weu", network_profile=NetworkProfile(service_cidr="172.16.0.0/16")), "ManagedCluster/dev-weu"),
    "a range for services of EKS": (lambda: cluster("use1", service_cidr="10.99.0.0/16"), "Cluster/dev-use1"),
}


@pytest.mark.parametrize(("edit", "name"), REPLACED.values(), ids=REPLACED)
def test_a_replaced_cluster_leaves_its_network(edit: Callable, name: str):
    found = operations(of=changed(edit()))
    assert f"replace {name}" in found
    assert not any("/VirtualNetwork" in operation or " Subnet/" in operation or " Vpc/" in operation for operation in found)


def test_a_pool_that_leaves_a_replaced_cluster_is_deleted_before_it():
    new = cluster("weu", location="francecentral", pools={"web": derive(PLATFORM.clusters["weu"].pools["web"], vm_size="Standard_D4ds_v5")})
    waves = changed(new).order
    [deleted] = [number for number, wave in enumerate(waves) for operation in wave if operation.startswith("delete AgentPool")]
    assert waves[deleted + 1] == ("replace ManagedCluster/dev-weu",)
    assert any(operation.startswith("create AgentPool") for wave in waves[deleted + 2 :] for operation in wave)


def test_another_location_replaces_the_network_too():
    assert {"replace VirtualNetwork/dev-weu", "replace Subnet/dev-weu-nodes"} <= operations(of=changed(cluster("weu", location="francecentral")))
    assert "replace Vpc/dev-use1-vpc" in operations(of=changed(cluster("use1", region="us-west-2")))


def test_another_principal_replaces_the_entry_and_its_policies():
    old = cluster("use1", access_entries={"readers": READERS})
    new = cluster("use1", access_entries={"readers": derive(READERS, principal=ADMIN)})
    assert diff(old, new).order == (
        ("replace AccessEntry/dev-use1-entry-readers",),
        ("replace AccessPolicyAssociation/dev-use1-entry-readers-AmazonEKSViewPolicy",),
    )


def test_an_override_of_a_node_pool_has_the_effect_of_its_field():
    assert [change.effect for change in changed(nap_pool("general", overrides=STARTUP)).all] == [Effect.ROLLS]
    assert one(nap_pool("general", overrides={"template": {"spec": {"expireAfter": "480h"}}}), "overrides.template").effect is Effect.NONE


def test_a_new_cluster_rejects_no_change():
    found = changed(cluster("weu", location="francecentral", kubernetes_version="1.34"))
    assert {change.path: change.effect for change in found.all if "kubernetes_version" in change.path}[
        "clusters.weu.kubernetes_version"
    ] is Effect.REPLACES


def test_values_that_are_known_later_are_no_update():
    before = next(request for request in requests_of(PLATFORM).all if request.key == ("weu", CLUSTER, ""))
    after = replace(before, sent={**before.sent, "dnsPrefix": UNKNOWN})
    assert request_set_changes(Requests((before,)), Requests((after,))).order == ()


def test_requests_have_the_names_of_resources(project):
    """Those of the stored plan, which the tests of plans compare with what the program registers."""
    plan = json.loads((project / "tests/golden/plans/dev.json").read_text(encoding="utf-8"))
    registered = {(resource["type"], resource["name"]) for resource in plan["resources"]}
    assert {(request.resource.type, request.resource.name) for request in requests_of(load("dev", project)).all} <= registered

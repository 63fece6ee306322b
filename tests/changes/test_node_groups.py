"""Managed node groups of EKS, which only plans of Terraform declare: their nodes, what replaces them, and how fast."""

import pytest

from nodepools.changes.platform_changes import request_set_changes
from nodepools.clouds.amounts import NOTHING, Amount, exactly
from nodepools.clouds.change import NODE_GROUP, POOL, Address, Request, Requests, ResourceName
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.eks.terraform import NODE_GROUPS, PULUMI_NODE_GROUPS
from nodepools.wire.table import Effect

SIZE = {"minSize": 2, "maxSize": 10, "desiredSize": 4}


def changed(before, after, table=NODE_GROUPS):
    resource, steps = ResourceName(NODE_GROUP, "aws_eks_node_group.web"), (Address("aws_eks_node_group.web"),)
    sides = (
        Requests((Request(("shop", POOL, "web"), "shop/web", steps, resource, table, {"scalingConfig": SIZE, **sent}),)) for sent in (before, after)
    )
    [one] = request_set_changes(*sides).all
    return one


@pytest.mark.parametrize(
    ("config", "batch", "extra"),
    [
        ({"maxUnavailable": 3}, Amount(2, 3), Amount(2, 10)),
        ({"maxUnavailablePercentage": 50}, Amount(1, 5), Amount(2, 10)),
        ({}, exactly(1), Amount(2, 10)),
        ({"updateStrategy": "MINIMAL"}, exactly(1), NOTHING),
    ],
)
def test_a_version_replaces_every_node_in_batches(config, batch, extra):
    one = changed({"version": "1.34", "updateConfig": config}, {"version": "1.35", "updateConfig": config})
    assert (one.effect, one.nodes, one.path) == (Effect.REIMAGES, Amount(2, 10), "aws_eks_node_group.web.version")
    assert one.message.startswith("EKS launches new nodes")
    assert one.pace == {"by": "update_config", "batch": batch.to_json()}
    assert one.extra_nodes is not None
    assert one.extra_nodes.maximum == extra.maximum


def test_fewer_nodes_are_removed_and_more_are_added():
    assert changed({}, {"scalingConfig": {**SIZE, "desiredSize": 3}}).effect is Effect.REMOVES_NODES
    assert changed({}, {"scalingConfig": {**SIZE, "desiredSize": 5}}).effect is Effect.IN_PLACE


def test_a_taint_evicts_pods_only_with_no_execute():
    hard = {"key": "a", "value": "b", "effect": "NO_EXECUTE"}
    assert changed({}, {"taints": [hard]}).effect is Effect.IN_PLACE_PODS
    assert changed({"taints": [hard]}, {"taints": [hard, {**hard, "effect": "NO_SCHEDULE"}]}).effect is Effect.IN_PLACE


def test_another_instance_type_is_another_group():
    assert changed({"instanceTypes": ["m7i.large"]}, {"instanceTypes": ["m7i.xlarge"]}).effect is Effect.REPLACES


def test_settings_that_are_known_later_limit_nothing_that_is_known():
    config = {"maxUnavailable": UNKNOWN}
    one = changed({"version": "1.34", "updateConfig": config}, {"version": "1.35", "updateConfig": config})
    assert (one.pace, one.extra_nodes) == ({"by": "unknown"}, Amount(0, 10))


@pytest.mark.parametrize(
    ("name", "effect", "sentence"),
    [
        ({}, Effect.ROTATES, "then deletes the old one"),
        ({"nodeGroupName": "web"}, Effect.REPLACES, "before it creates the new one"),
        ({"nodeGroupNamePrefix": "web"}, Effect.REPLACES, "before it creates the new one"),
    ],
)
def test_pulumi_deletes_a_group_first_if_its_name_is_fixed(name, effect, sentence):
    one = changed({**name, "instanceTypes": ["m6i.large"]}, {**name, "instanceTypes": ["m6i.xlarge"]}, PULUMI_NODE_GROUPS)
    assert (one.effect, one.nodes) == (effect, Amount(2, 10))
    assert sentence in one.message


def test_another_name_of_a_group_is_another_group():
    one = changed({"nodeGroupName": "web"}, {"nodeGroupName": "shop"}, PULUMI_NODE_GROUPS)
    assert (one.effect, "fixed name" in one.message) == (Effect.REPLACES, False)

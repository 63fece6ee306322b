"""Every difference between two plans, also of resources whose fields have no table of effects."""

import json
from dataclasses import replace

import pytest

from nodepools.model.unknowns import UNKNOWN
from nodepools.resources.plan_requests import Difference, plan_differences
from nodepools.resources.resource import Resource, Secret, of_plan_json

STACK = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"
VPC = Resource("urn:pulumi:dev::shop::aws:ec2/vpc:Vpc::web", "aws:ec2/vpc:Vpc", "web", {"cidrBlock": "10.0.0.0/16"}, STACK)
MOVED = replace(VPC, urn="urn:pulumi:dev::shop::own:Part$aws:ec2/vpc:Vpc::web", parent="urn:pulumi:dev::shop::own:Part::part")
COMPONENT = Resource("urn:pulumi:dev::shop::nodepools:index:EksCluster::web", "nodepools:index:EksCluster", "web", {"region": "a"}, STACK)
PROVIDER = "urn:pulumi:dev::shop::pulumi:providers:aws::west"
BOUND = replace(VPC, options={"provider": f"{PROVIDER}::id", "deletedWith": STACK, "replaceWith": [PROVIDER, VPC.urn]})


def in_project(resource: Resource, project: str) -> Resource:
    """The resource as a project of another name plans it."""
    options, parent = json.dumps(dict(resource.options)), str(resource.parent)
    urn, parent, options = (one.replace("::shop::", f"::{project}::").replace("::shop-", f"::{project}-") for one in (resource.urn, parent, options))
    return replace(resource, urn=urn, parent=parent, options=json.loads(options))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param([VPC], [VPC], [], id="equal"),
        pytest.param([], [VPC], ["created: aws:ec2/vpc:Vpc web"], id="created"),
        pytest.param([VPC], [], ["deleted: aws:ec2/vpc:Vpc web"], id="deleted"),
        pytest.param([VPC], [replace(VPC, name="web2")], ["created: aws:ec2/vpc:Vpc web2", "deleted: aws:ec2/vpc:Vpc web"], id="another name"),
        pytest.param([VPC], [MOVED], ["moved: aws:ec2/vpc:Vpc web"], id="another parent"),
        pytest.param([VPC], [replace(MOVED, options={"aliases": [VPC.urn]})], [], id="another parent, with an alias"),
        pytest.param(
            [VPC],
            [replace(MOVED, inputs={}, options={"aliases": [VPC.urn]})],
            ["changed: aws:ec2/vpc:Vpc web (cidrBlock)"],
            id="another parent, with an alias, and an input less",
        ),
        pytest.param([VPC, MOVED], [], ["deleted: aws:ec2/vpc:Vpc web"] * 2, id="two of one name"),
        pytest.param([VPC], [replace(VPC, inputs={})], ["changed: aws:ec2/vpc:Vpc web (cidrBlock)"], id="an input less"),
        pytest.param([VPC], [replace(VPC, options={"protect": True})], ["changed: aws:ec2/vpc:Vpc web (option protect)"], id="protection"),
        pytest.param([VPC], [replace(VPC, options={"version": "8"})], [], id="the version of the SDK"),
        pytest.param([replace(VPC, inputs={"a": Secret("x")})], [replace(VPC, inputs={"a": Secret(None)})], [], id="secrets"),
        pytest.param(
            [replace(VPC, inputs={"a": UNKNOWN})], [replace(VPC, inputs={"a": "b"})], ["changed: aws:ec2/vpc:Vpc web (a)"], id="no longer unknown"
        ),
        pytest.param([VPC], [in_project(VPC, "platform")], [], id="another project"),
        pytest.param([MOVED], [in_project(MOVED, "platform")], [], id="another project, in a component"),
        pytest.param([VPC], [in_project(MOVED, "platform")], ["moved: aws:ec2/vpc:Vpc web"], id="another project, and another parent"),
        pytest.param([VPC], [replace(in_project(MOVED, "p"), options={"aliases": [VPC.urn.replace("shop", "p")]})], [], id="its alias is there"),
        pytest.param([BOUND], [in_project(BOUND, "platform")], [], id="another project, with options that have URNs"),
        pytest.param(
            [BOUND],
            [replace(in_project(BOUND, "platform"), options={"provider": f"{PROVIDER}2::id"})],
            ["changed: aws:ec2/vpc:Vpc web (option deletedWith, option provider, option replaceWith)"],
            id="another project, and another provider",
        ),
        pytest.param([COMPONENT], [], [], id="a component is nothing in a cloud"),
    ],
)
def test_each_resource_is_compared(old: list[Resource], new: list[Resource], expected: list[str]):
    assert [one.text for one in plan_differences(old, new)] == expected


def test_options_of_a_saved_plan_are_read():
    [read] = of_plan_json([{"urn": VPC.urn, "type": VPC.type, "parent": STACK, "inputs": {}, "options": {"protect": True}}])
    assert read.options == {"protect": True}


def test_json_has_the_fields():
    assert Difference("changed", "t", "n", ("a",)).to_json() == {"what": "changed", "type": "t", "name": "n", "fields": ["a"]}

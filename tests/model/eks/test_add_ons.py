"""Presets of add-ons: each is an entry of `add_ons` whose role is created, and nothing is wrong with it."""

import pytest

from nodepools import EksCluster, EksClusterArgs, check, derive, testing
from nodepools.eks import AddOn

CLUSTER = EksClusterArgs(region="eu-west-1", kubernetes_version="1.35")
PRESETS = {
    "metrics, logs and traces": (
        AddOn.cloudwatch(),
        "amazon-cloudwatch-observability",
        "cloudwatch-agent",
        ["CloudWatchAgentServerPolicy", "AWSXrayWriteOnlyAccess"],
    ),
    "shared volumes": (AddOn.efs(), "aws-efs-csi-driver", "efs-csi-controller-sa", ["service-role/AmazonEFSCSIDriverPolicy"]),
}


@pytest.mark.parametrize(("preset", "name", "account", "policies"), PRESETS.values(), ids=PRESETS)
def test_an_add_on_has_its_role(preset: dict[str, AddOn], name: str, account: str, policies: list[str]) -> None:
    declared = derive(CLUSTER, add_ons=preset)
    assert [str(finding) for finding in check(declared) if finding.severity != "note"] == []
    graph = testing.run(lambda: EksCluster("shop", declared))
    add_on = graph.one("Addon")
    assert add_on.inputs["addonName"] == name
    [association] = add_on.inputs.mappings("podIdentityAssociations")
    assert association["serviceAccount"] == account
    attached = {str(node.inputs["policyArn"]) for node in graph.all("RolePolicyAttachment")}
    assert {f"arn:aws:iam::aws:policy/{policy}" for policy in policies} <= attached


def test_version_and_configuration_are_those_of_the_add_on() -> None:
    [declared] = AddOn.cloudwatch(version="v4.5.0-eksbuild.1", configuration={"containerLogs": {"enabled": False}}).values()
    assert (declared.version, declared.configuration) == ("v4.5.0-eksbuild.1", {"containerLogs": {"enabled": False}})

"""The cluster as a whole: what is registered, where, and with which options."""

import json
import subprocess
import sys

import pulumi
import pulumi_aws
import pytest

from nodepools import (
    ApiServer,
    AutoMode,
    DeclarationError,
    EksClusterArgs,
    EksNodeClass,
    EksNodePool,
    ExistingEksNetwork,
    testing,
)
from nodepools.component.errors import InvalidDeclarationError
from nodepools.eks import AwsAccount
from nodepools.eks.cluster import EksCluster


@pytest.fixture(scope="module")
def where():
    """The cluster's own."""
    return {}


ACCOUNT = AwsAccount(id="111122223333", profile="prod", role_arn="arn:aws:iam::111122223333:role/ci")


def aws(graph):
    return [node for node in graph if node.type.startswith("aws:")]


def test_all_that_is_made_belongs_to_the_component_and_carries_its_name(deploy, preview):
    graph = deploy(account=ACCOUNT, admins=["arn:aws:iam::111122223333:role/admins"], preview=preview)
    component = graph.one("EksCluster/dev-use1")
    network = graph.one("EksNetwork/dev-use1")
    for node in graph:
        assert node is component or node.parent in (component, network)
        assert node.name == "dev-use1" or node.name.startswith("dev-use1-")


def test_names_in_aws_begin_with_that_of_the_component_too(deploy):
    graph = deploy()
    assert graph.one("Cluster").inputs["name"] == "dev-use1"
    assert all(node.inputs["tags"]["Name"] == node.name for node in aws(graph) if node.type.startswith("aws:ec2") and "tags" in node.inputs)


def test_everything_that_has_a_region_is_told_it(deploy):
    graph = deploy(
        region="eu-west-1", admins=["arn:aws:iam::111122223333:role/admins"], auto_mode=AutoMode(node_classes={"a": EksNodeClass(create_role=True)})
    )
    for node in aws(graph):
        assert node.inputs.get("region") == (None if node.type.startswith("aws:iam") else "eu-west-1"), node.display_name


def test_everything_that_has_tags_is_given_them(deploy):
    graph = deploy(tags={"team": "core"}, admins=["arn:aws:iam::111122223333:role/admins"])
    untagged = {"RolePolicyAttachment", "Route", "RouteTableAssociation", "AccessPolicyAssociation"}
    assert {node.display_name.partition("/")[0] for node in aws(graph) if "tags" not in node.inputs} == untagged
    assert all(node.inputs["tags"]["team"] == "core" for node in aws(graph) if "tags" in node.inputs)


def test_a_declared_account_has_a_provider_of_its_own_that_makes_everything(deploy, preview):
    graph = deploy(account=ACCOUNT, preview=preview)
    provider = graph.one("aws/dev-use1-aws")
    assert provider.inputs["region"] == "us-east-1"
    assert json.loads(provider.inputs["allowedAccountIds"]) == ["111122223333"]
    assert provider.inputs["profile"] == "prod"
    assert json.loads(provider.inputs["assumeRoles"]) == [{"roleArn": "arn:aws:iam::111122223333:role/ci"}]
    assert provider.inputs["skipCredentialsValidation"] == "false"
    assert {node.provider for node in aws(graph)} == {provider}


def test_a_declared_account_is_the_one_that_is_asked(deploy):
    graph = deploy(account=AwsAccount(id="111122223333"), region="cn-north-1", config={"aws:region": "us-east-1"})
    assert all(node.inputs["policyArn"].startswith("arn:aws-cn:") for node in graph.some("RolePolicyAttachment"))
    assert graph.one("Subnet/dev-use1-private-1").inputs["availabilityZone"] == "cn-north-1a"


def test_without_an_account_the_caller_s_provider_makes_everything(deploy):
    graph = deploy(opts=lambda: pulumi.ResourceOptions(providers=[pulumi_aws.Provider("mine", region="us-east-1")]))
    assert {node.provider for node in aws(graph)} == {graph.one("aws/mine")}


def test_options_of_the_caller_stay_with_the_component(deploy):
    def opts():
        return pulumi.ResourceOptions(
            depends_on=[pulumi_aws.iam.Group("mine")],
            ignore_changes=["tags"],
            custom_timeouts=pulumi.CustomTimeouts(create="1m"),
            delete_before_replace=True,
        )

    plain, told = deploy(), deploy(opts=opts)
    for node in plain:
        if node.display_name != "EksCluster/dev-use1":
            assert told.one(node.urn).options == node.options
            assert not told.one(node.urn).depends_on("Group/mine")


@pytest.mark.parametrize(
    ("declared", "protected"),
    [({}, True), ({"protect": True}, True), ({"protect": False}, False), ({"protect": False, "deletion_protection": True}, True)],
    ids=["by default", "declared", "declared off", "protected by AWS"],
)
def test_the_cluster_and_its_network_are_protected_and_its_pools_can_go(deploy, declared, protected):
    """AWS would refuse to delete the cluster only when its pools are gone."""
    made = sorted(node.display_name for node in deploy(**declared) if node.protect)
    assert made == (["Cluster/dev-use1", "Vpc/dev-use1-vpc"] if protected else [])


def test_the_cluster_is_waited_for_as_long_as_eks_takes(deploy):
    assert deploy().one("Cluster").timeouts == {"create": "30m", "update": "60m", "delete": "30m"}


def test_the_three_switches_are_known_in_a_preview(deploy):
    cluster = deploy(preview=True).one("Cluster").inputs
    switches = [cluster["computeConfig"], cluster["storageConfig"]["blockStorage"], cluster["kubernetesNetworkConfig"]["elasticLoadBalancing"]]
    assert [switch["enabled"] for switch in switches] == [True, True, True]


def test_its_outputs_tell_how_to_reach_and_to_extend_it(deploy):
    outputs = deploy().one("EksCluster").outputs
    assert outputs["name"] == "dev-use1"
    assert outputs["endpoint"].startswith("https://dev-use1")
    assert outputs["oidc_issuer"].startswith("https://oidc")
    assert outputs["node_role"] == "arn:aws:iam::123456789012:role/dev-use1-node"
    assert outputs["pools"] == {"system": "system", "compute": "compute"}


def test_its_outputs_say_what_other_programs_refer_to(deploy):
    outputs = deploy().one("EksCluster").outputs
    assert outputs["cluster_role"] == "arn:aws:iam::123456789012:role/dev-use1-cluster"
    assert outputs["cluster_security_group"].startswith("sg-")
    assert outputs["log_group"] == "/aws/eks/dev-use1/cluster"
    assert outputs["pod_identity_roles"] == {}
    assert len(outputs["private_subnet_ids"]) == 3
    network = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1", "subnet-2"])
    brought = deploy(network=network, cluster_role="arn:aws:iam::111122223333:role/eks").one("EksCluster").outputs
    assert (brought["vpc_id"], brought["private_subnet_ids"], brought["cluster_role"][-3:]) == ("vpc-1", ["subnet-1", "subnet-2"], "eks")


FROM_AWS = ("endpoint", "oidc_issuer", "cluster_security_group", "cluster_role", "vpc_id")


@pytest.mark.parametrize("name", FROM_AWS)
def test_what_aws_makes_is_unknown_in_a_preview_and_never_none(declare, name):
    """A program that makes a resource of an output: it is planned without the argument, and never with `None` or an empty one."""
    seen = []

    def program():
        cluster = EksCluster("dev-use1", declare())
        getattr(cluster, name).apply(seen.append)

    testing.run(program, preview=True)
    assert seen == []


def test_a_cluster_without_nodes_has_neither_node_role_nor_pools(deploy):
    outputs = deploy(auto_mode=AutoMode(built_in_node_pools=[])).one("EksCluster").outputs
    assert (outputs.get("node_role"), outputs["pools"]) == (None, {})


def test_the_kubeconfig_is_a_secret_and_logs_in_as_the_account_does(deploy):
    outputs = deploy(account=ACCOUNT).one("EksCluster").outputs
    assert outputs.secret("kubeconfig")
    [user] = json.loads(outputs.text("kubeconfig"))["users"]
    assert user["user"]["exec"]["args"][-4:] == ["--role-arn", "arn:aws:iam::111122223333:role/ci", "--profile", "prod"]


def test_the_api_server_can_be_private(deploy):
    assert deploy(api_server=ApiServer(private=True), apply="render").one("Cluster").inputs["vpcConfig"]["endpointPublicAccess"] is False


def test_findings_are_told_before_anything_is_registered():
    faulty = EksClusterArgs(region="us-east-1", kubernetes_version="1.20", service_cidr="10.64.0.0/16")
    seen = []

    def program():
        try:
            EksCluster("dev-use1", faulty)
        except InvalidDeclarationError as refused:
            seen.append(refused)

    graph = testing.run(program)
    assert len(graph) == 0
    [refused] = seen
    assert {finding.path for finding in refused.findings} >= {"kubernetes_version", "service_cidr"}


def test_a_misspelt_field_never_reaches_a_cluster_that_would_drop_it():
    with pytest.raises(DeclarationError, match="consolidateAfter"):
        _ = EksNodePool(consolidateAfter="30s").weight


@pytest.mark.program
def test_the_kubernetes_sdk_is_left_alone_until_there_are_objects():
    asked = "import sys, nodepools.eks.cluster; sys.exit('pulumi_kubernetes' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0

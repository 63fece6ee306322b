"""The documents of IAM: one row a fact."""

import json

import pytest

from nodepools.eks.iam_roles import cluster_trust, custom_tags, node_trust
from nodepools.model.eks.access import CLUSTER_POLICIES, NODE_POLICIES


def statements(document):
    read = json.loads(document)
    assert read["Version"] == "2012-10-17"
    return read["Statement"]


def test_eks_may_tag_the_sessions_of_the_cluster_role():
    [statement] = statements(cluster_trust())
    assert statement["Principal"] == {"Service": "eks.amazonaws.com"}
    assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]


@pytest.mark.parametrize(
    ("partition", "principal"),
    [
        pytest.param("aws", "ec2.amazonaws.com", id="instances have the same name nearly everywhere"),
        pytest.param("aws-us-gov", "ec2.amazonaws.com", id="in GovCloud too"),
        pytest.param("aws-cn", "ec2.amazonaws.com.cn", id="in China another, without which EKS refuses the role"),
    ],
)
def test_instances_may_have_the_node_role(partition, principal):
    [statement] = statements(node_trust(partition))
    assert statement["Principal"] == {"Service": principal}
    assert statement["Action"] == ["sts:AssumeRole"]


def test_the_policies_are_those_of_auto_mode():
    assert len(CLUSTER_POLICIES) == len({*CLUSTER_POLICIES}) == 5
    assert NODE_POLICIES == ("AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly")


def test_every_right_to_tag_is_bound_to_the_cluster_of_the_role():
    for statement in statements(custom_tags("aws")):
        assert statement["Effect"] == "Allow"
        assert statement["Condition"]["StringEquals"] == {"aws:RequestTag/eks:eks-cluster-name": "${aws:PrincipalTag/eks:eks-cluster-name}"}


def test_instances_are_made_for_a_pool_and_a_class_only():
    instances = next(s for s in statements(custom_tags("aws")) if "ec2:RunInstances" in s["Action"])
    assert instances["Action"] == ["ec2:CreateFleet", "ec2:RunInstances", "ec2:CreateLaunchTemplate"]
    assert set(instances["Condition"]["StringLike"]) == {
        "aws:RequestTag/eks:kubernetes-node-class-name",
        "aws:RequestTag/eks:kubernetes-node-pool-name",
    }


@pytest.mark.parametrize("partition", ["aws", "aws-cn", "aws-us-gov"])
def test_arns_are_those_of_the_partition(partition):
    arns = [arn for statement in statements(custom_tags(partition)) for arn in statement["Resource"] if arn != "*"]
    assert arns
    assert all(arn.startswith(f"arn:{partition}:") for arn in arns)

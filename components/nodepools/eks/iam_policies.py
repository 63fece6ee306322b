"""IAM documents: trust policies of roles, and what the cluster role needs in addition to AWS managed policies.

Facts: docs/facts/eks.md C15 to C18, C38, § 1.2.
"""

import json

CLUSTER_POLICIES = (
    "AmazonEKSClusterPolicy",
    "AmazonEKSComputePolicy",
    "AmazonEKSBlockStoragePolicy",
    "AmazonEKSLoadBalancingPolicy",
    "AmazonEKSNetworkingPolicy",
)
NODE_POLICIES = ("AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly")

_CLUSTER_TAG = "aws:RequestTag/eks:eks-cluster-name"


def cluster_trust() -> str:
    """Trusts EKS, which tags sessions with the cluster's name.

    The principal is the same in every AWS partition (terraform-aws-eks#1904: `eks.amazonaws.com.cn` is rejected as malformed).
    """
    return _trust("eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession")


def node_trust(partition: str) -> str:
    """Trusts EC2. In China the principal has another name (cdk-eks-blueprints#558: EKS rejects a node role without it)."""
    return _trust("ec2.amazonaws.com.cn" if partition == "aws-cn" else "ec2.amazonaws.com", "sts:AssumeRole")


def pod_trust() -> str:
    """Trusts EKS Pod Identity, which tags sessions with cluster, namespace and service account. The principal is the same in every AWS partition."""
    return _trust("pods.eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession")


def assuming(role: str) -> str:
    """Lets the role of pods assume another role, which must trust it."""
    return _document({"Sid": "TargetRole", "Effect": "Allow", "Action": ["sts:AssumeRole", "sts:TagSession"], "Resource": [role]})


def custom_tags(partition: str) -> str:
    """Lets Auto Mode set custom tags on the resources that it creates.

    AWS managed policies allow only the tag keys of EKS: without this policy no node is launched for a NodeClass with tags, although all is ready.
    Each statement is limited to resources that are tagged with the name of the cluster.
    """
    ec2 = f"arn:{partition}:ec2:*:*"
    return _document(
        _on_own_cluster(
            "Instances",
            ["ec2:CreateFleet", "ec2:RunInstances", "ec2:CreateLaunchTemplate"],
            ["*"],
            {"aws:RequestTag/eks:kubernetes-node-class-name": "*", "aws:RequestTag/eks:kubernetes-node-pool-name": "*"},
        ),
        _on_own_cluster("Disks", ["ec2:CreateVolume", "ec2:CreateSnapshot"], [f"{ec2}:volume/*", f"{ec2}:snapshot/*"]),
        _on_own_cluster("Interfaces", ["ec2:CreateNetworkInterface"], ["*"], {"aws:RequestTag/eks:kubernetes-cni-node-name": "*"}),
        _on_own_cluster(
            "LoadBalancers",
            [f"elasticloadbalancing:Create{made}" for made in ("LoadBalancer", "TargetGroup", "Listener", "Rule")] + ["ec2:CreateSecurityGroup"],
            ["*"],
        ),
        _on_own_cluster("Shields", ["shield:CreateProtection"], ["*"]),
        _on_own_cluster("ShieldTags", ["shield:TagResource"], [f"arn:{partition}:shield::*:protection/*"]),
    )


def secrets_key(arn: str) -> str:
    """Lets the cluster role use the KMS key of secrets. EKS also works by a grant, which only a key policy that delegates to IAM allows."""
    actions = [f"kms:{action}" for action in ("Encrypt", "Decrypt", "ListGrants", "DescribeKey")]
    return _document({"Sid": "SecretsKey", "Effect": "Allow", "Action": actions, "Resource": [arn]})


def _trust(service: str, *actions: str) -> str:
    return _document({"Effect": "Allow", "Principal": {"Service": service}, "Action": list(actions)})


def _on_own_cluster(sid: str, actions: list[str], resources: list[str], like: dict[str, str] | None = None) -> dict[str, object]:
    condition: dict[str, object] = {"StringEquals": {_CLUSTER_TAG: "${aws:PrincipalTag/eks:eks-cluster-name}"}}
    if like is not None:
        condition["StringLike"] = like
    return {"Sid": sid, "Effect": "Allow", "Action": actions, "Resource": resources, "Condition": condition}


def _document(*statements: dict[str, object]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})

"""What is known of the NodeClasses of an EKS cluster without asking AWS, so that applied and rendered objects are the same.

Facts: docs/facts/eks.md § 2.
"""

INTERNAL_ELB = {"kubernetes.io/role/internal-elb": "1"}
"""The tag of private subnets that internal load balancers look for (C37)."""
NETWORK_TAG = "nodepools/network"
"""The tag of all subnets of a network of ours; its value is the network's name."""


def private_subnets(network: str) -> list[dict[str, object]]:
    """Terms for the private subnets of a network of ours."""
    return [{"tags": {**INTERNAL_ELB, NETWORK_TAG: network}}]


def cluster_security_group(cluster: object) -> list[dict[str, object]]:
    """Terms for the security group that EKS makes for a cluster."""
    return [{"tags": {"aws:eks:cluster-name": cluster}}]

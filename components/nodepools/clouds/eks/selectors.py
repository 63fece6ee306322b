"""Selector terms of the NodeClasses of an EKS cluster that need no request to AWS, so that applied and rendered objects are the same.

Facts: docs/facts/eks.md § 2.
"""

INTERNAL_ELB = {"kubernetes.io/role/internal-elb": "1"}
"""The tag of private subnets that internal load balancers look for (C37)."""
NETWORK_TAG = "nodepools/network"
"""The tag of all subnets of an `EksNetwork`; its value is the name of the network."""


def private_subnets(network: str) -> list[dict[str, object]]:
    """Returns the terms for the private subnets of an `EksNetwork`."""
    return [{"tags": {**INTERNAL_ELB, NETWORK_TAG: network}}]


def cluster_security_group(cluster: object) -> list[dict[str, object]]:
    """Returns the terms for the security group that EKS creates for a cluster."""
    return [{"tags": {"aws:eks:cluster-name": cluster}}]

"""What the first `pulumi up` of an EKS cluster needs."""

from collections.abc import Iterator
from dataclasses import dataclass

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs


@dataclass(frozen=True, slots=True)
class EksNeeds:
    """The AWS CLI, IAM permissions, and quota of VPCs and vCPUs."""

    cluster: EksClusterArgs

    def tools(self) -> Iterator[str]:
        """`aws`, for tokens."""
        yield "aws"

    def environment(self) -> Iterator[tuple[str, str]]:
        """None: the AWS CLI finds its own credentials."""
        yield from ()

    def account(self) -> Iterator[tuple[str, str]]:
        """IAM permissions, and quota."""
        cluster = self.cluster
        yield "role", "eks:*, iam:PassRole, and EC2 networking in the region"
        if _makes_roles(cluster):
            yield "role", f"iam:CreateRole and iam:AttachRolePolicy for the path {cluster.iam_path}"
        if isinstance(cluster.network, EksNetworkArgs):
            gateways = {"per-zone": "one per zone", "single": "1", None: "0"}[cluster.network.nat]
            yield "quota", f"1 VPC in {cluster.region}; NAT gateways and Elastic IPs: {gateways}"
        for name, pool in cluster.auto_mode.node_pools.items():
            limits = ", ".join(f"{resource} {quantity}" for resource, quantity in pool.limits.items())
            yield "quota", f"EC2 vCPUs for the NodePool {name}: {f'up to {limits}' if limits else 'no limits'}"
        for name in cluster.auto_mode.built_in_node_pools:
            yield "quota", f"EC2 vCPUs for the built-in NodePool {name}: no limits"


def _makes_roles(cluster: EksClusterArgs) -> bool:
    mode = cluster.auto_mode
    of_nodes = cluster.node_role is None and (mode.built_in_node_pools or mode.shares_a_role)
    return cluster.cluster_role is None or bool(of_nodes) or any(declared.create_role for _, _, declared in mode.all_classes())

"""What is known of the NodeClasses of an EKS cluster without asking AWS, so that applied and rendered objects are the same.

Facts: docs/facts/eks.md § 2.
"""

from collections.abc import Callable

from nodepools.model.eks.auto_mode import AutoMode
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.names import cut, fingerprint
from nodepools.model.ref import Ref

BUILT_IN_CLASS = "default"
"""The NodeClass that AWS makes with the built-in pools."""
INTERNAL_ELB = {"kubernetes.io/role/internal-elb": "1"}
"""The tag of private subnets that internal load balancers look for (C37)."""
NETWORK_TAG = "nodepools/network"
"""The tag of all subnets of a network of ours; its value is the network's name."""
PROFILE = "instance-profile/"
"""Stands before the name of an instance profile where else the name of a role stands."""
LONGEST_ROLE = 64
"""IAM's limit for the name of a role, and the NodeClass's for a role with its path (N1)."""
_LONGEST_NAME = 63
"""A class's name is the value of a label (N19)."""


def node_role_name(stem: str, args: EksClusterArgs, *of_class: str) -> str:
    """The name of the node role that we make for the cluster, or for one class; it fits into a NodeClass together with its path."""
    return cut("-".join([stem, "node", *of_class]), LONGEST_ROLE - len(args.iam_path.removeprefix("/")))


def role_reference(path_and_name: str) -> str:
    """What a NodeClass calls a role: `teams/web/nodes` of `arn:aws:iam::123456789012:role/teams/web/nodes`, or of `/teams/web/nodes`."""
    return path_and_name.partition(":role/")[2] or path_and_name.removeprefix("/")


def class_name(key: str, role: str, stem: str) -> str:
    """What the NodeClass `key` is called in the cluster.

    The role of a class is fixed, so one with another role is another class. With the role that we make for the cluster it has its key as its name;
    else the name depends on the role: the new class is made, pools move to it, the old one goes.
    """
    usual = cut(f"{stem}-node", LONGEST_ROLE)
    return key if role == usual else cut(f"{key}-{fingerprint(role)}", _LONGEST_NAME)


def private_subnets(network: str) -> list[dict[str, object]]:
    """Terms for the private subnets of a network of ours."""
    return [{"tags": {**INTERNAL_ELB, NETWORK_TAG: network}}]


def cluster_security_group(cluster: object) -> list[dict[str, object]]:
    """Terms for the security group that EKS makes for a cluster."""
    return [{"tags": {"aws:eks:cluster-name": cluster}}]


def uses_cluster_role(auto_mode: AutoMode) -> bool:
    """Some node has the cluster's node role: one of the built-in pools, or of a class that has no other."""
    return bool(auto_mode.built_in_node_pools) or any(declared.has_cluster_role for _, _, declared in auto_mode.all_classes())


def class_role(stem: str, args: EksClusterArgs, key: str, declared: EksNodeClass, resolve: Callable[[Ref], str]) -> str:
    """What a NodeClass calls the role of its nodes, or `instance-profile/` and the name of what it has in its place, offline."""
    if declared.instance_profile is not None:
        return f"{PROFILE}{resolve(declared.instance_profile)}"
    if declared.role is not None:
        return resolve(declared.role)
    if not declared.own_role and args.node_role is not None:
        return role_reference(resolve(args.node_role))
    made = node_role_name(stem, args, key) if declared.own_role else node_role_name(stem, args)
    return f"{role_reference(args.iam_path)}{made}"

"""What the NodeClasses of a cluster, and the roles of their nodes, are called, where that is known without asking AWS.

Facts: docs/facts/eks.md § 2.
"""

from collections.abc import Callable

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.name_limits import cut, fingerprint
from nodepools.model.ref import Ref

PROFILE = "instance-profile/"
"""Stands before the name of an instance profile where else the name of a role stands."""
LONGEST_ROLE = 64
"""IAM's limit for the name of a role, and the NodeClass's for a role with its path (N1)."""
_LONGEST_NAME = 63
"""A class's name is the value of a label (N19)."""


def node_role_name(stem: str, args: EksClusterArgs, *of_class: str) -> str:
    """The name of the node role that we make for the built-in pools, or for one class; it fits into a NodeClass together with its path."""
    return _fitting(f"{stem}-node", args, *of_class)


def shared_role_name(stem: str, args: EksClusterArgs) -> str:
    """The name of the node role that we make for the classes without one of their own.

    It is not that of the built-in pools: while one is on, EKS keeps the access entry of their role, and nobody says what becomes of it then.
    """
    return _fitting(f"{stem}-class-node", args)


def _fitting(name: str, args: EksClusterArgs, *more: str) -> str:
    return cut("-".join([name, *more]), LONGEST_ROLE - len(args.iam_path.removeprefix("/")))


def role_reference(path_and_name: str) -> str:
    """What a NodeClass calls a role: `teams/web/nodes` of `arn:aws:iam::123456789012:role/teams/web/nodes`, or of `/teams/web/nodes`."""
    return path_and_name.partition(":role/")[2] or path_and_name.removeprefix("/")


def class_name(key: str, role: str, stem: str) -> str:
    """What the NodeClass `key` is called in the cluster.

    The role of a class is fixed, so one with another role is another class. With the role that we make for all classes it has its key as its name;
    else the name depends on the role: the new class is made, pools move to it, the old one goes.
    """
    usual = cut(f"{stem}-class-node", LONGEST_ROLE)
    return key if role == usual else cut(f"{key}-{fingerprint(role)}", _LONGEST_NAME)


def class_role(stem: str, args: EksClusterArgs, key: str, declared: EksNodeClass, resolve: Callable[[Ref], str]) -> str:
    """What a NodeClass calls the role of its nodes, or `instance-profile/` and the name of what it has in its place, offline."""
    if declared.instance_profile is not None:
        return f"{PROFILE}{resolve(declared.instance_profile)}"
    if declared.role is not None:
        return resolve(declared.role)
    if not declared.create_role and args.node_role is not None:
        return role_reference(resolve(args.node_role))
    made = node_role_name(stem, args, key) if declared.create_role else shared_role_name(stem, args)
    return f"{role_reference(args.iam_path)}{made}"

"""Names in Pulumi and in AWS that follow from a declaration: of NodeClasses, of IAM roles and of admins.

Names of roles are unique in an account, in all its regions. Facts: docs/facts/eks.md § 2.
"""

from collections.abc import Callable
from typing import Final

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.name_limits import cut, fingerprint
from nodepools.model.ref import Ref, StackOutput

LONGEST_ROLE: Final = 64
"""IAM's limit for the name of a role, and the NodeClass's limit for a role with its path (N1)."""


def role_stem(stem: str, args: EksClusterArgs) -> str:
    """The beginning of the names of all roles; with `role_names="regional"` it has the region."""
    return f"{stem}-{args.region}" if args.role_names == "regional" else stem


def cluster_role_name(stem: str, args: EksClusterArgs) -> str:
    """Name of the role that is created for the control plane."""
    return cut(f"{role_stem(stem, args)}-cluster", LONGEST_ROLE)


def pod_role_name(stem: str, args: EksClusterArgs, *word: str) -> str:
    """Name of a role that is created for pods: of a pod identity, or of a service account of an add-on."""
    return cut("-".join([role_stem(stem, args), *word]), LONGEST_ROLE)


def admin_word(admin: Ref, place: int) -> str:
    """A name for an admin that does not depend on other admins; for an Output, whose value is not known yet, its index."""
    if isinstance(admin, str):
        return f"{admin.rpartition('/')[2]}-{fingerprint(admin)}"
    return fingerprint(str(admin), 8) if isinstance(admin, StackOutput) else str(place)


def role_word(role: Ref, key: str) -> str:
    """A name for the existing role of the NodeClass `key`: NodeClasses with the same role share it."""
    return f"brought-{fingerprint(str(role), 8)}" if isinstance(role, str | StackOutput) else f"brought-by-{key}"


def policy_word(policy: Ref, place: int) -> str:
    """A name for an IAM policy of a role that does not depend on other policies; for an Output, whose value is not known yet, its index."""
    if isinstance(policy, str):
        return f"{policy.rpartition('/')[2]}-{fingerprint(policy)}" if policy.startswith("arn:") else policy.rpartition("/")[2]
    return fingerprint(str(policy), 8) if isinstance(policy, StackOutput) else str(place)


PROFILE = "instance-profile/"
"""Prefix of the name of an instance profile, in places that otherwise have the name of a role."""
_LONGEST_NAME = 63
"""The name of a NodeClass is the value of a label (N19)."""


def node_role_name(stem: str, args: EksClusterArgs, *of_class: str) -> str:
    """Name of the node role that is created for the built-in NodePools, or for one NodeClass. With its path it fits into a NodeClass."""
    return _fitting(f"{role_stem(stem, args)}-node", args, *of_class)


def shared_role_name(stem: str, args: EksClusterArgs) -> str:
    """Name of the node role that is created for NodeClasses without a role of their own.

    It differs from the role of the built-in NodePools: while one is on, EKS keeps the access entry of that role, and it is not documented what
    happens then.
    """
    return _fitting(f"{role_stem(stem, args)}-class-node", args)


def _fitting(name: str, args: EksClusterArgs, *more: str) -> str:
    return cut("-".join([name, *more]), LONGEST_ROLE - len(args.iam_path.removeprefix("/")))


def role_reference(path_and_name: str) -> str:
    """A role as a NodeClass names it: `teams/web/nodes` for `arn:aws:iam::123456789012:role/teams/web/nodes` or for `/teams/web/nodes`."""
    return path_and_name.partition(":role/")[2] or path_and_name.removeprefix("/")


def class_name(key: str, role: str, stem: str, fixed: str | None = None) -> str:
    """Name of the NodeClass `key` in the cluster, which can have a `fixed` name.

    The role of a NodeClass is immutable, so another role is another NodeClass. With the role that all NodeClasses share, its name is its key.
    Otherwise the name depends on the role: the new NodeClass is created, NodePools move to it, and the old one is deleted.
    """
    if fixed is not None:
        return fixed
    usual = cut(f"{stem}-class-node", LONGEST_ROLE)
    return key if role == usual else cut(f"{key}-{fingerprint(role)}", _LONGEST_NAME)


def class_role(stem: str, args: EksClusterArgs, key: str, declared: EksNodeClass, resolve: Callable[[Ref], str]) -> str:
    """The role of a NodeClass as the object names it, or `instance-profile/` and the name of its instance profile. Works offline."""
    if declared.instance_profile is not None:
        return f"{PROFILE}{resolve(declared.instance_profile)}"
    if declared.role is not None:
        return resolve(declared.role)
    if not declared.create_role and args.node_role is not None:
        return role_reference(resolve(args.node_role))
    made = node_role_name(stem, args, key) if declared.create_role else shared_role_name(stem, args)
    return f"{role_reference(args.iam_path)}{made}"


def entry_word(args: EksClusterArgs, key: str, declared: EksNodeClass) -> str:
    """The name of the access entry of the nodes of a NodeClass: that of its role in names of resources."""
    if declared.create_role:
        return f"node-{key}"
    shared = args.node_role is not None and (declared.role is None or declared.role == role_reference(str(args.node_role)))
    if declared.role is not None and not shared:
        return role_word(declared.role, key)
    return "node" if shared else "class-node"

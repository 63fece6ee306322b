"""Names of the IAM roles of a cluster, which are unique in an account, in all its regions."""

from typing import Final

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.name_limits import cut

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

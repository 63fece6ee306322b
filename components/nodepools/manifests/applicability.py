"""Which rules of declarations are asked of the objects in files, which are not, and why."""

from typing import Final

MISSING_CLASS: Final = frozenset({"EKS042", "NAP006"})
"""Rules that are certain where all of a cluster is known; of files, a class may be in another one."""

ASKED_AS: Final = {
    **dict.fromkeys(("EKS020", "EKS040", "EKS041", "NAP005"), "OBJ012"),
    **dict.fromkeys(("NAP015", "NAP040"), "OBJ011"),
}
"""Codes of rules that files are asked by another code, which knows that a file does not tell all of a cluster."""

BUILT_IN: Final = "files do not say which built-in pools are on"
REGION: Final = "files do not say the region of the cluster"
NETWORK: Final = "files do not say the network of the cluster"
CLUSTER: Final = "it is about the cluster and its agent pools, of which files hold nothing"
DEVICE_PLUGIN: Final = "files need not hold the device plugin that the cluster has"
WINDOW: Final = "a maintenance window is ours: objects have budgets"
OWN: Final = "it is about a field of ours: objects have none like it"

SKIPPED_RULES: Final = {
    "EKS019": "every NodeClass names its security groups, EKS's own among them",
    "EKS039": REGION,
    "AKS186": "NAP023 knows the bounds of node classes",
    **dict.fromkeys(("EKS043", "NAP004"), BUILT_IN),
    **dict.fromkeys(("EKS021", "EKS087", "EKS088", "PLT020"), OWN),
    **dict.fromkeys(("NAP001", "NAP011", "NAP012", "NAP016"), CLUSTER),
    **dict.fromkeys(("NAP002", "NAP003", "NAP010", "NAP014", "NAP028"), NETWORK),
    **dict.fromkeys(("KAR070", "KAR071", "KAR072"), WINDOW),
    "NAP035": DEVICE_PLUGIN,
}
"""Codes of rules about NodePools and node classes that are not asked of files, and why."""

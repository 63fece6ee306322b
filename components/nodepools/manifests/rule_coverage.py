"""Tells which rules of declarations check the objects in files, which do not, and why."""

from typing import Final

MISSING_CLASS: Final = {"EKS042": "NodeClass", "NAP006": "AKSNodeClass", "SMK041": "EC2NodeClass"}
"""Codes of rules that are certain only if the whole cluster is known, because a node class can be in another file, with the kind of that class."""

CHECKED_AS: Final = {
    **dict.fromkeys(("EKS020", "EKS040", "EKS041", "NAP005"), "OBJ012"),
    **dict.fromkeys(("NAP015", "NAP040"), "OBJ011"),
}
"""Codes of rules that have another code for files, whose rule allows for a cluster that is only partly known."""

BUILT_IN: Final = "files do not contain the built-in NodePools of the cluster"
REGION: Final = "files do not contain the region of the cluster"
NETWORK: Final = "files do not contain the network of the cluster"
FAMILY: Final = "files do not contain the address family of the cluster"
CLUSTER: Final = "the rule is about the cluster and its agent pools, which files do not contain"
DEVICE_PLUGIN: Final = "the device plugin of the cluster can be outside of the files"
WINDOW: Final = "only declarations have a maintenance window: objects have disruption budgets"
OWN: Final = "the rule is about a field that only declarations have"

SKIPPED_RULES: Final = {
    "EKS019": "every NodeClass names security groups, EKS's own among them",
    "EKS039": REGION,
    "AKS186": "NAP023 checks the bounds of node classes",
    **dict.fromkeys(("EKS043", "NAP004"), BUILT_IN),
    **dict.fromkeys(("EKS021", "EKS087", "EKS088", "EKS133", "PLT020", "PLT021"), OWN),
    **dict.fromkeys(("NAP001", "NAP011", "NAP012", "NAP016"), CLUSTER),
    **dict.fromkeys(("EKS037", "EKS152"), FAMILY),
    **dict.fromkeys(("EKS179", "EKS180"), NETWORK),
    **dict.fromkeys(("NAP002", "NAP003", "NAP010", "NAP014", "NAP028"), NETWORK),
    **dict.fromkeys(("KAR070", "KAR071", "KAR072", "KAR073"), WINDOW),
    "NAP035": DEVICE_PLUGIN,
}
"""Codes of rules about NodePools and node classes that do not check files, and why."""

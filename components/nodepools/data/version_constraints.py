"""Versions that parts of an EKS cluster need at least: add-ons in clusters with Auto Mode, and Karpenter for each Kubernetes version.

Both are files, read when first used. Versions of Kubernetes that are newer than the file are not known to work with any Karpenter.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from nodepools.data.table_files import rows_of

ADD_ON_SOURCE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/auto-enable-existing.html"
KARPENTER_SOURCE: Final = "https://karpenter.sh/docs/upgrading/compatibility/"
SKEW_SOURCE: Final = "https://kubernetes.io/releases/version-skew-policy/"
KUBE_PROXY: Final = "kube-proxy"
KUBE_PROXY_SKEW: Final = 3
"""kube-proxy may be so many minor versions older than the API server, and not newer."""


@cache
def karpenter_versions() -> Mapping[str, str]:
    """The oldest version of Karpenter on AWS, by the minor version of Kubernetes, such as `1.36`."""
    return {row[0]: row[1] for row in rows_of("karpenter_versions.txt")}


@cache
def _add_ons() -> Mapping[tuple[str, int | None], str]:
    """By name and, for kube-proxy, by the minor version of Kubernetes that it is made for."""
    return {(name, kube_proxy_minor(version) if name == KUBE_PROXY else None): version for name, version in rows_of("add_on_minimums.txt")}


def least_add_on(name: str, version: str | None) -> str | None:
    """The oldest version of an EKS add-on that Auto Mode requires; that of kube-proxy depends on its own minor version."""
    own = kube_proxy_minor(version) if name == KUBE_PROXY else None
    return _add_ons().get((name, own))


def kube_proxy_minor(version: str | None) -> int | None:
    """The minor version of Kubernetes that a version of kube-proxy is made for, if it says so."""
    match = re.match(r"v1\.([0-9]{1,4})\.", version if version is not None else "")
    return int(match[1]) if match else None


def is_older_add_on(version: str, least: str) -> bool:
    """Compares numbers, including the EKS build; `False` if `version` is not an EKS version."""
    numbers = [re.fullmatch(r"v([0-9]+)\.([0-9]+)\.([0-9]+)-eksbuild\.([0-9]+)", text) for text in (version, least)]
    one, other = [tuple(map(int, match.groups())) if match else () for match in numbers]
    return bool(one) and one < other

"""Versions that parts of an EKS cluster need at least: add-ons in clusters with Auto Mode, and Karpenter for each Kubernetes version.

The versions of Karpenter are one file, read when first used. Its first line has the source. Versions of Kubernetes that are newer than the file are
not known to work with any Karpenter.
"""

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

ADD_ON_SOURCE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/auto-enable-existing.html"
ADD_ON_DAY: Final = date(2026, 8, 21)
KARPENTER_SOURCE: Final = "https://karpenter.sh/docs/upgrading/compatibility/"
SKEW_SOURCE: Final = "https://kubernetes.io/releases/version-skew-policy/"
KUBE_PROXY: Final = "kube-proxy"
KUBE_PROXY_SKEW: Final = 3
"""kube-proxy may be so many minor versions older than the API server, and not newer."""

_ADD_ONS: Final[Mapping[str, str]] = {
    "vpc-cni": "v1.19.0-eksbuild.1",
    "aws-ebs-csi-driver": "v1.37.0-eksbuild.1",
    "snapshot-controller": "v8.1.0-eksbuild.2",
    "eks-pod-identity-agent": "v1.3.4-eksbuild.1",
}
_KUBE_PROXY: Final[Mapping[int, str]] = {
    26: "v1.26.15-eksbuild.19",
    27: "v1.27.16-eksbuild.14",
    28: "v1.28.15-eksbuild.4",
    29: "v1.29.10-eksbuild.3",
    30: "v1.30.6-eksbuild.3",
    31: "v1.31.2-eksbuild.3",
}
"""By the minor version of Kubernetes that it is made for."""
_KARPENTER: Final = Path(__file__).with_name("karpenter_versions.txt")


@cache
def karpenter_versions() -> Mapping[str, str]:
    """The oldest version of Karpenter on AWS, by the minor version of Kubernetes, such as `1.36`."""
    lines = (line.partition(" ") for line in _KARPENTER.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {version: least for version, _, least in lines}


def least_add_on(name: str, version: str | None) -> str | None:
    """The oldest version of an EKS add-on that Auto Mode requires; that of kube-proxy depends on its own minor version."""
    if name != KUBE_PROXY:
        return _ADD_ONS.get(name)
    own = kube_proxy_minor(version)
    return None if own is None else _KUBE_PROXY.get(own)


def kube_proxy_minor(version: str | None) -> int | None:
    """The minor version of Kubernetes that a version of kube-proxy is made for, if it says so."""
    match = re.match(r"v1\.([0-9]{1,4})\.", version if version is not None else "")
    return int(match[1]) if match else None


def is_older_add_on(version: str, least: str) -> bool:
    """Compares numbers, including the EKS build; `False` if `version` is not an EKS version."""
    numbers = [re.fullmatch(r"v([0-9]+)\.([0-9]+)\.([0-9]+)-eksbuild\.([0-9]+)", text) for text in (version, least)]
    one, other = [tuple(map(int, match.groups())) if match else () for match in numbers]
    return bool(one) and one < other

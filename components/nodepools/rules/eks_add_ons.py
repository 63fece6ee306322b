"""Add-ons in clusters with Auto Mode, and the add-on versions that Auto Mode requires. Facts: docs/facts/eks.md C41, C42."""

import re
from collections.abc import Iterator

from nodepools.model.eks.access import AddOn
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import Fix, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import eks

_ENABLE = "https://docs.aws.amazon.com/eks/latest/userguide/auto-enable-existing.html: required add-on versions"
_NOT_NEEDED = "vpc-cni kube-proxy coredns aws-ebs-csi-driver eks-pod-identity-agent"
_EXISTING = frozenset(_NOT_NEEDED.split())
_LEAST = {
    "vpc-cni": "v1.19.0-eksbuild.1",
    "aws-ebs-csi-driver": "v1.37.0-eksbuild.1",
    "snapshot-controller": "v8.1.0-eksbuild.2",
    "eks-pod-identity-agent": "v1.3.4-eksbuild.1",
}
_LEAST_KUBE_PROXY = {
    26: "v1.26.15-eksbuild.19",
    27: "v1.27.16-eksbuild.14",
    28: "v1.28.15-eksbuild.4",
    29: "v1.29.10-eksbuild.3",
    30: "v1.30.6-eksbuild.3",
    31: "v1.31.2-eksbuild.3",
}


@rule(
    "EKS085",
    Severity.WARNING,
    source=_ENABLE,
    sample=lambda: eks(add_ons={"snapshot-controller": AddOn(version="v8.0.0-eksbuild.1")}),
)
def add_on_too_old_for_auto_mode(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Enabling Auto Mode on an existing cluster requires minimum versions of its add-ons."""
    for name, add_on in cluster.add_ons.items():
        least = _least(name, add_on.version)
        if add_on.version is not None and least is not None and _older(add_on.version, least):
            at = ("add_ons", name, "version")
            message = f"Version `{add_on.version}` of the add-on `{name}` is older than `{least}`, which Auto Mode requires"
            yield finding(cluster, message, path=at, fix=Fix(f"Set {ref(at)} to {literal(least)} or newer", (set_to(at, least),)))


@rule(
    "EKS086",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/eks-add-ons.html: not needed with Auto Mode, unless there are other nodes",
    sample=lambda: eks(add_ons={"vpc-cni": AddOn()}),
)
def add_on_included_in_auto_mode(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Auto Mode includes networking, DNS, block storage and pod identity: these add-ons serve other nodes only."""
    for name in cluster.add_ons:
        if name in _EXISTING:
            message = f"The add-on `{name}` has no use on Auto Mode nodes, which include it: only other nodes need it"
            fix = "Remove the add-on when no node outside Auto Mode is left"
            yield finding(cluster, message, path=("add_ons", name), value=name, fix=fix)


def _least(name: str, version: str | None) -> str | None:
    if name != "kube-proxy":
        return _LEAST.get(name)
    match = re.match(r"v1\.([0-9]+)\.", version if version is not None else "")
    return _LEAST_KUBE_PROXY.get(int(match[1])) if match else None


def _older(version: str, least: str) -> bool:
    """Compares numbers, including the EKS build; `False` if `version` is not an EKS version."""
    numbers = [re.fullmatch(r"v([0-9]+)\.([0-9]+)\.([0-9]+)-eksbuild\.([0-9]+)", text) for text in (version, least)]
    one, other = [tuple(map(int, match.groups())) if match else () for match in numbers]
    return bool(one) and one < other

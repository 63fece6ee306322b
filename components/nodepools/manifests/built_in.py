"""Objects that the clouds make in every cluster: told from those that bear their names. Facts: docs/facts/eks.md § 1.3, docs/facts/aks.md § 3.2."""

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from nodepools.manifests.kinds import Cloud
from nodepools.manifests.objects import Written
from nodepools.model.aks.provisioning import BUILT_IN
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS, BuiltIn
from nodepools.model.kubernetes.written import PodError, mapping
from nodepools.rules.finding import Finding
from nodepools.rules.objects import object_finding

_NAMES: Final[Mapping[tuple[Cloud, bool], tuple[str, ...]]] = {
    (Cloud.EKS, True): get_args(BuiltIn),
    (Cloud.EKS, False): (BUILT_IN_CLASS,),
    (Cloud.AKS, True): BUILT_IN,
    (Cloud.AKS, False): BUILT_IN,
}
"""By cloud, and whether it is a NodePool or a class."""
_SOURCES: Final = {
    Cloud.EKS: "https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html and create-node-class.html",
    Cloud.AKS: "karpenter-provider-azure, designs/0006; Azure API reference, nodeProvisioningProfile.defaultNodePools",
}
_HELM_RELEASE: Final = "aks-managed-karpenter-overlay"
_WHAT: Final = {
    Cloud.EKS: "that EKS Auto Mode creates: where a built-in NodePool is on, EKS takes changes of its own objects back",
    Cloud.AKS: "that AKS creates, unless `defaultNodePools` of the cluster is `None`: this changes the built-in object",
}
_FIXES: Final = {
    Cloud.EKS: "Use another name",
    Cloud.AKS: "Use another name, or set `nodeProvisioningProfile.defaultNodePools` of the cluster to `None`",
}


def is_of_the_cloud(written: Written, cloud: Cloud) -> bool:
    """It is what the cloud has made itself, printed from a cluster: nobody can be told to change it."""
    try:
        metadata = mapping(written.raw, "metadata")
        labels, annotations = mapping(metadata, "labels"), mapping(metadata, "annotations")
    except PodError:
        return False
    if cloud is Cloud.EKS:
        own = labels.get("app.kubernetes.io/managed-by") == "eks"
    else:
        own = str(annotations.get("meta.helm.sh/release-name", "")).startswith(_HELM_RELEASE)
    return own and written.name in _NAMES[cloud, written.kind == "NodePool"]


def called_like_built_in(written: Written, cloud: Cloud) -> Iterator[Finding]:
    """Said of an object that bears the name of one that the cloud makes."""
    if written.name in _NAMES[cloud, written.kind == "NodePool"]:
        message = f"`{written.name}` is the name of a {written.kind} {_WHAT[cloud]}"
        yield object_finding("OBJ012", ("metadata", "name"), message, fix=_FIXES[cloud], value=written.name, source=_SOURCES[cloud])

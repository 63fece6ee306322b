"""Reads an EC2NodeClass of self-managed Karpenter, as far as it decides where pods can run. All other fields are ignored."""

from collections.abc import Mapping
from typing import Final

from nodepools.manifests.live_node_class import ObservedClass, RawObject
from nodepools.model.kubernetes.raw_fields import entries, mapping, text
from nodepools.placement.cloud_labels import Cloud
from nodepools.placement.eks_locations import eks_choices_of
from nodepools.placement.eks_self_managed import Ec2Class, self_managed_cloud

_LINUX: Final = ("al2", "al2023", "bottlerocket")
"""Aliases of images that exist for both architectures."""
_WINDOWS: Final = "windows"


def observed_ec2(name: str, raw: RawObject | None, regions: frozenset[str]) -> ObservedClass:
    """Returns the properties of the nodes of an EC2NodeClass. Their zones are those of the subnets in its status."""
    if raw is None:
        return Ec2Class(name).nodes, eks_choices_of((), regions)
    found = entries(mapping(raw, "status"), "subnets")
    subnets = [(text(subnet.get("zone"), "zone"), text(subnet.get("zoneID"), "zoneID")) for subnet in found]
    return _class(name, raw).nodes, eks_choices_of(subnets, regions)


def cloud_of_ec2_class(raw: RawObject | None) -> Cloud:
    """Returns self-managed Karpenter with nodes of this class."""
    return self_managed_cloud(default_kubelet=raw is not None and _class("", raw).default_kubelet)


def _class(name: str, raw: RawObject) -> Ec2Class:
    spec = mapping(raw, "spec")
    families = [_family(term) for term in entries(spec, "amiSelectorTerms")]
    is_linux, is_windows = (bool(families) and all(test(family) for family in families) for test in (_LINUX.__contains__, _is_windows))
    return Ec2Class(
        name,
        frozenset({"linux"} if is_linux else {"windows"} if is_windows else ()),
        any_arch=is_linux,
        default_kubelet=is_linux and not mapping(spec, "kubelet") and spec.get("userData") is None,
        reserves=bool(entries(spec, "capacityReservationSelectorTerms")),
    )


def _family(term: Mapping[str, object]) -> str:
    """The image family of an alias such as `al2023@latest`; empty for images that are selected in another way."""
    return text(term.get("alias"), "alias").partition("@")[0].lower()


def _is_windows(family: str) -> bool:
    return family.startswith(_WINDOWS)

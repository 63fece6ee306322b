"""Reads an EC2NodeClass of self-managed Karpenter, as far as it decides where pods can run. All other fields are ignored."""

from collections.abc import Mapping
from typing import Final

from nodepools.clouds.eks.kubelet import FAMILIES, Kubelet, room_on_disk
from nodepools.clouds.eks.pools import eks_choices_of
from nodepools.clouds.eks.self_managed import Ec2Class, self_managed_cloud, systems_of
from nodepools.model.eks.ec2_node_class import AMI_FAMILIES
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text
from nodepools.placement.cloud_labels import Cloud, ExistingClass, RawObject
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds

_DISK: Final = "ephemeral-storage"
_ROOT: Final = {"al2": "/dev/xvda", "al2023": "/dev/xvda", "bottlerocket": "/dev/xvdb"}
"""The device with the data of the kubelet, by the family of the image (karpenter-provider-aws 1.14, `pkg/providers/amifamily`)."""
_DEFAULT_DISK: Final = thousandths("20Gi", _DISK)


def existing_ec2(name: str, raw: RawObject | None, regions: frozenset[str]) -> ExistingClass:
    """Returns the properties of the nodes of an EC2NodeClass. Their zones are those of the subnets in its status."""
    choices = eks_choices_of({} if raw is None else raw, regions)
    return (Ec2Class(name) if raw is None else _class(name, raw)).nodes, choices


def cloud_of_ec2_class(raw: RawObject | None, lacks: frozenset[str] = frozenset()) -> Cloud:
    """Returns self-managed Karpenter with nodes of this class, without labels that its version `lacks`."""
    if raw is None:
        return self_managed_cloud(lacks=lacks)
    found = _class("", raw)
    return self_managed_cloud(found.kubelet, local_disks=found.local_disks, lacks=lacks)


def kubelet_of(spec: RawObject) -> Kubelet | None:
    """Returns what decides the room on nodes of a class. With user data, it is known only to the image; Windows and other images publish nothing.

    Since Karpenter 1.15, the number of pods and reservations can be expressions, which are computed for each instance type: it is not known either.
    """
    families = {_family(term) for term in entries(spec, "amiSelectorTerms")}
    known = [family for family in families if family in FAMILIES]
    if len(families) != 1 or not known or spec.get("userData"):
        return None
    written = mapping(spec, "kubelet")
    try:
        return Kubelet(
            known[0],
            max_pods=_count(written, "maxPods"),
            pods_per_core=_count(written, "podsPerCore"),
            reserved=_amounts(written, "kubeReserved"),
            reserved_for_system=_amounts(written, "systemReserved"),
            eviction=_eviction(text(mapping(written, "evictionHard").get("memory.available"), "memory.available")),
        )
    except PodError:
        return None


def _class(name: str, raw: RawObject) -> Ec2Class:
    spec = mapping(raw, "spec")
    families = [_family(term) for term in entries(spec, "amiSelectorTerms")]
    is_linux = bool(families) and all(map(FAMILIES.__contains__, families))
    return Ec2Class(
        name,
        systems_of(text(spec.get("amiFamily"), "amiFamily") or next((AMI_FAMILIES[family] for family in families if family in AMI_FAMILIES), None)),
        any_arch=is_linux,
        kubelet=kubelet_of(spec),
        local_disks=spec.get("instanceStorePolicy") is not None,
        disk=_disk(spec),
        reserves=bool(entries(spec, "capacityReservationSelectorTerms")),
    )


def _family(term: Mapping[str, object]) -> str:
    """The image family of an alias such as `al2023@latest`; empty for images that are selected in another way."""
    return text(term.get("alias"), "alias").partition("@")[0].lower()


def _count(written: RawObject, name: str) -> int | None:
    return None if written.get(name) is None else number(written[name], name)


def _amounts(written: RawObject, name: str) -> Mapping[str, int]:
    return {key: thousandths(value, f"{name}.{key}") for key, value in mapping(written, name).items()}


def _eviction(signal: str) -> str:
    if not signal.endswith("%"):
        return str(thousandths(signal, "memory.available")) if signal else ""
    try:
        float(signal[:-1])
    except ValueError:
        raise PodError(f"`memory.available` must be an amount or a percentage, but is `{signal:.60}`") from None
    return signal


def _disk(spec: RawObject) -> Bounds:
    """The disk of pods: that of the volume with the data of the kubelet; not known if settings of the kubelet reserve a part of it."""
    kubelet = mapping(spec, "kubelet")
    families = {_family(term) for term in entries(spec, "amiSelectorTerms")}
    own = {*mapping(kubelet, "kubeReserved"), *mapping(kubelet, "systemReserved"), *mapping(kubelet, "evictionHard")}
    if len(families) != 1 or not families <= _ROOT.keys() or spec.get("instanceStorePolicy") is not None or own & {_DISK, "nodefs.available"}:
        return UNKNOWN_AMOUNT
    return room_on_disk(_size(spec, _ROOT[families.pop()]))


def _size(spec: RawObject, device: str) -> int:
    devices = entries(spec, "blockDeviceMappings")
    roots = [one for one in devices if one.get("rootVolume") is True] + [one for one in devices if one.get("deviceName") == device]
    sizes = (mapping(one, "ebs").get("volumeSize") for one in roots)
    return next((thousandths(size, "volumeSize") for size in sizes if size is not None), _DEFAULT_DISK)

"""Converts node classes of other Karpenters: one table for each kind of class and target; a field without a row there has a reason in `LEFT`.

Sources, read 2026-11-23: CRD of karpenter-provider-aws 1.15, EKS user guide (create-node-class, auto-migrate-karpenter, auto-networking, auto-kms),
CRD of karpenter-provider-azure 1.14. Facts: docs/facts/eks.md § 2, docs/facts/aks.md § 3.4.
"""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Final, TypeAlias

from nodepools.conversion.labels import Labels
from nodepools.conversion.raw_parts import Object, as_list, as_mapping, as_new_object, part, text
from nodepools.conversion.unconverted import HIDDEN, KUBELET_OF_AUTO, NODE_CLASSES, UNUSED, ConversionOptions, Log, Target
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS


@dataclass(frozen=True, slots=True)
class Left:
    """A field that a target does not have."""

    reason: str
    instead: str | None = None
    same: tuple[object, ...] = ()
    """Values that are what the target does anyway: they are not listed."""


Fields: TypeAlias = Mapping[str, tuple[str, ...] | Left | None]
"""By the field of the `spec`: its path in the target, why there is none, or `None` for a field that has a conversion of its own."""

_IMAGES: Final = Left(
    "nodes of Auto Mode run images that AWS selects and replaces: no other image can be used", "Run what the image contained as a DaemonSet"
)
_METADATA_OPTIONS: Final = Left(
    "Auto Mode requires IMDSv2 and a hop limit of 1: pods cannot read instance metadata", "Give pods their permissions with EKS Pod Identity"
)
_TO_AUTO_MODE: Final[Fields] = {
    "role": None,
    "instanceProfile": None,
    "amiFamily": _IMAGES,
    "amiSelectorTerms": _IMAGES,
    "subnetSelectorTerms": ("subnetSelectorTerms",),
    "securityGroupSelectorTerms": ("securityGroupSelectorTerms",),
    "capacityReservationSelectorTerms": None,
    "associatePublicIPAddress": ("advancedNetworking", "associatePublicIPAddress"),
    "ipPrefixCount": Left("Auto Mode assigns IP prefixes itself"),
    "networkInterfaces": ("advancedNetworking", "networkInterfaces"),
    "connectionTracking": Left("Auto Mode has no such setting", "Nodes have EC2's default timeouts of tracked connections"),
    "placementGroupSelector": ("placementGroupSelector",),
    "blockDeviceMappings": None,
    "instanceStorePolicy": Left(
        "Auto Mode uses local disks itself: as one RAID 0 for ephemeral data if they are larger than ephemeralStorage.size",
        "Keep `ephemeralStorage.size` below the size of the local disks",
    ),
    "metadataOptions": _METADATA_OPTIONS,
    "kubelet": Left(KUBELET_OF_AUTO, UNUSED),
    "userData": Left("nodes of Auto Mode run no user data", "Run what it did as a DaemonSet, or in the image of the container"),
    "cpuOptions": Left("Auto Mode has no such setting", same=({},)),
    "enclaveOptions": Left("Auto Mode has no Nitro Enclaves", "Keep pods that need them on a node group", same=({"enabled": False},)),
    "detailedMonitoring": Left("Auto Mode has no such setting", same=(False,)),
    "context": Left("Auto Mode has no such setting"),
    "tags": None,
}
_ON_AWS_ALONE: Final = "it is a setting of AWS"
KUBELET_OF_AKS: Final = ("cpuCFSQuota", "imageGCHighThresholdPercent", "imageGCLowThresholdPercent")
"""Kubelet fields that both EC2NodeClass and AKSNodeClass have, with the same meaning."""
_TO_NAP: Final[Fields] = {
    **dict.fromkeys((name for name in _TO_AUTO_MODE if name not in ("blockDeviceMappings", "tags", "kubelet")), Left(_ON_AWS_ALONE)),
    "amiFamily": Left("images of AWS do not run on Azure", "Set `imageFamily`: the default is Ubuntu"),
    "amiSelectorTerms": Left("images of AWS do not run on Azure", "Set `imageFamily`: the default is Ubuntu"),
    "subnetSelectorTerms": Left(_ON_AWS_ALONE, "Set `vnetSubnetID` if nodes need another subnet than that of the cluster"),
    "userData": Left("nodes of node auto provisioning run no user data", "Run what it did as a DaemonSet"),
    "metadataOptions": Left("node auto provisioning has no such setting", same=()),
    "blockDeviceMappings": None,
    "kubelet": None,
    "tags": ("tags",),
}
_AUTO_MODE_TO_NAP: Final[Fields] = {
    **dict.fromkeys(
        ("role", "instanceProfile", "subnetSelectorTerms", "securityGroupSelectorTerms", "podSubnetSelectorTerms", "podSecurityGroupSelectorTerms"),
        Left(_ON_AWS_ALONE),
    ),
    **dict.fromkeys(
        ("capacityReservationSelectorTerms", "advancedNetworking", "placementGroupSelector", "certificateBundles", "snatPolicy"), Left(_ON_AWS_ALONE)
    ),
    **dict.fromkeys(("networkPolicy", "networkPolicyEventLogs"), Left("it is a setting of the cluster in AKS", "Set it there")),
    "ephemeralStorage": None,
    "advancedSecurity": Left("fipsMode requires a matching image family", "Set `fipsMode: FIPS` and an image family", same=({"fips": False},)),
    "tags": ("tags",),
}
_OF_AZURE: Final = Left("it is a setting of Azure")
_AKS_TO_AUTO_MODE: Final[Fields] = {
    **dict.fromkeys(("fipsMode", "vnetSubnetID", "gpu", "localDNS", "artifactStreaming", "linuxOSConfig", "security"), _OF_AZURE),
    **dict.fromkeys(("imageFamily", "imageVersion"), Left("nodes of Auto Mode run images that AWS selects and replaces")),
    **dict.fromkeys(("kubelet", "maxPods"), Left(KUBELET_OF_AUTO)),
    "osDiskSizeGB": None,
    "tags": None,
}
FIELDS: Final[Mapping[tuple[str, Target], Fields]] = {
    (EC2_NODE_CLASS.group, Target.AUTO_MODE): _TO_AUTO_MODE,
    (EC2_NODE_CLASS.group, Target.NAP): _TO_NAP,
    (EKS_NODE_CLASS.group, Target.NAP): _AUTO_MODE_TO_NAP,
    (AKS_NODE_CLASS.group, Target.AUTO_MODE): _AKS_TO_AUTO_MODE,
}


_VERSIONS: Final[Mapping[str, tuple[str, ...]]] = {EC2_NODE_CLASS.group: ("v1beta1", "v1"), AKS_NODE_CLASS.group: ("v1alpha2", "v1beta1")}
"""Versions that are converted; for other groups, the one that clusters serve."""
_HOPS: Final = "httpPutResponseHopLimit"
_METADATA: Final[Object] = {"httpEndpoint": "enabled", "httpProtocolIPv6": "disabled", _HOPS: 1, "httpTokens": "required"}
"""The metadata options of nodes of Auto Mode."""
_ROLE: Final = (
    "nodes of Auto Mode need an access entry of type EC2, and a role has one entry only: that of nodes of Karpenter is EC2_LINUX, if they have one",
    "Create a role for Auto Mode with AmazonEKSWorkerNodeMinimalPolicy and AmazonEC2ContainerRegistryPullOnly, and give its name with `--role`",
)
_RESTRICTED_TAGS: Final = ("kubernetes.io/cluster", "karpenter.sh/", "eks.amazonaws.com/nodeclass", "eks:eks-cluster-name", "karpenter.k8s.aws/")
_PODS: Final = (10, 250)
_FREE: Final = ("userData", "context")
"""Fields with text of any kind, which often contains credentials."""
"""The range of `maxPods` of an AKSNodeClass."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A node class that is converted."""

    old: Object
    """Its `spec`."""
    wanted: ConversionOptions
    log: Log


_Convert: TypeAlias = Callable[[object, Object, _Case], None]


def is_node_class(raw: Mapping[str, object]) -> bool:
    """It is a node class in a version that is converted."""
    group, _, version = text(raw.get("apiVersion")).partition("/")
    kind = NODE_CLASSES.get(group)
    return kind is not None and raw.get("kind") == kind.kind and version in _VERSIONS.get(group, (kind.version,))


def convert_node_class(raw: Mapping[str, object], labels: Labels, log: Log) -> Object:
    """Returns the node class for the target; of the same kind, only its version changes."""
    wanted, made = labels.wanted, deepcopy(dict(raw))
    group, _, version = text(raw.get("apiVersion")).partition("/")
    kind = wanted.target.node_class
    if group == kind.group:
        return _newest(made, version, wanted.target, log)
    made["apiVersion"], made["kind"] = kind.api_version, kind.kind
    as_new_object(made, labels.classes)
    old, new = part(raw, "spec"), _required(part(raw, "spec"), wanted, log)
    for name, value in old.items():
        row = FIELDS[group, wanted.target].get(name, Left(f"{kind.kind} has no such field"))
        if isinstance(row, Left):
            _left(name, value, row, log)
        elif row is not None:
            _put(new, row, deepcopy(value))
        else:
            _OWN[name](value, new, _Case(old, wanted, log))
    if group == EC2_NODE_CLASS.group and version == "v1beta1" and wanted.target is Target.AUTO_MODE and "metadataOptions" not in old:
        reason = "the default of v1beta1 was a hop limit of 2, and Auto Mode has 1: pods cannot read instance metadata"
        log.changed(("spec", "metadataOptions"), None, reason, "Give pods their permissions with EKS Pod Identity")
    if isinstance(raw.get("spec"), dict):
        made["spec"] = new
    return made


def _newest(made: Object, version: str, target: Target, log: Log) -> Object:
    """Returns the class of the target in the version that clusters serve."""
    if version != target.node_class.version:
        made["apiVersion"] = target.node_class.api_version
        image = part(made, "spec").pop("imageVersion", None)
        if image is not None:
            log.removed(("spec", "imageVersion"), image, "AKS selects the version of node images", "Set a maintenance window for node images")
    return made


def _required(old: Object, wanted: ConversionOptions, log: Log) -> Object:
    """The role that is given, and what a NodeClass needs that the input does not have."""
    new: Object = {}
    if wanted.target is not Target.AUTO_MODE:
        return new
    if wanted.role is not None:
        new["role"] = wanted.role
    elif not ("role" in old or text(old.get("instanceProfile")).startswith("eks")):
        log.missing(("spec", "role"), "a NodeClass requires a role, or an instance profile whose name starts with `eks`", "Give a role with `--role`")
    for name in ("subnetSelectorTerms", "securityGroupSelectorTerms"):
        if name not in old:
            log.missing(("spec", name), "a NodeClass requires it", "Select by the tags of your subnets and security groups")
    return new


def _put(new: Object, path: tuple[str, ...], value: object) -> None:
    *above, last = path
    for name in above:
        new = as_mapping(new.setdefault(name, {}))
    new[last] = value


def _left(name: str, value: object, row: Left, log: Log) -> None:
    if value in row.same:
        return
    if name == "metadataOptions" and row.instead is not None and {**_METADATA, **as_mapping(value)} == _METADATA:
        return
    log.removed(("spec", name), HIDDEN if name in _FREE else value, row.reason, row.instead)


def _role(value: object, new: Object, case: _Case) -> None:
    if case.wanted.role is None:
        new["role"] = value
        case.log.kept(("spec", "role"), value, *_ROLE)
    elif value != case.wanted.role:
        case.log.changed(("spec", "role"), value, "it is the role of `--role`")


def _instance_profile(value: object, new: Object, case: _Case) -> None:
    if text(value).startswith("eks") and case.wanted.role is None:
        new["instanceProfile"] = value
    else:
        case.log.removed(
            ("spec", "instanceProfile"), value, "Auto Mode takes instance profiles whose names start with `eks`", "Give a role with `--role`"
        )


def _reservations(value: object, new: Object, case: _Case) -> None:
    new["capacityReservationSelectorTerms"] = [
        {"owner" if name == "ownerID" else name: one for name, one in as_mapping(term).items() if name != "instanceMatchCriteria"}
        for term in as_list(value)
    ]
    for index, term in enumerate(as_list(value)):
        at = ("spec", "capacityReservationSelectorTerms", index, "instanceMatchCriteria")
        if "instanceMatchCriteria" in as_mapping(term):
            case.log.removed(at, as_mapping(term)[at[-1]], "NodeClass has no such field", "Select the reservations by id or tags")
    reason = "as soon as one NodeClass selects reservations, Auto Mode uses no open reservation for any other NodeClass of the cluster"
    case.log.changed(("spec", "capacityReservationSelectorTerms"), value, reason)


def _devices(value: object, new: Object, case: _Case) -> None:
    at = ("spec", "blockDeviceMappings")
    index = root_volume(as_list(value), is_bottlerocket=_is_bottlerocket(case.old))
    for number, device in enumerate(as_list(value)):
        if number != index:
            case.log.removed((*at, number), device, f"nodes of {case.wanted.target.title} have one volume for data", "Use a PersistentVolumeClaim")
    if index is None:
        return
    ebs = part(as_list(value)[index], "ebs")
    if case.wanted.target is Target.NAP:
        _disk(ebs.get("volumeSize"), (*at, index, "ebs", "volumeSize"), new, case.log)
        for name in ebs.keys() - {"volumeSize"}:
            case.log.removed((*at, index, "ebs", name), ebs[name], "Azure disks have other settings")
        return
    storage = ephemeral_storage(ebs, (*at, index, "ebs"), case.log)
    if storage:
        new["ephemeralStorage"] = storage


def _is_bottlerocket(old: Object) -> bool:
    aliases = [text(as_mapping(term).get("alias")).lower() for term in as_list(old.get("amiSelectorTerms"))]
    return text(old.get("amiFamily")) == "Bottlerocket" or any(alias.startswith("bottlerocket") for alias in aliases)


def _disk(size: object, at: tuple[str | int, ...], new: Object, log: Log) -> None:
    gib = disk_size_gib(size)
    if gib is not None:
        new["osDiskSizeGB"] = gib
    elif size is not None:
        log.removed(at, size, "osDiskSizeGB is a whole number from 30 to 2048", "Set it to the nearest size")


def _ephemeral(value: object, new: Object, case: _Case) -> None:
    """The disk of a NodeClass of Auto Mode, for an AKSNodeClass."""
    at = ("spec", "ephemeralStorage")
    _disk(as_mapping(value).get("size"), (*at, "size"), new, case.log)
    for name in as_mapping(value).keys() - {"size"}:
        case.log.removed((*at, name), as_mapping(value)[name], "Azure disks have other settings")


def _os_disk(value: object, new: Object, _: _Case) -> None:
    """The disk of an AKSNodeClass, for a NodeClass of Auto Mode."""
    new["ephemeralStorage"] = {"size": f"{value}Gi"}


def _kubelet(value: object, new: Object, case: _Case) -> None:
    """The kubelet fields that an AKSNodeClass has, too."""
    kubelet = {name: one for name, one in as_mapping(value).items() if name in KUBELET_OF_AKS}
    if kubelet:
        new["kubelet"] = kubelet
    for name, one in as_mapping(value).items():
        is_in_range = isinstance(one, int) and _PODS[0] <= one <= _PODS[1]
        if name == "maxPods" and is_in_range:
            new["maxPods"] = one
        elif name not in kubelet:
            case.log.removed(("spec", "kubelet", name), one, "AKSNodeClass has no such setting")


def _tags(value: object, new: Object, case: _Case) -> None:
    tags = {key: one for key, one in as_mapping(value).items() if not key.startswith(_RESTRICTED_TAGS)}
    for key in as_mapping(value).keys() - tags.keys():
        case.log.removed(("spec", "tags", key), as_mapping(value)[key], "Auto Mode sets or rejects this tag itself")
    if tags:
        new["tags"] = tags
        reason = "without permissions for these tags, Auto Mode launches no node, and NodeClass and NodePool are Ready all the same"
        case.log.kept(("spec", "tags"), tags, reason, "Attach the policy for custom tags to the role of the cluster (EKS user guide, auto-learn-iam)")


_OWN: Final[Mapping[str, _Convert]] = {
    "role": _role,
    "instanceProfile": _instance_profile,
    "capacityReservationSelectorTerms": _reservations,
    "blockDeviceMappings": _devices,
    "ephemeralStorage": _ephemeral,
    "osDiskSizeGB": _os_disk,
    "kubelet": _kubelet,
    "tags": _tags,
}
"""The fields that have a conversion of their own."""


_DATA_VOLUME: Final = "/dev/xvdb"
"""The device with the data of pods on nodes of Bottlerocket; `/dev/xvda` is its operating system."""
_SIZE: Final = re.compile(r"([1-9][0-9]*)(Gi|G|Ti|T)")
_UNITS: Final = {"Gi": 2**30, "G": 10**9, "Ti": 2**40, "T": 10**12}
_MOST: Final = 59000 * 2**30
_RANGES: Final = {"iops": (3000, 16000), "throughput": (125, 1000)}
"""EKS user guide, create-node-class; CRD of Auto Mode (2024-12)."""
_USUAL_VOLUME: Final[Object] = {"encrypted": True, "deleteOnTermination": True, "volumeType": "gp3"}
"""What volumes of nodes of Auto Mode are."""
_VOLUME_REASONS: Final = {
    "encrypted": "Auto Mode encrypts the volumes of its nodes",
    "deleteOnTermination": "Auto Mode deletes the volumes with the node",
    "volumeType": "volumes of nodes of Auto Mode are of type gp3",
    "snapshotID": "nodes of Auto Mode start from the image of AWS",
    "volumeInitializationRate": "nodes of Auto Mode start from the image of AWS",
}
_DISK_OF_AZURE: Final = (30, 2048)


def root_volume(devices: list[object], *, is_bottlerocket: bool) -> int | None:
    """The index of the device with the data of pods: the marked one, that of Bottlerocket for data, otherwise the first; `None` without devices."""
    marked = [index for index, device in enumerate(devices) if as_mapping(device).get("rootVolume") is True]
    data = [index for index, device in enumerate(devices) if is_bottlerocket and as_mapping(device).get("deviceName") == _DATA_VOLUME]
    volumes = [index for index, device in enumerate(devices) if part(device, "ebs")]
    return next(iter([*marked, *data, *volumes]), None)


def ephemeral_storage(ebs: Object, at: Steps, log: Log) -> Object:
    """Returns `ephemeralStorage` of a NodeClass."""
    storage: Object = {}
    size = ebs.get("volumeSize")
    if size is not None and _bytes(size) is None:
        log.removed((*at, "volumeSize"), size, "ephemeralStorage.size is a whole number of Gi, G, Ti or T, up to 59000Gi", "The default is 80Gi")
    elif size is not None:
        storage["size"] = size
    for name, (least, most) in _RANGES.items():
        value = ebs.get(name)
        if isinstance(value, int) and least <= value <= most:
            storage[name] = value
        elif value is not None:
            log.removed((*at, name), value, f"it must be from {least:,} to {most:,}", f"The default is {least:,}")
    if "kmsKeyID" in ebs:
        storage["kmsKeyID"] = ebs["kmsKeyID"]
    for name, reason in _VOLUME_REASONS.items():
        if name in ebs and ebs[name] != _USUAL_VOLUME.get(name):
            log.removed((*at, name), ebs[name], reason)
    return storage


def disk_size_gib(size: object) -> int | None:
    """`osDiskSizeGB`, which is in GiB; `None` for a size that it cannot have."""
    amount = _bytes(size)
    if amount is None or amount % _UNITS["Gi"]:
        return None
    gib = amount // _UNITS["Gi"]
    return gib if _DISK_OF_AZURE[0] <= gib <= _DISK_OF_AZURE[1] else None


def _bytes(size: object) -> int | None:
    """The size in bytes; `None` for a size that a NodeClass cannot have."""
    found = _SIZE.fullmatch(text(size))
    if found is None:
        return None
    amount = int(found[1]) * _UNITS[found[2]]
    return amount if amount <= _MOST else None

"""Volumes and tags of an EC2NodeClass of self-managed Karpenter. Source: CRD of karpenter-provider-aws 1.15."""

import re
from collections.abc import Iterator
from math import ceil
from typing import Final

from nodepools.data.limits import AWS_TAGS, EBS_PAGE, EBS_VOLUMES
from nodepools.model.eks.ec2_node_class import BlockDevice, EbsVolume, Ec2NodeClass
from nodepools.model.kubernetes.quantity import amount
from nodepools.rules.eks.node_classes import of_volume
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import remove, set_to
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import ec2_class

_CRD: Final = "EC2NodeClass CRD of karpenter-provider-aws 1.15"
_ENCRYPTED: Final = "https://docs.aws.amazon.com/eks/latest/best-practices/data-encryption-and-secrets-management.html: encryption at rest"
_GIBIBYTE: Final = 1024**3
_TAGS_OF_KARPENTER: Final = (
    *(
        "Name",
        "eks:eks-cluster-name",
        "karpenter.k8s.aws/ec2nodeclass",
        "karpenter.sh/nodeclaim",
        "karpenter.sh/nodepool",
        "kubernetes.io/cluster/NAME",
    ),
)
"""Tags that Karpenter sets on each node. Source: karpenter-provider-aws 1.15, pkg/providers/instance."""
_SIZE: Final = re.compile(r"([1-9][0-9]*)(Gi|G|Ti|T)")
_GAP: Final = re.compile(r"[1-4][89]Ti")
_LARGEST: Final = {"Gi": 59000, "G": 64000, "Ti": 58, "T": 64}
"""Largest size by unit."""


def _volume(**fields: object) -> Ec2NodeClass:
    return ec2_class(block_devices=[{"device_name": "/dev/xvda", "ebs": {"encrypted": True, **fields}}])


@rule(
    "SMK020", Severity.ERROR, source=f"{_CRD}: snapshotID or volumeSize must be defined", sample=Sample("block_devices[0].ebs.volume_size", _volume)
)
def volume_without_size(volume: EbsVolume) -> Iterator[PartFinding]:
    """A volume has a size or a snapshot."""
    if volume.volume_size is None and volume.snapshot_id is None:
        yield finding(volume, f"{ref('volume_size')} or {ref('snapshot_id')} is required", path="volume_size", fix=f"Set {ref('volume_size')}")


@rule(
    "SMK021",
    Severity.ERROR,
    source=f"{_CRD}: the pattern of volumeSize; sizes of EBS: 1 GiB to 64 TiB",
    sample=Sample("block_devices[0].ebs.volume_size", lambda: _volume(volume_size="100Mi")),
)
def invalid_volume_size(volume: EbsVolume) -> Iterator[PartFinding]:
    """The size of a volume is a whole number of Gi, G, Ti or T."""
    if volume.volume_size is None:
        return
    size = _SIZE.fullmatch(str(volume.volume_size))
    if size is not None and _GAP.fullmatch(size[0]):
        message = f"The pattern of the CRD rejects the size `{volume.volume_size}`"
        yield finding(volume, message, path="volume_size", fix=set_to("volume_size", f"{int(size[1]) * 1024}Gi"))
    elif size is None or int(size[1]) > _LARGEST[size[2]]:
        message = f"`{volume.volume_size}` is not a volume size: it must be a whole number of Gi (up to 59000), G, Ti or T"
        yield finding(volume, message, path="volume_size", fix="Use a size such as `100Gi`")


@rule(
    "SMK022",
    Severity.ERROR,
    source=f"{_CRD}: snapshotID must be set when volumeInitializationRate is set",
    sample=Sample("block_devices[0].ebs.volume_initialization_rate", lambda: _volume(volume_size="100Gi", volume_initialization_rate=200)),
)
def initialization_without_snapshot(volume: EbsVolume) -> Iterator[PartFinding]:
    """Only the data of a snapshot is loaded into a volume."""
    if volume.volume_initialization_rate is not None and not volume.snapshot_id:
        message = f"{ref('volume_initialization_rate')} requires {ref('snapshot_id')}"
        yield finding(volume, message, path="volume_initialization_rate", fix=remove("volume_initialization_rate"))


@rule(
    "SMK023",
    Severity.ERROR,
    source=f"{_CRD}: must have only one blockDeviceMappings with rootVolume",
    sample=Sample(
        "block_devices[1].root_volume",
        lambda: ec2_class(
            block_devices=[{"device_name": name, "root_volume": True, "ebs": {"volume_size": "9Gi", "encrypted": True}} for name in ("/a", "/b")]
        ),
    ),
)
def several_root_volumes(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """At most one volume is the root volume."""
    roots = [index for index, device in enumerate(node_class.block_devices) if device.root_volume]
    for index in roots[1:]:
        at = ("block_devices", index, "root_volume")
        yield finding(node_class, "Only one volume can be the root volume", path=at, fix=remove(at))


@rule(
    "SMK043",
    Severity.ERROR,
    source=f"{EBS_PAGE} (2026-11)",
    sample=Sample("block_devices[0].ebs.iops", lambda: _volume(volume_size="20Gi", volume_type="gp3", iops=16000)),
)
def volume_that_ebs_rejects(volume: EbsVolume) -> Iterator[PartFinding]:
    """Each type of EBS volume has its own sizes, IOPS and throughput; IOPS depend on the size, and throughput on the IOPS."""
    limits = EBS_VOLUMES.get(volume.volume_type) if volume.volume_type is not None else None
    size = _SIZE.fullmatch(str(volume.volume_size)) if volume.volume_size is not None else None
    if limits is None or (volume.volume_size is not None and size is None):  # EC2 chooses the type, or SMK021 reports the size
        return
    fields = {"size": "volume_size", "iops": "iops", "throughput": "throughput"}
    in_gib = ceil(amount(str(volume.volume_size)) / _GIBIBYTE) if size is not None else None
    for violation in limits.violations(in_gib, volume.iops, volume.throughput):
        field = fields[violation.field]
        fix = f"Set {ref(field)} to {literal(f'{violation.value}Gi')}, or use another type" if field == "volume_size" else of_volume(violation, field)
        yield finding(volume, violation.message, path=field, fix=fix)
    if volume.iops is None and volume.volume_type in ("io1", "io2"):
        message = f"EBS requires IOPS for a volume of type `{volume.volume_type}`"
        yield finding(volume, message, path="iops", fix=f"Set {ref('iops')}, or use the type {literal('gp3')}")


@rule("SMK044", Severity.ERROR, source=AWS_TAGS.source, sample=Sample("tags.team", lambda: ec2_class(tags={"team": "x" * 257})))
def invalid_node_tag(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """AWS accepts 50 tags on a resource, with keys of up to 128 and values of up to 256 characters; Karpenter adds 6."""
    for violation in AWS_TAGS.violations(node_class.tags, dict.fromkeys(_TAGS_OF_KARPENTER, "")):
        at = ("tags", violation.key) if violation.key is not None else "tags"
        if violation.key == "":  # SMK019
            continue
        yield finding(node_class, violation.message, path=at, value=violation.key, fix=violation.fix)
    for key in node_class.tags:
        if AWS_TAGS.reserved_prefix(key) is not None:
            message = f"AWS rejects the tag `{key}`: the prefix `aws:` is reserved"
            yield finding(node_class, message, path=("tags", key), value=key, fix="Use another prefix")


@rule(
    "SMK031",
    Severity.WARNING,
    source=_ENCRYPTED,
    sample=Sample("block_devices[0].ebs.encrypted", lambda: ec2_class(block_devices=[{"device_name": "/dev/xvda", "ebs": {"volume_size": "100Gi"}}])),
)
def volume_not_encrypted(device: BlockDevice) -> Iterator[PartFinding]:
    """Volumes that Karpenter adds by default are encrypted; a declared one is only if it says so, or if the account encrypts all volumes."""
    volume = device.ebs
    if volume is not None and not volume.encrypted and volume.snapshot_id is None:
        message = f"The volume {f'`{device.device_name}` ' if device.device_name else ''}is not encrypted, unless the account encrypts all volumes"
        yield finding(volume, message, path="encrypted", fix=set_to("encrypted", True))

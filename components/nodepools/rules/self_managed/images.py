"""Images, volumes and tags of an EC2NodeClass of self-managed Karpenter. Source: CRD of karpenter-provider-aws 1.15."""

import re
from collections.abc import Iterator, Sequence
from math import ceil
from tomllib import TOMLDecodeError, loads
from typing import Final

from nodepools.data.limits import AWS_TAGS, EBS_PAGE, EBS_VOLUMES
from nodepools.model.eks.ec2_node_class import AMI_FAMILIES, AmiTerm, BlockDevice, EbsVolume, Ec2NodeClass, SecurityGroupTerm, SubnetTerm
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.listing import nearest
from nodepools.model.ref import revealed
from nodepools.model.steps import Steps
from nodepools.rules.eks.node_class_fields import GAP, KMS_KEY
from nodepools.rules.eks.node_classes import is_aws_id, of_volume
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, literal, ref, remove, set_to
from nodepools.rules.engine.registry import error, finding, sample, warning
from nodepools.rules.engine.samples import ec2_class
from nodepools.rules.self_managed.node_classes import OWN_TAGS, VOLUME_SIZE

_CRD: Final = "EC2NodeClass CRD of karpenter-provider-aws 1.15"
_ENCRYPTED: Final = "https://docs.aws.amazon.com/eks/latest/best-practices/data-encryption-and-secrets-management.html: encryption at rest"
_GIBIBYTE: Final = 1024**3
_TAGS_OF_KARPENTER: Final = ("Name", "kubernetes.io/cluster/NAME", *OWN_TAGS)
"""Tags that Karpenter sets on each node. Source: karpenter-provider-aws 1.15, pkg/providers/instance."""
_LARGEST: Final = {"Gi": 59000, "G": 64000, "Ti": 58, "T": 64}
"""Largest size by unit."""


def _volume(**fields: object) -> Ec2NodeClass:
    return ec2_class(block_devices=[{"device_name": "/dev/xvda", "ebs": {"encrypted": True, **fields}}])


@error("SMK020", f"{_CRD}: snapshotID or volumeSize must be defined")
@sample("block_devices[0].ebs.volume_size", _volume)
def volume_without_size(volume: EbsVolume) -> Iterator[PartFinding]:
    """A volume has a size or a snapshot."""
    if volume.volume_size is None and volume.snapshot_id is None:
        yield finding(volume, f"{ref('volume_size')} or {ref('snapshot_id')} is required", path="volume_size", fix=f"Set {ref('volume_size')}")


@error("SMK021", f"{_CRD}: the pattern of volumeSize; sizes of EBS: 1 GiB to 64 TiB")
@sample("block_devices[0].ebs.volume_size", lambda: _volume(volume_size="100Mi"))
def invalid_volume_size(volume: EbsVolume) -> Iterator[PartFinding]:
    """The size of a volume is a whole number of Gi, G, Ti or T."""
    if volume.volume_size is None:
        return
    size = VOLUME_SIZE.fullmatch(str(volume.volume_size))
    if size is not None and GAP.fullmatch(size[0]):
        message = f"The pattern of the CRD rejects the size `{volume.volume_size}`"
        yield finding(volume, message, path="volume_size", fix=set_to("volume_size", f"{int(size[1]) * 1024}Gi"))
    elif size is None or int(size[1]) > _LARGEST[size[2]]:
        message = f"`{volume.volume_size}` is not a volume size: it must be a whole number of Gi (up to 59000), G, Ti or T"
        yield finding(volume, message, path="volume_size", fix="Use a size such as `100Gi`")


@error("SMK022", f"{_CRD}: snapshotID must be set when volumeInitializationRate is set")
@sample("block_devices[0].ebs.volume_initialization_rate", lambda: _volume(volume_size="100Gi", volume_initialization_rate=200))
def initialization_without_snapshot(volume: EbsVolume) -> Iterator[PartFinding]:
    """Only the data of a snapshot is loaded into a volume."""
    if volume.volume_initialization_rate is not None and not volume.snapshot_id:
        message = f"{ref('volume_initialization_rate')} requires {ref('snapshot_id')}"
        yield finding(volume, message, path="volume_initialization_rate", fix=remove("volume_initialization_rate"))


@error("SMK023", f"{_CRD}: must have only one blockDeviceMappings with rootVolume")
@sample(
    "block_devices[1].root_volume",
    lambda: ec2_class(
        block_devices=[{"device_name": name, "root_volume": True, "ebs": {"volume_size": "9Gi", "encrypted": True}} for name in ("/a", "/b")]
    ),
)
def several_root_volumes(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """At most one volume is the root volume."""
    roots = [index for index, device in enumerate(node_class.block_devices) if device.root_volume]
    for index in roots[1:]:
        at = ("block_devices", index, "root_volume")
        yield finding(node_class, "Only one volume can be the root volume", path=at, fix=remove(at))


@error("SMK043", f"{EBS_PAGE} (2026-11)")
@sample("block_devices[0].ebs.iops", lambda: _volume(volume_size="20Gi", volume_type="gp3", iops=16000))
def volume_that_ebs_rejects(volume: EbsVolume) -> Iterator[PartFinding]:
    """Each type of EBS volume has its own sizes, IOPS and throughput; IOPS depend on the size, and throughput on the IOPS."""
    limits, in_gib = EBS_VOLUMES.get(volume.volume_type or ""), _gib(volume)
    if limits is None or (volume.volume_size is not None and in_gib is None):  # EC2 chooses the type, or SMK021 reports the size
        return
    fields = {"size": "volume_size", "iops": "iops", "throughput": "throughput"}
    for violation in limits.violations(in_gib, volume.iops, volume.throughput):
        field = fields[violation.field]
        fix = f"Set {ref(field)} to {literal(f'{violation.value}Gi')}, or use another type" if field == "volume_size" else of_volume(violation, field)
        yield finding(volume, violation.message, path=field, fix=fix)


def _gib(volume: EbsVolume) -> int | None:
    return ceil(amount(str(volume.volume_size)) / _GIBIBYTE) if VOLUME_SIZE.fullmatch(str(volume.volume_size)) else None


_ROOTS: Final = {"al2": "/dev/xvda", "al2023": "/dev/xvda", "bottlerocket": "/dev/xvda"}
"""The root device of the images of an alias. Source: karpenter-provider-aws 1.15, pkg/providers/amifamily."""
_LEAST_ROOT: Final = {"al2023": 20, "bottlerocket": 2}
"""GiB of the snapshot in images. Source: https://github.com/awslabs/amazon-eks-ami/pull/1581 (2024-01), cilium#43051 (2025-12); Bottlerocket."""
_MOST_USER_DATA, _MOST_GROUPS = 16 * 1024, 16
"""Limits of EC2 (2026-11), user-data.html and amazon-vpc-limits.html: bytes before base64, and groups of an interface whatever the quota."""
_CHECKED: Final = re.compile(r"[\w+=,.@-]{1,128}", re.ASCII)
_STARTS: Final = {"subnets": "subnet-", "security_groups": "sg-", "ami_terms": "ami-"}


def _wrong_ids(node_class: Ec2NodeClass, field: str) -> tuple[list[tuple[Steps, str | None, str]], int]:
    """The IDs of a list of terms that EC2 cannot have, and the number of terms."""
    terms: Sequence[SubnetTerm | SecurityGroupTerm | AmiTerm] = getattr(node_class, field)
    start, ids = _STARTS[field], [(index, term.id) for index, term in enumerate(terms)]
    return [((field, index, "id"), value, start) for index, value in ids if value is not None and not is_aws_id(value, start)], len(terms)


@warning("SMK055", "karpenter-provider-aws 1.15: filters subnet-id, group-id and image-id; a resource is selected if one of the terms matches")
@sample("subnets[1].id", lambda: ec2_class(subnets=[{"id": "subnet-0a1"}, {"id": "subnet-web"}]))
def ec2_selector_without_match(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """A term with an ID that EC2 cannot have selects nothing: only the other terms of the list decide."""
    for wrong, count in (_wrong_ids(node_class, field) for field in _STARTS):
        for at, value, start in wrong if len(wrong) < count else ():  # SMK052
            message = f"This term selects nothing, and only the others decide: `{value}` is not an ID (`{start}` and hexadecimal digits)"
            yield finding(node_class, message, path=at, value=value, fix=f"Use the ID, such as `{start}0123456789abcdef0`")


@error("SMK052", "karpenter-provider-aws 1.15: filters subnet-id, group-id and image-id; EC2, RunInstances and RootDeviceStorage (2026-11)")
@sample("ami_terms[0].id", lambda: ec2_class(ami_family="AL2023", ami_terms=[{"id": "ami-latest"}]))
def value_that_ec2_rejects(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """IDs are those of EC2, profiles are given by name, keys as KMS names them; volumes have a device each, and a root fits the image."""
    lists = [_wrong_ids(node_class, field) for field in _STARTS]
    ids: list[tuple[Steps, str | None, str]] = [one for wrong, count in lists if len(wrong) == count for one in wrong]  # else SMK055
    devices = enumerate(node_class.block_devices)
    volumes: list[tuple[Steps, EbsVolume]] = [(("block_devices", index, "ebs"), one.ebs) for index, one in devices if one.ebs is not None]
    ids += [((*at, "snapshot_id"), volume.snapshot_id, "snap-") for at, volume in volumes]
    for at, value, start in ids:
        if value is not None and not is_aws_id(value, start):
            message = f"No node is ever launched: `{value}` is not an ID (`{start}` and hexadecimal digits)"
            yield finding(node_class, message, path=at, value=value, fix=f"Use the ID, such as `{start}0123456789abcdef0`")
    if node_class.instance_profile is not None and not _CHECKED.fullmatch(node_class.instance_profile):
        message = f"No node is ever launched: `{node_class.instance_profile}` is not the name of an instance profile"
        name = node_class.instance_profile.rpartition("/")[2]
        fix = set_to("instance_profile", name) if _CHECKED.fullmatch(name) else "Use its name"
        yield finding(node_class, message, path="instance_profile", fix=fix)
    for at, volume in volumes:
        if volume.kms_key_id is not None and not KMS_KEY.fullmatch(volume.kms_key_id):
            message = f"EC2 rejects `{volume.kms_key_id}`: it is not the ID, the ARN or an alias of a KMS key"
            yield finding(node_class, message, path=(*at, "kms_key_id"), fix="Use the ID or an alias of the key, such as `alias/nodes`")
        if volume.kms_key_id is not None and not volume.encrypted and volume.snapshot_id is None:
            message = f"No node is ever launched: EC2 rejects a KMS key without {ref((*at, 'encrypted'))}"
            yield finding(node_class, message, path=(*at, "encrypted"), fix=set_to((*at, "encrypted"), True))
        yield from _rejected_root(node_class, at, volume)
    groups = {term.id for term in node_class.security_groups} - {None}
    if len(groups) > _MOST_GROUPS:
        message = f"No node is ever launched: EC2 accepts at most {_MOST_GROUPS} security groups of an interface, and these are {len(groups)}"
        yield finding(node_class, message, path="security_groups", value=None, fix="Join their rules in fewer groups")
    yield from _rejected_devices(node_class)


def _rejected_devices(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    names = [one.device_name for one in node_class.block_devices]
    is_searched = node_class.image_family != "Custom" and not any(one.root_volume for one in node_class.block_devices)
    for index, one in enumerate(node_class.block_devices):
        at = ("block_devices", index, "ebs" if one.ebs is None else "device_name")
        if one.ebs is None or (one.device_name is None and is_searched and index == 0):
            yield finding(node_class, f"No node is ever launched: Karpenter cannot read a device without {ref(at)}", path=at, fix=f"Set {ref(at)}")
        elif one.device_name is not None and one.device_name in names[:index]:
            yield finding(node_class, f"EC2 rejects the device `{one.device_name}` of two volumes", path=at, fix="Use another device")


def _rejected_root(node_class: Ec2NodeClass, at: Steps, volume: EbsVolume) -> Iterator[PartFinding]:
    family = node_class.alias_family or ""
    if node_class.block_devices[int(at[1])].device_name != _ROOTS.get(family, ""):
        return
    if volume.volume_type in ("st1", "sc1"):
        message = f"No node is ever launched: a root volume cannot be of type `{volume.volume_type}`"
        yield finding(node_class, message, path=(*at, "volume_type"), fix=set_to((*at, "volume_type"), "gp3"))
    size, least = _gib(volume), _LEAST_ROOT.get(family, 0)
    if size is not None and size < least:
        message = f"No node is ever launched: images of `{family}` have a snapshot of {least} GiB, and the root volume has {size}"
        yield finding(node_class, message, path=(*at, "volume_size"), fix=set_to((*at, "volume_size"), f"{least}Gi"))


@error("SMK053", "karpenter-provider-aws 1.15, pkg/providers/amifamily/bootstrap/bottlerocket.go: invalid UserData")
@sample("user_data", lambda: ec2_class(ami_terms=[{"alias": "bottlerocket@v1.50.0"}], user_data="#!/bin/bash\nset -e"))
def user_data_that_nodes_cannot_use(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """User data of Bottlerocket are settings in TOML; nodes of all images of AWS read theirs from the metadata service."""
    data, at = revealed(node_class.user_data), ("metadata_options", "http_endpoint")
    if node_class.metadata_options.http_endpoint == "disabled" and any(term.alias for term in node_class.ami_terms):
        message = "No node ever joins the cluster: it reads its user data from the metadata service, which is off"
        yield finding(node_class, message, path=at, fix=set_to(at, "enabled"))
    if isinstance(data, str) and len(data.encode()) > _MOST_USER_DATA:
        message = f"No node is ever launched: EC2 rejects {len(data.encode()):,} bytes of user data, more than {_MOST_USER_DATA:,}"
        yield finding(node_class, message, path="user_data", value=None, fix="Shorten it: let it load a script")
    if node_class.image_family == "Bottlerocket" and isinstance(data, str):
        try:
            loads(data)
        except TOMLDecodeError:
            message = "No node is ever launched: user data of Bottlerocket must be TOML"
            yield finding(node_class, message, path="user_data", value=None, fix="Write settings, such as `[settings.kubernetes]`, not a script")


@error("SMK044", AWS_TAGS.source)
@sample("tags.team", lambda: ec2_class(tags={"team": "x" * 257}))
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


@warning("SMK031", _ENCRYPTED)
@sample("block_devices[0].ebs.encrypted", lambda: ec2_class(block_devices=[{"device_name": "/dev/xvda", "ebs": {"volume_size": "100Gi"}}]))
def volume_not_encrypted(device: BlockDevice) -> Iterator[PartFinding]:
    """Volumes that Karpenter adds by default are encrypted; a declared one is only if it says so, or if the account encrypts all volumes."""
    volume = device.ebs
    if volume is not None and not volume.encrypted and volume.snapshot_id is None and volume.kms_key_id is None:  # else SMK052
        message = f"The volume {f'`{device.device_name}` ' if device.device_name else ''}is not encrypted, unless the account encrypts all volumes"
        yield finding(volume, message, path="encrypted", fix=set_to("encrypted", True))


_PINNING: Final = "https://karpenter.sh/docs/tasks/managing-amis/"
_AL2: Final = "https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html: no AMIs of Amazon Linux 2 since 2025-11-26"
_ALIAS: Final = re.compile(r"[a-zA-Z0-9]+@.+")
_DAY_OF_IMAGE: Final = re.compile("v[0-9]{8}")
_SELECTING: Final = ("alias", "id", "name", "ssm_parameter", "tags")
_WITH_AN_ID: Final = ("name", "owner", "tags")
"""Fields that exclude an id and an alias. An SSM parameter next to one of them is accepted."""


@error("SMK001", f"{_CRD}: amiFamily without an alias")
@sample("ami_family", lambda: ec2_class(ami_terms=[{"id": "ami-0a1"}]))
def missing_ami_family(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Images that are not selected by an alias need an AMI family, which decides their user data."""
    if node_class.ami_family is None and node_class.alias_family is None:
        fix = f"Set {ref('ami_family')} to {literal('AL2023')}, or to the family of the images"
        yield finding(node_class, f"{ref('ami_family')} is required, because no alias names the family of the images", path="ami_family", fix=fix)


@error("SMK002", f"{_CRD}: amiFamily must be that of the alias, or Custom")
@sample("ami_family", lambda: ec2_class(ami_family="Bottlerocket"))
def ami_family_contradicts_alias(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """With an alias, the AMI family is that of the alias or `Custom`."""
    family = AMI_FAMILIES.get(node_class.alias_family or "")
    if family is not None and node_class.ami_family not in (None, family, "Custom"):
        message = f"{ref('ami_family')} (`{node_class.ami_family}`) contradicts the alias, which selects images of `{family}`"
        yield finding(node_class, message, path="ami_family", fix=remove("ami_family"))


@error("SMK003", f"{_CRD}: expected at least one")
@sample("ami_terms[0]", lambda: ec2_class(ami_family="AL2023", ami_terms=[{"owner": "self"}]))
def empty_ami_term(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """A term selects images by alias, ID, name, SSM parameter or tags; the owner alone selects none."""
    for index, term in enumerate(node_class.ami_terms):
        if not any(getattr(term, field) for field in _SELECTING):
            fix = f"Set one of {', '.join(ref(('ami_terms', index, field)) for field in _SELECTING)}"
            message = "This image term selects nothing: it has no alias, ID, name, SSM parameter or tags"
            yield finding(node_class, message, path=("ami_terms", index), fix=fix)


@error("SMK004", f"{_CRD}: id and alias are mutually exclusive with other fields")
@sample("ami_terms[0].id", lambda: ec2_class(ami_family="AL2023", ami_terms=[{"id": "ami-0a1", "owner": "self"}]))
def exclusive_ami_field(term: AmiTerm) -> Iterator[PartFinding]:
    """An ID or an alias selects an image alone: name, owner and tags cannot be added."""
    alone = "alias" if term.alias is not None else "id" if term.id is not None else None
    others = [field for field in (*_WITH_AN_ID, "id") if getattr(term, field) and field != alone]
    if alone is not None and others:
        message = f"{ref(alone)} cannot be combined with {ref(others[0])} in one image term"
        fix = Fix(f"Remove {' and '.join(map(ref, others))}", tuple(map(remove, others)))
        yield finding(term, message, path=alone, fix=fix)


@error("SMK005", f"{_CRD}: alias cannot be combined with other terms")
@sample("ami_terms", lambda: ec2_class(ami_terms=[{"alias": "al2023@v20260801"}, {"id": "ami-0a1"}]))
def alias_beside_other_terms(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """An alias is the only image term of a node class."""
    if node_class.alias_family is not None and len(node_class.ami_terms) > 1:
        message = f"An alias must be the only image term, and {len(node_class.ami_terms)} terms are set"
        yield finding(node_class, message, path="ami_terms", fix="Keep the alias alone, or select all images without an alias")


@error("SMK006", f"{_CRD}: family@version")
@sample("ami_terms[0].alias", lambda: ec2_class(ami_terms=[{"alias": "al2023"}]))
def invalid_ami_alias(term: AmiTerm) -> Iterator[PartFinding]:
    """An alias is a family and a version, such as `al2023@v20260801`; Windows has the version `latest` only."""
    if term.alias is None:
        return
    family, _, version = term.alias.partition("@")
    if not _ALIAS.fullmatch(term.alias):
        fix: FixLike = f"Use a family and a version, such as `{_pinned(family if family in AMI_FAMILIES else 'al2023')}`"
        if family in AMI_FAMILIES and family.startswith("windows"):
            fix = set_to("alias", f"{family}@latest")
        yield finding(term, f"`{term.alias}` is not an alias: it needs the form `family@version`", path="alias", fix=fix)
    elif family not in AMI_FAMILIES:
        close = nearest(family.lower(), AMI_FAMILIES)
        fix = set_to("alias", f"{close}@{version}") if close is not None else f"Use one of {', '.join(AMI_FAMILIES)}"
        yield finding(term, f"`{family}` is not a family of image aliases", path="alias", fix=fix)
    elif family in ("al2", "al2023") and version != "latest" and not _DAY_OF_IMAGE.fullmatch(version):
        message = f"No node is ever launched: versions of `{family}` have the form `v20260801`, and `{version}` has not"
        near = f"v{version}" if _DAY_OF_IMAGE.fullmatch(f"v{version}") else None
        yield finding(term, message, path="alias", fix=set_to("alias", f"{family}@{near}") if near is not None else "Use a published version")
    elif family.startswith("windows") and version != "latest":
        message = f"Aliases of Windows have the version `latest` only, not `{version}`"
        yield finding(term, message, path="alias", fix=set_to("alias", f"{family}@latest"))


@warning("SMK007", f"{_PINNING}: pin the version of AMIs in production")
@sample("ami_terms[0].alias", lambda: ec2_class(ami_terms=[{"alias": "al2023@latest"}]))
def unpinned_ami_alias(term: AmiTerm) -> Iterator[PartFinding]:
    """With the version `latest`, all nodes drift as soon as AWS publishes another image."""
    family, _, version = (term.alias or "").partition("@")
    if version == "latest" and family in AMI_FAMILIES and not family.startswith("windows") and family != "al2":  # AL2: SMK008, others: SMK006
        message = f"`{term.alias}` replaces every node as soon as AWS publishes an image, before an environment of yours has tested it"
        which = f"a version of {_BOTTLEROCKET}" if family == "bottlerocket" else f"a version, such as `{_pinned(family)}`"
        fix = f"Use {which}, and raise it in one environment after the other"
        yield finding(term, message, path="alias", fix=fix)


def _pinned(family: str) -> str:
    """An alias with a version as the family spells it; AWS publishes no images of `al2` any more."""
    return f"{family}@v1.50.0" if family == "bottlerocket" else f"{'al2023' if family == 'al2' else family}@v20260801"


_BOTTLEROCKET: Final = "the SSM parameters below `/aws/service/bottlerocket/aws-k8s-VERSION`, such as `bottlerocket@v1.50.0`"


@warning("SMK008", _AL2)
@sample("ami_terms[0].alias", lambda: ec2_class(ami_terms=[{"alias": "al2@v20251108"}]))
def retired_amazon_linux_2(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """AWS publishes no images of Amazon Linux 2 since 2025-11-26, and none for Kubernetes 1.33 or newer."""
    if node_class.alias_family == "al2" or node_class.ami_family == "AL2":
        path = "ami_family" if node_class.alias_family != "al2" else ("ami_terms", 0, "alias")
        message = "AWS publishes no images of Amazon Linux 2 since 2025-11-26: nodes get no more security updates"
        message += ", and none is launched from Kubernetes 1.33 on" if node_class.alias_family == "al2" else ""
        yield finding(node_class, message, path=path, fix="Use `al2023` or `bottlerocket`: user data of Amazon Linux 2 does not work there")

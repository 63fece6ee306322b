"""NodeClasses of EKS Auto Mode: roles, selectors, tags, and previous ones, kept until no node of them is left. Facts: docs/facts/eks.md N1."""

import re
from collections.abc import Iterator, Sequence
from math import ceil

from nodepools.data.limits import EBS_PAGE, EBS_VOLUMES, VolumeViolation
from nodepools.model.eks.cluster import StorageClass
from nodepools.model.eks.node_class import BUILT_IN_CLASS, AutoMode, EksNodeClass, SelectorTerm
from nodepools.model.kubernetes.quantity import amount
from nodepools.rules.engine.finding import Fix, FixLike, Operation, PartFinding, add, certain, literal, ref, remove, rename, set_to
from nodepools.rules.engine.registry import (
    DECLARED_FIELDS,
    GENERATIONS,
    NAMES_OF_OBJECTS,
    NAMES_OF_RESOURCES,
    Limit,
    Where,
    error,
    finding,
    limited,
    note,
    sample,
    warning,
)
from nodepools.rules.engine.samples import auto_mode, eks


@error("EKS087", "nodepools: a class is named by its role")
@limited(GENERATIONS, DECLARED_FIELDS)
@sample("previous", lambda: EksNodeClass(role="nodes", previous=EksNodeClass(role="nodes")))
def previous_node_class_is_same(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A NodeClass is replaced only to change its role, and both roles must be plain text; all other changes are made in place."""
    before = node_class.previous
    if before is None:
        return
    if _identity(before) == _identity(node_class):
        message = f"{ref('previous')} is only for a NodeClass whose role changes: both roles are the same, so the NodeClass is updated in place"
        yield finding(node_class, message, path="previous", value=None, fix=remove("previous"))
    elif not all(_is_known(identity) for identity in (before, node_class)):
        message = f"It is not known before deployment whether the role differs from that of {ref('previous')}: a role is a Pulumi output"
        yield finding(node_class, message, path="previous", value=None, fix="Set both roles to the names of IAM roles, as plain text")
    if before.previous is not None:
        message = "A NodeClass can have only one previous NodeClass: remove the oldest one first"
        fix = f"Remove {ref('previous')}, once no node of the oldest NodeClass is left"
        yield finding(before, message, path="previous", value=None, fix=fix)


@note("EKS088", "nodepools: a class is named by its role, and stays while nodes use it")
@limited(GENERATIONS, DECLARED_FIELDS)
@sample("previous", lambda: EksNodeClass(role="new", previous=EksNodeClass(role="old")))
def retiring_node_class(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A previous NodeClass is kept until its nodes are replaced, within the disruption budgets of their NodePools."""
    if node_class.previous is not None and _identity(node_class.previous) != _identity(node_class):
        message = (
            "A new role or instance profile replaces the NodeClass: "
            "the previous one stays until Karpenter has replaced its nodes, as disruption budgets allow"
        )
        yield finding(node_class, message, path="previous", value=None)


def _identity(node_class: EksNodeClass) -> tuple[object, object, bool]:
    return node_class.role, node_class.instance_profile, node_class.create_role


def _is_known(node_class: EksNodeClass) -> bool:
    return all(identity is None or isinstance(identity, str) for identity in (node_class.role, node_class.instance_profile))


_CRD = "NodeClass CRD of EKS Auto Mode (eks.amazonaws.com/v1)"
_GUIDE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html"
_ROLE_LENGTH = 64
_GIBIBYTE = 1024**3
_STORAGE = {"Gi": 59000, "G": 64000, "Ti": 58, "T": 64}
_CHECKED = ("subnets", "security_groups")
"""The lists that the published CRD checks; those of pods are newer than the CRD."""
_OWN_TAGS = frozenset(
    {"karpenter.sh/provisioner-name", "karpenter.sh/nodepool", "karpenter.sh/nodeclaim", "karpenter.sh/managed-by", "eks.amazonaws.com/nodeclass"}
)


@error("EKS020", f"{_GUIDE}: do not name a custom class default")
@limited(NAMES_OF_OBJECTS)
@sample("auto_mode.node_classes.default", lambda: auto_mode(classes={"default": EksNodeClass()}))
def built_in_node_class_name(auto: AutoMode) -> Iterator[PartFinding]:
    """EKS creates the NodeClass `default`, and reverts every edit to it."""
    if BUILT_IN_CLASS in auto.node_classes:
        name = next(
            one for number in range(1, len(auto.node_classes) + 2) if (one := f"custom-{number}" if number > 1 else "custom") not in auto.node_classes
        )
        uses = [key for key, pool in auto.node_pools.items() if pool.node_class in (None, BUILT_IN_CLASS)]
        edits = (rename(("node_classes", BUILT_IN_CLASS), name), *(set_to(("node_pools", key, "node_class"), name) for key in uses))
        fix = Fix(f"Rename the NodeClass, such as to `{name}`, also where NodePools use it", edits)
        message = f"EKS creates the NodeClass `{BUILT_IN_CLASS}` itself, and reverts every edit to it"
        yield finding(auto, message, path=("node_classes", BUILT_IN_CLASS), value=BUILT_IN_CLASS, fix=fix)


@error("EKS133", "Kubernetes: objects of one kind have different names; EKS creates the NodeClass default")
@limited(NAMES_OF_RESOURCES, DECLARED_FIELDS)
@sample("auto_mode.node_classes.api.name", lambda: auto_mode(classes={"web": EksNodeClass(name="web"), "api": EksNodeClass(name="web")}))
def duplicate_node_class_name(auto: AutoMode) -> Iterator[PartFinding]:
    """Two NodeClasses of a cluster cannot have the same name."""
    taken = {BUILT_IN_CLASS: f"that EKS creates, `{BUILT_IN_CLASS}`"} | {
        name: f"`{name}`, which another tool creates" for name in auto.existing_node_classes
    }
    for place, key, declared in auto.all_classes():
        by_key = declared.has_shared_role and place == key and key != BUILT_IN_CLASS  # other names have a hash; EKS020 reports the built-in one
        name = declared.name if declared.name is not None else key if by_key else None
        if name in taken:
            at = ("node_classes", *place.split("/"), *(("name",) if declared.name is not None else ()))
            message = f"The NodeClass `{key}` cannot have the name `{name}`: it is the name of the NodeClass {taken[name]}"
            other = f"ename one of the two, such as to `{name}-2`"
            fix = f"Remove {ref(at)} (default: a name with its key), or r{other}" if declared.name is not None else f"R{other}"
            yield finding(auto, message, path=at, value=name, fix=fix)
        if name is not None:
            taken.setdefault(name, f"`{key}`")


@error("EKS021", f"nodepools: a class has one role; {_GUIDE}: role and instanceProfile are mutually exclusive")
@sample("instance_profile", lambda: EksNodeClass(role="eks-node", instance_profile="eks-nodes"))
def conflicting_node_roles(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A NodeClass can have at most one of a role, an instance profile and a role that is created for it."""
    roles = [name for name, is_set in (("role", node_class.role is not None), ("create_role", node_class.create_role)) if is_set]
    if len(roles) > 1:
        fix = Fix(f"Remove {ref('create_role')} or {ref('role')}", (remove("create_role"),))
        yield finding(node_class, f"{ref('create_role')} and {ref('role')} cannot both be set", path="create_role", fix=fix)
    if node_class.instance_profile is not None and roles:
        fix = Fix(f"Remove {ref(roles[0])} or {ref('instance_profile')}", tuple(map(remove, roles)))
        yield finding(node_class, f"{ref('instance_profile')} and {ref(roles[0])} cannot both be set", path="instance_profile", fix=fix)


@error("EKS022", f"{_CRD}: role, 64 characters at most; {_GUIDE}: the name of a role, not its ARN")
@sample("role", lambda: EksNodeClass(role="arn:aws:iam::111122223333:role/eks-node"))
def role_is_not_a_name(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A NodeClass takes the name of its IAM role, of up to 64 characters, not the ARN."""
    if isinstance(node_class.role, str) and node_class.role.startswith("arn:"):
        name = node_class.role.partition(":role/")[2]
        fix = certain(set_to("role", name)) if 0 < len(name) <= _ROLE_LENGTH else "Use the name of the role"
        yield finding(node_class, f"{ref('role')} must be the name of the IAM role, not its ARN", path="role", fix=fix)
    elif isinstance(node_class.role, str) and len(node_class.role) > _ROLE_LENGTH:
        message = f"{ref('role')} has {len(node_class.role)} characters with its path: EKS allows at most {_ROLE_LENGTH}"
        yield finding(node_class, message, path="role", fix="Use a role with a shorter path and name")


@error("EKS023", f"{_CRD}: ephemeralStorage.size")
@sample("ephemeral_storage", lambda: EksNodeClass(ephemeral_storage="80000Mi"))
def invalid_storage_size(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """EKS accepts disks of whole `Gi`, `G`, `Ti` or `T`, up to 59000Gi, 64000G, 58Ti or 64T."""
    size = str(node_class.ephemeral_storage)
    match = re.fullmatch(r"([1-9][0-9]*)(Gi|G|Ti|T)", size)
    if match is None or int(match[1]) > _STORAGE[match[2]]:
        declaration = int(size) if size.isdecimal() and int(size) < _GIBIBYTE else ceil(amount(size) / _GIBIBYTE)  # `80` is meant as GiB
        fix = set_to("ephemeral_storage", f"{min(declaration, _STORAGE['Gi'])}Gi") if declaration > 0 else "Use a size such as `80Gi`"
        message = f"EKS rejects the disk size `{size}`: it must be whole Gi, G, Ti or T, at most 59000Gi, 64000G, 58Ti or 64T"
        yield finding(node_class, message, path="ephemeral_storage", fix=fix)


@error("EKS024", f"{_CRD}: tag contains a restricted tag")
@sample('tags["karpenter.sh/nodepool"]', lambda: EksNodeClass(tags={"karpenter.sh/nodepool": "web"}))
def reserved_node_class_tag(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """Auto Mode finds its instances by tags of its own, and AWS reserves the prefix `aws:`."""
    for key in node_class.tags:
        if key == "" or key in _OWN_TAGS or key.startswith(("kubernetes.io/cluster", "aws:")):
            message = f"The tag key `{key}` is reserved for Auto Mode and AWS" if key else "A tag has an empty key"
            fix = Fix("Remove the tag, or use a key of your own", (remove(("tags", key)),))
            yield finding(node_class, message, path=("tags", key), value=key, fix=fix)


@error("EKS025", f"{_CRD}: subnetSelectorTerms, securityGroupSelectorTerms")
@sample("subnets[0]", lambda: EksNodeClass(subnets=[SelectorTerm()]))
def invalid_selector(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A selector term has an ID or tags, for security groups also a name; IDs are not ARNs."""
    for field, prefix, terms in selectors(node_class):
        for index, term in enumerate(terms):
            if prefix == "subnet" and term.name is not None:
                yield finding(term, "A subnet cannot be selected by name: this term selects nothing", path="name", fix=_by_tag(term))
            elif term.id is None and term.name is None and not term.tags:
                fix = f"Set {ref((field, index, 'id'))} or {ref((field, index, 'tags'))}"
                yield finding(node_class, "This selector term is empty: it selects nothing", path=(field, index), fix=fix)
            elif isinstance(term.id, str) and not is_aws_id(term.id, f"{prefix}-"):
                message = f"`{term.id}` is not the ID of a {'subnet' if prefix == 'subnet' else 'security group'}"
                yield finding(term, message, path="id", fix=whole_id(term.id, prefix))


@error("EKS183", f"{EBS_PAGE} (2026-11): general purpose SSD volumes; with a NodeClass that EC2 rejects, NodePools report ready and launch no node")
@sample("ephemeral_storage_iops", lambda: EksNodeClass(ephemeral_storage="20Gi", ephemeral_storage_iops=16000))
def volume_rejected_by_ebs(part: EksNodeClass | StorageClass) -> Iterator[PartFinding]:
    """EBS accepts 500 IOPS for each GiB of a gp3 volume (3,000 at any size), and 1 MiB/s for each 4 IOPS; io1 and io2 require IOPS."""
    if isinstance(part, StorageClass):
        of, prefix, given = EBS_VOLUMES[part.volume_type], "", (None, part.iops, None)
    else:
        of, prefix, size = EBS_VOLUMES["gp3"], "ephemeral_storage_", ceil(amount(str(part.ephemeral_storage)) / _GIBIBYTE)
        given = (size, part.ephemeral_storage_iops, part.ephemeral_storage_throughput)
    for violation in of.violations(*given):
        if violation.field != "size" and not (isinstance(part, StorageClass) and part.iops is None):  # EKS023, EKS221
            field = f"{prefix}{violation.field}"
            yield finding(part, violation.message, path=field, fix=of_volume(violation, field))


@warning("EKS221", f"{EBS_PAGE} (2026-11): provisioned IOPS volumes; the EBS CSI driver takes IOPS of a VolumeAttributesClass too")
@limited(Limit(Where.UNREAD, "storage classes are objects in the cluster, which are not read"))
@sample("objects.storage_class.iops", lambda: eks(objects={"storage_class": {"volume_type": "io2"}}))
def volumes_without_iops(storage: StorageClass) -> Iterator[PartFinding]:
    """Volumes of the types io1 and io2 need IOPS, from their storage class or from the VolumeAttributesClass of each claim."""
    if storage.iops is None:
        for violation in EBS_VOLUMES[storage.volume_type].violations(None, None, None):
            message = f"{violation.message}: a claim stays Pending unless its VolumeAttributesClass has them"
            yield finding(storage, message, path="iops", fix=of_volume(violation, "iops"))


def of_volume(violation: VolumeViolation, field: str) -> Fix:
    """The fix of what EBS rejects: a setting of a disk is not lowered or raised without asking."""
    if violation.value is None:
        return Fix(f"Remove {ref(field)}{violation.fix}")
    return Fix(f"Set {ref(field)} to {literal(violation.value)}{violation.fix}")


def is_aws_id(text: str, start: str) -> bool:
    """An ID of EC2: `subnet-` and hexadecimal digits."""
    return text.startswith(start) and re.fullmatch(r"[0-9a-f]+", text.removeprefix(start)) is not None


def whole_id(text: str, prefix: str) -> FixLike:
    """Sets the ID that the ARN contains; otherwise advice with an example ID."""
    end = text.rpartition("/")[2]
    return certain(set_to("id", end)) if is_aws_id(end, f"{prefix}-") else f"Use the ID, such as `{prefix}-0123456789abcdef0`"


def _by_tag(term: SelectorTerm) -> tuple[Operation, ...]:
    """Replaces the name by the `Name` tag, which subnets have."""
    has_more = term.id is not None or "Name" in term.tags
    return (remove("name"), *(() if has_more else (add("tags", {"Name": term.name}),)))


def selectors(node_class: EksNodeClass) -> Iterator[tuple[str, str, Sequence[SelectorTerm]]]:
    """Every list of selectors: its field, the prefix of its ids, its terms."""
    yield "subnets", "subnet", node_class.subnets
    yield "security_groups", "sg", node_class.security_groups
    yield "pod_subnets", "subnet", node_class.pod_subnets
    yield "pod_security_groups", "sg", node_class.pod_security_groups


@warning(
    "EKS026", f"{_CRD}: id and name are mutually exclusive with the others, though the API server rejects only lists in which every term breaks this"
)
@sample("security_groups[1].id", lambda: EksNodeClass(security_groups=[SelectorTerm(id="sg-2"), SelectorTerm(id="sg-1", tags={"team": "web"})]))
def mixed_selector(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """In a selector term, an ID or a name cannot be combined with anything else; only tags can be combined."""
    for field, _, terms in selectors(node_class):
        if field not in _CHECKED or _refused_with(terms) is None:
            for term in terms:
                for own in _mixed(term)[:1]:
                    message = f"{ref(own)} cannot be combined with {' and '.join(map(ref, _others(term, own)))} in one selector term"
                    yield finding(term, message, path=own, fix=_apart(term, own))


@error("EKS110", f"{_CRD}: id and name are mutually exclusive with the others; the rule holds as soon as one term keeps to it")
@sample("security_groups[0].id", lambda: EksNodeClass(security_groups=[SelectorTerm(id="sg-1", tags={"team": "web"})]))
def only_mixed_selectors(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """The API server rejects a NodeClass where every term of a list combines an ID with something else, or every term a name."""
    for field, _, terms in selectors(node_class):
        own = _refused_with(terms) if field in _CHECKED else None
        if own is not None:
            message = f"The API server rejects the NodeClass: every term of this list combines {ref(own)} with other fields, which is not allowed"
            yield from (finding(term, message, path=own, fix=_apart(term, own)) for term in terms)


def _mixed(term: SelectorTerm) -> list[str]:
    """The fields of `term` that must not be combined with others, but are."""
    value = [name for name, is_set in (("id", term.id is not None), ("name", term.name is not None), ("tags", bool(term.tags))) if is_set]
    return [name for name in value if name != "tags"] if len(value) > 1 else []


def _others(term: SelectorTerm, own: str) -> list[str]:
    """The other fields of `term`, which are combined with `own`."""
    given = (("id", term.id is not None), ("name", term.name is not None), ("tags", bool(term.tags)))
    return [name for name, is_given in given if is_given and name != own]


def _apart(term: SelectorTerm, own: str) -> Fix:
    others = _others(term, own)
    return Fix(
        f"Remove {' and '.join(map(ref, others))}, or split the term in two: a resource is selected if one of them matches",
        tuple(map(remove, others)),
    )


def _refused_with(terms: Sequence[SelectorTerm]) -> str | None:
    """The exclusive field that every term combines with others."""
    return next((own for own in ("id", "name") if terms and all(own in _mixed(term) for term in terms)), None)

"""What EKS Auto Mode asks of NodeClasses."""

import re
from collections.abc import Iterator, Sequence

from nodepools.model.eks.auto_mode import BUILT_IN_CLASS, AutoMode
from nodepools.model.eks.node_class import EksNodeClass, SelectorTerm
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import auto_mode

_CRD = "NodeClass CRD of EKS Auto Mode (eks.amazonaws.com/v1)"
_GUIDE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html"
_ROLE_LENGTH = 64
_STORAGE = {"Gi": 59000, "G": 64000, "Ti": 58, "T": 64}
_MIXED = "stands beside tags or another selector, with which it cannot be combined"
_CHECKED = ("subnets", "security_groups")
"""The lists that the published CRD judges; those of pods are newer than it."""
_OWN_TAGS = frozenset(
    {"karpenter.sh/provisioner-name", "karpenter.sh/nodepool", "karpenter.sh/nodeclaim", "karpenter.sh/managed-by", "eks.amazonaws.com/nodeclass"}
)


@rule(
    "EKS020",
    Severity.ERROR,
    source=f"{_GUIDE}: do not name a custom class default",
    sample=lambda: auto_mode(classes={"default": EksNodeClass()}),
)
def built_in_node_class_name(auto: AutoMode) -> Iterator[PartFinding]:
    """`default` is the NodeClass that EKS makes, and to which it returns it after every edit."""
    if BUILT_IN_CLASS in auto.node_classes:
        yield finding(
            auto,
            "is the name of the class that EKS makes itself",
            at=("node_classes", BUILT_IN_CLASS),
            value=BUILT_IN_CLASS,
            fix="give it another name",
        )


@rule(
    "EKS021",
    Severity.ERROR,
    source=f"nodepools: a class has one role; {_GUIDE}: role and instanceProfile are mutually exclusive",
    sample=lambda: EksNodeClass(role="eks-node", own_role=True),
)
def conflicting_node_roles(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A class is given a role or an instance profile, or a role is made for it: one of the three at most."""
    if node_class.role is not None and node_class.own_role:
        yield finding(node_class, "asks for a role to be made, beside the one that is given", at="own_role", fix="remove own_role, or role")
    if node_class.instance_profile is not None and (node_class.role is not None or node_class.own_role):
        other = "role" if node_class.role is not None else "own_role"
        yield finding(node_class, f"excludes {other}", at="instance_profile", fix=f"remove {other}, or instance_profile")


@rule(
    "EKS022",
    Severity.ERROR,
    source=f"{_CRD}: role, 64 characters at most; {_GUIDE}: the name of a role, not its ARN",
    sample=lambda: EksNodeClass(role="arn:aws:iam::111122223333:role/eks-node"),
)
def role_is_not_a_name(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """The role of a class is given by name: an ARN is refused when it is long, and never works when it is short."""
    if isinstance(node_class.role, str) and node_class.role.startswith("arn:"):
        name = node_class.role.partition(":role/")[2]
        yield finding(
            node_class, "is an ARN: a class takes the name of its role", at="role", fix=f'write "{name}"' if name else "write the name of the role"
        )
    elif isinstance(node_class.role, str) and len(node_class.role) > _ROLE_LENGTH:
        yield finding(node_class, "is longer than 64 characters", at="role", fix="name a role whose path and name are shorter")


@rule(
    "EKS023",
    Severity.ERROR,
    source=f"{_CRD}: ephemeralStorage.size",
    sample=lambda: EksNodeClass(ephemeral_storage="80000Mi"),
)
def invalid_storage_size(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """The disk of a node is a whole number of `Gi`, `G`, `Ti` or `T`, up to 59000Gi, 64000G, 58Ti or 64T."""
    match = re.fullmatch(r"([1-9][0-9]*)(Gi|G|Ti|T)", str(node_class.ephemeral_storage))
    if match is None or int(match[1]) > _STORAGE[match[2]]:
        yield finding(
            node_class, "is no size that EKS takes for a node's disk", at="ephemeral_storage", fix="write whole Gi, G, Ti or T, such as 80Gi"
        )


@rule(
    "EKS024",
    Severity.ERROR,
    source=f"{_CRD}: tag contains a restricted tag",
    sample=lambda: EksNodeClass(tags={"karpenter.sh/nodepool": "web"}),
)
def reserved_node_class_tag(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """Auto Mode finds its instances again by tags of its own; AWS keeps the prefix `aws:`."""
    for key in node_class.tags:
        if key == "" or key in _OWN_TAGS or key.startswith(("kubernetes.io/cluster", "aws:")):
            yield finding(node_class, "is no tag that can be set" if key else "has no key", at=("tags", key), value=key, fix="use a key of your own")


@rule(
    "EKS025",
    Severity.ERROR,
    source=f"{_CRD}: subnetSelectorTerms, securityGroupSelectorTerms",
    sample=lambda: EksNodeClass(subnets=[SelectorTerm()]),
)
def invalid_selector(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A selector names an id, or tags; security groups also a name. Ids are whole ids, not ARNs."""
    for field, prefix, terms in selectors(node_class):
        for index, term in enumerate(terms):
            if prefix == "subnet" and term.name is not None:
                yield finding(term, "selects nothing: subnets have no name to select by", at="name", fix='select the tag: tags={"Name": …}')
            elif term.id is None and term.name is None and not term.tags:
                yield finding(node_class, "selects nothing", at=(field, index), fix="write an id, or tags")
            elif isinstance(term.id, str) and not re.fullmatch(rf"{prefix}-[0-9a-z]+", term.id):
                yield finding(term, f"is no id of the form {prefix}-…", at="id", fix=f"write the id, {prefix}-0123456789abcdef0")


def selectors(node_class: EksNodeClass) -> Iterator[tuple[str, str, Sequence[SelectorTerm]]]:
    """Every list of selectors: its field, what ids in it begin with, its terms."""
    yield "subnets", "subnet", node_class.subnets
    yield "security_groups", "sg", node_class.security_groups
    yield "pod_subnets", "subnet", node_class.pod_subnets
    yield "pod_security_groups", "sg", node_class.pod_security_groups


@rule(
    "EKS026",
    Severity.WARNING,
    source=f"{_CRD}: id and name are mutually exclusive with the others, though only refused when every term breaks it",
    sample=lambda: EksNodeClass(security_groups=[SelectorTerm(id="sg-2"), SelectorTerm(id="sg-1", tags={"team": "web"})]),
)
def mixed_selector(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A selector has an id or something else, not both: two terms add up."""
    for field, _, terms in selectors(node_class):
        if field not in _CHECKED or _refused_with(terms) is None:
            yield from (finding(term, _MIXED, at=own, fix=_APART) for term in terms for own in _mixed(term)[:1])


@rule(
    "EKS110",
    Severity.ERROR,
    source=f"{_CRD}: id and name are mutually exclusive with the others; the rule holds as soon as one term keeps to it",
    sample=lambda: EksNodeClass(security_groups=[SelectorTerm(id="sg-1", tags={"team": "web"})]),
)
def only_mixed_selectors(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """The API server rejects selectors of which every one has an id with something else, or every one a name with something else."""
    for field, _, terms in selectors(node_class):
        own = _refused_with(terms) if field in _CHECKED else None
        if own is not None:
            message = f"Every term of the list has `{own}` together with something else: the API server rejects the NodeClass"
            yield from (finding(term, message, at=own, fix=_APART) for term in terms)


_APART = "Remove one of them: two terms would select what either selects"


def _mixed(term: SelectorTerm) -> list[str]:
    """What selects by itself alone, and stands beside something else."""
    said = [name for name, is_said in (("id", term.id is not None), ("name", term.name is not None), ("tags", bool(term.tags))) if is_said]
    return [name for name in said if name != "tags"] if len(said) > 1 else []


def _refused_with(terms: Sequence[SelectorTerm]) -> str | None:
    """What every term has beside something else."""
    return next((own for own in ("id", "name") if terms and all(own in _mixed(term) for term in terms)), None)

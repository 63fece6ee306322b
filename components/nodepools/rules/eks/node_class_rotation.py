"""Previous NodeClasses: each is kept with its replacement until no node of it is left. Facts: docs/facts/eks.md N1."""

from collections.abc import Iterator

from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import remove
from nodepools.rules.engine.registry import DECLARED_FIELDS, GENERATIONS, Sample, finding, rule

_GUIDE = "docs/guides/retire-a-node-class.md"


@rule(
    "EKS087",
    Severity.ERROR,
    source=f"nodepools: a class is named by its role, {_GUIDE}",
    sample=Sample("previous", lambda: EksNodeClass(role="nodes", previous=EksNodeClass(role="nodes"))),
    limits=(GENERATIONS, DECLARED_FIELDS),
)
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


@rule(
    "EKS088",
    Severity.NOTE,
    source=f"nodepools: {_GUIDE}",
    sample=Sample("previous", lambda: EksNodeClass(role="new", previous=EksNodeClass(role="old"))),
    limits=(GENERATIONS, DECLARED_FIELDS),
)
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

"""NodeClasses that retire: kept beside the one that takes their place, until their last node is gone. Facts: docs/facts/eks.md N1."""

from collections.abc import Iterator

from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.fix import remove
from nodepools.rules.registry import finding, rule

_GUIDE = "docs/guides/retire-a-node-class.md"


@rule(
    "EKS087",
    Severity.ERROR,
    source=f"nodepools: a class is named by its role, {_GUIDE}",
    sample=lambda: EksNodeClass(role="nodes", previous=EksNodeClass(role="nodes")),
)
def previous_node_class_is_same(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A NodeClass can be replaced by one with another role, known as text; all other changes are made in place."""
    before = node_class.previous
    if before is None:
        return
    if _identity(before) == _identity(node_class):
        message = f"{ref('previous')} has the same role: it is the same NodeClass, and its changes are made in place"
        yield finding(node_class, message, at="previous", value=None, fix=remove("previous"))
    elif not all(_is_known(one) for one in (before, node_class)):
        message = "The NodeClass and its predecessor cannot be told apart before deployment: a role is an output"
        yield finding(node_class, message, at="previous", value=None, fix="Use the names of both roles as text")
    if before.previous is not None:
        message = "A NodeClass can have only one predecessor at a time: this one has a predecessor itself"
        fix = f"Remove {ref('previous')} when no node of the oldest NodeClass is left"
        yield finding(before, message, at="previous", value=None, fix=fix)


@rule(
    "EKS088",
    Severity.NOTE,
    source=f"nodepools: {_GUIDE}",
    sample=lambda: EksNodeClass(role="new", previous=EksNodeClass(role="old")),
)
def retiring_node_class(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A replaced NodeClass is kept until its nodes are replaced, within the disruption budgets of their NodePools."""
    if node_class.previous is not None and _identity(node_class.previous) != _identity(node_class):
        message = "The previous NodeClass is kept until its nodes are replaced, within the disruption budgets of their NodePools"
        fix = f"Remove {ref('previous')} when `kubectl get nodeclaims` shows no node of it"
        yield finding(node_class, message, at="previous", value=None, fix=fix)


def _identity(node_class: EksNodeClass) -> tuple[object, object, bool]:
    return node_class.role, node_class.instance_profile, node_class.create_role


def _is_known(node_class: EksNodeClass) -> bool:
    return all(one is None or isinstance(one, str) for one in (node_class.role, node_class.instance_profile))

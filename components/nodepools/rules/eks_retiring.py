"""NodeClasses that retire: kept beside the one that takes their place, until their last node is gone. Facts: docs/facts/eks.md N1."""

from collections.abc import Iterator

from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule

_GUIDE = "docs/guides/retire-a-node-class.md"


@rule(
    "EKS087",
    Severity.ERROR,
    source=f"nodepools: a class is named by its role, {_GUIDE}",
    sample=lambda: EksNodeClass(role="nodes", previous=EksNodeClass(role="nodes")),
)
def previous_node_class_is_same(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """The class that retires has another role, known as text: all else changes in place, and two classes cannot have one name."""
    before = node_class.previous
    if before is None:
        return
    if _identity(before) == _identity(node_class):
        yield finding(node_class, "has the same role: it is the same class, and changes in place", at="previous", value=None, fix="remove it")
    elif not all(_is_known(one) for one in (before, node_class)):
        message = "cannot be told apart before anything runs: a role is an output"
        yield finding(node_class, message, at="previous", value=None, fix="write the names of both roles as text")
    if before.previous is not None:
        yield finding(before, "retires one class at a time", at="previous", value=None, fix="remove it: wait for the oldest to be gone")


@rule(
    "EKS088",
    Severity.NOTE,
    source=f"nodepools: {_GUIDE}",
    sample=lambda: EksNodeClass(role="new", previous=EksNodeClass(role="old")),
)
def retiring_node_class(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A class that retires is removed from the declaration once its nodes are gone."""
    if node_class.previous is not None and _identity(node_class.previous) != _identity(node_class):
        fix = "remove it once `kubectl get nodeclaims` shows no node of it"
        yield finding(node_class, "is kept while its nodes drift away, under the budgets of their pools", at="previous", value=None, fix=fix)


def _identity(node_class: EksNodeClass) -> tuple[object, object, bool]:
    return node_class.role, node_class.instance_profile, node_class.own_role


def _is_known(node_class: EksNodeClass) -> bool:
    return all(one is None or isinstance(one, str) for one in (node_class.role, node_class.instance_profile))

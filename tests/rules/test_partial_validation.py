"""A model of what is known: the rest is left open, and what nobody takes is told."""

from dataclasses import replace

import pytest

from nodepools.model.aks.agent_pool import UserPool
from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.karpenter import NodePool
from nodepools.model.unknowns import UNKNOWN, unread
from nodepools.rules.engine.finding import Fix, Severity
from nodepools.rules.engine.partial_validation import always, never, validate_partial
from nodepools.rules.engine.schema_findings import settled

SIZE = {"vm_size": "Standard_D4ds_v5"}
ROWS = [
    ("all is known", {**SIZE, "count": 3}, set(), []),
    ("a field is not known", {**SIZE, "count": UNKNOWN}, {"count"}, []),
    ("a required field is not known", {"vm_size": UNKNOWN}, {"vm_size"}, []),
    ("a required field is not there", {}, {"vm_size"}, ["CFG001 vm_size"]),
    ("an entry is not known", {**SIZE, "labels": {"a": UNKNOWN}}, {"labels"}, []),
    ("an item is not known", {**SIZE, "taints": ["a=b:NoSchedule", UNKNOWN]}, {"taints"}, []),
    ("a value is out of range", {**SIZE, "count": 5000}, {"count"}, ["CFG007 count"]),
    ("a text is no taint", {**SIZE, "taints": ["a"]}, {"taints"}, ["CFG009 taints[0]"]),
    (
        "a part is something else",
        {**SIZE, "taints": [{"a": {}}], "kubelet": 7},
        {"taints", "kubelet"},
        ["CFG002 taints[0].a", "CFG001 taints[0].key", "CFG003 kubelet"],
    ),
    ("a part is no list", {**SIZE, "zones": 7}, {"zones"}, ["CFG004 zones"]),
]


@pytest.mark.parametrize(("said", "unknown", "told"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_pool(said, unknown, told):
    made, findings = validate_partial(UserPool, said, always)
    assert unread(made) == unknown
    assert sorted(f"{finding.code} {finding.path}" for finding in findings) == sorted(told)
    assert validate_partial(UserPool, said, never)[1] == []


def test_what_is_given_is_left_as_it_is():
    said = {**SIZE, "count": UNKNOWN, "scale": {"min": 1, "max": UNKNOWN}}
    made, _ = validate_partial(UserPool, said)
    assert said == {**SIZE, "count": UNKNOWN, "scale": {"min": 1, "max": UNKNOWN}}
    assert (unread(made), unread(made.scale), made.scale.min) == ({"count"}, {"max"}, 1)


EC2_CLASS = {"role": "nodes", "ami_terms": [{"id": "ami-1"}], "subnets": [{"id": "subnet-1"}], "security_groups": [{"id": "sg-1"}]}


@pytest.mark.parametrize("wrong", ["heavy", 7, None, [], ["heavy"], {}])
@pytest.mark.parametrize("model", [(Ec2NodeClass, EC2_CLASS), (UserPool, SIZE), (NodePool, {})], ids=lambda one: one[0].__name__)
def test_no_field_of_a_wrong_form_hides_the_others(model, wrong):
    """All findings are reported at once, those of rules about other fields, too."""
    kind, valid = model
    lost = [name for name in kind.model_fields if name != "kind" and validate_partial(kind, {**valid, name: wrong}, always)[0] is None]
    assert lost == []


REQUIREMENTS = [
    ("values are not known", {"key": "a", "operator": "In", "values": UNKNOWN}, {"values"}, []),
    ("the operator is not known, and the values go with some", {"key": "a", "operator": UNKNOWN, "values": []}, {"operator", "values"}, []),
    ("there are no values", {"key": "a", "operator": "In"}, {"values"}, ["CFG009 requirements[0].values"]),
    ("an operator in another case", {"key": "a", "operator": "in", "values": ["b"]}, set(), ["CFG005 requirements[0].operator"]),
    ("there is no such operator", {"key": "a", "operator": "Is", "values": ["b"]}, {"operator"}, ["CFG005 requirements[0].operator"]),
]


@pytest.mark.parametrize(("said", "unknown", "told"), [row[1:] for row in REQUIREMENTS], ids=[row[0] for row in REQUIREMENTS])
def test_a_requirement(said, unknown, told):
    made, findings = validate_partial(NodePool, {"requirements": [said]}, always, strict=True)
    assert unread(made.requirements[0]) == unknown
    assert [f"{finding.code} {finding.path}" for finding in findings] == told


def test_no_text_is_taken_for_a_number_where_that_is_strict():
    assert unread(validate_partial(NodePool, {"weight": "5"}, strict=True)[0]) == {"weight"}
    assert validate_partial(NodePool, {"weight": "5"})[0].weight == 5


class Place(Model):
    """A part with a required field."""

    name: str


class Site(Model):
    """A part that another one requires."""

    place: Place


def test_a_required_part_that_is_not_there_is_not_known() -> None:
    made, findings = validate_partial(Site, {}, always)
    assert made is not None
    assert unread(made) == {"place"}
    assert [f"{finding.code} {finding.path}" for finding in findings] == ["CFG001 place"]


def test_a_value_that_is_certainly_another_is_taken_for_it():
    made, findings = validate_partial(NodePool, {"expire_after": "30d"}, always)
    assert [finding.path for finding in findings] == ["expire_after"]
    assert made.expire_after == findings[0].operations[0].value


def test_a_fix_that_a_rule_rejects_gives_way_to_that_of_the_rule():
    _, [shape] = validate_partial(NodePool, {"expire_after": "30d"}, always)
    rule = replace(shape, code="EKS044", severity=Severity.ERROR, message="another is needed", fix=Fix("Set another"), texts=None)
    [left] = settled([shape, rule])
    assert (left.code, left.fix.text, left.fix.is_certain) == (shape.code, "Set another", False)
    assert left.message == f"{shape.message}; another is needed"
    assert settled([left, rule]) == [left], "the reason is told once"
    assert settled([shape]) == [shape]

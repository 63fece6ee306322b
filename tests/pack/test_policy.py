"""Every rule is one policy, of its code."""

from datetime import date

import jsonschema
import pytest

from nodepools.model.severity import Severity
from nodepools.pack.organization import ORGANIZATION
from nodepools.pack.policy import Level, ResourceUnderCheck, Scope, Stack, rule_policies
from nodepools.resources.resource import Resource
from nodepools.rules.engine.codes import SCHEMA_CODES
from nodepools.rules.engine.registry import Where, all_rules, is_softened, limit_of

POLICIES = {policy.name: policy for policy in rule_policies()}
EVERY = (*POLICIES.values(), *ORGANIZATION)


LEFT_OUT = {code for code in all_rules() if limit_of(code, Where.RESOURCES, Where.UNREAD) is not None}
SHAPES_AND_OBJECTS = {*SCHEMA_CODES, "OBJ001", "OBJ002", "OBJ004", "OBJ014"}


def test_no_rule_is_lost_and_none_is_there_twice():
    assert [policy.name for policy in rule_policies()] == sorted({*all_rules(), *SHAPES_AND_OBJECTS} - LEFT_OUT)


LEVELS = [
    pytest.param(Severity.ERROR, Level.MANDATORY, id="an error stops the update"),
    pytest.param(Severity.WARNING, Level.ADVISORY, id="a warning is shown"),
    pytest.param(Severity.NOTE, Level.DISABLED, id="a note is for who asks for it"),
]


@pytest.mark.parametrize(("severity", "level"), LEVELS)
def test_the_severity_gives_the_level(severity, level):
    codes = {code for code, rule in all_rules().items() if rule.severity is severity and not is_softened(code)} - LEFT_OUT
    assert {POLICIES[code].level for code in codes} == {level}


def test_what_is_not_certain_of_resources_is_shown():
    softened = {code for code, rule in all_rules().items() if is_softened(code) and rule.severity is Severity.ERROR}
    assert {"AKS120", "AKS142", "EKS001"} <= softened
    assert {POLICIES[code].level for code in {*softened - LEFT_OUT, "CFG002", "OBJ002"}} == {Level.ADVISORY}
    assert {POLICIES[code].level for code in ("CFG001", "OBJ001")} == {Level.MANDATORY}


SCOPES = [
    pytest.param("AKS014", Scope.RESOURCE, id="a part of a pool"),
    pytest.param("AKS060", Scope.RESOURCE, id="a pool and its cluster, which may be one resource"),
    pytest.param("EKS013", Scope.RESOURCE, id="a cluster"),
    pytest.param("KAR040", Scope.RESOURCE, id="a NodePool"),
    pytest.param("KAR043", Scope.RESOURCE, id="a part of a NodePool"),
    pytest.param("EKS042", Scope.STACK, id="a NodePool and its cluster's classes"),
    pytest.param("NAP009", Scope.RESOURCE, id="a requirement, with its cluster's region where that is known"),
    pytest.param("EKS039", Scope.STACK, id="a node class and its cluster"),
    pytest.param("CFG001", Scope.RESOURCE, id="a shape"),
]


@pytest.mark.parametrize(("code", "scope"), SCOPES)
def test_a_policy_says_of_how_much_it_speaks(code, scope):
    assert POLICIES[code].scope is scope


def test_rules_that_look_at_the_calendar_have_a_day_as_setting():
    dated = {code for code, rule in all_rules().items() if (date,) in rule.parameter_types or rule.since is not None or rule.until is not None}
    assert {name for name, policy in POLICIES.items() if policy.settings} == dated - LEFT_OUT
    assert {"AKS070", "AKS071", "EKS070", "EKS071"} <= dated


def test_the_day_of_the_setting_is_the_day_of_the_verdict(monkeypatch):
    seen = []
    monkeypatch.setattr("nodepools.pack.policy.check_resource", lambda _, *, today: seen.append(today) or [])
    asked = ResourceUnderCheck(Resource("u", "t", "n", {}))
    for settings in ({}, {"today": "2027-01-01"}, {"today": "2027-01-01"}):
        list(POLICIES["AKS070"].function(settings).of_resource(asked))
    list(POLICIES["AKS014"].function({}).of_resource(asked))
    assert seen == [None, date(2027, 1, 1)]


def test_a_stack_is_judged_once_for_all_policies(monkeypatch):
    seen = []
    monkeypatch.setattr("nodepools.pack.policy.check_stack", lambda _, *, today: seen.append(today) or [])
    stack = Stack([], {})
    for policy in POLICIES.values():
        list(policy.function({}).of_stack(stack))
    assert seen == [None]


@pytest.mark.parametrize("policy", [pytest.param(policy, id=policy.name) for policy in EVERY])
def test_a_policy_is_as_pulumi_wants_it(policy):
    assert policy.name != "all"
    assert policy.description
    assert policy.source
    for schema in policy.settings.values():
        jsonschema.Draft7Validator.check_schema(schema)
        assert "default" in schema, "Pulumi checks the settings of policies that are off, too"


def test_names_are_there_once():
    names = [policy.name for policy in EVERY]
    assert len(set(names)) == len(names)


def test_policies_of_several_resources_say_so():
    assert {policy.name for policy in ORGANIZATION if policy.scope is Scope.STACK} == {"no-spot-only-production", "no-plain-kubeconfig"}


def test_policies_that_repair_say_so():
    assert {policy.name for policy in EVERY if policy.remedies} == {"required-tags", "consolidate-after"}

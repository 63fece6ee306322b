"""The failing sample of every rule, registered without our components, over the real protocol: each policy says what its rule says, once."""

from collections import Counter
from typing import cast

import pytest
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as proto

from nodepools.engine.protocol import AnalyzerCalls
from nodepools.resources.resource import Resource
from nodepools.resources.resource_checks import Violation
from nodepools.resources.violation_text import parse_violation
from tests.conftest import Once
from tests.resources.test_every_rule import DAY, SILENT, judged

pytestmark = pytest.mark.sweep

Row = tuple[str, str, str]
Said = tuple[list[Row], list[Row]]


def struct(resource: Resource) -> Struct:
    made = Struct()
    made.update(resource.inputs)
    return made


def alone(resource: Resource) -> proto.AnalyzeRequest:
    return proto.AnalyzeRequest(urn=resource.urn, type=resource.type, name=resource.name, properties=struct(resource))


def together(resource: Resource) -> proto.AnalyzerResource:
    return proto.AnalyzerResource(
        urn=resource.urn,
        type=resource.type,
        name=resource.name,
        properties=struct(resource),
        parent=resource.parent if resource.parent is not None else "",
        dependencies=resource.dependencies,
        propertyDependencies={name: proto.AnalyzerPropertyDependencies(urns=urns) for name, urns in resource.property_dependencies.items()},
        provider=proto.AnalyzerProviderResource(urn=resource.provider) if resource.provider is not None else None,
    )


def rows(response: proto.AnalyzeResponse) -> list[Row]:
    return [(one.policyName, one.urn, parse_violation(one.message.partition("\n")[2]).path) for one in response.diagnostics]


@pytest.fixture(scope="module")
def policies(pack: AnalyzerCalls) -> dict[str, proto.PolicyInfo]:
    return {one.name: one for one in pack.information(Empty()).policies}


@pytest.fixture(scope="module")
def samples(once: Once) -> tuple[list[Resource], list[Violation]]:
    """The samples, and what the rules find in them."""
    return cast("tuple[list[Resource], list[Violation]]", once("judged-samples", judged))


@pytest.fixture(scope="module")
def said(once: Once, pack: AnalyzerCalls, policies: dict[str, proto.PolicyInfo], samples: tuple[list[Resource], list[Violation]]) -> Said:
    """What is said of each resource, and then of all together; notes too."""
    return cast("Said", once("said-of-samples", lambda: _said(pack, policies, samples[0])))


def _said(pack: AnalyzerCalls, policies: dict[str, proto.PolicyInfo], resources: list[Resource]) -> Said:
    day = Struct()
    day.update({"today": DAY.isoformat()})
    rules = {name: day if "today" in one.configSchema.properties.fields else Struct() for name, one in policies.items() if name[-1].isdigit()}
    config = {name: proto.PolicyConfig(enforcementLevel=proto.ADVISORY, properties=settings) for name, settings in rules.items()}
    pack.configure(proto.ConfigureAnalyzerRequest(policyConfig=config))
    of_each = [row for one in resources for row in rows(pack.analyze(alone(one)))]
    return of_each, rows(pack.analyze_stack(proto.AnalyzeStackRequest(resources=[together(one) for one in resources])))


def test_all_that_the_rules_find_is_said_once(said, samples):
    of_each, of_all = said
    _, violations = samples
    found = Counter((one.finding.code, one.urn, one.finding.path) for one in violations)
    assert Counter(of_each) + Counter(of_all) == found


def test_every_policy_of_a_rule_has_said_something(said, policies):
    spoken = {policy for of in said for policy, _, _ in of}
    rules = {name for name in policies if name[-1].isdigit() and name[:3] not in ("CFG", "OBJ")}
    assert rules - spoken <= SILENT.keys() | {"PLT001", "NAP004"}, "one that cannot speak is no policy"


def test_a_policy_of_the_stack_speaks_of_no_resource_alone(said, policies):
    of_stack = {name for name, one in policies.items() if one.policy_type == proto.POLICY_TYPE_STACK}
    assert {policy for policy, _, _ in said[0]} & of_stack == set()
    assert of_stack & {policy for policy, _, _ in said[1]}

"""The Analyzer protocol, asked without a process: secrets, unknown values, numbers, repairs, levels."""

from collections.abc import Mapping
from typing import Any

import grpc
import pytest
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as proto

from nodepools.engine.signatures import SECRET, SIGNATURE, UNKNOWN
from nodepools.pack.organization import ORGANIZATION
from nodepools.pack.policy import Level, Policy, RuleJudge, settings_of
from nodepools.pack.server import Analyzer
from nodepools.resources.resource_checks import Violation
from nodepools.resources.violation_text import parse_violation
from nodepools.rules.engine.finding import Finding, Fix, Severity

POOL = "azure-native:containerservice:AgentPool"


def struct(values: Mapping[str, Any]) -> Struct:
    made = Struct()
    made.update(values)
    return made


def secret(value: object) -> dict[str, object]:
    return {SIGNATURE: SECRET, "value": value}


def request(type_: str = POOL, urn: str = "pool", **inputs: Any) -> proto.AnalyzeRequest:
    return proto.AnalyzeRequest(type=type_, urn=urn, name="it", properties=struct(inputs))


class Aborted(Exception):  # noqa: N818 - it is what happens
    pass


class Context:
    def abort(self, code: grpc.StatusCode, details: str) -> None:
        raise Aborted(code, details)


CONTEXT: Any = Context()


def pack(**asked: tuple[int, Mapping[str, Any]]) -> Analyzer:
    analyzer = Analyzer(ORGANIZATION)
    config = {name.replace("_", "-"): proto.PolicyConfig(enforcementLevel=level, properties=struct(given)) for name, (level, given) in asked.items()}
    analyzer.Configure(proto.ConfigureAnalyzerRequest(policyConfig=config), CONTEXT)
    return analyzer


def said(analyzer: Analyzer, given: proto.AnalyzeRequest) -> list[tuple[str, int, str]]:
    return [(one.policyName, one.enforcementLevel, one.message) for one in analyzer.Analyze(given, CONTEXT).diagnostics]


OWNER = {"tags": {"owner": "web", "team": None}}


def test_a_repair_leaves_secrets_secret_and_unknown_values_unknown():
    analyzer = pack(required_tags=(proto.REMEDIATE, OWNER))
    given = request(tags={"pin": secret("hunter22"), "made": UNKNOWN}, vmSize=UNKNOWN, nodeLabels=secret({"a": "b"}))
    (repair,) = analyzer.Remediate(given, CONTEXT).remediations
    kept = {"vmSize": UNKNOWN, "nodeLabels": secret({"a": "b"})}
    assert repair.properties == struct({**kept, "tags": {"pin": secret("hunter22"), "made": UNKNOWN, "owner": "web"}})
    assert (repair.policyName, repair.policyPackName, repair.diagnostic) == ("required-tags", "nodepools", "")
    assert given.properties.fields["tags"].struct_value.fields.keys() == {"pin", "made"}, "what was asked is not changed"


def test_a_repair_inside_of_a_secret_stays_inside():
    (repair,) = pack(required_tags=(proto.REMEDIATE, OWNER)).Remediate(request(tags=secret({"pin": "hunter22"})), CONTEXT).remediations
    assert repair.properties == struct({"tags": secret({"pin": "hunter22", "owner": "web"})})


REPAIRS = [
    pytest.param(request(), {"tags": {"owner": "web"}}, id="tags that are missing"),
    pytest.param(request(tags=None), {"tags": {"owner": "web"}}, id="tags that are null"),
    pytest.param(
        request("azure-native:containerservice:ManagedCluster", agentPoolProfiles=[{"name": "a"}, secret({"name": "b"})]),
        {"agentPoolProfiles": [{"name": "a", "tags": {"owner": "web"}}, secret({"name": "b", "tags": {"owner": "web"}})], "tags": {"owner": "web"}},
        id="pools inside of a cluster",
    ),
    pytest.param(
        request("kubernetes:eks.amazonaws.com/v1:NodeClass", spec={"role": "a"}), {"spec": {"role": "a", "tags": {"owner": "web"}}}, id="a node class"
    ),
]


@pytest.mark.parametrize(("given", "repaired"), REPAIRS)
def test_tags_are_added(given, repaired):
    (repair,) = pack(required_tags=(proto.REMEDIATE, OWNER)).Remediate(given, CONTEXT).remediations
    assert repair.properties == struct(repaired)


LEFT = [
    pytest.param(request(tags={"owner": "other"}), id="a tag with another value"),
    pytest.param(request(tags={"owner": UNKNOWN}), id="a value that is not known"),
    pytest.param(request(tags=UNKNOWN), id="tags that are not known"),
    pytest.param(request(tags="none"), id="tags that are none"),
    pytest.param(request("aws:ec2/vpc:Vpc"), id="a resource of others"),
]


@pytest.mark.parametrize("given", LEFT)
def test_what_is_there_or_not_known_is_left(given):
    assert not pack(required_tags=(proto.REMEDIATE, OWNER)).Remediate(given, CONTEXT).remediations


NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
SOON = {"spec": {"disruption": {"consolidateAfter": "0s", "budgets": [UNKNOWN]}, "pin": secret("x")}}


def test_nodes_are_left_for_a_while():
    (repair,) = pack(consolidate_after=(proto.REMEDIATE, {"after": "30s"})).Remediate(request(NODE_POOL, **SOON), CONTEXT).remediations
    assert repair.properties == struct({"spec": {"disruption": {"consolidateAfter": "30s", "budgets": [UNKNOWN]}, "pin": secret("x")}})


CONTENT = [
    pytest.param({"after": "30s"}, request(NODE_POOL, spec={"disruption": {"consolidateAfter": "1m"}}), id="long enough"),
    pytest.param({"after": "30s"}, request(NODE_POOL, spec={"disruption": UNKNOWN}), id="not known"),
    pytest.param({"after": "30s"}, request(NODE_POOL, spec={"disruption": "none"}), id="not what it should be"),
    pytest.param({"after": "30s"}, request(POOL), id="no NodePool"),
    pytest.param({}, request(NODE_POOL, **SOON), id="no setting"),
]


@pytest.mark.parametrize(("settings", "given"), CONTENT)
def test_other_pools_are_left_alone(settings, given):
    assert not pack(consolidate_after=(proto.REMEDIATE, settings)).Remediate(given, CONTEXT).remediations


def test_only_policies_of_that_level_repair():
    assert not pack(required_tags=(proto.MANDATORY, OWNER)).Remediate(request(), CONTEXT).remediations


def test_what_should_have_been_repaired_is_mandatory():
    ((name, level, message),) = said(pack(required_tags=(proto.REMEDIATE, OWNER)), request(tags={"owner": "a"}))
    assert (name, level) == ("required-tags", proto.MANDATORY)
    assert "Required tags are missing: `team`" in message


LEVELS = [
    pytest.param(proto.MANDATORY, [proto.MANDATORY], id="mandatory"),
    pytest.param(proto.ADVISORY, [proto.ADVISORY], id="advisory"),
    pytest.param(proto.DISABLED, [], id="disabled"),
]


@pytest.mark.parametrize(("level", "shown"), LEVELS)
def test_the_level_is_that_of_the_configuration(level, shown):
    assert [one for _, one, _ in said(pack(required_tags=(level, OWNER)), request())] == shown


def test_no_secret_is_in_a_message():
    analyzer = pack(allowed_vm_sizes=(proto.MANDATORY, {"sizes": ["m7g.*"]}), required_labels=(proto.MANDATORY, {"labels": ["team"]}))
    given = request(vmSize=secret("Standard_Hidden"), nodeLabels={"pin-of-Standard_Hidden": "x"})
    messages = [message for _, _, message in said(analyzer, given)]
    assert len(messages) == 2
    assert not any("Standard_Hidden" in message for message in messages)
    assert all("[secret]" in message for message in messages)


def test_the_first_line_is_what_the_policy_asks_for_and_the_rest_can_be_read():
    ((_, _, message),) = said(pack(required_tags=(proto.MANDATORY, OWNER)), request(tags={"team": "a"}))
    first, _, rest = message.partition("\n")
    assert first == "Clusters, pools and node classes have the tags that the organization requires."
    complaint = parse_violation(rest)
    assert (complaint.path, complaint.value, complaint.message) == ("tags", ["team"], "Required tags are missing: `owner`")
    assert complaint.fix == "Add `owner: web` to `tags`"


UNKNOWNS = [
    pytest.param("1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", id="yes or no"),
    pytest.param("3eeb2bf0-c639-47a8-9e75-3b44932eb421", id="a number"),
    pytest.param(UNKNOWN, id="a text"),
    pytest.param("6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", id="a list"),
    pytest.param("dd056dcd-154b-4c76-9bd3-c8f88648b5ff", id="a mapping"),
]


@pytest.mark.parametrize("value", UNKNOWNS)
def test_of_what_is_not_known_nothing_is_said(value):
    analyzer = pack(
        required_tags=(proto.MANDATORY, OWNER), allowed_vm_sizes=(proto.MANDATORY, {"sizes": ["x"]}), private_api_server=(proto.MANDATORY, {})
    )
    cluster = request("azure-native:containerservice:ManagedCluster", tags=value, agentPoolProfiles=value, apiServerAccessProfile=value)
    assert not said(analyzer, cluster)
    assert not said(analyzer, request(tags=value, vmSize=value))


def test_whole_numbers_are_none_but_whole():
    analyzer = pack(maximum_vcpus=(proto.MANDATORY, {"vcpus": 8.0}))
    ((_, _, message),) = said(analyzer, request(vmSize="Standard_D8ds_v5", count=3.0))
    assert "24 vCPUs" in message
    assert "24.0" not in message


def test_a_wrong_configuration_is_refused_with_all_that_is_wrong():
    with pytest.raises(Aborted) as refused:
        pack(required_tag=(proto.MANDATORY, {}), maximum_vcpus=(proto.MANDATORY, {"vcpu": 3}))
    code, details = refused.value.args
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert "`required-tag` is not a policy of this pack: use `required-tags`" in details
    assert "`vcpu` is not a setting of this policy: use `vcpus`" in details


def rule(code: str) -> Policy:
    return Policy(code, code, Level.MANDATORY, lambda _: RuleJudge(code=code), settings_of(RuleJudge), source="somebody")


@pytest.fixture
def judged(monkeypatch):
    """A library that finds something in each `count`, alone and together, and keeps what it was given."""
    seen: list[object] = []

    def finding(path: str) -> Finding:
        return Finding("AKS999", Severity.ERROR, path, None, "is wrong", Fix("mend it"), "somebody")

    def alone(resource, *, today):
        del today
        return [finding("count")] if "count" in resource.inputs else []

    def together(resources, *, today):
        del today
        seen.extend(resources)
        return [*(Violation(one.urn, finding("count"), alone=True) for one in resources if "count" in one.inputs), Violation("pool", finding("all"))]

    monkeypatch.setattr("nodepools.pack.policy.check_resource", alone)
    monkeypatch.setattr("nodepools.pack.policy.check_stack", together)
    return seen


def stack(*resources: tuple[str, dict[str, Any]]) -> proto.AnalyzeStackRequest:
    return proto.AnalyzeStackRequest(
        resources=[
            proto.AnalyzerResource(
                urn=urn,
                type=POOL,
                name="it",
                properties=struct(values),
                dependencies=["a", "b"],
                propertyDependencies={"x": proto.AnalyzerPropertyDependencies(urns=["a"])},
                parent="p",
                provider=proto.AnalyzerProviderResource(urn="prov"),
            )
            for urn, values in resources
        ]
    )


def paths(response: proto.AnalyzeResponse) -> list[tuple[str, str]]:
    return [(one.urn, parse_violation(one.message.partition("\n")[2]).path) for one in response.diagnostics]


def test_nothing_is_said_twice(judged):
    del judged
    analyzer = Analyzer([rule("AKS999")])
    assert paths(analyzer.Analyze(request(count=1), CONTEXT)) == [("pool", "count")]
    assert paths(analyzer.AnalyzeStack(stack(("pool", {"count": 1})), CONTEXT)) == [("pool", "all")]


def test_nothing_is_lost_of_what_was_not_asked_about_alone(judged):
    del judged
    answer = Analyzer([rule("AKS999")]).AnalyzeStack(stack(("pool", {"count": 1})), CONTEXT)
    assert paths(answer) == [("pool", "count"), ("pool", "all")]


def test_of_codes_of_other_policies_nothing_is_said(judged):
    del judged
    assert not paths(Analyzer([rule("AKS998")]).Analyze(request(count=1), CONTEXT))


def test_a_stack_is_judged_by_what_was_declared(judged):
    analyzer = Analyzer([rule("AKS999")])
    analyzer.Analyze(request(vmSize="declared"), CONTEXT)
    analyzer.AnalyzeStack(stack(("pool", {"vmSize": "declared", "provisioningState": "Succeeded"}), ("other", {"vmSize": "made"})), CONTEXT)
    assert [one.inputs for one in judged] == [{"vmSize": "declared"}, {"vmSize": "made"}]


def test_the_judge_is_told_what_depends_on_what(judged):
    Analyzer([rule("AKS999")]).AnalyzeStack(stack(("pool", {})), CONTEXT)
    (one,) = judged
    assert (one.dependencies, one.property_dependencies, one.parent, one.provider) == (("a", "b"), {"x": ("a",)}, "p", "prov")


def test_what_the_engine_asks_first():
    analyzer = Analyzer(ORGANIZATION)
    information = analyzer.GetAnalyzerInfo(Empty(), CONTEXT)
    assert (information.name, information.supportsConfig) == ("nodepools", True)
    assert [one.name for one in information.policies] == [policy.name for policy in ORGANIZATION]
    assert analyzer.GetPluginInfo(Empty(), CONTEXT).version == information.version
    assert analyzer.Handshake(proto.AnalyzerHandshakeRequest(), CONTEXT) == proto.AnalyzerHandshakeResponse()
    assert analyzer.ConfigureStack(proto.AnalyzerStackConfigureRequest(), CONTEXT) == proto.AnalyzerStackConfigureResponse()

"""Container Insights in programs that do not use our components: the add-on is found that nothing tells what to collect, and no other."""

from dataclasses import replace
from datetime import date

import pytest

from nodepools.model.severity import Severity
from nodepools.resources.resource import UNKNOWN, Resource
from nodepools.resources.resource_checks import check_resource, check_stack
from tests.resources.foreign import agent_pool, managed_cluster, resource, system

DAY = date(2026, 11, 21)
WORKSPACE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/w"
INSIGHTS = ["Microsoft-ContainerInsights-Group-Default"]


def addon(*, enabled=True, **config):
    return {"omsagent": {"enabled": enabled, "config": {"logAnalyticsWorkspaceResourceID": WORKSPACE, "useAADAuth": "true", **config}}}


def rule(name="logs", streams=INSIGHTS, token="azure-native:monitor:DataCollectionRule"):  # noqa: S107
    return resource(token, name, {"resourceGroupName": "rg", "dataFlows": [{"streams": streams, "destinations": ["ws"]}]})


def associated(of: Resource, with_rule: Resource | None, *, token="azure-native:monitor:DataCollectionRuleAssociation", uri="resourceUri", **inputs):  # noqa: S107
    needs = [of, *([with_rule] if with_rule is not None else [])]
    rule_id = {"dataCollectionRuleId": UNKNOWN} if with_rule is not None else {"dataCollectionEndpointId": UNKNOWN}
    made = resource(token, f"{of.name}-{with_rule.name if with_rule else 'endpoint'}", {uri: UNKNOWN, **rule_id, **inputs}, *needs)
    links = {uri: (of.urn,), **({"dataCollectionRuleId": (with_rule.urn,)} if with_rule is not None else {})}
    return replace(made, property_dependencies=links)


WEB = agent_pool("web")
AKS = managed_cluster(addonProfiles=addon())
OTHER = managed_cluster("other", agentPoolProfiles=[system(), system(name="apps", mode="User", nodeTaints=[])])
LOGS, PROMETHEUS = rule(), rule("prometheus", ["Microsoft-PrometheusMetrics"])
SILENT = {("AKS131", "shop", "addonProfiles.omsagent.enabled")}
FORMER = "azure-native:insights:DataCollectionRuleAssociation"
CLASSIC = "azure:monitoring/dataCollectionRuleAssociation:DataCollectionRuleAssociation"

PROGRAMS = [
    ("the add-on by itself", [AKS, WEB], SILENT),
    ("with its rule, which is not associated", [AKS, WEB, LOGS], SILENT),
    ("with an association of another cluster", [AKS, WEB, OTHER, LOGS, associated(OTHER, LOGS)], SILENT),
    ("with the rule of Managed Prometheus only", [AKS, WEB, PROMETHEUS, associated(AKS, PROMETHEUS)], SILENT),
    ("with an endpoint only", [AKS, WEB, associated(AKS, None)], SILENT),
    ("as the text True", [managed_cluster(addonProfiles=addon(useAADAuth="True")), WEB], SILENT),
    ("with rule and association", [AKS, WEB, LOGS, associated(AKS, LOGS)], set()),
    (
        "with both of version 2 of the SDK",
        [AKS, WEB, LOGS, associated(AKS, LOGS, token=FORMER)],
        set(),
    ),
    ("with both of the provider azure", [AKS, WEB, LOGS, associated(AKS, LOGS, token=CLASSIC, uri="targetResourceId")], set()),
    (
        "with one rule for both",
        [AKS, WEB, both := rule("both", ["Microsoft-PrometheusMetrics", "Microsoft-ContainerLogV2"]), associated(AKS, both)],
        set(),
    ),
    ("with a rule that is made elsewhere", [AKS, WEB, replace(associated(AKS, LOGS), property_dependencies={"resourceUri": (AKS.urn,)})], set()),
    ("with a rule of which nothing is known", [AKS, WEB, unread := rule("unread", UNKNOWN), associated(AKS, unread)], set()),
    (
        "with a rule of unknown flows",
        [AKS, WEB, later := replace(rule("later"), inputs={"dataFlows": UNKNOWN}), associated(AKS, later)],
        set(),
    ),
    (
        "with an association of a cluster that is known by its id",
        [AKS, WEB, LOGS, replace(associated(AKS, LOGS, resourceUri="/subscriptions/s/x"), property_dependencies={}, dependencies=())],
        set(),
    ),
    ("turned off", [managed_cluster(addonProfiles=addon(enabled=False)), WEB], set()),
    ("of a log-in that is not with Entra ID", [managed_cluster(addonProfiles=addon(useAADAuth="false")), WEB], set()),
    ("of which nothing is known", [managed_cluster(addonProfiles={"omsagent": UNKNOWN}), WEB], set()),
    ("among profiles of which nothing is known", [managed_cluster(addonProfiles=UNKNOWN), WEB], set()),
    ("another add-on", [managed_cluster(addonProfiles={"azurepolicy": {"enabled": True}}), WEB], set()),
    ("a workspace that is made in the same program", [managed_cluster(addonProfiles=addon(logAnalyticsWorkspaceResourceID=UNKNOWN)), WEB], SILENT),
]


def found(program):
    return {
        (one.finding.code, one.urn.rpartition("::")[2], one.finding.path)
        for one in check_stack(program, today=DAY)
        if one.finding.severity is not Severity.NOTE
    }


@pytest.mark.parametrize(("program", "expected"), [row[1:] for row in PROGRAMS], ids=[row[0] for row in PROGRAMS])
def test_the_add_on(program, expected):
    assert found(program) == expected


def test_of_a_cluster_alone_nobody_knows_what_is_associated_with_it():
    assert not [finding for finding in check_resource(AKS, today=DAY) if finding.code == "AKS131"]


def test_it_is_told_in_words_of_the_program():
    [one] = [one for one in check_stack([AKS, WEB], today=DAY) if one.finding.code == "AKS131"]
    assert one.finding.severity is Severity.WARNING
    assert "none is declared" in one.finding.message
    assert one.finding.fix is None  # its fix is a field that only declarations have

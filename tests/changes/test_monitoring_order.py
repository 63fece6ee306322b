"""The order in which Pulumi applies edits of what collects logs and metrics. The engine itself is asked in tests/pulumi/test_edits.py."""

import pytest

from nodepools import Platform, derive
from nodepools.changes.platform_changes import diff
from tests.changes.declared import PLATFORM, cluster

WORKSPACE = "/subscriptions/s/resourceGroups/m/providers/Microsoft.OperationalInsights/workspaces/w"
LOGGED = cluster("weu", logs={"workspace": WORKSPACE}, metrics={}, audit={"workspace": WORKSPACE})
Order = tuple[tuple[str, ...], ...]
RULE, ASSOCIATION, ENDPOINT = "DataCollectionRule/dev-weu", "DataCollectionRuleAssociation/dev-weu", "DataCollectionEndpoint/dev-weu"
EDITS: dict[str, tuple[Platform, dict[str, object], Order]] = {
    "logs have their rule, then its association": (
        PLATFORM,
        {"logs": {"workspace": WORKSPACE}},
        ((f"create {RULE}-logs-westeurope", "update ManagedCluster/dev-weu"), (f"create {ASSOCIATION}-logs",)),
    ),
    "metrics have a workspace, then a rule": (
        PLATFORM,
        {"metrics": {}},
        (
            ("create AzureMonitorWorkspace/dev-weu-metrics", f"create {ENDPOINT}-metrics-westeurope", "update ManagedCluster/dev-weu"),
            (f"create {RULE}-metrics-westeurope",),
            (f"create {ASSOCIATION}-metrics",),
        ),
    ),
    "metrics of a private cluster in another region": (
        cluster("weu", api_server={"private": True}),
        {"metrics": {"workspace": "/w", "location": "northeurope"}},
        (
            (f"create {ENDPOINT}-metrics-northeurope", f"create {ENDPOINT}-metrics-westeurope", "update ManagedCluster/dev-weu"),
            (f"create {RULE}-metrics-northeurope", f"create {ASSOCIATION}-metrics-access"),
            (f"create {ASSOCIATION}-metrics",),
        ),
    ),
    "metrics that are off": (
        LOGGED,
        {"metrics": {"enabled": False}},
        (
            ("update ManagedCluster/dev-weu",),
            (f"delete {ASSOCIATION}-metrics",),
            (f"delete {RULE}-metrics-westeurope",),
            ("delete AzureMonitorWorkspace/dev-weu-metrics", f"delete {ENDPOINT}-metrics-westeurope"),
        ),
    ),
    "audit logs need the cluster only": (PLATFORM, {"audit": {"workspace": WORKSPACE}}, (("create DiagnosticSetting/dev-weu-audit",),)),
    "another workspace of the logs": (
        LOGGED,
        {"logs": {"workspace": f"{WORKSPACE}2"}},
        ((f"update {RULE}-logs-westeurope", "update ManagedCluster/dev-weu"),),
    ),
    "logs in another region": (
        LOGGED,
        {"logs": {"location": "northeurope"}},
        ((f"create {RULE}-logs-northeurope",), (f"update {ASSOCIATION}-logs",), (f"delete {RULE}-logs-westeurope",)),
    ),
    "more audit logs": (LOGGED, {"audit": {"categories": ["kube-audit", "guard"]}}, (("update DiagnosticSetting/dev-weu-audit",),)),
    "no audit logs": (LOGGED, {"audit": None}, (("delete DiagnosticSetting/dev-weu-audit",),)),
    "other tables of the logs": (LOGGED, {"logs": {"streams": ["KubeEvents"]}}, ((f"update {RULE}-logs-westeurope",),)),
}


@pytest.mark.parametrize(("before", "fields", "order"), EDITS.values(), ids=EDITS)
def test_order(before: Platform, fields: dict[str, object], order: Order) -> None:
    assert diff(before, derive(before, clusters={"weu": fields})).order == order

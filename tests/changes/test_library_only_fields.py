"""One edit is one change, or one for each thing that happens: not one for each field that is sent."""

import pytest

from nodepools import AksClusterArgs, Platform, SystemPool, UserPool, derive
from nodepools.aks import (
    AutoscalerProfile,
    ContainerLogs,
    Defender,
    HttpProxy,
    ImageCleaner,
    KeyVaultProvider,
    ManagedPrometheus,
    Syslog,
)
from nodepools.changes.platform_changes import diff

ONE, OTHER = (f"/subscriptions/s/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/{name}" for name in "ab")
LOGS = ContainerLogs(ONE)
CLUSTER = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=1),
    pools={"web": UserPool(vm_size="Standard_D4ds_v5", count=1)},
)
Fields = dict[str, object]
EDITS: dict[str, tuple[Fields, Fields, list[str]]] = {
    "logs are turned on": ({}, {"logs": LOGS}, ["in_place logs"]),
    "logs of another workspace": ({"logs": LOGS}, {"logs": ContainerLogs(OTHER)}, ["in_place logs.workspace"]),
    "logs of nodes too": ({"logs": LOGS}, {"logs": ContainerLogs(ONE, syslog=Syslog())}, ["in_place logs.syslog"]),
    "logs are no longer collected, and the agent stays": ({"logs": LOGS}, {}, ["in_place logs", "ignored logs"]),
    "logs by the short field": ({}, {"log_analytics_workspace_id": ONE}, ["in_place log_analytics_workspace_id"]),
    "metrics are turned on": ({}, {"metrics": ManagedPrometheus()}, ["in_place metrics"]),
    "metrics are no longer collected, and the agent stays": ({"metrics": ManagedPrometheus()}, {}, ["in_place metrics", "ignored metrics"]),
    "a service that AKS keeps": ({"key_vault_provider": KeyVaultProvider()}, {}, ["ignored key_vault_provider"]),
    "a service that is turned off": (
        {"image_cleaner": ImageCleaner()},
        {"image_cleaner": ImageCleaner(enabled=False)},
        ["in_place image_cleaner.enabled"],
    ),
    "two services at once": (
        {},
        {"image_cleaner": ImageCleaner(), "defender": Defender(ONE)},
        ["in_place defender", "in_place image_cleaner"],
    ),
    "a proxy": ({}, {"http_proxy": HttpProxy(http="http://proxy:3128", no_proxy=[".corp"])}, ["reimages http_proxy"]),
    "settings of the autoscaler": ({}, {"autoscaler": AutoscalerProfile(scan_interval="20s", expander="random")}, ["in_place autoscaler"]),
    "one setting of the autoscaler": (
        {"autoscaler": AutoscalerProfile(scan_interval="20s")},
        {"autoscaler": AutoscalerProfile(scan_interval="30s")},
        ["in_place autoscaler.scan_interval"],
    ),
    "a pool is no part of the cluster, but a resource": ({}, {"pools": {"web": None}}, ["removes_nodes pools.web"]),
}


@pytest.mark.parametrize("title", EDITS)
def test_one_edit_is_few_changes(title: str) -> None:
    before, after, expected = EDITS[title]
    old, new = (Platform(name="dev", clusters={"weu": derive(CLUSTER, fields)}) for fields in (before, after))
    assert [f"{change.effect.value} {change.path.removeprefix('clusters.weu.')}" for change in diff(old, new).all] == expected


def test_the_values_are_those_of_the_part() -> None:
    old, new = (Platform(name="dev", clusters={"weu": derive(CLUSTER, fields)}) for fields in ({"logs": LOGS}, {}))
    assert {(str(change.old), change.new) for change in diff(old, new).all} == {(str({"workspace": ONE}), None)}

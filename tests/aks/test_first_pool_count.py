"""The count of an autoscaled first pool: declared for a new cluster, recorded while its request is the same, and else that of Azure."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nodepools import AksClusterArgs, Autoscale, Platform, SystemPool, testing
from nodepools.aks import first_pool_count

COMPONENT = "urn:pulumi:dev::nodepools::nodepools:index:AksCluster::dev-weu"
CLUSTER = "urn:pulumi:dev::nodepools::nodepools:index:AksCluster$azure-native:containerservice:ManagedCluster::dev-weu"
CALLS = {"azure-native:containerservice:getAgentPool": lambda _: {"count": 5}}
Run = Callable[..., Mapping[str, Any]]


@pytest.fixture
def deployed(monkeypatch: pytest.MonkeyPatch) -> Run:
    """The inputs of the cluster, and its record, after a run with these outputs in the state."""

    def run(state: Mapping[str, object], **tags: str) -> Mapping[str, Any]:
        monkeypatch.setattr(first_pool_count, "read_state", lambda: {urn: {"outputs": outputs} for urn, outputs in state.items()})
        pool = SystemPool(vm_size="Standard_D4ds_v5", count=3, scale=Autoscale(3, 6))
        cluster = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=pool, tags=tags)
        graph = testing.run(Platform(name="dev", clusters={"weu": cluster}), calls=CALLS)
        [profile] = graph.one("ManagedCluster/dev-weu").inputs["agentPoolProfiles"]
        return {"count": profile["count"], "record": graph.one("AksCluster/dev-weu").outputs[first_pool_count.RECORD]}

    return run


def listed(count: int) -> dict[str, object]:
    return {"agentPoolProfiles": [{"name": "system", "count": float(count)}]}


def test_a_new_cluster_has_the_declared_count(deployed: Run) -> None:
    first = deployed({})
    assert (first["count"], first["record"]["count"], first["record"]["pools"]) == (3, 3, "system=3")


def test_the_same_request_has_the_recorded_count(deployed: Run) -> None:
    record = deployed({})["record"]
    assert deployed({CLUSTER: listed(3), COMPONENT: {first_pool_count.RECORD: record}})["count"] == 3


@pytest.mark.parametrize("change", ["tags", "refresh", "no record"])
def test_another_request_has_the_count_of_azure(deployed: Run, change: str) -> None:
    record = deployed({})["record"] if change != "no record" else {}
    state = {CLUSTER: listed(5 if change == "refresh" else 3), COMPONENT: {first_pool_count.RECORD: record}}
    assert deployed(state, **({"team": "web"} if change == "tags" else {}))["count"] == 5

"""A cluster that is sent with another version of the API: created, updated, and moved to another version and back without a replacement."""

import pytest

from tests.pulumi.cloud_copies import Clouds

STACK = """from nodepools import *; from nodepools.aks import *; from nodepools.eks import *

PLATFORM = Platform(name="dev", tags={{"team": "{team}"}}, clusters={{"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", entra=None, protect=False, api_version={version}, subscription_id={subscription},
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, scale=Autoscale(3, 6)),
    maintenance=Weekly(days="sun", start="02:00", hours=6, tz="UTC"),
    pools={{"web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(1, 5), artifact_streaming={streaming})}},
)}})
"""
SUBSCRIPTIONS = {"of the stack": None, "of the cluster": "00000000-0000-0000-0000-000000000000"}
CLUSTER, POOL = "/managedClusters/dev-weu", "/managedClusters/dev-weu/agentPools/web"


def stack(version: str | None, subscription: str | None, *, team: str = "web", streaming: bool | None = None) -> str:
    return STACK.format(version=repr(version), subscription=repr(subscription), team=team, streaming=streaming)


@pytest.mark.parametrize("subscription", SUBSCRIPTIONS.values(), ids=list(SUBSCRIPTIONS))
def test_a_version_is_changed_both_ways_without_a_replacement(empty_clouds: Clouds, subscription: str | None) -> None:
    def applied(version: str | None, **edits: object) -> list[str]:
        text = stack(version, subscription, **edits)  # pyright: ignore[reportArgumentType]  # of the test
        run = empty_clouds.up(text)
        assert not run.failed, run.output
        assert empty_clouds.up(text).done == ()
        return [str(one) for one in run.done]

    assert "create ManagedCluster/dev-weu" in applied(None)
    for version in ("2026-03-01", "2026-05-01", None, "2026-05-01"):
        done = applied(version)
        assert not [one for one in done if not one.partition("/")[2].endswith("-containerservice")], (version, done)
    assert any(one.startswith("update ManagedCluster/") for one in applied("2026-05-01", team="shop"))
    assert any(one.startswith("update AgentPool/") for one in applied("2026-05-01", team="shop", streaming=True))
    assert empty_clouds.in_cloud(CLUSTER)["tags"]["team"] == "shop"
    empty_clouds.destroy()

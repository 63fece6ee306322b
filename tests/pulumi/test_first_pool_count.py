"""An autoscaled first pool keeps its number of nodes, whatever changes its cluster; nothing is updated because the autoscaler moved."""

import pytest

from tests.pulumi.cloud_copies import Clouds

STACK = """from nodepools import *; from nodepools.aks import *; from nodepools.eks import *

PLATFORM = Platform(name="dev", tags={tags}, clusters={{"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", entra=None, protect=False,
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, scale=Autoscale(3, 6)), pools={pools},
)}})
"""
CLUSTER, POOL = "ManagedCluster/dev-weu", "/managedClusters/dev-weu/agentPools/system"
OTHERS = {"alone": "{}", "with another pool": '{"web": UserPool(name="web", vm_size="Standard_D4ds_v5", scale=Autoscale(1, 5))}'}


def stack(others: str, **tags: str) -> str:
    return STACK.format(tags=tags, pools=OTHERS[others])


def counted(clouds: Clouds) -> int:
    return clouds.in_cloud(POOL)["count"]


@pytest.mark.parametrize("others", OTHERS)
def test_the_count_stays(empty_clouds: Clouds, others: str) -> None:
    first, second = stack(others), stack(others, team="web")
    assert not empty_clouds.up(first).failed
    assert (counted(empty_clouds), empty_clouds.up(first).done) == (3, ())

    empty_clouds.set_in_cloud(POOL, count=5)
    assert empty_clouds.differing(first) == {}
    assert empty_clouds.up(first).done == ()

    shown = empty_clouds.differing(second)
    assert {path.partition(".")[0] for path in shown[CLUSTER]} == {"tags", "agentPoolProfiles[0]"}
    assert not empty_clouds.up(second).failed
    assert counted(empty_clouds) == 5
    assert empty_clouds.differing(second) == {}
    assert empty_clouds.up(second).done == ()


@pytest.mark.parametrize("others", OTHERS)
def test_the_count_stays_after_a_refresh(empty_clouds: Clouds, others: str) -> None:
    first, second = stack(others), stack(others, team="web")
    assert not empty_clouds.up(first).failed
    empty_clouds.set_in_cloud(POOL, count=5)
    empty_clouds.refresh()
    empty_clouds.set_in_cloud(POOL, count=6 if others == "with another pool" else 5)  # with another pool, the cluster is updated once, as documented
    assert empty_clouds.differing(first) == ({} if others == "alone" else {CLUSTER: ["agentPoolProfiles[0].count", "agentPoolProfiles[1]"]})
    assert not empty_clouds.up(first).failed
    before = counted(empty_clouds)
    assert (before, empty_clouds.up(first).done) == (5 if others == "alone" else 6, ())
    assert not empty_clouds.up(second).failed
    assert counted(empty_clouds) == before
    empty_clouds.destroy()

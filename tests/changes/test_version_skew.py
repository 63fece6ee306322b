"""A control plane is upgraded before its pools: how far behind they may be then."""

import pytest

from nodepools.changes.platform_changes import request_set_changes
from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, CLUSTER, EKS_CLUSTER, NODE_GROUP, POOL, Address, Request, Requests, ResourceName
from nodepools.wire.aks.agent_pool import POOL as POOL_TABLE
from nodepools.wire.aks.cluster import CLUSTER as AKS_TABLE
from nodepools.wire.eks.cluster import CLUSTER as EKS_TABLE
from nodepools.wire.eks.terraform import NODE_GROUPS

PLANE = 36


def aks(plane, pool, first=PLANE):
    return {"kubernetesVersion": plane, "agentPoolProfiles": [{"name": "system", "orchestratorVersion": f"1.{first}"}]}, {"orchestratorVersion": pool}


def of_aks(plane, minor):
    return aks(plane, f"1.{minor}.2")


def inside_aks(plane, minor):
    return aks(plane, f"1.{PLANE}", minor)


def of_eks(plane, minor):
    return {"version": plane}, {"version": f"1.{minor}"}


TABLES = {of_eks: (EKS_CLUSTER, EKS_TABLE, NODE_GROUP, NODE_GROUPS)}
AKS_TABLES = (AKS_CLUSTER, AKS_TABLE, AGENT_POOL, POOL_TABLE)


def side(form, plane, minor):
    cluster_type, clusters, pool_type, pools = TABLES.get(form, AKS_TABLES)
    cluster, pool = form(plane, minor)
    return Requests(
        (
            Request(("shop", CLUSTER, ""), "shop", (Address("c"),), ResourceName(cluster_type, "c"), clusters, cluster),
            Request(("shop", POOL, "web"), "shop/web", (Address("p"),), ResourceName(pool_type, "p"), pools, pool),
        )
    )


@pytest.mark.parametrize("raised", [False, True], ids=["the pool stays", "the pool is raised after it"])
@pytest.mark.parametrize(
    ("form", "effects"),
    [
        (of_aks, ["in_place", "in_place", "in_place", "unknown", "refused", "refused"]),
        (inside_aks, ["in_place", "in_place", "in_place", "unknown", "refused", "refused"]),
        (of_eks, ["in_place", "in_place", "unknown", "unknown", "unknown", "unknown"]),
    ],
)
def test_pools_that_are_far_behind_hold_the_control_plane(form, effects, raised):
    """By the minor versions that a pool is behind the new control plane. Its version before the change counts: the control plane comes first."""
    for behind, effect in enumerate(effects):
        minor = PLANE - behind
        old, new = side(form, f"1.{PLANE - 1}", minor), side(form, f"1.{PLANE}", minor + (raised and behind > 0))
        [plane] = [one for one in request_set_changes(old, new).all if one.at == "shop"]
        assert plane.effect.value == effect, (behind, plane)
        assert (f"would be {behind} minor versions behind" in plane.message) == (effect != "in_place")


@pytest.mark.parametrize("unknown", [None, "latest"])
def test_versions_that_are_not_known_hold_nothing(unknown):
    old, new = (side(lambda plane, _: aks(plane, unknown, PLANE), plane, 0) for plane in ("1.35", "1.36"))
    [plane] = request_set_changes(old, new).all
    assert plane.effect.value == "in_place"

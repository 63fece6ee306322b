"""What is certain to be allocatable on nodes of AKS: docs/facts/capacity.md § 5."""

import pytest

from nodepools import AksClusterArgs, SystemPool, UserPool
from nodepools.clouds.aks.pools import aks_cloud
from nodepools.clouds.registry import cloud_of
from nodepools.placement.allocatable import agent_pool_offers, provisioned_offers

GIB = 1024**3 * 1000
DAEMONS_CPU, DAEMONS_MIB = 600, 1024


def mib(bounds):
    return bounds.least * 1024 // GIB


@pytest.mark.parametrize(
    ("cpu", "reserved"),
    [
        pytest.param(1, 60, id="6 % of the first vCPU"),
        pytest.param(2, 100, id="4 % of the second"),
        pytest.param(4, 140, id="2 % of the third and fourth"),
        pytest.param(8, 180, id="1 % of the others"),
        pytest.param(64, 740, id="many"),
    ],
)
def test_cpu_that_the_kubelet_reserves(cpu, reserved):
    for offers in (agent_pool_offers(cpu, 64, max_pods=30, minor=35), provisioned_offers(cpu, 64)):
        assert offers["cpu"].least == max(cpu * 1000 - reserved - DAEMONS_CPU, 0)
    assert agent_pool_offers(cpu, 64, max_pods=30, minor=35)["cpu"].most == cpu * 1000 - reserved
    assert provisioned_offers(cpu, 64)["cpu"].most == cpu * 1000, "it counts against limits"


@pytest.mark.parametrize(
    ("gib", "pods", "minor", "left"),
    [
        pytest.param(16, 30, 29, 0.94 * 16384 - (20 * 30 + 50) * 1.05 - 100, id="by the maximum number of pods"),
        pytest.param(16, 250, 35, 0.94 * 16384 - 0.25 * 16384 * 1.05 - 100, id="250 pods: a quarter of a small node"),
        pytest.param(64, 250, 35, 0.94 * 65536 - 5050 * 1.05 - 100, id="250 pods: 5,050 MB of a large one"),
        pytest.param(4, 30, 28, 0.94 * 4096 - 1024 - 750, id="before 1.29: a quarter of the first 4 GiB"),
        pytest.param(8, 30, 28, 0.94 * 8192 - 1843.2 - 750, id="before 1.29: a fifth of the next 4"),
        pytest.param(256, 30, 28, 0.94 * 262144 - (1 + 0.8 + 0.8 + 6.72 + 2.56) * 1024 - 750, id="before 1.29: 2 % above 128 GiB"),
        pytest.param(16, 30, None, 0.94 * 16384 - 2.6 * 1024 - 750, id="the version of a snapshot is not known: the smaller figure"),
    ],
)
def test_memory_that_the_kubelet_leaves(gib, pods, minor, left):
    offers = agent_pool_offers(4, gib, max_pods=pods, minor=minor)["memory"]
    assert mib(offers) == int(left - DAEMONS_MIB)
    assert gib * GIB * (0.74 if minor is not None and minor >= 29 else 1) <= offers.most <= gib * GIB
    windows = agent_pool_offers(4, gib, max_pods=pods, minor=minor, windows=True)["memory"]
    assert mib(windows) == max(int(left - DAEMONS_MIB - 2048), 0)


@pytest.mark.parametrize(
    ("gib", "seen", "allocatable"),
    [pytest.param(4, 3931, 2157, id="4 GiB: the kernel sees 3931Mi"), pytest.param(16, 16019, 16019 - 2662 - 750, id="16 GiB: it sees 16019Mi")],
)
def test_real_nodes_before_1_29_have_more_than_what_is_certain(gib, seen, allocatable):
    least = mib(agent_pool_offers(4, gib, max_pods=110, minor=28)["memory"]) + DAEMONS_MIB
    assert gib * 1024 * 0.94 <= seen
    assert allocatable - 0.04 * gib * 1024 < least <= allocatable


@pytest.mark.parametrize(
    ("gib", "left"),
    [
        pytest.param(8, 0.925 * 8192 - 1843.2 - 750, id="Karpenter's plan: it reserves by the old formula, whatever the version"),
        pytest.param(
            128, min(0.925 * 131072 - (2.6 + 6.72) * 1024 - 750, 0.94 * 131072 - 0.25 * 131072 * 1.05 - 100), id="the node, with any number of pods"
        ),
    ],
)
def test_memory_of_provisioned_nodes(gib, left):
    assert mib(provisioned_offers(4, gib)["memory"]) == int(left - DAEMONS_MIB)


def test_what_is_not_known_of_a_size_stays_unknown():
    for offers in (agent_pool_offers(None, None, max_pods=30, minor=35), provisioned_offers(None, None)):
        assert (offers["cpu"].most, offers["memory"].most) == (None, None)


def test_a_small_node_has_nothing_that_is_certain():
    assert agent_pool_offers(1, 1, max_pods=250, minor=35)["memory"].least == 0


@pytest.mark.parametrize(
    ("fields", "pods", "minor"),
    [
        pytest.param({}, 250, 35, id="the cluster's version and overlay's default"),
        pytest.param({"max_pods": 30, "kubernetes_version": "1.28"}, 30, 28, id="its own"),
        pytest.param({"snapshot_id": "/snapshots/a"}, 250, None, id="a snapshot"),
    ],
)
def test_the_version_and_the_pods_of_a_pool_decide(fields, pods, minor):
    pool = UserPool(vm_size="Standard_D4ds_v5", count=1, **fields)
    cluster = AksClusterArgs(
        location="westeurope", kubernetes_version="1.35.1", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=1), pools={"web": pool}
    )
    [web] = [place for place in cloud_of(cluster).pools("c", "c").static if place.address == "c/web"]
    assert web.offers["memory"] == agent_pool_offers(4, 16, max_pods=pods, minor=minor)["memory"]


def test_node_auto_provisioning_uses_karpenter_s_formula():
    [size] = [machine for machine in aks_cloud().index.machines if machine.name == "Standard_D4ds_v5"]
    assert size.offers["memory"] == provisioned_offers(4, 16)["memory"]

"""Pools by their address."""

import pytest

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNetworkArgs,
    EksNodePool,
    Platform,
    SystemPool,
    UserPool,
    keys,
    testing,
)

SMALL, LARGE = "Standard_D2ds_v5", "Standard_D4ds_v5"


def aks(second_octet, **pools):
    return AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        network=AksNetworkArgs(cidr=f"10.{second_octet}.0.0/16"),
        system_pool=SystemPool(vm_size=LARGE, count=3),
        pools=pools,
    )


PLATFORM = Platform(
    name="qa",
    clusters={
        "weu": aks(64, web=UserPool(vm_size=LARGE, scale=Autoscale(1, 3), previous=UserPool(vm_size=SMALL, scale=Autoscale(1, 3)))),
        "sea": aks(112, old=UserPool(vm_size=SMALL, name="agentpool", labeled=False)),
        "neu": aks(80, web=UserPool(vm_size=SMALL, scale=Autoscale(1, 3)), batch=UserPool(vm_size=SMALL, count=2)),
        "use1": EksClusterArgs(
            region="us-east-1",
            kubernetes_version="1.35",
            network=EksNetworkArgs(cidr="10.96.0.0/16"),
            auto_mode=AutoMode(node_pools={"compute": EksNodePool(requirements=[keys.eks.arch.one_of("amd64")], limits={"cpu": 10})}),
        ),
    },
)


@pytest.fixture(scope="module")
def graph():
    return testing.run(PLATFORM)


FOUND = [
    pytest.param("weu/web", "AgentPool/qa-weu-web", id="an agent pool, and not the generation that goes"),
    pytest.param("qa-neu/web", "AgentPool/qa-neu-web", id="the whole name of the cluster"),
    pytest.param("batch", "AgentPool/qa-neu-batch", id="alone where one has that name"),
    pytest.param("sea/agentpool", "AgentPool/qa-sea-agentpool", id="a pool without the label, by its name in Azure"),
    pytest.param("use1/compute", "NodePool/qa-use1-compute", id="a NodePool"),
]


@pytest.mark.parametrize(("address", "label"), FOUND)
def test_a_pool_is_found_by_its_address(graph, address, label):
    assert graph.pool(address).display_name.startswith(label)


def test_the_pool_that_is_is_found_while_another_goes(graph):
    assert len(graph.one("AksCluster/weu").all("AgentPool")) == 2
    assert graph.pool("weu/web").inputs["vmSize"] == LARGE


REFUSED = [
    pytest.param("web", "`web` matches 2 pools: qa-neu/web, qa-weu/web", id="two have that name"),
    pytest.param("weu/wbe", "pool `weu/wbe` not found; closest: qa-weu/web, qa-neu/web, qa-neu/batch", id="misspelt"),
    pytest.param(
        "xyz/zzzzzzz",
        "pool `xyz/zzzzzzz` not found; available: qa-neu/batch, qa-neu/web, qa-sea/agentpool, qa-use1/compute, qa-weu/web",
        id="like none that is there",
    ),
]


@pytest.mark.parametrize(("address", "said"), REFUSED)
def test_what_is_said_of_an_address_that_is_none(graph, address, said):
    with pytest.raises(testing.NoSuchResourceError) as refused:
        graph.pool(address)
    assert str(refused.value) == said


def test_where_the_first_pool_of_a_cluster_stands_is_said(graph):
    with pytest.raises(AssertionError, match=r'is part of the inputs of its ManagedCluster: `inputs.at\("agentPoolProfiles", 0\)`$'):
        graph.pool("weu/system")
    assert graph.one("ManagedCluster/weu").inputs.at("agentPoolProfiles", 0, "name") == "system"


def test_where_there_are_no_pools_it_is_said(thing):
    with pytest.raises(AssertionError, match="pool `web` not found; available: none"):
        testing.run(lambda: thing("a")).pool("web")

"""What every cluster answers about its pools, whichever cloud it is in."""

import pytest

from nodepools.clouds.registry import cloud_of
from nodepools.model.aks.agent_pool import Autoscale, UserPool
from nodepools.model.derive import derive
from nodepools.model.values import replace
from nodepools.placement.explain import explain
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import with_counts
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, eks, eks_pool, provisioning

SCALED = {"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 3))}
NAP = derive(provisioning({"batch": aks_pool()}), pools=SCALED)
AUTO = derive(eks(), auto_mode={"node_pools": {"batch": eks_pool()}})

CLUSTERS = {
    "AKS without NodePools": (aks(pools=SCALED), ["system", "web"], (), ()),
    "AKS with node auto provisioning": (NAP, ["system", "web", "batch"], ("default", "system-surge"), ("web",)),
    "EKS": (AUTO, ["batch"], tuple(AUTO.auto_mode.built_in_node_pools), ()),
}


@pytest.mark.parametrize(("cluster", "declared", "built_in", "next_to_karpenter"), CLUSTERS.values(), ids=CLUSTERS)
def test_a_cluster_names_its_pools(cluster, declared, built_in, next_to_karpenter):
    assert [key for _, key, _ in cluster.declared_pools()] == declared
    assert cluster.built_in_node_pools == built_in
    assert dict(cluster.node_classes) == {}
    assert cloud_of(cluster).autoscaled_next_to_karpenter == set(next_to_karpenter)


def test_names_of_agent_pools_change_and_names_of_node_pools_do_not():
    assert set(cloud_of(NAP).changing_names.values()) >= {"web"}
    assert cloud_of(AUTO).changing_names == {}


def fitting(cluster, **selector):
    pod = {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"nodeSelector": selector, "containers": [{"name": "c"}]}}
    [answer] = explain(list(read_workloads(pod)), [cloud_of(cluster).pools("c", "c")])
    return {pool.pool.removeprefix("c/"): pool.verdict.value for pool in answer.pools}


REGION, ZONE, TYPE = "topology.kubernetes.io/region", "topology.kubernetes.io/zone", "node.kubernetes.io/instance-type"


@pytest.mark.parametrize("selector", [{REGION: "westeurope"}, {ZONE: "westeurope-1"}, {ZONE: "WestEurope-1"}, {REGION: "WestEurope"}])
@pytest.mark.parametrize("location", ["West Europe", "WestEurope"])
def test_the_spelling_of_a_location_decides_nothing(location, selector):
    cluster = derive(NAP, pools={"web": UserPool(vm_size=SIZE, count=3, zones=[1])})
    found = fitting(cluster, **selector)
    assert fitting(derive(cluster, location=location), **selector) == found
    assert (found["web"], found["batch"]) == (("fits", "fits") if {*selector.values()} <= {"westeurope", "westeurope-1"} else ("cannot", "cannot"))


@pytest.mark.parametrize(
    ("declared", "asked", "verdict"),
    [
        (SIZE, SIZE, "fits"),
        (SIZE.lower(), SIZE, "unknown"),
        (SIZE.lower(), SIZE.lower(), "unknown"),
        (SIZE.lower(), "Standard_D4ds_v4", "cannot"),
        (SIZE, SIZE.lower(), "cannot"),
    ],
)
def test_the_label_of_a_size_in_another_case_is_not_known(declared, asked, verdict):
    cluster = aks(pools={"web": UserPool(vm_size=declared, count=1)})
    assert fitting(cluster, **{TYPE: asked})["web"] == verdict
    assert fitting(cluster, **{"kubernetes.io/arch": "amd64"})["web"] == "fits"


def with_namesakes(name, **of_pools):
    """A cluster with the agent pool `web` and a NodePool."""
    agents = {"web": UserPool(vm_size=SIZE, count=1, labels={"of": "agents"}, zones=[1], **of_pools)}
    return cloud_of(derive(provisioning({name: aks_pool(labels={"of": "karpenter"})}), pools=agents)).pools("c", "c")


@pytest.mark.parametrize(("wanted", "expected"), [("agents", "1 of 2"), ("karpenter", "2 of 2")])
@pytest.mark.parametrize("name", ["other", "web"])
def test_a_node_pool_and_an_agent_pool_of_one_name_are_two_pools(name, wanted, expected):
    found = with_namesakes(name)
    pod = {"metadata": {"labels": {"app": "a"}}, "spec": {"nodeSelector": {"of": wanted}, "containers": [{"resources": {"requests": {"cpu": 3}}}]}}
    workloads = list(read_workloads({"kind": "Deployment", "metadata": {"name": "d"}, "spec": {"replicas": 2, "template": pod}}))
    [explained] = with_counts(explain(workloads, [found]), [found])
    assert str(explained.count) == expected
    assert {"c/web", "c/nodepool/web" if name == "web" else "c/other"} <= {pool.pool for pool in explained.answer.pools}


def test_overrides_of_an_agent_pool_are_known_next_to_a_node_pool_of_its_name():
    found = with_namesakes("web", overrides={"count": 1})
    assert found.overridden == {"c/web": ("count",), "c/nodepool/web": ("count",)}
    assert replace(found, unsure={"c/web": "why"}).unsure == {"c/web": "why"}  # its NodePool has an address of its own by now

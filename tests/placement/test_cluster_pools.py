"""What every cluster answers about its pools, whichever cloud it is in."""

import pytest

from nodepools.clouds.registry import cloud_of
from nodepools.model.aks.agent_pool import Autoscale, UserPool
from nodepools.model.derive import derive
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

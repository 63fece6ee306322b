"""Clusters of other programs as declarations: what is known of them, with nothing that only components add."""

from collections.abc import Mapping
from typing import cast

import pytest

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.ref import is_output
from nodepools.model.unknowns import UNKNOWN
from nodepools.resources.raw_clusters import raw_clusters
from nodepools.resources.resource import Resource
from nodepools.rules.engine.samples import SIZE

PROFILE = {"name": "system", "mode": "System", "count": 3, "vmSize": SIZE, "vnetSubnetID": UNKNOWN}
AKS: Mapping[str, object] = {
    "resourceName": "weu",
    "location": "westeurope",
    "kubernetesVersion": "1.35",
    "networkProfile": {"networkPlugin": "azure", "networkPluginMode": "overlay"},
    "agentPoolProfiles": [PROFILE],
}
EKS: Mapping[str, object] = {
    "name": "use1",
    "version": "1.35",
    "region": "us-east-1",
    "computeConfig": {"enabled": True, "nodePools": ["general-purpose"]},
    "kubernetesNetworkConfig": {"elasticLoadBalancing": {"enabled": True}},
    "storageConfig": {"blockStorage": {"enabled": True}},
    "vpcConfig": {"subnetIds": [UNKNOWN]},
}
PARTLY = "is read without what is not known here"
POOL: Mapping[str, object] = {"resourceName": "weu", "agentPoolName": "web", "vmSize": SIZE, "count": 1}


def cluster(inputs: Mapping[str, object] = AKS, kind: str = "azure-native:containerservice:ManagedCluster") -> Resource:
    return Resource("cluster", kind, "cluster", inputs)


def pool(inputs: Mapping[str, object] = POOL) -> Resource:
    return Resource("pool", "azure-native:containerservice:AgentPool", "pool", inputs)


def read(*resources: Resource) -> AksClusterArgs:
    return cast("AksClusterArgs", raw_clusters(resources).clusters["cluster"])


def test_an_aks_cluster_with_its_pools():
    found = read(cluster(), pool())
    assert (found.kubernetes_version, found.system_pool.count, found.pools["web"].vm_size) == ("1.35", 3, SIZE)
    assert raw_clusters([cluster(), pool()]).unread == ()


def test_what_only_components_add_is_not_there():
    found = read(cluster(), pool())
    assert (found.pools["web"].labeled, found.device_plugin) == (False, None)
    assert read(cluster(), pool({**POOL, "nodeLabels": {"nodepools/name": "web"}})).pools["web"].labeled
    use1 = cast("EksClusterArgs", raw_clusters([cluster(EKS, "aws:eks/cluster:Cluster")]).clusters["cluster"])
    assert (use1.objects.storage_class, use1.objects.ingress_class) == (None, None)


def test_an_unknown_id_is_an_unknown_output():
    assert is_output(getattr(read(cluster()).network, "subnet_id", None))


def test_the_cluster_can_be_declared_again():
    found = read(cluster(), pool())
    assert AksClusterArgs.model_validate({name: getattr(found, name) for name in found.model_fields_set}) == found


@pytest.mark.parametrize(
    ("resources", "urn", "told"),
    [
        pytest.param([cluster(), pool({**POOL, "vmSize": UNKNOWN})], "cluster", f"{PARTLY}: `pools.web.vm_size`", id="size"),
        pytest.param([cluster(), pool({**POOL, "count": UNKNOWN})], "cluster", f"{PARTLY}: `pools.web.count`", id="count"),
        pytest.param([pool()], "pool", "nodes are not known here: its cluster is not known", id="no cluster"),
        pytest.param([cluster(AKS | {"kubernetesVersion": UNKNOWN})], "cluster", "not known here: `kubernetes_version` is not known", id="version"),
        pytest.param([cluster(AKS | {"sku": {"tier": UNKNOWN}})], "cluster", f"{PARTLY}: `tier`", id="tier"),
        pytest.param([cluster({"name": "a"}, "aws:eks/cluster:Cluster")], "cluster", "it has no EKS Auto Mode", id="no Auto Mode"),
    ],
)
def test_what_is_not_known_is_said(resources: list[Resource], urn: str, told: str):
    unread = dict(raw_clusters(resources).unread)
    assert told in unread[urn]


def test_a_pool_with_an_unknown_size_is_no_pool():
    assert not read(cluster(), pool({**POOL, "vmSize": UNKNOWN})).pools

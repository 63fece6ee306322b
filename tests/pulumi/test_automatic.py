"""An Automatic cluster with hosted system nodes: created, unchanged by a second run, updated, refreshed and destroyed."""

from tests.pulumi.cloud_copies import Clouds

STACK = """from nodepools import *; from nodepools.aks import *; from nodepools.eks import *

PLATFORM = Platform(name="dev", clusters={{"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", entra=Entra(deployer_is_admin=False), protect=False, api_version="2026-05-01", apply="render",
    sku={sku!r}, hosted_system=True, network=ManagedAksNetwork(), network_profile={{"outbound_type": "managedNATGateway"}},
    node_provisioning=NodeProvisioning(), auto_upgrade="stable", node_os_upgrade="NodeImage", node_resource_group_restriction="ReadOnly",
    accepted_errors={{"AKS374": "the cloud decides"}}, tags={{"team": {team!r}}}, pools={pools},
)}})
"""
CLUSTER = "/managedClusters/dev-weu"


def stack(*, sku: str = "Automatic", team: str = "web", pools: str = "{}") -> str:
    return STACK.format(sku=sku, team=team, pools=pools)


def test_it_has_no_system_pool_of_its_own(empty_clouds: Clouds) -> None:
    made = empty_clouds.up(stack())
    assert not made.failed, made.output
    assert empty_clouds.up(stack()).done == ()
    there = empty_clouds.in_cloud(CLUSTER)
    assert there["hostedSystemProfile"] == {"enabled": True}
    assert there["sku"] == {"name": "Automatic", "tier": "Standard"}
    assert there["agentPoolProfiles"] == []
    pool = '{"jobs": UserPool(vm_size="Standard_D4ds_v5", count=1)}'
    edited = [str(one) for one in empty_clouds.up(stack(team="shop", pools=pool)).done]
    assert "update ManagedCluster/dev-weu" in edited
    assert [one for one in edited if one.startswith("create AgentPool/")]
    empty_clouds.refresh()  # Azure lists every pool in the cluster: it is updated once, as documented
    assert [str(one) for one in empty_clouds.up(stack(team="shop", pools=pool)).done] == ["update ManagedCluster/dev-weu"]
    assert empty_clouds.up(stack(team="shop", pools=pool)).done == ()
    empty_clouds.destroy()


def test_another_cluster_is_rejected(empty_clouds: Clouds) -> None:
    assert empty_clouds.up(stack(sku="Base")).failed == {"ManagedCluster/dev-weu"}

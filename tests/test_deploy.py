"""A whole platform, registered."""

import pulumi
import pytest

from nodepools import AksClusterArgs, AutoMode, DeclarationError, EksClusterArgs, Platform, SystemPool, Taint, UserPool, deploy, testing
from nodepools.component.errors import InvalidDeclarationError

AKS = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
    pools={"web": UserPool(vm_size="Standard_D4ds_v5", count=2)},
    tags={"environment": "own"},
)
EKS = EksClusterArgs(region="us-east-1", kubernetes_version="1.35", auto_mode=AutoMode())
TWO = Platform(name="two", clusters={"a": AKS, "b": EKS}, tags={"team": "core"})


@pytest.fixture(scope="module")
def graph():
    return testing.run(lambda: deploy(TWO))


def test_each_cluster_is_a_component_named_with_the_stem(graph):
    assert {node.name for node in graph.all("*Cluster/*") if node.is_component} == {"two-a", "two-b"}


def test_one_output_holds_all_clusters(graph):
    clusters = graph.outputs["clusters"]
    assert set(clusters) == {"a", "b"}
    assert all(set(cluster) == {"endpoint", "kubeconfig", "oidc_issuer", "pools"} for cluster in clusters.values())


def test_tags_say_platform_cluster_and_environment_and_the_clusters_own_win(graph):
    assert graph.one("ManagedCluster/*").inputs["tags"] == {"platform": "two", "cluster": "a", "environment": "own", "team": "core"}
    assert graph.one("Cluster/two-b").inputs["tags"] == {"platform": "two", "cluster": "b", "environment": "two", "team": "core"}


def test_a_faulty_platform_registers_nothing_and_tells_all_findings():
    faulty = Platform(
        name="bad",
        clusters={
            "a": AksClusterArgs(
                location="westeurope",
                kubernetes_version="1.35",
                system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=0, taints=[Taint("team", "a")]),
            )
        },
    )
    with pytest.raises(InvalidDeclarationError) as refused:
        testing.run(lambda: deploy(faulty))
    assert isinstance(refused.value, pulumi.RunError), "Pulumi shows the message alone"
    assert isinstance(refused.value, DeclarationError)
    assert {finding.path for finding in refused.value.findings} >= {"clusters.a.system_pool.taints[0]", "clusters.a.system_pool.count"}

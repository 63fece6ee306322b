"""Policies for AKS clusters."""

from nodepools.testing import Graph, Stacks


def test_application_pods_cannot_take_the_capacity_of_system_pools(graph: Graph) -> None:
    for cluster in graph.some("ManagedCluster"):
        assert "CriticalAddonsOnly=true:NoSchedule" in cluster.inputs.sequence("agentPoolProfiles", 0, "nodeTaints")


def test_every_agent_pool_has_the_tag_of_its_team(graph: Graph) -> None:
    for pool in graph.some("AgentPool"):
        assert pool.inputs.at("tags", "team") == "payments"


def test_production_survives_the_loss_of_an_azure_zone(stack_graph: Stacks) -> None:
    graph = stack_graph("prod")
    assert graph.one("ManagedCluster/weu").inputs.at("agentPoolProfiles", 0, "availabilityZones") == ["1", "2", "3"]
    for pool in graph.some("AgentPool"):
        assert pool.inputs["availabilityZones"] == ["1", "2", "3"]
        assert "spot" not in str(pool.inputs.get("scaleSetPriority")).lower()


def test_the_production_cluster_on_aks_is_protected_and_restricted(stack_graph: Stacks) -> None:
    cluster = stack_graph("prod").one("ManagedCluster/weu")
    assert cluster.protect
    assert cluster.inputs.at("apiServerAccessProfile", "authorizedIPRanges") == ["203.0.113.0/24"]

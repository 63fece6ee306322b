"""Policies for every stack."""

from pathlib import Path

import pytest
from nodepools import check, load
from nodepools.testing import Graph, Stacks

PROJECT = Path(__file__).parent.parent


@pytest.mark.parametrize("stack", ["dev", "prod"])
def test_nothing_is_wrong_with_the_declaration(stack: str) -> None:
    assert [str(finding) for finding in check(load(stack, PROJECT)) if finding.severity == "error"] == []


def test_applications_cannot_crowd_out_what_the_cluster_needs(graph: Graph) -> None:
    for cluster in graph.some("ManagedCluster"):
        assert "CriticalAddonsOnly=true:NoSchedule" in cluster.inputs.sequence("agentPoolProfiles", 0, "nodeTaints")


def test_every_pool_says_who_pays_for_it(graph: Graph) -> None:
    for pool in graph.some("AgentPool"):
        assert pool.inputs.at("tags", "team") == "payments"


def test_who_holds_a_kubeconfig_holds_a_secret(graph: Graph) -> None:
    assert graph.outputs.secret("kubeconfigs", "weu")
    assert graph.one("kubernetes/payments").secret("kubeconfig")


def test_the_worker_lands_on_its_pool(graph: Graph) -> None:
    pool = graph.pool("weu/worker").inputs
    pod = graph.one("Deployment/worker").inputs.mapping("spec", "template", "spec")
    labels = pool.mapping("nodeLabels")
    assert {key: labels.get(key) for key in pod.mapping("nodeSelector")} == pod["nodeSelector"]
    tolerated = {f"{one.text('key')}={one.text('value')}:{one.text('effect')}" for one in pod.mappings("tolerations")}
    assert set(pool.sequence("nodeTaints")) <= tolerated


def test_the_worker_comes_after_the_pools_and_goes_before_them(graph: Graph) -> None:
    assert graph.creates("Deployment/worker").after("AgentPool")
    assert graph.deletes("Deployment/worker").before("AgentPool")
    assert graph.deletes("Namespace").before("ManagedCluster")


def test_production_survives_the_loss_of_a_zone(stack_graph: Stacks) -> None:
    graph = stack_graph("prod")
    assert graph.one("ManagedCluster/weu").inputs.at("agentPoolProfiles", 0, "availabilityZones") == ["1", "2", "3"]
    for pool in graph.some("AgentPool"):
        assert pool.inputs["availabilityZones"] == ["1", "2", "3"]
        assert "spot" not in str(pool.inputs.get("scaleSetPriority")).lower()


def test_production_is_closed_and_guarded(stack_graph: Stacks) -> None:
    cluster = stack_graph("prod").one("ManagedCluster/weu")
    assert cluster.protect
    assert cluster.inputs.at("apiServerAccessProfile", "authorizedIPRanges") == ["203.0.113.0/24"]

"""What the program registers, with `nodepools.testing`: in which order, and with which inputs."""

import pytest
from nodepools.testing import Graph, Stacks


@pytest.fixture
def graph(stack_graph: Stacks) -> Graph:
    """The program of the stack dev."""
    return stack_graph("dev")


def test_the_release_comes_after_the_pools_and_goes_before_them(graph: Graph) -> None:
    assert graph.creates("Release/ingress").after("AgentPool")
    assert graph.deletes("Release/ingress").before("AgentPool")


def test_the_cluster_uses_the_network_the_registry_and_the_workspace(graph: Graph) -> None:
    made = [graph.one(name) for name in ("Subnet/nodes", "Registry/shop", "Workspace/shop")]
    assert graph.pool("shop/web").depends_on(made[0])
    assert all(any(one.depends_on(other) for one in graph.one("AksCluster/shop").all()) for other in made)


def test_the_kubeconfig_is_a_secret(graph: Graph) -> None:
    assert graph.outputs.secret("kubeconfig")

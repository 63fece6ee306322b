"""Policies of the payments team for every stack."""

from nodepools.testing import Graph


def test_who_holds_a_kubeconfig_holds_a_secret(graph: Graph) -> None:
    assert graph.outputs.secret("kubeconfig-weu")
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

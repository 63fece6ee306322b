"""Tests of the component on its own, with declarations for the test."""

import pytest
from nodepools import (
    AksClusterArgs,
    AutoMode,
    Autoscale,
    DeclarationError,
    EksClusterArgs,
    Platform,
    SystemPool,
    Taint,
    UserPool,
    testing,
)

from payments.cluster import PaymentsCluster

AKS = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
    pools={"worker": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(1, 3), taints=[Taint("team", "payments")])},
)


def registered(cluster: AksClusterArgs | EksClusterArgs) -> testing.Graph:
    platform = Platform(name="test", clusters={"one": cluster})
    return testing.run(lambda: PaymentsCluster(platform, "one", image="worker:1"))


def test_it_holds_a_cluster_and_a_worker() -> None:
    component = registered(AKS).one("PaymentsCluster/one")
    assert component.one("AksCluster/one").parent is component
    assert component.one("Deployment").inputs.at("spec", "template", "spec", "containers", 0, "image") == "worker:1"


def test_its_worker_is_in_its_namespace() -> None:
    graph = registered(AKS)
    assert graph.one("Deployment").depends_on("Namespace")
    assert graph.one("Deployment").provider is graph.one("kubernetes/payments")


def test_what_the_pool_keeps_off_the_worker_tolerates() -> None:
    [toleration] = registered(AKS).one("Deployment").inputs.sequence("spec", "template", "spec", "tolerations")
    assert toleration == {"key": "team", "operator": "Equal", "value": "payments", "effect": "NoSchedule"}


def test_a_cluster_of_another_cloud_is_refused() -> None:
    with pytest.raises(TypeError, match="payments run on AKS; one is a EksClusterArgs"):
        registered(EksClusterArgs(region="us-east-1", kubernetes_version="1.35", auto_mode=AutoMode()))


def test_a_faulty_declaration_is_refused_with_all_its_findings() -> None:
    pool = SystemPool(vm_size="Standard_D4ds_v5", count=3, taints=[Taint("team", "payments")])
    faulty = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=pool, pools=dict(AKS.pools))
    with pytest.raises(DeclarationError) as refused:
        registered(faulty)
    assert {finding.code for finding in refused.value.findings} == {"AKS014"}

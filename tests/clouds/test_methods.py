"""What both clouds answer that only the commands for people ask for."""

from datetime import UTC, datetime

import pytest

from nodepools import AksClusterArgs, EksClusterArgs, NodeProvisioning, SystemPool, UserPool
from nodepools.clouds.registry import cloud_of
from nodepools.model.platform import AnyCluster

AKS = AksClusterArgs(
    location="West Europe",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
    pools={"web": UserPool(vm_size="Standard_D4ds_v5", count=1)},
    node_provisioning=NodeProvisioning(),
)
EKS = EksClusterArgs(region="eu-central-1", kubernetes_version="1.35")


@pytest.mark.parametrize(
    ("cluster", "region", "shown", "pools", "tool", "command"),
    [
        pytest.param(AKS, ("Azure", "westeurope"), "AKS", ["system", "web", "default", "system-surge"], "az", "az aks show ", id="aks"),
        pytest.param(EKS, ("AWS", "eu-central-1"), "EKS", ["system", "general-purpose"], "aws", "aws eks describe-cluster ", id="eks"),
    ],
)
def test_a_cluster_is_described_for_people(
    cluster: AnyCluster, region: tuple[str, str], shown: str, pools: list[str], tool: str, command: str
) -> None:
    cloud = cloud_of(cluster)
    assert (cloud.region.cloud, cloud.region.name) == region
    assert cloud.row("c").cloud == shown
    assert sorted(row.pool for row in cloud.pool_rows("c")) == sorted(pools)
    assert cloud.prerequisites().tools[0] == tool
    assert next(iter(cloud.export_commands("dev-c", "live/c"))).startswith(command)


def test_only_aks_has_maintenance_windows() -> None:
    start, end = datetime(2026, 11, 28, tzinfo=UTC), datetime(2026, 11, 29, tzinfo=UTC)
    assert {one.cluster for one in cloud_of(AKS).maintenance("c", start, end)} == {"c"}
    assert list(cloud_of(EKS).maintenance("c", start, end)) == []

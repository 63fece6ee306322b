"""Self-managed Karpenter in a declared EKS cluster of a program: its NodePools are pools of the cluster, and select subnets of their own."""

import pytest

from nodepools import AutoMode, EksClusterArgs, Platform, derive
from nodepools.clouds.eks.cloud import nodes_of_others
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.eks.nodes_of_others import NodesOfOthers
from nodepools.clouds.prices import PriceList
from nodepools.clouds.registry import catalog, cluster_rows, pool_costs, pool_rows
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.unknowns import assembled, attach, attached_to
from nodepools.needs.platform_capacity import capacity
from tests.clouds.test_eks_self_managed import LINUX

LIMITED = LINUX.rstrip() + "\n  limits: {nodes: '3'}\n"


def platform(*groups: NodeGroup, built_in: bool = False) -> Platform:
    mode = AutoMode(built_in_node_pools=("system",) if built_in else ())
    use1 = assembled(EksClusterArgs(region="us-east-1", kubernetes_version="1.35", auto_mode=mode))
    pools = read_existing_pools([(LIMITED, "pools.yaml")]).provisioned
    attach(use1, NodesOfOthers(groups, pools, {"web": "it is new"}, {"web": ("default", {"subnetSelectorTerms": [{"id": "subnet-0a1"}]})}))
    return assembled(Platform(name="dev", clusters={"use1": derive(use1)}), clusters={"use1": use1})


def test_its_pools_are_pools_of_the_cluster() -> None:
    [found] = catalog(platform())
    assert ([one.address for one in found.provisioned], dict(found.unsure)) == (["use1/web"], {"use1/web": "it is new"})
    assert [row.pool for row in pool_rows(platform())] == ["web"]
    assert [cost.pool for cost in pool_costs(platform(), PriceList())] == ["use1/web"]


GROUP = NodeGroup(
    name="blue", cluster="dev-use1", region="us-east-1", ami_type="CUSTOM", least=1, desired=1, most=1, instance_types=("m6i.large",), subnets=("s",)
)


@pytest.mark.parametrize(
    ("built_in", "groups", "told"),
    [
        pytest.param(False, (), "self-managed Karpenter", id="alone"),
        pytest.param(False, (GROUP,), "node groups and self-managed Karpenter", id="with node groups"),
        pytest.param(True, (), "Auto Mode, built-in pools: system", id="next to Auto Mode"),
    ],
)
def test_what_launches_nodes(groups: tuple[NodeGroup, ...], told: str, *, built_in: bool) -> None:
    [row] = cluster_rows(platform(*groups, built_in=built_in))
    assert row.node_provisioning == told


def test_its_nodes_count_in_the_subnets_that_it_selects_and_in_those_of_node_groups() -> None:
    [found] = capacity(platform(GROUP))
    subnets = {item.name: item.sizes.maximum.minimum for item in found.items if item.what == "node_subnet"}
    assert subnets["subnets of default"] == 0
    assert {name for name in subnets if not name.startswith("zone ")} == {"subnets of default", "s"}
    assert any(item.what == "vcpus" for item in found.items)


def test_copies_keep_it_and_no_field_has_it() -> None:
    use1 = platform().clusters["use1"]
    assert nodes_of_others(derive(use1, kubernetes_version="1.36")) is nodes_of_others(use1) is attached_to(use1)
    declared = platform()
    upgraded = derive(declared, {"clusters": {"use1": {"kubernetes_version": "1.36"}}}).clusters["use1"]
    assert (upgraded.kubernetes_version, nodes_of_others(upgraded)) == ("1.36", nodes_of_others(declared.clusters["use1"]))
    assert nodes_of_others(assembled(use1)) is nodes_of_others(use1)
    assert "karpenter" not in use1.model_dump()
    assert nodes_of_others(platform()) is None

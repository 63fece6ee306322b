"""Node groups of others in a declared EKS cluster: their vCPUs and addresses count with those of its NodePools."""

from typing import Any

import pytest

from nodepools import AksClusterArgs, AutoMode, EksClusterArgs, EksNetworkArgs, ExistingEksNetwork, Platform, SystemPool
from nodepools.cli.command_run import CommandRun
from nodepools.cli.existing.cloud_exports import ExistingNode
from nodepools.cli.existing.undeclared_pools import note_share
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.eks.nodes_of_others import NodesOfOthers
from nodepools.clouds.item import ExistingStock, Item, Stock, SubnetStock
from nodepools.model.listing import saved
from nodepools.model.unknowns import assembled, attach
from nodepools.needs.platform_capacity import capacity
from nodepools.placement.coverage import EXPORT

SUBNET = SubnetStock("10.30.0.0/19", Stock(8187, 100))
OTHER = SubnetStock("10.99.0.0/24", Stock(251, 0))


def group(name: str = "blue", cluster: str = "dev-use1", **fields: Any) -> NodeGroup:
    known: dict[str, Any] = {"instance_types": ("m6i.large",), "least": 1, "desired": 3, "most": 4, "subnets": ("subnet-0a1",), **fields}
    return NodeGroup(name=name, cluster=cluster, region="us-east-1", ami_type="AL2023_x86_64_STANDARD", **known)


def platform(network: Any = None) -> Platform:
    declared = network if network is not None else EksNetworkArgs(cidr="10.30.0.0/16")
    system = SystemPool(vm_size="Standard_D2ds_v5", count=1)
    weu = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=system)
    use1 = EksClusterArgs(region="us-east-1", kubernetes_version="1.35", network=declared, auto_mode=AutoMode(built_in_node_pools=()))
    return Platform(name="dev", clusters={"use1": use1, "weu": weu})


def items(*groups: NodeGroup, network: Any = None, **subnets: SubnetStock) -> dict[tuple[str, str], Item]:
    existing = ExistingStock(subnets={name.replace("_", "-"): stock for name, stock in subnets.items()}, groups=groups)
    [found] = [one for one in capacity(platform(network), existing=existing) if one.cluster == "use1"]
    assert len({(item.what, item.name) for item in found.items}) == len(found.items)
    return {(item.what, item.name): item for item in found.items}


@pytest.mark.parametrize(
    ("groups", "what", "needs"),
    [
        pytest.param([group()], "vcpus", Amount(2, 8), id="1 to 4 nodes of 2 vCPUs"),
        pytest.param([group(), group("red", most=10)], "vcpus", Amount(4, 28), id="two groups together"),
        pytest.param([group(capacity_type="SPOT")], "spot_vcpus", Amount(2, 8), id="spot has its own quota"),
        pytest.param([group(instance_types=(), template="blue")], "vcpus", Amount(0, None), id="the launch template determines the type"),
        pytest.param([group(), group("red", cluster="shop", most=100)], "vcpus", Amount(2, 8), id="another cluster"),
    ],
)
def test_vcpus(groups: list[NodeGroup], what: str, needs: Amount) -> None:
    found = items(*groups)
    assert found[what, "Standard in us-east-1"].sizes.maximum == needs


def test_a_subnet_of_the_declaration_is_recognized_by_its_range() -> None:
    found = items(group(), subnet_0a1=SUBNET)
    zones = [item for (what, _), item in found.items() if what == "node_subnet"]
    assert ("node_subnet", "subnet-0a1") not in found
    assert sum(item.sizes.maximum.minimum > 0 for item in zones) == 1


@pytest.mark.parametrize("stock", [pytest.param({}, id="not exported"), pytest.param({"subnet_0a1": OTHER}, id="another range")])
def test_a_subnet_that_is_not_declared_is_an_item_of_its_own(stock: dict[str, SubnetStock]) -> None:
    item = items(group(), **stock)["node_subnet", "subnet-0a1"]
    assert (item.sizes.maximum.minimum, item.room) == (1, None if not stock else exactly(251))


def test_a_declared_subnet_has_the_nodes_of_both() -> None:
    network = ExistingEksNetwork(vpc_id="vpc-0a1", private_subnet_ids=["subnet-0a1", "subnet-0b2"])
    found = items(group(), network=network, subnet_0a1=OTHER)
    assert found["node_subnet", "subnet-0a1"].sizes.maximum.minimum == 1
    assert found["node_subnet", "subnet-0b2"].sizes.maximum.minimum == 0


PRINTS = "`aws ec2 describe-launch-template-versions --launch-template-name blue"
WITHOUT_NODES = (
    f"The answer covers 3 of 3 nodes, without nodes that Karpenter launched. Optional, to count what is missing: {saved(EXPORT, existing=True)}"
)
OF_GROUP, OF_RED, OF_POOL = ({"eks.amazonaws.com/nodegroup": "blue"}, {"eks.amazonaws.com/nodegroup": "red"}, {"karpenter.sh/nodepool": "compute"})


@pytest.mark.parametrize(
    ("groups", "nodes", "said"),
    [
        pytest.param([], [], [], id="nothing"),
        pytest.param([], [OF_POOL], [], id="nodes of the declaration"),
        pytest.param(
            [group()],
            [],
            [WITHOUT_NODES],
            id="no nodes",
        ),
        pytest.param([group()], [OF_GROUP, OF_POOL], ["The answer covers 2 of 2 nodes"], id="all of them"),
        pytest.param(
            [group()],
            [OF_GROUP, OF_RED],
            ["The answer covers 1 of 2 nodes; pools of 1 of them are not in the input, and can add more"],
            id="a node group that was not exported",
        ),
        pytest.param(
            [group(cluster="shop"), group("red", cluster="shop")],
            [],
            [],
            id="node groups of another cluster, which are a problem where they are read",
        ),
        pytest.param(
            [group(instance_types=(), template="blue", template_version="7")],
            [],
            [
                f"node group `blue`: its launch template `blue` determines the instance type: {PRINTS} --versions 7` prints it",
                WITHOUT_NODES,
            ],
            id="a launch template that was not exported",
        ),
    ],
)
def test_the_share_of_the_nodes(groups: list[NodeGroup], nodes: list[dict[str, str]], said: list[str]) -> None:
    run = CommandRun("capacity", "text")
    exported = [*(ExistingNode(labels, "nodes.yaml") for labels in nodes), ExistingNode(OF_RED, "claims.yaml", is_claim=True)]
    note_share(exported, [platform()], ExistingStock(groups=tuple(groups)), run)
    assert [note.message for note in run.notes] == said


def test_a_group_of_a_program_counts_once_and_as_exported() -> None:
    held = platform()
    attach(use1 := assembled(held.clusters["use1"]), NodesOfOthers((group(most=10), group("red"))))
    held = assembled(held, clusters={**held.clusters, "use1": use1})
    [found] = [one for one in capacity(held, existing=ExistingStock(groups=(group(),))) if one.cluster == "use1"]
    [vcpus] = [item for item in found.items if (item.what, item.name) == ("vcpus", "Standard in us-east-1")]
    assert vcpus.sizes.maximum == Amount(4, 16), "4 nodes of each"

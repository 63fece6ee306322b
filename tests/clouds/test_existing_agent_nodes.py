"""Agent pools of others in a declared AKS cluster: addresses, ports, nodes and vCPUs count with those of its own pools."""

from typing import Any

import pytest

from nodepools import AksClusterArgs, AutoMode, EksClusterArgs, Platform
from nodepools.cli.command_run import CommandRun
from nodepools.cli.existing.cloud_exports import ExistingNode
from nodepools.cli.existing.undeclared_pools import note_share
from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.item import ExistingStock, Item, Stock, SubnetStock
from nodepools.model.listing import saved
from nodepools.needs.platform_capacity import capacity
from nodepools.placement.coverage import EXPORT
from nodepools.wire.aks.generation import subnet_name
from tests.needs.declared import D2, FLAT, aks, system, user

VNET = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/dev-weu/subnets"
THEIRS = f"{VNET}/theirs"
FAMILY, CORES, SPOT = "standardDDSv5Family in westeurope", "cores in westeurope", "lowPriorityCores in westeurope"
EXISTING = {"kind": "ExistingAksNetwork", "subnet_id": THEIRS}


def others(name: str = "blue", **fields: Any) -> ExistingAgentPool:
    """3 nodes, autoscaled between 1 and 4, with one surge node, in the node subnet of the declaration."""
    known: dict[str, Any] = {
        "vm_sizes": (D2,),
        "count": 3,
        "least": 1,
        "most": 4,
        "is_autoscaled": True,
        "surge": "1",
        "node_subnet": f"{VNET}/nodes",
    }
    known |= {"cluster": "Dev-WEU", **fields}
    return ExistingAgentPool(name=name, **known)


def uncounted(**fields: Any) -> ExistingAgentPool:
    known: dict[str, Any] = {"vm_sizes": (), "count": 0, "least": 0, "most": 0, "surge": "", "is_counted": False, **fields}
    return others(**known)


def platform(cluster: AksClusterArgs) -> Platform:
    use1 = EksClusterArgs(region="us-east-1", kubernetes_version="1.35", auto_mode=AutoMode(built_in_node_pools=()))
    return Platform(name="dev", clusters={"weu": cluster, "use1": use1})


def items(cluster: AksClusterArgs, *pools: ExistingAgentPool, **subnets: SubnetStock) -> dict[tuple[str, str, str], Item]:
    known = {f"{VNET}/{name}".lower(): stock for name, stock in subnets.items()}
    [found] = [one for one in capacity(platform(cluster), existing=ExistingStock(subnets=known, agent_pools=pools)) if one.cluster == "weu"]
    assert len({(item.what, item.name, item.checked_by) for item in found.items}) == len(found.items)
    return {(item.what, item.name, item.checked_by): item for item in found.items}


@pytest.mark.parametrize(
    ("pools", "name", "server", "true_use"),
    [
        pytest.param([], CORES, exactly(2), exactly(4), id="none: one node of 2 vCPUs, and its surge node"),
        pytest.param([others()], CORES, exactly(8), exactly(12), id="3 nodes now, at most 4 and a surge node"),
        pytest.param([others()], FAMILY, exactly(8), exactly(12), id="the same family"),
        pytest.param([others(vm_sizes=("Standard_E4ds_v5",))], "standardEDSv5Family in westeurope", exactly(12), exactly(20), id="another family"),
        pytest.param([others(count=3, least=3, most=3)], CORES, exactly(8), exactly(10), id="a fixed number of nodes"),
        pytest.param([others(cluster="dev-neu")], CORES, exactly(2), exactly(4), id="another cluster"),
        pytest.param([others("system")], CORES, exactly(2), exactly(4), id="the first system pool, which is declared"),
        pytest.param([others(labels={"nodepools/name": "web"})], CORES, exactly(2), exactly(4), id="a generation of a declared pool"),
        pytest.param([others("aksmanagedap")], CORES, exactly(2), exactly(4), id="machines of AKS itself"),
        pytest.param([others(), others()], CORES, exactly(8), exactly(12), id="the same pool in two files"),
        pytest.param([others(spot=True)], SPOT, exactly(6), Amount(8, 10), id="spot nodes have their own quota, and possibly no surge"),
        pytest.param(
            [others(vm_sizes=("Standard_New",))], CORES, Amount(5, None), Amount(8, None), id="a size that no table has: a vCPU or more each"
        ),
        pytest.param([uncounted()], CORES, Amount(2, None), Amount(4, None), id="any number of nodes"),
        pytest.param([uncounted()], FAMILY, Amount(2, None), Amount(4, None), id="any number of nodes of any family"),
        pytest.param([others(vm_sizes=(D2, "Standard_D4ds_v5"))], FAMILY, Amount(8, 14), Amount(12, 22), id="two sizes of one family"),
        pytest.param(
            [others(vm_sizes=(D2, "Standard_E4ds_v5"))], FAMILY, Amount(2, 14), Amount(4, 22), id="a size of the family, and one of another"
        ),
        pytest.param([others(vm_sizes=("Standard_New",))], FAMILY, Amount(2, None), Amount(4, None), id="a size of an unknown family"),
        pytest.param(
            [others(count=0, least=0, most=0, is_stopped=True, once_started=4)],
            CORES,
            exactly(2),
            Amount(4, 12),
            id="a stopped pool can be started, and be upgraded then",
        ),
        pytest.param([others(surge="", unavailable="1")], CORES, exactly(8), exactly(12), id="no surge, but unavailable nodes"),
    ],
)
def test_vcpus(pools: list[ExistingAgentPool], name: str, server: Amount, true_use: Amount) -> None:
    found = items(aks(), *pools)
    what = "spot_vcpus" if name == SPOT else "vcpus"
    assert (found[what, name, "server"].needs, found[what, name, "true_use"].needs) == (server, true_use)


@pytest.mark.parametrize(
    ("pool", "minimum"),
    [
        pytest.param(others(), exactly(4), id="removed nodes are deleted"),
        pytest.param(others(keeps_machines=True), Amount(4, 10), id="machines that are stopped keep their vCPUs"),
        pytest.param(uncounted(), Amount(2, None), id="not known"),
    ],
)
def test_the_smallest_size(pool: ExistingAgentPool, minimum: Amount) -> None:
    assert items(aks(), pool)["vcpus", CORES, "server"].sizes.minimum == minimum


POD_SUBNET = "10.10.32.0/20"
WITH_PODS = aks(network_profile=FLAT, network={"pod_subnet_cidr": POD_SUBNET})
PODS = f"{VNET}/{subnet_name('pods', POD_SUBNET)}"


@pytest.mark.parametrize(
    ("cluster", "pool", "what", "name", "maximum"),
    [
        pytest.param(aks(), others(), "node_subnet", "nodes", exactly(5), id="a node takes an address of the subnet of the declaration"),
        pytest.param(aks(), others(node_subnet=THEIRS), "node_subnet", "nodes", exactly(1), id="nodes in another subnet are not in the declared one"),
        pytest.param(aks(), others(node_subnet=THEIRS), "node_subnet", THEIRS.lower(), exactly(4), id="that subnet is an item of its own"),
        pytest.param(aks(), others(node_subnet=""), "node_subnet", "nodes", Amount(1, 5), id="the subnet is not in the export"),
        pytest.param(
            aks(network={"pool_subnets": {"web": "10.10.64.0/24"}}, pools={"web": user()}),
            others(node_subnet=f"{VNET}/{subnet_name('web', '10.10.64.0/24')}"),
            "node_subnet",
            "web",
            exactly(5),
            id="the subnet of a declared pool",
        ),
        pytest.param(aks(network={"kind": "ManagedAksNetwork"}), others(node_subnet=""), "node_subnet", "managed", exactly(5), id="that of AKS"),
        pytest.param(aks(network=EXISTING), others(node_subnet=THEIRS.upper()), "node_subnet", THEIRS.lower(), exactly(5), id="an existing subnet"),
        pytest.param(aks(network_profile=FLAT), others(max_pods=50), "node_subnet", "nodes", exactly(29 + 4 * 49), id="with those of its pods"),
        pytest.param(aks(network_profile=FLAT), others(), "node_subnet", "nodes", exactly(29 * 5), id="with the default number of pods"),
        pytest.param(WITH_PODS, others(pod_subnet=PODS), "node_subnet", "nodes", exactly(5), id="pods have addresses of their own subnet"),
        pytest.param(WITH_PODS, others(pod_subnet=PODS), "pod_subnet", "pods", exactly(16 * 5), id="a node reserves 16 addresses for pods"),
        pytest.param(WITH_PODS, others(pod_subnet=f"{VNET}/p"), "pod_subnet", f"{VNET}/p".lower(), exactly(16 * 4), id="a pod subnet of its own"),
        pytest.param(WITH_PODS, others(pod_subnet=f"{VNET}/p"), "pod_subnet", "pods", exactly(16), id="it is not in the declared pod subnet then"),
        pytest.param(WITH_PODS, others(), "pod_subnet", "pods", exactly(16), id="pods in the subnet of the nodes"),
        pytest.param(aks(), others(), "pod_cidr", "pods", exactly(256 * 5), id="256 addresses of the pod CIDR for each node"),
    ],
)
def test_addresses(cluster: AksClusterArgs, pool: ExistingAgentPool, what: str, name: str, maximum: Amount) -> None:
    assert items(cluster, pool)[what, name, "server"].sizes.maximum == maximum


def test_a_subnet_of_others_has_the_room_that_was_exported() -> None:
    item = items(aks(), others(node_subnet=THEIRS), theirs=SubnetStock("10.10.99.0/29", Stock(3, 0)))["node_subnet", THEIRS.lower(), "server"]
    assert (item.room, item.verdict) == (exactly(3), "does_not_fit")


def test_static_pods_of_others_take_whole_blocks() -> None:
    item = items(WITH_PODS, others(pod_subnet=PODS, pod_ip_allocation="StaticBlock"))["pod_subnet", "pods", "true_use"]
    assert "in whole blocks of 16" in item.message


def test_the_planned_addresses_have_pods_of_others() -> None:
    without, found = items(aks(network_profile=FLAT)), items(aks(network_profile=FLAT), others())
    key = ("node_subnet", "nodes", "planning")
    assert found[key].needs == without[key].needs + exactly(5 * 31)


@pytest.mark.usefixtures("loop")
def test_the_id_of_a_declared_subnet_is_not_known() -> None:
    import pulumi

    cluster = aks(network={"kind": "ExistingAksNetwork", "subnet_id": pulumi.Output.from_input("later")})
    found = items(cluster, others(node_subnet=THEIRS))
    assert found["node_subnet", "subnets known after `pulumi up`", "server"].sizes.maximum == Amount(1, 5)
    assert found["node_subnet", THEIRS.lower(), "server"].sizes.maximum == exactly(4)


def test_ports_and_limits() -> None:
    cluster = aks(network_profile={"load_balancer": {"allocated_outbound_ports": 1000}}, system_pool=system(count=3))
    found = items(cluster, others())
    assert found["outbound_ports", "load_balancer", "server"].needs.minimum == (3 + 1 + 4 + 1) * 1000
    assert found["nodes", "cluster", "true_use"].needs == exactly(7)
    assert found["nodes", "blue (not declared)", "server"].needs == exactly(5)
    assert found["agent_pools", "cluster", "server"].message == "A cluster can have 100 agent pools; 1 is declared, 1 of others exists"
    assert found["pods", "cluster", "true_use"].needs == Amount(0, 7 * 250)
    assert items(cluster, others(max_pods=50))["pods", "cluster", "true_use"].needs == Amount(0, 3 * 250 + 4 * 50)
    shared = items(aks(), others(), uncounted(name="red"))
    assert shared["outbound_ports", "load_balancer", "planning"].needs == Amount(6, None)
    assert shared["agent_pools", "cluster", "server"].message == "A cluster can have 100 agent pools; 1 is declared, 2 of others exist"


OF_BLUE, OF_RED = ({"kubernetes.azure.com/agentpool": name} for name in ("blue", "red"))
OF_SYSTEM, OF_NAP = {"kubernetes.azure.com/agentpool": "system"}, {"karpenter.sh/nodepool": "x", "kubernetes.azure.com/agentpool": "x"}
UNCOUNTED = "the export does not contain how many nodes can exist, so what they need is unknown"


@pytest.mark.parametrize(
    ("pools", "nodes", "said"),
    [
        pytest.param([], [], [], id="nothing"),
        pytest.param([], [OF_SYSTEM, OF_NAP], [], id="nodes of the declaration"),
        pytest.param(
            [others()],
            [],
            [
                (
                    f"The answer covers 3 of 3 nodes, without nodes that Karpenter launched. "
                    f"Optional, to count what is missing: {saved(EXPORT, existing=True)}"
                )
            ],
            id="no nodes",
        ),
        pytest.param([others()], [OF_BLUE, OF_SYSTEM], ["The answer covers 2 of 2 nodes"], id="all of them"),
        pytest.param(
            [others()],
            [OF_BLUE, OF_RED],
            ["The answer covers 1 of 2 nodes; pools of 1 of them are not in the input, and can add more"],
            id="an agent pool that was not exported",
        ),
        pytest.param(
            [others(cluster="shop"), others("red", cluster="shop")],
            [],
            [],
            id="agent pools of another cluster, which are a problem where they are read",
        ),
        pytest.param(
            [uncounted()], [OF_BLUE], [f"agent pool `blue`: {UNCOUNTED}", "The answer covers 1 of 1 nodes"], id="a pool with any number of nodes"
        ),
        pytest.param(
            [uncounted(), uncounted(name="red")],
            [OF_BLUE],
            [f"agent pools `blue` and `red`: {UNCOUNTED}", "The answer covers 1 of 1 nodes"],
            id="two pools with any number of nodes",
        ),
    ],
)
def test_the_share_of_the_nodes(pools: list[ExistingAgentPool], nodes: list[dict[str, str]], said: list[str]) -> None:
    run = CommandRun("capacity", "text")
    note_share([ExistingNode(labels, "nodes.yaml") for labels in nodes], [platform(aks())], ExistingStock(agent_pools=tuple(pools)), run)
    assert [note.message for note in run.notes] == said

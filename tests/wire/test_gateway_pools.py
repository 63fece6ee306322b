"""Gateway pools, which forward the traffic of pods: what is sent, read and planned, and that no pod of users lands on them."""

import pytest

from nodepools import Platform, UserPool
from nodepools.changes.platform_changes import diff
from nodepools.clouds.aks.agent_pools import agent_nodes
from nodepools.clouds.aks.existing import _cannot  # pyright: ignore[reportPrivateUsage]  # why a pool cannot be declared
from nodepools.model.aks.agent_pool import GATEWAY_TAINT, AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.resources.aks_clusters import agent_pool
from nodepools.rules.engine.samples import SIZE, aks
from nodepools.wire.aks.agent_pool import POOL, AgentPoolContext
from nodepools.wire.aks.generation import pool_name
from nodepools.wire.reading import write

GATEWAYS = UserPool(vm_size=SIZE, count=2, gateway_prefix_size=30)
APPLICATIONS = UserPool(vm_size=SIZE, count=2)
AROUND = AgentPoolContext("out", "1.36", "/net/subnets/nodes")


def cluster(pool: AgentPool = GATEWAYS) -> AksClusterArgs:
    """A cluster with one pool next to that of the system."""
    return aks(pools={"out": pool}, network_profile={"static_egress_gateway": True})


def test_its_mode_and_its_prefix_are_sent_and_read() -> None:
    wire = write(POOL, GATEWAYS, AROUND)
    assert (wire["mode"], wire["gatewayProfile"], wire["nodeTaints"]) == ("Gateway", {"publicIPPrefixSize": 30}, [])
    found, _ = agent_pool(wire)
    assert isinstance(found, UserPool)
    assert (found.gateway_prefix_size, found.mode) == (30, "Gateway")
    assert write(POOL, APPLICATIONS, AROUND)["mode"] == "User"


def test_no_pod_lands_on_it_unless_it_tolerates_its_taint() -> None:
    [nodes] = agent_nodes("weu", cluster(), "out", GATEWAYS)
    assert nodes.taints == (GATEWAY_TAINT,)
    assert nodes.variants[0]["kubernetes.azure.com/mode"] == "gateway"
    assert not GATEWAYS.takes_ordinary_pods
    assert APPLICATIONS.takes_ordinary_pods


@pytest.mark.parametrize(
    ("pool", "effect"),
    [
        (UserPool(vm_size=SIZE, count=2, gateway_prefix_size=31), "rotates"),
        (APPLICATIONS, "rotates"),
        (UserPool(vm_size=SIZE, count=4, gateway_prefix_size=30), "in_place"),
    ],
    ids=["another prefix", "a pool for applications", "more nodes"],
)
def test_a_change_of_it_is_told(pool: AgentPool, effect: str) -> None:
    old, new = (Platform(name="dev", clusters={"weu": cluster(one)}) for one in (GATEWAYS, pool))
    assert {change.effect.value for change in diff(old, new).all} == {effect}
    assert (pool_name(cluster(), "out") == pool_name(cluster(pool), "out")) is (effect == "in_place")


@pytest.mark.parametrize(("mode", "declared"), [("Gateway", True), ("User", True), ("Machines", False)])
def test_one_that_exists_can_be_declared(mode: str, declared: bool) -> None:  # noqa: FBT001  # a column of the table
    assert (_cannot({"mode": mode}) is None) is declared

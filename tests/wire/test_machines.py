"""Pools of single virtual machines: several VM sizes in one pool, from the declaration to the request, the nodes, the quota and the cost."""

import pytest

from nodepools import Autoscale, Platform, UserPool
from nodepools.aks import Machines
from nodepools.changes.nodes import _agent_nodes  # pyright: ignore[reportPrivateUsage]  # the number of nodes of one request
from nodepools.changes.platform_changes import diff
from nodepools.clouds.aks.agent_pool_nodes import agent_nodes
from nodepools.clouds.aks.agent_pools import agent_nodes as places
from nodepools.clouds.aks.nodes import Provisioned, vcpu_uses
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.prices import ShippedPrices
from nodepools.clouds.registry import cloud_of
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.unknowns import UNKNOWN, partial, unread
from nodepools.placement.node_pools import ClusterPools
from nodepools.resources.aks_clusters import agent_pool
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks
from nodepools.wire.aks.agent_pool import POOL, AgentPoolContext
from nodepools.wire.aks.generation import pool_name
from nodepools.wire.reading import Reading, Why, read, write

LARGER, OTHER = "Standard_D8ds_v5", "Standard_E8ds_v5"
TWO = UserPool(vm_size=SIZE, count=3, machines=[Machines(LARGER, count=2)])
SCALED = UserPool(vm_size=SIZE, count=1, machines=[Machines(LARGER, scale=Autoscale(0, 4))])
AROUND = AgentPoolContext("web", "1.36", "/net/subnets/nodes")


def cluster(pool: AgentPool = TWO, **fields: object) -> AksClusterArgs:
    """A cluster with one pool of applications."""
    return aks(pools={"web": pool}, **fields)


@pytest.mark.parametrize(
    ("pool", "scale"),
    [
        (TWO, {"manual": [{"size": SIZE, "count": 3}, {"size": LARGER, "count": 2}]}),
        (SCALED, {"manual": [{"size": SIZE, "count": 1}], "autoscale": [{"size": LARGER, "minCount": 0, "maxCount": 4}]}),
        (UserPool(vm_size=SIZE, machines=[]), {"manual": [{"size": SIZE, "count": 1}]}),
    ],
    ids=["fixed", "autoscaled", "one size"],
)
def test_each_size_is_a_profile_and_is_read_back(pool: UserPool, scale: object) -> None:
    wire = write(POOL, pool, AROUND)
    assert (wire["type"], wire["virtualMachinesProfile"]) == ("VirtualMachines", {"scale": scale})
    assert wire.keys().isdisjoint({"vmSize", "count", "enableAutoScaling", "minCount", "maxCount"})
    reading = Reading()
    found = read(POOL, wire, reading)
    assert reading.left == []
    again = UserPool.model_validate({name: found[name] for name in ("vm_size", "count", "machines")})
    assert write(POOL, again, AROUND)["virtualMachinesProfile"] == wire["virtualMachinesProfile"]


@pytest.mark.parametrize(
    ("before", "after", "effect", "nodes"),
    [
        (TWO, UserPool(vm_size=SIZE, count=3, machines=[Machines(LARGER, count=1)]), "removes_nodes", exactly(1)),
        (TWO, UserPool(vm_size=SIZE, count=3, machines=[Machines("Standard_D16ds_v5", count=2)]), "removes_nodes", exactly(2)),
        (TWO, UserPool(vm_size=SIZE, count=5, machines=[]), "removes_nodes", exactly(2)),
        (TWO, UserPool(vm_size=SIZE, count=4, machines=[Machines(LARGER, count=2)]), "in_place", None),
        (TWO, UserPool(vm_size=SIZE, count=3, machines=[Machines(LARGER, count=2), Machines("Standard_D16ds_v5")]), "in_place", None),
        (TWO, UserPool(vm_size=SIZE, count=3, machines=[Machines(LARGER, scale=Autoscale(0, 4))]), "in_place", None),
        (SCALED, UserPool(vm_size=SIZE, count=1, machines=[Machines(LARGER, count=3)]), "removes_nodes", Amount(0, 1)),
        (SCALED, UserPool(vm_size=SIZE, count=1, machines=[]), "removes_nodes", Amount(0, 4)),
        (SCALED, UserPool(vm_size=SIZE, count=1, machines=[Machines(LARGER, count=4)]), "in_place", None),
    ],
)
def test_a_change_of_sizes_removes_the_nodes_of_a_size_that_gets_fewer(before: UserPool, after: UserPool, effect: str, nodes: Amount | None) -> None:
    old, new = (Platform(name="dev", clusters={"weu": cluster(pool, api_version="2026-05-01")}) for pool in (before, after))
    [change] = [one for one in diff(old, new).all if "machines" in one.steps]
    assert (change.effect.value, change.nodes) == (effect, nodes)


def test_a_scale_set_is_sent_as_ever() -> None:
    wire = write(POOL, UserPool(vm_size=SIZE), AROUND)
    assert (wire["type"], wire["vmSize"], wire["count"], wire["enableAutoScaling"]) == ("VirtualMachineScaleSets", SIZE, 1, False)


def test_machines_that_are_not_known_leave_the_profile_unknown() -> None:
    wire = write(POOL, partial(UserPool(vm_size=SIZE), ["machines"]), AROUND)
    assert (wire["virtualMachinesProfile"], wire["type"]) == (UNKNOWN, UNKNOWN)


def test_machines_of_a_size_that_is_not_known_are_unknown():
    """A plan can have it later."""
    assert write(POOL, partial(TWO, ["vm_size"]), AROUND)["virtualMachinesProfile"] is UNKNOWN


@pytest.mark.parametrize("profile", [{}, {"scale": {}}, {"scale": {"manual": [{"size": SIZE}]}}, "none", UNKNOWN])
def test_a_profile_that_cannot_be_read_is_listed(profile: object) -> None:
    reading = Reading()
    assert read(POOL, {"virtualMachinesProfile": profile}, reading)["machines"] is UNKNOWN
    assert [(one.steps, one.why) for one in reading.left] == [(("virtualMachinesProfile",), Why.UNREADABLE)]


@pytest.mark.parametrize(
    ("mode", "profile", "unknown"),
    [
        ("User", {"scale": {"manual": [{"size": SIZE, "count": 3}, {"size": LARGER, "count": 2}]}}, False),
        ("System", {"scale": {"manual": [{"size": SIZE, "count": 3}, {"size": LARGER, "count": 2}]}}, True),
        ("User", {"scale": {}}, True),
    ],
)
def test_the_pool_of_another_program_is_known_where_its_sizes_are(mode: str, profile: object, unknown: bool) -> None:  # noqa: FBT001  # a row
    pool, findings = agent_pool({"mode": mode, "osType": "Linux", "type": "VirtualMachines", "virtualMachinesProfile": profile})
    assert (findings, pool is not None and {"vm_size", "count"} <= unread(pool)) == ([], unknown)


def test_the_name_changes_with_the_type_alone() -> None:
    names = [pool_name(cluster(pool), "web") for pool in (UserPool(vm_size=SIZE), UserPool(vm_size=SIZE, machines=[]), TWO, SCALED)]
    assert len(set(names)) == 2
    assert names[1:] == [names[1]] * 3


def test_placement_has_the_nodes_of_each_size() -> None:
    found = list(places("weu", cluster(SCALED), "web", SCALED))
    assert [(one.address, one.size, one.min_nodes, one.max_nodes) for one in found] == [
        (f"weu/web ({SIZE})", SIZE, 1, 1),
        (f"weu/web ({LARGER})", LARGER, 0, 4),
    ]
    assert len({one.variants[0]["agentpool"] for one in found}) == 1
    previous = UserPool(vm_size=LARGER, previous=TWO)
    assert [one.address for one in places("weu", cluster(previous), "web", previous)] == [
        "weu/web",
        f"weu/web (previous) ({SIZE})",
        f"weu/web (previous) ({LARGER})",
    ]


def test_the_numbers_of_nodes_are_those_of_all_sizes() -> None:
    assert (TWO.fewest_nodes, TWO.most_nodes, SCALED.fewest_nodes, SCALED.most_nodes) == (5, 5, 1, 5)
    assert (TWO.is_autoscaled, SCALED.is_autoscaled) == (False, True)
    whole = next(nodes for nodes in agent_nodes(cluster()) if nodes.key == "web")
    assert (str(whole.created), [str(one.created) for one in whole.by_size]) == ("5", ["3", "2"])
    assert [one.surge.minimum for one in whole.by_size] == [0, 0]


def test_vcpus_are_counted_by_size() -> None:
    uses = list(vcpu_uses(cluster(), Provisioned(cluster(), ClusterPools(None)), []))
    created = {use.counter.name: str(use.needs) for use in uses if use.checked_by == "server"}
    assert created["cores"] == str(3 * 4 + 3 * 4 + 2 * 8)


def test_each_size_has_its_cost() -> None:
    found = [one for one in cloud_of(cluster()).costs("weu", "dev-weu", ShippedPrices()) if "web" in one.pool]
    assert [(one.pool, one.description.partition(" at ")[0]) for one in found] == [
        (f"weu/web ({SIZE})", f"3 x {SIZE}"),
        (f"weu/web ({LARGER})", f"2 x {LARGER}"),
    ]


@pytest.mark.parametrize(
    ("sent", "nodes"),
    [
        (write(POOL, TWO, AROUND), exactly(5)),
        (write(POOL, SCALED, AROUND), Amount(1, 5)),
        ({"virtualMachinesProfile": {"scale": {"manual": [{"size": SIZE, "count": UNKNOWN}]}}}, Amount(0, None)),
    ],
)
def test_diff_counts_the_nodes_of_all_sizes(sent: dict[str, object], nodes: Amount) -> None:
    assert _agent_nodes(sent) == nodes


SIX = [Machines(f"Standard_D{number}ds_v5") for number in (8, 16, 32, 48, 64)]


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(cluster(), [], id="two sizes of one family"),
        pytest.param(cluster(UserPool(vm_size=SIZE, machines=[Machines(OTHER)])), ["AKS348 pools.web.machines"], id="another family"),
        pytest.param(cluster(UserPool(vm_size=SIZE, machines=[Machines("Standard_D8pds_v5")])), ["AKS348 pools.web.machines"], id="arm64"),
        pytest.param(cluster(UserPool(vm_size=SIZE, machines=SIX)), ["AKS348 pools.web.machines"], id="six sizes"),
        pytest.param(cluster(UserPool(vm_size=SIZE, machines=[Machines(SIZE)])), ["AKS348 pools.web.machines"], id="a size twice"),
        pytest.param(cluster(UserPool(vm_size=SIZE, machines=[], zones=[1])), ["AKS348 pools.web.zones"], id="zones"),
        pytest.param(cluster(UserPool(vm_size=SIZE, zones=[1])), [], id="zones of a scale set"),
        pytest.param(cluster(identity="system"), ["AKS348 pools.web.machines"], id="the identity of the cluster"),
        pytest.param(cluster(SCALED), ["AKS344 pools.web.machines[0].scale"], id="an autoscaled size"),
        pytest.param(cluster(SCALED, api_version="2026-05-01"), [], id="an autoscaled size in a version that has it"),
        pytest.param(
            cluster(UserPool(vm_size=SIZE, scale=Autoscale(1, 3), machines=[])), ["AKS344 pools.web.scale"], id="an autoscaled pool of one size"
        ),
        pytest.param(
            cluster(UserPool(vm_size=SIZE, machines=[Machines("Standard_D8ds_v55")])),
            ["AKS141 pools.web.machines[0].vm_size", "AKS348 pools.web.machines"],
            id="no such size",
        ),
    ],
)
def test_what_aks_accepts(declared: AksClusterArgs, found: list[str]) -> None:
    said = [f"{one.code} {one.path}" for one in check(declared) if one.code in {"AKS141", "AKS344", "AKS348"}]
    assert sorted(said) == found


@pytest.mark.parametrize(
    ("machines", "said"),
    [
        pytest.param(SIX, ["has 6 sizes"], id="too many"),
        pytest.param([Machines(SIZE.lower())], [f"`{SIZE}` is set more than once"], id="twice"),
        pytest.param([*SIX, Machines(SIZE)], ["has 7 sizes", f"`{SIZE}` is set more than once"], id="both"),
    ],
)
def test_what_is_wrong_with_the_sizes(machines: list[Machines], said: list[str]) -> None:
    messages = [one.message for one in check(cluster(UserPool(vm_size=SIZE, machines=machines))) if one.code == "AKS348"]
    assert [text in message for text, message in zip(said, messages, strict=True)] == [True] * len(said)

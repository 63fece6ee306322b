"""How many batches, how many extra nodes, and the part of the time that has a limit."""

import pytest

from nodepools import Autoscale, Budget, Disruption, Spot, SystemPool, UpgradeSettings, Weekly
from nodepools.clouds.amounts import Amount
from nodepools.clouds.step import batches
from tests.upgrades.declared import SIZE, aks, eks, nap, plan, pool, step, told

POOLS = {
    "one node at a time, each with a drain of 30 minutes": (pool(upgrade=UpgradeSettings(max_surge="1")), Amount(3, 3), Amount(1, 1), 90),
    "a batch is a share, rounded up; one by one without capacity": (
        pool(count=10, upgrade=UpgradeSettings(max_surge="33%")),
        Amount(3, 10),
        Amount(4, 4),
        300,
    ),
    "with the drain timeout and the wait between nodes": (
        pool(upgrade=UpgradeSettings(max_surge="1", drain_timeout="45m", soak="5m")),
        Amount(3, 3),
        Amount(1, 1),
        150,
    ),
    "without surge: as many as can be unavailable": (
        pool(count=4, upgrade=UpgradeSettings(max_surge="0", max_unavailable="2")),
        Amount(2, 2),
        Amount(0, 0),
        60,
    ),
    "the default: one node or a tenth": (pool(count=20), Amount(10, 20), Amount(1, 2), 600),
    "every number of nodes between the bounds": (pool(count=None, scale=Autoscale(0, 5)), Amount(0, 5), Amount(1, 1), 150),
    "spot nodes are not drained": (pool(spot=Spot(), count=4), Amount(1, 4), Amount(0, 0), 0),
    "a stopped pool can have no node": (pool(power_state="Stopped"), Amount(0, 3), Amount(0, 1), 90),
}


@pytest.mark.parametrize(("declared", "expected", "extra", "minutes"), POOLS.values(), ids=POOLS)
def test_agent_pools(declared, expected, extra, minutes):
    found = step(plan(aks(pools={"web": declared}), "1.36"), "web")
    assert (found.batches, found.extra_nodes, found.bounded_minutes) == (expected, extra, minutes)


def test_before_1_35_aks_waits_for_the_whole_surge():
    """Later versions continue with one node."""
    declared = pool(count=10, upgrade=UpgradeSettings(max_surge="5"))
    assert step(plan(aks(kubernetes_version="1.33", pools={"web": declared}), "1.34"), "web").batches == Amount(2, 2)


def test_an_override_of_upgrade_settings_leaves_no_limit():
    found = plan(aks(pools={"web": pool(overrides={"upgrade_settings": {}})}), "1.36")
    assert (step(found, "web").bounded_minutes, found.bounded_minutes) == (None, None)


def test_pools_in_turn_add_up_and_rounds_too():
    assert plan(aks(pools={"web": pool(), "api": pool()}), "1.37").bounded_minutes == 2 * (90 + 90 + 60)


def test_reimaging_has_no_limit():
    assert step(plan(aks(), "1.36"), "web").unbounded == ("reimage", "capacity")
    without = pool(upgrade=UpgradeSettings(max_surge="0", max_unavailable="1"))
    assert step(plan(aks(pools={"web": without}), "1.36"), "web").unbounded == ("reimage",)
    assert step(plan(aks(), "1.36"), "weu").unbounded == ("control_plane",)


NODE_POOLS = {
    "Auto Mode: nodes expire, and a drain ends": (eks(), "compute", 15 * 24 * 60, ("launch", "capacity")),
    "with ages of its own": (eks({"expire_after": "24h", "termination_grace_period": "1h"}), "compute", 25 * 60, ("launch", "capacity")),
    "node auto provisioning: a drain does not end": (nap(), "general", None, ("launch", "capacity", "drain")),
    "nodes that never expire": (nap(expire_after="Never", termination_grace_period="1h"), "general", None, ("launch", "capacity")),
}


@pytest.mark.parametrize(("platform", "name", "minutes", "unbounded"), NODE_POOLS.values(), ids=NODE_POOLS)
def test_node_pools(platform, name, minutes, unbounded):
    found = step(plan(platform, "1.36"), name)
    assert (found.bounded_minutes, found.unbounded) == (minutes, unbounded)
    assert bool(found.note) is (minutes is not None)


DRIFT = {
    "a tenth of the nodes by default": ({}, Amount(0, 10), Amount(0, 1)),
    "a count": ({"disruption": Disruption(budgets=[Budget(nodes="5")])}, Amount(0, 2), Amount(0, 5)),
    "a budget for other reasons does not count": (
        {"disruption": Disruption(budgets=[Budget(nodes="5", reasons=["Empty"]), Budget(nodes="50%")])},
        Amount(0, 2),
        Amount(0, 5),
    ),
    "without budgets, all at once": ({"disruption": Disruption(budgets=[])}, Amount(0, 10), Amount(0, 10)),
    "without a limit of nodes": ({"limits": {}, "disruption": Disruption(budgets=[Budget(nodes="3")])}, Amount(0, None), Amount(0, 3)),
    "without a limit of nodes, and a share": ({"limits": {}}, Amount(0, None), Amount(0, None)),
    "a static pool": ({"replicas": 4, "limits": {"nodes": 6}}, Amount(4, 6), Amount(0, 1)),
}


@pytest.mark.parametrize(("fields", "expected", "extra"), DRIFT.values(), ids=DRIFT)
def test_budgets_limit_how_many_nodes_drift(fields, expected, extra):
    found = step(plan(eks(fields), "1.36"), "compute")
    assert (found.batches, found.extra_nodes) == (expected, extra)


BLOCKED = {
    "a budget of zero at any time": ({"disruption": Disruption(budgets=[Budget(nodes="0")])}, ["warning closed-budget"]),
    "a budget of zero at some times": ({"disruption": Disruption(budgets=[Budget(nodes="0", schedule="0 8 * * *", duration="8h")])}, []),
    "a schedule that Karpenter cannot read": (
        {"disruption": Disruption(budgets=[Budget(nodes="5", schedule="0 8 * * 7", duration="8h", reasons=["Empty"])])},
        ["warning closed-budget"],
    ),
    "a static pool without room for the replacement": ({"replicas": 4, "limits": {"nodes": 4}}, ["warning capacity"]),
    "a static pool with room": ({"replicas": 4, "limits": {"nodes": 5}}, []),
}


@pytest.mark.parametrize(("fields", "expected"), BLOCKED.values(), ids=BLOCKED)
def test_what_keeps_nodes_from_drifting(fields, expected):
    assert told(step(plan(eks(fields), "1.36"), "compute").blocked_by) == expected


@pytest.mark.parametrize(
    ("hours", "channel", "expected"),
    [
        pytest.param(4, None, ["note window-too-short"], id="nothing waits for the window"),
        pytest.param(4, "stable", ["warning window-too-short"], id="automatic upgrades start in the window"),
        pytest.param(24, None, [], id="a window that is long enough"),
    ],
)
def test_drains_that_do_not_fit_a_window_are_told(hours, channel, expected):
    platform = aks(maintenance=Weekly(days="sun", start="00:00", hours=hours), pools={"web": pool(count=8)}, auto_upgrade=channel)
    assert [text for text in told(plan(platform, "1.36").blockers) if "window" in text] == expected


def test_a_pool_without_nodes_takes_no_time():
    found = plan(aks(system_pool=SystemPool(vm_size=SIZE, count=1), pools={"web": pool(count=0)}), "1.36")
    assert (step(found, "web").batches, step(found, "web").bounded_minutes) == (Amount(0, 0), 0)


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        pytest.param(Amount(2, None), Amount(1, None), id="no upper bound"),
        pytest.param(Amount(0, 6000), Amount(0, 6000), id="more nodes than a cluster can have"),
        pytest.param(Amount(3, 4), Amount(1, 4), id="no setting that holds at any time"),
    ],
)
def test_batches_of_a_number_that_is_not_known(nodes, expected):
    assert batches(nodes, []) == expected

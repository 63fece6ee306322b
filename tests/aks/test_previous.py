"""Two generations side by side: `previous` keeps the old one, tainted, until it is taken away."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodepools import AksClusterArgs, Autoscale, GpuPool, SystemPool, UserPool, WindowsPool, derive, testing
from nodepools.aks.cluster import AksCluster
from nodepools.wire.aks.generation import generations, pool_name

SMALL, LARGE = "Standard_D2ds_v5", "Standard_D4ds_v5"
OLD = UserPool(vm_size=SMALL, scale=Autoscale(1, 5), labels={"tier": "web"})
NEW = derive(OLD, vm_size=LARGE)
RETIRING = "nodepools/retiring=true:NoSchedule"


def touched(waves):
    """How many pools are touched in each wave."""
    return [sum(label.startswith("AgentPool/") for label in wave) for wave in waves]


def test_the_old_generation_stays_under_its_name_and_is_tainted_after_the_new_one_is_there(deploy, declare):
    before = deploy(pools={"web": OLD})
    both = deploy(pools={"web": derive(NEW, previous=OLD)})
    old_name, new_name = pool_name(declare(pools={"web": OLD}), "web"), pool_name(declare(pools={"web": NEW}), "web")
    waves = both.waves(since=before)
    assert waves.creates == ({f"AgentPool/dev-weu-{new_name}"},)
    assert waves.updates == {f"AgentPool/dev-weu-{old_name}"}
    assert waves.deletes == ()
    old, new = both.one(f"AgentPool/dev-weu-{old_name}"), both.one(f"AgentPool/dev-weu-{new_name}")
    assert old.inputs["nodeTaints"] == [RETIRING]
    assert new.inputs["nodeTaints"] == []
    assert old.depends_on(new)
    assert {**old.inputs["nodeLabels"]} == {**new.inputs["nodeLabels"]} == {"nodepools/name": "web", "tier": "web"}
    assert old.ignore_changes == ("count",)


def test_without_it_the_old_generation_goes_and_nothing_else_changes(deploy):
    both, after = deploy(pools={"web": derive(NEW, previous=OLD)}), deploy(pools={"web": NEW})
    waves = after.waves(since=both)
    assert (waves.creates, waves.updates) == ((), frozenset())
    assert touched(waves.deletes) == [1]


def test_a_kubernetes_version_moves_the_same_way_by_a_turned_generation(deploy, declare):
    old = derive(OLD, kubernetes_version="1.34")
    new = derive(OLD, kubernetes_version="1.35", generation="1-35", previous=old)
    graph = deploy(pools={"web": new})
    versions = {node.inputs["agentPoolName"]: node.inputs["orchestratorVersion"] for node in graph.all("AgentPool")}
    assert versions == {pool_name(declare(pools={"web": new}), "web"): "1.35", pool_name(declare(pools={"web": old}), "web"): "1.34"}


@pytest.mark.parametrize("kind", [SystemPool, UserPool, GpuPool, WindowsPool])
def test_every_kind_of_pool_has_it(declare, kind):
    args = declare(pools={"x": kind(vm_size=LARGE, count=2, previous=kind(vm_size=SMALL, count=2))})
    assert [(one.key, one.is_previous) for one in generations(args)] == [("x", False), ("x", True)]
    names = [one.name for one in generations(args)]
    assert len(set(names)) == 2
    assert all(len(name) <= kind.longest_name for name in names)


def test_the_outputs_tell_the_generation_that_is(deploy, declare):
    told = deploy(pools={"web": derive(NEW, previous=OLD)}).one("AksCluster").outputs["pools"]
    assert told == {"system": "system", "web": pool_name(declare(pools={"web": NEW}), "web")}


def test_a_fixed_name_is_the_pools_in_azure_and_in_pulumi(deploy):
    made = deploy(pools={"web": UserPool(vm_size=SMALL, name="blue")}).one("AgentPool/dev-weu-blue")
    assert made.inputs["agentPoolName"] == "blue"


STATES = {"small": {"vm_size": SMALL}, "large": {"vm_size": LARGE}, "moving": {"vm_size": LARGE, "previous": {"vm_size": SMALL}}, "gone": None}


@cache
def deployed(states):
    pools = {key: UserPool.model_validate(STATES[state]) for key, state in states if STATES[state] is not None}
    args = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=LARGE, count=3), pools=pools)
    return testing.run(lambda: AksCluster("c", args))


@given(data=st.data())
@settings(max_examples=20, deadline=None)
@pytest.mark.sweep
def test_whatever_changes_of_three_to_six_pools_one_is_touched_at_a_time_and_creates_come_first(data):
    keys = "abcdef"[: data.draw(st.integers(3, 6))]
    before, after = (tuple((key, data.draw(st.sampled_from(sorted(STATES)))) for key in keys) for _ in range(2))
    old, new = deployed(before), deployed(after)
    waves = new.waves(since=old)
    made, gone = ({node.urn for node in graph.all("AgentPool")} for graph in (new, old))
    assert touched(waves.creates) == [1] * len(made - gone)
    assert touched(waves.deletes) == [1] * len(gone - made)
    pools = new.all("AgentPool")
    assert all(one.depends_on(other) != other.depends_on(one) for one in pools for other in pools if one is not other)


def test_the_way_back_makes_nothing_and_turns_the_taint(deploy):
    forth = deploy(pools={"web": derive(NEW, previous=OLD)})
    back = deploy(pools={"web": derive(OLD, previous=NEW)})
    waves = back.waves(since=forth)
    assert (waves.creates, waves.deletes) == ((), ())
    assert len(waves.updates) == 2
    assert [pool.inputs["nodeTaints"] for pool in back.all("AgentPool")] in ([[], [RETIRING]], [[RETIRING], []])

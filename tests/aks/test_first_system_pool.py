"""The way to retire the first system pool: another takes its place, and nothing is deleted before that, or replaced."""

import pytest

from nodepools import SystemPool, UserPool, derive
from nodepools.wire.aks.generation import pool_name

SMALL, LARGE = "Standard_D4ds_v5", "Standard_D8ds_v5"
FIRST = SystemPool(vm_size=SMALL, count=3)
NEXT = SystemPool(vm_size=LARGE, count=3, zones=[1, 2, 3])
WEB = UserPool(vm_size=SMALL)


@pytest.fixture
def steps(deploy, declare):
    """The cluster before, with the second pool beside the first, and with the second in the place of the first."""
    name = pool_name(declare(pools={"next": NEXT}), "next")
    return (
        deploy(system_pool=FIRST, pools={"web": WEB}),
        deploy(system_pool=FIRST, pools={"web": WEB, "next": derive(NEXT, retain=True)}),
        deploy(system_pool=derive(NEXT, name=name), pools={"web": WEB}),
    )


def test_first_the_second_pool_is_made_and_nothing_else(steps):
    before, beside, _ = steps
    waves = beside.waves(since=before)
    assert [len(wave) for wave in waves.creates] == [1]
    assert (waves.updates, waves.deletes) == (frozenset(), ())


def test_then_the_cluster_names_it_in_one_update_and_azure_keeps_it(steps):
    _, beside, after = steps
    waves = after.waves(since=beside)
    assert waves.creates == ()
    assert waves.updates == {"ManagedCluster/dev-weu"}
    [[gone]] = waves.deletes
    assert beside.one(gone).retain_on_delete, "Pulumi forgets it, and asks Azure for nothing"


def test_the_cluster_is_not_replaced_and_names_the_pool_as_it_stands_in_azure(steps):
    _, beside, after = steps
    old, new = (graph.one("ManagedCluster").inputs for graph in (beside, after))
    assert {name for name in new if new[name] != old[name]} == {"agentPoolProfiles"}
    [profile] = new["agentPoolProfiles"]
    [there] = [pool.inputs for pool in beside.all("AgentPool") if pool.inputs["mode"] == "System"]
    assert profile["name"] == there["agentPoolName"]
    fixed = ("vmSize", "availabilityZones", "osType", "type", "vnetSubnetID", "mode", "count", "nodeTaints")
    assert {name: profile[name] for name in fixed} == {name: there[name] for name in fixed}
    assert profile["nodeLabels"] == {"nodepools/name": "system"}, "what selects the system pool selects the new one"


def test_the_outputs_tell_its_name(steps, declare):
    *_, after = steps
    assert after.one("AksCluster").outputs["pools"]["system"] == pool_name(declare(pools={"next": NEXT}), "next")


def test_in_the_other_order_azure_would_have_to_know_a_pool_that_is_not_there(deploy):
    """The cluster comes before its pools: named at once with the pool, it would be refused. So there are two steps, and no field that makes one."""
    graph = deploy(pools={"next": NEXT})
    assert graph.one("AgentPool").depends_on(graph.one("ManagedCluster"))


def test_two_pools_are_not_of_one_name(declare, judged_errors):
    name = pool_name(declare(pools={"next": NEXT}), "next")
    assert judged_errors(declare(system_pool=derive(NEXT, name=name), pools={"next": NEXT})) == ["AKS003 pools.next"]


@pytest.fixture
def judged_errors():
    from nodepools import check

    return lambda declared: [f"{finding.code} {finding.path}" for finding in check(declared) if finding.severity == "error"]

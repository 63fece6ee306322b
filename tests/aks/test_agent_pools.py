"""Agent pools as resources: their options, and what follows from their names."""

import pytest

from nodepools import Autoscale, GpuPool, Spot, SystemPool, Taint, Timeouts, UserPool, derive
from nodepools.wire.aks.generation import pool_name

SIZE, BIGGER = "Standard_D2ds_v5", "Standard_D4ds_v5"
AUTOSCALED = UserPool(vm_size=SIZE, scale=Autoscale(1, 5))


def test_each_pool_has_its_name_in_azure_and_the_stem_in_pulumi(deploy, declare):
    pools = {"web": UserPool(vm_size=SIZE)}
    physical = pool_name(declare(pools=pools), "web")
    assert deploy(pools=pools).one(f"AgentPool/dev-weu-{physical}").inputs["agentPoolName"] == physical


def test_pools_are_children_of_the_component_and_not_of_the_cluster(deploy):
    assert deploy(pools={"web": AUTOSCALED}).one("AgentPool").parent.display_name == "AksCluster/dev-weu"


def test_each_pool_depends_on_the_cluster_and_on_all_pools_before_it(deploy, preview):
    pools = {key: UserPool(vm_size=SIZE) for key in ("a", "b", "c")}
    graph = deploy(pools=pools, preview=preview)
    made = [graph.one(f"AgentPool/dev-weu-{key}????") for key in pools]
    for place, pool in enumerate(made):
        assert pool.depends_on("ManagedCluster/dev-weu")
        assert [pool.depends_on(other) for other in made] == [earlier < place for earlier in range(3)]


@pytest.mark.parametrize(("own", "sent"), [(None, "1.35"), ("1.34", "1.34")], ids=["that of its cluster", "one of its own"])
def test_a_pool_is_sent_its_version_and_the_one_inside_the_cluster_none(deploy, own, sent):
    graph = deploy(pools={"web": derive(AUTOSCALED, kubernetes_version=own), "more": SystemPool(vm_size=SIZE, count=1)})
    assert {pool.inputs["orchestratorVersion"] for pool in graph.all("AgentPool") if pool.inputs["mode"] == "User"} == {sent}
    assert {pool.inputs["orchestratorVersion"] for pool in graph.all("AgentPool") if pool.inputs["mode"] == "System"} == {"1.35"}
    (inside,) = graph.one("ManagedCluster").inputs["agentPoolProfiles"]
    assert "orchestratorVersion" not in inside


@pytest.mark.parametrize(
    ("pool", "ignored"),
    [
        pytest.param(AUTOSCALED, ("count",), id="the autoscaler owns the count"),
        pytest.param(UserPool(vm_size=SIZE, count=3), (), id="a declared count is applied"),
    ],
)
def test_the_count_is_ignored_exactly_where_the_pool_is_autoscaled(deploy, pool, ignored):
    made = deploy(pools={"web": pool}).one("AgentPool")
    assert made.ignore_changes == ignored
    assert "count" in made.inputs


def test_how_long_pulumi_waits_can_be_said(deploy):
    pool = UserPool(vm_size=SIZE, timeouts=Timeouts(create="15m", delete="2h"))
    assert deploy(pools={"web": pool}).one("AgentPool").timeouts == {"create": "15m", "update": "60m", "delete": "2h"}


def test_arguments_arrive_in_the_providers_spelling_and_labels_as_they_are(deploy):
    pool = GpuPool(vm_size=SIZE, spot=Spot(), zones=[1], labels={"my_label": "my_value"}, overrides={"upgrade_settings": {"max_surge": "33%"}})
    made = deploy(pools={"gpu": pool}, device_plugin=None).one("AgentPool").inputs
    assert made["nodeLabels"]["my_label"] == "my_value"
    assert made["gpuProfile"] == {"driver": "Install"}
    assert made["upgradeSettings"] == {"maxSurge": "33%"}
    assert (made["scaleSetPriority"], made["spotMaxPrice"], made["availabilityZones"]) == ("Spot", -1, ["1"])


def test_further_system_pools_are_resources_too(deploy):
    made = deploy(pools={"system2": SystemPool(vm_size=BIGGER, scale=Autoscale(2, 4))}).one("AgentPool")
    assert (made.inputs["mode"], made.ignore_changes) == ("System", ("count",))


BASE = UserPool(vm_size=SIZE, scale=Autoscale(1, 5))
ROTATES = [
    pytest.param({"vm_size": BIGGER}, id="vm_size"),
    pytest.param({"zones": [1]}, id="zones"),
    pytest.param({"os_disk_size_gb": 64}, id="os_disk_size_gb"),
    pytest.param({"os_disk_type": "Managed"}, id="os_disk_type"),
    pytest.param({"max_pods": 50}, id="max_pods"),
    pytest.param({"spot": Spot()}, id="spot"),
    pytest.param({"generation": "b"}, id="generation, turned by hand"),
    pytest.param({"overrides": {"enable_ultra_ssd": True}}, id="an override that is fixed"),
]
STAYS = [
    pytest.param({"count": 2}, id="count"),
    pytest.param({"scale": Autoscale(2, 9)}, id="scale"),
    pytest.param({"labels": {"a": "b"}}, id="labels"),
    pytest.param({"taints": [Taint("a", "b", "NoSchedule")]}, id="taints"),
    pytest.param({"kubernetes_version": "1.35"}, id="kubernetes_version"),
    pytest.param({"tags": {"a": "b"}}, id="tags"),
    pytest.param({"overrides": {"upgrade_settings": {"max_surge": "33%"}}}, id="an override that can change"),
]


@pytest.mark.parametrize("change", ROTATES)
def test_a_fixed_field_gives_another_name(declare, change):
    old, new = declare(pools={"web": BASE}), declare(pools={"web": derive(BASE, change)})
    assert pool_name(old, "web") != pool_name(new, "web")


def test_the_order_of_zones_says_nothing(declare):
    one, other = (declare(pools={"web": derive(BASE, zones=zones)}) for zones in ([1, 2, 3], [3, 1, 2]))
    assert pool_name(one, "web") == pool_name(other, "web")


@pytest.mark.parametrize("change", STAYS)
def test_a_field_that_can_change_keeps_the_name(declare, change):
    old, new = declare(pools={"web": BASE}), declare(pools={"web": derive(BASE, change)})
    assert pool_name(old, "web") == pool_name(new, "web")


# Rows 1 and 2 of the traps: a replacement under the same name in Pulumi would collide in Azure, or delete first.
def test_a_rotation_is_another_resource_in_pulumi_and_in_azure(deploy):
    old, new = deploy(pools={"web": BASE}), deploy(pools={"web": derive(BASE, vm_size=BIGGER)})
    before, after = old.one("AgentPool"), new.one("AgentPool")
    assert before.urn != after.urn
    assert before.inputs["agentPoolName"] != after.inputs["agentPoolName"]
    assert not {"replaceOnChanges", "deleteBeforeReplace"} & after.options.keys()


def test_a_rotation_makes_the_new_pool_before_the_old_one_goes_and_changes_nothing_else(deploy):
    old, new = deploy(pools={"web": BASE}), deploy(pools={"web": derive(BASE, vm_size=BIGGER)})
    waves = new.waves(since=old)
    assert waves.creates == (frozenset({new.one("AgentPool").display_name}),)
    assert waves.deletes == (frozenset({old.one("AgentPool").display_name}),)
    assert not waves.updates


def test_a_change_in_place_updates_the_pool_and_makes_none(deploy):
    old, new = deploy(pools={"web": BASE}), deploy(pools={"web": derive(BASE, labels={"a": "b"})})
    assert new.waves(since=old).updates == {new.one("AgentPool").display_name}
    assert not new.waves(since=old).creates


def test_the_same_program_again_changes_nothing(deploy):
    waves = deploy(pools={"web": BASE}).waves(since=deploy(pools={"web": BASE}))
    assert (waves.creates, waves.updates, waves.deletes) == ((), frozenset(), ())
